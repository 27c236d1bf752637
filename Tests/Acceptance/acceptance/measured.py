"""Runs one command and prints its exit code, the seconds of the processor that it took, and its MB.

A program of its own, because a child's peak memory counts from what its parent holds:
`python -m acceptance.measured FILE COMMAND…`, where FILE takes what the command says.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Runs the command of the command line."""
    with Path(sys.argv[1]).open("wb") as said:
        process = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    print(json.dumps([code, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
