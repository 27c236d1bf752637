"""Files with thousands of tags: all of them are read, and the media beside them as if there were few."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from mutagen.flac import FLAC
from mutagen.id3 import APIC, CHAP, COMM, ID3, PRIV, TIT2, TXXX
from mutagen.mp4 import MP4
from mutagen.oggopus import OggOpus
from mutagen.oggvorbis import OggVorbis

from acceptance.films import fixture
from acceptance.running import AVTOOL, ffmpeg, output, parsed, run

COUNT = 6000
KEYS = [f"KEY{number:05}" for number in range(COUNT)]
# The smallest picture: a PNG of one pixel.
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c6360000000020001"
    "48afa4710000000049454e44ae426082"
)


def id3(path: Path, version: int, *, late: bool = False) -> None:
    tags = ID3()
    for key in KEYS:
        tags.add(TXXX(encoding=0, desc=key, text=[f"value of {key}"]))
        tags.add(COMM(encoding=0, lang="eng", desc=key, text=[key]))
        tags.add(PRIV(owner=key, data=b"x"))
    tags.add(TIT2(encoding=0, text=["Title"]))
    tags.add(APIC(encoding=0, mime="image/png", type=3, desc="", data=PICTURE))
    tags.save(path, v2_version=version)
    if late:
        # Without the padding after them, and with sizes of all bits, as unsynchronisation leaves them.
        data = bytearray(path.read_bytes())
        data[5] |= 0x80
        path.write_bytes(bytes(data))


def chapters(path: Path) -> None:
    tags = ID3()
    for number, key in enumerate(KEYS):
        title = [TIT2(encoding=0, text=[key])]
        tags.add(CHAP(element_id=key, start_time=number, end_time=number + 1, sub_frames=title))
    tags.save(path)


def comments(path: Path) -> None:
    kind: type[FLAC | OggVorbis | OggOpus] = {".flac": FLAC, ".ogg": OggVorbis, ".opus": OggOpus}[path.suffix]
    tags = kind(path)
    for key in KEYS:
        tags[key] = f"value of {key}"
    tags["TITLE"] = "Title"
    tags.save()


def items(path: Path) -> None:
    tags = MP4(path)
    for key in KEYS:
        tags[f"----:com.apple.iTunes:{key}"] = f"value of {key}".encode()
    tags["\xa9nam"] = "Title"
    tags.save()


def matroska(path: Path, *, together: bool) -> None:
    simple = [f"<Simple><Name>{key}</Name><String>value of {key}</String></Simple>" for key in KEYS]
    text = f"<Tag>{''.join(simple)}</Tag>" if together else "".join(f"<Tag>{part}</Tag>" for part in simple)
    xml = path.with_suffix(".xml")
    xml.write_text(f'<?xml version="1.0"?><Tags>{text}</Tags>')
    plain = path.with_suffix(".plain.mkv")
    shutil.move(path, plain)
    assert run(["mkvmerge", "-q", "-o", path, "--global-tags", xml, "--title", "Title", plain]).returncode == 0


def chunked(path: Path) -> None:
    """An ID3 tag in a chunk of a WAV file."""
    tag = path.with_suffix(".id3")
    tag.write_bytes(b"")
    tags = ID3()
    for key in KEYS:
        tags.add(TXXX(encoding=0, desc=key, text=[f"value of {key}"]))
    tags.add(TIT2(encoding=0, text=["Title"]))
    tags.save(tag)
    content = tag.read_bytes()
    data = path.read_bytes() + b"id3 " + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
    path.write_bytes(data[:4] + struct.pack("<I", len(data) - 8) + data[8:])


# More texts than this are not read of such a list, which is told.
LISTED = 1000


def listed(path: Path) -> None:
    """Texts of a WAV file's own list, of names that nobody knows."""
    body = b"INFO" + b"INAM" + struct.pack("<I", 6) + b"Title\0"
    for number, key in enumerate(KEYS[:LISTED]):
        text = f"value of {key}".encode() + b"\0"
        name = bytes(65 + number // 26**place % 26 for place in range(4))
        body += name + struct.pack("<I", len(text)) + text + b"\0" * (len(text) % 2)
    data = path.read_bytes() + b"LIST" + struct.pack("<I", len(body)) + body
    path.write_bytes(data[:4] + struct.pack("<I", len(data) - 8) + data[8:])


FORMS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "id3v23.mp3": ("libmp3lame", lambda path: id3(path, 3)),
    "id3v24.mp3": ("libmp3lame", lambda path: id3(path, 4)),
    "comments.flac": ("flac", comments),
    "comments.ogg": ("libvorbis", comments),
    "comments.opus": ("libopus", comments),
    "items.m4a": ("aac", items),
    "simple.mkv": ("libvorbis", lambda path: matroska(path, together=True)),
    "tags.mkv": ("libvorbis", lambda path: matroska(path, together=False)),
    "chunk.wav": ("pcm_s16le", chunked),
}


def sound(path: Path) -> str:
    return output(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-c:a", "pcm_s16le", "-f", "md5", "-"]).strip()


@pytest.fixture(params=FORMS)
def tagged(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    codec, add = FORMS[request.param]
    path = tmp_path / request.param
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=3", "-ac", "2", "-c:a", codec, "-map_metadata", "-1", path)
    plain = sound(path)
    add(path)
    return path, plain


def test_all_are_read_and_the_sound_is_the_same(tagged: tuple[Path, str], tmp_path: Path) -> None:
    path, plain = tagged
    facts = parsed([AVTOOL, "info", "--json", path])
    assert facts["tracks"][0]["mediaType"] == "audio"
    assert float(facts["duration"]["seconds"]) == pytest.approx(3, abs=0.1)
    told = output([AVTOOL, "metadata", "show", path])
    missing = [key for key in KEYS if f"value of {key}" not in told]
    assert not missing, f"{len(missing)} of {COUNT} tags are not read: {missing[:3]}"
    assert "Title" in told
    copy = tmp_path / f"copy{path.suffix}"
    done = run([AVTOOL, "export", path, "-o", copy, "--preset", "passthrough"])
    assert done.returncode == 0, done.stderr
    assert sound(copy) == plain
    told = output([AVTOOL, "metadata", "show", copy])
    assert not [key for key in KEYS if f"value of {key}" not in told]


@pytest.mark.parametrize("suffix", ["mkv", "mp4"])
@pytest.mark.parametrize("codec", ["libvorbis", "libopus", "flac"])
def test_headers_of_sound_are_whole_elsewhere(codec: str, suffix: str, tmp_path: Path) -> None:
    """The comments are a part of what decoders of Vorbis are set up with."""
    path = tmp_path / f"a.{ {'libvorbis': 'ogg', 'libopus': 'opus', 'flac': 'flac'}[codec] }"
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=3", "-ac", "2", "-c:a", codec, path)
    copies = [tmp_path / f"{name}.{suffix}" for name in ("plain", "tagged")]
    for copy in copies:
        done = run([AVTOOL, "export", path, "-o", copy, "--preset", "passthrough"])
        assert done.returncode == 0, done.stderr
        comments(path)
    assert sound(copies[0]) == sound(copies[1])
    assert len(sound(copies[0])) == len("MD5=") + 32


@pytest.mark.parametrize("version", [3, 4])
def test_pictures_between_them_are_found(version: int, tmp_path: Path) -> None:
    path = tmp_path / "a.mp3"
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=1", "-c:a", "libmp3lame", path)
    id3(path, version)
    done = run([AVTOOL, "metadata", "artwork", path, "--extract", tmp_path / "cover.png"])
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "cover.png").read_bytes() == PICTURE
    done = run([AVTOOL, "thumbs", path, "--cover", "-o", tmp_path / "still.png"])
    assert done.returncode == 0, done.stderr


def test_a_tag_whose_sizes_cannot_be_told_is_passed(tmp_path: Path) -> None:
    path = tmp_path / "a.mp3"
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=1", "-c:a", "libmp3lame", path)
    plain = sound(path)
    id3(path, 3, late=True)
    copy = tmp_path / "copy.wav"
    done = run([AVTOOL, "export", path, "-o", copy, "--preset", "wav"])
    assert done.returncode == 0, done.stderr
    assert sound(copy) == plain


def test_chapters_by_the_thousand(tmp_path: Path) -> None:
    path = tmp_path / "a.mp3"
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=8", "-c:a", "libmp3lame", path)
    chapters(path)
    assert parsed([AVTOOL, "info", "--json", path])["tracks"][0]["mediaType"] == "audio"
    copy = tmp_path / "copy.mp3"
    done = run([AVTOOL, "export", path, "-o", copy, "--preset", "passthrough"])
    assert done.returncode == 0, done.stderr
    kept = ID3(copy).getall("CHAP")
    assert len(kept) == COUNT


def test_a_still_of_a_film_with_many_tags(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    ffmpeg("-i", fixture("movie.mp4"), "-map", "0:v:0", "-c", "copy", path)
    before = run([AVTOOL, "thumbs", path, "--at", "1", "-o", tmp_path / "before.png"])
    assert before.returncode == 0, before.stderr
    matroska(path, together=True)
    after = run([AVTOOL, "thumbs", path, "--at", "1", "-o", tmp_path / "after.png"])
    assert after.returncode == 0, after.stderr
    assert (tmp_path / "before.png").read_bytes() == (tmp_path / "after.png").read_bytes()


def test_texts_of_a_list_in_wav_are_all_read(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=1", "-c:a", "pcm_s16le", path)
    plain = sound(path)
    listed(path)
    assert sound(path) == plain
    copy = tmp_path / "copy.wav"
    done = run([AVTOOL, "export", path, "-o", copy, "--preset", "passthrough"])
    assert done.returncode == 0, done.stderr
    assert sound(copy) == plain
    for file in (path, copy):
        told = output([AVTOOL, "metadata", "show", file])
        assert not [key for key in KEYS[:LISTED] if f"value of {key}" not in told]
