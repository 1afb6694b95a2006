"""The parent of the workers, and what it knows of them."""

import subprocess
import sys

import pytest
from servers import GUARD_S

pytestmark = pytest.mark.system

PARENT = """
import os, signal, uvicorn
from simplesimon.__main__ import Workers

workers = Workers(uvicorn.Config("simplesimon.web:create", factory=True, workers=1), [])
workers.init_processes()
[worker] = workers.processes
os.kill(worker.pid, signal.SIGSTOP)
worker.parent_conn.send(b"ping")  # a question that is not answered
os.kill(worker.pid, signal.SIGKILL)
worker.parent_conn.poll(None)
print("it is gone")
"""


def test_a_worker_that_dies_while_it_is_asked_for_a_sign_of_life_is_known_to_be_gone():
    command = [sys.executable, "-c", PARENT]
    parent = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False)
    assert parent.stdout == "it is gone\n", parent.stderr
