"""Campaigns of `sundry stress` for experiments: each has a folder of its own, and continues there if it was stopped."""

import concurrent.futures
import json
import os
import statistics
import subprocess
import sys

# The codes with which `sundry stress` ends when all is well: nothing found, something found, time is over.
EXPECTED = (0, 1, 3)


def run_campaign(command, folder):
    """Runs a campaign, or what is left of it, in the folder `campaign` below a folder; its messages go to a file beside it."""
    mark = folder / "campaign-complete"
    if mark.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "campaign.log", "a") as log:
        whole = [*command, "-o", str(folder / "campaign")]
        code = subprocess.run(whole, stdin=subprocess.DEVNULL, stdout=log, stderr=log).returncode
    if code not in EXPECTED:
        raise RuntimeError(f"sundry stress ended with {code}: see {log.name}")
    if json.loads((folder / "campaign" / "record.json").read_text())["ended_by"] == "interrupt":
        raise RuntimeError("interrupted; the same command continues")
    mark.touch()


def table(heading, rows):
    """A table in Markdown, with numbers in all columns but the first."""
    lines = [heading, ["---"] + ["---:"] * (len(heading) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def spread(values, digits):
    """The mean with standard deviation and range."""
    mean = f"{statistics.mean(values):,.{digits}f}"
    if len(values) == 1:
        return mean
    low, high = (f"{value:,.{digits}f}" for value in (min(values), max(values)))
    return f"{mean} ± {statistics.stdev(values):,.{digits}f} ({low}–{high})"


def run_all(jobs, run, tasks):
    """Calls `run` with the arguments of each task, which stand by their names, some at a time; whether all went well. Ctrl-C begins no further task."""
    well = True
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        names = {pool.submit(run, *task): name for name, task in tasks.items()}
        try:
            for done in concurrent.futures.as_completed(names):
                if done.exception():
                    well = False
                    print(f"{names[done]}: {done.exception()}", file=sys.stderr)
        except KeyboardInterrupt:
            print("interrupted; the same command continues", file=sys.stderr, flush=True)
            # Threads that wait for a solver would hold up an ordinary end; the solver ends at its limit.
            os._exit(130)
    return well
