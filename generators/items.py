"""The item record that every suite produces, its digest, item seeds and the random draws made from them."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Item", "JsonValue", "Picture", "RepeatableDraws", "canonical_json", "item_seed"]


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)

T = TypeVar("T")

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class Picture(Protocol):
    """Where an item's picture comes from; drawing or reading happens only in `png`."""

    @property
    def key(self) -> str | None:
        """Cache name (hex digest of everything the pixels depend on), or None: do not cache."""
        ...

    def png(self) -> bytes:
        """Return the PNG file's bytes.

        Raises:
            PictureError: the picture cannot be drawn or read; the message names file and reason.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Item:
    """One question about one picture, with its exact answer.

    `truth` maps every field name to its value; `final_fields` are asked for in the question,
    `checkpoint_fields` only by the answer schema. `params` are what picture and truth were made from.
    `tolerances` are the item's own, by field (plotread, strict); where a field has none the edition's table
    serves. `extra` keeps what the suite's file format holds besides (in PlotChain: edition, question, image
    path, the generation block); it is no part of the digest.
    """

    id: str
    suite: str
    family: str
    index: int
    difficulty: str
    prompt: str
    truth: Mapping[str, JsonValue]
    final_fields: tuple[str, ...]
    checkpoint_fields: tuple[str, ...]
    params: Mapping[str, JsonValue]
    picture: Picture = field(compare=False, repr=False)
    tolerances: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    extra: Mapping[str, JsonValue] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over parameters, truth, prompt and tolerances (not the pixels), as 64 hex digits."""
        content: dict[str, object] = {
            "id": self.id,
            "suite": self.suite,
            "family": self.family,
            "difficulty": self.difficulty,
            "prompt": self.prompt,
            "truth": dict(self.truth),
            "final_fields": list(self.final_fields),
            "checkpoint_fields": list(self.checkpoint_fields),
            "params": dict(self.params),
        }
        if self.tolerances:
            content["tolerances"] = dict(self.tolerances)
        return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def canonical_json(value: object) -> str:
    """Write JSON that is equal for equal content: sorted keys, no spaces, 12 significant digits.

    Twelve digits, because maths libraries differ in the last bits of a double and a digest must not.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    return _CANONICAL.encode(_rounded(value))


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, dict):
        return {key: _rounded(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(entry) for entry in value]
    return value


def item_seed(*parts: int | str) -> int:
    """Derive a 31-bit seed from what names a stream: master seed, name and index, in most cases.

    SHA-256 of "seed|name|index", first 8 bytes big-endian, lowest 31 bits (PlotChain v4's recipe), so
    that neighbouring indices and families share nothing.
    """
    digest = hashlib.sha256("|".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") & 0x7FFFFFFF


class RepeatableDraws:
    """Draws from a generator of its own, made from a seed: the same on every machine and in every Python version.

    Only `random.Random.random` is used: the language promises its sequence for a seed, and no other method's.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random  # noqa: S311

    def uniform(self, low: float, high: float) -> float:
        """Return a number from low (inclusive) to high."""
        return low + (high - low) * self._random()

    def pick(self, options: Sequence[T]) -> T:
        """Return one of at least one option."""
        return options[int(self._random() * len(options))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in random order (Fisher and Yates)."""
        mixed = list(values)
        for last in range(len(mixed) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
