"""Edition v4 equals the published release: records, prompts, validation tables, pictures' sizes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from generators.plotchain import load_jsonl
from generators.plotchain.records import item_line, item_record
from generators.plotchain.release import rows_csv, summary_csv, validate
from generators.png import check_png

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generators.items import Item
    from generators.plotchain import PlotChainSource

# Another maths library changes the last bit. Values near zero that are differences of values near one keep
# that bit as an absolute error.
_RELATIVE = 1e-12
_ABSOLUTE = 1e-15


def _differences(ours: Any, theirs: Any, path: str) -> Iterator[str]:
    if type(ours) is not type(theirs):
        yield f"{path}: {ours!r} is not of the type of {theirs!r}"
    elif isinstance(theirs, dict):
        if list(ours) != list(theirs):
            yield f"{path}: keys {list(ours)} instead of {list(theirs)}"
        else:
            for key in theirs:
                yield from _differences(ours[key], theirs[key], f"{path}.{key}")
    elif isinstance(theirs, float):
        if abs(ours - theirs) > max(_RELATIVE * abs(theirs), _ABSOLUTE):
            yield f"{path}: {ours!r} instead of {theirs!r}"
    elif ours != theirs:
        yield f"{path}: {ours!r} instead of {theirs!r}"


@pytest.fixture(scope="module")
def published(published_plotchain: Path) -> list[dict[str, Any]]:
    lines = (published_plotchain / "plotchain.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_every_record_equals_the_release(items: list[Item], published: list[dict[str, Any]]) -> None:
    ours = [item_record(item) for item in items]

    assert [record["id"] for record in ours] == [record["id"] for record in published]
    assert [
        line
        for ours_, theirs in zip(ours, published, strict=True)
        for line in _differences(ours_, theirs, theirs["id"])
    ] == []


def test_the_comparison_sees_a_difference_in_value_type_and_order() -> None:
    assert list(_differences({"a": 1.0}, {"a": 1.0 + 1e-11}, "x")) != []
    assert list(_differences({"a": 1}, {"a": 1.0}, "x")) != []
    assert list(_differences({"b": 1, "a": 1}, {"a": 1, "b": 1}, "x")) != []


def test_a_line_is_a_record_of_the_file(items: list[Item]) -> None:
    assert json.loads(item_line(items[0])) == item_record(items[0])


def test_every_prompt_equals_the_one_that_models_were_asked(items: list[Item], published_plotchain: Path) -> None:
    asked = {}
    for path in sorted(published_plotchain.glob("results/*/raw_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            reply = json.loads(line)
            asked[path.parent.name, reply["id"]] = reply["prompt"]
    ours = {item.id: item.prompt for item in items}

    assert len(asked) == 900
    assert [key for key, prompt in asked.items() if ours[key[1]] != prompt] == []


def test_the_released_file_loads_to_the_same_items(items: list[Item], published_plotchain: Path) -> None:
    loaded = load_jsonl(published_plotchain / "plotchain.jsonl")

    assert [(item.digest, item.index) for item in loaded] == [(item.digest, item.index) for item in items]


def test_validation_tables_equal_the_release(
    source: PlotChainSource, items: list[Item], published_plotchain: Path
) -> None:
    rows = validate(items, source.edition)

    assert rows_csv(rows).encode() == (published_plotchain / "validation_rows.csv").read_bytes()
    assert summary_csv(rows).encode() == (published_plotchain / "validation_summary.csv").read_bytes()


def test_pictures_have_the_published_sizes(items: list[Item], published_plotchain: Path) -> None:
    differing = []
    for item in items[:: len(items) // 10]:
        path = published_plotchain / str(item.extra["image_path"])
        if path.exists() and check_png(item.picture.png()) != check_png(path.read_bytes()):
            differing.append(item.id)

    assert differing == []


@pytest.mark.slow
def test_every_picture_has_the_published_size_and_nearly_its_pixels(
    items: list[Item], published_plotchain: Path
) -> None:
    import io  # noqa: PLC0415

    import numpy as np  # noqa: PLC0415
    from PIL import Image  # noqa: PLC0415

    def grey(file: Any) -> Any:
        with Image.open(file) as image:
            return np.asarray(image.convert("L")).astype(int)

    compared = 0
    for item in items:
        path = published_plotchain / str(item.extra["image_path"])
        if path.exists():
            ours, theirs = grey(io.BytesIO(item.picture.png())), grey(path)
            assert ours.shape == theirs.shape, item.id
            assert (abs(ours - theirs) > 64).mean() < 0.03, item.id
            compared += 1
    assert compared == 150
