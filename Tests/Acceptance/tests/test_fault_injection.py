"""Lets one system call of a job fail, the first, the second and so on, and checks what it leaves.

The calls are those of avtool, of its worker, and of the worker's copies. Each run tries some faults of some jobs;
`-m slow` tries 60 of each kind in each process of each job.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from acceptance.fault_jobs import JOBS, Bench, Job, Tally
from acceptance.fault_shim import FAMILIES, FAT, FUSE, HALF, NFS, PROCESSES, Fault, sample

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
    *[Fault("send", error) for error in ("EPIPE", "ENOBUFS", HALF, "EINTR")],
    *[Fault("receive", error) for error in ("ECONNRESET", "ENOMEM", HALF, "EINTR")],
    Fault("process", "EAGAIN"),
]
# libdispatch waits for threads, and for its own small allocations, until there are some.
LASTING = [
    Fault(family, error, lasts=True)
    for family, error in [
        ("read", "EIO"), ("write", "ENOSPC"), ("write", "EIO"), ("copy", "EIO"), ("sync", "EIO"), ("link", "EIO"),
        ("rename", "EIO"), ("unlink", "EACCES"), ("mkdir", "ENOSPC"), ("open", "EMFILE"), ("truncate", "EIO"),
        ("reserve", "ENOSPC"), ("status", "EIO"), ("list", "EIO"), ("map", "ENOMEM"), ("large", "ENOMEM"),
        ("send", "EPIPE"), ("receive", "ENOMEM"), ("process", "EAGAIN"),
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
    ("info", "status"): "a defect: a size that the system does not tell is left out, and nothing is said",
    ("info of mkv", "status"): "a defect: a size that the system does not tell is left out, and nothing is said",
    ("info", "large"): "FFmpeg goes on without what it finds no memory for, and says nothing",
    ("info of mkv", "large"): "FFmpeg goes on without what it finds no memory for, and says nothing",
}

Measure = Callable[[str, object], None]


Case = tuple[str, Fault, int]


def cases(bench: Bench, faults: list[Fault], processes: Sequence[str], most: int) -> list[Case]:
    """Up to so many of the calls that can fail, of each process and with each fault."""
    return [
        (process, fault, number)
        for process in processes
        for fault in faults
        for number in sample(
            bench.calls(fault, process), most // 3 if fault.is_harmless or fault.without else most
        )
    ]  # fmt: skip


def run_through(bench: Bench, chosen: list[Case], measure: Measure) -> None:
    tally = Tally()
    for process, fault, number in chosen:
        bench.disturb(fault, number, process, tally)
    for name in ("cases", "survived", "refused", "late", "died", "partial"):
        measure(name, getattr(tally, name))
    measure("longest", f"{tally.longest:.2f}")
    measure("memory", f"{tally.memory / 1e6:.0f}")
    measure("codes", " ".join(f"{code}:{count}" for code, count in sorted(tally.codes.items())))
    measure("problems", len(tally.problems))
    assert not tally.problems, "\n".join([f"{len(tally.problems)} of {tally.cases} runs", *tally.problems[:20]])


def wanted(request: pytest.FixtureRequest) -> Sequence[str]:
    return [request.config.getoption("--process")] if request.config.getoption("--process") else PROCESSES


def test_nothing_happens_to_others() -> None:
    """The shim leaves programs of other names alone, and samples are of what was asked for."""
    assert sample(5, 60) == [1, 2, 3, 4, 5]
    assert len(sample(10_000, 60)) == 60 and {1, 2, 9_999, 10_000} <= set(sample(10_000, 60))
    assert sample(0, 60) == []


SANDBOXES = ("auto", "off")
QUICK = [job for job in JOBS if job.is_quick]
SOME = 30


@pytest.mark.parametrize("job", QUICK, ids=lambda job: job.name)
def test_some_faults(job: Job, tmp_path: Path, request: pytest.FixtureRequest, record_property: Measure) -> None:
    """Some of all faults, of each job others."""
    turn = QUICK.index(job)
    bench = Bench(job, tmp_path, SANDBOXES[turn % 2])
    for process, family in [("front", "status"), ("worker", "receive"), ("copy", "allocate")]:
        assert bench.calls(Fault(family, "EIO"), process), f"no {family} of {process} was seen"
    on_poor_disks = [Fault("write", "ENOSPC", without=(FAT, NFS, FUSE)[turn % 3])]
    chosen = cases(bench, [*FAULTS, *LASTING, *on_poor_disks], wanted(request), 3)
    step = max(1, len(chosen) // SOME)
    run_through(bench, chosen[turn % step :: step], record_property)


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
    bench = Bench(job, tmp_path)
    run_through(
        bench, cases(bench, faults, wanted(request), int(request.config.getoption("--failures"))), record_property
    )
