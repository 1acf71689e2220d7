"""Lengths of time: texts as scenarios have them, and `datetime.timedelta`, both in whole microseconds."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Union

from .errors import InputError

__all__ = ["Length", "micros", "text", "timedelta"]

Length = Union[str, timedelta]
"""A length of time: ``"250ms"``, ``"1.5s"``, ``"2m"``, ``"1h"``, or a ``datetime.timedelta``."""

_UNITS = {"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "min": 60_000_000, "h": 3_600_000_000}
_FORM = re.compile(r"(\d+)(?:\.(\d+))?\s*([a-z]+)")
_MICROSECOND = timedelta(microseconds=1)


def micros(length: Length) -> int:
    """A length in microseconds.

    Raises:
        InputError: it is no length, is negative, or is not whole microseconds.
    """
    if isinstance(length, timedelta):
        count = length // _MICROSECOND
        if count < 0:
            raise InputError(f"{length} is negative; time only goes forward")
        return count
    if not isinstance(length, str):
        raise InputError(
            f"{length!r} is not a length of time; write a text such as '{length}s', or a timedelta"
        )
    form = _FORM.fullmatch(length.strip())
    if form is None or form[3] not in _UNITS:
        raise InputError(
            f"{length!r} is not a length of time; write a text such as '250ms', '1.5s', '2m' or '1h'"
        )
    whole, fraction, unit = int(form[1]), form[2] or "", _UNITS[form[3]]
    part, rest = divmod(int(fraction or 0) * unit, 10 ** len(fraction))
    if rest:
        raise InputError(f"{length!r} is not a whole number of microseconds")
    return whole * unit + part


def text(length: timedelta) -> str:
    """A length as scenarios have it."""
    return f"{micros(length)}us"
