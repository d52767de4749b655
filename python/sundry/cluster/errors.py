"""The exceptions of runs on clusters, besides those of :mod:`sundry.errors`."""

from __future__ import annotations

from sundry.errors import Error, InputError

__all__ = ["BusyFolderError", "OtherRunError", "ResultsExistError", "TaskError"]


class ResultsExistError(InputError, FileExistsError):
    """The folder has results of an earlier run, and nobody asked to continue them."""


class OtherRunError(InputError):
    """The folder has results of a run with other options or formulas."""


class BusyFolderError(InputError, BlockingIOError):
    """Another run is writing to the folder."""


class TaskError(Error, RuntimeError):
    """Sundry cannot be run on a machine, or has failed there."""
