"""Pictures on disk: each is drawn once, ahead of the tests that need it, by processes that do nothing else.

The processes that run tests never import a drawing library when many pictures are missing: eight workers on
two cores would pay for it eight times.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cached_property
from itertools import chain, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from generators.errors import PictureError
from generators.pictures import PictureCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from generators.items import Item

__all__ = ["DRAWN_AHEAD", "DrawingAhead", "Pictures"]

POLL_S = 0.02
BREATH_S = 0.004
LOOKS_IN_A_BREATH = 8
WORTH_A_PROCESS = 8
COPIES = "pictures-small"  # the report's, beside the pictures
DRAWN_AHEAD = frozenset({"plotchain"})  # dot images take milliseconds and no drawing library
ROOT = Path(__file__).resolve().parents[2]


class Pictures:
    """Gives an item's PNG bytes: from the cache, from the processes drawing ahead, or drawn here.

    `drawing` is the file that exists while another process is drawing into the same cache.
    """

    def __init__(self, folder: Path, *, drawing: Path) -> None:
        self._cache = PictureCache(folder)
        self.copies = PictureCache(folder.with_name(COPIES))
        self._drawing = drawing
        self._one_at_a_time = threading.Lock()

    def png(self, item: Item) -> bytes:
        """Return the picture's bytes; blocks while it is being drawn elsewhere.

        Raises:
            PictureError: it cannot be drawn or read.
        """
        key = item.picture.key
        if key is None:
            return item.picture.png()
        if item.suite in DRAWN_AHEAD:
            self._wait_for(key)
        return self._cache.read(key) or self._draw(item, key)

    def at_hand(self, item: Item) -> bytes | None:
        """Return the picture's bytes where the cache holds it, at the price of reading one file."""
        key = item.picture.key
        return None if key is None else self._cache.read(key)

    def without_drawing(self, item: Item) -> bytes | None:
        """Return the picture's bytes from its file or the cache; None where it would have to be drawn."""
        if item.picture.key is not None:
            return self.at_hand(item)
        try:
            return item.picture.png()
        except PictureError:
            return None

    def is_missing(self, item: Item) -> bool:
        """Whether the picture would have to be drawn; what was there when this was first asked counts as there."""
        key = item.picture.key
        return key is not None and key not in self._there_at_first and not self._cache.holds(key)

    @cached_property
    def _there_at_first(self) -> frozenset[str]:
        """What the cache held: to list it once costs less than to look for each of thousands."""
        return self._cache.keys()

    def _wait_for(self, key: str) -> None:
        while not self._cache.holds(key) and self._drawing.exists():
            time.sleep(POLL_S)

    def _draw(self, item: Item, key: str) -> bytes:
        # Matplotlib's settings are global to the process: two threads must not draw at once.
        with self._one_at_a_time:
            content = self._cache.read(key) or item.picture.png()
            self._cache.write(key, content)
        return content


class DrawingAhead:
    """Draws pictures in as many processes as there are cores, while tests already run.

    The marker file stands as long as pictures may still appear; whoever waits for one stops waiting, and
    draws for himself, when it is gone. `header` is what `python -m generators.draw` needs to find items.
    """

    def __init__(self, marker: Path, header: Mapping[str, object]) -> None:
        self.marker = marker
        self._header = dict(header)
        self._processes: list[subprocess.Popen[str]] = []
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()

    def announce(self) -> None:
        """Set the marker before anyone can wait for it."""
        self.marker.parent.mkdir(parents=True, exist_ok=True)
        self.marker.touch()

    def start(self, item_ids: Sequence[str], is_missing: Callable[[str], bool]) -> None:
        """Draw those of the items' pictures that are missing, the first ones first; leave few to who needs them.

        They are looked for in the background, without haste where they are there: making 5,000 items in order
        to know it keeps this process from all else for a second.
        """
        self.announce()
        self._thread = threading.Thread(target=self._draw, args=(item_ids, is_missing), daemon=True)
        self._thread.start()

    def finish(self) -> None:
        """End the drawing processes that this object started and remove the marker; repeatable."""
        self._ended.set()
        self._terminate()  # whoever feeds them must not wait for them
        if self._thread is not None:
            self._thread.join()
        self._terminate()
        for process in self._processes:
            process.wait()
        self.marker.unlink(missing_ok=True)

    def _terminate(self) -> None:
        for process in list(self._processes):
            if process.poll() is None:
                process.terminate()

    def _draw(self, item_ids: Sequence[str], is_missing: Callable[[str], bool]) -> None:
        try:
            self._feed(self._missing(item_ids, is_missing))
            if self._ended.is_set():
                self._terminate()
            for process in self._processes:
                _close_input(process)
            for process in self._processes:
                process.wait()
        finally:
            self.marker.unlink(missing_ok=True)

    def _missing(self, item_ids: Sequence[str], is_missing: Callable[[str], bool]) -> Iterator[str]:
        found = False
        for number, item_id in enumerate(item_ids, start=1):
            if self._ended.is_set():
                return
            if is_missing(item_id):
                found = True
                yield item_id
            elif not found and number % LOOKS_IN_A_BREATH == 0:
                time.sleep(BREATH_S)  # where one is missing, somebody may wait to learn that he has to draw it

    def _feed(self, item_ids: Iterator[str]) -> None:
        first = list(islice(item_ids, WORTH_A_PROCESS))
        if len(first) < WORTH_A_PROCESS or self._ended.is_set():
            return
        try:
            self._processes.extend(self._spawn() for _ in range(os.cpu_count() or 1))
        except OSError:
            return  # whoever needs a picture draws it
        for process, item_id in zip(cycle(self._processes), chain(first, item_ids), strict=False):
            _say(process, item_id)

    def _spawn(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "generators.draw"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
        )
        _say(process, json.dumps(self._header))
        return process


def _say(process: subprocess.Popen[str], line: str) -> None:
    """Write a line to a process; one that has ended already is met by who needs its pictures, and draws them."""
    if process.stdin is not None:
        with suppress(BrokenPipeError):
            process.stdin.write(f"{line}\n")
            process.stdin.flush()


def _close_input(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        with suppress(BrokenPipeError):
            process.stdin.close()
