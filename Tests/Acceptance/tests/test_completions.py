"""What shells offer after part of a command line, each with the script that avtool makes for it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from acceptance.running import AVTOOL, output

# Part of a command line, and words that have to be offered.
CASES = [
    ("avtool thu", {"thumbs", "thumbnail"}),
    ("avtool metadata ", {"show", "get", "set", "copy"}),
    ("avtool export --preset hevc-h", {"hevc-high"}),
    ("avtool presets show webm-", {"webm-vp9", "webm-av1"}),
    ("avtool metadata set album", {"album=", "album-artist="}),
    ("avtool metadata names --for m", {"mp4", "mov", "mp3", "mkv"}),
    ("avtool chapters set --language pt", {"pt", "pt-BR"}),
    ("avtool thumbnail --size x", {"x-large", "xx-large"}),
    ("avtool metadata show --format ", {"csv", "xmp", "ffmetadata", "exiftool"}),
    ("avtool info fil", {"film one.mp4"}),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for shell in ("bash", "zsh", "fish"):
        name = "_avtool" if shell == "zsh" else f"avtool.{shell}"
        (tmp_path / name).write_text(output([AVTOOL, "--generate-completion-script", shell]))
    (tmp_path / "film one.mp4").touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/avtool").write_text(f'#!/bin/sh\nexec "{AVTOOL}" "$@"\n')
    (tmp_path / "bin/avtool").chmod(0o755)
    return tmp_path


def said(folder: Path, command: list[str]) -> str:
    environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "TERM": "dumb"}
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, timeout=300, stdin=subprocess.DEVNULL
    )
    return (run.stdout + run.stderr).decode(errors="replace")


@pytest.mark.peer("bash")
@pytest.mark.parametrize(("line", "words"), CASES, ids=[line for line, _ in CASES])
def test_bash(folder: Path, line: str, words: set[str]) -> None:
    script = f"""
        source ./avtool.bash
        read -ra COMP_WORDS <<< '{line}'
        [[ '{line}' != *' ' ]] || COMP_WORDS+=('')
        COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)) COMP_LINE='{line}' COMP_POINT=${{#COMP_LINE}}
        name=$(complete -p avtool | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        "$name" avtool "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    lines = {text.strip() for text in said(folder, ["bash", "-c", script]).splitlines()}
    assert words <= {text.replace("\\ ", " ") for text in lines}, lines


@pytest.mark.peer("fish")
@pytest.mark.parametrize(("line", "words"), CASES, ids=[line for line, _ in CASES])
def test_fish(folder: Path, line: str, words: set[str]) -> None:
    # What is made by avtool itself is asked for in interactive shells only.
    text = said(folder, ["fish", "--no-config", "-i", "-c", f"source avtool.fish; complete -C '{line}'"])
    found = {text.split("\t")[0] for text in text.splitlines()}
    assert words <= found, found


ZSH = """
zmodload zsh/zpty
zpty z "zsh -f -i"
zpty -w z "PS1='> '; fpath=($PWD \\$fpath); autoload -U compinit; compinit -u -D; LISTMAX=1000; stty cols 250"
zpty -w z "setopt no_beep no_auto_menu; zstyle ':completion:*' list-separator '|'; echo rea''dy"
zpty -r z out '*ready*'
zpty -w -n z "$1"$'\\t'
shift
typeset all=
# A busy machine takes its time; what is offered is listed at the second tabulator only.
for round in {1..240}; do
    sleep 0.5
    while zpty -r -t z chunk; do all+=$chunk; done
    missing=0
    for word; do [[ ${all//\\\\ / } == *$word* ]] || missing=1; done
    (( missing )) || break
    (( round % 4 )) || zpty -w -n z $'\\t'
done
print -rn -- $all
zpty -d z
"""


@pytest.mark.peer("zsh")
@pytest.mark.parametrize(("line", "words"), CASES, ids=[line for line, _ in CASES])
def test_zsh(folder: Path, line: str, words: set[str]) -> None:
    text = said(folder, ["zsh", "-f", "-c", ZSH, "zsh", line, *sorted(words)])
    text = text.replace("\\ ", " ")
    assert "unmatched" not in text and "not found" not in text, text
    assert all(word in text for word in words), text
