#!/usr/bin/env python3
"""Writes path conditions of small programs, as dynamic symbolic execution asks them: a run on random inputs is followed, and its last branch is flipped.

usage: benches/paths.py FOLDER [--runs 10] [--branches 24] [--seed 1]

Each program computes with pairs of a term and its value in this run. A branch adds its condition, or the negation, to the path.
"""

import argparse
import pathlib
import random
import struct


class Word:
    """A term with its value in the run, of one of the sorts below."""

    def __init__(self, run, term, value):
        self.run, self.term, self.value = run, term, value

    def of(self, operator, value, *others):
        terms = " ".join([self.term, *(other.term for other in others)])
        return Word(self.run, f"({operator} {terms})", value)


class Run:
    """A run of a program: its inputs and the conditions of its branches."""

    def __init__(self, logic, randomness, branches):
        self.logic, self.random, self.branches = logic, randomness, branches
        self.declarations, self.path = [], []

    def declare(self, name, sort, value):
        self.declarations.append(f"(declare-const {name} {sort})")
        return Word(self, name, value)

    def branch(self, operator, left, right, holds):
        """Whether a comparison holds. Ends the run after enough branches."""
        term = f"({operator} {left.term} {right.term})"
        self.path.append(term if holds else f"(not {term})")
        if len(self.path) >= self.branches:
            raise StopIteration
        return holds

    def script(self):
        """The path with its last branch flipped."""
        last = self.path[-1]
        flipped = last[len("(not ") : -1] if last.startswith("(not ") else f"(not {last})"
        assertions = [f"(assert {condition})" for condition in [*self.path[:-1], flipped]]
        return "\n".join([f"(set-logic {self.logic})", *self.declarations, *assertions, "(check-sat)", ""])


# Integers.


def number(run, value):
    return Word(run, str(value) if value >= 0 else f"(- {-value})", value)


def schedule(run):
    """Tasks with start and length: counts overlaps, late ends and gaps."""
    tasks = [
        [run.declare(f"{kind}{task}", "Int", run.random.randint(-50, 50)) for kind in ("start", "length")] for task in range(6)
    ]
    ends = [start.of("+", start.value + length.value, length) for start, length in tasks]
    for start, length in tasks:
        run.branch(">=", length, number(run, 1), length.value >= 1)
    for one in range(6):
        for other in range(one):
            if run.branch("<", ends[one], tasks[other][0], ends[one].value < tasks[other][0].value):
                gap = tasks[other][0].of("-", tasks[other][0].value - ends[one].value, ends[one])
                run.branch(">", gap, number(run, 10), gap.value > 10)
            elif run.branch("<=", tasks[one][0], ends[other], tasks[one][0].value <= ends[other].value):
                both = ends[one].of("+", ends[one].value + ends[other].value, ends[other])
                run.branch(">=", both, tasks[one][1], both.value >= tasks[one][1].value)


def polygon(run):
    """Points against lines with integer coefficients."""
    points = [[run.declare(f"{axis}{point}", "Int", run.random.randint(-20, 20)) for axis in "xy"] for point in range(4)]
    while True:
        point, other = run.random.sample(points, 2)
        a, b, c, d = (run.random.randint(-9, 9) for _ in range(4))
        parts = [(a, point[0]), (b, point[1]), (c, other[0])]
        total = sum(factor * part.value for factor, part in parts)
        terms = " ".join(f"(* {number(run, factor).term} {part.term})" for factor, part in parts)
        run.branch(">=", Word(run, f"(+ {terms})", total), number(run, d), total >= d)


# Words and memory.


def byte(run, value):
    return Word(run, f"#x{value & 255:02x}", value & 255)


class Memory:
    """An array of bytes whose contents are an input."""

    def __init__(self, run):
        self.run, self.term = run, "memory"
        run.declarations.append("(declare-const memory (Array (_ BitVec 8) (_ BitVec 8)))")
        self.values = [run.random.randrange(256) for _ in range(256)]

    def read(self, place):
        return Word(self.run, f"(select {self.term} {place.term})", self.values[place.value])

    def write(self, place, word):
        name = f"memory{len(self.run.declarations)}"
        sort = "(Array (_ BitVec 8) (_ BitVec 8))"
        self.run.declarations.append(f"(define-fun {name} () {sort} (store {self.term} {place.term} {word.term}))")
        self.term = name
        self.values = list(self.values)
        self.values[place.value] = word.value


def add(left, right):
    return left.of("bvadd", (left.value + right.value) & 255, right)


def sort(run):
    """Insertion sort of the bytes at unknown places."""
    memory = Memory(run)
    places = [run.declare(f"place{number}", "(_ BitVec 8)", run.random.randrange(256)) for number in range(12)]
    for first in range(1, 12):
        for place in range(first, 0, -1):
            here, there = memory.read(places[place]), memory.read(places[place - 1])
            if not run.branch("bvult", here, there, here.value < there.value):
                break
            memory.write(places[place], there)
            memory.write(places[place - 1], here)


def table(run):
    """A table of hashes with open addressing: insertions and lookups of unknown keys."""
    memory = Memory(run)
    for step in range(20):
        key = run.declare(f"key{step}", "(_ BitVec 8)", run.random.randrange(256))
        product = key.of("bvmul", (key.value * 29) & 255, byte(run, 29))
        place = product.of("bvand", product.value & 31, byte(run, 31))
        for _ in range(4):
            there = memory.read(place)
            if run.branch("bvult", there, byte(run, 64), there.value < 64):
                memory.write(place, key.of("bvor", key.value | 64, byte(run, 64)))
                break
            if run.branch("=", there, key, there.value == key.value):
                break
            place = add(place, byte(run, 1))


# Floating point, in single precision.


def single(value):
    """The nearest number in single precision."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def real(run, value):
    bits = struct.unpack(">I", struct.pack(">f", single(value)))[0]
    return Word(run, f"(fp #b{bits >> 31} #b{bits >> 23 & 255:08b} #b{bits & (1 << 23) - 1:023b})", single(value))


def floats(operator, left, right):
    value = {"fp.add": left.value + right.value, "fp.sub": left.value - right.value, "fp.mul": left.value * right.value}[operator]
    return Word(left.run, f"({operator} RNE {left.term} {right.term})", single(value))


def unknown(run, name):
    return run.declare(name, "(_ FloatingPoint 8 24)", single(run.random.uniform(-8, 8)))


def elimination(run):
    """Products and differences of a matrix, compared as in a search for pivots."""
    matrix = [[unknown(run, f"m{row}{column}") for column in range(5)] for row in range(4)]
    for column in range(4):
        for row in range(column + 1, 4):
            here, best = matrix[row][column], matrix[column][column]
            if run.branch("fp.lt", best, here, best.value < here.value):
                matrix[row], matrix[column] = matrix[column], matrix[row]
            run.branch("fp.lt", real(run, 0.5), matrix[column][column], 0.5 < matrix[column][column].value)
        for row in range(column + 1, 4):
            for other in range(column + 1, 5):
                product = floats("fp.mul", matrix[row][column], matrix[column][other])
                rest = floats("fp.sub", matrix[row][other], product)
                run.branch("fp.leq", rest, matrix[0][other], rest.value <= matrix[0][other].value)
                matrix[row][other] = rest


def filters(run):
    """A signal through a filter, with limits."""
    signal = [unknown(run, f"s{step}") for step in range(5)]
    state = real(run, 0)
    while True:
        for sample in signal:
            scaled = floats("fp.mul", state, real(run, 0.75))
            state = floats("fp.add", scaled, sample)
            if run.branch("fp.lt", real(run, 10), state, 10 < state.value):
                state = floats("fp.sub", state, real(run, 10))
            run.branch("fp.leq", real(run, -10), state, -10 <= state.value)


PROGRAMS = {
    "LIA": ("QF_LIA", [schedule, polygon]),
    "ABV": ("QF_ABV", [sort, table]),
    "FP": ("QF_FP", [elimination, filters]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10, help="of each program")
    parser.add_argument("--branches", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for logic, programs in PROGRAMS.values():
        for program in programs:
            for number_of_run in range(options.runs):
                randomness = random.Random(f"{options.seed} {program.__name__} {number_of_run}")
                run = Run(logic, randomness, options.branches + number_of_run % 8)
                try:
                    program(run)
                except StopIteration:
                    pass
                (options.folder / f"{program.__name__}-{number_of_run}.smt2").write_text(run.script())


if __name__ == "__main__":
    main()
