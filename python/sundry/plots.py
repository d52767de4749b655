"""Plots by matplotlib, which is imported when the first plot is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sundry.errors import InputError, missing_package

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes

    from sundry.result import Result

__all__ = ["class_histogram", "coverage_curve", "pair_matrix"]

#: Values of all constants together that a matrix shows; more would be unreadable.
MOST_VALUES = 200


def _axes(axes: Any) -> Any:
    """The axes to draw on: those that were given, or new ones."""
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise missing_package("matplotlib", "a plot") from None
    return pyplot.subplots()[1]


def coverage_curve(result: Result, axes: Axes | None = None) -> Axes:
    """The coverage over time, in percent of what is not proved impossible.

    :raises sundry.InputError: if the strategy has measured no coverage.
    """
    curve, possible = result.curve, (result.possible or 0) + (result.unknown or 0)
    if not curve:
        raise InputError(
            "there is no coverage curve: the strategy measures no coverage",
            help='the strategies "cover", "pan" and "t-wise" have one',
        )
    axes = _axes(axes)
    seconds = [0.0, *(point.seconds for point in curve), result.seconds]
    shares = [0.0, *(100 * point.covered / max(possible, 1) for point in curve)]
    axes.step(seconds, [*shares, shares[-1]], where="post")
    axes.set(xlabel="seconds", ylabel="coverage in %", title=result.formula.name, ylim=(0, 105))
    return axes


def class_histogram(result: Result, axes: Axes | None = None) -> Axes:
    """The number of solutions in each class of the predicates of the formula, the most frequent class first.

    :raises sundry.InputError: if the formula has no predicates.
    """
    if not result.formula.predicates:
        raise InputError(
            "the formula has no predicates", help="read it with predicates='(define-fun small () Bool (bvult x #x10))'"
        )
    classes = result.formula.coverage(result.solutions).classes
    axes = _axes(axes)
    names = [" ".join(holding) or "none" for holding in classes]
    axes.bar(range(len(names)), list(classes.values()))
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set(ylabel="solutions", title=f"{result.formula.name}: {len(names)} classes")
    return axes


def pair_matrix(result: Result, axes: Axes | None = None) -> Axes:
    """The pairs of values of different constants, in the colour of the number of solutions that have the pair.

    :raises sundry.InputError: if the solutions have too many different values for a picture.
    """
    items = [list(solution.texts().items()) for solution in result.solutions]
    values = sorted({item for solution in items for item in solution})
    if len(values) > MOST_VALUES:
        raise InputError(
            f"{len(values)} different values are too many for a picture",
            help=f"a matrix shows at most {MOST_VALUES} values; project to fewer constants",
        )
    position = {item: number for number, item in enumerate(values)}
    counts = [[0] * len(values) for _ in values]
    for solution in items:
        for first in solution:
            for second in solution:
                if first[0] != second[0]:
                    counts[position[first]][position[second]] += 1
    axes = _axes(axes)
    image = axes.imshow(counts, cmap="viridis")
    axes.figure.colorbar(image, ax=axes, label="solutions")
    labels = [f"{name}={value}" for name, value in values]
    axes.set_xticks(range(len(labels)), labels, rotation=90)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_title(f"{result.formula.name}: pairs of values")
    return axes
