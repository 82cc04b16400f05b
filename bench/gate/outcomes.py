"""What the gate needs of a run: for each case whether each repeat passed, and what makes two runs comparable."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from bench.errors import UserError
from bench.models.types import natural_key
from bench.results.record import known_total
from bench.tables.field_rows import grouped
from bench.tables.tolerance_units import worst_final_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.results.record import Record
    from bench.results.run_folder import StoredRun

__all__ = [
    "RESULTS",
    "CaseOutcome",
    "Result",
    "RunOutcomes",
    "case_outcomes",
    "contestants_of",
    "empty_outcomes",
    "outcomes_of",
    "planned_outcomes",
]

Result = Literal["passed", "failed", "missing", "unscored"]
RESULTS: tuple[Result, ...] = get_args(Result)

QUESTION_OPTIONS = ("edition", "shots", "question_language", "visual_cot_control")
SETTING_OPTIONS = (
    "temperature",
    "max_tokens",
    "reasoning_effort",
    "image_detail",
    "structured",
    "image_model",
)
DIGITS = 16
ERROR_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOutcome:
    """One case: `results` and `errors` by repeat.

    Digests are the first 16 hex digits. An error is the worst final field's in tolerances, None without a number.
    """

    suite: str
    family: str
    item_id: str
    task: str | None
    item_digest: str
    prompt_digest: str
    picture_digest: str | None
    results: tuple[Result, ...]
    errors: tuple[float | None, ...]

    def __post_init__(self) -> None:
        if not self.results or len(self.results) != len(self.errors) or not set(self.results) <= set(RESULTS):
            raise ValueError(
                f"case {self.name!r}: expected one of {', '.join(RESULTS)} and an error for each repeat, "
                f"got {self.results!r:.80} and {len(self.errors)} errors"
            )

    @property
    def key(self) -> tuple[str, str, str]:
        """What the case is found by in another run."""
        return (self.suite, self.item_id, self.task or "")

    @property
    def name(self) -> str:
        """Item and task, for people."""
        return self.item_id if self.task is None else f"{self.item_id} {self.task}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcomes:
    """One model's run. `label` is what it was named by.

    `question` are options that change what is asked, `settings` options that belong to the model; `policies` say
    by suite what decides a pass. `selected` counts the cases that were to run.
    """

    label: str
    provider: str
    model: str
    started: str
    selected: int
    repeats: int
    cost_usd: float | None
    scorers_sha256: str
    judge: str | None
    policies: Mapping[str, str]
    question: Mapping[str, Any]
    settings: Mapping[str, Any]
    cases: tuple[CaseOutcome, ...]


def contestants_of(run: StoredRun) -> list[tuple[str, str]]:
    """Return the (provider, model) pairs that a run measured, sorted; its judge is none of them."""
    return sorted({(record.provider, record.model) for record in _measured(run)})


def _measured(run: StoredRun) -> list[Record]:
    return [record for record in run.records if record.suite != "calibration"]


def outcomes_of(run: StoredRun, *, label: str, model: str | None = None) -> RunOutcomes:
    """Return the outcomes of the run's model, or of the one named "provider:name" or "name".

    Raises:
        UserError: the run has no record, several models and none is named, or not the one that is named.
    """
    provider, name = _chosen(run, label, model)
    own = [record for record in _measured(run) if (record.provider, record.model) == (provider, name)]
    several = len(contestants_of(run)) > 1
    manifest, options = run.manifest, run.manifest["options"]
    repeats = max([int(options.get("repeats") or 1), *(record.repeat + 1 for record in own)])
    judge = manifest.get("judge")
    return RunOutcomes(
        label=label,
        provider=provider,
        model=name,
        started=str(manifest.get("started", "")),
        selected=_selected(manifest, provider, name),
        repeats=repeats,
        cost_usd=None if several else _cost(manifest),
        scorers_sha256=str(manifest["scorers_sha256"]),
        judge=None if judge is None else json.dumps(judge, sort_keys=True),
        policies={
            suite: ", ".join(sorted({one.policy for one in kept})) for suite, kept in _by_suite(own).items()
        },
        question={name: options[name] for name in QUESTION_OPTIONS if name in options},
        settings={name: options[name] for name in SETTING_OPTIONS if name in options},
        cases=case_outcomes(own, repeats),
    )


def _cost(manifest: Mapping[str, Any]) -> float | None:
    """Return what replies, drawings and verdicts cost; None where part of it is unknown."""
    judged = manifest.get("judged") or {"cost_usd": 0.0}
    return known_total([manifest.get("cost_usd"), judged.get("cost_usd")])


def _selected(manifest: Mapping[str, Any], provider: str, name: str) -> int:
    """Return how many of the model's cases were to run; merged runs say it for each model."""
    models: Sequence[Mapping[str, Any]] = manifest["models"]
    for model in models:
        if (model.get("provider"), model.get("name")) == (provider, name) and "cases_selected" in model:
            return int(model["cases_selected"])
    return int(manifest.get("cases_selected", 0)) // max(1, len(models))


def _by_suite(records: Iterable[Record]) -> dict[str, list[Record]]:
    return grouped(records, lambda record: record.suite)


def _chosen(run: StoredRun, label: str, model: str | None) -> tuple[str, str]:
    pairs = contestants_of(run)
    wanted = [pair for pair in pairs if model is None or model in {f"{pair[0]}:{pair[1]}", pair[1]}]
    if len(wanted) == 1:
        return wanted[0]
    names = ", ".join(":".join(pair) for pair in pairs) or "nothing"
    if model is not None:
        raise UserError(f"{label}: expected one model {model!r}, found results of {names}")
    if not pairs:
        raise UserError(f"{label}: holds no result that could be compared")
    raise UserError(
        f"{label}: holds results of {names}; the gate compares one model with one: "
        "write a baseline of the one that is meant (python -m bench.leaderboard baseline RUN --model NAME -o FILE)"
    )


def case_outcomes(records: Sequence[Record], repeats: int) -> tuple[CaseOutcome, ...]:
    """Return the outcomes of one model's records, sorted by suite, item and task; absent repeats are missing."""
    return tuple(_cases(records, repeats))


def _cases(records: Sequence[Record], repeats: int) -> Iterable[CaseOutcome]:
    groups = grouped(records, lambda record: (record.suite, record.item_id, record.task or ""))
    for key in sorted(groups, key=lambda key: (key[0], natural_key(key[1]), key[1], key[2])):
        by_repeat = {record.repeat: record for record in groups[key]}
        first = groups[key][0]
        ran = [by_repeat.get(repeat) for repeat in range(repeats)]
        yield CaseOutcome(
            suite=first.suite,
            family=first.family,
            item_id=first.item_id,
            task=first.task,
            item_digest=first.item_digest[:DIGITS],
            prompt_digest=hashlib.sha256(first.prompt.encode()).hexdigest()[:DIGITS],
            picture_digest=None if first.picture_sha256 is None else first.picture_sha256[:DIGITS],
            results=tuple("missing" if record is None else _result(record) for record in ran),
            errors=tuple(None if record is None else _error(record) for record in ran),
        )


def _error(record: Record) -> float | None:
    """Return the worst final field's error in tolerances, as exact as a baseline file keeps it."""
    error = worst_final_error(record.score)
    return None if error is None else round(error, ERROR_DIGITS)


def _result(record: Record) -> Result:
    """What a record counts as: trouble on the way is missing, never a wrong answer."""
    unscored, drawing = record.score.unscored, record.drawing
    lost_drawing = drawing is not None and drawing.status == "failed"
    if record.status == "failed" or lost_drawing or (unscored is not None and unscored.cause == "judge"):
        return "missing"
    if unscored is not None and record.status == "unscored":
        return "unscored"
    return "passed" if record.passed else "failed"


def planned_outcomes(
    old: RunOutcomes,
    *,
    label: str,
    keys: Iterable[tuple[str, str, str | None]],
    policies: Mapping[str, str],
    options: Mapping[str, Any],
    scorers_sha256: str,
) -> RunOutcomes:
    """Return what a run that has asked nothing yet will have; digests and the judge are taken to be the old run's.

    `keys` are suite, item id and task of the cases that will run.
    """
    known = {case.key: case for case in old.cases}
    repeats = int(options["repeats"])
    missing: Result = "missing"
    cases = [
        CaseOutcome(
            suite=suite,
            family="",
            item_id=item_id,
            task=task,
            item_digest="" if (same := known.get((suite, item_id, task or ""))) is None else same.item_digest,
            prompt_digest="" if same is None else same.prompt_digest,
            picture_digest=None,
            results=(missing,) * repeats,
            errors=(None,) * repeats,
        )
        for suite, item_id, task in keys
    ]
    return replace(
        old,
        label=label,
        selected=len(cases),
        repeats=repeats,
        scorers_sha256=scorers_sha256,
        policies=policies,
        question={name: options[name] for name in QUESTION_OPTIONS if name in options},
        cases=tuple(cases),
    )


def empty_outcomes(label: str) -> RunOutcomes:
    """Return the outcomes of a run that has none."""
    return RunOutcomes(
        label=label,
        provider="",
        model="",
        started="",
        selected=0,
        repeats=1,
        cost_usd=None,
        scorers_sha256="",
        judge=None,
        policies={},
        question={},
        settings={},
        cases=(),
    )
