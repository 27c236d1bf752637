"""Exports files with every preset, and checks each new file against a decode of its source by ffmpeg.

For file × preset: what came of it (made; refused, with the reason; FAILED), how (cut, remux,
transcode), the range that was kept, the first and the last frame (by the bar code of the
fixtures, elsewhere by likeness; with passthrough by the very samples), how far times of frames
are off, how late sound comes at both ends, how far the duration is off, the losses reported,
whether a track is missing that they do not name, and whether ffmpeg plays it from start to end,
exiftool and MediaInfo have nothing against it, and Chromium plays it if it has the codecs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
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
    end_without_edit_list,
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
# Where ffmpeg's linear decode, which is compared with, has other times than the fixture (Fixtures/README.md).
LATE_BY_DELAY = "ffmpeg's times of these pictures are late by the decoder's delay"
UNTIMED = {
    **dict.fromkeys(("h264.avi", "mpeg4-b.avi", "packed-b.avi"), LATE_BY_DELAY),
    "raw.m2v": "the last picture comes out of ffmpeg's decoder without a time",
    "theora.ogv": "ffmpeg 5.1 has Vorbis in Ogg 448 samples late: a tone of second 1 at 1.0098 s",
}


def marks(film: str, preset: str) -> list[pytest.MarkDecorator]:
    found = [] if preset in QUICK and film in FILES else [pytest.mark.slow]
    if film in UNTIMED and (film, preset) != ("theora.ogv", "passthrough"):
        # What takes sound or pictures alone may be right.
        found.append(pytest.mark.xfail(reason=UNTIMED[film], strict=preset in ("low", "webm-vp9")))
    return found


JOBS = [
    pytest.param(*film.values, preset, id=f"{film.id} {preset}", marks=[*film.marks, *marks(film.id, preset)])
    for film in [*films.fixtures(), *films.corpus()]
    for preset in PRESETS
]


@pytest.fixture(scope="session")
def sources() -> dict[Path, Media]:
    """What was decoded of a source; of the last one only."""
    return {}


Span = tuple[Fraction, Fraction] | None  # from, up to; None for all


@pytest.fixture(scope="session")
def span_of(request: pytest.FixtureRequest) -> Callable[[Path], Span]:
    """What of a film is exported: what `--range` says if it is so long, or three seconds, or the middle half."""
    named = request.config.getoption("--range")
    found = re.fullmatch(r"([\d./]+)s?(\+|\.\.)([\d./]+)s?", named or "")
    if named not in (None, "all") and not found:
        raise pytest.UsageError(f"{named} is no range like 1s+3s or 1s..4s")

    def span(file: Path) -> Span:
        duration = Probe.of(file).duration
        if named == "all":
            return None
        if found and duration is not None:
            first, second = Fraction(found[1]), Fraction(found[3])
            end = first + second if found[2] == "+" else second
            if end <= duration:
                return first, end
        return default_range(duration)

    return span


def judged(
    file: Path, preset: str, asked: Span, folder: Path, sources: dict[Path, Media]
) -> tuple[Facts, Export, Media | None]:
    """One export, and what is wrong with it."""
    facts = Facts(highest_rate=highest_rate(preset))
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
    heard_end = end
    if preset not in SOUND_ONLY:
        asked_end = min(end, (range_of(made.event("completed"), "requestedRange") or (start, end))[1])
        shown_end, copied = asked_end, copies.get("video", False)
        if copied and output.suffix not in (".mp4", ".mov", ".m4v"):
            shown_end = end_without_edit_list(facts, source, media, (start, end), asked_end)
            heard_end = asked_end
        check_pictures(facts, source, media, start, shown_end, copied)
    check_sound(facts, source, media, start, heard_end, copies.get("audio", False))
    check_duration(facts, source, media, start, end)
    check_tracks(facts, source.probe, media.probe, made, preset)
    check_tools(facts, file, output, media.probe, asked is None)
    return facts, made, media


@pytest.mark.parametrize(("file", "preset"), JOBS)
def test_export(
    file: Path,
    preset: str,
    tmp_path: Path,
    sources: dict[Path, Media],
    span_of: Callable[[Path], Span],
    record_property: Callable[[str, object], None],
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    facts, made, _ = judged(file, preset, span_of(file), folder, sources)
    for name, value in facts.columns.items():
        record_property(name, value)
    assert not facts.problems, made.shell()
    if made.code:
        pytest.skip(made.reason())


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize(("file", "preset"), JOBS)
def test_chromium_plays(
    file: Path, preset: str, tmp_path: Path, browser: Browser, span_of: Callable[[Path], Span]
) -> None:
    asked = span_of(file)
    words = ["--range", f"{seconds_text(asked[0])}..{seconds_text(asked[1])}"] if asked else []
    made = export(file, f"{tmp_path}/out.{{ext}}", "--preset", preset, *words, timeout=900)
    if made.file is None or not is_for_browsers(made.file, Probe.of(made.file).streams):
        pytest.skip("not made, or nothing for browsers")
    shown = browser.open(made.file)
    # Chromium cannot seek in FLAC without a seek table, nor in what is shorter than its decoder's delay.
    assert "error" not in shown or (made.file.suffix == ".flac" and "seek" in shown["error"]), shown
