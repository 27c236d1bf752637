"""Many runs of avtool at the same time, for tests and for measuring.

    python3 -m acceptance.many_at_once COUNT MEMORY FILM

MEMORY is the MB that all of them may have together. Prints how many succeeded with the right picture, how
they ended, the seconds that all took, and the MB that were in use at most.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from acceptance.control_group import control_group
from acceptance.running import AVTOOL

Outcome = dict[str, object]


def still(film: Path, output: Path) -> list[str]:
    return [AVTOOL, "thumbs", "--at", "1/2", "--size", "320x0", "-o", str(output), str(film)]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "no picture"


def many_at_once(count: int, megabytes: int, film: Path) -> Outcome:
    """Has stills made of one film by many runs at once."""
    with tempfile.TemporaryDirectory() as scratch, control_group(megabytes << 20) as group:
        folder = Path(scratch)
        subprocess.run(still(film, folder / "alone.png"), check=True, capture_output=True)
        right = digest(folder / "alone.png")
        gate, opener = os.pipe()
        with (folder / "said").open("ab") as said:
            # Each waits until all are there: what is measured is all of them at once.
            runs = [
                subprocess.Popen(
                    ["sh", "-c", 'read -r _; exec "$@" < /dev/null', "sh", *still(film, folder / f"{number}.png")],
                    stdin=gate, stdout=subprocess.DEVNULL, stderr=said,
                    preexec_fn=group.enter if group else None,
                )
                for number in range(count)
            ]  # fmt: skip
            start = time.monotonic()
            os.close(gate)
            os.close(opener)
            codes = Counter(run.wait() for run in runs)
        seconds = time.monotonic() - start
        pictures = [digest(folder / f"{number}.png") for number in range(count)]
        left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        return {
            "right": pictures.count(right),
            "wrong": sum(picture not in (right, "no picture") for picture in pictures),
            "codes": {str(code): number for code, number in sorted(codes.items())},
            "seconds": round(seconds, 1),
            "peak": group.peak >> 20 if group and group.peak else None,
            "killed": group.killed if group else None,
            "left": left,
            "said": Counter((folder / "said").read_text(errors="replace").splitlines()).most_common(3),
        }


if __name__ == "__main__":
    print(json.dumps(many_at_once(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])), indent=1))
