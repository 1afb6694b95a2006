"""The page's pure modules, run as they are by the Node that the checks bring along."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from clients import GUARD_S

NODE = Path(sys.executable).parent / "node"
CLIENT = Path(__file__).parents[1] / "client"


def run(script: str, **given: Any) -> Any:
    """What `script`, the body of an async function, returns; it has the values of `given`, and `load(module)`."""
    names = ", ".join(given)
    whole = f"""
        const load = name => import({json.dumps(CLIENT.as_uri())} + "/" + name);
        const answer = await (async ({{ {names} }}) => {{ {script} }})({json.dumps(given)});
        process.stdout.write(JSON.stringify(answer ?? null));
    """
    done = subprocess.run(
        [str(NODE), "--input-type=module", "--no-warnings", "--eval", whole],
        capture_output=True,
        text=True,
        check=False,
        timeout=GUARD_S,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
