"""HLS playlists that `--allow-format hls` allows: the right frames, nothing from elsewhere, and segments are inputs."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.tool import copy_fixture, frame_number, run_program, tool

# The times of stills, and the frames that are shown then: the video has 25 frames in each second.
TIMES = "0,0.5,0.999,1,1.04,2.5,3.9,3,1.96,#60"
FRAMES = [0, 12, 24, 25, 26, 62, 97, 75, 49, 60]


def make_playlist(folder: Path, *options: str) -> None:
    """Makes video.m3u8 and segments of a second, of a video of numbered frames."""
    coding = ["-t", "4", "-an", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-g", "25"]
    hls = ["-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"]
    words = ["ffmpeg", "-v", "error", "-nostdin", "-i", fixture("long-gop.mp4"), *coding, *hls, *options, "video.m3u8"]
    run_program(words, folder).expect(0)


def frames(folder: Path) -> list[int | None]:
    """The numbers in the frames that stills of a playlist show."""
    words = ["thumbs", "--allow-format", "hls", "--at", TIMES, "-o", "out-{index}.png", "--force", "video.m3u8"]
    tool(folder, *words).expect(0)
    return [frame_number(folder / f"out-{index:02}.png") for index in range(1, len(FRAMES) + 1)]


# --- frames -----------------------------------------------------------------------------

KINDS = {
    "mpegts": [],
    "fmp4": ["-hls_segment_type", "fmp4"],
    "in a folder": ["-hls_segment_filename", "s%d.ts", "-hls_base_url", "sub/"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_stills_of_an_allowed_playlist_are_the_right_frames(kind: str, tmp_path: Path) -> None:
    """`--allow-format hls` said "not enough memory" of each playlist."""
    make_playlist(tmp_path, *KINDS[kind])
    if kind == "in a folder":
        (tmp_path / "sub").mkdir()
        for segment in sorted(tmp_path.glob("s?.ts")):
            segment.rename(tmp_path / "sub" / segment.name)
    assert frames(tmp_path) == FRAMES
    refused = tool(tmp_path, "info", "video.m3u8").expect(65)
    assert "not allowed" in refused.diagnostics, refused


def test_an_encrypted_playlist_is_read_with_the_key_beside_it(tmp_path: Path) -> None:
    (tmp_path / "enc.key").write_bytes(os.urandom(16))
    (tmp_path / "key-info").write_text("enc.key\nenc.key\n")
    make_playlist(tmp_path, "-hls_key_info_file", "key-info")
    assert "METHOD=AES-128" in (tmp_path / "video.m3u8").read_text()
    assert frames(tmp_path) == FRAMES


# --- what is not opened -----------------------------------------------------------------

HOSTILE = [
    "../outside.ts",
    "../../../../../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "link.ts",
    "pipe.ts",
    "sub/../../outside.ts",
    "http://127.0.0.1:PORT/x.ts",
    "https://127.0.0.1:PORT/x.ts",
    "tcp://127.0.0.1:PORT",
    "concat:video.ts|video.ts",
    "subfile,,start,0,end,0,,:video.ts",
    "udp://127.0.0.1:PORT",
    "data:,x",
    "missing.ts",
    "crypto:../outside.ts",
    "pipe:0",
    "folder.ts",
]


@pytest.mark.parametrize("address", HOSTILE)
def test_a_hostile_playlist_opens_nothing_and_the_address_is_named(address: str, tmp_path: Path) -> None:
    inside = tmp_path / "in"
    for folder in (inside / "sub", inside / "folder.ts"):
        folder.mkdir(parents=True)
    copy_fixture("h264.ts", tmp_path / "outside.ts")
    (inside / "link.ts").symlink_to("../outside.ts")
    os.mkfifo(inside / "pipe.ts")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        named = address.replace("PORT", str(server.getsockname()[1]))
        head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        (inside / "video.m3u8").write_text(f"{head}#EXTINF:4,\n{named}\n#EXT-X-ENDLIST\n")
        run = tool(tmp_path, "info", "--allow-format", "hls", "in/video.m3u8").expect(65)
        with pytest.raises(BlockingIOError):  # Nobody waits to be answered.
            server.accept()
    assert len(run.diagnostic_lines) == 1, run
    assert "names" in run.diagnostics or "playlist" in run.diagnostics, run
    assert named.split("/")[-1] in run.diagnostics, run


def test_the_key_of_a_playlist_is_not_read_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    copy_fixture("h264.ts", tmp_path / "in/video.ts")
    (tmp_path / "secret.key").write_text("0123456789abcdef")
    key = '#EXT-X-KEY:METHOD=AES-128,URI="../secret.key"'
    playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:4\n{key}\n#EXTINF:4,\nvideo.ts\n#EXT-X-ENDLIST\n"
    (tmp_path / "in/video.m3u8").write_text(playlist)
    run = tool(tmp_path, "info", "--allow-format", "hls", "in/video.m3u8").expect(65)
    assert "secret.key" in run.diagnostics, run


# --- segments are inputs ----------------------------------------------------------------

WRITING = [
    "thumbs --at 0 --format png -o NAME",
    "sheet --columns 2 --rows 1 --format png -o NAME",
    "scenes -o NAME",
    "export --preset passthrough -o NAME",
    "storyboard --every 2s -o NAME",
]


@pytest.mark.parametrize("segment", ["video0.ts", "init.mp4"])
@pytest.mark.parametrize("command", WRITING, ids=[command.split()[0] for command in WRITING])
def test_what_a_playlist_names_is_an_input_that_no_result_replaces(command: str, segment: str, tmp_path: Path) -> None:
    """`--force` put results in the place of segments of the playlist that they were made of."""
    make_playlist(tmp_path, *(["-hls_segment_type", "fmp4"] if segment == "init.mp4" else []))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/hard.ts").hardlink_to(tmp_path / segment)
    (tmp_path / "link.ts").symlink_to(f"sub/../{segment}")
    before = (tmp_path / segment).read_bytes()
    for name in (segment, "sub/hard.ts", "link.ts", f"sub/../{segment}"):
        words = command.replace("NAME", name).split()
        run = tool(tmp_path, *words, "--allow-format", "hls", "--force", "video.m3u8").expect(73)
        assert len(run.diagnostic_lines) == 1 and name in run.diagnostics, run
        assert "storyboard" in command or "is an input of this run" in run.diagnostics, run
    assert (tmp_path / segment).read_bytes() == before
    assert (tmp_path / "sub/hard.ts").read_bytes() == before


def test_a_folder_that_holds_what_a_playlist_names_is_not_replaced(tmp_path: Path) -> None:
    """A folder of results with the segments in it was replaced as a whole."""
    make_playlist(tmp_path)
    tool(tmp_path, "storyboard", "--every", "5s", "-o", "set", fixture("movie.mp4")).expect(0)
    (tmp_path / "video0.ts").rename(tmp_path / "set/storyboard-001.jpg")
    playlist = tmp_path / "video.m3u8"
    playlist.write_text(playlist.read_text().replace("video0.ts", "set/storyboard-001.jpg"))
    words = ["storyboard", "--every", "2s", "-o", "set", "--force", "--allow-format", "hls", "video.m3u8"]
    run = tool(tmp_path, *words).expect(73)
    assert "storyboard-001.jpg" in run.diagnostics, run


@pytest.mark.parametrize("name", ["concat", "dash", "image2", "sdp", "nonsense"])
def test_formats_that_cannot_be_allowed_are_named(name: str, tmp_path: Path) -> None:
    run = tool(tmp_path, "info", "--allow-format", name, fixture("movie.mp4")).expect(64)
    assert f"--allow-format {name}" in run.diagnostics, run
