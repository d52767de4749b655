"""The shards of a campaign as tasks, and the folder that they come back to.

A shard is a run of the command line in a process of its own, and one task of Ray. Its folder comes back as an archive and
takes its place in one step, so a folder that is there is whole.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import ray

from .archives import pack, unpack
from .connection import connect
from .driver import Driver, Window
from .limits import Limits
from .process import runner
from .progress import Progress
from .sampling import MOST_DEATHS, Json
from .shards import compare, create, describe, locked

#: Exit statuses of the command line: done, something found, and ended by a limit.
GOOD = (0, 1, 3)
#: A shard whose worker was lost this often is given up.
MOST_LOSSES = 5
_SECONDS_BETWEEN_MERGES = 30.0


@dataclass(frozen=True)
class Shard:
    """A part of a campaign."""

    #: The name of the folder of the shard.
    name: str
    #: The command line, without the folder for its output.
    command: list[str]
    #: The number of times that the worker of the shard was lost.
    losses: int = 0


@dataclass(frozen=True)
class ShardResult:
    """The end of a shard."""

    #: The folder of the shard as a tar archive; empty if the shard failed.
    archive: bytes
    #: Why the shard failed.
    error: str | None


@dataclass
class Campaign:
    """The results of a campaign in figures."""

    #: The folder of the campaign, with the shards in ``shards`` and the findings of all in ``merged``.
    folder: Path
    #: Shards that are done, those of earlier runs included.
    shards: int = 0
    #: Shards that earlier runs have done.
    resumed: int = 0
    #: Shards that failed, with their errors.
    failed: dict[str, str] = field(default_factory=dict)
    #: Tasks that were lost together with their worker or node, and ran again.
    lost: int = 0
    #: Seconds of this run.
    seconds: float = 0.0

    @property
    def merged(self) -> Path:
        """The folder of the findings of all shards."""
        return self.folder / "merged"


def run_shard(shard: Shard, limits: Limits, directory: str) -> ShardResult:
    """Runs a shard in a process of its own, once more if the process dies, and packs its folder."""
    with tempfile.TemporaryDirectory(prefix="sundry-cluster-") as name:
        place = Path(name)
        # Reports name files relative to the folder.
        output = place / shard.name
        command = [*shard.command, "--output", str(output), *limits.arguments()]
        for _ in range(MOST_DEATHS):
            shutil.rmtree(output, ignore_errors=True)
            outcome = runner().run([command], place, limits, 0.0, directory)
            if outcome.done:
                break
        else:
            return ShardResult(b"", f"killed its process twice (signal {outcome.signal})")
        [done] = outcome.done
        if done.status not in GOOD or not output.is_dir():
            error = (place / "0.err").read_text(errors="replace").strip()
            return ShardResult(b"", error or f"exit status {done.status}")
        return ShardResult(pack(output), None)


#: Writes the findings of shards, whose folders come second, to the folder that comes first.
Merge = Callable[[Path, list[Path]], None]


@dataclass(frozen=True)
class Settings:
    """The settings of a campaign that are the same for all jobs."""

    limits: Limits
    resume: bool
    #: The share of a processor that a shard takes.
    processors: float
    #: The number of shards that may be out at once.
    tasks: int | None
    progress: bool


def run_campaign(
    folder: Path, shards: list[Shard], merge: Merge, description: Json, settings: Settings
) -> Campaign:
    """Runs the shards of a campaign that are not done, and merges what all of them have found, now and then and at the end."""
    create(folder, "shards")
    with locked(folder):
        compare(folder, description, settings.resume)
        connect()
        describe(folder, description)
        return _Run(folder, shards, merge, settings).run()


class _Run:
    """A campaign in progress."""

    def __init__(self, folder: Path, shards: list[Shard], merge: Merge, settings: Settings) -> None:
        self._shards, self._merge, self._settings = shards, merge, settings
        self._campaign = Campaign(folder)
        self._begun = self._merged_at = time.monotonic()
        self._merged = 0
        self._progress = Progress(self._line, settings.progress)

    def run(self) -> Campaign:
        """Runs all shards that are not done."""
        settings = self._settings
        task = ray.remote(num_cpus=settings.processors, max_retries=0)(run_shard)
        window = Window(settings.processors, settings.tasks)
        driver = Driver(
            lambda shard: task.remote(shard, settings.limits, os.getcwd()), self._take, self._lost, window
        )
        try:
            driver.run(self._open(), self._tick)
        finally:
            # Findings from before Ctrl-C or an error are merged all the same.
            self._merge_done()
            self._campaign.seconds = time.monotonic() - self._begun
            self._progress.finish()
        return self._campaign

    def _place(self, shard: Shard) -> Path:
        return self._campaign.folder / "shards" / shard.name

    def _open(self) -> Iterator[Shard]:
        for shard in self._shards:
            if self._place(shard).exists():
                self._campaign.shards += 1
                self._campaign.resumed += 1
            else:
                yield shard

    def _take(self, shard: Shard, result: ShardResult) -> list[Shard]:
        if result.error is not None:
            self._campaign.failed[shard.name] = result.error
            return []
        place = self._place(shard)
        new = place.with_name(f".{shard.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        unpack(result.archive, new)
        os.sync()
        os.rename(new, place)
        self._campaign.shards += 1
        return []

    def _lost(self, shard: Shard) -> list[Shard]:
        self._campaign.lost += 1
        if shard.losses + 1 < MOST_LOSSES:
            return [Shard(shard.name, shard.command, shard.losses + 1)]
        self._campaign.failed[shard.name] = "lost each time together with its worker"
        return []

    def _tick(self) -> bool:
        self._progress.look()
        if time.monotonic() - self._merged_at >= _SECONDS_BETWEEN_MERGES:
            self._merge_done()
        return True

    def _merge_done(self) -> None:
        done = [place for place in map(self._place, self._shards) if place.exists()]
        if len(done) > self._merged:
            self._merge(self._campaign.merged, done)
            self._merged = len(done)
        self._merged_at = time.monotonic()

    def _line(self) -> str:
        done, all_shards = self._campaign.shards, len(self._shards)
        lost = f", {self._campaign.lost} lost and run again" if self._campaign.lost else ""
        failed = f", {len(self._campaign.failed)} failed" if self._campaign.failed else ""
        return f"{done} of {all_shards} shards{failed}{lost}, in {time.monotonic() - self._begun:.0f} s"
