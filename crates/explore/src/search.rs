//! Search strategies: which open branch comes next.

mod giving_up;

use std::collections::BTreeSet;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use crate::program::Program;
use crate::trace::Edge;
use crate::tree::{OpenBranch, Tree};

/// A strategy.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum StrategyKind {
    /// The branch that was opened last.
    DepthFirst,
    /// The branch with the smallest number of decisions before it.
    BreadthFirst,
    /// Any branch, all alike (KLEE's random state search).
    RandomState,
    /// In turns, a branch at the end of a random walk through the tree, and one that covers something new (KLEE's default).
    RandomCoverNew,
    /// A branch whose direction no run has taken, and among others, one whose direction has been tried least. Each second one is in the program itself, also if
    /// its direction has been taken, because libraries have far more directions, and errors often need a combination of directions.
    #[default]
    Coverage,
}

impl StrategyKind {
    /// All strategies.
    pub const ALL: [StrategyKind; 5] = [
        StrategyKind::DepthFirst,
        StrategyKind::BreadthFirst,
        StrategyKind::RandomState,
        StrategyKind::RandomCoverNew,
        StrategyKind::Coverage,
    ];

    /// The name of the strategy.
    pub fn name(self) -> &'static str {
        match self {
            StrategyKind::DepthFirst => "dfs",
            StrategyKind::BreadthFirst => "bfs",
            StrategyKind::RandomState => "rss",
            StrategyKind::RandomCoverNew => "rcn",
            StrategyKind::Coverage => "coverage",
        }
    }
}

/// A direction: an instruction and its outcome.
type Direction = (u32, u64);

/// The rank of a direction: whether a run has taken it, the number of its branches that have been tried, the least cost of its branches, and the direction itself.
type Rank = (bool, u32, u32, Direction);

/// The number of tries for which a run that has taken the direction counts, outside of libraries.
const TRIES_OF_COVERED: u32 = 2;

/// The rank of a direction among those outside of libraries.
fn outside_libraries((is_covered, tries, cost, direction): Rank) -> (u32, u32, Direction) {
    (tries + if is_covered { TRIES_OF_COVERED } else { 0 }, cost, direction)
}

/// Open branches with the same direction.
#[derive(Default)]
struct Group {
    is_covered: bool,
    tries: u32,
    /// The least cost of the branches.
    cost: u32,
    branches: Vec<(OpenBranch, u32)>,
}

impl Group {
    fn rank(&self, direction: Direction) -> Rank {
        (self.is_covered, self.tries, self.cost, direction)
    }
}

/// The open branches, the set *B* of the paper. Branches that a run has taken meanwhile are left out when they would be chosen.
pub struct Frontier<'p> {
    strategy: StrategyKind,
    program: &'p Program,
    random: ChaCha8Rng,
    stack: Vec<OpenBranch>,
    queue: BTreeSet<(u32, u64, OpenBranch)>,
    added: u64,
    groups: FxHashMap<Direction, Group>,
    /// Directions with branches.
    ranked: BTreeSet<Rank>,
    /// Directions outside of libraries, by tries, cost and direction, where a run that has taken the direction counts as some tries.
    ranked_outside_libraries: BTreeSet<(u32, u32, Direction)>,
    is_other_turn: bool,
}

impl<'p> Frontier<'p> {
    /// A frontier without branches.
    pub fn new(strategy: StrategyKind, seed: u64, program: &'p Program) -> Frontier<'p> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(1);
        Frontier {
            strategy,
            program,
            random,
            stack: Vec::new(),
            queue: BTreeSet::new(),
            added: 0,
            groups: FxHashMap::default(),
            ranked: BTreeSet::new(),
            ranked_outside_libraries: BTreeSet::new(),
            is_other_turn: false,
        }
    }

    /// Adds branches, in the order of their decisions. `is_covered` says whether a run has taken an edge, and `cost_of` estimates the work of the question about a
    /// branch.
    pub fn add(
        &mut self,
        tree: &Tree,
        branches: &[OpenBranch],
        is_covered: &dyn Fn(Edge) -> bool,
        cost_of: &mut dyn FnMut(OpenBranch) -> u32,
    ) {
        match self.strategy {
            StrategyKind::DepthFirst | StrategyKind::RandomState => self.stack.extend(branches),
            StrategyKind::BreadthFirst => {
                for &branch in branches {
                    self.queue.insert((tree.depth(branch), self.added, branch));
                    self.added += 1;
                }
            }
            StrategyKind::RandomCoverNew | StrategyKind::Coverage => {
                for &branch in branches {
                    let direction = tree.place(branch);
                    let cost = cost_of(branch);
                    let group = self.groups.entry(direction).or_default();
                    let before = group.rank(direction);
                    group.branches.push((branch, cost));
                    let is_first = group.branches.len() == 1;
                    if is_first {
                        // Edges count outside of the library for floats only.
                        group.is_covered |=
                            self.program.module.is_in_library(direction.0) || is_covered(edge_of(direction));
                    }
                    if is_first || cost < group.cost {
                        group.cost = cost;
                        let rank = group.rank(direction);
                        self.unrank(before);
                        self.rank(rank);
                    }
                }
            }
        }
    }

    /// Takes note of edges that no run before has taken.
    pub fn cover(&mut self, edges: &[Edge]) {
        for &edge in edges {
            let direction = ((edge >> 32) as u32, edge & 0xffff_ffff);
            if let Some(group) = self.groups.get_mut(&direction)
                && !group.is_covered
            {
                let before = group.rank(direction);
                group.is_covered = true;
                let rank = group.rank(direction);
                if self.unrank(before) {
                    self.rank(rank);
                }
            }
        }
    }

    fn rank(&mut self, rank: Rank) {
        self.ranked.insert(rank);
        if !self.program.is_in_library(rank.3.0) {
            self.ranked_outside_libraries.insert(outside_libraries(rank));
        }
    }

    fn unrank(&mut self, rank: Rank) -> bool {
        self.ranked_outside_libraries.remove(&outside_libraries(rank));
        self.ranked.remove(&rank)
    }

    /// The number of branches, including those that a run has taken meanwhile.
    pub fn len(&self) -> usize {
        self.stack.len()
            + self.queue.len()
            + self.groups.values().map(|group| group.branches.len()).sum::<usize>()
    }

    /// Takes the next branch.
    pub fn next(&mut self, tree: &Tree) -> Option<OpenBranch> {
        loop {
            let branch = self.candidate(tree)?;
            if tree.is_open(branch) {
                return Some(branch);
            }
        }
    }

    fn candidate(&mut self, tree: &Tree) -> Option<OpenBranch> {
        match self.strategy {
            StrategyKind::DepthFirst => self.stack.pop(),
            StrategyKind::BreadthFirst => self.queue.pop_first().map(|(_, _, branch)| branch),
            StrategyKind::RandomState => {
                let number = self.random.random_range(0..self.stack.len().max(1));
                (number < self.stack.len()).then(|| self.stack.swap_remove(number))
            }
            StrategyKind::Coverage => {
                self.is_other_turn = !self.is_other_turn;
                let outside = self.ranked_outside_libraries.first().filter(|_| self.is_other_turn);
                let rank = outside.map(|&(_, _, direction)| self.groups[&direction].rank(direction));
                self.least_tried(rank.or_else(|| self.ranked.first().copied())?)
            }
            StrategyKind::RandomCoverNew => {
                self.is_other_turn = !self.is_other_turn;
                let walked = if self.is_other_turn { self.walk(tree) } else { None };
                walked.or_else(|| self.least_tried(self.ranked.first().copied()?))
            }
        }
    }

    /// A branch in the direction with this rank: first one whose question costs least, then any.
    fn least_tried(&mut self, rank: Rank) -> Option<OpenBranch> {
        let direction = rank.3;
        self.unrank(rank);
        let group = self.groups.get_mut(&direction).expect("ranked groups exist");
        let any = self.random.random_range(0..group.branches.len());
        let cheapest = group.branches.iter().position(|&(_, cost)| cost == group.cost);
        let number = cheapest.filter(|_| group.tries == 0).unwrap_or(any);
        let (branch, _) = group.branches.swap_remove(number);
        group.tries += 1;
        if let Some(cost) = group.branches.iter().map(|&(_, cost)| cost).min() {
            group.cost = cost;
            let rank = group.rank(direction);
            self.rank(rank);
        }
        Some(branch)
    }

    /// Walks from the root, at each node to any of the nodes and open branches beyond it.
    fn walk(&mut self, tree: &Tree) -> Option<OpenBranch> {
        const WALKS: usize = 32;
        if tree.node_count() == 0 {
            return None;
        }
        for _ in 0..WALKS {
            let mut node = 0;
            loop {
                let (nodes, open) = tree.children(node);
                let count = nodes.len() + open.len();
                if count == 0 {
                    break;
                }
                let choice = self.random.random_range(0..count);
                match open.get(choice) {
                    Some(&branch) => return Some(branch),
                    None => node = nodes[choice - open.len()],
                }
            }
        }
        None
    }
}

/// The edge of control flow that a direction is, for conditional branches.
fn edge_of((place, outcome): Direction) -> Edge {
    (u64::from(place) << 32) | (outcome & 0xffff_ffff)
}
