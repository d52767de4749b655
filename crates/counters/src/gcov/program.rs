//! Counters of arcs to counts of lines, as a program without branches.
//!
//! Only the arcs outside of a spanning tree of a function have counters. The others follow: what enters a block leaves it.
//! The order in which they follow depends on the graph alone, so it is found once, when a build is read, and the counts of
//! a run are sums and differences in that order. The count of a line is, after gcov, what enters the set of its blocks from
//! elsewhere, plus the [cycles](super::cycles) within the set. In this form the counts of a run of a large solver take
//! milliseconds; gcov builds and solves each graph anew, for seconds.
//!
//! A program is a list of words, in three parts, each with its length in front: arcs to solve (numbers of terms added and
//! subtracted, and the terms), lines (number, number of terms, terms), and lines with cycles (number, number of arcs, and
//! for each arc source, target, term). A term is the number of an arc; those with counters come first.
//!
//! Three differences to gcov. It mixes the blocks of all functions of an object that share a line: where a line ends a
//! block in one function and is in the middle of a block in another, executions of the latter are lost; here, functions
//! are apart and their counts are added. That concerned 341 of 22,644 lines in a run of z3, all in small inlined functions
//! of headers. Where counters contradict each other, since the program was stopped in the middle, gcov reports negative
//! counts, which are none here. And gcov complains of an unsolvable graph, whose open arcs count as never taken in both.

use super::cycles;
use super::notes::Graph;

/// A function in compiled form.
#[derive(Clone, Debug)]
pub struct Function {
    pub ident: u32,
    pub checksums: [u32; 2],
    /// The number of its counters.
    pub counters: u32,
    /// The beginning of its program.
    program: u32,
}

/// The programs of all functions.
#[derive(Default, Debug)]
pub struct Programs {
    words: Vec<u32>,
}

/// Buffers for runs of programs.
#[derive(Default, Debug)]
pub struct Scratch {
    arcs: Vec<i64>,
    cycles: cycles::Scratch,
}

/// The arcs at each block.
struct Incidence {
    /// The place of the first outgoing arc of each block; arcs are in the order of their sources.
    leaving: Vec<u32>,
    /// Arcs in the order of their targets, and the place of the first of each block.
    by_target: Vec<u32>,
    entering: Vec<u32>,
}

impl Incidence {
    fn new(graph: &Graph) -> Incidence {
        let blocks = graph.blocks as usize;
        let (mut leaving, mut entering) = (vec![0; blocks + 1], vec![0; blocks + 1]);
        for arc in &graph.arcs {
            leaving[arc.source as usize + 1] += 1;
            entering[arc.target as usize + 1] += 1;
        }
        for block in 0..blocks {
            leaving[block + 1] += leaving[block];
            entering[block + 1] += entering[block];
        }
        let mut by_target: Vec<u32> = (0..graph.arcs.len() as u32).collect();
        by_target.sort_by_key(|&arc| graph.arcs[arc as usize].target);
        Incidence { leaving, by_target, entering }
    }

    fn out(&self, block: u32) -> std::ops::Range<u32> {
        self.leaving[block as usize]..self.leaving[block as usize + 1]
    }

    fn into(&self, block: u32) -> &[u32] {
        &self.by_target[self.entering[block as usize] as usize..self.entering[block as usize + 1] as usize]
    }
}

impl Programs {
    /// Compiles a function. `number` gives the number of a line of a file.
    ///
    /// Returns `None` if the programs are longer than numbers can say.
    pub fn compile(&mut self, graph: &Graph, number: &mut dyn FnMut(u32, u32) -> u32) -> Option<Function> {
        let counters = graph.arcs.iter().filter(|arc| !arc.on_tree).count() as u32;
        let program = u32::try_from(self.words.len()).ok()?;
        if graph.artificial {
            self.words.extend([0; 3]);
        } else {
            let incidence = Incidence::new(graph);
            let terms = self.solve(graph, &incidence, counters);
            self.lines(graph, &incidence, &terms, number);
        }
        Some(Function { ident: graph.ident, checksums: graph.checksums, counters, program })
    }

    /// Writes how to solve the arcs of the spanning tree, from its leaves. Returns the terms of all arcs.
    fn solve(&mut self, graph: &Graph, incidence: &Incidence, counters: u32) -> Vec<u32> {
        const OPEN: u32 = u32::MAX;
        let mut terms = Vec::with_capacity(graph.arcs.len());
        let mut next = 0;
        let mut open = vec![0u32; graph.blocks as usize];
        for arc in &graph.arcs {
            if arc.on_tree {
                terms.push(OPEN);
                open[arc.source as usize] += 1;
                open[arc.target as usize] += 1;
            } else {
                terms.push(next);
                next += 1;
            }
        }
        self.words.push(graph.arcs.len() as u32 - counters);
        // Nothing enters the entry and nothing leaves the exit, so these two say nothing about their arcs.
        let mut ready: Vec<u32> =
            (2..graph.blocks).rev().filter(|&block| open[block as usize] == 1).collect();
        while let Some(block) = ready.pop() {
            let is_open = |arc: &u32| terms[*arc as usize] == OPEN;
            let (leaving, entering) = (incidence.out(block), incidence.into(block));
            let out = leaving.clone().find(|arc| is_open(arc));
            let Some(arc) = out.or_else(|| entering.iter().copied().find(|arc| is_open(arc))) else {
                continue;
            };
            let head = self.words.len();
            self.words.extend([0, 0]);
            let same = leaving.filter(|&other| other != arc);
            let (added, subtracted): (Vec<u32>, Vec<u32>) = match out {
                Some(_) => (entering.to_vec(), same.collect()),
                None => (same.collect(), entering.iter().copied().filter(|&other| other != arc).collect()),
            };
            self.words[head] = added.len() as u32;
            self.words[head + 1] = subtracted.len() as u32;
            self.words.extend(added.iter().chain(&subtracted).map(|&arc| terms[arc as usize]));
            terms[arc as usize] = next;
            next += 1;
            let ends = graph.arcs[arc as usize];
            for end in [ends.source, ends.target] {
                open[end as usize] -= 1;
                if end > 1 && open[end as usize] == 1 {
                    ready.push(end);
                }
            }
        }
        for term in terms.iter_mut().filter(|term| **term == OPEN) {
            self.words.extend([0, 0]);
            *term = next;
            next += 1;
        }
        terms
    }

    fn lines(
        &mut self,
        graph: &Graph,
        incidence: &Incidence,
        terms: &[u32],
        number: &mut dyn FnMut(u32, u32) -> u32,
    ) {
        let (mut parts, mut ends) = (Vec::new(), Vec::new());
        let mut last = None;
        for location in &graph.locations {
            let numbered = location.lines.iter().map(|&line| (number(location.file, line), location.block));
            let before = parts.len();
            parts.extend(numbered);
            last = parts[before..].last().copied().or(last.filter(|&(_, block)| block == location.block));
            // gcov leaves out the entry and the last block, although block 1 is the exit.
            if let Some(end) = last.filter(|&(_, block)| block != 0 && block + 1 != graph.blocks) {
                ends.push(end);
            }
        }
        parts.sort_unstable();
        ends.sort_unstable();
        let (head, mut written) = (self.words.len(), 0);
        self.words.push(0);
        let mut circular = Vec::new();
        let mut inside = vec![false; graph.blocks as usize];
        for part in parts.chunk_by(|a, b| a.0 == b.0) {
            let line = part[0].0;
            let begin = ends.partition_point(|end| end.0 < line);
            let ends = &ends[begin..begin + ends[begin..].partition_point(|end| end.0 == line)];
            let place = self.words.len();
            self.words.extend([line, 0]);
            if ends.is_empty() {
                for &(_, block) in part {
                    self.words.extend(executions(incidence, block).map(|arc| terms[arc as usize]));
                }
            } else {
                ends.iter().for_each(|&(_, block)| inside[block as usize] = true);
                let mut arcs = Vec::new();
                let mut has_cycle = false;
                for &(_, block) in ends {
                    for &arc in incidence.into(block) {
                        let source = graph.arcs[arc as usize].source;
                        if inside[source as usize] {
                            // A cycle has an arc that does not ascend.
                            has_cycle |= source >= block;
                            arcs.push(arc);
                        } else {
                            self.words.push(terms[arc as usize]);
                        }
                    }
                }
                ends.iter().for_each(|&(_, block)| inside[block as usize] = false);
                if has_cycle {
                    arcs.sort_unstable_by_key(|&arc| {
                        (graph.arcs[arc as usize].source, graph.arcs[arc as usize].target, arc)
                    });
                    arcs.dedup();
                    circular.push((line, arcs));
                }
            }
            let count = self.words.len() - place - 2;
            self.words[place + 1] = count as u32;
            if count == 0 {
                self.words.truncate(place);
            } else {
                written += 1;
            }
        }
        self.words[head] = written;
        self.words.push(circular.len() as u32);
        for (line, arcs) in circular {
            self.words.extend([line, arcs.len() as u32]);
            for arc in arcs {
                let ends = graph.arcs[arc as usize];
                self.words.extend([ends.source, ends.target, terms[arc as usize]]);
            }
        }
    }

    /// Adds the counts of a function's lines, by the number of the line. `counters` has as many words of 64 bits as the
    /// function has counters.
    pub fn run(&self, function: &Function, counters: &[u8], lines: &mut [i64], scratch: &mut Scratch) {
        let arcs = &mut scratch.arcs;
        arcs.clear();
        arcs.extend(counters.as_chunks().0.iter().map(|&counter| i64::from_le_bytes(counter)));
        let mut words = &self.words[function.program as usize..];
        let sum = |terms: &[u32], arcs: &[i64]| {
            terms.iter().fold(0, |sum: i64, &term| sum.wrapping_add(arcs[term as usize]))
        };
        for _ in 0..take(&mut words, 1)[0] {
            let [added, subtracted] = take_two(&mut words);
            let added = sum(take(&mut words, added), arcs);
            let subtracted = sum(take(&mut words, subtracted), arcs);
            arcs.push(added.wrapping_sub(subtracted));
        }
        for _ in 0..take(&mut words, 1)[0] {
            let [line, count] = take_two(&mut words);
            let line = &mut lines[line as usize];
            *line = line.wrapping_add(sum(take(&mut words, count), arcs));
        }
        for _ in 0..take(&mut words, 1)[0] {
            let [line, count] = take_two(&mut words);
            let line = &mut lines[line as usize];
            *line = line.wrapping_add(cycles::count(take(&mut words, 3 * count), arcs, &mut scratch.cycles));
        }
    }
}

/// The next words of a program.
#[inline]
fn take<'a>(words: &mut &'a [u32], count: u32) -> &'a [u32] {
    let (taken, rest) = words.split_at(count as usize);
    *words = rest;
    taken
}

#[inline]
fn take_two(words: &mut &[u32]) -> [u32; 2] {
    let taken = take(words, 2);
    [taken[0], taken[1]]
}

/// The arcs whose counts add up to the executions of a block, on the side that has fewer.
fn executions(incidence: &Incidence, block: u32) -> impl Iterator<Item = u32> {
    let (out, into) = (incidence.out(block), incidence.into(block));
    let enters = block != 0 && (block == 1 || into.len() <= out.len());
    let (out, into) = if enters { (0..0, into) } else { (out, &[][..]) };
    into.iter().copied().chain(out)
}
