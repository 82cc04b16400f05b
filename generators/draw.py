"""Draw pictures ahead of time into a cache folder: `python -m generators.draw`.

Standard input: one JSON header line, then item ids, one a line, until the input ends. The header is

    {"edition": "v4", "seed": 0, "items_per_family": 30, "cache": folder, "copies": folder or null}

Each picture that the cache lacks is drawn and stored whole under its key; those it holds cost nothing, and several
processes may share a cache. When all are drawn, their small copies follow, where a folder for them is named. What
fails for one item is one line on standard error, and the next item follows. Exit status: 0 at the end of the
input, 1 when the cache cannot be written, 2 for a bad header.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from generators.errors import PictureError
from generators.pictures import PictureCache, copy_key, small_copy
from generators.plotchain import PlotChainSource
from generators.plotchain.pictures import dedicate_process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TextIO

    from generators.items import Item, JsonValue

__all__ = ["copy_drawn", "draw_requested", "main"]


def main(requests: TextIO, errors: TextIO) -> int:
    """Serve one input to its end and return the exit status."""
    try:
        header = _header(requests.readline())
        source = _source(header)
    except (TypeError, ValueError) as error:
        print(f"generators.draw: unusable header: {error}", file=errors)
        return 2
    cache = PictureCache(Path(str(header["cache"])))
    try:
        drawn = draw_requested(requests, lambda item_id: source.item(source.case(item_id)), cache, errors)
        if isinstance(header.get("copies"), str):
            copy_drawn(drawn, cache, PictureCache(Path(str(header["copies"]))))
    except OSError as error:
        print(f"generators.draw: cannot write the cache {header['cache']!r}: {error.strerror}", file=errors)
        return 1
    return 0


def draw_requested(
    ids: Iterable[str], find: Callable[[str], Item], cache: PictureCache, errors: TextIO
) -> list[str]:
    """Draw the pictures that the cache lacks, in the order asked for, and return their keys.

    Blank lines are skipped; of an unknown item `find` raises KeyError.

    Raises:
        OSError: the cache cannot be written.
    """
    keys = []
    for item_id in filter(None, map(str.strip, ids)):
        try:
            picture = find(item_id).picture
            if picture.key is None or cache.read(picture.key) is not None:
                continue
            png = picture.png()
        except (KeyError, PictureError) as error:
            print(f"generators.draw: {error.args[0]}", file=errors, flush=True)
            continue
        cache.write(picture.key, png)
        keys.append(picture.key)
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


def _header(line: str) -> dict[str, JsonValue]:
    given = json.loads(line)
    if not isinstance(given, dict) or not isinstance(given.get("cache"), str):
        raise TypeError(f"expected a JSON object with a folder as 'cache', got {line.strip()!r}")
    return given


def _source(header: Mapping[str, JsonValue]) -> PlotChainSource:
    edition, seed, count = (header.get(name) for name in ("edition", "seed", "items_per_family"))
    if not (isinstance(edition, str) and isinstance(seed, int) and isinstance(count, int)):
        got = f"{edition!r}, {seed!r} and {count!r}"
        raise TypeError(f"expected a text as edition, whole numbers as seed and items_per_family, got {got}")
    return PlotChainSource(edition=edition, seed=seed, items_per_family=count)


if __name__ == "__main__":
    dedicate_process()
    sys.exit(main(sys.stdin, sys.stderr))
