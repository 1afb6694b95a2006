"""What an operator counts, over processes that come and go."""

import os
import subprocess
import sys

from simplesimon.config import METRICS_DIRECTORY

KILLED = "metrics.SOCKETS.inc(5); metrics.COMMANDS.labels('done').inc(3)"
ASKED = "metrics.SOCKETS.inc(); print(metrics.text().decode())"


def told(directory, worker):
    """What a worker says."""
    command = [sys.executable, "-c", f"from simplesimon import metrics; {worker}"]
    environment = {**os.environ, METRICS_DIRECTORY: str(directory)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert not ended.returncode, ended.stderr
    return ended.stdout


def test_a_worker_that_was_killed_has_no_sockets_but_did_what_it_did(tmp_path):
    told(tmp_path, KILLED)
    answer = told(tmp_path, ASKED)
    assert "simplesimon_sockets 1.0" in answer
    assert 'simplesimon_commands_total{answer="done"} 3.0' in answer


def test_a_worker_that_is_about_to_begin_is_none_yet(tmp_path):
    """It has opened its file, and written nothing to it: so it stands for a moment, on a busy machine for longer."""
    (tmp_path / "counter_1.db").touch()
    assert "simplesimon_sockets 1.0" in told(tmp_path, ASKED)
