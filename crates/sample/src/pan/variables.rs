//! The variables of the bit-vector abstraction Φ′ (section III-C1 of the paper): what the circuit knows only as free
//! bits. Declared constants are, and the lazy solver makes selects, applications and equalities of arrays so; elements
//! of declared sorts count by whether they are equal. Variables that normalisation eliminated stay variables here:
//! their bits are then functions of the others', and phases and disequalities work on them all the same.

use rustc_hash::FxHashMap;
use sundry_coverage::BitSet;
use sundry_solver::{BuildError, Edge, Lit};
use sundry_term::{Op, Sort, TermId, TermStore};

use crate::problem::Problem;
use crate::steering::Steering;

/// V(Φ′) and its bits. Bits that share a circuit edge are one; determined bits are none.
pub(super) struct Variables {
    /// First VarBits(Φ′), then the circuit's other inputs, which come from the rewriting of terms
    /// and from lemmas.
    bits: Vec<(Edge, Lit)>,
    /// The number of bits that are variable bits.
    variable_bits: usize,
    /// The bits of each variable that has any.
    variables: Vec<Box<[usize]>>,
    /// The bit that each of the circuit's inputs is, as far as they were there in the beginning.
    inputs: Vec<usize>,
}

impl Variables {
    pub(super) fn new(problem: &Problem, steering: &mut Steering) -> Result<Self, BuildError> {
        let store = &problem.store;
        let mut terms = store.reachable(&problem.assertions);
        terms.retain(|&term| is_variable(store, term));
        let words = steering.bits_of(&terms)?;
        let mut numbers: FxHashMap<Edge, usize> = FxHashMap::default();
        let mut edges: Vec<Edge> = Vec::new();
        let mut number = |edge: Edge| {
            *numbers.entry(edge).or_insert_with(|| {
                edges.push(edge);
                edges.len() - 1
            })
        };
        let mut variables: Vec<Box<[usize]>> = Vec::new();
        for word in words {
            let open = word.iter().filter(|edge| edge.is_constant().is_none());
            variables.push(open.map(|edge| number(edge.regular())).collect());
        }
        variables.retain(|variable| !variable.is_empty());
        variables.sort_unstable();
        variables.dedup();
        let variable_bits = variables.iter().flatten().max().map_or(0, |&last| last + 1);
        let inputs = steering.circuit().inputs().iter().map(|&input| number(input)).collect();
        let bits = edges.into_iter().map(|edge| (edge, steering.edge_literal(edge))).collect();
        Ok(Variables { bits, variable_bits, variables, inputs })
    }

    /// The number of variables.
    pub(super) fn count(&self) -> usize {
        self.variables.len()
    }

    /// The number of bits, those of variables and other inputs.
    pub(super) fn bit_count(&self) -> usize {
        self.bits.len()
    }

    /// The numbers of the variable bits.
    pub(super) fn variable_bits(&self) -> std::ops::Range<usize> {
        0..self.variable_bits
    }

    /// The bit that an input of the circuit is; inputs made later are none.
    pub(super) fn bit_of_input(&self, input: usize) -> Option<usize> {
        self.inputs.get(input).copied()
    }

    /// The literal that holds where the bit has the value.
    fn literal(&self, bit: usize, value: bool) -> Lit {
        let (_, literal) = self.bits[bit];
        if value { literal } else { !literal }
    }

    /// The bits that are true in the solver's last model.
    pub(super) fn current(&self, steering: &Steering) -> BitSet {
        let last = steering.last_model();
        let mut ones = BitSet::new(self.bits.len());
        for (number, &(edge, _)) in self.bits.iter().enumerate() {
            if last.value(edge) {
                ones.insert(number);
            }
        }
        ones
    }

    /// The constraint v ≠ α\[v\] as a clause: some bit of the variable differs.
    pub(super) fn differs_at(&self, variable: usize, solution: &BitSet) -> Vec<Lit> {
        self.variables[variable].iter().map(|&bit| self.literal(bit, !solution.contains(bit))).collect()
    }

    /// The constraint that some variable differs, as a clause.
    pub(super) fn differs(&self, solution: &BitSet) -> Vec<Lit> {
        self.variable_bits().map(|bit| self.literal(bit, !solution.contains(bit))).collect()
    }
}

/// Elements of declared sorts have no bits to differ in, since their numbers are only names: like arrays they are distinguished
/// apart by what is compared.
fn is_variable(store: &TermStore, term: TermId) -> bool {
    let has_bits = |term: TermId| matches!(store.sort(store.sort_of(term)), Sort::Bool | Sort::BitVec(_));
    match store.op(term) {
        Op::Apply(_) | Op::Select => has_bits(term),
        Op::Equal | Op::Distinct => !has_bits(store.args(term)[0]),
        _ => false,
    }
}
