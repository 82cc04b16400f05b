"""The architecture is visible in the folders, and imports point one way."""

from __future__ import annotations

import ast
import re
import subprocess
from graphlib import TopologicalSorter
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


LEVELS: tuple[frozenset[str], ...] = tuple(
    map(
        frozenset,
        (
            {"errors"},
            {"options"},
            {"models"},
            {"suites"},
            {"results"},
            {"statistics"},
            {"tables", "gate", "validity"},
            {"report"},
            {"session", "recording", "selection", "terminal", "paths", "run_output", "run"},
            {"plugin", "leaderboard"},
        ),
    )
)
"""The parts of `bench`: each imports only from itself and from what stands before it."""

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in MAY_IMPORT
    for path in sources(package)
}


def modules_imported_by(path: Path) -> set[str]:
    """Modules of the project that a file imports, also in functions and for types alone."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys() or {node.module}
    return found & MODULES.keys()


IMPORTS = {name: modules_imported_by(path) for name, path in MODULES.items()}


def part_of(module: str) -> str | None:
    """The part of `bench` that a module belongs to; None for the package itself and the tests in it."""
    parts = module.split(".")
    named = parts[0] == "bench" and len(parts) > 1 and not parts[1].startswith("test_")
    return parts[1] if named else None


def test_no_import_inside_bench_runs_back_up() -> None:
    level = {part: n for n, parts in enumerate(LEVELS) for part in parts}
    wrong = {
        f"{module} imports {name}"
        for module, names in IMPORTS.items()
        for name in names
        if (part := part_of(module)) and (other := part_of(name)) and level[other] > level[part]
    }
    assert wrong == set()


def test_no_modules_import_each_other_in_a_circle() -> None:
    order = TopologicalSorter({module: names - {module} for module, names in IMPORTS.items()})
    order.prepare()  # raises CycleError, which names the modules


def test_a_class_name_stands_once_in_the_project() -> None:
    """Families of the two plot editions apart, whose classes are of one name because the family is."""
    homes: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    twice = {
        name: where
        for name, where in homes.items()
        if len(where) > 1 and not all(".families." in module for module in where)
    }
    assert twice == {}


def test_modules_and_classes_are_of_a_size_that_a_reader_can_hold() -> None:
    too_large = []
    for module, path in MODULES.items():
        text = path.read_text("utf-8")
        if len(text.splitlines()) > 500:
            too_large.append(module)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                methods = sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body)
                if methods > 25:
                    too_large.append(f"{module}.{node.name}")
    assert too_large == []


def test_the_top_of_bench_is_short() -> None:
    assert len(list((ROOT / "bench").glob("*.py"))) <= 15
