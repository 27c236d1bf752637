"""avtool from Python: exact frames as arrays, facts, stills and exports of media files, over any number of them.

`plan`, `unit` and `merge` divide work and join it again; `avtool.ray` does both on a Ray cluster.
"""

from avtool.failures import AvtoolError, Failure, Retry
from avtool.frames import Frame, FrameFailure, frames_at, iterate_frames
from avtool.identity import Identity, identity
from avtool.names import Name
from avtool.plans import Cost, Film, Piece, Plan, Receipt, Unit, plan
from avtool.rows import Row, Summary
from avtool.running import Run, run
from avtool.times import Time
from avtool.tool import Tool, ToolNotFound
from avtool.units import Merge, merge, unit

__all__ = [
    "AvtoolError",
    "Cost",
    "Failure",
    "Film",
    "Frame",
    "FrameFailure",
    "Identity",
    "Merge",
    "Name",
    "Piece",
    "Plan",
    "Receipt",
    "Retry",
    "Row",
    "Run",
    "Summary",
    "Time",
    "Tool",
    "ToolNotFound",
    "Unit",
    "frames_at",
    "identity",
    "iterate_frames",
    "merge",
    "plan",
    "run",
    "unit",
]
