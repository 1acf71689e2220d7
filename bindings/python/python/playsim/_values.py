"""Values of page code on their way to the engine and back. JSON lacks some of them: ``{"$": "NaN"}``."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping

from .errors import InputError

__all__ = ["decoded", "encoded"]

_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "undefined": None}
_DEEPEST = 64


def encoded(value: Any, name_of: Callable[[Callable[..., object]], str], where: str, depth: int = 0) -> Any:
    """What JSON has for a value; ``name_of`` names a function.

    Raises:
        InputError: page code has no such value.
    """
    if depth > _DEEPEST:
        raise InputError(f"{where}: the value is nested more than {_DEEPEST} levels deep, or contains itself")
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        # Half a character is none, in JSON as in a page's markup.
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return {"$": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, Mapping):
        if "$" in value:
            raise InputError(f'{where}: a dict with the key "$" cannot be given, because scenarios use it')
        return {str(key): encoded(it, name_of, where, depth + 1) for key, it in value.items()}
    if isinstance(value, (list, tuple)):
        return [encoded(it, name_of, where, depth + 1) for it in value]
    if callable(value):
        return {"$": ["function", name_of(value)]}
    raise InputError(
        f"{where}: {value!r} cannot be given to the player; it takes texts, numbers, lists and dicts"
    )


def decoded(value: Any, function_of: Callable[[str], object]) -> Any:
    """The value that JSON has; ``undefined`` is ``None``, as ``null`` is."""
    if isinstance(value, list):
        return [decoded(it, function_of) for it in value]
    if not isinstance(value, dict):
        return value
    special = value.get("$")
    if isinstance(special, str) and special in _SPECIAL:
        return _SPECIAL[special]
    if isinstance(special, list):
        return function_of(special[1]) if special[0] == "function" else None
    return {key: decoded(it, function_of) for key, it in value.items()}
