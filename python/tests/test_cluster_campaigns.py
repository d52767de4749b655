"""Campaigns on a cluster: shards with seeds of their own, whose findings are merged."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from cluster_support import DEFECTIVE_OPTIONS, DEFECTIVE_SEED, DEFECTIVE_SOLVER

from sundry import cluster
from sundry.cluster import campaigns

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OPTIONS: dict[str, Any] = {"progress": False, "processors": 0.5}


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def bugs(index: Path) -> dict[str, int]:
    """The findings of each bug by its folder."""
    return {bug["folder"]: bug["count"] for bug in json.loads(index.read_text())["bugs"]}


def test_bugs_of_shards_are_merged_and_shards_resumed(tmp_path: Path) -> None:
    seed, script = tmp_path / "seed.smt2", tmp_path / "defective.sh"
    seed.write_text(DEFECTIVE_SEED)
    script.write_text(DEFECTIVE_SOLVER)
    arguments: dict[str, Any] = {"solvers": f"sh {script}", "references": "built-in", "shards": 2, "options": DEFECTIVE_OPTIONS, **OPTIONS}
    folder = tmp_path / "fuzz"
    campaign = cluster.fuzz(seed, folder, **arguments)
    assert (campaign.shards, campaign.failed) == (2, {})
    shards = [bugs(shard / "index.json") for shard in sorted((folder / "shards").iterdir())]
    merged = bugs(campaign.merged / "index.json")
    assert merged == {bug: sum(shard.get(bug, 0) for shard in shards) for shard in shards for bug in shard}
    assert len(merged) == 2 and all((campaign.merged / bug / "report.md").exists() for bug in merged)
    # A shard that is missing is run again, with the same seed and so with the same bugs.
    missing = folder / "shards" / "0001"
    missing.rename(tmp_path / "moved")
    campaign = cluster.fuzz(seed, folder, resume=True, **arguments)
    assert (campaign.resumed, campaign.shards) == (1, 2)
    assert bugs(missing / "index.json") == shards[1] and bugs(campaign.merged / "index.json") == merged
    with pytest.raises(ValueError, match="other shards"):
        cluster.fuzz(seed, folder, resume=True, **{**arguments, "seed": 5})


def test_explorations_of_one_program_are_merged_by_coverage(tmp_path: Path) -> None:
    program = EXAMPLES / "explore" / "labels.wasm"
    campaign = cluster.explore(program, tmp_path / "out", shards=2, options=["--stdin", "5"], **OPTIONS)
    assert (campaign.shards, campaign.failed) == (2, {})
    record = json.loads((campaign.merged / "record.json").read_text())
    shards = [json.loads((shard / "record.json").read_text()) for shard in (campaign.folder / "shards").iterdir()]
    assert record["directions"] >= max(shard["directions"] for shard in shards)
    assert record["lines"]["covered"] >= max(shard["lines"]["covered"] for shard in shards)
    assert len(list((campaign.merged / "tests").iterdir())) > 0


#: A formula, and a solver that never ends on its comparison.
SLOW_INPUT = """\
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (bvsle x #x05))
(assert (bvult y #x50))
(check-sat)
"""
SLOW_SOLVER = """\
if grep -q bvsle "$1"; then while :; do :; done; elif grep -q BitVec "$1"; then echo unknown; else echo sat; fi
"""


def test_a_slow_input_of_two_shards_is_merged_into_one(tmp_path: Path) -> None:
    seed, script = tmp_path / "seed.smt2", tmp_path / "slow.sh"
    seed.write_text(SLOW_INPUT)
    script.write_text(SLOW_SOLVER)
    options = ["--mix", "seeds=100", "--population", "2", "--generations", "1", "--findings", "1", "--limit", "0.2"]
    options += ["--confirm", "0.5", "--factor", "2", "--reduction-timeout", "0"]
    arguments = {"targets": f"sh {script}", "references": ["built-in"], "seeds": seed, "shards": 2, "options": options, **OPTIONS}
    campaign = cluster.stress(tmp_path / "out", **arguments)
    assert (campaign.shards, campaign.failed) == (2, {})
    cases = [
        case
        for shard in sorted((campaign.folder / "shards").iterdir())
        for case in json.loads((shard / "record.json").read_text())["cases"]
        if case["status"] == "confirmed"
    ]
    assert len(cases) == 2 and cases[0]["folder"] == cases[1]["folder"]
    [merged] = json.loads((campaign.merged / "slow.json").read_text())
    assert merged["folder"] == cases[0]["folder"] and merged["count"] == sum(case["count"] for case in cases)
    assert "bvsle" in (campaign.merged / merged["folder"] / "formula.smt2").read_text()
    assert (campaign.merged / merged["folder"] / "report.md").exists()
    assert json.loads((campaign.merged / "defects" / "index.json").read_text())["bugs"] == []


def test_shards_without_slow_inputs_are_merged(tmp_path: Path) -> None:
    solver = f"{sys.executable} -m sundry solve"
    options = ["--logic", "QF_BV", "--population", "4", "--generations", "1", "--confirm", "0", "--limit", "1"]
    arguments = {"targets": [solver], "references": ["built-in"], "shards": 2, "options": options, **OPTIONS}
    campaign = cluster.stress(tmp_path / "out", **arguments)
    assert (campaign.shards, campaign.failed) == (2, {})
    populations = [sorted((shard / "population").iterdir()) for shard in (campaign.folder / "shards").iterdir()]
    assert [len(population) for population in populations] == [4, 4]
    # Nothing is confirmed with --confirm 0, so the lists are empty, and they are there.
    assert json.loads((campaign.merged / "slow.json").read_text()) == []
    assert json.loads((campaign.merged / "defects" / "index.json").read_text())["bugs"] == []


def test_a_shard_that_fails_says_why(tmp_path: Path) -> None:
    campaign = cluster.fuzz(tmp_path / "none.smt2", tmp_path / "out", solvers=["true"], shards=1, **OPTIONS)
    assert campaign.shards == 0 and "none.smt2" in campaign.failed["0000"]


def test_the_chapter_of_the_book_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its examples run in order, with fewer shards, less time, and the solver of the wheel in the place of others."""
    monkeypatch.chdir(tmp_path)
    commands = tmp_path / "commands"
    commands.mkdir()
    for name in ("z3", "cvc5"):
        # Options are those of z3 and cvc5; the formula comes last.
        (commands / name).write_text(f'#!/bin/sh\nfor file; do :; done\nexec {sys.executable} -m sundry solve --quiet "$file"\n')
        (commands / name).chmod(0o755)
    for folder in ("formulas", "seeds"):
        (tmp_path / folder).mkdir()
        for name in ("door", "window"):
            (tmp_path / folder / f"{name}.smt2").write_text("(declare-const x (_ BitVec 4)) (assert (bvult x #x5)) (check-sat)")
    for name in ("parser", "a", "b"):
        (tmp_path / f"{name}.wasm").symlink_to(EXAMPLES / "explore" / "labels.wasm")
    text = (EXAMPLES.parent / "docs" / "src" / "clusters.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    changes = {r"timeout=\d+": "timeout=5", r"shards=\d+": "shards=2", r'"(z3|cvc5)"': rf'"{commands}/\1"'}
    names: dict[str, Any] = {}
    for block in blocks:
        for pattern, change in changes.items():
            block = re.sub(pattern, change, block)
        exec(block, names)
    assert names["summary"].complete and len(names["solutions"]) == names["summary"].solutions
    assert (names["campaign"].shards, names["campaign"].failed) == (2, {}) and (tmp_path / "explored" / "merged").is_dir()


def test_shards_whose_time_was_up_before_they_began_are_not_merged(tmp_path: Path) -> None:
    shards = [tmp_path / "shards" / name for name in ("0000", "0001")]
    for shard in shards:
        shard.mkdir(parents=True)
    campaigns._merge_findings(tmp_path / "merged", shards)
    assert not (tmp_path / "merged").exists()
    command = [sys.executable, "-m", "sundry", "fuzz", "--solver", "built-in", "--mutants", "1", "--quiet", "--output", str(shards[1])]
    assert subprocess.run([*command, str(EXAMPLES / "options.smt2")], stdout=subprocess.DEVNULL).returncode == 0
    campaigns._merge_findings(tmp_path / "merged", shards)
    assert (tmp_path / "merged" / "index.json").exists()
