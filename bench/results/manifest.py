"""run.json: what was run, with what, and what came of it; enough to tell whether two runs can be compared."""

from __future__ import annotations

import hashlib
import json
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.results.record import STATUSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from bench.contestants import Contestant
    from bench.options import Settings
    from bench.results.record import Record

__all__ = ["build_manifest", "scorer_digest"]

FORMAT = 1
LIBRARIES = ("eyechart", "pytest", "pytest-xdist", "httpx", "numpy", "matplotlib", "pillow")
SCORERS = Path(__file__).resolve().parents[2] / "scorers"


def build_manifest(
    *,
    settings: Settings,
    models: Sequence[Contestant],
    records: Sequence[Record],
    started: datetime,
    finished: datetime,
    complete: bool,
    selected: int,
    from_store: int,
) -> dict[str, Any]:
    """Return the manifest; it holds no key, and no path but those given as options."""
    return {
        "format": FORMAT,
        "complete": complete,
        "started": started.isoformat(timespec="seconds"),
        "finished": finished.isoformat(timespec="seconds"),
        "cases_selected": selected,
        "options": settings.to_json(),
        "models": [_model(model, records) for model in models],
        "items": {suite: _items(records, suite) for suite in sorted({record.suite for record in records})},
        "scorers_sha256": scorer_digest(),
        "replies": {
            **{status: sum(record.status == status for record in records) for status in STATUSES},
            "from_store": from_store,
        },
        "usage": _usage(records),
        "cost_usd": None,
        "versions": {"python": platform.python_version(), **_versions()},
    }


@cache
def scorer_digest() -> str:
    """SHA-256 over the scorers' source: equal digests score equally."""
    digest = hashlib.sha256()
    for path in sorted(SCORERS.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _model(model: Contestant, records: Iterable[Record]) -> dict[str, Any]:
    own = [record for record in records if (record.provider, record.model) == (model.provider, model.name)]
    served = sorted({record.reply.served_model for record in own if record.reply.served_model})
    return {
        "provider": model.provider,
        "name": model.name,
        "about": model.about,
        "served_as": served,
        "replies": len(own),
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
