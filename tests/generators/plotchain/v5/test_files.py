"""Edition v5 on the paths that it shares with v4: sets on disk, data set files, other processes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from generators.errors import ItemDataError
from generators.plotchain import PlotChainSource, list_cases, load_jsonl
from generators.plotchain.__main__ import main
from generators.plotchain.records import item_line
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from generators.items import Item

IDS = ("step_response_002", "spectrogram_004")
PROBE = f"""
import hashlib
from generators.plotchain import PlotChainSource
source = PlotChainSource(edition="v5")
for item_id in {IDS!r}:
    print(hashlib.sha256(source.item(source.case(item_id)).picture.png()).hexdigest())
"""


def _same(items: list[Item], others: list[Item]) -> bool:
    return items == others and [item.digest for item in items] == [item.digest for item in others]


def _write(folder: Path, *more: str) -> int:
    return main(["--edition", "v5", "--out_dir", str(folder), "--n_per_family", "1", "--jobs", "1", *more])


@pytest.mark.usefixtures("few_families")
def test_a_written_set_loads_as_the_items_it_was_written_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _write(tmp_path, "--seed", "3") == 0
    assert "3 pictures drawn, 0 kept, 0 values disputed" in capsys.readouterr().out
    assert _write(tmp_path, "--seed", "3") == 0
    assert "0 pictures drawn, 3 kept" in capsys.readouterr().out

    made = list(PlotChainSource(edition="v5", seed=3, items_per_family=1))
    loaded = load_jsonl(tmp_path / "plotchain_v5.jsonl", edition="v5")
    assert _same(loaded, made)
    assert [item.picture.png() for item in loaded] == [item.picture.png() for item in made]
    assert all(item.tolerances.keys() == item.truth.keys() for item in loaded)


def test_a_set_of_another_edition_is_refused_in_one_line(tmp_path: Path, v5_items: list[Item]) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(f"{item_line(item)}\n" for item in v5_items[:2]), encoding="utf-8")

    with pytest.raises(ItemDataError, match=r"line 1: expected an item of edition v4, got one of 'v5'") as caught:
        load_jsonl(path)
    assert "\n" not in str(caught.value)


def test_an_item_without_tolerances_is_refused_because_no_table_has_them(tmp_path: Path) -> None:
    item = next(iter(PlotChainSource(edition="v5", items_per_family=1)))
    record = json.loads(item_line(item))
    del record["generation"]["tolerances"]["resonance_hz"]
    (tmp_path / "set.jsonl").write_text(json.dumps(record), encoding="utf-8")

    with pytest.raises(ItemDataError, match="for every field of edition v5, got none for resonance_hz; add them"):
        load_jsonl(tmp_path / "set.jsonl", edition="v5")


@pytest.mark.sweep
def test_another_process_draws_the_same_bytes(v5_source: PlotChainSource) -> None:
    drawn = subprocess.run(
        [sys.executable, "-c", PROBE],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "7", "MPLBACKEND": "svg"},
    ).stdout.split()

    assert drawn == [
        hashlib.sha256(v5_source.item(v5_source.case(item_id)).picture.png()).hexdigest() for item_id in IDS
    ]


def test_building_is_independent_of_the_order_of_requests(v5_items: list[Item]) -> None:
    source = PlotChainSource(edition="v5")

    backwards = [source.item(case) for case in reversed(source.cases[::7])]

    assert backwards[::-1] == v5_items[::7]


def test_items_stay_the_same_when_more_are_asked_for(v5_source: PlotChainSource) -> None:
    more = PlotChainSource(edition="v5", items_per_family=40)
    for item_id in ("pole_zero_007", "fft_spectrum_029"):
        few, many = v5_source.item(v5_source.case(item_id)), more.item(more.case(item_id))
        assert (few.truth, few.params) == (many.truth, many.params)


def test_seeds_and_plans_differ_from_v4() -> None:
    v4, v5 = ({case.id: case.difficulty for case in list_cases(edition)} for edition in ("v4", "v5"))

    assert set(v4) <= set(v5)
    assert sum(v5[item_id] != difficulty for item_id, difficulty in v4.items()) > 200


def test_a_record_says_how_it_was_drawn(v5_items: list[Item]) -> None:
    for item in v5_items[::10]:
        generation = json.loads(json.dumps(item.extra["generation"]))

        assert generation["edition"] == "v5"
        assert generation["tolerances"] == {name: list(pair) for name, pair in item.tolerances.items()}
        assert generation["axes"]["fields"].keys() == item.truth.keys()
        assert all(
            entry["px"] >= 4.5 and entry["joint_px"] >= 2.0 for entry in generation["axes"]["fields"].values()
        )
        for axis in ("x", "y"):
            drawn = generation["axes"][axis]
            assert (drawn["low"], drawn["high"]) == (generation[f"{axis}_min"], generation[f"{axis}_max"])
            assert all(drawn["low"] <= tick <= drawn["high"] for tick in drawn["ticks"])


def test_own_tolerances_are_part_of_the_digest(v5_items: list[Item]) -> None:
    item = v5_items[0]
    wider = replace(item, tolerances={name: (2.0 * a, b) for name, (a, b) in item.tolerances.items()})

    assert wider.digest != item.digest
    assert replace(item, tolerances={}).digest != item.digest
