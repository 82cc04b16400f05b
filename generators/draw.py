"""Draw pictures ahead of time into a cache folder: `python -m generators.draw`.

Standard input: one JSON header line, then item ids, one a line, until the input ends. The header is

    {"catalog": path or null, "edition": "v4", "seed": 0, "items_per_family": 30, "cache": folder,
     "copies": folder or null}

Items come from the catalogue (see `generators.plotchain.loader`) when there is one, else from the seed.
Each picture that the cache lacks is drawn and stored whole under its key; those it holds cost nothing, and
several workers may share a cache. When all are drawn, their small copies follow, where a
folder for them is named. What fails for one item is one line on standard error, and the next item
follows. Exit status: 0 at the end of the input, 1 when the cache cannot be written, 2 for a bad header.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from generators.errors import ItemDataError, PictureError
from generators.pictures import PictureCache
from generators.plotchain import PlotChainSource, load_catalog
from generators.plotchain.drawn import dedicate_process
from generators.small_copy import copy_key, small_copy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TextIO

    from generators.items import Item, JsonValue

    Find = Callable[[str], Item]

__all__ = ["copy_drawn", "draw_requested", "main"]

_DEFAULTS: Mapping[str, JsonValue] = {
    "catalog": None,
    "copies": None,
    "edition": "v4",
    "seed": 0,
    "items_per_family": 30,
}


def main(requests: TextIO, errors: TextIO) -> int:
    """Serve one input to its end and return the exit status."""
    try:
        header = _header(requests.readline())
        find = _finder(header)
    except (KeyError, TypeError, ValueError) as error:
        print(f"generators.draw: unusable header: {error}", file=errors)
        return 2
    cache = PictureCache(Path(str(header["cache"])))
    try:
        drawn = draw_requested(requests, find, cache, errors)
        if isinstance(header["copies"], str):
            copy_drawn(drawn, cache, PictureCache(Path(header["copies"])))
    except OSError as error:
        print(f"generators.draw: cannot write the cache {header['cache']!r}: {error.strerror}", file=errors)
        return 1
    return 0


def draw_requested(ids: Iterable[str], find: Find, cache: PictureCache, errors: TextIO) -> list[str]:
    """Draw the pictures that the cache lacks, in the order asked for, and return their keys.

    Blank lines are skipped.

    Raises:
        OSError: the cache cannot be written.
    """
    keys = []
    for item_id in filter(None, map(str.strip, ids)):
        try:
            item = find(item_id)
            drawn = _missing_picture(item, cache)
        except (KeyError, PictureError) as error:
            print(f"generators.draw: {error.args[0]}", file=errors, flush=True)
            continue
        if drawn is not None:
            cache.write(*drawn)
            keys.append(drawn[0])
    return keys


def copy_drawn(keys: Iterable[str], cache: PictureCache, copies: PictureCache) -> None:
    """Make the small copies of pictures in the cache.

    Raises:
        OSError: the folder of copies cannot be written.
    """
    for key in keys:
        png = cache.read(key)
        if png is not None:
            copies.write(copy_key(key), small_copy(png))


def _missing_picture(item: Item, cache: PictureCache) -> tuple[str, bytes] | None:
    key = item.picture.key
    if key is None or cache.read(key) is not None:
        return None
    return key, item.picture.png()


def _header(line: str) -> dict[str, JsonValue]:
    given = json.loads(line)
    if not isinstance(given, dict) or not isinstance(given.get("cache"), str):
        raise TypeError(f"expected a JSON object with a folder as 'cache', got {line.strip()!r}")
    return {**_DEFAULTS, **given}


def _finder(header: Mapping[str, JsonValue]) -> Find:
    catalog = header["catalog"]
    if isinstance(catalog, str):
        return _find_in({item.id: item for item in load_catalog(Path(catalog))})
    seed, count = header["seed"], header["items_per_family"]
    if not isinstance(seed, int) or not isinstance(count, int):
        raise ItemDataError(f"expected whole numbers as seed and items_per_family, got {seed!r}, {count!r}")
    source = PlotChainSource(edition=str(header["edition"]), seed=seed, items_per_family=count)
    return lambda item_id: source.item(source.case(item_id))


def _find_in(items: Mapping[str, Item]) -> Find:
    def find(item_id: str) -> Item:
        if item_id not in items:
            raise KeyError(f"no item {item_id!r} in the catalogue of {len(items)}")
        return items[item_id]

    return find


if __name__ == "__main__":
    dedicate_process()
    sys.exit(main(sys.stdin, sys.stderr))
