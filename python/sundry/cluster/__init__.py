"""Sundry on many machines, by `Ray <https://docs.ray.io>`_: the same calls on a laptop and on a cluster.

:func:`sample` samples formulas, with results as Parquet in a folder, which :func:`read`, :func:`solutions` and :func:`records` read at any time.
:func:`fuzz`, :func:`stress` and :func:`explore` divide a campaign into shards and merge what they find. All of them continue
with ``resume=True`` after the driver has died, and lose nothing but running tasks with a worker or node.

Needs the wheel with its extra: ``pip install 'path/to/sundry-….whl[ray]'``.
"""

from sundry.errors import missing_package

try:
    import pyarrow  # noqa: F401
    import ray  # noqa: F401
except ImportError as error:
    raise missing_package(str(error.name), "sundry.cluster") from None

from .campaigns import explore, fuzz, stress
from .errors import BusyFolderError, OtherRunError, ResultsExistError, TaskError
from .sampled import Summary, sample
from .shard_tasks import Campaign
from .tables import read, records, solutions

__all__ = [
    "BusyFolderError",
    "Campaign",
    "OtherRunError",
    "ResultsExistError",
    "Summary",
    "TaskError",
    "explore",
    "fuzz",
    "read",
    "records",
    "sample",
    "solutions",
    "stress",
]
