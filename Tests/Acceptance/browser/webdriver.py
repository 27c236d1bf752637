"""A small client of chromedriver: headless Chromium by the W3C WebDriver protocol, and what its screenshots hold."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
import zlib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Json = dict[str, Any]

KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}


class Browser:
    """One session of headless Chromium; use it in a `with` statement."""

    def __init__(self, width: int = 1280, height: int = 900):
        if not shutil.which("chromedriver"):
            raise OSError("chromedriver is not installed (Debian's package chromium-driver)")
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        self.process = subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            self.base = f"http://127.0.0.1:{self._port()}"
            arguments = [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--mute-audio",
                "--no-first-run",
                "--disable-background-networking",
                "--lang=en",
                "--autoplay-policy=no-user-gesture-required",
                f"--window-size={width},{height}",
                f"--user-data-dir={self.profile}",
            ]
            wanted = {
                "browserName": "chrome",
                "goog:chromeOptions": {"args": arguments},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                "timeouts": {"script": 300_000, "pageLoad": 300_000},
            }
            session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.base += f"/session/{session['sessionId']}"
        except BaseException:
            self._end()
            raise
        self.size(width, height)

    def _port(self) -> int:
        said = self.process.stdout
        for line in said or ():
            if said and (found := re.search(r"started successfully on port (\d+)", line)):
                threading.Thread(target=said.read, daemon=True).start()
                return int(found[1])
        raise OSError("chromedriver did not start")

    def _call(self, method: str, path: str, body: Json | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=360) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise OSError(f"{path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._call("DELETE", "")
        finally:
            self._end()

    def _end(self) -> None:
        # Not SIGTERM: a caller may have blocked it, and processes inherit that.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def open(self, url: str) -> None:
        self._call("POST", "/url", {"url": url})

    def run(self, script: str, *arguments: object) -> Any:
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script: str, *arguments: object) -> Any:
        """Runs a script that ends by calling `done`."""
        script = "const done = arguments[arguments.length - 1];" + script
        return self._call("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def until(self, condition: str, *arguments: object) -> bool:
        """Waits up to a minute for a JavaScript expression to be true."""
        script = f"""const [given, limit] = [[...arguments].slice(0, -1), performance.now() + 60000];
            const look = () => (function () {{ return {condition}; }}).apply(null, given) ? done(true)
              : performance.now() > limit ? done(false) : setTimeout(look, 20);
            look();"""
        return bool(self.wait(script, *arguments))

    def point(self, x: float, y: float, press: bool = False, kind: str = "mouse") -> None:
        """Moves the pointer to a place in the window, and presses its button if asked."""
        self.drag([(x, y)], press, kind)

    def drag(self, places: list[tuple[float, float]], press: bool = True, kind: str = "mouse") -> None:
        """Moves the pointer through places, from the first on with its button down if asked."""
        moves = [
            {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y), "origin": "viewport"}
            for x, y in places
        ]
        if press:
            moves.insert(1, {"type": "pointerDown", "button": 0})
            moves.append({"type": "pointerUp", "button": 0})
        source = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": moves}
        self._call("POST", "/actions", {"actions": [source]})

    def press(self, key: str) -> None:
        key = KEYS.get(key, key)
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def devtools(self, command: str, **parameters: object) -> Any:
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width: int, height: int) -> None:
        """Sets the size of the page's part of the window."""
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    def screenshot(self) -> bytes:
        """What the window shows, as PNG."""
        return base64.b64decode(self._call("GET", "/screenshot"))

    def picture(self, selector: str, width: int = 128) -> bytes:
        """What an element looks like on screen, made small, as PNG."""
        box = self.run(
            """const element = document.querySelector(arguments[0]);
            element.scrollIntoView({block: 'nearest'});
            const box = element.getBoundingClientRect();
            return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height}""",
            selector,
        )
        shot = self.devtools("Page.captureScreenshot", clip={**box, "scale": width / box["width"]})
        return base64.b64decode(shot["data"])

    def log(self, kind: str) -> list[Json]:
        """What was logged since the last time: `browser` (the console) or `performance`."""
        return list(self._call("POST", "/se/log", {"type": kind}))

    def requests(self) -> list[str]:
        """The URLs that were asked for since the last time."""
        messages = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a browser leaves when it has enough of a film
            super().handle_error(request, client_address)


class Server:
    """A folder on a port of this machine, with byte ranges, which players need to seek."""

    class Handler(SimpleHTTPRequestHandler):
        extensions_map = {  # noqa: RUF012 - the standard library's name
            **SimpleHTTPRequestHandler.extensions_map,
            ".vtt": "text/vtt",
        }
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            if self.path.endswith("/blank"):
                self._send(200, b"<!doctype html><title>blank</title>", "text/html")
                return
            path = Path(self.translate_path(self.path))
            if not path.is_file():
                self._send(404, b"", "text/plain")
                return
            data = path.read_bytes()
            kind = self.guess_type(str(path))
            if found := re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")):
                first = int(found[1])
                last = min(int(found[2] or len(data)), len(data) - 1)
                self._send(206, data[first : last + 1], kind, f"bytes {first}-{last}/{len(data)}")
            else:
                self._send(200, data, kind)

        def _send(self, status: int, data: bytes, kind: str, content_range: str | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Accept-Ranges", "bytes")
            if content_range:
                self.send_header("Content-Range", content_range)
            self.end_headers()
            self.wfile.write(data)

    def __init__(self, folder: Path):
        self.server = QuietServer(("127.0.0.1", 0), partial(self.Handler, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def __enter__(self) -> Server:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and the rows, of red, green and blue bytes, of a PNG of 8 bits that is not interlaced."""
    at, parts, width, height, channels = 8, [], 0, 0, 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        at += length + 12
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            channels = {2: 3, 6: 4}[color]
            if depth != 8 or interlace:
                raise ValueError("only plain PNG of 8 bits can be read here")
        elif kind == b"IDAT":
            parts.append(body)
    data = zlib.decompress(b"".join(parts))
    stride = width * channels
    before, rows = bytearray(stride), []
    for row in range(height):
        kind = data[row * (stride + 1)]
        line = bytearray(data[row * (stride + 1) + 1 : (row + 1) * (stride + 1)])
        unfilter(kind, line, before, channels)
        before = line
        rows.append(bytes(line) if channels == 3 else bytes(b for i, b in enumerate(line) if i % 4 != 3))
    return width, height, rows


def unfilter(kind: int, line: bytearray, before: bytearray, channels: int) -> None:
    """Undoes one row's filter in place."""
    if kind == 0:
        return
    for i in range(len(line)):
        left = line[i - channels] if i >= channels else 0
        up = before[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            corner = before[i - channels] if i >= channels else 0
            to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
        line[i] = (line[i] + guess) & 255


def signature(png: bytes, across: int = 8, down: int = 8) -> list[float]:
    """The mean red, green and blue of each field of a grid over the picture, pixels on its lines shared out."""
    width, height, rows = pixels(png)
    columns, lines = shares(width, across), shares(height, down)
    result = [0.0] * (across * down * 3)
    for y, row in enumerate(rows):
        sums = [0.0] * (across * 3)
        for x, parts in enumerate(columns):
            for field, part in parts:
                for channel in range(3):
                    sums[field * 3 + channel] += part * row[x * 3 + channel]
        for field, part in lines[y]:
            for index, value in enumerate(sums):
                result[field * across * 3 + index] += part * value
    return result


def shares(length: int, fields: int) -> list[list[tuple[int, float]]]:
    """For each pixel of a line: the fields that it lies in, and how much of each it makes up."""
    result = []
    for at in range(length):
        first, last = at * fields // length, ((at + 1) * fields - 1) // length
        result.append(
            [
                (field, min((at + 1) * fields / length, field + 1) - max(at * fields / length, field))
                for field in range(first, last + 1)
            ]
        )
    return result
