"""One run in one process: which cases, which models, how replies are obtained and turned into records."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from bench.cases import Case, Suite, cases_of
from bench.contestants import sampling_of
from bench.errors import UserError
from bench.models.asker import Asker
from bench.models.picture_limits import picture_size
from bench.models.protocol import Reply
from bench.results.record import Record
from bench.results.store import ReplyStore, reply_key
from bench.spending import Spending
from generators.errors import PictureError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.contestants import Contestant
    from bench.models.protocol import Ask, Model, ModelMaker
    from bench.options import Settings
    from bench.pictures import Pictures
    from generators.items import Item

__all__ = ["Answer", "Session"]

AHEAD_OF_TESTS = 4
READY_TO_SEND = 4
STOPPING_FAILURES = frozenset({"auth", "quota"})
NETWORK_FAILURES_IN_A_ROW = 5
FAILURES_IN_A_ROW = 10
PATIENCE_S = 30.0
PATIENCE_AFTER_INTERRUPT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply and what was asked to get it; digests are empty when nothing was asked."""

    reply: Reply
    ask_digest: str = ""
    picture_sha256: str | None = None
    picture_px: tuple[int, int] | None = None
    from_store: bool = False


@dataclass(slots=True)
class Trouble:
    """Why asking should end, in one line; set once, by the first who sees it.

    `in_a_row` counts, by model, failures since its last reply.
    """

    most_in_a_row: int = FAILURES_IN_A_ROW
    line: str | None = None
    in_a_row: dict[str, list[str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def see(self, reply: Reply, label: str) -> None:
        """Look at a reply: keys and quotas do not mend themselves, and neither does a server that is gone."""
        with self.lock:
            if reply.failure is None:
                self.in_a_row[label] = []
                return
            failures = self.in_a_row.setdefault(label, [])
            failures.append(reply.failure)
            gone = failures[-NETWORK_FAILURES_IN_A_ROW:] == ["network"] * NETWORK_FAILURES_IN_A_ROW
            if reply.failure in STOPPING_FAILURES or gone or len(failures) >= self.most_in_a_row:
                self.line = self.line or f"{label}: {reply.error}"

    def stop(self, line: str) -> None:
        """End asking for another reason."""
        with self.lock:
            self.line = self.line or line


class Session:
    """What one process needs to run cases; made once, closed at the end.

    Pictures, store and event loop come into being when the first model that needs them is asked.
    """

    def __init__(
        self,
        settings: Settings,
        suites: Sequence[Suite],
        models: Sequence[Contestant],
        pictures: Pictures,
        *,
        in_turn: bool = False,
    ) -> None:
        self.settings = settings
        self.suites: Mapping[str, Suite] = {suite.name: suite for suite in suites}
        self.models: Mapping[str, Contestant] = {model.label: model for model in models}
        self.pictures = pictures
        self.trouble = Trouble(most_in_a_row=max(FAILURES_IN_A_ROW, settings.concurrency))
        self.spending = Spending()
        self._in_turn = in_turn
        self._opened: dict[str, Model] = {}
        self._asker: Asker[tuple[Case, int], Answer] | None = None
        self._making = threading.Lock()

    def cases(self, suite: str) -> list[Case]:
        """List the cases of a suite under this run's options."""
        return cases_of(self.suites[suite], tuple(self.models), self.settings.limit)

    def item(self, case: Case) -> Item:
        """Make the case's item."""
        with self._making:
            return self.suites[case.suite].item(case.item_id, case.task)

    def has_answer(self, case: Case) -> bool:
        """Whether the model can be asked at all: a replayed file may lack the item."""
        offline = self.models[case.model].offline
        return offline is None or offline.answers(case)

    def declined(self, case: Case) -> str | None:
        """Why the case's model is not asked this case; None where it is."""
        return self.models[case.model].declines(case.suite)

    def plan(self, cases: Iterable[Case]) -> None:
        """Start asking for these cases, which will run in this order."""
        asked = [case for case in cases if self.models[case.model].looks and self.declined(case) is None]
        if asked and not self._in_turn:
            self.asker.plan((case, repeat) for case in asked for repeat in range(self.settings.repeats))

    def answers(self, case: Case) -> tuple[Answer, ...]:
        """Return one answer for each repeat; waits for the model.

        Raises:
            EyechartError: the reply store cannot be used.
        """
        offline = self.models[case.model].offline
        repeats = range(self.settings.repeats)
        if offline is not None:
            item = self.item(case)
            return tuple(
                Answer(reply=offline.reply(case, item, repeat)) for repeat in offline.repeats(case, repeats)
            )
        return tuple(self.asker.result((case, repeat)) for repeat in repeats)

    def record(self, case: Case, item: Item, repeat: int, answer: Answer) -> Record:
        """Score an answer."""
        model = self.models[case.model]
        stored = None if model.offline is None else model.offline.stored_answer(case, repeat)
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
            score=self.suites[case.suite].score(item, answer.reply, stored),
        )

    def ask(self, case: Case, item: Item, picture: bytes, repeat: int) -> Ask:
        """Build what a model is asked."""
        suite = self.suites[case.suite]
        ask = suite.ask(item, picture, sampling_of(self.settings), repeat)
        return replace(ask, schema=suite.schema(item)) if self.settings.structured else ask

    def adaptations(self, label: str) -> list[dict[str, str]]:
        """Return what was changed in requests to this model because its server refused it."""
        opened = self._opened.get(label)
        return [] if opened is None else opened.adaptations

    def close(self, *, interrupted: bool = False) -> None:
        """Wait a while for replies that are under way, then close connections and the store."""
        if self._asker is not None:
            patience_s = min(PATIENCE_S, self.settings.request_timeout_s)
            if interrupted or self.trouble.line:
                patience_s = min(PATIENCE_AFTER_INTERRUPT_S, patience_s)
            self._asker.stop(self._close_models, patience_s=patience_s)
        if "store" in self.__dict__:
            self.store.close()

    @property
    def asker(self) -> Asker[tuple[Case, int], Answer]:
        """The event loop that asks."""
        if self._asker is None:
            # The model's client lets `concurrency` requests out; a few more asks get their pictures meanwhile.
            in_flight = 1 if self._in_turn else self.settings.concurrency
            attempts = in_flight + min(in_flight // 2, READY_TO_SEND)  # none more for one: asks keep their order
            self._asker = Asker(
                self._attempt, concurrency=attempts, look_ahead=max(attempts, in_flight * AHEAD_OF_TESTS)
            )
        return self._asker

    @cached_property
    def store(self) -> ReplyStore:
        """The reply store."""
        return ReplyStore(self.settings.replies)

    async def _attempt(self, key: tuple[Case, int]) -> Answer:
        case, repeat = key
        item = self.item(case)
        try:
            # A thread for each picture would cost more than reading it here does.
            picture = self.pictures.at_hand(item)
            if picture is None:
                picture = await asyncio.to_thread(self.pictures.png, item)
        except PictureError as error:
            return Answer(reply=Reply(status="failed", failure="data", error=str(error), attempts=0))
        ask = self.ask(case, item, picture, repeat)
        reply, from_store = await self._stored_or_asked(case, ask)
        answer = Answer(
            reply=reply,
            ask_digest=ask.digest,
            picture_sha256=hashlib.sha256(picture).hexdigest(),
            picture_px=picture_size(picture),
            from_store=from_store,
        )
        self.trouble.see(reply, case.model)
        return answer

    async def _stored_or_asked(self, case: Case, ask: Ask) -> tuple[Reply, bool]:
        if not self.models[case.model].remote:
            return await self._asked(case, ask), False
        identity = self._factory(case.model).identity
        key = reply_key(identity, ask, case.item_id)
        stored = None if self.settings.fresh else self.store.get(key)
        if stored is not None:
            return stored, True
        reply = await self._asked(case, ask)
        return (reply if reply.status == "failed" else self._stored(key, reply, case, ask)), False

    async def _asked(self, case: Case, ask: Ask) -> Reply:
        reply = await self._open(case.model).ask(ask)
        self.spending.book(case.model, reply, self._factory(case.model).price)
        return reply

    def _stored(self, key: str, reply: Reply, case: Case, ask: Ask) -> Reply:
        """Store a reply and return the one that counts: another run's, where that was first."""
        identity, fresh = self._factory(case.model).identity, self.settings.fresh
        try:
            self.store.put(key, reply, identity=identity, case_id=case.id, repeat=ask.repeat, replace=fresh)
            return self.store.get(key) or reply
        except UserError as error:
            self.trouble.stop(str(error))  # this reply still reaches the tables; no further one is asked for
            return reply

    def _factory(self, label: str) -> ModelMaker:
        factory = self.models[label].factory
        if factory is None:
            raise TypeError(f"{label} is shown no picture")
        return factory

    def _open(self, label: str) -> Model:
        if label not in self._opened:
            self._opened[label] = self._factory(label)()
        return self._opened[label]

    async def _close_models(self) -> None:
        for model in self._opened.values():
            await model.close()
