"""What all families share, and where one differs from the rest."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from generators.errors import ItemDataError
from generators.plotchain.family import EDITIONS, PlotDraws
from generators.plotchain.v4.families import bandpass_response

if TYPE_CHECKING:
    from pathlib import Path

    from generators.items import Item

V4 = EDITIONS["v4"]


@pytest.mark.parametrize("name", V4.families)
@pytest.mark.parametrize("difficulty", ["clean", "moderate", "edge"])
def test_parameters_survive_json(name: str, difficulty: Any) -> None:
    family = V4.family(name)
    for seed in range(8):
        params = family.sample(PlotDraws(rng=np.random.default_rng(seed), difficulty=difficulty))

        assert family.restore(json.loads(json.dumps(family.dump(params)))) == params
        assert [field.name for field in dataclasses.fields(params)] == [
            field.name for field in dataclasses.fields(family.params_type)
        ]


def test_units_and_hints_are_the_published_ones(published_plotchain: Path) -> None:
    lines = (published_plotchain / "fields_and_tolerances.csv").read_text(encoding="utf-8").splitlines()
    released = {}
    for line in lines[1:]:
        family, field, _, count, hint, *_ = line.split(",")
        if count != "0":
            released[family, field] = hint or None
    ours = {
        (name, spec.name): spec.unit if spec.hinted else None
        for name in V4.families
        for spec in V4.family(name).fields
    }

    assert ours == released
    assert sum(hint is None for hint in ours.values()) == 11


@pytest.mark.parametrize("name", V4.families)
def test_every_field_has_a_unit_and_a_name_of_its_own(name: str) -> None:
    fields = V4.family(name).fields

    assert len({spec.name for spec in fields}) == len(fields)
    assert all(spec.unit for spec in fields)


def test_a_missing_parameter_is_refused() -> None:
    with pytest.raises(ItemDataError, match=r"plot_params of pump_curve: .*grid missing; add it"):
        V4.family("pump_curve").restore({"shutoff_head_m": 50.0})


def test_a_number_is_no_flag() -> None:
    with pytest.raises(ItemDataError, match="grid must be bool, got 1"):
        V4.family("pump_curve").restore({"grid": 1})


def test_only_squares_have_a_duty(items: list[Item]) -> None:
    waveforms = [item for item in items if item.family == "time_waveform"]

    with_duty = {item.id for item in waveforms if "duty" in item.params}
    assert with_duty == {item.id for item in waveforms if item.params["wave_type"] == "square"}
    assert with_duty == {item.id for item in waveforms if "cp_duty" in item.truth}
    assert len(with_duty) == 11


def test_a_bandpass_resonance_is_drawn_again_while_it_was_used() -> None:
    fresh = V4.family("bandpass_response").sample(PlotDraws(rng=np.random.default_rng(4), difficulty="clean"))

    again = V4.family("bandpass_response").sample(
        PlotDraws(rng=np.random.default_rng(4), difficulty="clean", used={fresh.f0_hz})
    )

    assert (again.Q, again.f0_hz == fresh.f0_hz) == (fresh.Q, False)


def test_a_bandpass_family_larger_than_its_values_still_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bandpass_response, "_RESONANCE_HZ", (100.0, 100.01))
    used: set[float] = set()

    drawn = [
        V4.family("bandpass_response").sample(
            PlotDraws(rng=np.random.default_rng(seed), difficulty="clean", used=used)
        )
        for seed in range(3)
    ]

    assert {params.f0_hz for params in drawn} == {100.0}
