"""Opens media files in Chromium, without a window: whether they load, and play near their end."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from acceptance.running import Json

PAGE = b"""<!doctype html><meta charset=utf-8><body><script>
const wait = (node, name, seconds) => new Promise((done, failed) => {
  node.addEventListener(name, done, {once: true});
  node.addEventListener('error', () => failed(new Error(node.error ? node.error.message : 'error')), {once: true});
  setTimeout(() => failed(new Error('no ' + name + ' in ' + seconds + ' s')), seconds * 1000);
});
async function open(job) {
  const node = document.createElement(job.element);
  document.body.append(node);
  try {
    if (job.element == 'img') {
      node.src = job.url;
      await node.decode();
      return {width: node.naturalWidth, height: node.naturalHeight};
    }
    node.muted = true;
    node.preload = 'auto';
    const loaded = wait(node, 'loadeddata', 60);
    node.src = job.url;
    await loaded;
    const found = {duration: node.duration, width: node.videoWidth, height: node.videoHeight};
    if (isFinite(node.duration)) {
      if (node.duration > 5) {
        const moved = wait(node, 'seeked', 60);
        node.currentTime = node.duration - 0.5;
        await moved;
      }
      node.playbackRate = 4;
      const ended = wait(node, 'ended', 60);
      await node.play();
      await ended;
      found.end = node.currentTime;
    }
    return found;
  } catch (error) {
    return {error: String(error.message || error)};
  } finally {
    node.remove();
  }
}
(async () => {
  for (;;) {
    const job = await (await fetch('/next')).json();
    if (job.url) await fetch('/result', {method: 'POST', body: JSON.stringify(await open(job))});
  }
})();
</script>"""

# What Debian's Chromium decodes, and the containers that it reads.
CODECS = {"h264", "vp8", "vp9", "av1", "aac", "mp3", "opus", "vorbis", "flac", "pcm_s16le", "gif", "mjpeg", "png"}
CONTAINERS = {".mp4", ".m4v", ".m4a", ".mov", ".webm", ".mkv", ".mp3", ".flac", ".ogg", ".opus", ".wav", ".gif"}
PIXELS = {"yuv420p", "yuvj420p", "yuva420p", "bgra", "pal8", None}


class Browser:
    """One Chromium for many files, which it opens one after the other."""

    def __init__(self) -> None:
        self.jobs: queue.Queue[Json] = queue.Queue()
        self.results: queue.Queue[Json] = queue.Queue()
        self.file: Path | None = None
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        browser = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words: object) -> None:
                pass

            def do_GET(self) -> None:
                try:
                    browser.get(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                browser.results.put(json.loads(body))
                browser.reply(self, 200, b"{}", "application/json")

        class QuietServer(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """A browser drops connections as it likes."""

        self.server = QuietServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def is_installed() -> bool:
        return shutil.which("chromium") is not None

    def reply(self, handler: BaseHTTPRequestHandler, code: int, body: bytes, kind: str, *more: tuple[str, str]) -> None:
        handler.send_response(code)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), *more):
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    def get(self, handler: BaseHTTPRequestHandler) -> None:
        if handler.path == "/":
            return self.reply(handler, 200, PAGE, "text/html")
        if handler.path == "/next":
            try:
                job = self.jobs.get(timeout=20)
            except queue.Empty:
                job = {}
            return self.reply(handler, 200, json.dumps(job).encode(), "application/json")
        file = self.file
        if file is None or not handler.path.startswith("/file/"):
            return self.reply(handler, 404, b"", "text/plain")
        size = file.stat().st_size
        asked = re.match(r"bytes=(\d+)-(\d*)", handler.headers.get("Range") or "")
        first = int(asked[1]) if asked else 0
        last = min(int(asked[2]), size - 1) if asked and asked[2] else size - 1
        with file.open("rb") as source:
            source.seek(first)
            body = source.read(last - first + 1)
        more = [("Accept-Ranges", "bytes")] + ([("Content-Range", f"bytes {first}-{last}/{size}")] if asked else [])
        return self.reply(handler, 206 if asked else 200, body, KINDS.get(file.suffix, "video/mp4"), *more)

    def start(self) -> None:
        # Not in the test's own folder: the names of Chromium's sockets may have 107 bytes.
        self.profile = tempfile.mkdtemp(prefix="avtool-browser-", dir="/tmp")
        address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
        flags += ["--no-first-run", "--disable-extensions", "--mute-audio", f"--user-data-dir={self.profile}"]
        self.process = subprocess.Popen(
            ["chromium", *flags, address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | {"TMPDIR": self.profile},
        )

    def open(self, file: Path) -> Json:
        """What Chromium makes of a file: size, duration and where playing ended, or `error`."""
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                self.start()
            self.file = file
            element = "img" if file.suffix == ".gif" else "video"
            self.jobs.put({"url": f"/file/{os.urandom(4).hex()}{file.suffix}", "element": element})
            try:
                return self.results.get(timeout=300)
            except queue.Empty:
                self.stop()
                return {"error": "Chromium does not answer"}

    def stop(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
            shutil.rmtree(self.profile, ignore_errors=True)

    def close(self) -> None:
        self.stop()
        self.server.shutdown()


KINDS = {
    ".gif": "image/gif",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".m4a": "audio/mp4",
    ".mp3": "audio/mpeg",
    ".flac": "audio/flac",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".wav": "audio/wav",
}


def is_for_browsers(file: Path, streams: list[Json]) -> bool:
    """Whether Chromium can be expected to play it."""
    media = [s for s in streams if s.get("codec_type") in ("video", "audio")]
    if any(s.get("codec_name") == "gif" for s in media) != (file.suffix == ".gif"):
        return False
    return file.suffix in CONTAINERS and all(
        s.get("codec_name") in CODECS and (s["codec_type"] == "audio" or s.get("pix_fmt") in PIXELS) for s in media
    )
