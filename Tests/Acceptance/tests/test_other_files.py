"""Files that name other files and addresses: nobody opens those, and nobody connects, unless that was allowed.

Each file names a canary of its own; the kernel tells which canaries are opened, and a port counts who comes.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from acceptance.other_files import NAMES, OTHER_FILES
from acceptance.running import AVTOOL, ROOT, run
from acceptance.watched import Listener, WatchedFolder

TOKEN = "canary-3f9c2b7a"

# What a run may end with; 70 would be a fault of ours.
CODES = {0, 1, 64, 65, 66, 73, 74, 75}

COMMANDS: dict[str, list[str]] = {
    "info": ["info"],
    "info --json --precise": ["info", "--json", "--precise"],
    "thumbs": ["thumbs", "--at", "0", "-o", "OUT/"],
    "thumbs --cover": ["thumbs", "--cover", "-o", "OUT/"],
    "sheet": ["sheet", "--count", "2", "-o", "OUT/"],
    "metadata show": ["metadata", "show", "--json"],
    "metadata artwork": ["metadata", "artwork", "--extract", "OUT/"],
    "chapters show": ["chapters", "show"],
    "export passthrough": ["export", "--preset", "passthrough", "-o", "OUT/"],
    "export low": ["export", "--preset", "low", "-o", "OUT/"],
    "verify": ["verify"],
}


@dataclass
class Scene:
    """A folder of hostile files, one of canaries, and a port."""

    inside: Path
    outside: Path
    out: Path
    listener: Listener
    watched: WatchedFolder

    def outcome(self, *words: object) -> tuple[int, str]:
        """Runs avtool where the hostile files are: its exit code, and all that was said and made."""
        done = run(["env", "-C", self.inside, AVTOOL, *words])
        made = b"".join(path.read_bytes() for path in self.out.rglob("*") if path.is_file())
        return done.returncode, (done.stdout + done.stderr + made).decode("utf-8", "replace")

    def check(self, *words: object, codes: set[int] = CODES) -> str:
        """Runs avtool, which must have found no canary."""
        before = self.listener.came()
        code, said = self.outcome(*words)
        assert self.watched.opened() == set(), "canaries were opened"
        assert self.listener.came() == before, f"somebody came: {self.listener.requests}"
        assert TOKEN not in said
        assert code in codes, said[-500:]
        return said


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    folders = [tmp_path / name for name in ("inside", "outside", "out")]
    for folder in folders:
        folder.mkdir()
    with Listener() as listener:
        watched = WatchedFolder(folders[1])
        yield Scene(folders[0], folders[1], folders[2], listener, watched)
        watched.close()


def make_canary(path: Path) -> None:
    """A film that says who it is, in its metadata and in its pictures."""
    shutil.copy(ROOT / "Fixtures/movie.mp4", path)
    assert run([AVTOOL, "metadata", "set", f"title={TOKEN}", path]).returncode == 0


def make_all(scene: Scene) -> list[str]:
    """Makes the hostile files, each with its canary."""
    model = scene.outside.parent / "canary.mp4"
    make_canary(model)
    for name, make in OTHER_FILES.items():
        canary = scene.outside / f"{Path(name).stem}-{Path(name).suffix[1:]}.mp4"
        (scene.inside / name).write_bytes(make(str(canary), scene.listener.port))
        shutil.copy(model, canary)
    scene.watched.opened()
    return list(OTHER_FILES)


def test_canaries_sing(scene: Scene) -> None:
    """What the other tests do not see would be seen."""
    make_canary(scene.outside / "canary.mp4")
    scene.watched.opened()
    code, said = scene.outcome("info", scene.outside / "canary.mp4")
    assert code == 0
    assert TOKEN in said
    assert scene.watched.opened() == {"canary.mp4"}
    code, _ = scene.outcome("info", "--allow-network", f"http://127.0.0.1:{scene.listener.port}/a.mp4")
    assert code == 66
    assert scene.listener.came() >= 1


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_else_is_opened(command: str, scene: Scene) -> None:
    names = make_all(scene)
    words = [str(word).replace("OUT", str(scene.out)) for word in COMMANDS[command]]
    if command == "metadata artwork":
        # It takes one file at a time.
        for name in names:
            scene.check(*words, name)
        return
    scene.check(*words, *names)


@pytest.mark.parametrize("command", ["info", "thumbs", "export passthrough"])
def test_without_sandbox_nothing_else_is_opened_either(command: str, scene: Scene) -> None:
    """The kernel's help is not what it rests on."""
    names = make_all(scene)
    words = [str(word).replace("OUT", str(scene.out)) for word in COMMANDS[command]]
    scene.check("--sandbox", "off", *words, *names)


@pytest.mark.parametrize("command", ["info", "thumbs", "export passthrough"])
def test_allowed_playlists_stay_in_their_folder(command: str, scene: Scene) -> None:
    names = make_all(scene)
    words = [str(word).replace("OUT", str(scene.out)) for word in COMMANDS[command]]
    scene.check(*words, "--allow-format", "hls", *names)


def test_allowed_playlists_play_what_lies_beside_them(scene: Scene) -> None:
    shutil.copy(ROOT / "Fixtures/h264.ts", scene.inside / "a.ts")
    (scene.inside / "good.m3u8").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n")
    scene.check("info", "--allow-format", "hls", "good.m3u8", codes={0})
    scene.check("info", "good.m3u8", codes={65})


def test_a_playlist_of_the_network_opens_no_file(scene: Scene) -> None:
    canary = scene.outside / "canary.mp4"
    make_canary(canary)
    scene.watched.opened()
    body = f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://{canary}\n#EXT-X-ENDLIST\n".encode()
    head = f"HTTP/1.0 200 OK\r\nContent-Type: application/vnd.apple.mpegurl\r\nContent-Length: {len(body)}\r\n\r\n"
    scene.listener.answer = head.encode() + body
    address = f"http://127.0.0.1:{scene.listener.port}/a.m3u8"
    code, said = scene.outcome("info", "--allow-network", "--allow-format", "hls", address)
    assert code in CODES - {0}
    assert TOKEN not in said
    assert scene.watched.opened() == set()
    assert scene.listener.came() >= 1, "the playlist itself was allowed"


def test_a_network_that_is_allowed_opens_no_playlist(scene: Scene) -> None:
    names = make_all(scene)
    scene.check("info", "--allow-network", *names)


@pytest.mark.parametrize("command", ["info", "thumbs", "export passthrough"])
@pytest.mark.parametrize("name", NAMES)
def test_names_are_names(name: str, command: str, scene: Scene) -> None:
    """A file may be called anything: it is read, and nothing that its name may mean elsewhere."""
    secret = scene.outside / "canary.mp4"
    make_canary(secret)
    name = name.replace("SECRET", "canary.mp4")
    words = [str(word).replace("OUT", str(scene.out)) for word in COMMANDS[command]]
    # Beside it lies what the name may mean.
    for other in ("canary.mp4", "img001.png", "img1.png"):
        (scene.inside / other).symlink_to(secret)
    scene.watched.opened()
    scene.check(*words, "--", name.replace("~", "/"), codes=CODES - {0}) if name != "-" else None
    given = f"./{name}" if name in {"-", "--json"} else name
    path = scene.inside / name.replace("~", "_")
    shutil.copy(ROOT / "Fixtures/one-frame.mp4", path)
    scene.check(*words, "--", given.replace("~", "_"), codes={0})
    assert not (scene.inside / "SECRET").exists()
