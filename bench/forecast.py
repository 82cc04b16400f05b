"""What a run can cost at most, said before anything is asked."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from bench.models.estimate import estimate
from generators.errors import PictureError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.cases import Case
    from bench.contestants import Contestant
    from bench.session import Session

__all__ = ["forecast"]

# Larger than any picture that is drawn; only its size is looked at.
LARGEST_PX = (900, 800)
FREE_PROVIDERS = frozenset({"http", "offline", "ollama"})


def forecast(session: Session, cases: Sequence[Case]) -> list[str]:
    """Return a line for each model that is paid for: asks and USD at most, retries left out.

    Stored replies are not subtracted: which ones fit is known only when the pictures are there.
    """
    return [
        _line(session, model, [case for case in cases if case.model == model.label])
        for model in session.models.values()
        if model.factory is not None and model.provider not in FREE_PROVIDERS
    ]


def _line(session: Session, model: Contestant, cases: Sequence[Case]) -> str:
    asks = len(cases) * session.settings.repeats
    price = None if model.factory is None else model.factory.price
    if price is None:
        return f"eyechart: {asks} asks to {model.label}; cost unknown, no price is known (--prices FILE gives one)"
    estimates = [
        estimate(
            session.ask(case, session.item(case), _picture(session, case), 0),
            provider=model.provider,
            name=model.name,
        )
        for case in _one_of_each_family(session, cases)
    ]
    most = max((guess.cost_usd(price) for guess in estimates), default=0.0)
    limit = session.settings.max_cost_usd
    bound = "" if limit is None else f", stopped before {limit:g}"
    cost = f"cost at most {asks * most:.2f} USD without retries{bound}"
    return f"eyechart: {asks} asks to {model.label} {cost}; stored replies are free"


def _picture(session: Session, case: Case) -> bytes:
    """Return the picture where it is a file, else one of the size that none of the drawn ones exceeds."""
    picture = session.item(case).picture
    try:
        return picture.png() if picture.key is None else _blank_picture()
    except PictureError:
        return _blank_picture()


def _one_of_each_family(session: Session, cases: Sequence[Case]) -> list[Case]:
    return list({session.item(case).family: case for case in cases[:2000]}.values())


def _blank_picture() -> bytes:
    header = struct.pack(">IIBBBBB", *LARGEST_PX, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(header)) + b"IHDR" + header + b"\0\0\0\0"
