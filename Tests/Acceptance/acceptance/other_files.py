"""Files that name other files and addresses, in all the ways that readers of media have followed.

Each is made for a canary of its own, which nobody is to open, and a port to which nobody is to come.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from pathlib import Path

from acceptance.hostile_media import box, boxes, edited, element, ffmpeg, joined, segment, syncsafe

# Makes the bytes of a file of the canary's path and the port.
Make = Callable[[str, int], bytes]

DINF = (b"moov", b"trak", b"mdia", b"minf", b"dinf")


def text(pattern: str) -> Make:
    """A file of text, with CANARY, NAME (of the canary) and PORT in it."""

    def make(canary: str, port: int) -> bytes:
        named = pattern.replace("CANARY", canary).replace("NAME", Path(canary).name)
        return named.replace("PORT", str(port)).encode()

    return make


def playlist(address: str, before: str = "") -> Make:
    return text(f"#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n{before}#EXTINF:1,\n{address}\n#EXT-X-ENDLIST\n")


PLAYLISTS: dict[str, Make] = {
    f"playlist-{name}.m3u8": playlist(address)
    for name, address in {
        "absolute": "CANARY",
        "up": "../outside/NAME",
        "up-often": "../" * 30 + "CANARY",
        "file-url": "file://CANARY",
        "file": "file:CANARY",
        "http": "http://127.0.0.1:PORT/a.ts",
        "https": "https://127.0.0.1:PORT/a.ts",
        "tcp": "tcp://127.0.0.1:PORT",
        "tls": "tls://127.0.0.1:PORT",
        "udp": "udp://127.0.0.1:PORT",
        "rtp": "rtp://127.0.0.1:PORT",
        "rtmp": "rtmp://127.0.0.1:PORT/a",
        "rtsp": "rtsp://127.0.0.1:PORT/a",
        "ftp": "ftp://127.0.0.1:PORT/a",
        "gopher": "gopher://127.0.0.1:PORT/a",
        "mmsh": "mmsh://127.0.0.1:PORT/a",
        "crypto": "crypto:CANARY",
        "crypto-file": "crypto+file:CANARY",
        "concat": "concat:CANARY|CANARY",
        "concatf": "concatf:CANARY",
        "subfile": "subfile,,start,0,end,999999,,:CANARY",
        "async": "async:CANARY",
        "cache": "cache:CANARY",
        "tee": "tee:CANARY",
        "md5": "md5:CANARY",
        "fd": "fd:0",
        "pipe": "pipe:0",
        "unix": "unix:CANARY",
        "prompeg": "prompeg:CANARY",
        "data": "data:application/vnd.apple.mpegurl;base64," + base64.b64encode(b"#EXTM3U\n").decode(),
    }.items()
} | {
    "playlist-key.m3u8": playlist("a.ts", '#EXT-X-KEY:METHOD=AES-128,URI="CANARY"\n'),
    "playlist-key-http.m3u8": playlist("a.ts", '#EXT-X-KEY:METHOD=AES-128,URI="http://127.0.0.1:PORT/k"\n'),
    "playlist-map.m3u8": playlist("a.ts", '#EXT-X-MAP:URI="CANARY"\n'),
    "playlist-master.m3u8": text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nCANARY\n"),
    "playlist-rendition.m3u8": text(
        '#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="CANARY"\n'
        '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nCANARY\n'
    ),
    # Bytes decide what a file is, and the name says something else.
    "playlist.mp4": playlist("CANARY"),
    "playlist.ts": playlist("http://127.0.0.1:PORT/a.ts"),
}

DASH = (
    '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S">'
    '<BaseURL>{0}</BaseURL><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1">'
    "<BaseURL>{0}</BaseURL><SegmentList><Initialization sourceURL='{0}'/><SegmentURL media='{0}'/></SegmentList>"
    "</Representation></AdaptationSet></Period></MPD>"
)
ENTITY = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "{0}">]>'
SVG = ENTITY + (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">'
    '<image xlink:href="{0}" width="9" height="9"/><text>&e;</text></svg>'
)

DOCUMENTS: dict[str, Make] = {
    "dash.mpd": text(DASH.format("file://CANARY")),
    "dash-http.mpd": text(DASH.format("http://127.0.0.1:PORT/a")),
    "entity.mpd": text(ENTITY.format("file://CANARY") + "<MPD>&e;</MPD>"),
    "list.ffconcat": text("ffconcat version 1.0\nfile 'CANARY'\nduration 1\n"),
    "list-http.txt": text("ffconcat version 1.0\nfile 'http://127.0.0.1:PORT/a'\n"),
    "list.txt": text("file 'CANARY'\nfile 'NAME'\n"),
    "session.sdp": text(
        "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
        "m=video PORT RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
    ),
    "address.rtsp": text("rtsp://127.0.0.1:PORT/a"),
    "reference.asf": text("[Reference]\r\nRef1=http://127.0.0.1:PORT/a\r\nRef2=CANARY\r\n"),
    "reference.asx": text('<asx version="3.0"><entry><ref href="http://127.0.0.1:PORT/a"/></entry></asx>'),
    "list.pls": text("[playlist]\nFile1=CANARY\nNumberOfEntries=1\n"),
    "list.xspf": text(
        '<playlist version="1"><trackList><track><location>file://CANARY</location></track></trackList></playlist>'
    ),
    "list.m3u": text("CANARY\nhttp://127.0.0.1:PORT/a\n"),
    "smooth.ism": text('<smil><body><switch><video src="CANARY"/></switch></body></smil>'),
    "sheet.cue": text('FILE "CANARY" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n'),
    "cpl.xml": text(
        '<?xml version="1.0"?><AssetMap xmlns="http://www.smpte-ra.org/schemas/429-9/2007/AM"><AssetList><Asset>'
        "<Id>urn:uuid:00000000-0000-0000-0000-000000000000</Id><ChunkList><Chunk><Path>CANARY</Path></Chunk>"
        "</ChunkList></Asset></AssetList></AssetMap>"
    ),
    "subtitles.idx": text("# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\nCANARY\n"),
    "subtitles.srt": text("1\n00:00:00,000 --> 00:00:01,000\n<img src='CANARY'> <font face='CANARY'>x\n"),
    "subtitles.ass": text(
        "[Script Info]\nVideo File: CANARY\nAudio URI: http://127.0.0.1:PORT/a\n[V4+ Styles]\n[Events]\n"
        "Dialogue: 0,0:00:00.00,0:00:01.00,,,0,0,0,,{\\fnCANARY\\1img(CANARY)}x\n"
    ),
    "subtitles.vtt": text("WEBVTT\n\nSTYLE\n::cue { background: url(file://CANARY) }\n\n00:00.000 --> 00:01.000\nx\n"),
    "subtitles.ttml": text(ENTITY.format("file://CANARY") + '<tt xmlns="http://www.w3.org/ns/ttml"><p>&e;</p></tt>'),
    "picture.svg": text(SVG.format("file://CANARY")),
    "picture-http.svg": text(SVG.format("http://127.0.0.1:PORT/a")),
    "script.avs": text('DirectShowSource("CANARY")\nImport("CANARY")\n'),
    "script.vpy": text("import vapoursynth\nopen('CANARY').read()\n"),
    "graph.lavfi": text("movie=CANARY"),
    "tags.ffmeta": text(";FFMETADATA1\ntitle=CANARY\n"),
}


# --- Movies ------------------------------------------------------------------


def data_reference(entry: Callable[[str, int], bytes]) -> Make:
    """A movie whose samples lie in another file."""

    def make(canary: str, port: int) -> bytes:
        table = struct.pack(">II", 0, 1) + entry(canary, port)
        return edited(DINF, lambda _: box(b"dref", table))

    return make


def alias(path: str) -> bytes:
    """A Macintosh alias with the paths that QuickTime and FFmpeg go by.

    Source: FFmpeg, libavformat/mov.c, `mov_read_dref`.
    """
    name = Path(path).name.encode()[:63]
    volume = b"disk"
    head = struct.pack(">IHH", 0, 150, 2) + struct.pack(">H", 0)
    head += bytes([len(volume)]) + volume.ljust(27, b"\0") + bytes(12)
    head += bytes([len(name)]) + name.ljust(63, b"\0") + bytes(16)
    head += struct.pack(">HH", 1, len(Path(path).parts)) + bytes(16)
    records = b""
    for kind, value in ((2, path.replace("/", ":").encode()), (18, path.encode())):
        records += struct.pack(">HH", kind, len(value)) + value + b"\0" * (len(value) % 2)
    return head + records + struct.pack(">HH", 0xFFFF, 0)


def reference_movie(canary: str, port: int) -> bytes:
    """A movie that is only the address of another."""
    address = f"http://127.0.0.1:{port}/a.mov".encode() + b"\0"
    other = f"file://{canary}".encode() + b"\0"

    def reference(to: bytes) -> bytes:
        return box(b"rmda", box(b"rdrf", struct.pack(">I4sI", 0, b"url ", len(to)), to))

    return box(b"ftyp", b"qt  \0\0\2\0qt  ") + box(b"moov", box(b"rmra", reference(other), reference(address)))


MOVIES: dict[str, Make] = {
    "dref-url.mov": data_reference(lambda canary, _: box(b"url ", bytes(4), f"file://{canary}".encode(), b"\0")),
    "dref-path.mp4": data_reference(lambda canary, _: box(b"url ", bytes(4), canary.encode(), b"\0")),
    "dref-http.mov": data_reference(
        lambda _, port: box(b"url ", bytes(4), f"http://127.0.0.1:{port}/a.mov".encode(), b"\0")
    ),
    "dref-urn.mov": data_reference(
        lambda canary, _: box(b"urn ", bytes(4), b"x\0", f"file://{canary}".encode(), b"\0")
    ),
    "dref-alis.mov": data_reference(lambda canary, _: box(b"alis", alias(canary))),
    "dref-rsrc.mov": data_reference(lambda canary, _: box(b"rsrc", alias(canary))),
    "reference.mov": reference_movie,
}


# --- Matroska, sound, AVI ----------------------------------------------------


def matroska(change: Callable[[bytes, str, int], bytes]) -> Make:
    def make(canary: str, port: int) -> bytes:
        scratch = Path(canary).with_name("scratch.mkv")
        head, content = segment(scratch)
        return head + element(b"\x18\x53\x80\x67", change(content, canary, port))

    return make


def linked_segments(content: bytes, canary: str, port: int) -> bytes:
    """The elements by which a segment names the file before it, that after it, and those of its chapters."""
    names = b"".join(element(kind, canary.encode()) for kind in (b"\x73\x84", b"\x3c\x83\xab", b"\x3e\x83\xbb"))
    linked = element(b"\x15\x49\xa9\x66", element(b"\x2a\xd7\xb1", b"\x0f\x42\x40") + names)
    atom = element(b"\x91", b"\0") + element(b"\x6e\x67", bytes(16)) + element(b"\x73\xc4", b"\1")
    chapters = element(b"\x10\x43\xa7\x70", element(b"\x45\xb9", element(b"\x45\xdd", b"\1") + element(b"\xb6", atom)))
    return content + linked + chapters


def attached(content: bytes, canary: str, port: int) -> bytes:
    """A font whose name is the canary's, and a cover that is an address."""

    def file(name: str, kind: str, data: bytes, number: int) -> bytes:
        parts = [(b"\x46\x6e", name.encode()), (b"\x46\x60", kind.encode()), (b"\x46\x5c", data)]
        return element(b"\x61\xa7", b"".join(element(i, d) for i, d in [*parts, (b"\x46\xae", bytes([number]))]))

    files = [file(canary, "application/x-truetype-font", b"x", 1), file("cover.jpg", "-->", canary.encode(), 2)]
    return content + element(b"\x19\x41\xa4\x69", b"".join(files))


def tagged(content: bytes, canary: str, port: int) -> bytes:
    """Tags that are addresses."""

    def tag(name: str, value: str) -> bytes:
        return element(b"\x67\xc8", element(b"\x45\xa3", name.encode()) + element(b"\x44\x87", value.encode()))

    tags = tag("URL", f"http://127.0.0.1:{port}/a") + tag("COVER_ART", f"file://{canary}")
    return content + element(b"\x12\x54\xc3\x67", element(b"\x73\x73", element(b"\x63\xc0", b"") + tags))


def linked_picture(address: str) -> Make:
    """An MP3 whose cover is an address, and whose links are addresses too."""

    def make(canary: str, port: int) -> bytes:
        to = text(address)(canary, port)
        picture = b"\0-->\0\3x\0" + to
        frames = b"APIC" + syncsafe(len(picture)) + b"\0\0" + picture
        for kind in (b"WOAS", b"WCOM", b"LINK"):
            frames += kind + syncsafe(len(to)) + b"\0\0" + to
        sound = ffmpeg("sound.mp3", "sound", "-c:a", "libmp3lame", "-id3v2_version", "0")
        return b"ID3\4\0\0" + syncsafe(len(frames)) + frames + sound(Path(canary))

    return make


def flac_picture(canary: str, port: int) -> bytes:
    """A FLAC file whose cover is an address."""
    data = ffmpeg("sound.flac", "sound")(Path(canary))
    to = f"http://127.0.0.1:{port}/a".encode()
    block = struct.pack(">II", 3, 3) + b"-->" + struct.pack(">I", 0) + bytes(16) + struct.pack(">I", len(to)) + to
    # Behind the first block, which is always that of the stream.
    return data[:42] + b"\6" + len(block).to_bytes(3, "big") + block + data[42:]


def distant_index(canary: str, port: int) -> bytes:
    """An AVI file whose index of indexes lies in no part of the file."""
    data = ffmpeg("film.avi", "picture", "-c:v", "mpeg4")(Path(canary))
    entry = struct.pack("<HBBI4sIII", 4, 0, 0, 1, b"00dc", 0, 0, 0) + struct.pack("<QII", 1 << 40, 1 << 20, 100)
    chunk = b"indx" + struct.pack("<I", len(entry)) + entry
    return data.replace(b"JUNK", chunk + b"JUNK", 1)


def svg_cover(canary: str, port: int) -> bytes:
    """An MP4 whose cover is an SVG picture with an entity."""
    picture = text(SVG.format("file://CANARY"))(canary, port)
    cover = box(b"covr", box(b"data", struct.pack(">II", 13, 0), picture))
    handler = box(b"hdlr", bytes(8), b"mdirappl", bytes(9))
    metadata = box(b"udta", box(b"meta", bytes(4), handler, box(b"ilst", cover)))
    return edited((b"moov",), lambda movie: joined([(k, c) for k, c in boxes(movie) if k != b"udta"]) + metadata)


OTHERS: dict[str, Make] = {
    "linked.mkv": matroska(linked_segments),
    "attached.mkv": matroska(attached),
    "tagged.mkv": matroska(tagged),
    "linked-picture.mp3": linked_picture("file://CANARY"),
    "linked-picture-path.mp3": linked_picture("CANARY"),
    "linked-picture-http.mp3": linked_picture("http://127.0.0.1:PORT/a.jpg"),
    "linked-picture.flac": flac_picture,
    "distant-index.avi": distant_index,
    "svg-cover.m4a": svg_cover,
}

OTHER_FILES: dict[str, Make] = PLAYLISTS | DOCUMENTS | MOVIES | OTHERS

# Names that mean something to readers of media and are files' names here; SECRET is that of a file beside them.
NAMES = [
    "http:foo.mp4", "concat:SECRET|SECRET", "concat:SECRET", "pipe:0", "pipe:", "fd:0", "file:SECRET",
    "subfile,,start,0,end,99999,,:SECRET", "data:SECRET", "data:video~mp4;base64,AAAA", "async:SECRET",
    "cache:SECRET", "crypto:SECRET", "md5:SECRET", "tee:SECRET", "unix:SECRET", "udp:SECRET", "img%03d.png",
    "img*.png", "lavfi:SECRET", "-x.mp4", "--json", "-", "@SECRET", "~", "$(touch SECRET)", "a:b|c",
]  # fmt: skip
