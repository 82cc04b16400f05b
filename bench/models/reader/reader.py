"""Which part of the reader answers: decided by the prompt's text alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Outcome", "read"]

NO_ANSWER = "I cannot "
_FIELD_LINE = re.compile(r'^\s*"(\w{1,80})": <number or null>', flags=re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The text of a reply; with `answered` false it says why there is no answer."""

    answered: bool
    text: str


def read(picture: bytes, prompt: str) -> Outcome:
    """Answer a prompt about a picture (PNG bytes), in the form that the prompt asks for.

    Accepted are prompts that ask for numbers of a plot as JSON, and those about spots. Everything else is refused
    in one sentence, and so is a picture that cannot be decoded.
    """
    fields = tuple(dict.fromkeys(_FIELD_LINE.findall(prompt)))
    if fields:
        from bench.models.reader.picture import UnreadablePictureError  # noqa: PLC0415
        from bench.models.reader.plots import answer_plot  # noqa: PLC0415 - libraries only where they are used

        try:
            return Outcome(answered=True, text=answer_plot(picture, prompt, fields))
        except UnreadablePictureError as error:
            return Outcome(answered=False, text=f"The picture cannot be read: {error}.")
    from bench.models.reader.dots import answer_dots  # noqa: PLC0415
    from bench.models.reader.dots.asked import asked_in  # noqa: PLC0415

    if asked_in(prompt) is not None:
        text = answer_dots(picture, prompt)
        return Outcome(answered=not text.startswith(NO_ANSWER), text=text)
    return Outcome(
        answered=False,
        text="This reader measures plots and spots; it does not reason, and answers no other question.",
    )
