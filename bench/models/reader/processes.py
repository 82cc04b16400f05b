"""One process that reads pictures for its parent; bounded in time, and gone when the parent is."""

from __future__ import annotations

import asyncio
import json
import os
import struct
import sys
from asyncio.subprocess import DEVNULL, PIPE
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.frames import read_frame

if TYPE_CHECKING:
    from asyncio.subprocess import Process

__all__ = ["LONGEST_READ_S", "Reading", "ReadingFault", "ReadingProcess"]

LONGEST_READ_S = 60.0
ENDING_S = 2.0
ROOT = Path(__file__).resolve().parents[3]


class ReadingFault(Exception):  # noqa: N818 - a fault is not the asker's error
    """The process gave no reading: it failed, died or took too long; the message is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read: the text of the reply, or with `answered` false why there is none; CPU seconds it took."""

    answered: bool
    text: str
    seconds: float


class ReadingProcess:
    """Starts the process with the first picture, and a new one after one that had to be ended.

    Requests and replies are frames on its standard streams: lengths as big-endian 32-bit integers, then bytes.
    """

    def __init__(self, *, longest_read_s: float = LONGEST_READ_S) -> None:
        self._process: Process | None = None
        self._longest_read_s = longest_read_s

    async def read(self, picture: bytes, prompt: str) -> Reading:
        """Return what the process reads.

        Raises:
            ReadingFault: it failed on the picture, died, or was ended after the longest time a read may take.
        """
        try:
            answer = await asyncio.wait_for(self._exchange(picture, prompt.encode()), self._longest_read_s)
        except TimeoutError:
            await self.close(at_once=True)
            raise ReadingFault(f"gave up on a picture after {self._longest_read_s:g} s") from None
        except (OSError, EOFError, ValueError) as error:
            await self.close(at_once=True)
            raise ReadingFault("its process ended while reading (out of memory?)") from error
        except BaseException:
            await self.close(at_once=True)  # half an exchange must not be taken for the next one's reply
            raise
        if "fault" in answer:
            raise ReadingFault(str(answer["fault"]))
        return Reading(answered=answer["answered"], text=answer["text"], seconds=answer["seconds"])

    async def close(self, *, at_once: bool = False) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        if at_once or process.stdin is None:
            process.kill()
        else:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), ENDING_S)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _exchange(self, picture: bytes, prompt: bytes) -> dict[str, Any]:
        process = self._process or await self._start()
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise EOFError
        stdin.write(struct.pack(">II", len(prompt), len(picture)) + prompt + picture)
        await stdin.drain()
        answer: dict[str, Any] = json.loads(await read_frame(stdout))
        return answer

    async def _start(self) -> Process:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bench.models.reader.worker",
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            cwd=ROOT,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C is the parent's business, which then closes this process
        )
        return self._process
