"""The baseline: agrees with any set's truth, and notices when a value is wrong."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from generators.plotchain import PlotChainSource
from generators.plotchain.baseline import baseline_truth
from generators.plotchain.registry import EDITIONS
from generators.plotchain.validation import rows_csv, summary_csv, validate

if TYPE_CHECKING:
    from generators.items import Item


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_the_baseline_confirms_every_value_of_any_set(seed: int) -> None:
    source = PlotChainSource(seed=seed)

    rows = validate(source, source.edition)

    assert [row for row in rows if not row.passed] == []
    assert len(rows) > 1700


def test_a_wrong_value_of_every_field_is_noticed(items: list[Item]) -> None:
    first = {item.family: item for item in reversed(items)}
    for item in first.values():
        decimals = {spec.name: spec.decimals for spec in EDITIONS["v4"].family(item.family).fields}
        for name, value in item.truth.items():
            assert isinstance(value, float)
            places = decimals[name]
            step = 1.1 * 10.0**-places if places is not None else 1e-4 * max(abs(value), 1.0)
            wrong = dataclasses.replace(item, truth={**item.truth, name: value + step})

            noticed = [row for row in validate([wrong], EDITIONS["v4"]) if not row.passed]

            assert [row.field for row in noticed] == [name]
            assert 0.0 < noticed[0].abs_err <= 1.7 * step


def test_tables_say_what_failed(items: list[Item]) -> None:
    item = next(item for item in items if item.family == "iv_resistor")
    wrong = dataclasses.replace(item, truth={**item.truth, "resistance_ohm": 999.0})
    rows = validate([item, wrong], EDITIONS["v4"])

    assert "iv_resistor,iv_resistor_000,resistance_ohm,False,499.0" in rows_csv(rows)
    assert "iv_resistor,resistance_ohm,2,0.5,499.0\n" in summary_csv(rows).replace("499.00000000000006", "499.0")


def test_a_family_without_a_baseline_is_an_error() -> None:
    with pytest.raises(KeyError, match="widget"):
        baseline_truth("widget", {"a": 1.0})
