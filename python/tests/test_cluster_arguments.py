"""Arguments of calls on a cluster: wrong ones are refused before Ray starts, which takes seconds, by errors that fit on a screen."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import ray
from cluster_support import write_formulas

import sundry
from sundry import cluster
from sundry.cluster import archives, sampled
from sundry.cluster.limits import Limits, parse_memory, parse_seconds

ROOT = Path(__file__).resolve().parents[2]
#: Calls that take a limit of time, options and a folder.
CALLS: dict[str, Callable[..., Any]] = {
    "sample": lambda formula, folder, **options: cluster.sample(formula, folder, **options),
    "fuzz": lambda formula, folder, **options: cluster.fuzz(formula, folder, solvers="built-in", **{"shards": 1, **options}),
    "stress": lambda formula, folder, **options: cluster.stress(
        folder, targets="built-in", references="built-in", seeds=formula, **{"shards": 1, **options}
    ),
    "explore": lambda formula, folder, **options: cluster.explore(formula, folder, **options),
}


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    return write_formulas(tmp_path / "formulas", 1)[0]


@pytest.fixture
def no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test in which Ray must not start."""
    monkeypatch.setattr(ray, "init", lambda **_: pytest.fail("Ray starts"))


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timeout": "60"}, "timeout is a number, of seconds such as 60 or 0.5, not '60'"),
        ({"timeout": -1}, "the time limit -1 is not a number of seconds"),
        ({"memory": "much"}, "'much' is no amount of memory"),
        ({"processors": 0}, "processors cannot be 0"),
        ({"processors": "1"}, "processors is a number greater than 0, not '1'"),
        ({"tasks": 0}, "tasks is 0"),
        ({"seed": -1}, "-1"),
        ({"options": ["--nonsense"]}, "unexpected argument '--nonsense'"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_before_ray_starts(
    call: Callable[..., Any], options: dict[str, Any], message: str, formula: Path, tmp_path: Path, no_ray: None
) -> None:
    with pytest.raises((sundry.InputError, TypeError)) as error:
        call(formula, tmp_path / "results", **options)
    assert message in str(error.value)
    assert len(str(error.value).splitlines()) <= 3 and not (tmp_path / "results").exists()


@pytest.mark.parametrize("timeout", [-1, float("nan"), "60"])
def test_a_wrong_limit_of_time_is_the_same_error_as_without_a_cluster(timeout: Any, formula: Path, tmp_path: Path, no_ray: None) -> None:
    with pytest.raises((sundry.InputError, TypeError)) as expected:
        sundry.Formula.from_file(formula).sample(timeout=timeout)
    with pytest.raises(expected.type) as error:
        cluster.sample(formula, tmp_path / "results", timeout=timeout)
    assert str(error.value) == str(expected.value)


def test_sizes_and_strategies_are_refused_before_ray_starts(formula: Path, tmp_path: Path, no_ray: None) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"shard_size": 0}, "shard_size is 0"),
        ({"batch_size": 2.5}, "batch_size is an integer"),
        ({"task_seconds": "1"}, "task_seconds is a number"),
        ({"total_timeout": -2.0}, "total_timeout is a number"),
        ({"strategy": "nonsense"}, "nonsense"),
        ({"strategy": "pan", "options": ["--effort", "low"]}, "--effort has no effect"),
        ({"target": "much"}, "much"),
        ({"max_solutions": 0}, "max_solutions is 0"),
        ({"seed": "x"}, "seed is an integer"),
    ]
    for options, message in wrong:
        with pytest.raises((sundry.InputError, TypeError), match=message):
            cluster.sample(formula, tmp_path / "results", **options)
    for call in (CALLS["fuzz"], CALLS["stress"], CALLS["explore"]):
        with pytest.raises(sundry.InputError, match="shards is 0"):
            call(formula, tmp_path / "results", shards=0)
    with pytest.raises(sundry.InputError, match="nonsense"):
        cluster.explore(formula, tmp_path / "results", strategies=["bfs", "nonsense"])
    with pytest.raises(sundry.InputError, match="no formula to begin with"):
        CALLS["fuzz"]([], tmp_path / "results")
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_folder_of_another_run_is_refused_before_ray_starts(
    call: Callable[..., Any], formula: Path, tmp_path: Path, no_ray: None
) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "run.json").write_text("{}")
    with pytest.raises(cluster.ResultsExistError, match="resume=True"):
        call(formula, folder)
    with pytest.raises(cluster.OtherRunError, match="other"):
        call(formula, folder, resume=True)
    with pytest.raises(sundry.InputError, match="cannot be a folder"):
        call(formula, formula)


def test_a_run_without_a_cluster_leaves_room_for_another(
    formula: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise ConnectionError("no cluster")

    monkeypatch.setattr(ray, "init", fail)
    for call in CALLS.values():
        for seed in (1, 2):
            # The second run has other options, and would be refused if the first one had begun.
            with pytest.raises(ConnectionError):
                call(formula, tmp_path / "results", seed=seed)


def test_an_error_of_a_machine_is_its_message(formula: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(batch: object, sampling: object) -> None:
        raise cluster.TaskError("this machine has no memory", help="buy some")

    monkeypatch.setattr(sampled, "sample_batch", work)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        with pytest.raises(cluster.TaskError) as error:
            cluster.sample(formula, tmp_path / "results", progress=False)
    finally:
        ray.shutdown()
    assert str(error.value) == "this machine has no memory\n  = help: buy some"


def test_limits_are_numbers_as_python_has_them() -> None:
    assert (parse_seconds(None), parse_seconds(float("inf")), parse_seconds(2)) == (None, None, 2.0)
    amounts: list[Any] = [2e9, "1.5K", 4096]
    assert [parse_memory(amount) for amount in amounts] == [2_000_000_000, 1536, 4096]
    assert Limits(2.0, 1 << 20).arguments() == ["--timeout", "2.0", "--memory", "1024.000K"]
    amounts = [float("inf"), 0, "", "0", True]
    for amount in amounts:
        with pytest.raises(sundry.InputError, match="memory"):
            parse_memory(amount)


@pytest.mark.parametrize("has_filter", [True, False])
def test_archives_of_shards_stay_in_their_folder(has_filter: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has filters for archives only since late patch releases of 3.9 to 3.11."""
    if has_filter and not hasattr(tarfile, "data_filter"):
        pytest.skip("this release of Python has no filters")
    if not has_filter:
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
        extract = tarfile.TarFile.extractall

        def extractall(tar: tarfile.TarFile, path: Path, members: Any) -> None:
            """As in releases that have no argument ``filter``."""
            extract(tar, path, members)

        monkeypatch.setattr(tarfile.TarFile, "extractall", extractall)
    whole = tmp_path / "whole"
    (whole / "below").mkdir(parents=True)
    (whole / "below" / "report.md").write_text("found")
    (whole / ".sundry-lock").write_text("")
    archives.unpack(archives.pack(whole), tmp_path / "new")
    assert [path.name for path in sorted((tmp_path / "new").rglob("*"))] == ["below", "report.md"]
    assert (tmp_path / "new" / "below" / "report.md").read_text() == "found"
    (tmp_path / "empty").mkdir()
    archives.unpack(archives.pack(tmp_path / "empty"), tmp_path / "new empty")
    assert list((tmp_path / "new empty").iterdir()) == []
    for name, kind in [("../outside", tarfile.REGTYPE), (f"{tmp_path}/outside", tarfile.REGTYPE), ("outside", tarfile.SYMTYPE)]:
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as tar:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/hostname"
            tar.addfile(member)
        with pytest.raises(cluster.TaskError, match="outside"):
            archives.unpack(archive.getvalue(), tmp_path / "other")
    assert not (tmp_path / "outside").exists() and not (tmp_path / "other").exists()


def test_the_wheel_is_installed_from_its_file_with_an_extra_that_exists() -> None:
    chapter = (ROOT / "docs" / "src" / "clusters.md").read_text(encoding="utf-8")
    extras = (ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8").split("[project.optional-dependencies]")[1]
    for text in (chapter, cluster.__doc__ or ""):
        # The name alone means another project on PyPI.
        assert not re.search(r"pip install '?sundry\b", text)
        installed = re.findall(r"sundry-\S+\.whl\)?\[(\w+)\]", text)
        assert installed and all(re.search(rf"^{extra} = ", extras, re.MULTILINE) for extra in installed)


@pytest.mark.usefixtures("no_ray")
def test_messages_have_the_words_of_python(formula: Path, tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"strategy": "nope"}, sundry.InputError, "invalid value 'nope' for 'strategy'"),
        ({"target": 3}, sundry.InputError, "'target'"),
        ({"resume": "no"}, TypeError, "resume is True or False"),
        ({"progress": print}, TypeError, "progress is True or False"),
    ]
    for options, kind, message in wrong:
        with pytest.raises(kind, match=message):
            cluster.sample(formula, tmp_path / "out", **options)
