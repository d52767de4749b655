"""The examples of the documentation run: those of the book's chapter in order, in one folder, and those in docstrings."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

from formulas import ROOT

PAGES = [ROOT / "README.md", ROOT / "docs" / "src" / "python.md", ROOT / "python" / "README.md"]
MODULES = ["sundry", "sundry.reduction", "sundry.z3_solver", "sundry.pysmt_models"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_of_a_page_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    text = page.read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert blocks
    names: dict[str, Any] = {"__name__": page.stem}
    for block in blocks:
        # Lines of a message are those of the page.
        source = "\n" * text.count("\n", 0, block.start(1)) + block.group(1)
        exec(compile(source, str(page), "exec"), names)


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings_print_what_they_say(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0 and results.attempted > 0
