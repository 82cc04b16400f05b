"""What passes without looking: constants, places, and questions that print their answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.validity.evidence import rate
from bench.validity.plotchain import (
    Bounds,
    PlacedField,
    best_place,
    bounds_of,
    constant_for,
    other_axes_rate,
    own_numbers,
    place_rate,
)
from bench.validity.readings import AxisReading, FieldFormula
from bench.validity.report import FieldValidity, judged
from generators.plotchain.pictures import DrawnAxes, DrawnAxis
from generators.plotchain.source import PlotChainSource


def placed(value: float, high: float, *, tolerance: float = 0.01) -> PlacedField:
    axis = DrawnAxis(low=0.0, high=high, length_px=400.0, is_log=False)
    return PlacedField(
        reading=FieldFormula(readings=(AxisReading(axis="x", value=value),), formula=lambda read: read[0]),
        axes=DrawnAxes(x=axis, y=axis),
        bounds=Bounds(truth=value, low=value - tolerance, high=value + tolerance),
    )


def test_a_value_always_in_the_middle_of_its_axis_is_given_away_by_it() -> None:
    items = [placed(high / 2, high) for high in (1.0, 7.0, 30.0)]
    assert best_place(items) == (0.5,)
    assert place_rate(items, best_place(items)) == 1.0
    assert other_axes_rate(items) == 0.0


def test_the_same_axes_on_every_item_need_not_be_read() -> None:
    items = [placed(value, 10.0) for value in (1.0, 4.0, 9.0)]
    assert other_axes_rate(items) == 1.0
    assert place_rate(items, best_place(items)) == pytest.approx(1 / 3)


def test_places_are_taken_from_training_items_alone() -> None:
    training = [placed(3.0, 10.0), placed(3.0, 10.0), placed(9.0, 10.0)]
    assert best_place(training) == (0.3,)
    assert place_rate([placed(4.5, 5.0), placed(6.0, 20.0)], best_place(training)) == 0.5
    assert best_place([]) == ()
    assert place_rate([placed(4.5, 5.0)], ()) == 0.0


def test_a_level_that_corrects_a_crossing_keeps_its_own_place() -> None:
    one = placed(2.0, 10.0)
    readings = (AxisReading(axis="x", value=2.0), AxisReading(axis="y", value=4.0, is_place=False))
    crossing = replace(one, reading=FieldFormula(readings=readings, formula=lambda read: read[0] + read[1] - 4.0))
    assert crossing.passes((0.2, 0.9), crossing.axes)
    assert crossing.places((0.2, 0.9)) == (0.2,)


def test_items_with_other_readings_are_no_donors() -> None:
    two = placed(2.0, 10.0)
    length = FieldFormula(
        readings=(AxisReading(axis="x", value=1.0), AxisReading(axis="x", value=3.0)),
        formula=lambda read: read[1] - read[0],
    )
    assert other_axes_rate([two, replace(two, reading=length)]) == 0.0


def test_bounds_are_those_of_the_scorer() -> None:
    source = PlotChainSource()
    item = source.item(source.case("iv_diode_000"))
    bounds = bounds_of(item, "turn_on_voltage_v_at_target_i", "plotread")
    truth = bounds.truth
    assert bounds.high - truth == pytest.approx(max(0.08, 0.15 * truth))
    assert bounds.hold(bounds.low)
    assert not bounds.hold(bounds.low - 1e-9)
    with pytest.raises(TypeError, match=r"iv_diode_000\.target_current_a: expected a number, got 'much'"):
        bounds_of(replace(item, truth={"target_current_a": "much"}), "target_current_a", "plotread")


def test_the_constant_lies_in_most_bounds() -> None:
    bounds = [Bounds(truth=value, low=value - 1, high=value + 1) for value in (1.0, 2.0, 2.5, 9.0)]
    assert sum(one.hold(constant_for(bounds)) for one in bounds) == 3
    assert rate([]) == 0.0


def test_numbers_of_every_question_are_no_answers() -> None:
    found = own_numbers({"a": "1) current at 0.002 A (2 % band)", "b": "1) current at −0.5 A (2 % band)"})
    assert found == {"a": [0.002], "b": [-0.5]}
    assert own_numbers({}) == {}


FIELD = FieldValidity(suite="plotchain", family="bode", field="cutoff_hz", items=30, blind_other_seeds=0.05)


@pytest.mark.parametrize(
    ("measured", "verdicts", "leaks"),
    [
        ({}, ("sound",), ()),
        ({"blind_other_seeds": 7 / 30}, ("leaks",), ("constant",)),
        ({"blind_other_seeds": 6 / 30}, ("sound",), ()),
        ({"blind_other_seeds": 6 / 30, "items": 300}, ("leaks",), ("constant",)),
        ({"blind_other_seeds": 0.5, "chance": 0.5}, ("sound",), ()),
        (
            {"in_question": 1.0, "constant_place": 0.9, "other_axes": 0.3},
            ("leaks",),
            ("question", "place", "axes"),
        ),
        ({"below_1_px": 1}, ("finer than a pixel",), ()),
        ({"below_1_px": 2, "beyond_axes": 3}, ("finer than a pixel", "not shown"), ()),
        ({"below_1_px": 0, "beyond_axes": 0, "other_axes": 0.15}, ("sound",), ()),
    ],
)
def test_verdicts_say_everything_that_is_wrong(
    measured: dict[str, float], verdicts: tuple[str, ...], leaks: tuple[str, ...]
) -> None:
    found = judged(replace(FIELD, **measured))  # type: ignore[arg-type]
    assert (found.verdicts, found.leaks_by) == (verdicts, leaks)
