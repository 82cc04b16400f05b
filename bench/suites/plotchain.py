"""The plot suite: where its items come from, how they are asked and scored."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bench import STARTED_NS
from bench.errors import DataError
from bench.models.types import Message, Request, Response, SamplingParams, scorable_text
from bench.suites.base import CaseName
from generators.files import write_atomically
from generators.plotchain.loader import catalog_item, load_jsonl, write_catalog
from generators.plotchain.source import PlotChainSource
from scorers.plotchain import score_plotchain
from scorers.tolerances import Tolerance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bench.options import Settings
    from bench.suites.base import ItemRef
    from generators.items import Item
    from scorers.score import Score
    from scorers.tolerances import Policy

__all__ = ["ItemsSource", "PlotChain", "open_source", "own_tolerances", "score_item"]


ROOT = Path(__file__).resolve().parent.parent
KEPT_ITEMS = 8192


class ItemsSource(Protocol):
    """The items of a run: listed cheaply, made one by one."""

    about: str

    @property
    def refs(self) -> Sequence[ItemRef]:
        """The items in their order."""
        ...

    def item(self, item_id: str) -> Item:
        """Make one item."""
        ...

    def prepare_catalog(self) -> None:
        """Write what worker processes read."""
        ...

    def keep_catalog(self) -> None:
        """Write what the next run reads, where all items were made; a disk that is full is no reason to fail."""
        ...

    def drawing_header(self) -> dict[str, Any]:
        """Return what a drawing process needs in order to find the items."""
        ...


class Generated:
    """Items made by the generator; `catalog` is where workers find them."""

    def __init__(self, settings: Settings, cache: Path, about: str) -> None:
        self._named = partial(_catalog_file, settings, cache)
        self._recipe = (settings.edition, settings.item_seed, settings.items_per_family)
        self._catalog = self._named()
        self._source = PlotChainSource(
            edition=settings.edition, seed=settings.item_seed, items_per_family=settings.items_per_family
        )
        self.refs: Sequence[ItemRef] = self._source.cases
        self.about = about
        self._made = lru_cache(KEPT_ITEMS)(self._make)

    def item(self, item_id: str) -> Item:
        """Make one item; the last thousands are kept."""
        return self._made(item_id)

    def _make(self, item_id: str) -> Item:
        return self._source.item(self._source.case(item_id))

    def prepare_catalog(self) -> None:
        """Write the catalogue unless an earlier run of the same code did.

        Raises:
            DataError: the process that writes it failed.
        """
        if _whole(self._catalog) is not None:
            return
        edition, seed, count = self._recipe
        command = [sys.executable, "-m", __name__, edition, str(seed), str(count), str(self._catalog)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise DataError(f"the items for the workers cannot be written to {self._catalog}: {reason}")

    def keep_catalog(self) -> None:
        """Write it if all items were made and are at hand, by the code that the catalogue is named after."""
        if len(self.refs) > self._made.cache_info().currsize:
            return
        with suppress(OSError):
            unchanged = self._named() == self._catalog and not _has_changed_since(STARTED_NS)
            if unchanged and _whole(self._catalog) is None:
                _write(self._catalog, map(self.item, (ref.id for ref in self.refs)))

    def drawing_header(self) -> dict[str, Any]:
        """Return the recipe."""
        edition, seed, count = self._recipe
        return {"catalog": None, "edition": edition, "seed": seed, "items_per_family": count}


class Listed:
    """Items that a data set file lists."""

    def __init__(self, items: Sequence[Item], about: str) -> None:
        self.refs: Sequence[ItemRef] = items
        self.about = about
        self._items = {item.id: item for item in items}

    def item(self, item_id: str) -> Item:
        """Return the item."""
        return self._items[item_id]

    def prepare_catalog(self) -> None:
        """Nothing to do: workers read the same file."""

    def keep_catalog(self) -> None:
        """Nothing to do: the file is there."""

    def drawing_header(self) -> dict[str, Any]:
        """Nothing is drawn: pictures are files."""
        return {}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the catalogue: what test ids and markers need, and the rest unread."""

    id: str
    difficulty: str
    text: bytes


class Catalogued:
    """Items from a catalogue, without NumPy; one is read when it is needed, for a worker runs few of them."""

    def __init__(self, path: Path, content: bytes, about: str) -> None:
        lines = [_line(text) for text in content.splitlines()]
        self.refs: Sequence[ItemRef] = lines
        self.about = about
        self._path = path
        self._lines = {line.id: line.text for line in lines}
        self._made = lru_cache(KEPT_ITEMS)(self._make)

    def item(self, item_id: str) -> Item:
        """Read one item; the last thousands are kept."""
        return self._made(item_id)

    def _make(self, item_id: str) -> Item:
        return catalog_item(self._lines[item_id])

    def prepare_catalog(self) -> None:
        """Nothing to do: it is there."""

    def keep_catalog(self) -> None:
        """Nothing to do: it is there."""

    def drawing_header(self) -> dict[str, Any]:
        """Return the catalogue's path."""
        return {"catalog": str(self._path)}


def _line(text: bytes) -> Line:
    record = json.loads(text)
    return Line(record["id"], record["generation"]["difficulty"], text)


def _write(catalog: Path, items: Iterable[Item]) -> None:
    """Write a catalogue and its seal: without the right one it is not read.

    Raises:
        OSError: a file cannot be written.
    """
    written = write_catalog(catalog, items)
    write_atomically(_seal(catalog), hashlib.sha256(written).hexdigest().encode())


def _whole(catalog: Path) -> bytes | None:
    """Return a catalogue's content; None where there is none, or it is not as it was written."""
    try:
        content = catalog.read_bytes()
        return content if hashlib.sha256(content).hexdigest().encode() == _seal(catalog).read_bytes() else None
    except OSError:
        return None


def _seal(catalog: Path) -> Path:
    return catalog.with_suffix(".sha256")


def _has_changed_since(moment_ns: int) -> bool:
    """Whether a source file of the generators was written since: what was imported may not be what was named."""
    return any(path.stat().st_mtime_ns >= moment_ns for path in (ROOT / "generators").rglob("*.py"))


def open_source(settings: Settings, cache: Path) -> ItemsSource:
    """Return the run's items: from the data set file, from an earlier run's catalogue, or from the generator.

    Raises:
        ItemDataError: the data set file cannot be used; the message names the line.
    """
    if settings.plotchain_data is not None:
        items = load_jsonl(settings.plotchain_data, edition=settings.edition)
        return Listed(items, f"plotchain, {len(items)} items from {settings.plotchain_data}")
    count = settings.items_per_family
    about = f"plotchain {settings.edition}, seed {settings.item_seed}, {count} items in each family"
    catalog = _catalog_file(settings, cache)
    content = _whole(catalog)
    return Generated(settings, cache, about) if content is None else Catalogued(catalog, content, about)


def _catalog_file(settings: Settings, cache: Path) -> Path:
    return cache / "catalogs" / f"{_catalog_name(settings)}.jsonl"


def _catalog_name(settings: Settings) -> str:
    digest = hashlib.sha256(version("numpy").encode())
    for path in sorted((ROOT / "generators").rglob("*.py")):
        digest.update(path.read_bytes())
    recipe = f"plotchain-{settings.edition}-{settings.item_seed}-{settings.items_per_family}"
    return f"{recipe}-{digest.hexdigest()[:16]}"


def main(edition: str, seed: str, items_per_family: str, path: str) -> None:
    """Write a catalogue."""
    source = PlotChainSource(edition=edition, seed=int(seed), items_per_family=int(items_per_family))
    _write(Path(path), source)


if __name__ == "__main__":
    main(*sys.argv[1:])


PLOTCHAIN_MAX_TOKENS = 4096


class PlotChain:
    """Engineering plots: numbers as JSON, judged by absolute or relative tolerance for each field."""

    name = "plotchain"

    def __init__(self, source: ItemsSource, *, policy: Policy) -> None:
        self._source = source
        self.policy = policy

    @property
    def about(self) -> str:
        """One clause for the run's header."""
        return f"{self._source.about}; tolerances {self.policy}"

    def cases(self, limit: int | None) -> Iterator[CaseName]:
        """Name the cases, one for each item."""
        for ref in self._source.refs[:limit]:
            yield CaseName(id=ref.id, item_id=ref.id, difficulty=ref.difficulty)

    def item(self, item_id: str, task: str | None) -> Item:  # noqa: ARG002 - plots have one task
        """Make one item."""
        return self._source.item(item_id)

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: SamplingParams, repeat: int) -> Request:
        """Build the one question: the prompt with the picture."""
        turn = Message(role="user", text=item.prompt, pictures=tuple(pictures))
        return Request(turns=(turn,), sampling=sampling.with_max_tokens(PLOTCHAIN_MAX_TOKENS), repeat=repeat)

    def schema(self, item: Item) -> dict[str, Any]:
        """Return a schema with every field as a number or null, all required, none else."""
        fields = (*item.final_fields, *item.checkpoint_fields)
        return {
            "type": "object",
            "properties": {field: {"type": ["number", "null"]} for field in fields},
            "required": list(fields),
            "additionalProperties": False,
        }

    def score(self, item: Item, reply: Response, stored_answer: Mapping[str, object] | None) -> Score:
        """Score every field; a reply that is no answer fails them all."""
        return score_item(item, scorable_text(reply), policy=self.policy, stored_answer=stored_answer)

    def about_item(self, item: Item) -> dict[str, str | None]:  # noqa: ARG002
        """Return nothing: the tables need no more than the records hold."""
        return {}


def score_item(
    item: Item, text: str | None, *, policy: Policy, stored_answer: Mapping[str, object] | None = None
) -> Score:
    """Score what was answered about an item; None, where there is no answer, fails every field."""
    return score_plotchain(
        text,
        family=item.family,
        truth=item.truth,
        final_fields=item.final_fields,
        checkpoint_fields=item.checkpoint_fields,
        policy=policy,
        stored_answer=stored_answer,
        tolerances=own_tolerances(item, policy),
    )


def own_tolerances(item: Item, policy: Policy) -> dict[str, Tolerance]:
    """Return the tolerances that the item brings with it, by field; the table serves the others."""
    return {
        name: Tolerance(absolute=plotread if policy == "plotread" else strict, relative=0.0)
        for name, (plotread, strict) in item.tolerances.items()
    }
