"""Garbage is searched for less while tests run, and as before afterwards."""

from __future__ import annotations

import gc

from bench.garbage import OLD, search_less


class Loop:
    """Refers to itself: only a search frees it."""

    freed = 0

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        Loop.freed += 1


def test_all_objects_are_searched_only_after_a_very_long_time_and_as_before_in_the_end() -> None:
    before = gc.get_threshold()
    undo = search_less()
    try:
        assert gc.get_threshold()[2] == OLD
    finally:
        undo()
        gc.unfreeze()
    assert gc.get_threshold() == before


def test_young_garbage_is_still_freed() -> None:
    undo = search_less()
    Loop.freed = 0
    try:
        for _ in range(50_000):
            Loop()
        assert Loop.freed > 40_000
    finally:
        undo()
        gc.unfreeze()
