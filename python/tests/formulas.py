"""Formulas that several tests use."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

#: A locked door is not open, and a door is locked exactly if both its latches are down.
DOOR = """
(declare-const locked Bool)
(declare-const open Bool)
(declare-const latches (_ BitVec 2))
(assert (=> locked (not open)))
(assert (= locked (= latches #b11)))
"""

#: A formula with many solutions.
WIDE = "(declare-const x (_ BitVec 32)) (declare-const y (_ BitVec 32)) (assert (bvult x (bvadd y #x00000010)))"

#: A formula whose search takes minutes: a factorisation.
HARD = """
(declare-const p (_ BitVec 64))
(declare-const q (_ BitVec 64))
(assert (= (bvmul p q) #x3fffffe9a0000145))
(assert (bvult p #x0000000100000000))
(assert (bvult q #x0000000100000000))
(assert (bvugt p #x0000000000000001))
(assert (bvugt q p))
"""

#: A configurable system.
PICT = 'Disk: FAT, NTFS\nSize: 1, 9\nIF [Disk] = "FAT" THEN [Size] < 5;\n'
