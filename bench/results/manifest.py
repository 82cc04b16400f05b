"""run.json: what was run, with what, and what came of it; enough to tell whether two runs can be compared."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.models.prices import cost_usd, prices_date
from bench.models.sight import sight
from bench.results.record import STATUSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.contestants import Contestant
    from bench.options import Settings
    from bench.results.collected import Collected
    from bench.results.record import Record

__all__ = ["build_manifest", "reply_cost", "scorer_digest", "total_cost_usd"]

FORMAT = 1
LIBRARIES = ("eyechart", "pytest", "pytest-xdist", "httpx", "numpy", "matplotlib", "pillow")
SCORERS = Path(__file__).resolve().parents[2] / "scorers"


def build_manifest(
    *,
    settings: Settings,
    models: Sequence[Contestant],
    collected: Collected,
    started: datetime,
    complete: bool,
    selected: int,
) -> dict[str, Any]:
    """Return the manifest; it holds no key, and no path but those given as options.

    `usage` and `cost_usd` are of all replies, `asked_cost_usd` of those that this run asked for; costs are null
    where a price or a count is unknown, never guessed.
    """
    records = collected.records
    return {
        "format": FORMAT,
        "complete": complete,
        "started": started.isoformat(timespec="seconds"),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "cases_selected": selected,
        "options": settings.to_json(),
        "models": [_model(model, settings, collected) for model in models],
        "items": {suite: _items(records, suite) for suite in sorted({record.suite for record in records})},
        "scorers_sha256": scorer_digest(),
        "replies": {
            **{status: sum(record.status == status for record in records) for status in STATUSES},
            "from_store": collected.from_store,
        },
        "usage": _usage(records),
        "cost_usd": total_cost_usd(records, models),
        "asked_cost_usd": total_cost_usd(collected.asked_records, models),
        "versions": {"python": platform.python_version(), **_versions()},
    }


def total_cost_usd(records: Sequence[Record], models: Sequence[Contestant]) -> float | None:
    """Return what the replies cost together; None when it is unknown for one of them.

    Failed requests that report no tokens are taken as free; offline models cost nothing.
    """
    prices = reply_cost(models)
    costs = [prices(record) for record in records]
    unknown = any(cost is None and record.status != "failed" for cost, record in zip(costs, records, strict=True))
    return None if unknown else sum(cost for cost in costs if cost is not None)


def reply_cost(models: Sequence[Contestant]) -> Callable[[Record], float | None]:
    """Return the function that prices a record's reply, in USD."""
    prices = {(model.provider, model.name): model.factory.price for model in models if model.factory is not None}
    offline = {(model.provider, model.name) for model in models if model.factory is None}

    def cost(record: Record) -> float | None:
        pair = (record.provider, record.model)
        return 0.0 if pair in offline else cost_usd(record.reply.usage, prices.get(pair))

    return cost


@cache
def scorer_digest() -> str:
    """SHA-256 over the scorers' source: equal digests score equally."""
    digest = hashlib.sha256()
    for path in sorted(SCORERS.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _model(model: Contestant, settings: Settings, collected: Collected) -> dict[str, Any]:
    pair = (model.provider, model.name)
    own = [record for record in collected.records if (record.provider, record.model) == pair]
    served = sorted({record.reply.served_model for record in own if record.reply.served_model})
    about = {
        "provider": model.provider,
        "name": model.name,
        "about": model.about,
        "served_as": served,
        "replies": len(own),
    }
    return about if model.factory is None else about | _asking(model, settings, collected)


def _asking(model: Contestant, settings: Settings, collected: Collected) -> dict[str, Any]:
    size = collected.largest_picture_px(model.label)
    seen = None if size is None else sight(model.provider, model.name, *size, detail=settings.image_detail)
    return {
        "adaptations": collected.adaptations(model.label),
        "largest_picture_px": size,
        "seen_at_most": None if seen is None else asdict(seen),
        "prices_of": prices_date(),
    }


def _items(records: Iterable[Record], suite: str) -> dict[str, Any]:
    own = [record for record in records if record.suite == suite]
    items = sorted({(record.item_id, record.item_digest) for record in own})
    prompts = sorted({(record.case_id, record.prompt) for record in own})
    return {"n": len(items), "sha256": _digest(items), "prompts_sha256": _digest(prompts)}


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _usage(records: Iterable[Record]) -> dict[str, int | None]:
    names = ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens")
    counts = {name: [getattr(record.reply.usage, name) for record in records] for name in names}
    known = {name: [count for count in values if count is not None] for name, values in counts.items()}
    return {name: sum(values) if values else None for name, values in known.items()}


def _versions() -> dict[str, str | None]:
    return {name: _version(name) for name in LIBRARIES}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
