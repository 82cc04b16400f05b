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
from pathlib import Path
from typing import TYPE_CHECKING

from generators.errors import PictureError
from generators.pictures import PictureCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generators.items import Item

__all__ = ["DRAWN_AHEAD", "DrawingAhead", "Pictures"]

POLL_S = 0.02
WORTH_A_PROCESS = 8
COPIES = "pictures-small"  # the report's, beside the pictures
DRAWN_AHEAD = frozenset({"plotchain"})  # dot images take milliseconds and no drawing library
ROOT = Path(__file__).resolve().parent.parent


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
        """Whether the picture would have to be drawn."""
        key = item.picture.key
        return key is not None and not self._cache.holds(key)

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

    def announce(self) -> None:
        """Set the marker before anyone can wait for it."""
        self.marker.parent.mkdir(parents=True, exist_ok=True)
        self.marker.touch()

    def start(self, item_ids: Iterable[str]) -> None:
        """Draw these items' pictures, the first ones first; with few, leave them to whoever needs them."""
        wanted = list(item_ids)
        if len(wanted) < WORTH_A_PROCESS:
            self.finish()
            return
        self.announce()
        count = min(os.cpu_count() or 1, len(wanted))
        self._processes = [self._spawn(wanted[start::count]) for start in range(count)]
        _in_background(self._wait_and_unmark)

    def finish(self) -> None:
        """End the drawing processes that this object started and remove the marker; repeatable."""
        for process in self._processes:
            if process.poll() is None:
                process.terminate()
        for process in self._processes:
            process.wait()
        self.marker.unlink(missing_ok=True)

    def _spawn(self, item_ids: list[str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "generators.draw"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
        )
        lines = [json.dumps(self._header), *item_ids]
        _in_background(lambda: _feed(process, "\n".join(lines) + "\n"))
        return process

    def _wait_and_unmark(self) -> None:
        for process in self._processes:
            process.wait()
        self.marker.unlink(missing_ok=True)


def _feed(process: subprocess.Popen[str], text: str) -> None:
    if process.stdin is None:
        return
    try:
        with process.stdin as stdin:
            stdin.write(text)
    except BrokenPipeError:
        pass  # it ended early; whoever needs a picture draws it and meets the reason


def _in_background(action: Callable[[], None]) -> None:
    threading.Thread(target=action, daemon=True).start()
