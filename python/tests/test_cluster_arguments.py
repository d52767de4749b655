"""Arguments of calls on a cluster: wrong ones are refused before Ray starts, which takes seconds, by errors that fit on a screen."""

from __future__ import annotations

import re
from pathlib import Path

from sundry import cluster

ROOT = Path(__file__).resolve().parents[2]


def test_the_wheel_is_installed_from_its_file_with_an_extra_that_exists() -> None:
    chapter = (ROOT / "docs" / "src" / "clusters.md").read_text(encoding="utf-8")
    extras = (ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8").split("[project.optional-dependencies]")[1]
    for text in (chapter, cluster.__doc__ or ""):
        # The name alone means another project on PyPI.
        assert not re.search(r"pip install '?sundry\b", text)
        installed = re.findall(r"sundry-\S+\.whl\)?\[(\w+)\]", text)
        assert installed and all(re.search(rf"^{extra} = ", extras, re.MULTILINE) for extra in installed)
