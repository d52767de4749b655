"""Reading formulas: from texts and files, from z3 and from pySMT."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from sundry import _native, options
from sundry.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Self

__all__ = ["Declaration", "Reading"]


class Declaration(NamedTuple):
    """A constant or function that solutions show."""

    #: The name.
    name: str
    #: The sort of the value, or of the result of a function, in SMT-LIB.
    sort: str
    #: The sorts of the arguments; none for constants.
    arguments: tuple[str, ...]
    #: The names of the values, where the model of a configurable system gives some.
    levels: tuple[str, ...]


class Reading:
    """The part of :class:`sundry.Formula` that reads formulas."""

    def __init__(self, native: _native.Formula) -> None:
        """For the methods that read formulas, and nobody else."""
        if not isinstance(native, _native.Formula):
            raise TypeError(
                f"a formula is read by Formula.from_smtlib(TEXT), from_file(PATH), from_z3(TERMS) or from_pysmt(TERMS), "
                f"not made of {_shortened(native)}"
            )
        self._native = native
        self._declarations = tuple(
            Declaration(name, sort, tuple(arguments), tuple(levels))
            for name, sort, arguments, levels in native.declarations
        )

    @classmethod
    def from_smtlib(
        cls,
        text: str | bytes,
        *,
        name: str = "formula",
        format: str | None = None,
        predicates: str | None = None,
        integer_bits: int | None = None,
        timeout: float | None = None,
    ) -> Self:
        """Reads a formula from a text: the assertions at the first ``check-sat``, or at the end of a script without one.

        :param text: a script in SMT-LIB, or a model in another format.
        :param name: the name of the text in messages.
        :param format: ``"smt2"`` (the default), or ``"dimacs"``, ``"uvl"`` or ``"pict"`` for a model of a configurable system.
        :param predicates: Boolean definitions in SMT-LIB over the constants of the formula. The predicates that hold in a solution
            form its class, and classes guide the strategy ``"guided"``.
        :param integer_bits: how many low bits of an integer, besides its sign, are AST-bits; 64 by default.
        :param timeout: the limit on the time for reading, in seconds.
        :raises sundry.InputError: if the text is wrong; ``line``, ``column`` and ``help`` of the error say where and what to do.
        :raises sundry.UnsupportedError: if the text uses a feature that Sundry does not support.
        :raises sundry.LimitError: if time was up.
        """
        if not isinstance(text, (str, bytes, bytearray, memoryview)):
            raise TypeError(
                f"the text of a formula is a str or bytes, not {type(text).__name__}; Formula.from_file reads a file"
            )
        options.text("name", name)
        options.text("format", format)
        options.text("predicates", predicates)
        if integer_bits is not None:
            integer_bits = options.integer("integer_bits", integer_bits, 0, "the number of bits of an integer", 32)
        data = options.encoded(text) if isinstance(text, str) else bytes(text)
        # Paths may have bytes that are no text.
        name = name.encode(errors="replace").decode()
        kind = None if format == "smt2" else format
        limit = options.seconds(timeout)
        try:
            return cls(_native.Formula.read(data, name, kind, predicates, integer_bits, limit))
        except InputError:
            if not isinstance(text, str) or not _is_path(text):
                raise
        raise InputError(f"{text!r} is no script", help=f"Formula.from_file({text!r}) reads a file")

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        predicates: str | None = None,
        integer_bits: int | None = None,
        timeout: float | None = None,
    ) -> Self:
        """Reads a formula from a file, which may be compressed (gzip, bzip2, xz, Zstandard).

        The format is that of the name's extension (``.dimacs``, ``.cnf``, ``.uvl``, ``.pict``), else SMT-LIB. The other parameters and
        the exceptions are those of :meth:`from_smtlib`.

        :raises OSError: if the file cannot be read.
        :raises sundry.InputError: if compressed data is damaged.
        """
        name = os.fsdecode(path)
        return cls.from_smtlib(
            _native.Formula.text_of_file(name, options.seconds(timeout)),
            name=name,
            format=format or _native.Formula.format_of_name(name),
            predicates=predicates,
            integer_bits=integer_bits,
            timeout=timeout,
        )

    @classmethod
    def from_z3(
        cls,
        assertions: Any,
        *,
        assumptions: Iterable[Any] = (),
        name: str = "z3",
        predicates: str | None = None,
        integer_bits: int | None = None,
        timeout: float | None = None,
    ) -> Self:
        """Reads a formula from z3: a solver, an optimizer, a goal, a Boolean term, or an iterable of such terms.

        Tracked assertions of a solver hold as others do, and so do the truth values that track them. Sums of truth values such as
        ``z3.AtMost`` become sums of bit-vectors. Objectives and soft assertions of an optimizer are left out.

        The other parameters are those of :meth:`from_smtlib`. ``solution.to_z3()`` turns solutions back.

        :param assumptions: terms that hold besides, as those of ``z3.Solver.check``.
        :raises sundry.MissingPackageError: if z3 is not installed.
        :raises sundry.InputError: if a term is not Boolean, or SMT-LIB cannot write a name in it.
        """
        from sundry.z3_scripts import script_of

        text = script_of(assertions, assumptions)
        return cls.from_smtlib(text, name=name, predicates=predicates, integer_bits=integer_bits, timeout=timeout)

    @classmethod
    def from_pysmt(
        cls,
        formula: Any,
        *,
        name: str = "pysmt",
        predicates: str | None = None,
        integer_bits: int | None = None,
        timeout: float | None = None,
    ) -> Self:
        """Reads a formula from pySMT. The other parameters are those of :meth:`from_smtlib`; ``solution.to_pysmt()`` turns solutions back.

        :raises sundry.MissingPackageError: if pySMT is not installed.
        """
        from sundry.pysmt_models import script_of

        text = script_of(formula)
        return cls.from_smtlib(text, name=name, predicates=predicates, integer_bits=integer_bits, timeout=timeout)


def _is_path(text: str) -> bool:
    """Whether a text that is no formula looks like the path of a file: one word with an extension or a folder."""
    words = text.split()
    return len(words) == 1 and len(text) < 4096 and "(" not in text and ("/" in text or os.path.splitext(words[0])[1] != "")


def _shortened(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
