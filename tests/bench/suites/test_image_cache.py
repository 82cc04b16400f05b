"""Drawing ahead of the tests: what is missing is drawn by other processes, and nobody waits for ever."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from bench.suites.image_cache import WORTH_A_PROCESS, DrawingAhead, Pictures
from generators.pictures import PictureCache
from generators.plotchain import PlotChainSource
from tests.bench import waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from generators.items import Item

SOURCE = PlotChainSource(edition="v4", seed=5, items_per_family=1)
ITEMS = {case.id: SOURCE.item(case) for case in SOURCE.cases}
PATIENCE_S = 60.0
until = partial(waiting.until, patience_s=PATIENCE_S)


def key_of(item: Item) -> str:
    assert item.picture.key is not None
    return item.picture.key


@pytest.fixture
def cache(tmp_path: Path) -> PictureCache:
    return PictureCache(tmp_path / "pictures")


@pytest.fixture
def ahead(tmp_path: Path, cache: PictureCache) -> Iterator[DrawingAhead]:
    header = {"edition": "v4", "seed": 5, "items_per_family": 1, "cache": str(cache.folder)}
    drawing = DrawingAhead(tmp_path / "run" / "drawing", header)
    yield drawing
    drawing.finish()


def is_missing(cache: PictureCache) -> Callable[[str], bool]:
    return lambda item_id: not cache.holds(key_of(ITEMS[item_id]))


def test_missing_pictures_are_drawn_by_other_processes_and_the_marker_goes(
    ahead: DrawingAhead, cache: PictureCache
) -> None:
    first, *missing = ITEMS.values()
    cache.write(key_of(first), first.picture.png())
    ahead.start(tuple(ITEMS), is_missing(cache))
    assert ahead.marker.exists()
    until(lambda: not ahead.marker.exists())
    drawn = [cache.read(key_of(item)) for item in missing]
    assert drawn == [item.picture.png() for item in missing]


def test_few_missing_pictures_are_left_to_whoever_needs_them(ahead: DrawingAhead, cache: PictureCache) -> None:
    few = tuple(ITEMS)[: WORTH_A_PROCESS - 1]
    ahead.start(few, is_missing(cache))
    until(lambda: not ahead.marker.exists())
    assert not cache.folder.exists()
    waiting = Pictures(cache.folder, drawing=ahead.marker)
    assert waiting.png(ITEMS[few[0]]) == ITEMS[few[0]].picture.png()


def test_a_picture_is_missing_until_it_was_drawn_by_whomever(tmp_path: Path, cache: PictureCache) -> None:
    pictures = Pictures(cache.folder, drawing=tmp_path / "drawing")
    before, later, missing = list(ITEMS.values())[:3]
    cache.write(key_of(before), b"a picture")
    assert not pictures.is_missing(before)
    assert pictures.is_missing(later)
    cache.write(key_of(later), b"a picture")
    assert not pictures.is_missing(later)
    assert pictures.is_missing(missing)


def test_looking_for_what_is_missing_keeps_nobody_waiting(ahead: DrawingAhead) -> None:
    """A thousand looks of a millisecond take a second; to start them takes none, nor to end them."""
    looks: list[str] = []

    def look(item_id: str) -> bool:
        time.sleep(0.001)
        looks.append(item_id)
        return False

    ahead.start([str(number) for number in range(1000)], look)
    started = len(looks)
    ahead.finish()
    assert started < 100
    assert len(looks) < 1000
    assert not ahead.marker.exists()


def test_one_missing_picture_makes_the_search_hurry(
    ahead: DrawingAhead, cache: PictureCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits for it draws it himself when the search has ended."""
    monkeypatch.setattr("bench.suites.image_cache.BREATH_S", PATIENCE_S)
    missing, *others = ITEMS
    for item_id in others:
        cache.write(key_of(ITEMS[item_id]), b"a picture")
    ahead.start((missing, *others), is_missing(cache))
    until(lambda: not ahead.marker.exists())


def test_a_run_that_ends_while_pictures_are_looked_for_starts_no_process(
    ahead: DrawingAhead, cache: PictureCache
) -> None:
    looked, ended = threading.Event(), threading.Event()

    def look(_: str) -> bool:
        looked.set()
        return ended.wait(PATIENCE_S)

    ahead.start(tuple(ITEMS), look)
    assert looked.wait(PATIENCE_S)
    threading.Timer(0.1, ended.set).start()
    started = time.monotonic()
    ahead.finish()
    assert time.monotonic() - started < PATIENCE_S / 2
    assert not cache.folder.exists()


def test_the_marker_goes_where_looking_fails(ahead: DrawingAhead, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a picture must not wait for a process that will never draw it."""
    seen: list[object] = []
    monkeypatch.setattr(threading, "excepthook", seen.append)

    def fail(item_id: str) -> bool:
        raise ValueError(item_id)

    ahead.start(("one",), fail)
    until(lambda: not ahead.marker.exists())
    ahead.finish()
    assert len(seen) == 1


def test_no_process_to_be_had_leaves_drawing_to_whoever_needs_a_picture(
    ahead: DrawingAhead, cache: PictureCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("bench.suites.image_cache.subprocess.Popen", refuse)
    ahead.start(tuple(ITEMS), is_missing(cache))
    until(lambda: not ahead.marker.exists())


def test_processes_that_ended_early_are_no_fault_of_the_run(tmp_path: Path, cache: PictureCache) -> None:
    """Without a usable header they end at once; feeding thousands of items meets a closed pipe."""
    ahead = DrawingAhead(tmp_path / "drawing", {"cache": None})
    ahead.start([name for name in ITEMS for _ in range(2000)], is_missing(cache))
    until(lambda: not ahead.marker.exists())
    ahead.finish()
    assert not cache.folder.exists()


def test_ending_ends_processes_that_still_have_much_to_draw(ahead: DrawingAhead, cache: PictureCache) -> None:
    """Pipes full of names keep whoever writes them; the end waits for neither."""
    ahead.start([name for _ in range(5000) for name in ITEMS], lambda _: True)
    until(lambda: cache.folder.exists() and any(cache.folder.iterdir()))
    started = time.monotonic()
    ahead.finish()
    assert time.monotonic() - started < PATIENCE_S / 2
    assert not ahead.marker.exists()
