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

#: Bits of the widest bit-vectors whose values "t-wise" combines as a whole.
MOST_BITS = 6


#: Inches of a new figure for each value of a matrix, so that labels do not touch, and for each letter of a label.
INCHES, INCHES_OF_LETTER = 0.18, 0.09


def _axes(axes: Any, inches: float = 0.0) -> Any:
    """The axes to draw on: those that were given, or new ones of at least so many inches, with room for their labels."""
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise missing_package("matplotlib", "a plot") from None
    width, height = pyplot.rcParams["figure.figsize"]
    return pyplot.subplots(figsize=(max(width, inches), max(height, inches)), layout="constrained")[1]


def coverage_curve(result: Result, axes: Axes | None = None) -> Axes:
    """The coverage over time, in percent of what is not proved impossible.

    :raises sundry.InputError: if the strategy has measured no coverage.
    """
    curve, possible = result.curve, (result.possible or 0) + (result.unknown or 0)
    if not curve:
        raise InputError(
            "there is no coverage curve: the strategy measures no coverage, or time was up before anything was covered",
            help='the strategies "cover", "pan" and "t-wise" have one; allow more time with timeout=SECONDS',
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

    Pairs that no solution has are white, and hatched in grey where they are known to be impossible: that is known of constants with
    few values after a complete search of ``"t-wise"`` for pairs or triples of values, or for all solutions. Two values of one constant are no
    pair, and grey without hatching. Constants of a configurable system and truth values show all their values, other constants those that
    solutions have.

    :raises sundry.InputError: if the solutions have too many different values for a picture.
    """
    values = _values(result)
    if not values:
        raise InputError("there are no solutions whose values could be shown", help="the formula may have none: solve() says so")
    if len(values) > MOST_VALUES:
        raise InputError(
            f"{len(values)} different values are too many for a picture",
            help=f"a matrix shows at most {MOST_VALUES} values; project to fewer constants",
        )
    labels = [f"{name}={value}" for name, value in values]
    axes = _axes(axes, 2.5 + INCHES * len(values) + INCHES_OF_LETTER * max(map(len, labels), default=0))
    import matplotlib
    import numpy
    from matplotlib import ticker

    counts = numpy.zeros((len(values), len(values)))
    position = {value: number for number, value in enumerate(values)}
    for solution in result.solutions:
        present = [position[item] for item in solution.texts().items()]
        counts[numpy.ix_(present, present)] += 1
    constants = numpy.array([list(dict(values)).index(name) for name, _ in values], dtype=int)
    is_pair = constants[:, None] != constants[None, :]
    counts[~is_pair] = numpy.nan
    colours = matplotlib.colormaps["viridis"].with_extremes(bad="0.85", under="white")
    most = max(float(numpy.nanmax(counts, initial=0)), 1)
    image = axes.imshow(counts, cmap=colours, vmin=1, vmax=max(most, 1.5))
    axes.figure.colorbar(image, ax=axes, label="solutions", ticks=ticker.MaxNLocator(integer=True))
    decided = numpy.array([name in _decided(result) for name, _ in values], dtype=bool)
    impossible = is_pair & (counts == 0) & decided[:, None] & decided[None, :]
    has_legend = _explain(axes, impossible, uncovered=is_pair & (counts == 0) & ~impossible)
    axes.set_xticks(range(len(labels)), labels, rotation=90)
    axes.set_yticks(range(len(labels)), labels)
    # The legend is between the title and the matrix.
    axes.set_title(f"{result.formula.name}: pairs of values", pad=24 if has_legend else None)
    return axes


def _values(result: Result) -> list[tuple[str, str]]:
    """The values of each constant that a matrix shows, by name."""
    seen = {item for solution in result.solutions for item in solution.texts().items()}
    for declaration in result.formula.declarations:
        levels = declaration.levels or (("false", "true") if declaration.sort == "Bool" else ())
        if result.solutions and not declaration.arguments:
            seen |= {(declaration.name, level) for level in levels}
    return sorted(seen)


def _decided(result: Result) -> set[str]:
    """The constants of which it is known that a pair of their values which no solution of the result has is impossible."""
    figures, options = result.figures, result.options
    is_all = options["strategy"] == "all" and result.complete and not options.get("project")
    is_wise = figures["kind"] == "tuples" and figures["strength"] >= 2 and options.get("over", "values") == "values"
    if not is_all and not (is_wise and result.complete):
        return set()
    few = {"Bool", "RoundingMode", *(f"(_ BitVec {bits})" for bits in range(1, MOST_BITS + 1))}
    return {
        declaration.name
        for declaration in result.formula.declarations
        if is_all or declaration.levels or declaration.sort in few
    }


def _explain(axes: Any, impossible: Any, uncovered: Any) -> bool:
    """Marks impossible pairs, and says what white fields are. Whether there are any."""
    from matplotlib.patches import Patch, Rectangle

    look: dict[str, Any] = {"facecolor": "0.95", "edgecolor": "0.6", "hatch": "////", "linewidth": 0}
    for row, column in zip(*impossible.nonzero()):
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **look))
    handles = []
    if impossible.any():
        handles.append(Patch(label="impossible", **look))
    if uncovered.any():
        handles.append(Patch(label="not covered", facecolor="white", edgecolor="0.6"))
    if handles:
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.3, ncols=2, frameon=False)
    return bool(handles)
