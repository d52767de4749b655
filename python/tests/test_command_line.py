"""The command line of the wheel: the same program, with its exit codes, signals and processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

import sundry
from formulas import DOOR, EXAMPLES, HARD

PROGRAM = [sys.executable, "-m", "sundry"]


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload, no-any-return]


def test_the_program_prints_what_the_binary_prints(tmp_path: Path) -> None:
    path = tmp_path / "door.smt2"
    path.write_text(DOOR)
    ended = run("sample", str(path), "--format", "csv")
    assert ended.stdout == "locked,open,latches\nfalse,true,#b00\ntrue,false,#b11\n" and ended.returncode == 0
    assert ended.stderr == f"{path}: 2 solutions, complete, proved minimal\n"
    assert run("--version").stdout == f"sundry {sundry.__version__}\n"


def test_exit_codes_are_those_of_the_program(tmp_path: Path) -> None:
    assert run("sample", str(EXAMPLES / "unsatisfiable.smt2")).returncode == 1
    wrong = tmp_path / "wrong.smt2"
    wrong.write_text("(assert")
    assert run("sample", str(wrong)).returncode == 2
    assert run("sample").returncode == 2
    limited = run("sample", "-", "--timeout", "0.5", input=HARD)
    assert limited.returncode == 3 and "stopped by --timeout" in limited.stderr


def test_the_console_script_is_the_program() -> None:
    script = Path(sysconfig.get_path("scripts")) / "sundry"
    ended = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=60)
    assert ended.stdout == f"sundry {sundry.__version__}\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_asks_for_the_results_and_the_second_ends_the_program(tmp_path: Path, number: int) -> None:
    path = tmp_path / "hard.smt2"
    path.write_text(HARD)
    process = subprocess.Popen([*PROGRAM, "sample", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.0)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 3 and "interrupted" in errors and "Traceback" not in errors


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f"{' '.join(PROGRAM)} sample {EXAMPLES / 'memory.smt2'} --strategy smtsampler -n 200000 --quiet | head -1"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in ended.stderr and "panicked" not in ended.stderr and ended.stdout


def test_processes_that_the_program_starts_are_guarded(tmp_path: Path) -> None:
    # The guardian is the same program, so that starting it has to work from Python too.
    solver = tmp_path / "solver"
    solver.write_text("#!/bin/sh\necho sat\necho '()'\n")
    solver.chmod(0o755)
    seed = tmp_path / "seed.smt2"
    seed.write_text("(declare-const p Bool) (assert p) (check-sat)")
    output = tmp_path / "out"
    ended = run("fuzz", "--solver", str(solver), "--mutants", "5", "-o", str(output), str(seed), cwd=tmp_path)
    assert "may survive" not in ended.stderr and ended.returncode in (0, 1), ended.stderr


def test_sys_path_has_no_part_in_the_environment() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    assert run("--version", env=environment, cwd="/").returncode == 0
