//! A search from one node in the manner of Dijkstra, with one set of tables for all searches.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A search: a distance for each node that was reached, and the edge by which it was.
///
/// Ways are *relevant* or not. Of two ways of the same length, the one that is not relevant is better.
#[derive(Clone, Default, Debug)]
pub(super) struct Search {
    /// Nodes by distance, the nearest first. A node may be there several times.
    heap: BinaryHeap<Reverse<(i128, bool, u32)>>,
    nodes: Vec<Reached>,
    /// The number of the present search.
    number: u32,
    /// The nodes with a final distance by a relevant way, in order.
    settled: Vec<u32>,
    /// The relevant ways in the heap.
    open: usize,
}

/// The way to a node.
#[derive(Copy, Clone, Default, Debug)]
struct Reached {
    distance: i128,
    edge: u32,
    is_relevant: bool,
    /// The number of the search in which the node was reached last.
    search: u32,
    /// The number of the search in which the distance became final last.
    settled: u32,
}

impl Search {
    pub(super) fn begin(&mut self, nodes: usize) {
        self.nodes.resize(nodes, Reached::default());
        self.number += 1;
        self.heap.clear();
        self.settled.clear();
        self.open = 0;
    }

    /// Notes a way to a node, if it is the best so far.
    pub(super) fn reach(&mut self, node: u32, distance: i128, edge: u32, is_relevant: bool) {
        let number = self.number;
        let known = &mut self.nodes[node as usize];
        if known.settled == number
            || known.search == number && (known.distance, known.is_relevant) <= (distance, is_relevant)
        {
            return;
        }
        let settled = known.settled;
        *known = Reached { distance, edge, is_relevant, search: number, settled };
        self.heap.push(Reverse((distance, is_relevant, node)));
        self.open += usize::from(is_relevant);
    }

    /// The nearest node whose distance is not final, as long as there are relevant ways; its distance is final now. Whether its way is relevant.
    pub(super) fn settle(&mut self) -> Option<(u32, bool)> {
        while self.open > 0 {
            let Reverse((distance, is_relevant, node)) = self.heap.pop().expect("a way is open");
            self.open -= usize::from(is_relevant);
            let known = &mut self.nodes[node as usize];
            if known.settled != self.number && (known.distance, known.is_relevant) == (distance, is_relevant)
            {
                known.settled = self.number;
                if is_relevant {
                    self.settled.push(node);
                }
                return Some((node, is_relevant));
            }
        }
        None
    }

    /// Makes the way to the node that was settled last irrelevant.
    pub(super) fn withdraw(&mut self) {
        if let Some(node) = self.settled.pop() {
            self.nodes[node as usize].is_relevant = false;
        }
    }

    /// The nodes with a final distance by a relevant way, in order.
    pub(super) fn settled(&self) -> &[u32] {
        &self.settled
    }

    /// The final distance of a node by a relevant way.
    pub(super) fn relevant_distance(&self, node: u32) -> Option<i128> {
        let known = self.nodes.get(node as usize)?;
        (known.settled == self.number && known.is_relevant).then_some(known.distance)
    }

    /// The distance of a node that was reached.
    pub(super) fn distance(&self, node: u32) -> i128 {
        self.nodes[node as usize].distance
    }

    /// The edge by which a node was reached.
    pub(super) fn edge(&self, node: u32) -> u32 {
        self.nodes[node as usize].edge
    }
}
