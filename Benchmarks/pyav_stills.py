"""Stills by PyAV: seeks to the keyframe before, decodes to the frame shown at the time, saves it.

pyav_stills.py THREADS WIDTHxHEIGHT|full EXTENSION FOLDER FILM MILLISECONDS…
"""

import sys
from fractions import Fraction

import av

threads, size, extension, folder, film, *times = sys.argv[1:]
with av.open(film) as container:
    stream = container.streams.video[0]
    stream.thread_type = threads
    start = stream.start_time or 0
    for index, milliseconds in enumerate(times):
        target = start + int(Fraction(int(milliseconds), 1000) / stream.time_base)
        shown, back = None, 0
        # Without an index, as in MPEG-TS, a seek may land behind the target: back off then.
        while shown is None:
            container.seek(max(target - int(back / stream.time_base), start), stream=stream)
            for frame in container.decode(stream):
                if frame.pts > target:
                    break
                shown = frame
            if shown is None and back > 60:
                raise SystemExit(f"PyAV finds no frame at {milliseconds} ms")
            back = back * 2 or 1
        if size != "full":
            width = int(size.split("x")[0])
            shown = shown.reformat(width, round(shown.height * width / shown.width / 2) * 2, "rgb24")
        shown.to_image().save(f"{folder}/{index}.{extension}")
