"""Exports files with every preset, and checks each new file against a decode of its source by ffmpeg.

For file × preset: what came of it (made; refused, with the reason; FAILED), how (cut, remux,
transcode), the range that was kept, the first and the last frame (by the bar code of the
fixtures, elsewhere by likeness; with passthrough by the very samples), how far times of frames
are off, how late sound comes at both ends, how far the duration is off, the losses reported,
whether a track is missing that they do not name, and whether ffmpeg plays it from start to end,
exiftool and MediaInfo have nothing against it, and Chromium plays it if it has the codecs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from acceptance import films
from acceptance.chromium import Browser, is_for_browsers
from acceptance.export_facts import (
    Facts,
    check_duration,
    check_pictures,
    check_range,
    check_sound,
    check_tools,
    check_tracks,
)
from acceptance.media import (
    EXIT_CODES,
    PRESETS,
    SOUND_ONLY,
    Export,
    Media,
    Probe,
    default_range,
    export,
    highest_rate,
    range_of,
    seconds_text,
)

# Of the presets, those that tests go through each time, and the fixtures that are shown in a browser.
QUICK = ("passthrough", "low")
FILES = "movie.mov movie.mp4 vp9.webm h264.ts edit-list-trim.mp4 rotate-90.mp4 audio-only.m4a languages.mkv".split()
# Where sound is copied into other containers than movies, a packet of it that begins before the first picture is
# the new file's zero: all is late by that packet against what is asked for.
LATE = pytest.mark.xfail(reason="a packet of sound before the first picture is the file's zero", strict=False)
LATE_FILES = """
    cues.mkv h264-cut.ts h264-open-gop.ts h264.flv h264.ts hevc-open-gop.ts interlaced.ts languages.mkv
    mpeg2-ps-sparse-pts.mpg mpeg2.ps
""".split()
# ffmpeg's own times of pictures out of order, or without times, differ from those of what it is given back.
UNTIMED = pytest.mark.xfail(reason="the source has no times of its own that two readers agree on", strict=False)
UNTIMED_FILES = "h264.avi mpeg4-b.avi packed-b.avi raw.m2v theora.ogv".split()


def marks(film: str, preset: str) -> list[pytest.MarkDecorator]:
    found = [] if preset in QUICK and film in FILES else [pytest.mark.slow]
    found += [LATE] if preset == "passthrough" and film in LATE_FILES else []
    return found + ([UNTIMED] if film in UNTIMED_FILES else [])


JOBS = [
    pytest.param(*film.values, preset, id=f"{film.id} {preset}", marks=[*film.marks, *marks(film.id, preset)])
    for film in [*films.fixtures(), *films.corpus()]
    for preset in PRESETS
]


@pytest.fixture(scope="session")
def sources() -> dict[Path, Media]:
    """What was decoded of a source; of the last one only."""
    return {}


def judged(file: Path, preset: str, folder: Path, sources: dict[Path, Media]) -> tuple[Facts, Export, Media | None]:
    """One export of three seconds, or of the middle half of what is shorter, and what is wrong with it."""
    facts, asked = Facts(highest_rate=highest_rate(preset)), default_range(Probe.of(file).duration)
    words = ["--preset", preset]
    if asked:
        words += ["--range", f"{seconds_text(asked[0])}..{seconds_text(asked[1])}"]
    made = export(file, f"{folder}/out.{{ext}}", *words, timeout=900)
    left = sorted(p.name for p in folder.iterdir())
    if made.code != 0 or made.file is None:
        facts.expect(made.code in EXIT_CODES - {0, 70}, f"ended with {made.reason()}")
        facts.expect(bool(made.error), f"no error event, {made.reason()}")
        facts.expect(not left, f"it left {left}")
        return facts, made, None
    if file not in sources:
        sources.clear()
        sources[file] = Media.of_source(file, asked[1] + 1 if asked else None)
    source, output = sources[file], made.file
    facts.columns["suffix"] = output.suffix
    facts.expect(left == [output.name], f"it left {left}")
    facts.expect(made.event("completed").get("size") == output.stat().st_size, "the size is not what is reported")
    start, end = check_range(facts, made, asked)
    media = Media.of_output(output)
    copies = {track["mediaType"]: track["treatment"] == "passthrough" for track in made.event("plan")["tracks"]}
    if preset not in SOUND_ONLY:
        asked_end = (range_of(made.event("completed"), "requestedRange") or (start, end))[1]
        check_pictures(facts, source, media, start, min(end, asked_end), copies.get("video", False))
    check_sound(facts, source, media, start, end, copies.get("audio", False))
    check_duration(facts, source, media, start, end)
    check_tracks(facts, source.probe, media.probe, made, preset)
    check_tools(facts, file, output, media.probe, asked is None)
    return facts, made, media


@pytest.mark.parametrize(("file", "preset"), JOBS)
def test_export(file: Path, preset: str, tmp_path: Path, sources: dict[Path, Media]) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    facts, made, _ = judged(file, preset, folder, sources)
    assert not facts.problems, made.shell()
    if made.code:
        pytest.skip(made.reason())


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.close()


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize(("file", "preset"), JOBS)
def test_chromium_plays(file: Path, preset: str, tmp_path: Path, browser: Browser) -> None:
    asked = default_range(Probe.of(file).duration)
    words = ["--range", f"{seconds_text(asked[0])}..{seconds_text(asked[1])}"] if asked else []
    made = export(file, f"{tmp_path}/out.{{ext}}", "--preset", preset, *words, timeout=900)
    if made.file is None or not is_for_browsers(made.file, Probe.of(made.file).streams):
        pytest.skip("not made, or nothing for browsers")
    shown = browser.open(made.file)
    # Chromium cannot seek in FLAC without a seek table, nor in what is shorter than its decoder's delay.
    assert "error" not in shown or (made.file.suffix == ".flac" and "seek" in shown["error"]), shown
