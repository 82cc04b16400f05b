"""What a run can cost at most, said before anything is asked."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from bench.models.budget import estimate
from generators.errors import PictureError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.models.resolve import ResolvedModel
    from bench.models.types import Request
    from bench.session import Session
    from bench.suites.base import Case
    from bench.suites.visual_cot import Stages

__all__ = ["cost_estimate", "is_paid"]

# Larger than any picture that is drawn; only its size is looked at.
LARGEST_PX = (900, 800)
FREE_PROVIDERS = frozenset({"http", "offline", "ollama"})


def cost_estimate(session: Session, cases: Sequence[Case]) -> list[str]:
    """Return a line for each model that is paid for: asks and USD at most, retries left out.

    Stored replies are not subtracted: which ones fit is known only when the pictures are there.
    """
    own = {model.label: [case for case in cases if case.model == model.label] for model in session.models.values()}
    lines = [
        _line(session, model, own[model.label], lambda case: _question(session, case))
        for model in session.models.values()
        if is_paid(model) or (model.remote and session.settings.prices is not None)
    ]
    return lines + _companion_lines(session, cases)


def _companion_lines(session: Session, cases: Sequence[Case]) -> list[str]:
    """Return a line for the judge and one for the model that draws; a drawing serves all tested models."""
    stages = session.stages
    if stages is None:
        return []
    judge, drawer = stages.companions.judge, stages.companions.drawer
    lines = []
    if drawer is not None and is_paid(drawer):
        drawn = list({(case.item_id, case.task): case for case in cases if stages.draws(case)}.values())
        lines.append(_line(session, drawer, drawn, lambda case: _drawing_ask(session, stages, case)))
    if judge is not None and is_paid(judge):
        judged = [case for case in cases if stages.judges(case)]
        lines.append(
            _line(session, judge, judged, lambda case: stages.longest_judge_ask(case, session.item(case)))
        )
    return lines


def is_paid(model: ResolvedModel) -> bool:
    """Whether its replies cost something: where the user gave a price, also those of a server of his own."""
    return model.factory is not None and (model.provider not in FREE_PROVIDERS or model.factory.price is not None)


def _line(session: Session, model: ResolvedModel, cases: Sequence[Case], ask: Callable[[Case], Request]) -> str:
    asks = len(cases) * session.settings.repeats
    price = None if model.factory is None else model.factory.price
    if price is None:
        prices = session.settings.prices
        why = (
            "no price is known (--prices FILE gives one)"
            if prices is None
            else f"--prices {prices} has none for it"
        )
        return f"eyechart: {asks} asks to {model.label}; cost unknown, {why}"
    estimates = [
        estimate(ask(case), provider=model.provider, name=model.name)
        for case in _one_of_each_family(session, cases)
    ]
    most = max((guess.cost_usd(price) for guess in estimates), default=0.0)
    limit = session.settings.max_cost_usd
    bound = "" if limit is None else f", stopped before {limit:g}"
    cost = f"cost at most {asks * most:.2f} USD without retries{bound}"
    return f"eyechart: {asks} asks to {model.label} {cost}; stored replies are free"


def _question(session: Session, case: Case) -> Request:
    """Build the question with the picture; where a drawing is shown too, it counts as another."""
    stages = session.stages
    shown = 2 if stages is not None and stages.draws(case) else 1
    return session.ask(case, session.item(case), [_picture(session, case)] * shown, 0)


def _drawing_ask(session: Session, stages: Stages, case: Case) -> Request:
    return stages.suite.drawing_ask(session.item(case), _picture(session, case), 0)


def _picture(session: Session, case: Case) -> bytes:
    """Return the picture where it is a file, else one of the size that none of the drawn ones exceeds."""
    picture = session.item(case).picture
    try:
        return picture.png() if picture.key is None else _blank_picture()
    except PictureError:
        return _blank_picture()


def _one_of_each_family(session: Session, cases: Sequence[Case]) -> list[Case]:
    """Return enough cases to find the dearest; solid-geometry problems differ too little to make them all."""
    found: dict[tuple[str, str | None], Case] = {}
    for case in cases[:2000]:
        kind = case.difficulty if case.suite == "auxsolidmath" else session.item(case).family
        found[kind, case.task] = case
    return list(found.values())


def _blank_picture() -> bytes:
    header = struct.pack(">IIBBBBB", *LARGEST_PX, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(header)) + b"IHDR" + header + b"\0\0\0\0"
