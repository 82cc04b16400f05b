"""Replies and the verdicts they must get. A fault found later adds a line that says where it came from."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FORMS", "HOSTILE", "Form", "Hostile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form of answer, what must be read from it and by which rule, and where it was seen."""

    name: str
    text: str
    answer: dict[str, object] | None
    rule: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A text that must end in a verdict, whichever, in bounded work."""

    name: str
    text: str


FORMS = (
    Form(
        name="bare object",
        text='{"a": 200, "b": 0.5}',
        answer={"a": 200, "b": 0.5},
        rule="direct",
        origin="published GPT-4.1 replies",
    ),
    Form(
        name="fenced object",
        text='```json\n{"a": 1}\n```',
        answer={"a": 1},
        rule="fenced",
        origin="published GPT-4o replies",
    ),
    Form(
        name="fence beats an earlier object in prose",
        text='Schema {"a": null}.\n```\n{"a": 1}\n```',
        answer={"a": 1},
        rule="fenced",
        origin="order of the seed's chain",
    ),
    Form(
        name="fence left open",
        text='Here:\n```json\n{"a": 1}',
        answer={"a": 1},
        rule="fenced",
        origin="stop sequence before the closing fence",
    ),
    Form(
        name="object in prose",
        text='The answer is {"a": 1}. Hope it helps.',
        answer={"a": 1},
        rule="embedded",
        origin="the seed's third step",
    ),
    Form(
        name="fraction",
        text='{"a": 1025/615}',
        answer={"a": 1025 / 615},
        rule="direct, fraction",
        origin="the seed's fourth step",
    ),
    Form(
        name="spaced negative fraction",
        text='{"a": -1.0 / 4}',
        answer={"a": -0.25},
        rule="direct, fraction",
        origin="the seed's fourth step",
    ),
    Form(
        name="division by zero stays a text",
        text='{"a": 1/0}',
        answer={"a": "1/0"},
        rule="direct, fraction",
        origin="never raise",
    ),
    Form(
        name="trailing commas",
        text='{"a": [1, 2,], "b": 3,}',
        answer={"a": [1, 2], "b": 3},
        rule="direct, trailing comma",
        origin="the seed's fifth step",
    ),
    Form(
        name="unit comments copied from the schema, which hold the comma",
        text='{\n  "a": 200  // Hz,\n  "b": 400  // Hz\n}',
        answer={"a": 200, "b": 400},
        rule="direct, comment",
        origin="our prompt's schema puts the comma behind the comment sign",
    ),
    Form(
        name="unit comments after the comma",
        text='{\n  "a": 200, // Hz\n  "b": 400 # Hz\n}',
        answer={"a": 200, "b": 400},
        rule="direct, comment",
        origin="models that mend the schema",
    ),
    Form(
        name="block comment",
        text='{"a": /* Hz */ 200 /*/ ,*/, "b": 1}',
        answer={"a": 200, "b": 1},
        rule="direct, comment",
        origin="C-like comments",
    ),
    Form(
        name="comment without an end swallows the object",
        text='{"a": 200 // Hz }',
        answer=None,
        rule="none",
        origin="a comment ends with its line",
    ),
    Form(
        name="the schema itself is no answer",
        text='{"a": <number or null>  // Hz\n} then {"a": 5}',
        answer={"a": 5},
        rule="embedded",
        origin="models that repeat the prompt",
    ),
    Form(
        name="Python dict",
        text="{'a': 1, 'b': None, 'c': True, 'd': 'it\\'s \"x\"'}",
        answer={"a": 1, "b": None, "c": True, "d": 'it\'s "x"'},
        rule="direct, quotes, Python literal",
        origin="models that answer in Python",
    ),
    Form(
        name="bare keys",
        text="{a: 1, _b2: 2}",
        answer={"a": 1, "_b2": 2},
        rule="direct, quotes",
        origin="JavaScript style",
    ),
    Form(
        name="duplicate keys: the last wins",
        text='{"a": 1, "a": 2}',
        answer={"a": 2},
        rule="direct",
        origin="json does the same",
    ),
    Form(
        name="not finite numbers stay texts",
        text='{"a": NaN, "b": -Infinity, "c": 1e999}',
        answer={"a": "NaN", "b": "-Infinity", "c": "1e999"},
        rule="direct, not finite",
        origin="json.dumps of another program",
    ),
    Form(
        name="number forms",
        text='{"a": +3, "b": .5, "c": 5., "d": 007, "e": −45, "f": 2e3}',
        answer={"a": 3, "b": 0.5, "c": 5.0, "d": 7, "e": -45, "f": 2000.0},
        rule="direct, number form",
        origin="the questions themselves print U+2212",
    ),
    Form(
        name="one level of nesting",
        text='{"answer": {"a": 1}, "unit": {"x": 2}}',
        answer={"a": 1},
        rule="direct, nested",
        origin="JSON modes that wrap",
    ),
    Form(
        name="two levels of nesting are not searched",
        text='{"answer": {"values": {"a": 1}}}',
        answer={"answer": {"values": {"a": 1}}},
        rule="direct",
        origin="decision: one level",
    ),
    Form(
        name="list of one object",
        text='[{"a": 1}]',
        answer={"a": 1},
        rule="embedded",
        origin="JSON modes that wrap",
    ),
    Form(
        name="first object with an expected field wins",
        text='{"x": 0} {"a": 1} {"a": 2}',
        answer={"a": 1},
        rule="embedded",
        origin="rule of the published evaluator: first",
    ),
    Form(
        name="no expected field: the first object",
        text='{"x": 0} and {"y": 1}',
        answer={"x": 0},
        rule="embedded",
        origin="shows what the model said instead",
    ),
    Form(
        name="field names are matched exactly",
        text='{"A": 1}',
        answer={"A": 1},
        rule="direct",
        origin="decision: case counts",
    ),
    Form(
        name="draft in a thinking block",
        text='<think>{"a": 9}</think>\n{"a": 1}',
        answer={"a": 1},
        rule="embedded",
        origin="reasoning models behind plain servers",
    ),
    Form(
        name="thinking opened by the server's template",
        text='so {"a": 9}</think>{"a": 1}',
        answer={"a": 1},
        rule="embedded",
        origin="chat templates that end with <think>",
    ),
    Form(
        name="thinking that never ended holds no answer",
        text='<think>perhaps {"a": 9}',
        answer=None,
        rule="none",
        origin="budget spent on thinking",
    ),
    Form(
        name="a tag inside a JSON text is not a block",
        text='{"note": "<think>", "a": 1}',
        answer={"note": "<think>", "a": 1},
        rule="direct",
        origin="whole text first",
    ),
    Form(name="percent sign", text='{"a": 52%}', answer=None, rule="none", origin="52% is not the number 52"),
    Form(name="unit", text='{"a": 200 Hz}', answer=None, rule="none", origin="the prompt forbids units"),
    Form(name="arithmetic", text='{"a": 2*3}', answer=None, rule="none", origin="nothing is evaluated"),
    Form(name="thousands", text='{"a": 1,000}', answer=None, rule="none", origin="not guessed"),
    Form(name="call", text='{"a": __import__("os")}', answer=None, rule="none", origin="nothing is evaluated"),
    Form(name="missing comma", text='{"a": 1 "b": 2}', answer=None, rule="none", origin="not guessed"),
    Form(name="missing colon", text='{"a" 1}', answer=None, rule="none", origin="not guessed"),
    Form(name="two commas", text='{"a": 1,, "b": 2}', answer=None, rule="none", origin="not guessed"),
    Form(name="numeric key", text='{1: "a"}', answer=None, rule="none", origin="not a field name"),
    Form(name="unknown word", text='{"a": nil}', answer=None, rule="none", origin="not guessed"),
    Form(name="bad escape", text='{"a\\_b": 1}', answer=None, rule="none", origin="LaTeX in keys"),
    Form(name="cut in a text", text='{"a": "1', answer=None, rule="none", origin="cut-off reply"),
    Form(name="cut in a number", text='{"a": 1', answer=None, rule="none", origin="cut-off reply"),
    Form(name="cut in a block comment", text='{"a": /* ', answer=None, rule="none", origin="cut-off reply"),
    Form(name="nothing", text="", answer=None, rule="none", origin="published replies of another model"),
    Form(name="a list", text="[1, 2]", answer=None, rule="none", origin="not an object"),
    Form(name="null", text="null", answer=None, rule="none", origin="not an object"),
    Form(
        name="LaTeX before the object",
        text='\\frac{1}{2} = {0.5}, so {"a": 0.5}',
        answer={"a": 0.5},
        rule="embedded",
        origin="braces in prose",
    ),
    Form(
        name="lone surrogate",
        text='{"a": "\\ud800", "b": "\\ud83d\\ude00"}',
        answer={"a": "\ufffd", "b": "\U0001f600"},
        rule="direct",
        origin="cannot be written as UTF-8",
    ),
    Form(
        name="long integer becomes a double",
        text='{"a": 12345678901234567890}',
        answer={"a": 12345678901234567890.0},
        rule="direct",
        origin="integers beyond 2^53",
    ),
    Form(
        name="byte order mark and odd spaces",
        text='\ufeff{\u00a0"a"\u200b: 1}',
        answer={"a": 1},
        rule="embedded",
        origin="copied from web pages",
    ),
)

HOSTILE = (
    Hostile(name="a million braces", text="{" * 1_000_000),
    Hostile(name="a million closing braces", text="}" * 1_000_000),
    Hostile(name="objects without end", text='{"a":' * 200_000),
    Hostile(name="lists without end", text='{"a":' + "[" * 1_000_000),
    Hostile(name="texts without end", text='{"a":"' * 30_000),
    Hostile(name="backslashes", text='{"a":"' + "\\" * 99_000),
    Hostile(name="line comments", text="{//" * 33_000),
    Hostile(name="block comments", text="{/*" * 33_000),
    Hostile(name="a long number", text='{"a":' + "9" * 99_000 + "}"),
    Hostile(name="a long decimal", text='{"a":0.' + "1" * 99_000 + "}"),
    Hostile(name="a huge exponent", text='{"a":1e' + "9" * 99_000 + "}"),
    Hostile(name="a chain of fractions", text='{"a":' + "1/" * 49_000 + "1}"),
    Hostile(name="many empty objects", text="{}" * 50_000),
    Hostile(name="many objects", text='{"b":1}' * 14_000),
    Hostile(name="deep objects again and again", text=('{"b":' * 32 + "1" + "}" * 32) * 400),
    Hostile(name="too deep objects again and again", text=('{"b":' * 33 + "1" + "}" * 33) * 400),
    Hostile(name="members without an end", text=("{" + '"b":1,' * 40) * 400),
    Hostile(name="bare keys without an end", text="{a:" * 33_000),
    Hostile(name="single quotes", text="{'a\\':" * 16_000),
    Hostile(name="spaces in an object", text="{" + " " * 99_000),
    Hostile(name="fences", text="```" * 33_000),
    Hostile(name="thinking tags", text="<think></think></think>" * 4_000),
    Hostile(name="NUL", text='\0{"a"\0: 1}\0' * 1_000),
    Hostile(name="lone surrogates", text='{"a": "\ud800", "\udc00": 1}'),
    Hostile(name="right-to-left marks", text='\u202e{"a": 1}\u202d'),
)
