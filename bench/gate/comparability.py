"""Whether two runs asked the same and judged alike; the first difference is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.gate.outcomes import CaseOutcome, RunOutcomes

__all__ = ["first_difference", "setting_notes", "unfinished", "version_difference"]


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
    """Say in one sentence what was asked or judged otherwise, whichever the cases; None where nothing was."""
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
