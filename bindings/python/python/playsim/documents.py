"""VAST documents and error codes."""

from __future__ import annotations

import os
from typing import Any, NamedTuple, Union

from . import _playsim
from ._module import ask
from .errors import InputError

__all__ = ["Document", "ErrorCode", "code", "vast"]


class Document(NamedTuple):
    """A VAST or VMAP document, as the player reads it.

    Attributes:
        faults: how many defects make it, or an ad in it, unusable.
        data: ads, breaks, wrappers, media, beacons and every warning and fault with its place, as
            ``playsim vast --format json`` prints them; times are in microseconds.
        text: the overview that ``playsim vast`` prints.
    """

    faults: int
    data: dict[str, Any]
    text: str

    @property
    def is_usable(self) -> bool:
        """Whether there are no faults. Warnings do not count."""
        return self.faults == 0

    def __str__(self) -> str:
        return self.text


class ErrorCode(NamedTuple):
    """An error code: what it means, who has to act, what helps.

    Attributes:
        code: the number.
        family: ``"vast"``, ``"vmap"``, ``"simid"``, ``"vpaid"`` or ``"sdk"``.
        title: in a few words.
        meaning: in sentences.
        who: who has to act.
        causes: the usual ones.
        remedies: what helps.
        data: all of the entry, as ``playsim code --format json`` prints it: also rules, knobs, and what
            products give.
    """

    code: int
    family: str
    title: str
    meaning: str
    who: tuple[str, ...]
    causes: tuple[str, ...]
    remedies: tuple[str, ...]
    data: dict[str, Any]

    def __str__(self) -> str:
        parts = [f"{self.family} {self.code}: {self.title}", "", self.meaning]
        for title, lines in (("Causes", self.causes), ("What helps", self.remedies)):
            if lines:
                parts += ["", f"{title}:", *(f"- {line}" for line in lines)]
        return "\n".join([*parts, "", f"To act: {', '.join(self.who)}"]) if self.who else "\n".join(parts)


def vast(document: Union[str, "os.PathLike[str]"]) -> Document:
    """Reads a VAST or VMAP document. It never fails on a text: what is wrong is in the result, with its
    place.

    Args:
        document: the text of the document, or the path of a file.

    Raises:
        OSError: the file cannot be read.
    """
    if isinstance(document, str) and (document.lstrip("\ufeff \t\r\n").startswith("<") or "\n" in document):
        # Half a character is none.
        name, text = "document.xml", document.encode("utf-8", "replace").decode("utf-8")
    else:
        name = os.fspath(document)
        with open(name, "rb") as file:
            text = _playsim.decoded(file.read())
    it = ask("vast", name=name, text=text, json=True)
    return Document(it["faults"], it["json"], it["text"])


def code(code: int | str, family: str | None = None) -> ErrorCode:
    """What an error code means.

    Args:
        code: the number, such as 303, or a name of the SDK, such as ``"VAST_LOAD_TIMEOUT"``.
        family: ``"vast"``, ``"vmap"``, ``"simid"``, ``"vpaid"`` or ``"sdk"``, if the number is one of
            several.

    Raises:
        InputError: there is no such code; the message has the nearest ones.
    """
    entries = ask("code", words=f"{family or ''} {code}".strip())
    if not entries:
        raise InputError(f'there is no code "{code}"')
    it = entries[0]
    listed = {key: tuple(it.get(key) or ()) for key in ("who", "causes", "remedies")}
    return ErrorCode(it["code"], it["family"], it["title"], it["meaning"], data=it, **listed)
