"""The package as a whole: its names, its help, and what it imports when."""

from __future__ import annotations

import pydoc
import subprocess
import sys

import pytest

import sundry


def test_names_and_help_have_classes_that_are_imported_later() -> None:
    names = dir(sundry)
    assert set(sundry.__all__) <= set(names) and {"Fuzz", "Stress", "Explore", "Result", "Progress", "z3_models"} <= set(names)
    assert not {"TYPE_CHECKING", "annotations", "Mapping"} & set(names)
    text = pydoc.plain(pydoc.render_doc(sundry))
    for name in ("Coverage", "Decision", "Explore", "Fuzz", "Progress", "Result", "Sampling", "Stress"):
        assert f"class {name}(" in text or f"    {name}\n" in text, name
    assert "TYPE_CHECKING" not in text
    with pytest.raises(AttributeError, match="no attribute 'Fuzzy'"):
        sundry.Fuzzy  # type: ignore[attr-defined]


LAZY = """
import sys, sundry
assert not {"ray", "numpy", "z3", "matplotlib", "sundry.campaigns"} & set(sys.modules)
dir(sundry)
assert not {"ray", "z3"} & set(sys.modules)
print(sundry.z3_models.Solver, sundry.Fuzz)
"""

WITHOUT_RAY = """
import sys, sundry
sys.modules["ray"] = None
try:
    sundry.cluster
except ImportError as error:
    print(error.help)
help(sundry)
"""


def test_modules_of_the_package_are_imported_with_their_first_use() -> None:
    subprocess.run([sys.executable, "-c", LAZY], check=True, capture_output=True)
    ended = subprocess.run([sys.executable, "-c", WITHOUT_RAY], check=True, capture_output=True, text=True)
    assert "pip install" in ended.stdout and "class Fuzz" in ended.stdout


def test_the_module_of_clusters_needs_no_import_of_its_own() -> None:
    pytest.importorskip("ray")
    program = "import sundry; print(sundry.cluster.sample, sundry.cluster.__name__)"
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "sundry.cluster" in ended.stdout
