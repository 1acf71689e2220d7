"""Places in a scenario, written as paths: ``network.https://a.test.after``, ``player.ads[0].mobile``.

Keys may contain dots, as URLs and knobs do. A part of a path is therefore the longest key that the scenario
has at this place, or else one that its schema has; where any key is allowed, as for a new URL, the longest
for which the rest of the path still is one of the schema.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Sequence, Union

from ._module import ask
from .errors import InputError

__all__ = ["Path", "assigned", "found", "new_key", "removed"]

Path = Union[str, Sequence[Union[str, int]]]
"""A place in a scenario: a text with dots, or a sequence of keys and indexes."""

Key = Union[str, int]
Schema = Any
_INDEX = re.compile(r"\[(\d+)\]|(\d+)(?=[.\[]|$)")


@lru_cache(maxsize=1)
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = ask("schema")
    return schema


def _forms(schema: Schema) -> list[dict[str, Any]]:
    """The alternatives of a schema, without references."""
    if not isinstance(schema, dict):
        return []
    if "$ref" in schema:
        return _forms(_schema()["$defs"][schema["$ref"].rsplit("/", 1)[-1]])
    inner = [form for key in ("anyOf", "oneOf") for part in schema.get(key, []) for form in _forms(part)]
    return [schema, *inner]


def _below(schemas: list[dict[str, Any]], key: Key) -> list[dict[str, Any]]:
    """What is allowed below a key."""
    if isinstance(key, int):
        return [form for it in schemas for form in _forms(it.get("items"))]
    named = [form for it in schemas for form in _forms(it.get("properties", {}).get(key))]
    return named or [form for it in schemas for form in _forms(it.get("additionalProperties"))]


def _names(schemas: list[dict[str, Any]]) -> list[str]:
    return [name for it in schemas for name in it.get("properties", {})]


def _is_open(schemas: list[dict[str, Any]]) -> bool:
    """Whether keys are allowed that the schema does not name."""
    return any(it.get("additionalProperties") not in (None, False) for it in schemas)


def _rest(path: str, key: str) -> str | None:
    """The path after a key, if it begins with it."""
    if path == key:
        return ""
    if path.startswith(key) and path[len(key)] in ".[":
        rest = path[len(key) :]
        return rest[1:] if rest.startswith(".") else rest
    return None


def _keys(path: str, node: Any, schemas: list[dict[str, Any]]) -> list[Key] | None:
    """Splits a path into keys."""
    if path == "":
        return []
    quoted = re.match(r"""\[(["'])(.*?)\1\]\.?""", path)
    if quoted:
        return _after(quoted[2], path[quoted.end() :], node, schemas)
    index = _INDEX.match(path)
    if index and (isinstance(node, list) or (node is None and any("items" in it for it in schemas))):
        number = int(index[1] or index[2])
        return _after(number, path[index.end() :].removeprefix("."), node, schemas)
    own = list(node) if isinstance(node, dict) else []
    for key in sorted({*own, *_names(schemas)}, key=len, reverse=True):
        rest = _rest(path, key)
        keys = None if rest is None else _after(key, rest, node, schemas)
        if keys is not None:
            return keys
    if _is_open(schemas):
        ends = [at for at, letter in enumerate(path) if letter in ".[" and at > 0]
        for end in [*reversed(ends), len(path)]:
            keys = _after(path[:end], path[end:].removeprefix("."), node, schemas)
            if keys is not None:
                return keys
    return None


def _after(key: Key, rest: str, node: Any, schemas: list[dict[str, Any]]) -> list[Key] | None:
    keys = _keys(rest, _child(node, key), _below(schemas, key))
    return None if keys is None else [key, *keys]


def _close(word: str, known: list[str], n: int, cutoff: float) -> list[str]:
    # Only needed for errors.
    import difflib

    return difflib.get_close_matches(word, known, n, cutoff)


def _child(node: Any, key: Key) -> Any:
    if isinstance(node, dict):
        return node.get(key)
    if isinstance(node, list) and isinstance(key, int) and key < len(node):
        return node[key]
    return None


def _split(path: Path, scenario: dict[str, Any]) -> list[Key]:
    if not isinstance(path, str):
        return list(path)
    schemas = _forms(_schema())
    keys = _keys(path, scenario, schemas)
    if keys is None:
        raise InputError(f'"{path}" is no place in the scenario{_proposal(path, scenario, schemas)}')
    return keys


def _proposal(path: str, node: Any, schemas: list[dict[str, Any]]) -> str:
    """What was probably meant, as far as the path can be followed."""
    while True:
        own = list(node) if isinstance(node, dict) else []
        known = sorted({*own, *_names(schemas)}, key=len, reverse=True)
        step = next(((key, rest) for key in known if (rest := _rest(path, key))), None)
        index = _INDEX.match(path) if isinstance(node, list) else None
        if step is not None:
            key: Key = step[0]
            path = step[1]
        elif index is not None and index.end() < len(path):
            key, path = int(index[1] or index[2]), path[index.end() :].removeprefix(".")
        else:
            near = _close(path, known, n=1, cutoff=0.5)
            near = near or _close(re.split(r"[.\[]", path)[0], known, n=1, cutoff=0.5)
            if near:
                return f'; did you mean "{near[0]}"?'
            return f"; here are {', '.join(sorted(known)[:12])}" if known else ""
        node, schemas = _child(node, key), _below(schemas, key)


def found(scenario: dict[str, Any], path: Path) -> Any:
    """The value at a place; None if the scenario leaves it at its default."""
    node: Any = scenario
    for key in _split(path, scenario):
        node = _child(node, key)
    return node


def assigned(scenario: dict[str, Any], path: Path, value: Any) -> None:
    """Sets the value at a place; what is above it is made if it is missing."""
    keys = _split(path, scenario)
    if not keys:
        raise InputError("the path is empty; write one such as network.https://a.test.after")
    node: Any = scenario
    for key, next_key in zip(keys, [*keys[1:], None]):
        if isinstance(node, list):
            _check_index(node, key, path)
        elif not isinstance(node, dict):
            raise InputError(f'"{_text(path)}": {node!r} has nothing below it')
        if next_key is None:
            _put(node, key, value)
            return
        if _child(node, key) is None:
            _put(node, key, [] if isinstance(next_key, int) else {})
        node = _child(node, key)


def _put(node: Any, key: Any, value: Any) -> None:
    if isinstance(node, list) and key == len(node):
        node.append(value)
    else:
        node[key] = value


def new_key(scenario: dict[str, Any], path: Path) -> tuple[str, str] | None:
    """The key of a path that the scenario does not have yet, and one that it has and that was probably
    meant."""
    node: Any = scenario
    for key in _split(path, scenario):
        if isinstance(node, dict) and isinstance(key, str) and key not in node:
            near = _close(key, [it for it in node if isinstance(it, str)], n=1, cutoff=0.75)
            return (key, near[0]) if near else None
        node = _child(node, key)
    return None


def removed(scenario: dict[str, Any], path: Path) -> None:
    """Removes what is at a place, so that it has its default."""
    keys = _split(path, scenario)
    node: Any = scenario
    for key in keys[:-1]:
        node = _child(node, key)
    if not keys or _child(node, keys[-1]) is None:
        raise InputError(f'there is nothing at "{_text(path)}"')
    del node[keys[-1]]


def _check_index(node: list[Any], key: Key, path: Path) -> None:
    if not isinstance(key, int) or key > len(node):
        raise InputError(
            f'"{_text(path)}": {key!r} must be an index from 0 to {len(node)}; {len(node)} adds to the end'
        )


def _text(path: Path) -> str:
    return path if isinstance(path, str) else ".".join(str(key) for key in path)
