"""Small formulas to measure with: two bit-vectors and a Boolean, all formulas different, a few milliseconds each."""

from pathlib import Path

TEMPLATE = """\
(set-logic QF_BV)
(declare-const a (_ BitVec {width}))
(declare-const b (_ BitVec {width}))
(declare-const flag Bool)
(assert (= flag (bvult a b)))
(assert (bvule (bvadd a (_ bv{first} {width})) (bvor b (_ bv{second} {width}))))
(check-sat)
"""


def write_formulas(folder: Path, count: int) -> None:
    """Writes small formulas that are all different."""
    for number in range(count):
        width = 8 + number % 5
        text = TEMPLATE.format(width=width, first=number % 251, second=number // 251 * 31 % 256)
        (folder / f"{number:05}.smt2").write_text(text)
