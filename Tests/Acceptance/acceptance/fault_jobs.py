"""The jobs that are run with failing system calls, and what may be left of them."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from acceptance.fault_shim import Disturbed, Fault, run_with
from acceptance.faults import contents, remove
from acceptance.films import fixture
from acceptance.metadata_changes import comparable, packets, picture
from acceptance.running import AVTOOL, make, metadata

# What the help of avtool promises, but for what people do: usage, and interrupting.
CODES = {0, 65, 66, 70, 73, 74, 75}
CHAPTERS = "00:00:00.000 One\n00:00:02.000 Two\n00:00:03.500 Three\n"


@dataclass
class Job:
    """A command, run in a folder that holds a film and `out/`."""

    name: str
    film: str  # a fixture, which is `film.EXT` in the folder
    words: str  # FILM stands for its name
    before: str = ""  # a command that makes what the job finds
    changes_film: bool = False
    makes_several: bool = False  # files that appear one by one
    is_quick: bool = False  # each run of the tests tries some faults of it

    def command(self, words: str) -> list[object]:
        name = f"film{Path(self.film).suffix}"
        return [AVTOOL, *[word.replace("FILM", name) for word in words.split()]]


BOARD = "storyboard --every 2s --columns 3 --bif -o out/board FILM"
JOBS = [
    Job("info", "movie.mp4", "info FILM"),
    Job("info of mkv", "cues.mkv", "info --json FILM"),
    Job("verify", "movie.mp4", "verify FILM"),
    Job("thumbs png", "movie.mp4", "thumbs --count 3 -o out/{index}.png FILM", makes_several=True, is_quick=True),
    Job("thumbs jpeg", "cues.mkv", "thumbs --count 3 -o out/{index}.jpg FILM", makes_several=True),
    Job("thumbs webp", "movie.mov", "thumbs --count 2 -o out/{index}.webp FILM", makes_several=True),
    Job("thumbs --force", "movie.mp4", "thumbs --at 1s --force -o out/a.png FILM", "thumbs --at 2s -o out/a.png FILM"),
    Job("sheet", "movie.mp4", "sheet --columns 3 --rows 2 -o out/sheet.jpg FILM"),
    Job("storyboard", "movie.mp4", BOARD, is_quick=True),
    Job("storyboard --force", "movie.mp4", f"{BOARD} --force", f"{BOARD} --exact --every 5s", is_quick=True),
    Job("passthrough to mp4", "movie.mp4", "export --preset passthrough -o out/new.mp4 FILM"),
    Job("a cut to mov", "movie.mov", "export --preset passthrough --range 1s..3s -o out/new.mov FILM"),
    Job("passthrough to mkv", "movie.mp4", "export --preset passthrough -o out/new.mkv FILM", is_quick=True),
    Job("mkv to mp4", "cues.mkv", "export --preset passthrough -o out/new.mp4 FILM"),
    Job("low", "movie.mp4", "export --preset low --range 0s..1s -o out/new.mp4 FILM"),
    Job(
        "export --force", "movie.mp4", "export --preset passthrough --force -o out/new.mp4 FILM",
        "export --preset passthrough --range 0s..1s -o out/new.mp4 FILM", is_quick=True,
    ),
    Job("metadata of mp4", "movie.mp4", "metadata set title=Another FILM", changes_film=True, is_quick=True),
    Job(
        "metadata of mp4, in free space", "movie.mp4", "metadata set title=Another comment=Longer FILM",
        "metadata artwork --set cover.png FILM", changes_film=True,
    ),
    Job("metadata of mov", "movie.mov", "metadata set title=Another FILM", changes_film=True),
    Job("metadata of mp3", "audio-only.mp3", "metadata set title=Another FILM", changes_film=True, is_quick=True),
    Job("metadata of mkv", "cues.mkv", "metadata set title=Another FILM", changes_film=True),
    Job("metadata of flac", "audio-only.flac", "metadata set title=Another FILM", changes_film=True, is_quick=True),
    Job("metadata of ogg", "theora.ogv", "metadata set title=Another FILM", changes_film=True),
    Job("metadata to a copy", "movie.mp4", "metadata set title=Another -o out/new.mp4 FILM", is_quick=True),
    Job("metadata to a copy of mkv", "cues.mkv", "metadata set title=Another -o out/new.mkv FILM"),
    Job("artwork", "audio-only.m4a", "metadata artwork --set cover.png FILM", changes_film=True),
    Job("artwork of mp3", "audio-only.mp3", "metadata artwork --set cover.png FILM", changes_film=True),
    Job("chapters set", "movie.mp4", "chapters set --from chapters.txt FILM", changes_film=True),
    Job("chapters set in mkv", "cues.mkv", "chapters set --from chapters.txt FILM", changes_film=True),
    Job(
        "chapters remove", "movie.mp4", "chapters remove FILM", "chapters set --from chapters.txt FILM",
        changes_film=True,
    ),
]  # fmt: skip


@dataclass
class Tally:
    """What came of the runs of one job with one kind of fault."""

    cases: int = 0
    survived: int = 0  # and gave what an undisturbed run gives
    refused: int = 0  # failed with an exit code, with nothing changed
    late: int = 0  # failed with an exit code when all was done
    died: int = 0  # of a signal, which a failed allocation may be
    partial: int = 0  # neither had nothing changed nor all done
    longest: float = 0
    memory: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


class Bench:
    """A folder in which a job runs again and again, each time as if for the first time."""

    def __init__(self, job: Job, folder: Path, sandbox: str = "auto") -> None:
        self.job, self.sandbox = job, sandbox
        self.work, self.kept = folder.resolve() / "work", folder.resolve() / "kept"
        self.film = self.work / f"film{Path(job.film).suffix}"
        for made in (self.work / "out", self.work / "tmp"):
            made.mkdir(parents=True)
        shutil.copy2(fixture(job.film), self.film)
        (self.work / "cover.png").write_bytes(picture(3_000))
        (self.work / "chapters.txt").write_text(CHAPTERS)
        if job.before:
            make("env", "-C", self.work, *job.command(job.before))
        shutil.copytree(self.work, self.kept)
        self.old = contents(self.work)
        self.undisturbed: dict[str, Disturbed] = {}
        self.new: dict[str, dict[str, str]] = {}
        self.facts: dict[str, str] = {}
        self.know("")
        self.shown = [self.shows()] if job.changes_film else []
        self.restore()
        if job.changes_film:
            self.shown.append(self.shows())

    def know(self, without: str) -> None:
        """Finds out what an undisturbed run does on such a file system."""
        if without in self.undisturbed:
            return
        self.restore()
        run = self.run(Fault("read", "EIO", without=without), 0)
        assert run.code == 0 and all(run.processes.values()), (
            f"{self.job.name}, undisturbed, without {without or 'nothing'}: {run.how}"
        )
        self.undisturbed[without], self.new[without] = run, contents(self.work)
        left = [name for name in self.new[without] if ".avtool-" in name]
        assert not left, f"{self.job.name}, undisturbed, left {left}"
        self.facts |= {name: facts_of(self.work / name) for name in self.new[without] if self.is_numbered(name)}

    def calls(self, fault: Fault, process: str) -> int:
        """How many calls there are that can fail."""
        self.know(fault.without)
        self.restore()
        return self.undisturbed[fault.without].calls[process][fault.family]

    def run(self, fault: Fault | None, number: int, process: str = "front") -> Disturbed:
        environment = {"TMPDIR": str(self.work / "tmp"), "TZ": "UTC"}
        words = [*self.job.command(self.job.words), "--sandbox", self.sandbox]
        return run_with(fault, number, words, self.work, environment, process)

    def restore(self) -> None:
        for name in ("film", "out"):
            for path in self.work.glob(f"{name}*"):
                remove(path)
        shutil.copytree(self.kept, self.work, dirs_exist_ok=True)
        for path in sorted(self.work.rglob(".avtool-*"), reverse=True):
            remove(path)
        for path in (self.work / "tmp").iterdir():
            remove(path)

    def shows(self) -> str:
        """What the film says and holds, for versions that differ in where things lie."""
        return facts_of(self.film)

    def is_numbered(self, name: str) -> bool:
        """Whether a file has random numbers, which are others when a temporary name has taken one."""
        return name.endswith(".mkv") and name.startswith("out/")

    def is_same(self, state: dict[str, str], new: dict[str, str]) -> bool:
        others = [name for name in state.keys() | new.keys() if state.get(name) != new.get(name)]
        return all(
            self.is_numbered(name) and name in state and facts_of(self.work / name) == self.facts.get(name)
            for name in others
        )

    # --- judging

    def disturb(self, fault: Fault, number: int, process: str, tally: Tally) -> None:
        """One run in one of whose processes the n-th call fails, and what is wrong with what it did."""
        run = self.run(fault, number, process)
        tally.cases += 1
        tally.longest = max(tally.longest, run.seconds)
        tally.memory = max(tally.memory, run.memory)
        tally.codes[run.code] += 1
        state = contents(self.work)
        # An allocation that fails may end the process that asked for it, and of those only avtool's end is the tool's.
        may_die = process == "front" and fault.family in ("allocate", "large")
        found = [*self.faults_of(run, fault, may_die), *self.left_by(run, fault, process, state, tally)]
        if found:
            tally.problems.append(f"{self.job.name}: {fault}, {process} {number}: {'; '.join(found)}; {run.how}")
        if state != self.old:
            self.restore()

    def faults_of(self, run: Disturbed, fault: Fault, may_die: bool) -> list[str]:
        """What is wrong with how it ended."""
        if run.is_late:
            return ["it hangs"]
        if run.code < 0:
            return [] if may_die else ["it crashed"]
        lines = len(run.said.splitlines())
        found = [] if run.code in CODES else ["no documented exit code"]
        # Swift's library says much of memory that it did not get.
        is_long = lines > 3 and not may_die
        found += [f"{lines} lines said"] if is_long or (run.code and not lines and not run.out) else []
        if run.code and (not run.failed or fault.is_harmless):
            found.append("nothing failed")
        return found

    def left_by(self, run: Disturbed, fault: Fault, process: str, state: dict[str, str], tally: Tally) -> list[str]:
        """What is wrong with the files that it left."""
        old, new = self.old, self.new[fault.without]
        strange = [name for name in state if name not in old and name not in new]
        state = {name: hash for name, hash in state.items() if name not in strange}
        found = [f"left {strange[:3]}"] if strange and not self.may_leave(strange, state, run, fault) else []
        if run.code == 0:
            tally.survived += 1
            found += [] if self.is_same(state, new) else [f"another result: {changes(new, state)}"]
            found += [] if run.out == self.undisturbed[fault.without].out else ["other words on standard output"]
            return found
        tally.died += run.code < 0
        if state == old:
            tally.refused += run.code > 0
        elif state == new:
            tally.late += run.code > 0
        elif self.job.makes_several and all(hash in (old.get(name), new.get(name)) for name, hash in state.items()):
            tally.refused += run.code > 0
        elif not (process == "front" and self.is_step(state, run, fault)):
            tally.partial += 1
            found.append(f"neither old nor new: {changes(old, state)}")
        return found

    def may_leave(self, strange: list[str], state: dict[str, str], run: Disturbed, fault: Fault) -> bool:
        """Whether what is left under temporary names is what could not be removed, or what the next run removes."""
        if fault.family == "unlink" and all(".replaced-" in name for name in strange):
            return True  # an old folder that could not be removed, and is told of
        # The folder for two passes stays where nobody is left to remove it, or nothing can be removed.
        if (run.code < 0 or fault.family == "unlink") and all(name.startswith("tmp/avtool-") for name in strange):
            return True
        if any(".avtool-" not in name for name in strange):
            return False
        # What cannot be removed stays, and so does what has a name where files without one are not to be had.
        if fault.family == "unlink" or (run.code < 0 and "unnamed" in fault.without):
            return True
        # A folder that cannot be listed cannot be emptied; who died may have put the new one in the old one's place.
        if (
            (run.code >= 0 and fault.family != "list")
            or not self.job.name.startswith("storyboard")
            or state not in (self.old, self.new[fault.without])
        ):
            return False
        again = self.run(None, 0)
        return again.code == 0 and contents(self.work) == self.new[""]

    def is_step(self, state: dict[str, str], run: Disturbed, fault: Fault) -> bool:
        """Whether a change in place stopped at a step, where the film is the old or the new one for all readers.

        Only a run that died, or that could not take its steps back because everything failed, may leave that.
        """
        if not self.job.changes_film or not (run.code < 0 or fault.lasts):
            return False
        others = [name for name in state if name != self.film.name and state[name] != self.old.get(name)]
        return not others and self.shows() in self.shown


def facts_of(film: Path) -> str:
    return json.dumps([comparable(metadata(film)), packets(film, "framecrc")], sort_keys=True)


def changes(old: dict[str, str], now: dict[str, str]) -> str:
    names = [name for name in sorted(old.keys() | now.keys()) if old.get(name) != now.get(name)]
    return ", ".join(f"{name} {'gone' if name not in now else 'new' if name not in old else 'other'}" for name in names)
