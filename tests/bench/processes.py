"""Processes that run a module as `python -m` does, forked where its imports stand ready: in half of the time."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import sys
import tempfile
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_RUN_S = 120
FORKED = multiprocessing.get_context("forkserver")
READY = "pytest numpy.random bench.run bench.leaderboard bench.report.rendering bench.suites.plotchain"
FORKED.set_forkserver_preload(READY.split(" "))  # no plugins: pytest wants to import them itself


def run_module(*words: object, cwd: Path, env: Mapping[str, str]) -> CompletedProcess[str]:
    """Run `python -m WORDS` to its end; one that does not end is killed and fails the test."""
    arguments = [str(word) for word in words]
    with tempfile.TemporaryDirectory() as folder:
        process = FORKED.Process(target=_as_main, args=(arguments, cwd, dict(env), Path(folder)))
        process.start()
        process.join(LONGEST_RUN_S)
        in_time = process.exitcode is not None
        if process.pid and not in_time:
            os.killpg(process.pid, signal.SIGKILL)
            process.join()
        out, err = (Path(folder, name).read_text("utf-8") for name in ("stdout", "stderr"))
        done = CompletedProcess(arguments, process.exitcode or 0, out, err)
        process.close()
    assert in_time, f"the run did not end in {LONGEST_RUN_S} s; it printed:\n{out}\n{err}"
    return done


def _as_main(arguments: list[str], cwd: Path, env: dict[str, str], folder: Path) -> None:
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    tempfile.tempdir = None
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = (folder / name).open("w", encoding="utf-8")
        os.dup2(file.fileno(), number)
        setattr(sys, name, file)
    sys.path.insert(0, str(cwd))
    sys.argv[1:] = arguments[1:]
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
