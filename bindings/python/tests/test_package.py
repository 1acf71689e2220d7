"""The package itself: its import, its types, its documentation."""

from __future__ import annotations

import importlib.util
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import playsim

PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = PACKAGE / "python" / "playsim"


def test_generated_files_are_current() -> None:
    subprocess.run([sys.executable, str(PACKAGE / "scripts" / "generate.py"), "--check"], check=True)


def test_the_import_is_quick_and_needs_nothing() -> None:
    # Environments load modules of their own at the start; -S leaves them out.
    script = (
        f"import sys, time; sys.path.insert(0, {str(Path(playsim.__file__).parents[1])!r}); t = time.process_time(); "
        "import playsim; print((time.process_time() - t) * 1000, "
        "*({'pandas', 'polars', 'pyarrow', 'pytest', 'hypothesis', 'tqdm', 'numpy'} & set(sys.modules)))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-S", "-c", script], check=True, capture_output=True, text=True
        ).stdout.split()
        for _ in range(7)
    ]
    assert all(len(run) == 1 for run in runs), runs
    assert min(float(run[0]) for run in runs) < 50


def test_everything_public_is_documented() -> None:
    for name in playsim.__all__:
        it = getattr(playsim, name)
        assert inspect.getdoc(it), name
        for own, member in vars(it).items() if inspect.isclass(it) else ():
            if not own.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{name}.{own}"


def test_the_stub_has_what_the_module_has() -> None:
    import ast

    stub = ast.parse((SOURCES / "_playsim.pyi").read_text(encoding="utf-8"))
    classes = {it.name: it for it in stub.body if isinstance(it, ast.ClassDef)}
    functions = {it.name for it in stub.body if isinstance(it, ast.FunctionDef)}
    module = playsim._playsim
    public = {name for name in vars(module) if not name.startswith("__")}
    assert public == {*classes, *functions}
    for name, it in classes.items():
        members = {own.name for own in it.body if isinstance(own, ast.FunctionDef)} - {"__init__"}
        assert {own for own in vars(getattr(module, name)) if not own.startswith("__")} == members, name


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types_are_checked(checker: str) -> None:
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    args = {
        "mypy": ["--config-file", "pyproject.toml", "python/playsim", "tests", "scripts"],
        "pyright": ["-p", "pyproject.toml", "--pythonpath", sys.executable],
    }[checker]
    environment = {**os.environ, "MYPYPATH": "python"}
    run = subprocess.run(
        [sys.executable, "-m", checker, *args], cwd=PACKAGE, capture_output=True, text=True, env=environment
    )
    assert run.returncode == 0, run.stdout + run.stderr
