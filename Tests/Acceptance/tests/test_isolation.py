"""A worker that a malicious file has taken over, or that a fault ends: what avtool makes of it.

The misbehaving worker says over each file that it was read, unless it is told to do something else.
"""

from __future__ import annotations

import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.processes import bytes_in, ignores, readers_of, signal_until_it_ends
from acceptance.running import AVTOOL
from acceptance.taken_over import STALL_TIME, TakenOver
from acceptance.tool import LIMIT, ToolRun, copy_fixture, eventually, names, shell, tool

in_child_and_alone = pytest.mark.parametrize("is_alone", [False, True], ids=["child process", "worker itself"])

# --- Ends over a file -------------------------------------------------------------------


@in_child_and_alone
@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("crash=x", "crashed"), ("abort=x", "crashed"), ("garbage=x", "crashed"), ("exit=x", "vanished"),
        ("flood=bytes", "crashed"), ("flood=claim", "crashed"), ("flood=descriptors", "crashed"),
    ],
)  # fmt: skip
def test_a_new_worker_reports_the_file_that_ended_one_and_reads_the_rest(
    tmp_path: Path, act: str, reason: str, is_alone: bool
) -> None:
    taken = TakenOver(tmp_path, files=2, is_alone=is_alone)
    run = taken.run("film0.mp4", "film1.mp4", act).expect(65)
    assert run.diagnostic_lines == [f"film0.mp4: {reason}", "film1.mp4: read"], run
    taken.expect_untouched()


@in_child_and_alone
@pytest.mark.parametrize("point", ["begin", "name"])
def test_a_file_that_ends_a_worker_after_other_files_is_tried_alone(tmp_path: Path, point: str, is_alone: bool) -> None:
    """A small video was said to crash a library that had run out of memory over the video before it."""
    taken = TakenOver(tmp_path, files=2, is_alone=is_alone)
    run = taken.run("film0.mp4", "film1.mp4", f"1:after={point}", "1:result=film1.mp4-1.png").expect()
    assert run.diagnostic_lines == ["film0.mp4: read", "result: done", "film1.mp4: read"], run
    assert (tmp_path / "film1.mp4-1.png").read_text() == "taken over"


@pytest.mark.parametrize("point", ["words", "result"])
def test_a_file_is_not_tried_again_once_something_was_said_or_made_of_it(tmp_path: Path, point: str) -> None:
    run = TakenOver(tmp_path, files=2).run("film0.mp4", "film1.mp4", f"1:after={point}").expect(65)
    lines = [line for line in run.diagnostic_lines if line != "read so far"]
    assert lines == ["film0.mp4: read", "film1.mp4: crashed"], run
    assert ("film1.mp4-1.png" in names(tmp_path)) == (point == "result")


@pytest.mark.parametrize("point", ["begin", "words"])
def test_the_exit_code_remembers_what_failed_before_a_worker_ended(tmp_path: Path, point: str) -> None:
    """What had failed before was forgotten, and the command was a success."""
    TakenOver(tmp_path, files=2).run("film0.mp4", "film1.mp4", "fails=66", f"1:after={point}").expect(66)


def test_the_end_of_a_lone_worker_is_noticed_though_the_caller_ignores_ended_children(tmp_path: Path) -> None:
    taken = TakenOver(tmp_path, is_alone=True)
    run = shell(tmp_path, f"trap '' CHLD; exec {taken.quoted('film0.mp4', 'abort=x')}").expect(65)
    assert run.diagnostic_lines == ["film0.mp4: crashed"], run


def test_standard_input_is_not_tried_again(tmp_path: Path) -> None:
    """What a worker has taken of a pipe does not come again."""
    run = TakenOver(tmp_path).run("film0.mp4", "-", "1:after=begin").expect(65)
    assert run.diagnostic_lines == ["film0.mp4: read", "-: crashed"], run


@pytest.mark.parametrize(
    ("act", "words", "code"),
    [
        ("crash=x", "crashed", 65), ("garbage=x", "crashed", 65), ("exit=x", "ended without a word", 70),
        ("killed=x", "for want of memory", 75), ("hang=x", "did nothing for too long", 75),
    ],
)  # fmt: skip
def test_avtool_reports_a_file_itself_where_the_new_worker_ends_too(
    tmp_path: Path, act: str, words: str, code: int
) -> None:
    taken = TakenOver(tmp_path, files=2, is_alone=act != "crash=x")
    run = taken.run("--sandbox=off", "film0.mp4", "film1.mp4", "mute=x", act, stall_time=STALL_TIME).expect(code)
    assert len(run.diagnostic_lines) == 3 and run.diagnostic_lines[-1] == "film1.mp4: read", run
    line = run.diagnostic_lines[1]
    assert line.startswith("avtool: film0.mp4: ") and line.endswith(words), run


@pytest.mark.parametrize(
    ("number", "name", "code"),
    [
        (signal.SIGSEGV, "decoderCrashed", 65),
        (signal.SIGABRT, "decoderCrashed", 65),
        (signal.SIGKILL, "outOfMemory", 75),
        # It takes this for a request to end, as avtool sends it; nobody has interrupted the command.
        (signal.SIGTERM, "cancelled", 75),
    ],
    ids=["SIGSEGV", "SIGABRT", "SIGKILL", "SIGTERM"],
)
def test_a_signal_that_ends_the_worker_is_reported_as_documented(
    tmp_path: Path, number: signal.Signals, name: str, code: int
) -> None:
    """The shipped worker gets a signal while it waits for standard input."""
    copy_fixture("movie.mp4", tmp_path / "a.mp4")
    command = [AVTOOL, "info", "--json", "-", "a.mp4"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=tmp_path, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin
    try:
        process.stdin.write(fixture("movie.mp4").read_bytes()[:1000])
        process.stdin.flush()
        standard_input = process.stdin.fileno()
        assert eventually(lambda: bytes_in(standard_input) == 0)
        [reader] = readers_of(standard_input)
        # Swift's handler lets what failed fail again. A signal from outside has nothing that does: it takes another.
        assert signal_until_it_ends(reader, number)
        output, diagnostics = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
    run = ToolRun(tuple(command), process.returncode, output, diagnostics.decode()).expect(code)
    first, *rest = run.json
    assert first["error"]["code"] == name, run
    if number == signal.SIGTERM:
        # All work ends that was asked to.
        return
    [last] = rest
    assert last["source"] == "a.mp4" and "error" not in last, run


@pytest.mark.parametrize(("said", "code"), [("0", 0), ("3", 70), ("256", 70), ("-1", 70), ("66", 66)])
def test_an_impossible_report_of_its_end_keeps_no_other_file_from_being_read(
    tmp_path: Path, said: str, code: int
) -> None:
    taken = TakenOver(tmp_path, files=4)
    films = ["film0.mp4", "film1.mp4", "film2.mp4", "film3.mp4"]
    run = taken.run(*films, f"lie={said}", "2:wait=1", f"2:lie={said}").expect(code)
    assert "wait: waited" in run.diagnostic_lines, run


@in_child_and_alone
def test_a_killed_worker_is_taken_to_have_run_out_of_memory(tmp_path: Path, is_alone: bool) -> None:
    # Without the sandbox, which would refuse the signal that the system sends where memory is short.
    taken = TakenOver(tmp_path, files=2, is_alone=is_alone)
    run = taken.run("--sandbox=off", "film0.mp4", "film1.mp4", "killed=x")
    assert run.diagnostic_lines == ["film0.mp4: outOfMemory", "film1.mp4: read"], run


# --- Silence and floods -----------------------------------------------------------------


def test_a_silent_worker_is_ended(tmp_path: Path) -> None:
    run = TakenOver(tmp_path, files=2).run("film0.mp4", "film1.mp4", "hang=x", stall_time=STALL_TIME)
    assert run.diagnostic_lines == ["film0.mp4: stuck", "film1.mp4: read"], run


def test_a_worker_that_closes_its_channel_and_lives_on_is_not_waited_for(tmp_path: Path) -> None:
    taken = TakenOver(tmp_path, files=2)
    run = taken.run("film0.mp4", "film1.mp4", "closed=x", stall_time=STALL_TIME)
    assert run.diagnostic_lines == ["film0.mp4: vanished", "film1.mp4: read"], run
    assert taken.workers == []


def test_a_worker_that_asks_on_and_takes_no_answer_is_not_waited_for(tmp_path: Path) -> None:
    run = TakenOver(tmp_path, files=2).run("film0.mp4", "film1.mp4", "flood=calls", stall_time=STALL_TIME)
    assert run.diagnostic_lines == ["film0.mp4: stuck", "film1.mp4: read"], run


@pytest.mark.parametrize("kind", ["output", "diagnostics"])
def test_a_flood_of_words_ends_the_worker_and_takes_little_memory(tmp_path: Path, kind: str) -> None:
    run, mebibytes = TakenOver(tmp_path, files=2).measured("film0.mp4", "film1.mp4", f"flood={kind}")
    assert run.code == 65, run
    assert "\n".join(run.diagnostic_lines).endswith("film0.mp4: excessive\nfilm1.mp4: read"), run.diagnostics[-200:]
    assert mebibytes < 200


def test_words_about_later_files_wait_outside_memory(tmp_path: Path) -> None:
    taken = TakenOver(tmp_path, files=4)
    films = ["film0.mp4", "film1.mp4", "film2.mp4", "film3.mp4"]
    run, mebibytes = taken.measured(*films, "0:wait=2", "2:flood=600")
    run.expect()
    assert run.diagnostic_lines[-1] == "film3.mp4: read"
    assert mebibytes < 300


def test_a_worker_that_begins_results_without_end_leaves_open_files_for_others(tmp_path: Path) -> None:
    taken = TakenOver(tmp_path, files=4)
    films = ["film0.mp4", "film1.mp4", "film2.mp4", "film3.mp4"]
    acts = ["flood=places", "wait=4", "2:wait=2", "2:ask=film2.mp4", "2:result=film2.mp4-1.png"]
    run = shell(tmp_path, f"ulimit -n 1024\nexec {taken.quoted(*films, *acts)}").expect()
    assert "ask: done" in run.diagnostic_lines and "result: done" in run.diagnostic_lines, run
    assert [name for name in names(tmp_path) if name.endswith(".png")] == ["film2.mp4-1.png"]


# --- Files of others --------------------------------------------------------------------


def test_a_taken_over_worker_does_no_harm_to_files_that_it_was_not_given(tmp_path: Path) -> None:
    taken = TakenOver(tmp_path)
    canary = tmp_path / "canary"
    acts = [f"{act}={canary}" for act in ("open", "create", "append", "unlink", "rename", "chmod", "ask", "result")]
    acts += ["ask=canary", "ask=film0.mp4/../canary", "result=canary", "result=../canary"]
    acts += ["result=film0.mp4-/../canary", "result=film0.mp4-x/../../canary.png", "result=film0.mp4-a/b.png"]
    acts += ["result=film0.mp4", "rewrite=canary", "rewrite=film0.mp4", "link-out=film0.mp4-x.png"]
    lines = taken.run("film0.mp4", *acts).diagnostic_lines[:-1]
    assert len(lines) == 19, lines
    refusals = ("Permission denied", "Operation not permitted", "refused")
    assert [line for line in lines if not line.endswith(refusals)] == []
    taken.expect_untouched()


def test_a_taken_over_worker_replaces_no_source_whatever_names_results_may_have(tmp_path: Path) -> None:
    taken = TakenOver(tmp_path)
    link = tmp_path / "film0.mp4-link.png"
    link.symlink_to("film0.mp4")
    for folder in ("", "./", f"{tmp_path}/"):
        command = ["thumbs", "--at", "0", "--force", "-o", f"{folder}{{index}}"]
        acts = [f"result={folder}film0.mp4", f"result={folder}{link.name}"]
        run = taken.run("film0.mp4", *acts, doing=command)
        assert run.diagnostic_lines[:-1] == ["result: refused", "result: refused"], run
    link.unlink()
    taken.expect_untouched()


def test_a_worker_gets_what_the_command_line_allows(tmp_path: Path) -> None:
    """What other tests see refused works where it is allowed, so that it is not refused for another reason."""
    taken = TakenOver(tmp_path)
    stills = taken.run("film0.mp4", "result=film0.mp4-1.png")
    assert stills.diagnostic_lines == ["result: done", "film0.mp4: read"], stills
    edit = taken.run("film0.mp4", "ask=film0.mp4", "rewrite=film0.mp4", doing=["metadata", "set", "title=x"])
    assert edit.diagnostic_lines == ["ask: done", "rewrite: done", "film0.mp4: read"], edit
    for name in ("film0.mp4", "film0.mp4-1.png"):
        assert (tmp_path / name).read_text() == "taken over"


# --- Ends of avtool and of all workers --------------------------------------------------


def test_a_killed_avtool_leaves_no_process_behind(tmp_path: Path) -> None:
    taken = TakenOver(tmp_path)
    run = taken.run("film0.mp4", "hang=x", signals=(signal.SIGKILL, lambda: len(taken.workers) == 2))
    assert run.code == -signal.SIGKILL
    assert eventually(lambda: taken.workers == [])


def test_a_worker_that_is_gone_is_reported_in_one_line(tmp_path: Path) -> None:
    taken = TakenOver(tmp_path, files=2)
    with ThreadPoolExecutor() as pool:
        end = pool.submit(taken.run, "film0.mp4", "film1.mp4", "hang=x")
        assert eventually(lambda: len(taken.workers) == 2)
        os.kill(taken.workers[0], signal.SIGKILL)
        run = end.result().expect(75)
    assert run.diagnostic_lines == ["avtool: the system or another program ended the worker"], run
    assert eventually(lambda: taken.workers == [])
    taken.expect_untouched()


def test_a_second_signal_ends_avtool_whatever_the_worker_does(tmp_path: Path) -> None:
    """The first signal asks the worker to end; a second one does not wait for that."""
    taken = TakenOver(tmp_path)
    words = ["film0.mp4", "stubborn=x"]
    environment = os.environ | taken.environment(words)
    process = subprocess.Popen(taken.line(words), cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL)
    try:
        assert eventually(lambda: any(ignores(worker, signal.SIGTERM) for worker in taken.workers))
        process.send_signal(signal.SIGINT)
        # The next may come before the first is noticed, and count for nothing.
        assert signal_until_it_ends(process.pid, signal.SIGTERM)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert eventually(lambda: taken.workers == [])


# --- The sandbox ------------------------------------------------------------------------

EVERYTHING = {
    "no-new-privileges", "resource-limits", "landlock-files", "landlock-network", "landlock-scopes", "seccomp",
}  # fmt: skip


def isolation(folder: Path, *words: str) -> list[str]:
    """What `info` says of the sandbox in which it read a file."""
    found: list[str] = tool(folder, "info", "--json", *words, fixture("movie.mp4")).expect().json[0]["isolation"]
    return found


def test_info_says_what_the_sandbox_consists_of(tmp_path: Path) -> None:
    usual = isolation(tmp_path)
    assert set(usual) <= EVERYTHING
    assert set(usual) >= {"no-new-privileges", "resource-limits", "seccomp"}
    assert isolation(tmp_path, "--sandbox", "auto") == usual
    assert isolation(tmp_path, "--sandbox=off") == []


def test_a_required_sandbox_is_complete_or_refused(tmp_path: Path) -> None:
    usual = isolation(tmp_path)
    run = tool(tmp_path, "info", "--json", "--sandbox", "require", fixture("movie.mp4"))
    if set(usual) == EVERYTHING:
        assert run.expect().json[0]["isolation"] == usual
    else:
        assert run.expect(70).output == b"", run
        assert "--sandbox require: this system lacks" in run.diagnostics, run


@pytest.mark.parametrize("words", [["--sandbox", "on"], ["--sandbox="], ["--sandbox=OFF"]], ids=" ".join)
def test_the_sandbox_option_takes_one_of_three_words(tmp_path: Path, words: list[str]) -> None:
    run = tool(tmp_path, "info", *words, fixture("movie.mp4")).expect(64)
    assert len(run.diagnostic_lines) == 1, run
    assert "--sandbox takes auto, require or off" in run.diagnostics, run


def test_the_sandbox_option_is_a_name_after_two_dashes(tmp_path: Path) -> None:
    tool(tmp_path, "info", "--", "--sandbox", fixture("movie.mp4")).expect(66)
