"""Files that tell about people, places and devices in every place that their formats have.

Each place gets a mark of its own, so that a search for the marks says what was left in a file, and where from."""

import base64
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from acceptance.running import ffmpeg, make

OLD = 3635660465  # 2019-03-17T09:41:05 since 1904
POSITION = "+47.1234+008.5678/"


Kinds = tuple[bytes, ...]
Change = Callable[[Kinds, bytes, bytes], tuple[bytes, bytes]]


class Marks:
    """The marks of one file, by what they stand for."""

    def __init__(self) -> None:
        self.all: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        mark = f"Zq{len(self.all):03}Plant"
        self.all[mark] = place
        return mark

    def found(self, data: bytes) -> list[str]:
        """The places of which something is left in some bytes."""
        found = []
        low = data
        for mark, place in self.all.items():
            forms = [mark.encode(), mark.encode("utf-16-le"), mark.encode("utf-16-be")]
            raw = mark.encode()
            for shift in range(3):
                coded = base64.b64encode(b"\0" * shift + raw + b"\0\0")
                forms.append(coded[4 if shift else 0 :][:12])
            if any(form in low for form in forms):
                found.append(place)
        for what, form in (
            ("a date of a header", struct.pack(">I", OLD)),
            ("a position", b"47.1234"),
            ("a position", "47.1234".encode("utf-16-le")),
            ("a date", b"2019:03:17"),
            ("a date", b"2019-03-17"),
            ("an address", b"plant.owner@example.com"),
        ):
            if form in low:
                found.append(what)
        return found


# MARK: Pictures


def segment(marker: int, content: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def exif(mark: Marks) -> bytes:
    """A minimal EXIF block: make, model, date, owner, serial number."""
    values = [
        (0x010F, mark("EXIF make")),
        (0x0110, mark("EXIF model")),
        (0x0132, "2019:03:17 09:41:05"),
        (0x013B, mark("EXIF artist")),
        (0xA430, mark("EXIF owner")),
        (0xA431, mark("EXIF serial number")),
    ]
    entries, data = b"", b""
    offset = 8 + 2 + 12 * len(values) + 4
    for tag, text in values:
        raw = text.encode() + b"\0"
        entries += struct.pack(">HHII", tag, 2, len(raw), offset + len(data))
        data += raw + b"\0" * (len(raw) % 2)
    return b"Exif\0\0MM\0*\0\0\0\x08" + struct.pack(">H", len(values)) + entries + b"\0\0\0\0" + data


def profile(mark: Marks) -> bytes:
    """A colour profile whose texts name a device."""
    text = mark("text of a colour profile").encode("utf-16-be")
    tag = b"mluc\0\0\0\0" + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", len(text), 28) + text
    body = struct.pack(">I", 1) + b"desc" + struct.pack(">II", 144, len(tag)) + tag
    head = bytearray(128)
    head[0:4] = struct.pack(">I", 128 + len(body))
    head[36:40] = b"acsp"
    return bytes(head) + body


def jpeg(folder: Path, mark: Marks, color: str = "red") -> bytes:
    path = folder / (f"plain-{color}.jpg")
    ffmpeg("-f", "lavfi", "-i", f"color={color}:s=64x64:d=1", "-frames:v", "1", path)
    plain = path.read_bytes()
    thumbnail = b"\xff\xd8\xff\xe0" + mark("JPEG thumbnail").encode() + b"\xff\xd9"
    added = segment(0xE1, exif(mark))
    added += segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x>%s</x>" % mark("JPEG XMP").encode())
    added += segment(0xE2, b"ICC_PROFILE\0\x01\x01" + profile(mark))
    added += segment(0xED, b"Photoshop 3.0\0" + mark("JPEG IPTC").encode())
    added += segment(0xEC, mark("JPEG APP12").encode()) + segment(0xFE, mark("JPEG comment").encode())
    added += segment(0xE1, b"Exif\0\0" + thumbnail)
    return plain[:2] + added + plain[2:] + mark("after the end of a JPEG").encode()


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(folder: Path, mark: Marks) -> bytes:
    path = folder / ("plain.png")
    ffmpeg("-f", "lavfi", "-i", "color=blue:s=64x64:d=1", "-frames:v", "1", path)
    plain = path.read_bytes()
    added = chunk(b"tEXt", b"Author\0" + mark("PNG tEXt").encode())
    added += chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + mark("PNG iTXt").encode())
    added += chunk(b"eXIf", exif(mark)[6:]) + chunk(b"tIME", bytes([7, 227, 3, 17, 9, 41, 5]))
    added += chunk(b"iCCP", mark("name of a PNG profile").encode() + b"\0\0" + zlib.compress(profile(mark)))
    return plain[:33] + added + plain[33:] + mark("after the end of a PNG").encode()


# MARK: Coded pictures


def escaped(raw: bytes) -> bytes:
    out, zeros = bytearray(), 0
    for byte in raw:
        if zeros >= 2 and byte <= 3:
            out.append(3)
            zeros = 0
        zeros = zeros + 1 if byte == 0 else 0
        out.append(byte)
    return bytes(out)


def message(kind: int, payload: bytes) -> bytes:
    size = b"\xff" * (len(payload) // 255) + bytes([len(payload) % 255])
    return b"\xff" * (kind // 255) + bytes([kind % 255]) + size + payload


def sei(mark: Marks, name: str) -> bytes:
    """Messages: unregistered and registered user data, one of no known type, and captions that stay."""
    captions = b"\xb5\0\x31GA94\x03\x41\xff\xfc\x80\x80\xff"
    raw = message(5, bytes(range(16)) + (mark(name + " user data") + POSITION).encode() * 20)
    raw += message(4, captions)
    raw += message(4, b"\xb5\0\x77" + mark(name + " registered user data").encode() + b"\0\0\0\x01\0\0\x02")
    raw += message(200, mark(name + " message of no known type").encode())
    return escaped(raw + b"\x80")


def units(data: bytes) -> list[bytes]:
    """The units of a byte stream, without their start codes."""
    parts = data.split(b"\0\0\1")
    return [part.rstrip(b"\0") for part in parts[1:]]


def joined(parts: list[bytes]) -> bytes:
    return b"".join(b"\0\0\0\1" + part for part in parts)


def moving_pictures(path: Path, *coding: str) -> None:
    """Writes two seconds of moving pictures."""
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=2", *coding, path)


def h264(folder: Path, mark: Marks) -> Path:
    path = folder / ("plain.h264")
    moving_pictures(path, *"-c:v libx264 -g 25 -bf 2 -pix_fmt yuv420p".split())
    out: list[bytes] = []
    for unit in units(path.read_bytes()):
        if unit[0] & 31 in (1, 5):
            out.append(b"\x06" + sei(mark, "H.264") if not out or len(out) < 8 else b"\x06" + SAME["h264"])
            SAME.setdefault("h264", out[-1][1:])
        out.append(unit)
    out.append(b"\x00" + mark("H.264 unit of no type").encode() + b"\x80")
    return timed(folder, written(folder, "planted.h264", joined(out)))


def timed(folder: Path, stream: Path) -> Path:
    """A bare stream with the times of its pictures, which mkvmerge knows to tell."""
    path = stream.with_name(stream.name + ".mkv")
    make("mkvmerge", "-q", "-o", path, "--default-duration", "0:25fps", stream)
    return path


def hevc(folder: Path, mark: Marks) -> Path:
    path = folder / ("plain.hevc")
    moving_pictures(path, *"-c:v libx265 -x265-params log-level=none -g 25 -pix_fmt yuv420p".split())
    out = []
    for unit in units(path.read_bytes()):
        kind = unit[0] >> 1 & 63
        if kind < 32 and unit[2] & 0x80:
            out.append(b"\x4e\x01" + SAME.setdefault("hevc", sei(mark, "HEVC")))
        out.append(unit)
    return timed(folder, written(folder, "planted.hevc", joined(out)))


SAME: dict[str, bytes] = {}


def leb(value: int) -> bytes:
    out = b""
    while True:
        byte = value & 127
        value >>= 7
        out += bytes([byte | (128 if value else 0)])
        if not value:
            return out


def av1(folder: Path, mark: Marks) -> Path:
    path = folder / ("plain.ivf")
    moving_pictures(path, "-t", "1", "-c:v", "libsvtav1", "-preset", "10")
    data = path.read_bytes()
    metadata = leb(4) + b"\xb5\0\x77" + mark("AV1 registered user data").encode() + b"\x80"
    private = leb(20) + mark("AV1 private metadata").encode() + b"\x80"
    out, position = data[:32], 32
    while position < len(data):
        size = struct.unpack("<I", data[position : position + 4])[0]
        frame = with_metadata(data[position + 12 : position + 12 + size], (metadata, private))
        out += struct.pack("<I", len(frame)) + data[position + 4 : position + 12] + frame
        position += 12 + size
    return written(folder, "planted.ivf", out)


def with_metadata(data: bytes, added: tuple[bytes, ...]) -> bytes:
    """A temporal unit with metadata before each frame."""
    out, position = b"", 0
    while position < len(data):
        header = data[position]
        start = position + (2 if header & 4 else 1)
        size, shift = 0, 0
        while True:
            byte = data[start]
            start += 1
            size |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                break
        if header >> 3 & 15 in (3, 6):
            for content in added:
                out += bytes([5 << 3 | 2]) + leb(len(content)) + content
        out += data[position : start + size]
        position = start + size
    return out


def user_data(folder: Path, mark: Marks, codec: str, ending: str, headers: tuple[int, ...]) -> Path:
    path = folder / ("plain." + ending)
    moving_pictures(path, "-c:v", codec, "-bf", "0", "-f", {"mpeg4": "m4v"}.get(codec, codec))
    out = b""
    for unit in path.read_bytes().split(b"\0\0\1")[1:]:
        out += b"\0\0\1" + unit
        if unit[0] in headers:
            out += b"\0\0\1\xb2" + SAME.setdefault(codec, mark(codec + " user data").encode())
    return written(folder, "planted." + ending, out)


def mjpeg(folder: Path, mark: Marks) -> Path:
    picture = jpeg(folder, mark, "green")
    for number in range(10):
        written(folder, f"frame-{number:02}.jpg", picture)
    path = folder / ("planted-mjpeg.avi")
    ffmpeg("-framerate", "25", "-i", folder / ("frame-%02d.jpg"), "-c", "copy", path)
    return path


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / (name)
    path.write_bytes(data)
    return path


# MARK: Movies


def box(kind: bytes | str, content: bytes) -> bytes:
    return struct.pack(">I", 8 + len(content)) + (kind if isinstance(kind, bytes) else kind.encode("latin1")) + content


def boxes(data: bytes) -> list[tuple[bytes, bytes]]:
    position, result = 0, []
    while position + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[position : position + 8])
        if size < 8 or position + size > len(data):
            break
        result.append((kind, data[position + 8 : position + size]))
        position += size
    return result


def item(kind: bytes | str, value: bytes, code: object = 1) -> bytes:
    return box(kind, box("data", struct.pack(">II", code, 0) + value))


def free_form(name: str, value: bytes) -> bytes:
    return box(
        "----",
        box("mean", b"\0\0\0\0com.apple.iTunes")
        + box("name", b"\0\0\0\0" + name.encode())
        + box("data", struct.pack(">II", 1, 0) + value),
    )


def apple_text(kind: bytes | str, text: str) -> bytes:
    raw = text.encode()
    return box(kind, struct.pack(">HH", len(raw), 0x15C7) + raw)


def user_data_box(folder: Path, mark: Marks, place: str, is_quicktime: bool) -> bytes:
    """A `udta` box with all that there is."""
    store = item("apID", mark(place + " apID").encode()) + item("ownr", mark(place + " ownr").encode())
    store += item("purd", b"2019-03-17 09:41:05") + item(b"\xa9xyz", POSITION.encode())
    store += item(b"\xa9cmt", mark(place + " comment").encode()) + item(b"\xa9too", mark(place + " program").encode())
    store += item(b"\xa9nam", ("A place at " + POSITION).encode()) + item(b"\xa9ART", b"plant.owner@example.com")
    store += item(b"\xa9alb", b"An album") + item(b"\xa9day", b"2019-03-17T09:41:05Z")
    store += free_form("Owner", mark(place + " free form").encode())
    store += item("covr", jpeg(folder, mark), 13) + item("covr", png(folder, mark), 14)
    store += box("free", mark(place + " free space in a list").encode())
    metadata = box("meta", b"\0\0\0\0" + box("hdlr", b"\0" * 8 + b"mdirappl" + b"\0" * 9) + box("ilst", store))
    location = b"\0\0\0\0\x15\xc7" + mark(place + " place's name").encode() + b"\0\0" + b"\0" * 12 + b"earth\0\0"
    content = b"" if is_quicktime else metadata
    content += box("loci", location) + apple_text(b"\xa9xyz", POSITION) + apple_text(b"\xa9mak", mark(place + " make"))
    content += apple_text(b"\xa9mod", mark(place + " model")) + apple_text(b"\xa9day", "2019-03-17T09:41:05")
    content += box("XMP_", b"<x:xmpmeta>%s</x:xmpmeta>" % mark(place + " XMP").encode())
    content += box("GPMF", mark(place + " GPMF").encode()) + box("CAME", mark(place + " CAME").encode())
    content += box("name", mark(place + " name").encode()) + box("thmb", mark(place + " thumbnail").encode())
    content += box("auth", b"\0\0\0\0\x15\xc7" + b"plant.owner@example.com\0")
    return box("udta", content)


def keyed(mark: Marks, place: str) -> bytes:
    """A `meta` box of QuickTime metadata."""
    values = [
        ("com.apple.quicktime.location.ISO6709", POSITION),
        ("com.apple.quicktime.make", mark(place + " make key")),
        ("com.apple.quicktime.model", mark(place + " model key")),
        ("com.apple.quicktime.creationdate", "2019-03-17T09:41:05+0100"),
        ("com.apple.quicktime.content.identifier", mark(place + " content identifier")),
        ("com.example.serial", mark(place + " serial number")),
        ("com.apple.quicktime.title", "A title"),
    ]
    keys = struct.pack(">II", 0, len(values)) + b"".join(box("mdta", name.encode()) for name, _ in values)
    store = b"".join(item(struct.pack(">I", number + 1), value.encode()) for number, (_, value) in enumerate(values))
    handler = box("hdlr", b"\0" * 8 + b"mdta" + b"\0" * 12 + mark(place + " handler of metadata").encode() + b"\0")
    return box("meta", handler + box("keys", keys) + box("ilst", store))


def rebuilt(kind: bytes, content: bytes, change: Change, path: Kinds = ()) -> bytes:
    """A box with changes made in it, from inside out."""
    inner = (*path, kind)
    if kind in (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts"):
        content = b"".join(rebuilt(name, data, change, inner) for name, data in boxes(content))
    return box(*change(inner, kind, content))


def movie(folder: Path, mark: Marks, name: str, plain: Path, is_quicktime: bool = False) -> Path:
    """A movie with everything planted; its movie box is at the end, so that nothing in front moves."""
    data = plain.read_bytes()
    state = {"track": -1, "data": 0}
    kinds = [b"gpmd", b"camm", b"mebx", b"mett"]

    def change(path: Kinds, kind: bytes, content: bytes) -> tuple[bytes, bytes]:
        if kind in (b"mvhd", b"tkhd", b"mdhd"):
            content = content[:4] + struct.pack(">II", OLD, OLD) + content[12:]
        if kind == b"hdlr" and path[-2] == b"mdia":
            text = mark("handler's name").encode()
            if content[8:12] in (b"sbtl", b"text") and state["data"] < len(kinds):
                content = content[:8] + b"meta" + content[12:]
            content = content[:24] + (bytes([len(text)]) + text if is_quicktime else text + b"\0")
        if kind == b"stsd":
            entry = content[8:]
            code = entry[4:8]
            if code in (b"avc1", b"hvc1", b"hev1", b"av01", b"mp4v", b"jpeg"):
                text = mark("compressor's name").encode()
                entry = entry[:50] + bytes([len(text)]) + text.ljust(31, b"\0") + entry[82:]
                added = box("uuid", b"\x01" * 16 + mark("uuid in a description").encode())
                entry = struct.pack(">I", len(entry) + len(added)) + entry[4:] + added
            if code == b"tx3g" and state["data"] < len(kinds):
                entry = entry[:4] + kinds[state["data"]] + entry[8:]
                state["data"] += 1
            content = content[:8] + entry
        if kind == b"trak":
            content += user_data_box(folder, mark, "track's udta", is_quicktime) + keyed(mark, "track's meta")
            content += box("uuid", b"\x02" * 16 + mark("uuid in a track").encode())
        if kind == b"moov":
            content += user_data_box(folder, mark, "udta", is_quicktime)
            if is_quicktime:
                content += keyed(mark, "movie's meta")
            content += box("uuid", b"\x03" * 16 + mark("uuid in the movie").encode())
            content += box("free", mark("free space in the movie").encode())
        return kind, content

    out = b""
    for kind, content in boxes(data):
        if kind == b"moov":
            content = b"".join(
                rebuilt(name, inner, change, (b"moov",)) for name, inner in boxes(content) if name != b"udta"
            )
            kind, content = change((b"moov",), b"moov", content)
        out += box(kind, content)
    xmp = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
    out += box("uuid", xmp + b"<x:xmpmeta>%s</x:xmpmeta>" % mark("XMP in a uuid box").encode())
    out += box("uuid", bytes.fromhex("50524f4621d24fcebb88695cfac9c740") + mark("PROF").encode())
    out += box("uuid", bytes.fromhex("55534d5421d24fcebb88695cfac9c740") + mark("USMT").encode())
    out += box("skip", mark("skipped space").encode()) + box("free", mark("free space").encode())
    out += box("mdat", mark("media that no track uses").encode())
    return written(folder, name, out)


def subtitles(folder: Path, text: str) -> Path:
    number = len(list(folder.iterdir()))
    return written(folder, f"text-{number}.srt", f"1\n00:00:00,000 --> 00:00:01,500\n{text}\n".encode())


def plain_movie(folder: Path, mark: Marks, name: str, video: Path, extra: tuple[str, ...] = ()) -> Path:
    """A movie of a video file, sound and tracks of text, four of which become tracks of data."""
    texts = [mark(kind + " track") + " " + POSITION for kind in ("gpmd", "camm", "mebx", "mett")]
    texts += ["GPS (8.5678,47.1234,19) BAROMETER:12.3", "Hello, world"]
    inputs = ["-i", video, "-f", "lavfi", "-i", "sine=d=2"]
    maps = ["-map", "0:v", "-map", "1:a"]
    for index, text in enumerate(texts):
        inputs += ["-i", subtitles(folder, text)]
        maps += ["-map", f"{index + 2}:s"]
    path = folder / (name)
    ffmpeg(*inputs, *maps, "-c:v", "copy", "-c:a", "aac", "-c:s", "mov_text", *extra, path)
    return path


# MARK: Others


def tags(*assignments: str, of: str = "") -> list[str]:
    """Options of ffmpeg that write tags; `of` names streams, such as `:s:v`."""
    return [word for assignment in assignments for word in ("-metadata" + of, assignment)]


def matroska(folder: Path, mark: Marks, name: str, video: Path, audio: str = "aac") -> Path:
    path = folder / ("plain-" + name)
    inputs, maps = ["-i", video, "-f", "lavfi", "-i", "sine=d=2"], ["-map", "0:v", "-map", "1:a"]
    if not name.endswith(".webm"):
        for index, text in enumerate(["GPS (8.5678,47.1234,19)", "Hello, world"]):
            inputs += ["-i", subtitles(folder, text)]
            maps += ["-map", f"{index + 2}:s"]
    ffmpeg(
        *inputs,
        *maps,
        "-c:v",
        "copy",
        "-c:a",
        audio,
        *tags("title=A title", "LOCATION=" + POSITION, "OWNER=" + mark("tag OWNER")),
        *tags("COMMENT=" + mark("tag COMMENT"), "ARTIST=plant.owner@example.com"),
        *tags("title=" + mark("track's name"), "CAMERA=" + mark("tag of a track"), of=":s:v"),
        *tags("title=" + mark("name of the sound"), of=":s:a"),
        path,
    )
    out = folder / (name)
    gpx = written(folder, "walk.gpx", b"<gpx>%s</gpx>" % mark("GPX attachment").encode())
    cover = written(folder, "cover.jpg", jpeg(folder, mark))
    photo = written(folder, "photo.png", png(folder, mark))
    attachments = [
        "--attachment-description",
        mark("description of a cover"),
        "--attach-file",
        cover,
        "--attach-file",
        photo,
        "--attach-file",
        gpx,
    ]
    make("mkvmerge", "-q", "-o", out, *([] if name.endswith(".webm") else attachments), path)
    facts = {
        "date": "2019-03-17T09:41:05Z",
        "muxing-application": mark("muxing application"),
        "writing-application": mark("writing application"),
        "segment-filename": mark("file's name"),
        "prev-filename": mark("earlier file's name"),
        "segment-uid": (mark("segment's UID").encode() + b"\1" * 16)[:16].hex(),
    }
    edits = [word for name, value in facts.items() for word in ("--set", f"{name}={value}")]
    make("mkvpropedit", "-q", out, "--edit", "info", *edits)
    return out


def id3(mark: Marks, picture: bytes) -> bytes:
    def frame(name: str, content: bytes) -> bytes:
        return name.encode() + struct.pack(">IH", len(content), 0) + content

    def text(name: str, value: str) -> bytes:
        return frame(name, b"\x01\xff\xfe" + value.encode("utf-16-le"))

    def latin(value: str) -> bytes:
        return value.encode("latin1")

    frames = text("TIT2", "A title") + text("TPE1", "plant.owner@example.com") + text("TYER", "2019")
    frames += text("TENC", mark("TENC")) + text("TOWN", mark("TOWN")) + text("TOFN", mark("TOFN"))
    frames += frame("TXXX", b"\0Owner\0" + latin(mark("TXXX"))) + frame("COMM", b"\0eng\0" + latin(mark("COMM")))
    frames += frame("WXXX", b"\0" + latin(mark("WXXX description")) + b"\0http://example.com/" + latin(mark("WXXX")))
    frames += frame("PRIV", b"example\0" + latin(mark("PRIV"))) + frame("UFID", b"example\0" + latin(mark("UFID")))
    frames += frame("GEOB", b"\0text/plain\0file\0note\0" + latin(mark("GEOB")))
    frames += frame("OWNE", b"\0USD1\x0020190317" + latin(mark("OWNE"))) + frame(
        "POPM", b"plant.owner@example.com\0\x80"
    )
    frames += frame("APIC", b"\0image/jpeg\0\x03" + latin(mark("APIC description")) + b"\0" + picture)
    frames += frame("TDAT", b"\x001703") + frame("ZZZZ", latin(mark("frame of no known name")))
    size = len(frames) + 64
    head = b"ID3\x03\0\0" + bytes([size >> 21 & 127, size >> 14 & 127, size >> 7 & 127, size & 127])
    return head + frames + b"\0" * 64


def ape(mark: Marks) -> bytes:
    item_ = mark("APE tag").encode()
    content = struct.pack("<II", len(item_), 0) + b"Owner\0" + item_
    footer = b"APETAGEX" + struct.pack("<IIII", 2000, len(content) + 32, 1, 0) + b"\0" * 8
    return content + footer


def mp3(folder: Path, mark: Marks) -> Path:
    path = folder / ("plain.mp3")
    ffmpeg("-f", "lavfi", "-i", "sine=d=2", "-write_xing", "0", "-id3v2_version", "0", path)
    data = id3(mark, jpeg(folder, mark)) + path.read_bytes() + ape(mark)
    data += b"TAG" + b"A title".ljust(30, b"\0") + b"\0" * 30 + b"\0" * 30 + b"2019"
    data += mark("ID3v1 comment").encode().ljust(30, b"\0") + b"\x0c"
    return written(folder, "planted.mp3", data)


def comments(folder: Path, mark: Marks, picture: bytes) -> list[str]:
    block = struct.pack(">II", 3, 10) + b"image/jpeg" + struct.pack(">I", 11) + mark("picture's text").encode()[:11]
    block += struct.pack(">IIIII", 64, 64, 24, 0, len(picture)) + picture
    return [
        "title=A title",
        "artist=plant.owner@example.com",
        "LOCATION=" + POSITION,
        "OWNER=" + mark("OWNER"),
        "COMMENT=" + mark("COMMENT"),
        "date=2019-03-17",
        "METADATA_BLOCK_PICTURE=" + base64.b64encode(block).decode(),
    ]


def tagged(folder: Path, mark: Marks, name: str, codec: str) -> Path:
    path = folder / (name)
    told = tags(*comments(folder, mark, jpeg(folder, mark)))
    ffmpeg("-f", "lavfi", "-i", "sine=d=2", "-c:a", codec, *told, path)
    return path


def flac(folder: Path, mark: Marks) -> Path:
    data = tagged(folder, mark, "tagged.flac", "flac").read_bytes()
    block = b"ABCD" + mark("APPLICATION block").encode()
    padding = mark("padding").encode()
    first = 4 + 4 + int.from_bytes(data[5:8], "big")
    added = b"\x02" + len(block).to_bytes(3, "big") + block + b"\x01" + len(padding).to_bytes(3, "big") + padding
    return written(folder, "planted.flac", data[:first] + added + data[first:])


def wave(folder: Path, mark: Marks) -> Path:
    path = folder / ("plain.wav")
    ffmpeg(
        "-f",
        "lavfi",
        "-i",
        "sine=d=2",
        "-write_bext",
        "1",
        *tags("description=" + mark("bext description"), "originator=" + mark("bext originator")),
        *tags("origination_date=2019-03-17", "umid=" + mark("UMID").encode().hex().ljust(128, "0")),
        *tags("title=A title", "comment=" + mark("ICMT")),
        path,
    )
    data = path.read_bytes()

    def part(name: bytes, content: bytes) -> bytes:
        return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)

    data += part(b"iXML", b"<BWFXML>%s</BWFXML>" % mark("iXML").encode()) + part(b"JUNK", mark("JUNK").encode())
    data += part(b"cart", mark("cart").encode()) + part(b"id3 ", id3(mark, jpeg(folder, mark)))
    data += part(b"LIST", b"exif" + mark("LIST exif").encode())
    return written(folder, "planted.wav", data[:4] + struct.pack("<I", len(data) - 8) + data[8:])
