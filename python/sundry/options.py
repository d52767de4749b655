"""The options of a search: their types, the strategies that use each, and the values that they can have."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypedDict

from sundry.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sundry.progress import ProgressOption

__all__ = ["ColumnOptions", "SampleOptions", "STRATEGIES", "native_options"]

#: The strategies that improve a set of solutions, and measure what it covers.
SETS = ("cover", "pan", "t-wise")

#: The strategies that find many solutions, one after another.
VOLUMES = ("smtsampler", "guided", "classes-hard", "classes-soft")

STRATEGIES = (*SETS, "all", *VOLUMES, "uniform", "quick")

#: The strategies that use an option. All strategies use the other options.
OWNERS: dict[str, tuple[str, ...]] = {
    "target": ("cover", "pan"),
    "effort": ("cover",),
    "project": ("all",),
    "strength": ("t-wise",),
    "over": ("t-wise",),
    "fill": ("t-wise",),
    "granularity": ("smtsampler",),
    "guidance": ("guided",),
    "tolerance": ("uniform",),
    "remembered": VOLUMES,
    "run_number": VOLUMES,
}


class ColumnOptions(TypedDict, total=False):
    """Options of a search whose solutions come as columns; :meth:`sundry.Formula.sample` explains them."""

    target: float | None
    timeout: float | None
    seed: int
    effort: str | None
    threads: int | None
    progress: ProgressOption
    project: Iterable[str] | None
    strength: int | None
    over: str | None
    fill: bool | None
    granularity: str | None
    guidance: str | None
    tolerance: float | None
    remembered: int | None
    run_number: int | None


class SampleOptions(ColumnOptions, total=False):
    """Options of a search apart from the strategy; :meth:`sundry.Formula.sample` explains them."""

    limit: int | None
    eager: bool


def native_options(strategy: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a search as the native part takes them. An option that is ``None`` has its default.

    :raises sundry.InputError: if an option is unknown, has a wrong value, or has no effect with the strategy.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in _NAMES:
            raise InputError(f"there is no option '{name}'", help=f"options are {', '.join(sorted(_NAMES))}")
        if strategy in STRATEGIES and strategy not in OWNERS.get(name, STRATEGIES):
            raise _without_effect(name, strategy)
    limit = given.get("limit", 1)
    if isinstance(limit, int) and limit < 1:
        raise InputError(f"the limit {limit} is not at least 1", help="limit is the number of solutions that is enough")
    project = given.get("project")
    if project is not None:
        given["project"] = [project] if isinstance(project, str) else list(project)
    threads = given.get("threads") or os.cpu_count() or 1
    return {"limit": None, **given, "strategy": strategy, "threads": threads}


_NAMES = {"limit", "seed", "threads", *OWNERS}


def _without_effect(name: str, strategy: str) -> InputError:
    owners = OWNERS[name]
    several = "strategies" if len(owners) > 1 else "strategy"
    return InputError(
        f"the option {name} has no effect with the strategy {strategy}",
        help=f"leave {name} out, or use the {several} {', '.join(owners)}",
    )
