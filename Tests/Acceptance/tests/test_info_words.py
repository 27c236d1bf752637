"""What `avtool info` says in words for people, and the same facts in JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import corpus, fixture
from acceptance.running import Json
from acceptance.tool import tool


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "movie.mp4",
            [
                "  MP4, 0:00:10.000 (10 s), ", "video: H.264 (High)", "audio: AAC", "#3 chapters: ",
                "chapter 0:00:03.000 + 0:00:04.000  Middle",
            ],
        ),
        ("movie.mov", ["  QuickTime, "]),
        ("vp9.webm", ["  WebM, "]),
        ("h264.ts", ["  MPEG-TS, ", "first timestamp 1.4"]),
        ("interlaced-tff.mp4", ["interlaced, top field first"]),
        ("rotate-90.mp4", ["turned clockwise by 90°"]),
        ("flip-h.mp4", ["mirrored"]),
        ("alpha-prores.mov", ["alpha"]),
        ("vfr.mp4", ["variable, "]),
    ],
)  # fmt: skip
def test_info_is_in_words_that_people_use(tmp_path: Path, name: str, words: list[str]) -> None:
    text = tool(tmp_path, "info", fixture(name)).expect().text
    assert [word for word in words if word not in text] == [], text


def test_info_calls_no_fixed_frame_rate_variable(tmp_path: Path) -> None:
    assert "variable" not in tool(tmp_path, "info", fixture("movie.mp4")).expect().text


@pytest.mark.parametrize("file", corpus("webm/bunny.webm"))
def test_info_takes_no_ticks_of_a_container_for_a_frame_rate(tmp_path: Path, file: Path) -> None:
    """They were printed as a rate: "1000 fps"."""
    assert "1000 fps" not in tool(tmp_path, "info", file).expect().text


@pytest.mark.parametrize("file", corpus("hdr/sample_with_colr_mdcv_and_clli.mp4"))
def test_info_calls_hdr10_by_its_name(tmp_path: Path, file: Path) -> None:
    assert "HDR10" in tool(tmp_path, "info", file).expect().text


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("vfr.mp4", {"isVariableFrameRate": True}),
        ("movie.mp4", {"isVariableFrameRate": False}),
        ("alpha-prores.mov", {"hasAlpha": True}),
    ],
)
def test_info_in_json_has_the_same_facts(tmp_path: Path, name: str, facts: Json) -> None:
    found = tool(tmp_path, "info", "--json", fixture(name)).expect().json[0]
    assert found["isEncrypted"] is False and "origin" in found
    assert {fact: found["tracks"][0][fact] for fact in facts} == facts
