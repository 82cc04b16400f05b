"""One run in one process: cases, models, how responses are obtained and become records, and what it can cost."""

from __future__ import annotations

import asyncio
import hashlib
import struct
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bench.models.budget import estimate
from bench.models.gateway import ModelGateway
from bench.models.images import picture_size
from bench.models.prefetch import Prefetcher
from bench.models.resolve import sampling_of
from bench.models.roles import DRAWS_REFERENCE, ModelRoles
from bench.models.types import Response
from bench.results.record import Record
from bench.results.store import ReplyStore
from bench.suites.base import Case, Judged, Suite, cases_of
from generators.errors import PictureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bench.models.resolve import ResolvedModel
    from bench.models.types import Drawing, Request
    from bench.options import Settings
    from bench.suites.image_cache import Pictures
    from bench.suites.visual_cot import Stages
    from generators.items import Item
    from scorers.score import Score

__all__ = ["Answer", "Session", "cost_estimate", "is_paid"]


AHEAD_OF_TESTS = 4
PATIENCE_S = 30.0
PATIENCE_AFTER_INTERRUPT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply and what was asked to get it; digests are empty when nothing was asked.

    `drawing` is the first stage of a two-stage case, `judge_reply` what a judge wrote about the reply.
    """

    reply: Response
    ask_digest: str = ""
    picture_sha256: str | None = None
    picture_px: tuple[int, int] | None = None
    from_store: bool = False
    drawing: Drawing | None = None
    judge_reply: Response | None = None


class Session:
    """What one process needs to run cases; made once, closed at the end.

    Pictures, store and event loop come into being when the first model that needs them is asked.
    """

    def __init__(
        self,
        settings: Settings,
        suites: Sequence[Suite],
        models: Sequence[ResolvedModel],
        pictures: Pictures,
        *,
        in_turn: bool = False,
        stages: Stages | None = None,
    ) -> None:
        self.settings = settings
        self.suites: Mapping[str, Suite] = {suite.name: suite for suite in suites}
        self.tested: Mapping[str, ResolvedModel] = {model.label: model for model in models}
        own = [suite.own_model for suite in suites if suite.own_model is not None]
        self.models: Mapping[str, ResolvedModel] = {**self.tested, **{model.label: model for model in own}}
        self.pictures = pictures
        self.stages = stages
        self.gateway = ModelGateway(
            lambda: ReplyStore(settings.replies), fresh=settings.fresh, most_in_flight=settings.concurrency
        )
        self._in_turn = in_turn
        self._cases: dict[str, list[Case]] = {}
        self._prefetcher: Prefetcher[tuple[Case, int], Answer] | None = None
        self._making = threading.Lock()

    def cases(self, suite: str) -> Sequence[Case]:
        """List the cases of a suite under this run's options."""
        if suite not in self._cases:
            found = self.suites[suite]
            labels = tuple(self.tested) if found.own_model is None else (found.own_model.label,)
            self._cases[suite] = cases_of(found, labels, self.settings.limit, self.settings.shard)
        return self._cases[suite]

    def item(self, case: Case) -> Item:
        """Make the case's item."""
        with self._making:
            return self.suites[case.suite].item(case.item_id, case.task)

    def has_answer(self, case: Case) -> bool:
        """Whether the model can be asked at all: a replayed file may lack the item."""
        offline = self.models[case.model].offline
        return offline is None or offline.answers(case.asked)

    def declined(self, case: Case) -> str | None:
        """Why the case's model is not asked this case; None where it is."""
        return self.models[case.model].declines(case.suite)

    def plan(self, cases: Iterable[Case]) -> None:
        """Start asking for these cases, which will run in this order."""
        asked = [case for case in cases if self._waits(case)]
        if asked and not self._in_turn:
            keys = [(case, repeat) for case in asked for repeat in self._repeats(case)]
            self.prefetcher.plan(keys)

    def plan_next(self, case: Case, following: Case) -> None:
        """Start requests as a worker does: for the case that runs, and for the next once that is answered.

        Not where another server is asked too: each worker has one request in flight.
        """
        same_server = following.model == case.model and not self.roles.asked
        if self._in_turn and same_server:
            waiting = [one for one in (case, following) if self._waits(one)]
            self.prefetcher.plan([(one, repeat) for one in waiting for repeat in self._repeats(one)])

    def answers(self, case: Case) -> tuple[Answer, ...]:
        """Return one answer for each repeat; waits for the model.

        Raises:
            EyechartError: the reply store cannot be used.
        """
        if self._waits(case):
            return tuple(self.prefetcher.result((case, repeat)) for repeat in self._repeats(case))
        item = self.item(case)
        return tuple(self._offline_answer(case, item, repeat) for repeat in self._repeats(case))

    def record(self, case: Case, item: Item, repeat: int, answer: Answer) -> Record:
        """Score an answer."""
        model = self.models[case.model]
        stored = None if model.offline is None else model.offline.stored_answer(case.asked, repeat)
        return Record(
            case_id=case.id,
            item_id=case.item_id,
            suite=case.suite,
            family=item.family,
            task=case.task,
            difficulty=item.difficulty,
            provider=model.provider,
            model=model.name,
            repeat=repeat,
            item_digest=item.digest,
            ask_digest=answer.ask_digest,
            policy=self.suites[case.suite].policy,
            prompt=item.prompt,
            picture_sha256=answer.picture_sha256,
            image_path=f"images/{item.family}/{case.item_id}.png",
            reply=answer.reply,
            score=self._score(case, item, answer, stored),
            about=self.suites[case.suite].about_item(item),
            drawing=answer.drawing,
            judge_reply=answer.judge_reply,
        )

    def ask(self, case: Case, item: Item, pictures: Sequence[bytes], repeat: int) -> Request:
        """Build what a model is asked."""
        suite = self.suites[case.suite]
        request = suite.ask(item, pictures, sampling_of(self.settings), repeat)
        return replace(request, schema=suite.schema(item)) if self.settings.structured else request

    def send_no_more(self) -> None:
        """Send no further request, without a wait for those that are under way."""
        if self._prefetcher is not None:
            self._prefetcher.start_no_more(self.gateway.send_no_more)

    def close(self, *, interrupted: bool = False) -> None:
        """Wait a while for replies that are under way, then close connections and the store."""
        if self._prefetcher is not None:
            patience_s = min(PATIENCE_S, self.settings.request_timeout_s)
            if interrupted or self.gateway.stop_condition.line:
                patience_s = min(PATIENCE_AFTER_INTERRUPT_S, patience_s)
            self._prefetcher.stop(
                self.gateway.close_models, stopping=self.gateway.send_no_more, patience_s=patience_s
            )
        self.gateway.close_store()

    @property
    def stores(self) -> bool:
        """Whether a server will be asked, whose replies are kept."""
        return any(model.remote for model in (*self.tested.values(), *self.roles.asked))

    @property
    def roles(self) -> ModelRoles:
        """The other models that are asked: one that judges, one that draws."""
        return ModelRoles() if self.stages is None else self.stages.roles

    @property
    def prefetcher(self) -> Prefetcher[tuple[Case, int], Answer]:
        """The event loop that asks."""
        if self._prefetcher is None:
            # The client lets `concurrency` requests out; further attempts have theirs ready. A worker has one.
            in_flight = self.settings.concurrency
            attempts = in_flight + (1 if self._in_turn else in_flight // 2)
            self._prefetcher = Prefetcher(
                self._attempt, concurrency=attempts, look_ahead=attempts * AHEAD_OF_TESTS
            )
        return self._prefetcher

    def _waits(self, case: Case) -> bool:
        """Whether somebody is asked about the case: its model, or a judge about what it wrote."""
        if self.declined(case) is not None or not self.has_answer(case):
            return False
        return self.models[case.model].looks or (self.stages is not None and self.stages.judges(case))

    def _repeats(self, case: Case) -> Iterable[int]:
        offline, wanted = self.models[case.model].offline, range(self.settings.repeats)
        return wanted if offline is None else offline.repeats(case.asked, wanted)

    async def _attempt(self, key: tuple[Case, int]) -> Answer:
        case, repeat = key
        item = self.item(case)
        try:
            if self.models[case.model].offline is not None:
                answer = await asyncio.to_thread(self._offline_answer, case, item, repeat)
            else:
                answer = await self._asked_answer(case, item, repeat)
        except PictureError as error:
            return Answer(reply=Response(status="failed", failure="data", error=str(error), attempts=0))
        if self.stages is None:
            return answer
        judge_reply = await self.stages.judge(case, item, answer.reply, repeat, self.gateway.reply)
        return replace(answer, judge_reply=judge_reply)

    def _offline_answer(self, case: Case, item: Item, repeat: int) -> Answer:
        offline = self.models[case.model].offline
        if offline is None:
            raise TypeError(f"{case.model} answers only when it is asked")
        drawing = offline.drawing(case.asked, repeat)
        if drawing is None and offline.name == DRAWS_REFERENCE and self.stages is not None:
            drawing = self.stages.reference(case, item)
        reply = offline.reply(self.suites[case.suite], item, case.asked, repeat)
        return Answer(reply=reply, drawing=drawing)

    async def _asked_answer(self, case: Case, item: Item, repeat: int) -> Answer:
        """Show the picture, and the drawing where the case has two stages.

        Raises:
            PictureError: a picture cannot be drawn or read.
        """
        # A thread for each picture would cost more than reading it here does.
        kept = self.pictures.at_hand(item)
        picture = await asyncio.to_thread(self.pictures.png, item) if kept is None else kept
        shown, drawing = [picture], None
        stages, ask_model = self.stages, self.gateway.reply
        if stages is not None and (first := await stages.draw(case, item, picture, repeat, ask_model)):
            drawing = first.drawing
            if first.png is None:
                sha256 = hashlib.sha256(picture).hexdigest()
                return _answer(first.in_place_of_an_answer(), picture, sha256, drawing)
            shown.append(first.png)
        request = self.ask(case, item, shown, repeat)
        reply, from_store = await self.gateway.reply(self.models[case.model], request, case=case)
        answer = _answer(reply, picture, request.picture_digests[picture], drawing)
        return replace(answer, ask_digest=request.digest, from_store=from_store)

    def _score(self, case: Case, item: Item, answer: Answer, stored: Mapping[str, object] | None) -> Score:
        suite = self.suites[case.suite]
        if answer.judge_reply is not None and isinstance(suite, Judged):
            return suite.judged(item, answer.judge_reply)
        return suite.score(item, answer.reply, stored)


def _answer(reply: Response, picture: bytes, sha256: str, drawing: Drawing | None) -> Answer:
    return Answer(reply=reply, picture_sha256=sha256, picture_px=picture_size(picture), drawing=drawing)


# Larger than any picture that is drawn; only its size is looked at.
LARGEST_PX = (900, 800)
FREE_PROVIDERS = frozenset({"http", "offline", "ollama"})


def cost_estimate(session: Session, cases: Sequence[Case]) -> list[str]:
    """Return a line for each model that is paid for: asks and USD at most, retries left out.

    Stored replies are not subtracted: which ones fit is known only when the pictures are there.
    """
    own = {model.label: [case for case in cases if case.model == model.label] for model in session.models.values()}
    lines = [
        _cost_line(session, model, own[model.label], lambda case: _question_request(session, case))
        for model in session.models.values()
        if is_paid(model) or (model.remote and session.settings.prices is not None)
    ]
    return lines + _companion_lines(session, cases)


def _companion_lines(session: Session, cases: Sequence[Case]) -> list[str]:
    """Return a line for the judge and one for the model that draws; a drawing serves all tested models."""
    stages = session.stages
    if stages is None:
        return []
    judge, image_model = stages.roles.judge, stages.roles.image_model
    lines = []
    if image_model is not None and is_paid(image_model):
        drawn = list({(case.item_id, case.task): case for case in cases if stages.draws(case)}.values())
        lines.append(_cost_line(session, image_model, drawn, lambda case: _drawing_request(session, stages, case)))
    if judge is not None and is_paid(judge):
        judged = [case for case in cases if stages.judges(case)]
        lines.append(
            _cost_line(session, judge, judged, lambda case: stages.longest_judge_request(case, session.item(case)))
        )
    return lines


def is_paid(model: ResolvedModel) -> bool:
    """Whether its replies cost something: where the user gave a price, also those of a server of his own."""
    return model.factory is not None and (model.provider not in FREE_PROVIDERS or model.factory.price is not None)


def _cost_line(
    session: Session, model: ResolvedModel, cases: Sequence[Case], request_of: Callable[[Case], Request]
) -> str:
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
        estimate(request_of(case), provider=model.provider, name=model.name)
        for case in _one_of_each_family(session, cases)
    ]
    most = max((guess.cost_usd(price) for guess in estimates), default=0.0)
    limit = session.settings.max_cost_usd
    bound = "" if limit is None else f", stopped before {limit:g}"
    cost = f"cost at most {asks * most:.2f} USD without retries{bound}"
    return f"eyechart: {asks} asks to {model.label} {cost}; stored replies are free"


def _question_request(session: Session, case: Case) -> Request:
    """Build the question with the picture; where a drawing is shown too, it counts as another."""
    stages = session.stages
    shown = 2 if stages is not None and stages.draws(case) else 1
    return session.ask(case, session.item(case), [_picture_or_blank(session, case)] * shown, 0)


def _drawing_request(session: Session, stages: Stages, case: Case) -> Request:
    return stages.suite.drawing_request(session.item(case), _picture_or_blank(session, case), 0)


def _picture_or_blank(session: Session, case: Case) -> bytes:
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
