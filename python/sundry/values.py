"""Values that have no counterpart among the types of Python: arrays, functions, wide floats, elements of declared sorts.

Truth values are ``bool``, bit-vectors (unsigned) and integers are ``int``, reals are ``fractions.Fraction``, and floating-point
values are ``float`` where their format is not wider than 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sundry.indices import converted, identity, of_sort
from sundry.scalars import Element, Float, RoundingMode

__all__ = ["Array", "Element", "Float", "Function", "RoundingMode"]


class Entries(Mapping[Any, Any]):
    """Finitely many values by index, where indices are equal if SMT-LIB says so."""

    __slots__ = ("_pairs", "_sort")

    def __init__(self, pairs: Iterable[tuple[Any, Any]], sort: str | tuple[str, ...] | None = None) -> None:
        """:param sort: the sort of indices in SMT-LIB, or those of their parts, where they are known."""
        self._pairs = {identity(index): (index, value) for index, value in pairs}
        self._sort = sort

    def __getitem__(self, index: Any) -> Any:
        try:
            return self._pairs[identity(index)][1]
        except KeyError:
            raise KeyError(index) from None

    def __iter__(self) -> Iterator[Any]:
        return (index for index, _ in self._pairs.values())

    def __len__(self) -> int:
        return len(self._pairs)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Entries):
            return self._comparable() == other._comparable()
        return dict(self) == other

    def __hash__(self) -> int:
        return hash(frozenset(self._comparable().items()))

    def __repr__(self) -> str:
        return repr(dict(self._pairs.values()))

    def converted(self, index: Any) -> Any:
        """An index as the indices of the entries are, so that equal numbers of other types are found.

        :raises TypeError: if the indices are of another type, so that it would not be found whatever it is.
        :raises ValueError: if it is a number that the type of the indices does not have.
        """
        if isinstance(self._sort, str):
            return of_sort(index, self._sort)
        if self._sort is not None:
            return tuple(map(of_sort, index, self._sort))
        for known, _ in self._pairs.values():
            return converted(index, known)
        return index

    def _comparable(self) -> dict[Any, Any]:
        return {key: identity(value) for key, (_, value) in self._pairs.items()}


class Array:
    """An array: a total map that has one default value except at finitely many indices.

    ``array[index]`` is the value at an index. ``entries`` has the indices whose values are not the default.
    """

    __slots__ = ("entries", "default", "index_sort")

    def __init__(
        self,
        entries: Mapping[Any, Any] | Iterable[tuple[Any, Any]],
        default: Any,
        index_sort: str | None = None,
    ) -> None:
        #: The values that are not the default, by index.
        self.entries: Entries = _entries(entries, index_sort)
        #: The value everywhere else.
        self.default = default
        #: The sort of the indices in SMT-LIB, by which they are checked; arrays in solutions have it.
        self.index_sort = index_sort

    def __getitem__(self, index: Any) -> Any:
        """The value at an index.

        :raises TypeError: if the indices are of another type.
        :raises ValueError: if the index is a number that their type does not have.
        """
        return self.entries.get(self.entries.converted(index), self.default)

    def __iter__(self) -> Iterator[Any]:
        """The indices whose values are not the default."""
        return iter(self.entries)

    def __len__(self) -> int:
        """The number of entries."""
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Array):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"Array({self.entries!r}, default={self.default!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Array, (list(self.entries.items()), self.default, self.index_sort))

    def _parts(self) -> tuple[Any, ...]:
        return (self.entries, identity(self.default))


class Function:
    """The meaning of a declared function: ``function(*arguments)`` is its result."""

    __slots__ = ("name", "entries", "default", "argument_sorts")

    def __init__(
        self,
        name: str,
        entries: Mapping[tuple[Any, ...], Any] | Iterable[tuple[tuple[Any, ...], Any]],
        default: Any,
        argument_sorts: tuple[str, ...] | None = None,
    ) -> None:
        #: The name of the function.
        self.name = name
        #: The results that are not the default, by tuples of arguments.
        self.entries: Entries = _entries(entries, argument_sorts)
        #: The result for all other arguments.
        self.default = default
        #: The sorts of the arguments in SMT-LIB, by which they are checked; functions in solutions have them.
        self.argument_sorts = argument_sorts

    def __call__(self, *arguments: Any) -> Any:
        """The result for arguments.

        :raises TypeError: if the number or the types of arguments are wrong, as far as the sorts or the entries show what they are.
        :raises ValueError: if an argument is a number that its type does not have.
        """
        known = next(iter(self.entries), arguments) if self.argument_sorts is None else self.argument_sorts
        if len(known) != len(arguments):
            raise TypeError(f"the function {self.name} has {len(known)} arguments, not {len(arguments)}")
        return self.entries.get(self.entries.converted(arguments), self.default)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Function):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"Function({self.name!r}, {self.entries!r}, default={self.default!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Function, (self.name, list(self.entries.items()), self.default, self.argument_sorts))

    def _parts(self) -> tuple[Any, ...]:
        return (self.name, self.entries, identity(self.default))


def _entries(entries: Mapping[Any, Any] | Iterable[tuple[Any, Any]], sort: str | tuple[str, ...] | None) -> Entries:
    return Entries(entries.items() if isinstance(entries, Mapping) else entries, sort)
