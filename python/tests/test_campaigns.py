"""Campaigns as objects: they run, stop, continue, and say what is wrong."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import sundry
from formulas import EXAMPLES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="campaigns guard processes by Linux's means")


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    """A solver with a planted defect: the solver of the wheel, which takes one comparison for another."""
    path = tmp_path / "faulty-solver"
    path.write_text(
        f'#!/bin/sh\nsed "s/bvule/bvult/g" "$1" > "$1.changed" && exec {sys.executable} -m sundry solve --quiet "$1.changed"\n'
    )
    path.chmod(0o755)
    return str(path)


def test_fuzz_finds_a_planted_defect_and_continues(tmp_path: Path, faulty: str) -> None:
    options: dict[str, Any] = {"seeds": [EXAMPLES / "options.smt2"], "mutants": 400, "reduction_timeout": 10}
    campaign = sundry.Fuzz([faulty], folder=tmp_path / "findings", **options)
    found = list(campaign.events(timeout=50))
    assert found and all(finding.folder.is_dir() for finding in found)
    assert "bvule" in found[0].text() and "faulty-solver" in found[0].title
    assert found[0].text("report.md") and found[0].data["confirmed"]
    again = sundry.Fuzz([faulty], folder=tmp_path / "findings", **options)
    begin = time.monotonic()
    report = again.run(timeout=50)
    assert time.monotonic() - begin < 20 and report.figures["mutants"] == 0
    assert {finding.folder for finding in report.findings} == {finding.folder for finding in found}
    assert report.status in (0, 1) and "not running" in repr(again)


def test_a_campaign_stops_when_asked(tmp_path: Path, faulty: str) -> None:
    campaign = sundry.Fuzz([faulty], seeds=[EXAMPLES], folder=tmp_path / "findings", mutants=100000)
    campaign.start()
    with pytest.raises(sundry.InputError, match="is running"):
        campaign.start()
    time.sleep(1.0)
    assert campaign.is_running
    campaign.stop()
    assert not campaign.is_running and (tmp_path / "findings").is_dir()


CALLER = """
import sys, time, sundry
campaign = sundry.Fuzz([sys.argv[1]], seeds=[sys.argv[2]], folder=sys.argv[3], mutants=100000)
campaign.start()
print(campaign._process.pid, flush=True)
time.sleep(60)
"""


def test_a_campaign_ends_with_its_caller(tmp_path: Path, faulty: str) -> None:
    command = [sys.executable, "-c", CALLER, faulty, str(EXAMPLES), str(tmp_path / "findings")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as caller:
        assert caller.stdout is not None
        campaign = Path("/proc", caller.stdout.readline().strip())
        deadline = time.monotonic() + 60
        while not (tmp_path / "findings" / "journal.jsonl").exists():
            assert time.monotonic() < deadline and "fuzz" in (campaign / "cmdline").read_text()
            time.sleep(0.05)
        caller.kill()
    while campaign.exists() and "Z" not in (campaign / "stat").read_text().rsplit(")")[-1]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert (tmp_path / "findings" / "summary.json").exists()


def test_what_prevents_a_campaign_is_an_error(tmp_path: Path) -> None:
    campaign = sundry.Fuzz(["no-such-solver"], seeds=[EXAMPLES], folder=tmp_path / "findings")
    with pytest.raises(sundry.InputError, match="no-such-solver") as caught:
        campaign.run()
    assert caught.value.help is not None
    with pytest.raises(sundry.InputError, match="no option 'mutations'"):
        sundry.Fuzz(["no-such-solver"], seeds=[EXAMPLES], folder=tmp_path / "other", mutations=3)
    with pytest.raises(sundry.InputError, match="'generations'"):
        sundry.Stress("built-in", "built-in", folder=tmp_path / "other", generations="few")
    with pytest.raises(sundry.InputError, match="no option 'stdio'"):
        sundry.Explore(EXAMPLES / "explore" / "labels.wasm", folder=tmp_path / "other", stdio=4)
    with pytest.raises(sundry.InputError, match="'timeout'"):
        sundry.Fuzz("z3", seeds=EXAMPLES, folder=tmp_path / "other", timeout="long")
    assert not (tmp_path / "other").exists()


def test_explorations_find_errors_and_continue(tmp_path: Path) -> None:
    program = EXAMPLES / "explore" / "labels.wasm"
    exploration = sundry.Explore(program, folder=tmp_path / "explored", stdin=4, max_paths=30)
    report = exploration.run(timeout=30)
    assert report.status in (0, 1, 3) and report.figures["tests"] > 0 and exploration.tests
    assert all((finding.folder / "test.json").exists() for finding in report.findings)


def test_stress_breeds_inputs(tmp_path: Path) -> None:
    campaign = sundry.Stress(
        ["built-in"], ["built-in"], folder=tmp_path / "stress", logic="QF_BV", generations=1, population=4, confirm=0, limit=1
    )
    report = campaign.run(timeout=40)
    assert report.status in (0, 1, 3) and report.figures["options"]["logic"] == "QF_BV" and report.findings == []


def test_a_single_text_is_one_of_several(tmp_path: Path) -> None:
    campaign = sundry.Fuzz("one", seeds=EXAMPLES / "options.smt2", references="two three", folder=tmp_path)
    command = campaign.command()
    assert "--solver=one" in command and "--reference=two three" in command
    assert command[-1] == str(EXAMPLES / "options.smt2")


def test_the_time_of_a_run_goes_before_that_of_the_campaign(tmp_path: Path) -> None:
    campaign = sundry.Fuzz("one", seeds=EXAMPLES, folder=tmp_path, timeout=60)
    for command, timeout in ((campaign.command(), "60"), (campaign.command(timeout=5), "5.0")):
        assert [word for word in command if word.startswith("--timeout")] == [f"--timeout={timeout}"]


def test_a_running_campaign_ends_when_the_time_of_its_events_is_up(tmp_path: Path, faulty: str) -> None:
    campaign = sundry.Fuzz([faulty], seeds=[EXAMPLES], folder=tmp_path / "out", mutants=100_000, threads=1)
    campaign.start(60)
    begin = time.monotonic()
    list(campaign.events(0.5))
    assert time.monotonic() - begin < 30 and not campaign.is_running


def test_messages_have_the_words_of_python(tmp_path: Path) -> None:
    for name, arguments in (("solvers", ([], "x")), ("seeds", ("z3", []))):
        with pytest.raises(sundry.InputError, match=f"there are no {name}"):
            sundry.Fuzz(arguments[0], seeds=arguments[1])
    with pytest.raises(sundry.InputError, match="invalid value '-1' for 'mutants'"):
        sundry.Fuzz("z3", seeds="x", mutants=-1)
    with pytest.raises(TypeError, match="timeout is a number"):
        sundry.Fuzz("built-in", seeds=EXAMPLES, folder=tmp_path / "out").run("abc")  # type: ignore[arg-type]
    with pytest.raises(sundry.InputError) as caught:
        sundry.Stress("built-in", "built-in", folder=tmp_path / "out").run()
    assert "--logic" not in str(caught.value)
