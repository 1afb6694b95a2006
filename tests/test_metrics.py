"""What an operator counts, over processes that come and go."""

import os
import subprocess
import sys

from simplesimon.config import METRICS_DIRECTORY

KILLED = "metrics.SOCKETS.inc(5); metrics.COMMANDS.labels('done').inc(3)"
ASKED = "metrics.SOCKETS.inc(); print(metrics.text().decode())"


def test_a_worker_that_was_killed_has_no_sockets_but_did_what_it_did(tmp_path):
    environment = {**os.environ, METRICS_DIRECTORY: str(tmp_path)}
    told = ""
    for worker in (KILLED, ASKED):
        command = [sys.executable, "-c", f"from simplesimon import metrics; {worker}"]
        told = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    assert "simplesimon_sockets 1.0" in told
    assert 'simplesimon_commands_total{answer="done"} 3.0' in told
