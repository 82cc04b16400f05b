"""Runs merged into one, as if one run had made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.errors import UserError
from bench.options import Shard, parse_shard
from bench.results.aggregate import known_total, total
from bench.results.comparability import first_difference, models_of, outcomes_of, version_difference
from bench.results.manifest import items_summary
from bench.results.record import record_order
from bench.results.run_folder import StoredRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from bench.results.comparability import RunOutcomes
    from bench.results.record import Record

__all__ = ["merge"]


RECIPE_OPTIONS = (
    "policy",
    "edition",
    "item_seed",
    "items_per_family",
    "limit",
    "tasks",
    "shots",
    "count_tolerance",
    "repeats",
    "structured",
    "question_language",
    "image_model",
    "visual_cot_control",
)
"""Options that decide which items there are and what tables say. Ids alone would not tell that they differ."""


def merge(runs: Sequence[StoredRun], *, into: Path) -> StoredRun:
    """Return the runs as one that would lie in the folder `into`.

    `complete` only when every run is and no shard is absent; `elapsed_s` is the sum of the parts'.

    Raises:
        UserError: nothing to merge, a case of a model stands in two runs, or runs were asked or judged otherwise.
    """
    if not runs or not all(run.records for run in runs):
        empty = next((run.path for run in runs if not run.records), None)
        raise UserError("no run to merge" if empty is None else f"{empty}: holds no result that could be merged")
    ordered = sorted(runs, key=lambda run: (str(run.manifest.get("started", "")), str(run.path)))
    _refuse_unlike(ordered)
    _refuse_repeated(ordered)
    truths = {key: truth for run in ordered for key, truth in run.truths.items()}
    records = tuple(sorted((record for run in runs for record in run.records), key=record_order))
    merged = StoredRun(path=into, manifest=_manifest(ordered, records), records=records, truths=truths)
    _refuse_other_cases(merged)
    return merged


def _refuse_unlike(runs: Sequence[StoredRun]) -> None:
    first, *others = runs
    reference = _outcomes(first, str(first.path))[0]
    for run in others:
        for name in RECIPE_OPTIONS:
            ours, theirs = first.manifest["options"].get(name), run.manifest["options"].get(name)
            if ours != theirs:
                flag = name.replace("_", "-")
                raise UserError(f"unlike runs: --{flag} is {ours} in {first.path} and {theirs} in {run.path}")
        for outcomes in _outcomes(run, str(run.path)):
            if difference := version_difference(reference, outcomes):
                raise UserError(f"unlike runs: {difference}")


def _outcomes(run: StoredRun, label: str | None = None) -> list[RunOutcomes]:
    """Return the outcomes of each model of a run, labelled with the model where nothing else is said."""
    models = [f"{provider}:{name}" for provider, name in models_of(run)]
    return [outcomes_of(run, label=label or model, model=model) for model in models]


def _refuse_repeated(runs: Sequence[StoredRun]) -> None:
    seen: dict[tuple[object, ...], Path] = {}
    for run in runs:
        for record in run.records:
            key = (record.provider, record.model, record.suite, record.item_id, record.task, record.repeat)
            if key in seen:
                raise UserError(
                    f"{record.item_id} of {record.provider}:{record.model} stands in {seen[key]} and {run.path}; "
                    "merge each part once (two runs of one model are compared by the gate)"
                )
            seen[key] = run.path


def _refuse_other_cases(merged: StoredRun) -> None:
    """Refuse models of which not all have the same cases: their rates could not be compared."""
    first, *others = _outcomes(merged)
    for other in others:
        if difference := first_difference(first, other):
            raise UserError(f"unlike runs: {difference}")


def _manifest(runs: Sequence[StoredRun], records: Sequence[Record]) -> dict[str, Any]:
    manifests = [run.manifest for run in runs]
    whole = all(_shards_of(runs, pair) for pair in {pair for run in runs for pair in models_of(run)})
    prices = {(one["provider"], one["name"]): one for part in manifests for one in part.get("prices", [])}
    return {
        **manifests[0],
        "complete": whole and all(part.get("complete") for part in manifests),
        "started": min(str(part.get("started", "")) for part in manifests),
        "finished": max(str(part.get("finished", "")) for part in manifests),
        "elapsed_s": round(sum(float(part.get("elapsed_s", 0.0)) for part in manifests), 3),
        "cases_selected": sum(int(part.get("cases_selected", 0)) for part in manifests),
        "options": {**manifests[0]["options"], **({"shard": None} if whole else {})},
        "models": _models(manifests),
        "items": items_summary(records),
        "replies": _summed(part.get("replies", {}) for part in manifests),
        "usage": _summed(part.get("usage", {}) for part in manifests),
        "cost_usd": known_total(part.get("cost_usd") for part in manifests),
        "judged": _judged([part["judged"] for part in manifests if part.get("judged")]),
        "prices": list(prices.values()),
        "asked": _asked(manifests),
        "merged": [
            {"started": part.get("started"), "shard": part["options"].get("shard"), "replies": len(run.records)}
            for run, part in zip(runs, manifests, strict=True)
        ],
    }


def _shards_of(runs: Iterable[StoredRun], pair: tuple[str, str]) -> bool:
    """Whether a model's runs are all shards of one division, or one whole run."""
    named = [run.manifest["options"].get("shard") for run in runs if pair in models_of(run)]
    shards = [Shard(k=1, n=1) if name is None else parse_shard(str(name)) for name in named]
    return {shard.n for shard in shards} == {len(shards)} and {shard.k for shard in shards} == {
        *range(1, len(shards) + 1)
    }


def _models(manifests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return each model once, with its counts summed."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for part in manifests:
        for model in part["models"]:
            share = {"cases_selected": int(part.get("cases_selected", 0)) // len(part["models"])}
            groups.setdefault((model["provider"], model["name"]), []).append({**share, **model})
    return [
        {
            **own[0],
            "served_as": sorted({name for model in own for name in model.get("served_as", [])}),
            "replies": sum(int(model.get("replies", 0)) for model in own),
            "cases_selected": sum(model["cases_selected"] for model in own),
        }
        for _, own in sorted(groups.items())
    ]


def _judged(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return what verdicts cost, of parts that one judge judged."""
    if not parts:
        return None
    return {
        **parts[0],
        "served_as": sorted({name for part in parts for name in part["served_as"]}),
        "replies": sum(part["replies"] for part in parts),
        "cost_usd": known_total(part["cost_usd"] for part in parts),
    }


def _asked(manifests: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for part in manifests:
        for label, spent in part.get("asked", {}).items():
            groups.setdefault(label, []).append(spent)
    return {
        label: {
            "asks": sum(int(spent["asks"]) for spent in own),
            "cost_usd": known_total(spent["cost_usd"] for spent in own),
        }
        for label, own in groups.items()
    }


def _summed(counts: Iterable[Mapping[str, int | None]]) -> dict[str, int | None]:
    parts = list(counts)
    return {
        name: total(part.get(name) for part in parts) for name in dict.fromkeys(n for part in parts for n in part)
    }
