#!/usr/bin/env python3
"""Concolic execution by angr of a native program that reads standard input, for comparison with explorations.

Standard input is as long as the seed file, and all its bytes are symbolic. angr has parts for such an exploration, not the
exploration itself, so this is ours: a run follows the seed file; the other way of each branch that it passes waits, the first
one first; a way whose turn comes gets an input, and is followed with it. Each input is a file in the folder, whose name is the
number of milliseconds since the start. angr executes with values wherever nothing depends on the input.

usage: angr_inputs.py PROGRAM SEED FOLDER SECONDS

The Python needs a package: pip install 'angr[unicorn]==9.2.213' pycparser==3.0 'bitstring<4.3'
"""

import collections
import logging
import pathlib
import resource
import sys
import time

import angr
import claripy

# KiB of memory at which an exploration ends.
MEMORY = 4 << 20


class Exploration:
    def __init__(self, program, seed, folder, seconds):
        self.start = time.monotonic()
        self.seconds = seconds
        self.folder = folder
        self.count = 0
        self.seed = seed
        self.content = claripy.BVS("stdin", 8 * len(seed))
        self.project = angr.Project(program, auto_load_libs=False)
        # A program that reads memory it has not written finds zeros, as it would most often.
        options = {angr.options.ZERO_FILL_UNCONSTRAINED_MEMORY, angr.options.ZERO_FILL_UNCONSTRAINED_REGISTERS, *angr.options.unicorn}
        stdin = angr.SimFileStream(name="stdin", content=self.content, has_end=True)
        self.waiting = collections.deque([self.project.factory.full_init_state(stdin=stdin, add_options=options)])

    def is_over(self):
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return time.monotonic() - self.start > self.seconds or memory > MEMORY

    def run(self):
        text = self.seed
        while self.waiting and not self.is_over():
            state = self.waiting.popleft()
            if self.count:
                text = state.solver.eval(self.content, cast_to=bytes)
            self.keep(text)
            self.follow(state, text)

    def keep(self, text):
        milliseconds = int(1000 * (time.monotonic() - self.start))
        (self.folder / f"{milliseconds:07}.{self.count}").write_bytes(text)
        self.count += 1

    def follow(self, state, text):
        """Follows a path with an input to its end; other ways wait."""
        is_input = self.content == claripy.BVV(text)
        while not self.is_over():
            successors = self.project.factory.successors(state).flat_successors
            if len(successors) == 1:
                state = successors[0]
                continue
            own = None
            for successor in successors:
                if own is None and successor.solver.satisfiable(extra_constraints=[is_input]):
                    own = successor
                else:
                    self.waiting.append(successor)
            if own is None:
                return
            state = own


def main():
    program, seed, folder, seconds = sys.argv[1:]
    logging.getLogger("angr").setLevel(logging.CRITICAL)
    logging.getLogger("cle").setLevel(logging.CRITICAL)
    exploration = Exploration(program, pathlib.Path(seed).read_bytes(), pathlib.Path(folder), float(seconds))
    exploration.run()
    print(f"{exploration.count} inputs, {len(exploration.waiting)} ways wait")


main()
