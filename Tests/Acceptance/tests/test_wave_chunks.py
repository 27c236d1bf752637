"""Chunks of WAV files that count samples: kept, moved with a trim, made chapters, and named where they are lost."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from acceptance.films import corpus
from acceptance.media import export
from acceptance.running import run
from acceptance.tool import ffprobe, tool

RATE = 48000
MARKS = {1: (1, "Verse"), 2: (3, "Chorus"), 3: (5, "Outro")}
XML = "<BWFXML><SPEED><TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>{}</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>"
XML += "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>{}</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO></SPEED></BWFXML>"
START = (1 << 32) - 1000


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def wave(path: Path, *, broadcast: bool = True) -> Path:
    """Six seconds with markers, a loop from 3 to 4 s, beats and the time of the first sample."""
    cue = struct.pack("<I", len(MARKS))
    labels = b"adtl"
    for number, (second, title) in MARKS.items():
        cue += struct.pack("<II4sIII", number, second * RATE, b"data", 0, 0, second * RATE)
        labels += chunk(b"labl", struct.pack("<I", number) + title.encode() + b"\0")
    loop = struct.pack("<6I", 0, 0, 3 * RATE, 4 * RATE - 1, 0, 0)
    sampler = struct.pack("<9I", 0, 0, 20833, 60, 0, 0, 0, 1, 3) + loop + b"abc"
    acid = struct.pack("<IHHfIHHf", 0, 60, 0, 0, 12, 4, 4, 120.0)
    bext = b"Scene".ljust(338, b"\0") + struct.pack("<QH", START, 0) + bytes(254)
    sound = bytes((n * n // 7) % 251 for n in range(6 * RATE * 2))
    form = struct.pack("<HHIIHH", 1, 1, RATE, RATE * 2, 2, 16)
    body = b"WAVE" + (chunk(b"bext", bext) if broadcast else b"") + chunk(b"fmt ", form)
    body += chunk(b"data", sound) + chunk(b"cue ", cue) + chunk(b"LIST", labels) + chunk(b"smpl", sampler)
    body += chunk(b"acid", acid) + chunk(b"iXML", XML.format(0, START).encode()) + chunk(b"abcd", b"odd")
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    return path


def chunks(path: Path) -> dict[str, bytes]:
    data = path.read_bytes()
    assert struct.unpack("<I", data[4:8])[0] + 8 == len(data)
    found, place = {}, 12
    while place < len(data):
        name, size = data[place : place + 4].decode(), struct.unpack("<I", data[place + 4 : place + 8])[0]
        content = data[place + 8 : place + 8 + size]
        found[content[:4].decode() if name == "LIST" else name] = content
        place += 8 + size + size % 2
    return found


def markers(path: Path) -> list[tuple[int, int, str]]:
    """Number, sample and label of each marker."""
    found = chunks(path)
    if "cue " not in found:
        return []
    records = [struct.unpack("<II4sIII", found["cue "][at : at + 24]) for at in range(4, len(found["cue "]), 24)]
    assert struct.unpack("<I", found["cue "][:4])[0] == len(records)
    labels, place, adtl = {}, 4, found["adtl"]
    while place < len(adtl):
        size = struct.unpack("<I", adtl[place + 4 : place + 8])[0]
        number = struct.unpack("<I", adtl[place + 8 : place + 12])[0]
        labels[number] = adtl[place + 12 : place + 8 + size].rstrip(b"\0").decode()
        place += 8 + size + size % 2
    assert set(labels) == {record[0] for record in records}
    return [(record[0], record[5], labels[record[0]]) for record in records]


@pytest.mark.parametrize("preset", ["passthrough", "wav"])
def test_chunks_are_kept(preset: str, tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav")
    done = export(source, tmp_path / "new.wav", "--preset", preset)
    assert done.code == 0, done.said
    assert not done.losses
    before, after = chunks(source), chunks(tmp_path / "new.wav")
    assert {name: after.get(name) for name in before} == before
    assert "id3 " not in after


@pytest.mark.parametrize("preset", ["passthrough", "wav"])
def test_chunks_move_with_a_trim(preset: str, tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav")
    done = export(source, tmp_path / "new.wav", "--preset", preset, "--range", "2s..5s")
    assert done.code == 0, done.said
    assert not done.losses
    assert markers(tmp_path / "new.wav") == [(2, RATE, "Chorus")]
    found = chunks(tmp_path / "new.wav")
    assert struct.unpack("<I", found["smpl"][28:32])[0] == 1
    assert struct.unpack("<6I", found["smpl"][36:60])[2:4] == (RATE, 2 * RATE - 1)
    assert found["smpl"][60:] == b"abc"
    assert struct.unpack("<IHHfIHHf", found["acid"])[4] == 6
    time = START + 2 * RATE
    assert struct.unpack("<Q", found["bext"][338:346])[0] == time
    assert found["iXML"].decode() == XML.format(time >> 32, time & 0xFFFFFFFF)
    assert found["abcd"] == b"odd"
    said = run(["exiftool", "-s3", "-TimeReference", tmp_path / "new.wav"]).stdout
    assert int(said) == time


def test_a_loop_that_is_cut_is_named(tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav")
    done = export(source, tmp_path / "new.wav", "--preset", "passthrough", "--range", "3.5s..6s")
    assert [loss["item"] for loss in done.losses] == ["caaf/smpl"]
    assert struct.unpack("<I", chunks(tmp_path / "new.wav")["smpl"][28:32])[0] == 0
    assert markers(tmp_path / "new.wav") == [(3, 72000, "Outro")]


@pytest.mark.parametrize(
    ("preset", "kind"), [("flac", "flac"), ("alac", "m4a"), ("passthrough", "mka"), ("mp3", "mp3")]
)
def test_markers_become_chapters(preset: str, kind: str, tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav", broadcast=False)
    output = tmp_path / f"new.{kind}"
    done = export(source, output, "--preset", preset)
    assert done.code == 0, done.said
    assert sorted(loss["item"] for loss in done.losses) == ["caaf/abcd", "caaf/acid", "caaf/iXML", "caaf/smpl"]
    tool(tmp_path, "chapters", output).expect()
    starts = [float(value) for value in ffprobe(output, "chapter=start_time")][-3:]
    titles = ffprobe(output, "chapter_tags=title")[-3:]
    assert starts == pytest.approx([second for second, _ in MARKS.values()], abs=0.002)
    assert titles == [title for _, title in MARKS.values()]


def test_chapters_that_are_set_win_over_markers_and_removing_takes_both(tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav")
    tool(tmp_path, "metadata", "set", "title=New", source).expect()
    assert len(markers(source)) == 3 and "id3 " not in chunks(source)
    (tmp_path / "chapters.txt").write_text("0:00 One\n0:02 Two\n")
    tool(tmp_path, "chapters", "set", "--from", "chapters.txt", source).expect()
    assert "Two" in tool(tmp_path, "chapters", source).expect().text
    tool(tmp_path, "chapters", "remove", source).expect()
    assert "no chapters" in tool(tmp_path, "chapters", source).expect().text
    assert not markers(source)


@pytest.mark.parametrize("film", corpus("reports/bwf_cue.wav"))
def test_a_recorder_file_of_others(film: Path, tmp_path: Path) -> None:
    done = export(film, tmp_path / "new.wav", "--preset", "passthrough", "--range", "2s..5s")
    assert done.code == 0
    said = run(["exiftool", "-s3", "-TimeReference", tmp_path / "new.wav"]).stdout
    assert int(said) == 172_896_000


def test_markers_of_samples_that_lie_elsewhere_become_chapters(tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav", broadcast=False)
    for name, words in [("joined", ["--range", "0s..2s", "--range", "4s..6s"]), ("fast", ["--speed", "2"])]:
        output = tmp_path / f"{name}.wav"
        done = export(source, output, "--preset", "wav", *words)
        assert done.code == 0, done.said
        assert {loss["item"] for loss in done.losses} >= {"caaf/acid", "caaf/smpl"}
        assert not markers(output)
        titles = [title for title in ffprobe(output, "chapter_tags=title") if title]
        assert titles == ["Verse", "Chorus", "Outro"], name


def test_several_chunks_of_a_kind_are_named(tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav")
    data = (
        source.read_bytes() + chunk(b"cue ", struct.pack("<I", 0)) + chunk(b"LIST", b"exif" + b"ever\4\0\0\0" + b"0230")
    )
    source.write_bytes(b"RIFF" + struct.pack("<I", len(data) - 8) + data[8:])
    whole = export(source, tmp_path / "whole.wav", "--preset", "passthrough")
    assert whole.code == 0 and not whole.losses
    assert chunks(tmp_path / "whole.wav")["exif"] == b"exifever\4\0\0\x000230"
    part = export(source, tmp_path / "part.wav", "--preset", "passthrough", "--range", "2s..5s")
    assert [loss["item"] for loss in part.losses] == ["caaf/cue%20"]
    assert markers(tmp_path / "part.wav") == [(2, RATE, "Chorus")]
