//! Products and divisions of wide words, by lemmas on demand.
//!
//! The circuit of a product takes a number of gates quadratic in its width, and only some values matter for most
//! answers. So the bits of a wide product are left open at first. An assignment that gives them another value than that
//! of the factors leads to a fact about products that it violates: about factors that are sums of powers of two, about
//! low bits, about sizes (`facts.rs`). Where it violates none of them, the product of these two values becomes a lemma;
//! where there were too many such lemmas, the circuit is built after all. The idea is that of Niemetz, Preiner & Zohar,
//! *Scalable bit-blasting with abstractions* (CAV 2024); the facts are our own.
//!
//! A division is a product at heart: the dividend is quotient times divisor plus remainder, without a carry. Its circuit
//! says so, with the product left open (`division.rs`).
//!
//! Most of all it helps to compute all open operations from the other inputs of a refuted candidate ([`Products::compute`]),
//! and to look for the next candidate nearby: the solver has to repair what the right values break, and no more.

mod division;
mod facts;
mod word;

use rustc_hash::FxHashMap;
use sundry_circuit::{Aig, Blaster, Edge, NodeKind, Simulation, words};
use sundry_term::{BitVector, Control};

use super::lemma::{Lemma, LemmaKind};
use crate::theory::{Assignment, Theory, TheoryAnswer};
use division::Division;
use facts::Fact;
use word::{Word, value_of};

/// The work of looking at an operation, for each bit, in the units of [`Control::spend`].
const WORK_OF_BIT: u32 = 16;

/// The number of low bits of a product that have their circuit from the beginning.
const EXACT_LOW_BITS: usize = 8;

/// One product or division may have one lemma about single values for each group of this number of its bits.
const BITS_FOR_VALUE: usize = 8;

/// Gates that a row of a product takes for each bit.
const GATES_OF_BIT: usize = 8;

/// A product that is left open.
#[derive(Clone)]
struct Product {
    a: Word,
    b: Word,
    result: Word,
    /// Whether the product is known to fit into the word.
    fits: bool,
    /// The number of pairs of values that have become lemmas.
    values: usize,
    /// Whether its circuit is there: nothing is open any more.
    is_built: bool,
}

/// An operation that is left open, by its number among those of its kind.
#[derive(Copy, Clone)]
enum Operation {
    Product(usize),
    Division(usize),
}

/// All operations that are left open.
#[derive(Clone, Default)]
pub(crate) struct Products {
    /// The number of rows from which products are left open; `None` leaves none open.
    rows: Option<usize>,
    products: Vec<Product>,
    divisions: Vec<Division>,
    /// All operations, each behind those that its operands may depend on.
    order: Vec<Operation>,
    /// The number of operations that have their first lemmas.
    registered: usize,
    /// The products by their factors.
    known: FxHashMap<(Word, Word), usize>,
}

impl Products {
    /// Creates a theory that leaves products open from this number of rows.
    pub(crate) fn new(rows: Option<usize>) -> Products {
        Products { rows, ..Products::default() }
    }

    /// The bits of a product, if it is left open.
    pub(crate) fn product(&mut self, aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Option<Vec<Edge>> {
        (words::row_count(a, b) >= self.rows?).then(|| {
            let number = self.open(aig, a, b, false);
            self.products[number].result.to_vec()
        })
    }

    /// Quotient and remainder, if the division is left open.
    pub(crate) fn division(
        &mut self,
        aig: &mut Aig,
        dividend: &[Edge],
        divisor: &[Edge],
    ) -> Option<(Vec<Edge>, Vec<Edge>)> {
        if divisor.len() < self.rows? {
            return None;
        }
        let mut fresh = || -> Word { dividend.iter().map(|_| aig.input()).collect() };
        let (quotient, remainder) = (fresh(), fresh());
        let results = (quotient.to_vec(), remainder.to_vec());
        self.order.push(Operation::Division(self.divisions.len()));
        // One bit more than the operands have: a product that fits has a zero there.
        let widened = |word: &[Edge]| -> Word { word.iter().copied().chain([Edge::FALSE]).collect() };
        let product = self.open(aig, &widened(&quotient), &widened(divisor), true);
        let (dividend, divisor) = (dividend.into(), divisor.into());
        self.divisions.push(Division { dividend, divisor, quotient, remainder, product, values: 0 });
        Some(results)
    }

    /// The number of the product of two factors, of which the caller may know that it fits.
    fn open(&mut self, aig: &mut Aig, a: &[Edge], b: &[Edge], fits: bool) -> usize {
        let key = (Word::from(a.min(b)), Word::from(a.max(b)));
        if let Some(&number) = self.known.get(&key) {
            return number;
        }
        let number = self.products.len();
        self.order.push(Operation::Product(number));
        self.products.push(Product::new(aig, key.0.clone(), key.1.clone(), fits));
        self.known.insert(key, number);
        number
    }

    /// The lemmas about new operations that hold from the beginning.
    pub(crate) fn register(&mut self, aig: &mut Aig) -> Vec<Lemma> {
        let mut clauses = Vec::new();
        for &operation in &self.order[self.registered..] {
            clauses.extend(match operation {
                Operation::Product(number) => {
                    let Product { a, b, result, .. } = &self.products[number];
                    Fact::LowBits(EXACT_LOW_BITS.min(a.len())).clauses(aig, a, b, result)
                }
                Operation::Division(number) => {
                    let division = &self.divisions[number];
                    division.definition(aig, &self.products[division.product].result)
                }
            });
        }
        self.registered = self.order.len();
        lemmas(clauses)
    }

    /// Computes the results of all open operations from the values of the other inputs, and takes them for the values
    /// of their own. The simulation is that of these inputs afterwards.
    pub(crate) fn compute(&self, aig: &Aig, inputs: &mut [u64], simulation: &mut Simulation) {
        simulation.clear();
        for &operation in &self.order {
            let results = match operation {
                Operation::Product(number) => vec![&self.products[number].result],
                Operation::Division(number) => {
                    vec![&self.divisions[number].quotient, &self.divisions[number].remainder]
                }
            };
            let own =
                results.iter().flat_map(|result| result.iter()).filter(|bit| bit.is_constant().is_none());
            let Some(first) = own.map(|bit| bit.node()).min() else { continue };
            // What the operands depend on has smaller numbers than the inputs that were made for the results.
            simulation.extend_to(aig, inputs, first as usize);
            let values = self.results(operation, &|edge| simulation.value(edge, 0));
            for (result, value) in results.into_iter().zip(values) {
                set_inputs(aig, inputs, result, &value);
            }
        }
        simulation.extend(aig, inputs);
    }

    /// The right results of an operation: its product, or its quotient and remainder.
    fn results(&self, operation: Operation, value: &dyn Fn(Edge) -> bool) -> Vec<BitVector> {
        match operation {
            Operation::Product(number) => {
                let Product { a, b, .. } = &self.products[number];
                vec![value_of(a, value).mul(&value_of(b, value))]
            }
            Operation::Division(number) => {
                let Division { dividend, divisor, .. } = &self.divisions[number];
                let (dividend, divisor) = (value_of(dividend, value), value_of(divisor, value));
                vec![dividend.udiv(&divisor), dividend.urem(&divisor)]
            }
        }
    }
}

impl Theory for Products {
    fn name(&self) -> &'static str {
        "open products"
    }

    fn is_trivial(&self) -> bool {
        self.order.is_empty()
    }

    /// Facts that an assignment violates.
    fn check(&mut self, aig: &mut Aig, Assignment { value, control, .. }: Assignment<'_>) -> TheoryAnswer {
        let mut clauses = Vec::new();
        for &operation in &self.order {
            let product = match operation {
                Operation::Product(number) => number,
                Operation::Division(number) => self.divisions[number].product,
            };
            let product = &mut self.products[product];
            if control.spend(WORK_OF_BIT * product.a.len() as u32).is_err() {
                break;
            }
            clauses.extend(match operation {
                _ if product.is_built => Vec::new(),
                Operation::Product(_) => product.refine(aig, value, control),
                Operation::Division(number) => self.divisions[number].refine(aig, value),
            });
        }
        TheoryAnswer::of(lemmas(clauses))
    }

    fn boxed(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }
}

impl Product {
    /// A product with open bits, but for those that are zero because of constants in the factors.
    fn new(aig: &mut Aig, a: Word, b: Word, fits: bool) -> Product {
        let is_zero = |bit: &&Edge| **bit == Edge::FALSE;
        let width = a.len();
        let below: usize = [&a, &b].map(|word| word.iter().take_while(is_zero).count()).iter().sum();
        let above: usize = [&a, &b].map(|word| word.iter().rev().take_while(is_zero).count()).iter().sum();
        let open = below..width - above.saturating_sub(width);
        let bit = |position| if open.contains(&position) { aig.input() } else { Edge::FALSE };
        let result: Word = (0..width).map(bit).collect();
        Product { a, b, result, fits: fits || above >= width, values: 0, is_built: false }
    }

    /// A lemma that this assignment violates; none, where it gives the product its value.
    fn refine(&mut self, aig: &mut Aig, value: &dyn Fn(Edge) -> bool, control: &Control) -> Vec<Vec<Edge>> {
        let (a, b) = (value_of(&self.a, value), value_of(&self.b, value));
        let result = value_of(&self.result, value);
        if a.mul(&b) == result {
            return Vec::new();
        }
        let fact = match Fact::violated(aig, &a, &b, &result, self.fits) {
            Some(fact) => fact,
            None if self.values < self.a.len() / BITS_FOR_VALUE || !self.has_room(aig) => {
                self.values += 1;
                Fact::Values(a, b)
            }
            None => Fact::LowBits(self.a.len()),
        };
        let clauses = aig.construct(control, |aig| fact.clauses(aig, &self.a, &self.b, &self.result));
        self.is_built |= clauses.is_ok() && fact == Fact::LowBits(self.a.len());
        // A control that has stopped leaves no lemma.
        clauses.unwrap_or_default()
    }

    /// Whether there is room for the circuit.
    fn has_room(&self, aig: &Aig) -> bool {
        let gates = GATES_OF_BIT * words::row_count(&self.a, &self.b) * self.a.len();
        (aig.node_count() + gates) as u64 <= Blaster::DEFAULT_NODE_LIMIT
    }
}

/// Gives the inputs among the bits of a word those of a value.
fn set_inputs(aig: &Aig, inputs: &mut [u64], word: &[Edge], value: &BitVector) {
    for (position, &bit) in (0..).zip(word) {
        if let NodeKind::Input(number) = aig.kind(bit.node()) {
            inputs[number as usize] = u64::from(value.bit(position)).wrapping_neg();
        }
    }
}

fn lemmas(clauses: Vec<Vec<Edge>>) -> Vec<Lemma> {
    clauses.into_iter().map(|clause| Lemma { kind: LemmaKind::Product, clause }).collect()
}

#[cfg(test)]
mod tests;
