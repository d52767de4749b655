//! Targets: AST-bits that share a circuit literal are covered together and are one target.

use rustc_hash::FxHashMap;
use sundry_coverage::{BitSet, ModelBits};
use sundry_solver::Edge;
use sundry_term::{Control, Stopped};

use crate::strategy::Validity;

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
    groups: FxHashMap<Edge, u32>,
    /// The number of positions that each group stands for: the AST-bits that one of its targets covers.
    weights: Vec<u64>,
    /// A position of each group, and whether the bit there is the complement of the group's edge.
    representatives: Vec<(usize, bool)>,
    /// The number of positions.
    positions: usize,
    /// The number of positions that have the same value in every model.
    constants: u64,
}

impl Targets {
    /// Groups the bits of all nodes, in the order of their AST-bits, by their circuit edges.
    ///
    /// # Errors
    /// The reason why the control stopped it.
    pub fn new<'b>(bits: impl Iterator<Item = &'b [Edge]>, control: &Control) -> Result<Self, Stopped> {
        let mut targets = Targets {
            edges: Vec::new(),
            groups: FxHashMap::default(),
            weights: Vec::new(),
            representatives: Vec::new(),
            positions: 0,
            constants: 0,
        };
        for bits in bits {
            control.spend(bits.len() as u32)?;
            bits.iter().for_each(|&edge| targets.add(edge));
        }
        Ok(targets)
    }

    /// Adds a position where this edge is the bit.
    fn add(&mut self, edge: Edge) {
        let position = self.positions;
        self.positions += 1;
        if edge.is_constant().is_some() {
            self.constants += 1;
            return;
        }
        let group = *self.groups.entry(edge.regular()).or_insert_with(|| {
            self.edges.push(edge.regular());
            self.weights.push(0);
            self.representatives.push((position, edge.is_complemented()));
            self.edges.len() as u32 - 1
        });
        self.weights[group as usize] += 1;
    }

    /// The number of targets.
    pub fn count(&self) -> usize {
        2 * self.edges.len()
    }

    pub(crate) fn groups(&self) -> usize {
        self.edges.len()
    }

    /// The group of an edge, whether it is complemented or not.
    pub(crate) fn group(&self, edge: Edge) -> Option<usize> {
        self.groups.get(&edge.regular()).map(|&group| group as usize)
    }

    pub(crate) fn edge(&self, group: usize) -> Edge {
        self.edges[group]
    }

    /// A position whose bit has, where the target is covered, the value returned with it.
    pub(crate) fn representative(&self, target: Target) -> (usize, bool) {
        let (position, complemented) = self.representatives[target.group()];
        (position, target.value() ^ complemented)
    }

    /// An AST-bit that the target stands for, by its number.
    pub(crate) fn ast_bit(&self, target: Target) -> usize {
        let (position, value) = self.representative(target);
        2 * position + usize::from(value)
    }

    /// The targets that a model covers: one of each group.
    pub(crate) fn covered_by(&self, bits: &ModelBits) -> BitSet {
        let mut covered = BitSet::new(self.count());
        for group in 0..self.groups() {
            let one = Target::new(group, true);
            covered.insert(if bits.covers(self.ast_bit(one)) { one } else { one.opposite() }.index());
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
        self.constants
    }

    /// The numbers of AST-bits that these targets make valid and impossible.
    pub(crate) fn validity(&self, possible: &BitSet, impossible: &BitSet) -> Validity {
        let total = 2 * (self.positions as u64 - self.constants);
        let [possible, impossible] = [possible, impossible].map(|targets| self.weight_of(targets));
        let constant = self.constants;
        Validity {
            valid: possible + constant,
            impossible: impossible + constant,
            unknown: total - possible - impossible,
        }
    }

    /// The bit of each group at its representative, among the bits of all nodes of another circuit.
    ///
    /// # Errors
    /// The reason why the control stopped it.
    pub(crate) fn represented_among<'b>(
        &self,
        bits: impl Iterator<Item = &'b [Edge]>,
        control: &Control,
    ) -> Result<Vec<Edge>, Stopped> {
        // Representatives are in ascending order.
        let mut wanted = self.representatives.iter().map(|&(position, _)| position).peekable();
        let (mut found, mut first) = (Vec::with_capacity(self.groups()), 0);
        for bits in bits {
            control.spend(1)?;
            let end = first + bits.len();
            while let Some(position) = wanted.next_if(|&position| position < end) {
                found.push(bits[position - first]);
            }
            first = end;
        }
        Ok(found)
    }

    /// The AST-bits that no model covers where these targets are impossible, given the bits of all nodes again.
    pub(crate) fn impossible_ast_bits<'b>(
        &self,
        bits: impl Iterator<Item = &'b [Edge]>,
        impossible: &BitSet,
    ) -> BitSet {
        let mut found = BitSet::new(2 * self.positions);
        let mut insert = |position, value| found.insert(2 * position + usize::from(value));
        for (position, &edge) in bits.flatten().enumerate() {
            if let Some(constant) = edge.is_constant() {
                insert(position, !constant);
            } else if let Some(group) = self.group(edge) {
                for value in [false, true] {
                    if impossible.contains(Target::new(group, value ^ edge.is_complemented()).index()) {
                        insert(position, value);
                    }
                }
            }
        }
        found
    }
}
