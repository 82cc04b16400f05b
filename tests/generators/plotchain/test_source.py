"""Listing and building items: order, difficulty plan, independence from the order of requests."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.plotchain import CaseRef, PlotChainSource, list_cases
from generators.plotchain.family import EDITIONS, edition_named
from generators.plotchain.records import item_line, item_record

if TYPE_CHECKING:
    from generators.items import Item

# Published difficulty plans, index 0 to 29: c clean, m moderate, e edge.
_PLANS = {
    "bandpass_response": "emmmeceemccccececmecmmeccecmmc",
    "bode_magnitude": "ccmmccmccecmcecmeccmeemecemeem",
    "bode_phase": "ececececcmemmcemmecmemcecccmcm",
    "fft_spectrum": "ececccemccmeeemeecmmecmccmcmcm",
    "iv_diode": "cccccmmcmmemeemcmeeemceccecmce",
    "iv_resistor": "ecemeccmcccmcmeemecceecmmcecmm",
    "pole_zero": "mecceeemmemcmccccmeemcccmecmec",
    "pump_curve": "cmemcmeccmmmceeececceemmcccmec",
    "sn_curve": "meccmmmcmccemeemmcecccemeeeccc",
    "spectrogram": "mccmcmececccmmecemcmmeecceeemc",
    "step_response": "cccecmceemccmeccmemcemmceemecm",
    "stress_strain": "ceemccecmmcecmcememmmececcmcec",
    "time_waveform": "eemeecmcmmmccceccmcmceeecmeccm",
    "torque_speed": "cmmcmceecmmcmemccemcceemceceec",
    "transfer_characteristic": "mcmmccccmmemeceeeeccmecmmceecc",
}


def test_published_plans_families_and_order() -> None:
    cases = list_cases()

    assert [case.family for case in cases] == [family for family in sorted(_PLANS) for _ in range(30)]
    assert "".join(case.difficulty[0] for case in cases) == "".join(_PLANS[family] for family in sorted(_PLANS))
    assert cases[31] == CaseRef("bode_magnitude_001", "bode_magnitude", 1, "clean")


def test_ids_grow_beyond_three_digits_and_stay_in_numeric_order() -> None:
    cases = list_cases("v4", 0, 1001)

    assert cases[999].id == "bandpass_response_999"
    assert cases[1000].id == "bandpass_response_1000"
    assert [case.index for case in cases] == list(range(1001)) * len(_PLANS)


@given(st.integers(0, 2**31), st.integers(1, 40))
@settings(max_examples=15, deadline=None)
def test_any_seed_and_count_split_40_30_30_with_unique_ids(seed: int, count: int) -> None:
    cases = list_cases("v4", seed, count)

    assert len({case.id for case in cases}) == len(cases) == len(_PLANS) * count
    for _, group in itertools.groupby(cases, key=lambda case: case.family):
        found = Counter(case.difficulty for case in group)
        assert found["clean"] == round(0.4 * count)
        assert found["moderate"] == round(0.3 * count)
        assert found.total() == count


@pytest.mark.parametrize("count", [0, -1])
def test_fewer_than_one_item_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"items per family must be at least 1, got {count}"):
        list_cases("v4", 0, count)


def test_an_unknown_edition_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match="unknown PlotChain edition 'v9'; expected one of: v4, v5"):
        edition_named("v9")
    with pytest.raises(KeyError, match="edition v5 has no family 'widget'"):
        edition_named("v5").family("widget")


def test_every_family_is_registered_under_its_own_name() -> None:
    for edition in EDITIONS.values():
        assert [edition.family(name).name for name in edition.families] == list(edition.families)


@given(st.integers(0, 2**31), st.data())
@settings(max_examples=15, deadline=None)
def test_items_of_any_seed_are_sound(seed: int, data: st.DataObject) -> None:
    source = PlotChainSource(seed=seed, items_per_family=4)
    item = source.item(data.draw(st.sampled_from(source.cases)))

    asked = item.final_fields + item.checkpoint_fields
    shown = re.findall(r'^  "(\w+)": <number or null>', item.prompt, re.MULTILINE)
    assert sorted(asked) == sorted(item.truth)
    assert shown == list(asked)
    assert all(name.startswith("cp_") for name in item.checkpoint_fields)
    assert not any(name.startswith("cp_") for name in item.final_fields)
    assert all(isinstance(value, float) and abs(value) < 1e9 for value in item.truth.values())
    assert json.loads(item_line(item)) == item_record(item)
    question = str(item.extra["question"])
    assert all(name in question for name in item.final_fields)
    assert question in item.prompt
    assert "{" not in question


def test_building_is_independent_of_the_order_of_requests(items: list[Item]) -> None:
    source = PlotChainSource()

    backwards = [source.item(case) for case in reversed(source.cases)]

    assert backwards[::-1] == items
    assert [item.extra for item in backwards[::-1]] == [item.extra for item in items]


def test_threads_may_share_a_source(items: list[Item]) -> None:
    source = PlotChainSource()
    cases = [case for case in source.cases if case.family == "bandpass_response"]

    with ThreadPoolExecutor(8) as pool:
        built = list(pool.map(source.item, cases))

    assert built == items[:30]


def test_bandpass_resonances_do_not_repeat_within_the_family() -> None:
    source = PlotChainSource(seed=3, items_per_family=400)

    resonances = [source.item(case).params["f0_hz"] for case in source.cases[:400]]

    assert len(set(resonances)) == 400


def test_another_seed_gives_other_items(items: list[Item]) -> None:
    other = PlotChainSource(seed=1)

    same = [item.id for item in items if item.params == other.item(other.case(item.id)).params]
    assert len(same) < 100


def test_a_case_is_found_by_its_id(source: PlotChainSource) -> None:
    assert len(source) == 30 * len(_PLANS)
    assert all(source.case(case.id) is case for case in source.cases)


@pytest.mark.parametrize(
    "item_id",
    ["", "sn_curve", "sn_curve_030", "sn_curve_0", "sn_curve_0001", "sn_curve_²", "nothing_000", "sn_curve_-01"],
)
def test_an_id_that_no_case_has_is_refused(source: PlotChainSource, item_id: str) -> None:
    with pytest.raises(KeyError, match="no PlotChain item"):
        source.case(item_id)
