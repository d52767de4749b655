"""Folders on their way from one machine to another, as tar archives."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path, PurePosixPath

from .errors import TaskError


def pack(folder: Path) -> bytes:
    """The contents of a folder, without the locks of the command line."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for path in sorted(folder.rglob("*")):
            if not path.name.startswith(".sundry-lock"):
                tar.add(path, path.relative_to(folder), recursive=False)
    return archive.getvalue()


def unpack(archive: bytes, folder: Path) -> None:
    """Writes the contents of an archive to a folder.

    Raises :class:`TaskError` if a member would be written elsewhere, or is neither a file nor a folder.
    """
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        members = tar.getmembers()
        for member in members:
            if not _stays_inside(member):
                raise TaskError(f"the archive of a shard has the member {member.name!r}, which has no place in a folder of results")
        # An empty folder, such as that of a shard whose time was up before it began, has no members.
        folder.mkdir(parents=True, exist_ok=True)
        if hasattr(tarfile, "data_filter"):
            tar.extractall(folder, members, filter="data")
        else:
            # Filters came with late patch releases of Python 3.9, 3.10 and 3.11.
            tar.extractall(folder, members)


def _stays_inside(member: tarfile.TarInfo) -> bool:
    path = PurePosixPath(member.name)
    return (member.isfile() or member.isdir()) and not path.is_absolute() and ".." not in path.parts
