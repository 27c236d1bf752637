"""Where the command is."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


class ToolNotFound(FileNotFoundError):
    """There is no avtool where it was looked for."""


class Tool:
    """The command `avtool`: the argument, or else the variable AVTOOL, or else the one on the PATH."""

    def __init__(self, executable: str | os.PathLike[str] | None = None) -> None:
        wanted = os.fspath(executable) if executable is not None else os.environ.get("AVTOOL") or "avtool"
        found = shutil.which(wanted)
        if found is None:
            raise ToolNotFound(f"there is no program {wanted}; give its path, or set AVTOOL")
        self.executable = str(Path(found).absolute())

    def __repr__(self) -> str:
        return f"Tool({self.executable!r})"

    def version(self) -> str:
        done = subprocess.run([self.executable, "--version"], capture_output=True, stdin=subprocess.DEVNULL, check=True)
        return done.stdout.decode().strip()
