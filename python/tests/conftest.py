"""The environment of all tests."""

import os

# A busy machine starts the processes of Ray slowly. One that has not reported to the node in time ends the node, and with it,
# without a word, the process of the tests.
for name, limit in {
    "agent_register_timeout_ms": 300_000,
    "raylet_client_num_connect_attempts": 100,
    "raylet_start_wait_time_s": 300,
    "worker_register_timeout_seconds": 300,
}.items():
    os.environ.setdefault(f"RAY_{name}", str(limit))
