"""What was changed in requests because the server said so: dropped or renamed fields, once per model and run.

Only what leaves the question as it is gets adapted: sampling, the name of the token limit, the place of the
system text, a picture hint. A schema or a reasoning effort is never dropped: who asked for it wants to know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.faults import Fault
    from bench.models.json_values import JsonObject, JsonValue
    from bench.models.protocol import Ask

__all__ = ["Adaptation", "adaptation_for", "adapted", "advice", "refused_parameter"]

UNSUPPORTED_CODES = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter"})
NAMED = r"[\"'`]?([\w.\[\]]+)[\"'`]?"
THING = r"(?:request )?(?:parameter|value|field|name|argument)s?(?: supplied)?:?"
COMPLAINTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:unsupported|unknown|unrecognized) {THING} {NAMED}",
        rf"{NAMED}: extra inputs are not permitted",
        rf"{NAMED} (?:is|are) (?:not supported|deprecated|not permitted|not allowed)",
        r"(system) (?:role|message|instruction)s? (?:is |are )?not (?:supported|enabled|allowed)",
    )
)


REFUSALS = range(400, 500)
SCHEMA_WORDS = re.compile(
    r"response_?format|schema|mime_?type|output_config|text\.format|structured|guided", re.IGNORECASE
)
EFFORT_WORDS = re.compile(r"reasoning|effort|think", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptation:
    """One lasting change of a request body; `path` is dotted, `[]` stands for every element of a list.

    `reason` is the server's own sentence; two adaptations that do the same are equal whatever the reason.
    """

    action: Literal["drop", "rename", "fold"]
    path: str
    to: str | None = None
    reason: str = field(default="", compare=False)

    def as_dict(self) -> dict[str, str]:
        """Return what `run.json` says about it."""
        said = {"action": self.action, "field": self.path, "reason": self.reason}
        return said if self.to is None else {**said, "to": self.to}


def refused_parameter(*, message: str, code: str, param: str) -> str | None:
    """Return the field that an error calls unsupported, list positions as `[]`; None when it names none."""
    if param and code in UNSUPPORTED_CODES:
        return _general(param)
    found = next((match for pattern in COMPLAINTS if (match := pattern.search(message))), None)
    return _general(found[1]) if found else None


def adaptation_for(fault: Fault, known: Mapping[str, Adaptation]) -> Adaptation | None:
    """Return what helps against the refusal of a field, with the server's reason; None where nothing is known to.

    `known` is by the field's name as servers give it.
    """
    found = known.get(fault.parameter or "")
    return replace(found, reason=fault.message) if found else None


def advice(fault: Fault, ask: Ask) -> str:
    """Say which option to leave out where a server refuses what only that option asks for; else nothing."""
    if fault.kind != "protocol" or fault.status not in REFUSALS:
        return ""
    if ask.schema is not None and SCHEMA_WORDS.search(fault.message):
        return "; this server may need to be asked without --structured"
    if ask.sampling.reasoning_effort is not None and EFFORT_WORDS.search(fault.message):
        return "; this server may need to be asked without --reasoning-effort"
    return ""


def adapted(body: JsonObject, adaptations: tuple[Adaptation, ...]) -> JsonObject:
    """Change `body`, which nobody else holds, as the adaptations say, and return it."""
    for adaptation in adaptations:
        if adaptation.action == "fold":
            _fold_system(body)
        else:
            *parents, last = re.findall(r"[^.\[\]]+|\[\]", adaptation.path)
            _change(body, parents, last, adaptation.to)
    return body


def _general(path: str) -> str:
    general = re.sub(r"\[\d+\]|\.\d+(?=\.|$)", "[]", path)
    return "system" if general.lower() == "system" else general


def _change(place: JsonValue, parents: list[str], last: str, to: str | None) -> None:
    if parents and parents[0] == "[]":
        for element in place if isinstance(place, list) else ():
            _change(element, parents[1:], last, to)
    elif parents:
        if isinstance(place, dict) and parents[0] in place:
            _change(place[parents[0]], parents[1:], last, to)
    elif isinstance(place, dict) and last in place:
        value = place.pop(last)
        if to is not None:
            place[to] = value


def _fold_system(body: JsonObject) -> None:
    """Put the system text of a chat body before the first user text."""
    messages = body.get("messages", [])
    system = [m["content"] for m in messages if m["role"] == "system"]
    rest = [m for m in messages if m["role"] != "system"]
    if not system or not rest:
        return
    lead, content = "\n\n".join(system), rest[0]["content"]
    if isinstance(content, str):
        rest[0]["content"] = f"{lead}\n\n{content}"
    else:
        content.insert(0, {"type": "text", "text": lead})
    body["messages"] = rest
