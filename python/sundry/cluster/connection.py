"""The connection to Ray: one that exists, or a new one, local by default."""

from __future__ import annotations

import ray


def connect() -> None:
    """Connects to the cluster that ``RAY_ADDRESS`` names, or starts Ray on this machine, unless the program is connected already."""
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)
