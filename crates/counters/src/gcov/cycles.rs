//! Executions of loops that lie on one line.
//!
//! The count of a line is what enters its blocks, plus what goes round within them. gcov finds elementary cycles one after
//! the other, counts the least frequent arc of each, and takes that off all its arcs. The result depends on the order of
//! cycles where these overlap, so the order here is gcov's: by the first block of the cycle, then by arcs in the order of
//! their targets. gcov enumerates with the algorithm of Hawick and James; looking for the first cycle again after each is
//! simpler, finds the same ones, and the graphs are tiny.

/// A limit on the arcs that are looked at on one line, for files that nobody has compiled.
const EFFORT: usize = 1 << 20;

/// Buffers.
#[derive(Default, Debug)]
pub struct Scratch {
    /// The arcs with their counts.
    arcs: Vec<(u32, u32, i64)>,
    /// The places of the arcs on the path, the last of which is tried now.
    path: Vec<usize>,
    visited: Vec<u32>,
}

/// The number of executions of cycles of a graph. It has three words for each arc, in ascending order: source, target and
/// the place of its count.
pub fn count(graph: &[u32], counts: &[i64], scratch: &mut Scratch) -> i64 {
    let Scratch { arcs, path, visited } = scratch;
    arcs.clear();
    arcs.extend(
        graph.as_chunks().0.iter().map(|&[source, target, place]| (source, target, counts[place as usize])),
    );
    let (mut total, mut effort) = (0i64, EFFORT);
    let mut begin = 0;
    while begin < arcs.len() {
        let start = arcs[begin].0;
        while find(arcs, begin, start, path, visited, &mut effort) {
            let least = path.iter().map(|&arc| arcs[arc].2).min().unwrap_or(0);
            path.iter().for_each(|&arc| arcs[arc].2 -= least);
            total = total.wrapping_add(least);
        }
        begin += arcs[begin..].partition_point(|arc| arc.0 == start);
    }
    total
}

/// Finds the first cycle through a block over executed arcs between it and later blocks.
fn find(
    arcs: &[(u32, u32, i64)],
    begin: usize,
    start: u32,
    path: &mut Vec<usize>,
    visited: &mut Vec<u32>,
    effort: &mut usize,
) -> bool {
    visited.clear();
    path.clear();
    let (mut source, mut next) = (start, begin);
    loop {
        match arcs.get(next).filter(|arc| arc.0 == source) {
            Some(&(_, target, count)) => {
                let Some(left) = effort.checked_sub(1 + visited.len()) else { return false };
                *effort = left;
                if count <= 0 || target < start || visited.contains(&target) {
                    next += 1;
                    continue;
                }
                path.push(next);
                if target == start {
                    return true;
                }
                visited.push(target);
                source = target;
                next = begin + arcs[begin..].partition_point(|arc| arc.0 < target);
            }
            None => {
                let Some(arc) = path.pop() else { return false };
                (source, next) = (arcs[arc].0, arc + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scratch, count};

    fn cycles(arcs: &[(u32, u32, i64)]) -> i64 {
        let words: Vec<u32> = (0..).zip(arcs).flat_map(|(place, arc)| [arc.0, arc.1, place]).collect();
        let counts: Vec<i64> = arcs.iter().map(|arc| arc.2).collect();
        count(&words, &counts, &mut Scratch::default())
    }

    #[test]
    fn cycles_are_counted_once() {
        assert_eq!(cycles(&[(2, 2, 5)]), 5);
        assert_eq!(cycles(&[(2, 3, 11), (3, 4, 10), (4, 3, 10)]), 10);
        assert_eq!(cycles(&[(2, 3, 7), (2, 4, 3), (3, 2, 7), (4, 2, 3)]), 10);
        assert_eq!(cycles(&[(2, 3, 1), (3, 4, 0), (4, 2, 1)]), 0);
    }

    #[test]
    fn a_block_that_leads_nowhere_does_not_end_the_search() {
        assert_eq!(cycles(&[(2, 3, 4), (2, 5, 4), (3, 4, 4), (5, 2, 4)]), 4);
    }

    #[test]
    fn contradictory_counts_end() {
        assert_eq!(cycles(&[(2, 3, -4), (3, 2, 4)]), 0);
        assert_eq!(cycles(&[(2, 2, i64::MAX), (3, 3, i64::MAX)]), -2);
    }
}
