"""Exceptions. All of them are `playsim.Error`."""

from __future__ import annotations

import json
from typing import NamedTuple

__all__ = ["CallError", "Error", "InputError", "Mistake", "RunError", "ScenarioError"]


class Error(Exception):
    """Any error of playsim."""


class InputError(Error, ValueError):
    """An argument or a file cannot be used; the message says what to write instead."""


class RunError(Error):
    """A running simulation cannot go on, or cannot reach what it was asked for."""


class CallError(Error):
    """A call of the player fails as documented.

    Attributes:
        code: why, such as ``"no_such_player"`` or ``"destroyed"``.
        rule: the rule that decided, such as ``"INIT-19"``; ``playsim rules INIT-19`` prints it.
    """

    def __init__(self, message: str, code: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule


class Mistake(NamedTuple):
    """A mistake in a scenario.

    Attributes:
        message: the value that was found, and the accepted ones.
        line: from 1; ``None`` if the place is unknown.
        column: from 1; ``None`` if the place is unknown.
        help: the word or form that was probably meant, if there is one.
    """

    message: str
    line: int | None
    column: int | None
    help: str | None


class ScenarioError(InputError):
    """A scenario cannot be read or played.

    ``line``, ``column`` and ``help`` are those of the first mistake.

    Attributes:
        mistakes: all mistakes, in the order of the text; empty if the scenario can be read, but not played.
    """

    def __init__(self, message: str, mistakes: tuple[Mistake, ...] = ()) -> None:
        super().__init__(message)
        self.mistakes = mistakes

    def __str__(self) -> str:
        text = super().__str__()
        more = len(self.mistakes) - 1
        return text if more < 1 else f"{text} (and {more} more: see mistakes)"

    @property
    def line(self) -> int | None:
        """The line, from 1; ``None`` if the place is unknown."""
        return self.mistakes[0].line if self.mistakes else None

    @property
    def column(self) -> int | None:
        """The column, from 1; ``None`` if the place is unknown."""
        return self.mistakes[0].column if self.mistakes else None

    @property
    def help(self) -> str | None:
        """What was probably meant, if it can be guessed."""
        return self.mistakes[0].help if self.mistakes else None


def of_failure(text: str) -> Error:
    """The exception for an error of the extension module, a text in JSON."""
    failure = json.loads(text)
    message = failure["message"]
    if "mistakes" in failure:
        return ScenarioError(message, tuple(_mistake(it) for it in failure["mistakes"]))
    if "code" in failure:
        return CallError(message, failure["code"], failure.get("rule"))
    return InputError(message)


def _mistake(it: dict[str, object]) -> Mistake:
    line, column, suggestion = it["line"], it["column"], it["suggestion"]
    return Mistake(
        message=str(it["message"]),
        line=line if isinstance(line, int) and line > 0 else None,
        column=column if isinstance(line, int) and line > 0 and isinstance(column, int) else None,
        help=str(suggestion) if suggestion is not None else None,
    )
