"""What must be computed item by item: axes, pixels and the reader's answers; on all cores, with progress."""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from PIL import Image

from bench.errors import UserError
from bench.models.reader.reading import read
from bench.suites.plotchain import score_item
from bench.validity.plotchain_v5 import v5_axes
from generators.plotchain.drawn_axes import DrawnAxes, drawn_axes
from generators.plotchain.family import Case
from generators.plotchain.registry import edition_named
from generators.plotchain.source import PlotChainSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generators.items import Item
    from generators.plotchain.family import Family
    from scorers.tolerances import Policy

__all__ = ["ItemEvidence", "Order", "PictureEvidence", "family_case", "gather", "look_at_plot", "pixels_sha256"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One item to look at; without `looks` only its axes are laid out."""

    edition: str
    seed: int
    items_per_family: int
    policy: Policy
    item_id: str
    looks: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureEvidence:
    """A picture's pixels, and whether the reader's answer passes, by field or task."""

    pixels_sha256: str
    reader: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEvidence:
    """What was found out about one plot."""

    item_id: str
    axes: DrawnAxes
    picture: PictureEvidence | None


def gather(
    work: Callable[[Any], Any], orders: Sequence[Any], *, say: Callable[[str], None], what: str
) -> list[Any]:
    """Do the work for every order in as many processes as there are cores; results in the orders' order.

    Args:
        work: a function of a module, which a fresh process can import.
        orders: its arguments.
        say: gets a line of progress every few seconds.
        what: what is being done, for that line.

    Raises:
        UserError: a process ended before its work was done.
    """
    pool = ProcessPoolExecutor(
        max_workers=min(os.cpu_count() or 1, len(orders) or 1),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_leave_interrupts,
    )
    try:
        return list(_with_progress(pool.map(work, orders, chunksize=4), len(orders), say=say, what=what))
    except BrokenProcessPool:
        raise UserError(f"{what}: a process ended before its work was done; is there memory enough?") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Let the parent alone react to Ctrl-C: it ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_SAY_EVERY_S = 5.0


def _with_progress(results: Iterable[Any], count: int, *, say: Callable[[str], None], what: str) -> Iterator[Any]:
    began = said = time.monotonic()
    for number, result in enumerate(results, start=1):
        now = time.monotonic()
        if number == count or now - said >= _SAY_EVERY_S:
            said = now
            say(f"{what}: {number} of {count}, {now - began:.0f} s")
        yield result


def look_at_plot(order: Order) -> ItemEvidence:
    """Lay out one plot's axes and, if asked, draw it, hash its pixels and let the reader answer it."""
    source = _source(order.edition, order.seed, order.items_per_family)
    item = source.item(source.case(order.item_id))
    family, case = family_case(item, order.edition)
    axes = v5_axes(family, case.params) if order.edition == "v5" else drawn_axes(family, case)
    return ItemEvidence(item_id=item.id, axes=axes, picture=_seen(item, order.policy) if order.looks else None)


@cache
def _source(edition: str, seed: int, items_per_family: int) -> PlotChainSource:
    return PlotChainSource(edition=edition, seed=seed, items_per_family=items_per_family)


def family_case(item: Item, edition: str) -> tuple[Family[Any], Case[Any]]:
    """Return the family of an item and the case that it was made from."""
    family = edition_named(edition).family(item.family)
    generation: Any = item.extra["generation"]
    difficulty = generation["difficulty"]
    return family, Case(params=family.restore(item.params), difficulty=difficulty, seed=generation["seed"])


def _seen(item: Item, policy: Policy) -> PictureEvidence:
    picture = item.picture.png()
    outcome = read(picture, item.prompt)
    score = score_item(item, outcome.text if outcome.answered else None, policy=policy)
    return PictureEvidence(
        pixels_sha256=pixels_sha256(picture), reader={row.field: row.passed for row in score.fields}
    )


def pixels_sha256(picture: bytes) -> str:
    """Return the SHA-256 of a picture's size and decoded pixels."""
    with Image.open(io.BytesIO(picture)) as opened:
        rgb = opened.convert("RGB")
    return hashlib.sha256(f"{rgb.size}".encode() + rgb.tobytes()).hexdigest()
