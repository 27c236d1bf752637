"""Every command that writes, with every way to name its result: inputs and devices stay as they are."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.tool import copy_fixture, names, shell, tool
from acceptance.writing_commands import WRITING_COMMANDS, WritingCommand

every_command = pytest.mark.parametrize("command", WRITING_COMMANDS, ids=str)
every_command_that_writes_a_file = pytest.mark.parametrize(
    "command", [command for command in WRITING_COMMANDS if not command.makes_folder], ids=str
)
with_and_without_force = pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "--force"])

# --- Inputs -----------------------------------------------------------------------------


def ways_to(folder: Path, file: str, index: int, ending: str) -> list[str]:
    """Names that lead to a file: links to it, its own, and others through the folder."""
    symbolic, hard = f"symbolic{index}.{ending}", f"hard{index}.{ending}"
    (folder / symbolic).symlink_to(file)
    (folder / hard).hardlink_to(folder / file)
    # Other endings are no names that the command could be given.
    own = [file, f"./{file}", f"{folder}/{file}", f"other/../{file}"] if file.endswith(f".{ending}") else []
    return [symbolic, hard, *own]


@with_and_without_force
@every_command
def test_output_over_an_input_is_refused(tmp_path: Path, command: WritingCommand, force: list[str]) -> None:
    """`thumbs -o film.png --force film.png` wrote a still over the film.

    So did a link's name, `{name}.{ext}` and the name of another file of the run.
    """
    command.prepare(tmp_path)
    before = command.contents(tmp_path)
    inputs = [command.file, *command.others]
    outputs = [name for i, file in enumerate(inputs) for name in ways_to(tmp_path, file, i, command.ending)]
    if not command.makes_folder:
        outputs += [f"{{name}}.{command.ending}", f"sub/{{name}}.{command.ending}"]
    (tmp_path / "sub").symlink_to(".")
    everything = names(tmp_path)
    for output in outputs:
        run = command.run(tmp_path, output, *force).expect(73)
        assert run.output == b"", run
        assert len(run.diagnostic_lines) == 1, run
        assert command.makes_folder or "is an input of this run" in run.diagnostics, run
    assert command.contents(tmp_path) == before
    assert names(tmp_path) == everything


@with_and_without_force
@pytest.mark.parametrize("command", [command for command in WRITING_COMMANDS if command.default_name], ids=str)
def test_output_whose_default_name_is_another_input_is_refused(
    tmp_path: Path, command: WritingCommand, force: list[str]
) -> None:
    command.prepare(tmp_path)
    name = command.default_name or ""
    if command.makes_folder:
        command.run(tmp_path, None).expect()
        (tmp_path / name).unlink()
    copy_fixture(command.fixture, tmp_path / name)
    before = command.contents(tmp_path), (tmp_path / name).read_bytes()
    run = command.run(tmp_path, None, *force, name).expect(73)
    assert ("exists" if command.makes_folder and not force else "input of this run") in run.diagnostics, run
    assert (command.contents(tmp_path), (tmp_path / name).read_bytes()) == before


@with_and_without_force
def test_a_still_that_gets_the_name_of_an_input_when_it_is_made_is_refused(tmp_path: Path, force: list[str]) -> None:
    before = copy_fixture("movie.mp4", tmp_path / "0.png").read_bytes()
    run = tool(tmp_path, "thumbs", "--at", "0.01,1", "-o", "{actual}.png", *force, "0.png").expect(73)
    assert run.diagnostic_lines == ["avtool: 0.png: is an input of this run, which is never written over"], run
    assert len(run.lines) == 1
    assert (tmp_path / "0.png").read_bytes() == before


@pytest.mark.parametrize("redirection", [">>", "1<>"], ids=["appending", "not truncated"])
@every_command_that_writes_a_file
def test_standard_output_that_is_an_input_is_refused(tmp_path: Path, command: WritingCommand, redirection: str) -> None:
    command.prepare(tmp_path)
    before = command.contents(tmp_path)
    run = shell(tmp_path, f'"$AVTOOL" {command.shell_words_to("-")} {redirection} {command.file}').expect(73)
    assert len(run.diagnostic_lines) == 1, run
    assert command.contents(tmp_path) == before


# --- Folders and links ------------------------------------------------------------------


@every_command_that_writes_a_file
def test_output_goes_into_folders_and_through_links(tmp_path: Path, command: WritingCommand) -> None:
    command.prepare(tmp_path)
    before = command.contents(tmp_path)
    (tmp_path / "there").mkdir()
    for name, code in (("new/er/", 0), ("there", 0), ("there/", 73)):
        command.run(tmp_path, name).expect(code)
    assert len(names(tmp_path / "new/er")) == 1
    assert len(names(tmp_path / "there")) == 1
    if command.option == "-o":
        # A link to a file that is no input is followed.
        link, target = tmp_path / f"link.{command.ending}", tmp_path / f"target.{command.ending}"
        link.symlink_to(target.name)
        command.run(tmp_path, link.name).expect()
        command.run(tmp_path, link.name).expect(73)
        command.run(tmp_path, link.name, "--force").expect()
        assert target.stat().st_size > 100
        assert str(link.readlink()) == target.name
    assert command.contents(tmp_path) == before


@every_command_that_writes_a_file
def test_folders_of_a_pattern_are_made(tmp_path: Path, command: WritingCommand) -> None:
    if command.option != "-o":
        return
    command.prepare(tmp_path)
    command.run(tmp_path, f"new/er/{{name}}.{command.ending}").expect()
    assert len(names(tmp_path / "new/er")) == 1
    # Of a name that is no pattern it is a mistake.
    command.run(tmp_path, f"no/new.{command.ending}").expect(73)
    assert not (tmp_path / "no").exists()


@every_command
def test_a_folder_that_was_made_for_output_goes_where_there_is_none(tmp_path: Path, command: WritingCommand) -> None:
    command.run(tmp_path, "new/er/").expect(66)
    assert names(tmp_path) == []


# --- Devices and pipes ------------------------------------------------------------------


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    """A folder with a null device, a full one, and a link to the first."""
    try:
        for name, minor in (("null", 3), ("full", 7)):
            os.mknod(tmp_path / name, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        (tmp_path / "null").write_bytes(b"")
    except OSError:
        pytest.skip("device nodes cannot be made or opened here")
    (tmp_path / "link").symlink_to("null")
    return tmp_path


@pytest.mark.root
@with_and_without_force
@every_command
def test_output_to_a_device_leaves_the_device(devices: Path, command: WritingCommand, force: list[str]) -> None:
    """`--force -o /dev/null` put a file in the place of the device."""
    command.prepare(devices)
    before = command.contents(devices)
    for name in ("null", "link", "full"):
        is_full = name == "full"
        run = command.run(devices, name, *force).expect(73 if command.makes_folder else 74 if is_full else 0)
        assert len(run.diagnostic_lines) == (1 if is_full or command.makes_folder else 0), run
        assert not is_full or command.makes_folder or "No space left on device" in run.diagnostics, run
    assert all(stat.S_ISCHR((devices / name).lstat().st_mode) for name in ("null", "full"))
    assert command.contents(devices) == before


@with_and_without_force
@every_command_that_writes_a_file
def test_output_to_a_named_pipe_goes_to_its_reader(tmp_path: Path, command: WritingCommand, force: list[str]) -> None:
    command.prepare(tmp_path)
    before = command.contents(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    words = command.shell_words_to("pipe", *force)
    shell(tmp_path, f'cat pipe > got & "$AVTOOL" {words}; code=$?; wait; exit $code').expect()
    assert stat.S_ISFIFO((tmp_path / "pipe").lstat().st_mode)
    assert (tmp_path / "got").stat().st_size > 100
    assert command.contents(tmp_path) == before


@pytest.mark.parametrize("is_file", [False, True], ids=["to a pipe", "to a file"])
@every_command_that_writes_a_file
def test_all_names_of_standard_output_take_the_same_result(
    tmp_path: Path, command: WritingCommand, is_file: bool
) -> None:
    command.prepare(tmp_path)
    before = command.contents(tmp_path)
    beginnings = set()
    for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        if is_file:
            shell(tmp_path, f'"$AVTOOL" {command.shell_words_to(name)} > result').expect()
        output = (tmp_path / "result").read_bytes() if is_file else command.run(tmp_path, name).expect().output
        assert len(output) > 100
        # Times and the free space of a movie, which differ, come later.
        beginnings.add(output[:8])
    assert len(beginnings) == 1
    assert command.contents(tmp_path) == before
    assert [name for name in names(tmp_path) if name.startswith("-")] == []


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    result = tmp_path / "a.png"
    for mode in [0o600, 0o640, 0o664]:
        result.write_bytes(b"old")
        result.chmod(mode)
        tool(tmp_path, "thumbs", "--at", "1s", "--force", "-o", result, fixture("movie.mp4")).expect()
        assert result.stat().st_mode & 0o7777 == mode
        assert result.read_bytes() != b"old"


@pytest.mark.root
def test_a_replaced_file_keeps_its_owner_and_is_not_executed_as_somebody(tmp_path: Path) -> None:
    result = tmp_path / "a.png"
    result.write_bytes(b"old")
    os.chown(result, 1234, 2345)
    result.chmod(0o4755)
    tool(tmp_path, "thumbs", "--at", "1s", "--force", "-o", result, fixture("movie.mp4")).expect()
    status = result.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (1234, 2345, 0o755)


def test_a_changed_copy_tells_of_the_other_names_of_a_file(tmp_path: Path) -> None:
    film = copy_fixture("audio-only.mp3", tmp_path / "a.mp3")
    other = tmp_path / "b.mp3"
    other.hardlink_to(film)
    before = film.read_bytes()
    run = tool(tmp_path, "metadata", "set", f"comment={'x' * 60000}", "a.mp3").expect()
    assert "replaced by a changed copy" in run.text
    assert "another name of the file, a hard link, leads to the old version still" in run.diagnostics, run
    assert other.read_bytes() == before


@pytest.mark.root
def test_another_users_link_in_a_shared_folder_is_not_followed(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    film = copy_fixture("movie.mp4", tmp_path / "film.mp4")
    before = film.read_bytes()
    for name, target in [("result.png", tmp_path / "result.png"), ("film.mp4", film)]:
        (shared / name).symlink_to(target)
        os.chown(shared / name, 1234, 2345, follow_symlinks=False)
    shared.chmod(0o1777)
    words = ["thumbs", "--at", "1s", "--force", "-o", shared / "result.png", film]
    assert "another user's link" in tool(tmp_path, *words).expect(73).diagnostics
    assert not (tmp_path / "result.png").exists()
    tool(tmp_path, "metadata", "set", "title=x", shared / "film.mp4").expect(73)
    assert film.read_bytes() == before
