"""avtool with a worker in place of its own that does what a malicious file could make it do."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from acceptance.processes import processes_of
from acceptance.running import AVTOOL, ROOT
from acceptance.tool import ToolRun, measured, names, program_copy, run_program

# scripts/build --for-tests makes it; its sources are in Tests/MisbehavingWorker.
MISBEHAVING_WORKER = os.environ.get("AVTOOL_MISBEHAVING_WORKER") or ROOT / ".build/avtool/misbehaving-worker"

# How long the work on a file may get no further where that is tested: far more than a busy machine needs for a step.
STALL_TIME = "3s"


class TakenOver:
    """A folder with avtool and the misbehaving worker beside it.

    In the folder are a canary and some files, which nobody reads. `is_alone`: a worker that has only one job does it
    itself, as the real one does, and not in a child process.
    """

    def __init__(self, folder: Path, files: int = 1, *, is_alone: bool = False) -> None:
        self.folder, self.files, self.is_alone = folder, files, is_alone
        assert Path(MISBEHAVING_WORKER).is_file(), f"no {MISBEHAVING_WORKER}: run scripts/build --for-tests"
        programs = folder / "bin"
        programs.mkdir()
        self.program = program_copy(AVTOOL, programs / "avtool")
        self.worker = program_copy(MISBEHAVING_WORKER, programs / "avtool-worker")
        (folder / "canary").write_text("sings")
        for number in range(files):
            (folder / f"film{number}.mp4").write_text(f"film {number}")

    def environment(self, words: Sequence[str]) -> dict[str, str]:
        """What tells the worker what to do, and to which files: the words that are no options."""
        acts = {"AVTOOL_ACTS": "\n".join(word for word in words if not word.startswith("--"))}
        return acts | ({"AVTOOL_ALONE": "1"} if self.is_alone else {})

    def line(self, words: Sequence[str], stall_time: str | None = None, doing: Sequence[str] = ()) -> list[str]:
        """The command line: stills of those words that are files. Words with an equals sign are acts of the worker.

        `doing` is another command than that, and its options.
        """
        options = [word for word in words if word.startswith("--")]
        files = [word for word in words if word not in options and "=" not in word]
        command = doing or ["thumbs", "--at", "0", "-o", "{name}.mp4-{index}.png"]
        limit = ["--limit", f"stall-time={stall_time}"] if stall_time else []
        return [str(self.program), *options, *command, *limit, *files]

    def run(
        self,
        *words: str,
        stall_time: str | None = None,
        doing: Sequence[str] = (),
        signals: tuple[signal.Signals, Callable[[], bool]] | None = None,
    ) -> ToolRun:
        """Runs avtool on files, while the worker does what the other words say."""
        line = self.line(words, stall_time, doing)
        return run_program(line, self.folder, environment=self.environment(words), signals=signals)

    def measured(self, *words: str) -> tuple[ToolRun, int]:
        """Runs the same, and measures the memory of its largest process in MiB. Standard output is dropped."""
        line = ["/bin/sh", "-c", 'exec "$@" > /dev/null', "sh", *self.line(words)]
        return measured(line, self.folder, environment=self.environment(words))

    def quoted(self, *words: str) -> str:
        """The command line for a shell."""
        assignments = [f"{name}={value}" for name, value in self.environment(words).items()]
        return shlex.join(["env", *assignments, *self.line(words)])

    @property
    def workers(self) -> list[int]:
        """The processes that are the worker or its children, the worker itself first."""
        return processes_of(self.worker.resolve())

    def expect_untouched(self) -> None:
        """Fails if anything was changed or made."""
        assert (self.folder / "canary").read_text() == "sings"
        films = [f"film{number}.mp4" for number in range(self.files)]
        assert [(self.folder / film).read_text() for film in films] == [f"film {n}" for n in range(self.files)]
        assert names(self.folder) == ["bin", "canary", *films]
