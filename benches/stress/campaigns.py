"""Campaigns of `sundry stress` for experiments: each has a folder of its own, and continues there if it was stopped."""

import json
import subprocess

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
