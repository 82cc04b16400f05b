"""The benchmark on its default model, as a newcomer runs it."""

from __future__ import annotations

import io
import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from bench.models.reader.model import ReaderFactory
from generators.plotchain import PlotChainSource
from generators.plotchain.records import item_line
from tests.bench.conftest import Bench, BenchRun
from tests.bench.models.reader.test_reading import CHANGES, UNDECODABLE, png
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def fresh(bench: Bench) -> Bench:
    """The harness without a model named."""
    bench.model = None
    return bench


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, picture_cache: Path) -> BenchRun:
    """A finished run of two cases."""
    bench = Bench(tmp_path_factory.mktemp("fresh"), picture_cache)
    bench.model = None
    return bench("--limit", "2")


def test_the_default_model_is_the_reader_and_the_header_says_how_to_name_another(run: BenchRun) -> None:
    assert run.code == 0
    assert f"eyechart: model reader ({ReaderFactory.about})" in run.out
    assert "eyechart: name a real model with --model=PROVIDER:NAME, such as --model=gpt-4o" in run.out
    assert run.table("leaderboard.csv")[0]["model"] == "reader"
    (model,) = run.manifest["models"]
    assert (model["provider"], model["name"], model["replies"]) == ("offline", "reader", 2)


def test_it_stores_no_replies_and_costs_nothing(run: BenchRun) -> None:
    assert not (run.folder.parent / "results" / "replies.sqlite").exists()
    assert run.manifest["replies"]["from_store"] == 0
    assert run.manifest["cost_usd"] == 0
    assert "cost" not in run.out


def test_workers_and_one_process_give_the_same_records(fresh: Bench, run: BenchRun) -> None:
    assert run.raw() == fresh("--limit", "2", "-n", "2").raw()
    assert len(run.raw()) == 2


def test_dots_are_read_too(fresh: Bench) -> None:
    fresh.target = "bench/test_geometry.py"
    run = fresh("--limit", "4", "--tasks", "COUNT")
    assert (run.code, "4 passed" in run.counts) == (0, True)


def test_beside_another_model_each_has_its_own_rows(fresh: Bench) -> None:
    run = fresh("--model", "reader", "--model", "oracle", "--limit", "2")
    assert [row["model"] for row in run.table("leaderboard.csv")] == ["oracle", "reader"]
    assert "4 passed" in run.counts


@pytest.mark.usefixtures("run")
def test_no_process_outlives_the_run() -> None:
    listed = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True, check=False).stdout
    left = [line for line in listed.splitlines() if "bench.models.reader.reading" in line]
    assert [line for line in left if line.split()[0] == "1"] == []


def test_a_suite_that_the_model_declines_is_skipped_with_the_reason(
    fresh: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    declining = (
        "from bench.models.reader.model import ReaderFactory\n"
        "ReaderFactory.declines = {'plotchain': 'the reader does not do this'}\n"
    )
    (fresh.folder / "declining.py").write_text(declining)
    run = fresh("-p", "declining", "--limit", "3", "-rs", PYTHONPATH=f"{fresh.folder}:{ROOT}")
    assert (run.code, "3 skipped" in run.counts) == (0, True)
    assert "the reader does not do this" in run.out
    assert "3 cases skipped: the reader does not do this" in run.out
    assert "not run" not in run.out


def test_hostile_pictures_of_a_data_set_cost_their_own_cases_alone(fresh: Bench) -> None:
    path = hostile_set(fresh.folder / "set")
    run = fresh("--plotchain-data", str(path), "-rE")
    assert (run.code, "15 failed, 1 passed, 4 errors" in run.counts) == (1, True), run.out
    assert "20 replies, counted as wrong: 2 refused, 4 failed (data)" in run.out
    assert "Traceback" not in run.out
    assert {row["id"] for row in run.table("plotchain/per_item.csv") if row["pass"] == "True"} == {WHOLE}


WHOLE = "bode_magnitude_099"


def hostile_set(folder: Path) -> Path:
    """Write a data set of one question about many pictures; only the last one can be answered."""
    source = PlotChainSource()
    item = source.item(source.case("bode_magnitude_000"))
    plot = Image.open(io.BytesIO(item.picture.png())).convert("RGB")
    pictures = {**UNDECODABLE, **{name: png(change(plot)) for name, change in CHANGES.items()}}
    named = {f"bode_magnitude_{number:03d}": content for number, content in enumerate(pictures.values())}
    folder.mkdir()
    lines = []
    for item_id, content in {**named, WHOLE: png(plot)}.items():
        (folder / f"{item_id}.png").write_bytes(content)
        lines.append({**json.loads(item_line(item)), "id": item_id, "image_path": f"{item_id}.png"})
    path = folder / "hostile.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
