"""Every verdict and every reason for it, in the order in which they are looked for."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.gate.decision import decide
from bench.options import Margins
from tests.bench.gate.sides import case, flipped, run, sides, suite_sides

if TYPE_CHECKING:
    from bench.results.comparability import CaseOutcome, Result, RunOutcomes

TWO = Margins(overall=2.0, suite=2.0)


def with_results(outcomes: RunOutcomes, results: dict[int, Result]) -> RunOutcomes:
    """Replace what single cases (by place) came to."""
    cases = [
        dataclasses.replace(one, results=(results[place],)) if place in results else one
        for place, one in enumerate(outcomes.cases)
    ]
    return dataclasses.replace(outcomes, cases=tuple(cases))


def three_suites() -> tuple[RunOutcomes, RunOutcomes]:
    old: list[CaseOutcome] = []
    new: list[CaseOutcome] = []
    for suite, losses, gains, n, per_item in (
        ("plotchain", 29, 45, 450, 1),
        ("geometry", 26, 32, 400, 4),
        ("auxsolidmath", 18, 16, 300, 1),
    ):
        before, after = suite_sides(suite, losses, gains, n, cases_per_item=per_item)
        old += before
        new += after
    return run(old, label="OLD"), run(new, label="NEW")


def test_gains_that_outweigh_losses_are_an_upgrade() -> None:
    result = decide(*sides(29, 45, 450))
    assert (result.verdict, result.reason, result.exit_code) == ("upgrade", "no worse", 0)
    assert result.overall is not None
    assert result.overall.worst_low == pytest.approx(0.0032, abs=5e-5)
    assert result.overall.complete is not None
    limits = result.overall.complete.limits
    assert (limits.low, limits.high) == pytest.approx((-0.0020, 0.0739), abs=5e-5)


def test_losses_that_outweigh_gains_are_a_regression() -> None:
    result = decide(*sides(68, 36, 450))
    assert (result.verdict, result.reason, result.exit_code) == ("regression", "worse", 1)
    assert result.suites[0].regression_p == pytest.approx(0.0009, abs=5e-5)
    assert "plotchain −7.1 points" in result.why
    assert not result.within_margin


def test_three_suites_pass_the_default_margins_and_not_the_strict_ones() -> None:
    old, new = three_suites()
    default, strict = decide(old, new), decide(old, new, margins=TWO)
    assert (default.verdict, str(default.margins)) == ("upgrade", "4/8")
    assert (strict.verdict, strict.reason, strict.exit_code) == ("inconclusive", "precision", 10)
    assert [one.name for one in strict.suites] == ["auxsolidmath", "geometry", "plotchain"]
    assert [need.name for need in strict.further] == ["overall", "auxsolidmath", "geometry", "plotchain"]


def test_a_lone_suite_has_a_margin_of_six_points() -> None:
    assert str(decide(*sides(0, 0, 450)).margins) == "6/6"


def test_a_family_that_collapses_is_a_regression_however_good_the_rest() -> None:
    old = [case(f"a_{place:03d}") for place in range(30)]
    new = [case(f"a_{place:03d}", "failed" if place < 9 else "passed") for place in range(30)]
    for place in range(420):
        old.append(case(f"b{place % 14}_{place:03d}", "failed" if place < 40 else "passed"))
        new.append(case(f"b{place % 14}_{place:03d}", "passed"))
    result = decide(run(old), run(new, label="NEW"))
    assert (result.verdict, result.exit_code) == ("regression", 1)
    assert result.why.endswith("is worse than openai:model-old: family a (9 lost, 0 won)")
    assert [family.family for family in result.families if family.regressed] == ["a"]
    assert result.within_margin


def test_eight_straight_losses_of_one_family_are_no_proof() -> None:
    old = [case(f"{family}_{place:03d}") for family in "abcdefghijklmno" for place in range(30)]
    new = [
        dataclasses.replace(one, results=("failed",)) if one.family == "a" and place < 8 else one
        for place, one in enumerate(old)
    ]
    old = [dataclasses.replace(one, results=("failed",)) if place >= 442 else one for place, one in enumerate(old)]
    assert decide(run(old), run(new, label="NEW")).verdict == "upgrade"


def test_a_small_proven_regression_stays_one_within_the_margin() -> None:
    result = decide(*sides(12, 0, 450))
    assert (result.verdict, result.within_margin) == ("regression", True)


def test_too_few_cases_say_how_many_would_do_and_what_they_cost() -> None:
    result = decide(*sides(45, 45, 450), margins=TWO)
    assert (result.verdict, result.reason, result.exit_code) == ("inconclusive", "precision", 10)
    (need,) = result.further
    assert (need.upgrade_cases, need.n) == (3231, 450)
    assert need.further_cases == max(need.upgrade_cases, need.regression_cases) - 450
    assert need.cost_usd == pytest.approx(need.further_cases * 9 / 450)
    assert need.repeats is None


def test_a_cost_that_nobody_knows_stays_unknown() -> None:
    old, new = sides(45, 45, 450)
    (need,) = decide(old, dataclasses.replace(new, cost_usd=None), margins=TWO).further
    assert need.cost_usd is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scorers_sha256": "cd" * 32}, "scorers differ: abababababab in OLD, cdcdcdcdcdcd in NEW"),
        ({"judge": '"azure:x"'}, 'the judge version differs: None in OLD, "azure:x" in NEW'),
        ({"policies": {"plotchain": "strict"}}, "the policy of plotchain differs: plotread in OLD, strict in NEW"),
        ({"question": {"shots": 3}}, "prompts: shots differs: 0 in OLD, 3 in NEW"),
        ({"repeats": 3}, "repeats differ: 1 in OLD, 3 in NEW"),
    ],
)
def test_runs_that_were_judged_otherwise_cannot_be_compared(changes: dict[str, Any], said: str) -> None:
    old, new = sides(3, 5, 90)
    result = decide(old, dataclasses.replace(new, **changes))
    assert (result.verdict, result.reason, result.exit_code) == ("invalid", "unlike", 11)
    assert said in result.why
    assert result.overall is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"item_digest": "0" * 16}, "items differ: f00_000 has other parameters or another truth in either run"),
        ({"prompt_digest": "0" * 16}, "prompts differ: f00_000 has another prompt in either run (and 89 more)"),
    ],
)
def test_runs_of_other_items_cannot_be_compared(change: dict[str, str], said: str) -> None:
    old, new = sides(3, 5, 90)
    cases = tuple(dataclasses.replace(one, **change) for one in new.cases)  # type: ignore[arg-type]
    result = decide(old, dataclasses.replace(new, cases=cases))
    assert (result.verdict, result.reason) == ("invalid", "unlike")
    assert said in result.why


def test_a_smaller_selection_cannot_be_compared() -> None:
    old, new = sides(3, 5, 90)
    fewer = dataclasses.replace(new, cases=new.cases[:60], selected=60)
    for one, other, label in ((old, fewer, "OLD"), (fewer, old, "OLD")):
        result = decide(one, other)
        assert (result.verdict, result.reason) == ("invalid", "unlike")
        assert f"items differ: f00_060 of plotchain is only in {label} (and 29 more)" in result.why


@pytest.mark.parametrize("lacking", [1, 30, 89])
def test_a_run_that_was_stopped_never_passes(lacking: int) -> None:
    old, new = sides(0, 5, 90)
    partial = dataclasses.replace(new, cases=new.cases[:-lacking])
    for one, other in ((old, partial), (partial, old)):
        result = decide(one, other)
        assert (result.verdict, result.reason, result.exit_code) == ("invalid", "incomplete", 11)
        assert f"NEW was not run to its end: {lacking} of 90 cases were not asked" in result.why


def test_an_empty_run_never_passes() -> None:
    old, new = sides(0, 5, 90)
    for one, other in ((old, run([], label="NEW")), (run([], label="NEW"), new)):
        result = decide(one, other)
        assert (result.verdict, result.exit_code, result.why) == ("invalid", 11, "NEW holds no result")


def test_cases_that_cannot_be_scored_leave_before_missing_ones_are_counted() -> None:
    old, new = sides(2, 30, 200)
    proofs: dict[int, Result] = dict.fromkeys(range(100, 200), "unscored")
    result = decide(with_results(old, proofs), with_results(new, proofs))
    assert (result.verdict, result.overall and result.overall.n) == ("upgrade", 100)
    everything: dict[int, Result] = dict.fromkeys(range(200), "unscored")
    nothing = decide(with_results(old, everything), new)
    assert (nothing.verdict, nothing.why) == ("invalid", "no case is scored in both runs")


def test_more_than_five_percent_missing_in_a_suite_is_invalid() -> None:
    old, new = sides(0, 60, 200)
    five: dict[int, Result] = dict.fromkeys(range(10), "missing")
    six: dict[int, Result] = dict.fromkeys(range(11), "missing")
    assert decide(old, with_results(new, five)).verdict == "upgrade"
    for one, other in ((old, with_results(new, six)), (with_results(old, six), new)):
        result = decide(one, other)
        assert (result.verdict, result.reason, result.exit_code) == ("invalid", "incomplete", 11)
        assert "5.5 % of plotchain's runs are missing" in result.why


def test_missing_runs_count_against_an_upgrade_and_against_a_regression() -> None:
    old, new = sides(29, 45, 450, passed=376)
    lost: dict[int, Result] = dict.fromkeys(range(446, 450), "missing")
    result = decide(old, with_results(new, lost))
    assert result.overall is not None
    assert result.overall.missing_n == 4
    assert result.overall.complete is not None
    assert result.overall.complete.n == 446
    assert result.overall.worst_low < 0.0032


def test_what_complete_cases_would_decide_is_not_decided_when_runs_are_missing() -> None:
    old, new = sides(20, 31, 450, passed=399)
    lost: dict[int, Result] = dict.fromkeys(range(430, 450), "missing")
    upgrade = decide(old, with_results(new, lost), margins=Margins(overall=1.0, suite=1.0))
    assert (upgrade.verdict, upgrade.reason, upgrade.exit_code) == ("inconclusive", "missing", 10)
    assert "without the 20 cases of which a run is missing" in upgrade.why
    assert upgrade.further == ()
    old, new = sides(40, 22, 450, passed=100)
    regression = decide(old, with_results(new, lost), margins=TWO)
    assert (regression.verdict, regression.reason) == ("inconclusive", "missing")


def test_a_second_run_of_the_old_model_gives_the_noise_floor() -> None:
    old, new = sides(10, 12, 450)
    again = flipped(old, 9, 9, label="AA")
    near = decide(old, new, second_run=again).noise
    far = decide(old, flipped(old, 0, 60, label="NEW"), second_run=again).noise
    assert near is not None
    assert far is not None
    assert (near.source, near.n, near.drift_p) == ("second run", 450, 1.0)
    assert near.rate == pytest.approx(0.04)
    assert (near.within, far.within) == (True, False)


def test_an_old_model_that_changed_between_its_runs_is_no_reference() -> None:
    old, new = sides(10, 12, 450)
    result = decide(old, new, second_run=flipped(old, 14, 3, label="AA"))
    assert (result.verdict, result.reason, result.exit_code) == ("invalid", "drift", 11)
    assert "the two runs of openai:model-old differ by more than chance" in result.why


def test_a_second_run_of_other_items_cannot_be_used() -> None:
    old, new = sides(10, 12, 450)
    result = decide(old, new, second_run=dataclasses.replace(new, label="AA", scorers_sha256="cd" * 32))
    assert (result.verdict, result.reason) == ("invalid", "unlike")
    assert "in AA" in result.why


def test_repeats_give_noise_and_an_interval_for_these_very_items() -> None:
    old = run([case(f"a_{place:03d}", "passed", "failed", "passed") for place in range(90)])
    new = run([case(f"a_{place:03d}", "passed", "passed", "failed") for place in range(90)], label="NEW")
    result = decide(old, new)
    assert result.noise is not None
    assert (result.noise.source, result.noise.drift_p) == ("repeats", None)
    assert result.noise.rate == pytest.approx(2 / 3)
    assert result.overall is not None
    assert result.overall.complete is not None
    assert result.overall.complete.these_items is not None


def test_repeats_that_would_do_are_named_with_their_cost() -> None:
    old, new = sides(50, 40, 450)
    again = flipped(old, 9, 9, label="AA")
    (need,) = decide(old, new, margins=Margins(overall=5.0, suite=5.0), second_run=again).further
    assert need.repeats == 5
    assert need.repeats_cost_usd == pytest.approx(4 * 9.0)
    (never,) = decide(old, new, margins=TWO, second_run=again).further
    assert (never.repeats, never.repeats_cost_usd) == ("never", None)


def test_other_settings_and_other_picture_files_are_noted_and_change_no_verdict() -> None:
    old, new = sides(0, 5, 90)
    drawn = [
        tuple(dataclasses.replace(one, picture_digest=letter * 16) for one in side.cases)
        for side, letter in ((old, "a"), (new, "b"))
    ]
    result = decide(
        dataclasses.replace(old, cases=drawn[0]),
        dataclasses.replace(new, cases=drawn[1], settings={"temperature": None}),
    )
    assert result.verdict == "upgrade"
    assert result.notes[0] == "temperature differs: 0.0 in OLD, None in NEW"
    assert result.notes[1].startswith("90 of 90 pictures are other files in either run")


COUNTS = st.integers(30, 300).flatmap(
    lambda n: st.integers(0, n).flatmap(lambda b: st.tuples(st.just(b), st.integers(0, n - b), st.just(n)))
)


@given(COUNTS)
@settings(max_examples=12, deadline=None)
def test_of_two_runs_at_most_one_is_worse_overall(counts: tuple[int, int, int]) -> None:
    old, new = sides(*counts)
    there, back = decide(old, new), decide(new, old)
    assert not (there.suites[0].regressed and back.suites[0].regressed)
    assert there.suites[0].complete is not None
    assert back.suites[0].complete is not None
    assert there.suites[0].complete.delta == pytest.approx(-back.suites[0].complete.delta)


@settings(max_examples=12, deadline=None)
@given(st.integers(30, 600), st.integers(0, 3))
def test_a_model_against_itself_with_a_few_flips_is_never_a_regression(n: int, flips: int) -> None:
    assert decide(*sides(flips, 0, n)).verdict in {"upgrade", "inconclusive"}


@settings(max_examples=12, deadline=None)
@given(COUNTS, st.integers(1, 20))
def test_a_wider_margin_never_undoes_an_upgrade(counts: tuple[int, int, int], points: int) -> None:
    narrow = decide(*sides(*counts), margins=Margins(overall=points, suite=points))
    wide = decide(*sides(*counts), margins=Margins(overall=points + 1, suite=points + 1))
    assert narrow.verdict != "upgrade" or wide.verdict == "upgrade"


@settings(max_examples=12, deadline=None)
@given(COUNTS, st.data())
def test_losing_a_run_never_turns_a_verdict_round(counts: tuple[int, int, int], data: st.DataObject) -> None:
    old, new = sides(*counts)
    places = data.draw(st.sets(st.integers(0, counts[2] - 1), max_size=counts[2] // 20))
    lost: dict[int, Result] = dict.fromkeys(places, "missing")
    before, after = decide(old, new).verdict, decide(old, with_results(new, lost)).verdict
    assert (before, after) not in {("upgrade", "regression"), ("regression", "upgrade")}
    assert before != "inconclusive" or after == "inconclusive"


def test_a_familys_counts_are_those_measured_though_missing_runs_are_filled_for_its_test() -> None:
    old, new = sides(9, 60, 450)
    gained = next(
        place
        for place, (before, after) in enumerate(zip(old.cases, new.cases, strict=True))
        if (before.results, after.results) == (("failed",), ("passed",))
    )
    cases = list(new.cases)
    cases[gained] = dataclasses.replace(cases[gained], results=("missing",))
    result, whole = decide(old, dataclasses.replace(new, cases=tuple(cases))), decide(old, new)

    assert sum(family.gains for family in whole.families) == 60
    assert sum(family.gains for family in result.families) == 59
    assert sum(family.n for family in result.families) == 449
    assert [family.p for family in result.families] == [family.p for family in whole.families]
