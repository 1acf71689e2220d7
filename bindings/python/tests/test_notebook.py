"""The notebook for ad operations is executed from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples" / "which_timeout.ipynb"


def test_the_notebook_answers_its_question() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("pandas")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    report, sweep, answer, chosen = (cell.outputs[-1] for cell in code)
    assert "<iframe" in report.data["text/html"] and "tag1.after" in sweep.data["text/html"]
    assert "fill rate" in answer.data["text/plain"]
    assert chosen.text.startswith("a timeout of ") and "% of the sessions show an ad" in chosen.text
