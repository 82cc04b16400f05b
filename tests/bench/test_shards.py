"""Shards: which items they hold, and that merged they are the run they were parts of, byte for byte."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.options import Shard, parse_shard
from bench.suites.base import CaseName, cases_of, items_of_shard
from generators.geometry.source import list_images
from generators.plotchain.source import PlotChainSource
from tests.bench.conftest import Bench, environment
from tests.bench.processes import run_module
from tests.conftest import ROOT, sampled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from subprocess import CompletedProcess

PLOTS = {ref.id: ref.family for ref in PlotChainSource().cases}
DOTS = {image.id: image.family for image in list_images()}


@pytest.mark.parametrize("n", [1, 2, 3, 7, 15, 31])
@pytest.mark.parametrize("families", [PLOTS, DOTS], ids=["plotchain", "geometry"])
def test_shards_divide_the_items_and_spread_every_family(families: dict[str, str], n: int) -> None:
    shards = [items_of_shard(Shard(k=k, n=n), families) for k in range(1, n + 1)]
    assert sorted(item for shard in shards for item in shard) == sorted(families)
    assert max(map(len, shards)) - min(map(len, shards)) <= 1
    for family in set(families.values()):
        sizes = [sum(families[item] == family for item in shard) for shard in shards]
        assert max(sizes) - min(sizes) <= 1, family


@given(st.sets(st.text(max_size=8), max_size=40), st.integers(1, 9), st.randoms(use_true_random=False))
def test_an_items_shard_depends_on_no_order(items: set[str], n: int, order: Any) -> None:
    listed = order.sample(sorted(items), len(items))
    for k in range(1, n + 1):
        assert items_of_shard(Shard(k=k, n=n), listed) == items_of_shard(Shard(k=k, n=n), sorted(items))


class Pictures:
    """A suite with two tasks about each of nine pictures."""

    name = "pictures"

    def cases(self, limit: int | None) -> list[CaseName]:
        return [
            CaseName(id=f"p_{place}-{task}", item_id=f"p_{place}", difficulty="easy", task=task)
            for place in range(9 if limit is None else limit)
            for task in ("A", "B")
        ]


def test_a_shard_keeps_whole_items_whichever_the_limit() -> None:
    suite: Any = Pictures()
    whole = [case.id for case in cases_of(suite, ["m"], None, Shard(k=2, n=3))]
    limited = [case.id for case in cases_of(suite, ["m"], 5, Shard(k=2, n=3))]
    assert Counter(name.partition("-")[0] for name in whole) == {"p_1": 2, "p_4": 2, "p_7": 2}
    assert limited == [name for name in whole if int(name[2]) < 5]


def test_shards_are_read_as_k_of_n() -> None:
    assert (parse_shard("2/3"), str(Shard(k=2, n=3))) == (Shard(k=2, n=3), "2/3")


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "a/b", "1/0", "-1/2", "1/1001", "1/2/3", "²/3"])
def test_anything_else_is_no_shard(text: str) -> None:
    with pytest.raises(ValueError, match="k/n such as 2/3"):
        parse_shard(text)
    with pytest.raises(ValueError, match="a shard is k/n with 1 <= k <= n"):
        Shard(k=4, n=3)


def merged(*arguments: object) -> CompletedProcess[str]:
    return run_module("bench.leaderboard", *arguments, cwd=ROOT, env=environment())


def tables(folder: Path) -> dict[str, bytes]:
    """Every file but run.json and the page, which no merger writes; without how long asking took."""
    return {
        path.relative_to(folder).as_posix(): re.sub(rb'"elapsed_seconds": [0-9.]+', b"", path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file() and path.name not in {"run.json", "report.html"}
    }


def shards(bench: Bench, n: int, *options: str) -> list[Path]:
    return [
        bench(*options, "--shard", f"{k}/{n}", "--tb=no", "-q", "--out", f"shard{k}").folder
        for k in range(1, n + 1)
    ]


@pytest.fixture
def whole_bench(bench: Bench) -> Bench:
    bench.target = "bench"
    return bench


MANY = ("--items-per-family", "1", "--limit", "12")


@pytest.mark.parametrize("n", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 7))])
def test_merged_shards_are_the_single_run_byte_for_byte(whole_bench: Bench, n: int) -> None:
    options = (*MANY, "--model", "blind", "--model", "oracle", "--repeats", "2")
    single = whole_bench(*options, "--tb=no", "-q").folder
    done = merged(*shards(whole_bench, n, *options), "--out", whole_bench.folder / "merged")
    assert done.returncode == 0, done.stderr
    assert tables(whole_bench.folder / "merged") == tables(single)
    ours, theirs = (
        json.loads((folder / "run.json").read_text("utf-8")) for folder in (single, whole_bench.folder / "merged")
    )
    for same in (
        "complete",
        "cases_selected",
        "items",
        "replies",
        "usage",
        "cost_usd",
        "scorers_sha256",
        "prices",
    ):
        assert ours[same] == theirs[same], same
    assert theirs["options"]["shard"] is None


@pytest.fixture
def published_shards(bench: Bench, published_plotchain: Path) -> list[Path]:
    (raw,) = (published_plotchain / "results" / "gpt41_plotread_20260104_temp0").glob("raw_*.jsonl")
    return shards(bench, 2, "--replay", str(raw))


@pytest.mark.slow
def test_a_published_model_replayed_in_shards(
    bench: Bench, published_plotchain: Path, published_shards: Sequence[Path]
) -> None:
    (raw,) = (published_plotchain / "results" / "gpt41_plotread_20260104_temp0").glob("raw_*.jsonl")
    single = bench("--replay", str(raw), "--tb=no", "-q").folder
    done = merged(*published_shards[::-1], "--out", bench.folder / "merged")
    assert done.returncode == 0, done.stderr
    assert tables(bench.folder / "merged") == tables(single)
    assert re.search(r"plotchain +450 +68\.4 +64\.0 … 72\.6 +79\.8\n", done.stdout)


def test_models_of_separate_runs_stand_side_by_side(bench: Bench) -> None:
    few = ("--limit", "20", "--tb=no", "-q")
    runs = [bench(*few, "--model", model).folder for model in ("oracle", "blind")]
    done = merged(*runs, "--out", bench.folder / "merged")
    assert done.returncode == 0, done.stderr
    assert "offline:blind -> offline:oracle" in done.stdout
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 80
    rows = (bench.folder / "merged" / "comparisons.csv").read_text("utf-8").splitlines()
    assert rows[1].startswith("offline,blind,offline,oracle,plotchain,20,0,")


def test_an_absent_shard_is_said_and_the_merger_is_not_complete(bench: Bench) -> None:
    parts = shards(bench, 3, "--limit", "9", "--model", "oracle")
    done = merged(*parts[:2], "--out", bench.folder / "merged")
    assert done.returncode == 0
    assert "incomplete: a shard or a case is absent" in done.stdout
    assert json.loads((bench.folder / "merged" / "run.json").read_text("utf-8"))["complete"] is False
    gated = bench("--limit", "9", "--model", "oracle", "--gate", str(bench.folder / "merged"), "--tb=no")
    assert gated.code == 11


@pytest.mark.slow
def test_a_merged_run_serves_as_the_gates_reference(bench: Bench) -> None:
    parts = shards(bench, 2, "--limit", "30", "--model", "blind")
    assert merged(*parts, "--out", bench.folder / "merged").returncode == 0
    run = bench("--limit", "30", "--model", "oracle", "--gate", str(bench.folder / "merged"), "--tb=no")
    assert run.code == 0


def test_a_shard_without_items_passes_no_gate(bench: Bench) -> None:
    old = bench("--limit", "1", "--model", "oracle", "--tb=no").folder
    run = bench("--limit", "1", "--model", "oracle", "--shard", "2/2", "--gate", str(old), "--tb=no")
    assert run.code == 11
    assert "this run holds no result" in run.out


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory, picture_cache: Path) -> Path:
    """The first half of a run of four cases."""
    bench = Bench(tmp_path_factory.mktemp("one"), picture_cache)
    return bench("--limit", "4", "--model", "oracle", "--tb=no", "--shard", "1/2").folder


class TestUnlikeRuns:
    """What cannot be merged is refused with one line that names the first difference."""

    @pytest.mark.parametrize(
        ("options", "said"),
        sampled(
            [
                (("--model", "oracle", "--shard", "1/2"), "stands in"),
                (("--model", "oracle", "--shard", "2/2", "--policy", "strict"), "--policy is plotread in"),
                (("--model", "oracle", "--shard", "2/2", "--item-seed", "1"), "--item-seed is 0 in"),
                (("--model", "oracle", "--shard", "2/2", "--repeats", "2"), "--repeats is 1 in"),
                (("--model", "blind", "--shard", "2/2"), "unlike runs: items differ"),
            ]
        ),
    )
    def test_other_options_other_cases(self, bench: Bench, one: Path, options: tuple[str, ...], said: str) -> None:
        other = bench("--limit", "4", "--tb=no", *options).folder
        done = merged(one, other)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_other_scorers(self, one: Path, tmp_path: Path) -> None:
        shutil.copytree(one, tmp_path / "copy")
        manifest = json.loads((one / "run.json").read_text("utf-8"))
        (tmp_path / "copy" / "run.json").write_text(json.dumps({**manifest, "scorers_sha256": "ab"}), "utf-8")
        assert "unlike runs: scorers differ" in merged(one, tmp_path / "copy").stderr

    def test_a_run_without_a_record(self, one: Path, tmp_path: Path) -> None:
        shutil.copytree(one, tmp_path / "copy")
        (tmp_path / "copy" / "records.jsonl").write_text("", "utf-8")
        assert "holds no result that could be merged" in merged(one, tmp_path / "copy").stderr

    def test_a_folder_of_something_else(self, one: Path, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("mine", "utf-8")
        done = merged(one, "--out", tmp_path)
        assert done.returncode == 2
        assert "expected a new folder or an earlier run's" in done.stderr
