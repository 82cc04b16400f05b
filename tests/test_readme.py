"""The README says what is so: its options, its output, its commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bench.options import OPTIONS
from tests.bench.conftest import Bench, environment
from tests.bench.processes import run_module
from tests.conftest import ROOT, sampled

if TYPE_CHECKING:
    from pathlib import Path

README = (ROOT / "README.md").read_text("utf-8")
CI = (ROOT / ".ci" / "run").read_text("utf-8")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path, tmp_path / "cache")
    bench.target = "bench"
    return bench


def commands() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", README, flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [re.sub(r"\s+#.*", "", line) for line in lines if line.strip()]


def options_table() -> list[str]:
    named = [(f"{option.flag} {option.metavar}".strip(), option) for option in OPTIONS]
    return [f"| `{name}` | {option.help} | {shown(option.default)} |" for name, option in named]


def shown(default: object) -> str:
    if default is None or default is False or default == ():
        return ""
    return ", ".join(map(str, default)) if isinstance(default, tuple) else f"{default}"


def test_the_options_table_lists_every_option_as_it_is_declared() -> None:
    listed = [line for line in README.splitlines() if line.startswith("| `--")]
    assert listed == options_table()


@pytest.mark.sweep
def test_the_shown_output_is_what_its_command_prints(bench: Bench) -> None:
    run = bench("-q", "--exit-zero", "--model=blind")
    (table,) = re.findall(r"<!-- run: .*? -->\n```text\n(.*?)```", README, flags=re.DOTALL)
    assert table in run.out
    assert run.code == 0


def test_the_shown_failure_is_what_a_failed_case_prints(bench: Bench) -> None:
    (table,) = re.findall(r"```text\n(bandpass_response_000: .*?)```", README, flags=re.DOTALL)
    assert table in bench("-k", "bandpass_response_000", "--model=blind").out


def test_the_first_two_commands_install_and_run() -> None:
    first, second = (line for line in commands() if line.startswith("python3 -m venv"))
    assert first.endswith("&& .venv/bin/pip install -e . && .venv/bin/pytest bench/ --exit-zero")
    assert second.endswith("&& .venv/bin/pip install -e '.[test]' && .venv/bin/pytest")
    assert "pip install" in CI
    assert "pytest -q" in CI


@pytest.mark.parametrize("command", sampled((line for line in commands() if line.startswith("pytest bench/")), 3))
def test_every_benchmark_command_is_accepted(command: str, tmp_path: Path) -> None:
    needs_files = ("--replay", "--plotchain-data", "--geometry-suite", "--auxsolidmath-data", "--gate")
    arguments = [word for word in shlex.split(command)[2:] if not word.startswith(needs_files)]
    env = environment() | {"OPENAI_API_KEY": "sk-not-a-real-key"}
    done = run_module("pytest", ROOT / "bench", *arguments, "--co", "-q", cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "::test_" in done.stdout


def test_a_written_set_is_read_back_and_a_raw_file_is_scored_again(bench: Bench) -> None:
    write = [
        sys.executable,
        "-m",
        "generators.plotchain",
        "--out_dir",
        "data",
        "--n_per_family",
        "1",
        "--seed",
        "0",
    ]
    subprocess.run(write, cwd=bench.folder, env=environment() | {"PYTHONPATH": str(ROOT)}, check=True)
    data = ("--plotchain-data", "data/plotchain_v4.jsonl")
    bench.target = "bench/test_plotchain.py"
    first = bench(*data, "--model", "oracle")
    assert "15 passed" in first.counts
    again = bench(
        *data, "--replay", str(first.folder / "plotchain" / "raw_offline_oracle.jsonl"), "--policy", "strict"
    )
    assert "15 passed" in again.counts
