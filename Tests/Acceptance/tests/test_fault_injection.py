"""Lets one system call of a job fail, the first, the second and so on, and checks what it leaves.

Each run tries some faults of some jobs; `-m slow` tries 60 of each kind of each job.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from acceptance.fault_jobs import JOBS, Bench, Job, Tally
from acceptance.fault_shim import FAMILIES, FAT, FUSE, HALF, NFS, Fault, sample

FAULTS = [
    *[Fault("read", error) for error in ("EIO", HALF, "EINTR")],
    *[Fault("write", error) for error in ("ENOSPC", "EIO", HALF, "EINTR")],
    *[Fault("copy", error) for error in ("EIO", "ENOSPC", HALF)],
    Fault("sync", "EIO"),
    *[Fault("link", error) for error in ("EIO", "EACCES")],
    Fault("rename", "EIO"),
    Fault("unlink", "EACCES"),
    Fault("mkdir", "ENOSPC"),
    *[Fault("open", error) for error in ("EMFILE", "EACCES")],
    Fault("truncate", "EIO"),
    *[Fault("reserve", error) for error in ("ENOSPC", "EOPNOTSUPP")],
    Fault("status", "EIO"),
    Fault("list", "EIO"),
    Fault("map", "ENOMEM"),
    Fault("allocate", "ENOMEM"),
    Fault("large", "ENOMEM"),
    Fault("thread", "EAGAIN"),
]
# libdispatch waits for threads, and for its own small allocations, until there are some.
LASTING = [
    Fault(family, error, lasts=True)
    for family, error in [
        ("read", "EIO"), ("write", "ENOSPC"), ("write", "EIO"), ("copy", "EIO"), ("sync", "EIO"), ("link", "EIO"),
        ("rename", "EIO"), ("unlink", "EACCES"), ("mkdir", "ENOSPC"), ("open", "EMFILE"), ("truncate", "EIO"),
        ("reserve", "ENOSPC"), ("status", "EIO"), ("list", "EIO"), ("map", "ENOMEM"), ("large", "ENOMEM"),
    ]
]  # fmt: skip
ON_POOR_DISKS = [
    Fault(family, error, without=without)
    for without in (FAT, NFS, FUSE)
    for family, error in [
        ("read", "EIO"), ("write", "ENOSPC"), ("write", HALF), ("sync", "EIO"), ("rename", "EIO"), ("unlink", "EACCES"),
        ("open", "EMFILE"), ("truncate", "EIO"), ("status", "EIO"), ("allocate", "ENOMEM"),
    ]
]  # fmt: skip

# By job and family.
KNOWN = {
    ("sheet", "open"): "a defect: a source whose version cannot be told goes into the sheet's mark without it",
    ("sheet", "thread"): "GLib ends the process where Pango gets no thread for Fontconfig",
    ("mkv to mp4", "allocate"): "a defect: FFmpeg leaves out what it has no memory for, and not all of it is noticed",
    ("info", "large"): "FFmpeg goes on without what it finds no memory for, and says nothing",
    ("info of mkv", "large"): "FFmpeg goes on without what it finds no memory for, and says nothing",
}

Measure = Callable[[str, object], None]


def run_through(bench: Bench, faults: list[Fault], most: int, measure: Measure) -> None:
    tally = Tally()
    for fault in faults:
        for number in sample(bench.calls(fault), most // 3 if fault.is_harmless or fault.without else most):
            bench.disturb(fault, number, tally)
    measure("cases", tally.cases)
    measure("survived", tally.survived)
    measure("refused", tally.refused)
    measure("late", tally.late)
    measure("died", tally.died)
    measure("longest", f"{tally.longest:.2f}")
    measure("codes", " ".join(f"{code}:{count}" for code, count in sorted(tally.codes.items())))
    measure("problems", len(tally.problems))
    assert not tally.problems, "\n".join([f"{len(tally.problems)} of {tally.cases} runs", *tally.problems[:20]])


def test_nothing_happens_to_others() -> None:
    """The shim leaves programs of other names alone, and samples are of what was asked for."""
    assert sample(5, 60) == [1, 2, 3, 4, 5]
    assert len(sample(10_000, 60)) == 60 and {1, 2, 9_999, 10_000} <= set(sample(10_000, 60))
    assert sample(0, 60) == []


# The shim's variables and its counts do not reach the worker, which gets no environment but that of libraries and
# writes no file: what fails so is the calls of avtool itself, which make few of them.
@pytest.mark.slow
@pytest.mark.parametrize("job", [job for job in JOBS if job.is_quick], ids=lambda job: job.name)
def test_some_faults(job: Job, tmp_path: Path, request: pytest.FixtureRequest, record_property: Measure) -> None:
    on_poor_disks = [Fault("write", "ENOSPC", without=without) for without in (FAT, NFS, FUSE)]
    bench = Bench(job, tmp_path, request.config.getoption("--process"))
    assert request.config.getoption("--process") or bench.calls(Fault("read", "EIO")), "no read was seen"
    run_through(bench, [*FAULTS, *on_poor_disks], 2, record_property)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("family", [family for family in FAMILIES if any(f.family == family for f in FAULTS)])
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_all_faults(
    job: Job, family: str, tmp_path: Path, request: pytest.FixtureRequest, record_property: Measure
) -> None:
    if reason := KNOWN.get((job.name, family)):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=False))
    faults = [fault for fault in [*FAULTS, *LASTING, *ON_POOR_DISKS] if fault.family == family]
    bench = Bench(job, tmp_path, request.config.getoption("--process"))
    run_through(bench, faults, int(request.config.getoption("--failures")), record_property)
