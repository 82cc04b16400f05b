"""Reading a picture, here or in a process of its own: a picture that kills or stalls the process costs one answer.

The process is `python -m bench.models.reader.reading`: a JSON object a line on its standard streams. A pool of
`concurrent.futures` would not do: before Python 3.14 it has no public way to end one process, it loads the
parent's main module again in each, and its processes outlive a parent that was killed.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.models.reader.dots import parse_question

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from typing import BinaryIO

__all__ = ["PictureAnswer", "ReadingFailedError", "ReadingProcess", "read", "serve"]

LONGEST_READ_S = 60.0
ENDING_S = 2.0
MEMORY_BYTES = 3 * 2**30
LONGEST_LINE_BYTES = 2**24
ROOT = Path(__file__).resolve().parents[3]
_FIELD_LINE = re.compile(r'^\s*"(\w{1,80})": <number or null>', flags=re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureAnswer:
    """The text of a reply; with `answered` false it says why there is no answer. `cpu_s`: seconds it took."""

    answered: bool
    text: str
    cpu_s: float


def read(picture: bytes, prompt: str) -> PictureAnswer:
    """Answer a prompt about a picture, in the form that the prompt asks for; its text alone decides what is read.

    Accepted are prompts that ask for numbers of a plot as JSON (PNG or JPEG bytes), and those about spots (PNG).
    Everything else is refused in one sentence, and so is a picture that cannot be decoded.
    """
    started = time.process_time()
    answered, text = _answer(picture, prompt)
    return PictureAnswer(answered=answered, text=text, cpu_s=time.process_time() - started)


def _answer(picture: bytes, prompt: str) -> tuple[bool, str]:
    """Return whether there is an answer, and the text; libraries are imported where they are used."""
    if fields := tuple(dict.fromkeys(_FIELD_LINE.findall(prompt))):
        from bench.models.reader.picture import UnreadablePictureError  # noqa: PLC0415
        from bench.models.reader.plots.answer import answer_plot  # noqa: PLC0415

        try:
            return True, answer_plot(picture, prompt, fields)
        except UnreadablePictureError as error:
            return False, f"The picture cannot be read: {error}."
    if parse_question(prompt) is None:
        return False, "This reader measures plots and spots; it does not reason, and answers no other question."
    from bench.models.reader.dots.answer import NO_ANSWER, answer_dots  # noqa: PLC0415

    text = answer_dots(picture, prompt)
    return not text.startswith(NO_ANSWER), text


class ReadingFailedError(Exception):
    """The process gave no answer: it failed, died or took too long; the message is one line."""


class ReadingProcess:
    """A process that reads one picture after the other.

    It is started with the first picture, and again after it had to be ended; it ends with its parent.
    """

    def __init__(self, *, longest_read_s: float = LONGEST_READ_S) -> None:
        self._process: Process | None = None
        self._longest_read_s = longest_read_s

    async def read(self, picture: bytes, prompt: str) -> PictureAnswer:
        """Return what the process answers.

        Raises:
            ReadingFailedError: it failed on the picture, died, or was ended as it took too long.
        """
        try:
            answer = await asyncio.wait_for(self._exchange(picture, prompt), self._longest_read_s)
        except TimeoutError:
            await self.close(at_once=True)
            raise ReadingFailedError(f"gave up on a picture after {self._longest_read_s:g} s") from None
        except (OSError, EOFError, ValueError) as error:
            await self.close(at_once=True)
            raise ReadingFailedError("its process ended while reading (out of memory?)") from error
        except BaseException:
            await self.close(at_once=True)  # half an exchange must not be taken for the next one's answer
            raise
        if "fault" in answer:
            raise ReadingFailedError(str(answer["fault"]))
        return PictureAnswer(**answer)

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

    async def _exchange(self, picture: bytes, prompt: str) -> dict[str, Any]:
        process = self._process or await self._start()
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise EOFError
        request = {"picture": base64.b64encode(picture).decode(), "prompt": prompt}
        stdin.write(json.dumps(request).encode() + b"\n")
        await stdin.drain()
        answer: dict[str, Any] = json.loads(await stdout.readline())
        return answer

    async def _start(self) -> Process:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bench.models.reader.reading",
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LONGEST_LINE_BYTES,
            cwd=ROOT,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C is the parent's business, which then closes this process
        )
        return self._process


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until they end: lines `{"picture", "prompt"}`, the picture in base64.

    An answer is a line with the fields of PictureAnswer, or `{"fault"}`, one line of text.
    """
    for line in requests:
        request = json.loads(line)
        try:
            answer = asdict(read(base64.b64decode(request["picture"]), request["prompt"]))
        except Exception as error:  # noqa: BLE001 - one line to the parent, whatever it is
            answer = {"fault": f"{type(error).__name__} while reading a picture: {error}".splitlines()[0]}
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _bound_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))


if __name__ == "__main__":
    _bound_memory()
    real_stdout, sys.stdout = sys.stdout, sys.stderr  # nothing but answers is written to standard output
    serve(sys.stdin.buffer, real_stdout.buffer)
