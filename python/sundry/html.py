"""Pages of results for notebooks: small tables without scripts, with all texts of others escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sundry.result import share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sundry._native import Solution
    from sundry.campaigns import Campaign
    from sundry.coverage import Coverage, Decision
    from sundry.formula import Formula
    from sundry.result import Result
    from sundry.sampling import Sampling

__all__ = [
    "campaign_page", "coverage_page", "decision_page", "formula_page", "result_page", "sampling_page",
    "solution_page", "table",
]  # fmt: skip

#: Rows and columns that a page shows; the rest is counted.
MOST_ROWS = 20
MOST_COLUMNS = 12


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a heading."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def formula_page(formula: Formula) -> str:
    """The declarations of a formula."""
    declarations = formula.declarations
    rows = [
        (declaration.name, f"({' '.join(declaration.arguments)}) {declaration.sort}" if declaration.arguments else declaration.sort)
        for declaration in declarations[:MOST_ROWS]
    ]
    title = f"<b>{escape(formula.name)}</b>: {formula.assertions} assertions, {formula.ast_bits:,} AST-bits"
    return f"<div>{title}{table(('name', 'sort'), rows)}{_more(len(declarations) - MOST_ROWS, 'declarations')}</div>"


def result_page(result: Result) -> str:
    """The line of a result, a bar of its coverage, and its first solutions."""
    names = [declaration.name for declaration in result.formula.declarations if not declaration.arguments]
    shown = names[:MOST_COLUMNS]
    records = result.records
    heading = ["", *(["gain"] if records else []), *shown]
    rows = []
    for position, solution in enumerate(result.solutions[:MOST_ROWS]):
        texts = solution.texts()
        gain = [f"{records[position].gain:,}"] if records else []
        rows.append([str(position), *gain, *(texts.get(name, "") for name in shown)])
    parts = [f"<b>{escape(result.formula.name)}</b>: {escape(result.line())}, in {result.seconds:.2f} s"]
    if result.coverage is not None:
        parts.append(_bar(result.coverage))
    parts.append(table(heading, rows))
    parts.append(_more(len(result) - MOST_ROWS, "solutions"))
    parts.append(_more(len(names) - MOST_COLUMNS, "constants"))
    return f"<div>{''.join(parts)}</div>"


def sampling_page(sampling: Sampling) -> str:
    """The state of a search, and the first solutions of its best set so far."""
    result = sampling.result
    if result is not None and result.solutions:
        return result_page(result)
    rows = [(name, text) for solution in sampling.present[:1] for name, text in list(solution.texts().items())[:MOST_ROWS]]
    first = table(("name", "value in the first solution"), rows) if rows else ""
    return f"<div>{escape(repr(sampling)[1:-1])}{first}</div>"


def coverage_page(coverage: Coverage) -> str:
    """The figures of measured models."""
    rows = []
    covered = 0
    for position, model in enumerate(coverage.models[:MOST_ROWS]):
        covered += model.gain
        rows.append((position, model.gain, covered, model.fault or "a solution"))
    return (
        f"<div>{escape(repr(coverage)[1:-1])}{_bar(coverage.share)}"
        f"{table(('model', 'gain', 'covered', 'is'), rows)}{_more(len(coverage.models) - MOST_ROWS, 'models')}</div>"
    )


def decision_page(decision: Decision) -> str:
    """The numbers of AST-bits, and the possible values of predicates."""
    words = {True: "yes", False: "no", None: "unknown"}
    figures = [("can be covered", decision.possible), ("proved impossible", decision.impossible), ("undecided", decision.unknown)]
    parts = [table(("AST-bits", "number"), [(name, f"{count:,}") for name, count in figures])]
    if decision.predicates:
        rows = [
            (name, words[possible.holds], words[possible.fails])
            for name, possible in list(decision.predicates.items())[:MOST_ROWS]
        ]
        parts.append(table(("predicate", "can hold", "can fail"), rows))
        parts.append(_more(len(decision.predicates) - MOST_ROWS, "predicates"))
    return f"<div>{''.join(parts)}</div>"


def solution_page(solution: Solution) -> str:
    """The values of the constants of a solution, and its functions."""
    texts = solution.texts()
    values = [(name, texts.get(name) or repr(solution[name])) for name in list(solution)[:MOST_ROWS]]
    return f"<div>{table(('name', 'value'), values)}{_more(len(solution) - MOST_ROWS, 'values')}</div>"


def campaign_page(campaign: Campaign) -> str:
    """The state of a campaign and its findings."""
    findings = campaign.findings
    rows = [(finding.title, finding.folder) for finding in findings[:MOST_ROWS]]
    more = _more(len(findings) - MOST_ROWS, "findings")
    return f"<div>{escape(repr(campaign)[1:-1])}{table(('finding', 'folder'), rows)}{more}</div>"


def _bar(share: float) -> str:
    width = 100 * min(max(share, 0.0), 1.0)
    inner = f'<div style="background:#2a7;height:0.6em;width:{width:.2f}%"></div>'
    return f'<div style="background:#ddd;width:20em" title="{share_text(share)}">{inner}</div>'


def _more(count: int, noun: str) -> str:
    return f"<p>and {count:,} more {noun}</p>" if count > 0 else ""
