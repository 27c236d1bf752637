"""How desktops have thumbnails made: by tumbler on a bus, and in GNOME's sandbox."""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from acceptance.running import AVTOOL, ROOT

ENTRY = ROOT / "tools/packaging/avtool.thumbnailer"
NAME = "org.freedesktop.thumbnails.Thumbnailer1"
TUMBLER = Path("/usr/lib/x86_64-linux-gnu/tumbler-1/tumblerd")


def entry() -> dict[str, str]:
    """What the desktop's entry says."""
    lines = [line.partition("=") for line in ENTRY.read_text().splitlines() if "=" in line]
    return {key: value for key, _, value in lines}


def command(size: int, source: str, target: str) -> list[str]:
    """The command of the entry for one film."""
    stands_for = {"%s": str(size), "%i": source, "%u": Path(source).as_uri(), "%o": target}
    words = [stands_for.get(word, word) for word in entry()["Exec"].split()]
    return [AVTOOL, *words[1:]]


# What tumbler makes thumbnails by besides entries like ours.
PLUGINS = [
    f"{name}Thumbnailer"
    for name in ("JPEG", "Raw", "Pixbuf", "Cover", "Ffmpeg", "Gst", "Font", "Poppler", "Odf", "Epub", "Gepub")
]


def by_tumbler(folder: Path, films: Sequence[Path], types: Sequence[str], flavor: str) -> dict[str, bytes]:
    """The thumbnails that tumbler keeps of films, by the address that each tells.

    A bus and a screen of their own are started, and tumbler with nothing but the entry.
    """
    data, binaries, cache, config = (folder / name for name in ("data", "bin", "cache", "config"))
    (data / "thumbnailers").mkdir(parents=True)
    (data / "thumbnailers/avtool.thumbnailer").write_bytes(ENTRY.read_bytes())
    # Its own plug-ins would be asked as well, in whatever order, and GStreamer's dies where its elements are missing.
    (config / "tumbler").mkdir(parents=True)
    (config / "tumbler/tumbler.rc").write_text("".join(f"[{name}]\nDisabled=true\n" for name in PLUGINS))
    binaries.mkdir()
    # A link would be followed to where the worker is not.
    (binaries / "avtool").write_text(f'#!/bin/sh\nexec "{AVTOOL}" "$@"\n')
    (binaries / "avtool").chmod(0o755)
    listed = ", ".join(f"'{film.as_uri()}'" for film in films)
    kinds = ", ".join(f"'{kind}'" for kind in types)
    script = f"""
        {TUMBLER} &
        for _ in $(seq 300); do
            gdbus call --session --dest {NAME} --object-path /{NAME.replace(".", "/")} \\
                --method {NAME}.GetFlavors && break
            sleep 0.2
        done
        # It says who owns the name when it has begun to listen.
        gdbus monitor --session --dest {NAME} > signals &
        for _ in $(seq 300); do grep -q 'is owned by' signals && break; sleep 0.2; done
        gdbus call --session --dest {NAME} --object-path /{NAME.replace(".", "/")} \\
            --method {NAME}.Queue "[{listed}]" "[{kinds}]" {flavor} default 0
        for _ in $(seq 300); do grep -q Finished signals && break; sleep 0.2; done
    """
    environment = os.environ | {
        "XDG_DATA_DIRS": f"{data}:/usr/share",
        "XDG_CACHE_HOME": str(cache),
        "XDG_CONFIG_HOME": str(config),
        "PATH": f"{binaries}:{os.environ['PATH']}",
    }
    subprocess.run(
        ["xvfb-run", "-a", "dbus-run-session", "--", "bash", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=300,
        check=True,
    )
    found = {}
    for path in (cache / "thumbnails").glob("*/*.png"):
        texts = png_texts(path.read_bytes())
        if path.parent.name == flavor:
            found[texts["Thumb::URI"]] = path.read_bytes()
    return found


def png_texts(data: bytes) -> dict[str, str]:
    """The plain text chunks of a PNG file."""
    texts, position = {}, 8
    while position + 12 <= len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        body = data[position + 8 : position + 8 + length]
        if data[position + 4 : position + 8] == b"tEXt":
            key, _, value = body.partition(b"\0")
            texts[key.decode("latin-1")] = value.decode("latin-1")
        position += 12 + length
    return texts


# Numbers of system calls on x86-64 that GNOME's sandbox for thumbnailers refuses.
REFUSED = {
    "syslog": 103,
    "uselib": 134,
    "acct": 163,
    "quotactl": 179,
    "add_key": 248,
    "keyctl": 250,
    "request_key": 249,
    "move_pages": 279,
    "mbind": 237,
    "get_mempolicy": 239,
    "set_mempolicy": 238,
    "migrate_pages": 256,
    "unshare": 272,
    "setns": 308,
    "mount": 165,
    "umount2": 166,
    "pivot_root": 155,
    "chroot": 161,
    "perf_event_open": 298,
    "ptrace": 101,
}
ABSENT = {"clone3": 435, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsmount": 432, "mount_setattr": 442}
CLONE, NEW_USER = 56, 0x10000000


def filter_program() -> bytes:
    """The filter of system calls as the kernel takes it."""
    load, equal, masked, leave = 0x20, 0x15, 0x45, 0x06
    allow, refuse, absent = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38

    def step(code: int, yes: int, no: int, value: int) -> bytes:
        return struct.pack("HBBI", code, yes, no, value)

    program = step(load, 0, 0, 0)
    for numbers, answer in ((REFUSED, refuse), (ABSENT, absent)):
        for number in numbers.values():
            program += step(equal, 0, 1, number) + step(leave, 0, 0, answer)
    # A new process may not be another user.
    program += (
        step(equal, 0, 3, CLONE) + step(load, 0, 0, 16) + step(masked, 0, 1, NEW_USER) + step(leave, 0, 0, refuse)
    )
    return program + step(leave, 0, 0, allow)


@contextmanager
def filter_descriptor() -> Iterator[int]:
    descriptor = ctypes.CDLL(None, use_errno=True).memfd_create(b"filter", 0)
    try:
        os.write(descriptor, filter_program())
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


def in_sandbox(film: Path, folder: Path, size: int, *, extra: Sequence[str] = ()) -> subprocess.CompletedProcess[bytes]:
    """Has the entry's command make a thumbnail as GNOME does, as `thumbnail.png` in a folder.

    Only `/usr` can be read, and where the tested avtool lies; the film has another name, and there is neither network
    nor home.
    """
    inside = "/tmp/gnome-desktop-file-to-thumbnail" + film.suffix
    command_line = command(size, inside, "/tmp/thumbnail.png")
    command_line[1:1] = extra
    places = [str(Path(AVTOOL).resolve().parent)]
    if Path("/opt/swift").exists():
        places.append("/opt/swift")
    words = ["bwrap", "--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for name in ("lib", "lib64", "bin", "sbin"):
        words += ["--symlink", f"usr/{name}", f"/{name}"]
    for place in places:
        words += ["--ro-bind", place, place]
    words += ["--proc", "/proc", "--dev", "/dev", "--chdir", "/", "--setenv", "GIO_USE_VFS", "local"]
    words += ["--unshare-all", "--die-with-parent", "--bind", str(folder), "/tmp", "--ro-bind", str(film), inside]
    command_line[0] = str(Path(AVTOOL).resolve())
    with filter_descriptor() as descriptor:
        words += ["--seccomp", str(descriptor)]
        return subprocess.run(
            [*words, "--", *command_line],
            capture_output=True,
            timeout=120,
            pass_fds=[descriptor],
            env={"PATH": "/usr/bin"},
        )
