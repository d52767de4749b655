"""Campaigns as objects: tests of solvers, searches for slow inputs, explorations of programs.

A campaign runs the command line of this package in a process of its own, which writes findings into a folder as it makes
them; the objects here follow that folder. The campaign ends in good order when the process of its caller ends, however that
happens, and the same call continues it. Running a campaign inside the process of the caller was rejected: it starts solvers that
crash and take all memory, and the guard against that is a process.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from sundry.__main__ import CALLER
from sundry.command_words import arguments, reported
from sundry.errors import InputError, InternalError
from sundry.options import seconds
from sundry.several import Texts, texts

__all__ = ["Campaign", "Explore", "Finding", "Fuzz", "Report", "Stress"]

#: Seconds between two looks at the folder of a campaign.
LOOK = 0.1


class Finding(NamedTuple):
    """A finding of a campaign."""

    #: The finding in words.
    title: str
    #: The folder with its files.
    folder: Path
    #: All figures of the finding by name, as the files of the campaign have them.
    data: dict[str, Any]

    def text(self, name: str = "reduced.smt2") -> str:
        """The text of a file of the finding: ``reduced.smt2``, ``formula.smt2`` or ``report.md``.

        :raises FileNotFoundError: if the finding has no such file (yet).
        """
        return (self.folder / name).read_text(encoding="utf-8")


class Report(NamedTuple):
    """A campaign that has ended."""

    #: The findings.
    findings: list[Finding]
    #: The figures of the run by name; empty where the run was stopped before it wrote any.
    figures: dict[str, Any]
    #: The exit code: 0 nothing found, or done; 1 something found; 3 a limit stopped the run.
    status: int


class Campaign:
    """A job of the command line that writes findings into a folder: the base of :class:`Fuzz`, :class:`Stress` and :class:`Explore`.

    Options are those of the command line by their long names, with underscores for dashes: ``mutants=30`` is
    ``--mutants 30``, ``no_mutation=True`` is ``--no-mutation``, and a list repeats its option. A wrong name or value is an
    ``InputError`` of the constructor. Solvers, inputs, and whether options go together are looked at when the campaign starts.
    """

    #: The job of the command line.
    job: str
    #: The file with the figures of the run.
    record: str

    def __init__(self, inputs: Texts, folder: str | os.PathLike[str] | None, **options: Any) -> None:
        self._inputs = texts(inputs)
        #: The limit on the time of each run in seconds, where the run has none of its own.
        self._timeout = options.pop("timeout", None)
        self._options = options
        self._check()
        #: The folder of the campaign. A new temporary folder where none is given.
        self.folder = Path(tempfile.mkdtemp(prefix=f"sundry-{self.job}-") if folder is None else folder)
        self._process: subprocess.Popen[bytes] | None = None
        self._messages: IO[bytes] | None = None
        self._lifeline: int | None = None

    def command(self, timeout: float | None = None) -> list[str]:
        """The command that runs the campaign.

        :param timeout: the limit on the time of the run, in seconds, in place of that of the constructor.
        """
        return [*self._own(), "-o", str(self.folder), *self._chosen(timeout), *self._further()]

    def _own(self) -> list[str]:
        return [sys.executable, "-m", "sundry", self.job, "--quiet", "--message-format", "json"]

    def _chosen(self, timeout: float | None) -> list[str]:
        """The options of the user as arguments."""
        limit = self._timeout if timeout is None else seconds(timeout)
        return arguments({"timeout": limit, **self._options})

    def _check(self) -> None:
        """Asks the command line for its help after all options, of which it refuses the first that is wrong."""
        command = [*self._own(), *self._chosen(None), "--help"]
        asked = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if asked.returncode != 0:
            self._raise_reported(asked.returncode, asked.stderr)

    def _further(self) -> list[str]:
        """The end of the command: its inputs."""
        return ["--", *self._inputs]

    def start(self, timeout: float | None = None) -> None:
        """Starts the campaign and returns at once. The same folder and options continue an earlier campaign.

        :param timeout: the limit on the time of this run, in seconds; by default that of the constructor, if it has one.
        :raises sundry.InputError: if the campaign is running.
        """
        if self.is_running:
            raise InputError("the campaign is running", help="wait for it with run(), or end it with stop()")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._messages = tempfile.TemporaryFile()
        self._release()
        # The writing end is closed when this process ends, even by SIGKILL, and then the campaign ends, too.
        caller, self._lifeline = os.pipe()
        try:
            # In a process group of its own: Ctrl-C comes to this process, which passes one on.
            self._process = subprocess.Popen(
                self.command(timeout),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._messages,
                start_new_session=True,
                pass_fds=[caller],
                env={**os.environ, CALLER: str(caller)},
            )
        finally:
            os.close(caller)

    @property
    def is_running(self) -> bool:
        """Whether the campaign is running."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Asks a running campaign to end, and waits until it has written what it has."""
        if self._process is not None and self.is_running:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
        self._release()

    def _release(self) -> None:
        """Closes the pipe by which a campaign notices the end of this process."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None

    def events(self, timeout: float | None = None) -> Iterator[Finding]:
        """Runs the campaign and yields each finding as it is made. At Ctrl-C, and when the iterator is dropped, the campaign stops.

        :param timeout: the limit on the time of the run, in seconds; of a campaign that is running already, from now on.
        :raises sundry.Error: if the campaign cannot run; the message is that of the command line.
        """
        limit, end = seconds(timeout), None
        if not self.is_running:
            self.start(timeout)
        elif limit is not None:
            end = time.monotonic() + limit
        seen: set[Path] = set()
        try:
            running = True
            while running:
                if end is not None and time.monotonic() > end:
                    self.stop()
                # In this order, so that what comes before the end is seen.
                running = self.is_running
                for finding in self.findings:
                    if finding.folder not in seen:
                        seen.add(finding.folder)
                        yield finding
                if running:
                    time.sleep(LOOK)
        finally:
            self.stop()
        self._raise_failure()

    def run(self, timeout: float | None = None) -> Report:
        """Runs the campaign to its end. At Ctrl-C the campaign stops, and ``KeyboardInterrupt`` is raised; ``findings`` has what
        was found.

        :raises sundry.Error: if the campaign cannot run; the message is that of the command line.
        """
        for _ in self.events(timeout):
            pass
        return Report(self.findings, self.figures, self._status)

    @property
    def findings(self) -> list[Finding]:
        """The findings so far, also while the campaign runs."""
        raise NotImplementedError

    @property
    def figures(self) -> dict[str, Any]:
        """The figures of the last run by name; empty before its end."""
        figures = read_json(self.folder / self.record)
        return figures if isinstance(figures, dict) else {}

    @property
    def _status(self) -> int:
        status = None if self._process is None else self._process.returncode
        return 0 if status is None else status

    def _raise_failure(self) -> None:
        """Raises the error that the command line has reported, if the campaign could not run."""
        # A campaign that is asked to stop at once may not have begun to wait for that.
        if self._status not in (2, 4) and self._status >= 0 or self._status == -signal.SIGINT or self._messages is None:
            return
        self._messages.seek(0)
        self._raise_reported(self._status, self._messages.read())

    def _raise_reported(self, status: int, messages: bytes) -> None:
        """Raises the error that messages of the command line report."""
        lines = messages.decode("utf-8", "replace").splitlines()
        for line in lines:
            error = reported(line, self.job)
            if error is not None:
                raise error
        raise InternalError(f"sundry {self.job} has ended with status {status}: {' '.join(lines[-3:])}")

    def _repr_html_(self) -> str:
        from sundry.html import campaign_page

        return campaign_page(self)

    def __repr__(self) -> str:
        state = "running" if self.is_running else "not running"
        return f"<{type(self).__name__} in {str(self.folder)!r}: {len(self.findings)} findings, {state}>"


class Fuzz(Campaign):
    """A campaign that tests SMT solvers: wrong answers, invalid models and crashes.

    >>> import sundry
    >>> campaign = sundry.Fuzz(["z3"], seeds=["seeds/"], folder="findings", mutants=100)   # doctest: +SKIP
    >>> for finding in campaign.events(timeout=60):                                        # doctest: +SKIP
    ...     print(finding.title, finding.text())
    """

    job = "fuzz"
    record = "summary.json"

    def __init__(
        self,
        solvers: Texts,
        *,
        seeds: Texts,
        references: Texts = (),
        folder: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        """Solvers, seeds and references are lists, or a single one.

        :param solvers: commands of the solvers under test; the file of a formula is the last argument.
        :param seeds: formulas in SMT-LIB, folders of them, or patterns.
        :param references: commands of solvers that are believed.
        :param folder: the folder for findings, in which the campaign continues.
        :param options: further options of ``sundry fuzz``, such as ``mutants``, ``budget``, ``strategy``, ``seed``, ``threads``.
        """
        super().__init__(_some("seeds", seeds), folder, solver=_some("solvers", solvers), reference=texts(references), **options)

    @property
    def findings(self) -> list[Finding]:
        """The findings so far, also while the campaign runs."""
        return bugs(self.folder)


class Stress(Campaign):
    """A campaign that breeds small formulas on which one solver takes long and another one does not."""

    job = "stress"
    record = "record.json"

    def __init__(
        self,
        targets: Texts,
        references: Texts,
        *,
        seeds: Texts = (),
        folder: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        """:param targets: commands of the solvers that have to be slow; ``"built-in"`` is Sundry's own solver.
        :param references: commands of solvers, one of which has to be fast.
        :param seeds: formulas to start from; without any, the first generation is made up.
        :param folder: the folder for findings, in which the campaign continues.
        :param options: further options of ``sundry stress``, such as ``logic``, ``generations``, ``limit``, ``confirm``, ``factor``.
        """
        solvers = {"target": _some("targets", targets), "reference": _some("references", references)}
        super().__init__(seeds, folder, **solvers, **options)

    @property
    def findings(self) -> list[Finding]:
        """The slow inputs so far, and defects that came to light."""
        cases = [case for case in self.figures.get("cases", ()) if case["status"] == "confirmed"]
        slow = [Finding(str(case["title"]), self.folder / case["folder"], case) for case in cases]
        return slow + bugs(self.folder / "defects")


class Explore(Campaign):
    """An exploration of a program that was compiled to WebAssembly: inputs for its paths, and its errors."""

    job = "explore"
    record = "record.json"

    def __init__(self, program: str | os.PathLike[str], *, folder: str | os.PathLike[str] | None = None, **options: Any) -> None:
        """:param program: the module; ``sundry cc`` makes one of C or C++.
        :param folder: the folder for tests and errors, in which the exploration continues.
        :param options: further options of ``sundry explore``, such as ``stdin=16``, ``file``, ``arg``, ``function``, ``seed``.
        """
        super().__init__([program], folder, **options)

    def _further(self) -> list[str]:
        # Arguments after `--` are those of the program.
        resuming = ["--resume"] if (self.folder / "journal").exists() else []
        return [*resuming, *self._inputs]

    @property
    def findings(self) -> list[Finding]:
        """The errors of the program so far, each with the smallest input that shows it."""
        folders = sorted((self.folder / "errors").glob("*/test.json"))
        read = [(path.parent, read_json(path)) for path in folders]
        return [Finding(str(data["error"]), folder, data) for folder, data in read if isinstance(data, dict)]

    @property
    def tests(self) -> list[Path]:
        """The folders of the tests so far, each with the input of one."""
        return sorted(path.parent for path in (self.folder / "tests").glob("*/test.json"))


def _some(name: str, given: Texts) -> list[str]:
    """Texts, of which there is one at least."""
    found = texts(given)
    if not found:
        raise InputError(f"there are no {name}", help=f"{name} is a text, or a list of texts")
    return found


def bugs(folder: Path) -> list[Finding]:
    """The defects that the index in a folder lists."""
    index = read_json(folder / "index.json")
    listed = index.get("bugs", ()) if isinstance(index, dict) else ()
    return [Finding(f"{bug['solver']}: {bug['defect']}", folder / bug["folder"], bug) for bug in listed]


def read_json(path: Path) -> Any:
    """The contents of a file of JSON; ``None`` where there is none yet. Campaigns replace such files as a whole."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
