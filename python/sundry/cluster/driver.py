"""The loop of the driver: tasks go out while there is room, results come in, tasks that are lost go out again.

The number of tasks that are out is bounded, and new ones are made only when there is room, so a list of a million formulas is never
in memory, nor on its way. Ray's own retries are off: the loop knows more than Ray does, namely which formulas of a lost task
are done, and when to suspect one of them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

import ray
import ray.exceptions

from sundry.errors import Error

Work = TypeVar("Work")
Result = TypeVar("Result")

#: A task that is out.
Task = Any

#: Tasks that are out for each processor: one at work, and one that waits beside it.
TASKS_PER_PROCESSOR = 2
_SECONDS_BETWEEN_COUNTS = 5.0
_SECONDS_BETWEEN_LOOKS = 1.0


class Window:
    """The number of tasks that may be out: enough for all processors of the cluster, whose number changes."""

    def __init__(self, processors: float, most: int | None) -> None:
        """``processors`` is the share that each task takes. ``most`` sets the number, whatever the cluster has."""
        self._processors, self._most = processors, most
        self._size, self._counted = 1, -_SECONDS_BETWEEN_COUNTS

    def size(self) -> int:
        """The number at this moment."""
        if self._most is not None:
            return self._most
        now = time.monotonic()
        if now - self._counted >= _SECONDS_BETWEEN_COUNTS:
            resources = ray.cluster_resources()  # type: ignore[no-untyped-call]
            places = resources.get("CPU", 1) / self._processors
            self._size, self._counted = max(2, int(TASKS_PER_PROCESSOR * places)), now
        return self._size


class Driver(Generic[Work, Result]):
    """Runs pieces of work as tasks of Ray."""

    def __init__(
        self,
        start: Callable[[Work], Task],
        take: Callable[[Work, Result], Iterable[Work]],
        lost: Callable[[Work], Iterable[Work]],
        window: Window,
    ) -> None:
        """``start`` starts a task; ``take`` receives its result; ``lost`` is called for a task whose worker or node has died. Both
        return further work that the result makes necessary, which goes out before new work."""
        self._start, self._take, self._lost, self._window = start, take, lost, window
        self._again: deque[Work] = deque()
        self._out: dict[Task, Work] = {}
        #: The greatest number of tasks that have been out at once.
        self.most_out = 0

    def run(self, works: Iterator[Work], tick: Callable[[], bool]) -> bool:
        """Runs all work. ``tick`` is called about once a second, and ends the run if it returns false: then tasks that are out are
        cancelled. Returns whether all work was done.

        Exceptions of tasks are raised here; before that, and before ``KeyboardInterrupt``, all tasks are cancelled.
        """
        try:
            while self._fill(works):
                if not tick():
                    return False
                self._collect()
            return tick()
        finally:
            for task in self._out:
                ray.cancel(task, force=True)
            self._out.clear()

    def _fill(self, works: Iterator[Work]) -> bool:
        """Starts tasks while there is room. Whether any task is out."""
        room = self._window.size() - len(self._out)
        while room > 0:
            work = self._again.popleft() if self._again else next(works, None)
            if work is None:
                break
            self._out[self._start(work)] = work
            room -= 1
        self.most_out = max(self.most_out, len(self._out))
        return bool(self._out)

    def _collect(self) -> None:
        """Waits until a task has ended, and takes the results of all that have."""
        tasks = list(self._out)
        ended, _ = ray.wait(tasks, num_returns=1, timeout=_SECONDS_BETWEEN_LOOKS)
        if ended:
            ended, _ = ray.wait(tasks, num_returns=len(tasks), timeout=0)
        for task in ended:
            try:
                result = ray.get(task)
            except ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, Error):
                    # Its message says all; that of Ray is a page of places in the code.
                    raise error.cause from None
                raise error.as_instanceof_cause() from None  # type: ignore[no-untyped-call]
            except (ray.exceptions.RayError, ray.exceptions.GetTimeoutError):
                # The worker, its node, or the only copy of the result is gone.
                self._again.extend(self._lost(self._out.pop(task)))
                continue
            self._again.extend(self._take(self._out.pop(task), result))
