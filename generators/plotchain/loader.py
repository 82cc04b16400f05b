"""Items from a data set file, and from a catalogue that another process wrote.

Both are JSONL in the release format. A data set file names picture files. A catalogue is our own: each
record has the extra key `edition`, and its pictures are drawn from the parameters. Loading either imports
no NumPy: unit hints stand in family modules, which import it at first use.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from generators.errors import ItemDataError
from generators.files import FilePicture, lines_of, write_atomically
from generators.plotchain.checks import RecordFault, checked_record, parse_record, shown_field
from generators.plotchain.drawn import DrawnPicture
from generators.plotchain.family import DIFFICULTIES
from generators.plotchain.records import PlotRecord, item_from_record, item_record
from generators.plotchain.registry import EDITIONS, edition_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from generators.items import Item, JsonValue
    from generators.plotchain.registry import Edition

    Build = Callable[[PlotRecord, int, JsonValue], Item]

__all__ = ["catalog_item", "load_catalog", "load_jsonl", "write_catalog"]


def load_jsonl(path: Path, *, edition: str = "v4") -> list[Item]:
    """Load a data set file in the release format, in file order.

    Any item type and any field is allowed; one that the edition lacks has no unit hint. Pictures are read
    only when asked for, so that a missing one is that item's error alone.

    Args:
        path: the JSONL file; image paths are relative to its folder.
        edition: where unit hints come from; an item that names another edition is refused.

    Raises:
        ItemDataError: one line naming file, line number, what was expected, what came and what to do.
    """
    chosen = edition_named(edition)

    def build(record: PlotRecord, index: int, _: JsonValue) -> Item:
        _check_edition(record, chosen)
        picture = FilePicture(item_id=record.id, folder=path.parent, relative_path=record.image_path)
        return item_from_record(record, index=index, edition=chosen, picture=picture)

    return _load(path, build)


def _check_edition(record: PlotRecord, edition: Edition) -> None:
    named = record.generation.get("edition", edition.name)
    if named != edition.name:
        raise RecordFault(f"expected an item of edition {edition.name}, got one of {named!r}; choose its edition")
    asked = [name for name in (*record.final_fields, *record.checkpoint_fields) if name in record.truth]
    bare = [name for name in asked if name not in record.tolerances]
    if edition.has_own_tolerances and bare:
        raise RecordFault(
            f"expected generation.tolerances for every field of edition {edition.name}, got none for "
            f"{', '.join(map(shown_field, bare))}; add them or choose the item's edition"
        )


def write_catalog(path: Path, items: Iterable[Item]) -> bytes:
    """Write items with drawn pictures for `load_catalog`, whole or not at all; return what was written.

    Raises:
        TypeError: an item's picture is not drawn from parameters.
        OSError: the file cannot be written.
    """
    lines = [json.dumps({**item_record(item), "edition": _drawn(item).edition}) for item in items]
    content = "".join(f"{line}\n" for line in lines).encode()
    write_atomically(path, content)
    return content


def load_catalog(path: Path) -> list[Item]:
    """Load a file that `write_catalog` wrote; pictures are drawn when asked for.

    Raises:
        ItemDataError: one line naming file, line number, what was expected, what came and what to do.
    """
    return _load(path, _catalogued)


def catalog_item(line: bytes) -> Item:
    """Build the item of one line of a catalogue, for readers that need few of many.

    Raises:
        ValueError: the line is no catalogue record.
    """
    content = parse_record(line)
    record = checked_record(content)
    return _catalogued(record, _index(record, {}), content.get("edition"))


def _catalogued(record: PlotRecord, index: int, edition_name: JsonValue) -> Item:
    edition = EDITIONS.get(str(edition_name))
    if edition is None or record.family not in edition.modules:
        raise RecordFault(
            f"expected a known edition and family, got {edition_name!r} and {record.family!r}; "
            "write the catalogue anew"
        )
    seed = record.generation.get("seed")
    difficulty = next((name for name in DIFFICULTIES if name == record.difficulty), None)
    if not isinstance(seed, int) or difficulty is None:
        raise RecordFault(
            f"expected a whole seed and a known difficulty, got {seed!r} and {record.difficulty!r}; "
            "write the catalogue anew"
        )
    picture = DrawnPicture(
        item_id=record.id,
        edition=edition.name,
        family=record.family,
        params=record.params,
        difficulty=difficulty,
        seed=seed,
    )
    return item_from_record(record, index=index, edition=edition, picture=picture)


def _drawn(item: Item) -> DrawnPicture:
    if not isinstance(item.picture, DrawnPicture):
        raise TypeError(f"{item.id}: a catalogue holds drawn pictures, got {type(item.picture).__name__}")
    return item.picture


def _load(path: Path, build: Build) -> list[Item]:
    items: list[Item] = []
    line_of: dict[str, int] = {}
    counts: dict[str, int] = {}
    for number, line in lines_of(path):
        try:
            content = parse_record(line)
            record = checked_record(content)
            item = build(record, _index(record, counts), content.get("edition"))
            _claim(item.id, number, line_of)
        except RecordFault as fault:
            raise ItemDataError(f"{path}, line {number}: {fault}") from fault
        items.append(item)
    if not items:
        raise ItemDataError(f"{path}: expected at least one item, got an empty file; name another file")
    return items


def _claim(item_id: str, number: int, line_of: dict[str, int]) -> None:
    if item_id in line_of:
        raise RecordFault(
            f"expected ids that differ, got {item_id!r} here and in line {line_of[item_id]}; rename one"
        )
    line_of[item_id] = number


def _index(record: PlotRecord, counts: dict[str, int]) -> int:
    """Return the number at the end of the id, or else the running number within the item's type."""
    running = counts.get(record.family, 0)
    counts[record.family] = running + 1
    digits = re.search(r"_(\d{1,9})$", record.id, re.ASCII)
    return int(digits[1]) if digits else running
