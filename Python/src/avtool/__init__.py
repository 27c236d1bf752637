"""avtool from Python: exact frames as arrays, facts, stills and exports of media files, over any number of them.

`avtool.ray` does the same on a Ray cluster.
"""

from avtool.failures import AvtoolError, Failure, Retry
from avtool.frames import Frame, FrameFailure, frames_at, iterate_frames
from avtool.identity import Identity, identity
from avtool.names import Name
from avtool.rows import Row, Summary
from avtool.running import Run, run
from avtool.times import Time
from avtool.tool import Tool, ToolNotFound

__all__ = [
    "AvtoolError",
    "Failure",
    "Frame",
    "FrameFailure",
    "Identity",
    "Name",
    "Retry",
    "Row",
    "Run",
    "Summary",
    "Time",
    "Tool",
    "ToolNotFound",
    "frames_at",
    "identity",
    "iterate_frames",
    "run",
]
