"""Boxes of movies that name absolute positions in the file: what they point to is still there afterwards.

A camera's positions are read back by ExifTool, which goes where the table of the new file says.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from acceptance.films import corpus
from acceptance.media import export
from acceptance.private_media import box, boxes
from acceptance.running import run
from acceptance.tool import tool

TITLE = "title=" + "A title that does not fit " * 400


def block(number: int) -> bytes:
    """One second's position as cameras of Novatek write it: time, then the place, speed and course."""
    data = bytearray(408)
    struct.pack_into(">I4s4s", data, 0, 408, b"free", b"GPS ")
    struct.pack_into("<6I4s", data, 48, 12, 30, number, 2022, 6, 10, b"ANE\0")
    struct.pack_into("<2d2f", data, 80, 5231.2 + number, 1324.3, 30 + number, 90)
    return bytes(data)


def camera_film(folder: Path, *, in_media: bool) -> Path:
    """A film of two seconds with six positions, behind its media or among them."""
    plain = folder / "plain.mp4"
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2"]
    coding = ["-c:v", "libx264", "-c:a", "aac", "-pix_fmt", "yuv420p"]
    sound = ["-f", "lavfi", "-i", "sine=440:d=2"]
    run(["ffmpeg", "-v", "error", "-y", *pictures, *sound, *coding, plain]).check_returncode()
    parts = dict(boxes(plain.read_bytes()))
    head = box("ftyp", parts[b"ftyp"]) + box("free", parts[b"free"])
    positions = b"".join(block(number) for number in range(6))
    media = box("mdat", parts[b"mdat"] + positions) if in_media else box("mdat", parts[b"mdat"]) + positions
    first = len(head) + 8 + len(parts[b"mdat"])
    table = struct.pack(">II", 0x101, 6)
    table += b"".join(struct.pack(">II", first + 408 * number, 408) for number in range(6))
    film = folder / "camera.mp4"
    # ExifTool looks for the table before the tracks, where cameras write it.
    header = 8 + len(dict(boxes(parts[b"moov"]))[b"mvhd"])
    movie = parts[b"moov"][:header] + box("gps ", table) + parts[b"moov"][header:]
    film.write_bytes(head + media + box("moov", movie))
    return film


def places(file: Path) -> list[str]:
    """The positions that ExifTool finds, each as often as it is there."""
    said = run(["exiftool", "-ee", "-a", "-G3", "-GPSLatitude", "-GPSSpeed", "-GPSDateTime", file]).stdout
    text = said if isinstance(said, str) else said.decode()
    return re.findall(r"\[Doc.*", text)


def framemd5(file: Path) -> bytes | str:
    return run(["ffmpeg", "-v", "error", "-i", file, "-map", "0:v", "-f", "framemd5", "-"]).stdout


@pytest.fixture(params=[False, True], ids=["behind", "among"])
def film(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return camera_film(tmp_path, in_media=request.param)


EDITS = {
    "title": ["metadata", "set", "camera.mp4", TITLE],
    "title-in-front": ["metadata", "set", "front.mp4", TITLE],
    "passthrough": ["export", "camera.mp4", "--preset", "passthrough", "-o", "new.mp4"],
    "front": ["export", "front.mp4", "--preset", "passthrough", "-o", "new.mp4"],
    "movie": ["export", "camera.mp4", "--preset", "passthrough", "-o", "new.mov"],
    "chapters": ["chapters", "set", "--from", "chapters.txt", "front.mp4", "-o", "new.mp4"],
}


@pytest.mark.parametrize("name", EDITS)
def test_positions_of_a_camera_are_found_afterwards(name: str, film: Path) -> None:
    folder, words = film.parent, EDITS[name]
    before = places(film)
    assert len(before) == 18, before
    tool(folder, "export", "camera.mp4", "--preset", "passthrough", "-o", "front.mp4").expect()
    assert places(folder / "front.mp4") == before
    (folder / "chapters.txt").write_text("00:00:00.000 One\n00:00:01.000 Two\n")
    tool(folder, *words).expect()
    new = folder / (words[-1] if "-o" in words else words[2])
    assert places(new) == before
    assert framemd5(new) == framemd5(film)


@pytest.mark.parametrize("target", ["new.mp4", "new.mkv"])
def test_positions_that_are_left_out_are_named(target: str, film: Path) -> None:
    done = export(film, film.parent / target, "--preset", "passthrough", "--range", "1s..2s")
    assert done.code == 0, done.said
    assert not places(film.parent / target)
    assert any("gps" in str(loss) for loss in done.losses), done.losses


def test_positions_do_not_stay_in_what_is_shared(film: Path) -> None:
    tool(film.parent, "export", "camera.mp4", "--preset", "passthrough", "--share-safe", "-o", "new.mp4").expect()
    assert not places(film.parent / "new.mp4")
    assert b"freeGPS" not in (film.parent / "new.mp4").read_bytes()


@pytest.mark.parametrize("film", corpus("reports/novatek_front.mp4"))
def test_a_dash_cameras_film_keeps_its_positions(film: Path, tmp_path: Path) -> None:
    before = places(film)
    assert before
    tool(tmp_path, "metadata", "set", str(film), TITLE, "-o", "titled.mp4").expect()
    assert places(tmp_path / "titled.mp4") == before
    tool(tmp_path, "export", str(film), "--preset", "passthrough", "-o", "copy.mp4").expect()
    assert places(tmp_path / "copy.mp4") == before


CREDENTIALS = bytes.fromhex("d8fec3d61b0e483c92975828877ec481")


def test_content_credentials_are_named_where_they_no_longer_fit(tmp_path: Path) -> None:
    film = camera_film(tmp_path, in_media=False)
    signed = tmp_path / "signed.mp4"
    manifest = box("uuid", CREDENTIALS + b"\0\0\0\0manifest\0" + bytes(8) + box("jumb", bytes(32)))
    signed.write_bytes(film.read_bytes() + manifest)
    done = tool(tmp_path, "metadata", "set", "signed.mp4", "title=New", "-o", "titled.mp4").expect()
    assert "content credentials" in done.diagnostics
    assert CREDENTIALS in (tmp_path / "titled.mp4").read_bytes()
    copied = export(signed, tmp_path / "copy.mp4", "--preset", "passthrough")
    assert any("content credentials" in str(loss) for loss in copied.losses), copied.losses
    assert CREDENTIALS not in (tmp_path / "copy.mp4").read_bytes()


def test_what_stands_beside_a_movie_stays_beside_it(tmp_path: Path) -> None:
    """XMP packets, and an XML document in the file's own box of metadata, as Sony's cameras write it."""
    film = camera_film(tmp_path, in_media=True)
    document = b'<?xml version="1.0"?><NonRealTimeMeta><Device modelName="ILCE-7M4"/></NonRealTimeMeta>'
    handler = box("hdlr", b"\0" * 8 + b"nrtm" + b"\0" * 13)
    source = tmp_path / "source.mp4"
    source.write_bytes(film.read_bytes() + box("meta", b"\0" * 4 + handler + box("xml ", b"\0" * 4 + document)))
    run(["exiftool", "-q", "-overwrite_original", "-XMP:Creator=Somebody", source]).check_returncode()
    assert b"Somebody" in source.read_bytes()
    for words in [[], ["--range", "0s..1s"]]:
        copied = export(source, tmp_path / "copy.mp4", "--preset", "passthrough", "--force", *words)
        assert copied.code == 0, copied.said
        assert not [loss for loss in copied.losses if loss["kind"] == "metadata"], copied.losses
        data = (tmp_path / "copy.mp4").read_bytes()
        assert document in data
        assert b"Somebody" in data


CANON = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")


def movie_with(film: Path, extra: bytes, tail: bytes = b"") -> Path:
    """A copy of a film with a box at the end of its movie, which lies behind the media, and one behind that."""
    data = film.read_bytes()
    parts = boxes(data)
    at = next(index for index, (kind, _) in enumerate(parts) if kind == b"moov")
    parts[at] = (b"moov", parts[at][1] + extra)
    made = film.parent / "made.mp4"
    made.write_bytes(b"".join(box(kind, content) for kind, content in parts) + tail)
    return made


def test_positions_of_canon_and_of_signers_move_with_what_they_name(tmp_path: Path) -> None:
    film = camera_film(tmp_path, in_media=True)
    tool(tmp_path, "export", film.name, "--preset", "passthrough", "-o", "front.mp4").expect()
    data = (tmp_path / "front.mp4").read_bytes()
    media = data.index(b"mdat") + 4
    table = struct.pack(">IIQQ", 1, 1, media, 16)
    credentials = CREDENTIALS + b"\0\0\0\0manifest\0" + struct.pack(">Q", media)
    hashes = CREDENTIALS + b"\0\0\0\0merkle\0" + b"\xa7hlocalId" + bytes(16)
    added = box("uuid", CANON + box("CNCV", b"camera") + box("CTBO", table))
    made = movie_with(tmp_path / "front.mp4", added, box("uuid", credentials) + box("uuid", hashes))
    # The movie has become longer: what it says of its own media is put right by the first edit of another program.
    shift = len(added)
    source = bytearray(made.read_bytes())
    at = source.index(b"CTBO") + 12
    struct.pack_into(">Q", source, at, media + shift)
    struct.pack_into(">Q", source, source.index(b"manifest\0") + 9, media + shift)
    made.write_bytes(source)
    tool(tmp_path, "metadata", "set", made.name, TITLE, "-o", "titled.mp4").expect()
    new = (tmp_path / "titled.mp4").read_bytes()
    now = new.index(b"mdat") + 4
    assert now != media + shift
    assert struct.unpack_from(">Q", new, new.index(b"CTBO") + 12) == (now,)
    assert struct.unpack_from(">Q", new, new.index(b"manifest\0") + 9) == (now,)
    assert hashes in new
    done = export(made, tmp_path / "copy.mp4", "--preset", "passthrough")
    assert "CTBO" in [loss["item"] for loss in done.losses]
    copy = (tmp_path / "copy.mp4").read_bytes()
    assert b"CNCVcamera" in copy
    assert b"CTBO" not in copy


def test_blocks_outside_of_media_are_not_copied(tmp_path: Path) -> None:
    """A table that points into the movie would bring back what was removed from that."""
    film = camera_film(tmp_path, in_media=True)
    tool(tmp_path, "metadata", "set", film.name, "comment=SECRETCOMMENT", "-o", "secret.mp4").expect()
    data = bytearray((tmp_path / "secret.mp4").read_bytes())
    at = data.index(b"gps ") + 12
    movie = data.index(b"moov") - 4
    for number in range(6):
        struct.pack_into(">II", data, at + 8 * number, movie, 3000)
    (tmp_path / "evil.mp4").write_bytes(data)
    words = ["--preset", "passthrough", "--remove", "comment", "-o", "new.mp4"]
    tool(tmp_path, "export", "evil.mp4", *words).expect()
    assert b"SECRETCOMMENT" not in (tmp_path / "new.mp4").read_bytes()


def test_positions_of_every_piece_of_a_join_are_named(tmp_path: Path) -> None:
    camera_film(tmp_path, in_media=True)
    for first, second in [("plain.mp4", "camera.mp4"), ("camera.mp4", "plain.mp4")]:
        words = ["--json", "--preset", "passthrough", "-o", "joined.mp4", "--force", first, second]
        done = tool(tmp_path, "join", *words).expect()
        assert "gps" in done.text, (first, second)


def test_boxes_within_boxes_without_end_are_no_danger(tmp_path: Path) -> None:
    film = camera_film(tmp_path, in_media=True)
    nested = b""
    for _ in range(20_000):
        nested = struct.pack(">I4s", len(nested) + 8, b"udta") + nested
    made = movie_with(film, nested)
    done = tool(tmp_path, "metadata", "set", made.name, TITLE, "-o", "titled.mp4")
    assert done.code in (0, 65, 75), done
