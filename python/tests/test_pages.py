"""Pages for notebooks, and plots."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import matplotlib
import numpy
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

import sundry
from formulas import DOOR, PICT

matplotlib.use("agg")


class Cells(HTMLParser):
    """The texts of a page, and whether its elements are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_pages_show_figures_and_escape_names() -> None:
    formula = sundry.Formula.from_smtlib("(declare-const |<b>&| Bool) (declare-const p Bool)", name="<script>")
    result = formula.sample_all()
    for page in (formula._repr_html_(), result._repr_html_(), formula.coverage(result)._repr_html_()):
        cells = Cells(page)
        assert "<script>" not in page and "<b>&|" not in page
        assert cells.texts
    assert "<b>&" in Cells(formula._repr_html_()).texts
    assert any("proved minimal" in text for text in Cells(result._repr_html_()).texts)


def test_long_results_are_cut() -> None:
    result = sundry.Formula.from_smtlib("(declare-const x (_ BitVec 16))").sample_all("smtsampler", limit=500)
    page = result._repr_html_()
    assert "and 480 more solutions" in Cells(page).texts and len(page) < 10_000


def test_the_curve_ends_at_the_coverage() -> None:
    axes = sundry.Formula.from_smtlib(DOOR).sample_all().plot_curve()
    (line,) = axes.get_lines()
    assert numpy.asarray(line.get_ydata())[-1] == 100 and axes.get_xlabel() == "seconds"
    with pytest.raises(sundry.InputError, match="no coverage curve"):
        sundry.Formula.from_smtlib(DOOR).sample_all("smtsampler", limit=2).plot_curve()


def test_the_histogram_counts_classes() -> None:
    formula = sundry.Formula.from_smtlib(DOOR, predicates="(define-fun up () Bool (= latches #b00))")
    axes = formula.sample_all("all").plot_classes()
    heights = [bar.get_height() for bar in axes.patches if isinstance(bar, Rectangle)]
    assert heights == sorted(heights, reverse=True) and sum(heights) == 7
    with pytest.raises(sundry.InputError, match="no predicates"):
        sundry.Formula.from_smtlib(DOOR).sample_all().plot_classes()


def test_the_matrix_has_a_field_for_each_pair() -> None:
    result = sundry.Formula.from_smtlib(PICT, format="pict").t_wise(2)
    axes = result.plot_t_wise()
    picture = numpy.asarray(axes.get_images()[0].get_array())
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == ["Disk=FAT", "Disk=NTFS", "Size=1", "Size=9"]
    assert picture[0][2] >= 1 and picture[0][3] == 0 and picture[1][3] >= 1
    # Values of one constant are no pair.
    assert numpy.isnan(numpy.ma.filled(numpy.ma.asarray(axes.get_images()[0].get_array()), numpy.nan))[0][1]


def explanations(axes: Axes) -> set[str]:
    legend = axes.get_legend()
    return set() if legend is None else {text.get_text() for text in legend.get_texts()}


def test_without_solutions_there_is_no_matrix() -> None:
    empty = sundry.Formula.from_smtlib("(declare-const p Bool) (assert (and p (not p)))")
    with pytest.raises(sundry.InputError, match="no solutions"):
        empty.t_wise().plot_t_wise()


def test_impossible_pairs_look_unlike_uncovered_ones() -> None:
    formula = sundry.Formula.from_smtlib(PICT, format="pict")
    for complete in (formula.t_wise(2), formula.sample_all("all")):
        axes = complete.plot_t_wise()
        fields = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        assert explanations(axes) == {"impossible"}
        assert [(field.get_x() + 0.5, field.get_y() + 0.5) for field in fields] == [(3, 0), (0, 3)]
    for partial in (formula.t_wise(2, limit=1), formula.sample_all("quick", limit=1), formula.t_wise(1)):
        axes = partial.plot_t_wise()
        # Nobody knows of these whether they are impossible.
        assert explanations(axes) == {"not covered"} and not axes.patches
    assert explanations(sundry.Formula.from_smtlib("(declare-const p Bool) (declare-const q Bool)").t_wise(2).plot_t_wise()) == set()


def test_labels_of_the_matrix_are_in_the_picture() -> None:
    text = "A rather long name of a parameter: a rather long value, another rather long value\nB: 1, 2\n"
    axes = sundry.Formula.from_smtlib(text, format="pict").t_wise(2).plot_t_wise()
    figure = axes.figure
    figure.canvas.draw()
    width, height = figure.bbox.width, figure.bbox.height
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        box = label.get_window_extent()
        assert 0 <= box.x0 <= box.x1 <= width and 0 <= box.y0 <= box.y1 <= height, label


def test_matplotlib_is_imported_by_plots_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    result = sundry.Formula.from_smtlib(DOOR).sample_all()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(sundry.MissingPackageError, match="matplotlib"):
        result.plot_curve()


def test_solutions_decisions_and_campaigns_have_pages() -> None:
    text = "(declare-const |<b>&| Bool) (declare-fun f (Bool) Int) (assert (> (f |<b>&|) 3))"
    formula = sundry.Formula.from_smtlib(text, predicates="(define-fun |<i>| () Bool |<b>&|)")
    page = formula.solve()._repr_html_()
    assert "<b>&" in Cells(page).texts and "f" in Cells(page).texts
    page = formula.decide()._repr_html_()
    assert {"<i>", "yes", "proved impossible"} <= set(Cells(page).texts)
    sampling = formula.sample()
    assert "0 solutions so far" in "".join(Cells(sampling._repr_html_()).texts)
    assert list(sampling) and any("proved minimal" in text for text in Cells(sampling._repr_html_()).texts)
    many = formula.sample("smtsampler", limit=3)
    assert len(list(many)) > 0 and "solutions yielded" in "".join(Cells(many._repr_html_()).texts)
    page = sundry.Fuzz(["<z3>"], seeds=["seeds"])._repr_html_()
    assert "not running" in "".join(Cells(page).texts)
