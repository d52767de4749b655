"""The formulas of a run, in an order that does not depend on the file system, without a list of all of them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from sundry.several import Texts, each

from .shards import Shard

#: The endings of formulas in folders, as ``sundry sample FOLDER`` finds them.
ENDINGS = tuple(".smt2" + compression for compression in ("", ".gz", ".bz2", ".xz", ".zst"))

#: Names of files and folders.
Paths = Texts


def formulas(paths: Paths) -> Iterator[str]:
    """The paths of formulas: files as they are named, and in place of a folder all formulas below it, sorted folder by folder."""
    for path in each(paths):
        if os.path.isdir(path):
            yield from _below(path)
        else:
            yield path


def _below(folder: str) -> Iterator[str]:
    # Links to folders may lead back to where they are.
    for entry in sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name)):
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path)
        elif entry.name.endswith(ENDINGS) and (entry.is_file() or entry.is_symlink()):
            yield entry.path


def shards(paths: Iterator[str], size: int) -> Iterator[Shard]:
    """Cuts formulas into shards of equal size."""
    for number in itertools.count():
        part = list(itertools.islice(paths, size))
        if not part:
            return
        yield Shard(number, part)

