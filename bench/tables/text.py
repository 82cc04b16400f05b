"""The summary as lines of text for a terminal, at most 80 columns wide."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.tables.summary import GroupSummary, ModelSummary

__all__ = ["WIDTH", "format_summary", "printable"]

WIDTH = 80
_NAME_WIDTH = 32
_HEADER = ("passed", "rate", "fields", "null", "finals only")
_COLUMN_WIDTHS = (10, 8, 8, 8, 13)


def format_summary(summaries: Iterable[ModelSummary]) -> list[str]:
    """Return the lines: for each model a table by family and suite, then trouble, then tokens.

    `rate` is of items, `fields` and `null` are of fields; `finals only` counts replies whose finals
    pass while a checkpoint fails. Control characters in names are replaced.
    """
    lines: list[str] = []
    for summary in summaries:
        if lines:
            lines.append("")
        lines.extend(_model(summary))
    return lines


def _model(summary: ModelSummary) -> list[str]:
    name = printable(f"{summary.provider}:{summary.model}")
    return [
        _row(_clip(name), _HEADER),
        *(_group(group) for group in summary.groups),
        *_trouble(summary),
        *_unscored(summary),
        *textwrap.wrap(_tokens(summary), WIDTH, subsequent_indent="  "),
    ]


def _group(group: GroupSummary) -> str:
    name = f"  {group.family}" if group.family is not None else f"{group.suite}, all"
    cells = (
        f"{group.passed}/{group.n}",
        _percent(group.passed, group.n),
        _percent(group.field_passed, group.field_n),
        _percent(group.null_n, group.field_n),
        str(group.finals_only_n),
    )
    return _row(_clip(printable(name)), cells)


def _row(name: str, cells: Sequence[str]) -> str:
    padded = (cell.rjust(width) for cell, width in zip(cells, _COLUMN_WIDTHS, strict=True))
    return f"{name.ljust(_NAME_WIDTH)}{''.join(padded)}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _trouble(summary: ModelSummary) -> list[str]:
    replies = "1 reply" if summary.replies_n == 1 else f"{summary.replies_n} replies"
    if not summary.trouble:
        return [replies if summary.unscored else f"{replies}, all answered"]
    counts = [
        f"{count.n} {count.status}" + (f" ({count.kind})" if count.kind else "") for count in summary.trouble
    ]
    line = f"{replies}, counted as wrong: {', '.join(counts)}"
    return textwrap.wrap(line, WIDTH, subsequent_indent="  ")


def _unscored(summary: ModelSummary) -> list[str]:
    lines = (f"{n} unscored, neither right nor wrong: {printable(why)}" for why, n in summary.unscored)
    return [part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent="  ")]


def _tokens(summary: ModelSummary) -> str:
    if summary.input_tokens is None and summary.output_tokens is None:
        return "tokens: not reported"
    line = f"tokens: {_count(summary.input_tokens)} in, {_count(summary.output_tokens)} out"
    if summary.reasoning_tokens is None:
        return line
    return f"{line} ({_count(summary.reasoning_tokens)} of them reasoning)"


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else f"{tokens:,}"


def printable(name: str) -> str:
    """Replace characters that a terminal would act on by question marks."""
    return "".join(character if character.isprintable() else "?" for character in name)


def _clip(name: str) -> str:
    return name if len(name) < _NAME_WIDTH else f"{name[: _NAME_WIDTH - 4]}..."
