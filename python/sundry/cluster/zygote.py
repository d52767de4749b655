"""A process that has loaded Sundry once, and forks whenever commands are to be run.

A fork takes a millisecond; a new interpreter takes fifty, which is more than many formulas take. A process of Ray cannot fork
safely, because it has threads, so each worker has a zygote beside it. Commands run in the forked process only: what they do
to it (a crash, memory, limits) ends with it.

The worker and its zygote talk in lines of JSON over a pipe. The end of the pipe means that the worker is gone, for example
killed together with its node; then the zygote ends the commands and itself, so that nothing goes on for nobody.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .limits import Limits

#: The commands that a process has finished, in the folder of its files: a line for each.
DONE = "done.jsonl"
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serves requests until the pipe ends."""
    from sundry._native import run_command_line

    # The command line handles these signals itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    # Commands must not read requests or write among replies.
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    with os.fdopen(requests, "r", encoding="utf-8") as lines:
        for line in lines:
            request = json.loads(line)
            process = os.fork()
            if process == 0:
                os.setsid()
                _run_commands(run_command_line, request)
            status = _wait(process, requests)
            if status is None:
                return
            os.write(replies, json.dumps({"status": status}).encode() + b"\n")


def _wait(process: int, requests: int) -> int | None:
    """Waits until a process has ended: its exit status, or the negative number of the signal that has ended it. ``None`` if the
    worker has gone; the process is ended then."""
    handle = os.pidfd_open(process)
    try:
        ready, _, _ = select.select([handle, requests], [], [])
        is_orphan = handle not in ready
        if is_orphan:
            os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        # Processes that commands have started belong to the same group.
        _kill_group(process)
        return None if is_orphan else os.waitstatus_to_exitcode(status)
    finally:
        os.close(handle)


def _kill_group(process: int) -> None:
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _run_commands(run_command_line: Callable[[list[str], list[str]], int], request: dict[str, Any]) -> None:
    """Runs the commands of a request one after the other, and ends the process. A command that begins after ``seconds`` does not
    begin at all, except for the first."""
    folder, limits = Path(request["folder"]), Limits(**request["limits"])
    start = time.monotonic()
    status = 0
    try:
        # The zygote may be killed too, and then nobody reads what this process brings.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        # Names mean the same as for the driver, if its folder is on this machine too.
        if os.path.isdir(request["directory"]):
            os.chdir(request["directory"])
        limits.impose()
        with open(folder / DONE, "w", encoding="utf-8", buffering=1) as done:
            for number, arguments in enumerate(request["commands"]):
                begun = time.monotonic()
                if number > 0 and begun - start > request["seconds"]:
                    break
                _redirect(folder / f"{number}.out", 1)
                _redirect(folder / f"{number}.err", 2)
                limits.set_alarm()
                code = run_command_line(["sundry", *arguments], [sys.executable, "-m", "sundry"])
                limits.clear_alarm()
                seconds = time.monotonic() - begun
                done.write(json.dumps({"number": number, "status": code, "seconds": seconds}) + "\n")
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        status = 70
    finally:
        # Nothing of the parent, such as its buffers, is to be cleaned up here.
        os._exit(status)


def _redirect(path: Path, descriptor: int) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(file, descriptor)
    os.close(file)

