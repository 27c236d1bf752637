"""The least and greatest samples of what ffmpeg decodes of sound."""

from __future__ import annotations

from array import array
from pathlib import Path

from acceptance.media import Probe
from acceptance.running import run


def decoded(file: Path) -> tuple[array[int], int]:
    """Samples of 16 bits, those of channels side by side, and how many channels there are."""
    probe = Probe.of(file)
    stream = probe.kind("audio")[0]
    channels = int(stream["channels"])
    # Of movies ffmpeg decodes all of the last packet, whatever of that is meant to be heard.
    limit = ["-t", stream["duration"]] if probe.format["format_name"].startswith("mov") else []
    samples = array("h")
    samples.frombytes(run(["ffmpeg", "-v", "error", "-i", file, "-map", "0:a:0", *limit, "-f", "s16le", "-"]).stdout)
    return samples, channels


def mixed(file: Path) -> array[int]:
    """What all channels are together: their mean, as floating numbers have it."""
    samples, channels = decoded(file)
    frames = (samples[at : at + channels] for at in range(0, len(samples), channels))
    return array("h", (round(sum(frame) / channels) for frame in frames))


def peaks(samples: array[int], channels: int, step: int) -> list[int]:
    found = []
    for at in range(0, len(samples), step * channels):
        for channel in range(channels):
            stretch = samples[at + channel : at + step * channels : channels]
            found += [min(stretch), max(stretch)]
    return found
