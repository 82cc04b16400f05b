"""A run of edition v5: own tolerances decide, offline models know the edition, files name theirs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bench.suites import blind_constants as blind_rates
from bench.suites.blind_constants import blind_constants
from bench.suites.plotchain import score_item
from generators.plotchain import PlotChainSource
from generators.plotchain.__main__ import main
from generators.plotchain.records import item_line
from scorers.tolerances import POLICIES
from tests.conftest import sampled

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.conftest import Bench

V5 = ("--edition", "v5", "--items-per-family", "1")


@pytest.mark.parametrize("policy", sampled(["strict", "plotread"]))
def test_oracle_passes_every_field(bench: Bench, policy: str) -> None:
    run = bench(*V5, "--model", "oracle", "--policy", policy)

    assert (run.code, run.counts.split(" in ")[0].strip("= ")) == (0, "15 passed")
    assert {row["pass"] for row in run.table("plotchain/per_item.csv")} == {"True"}
    assert {row["edition"] for row in run.table("leaderboard.csv")} == {"v5"}


def test_blind_answers_the_constants_of_the_edition(bench: Bench) -> None:
    run = bench(*V5, "--model", "blind")

    assert run.code == 1
    rows = run.table("plotchain/per_item.csv")
    constants = blind_constants("v5")
    assert all(float(row["pred"]) == constants[row["type"]][row["field"]] for row in rows)
    assert sum(row["pass"] == "True" for row in rows) <= 5


def test_the_tolerance_is_the_items_own(bench: Bench) -> None:
    rows = bench(*V5, "--model", "oracle", "--policy", "strict").table("plotchain/per_item.csv")

    source = PlotChainSource(edition="v5", items_per_family=1)
    own = {(item.id, name): pair[1] for item in source for name, pair in item.tolerances.items()}
    assert {(row["id"], row["field"]): float(row["abs_tol"]) for row in rows} == own
    assert {float(row["rel_tol"]) for row in rows} == {0.0}


def test_workers_change_no_record(bench: Bench) -> None:
    alone, shared = bench(*V5, "--model", "blind"), bench(*V5, "--model", "blind", "-n", "2")
    again = bench(*V5, "--model", "blind", "-n", "2")

    assert alone.raw() == shared.raw() == again.raw()
    assert len(alone.raw()) == 15


def test_a_set_on_disk_is_scored_with_its_own_tolerances(bench: Bench, tmp_path: Path) -> None:
    main(["--edition", "v5", "--out_dir", str(tmp_path / "set"), "--n_per_family", "1", "--jobs", "1"])
    path = tmp_path / "set" / "plotchain_v5.jsonl"

    run = bench("--edition", "v5", "--plotchain-data", str(path), "--model", "oracle")
    other = bench("--plotchain-data", str(path), "--model", "oracle")

    assert run.code == 0
    assert other.code == 4
    assert "expected an item of edition v4, got one of 'v5'" in other.error_line


def test_a_reading_at_the_tolerance_passes_and_beyond_it_fails() -> None:
    for item in PlotChainSource(edition="v5", seed=2, items_per_family=1):
        assert json.loads(item_line(item))["id"] == item.id
        for share, passes in ((0.99, True), (1.01, False)):
            for at, policy in enumerate(POLICIES):
                answer = {
                    name: float(str(v)) + share * item.tolerances[name][at] for name, v in item.truth.items()
                }
                score = score_item(item, json.dumps(answer), policy=policy)
                assert {field.passed for field in score.fields} == {passes}


@pytest.mark.parametrize("edition", ["v4", "v5"])
def test_the_rates_of_constants_are_printed_by_field_and_overall(
    edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    blind_rates.main(["--edition", edition, "--seed", "7", "--items-per-family", "3"])

    heading, *lines = capsys.readouterr().out.splitlines()
    shown = {line.split()[0]: [float(text) for text in line.split()[1:]] for line in lines}
    assert heading.split() == ["plotread", "strict"]
    assert all(100.0 >= plotread >= strict >= 0.0 for plotread, strict in shown.values())
    assert len(shown) > 50
    assert (shown["overall"][0] > 25.0) == (edition == "v4")
