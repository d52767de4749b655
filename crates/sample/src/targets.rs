//! Targets: AST-bits that share a circuit literal are covered together and are one target.

use rustc_hash::FxHashMap;
use sundry_coverage::{AstBits, BitSet, ModelBits};
use sundry_solver::Edge;

use crate::strategy::Validity;

/// Where a position of the formula's bits is found in the circuit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Place {
    /// The bit has this value in every model.
    Constant(bool),
    /// The bit is the value of a group, or its complement.
    Group { group: u32, complemented: bool },
}

/// A target: a group of positions with one of its values. Number `2 * group + value`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Target(pub(crate) u32);

impl Target {
    pub(crate) fn new(group: usize, value: bool) -> Self {
        Target(2 * group as u32 + u32::from(value))
    }

    pub(crate) fn group(self) -> usize {
        self.0 as usize / 2
    }

    pub(crate) fn value(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> Self {
        Target(index as u32)
    }

    /// The target with the other value.
    pub(crate) fn opposite(self) -> Self {
        Target(self.0 ^ 1)
    }
}

/// All targets of a formula.
#[derive(Clone, Debug)]
pub struct Targets {
    /// The circuit edge of each group, not complemented.
    edges: Vec<Edge>,
    /// How many positions each group stands for: the AST-bits that one of its targets covers.
    weights: Vec<u64>,
    /// A position of each group, and whether the bit there is the complement of the group's edge.
    representatives: Vec<(usize, bool)>,
    places: Vec<Place>,
}

impl Targets {
    /// Groups the bits of all nodes by their circuit edges (one slice per node of `ast_bits`).
    pub fn new(ast_bits: &AstBits, edges: &[Box<[Edge]>]) -> Self {
        let mut targets = Targets {
            edges: Vec::new(),
            weights: Vec::new(),
            representatives: Vec::new(),
            places: Vec::new(),
        };
        let mut groups: FxHashMap<Edge, u32> = FxHashMap::default();
        debug_assert_eq!(ast_bits.nodes().len(), edges.len());
        for &edge in edges.iter().flat_map(|bits| bits.iter()) {
            let place = match edge.is_constant() {
                Some(value) => Place::Constant(value),
                None => {
                    let complemented = edge.is_complemented();
                    let positive = if complemented { !edge } else { edge };
                    let group = *groups.entry(positive).or_insert_with(|| {
                        targets.edges.push(positive);
                        targets.weights.push(0);
                        targets.representatives.push((targets.places.len(), complemented));
                        targets.edges.len() as u32 - 1
                    });
                    targets.weights[group as usize] += 1;
                    Place::Group { group, complemented }
                }
            };
            targets.places.push(place);
        }
        targets
    }

    /// How many targets there are.
    pub fn count(&self) -> usize {
        2 * self.edges.len()
    }

    pub(crate) fn groups(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn edge(&self, group: usize) -> Edge {
        self.edges[group]
    }

    /// A position whose bit has, where the target is covered, the value returned with it.
    pub(crate) fn representative(&self, target: Target) -> (usize, bool) {
        let (position, complemented) = self.representatives[target.group()];
        (position, target.value() ^ complemented)
    }

    /// The targets that a model covers: one of each group.
    pub(crate) fn covered_by(&self, bits: &ModelBits) -> BitSet {
        let mut covered = BitSet::new(self.count());
        for group in 0..self.groups() {
            let one = Target::new(group, true);
            let (position, value) = self.representative(one);
            let holds = bits.covers(2 * position + usize::from(value));
            covered.insert(if holds { one } else { one.opposite() }.index());
        }
        covered
    }

    /// AST-bits that a target stands for.
    pub(crate) fn weight(&self, target: Target) -> u64 {
        self.weights[target.group()]
    }

    /// AST-bits that a set of targets stands for.
    pub(crate) fn weight_of(&self, set: &BitSet) -> u64 {
        self.sum_of_weights(set.iter())
    }

    /// AST-bits that a set of targets stands for and another does not.
    pub(crate) fn weight_beyond(&self, set: &BitSet, known: &BitSet) -> u64 {
        self.sum_of_weights(set.iter_without(known))
    }

    fn sum_of_weights(&self, targets: impl Iterator<Item = usize>) -> u64 {
        targets.map(|index| self.weights[index / 2]).sum()
    }

    /// AST-bits of constant positions: as many are covered by any model as are impossible.
    pub(crate) fn constant_positions(&self) -> u64 {
        self.places.iter().filter(|place| matches!(place, Place::Constant(_))).count() as u64
    }

    /// How many AST-bits these targets make valid and impossible.
    pub(crate) fn validity(&self, possible: &BitSet, impossible: &BitSet) -> Validity {
        let total: u64 = (0..self.count()).map(|index| self.weight(Target::from_index(index))).sum();
        let [possible, impossible] = [possible, impossible].map(|targets| self.weight_of(targets));
        let constant = self.constant_positions();
        Validity {
            valid: possible + constant,
            impossible: impossible + constant,
            unknown: total - possible - impossible,
        }
    }

    /// A representative AST-bit of a target, by its number.
    pub(crate) fn ast_bits_of(&self, wanted: &BitSet) -> Vec<usize> {
        let mut found = Vec::new();
        for (position, place) in self.places.iter().enumerate() {
            match *place {
                Place::Constant(_) => {}
                Place::Group { group, complemented } => {
                    for value in [false, true] {
                        if wanted.contains(Target::new(group as usize, value ^ complemented).index()) {
                            found.push(2 * position + usize::from(value));
                        }
                    }
                }
            }
        }
        found
    }

    /// AST-bits at constant positions that no model covers, by number.
    pub(crate) fn constant_impossible(&self) -> Vec<usize> {
        let impossible = |(position, place): (usize, &Place)| match *place {
            Place::Constant(value) => Some(2 * position + usize::from(!value)),
            Place::Group { .. } => None,
        };
        self.places.iter().enumerate().filter_map(impossible).collect()
    }
}
