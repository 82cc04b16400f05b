"""How often Python looks for garbage while tests run or requests go out.

What exists by then lives as long as the process, and so does nearly all that a case leaves, its records. Python
would look through all of it again and again: in a run of 5,000 cases for up to 0.2 s at a time, and nothing is
asked meanwhile.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["search_less"]

YOUNG, MIDDLE, OLD = 5_000, 10, 1_000_000
"""New objects before a search of the youngest; such searches before one of the middle; such before one of all."""


def search_less() -> Callable[[], None]:
    """Leave alone what exists, and from now on whatever outlives two searches; return what undoes the latter."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    return lambda: gc.set_threshold(*before)
