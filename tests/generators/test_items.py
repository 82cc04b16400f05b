"""The item record: digest, canonical JSON, seeds."""

from __future__ import annotations

import dataclasses
import json

import pytest

from generators.items import Item, canonical_json, item_seed


class _NoPicture:
    key = None

    def png(self) -> bytes:
        return b""


def _item(**changes: object) -> Item:
    item = Item(
        id="a_000",
        suite="plotchain",
        family="a",
        index=0,
        difficulty="clean",
        prompt="?",
        truth={"x_v": 1.0},
        final_fields=("x_v",),
        checkpoint_fields=(),
        params={"k": 2.0},
        picture=_NoPicture(),
    )
    return dataclasses.replace(item, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"truth": {"x_v": 2.0}},
        {"params": {"k": 3.0}},
        {"prompt": "!"},
        {"difficulty": "edge"},
        {"final_fields": ()},
        {"checkpoint_fields": ("cp",)},
        {"id": "a_001"},
    ],
)
def test_digest_follows_content(changes: dict[str, object]) -> None:
    assert _item(**changes).digest != _item().digest


@pytest.mark.parametrize("changes", [{"extra": {"question": "?"}}, {"picture": _NoPicture()}])
def test_digest_and_equality_ignore_picture_and_extra(changes: dict[str, object]) -> None:
    changed = _item(**changes)

    assert changed.digest == _item().digest
    assert changed == _item()


def test_canonical_json_hides_the_last_bits_and_the_order_of_keys() -> None:
    assert canonical_json({"b": [0.1 + 0.2], "a": (1, "x")}) == '{"a":[1,"x"],"b":[0.3]}'


def test_canonical_json_refuses_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"a": float("nan")})


def test_canonical_json_is_json() -> None:
    assert json.loads(canonical_json({"a": 1.5, "b": None, "c": True})) == {"a": 1.5, "b": None, "c": True}


@pytest.mark.parametrize(("index", "seed"), [(0, 55578068), (1, 672475250)])
def test_item_seed_gives_the_published_check_values(index: int, seed: int) -> None:
    assert item_seed(0, "bandpass_response", index) == seed


def test_item_seeds_of_neighbours_do_not_repeat() -> None:
    seeds = {
        item_seed(master, f"family_{name}", index)
        for master in (0, 1)
        for name in range(10)
        for index in range(500)
    }

    assert len(seeds) == 2 * 10 * 500
