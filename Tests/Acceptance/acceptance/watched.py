"""Files and ports that nobody is to come to, and who came all the same."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import threading
from pathlib import Path
from types import TracebackType

LIBC = ctypes.CDLL(None, use_errno=True)
IN_ACCESS, IN_OPEN = 0x1, 0x20
IN_NONBLOCK = 0o4000


class WatchedFolder:
    """Notes each file of a folder that is opened or read."""

    def __init__(self, folder: Path) -> None:
        self.queue = LIBC.inotify_init1(IN_NONBLOCK)
        if self.queue < 0 or LIBC.inotify_add_watch(self.queue, os.fsencode(folder), IN_ACCESS | IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), "no inotify")

    def opened(self) -> set[str]:
        """The names of files that were opened or read since the last call."""
        names: set[str] = set()
        while True:
            try:
                data = os.read(self.queue, 1 << 16)
            except BlockingIOError:
                return names
            at = 0
            while at < len(data):
                _, _, _, length = struct.unpack_from("iIII", data, at)
                names.add(os.fsdecode(data[at + 16 : at + 16 + length].rstrip(b"\0")))
                at += 16 + length

    def close(self) -> None:
        os.close(self.queue)


class Listener:
    """A port of this machine that answers each connection with the same bytes, and counts them."""

    def __init__(self, answer: bytes = b"HTTP/1.0 404 Not Found\r\n\r\n") -> None:
        self.answer = answer
        self.connections = 0
        # Of those, the ones of this class itself.
        self.own = 0
        self.requests: list[bytes] = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.socket.getsockname()[1])
        # The same number for datagrams, which nobody answers.
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.setblocking(False)
        self.datagrams.bind(("127.0.0.1", self.port))
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            with connection:
                connection.settimeout(60)
                try:
                    self.requests.append(connection.recv(4096))
                    connection.sendall(self.answer)
                except OSError:
                    pass

    def came(self) -> int:
        """Connections and datagrams so far."""
        # All that came before are served before this one, and so they have been counted by its end.
        with socket.create_connection(("127.0.0.1", self.port)) as own:
            own.shutdown(socket.SHUT_WR)
            while own.recv(4096):
                pass
        self.own += 1
        try:
            while self.datagrams.recv(65536):
                self.connections += 1
        except BlockingIOError:
            pass
        return self.connections - self.own

    def __enter__(self) -> Listener:
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.datagrams.close()
        self.thread.join(5)
