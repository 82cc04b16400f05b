"""An item as one JSON record of the release format, and back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from generators.items import Item
from generators.plotchain.prompt import build_prompt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.items import JsonValue, Picture
    from generators.plotchain.registry import Edition

__all__ = ["SUITE", "PlotRecord", "item_from_record", "item_line", "item_record", "unit_hints"]

SUITE = "plotchain"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotRecord:
    """One record of the release format; `generation` holds seed, difficulty, field lists and data range.

    `tolerances` are the item's own, by field: plotread, strict.
    """

    id: str
    family: str
    image_path: str
    question: str
    truth: Mapping[str, JsonValue]
    params: Mapping[str, JsonValue]
    difficulty: str
    final_fields: tuple[str, ...]
    checkpoint_fields: tuple[str, ...]
    generation: dict[str, JsonValue]
    tolerances: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def item_from_record(record: PlotRecord, *, index: int, edition: Edition, picture: Picture) -> Item:
    """Build an item from a record.

    Fields named in the generation block but absent from the truth are left out, as the published runner
    does. Unit hints come from the edition's family of that name; an unknown family has none.

    Args:
        record: generated, or read from a file and checked.
        index: the item's number within its family.
        edition: where unit hints come from.
        picture: the item's picture.
    """
    finals = tuple(name for name in record.final_fields if name in record.truth)
    checkpoints = tuple(name for name in record.checkpoint_fields if name in record.truth)
    return Item(
        id=record.id,
        suite=SUITE,
        family=record.family,
        index=index,
        difficulty=record.difficulty,
        prompt=build_prompt(record.question, finals + checkpoints, unit_hints(edition, record.family)),
        truth=record.truth,
        final_fields=finals,
        checkpoint_fields=checkpoints,
        params=record.params,
        picture=picture,
        tolerances={name: record.tolerances[name] for name in finals + checkpoints if name in record.tolerances},
        extra={
            "edition": edition.name,
            "image_path": record.image_path,
            "question": record.question,
            "generation": record.generation,
        },
    )


def item_record(item: Item) -> dict[str, JsonValue]:
    """Return the item as a record of the release format, keys in the release's order."""
    return {
        "id": item.id,
        "type": item.family,
        "image_path": item.extra["image_path"],
        "question": item.extra["question"],
        "ground_truth": dict(item.truth),
        "plot_params": dict(item.params),
        "generation": item.extra["generation"],
    }


def item_line(item: Item) -> str:
    """Return the item as one line of the release's JSONL, without the line end."""
    return json.dumps(item_record(item), ensure_ascii=False, allow_nan=False)


def unit_hints(edition: Edition, family: str) -> Mapping[str, str]:
    """Return the unit text that the answer schema shows, by field; empty for an unknown family."""
    if family not in edition.modules:
        return {}
    return {spec.name: spec.unit for spec in edition.family(family).fields if spec.hinted}
