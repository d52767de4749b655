"""Searches: iterators, results, progress, threads, and how they stop."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

import sundry
from formulas import DOOR, EXAMPLES, HARD, WIDE
from sundry.options import OWNERS, STRATEGIES, WORDS


def test_a_small_set_covers_everything() -> None:
    result = sundry.Formula.from_smtlib(DOOR).sample_all(seed=7)
    assert result.coverage == 1.0 and result.complete and result.proved and result.bound == len(result) == 2
    assert (result.covered, result.possible, result.impossible, result.unknown) == (16, 16, 4, 0)
    assert result.stopped_by == "complete" and result.seconds > 0
    assert [record.gain for record in result.records] == sorted((record.gain for record in result.records), reverse=True)
    assert sum(record.gain for record in result.records) == result.covered == result.curve[-1].covered
    assert "2 solutions, complete, proved minimal" in repr(result)
    assert result[0] in result and result[:2] == result.solutions


def test_the_iterator_has_the_same_solutions() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    sampling = formula.sample(strategy="cover", target=1.0, timeout=60, seed=7)
    solutions = list(sampling)
    assert solutions == formula.sample_all(seed=7).solutions == sampling.present
    assert sampling.result is not None and sampling.result.proved


def test_an_iterator_has_a_result_at_its_end_alone() -> None:
    sampling = sundry.Formula.from_smtlib(WIDE, name="wide").sample("smtsampler", limit=1000)
    assert sampling.result is None and "0 solutions so far" in repr(sampling)
    first = next(sampling)
    time.sleep(0.5)
    # The search has ended, but not all of its solutions are read.
    assert sampling.result is None and "'wide': 1 solution so far, strategy smtsampler" in repr(sampling)
    rest = list(sampling)
    result = sampling.result
    assert result is not None and len(result) == 0 and result.yielded == len({first, *rest}) == 1000
    assert "1,000 solutions yielded, stopped by max-solutions" in repr(result) and "1,000 solutions" in repr(sampling)
    small = sundry.Formula.from_smtlib(DOOR).sample()
    assert list(small) and "2 solutions, complete" in repr(small)


def test_eager_solutions_come_before_the_end() -> None:
    formula = sundry.Formula.from_file(EXAMPLES / "memory.smt2")
    start = time.monotonic()
    sampling = formula.sample(effort="max", timeout=20, eager=True)
    first = next(sampling)
    assert time.monotonic() - start < 10
    rest = list(sampling)
    final = sampling.result
    assert final is not None and set(final) <= {first, *rest}


def test_a_seed_gives_the_same_solutions_with_any_number_of_threads() -> None:
    formula = sundry.Formula.from_smtlib(WIDE)
    runs = [formula.sample_all("smtsampler", limit=200, seed=3, threads=threads).solutions for threads in (1, 2)]
    assert runs[0] == runs[1]
    assert runs[0] != formula.sample_all("smtsampler", limit=200, seed=4).solutions


def test_a_limit_a_target_and_a_time_end_a_search() -> None:
    wide = sundry.Formula.from_smtlib(WIDE)
    assert wide.sample_all("smtsampler", limit=50).stopped_by == "max-solutions"
    some = sundry.Formula.from_file(EXAMPLES / "power-of-two.smt2").sample_all(target=0.9)
    assert some.coverage is not None and some.coverage >= 0.9 and some.stopped_by == "target"
    hard = sundry.Formula.from_smtlib(HARD).sample_all(timeout=0.3)
    assert hard.stopped_by == "timeout" and hard.seconds < 5 and hard.coverage == 0.0
    # Before it is known which values there are, nothing is known about coverage.
    unknown = sundry.Formula.from_smtlib(HARD).t_wise(2, timeout=0.3)
    assert (len(unknown), unknown.coverage, unknown.possible, unknown.unknown) == (0, None, None, None)
    assert "0 solutions, stopped by timeout" in repr(unknown) and "%" not in unknown._repr_html_()


def test_every_strategy_works() -> None:
    text = "(declare-const x (_ BitVec 4)) (declare-const p Bool) (assert (=> p (bvult x #x8)))"
    formula = sundry.Formula.from_smtlib(text, predicates="(define-fun low () Bool (bvult x #x4))")
    assert len(list(formula.enumerate())) == 24
    assert len(list(formula.enumerate(project=["p"]))) == 2
    assert len(formula.uniform(30)) == 30
    pairs = formula.t_wise(2)
    assert pairs.complete and pairs.figures["strength"] == 2
    for strategy in ("cover", "pan", "smtsampler", "guided", "classes-hard", "classes-soft", "quick"):
        result = formula.sample_all(strategy, limit=5, timeout=20)
        assert 1 <= len(result) <= 5, strategy
        assert all(not solution["p"] or solution["x"] < 8 for solution in result), strategy


def test_wrong_options_are_named_with_their_remedy() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"strategy": "best"}, "no strategy 'best'"),
        ({"effort": "little"}, "no effort 'little'"),
        ({"limit": 0}, "limit is 0"),
        ({"threads": 0}, "threads is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 1 << 64}, "less than 2.64"),
        ({"timeout": -1}, "time limit -1"),
        ({"strategy": "smtsampler", "target": 0.9}, "target has no effect with the strategy smtsampler"),
        ({"tolerance": 0.1}, "tolerance has no effect with the strategy cover"),
        ({"target": 1.5}, "target 1.5"),
        ({"strategy": "guided"}, "predicates"),
        ({"strategy": "uniform", "limit": 1, "tolerance": 0.0}, "tolerance 0 is not positive"),
        ({"strategy": "uniform", "limit": 1, "tolerance": 1e-9}, "tolerance 0.000000001 is too small"),
        ({"strategy": "t-wise", "strength": 7}, "combinations of 7"),
        ({"strategy": "all", "project": ["none"]}, "no constant 'none'"),
    ]
    for options, message in wrong:
        with pytest.raises(sundry.InputError, match=message) as caught:
            formula.sample(**options)
        assert caught.value.help is not None
    types: list[tuple[dict[str, Any], str]] = [
        ({"limit": "5"}, "limit is an integer"),
        ({"limit": True}, "limit is an integer"),
        ({"seed": "seven"}, "seed is an integer"),
        ({"target": "all"}, "target is a number"),
        ({"timeout": "5"}, "timeout is a number"),
        ({"progress": 3}, "progress is a function"),
        ({"progress": "yes"}, "progress is a function"),
        ({"eager": "yes"}, "eager is True or False"),
        ({"strategy": "all", "project": 5}, "project is a list"),
        ({"strategy": 5}, "strategy is one of cover, pan"),
    ]
    for options, message in types:
        with pytest.raises(TypeError, match=message):
            formula.sample(**options)
    with pytest.raises(TypeError, match="granulation"):
        formula.sample(granulation="bit")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no option 'granulation'"):
        formula.sample_all(granulation="bit")  # type: ignore[call-arg]
    for method in (formula.sample_columns, formula.to_pandas):
        with pytest.raises(TypeError, match="no option 'granulation'"):
            method(10, granulation="bit")  # type: ignore[call-arg]
        # An option of other searches would have no effect.
        with pytest.raises(TypeError, match="no option 'eager'"):
            method(10, eager=True)  # type: ignore[call-arg]


def test_the_command_line_knows_the_same_strategies_and_options() -> None:
    ended = subprocess.run([sys.executable, "-m", "sundry", "sample", "--help"], capture_output=True, text=True)
    help = ended.stdout
    for strategy in STRATEGIES:
        assert strategy in help, strategy
    for name, owners in OWNERS.items():
        if name != "run_number":
            # A run of the command line that resumes another one has the next number.
            assert f"--{name.replace('_', '-')}" in help, name
        assert set(owners) <= set(STRATEGIES)
    formula = sundry.Formula.from_smtlib(DOOR, predicates="(define-fun shut () Bool locked)")
    for name, words in WORDS.items():
        for word in words:
            assert word in help, word
            strategy = OWNERS.get(name, STRATEGIES)[0]
            options = {"strategy": strategy, name: word}
            formula.sample(**options).stop()  # type: ignore[arg-type]


def test_without_solutions_there_are_none() -> None:
    result = sundry.Formula.from_file(EXAMPLES / "unsatisfiable.smt2").sample_all()
    assert len(result) == 0 and result.stopped_by == "unsatisfiable" and "unsatisfiable" in repr(result)


def test_progress_comes_to_a_function() -> None:
    seen: list[sundry.Progress] = []
    sundry.Formula.from_file(EXAMPLES / "memory.smt2").sample_all(progress=seen.append)
    assert seen and seen[-1].coverage == 1.0 and seen[-1].solutions >= (seen[-1].bound or 0) > 0


def test_searches_for_many_solutions_report_their_number() -> None:
    seen: list[sundry.Progress] = []
    result = sundry.Formula.from_smtlib(WIDE).sample_all("smtsampler", limit=5000, progress=seen.append)
    assert seen[-1].solutions == len(result) == 5000 and seen[-1].coverage is None
    assert [progress.solutions for progress in seen] == sorted(progress.solutions for progress in seen)


def test_an_exception_of_the_progress_function_ends_the_search() -> None:
    def fails(progress: sundry.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sundry.Formula.from_file(EXAMPLES / "memory.smt2").sample_all(progress=fails)
    with pytest.raises(RuntimeError, match="enough"):
        sundry.Formula.from_smtlib(WIDE).sample_all("smtsampler", limit=10, progress=fails)
    with pytest.raises(RuntimeError, match="enough"):
        sundry.Formula.from_smtlib(DOOR).decide(progress=fails)


def test_a_bar_shows_progress(capsys: pytest.CaptureFixture[str]) -> None:
    sundry.Formula.from_smtlib(WIDE, name="wide").sample_all("smtsampler", limit=100, progress=True)
    assert "wide: 100%" in capsys.readouterr().err
    sundry.Formula.from_smtlib(DOOR, name="door").sample_all(progress=True)
    assert "100.00 % covered" in capsys.readouterr().err


def test_notebooks_have_a_bar_without_being_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = type("ZMQInteractiveShell", (), {})()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "tqdm.auto", __import__("tqdm"))
    formula = sundry.Formula.from_smtlib(DOOR, name="door")
    formula.sample_all()
    assert "door" in capsys.readouterr().err
    formula.sample_all(progress=False)
    assert capsys.readouterr().err == ""


def test_other_threads_run_while_a_search_goes_on() -> None:
    count = 0
    done = threading.Event()

    def work() -> None:
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        sundry.Formula.from_smtlib(HARD).sample_all(timeout=0.5, threads=1)
    finally:
        done.set()
        thread.join()
    assert count > 50


def test_threads_share_an_iterator_and_a_formula() -> None:
    sampling = sundry.Formula.from_smtlib(WIDE).sample("smtsampler", limit=3000)
    parts: list[list[sundry.Solution]] = [[] for _ in range(4)]
    threads = [threading.Thread(target=lambda part=part: part.extend(sampling)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = [solution for part in parts for solution in part]
    assert len(together) == len(set(together)) == 3000


def running_threads() -> int:
    """Threads of this process, also those that are not Python's."""
    return len(os.listdir("/proc/self/task"))


def test_dropping_an_iterator_ends_its_search() -> None:
    before = running_threads()
    for _ in range(20):
        sampling = sundry.Formula.from_smtlib(WIDE).sample("smtsampler")
        next(sampling)
        del sampling
    with sundry.Formula.from_smtlib(WIDE).sample("smtsampler") as sampling:
        next(sampling)
    rest = list(sampling)
    assert len(rest) < 1 << 20 and sampling.result is not None and sampling.result.stopped_by == "interrupted"
    deadline = time.monotonic() + 10
    while running_threads() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert running_threads() <= before


INTERRUPTED = """
import signal, sys, threading, time
import sundry
formula = sundry.Formula.from_smtlib(sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)  # Commands in the background of a shell begin without.
timer = threading.Timer(0.7, lambda: signal.raise_signal(signal.SIGINT))
timer.start()
begin = time.monotonic()
try:
    {call}
except KeyboardInterrupt as interrupt:
    print("interrupted", time.monotonic() - begin < 5, {rest})
"""


@pytest.mark.parametrize(
    ("call", "rest", "printed"),
    [
        ("formula.solve()", "''", ""),
        ("formula.sample_all()", "interrupt.result.stopped_by", "interrupted"),
        ("list(formula.sample())", "''", ""),
        ("formula.decide()", "''", ""),
        ("formula.sample_columns(10)", "''", ""),
    ],
)
def test_ctrl_c_ends_every_call(call: str, rest: str, printed: str) -> None:
    program = INTERRUPTED.format(call=call, rest=rest)
    ended = subprocess.run([sys.executable, "-c", program, HARD], capture_output=True, text=True, timeout=60)
    assert ended.stdout.split() == ["interrupted", "True", *printed.split()], ended.stderr


def test_ctrl_c_ends_a_call_between_two_solutions() -> None:
    many = "(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64)) (assert (bvult x y))"
    rest = "interrupt.result.stopped_by, len(interrupt.result) > 0"
    program = INTERRUPTED.format(call='formula.sample_all("smtsampler")', rest=rest)
    ended = subprocess.run([sys.executable, "-c", program, many], capture_output=True, text=True, timeout=60)
    assert ended.stdout.split() == ["interrupted", "True", "interrupted", "True"], ended.stderr


def test_remedies_are_in_the_words_of_python() -> None:
    formula = sundry.Formula.from_smtlib("(declare-const x Int)")
    with pytest.raises(sundry.InputError) as no_predicates:
        formula.sample_all("guided", limit=3)
    assert "predicates=TEXT" in str(no_predicates.value) and "::" not in str(no_predicates.value)
    with pytest.raises(sundry.Error) as unbounded:
        list(formula.enumerate())
    assert "project=[NAME, ...]" in str(unbounded.value) and "::" not in str(unbounded.value)
    with pytest.raises(sundry.UnsupportedError, match="one solution at a time") as number:
        sundry.Formula.from_smtlib("(declare-const x Int) (assert (< 0 x 9))").uniform(3)
    assert "are supported" not in str(number.value)


def test_the_remedy_for_an_unknown_answer_fits_its_reason() -> None:
    with pytest.raises(sundry.UnknownError, match="timeout=SECONDS"):
        sundry.Formula.from_smtlib(HARD).solve(timeout=0.05)
    with pytest.raises(sundry.UnknownError, match="bounds on them"):
        sundry.Formula.from_smtlib("(declare-const r Real) (assert (= (* r r) 2.0))").solve()


def test_draws_without_end_need_a_limit() -> None:
    formula = sundry.Formula.from_smtlib(DOOR)
    for strategy in ("uniform", "quick"):
        with pytest.raises(sundry.InputError, match="draws without end"):
            formula.sample_all(strategy)
        assert len(formula.sample_all(strategy, limit=3)) == 3
        assert next(formula.sample(strategy)) is not None
    with pytest.raises(sundry.InputError, match="timeout is too large"):
        formula.sample(timeout=10**400)
    assert formula.solve(seed=5) is not None
