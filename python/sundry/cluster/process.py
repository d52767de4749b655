"""Commands of Sundry in processes of their own, run from a worker of Ray through its :mod:`zygote <sundry.cluster.zygote>`."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import TaskError
from .limits import Limits
from .zygote import DONE


@dataclass(frozen=True)
class Done:
    """A command that has ended by itself."""

    #: The place of the command in the list.
    number: int
    #: The exit status of the command.
    status: int
    #: Seconds that the command took.
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """The commands that have ended, and the reason why the next one has not."""

    #: The first commands of the list, in order.
    done: list[Done]
    #: The signal that has ended the process during the command behind those; ``None`` if its time was over or no command was left.
    signal: int | None


class Runner:
    """Runs commands, one list at a time."""

    def __init__(self) -> None:
        self._zygote: subprocess.Popen[str] | None = None

    def run(
        self, commands: list[list[str]], folder: Path, limits: Limits, seconds: float, directory: str
    ) -> Outcome:
        """Runs commands one after the other in one new process, with these limits for each, until ``seconds`` are over. The
        outputs of command ``n`` are ``n.out`` and ``n.err`` in the folder. The commands run in ``directory``, if it exists.

        Raises :class:`TaskError` if processes cannot be started here.
        """
        (folder / DONE).unlink(missing_ok=True)
        request = {
            "commands": commands,
            "folder": os.fspath(folder),
            "limits": dataclasses.asdict(limits),
            "seconds": seconds,
            "directory": directory,
        }
        status = self._ask(request)
        done = [Done(**line) for line in read_lines(folder / DONE)]
        if status > 0:
            error = (folder / f"{len(done)}.err").read_text(errors="replace").strip()
            raise TaskError(f"Sundry cannot be run in a process of its own: {error or f'exit status {status}'}")
        return Outcome(done, -status if status < 0 else None)

    def _ask(self, request: dict[str, Any]) -> int:
        """The exit status of the process for a request. A zygote that has died is replaced once."""
        for is_last in (False, True):
            zygote = self._started()
            try:
                assert zygote.stdin is not None and zygote.stdout is not None, "both are pipes"
                zygote.stdin.write(json.dumps(request) + "\n")
                zygote.stdin.flush()
                reply = zygote.stdout.readline()
            except BrokenPipeError:
                reply = ""
            if reply:
                return int(json.loads(reply)["status"])
            status = self.close()
            if is_last:
                log = "the log of this worker has its messages"
                raise TaskError(f"the process that starts Sundry has ended twice, with exit status {status}; {log}")
        raise AssertionError("the loop ends by itself")

    def _started(self) -> subprocess.Popen[str]:
        if self._zygote is None or self._zygote.poll() is not None:
            command = [sys.executable, "-c", "from sundry.cluster.zygote import main; main()"]
            self._zygote = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        return self._zygote

    def close(self) -> int | None:
        """Ends the zygote, and the commands that are running. The exit status of the zygote, if there was one."""
        if self._zygote is None:
            return None
        self._zygote.kill()
        self._zygote.communicate()
        status = self._zygote.returncode
        self._zygote = None
        return status


_runner: Runner | None = None


def runner() -> Runner:
    """The runner of this process, which stays for the next task."""
    global _runner
    if _runner is None:
        _runner = Runner()
    return _runner


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects in a file of JSON lines. A kill may have cut the last line, which does not count; a file that does not exist
    has none."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines[:-1]]
