"""The architecture is visible in the folders, and imports point one way."""

from __future__ import annotations

import ast
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OURS = {"bench", "generators", "scorers", "tests"}
MAY_IMPORT = {
    "bench": {"bench", "generators", "scorers"},
    "generators": {"generators"},
    "scorers": {"scorers"},
}
TOP_LEVEL_CODE = {"bench", "generators", "scorers", "tests", "conftest.py"}


def imported_packages(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_imports_point_one_way(package: str) -> None:
    wrong = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources(package)
        for name in imported_packages(path)
        if name in OURS - MAY_IMPORT[package]
    }
    assert wrong == set()


@pytest.mark.parametrize("package", ["scorers"])
def test_scorers_use_no_network_no_pytest_and_no_files(package: str) -> None:
    forbidden = {"httpx", "socket", "urllib", "http", "pytest", "pathlib", "os", "io", "subprocess", "tempfile"}
    wrong = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources(package)
        for name in imported_packages(path)
        if name in forbidden
    }
    assert wrong == set()


def test_nothing_evaluates_text() -> None:
    calls = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for package in MAY_IMPORT
        for path in sources(package)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"eval", "exec", "compile", "__import__"}
    }
    assert calls == set()


def test_no_other_code_stands_at_the_top_level() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    assert {line.split("/")[0] for line in listed.stdout.splitlines()} <= TOP_LEVEL_CODE


def literals(path: Path) -> Iterator[str]:
    """The texts of a module; those with placeholders as one text each."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "(?:x)" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_no_pattern_repeats_a_group_possessively(package: str) -> None:
    """Python 3.11.0 to 3.11.4 match too much then (CPython issues 100061 and 106052); with atomic groups not."""
    group_repeated = re.compile(r"(?<!\\)\)(?:[?*+]|\{\d*,?\d*\})\+")
    assert group_repeated.search(r"(?:ab?)*+")
    wrong = {
        f"{path.relative_to(ROOT)}: {text}"
        for path in sources(package)
        for text in literals(path)
        if group_repeated.search(text)
    }
    assert wrong == set()
