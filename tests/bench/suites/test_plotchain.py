"""Items of a run: made once, and read by the next run from the catalogue that it kept."""

from __future__ import annotations

import os
import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from bench.suites import plotchain as items_source
from bench.suites.plotchain import Catalogued, Generated, ItemsSource, open_source

if TYPE_CHECKING:
    from pathlib import Path

    from bench.options import Settings


def source_in(cache: Path, **different: Any) -> ItemsSource:
    recipe = {"edition": "v4", "item_seed": 3, "items_per_family": 2, "plotchain_data": None, **different}
    return open_source(cast("Settings", SimpleNamespace(**recipe)), cache)


def items_of(source: ItemsSource) -> list[Any]:
    return [source.item(ref.id) for ref in source.refs]


def catalogs(cache: Path) -> list[Path]:
    return sorted((cache / "catalogs").glob("*"))


@pytest.mark.parametrize("edition", ["v4", "v5"])
def test_items_that_were_all_made_are_read_by_the_next_run(tmp_path: Path, edition: str) -> None:
    first = source_in(tmp_path, edition=edition)
    made = items_of(first)
    first.keep_catalog()
    second = source_in(tmp_path, edition=edition)
    assert isinstance(first, Generated)
    assert isinstance(second, Catalogued)
    assert [ref.id for ref in second.refs] == [ref.id for ref in first.refs]
    assert [ref.difficulty for ref in second.refs] == [ref.difficulty for ref in first.refs]
    read = items_of(second)
    assert read == made
    assert [item.digest for item in read] == [item.digest for item in made]
    assert [item.picture.key for item in read] == [item.picture.key for item in made]
    assert isinstance(source_in(tmp_path, edition=edition, item_seed=4), Generated)


def test_a_run_of_some_items_keeps_none(tmp_path: Path) -> None:
    source = source_in(tmp_path)
    source.item(source.refs[0].id)
    source.keep_catalog()
    assert catalogs(tmp_path) == []


@pytest.mark.parametrize("part", ["items", "seal"])
@pytest.mark.parametrize(
    "damage", [b"", b"{}\n", b"[" * 99_999, b'{"id": [1], "generation": {"difficulty": 1}}\n']
)
def test_a_damaged_catalogue_is_written_anew(tmp_path: Path, part: str, damage: bytes) -> None:
    first = source_in(tmp_path)
    made = items_of(first)
    first.keep_catalog()
    items, seal = catalogs(tmp_path)
    whole = items.read_bytes()
    (items if part == "items" else seal).write_bytes(damage)
    second = source_in(tmp_path)
    assert isinstance(second, Generated)
    assert items_of(second) == made
    second.keep_catalog()
    assert items.read_bytes() == whole
    assert isinstance(source_in(tmp_path), Catalogued)


def test_one_changed_digit_is_found(tmp_path: Path) -> None:
    first = source_in(tmp_path)
    items_of(first)
    first.keep_catalog()
    items, _ = catalogs(tmp_path)
    items.write_text(items.read_text().replace("1", "2", 1))
    assert isinstance(source_in(tmp_path), Generated)


@pytest.mark.parametrize("seen_by", ["time", "content"])
def test_no_catalogue_is_kept_where_the_generators_changed_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen_by: str
) -> None:
    root = tmp_path / "code"
    shutil.copytree(items_source.ROOT / "generators", root / "generators", ignore=shutil.ignore_patterns("*.pyc"))
    edited = root / "generators" / "items.py"
    monkeypatch.setattr(items_source, "ROOT", root)
    source = source_in(tmp_path)
    items_of(source)
    if seen_by == "time":
        edited.touch()  # changed, and changed back
    else:
        edited.write_text(edited.read_text() + "\n")
        long_ago_s = 1_000_000_000
        for path in (root / "generators").rglob("*.py"):
            os.utime(path, (long_ago_s, long_ago_s))
    source.keep_catalog()
    assert catalogs(tmp_path) == []


def test_a_catalogue_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    source = source_in(tmp_path)
    items_of(source)
    (tmp_path / "catalogs").write_text("in the way")
    source.keep_catalog()
    assert (tmp_path / "catalogs").read_text() == "in the way"
