"""A run as outcomes of its cases, and whether two runs sent the same prompts and judged alike."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from bench.errors import UserError
from bench.models.types import natural_key
from bench.results.aggregate import grouped, known_total, worst_final_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bench.results.record import Record
    from bench.results.run_folder import StoredRun

__all__ = [
    "RESULTS",
    "CaseOutcome",
    "Result",
    "RunOutcomes",
    "case_outcomes",
    "first_difference",
    "models_of",
    "outcomes_of",
    "planned_outcomes",
    "setting_notes",
    "unfinished",
    "version_difference",
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
        """Item and task, as messages name the case."""
        return self.item_id if self.task is None else f"{self.item_id} {self.task}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcomes:
    """One model's run. `label` is what it was named by.

    `question` are options that change prompts, `settings` options that belong to the model; `policies` say
    by suite what decides a pass. `selected` counts the cases that were to run. A label alone makes a run of
    nothing.
    """

    label: str
    provider: str = ""
    model: str = ""
    started: str = ""
    selected: int = 0
    repeats: int = 1
    cost_usd: float | None = None
    scorers_sha256: str = ""
    judge: str | None = None
    policies: Mapping[str, str] = field(default_factory=dict)
    question: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    cases: tuple[CaseOutcome, ...] = ()


def models_of(run: StoredRun) -> list[tuple[str, str]]:
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
    several = len(models_of(run)) > 1
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
    pairs = models_of(run)
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
    """What a record counts as: a failed request is missing, never a wrong answer."""
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
    """Return the outcomes that a run will have, before its first request.

    Digests and the judge are taken to be the old run's.
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


def unfinished(old: RunOutcomes, new: RunOutcomes) -> str | None:
    """Say in one sentence that a run did not get to cases it had selected; None where both did.

    A run that stopped early is neither better nor worse, however few cases it lacks.
    """
    for here, other in ((old, new), (new, old)):
        if not here.cases:
            return f"{here.label} holds no result"
        absent = _absent(here, other)
        if absent and len(here.cases) + len(absent) == here.selected:
            return (
                f"{here.label} was not run to its end: {len(absent)} of {here.selected} cases were not asked, "
                f"{absent[0].name} the first; run the same command again"
            )
    return None


def first_difference(old: RunOutcomes, new: RunOutcomes) -> str | None:
    """Say in one sentence why the runs cannot be compared; None where they can."""
    return next(_differences(old, new), None)


def version_difference(old: RunOutcomes, new: RunOutcomes) -> str | None:
    """Say in one sentence what differs in prompts or judging, whichever the cases; None where nothing does."""
    return next(_version_differences(old, new), None)


def _differences(old: RunOutcomes, new: RunOutcomes) -> Iterator[str]:
    yield from _version_differences(old, new)
    yield from _case_differences(old, new)


def _version_differences(old: RunOutcomes, new: RunOutcomes) -> Iterator[str]:
    if old.scorers_sha256 != new.scorers_sha256:
        yield (
            f"scorers differ: {old.scorers_sha256[:12]} in {old.label}, {new.scorers_sha256[:12]} in {new.label}; "
            "score the old model with this version (its stored replies cost nothing)"
        )
    yield from _named("the judge", {"version": old.judge}, {"version": new.judge}, old.label, new.label)
    yield from _named("the policy of", old.policies, new.policies, old.label, new.label)
    yield from _named("prompts:", old.question, new.question, old.label, new.label)
    if old.repeats != new.repeats:
        yield f"repeats differ: {old.repeats} in {old.label}, {new.repeats} in {new.label}"


def _named(
    what: str, old: Mapping[str, object], new: Mapping[str, object], old_label: str, new_label: str
) -> Iterator[str]:
    for name in (*old, *(name for name in new if name not in old)):
        if name in old and name in new and old[name] != new[name]:
            yield f"{what} {name} differs: {old[name]} in {old_label}, {new[name]} in {new_label}"


def _case_differences(old: RunOutcomes, new: RunOutcomes) -> Iterator[str]:
    for here, other in ((old, new), (new, old)):
        if absent := _absent(here, other):
            yield (
                f"items differ: {absent[0].name} of {absent[0].suite} is only in {other.label}"
                f"{_more(len(absent))}; run the same selection"
            )
    theirs = _by_key(new)
    common = [(case, theirs[case.key]) for case in old.cases if case.key in theirs]
    yield from _digests("prompts", [pair for pair in common if pair[0].prompt_digest != pair[1].prompt_digest])
    yield from _digests("items", [pair for pair in common if pair[0].item_digest != pair[1].item_digest])


def _digests(what: str, unlike: Sequence[tuple[CaseOutcome, CaseOutcome]]) -> Iterator[str]:
    if unlike:
        meaning = "another prompt" if what == "prompts" else "other parameters or another truth"
        yield f"{what} differ: {unlike[0][0].name} has {meaning} in either run{_more(len(unlike))}"


def _absent(here: RunOutcomes, other: RunOutcomes) -> list[CaseOutcome]:
    """Return the other run's cases that are not here."""
    ours = _by_key(here)
    return [case for case in other.cases if case.key not in ours]


def _by_key(run: RunOutcomes) -> dict[tuple[str, str, str], CaseOutcome]:
    return {case.key: case for case in run.cases}


def _more(count: int) -> str:
    return f" (and {count - 1} more)" if count > 1 else ""


def setting_notes(old: RunOutcomes, new: RunOutcomes) -> list[str]:
    """Say what differs without making the runs incomparable: settings of the models, files of pictures."""
    notes = [
        f"{name} differs: {old.settings[name]} in {old.label}, {new.settings[name]} in {new.label}"
        for name in old.settings
        if name in new.settings and old.settings[name] != new.settings[name]
    ]
    theirs = _by_key(new)
    pairs = [(case.picture_digest, theirs[case.key].picture_digest) for case in old.cases if case.key in theirs]
    unlike = sum(ours is not None and other is not None and ours != other for ours, other in pairs)
    if unlike:
        notes.append(
            f"{unlike} of {len(pairs)} pictures are other files in either run: drawn by another version of the "
            "drawing library, perhaps; items and truths are the same"
        )
    return notes
