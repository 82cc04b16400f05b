"""Records for tests: made by hand, by Hypothesis, and from the published raw files."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from hypothesis import strategies as st

from bench.models.types import DRAWING_STATUSES, Drawing, Response, Status, Usage, scorable_text
from bench.results.raw import read_raw
from bench.results.record import Record
from scorers.plotchain import score_plotchain
from scorers.score import FieldScore, Score, Unscored

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scorers.tolerances import Policy

__all__ = ["answer", "failed", "make_record", "published_records", "records", "replies", "scores"]

TRUTH: Mapping[str, object] = {"cutoff_hz": 100.0, "dc_gain_db": 20.0, "cp_mag_at_fc_db": 17.0}
FINALS = ("cutoff_hz", "dc_gain_db")
CHECKPOINTS = ("cp_mag_at_fc_db",)


def answer(**values: Any) -> Response:
    """Return a reply with the truth, but for the values given."""
    return Response(status="answered", text=json.dumps({**TRUTH, **values}), latency_s=2.0)


def failed(error: str = "no connection") -> Response:
    return Response(status="failed", failure="network", error=error, latency_s=0.5)


def make_record(reply: Response | None = None, **changes: Any) -> Record:
    """Return a record of one bode_magnitude item; without a reply it is answered rightly."""
    came = answer() if reply is None else reply
    score = score_plotchain(
        scorable_text(came),
        family="bode_magnitude",
        truth=TRUTH,
        final_fields=FINALS,
        checkpoint_fields=changes.pop("checkpoint_fields", CHECKPOINTS),
        policy="plotread",
    )
    values: dict[str, Any] = {
        "case_id": "bode_magnitude_000",
        "item_id": "bode_magnitude_000",
        "suite": "plotchain",
        "family": "bode_magnitude",
        "task": None,
        "difficulty": "clean",
        "provider": "openai",
        "model": "gpt-x",
        "repeat": 0,
        "item_digest": "1f" * 32,
        "ask_digest": "2e" * 32,
        "policy": "plotread",
        "prompt": "Read the plot: −3 dB?",
        "picture_sha256": None,
        "image_path": "images/bode_magnitude/bode_magnitude_000.png",
        "reply": came,
        "score": score,
    }
    return Record(**{**values, **changes})


def published_records(release: Path, run: str, policy: Policy = "plotread") -> list[Record]:
    """Replay one of the published raw files against the released items."""
    return list(_published_records(release, run, policy))


@cache
def _published_records(release: Path, run: str, policy: Policy) -> tuple[Record, ...]:
    with (release / "plotchain.jsonl").open(encoding="utf-8") as file:
        items = {item["id"]: item for item in map(json.loads, file)}
    ((pair, stored),) = read_raw((release / "results" / run).glob("raw_*.jsonl"), items).items()
    found = []
    for reply in stored:
        item = items[reply.line.item_id]
        generation = item["generation"]
        score = score_plotchain(
            scorable_text(reply.reply),
            family=item["type"],
            truth=item["ground_truth"],
            final_fields=generation["final_fields"],
            checkpoint_fields=generation["checkpoint_fields"],
            policy=policy,
            stored_answer=reply.stored_answer,
        )
        found.append(
            make_record(
                reply.reply,
                case_id=reply.line.item_id,
                item_id=reply.line.item_id,
                family=item["type"],
                difficulty=generation["difficulty"],
                provider=pair[0],
                model=pair[1],
                policy=policy,
                score=score,
            )
        )
    return tuple(found)


TEXTS = st.text(max_size=20)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
COUNTS = st.none() | st.integers(0, 10**12)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | FLOATS | TEXTS,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(TEXTS, parts, max_size=3),
    max_leaves=5,
)
ANSWERS: st.SearchStrategy[dict[str, object] | None] = st.none() | st.dictionaries(TEXTS, JSON_VALUES, max_size=3)


@st.composite
def replies(draw: st.DrawFn) -> Response:
    """Any reply that a client may return."""
    status: Status = draw(st.sampled_from(get_args(Status)))
    is_failed = status == "failed"
    return Response(
        status=status,
        text=draw(TEXTS),
        served_model=draw(st.none() | TEXTS),
        finish_reason=draw(st.none() | TEXTS),
        usage=Usage(
            input_tokens=draw(COUNTS),
            output_tokens=draw(COUNTS),
            reasoning_tokens=draw(COUNTS),
            cached_tokens=draw(COUNTS),
            cost_usd=draw(st.none() | st.floats(0, 9)),
        ),
        latency_s=draw(st.none() | st.floats(0, 1e6)),
        attempts=draw(st.integers(1, 9)),
        failure=draw(st.sampled_from(["auth", "rate", "server"])) if is_failed else None,
        error=draw(TEXTS) if is_failed else None,
        pictures=tuple(draw(st.lists(st.binary(max_size=9), max_size=2))),
    )


@st.composite
def scores(draw: st.DrawFn, *, may_pass: bool) -> Score:
    """Any score, with passed fields only where the reply was an answer."""
    rows = st.builds(
        FieldScore,
        field=TEXTS,
        scope=st.sampled_from(["final", "checkpoint"]),
        prediction=st.none() | FLOATS,
        truth=FLOATS,
        abs_err=st.none() | FLOATS,
        rel_err=st.none() | FLOATS,
        abs_tol=FLOATS,
        rel_tol=FLOATS,
        passed=st.booleans() if may_pass else st.just(value=False),
        why=TEXTS,
    )
    unscored = draw(st.none() | st.builds(Unscored, cause=st.sampled_from(["design", "judge"]), why=TEXTS))
    return Score(
        fields=() if unscored else tuple(draw(st.lists(rows, max_size=3))),
        parsed=draw(st.booleans()),
        answer=draw(ANSWERS),
        rule=draw(TEXTS),
        unscored=unscored,
    )


@st.composite
def drawings(draw: st.DrawFn, reply: Response) -> Drawing:
    """Any outcome of a first stage."""
    return Drawing(
        status=draw(st.sampled_from(DRAWING_STATUSES)),
        source=draw(TEXTS),
        note=draw(TEXTS),
        path=draw(st.none() | TEXTS),
        reply=draw(st.sampled_from([None, reply])),
        diagnostics=draw(st.dictionaries(TEXTS, st.floats(0, 1), max_size=1)),
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record."""
    reply = draw(replies())
    return make_record(
        reply,
        case_id=draw(TEXTS),
        item_id=draw(TEXTS),
        suite=draw(st.sampled_from(["plotchain", "geometry"])),
        family=draw(TEXTS),
        task=draw(st.none() | TEXTS),
        difficulty=draw(TEXTS),
        provider=draw(TEXTS),
        model=draw(TEXTS),
        repeat=draw(st.integers(0, 9)),
        prompt=draw(TEXTS),
        picture_sha256=draw(st.none() | TEXTS),
        score=draw(scores(may_pass=reply.status == "answered")),
        about=draw(st.dictionaries(TEXTS, st.none() | TEXTS, max_size=1)),
        drawing=draw(st.none() | drawings(reply)),
        judge_reply=draw(st.sampled_from([None, reply])),
    )
