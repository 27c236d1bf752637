"""Commands that write files, each with the inputs that it needs."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from acceptance.tool import ToolRun, copy_fixture, tool


@dataclass(frozen=True)
class WritingCommand:
    """A command that writes a file, and where the name of its result goes."""

    line: str
    # What names of results end in.
    ending: str
    # The option that names the result.
    option: str = "-o"
    # The media file, by the name of its fixture.
    fixture: str = "movie.mp4"
    # The name that a result of the media file has where none is given.
    default_name: str | None = None
    # Whether the result is a folder.
    makes_folder: bool = False

    def __str__(self) -> str:
        return f"{self.line} {self.option}"

    @property
    def words(self) -> list[str]:
        return self.line.split()

    @property
    def file(self) -> str:
        """What the media file is called: as a result could be."""
        return f"film.{self.ending}"

    @property
    def others(self) -> list[str]:
        """What the command reads beside media files."""
        return [word for word in self.words if Path(word).suffix in (".png", ".json", ".txt")]

    @property
    def inputs(self) -> list[str]:
        """All files of the folder that the command could read."""
        return [self.file, f"other/{self.file}", *self.others]

    def prepare(self, folder: Path) -> None:
        """Puts all inputs into a folder."""
        (folder / "other").mkdir()
        for name in (self.file, f"other/{self.file}"):
            copy_fixture(self.fixture, folder / name)
        if "cover.png" in self.others:
            copy_fixture("animated.png", folder / "cover.png")
        (folder / "document.json").write_text('{"metadata": []}')
        (folder / "document.txt").write_text("00:00:01 One\n00:00:02 Two\n")

    def contents(self, folder: Path) -> dict[str, bytes]:
        """What is in all inputs."""
        return {name: (folder / name).read_bytes() for name in self.inputs}

    def words_to(self, output: object | None, *more: object) -> list[object]:
        """The command line for a name of the result."""
        return [*self.words, *([self.option, output] if output is not None else []), *more, self.file]

    def shell_words_to(self, output: object, *more: object) -> str:
        return shlex.join(map(str, self.words_to(output, *more)))

    def run(self, folder: Path, output: object | None, *more: object) -> ToolRun:
        return tool(folder, *self.words_to(output, *more))


WRITING_COMMANDS = [
    WritingCommand("thumbs --at 0.5", "png", default_name="film-1.png"),
    WritingCommand("sheet --count 1 --no-header", "png", default_name="film-sheet.png"),
    WritingCommand(
        "storyboard --every 5s --no-page", "jpg", default_name="film-storyboard/storyboard-001.jpg", makes_folder=True
    ),
    WritingCommand(
        "export --preset passthrough --set title=x --artwork cover.png", "mp4", default_name="film-passthrough.mp4"
    ),
    WritingCommand("metadata set title=x", "mp4"),
    WritingCommand("metadata set --from document.json", "mp4"),
    WritingCommand("metadata remove --all", "mp4"),
    WritingCommand("metadata artwork --set cover.png", "mp4"),
    WritingCommand("metadata artwork --add cover.png", "mp4"),
    WritingCommand("metadata artwork", "m4a", option="--extract", fixture="attached-picture.m4a"),
    WritingCommand("chapters set --from document.txt", "mp4"),
    WritingCommand("chapters remove", "mp4"),
]
