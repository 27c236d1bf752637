#!/usr/bin/env python3
"""Compares storyboards with what headless Chromium shows of their films.

usage: storyboard_film.py [--page | --both] ROOT FILM=FOLDER …

Films and folders are named relative to ROOT. The frames of a film carry their
numbers as bars (Fixtures/README.md says how). Each film is played by a <video>
with the storyboard's WebVTT file as its track; after each of several seeks the
number in the picture is compared with that in the tile that the track's active
cue names. `--page` does the same with index.html, which has to have a player,
and `--both` does one after the other.
One line for each check; the exit code is 1 if one of them failed.
"""

from __future__ import annotations

import argparse
import sys
import urllib.parse
from pathlib import Path

from storyboard_cues import read_cues
from webdriver import Browser, Server

failures = 0

# The number in a picture: white, black, twelve bits, parity, black.
NUMBER = """
    function number(source, x, y, width, height) {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      const context = canvas.getContext('2d');
      context.drawImage(source, x, y, width, height, 0, 0, width, height);
      const row = context.getImageData(0, Math.round(height / 8), width, 1).data;
      const bits = [...Array(16).keys()].map(bar => row[Math.round((bar + 0.5) * width / 16) * 4 + 1] >= 128 ? 1 : 0);
      const data = bits.slice(2, 14);
      const isSound = bits[0] === 1 && bits[1] === 0 && bits[15] === 0
        && bits[14] === data.reduce((sum, bit) => sum + bit) % 2;
      return isSound ? parseInt(data.join(''), 2) : null;
    }
    // A frame that was sought may be on its way to the screen yet: the one before is no answer for a while.
    async function shownNumber(video, low, high, duration) {
      // Behind the duration that a header tells too short there may be none.
      const patience = video.currentTime < duration ? 3000 : 50;
      for (let wait = 0; ; wait += 1) {
        const found = number(video, 0, 0, video.videoWidth, video.videoHeight);
        if (found !== null && low <= found && found < high || wait >= patience) return found;
        await new Promise(pass => setTimeout(pass, 20));
      }
    }
    const once = (node, name) => new Promise((pass, fail) => {
      node.addEventListener(name, pass, {once: true});
      node.addEventListener('error', () => fail(new Error('error of ' + node.localName)), {once: true});
      setTimeout(() => fail(new Error('no ' + name)), 60000);
    });
"""

FILM = (
    NUMBER
    + """
    const [film, base, times] = arguments;
    document.body.replaceChildren();
    const sheets = {};
    async function tile(text) {
      const [name, x, y, width, height] = text.split(/#xywh=|,/);
      if (!sheets[name]) {
        sheets[name] = new Image();
        sheets[name].src = base + name;
        await sheets[name].decode();
      }
      return number(sheets[name], ...[x, y, width, height].map(Number));
    }
    (async () => {
      const video = document.createElement('video');
      [video.muted, video.preload] = [true, 'auto'];
      const track = document.createElement('track');
      [track.kind, track.src] = ['metadata', base + 'storyboard.vtt'];
      video.append(track);
      document.body.append(video);
      track.track.mode = 'hidden';
      const ready = [once(video, 'loadeddata'), once(track, 'load')];
      video.src = film;
      await Promise.all(ready);
      const result = {begin: video.currentTime, duration: video.duration, seeks: []};
      for (const time of times) {
        const sought = once(video, 'seeked');
        video.currentTime = time;
        await sought;
        const at = video.currentTime;
        const cues = [...track.track.cues];
        const index = cues.findIndex(cue => cue.startTime <= at && at < cue.endTime);
        const next = cues[index + 1];
        const here = index < 0 ? null : await tile(cues[index].text);
        const following = next ? await tile(next.text) : null;
        const shown = await shownNumber(video, here, following ?? Infinity, result.duration);
        result.seeks.push({wish: time, at, shown, tile: here, next: following});
      }
      return result;
    })().then(done, error => done(String(error)));
"""
)

PAGE = (
    NUMBER
    + """
    const [wanted] = arguments;
    const [film, bar, readout] = ['film', 'bar', 'number'].map(id => document.getElementById(id));
    const press = key => bar.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    async function look(cue, duration) {
      const sought = once(film, 'seeked');
      press('Home');
      for (let step = 0; step < cue; step += 1) press('ArrowRight');
      await sought;
      while (film.seeking) await once(film, 'seeked');
      const canvas = document.querySelector(`#rows tr[data-cue="${cue}"] canvas`);
      for (let wait = 0; canvas.classList.contains('loading') && wait < 3000; wait += 1) {
        await new Promise(pass => setTimeout(pass, 20));
      }
      const tile = number(canvas, 0, 0, canvas.width, canvas.height);
      return {at: film.currentTime, shown: await shownNumber(film, tile, tile + 1, duration), tile,
              readout: readout.textContent};
    }
    (async () => {
      if (film.readyState < 2) await once(film, 'loadeddata');
      const result = {duration: film.duration, looks: []};
      for (const cue of wanted) result.looks.push(await look(cue, result.duration));
      return result;
    })().then(done, error => done(String(error)));
"""
)


def check(name: str, passed: bool, detail: object = "") -> bool:
    global failures
    failures += not passed
    print(f"{'ok  ' if passed else 'FAIL'} {name}" + (f": {detail}" if not passed else ""), flush=True)
    return passed


def check_film(browser: Browser, server: Server, film: str, folder: str, root: Path) -> None:
    cues = read_cues(root / folder / "storyboard.vtt")
    step = max(1, len(cues) // 6)
    # Shortly behind the beginning of cues, in their middles, and where a film that begins late has nothing yet.
    times = [0.001, 0.5] + [
        time for cue in cues[1::step] for time in (cue.start / 1000 + 0.002, (cue.start + cue.end) / 2000)
    ]
    url = server.url + urllib.parse.quote(film)
    base = f"{server.url}{urllib.parse.quote(folder)}/"
    found = browser.wait(FILM, url, base, times)
    if not check(f"{film} plays", isinstance(found, dict), found):
        return
    reached = 0
    for index, seek in enumerate(found["seeks"]):
        name = f"{film} at {seek['wish']:.3f} s (there {seek['at']:.3f} s)"
        # Chromium cannot go behind the duration that some headers tell too short.
        if abs(seek["at"] - seek["wish"]) > 0.001 and seek["at"] >= found["duration"]:
            continue
        reached += 1
        shown, tile, following = seek["shown"], seek["tile"], seek["next"]
        fits = None not in (shown, tile) and tile <= shown and (following is None or shown < following)
        # Where a cue has just begun, its own frame is on screen.
        is_start = index >= 2 and index % 2 == 0
        check(f"{name} shows frame {shown}, its tile frame {tile}", fits and (not is_start or shown == tile), seek)
    check(f"{film}: most times can be reached", reached >= len(times) / 2, reached)


def check_page(browser: Browser, server: Server, film: str, folder: str, root: Path) -> None:
    cues = read_cues(root / folder / "storyboard.vtt")
    wanted = sorted({0, 1, len(cues) // 2, len(cues) - 2} & set(range(len(cues))))
    browser.open(f"{server.url}{urllib.parse.quote(folder)}/index.html")
    found = browser.wait(PAGE, wanted)
    if not check(f"{film} plays on the page", isinstance(found, dict), found):
        return
    for cue, look in zip(wanted, found["looks"]):
        if look["at"] >= found["duration"]:
            continue
        fits = look["shown"] is not None and look["shown"] == look["tile"]
        check(
            f"{film}: at {look['at']:.3f} s film and page show frame {look['shown']}",
            fits and look["readout"].startswith(f"{cue + 1} of "),
            look,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="store_true", help="use the player of the page")
    parser.add_argument("--both", action="store_true", help="use a player of its own first, then that of the page")
    parser.add_argument("root", type=Path)
    parser.add_argument("pairs", nargs="+", metavar="FILM=FOLDER")
    arguments = parser.parse_args()
    with Browser(800, 600) as browser, Server(arguments.root) as server:
        for pair in arguments.pairs:
            film, folder = pair.split("=", 1)
            if not arguments.page:
                browser.open(server.url + "blank")
                check_film(browser, server, film, folder, arguments.root)
            if arguments.page or arguments.both:
                browser.open(server.url + "blank")
                check_page(browser, server, film, folder, arguments.root)
    print(f"{failures} failed" if failures else "all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
