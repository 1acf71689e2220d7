"""Writes python/playsim/_player.py and python/playsim/types.py from the tables and the schema of the module itself.

``python scripts/generate.py`` writes them, ``--check`` only says whether they are current. The package must be
installed.
"""

from __future__ import annotations

import importlib.util
import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "playsim"
WIDTH = 110
HEADER = '"""{about}\n\nWritten by scripts/generate.py from the tables of the module. Do not edit.\n"""\n\n'

# --- The player.

TYPES = {
    "undefined": "None",
    "null": "None",
    "boolean": "bool",
    "number": "float",
    "string": "str",
    "promise": "None",
    "chapter": "Chapter",
    "mediaError": "MediaError",
    "rendition": "str",
    "source": "Mapping[str, Any]",
    "ad": "Mapping[str, Any]",
    "level": 'Literal["player", "video"]',
}
DATA = {"a whole number": "int", "a number": "float", "a string": "str", "true or false": "bool"}
ELEMENT_ONLY = ("load", "loop", "playbackRate")


def type_of(names: list[str], types: dict[str, str] = TYPES) -> str:
    """Names of types in the tables as a type of Python."""
    parts: list[str] = []
    for name in names:
        if name not in types:
            sys.exit(f'no type of Python is known for "{name}"; add it to scripts/generate.py')
        if types[name] not in parts:
            parts.append(types[name])
    # None comes last.
    parts.sort(key=lambda part: part == "None")
    return " | ".join(parts)


def doc(text: str, indent: str) -> str:
    """A docstring."""
    if not text:
        return ""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    one = f'{indent}"""{text}"""'
    if len(one) <= WIDTH:
        return one + "\n"
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
    first, *rest = lines
    body = "".join(f"{indent}{line}\n" for line in rest)
    return f'{indent}"""{first}\n{body}{indent}"""\n'


def literal(name: str, about: str, values: list[str]) -> str:
    """An alias for one of several texts."""
    rows = "".join(f'    "{value}",\n' for value in values)
    return f"{name} = Literal[\n{rows}]\n{doc(about, '')}\n"


def argument_name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def method(call: dict[str, Any], getters: dict[str, Any], name: str, indent: str) -> str:
    """A method of the player."""
    takes, reads = call["takes"], call["reads"]
    types = {**TYPES, "events": "AnyEventName | Sequence[AnyEventName]", "listener": "Listener"}
    given = ""
    passed: list[str] = []
    for one in takes:
        own = argument_name(one["name"])
        is_optional = one["optional"] or reads is not None
        given += f", {own}: {type_of(one['types'], types)}{' | None = None' if is_optional else ''}"
        passed.append(own)
    # Before the player is ready, setters and actions are dropped, and return nothing.
    is_getter = not takes and reads
    returns = (
        call["returns"] if "undefined" in call["returns"] or is_getter else [*call["returns"], "undefined"]
    )
    about = call["about"]
    if reads and takes and reads in getters:
        about += f" Without an argument it only reads: {getters[reads]['about'][0].lower()}{getters[reads]['about'][1:]}"
        returns = [*getters[reads]["gives"], *returns]
    back = type_of(list(dict.fromkeys(returns)))
    arguments = "".join(f", {own}" for own in passed)
    run = "self._bind" if any("listener" in one["types"] for one in takes) else "self._call"
    if reads and (takes or is_getter):
        query = f'self._query("{reads}")'
        body = (
            f"return {query}"
            if not takes
            else (f'return {query} if {passed[0]} is None else self._call("{call["name"]}"{arguments})')
        )
    else:
        body = f'{"return " if back != "None" else ""}{run}("{call["name"]}"{arguments})'
    head = f"{indent}def {name}(self{given}) -> {back}:"
    if len(head) > WIDTH:
        head = f"{indent}def {name}(\n{indent}    self{given}\n{indent}) -> {back}:"
    return f"{head}\n{doc(about, indent + '    ')}{indent}    {body}\n\n"


def player(tables: dict[str, Any]) -> str:
    """The module with the class of players."""
    calls, events = tables["calls"], tables["events"]
    getters = {it["name"]: it for it in tables["getters"]}
    documented = [it["name"] for it in events if it["documented"]]
    media = [it["name"] for it in events if not it["documented"]]
    properties = [it for it in tables["getters"] if it["player"] and it["property"]]
    is_property = {it["name"] for it in properties}
    out = HEADER.format(about="The documented player, as page code in Python has it.")
    out += (
        "from __future__ import annotations\n\n"
        "from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Sequence, TypedDict, Union\n\n"
        "if TYPE_CHECKING:\n    from .live import Event\n\n"
    )
    out += literal("EventName", "An event that a player fires.", documented)
    out += literal(
        "MediaEventName",
        "An event that a player fires with the knob ``bus.expose_html`` only: those of its media element.",
        media,
    )
    out += "AnyEventName = Union[EventName, MediaEventName]\n\n"
    out += literal("Code", "Why a call fails.", [it["name"] for it in tables["codes"]])
    out += 'Listener = Callable[["Event"], object]\n"""A listener: it is called with the event."""\n\n\n'
    out += (
        'class Chapter(TypedDict):\n    """A chapter; times are in seconds, and the end is None if it is unknown."""\n\n'
        "    chapter: int\n    title: str\n    start: float\n    end: float | None\n\n\n"
        'class MediaError(TypedDict):\n    """Why media cannot be played: 2 network, 3 decode, 4 not supported."""\n\n'
        "    code: int\n\n\n"
    )
    for event in events:
        if event["data"]:
            name = event["name"][0].upper() + event["name"][1:]
            out += f"class {name}Data(TypedDict{', total=False' if any(f['optional'] for f in event['data']) else ''}):\n"
            out += doc(f"The data of the event {event['name']}.", "    ") + "\n"
            for field in event["data"]:
                field_name = json.loads(field["name"]) if field["name"].startswith('"') else field["name"]
                out += f"    {field_name}: {type_of([field['type']], DATA)}\n" + doc(field["about"], "    ")
            out += "\n\n"
    owners = sorted({it["name"].split(".")[0] for it in [*calls, *properties] if "." in it["name"]})
    for owner in owners:
        out += f'class {owner_class(owner)}:\n    """``player.{owner}``."""\n\n    def __init__(self, player: Player) -> None:\n'
        out += "        self._call, self._query = player._call, player._query\n\n"
        for it in calls:
            if it["name"].startswith(owner + "."):
                out += method(it, getters, it["name"].split(".")[1], "    ")
        for it in properties:
            if it["name"].startswith(owner + "."):
                out += getter(it, it["name"].split(".")[1])
        out = out.rstrip() + "\n\n\n"
    out += (
        'class Player:\n    """The documented player.\n\n    Its methods and properties have the names that the documentation'
        " has. A call that fails raises `playsim.CallError`.\n\n    Attributes:\n        container: the container of its"
        ' page.\n    """\n\n'
        "    container: str\n\n"
        "    def _call(self, name: str, *args: Any) -> Any:\n        raise NotImplementedError\n\n"
        "    def _query(self, name: str) -> Any:\n        raise NotImplementedError\n\n"
        "    def _bind(self, name: str, events: Any, listener: Listener) -> None:\n        raise NotImplementedError\n\n"
    )
    for owner in owners:
        out += f"    @property\n    def {owner}(self) -> {owner_class(owner)}:\n        {doc(f'Its object {owner}.', '').strip()}\n"
        out += f"        return {owner_class(owner)}(self)\n\n"
    for it in calls:
        if "." not in it["name"] and it["name"] not in ELEMENT_ONLY and it["name"] not in is_property:
            out += method(it, getters, it["name"], "    ")
    for it in properties:
        if "." not in it["name"]:
            out += getter(it, it["name"])
    out = out.rstrip() + "\n" + element({it["name"]: it for it in calls}, tables["getters"])
    return out.rstrip() + "\n"


def element(calls: dict[str, Any], getters: list[dict[str, Any]]) -> str:
    """The class of bare media elements."""
    out = (
        '\n\nclass MediaElement:\n    """A bare media element: the calls and properties of a ``<video>``.\n\n'
        "    Attributes:\n        container: the container of its page.\n"
        '    """\n\n    container: str\n\n'
        "    def _call(self, name: str, *args: Any) -> Any:\n        raise NotImplementedError\n\n"
        "    def _query(self, name: str) -> Any:\n        raise NotImplementedError\n\n"
        "    def _bind(self, name: str, events: Any, listener: Listener) -> None:\n"
        "        raise NotImplementedError\n\n"
    )
    for name in ("on", "once", "off", "play", "pause", "load"):
        out += method(calls[name], {}, name, "    ")
    of_both = ("currentTime", "duration", "volume", "muted", "currentSrc")
    for it in getters:
        if it["player"] and it["name"] not in of_both:
            continue
        name = it["name"]
        out += getter(it, name)
        if name in calls and name != "duration" and name != "currentSrc":
            type_name = type_of([kind for kind in calls[name]["takes"][0]["types"] if kind != "source"])
            out += f"    @{name}.setter\n    def {name}(self, value: {type_name}) -> None:\n"
            out += f'        self._call("{name}", value)\n\n'
    return out


def owner_class(name: str) -> str:
    """The class of an object of the player, such as ``player.values``."""
    return f"{name[0].upper()}{name[1:]}Object"


def getter(it: dict[str, Any], name: str) -> str:
    """A property that is only read."""
    back = type_of(it["gives"])
    return (
        f"    @property\n    def {name}(self) -> {back}:\n{doc(it['about'], '        ')}"
        f'        return self._query("{it["name"]}")\n\n'
    )


# --- Parts of scenarios.

MOST_WORDS = 20
"""A type with more words would not be read."""

NAMED = {
    "answer": "Answer",
    "user": "UserAct",
    "page_change": "PageChange",
    "ad": "AdObject",
    "config": "Config",
}
CONFIG = {"id": "str", "width": "str | int", "height": "str | int", "autoplay": "bool", "muted": "bool"}


def written(schema: Any) -> str:
    """A schema as a type."""
    if schema is True or not schema:
        return "Any"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f'"{NAMED[name]}"' if name in NAMED else "str" if name.startswith("length") else "Any"
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema and len(schema["enum"]) > MOST_WORDS:
        return "str"
    if "enum" in schema:
        return f"Literal[{', '.join(map(json.dumps, schema['enum']))}]"
    kinds = schema.get("type")
    inner = schema.get("anyOf") or schema.get("oneOf")
    if inner and "properties" not in schema:
        return union([written(it) for it in inner])
    if isinstance(kinds, list):
        return union([written({**schema, "type": kind}) for kind in kinds])
    if kinds == "array":
        return f"Sequence[{written(schema.get('items'))}]"
    if kinds == "object" or "properties" in schema:
        extra = schema.get("additionalProperties")
        if "properties" not in schema and isinstance(extra, dict):
            return f"Mapping[str, {written(extra)}]"
        return "Mapping[str, Any]"
    plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
    return plain.get(str(kinds), "Any")


def union(parts: list[str]) -> str:
    parts = [one for part in parts for one in re.split(r" \| (?![^\[]*\])", part)]
    known = list(dict.fromkeys(parts))
    return "Any" if "Any" in known else " | ".join(sorted(known, key=lambda part: part == "None"))


def types(schema: dict[str, Any]) -> str:
    """The module with the types of what running simulations are given."""
    out = HEADER.format(about="Types of answers, acts and configurations, for type checkers.")
    out += "from __future__ import annotations\n\nfrom typing import Any, Literal, Mapping, Sequence, TypedDict, Union\n\n"
    exported = [*sorted(NAMED.values()), "ScenarioDict"]
    out += "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(exported)) + "]\n\n"
    definitions = {**{NAMED[key]: schema["$defs"][key] for key in NAMED}, "ScenarioDict": schema}
    for name, it in sorted(definitions.items()):
        it["properties"] = {key: field for key, field in it.get("properties", {}).items() if key != "$schema"}
        if not it["properties"] or (it.get("minProperties") == 1 and it.get("maxProperties") == 1):
            out += f"{name} = {alias(it)}\n{doc(it.get('description', ''), '')}\n"
            continue
        fields, required = it["properties"], it.get("required", [])
        own = {
            key: CONFIG.get(key, "Any") if name == "Config" else written(field)
            for key, field in fields.items()
        }
        if all(key.isidentifier() and not keyword.iskeyword(key) for key in fields):
            out += f"\nclass {name}(TypedDict, total=False):\n{doc(it.get('description', ''), '    ')}\n"
            for key, field in fields.items():
                note = "Required. " if key in required else ""
                out += f"    {key}: {own[key]}\n{doc(note + (field.get('description') or ''), '    ')}"
            out += "\n\n"
        else:
            rows = "".join(f'        "{key}": "{own[key]}",\n'.replace('""', '"') for key in fields)
            out += f'{name} = TypedDict(\n    "{name}",\n    {{\n{rows}    }},\n    total=False,\n)\n'
            out += doc(it.get("description", ""), "") + "\n"
    return re.sub(r"\n{4,}", "\n\n\n", out).rstrip() + "\n"


def alias(it: dict[str, Any]) -> str:
    """What is one of several."""
    names: list[str] = []
    for form in [it, *(it.get("anyOf") or it.get("oneOf") or [])]:
        if "enum" in form:
            names += [f"Literal[{', '.join(json.dumps(value) for value in form['enum'])}]"]
        elif "const" in form:
            names += [f"Literal[{json.dumps(form['const'])}]"]
        elif form.get("properties") or form.get("type") == "object":
            names += ["Mapping[str, Any]"]
        elif form is not it:
            names += [written(form)]
    known = list(dict.fromkeys(names))
    return f"Union[{', '.join(known)}]" if len(known) > 1 else known[0] if known else "Any"


def generated() -> dict[str, str]:
    """All generated files: name and text."""
    # Only the module is needed: the files of the package around it may be those that have to be made.
    for folder in [*sys.path, str(PACKAGE.parent)]:
        below = Path(folder or ".", "playsim")
        modules = [*below.glob("_playsim*.so"), *below.glob("_playsim*.pyd")]
        if modules:
            break
    else:
        sys.exit("the package is not installed: pip install ./bindings/python")
    spec = importlib.util.spec_from_file_location("_playsim", modules[0])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def ask(op: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(module.request(json.dumps({"op": op})))
        return answer

    return {"_player.py": player(ask("tables")), "types.py": types(ask("schema"))}


def main() -> None:
    """Writes or checks the files."""
    old = [
        (name, text)
        for name, text in generated().items()
        if not (PACKAGE / name).exists() or (PACKAGE / name).read_text(encoding="utf-8") != text
    ]
    if "--check" in sys.argv:
        if old:
            sys.exit(
                f"not current: {', '.join(name for name, _ in old)}; python scripts/generate.py writes them"
            )
        return
    for name, text in old:
        (PACKAGE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
