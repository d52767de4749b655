"""Folders for the files of a task, which nobody needs after the task."""

from __future__ import annotations

import os
import shutil
import tempfile

_MEMORY = "/dev/shm"
#: Room that a folder in memory must have: a formula sampled at volume may fill gigabytes.
_ROOM = 4 << 30


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder, in memory where there is plenty of it: the command line waits until its files are on the disk, for each of
    many small formulas."""
    try:
        is_roomy = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _ROOM
    except OSError:
        is_roomy = False
    return tempfile.TemporaryDirectory(prefix="sundry-cluster-", dir=_MEMORY if is_roomy else None)
