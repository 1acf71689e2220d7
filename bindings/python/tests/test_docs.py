"""The README and the chapter of the book: every block of Python is run, and prints what is shown."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import playsim.cli

DOCUMENTS = [
    ROOT / "bindings" / "python" / "README.md",
    ROOT / "docs" / "src" / "python.md",
    ROOT / "docs" / "src" / "first-notebook.md",
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_blocks_print_what_is_shown(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    assert playsim.cli.run(["new", "preroll"]) == 0
    shutil.copy(ROOT / "fixtures" / "recordings" / "by_hand" / "late.har", tmp_path / "session.har")
    text = document.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python( [^\n]*)?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 3
    names: dict[str, Any] = {"playsim": playsim}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    said: list[str] = []
    for number, (about, block) in enumerate(blocks):
        if about.startswith(" from="):
            source = ROOT / about.removeprefix(" from=")
            assert block == source.read_text(encoding="utf-8"), source
        elif ">>>" in block:
            test = doctest.DocTestParser().get_doctest(
                block, names, f"{document.name} block {number + 1}", None, 0
            )
            runner.run(test, out=said.append, clear_globs=False)
            names.update(test.globs)
        else:
            exec(compile(block, f"{document.name} block {number + 1}", "exec"), names)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
    for name, value in list(names.items()):
        if name.startswith("test_") and callable(value) and hasattr(value, "hypothesis"):
            value()


def test_the_readme_shows_all_that_is_public() -> None:
    text = DOCUMENTS[0].read_text(encoding="utf-8") + DOCUMENTS[1].read_text(encoding="utf-8")
    functions = ["read", "sweep", "waterfall", "vast", "check", "code", "Simulation"]
    assert [name for name in functions if f"`{name}(" not in text and f"playsim.{name}(" not in text] == []
