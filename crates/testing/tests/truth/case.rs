//! Random formulas of several assertions, of all shapes.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_smtlib::{Formula, print_formula};
use sundry_term::{Sort, SortId, TermId, TermStore};
use sundry_testing::generate::{Generator, Options};

/// A formula to try.
#[derive(Clone)]
pub struct Case {
    /// The seed from which the formula was made.
    pub seed: u64,
    pub store: TermStore,
    pub assertions: Vec<TermId>,
}

impl Case {
    /// The random formula of a seed.
    pub fn new(seed: u64) -> Case {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(1);
        let options = options(&mut random);
        Case::with_options(seed, random.random_range(1..=6), options)
    }

    /// The random formula of a seed with a number of assertions.
    pub fn with_options(seed: u64, assertions: usize, options: Options) -> Case {
        let mut store = TermStore::new();
        let mut generator = Generator::new(&mut store, seed, options);
        let assertions = (0..assertions).map(|_| generator.formula(&mut store)).collect();
        Case { seed, store, assertions }
    }

    /// The symbols that occur, and the other declarations of a script.
    pub fn formula(&self) -> Formula {
        Formula::of_assertions(&self.store, self.assertions.clone())
    }

    /// The formula as a script.
    pub fn script(&self) -> String {
        print_formula(&self.store, &self.formula())
    }
}

/// Sizes and sorts, differently mixed.
fn options(random: &mut ChaCha8Rng) -> Options {
    let mut options = Options {
        operations: random.random_range(2..=14),
        widths: 1..=random.random_range(2..=8),
        constants: random.random_range(1..=4),
        ..Options::default()
    };
    match random.random_range(0..10) {
        0..3 => options = Options { operations: options.operations, ..Options::bit_vectors() },
        3..5 => options = Options { unusual_arrays: false, uninterpreted_sorts: false, ..options },
        5 => options = Options { functions: false, uninterpreted_sorts: false, ..options },
        6 => options = Options { arrays: false, uninterpreted_sorts: false, ..options },
        7..9 => options.uninterpreted_sorts = false,
        _ => {}
    }
    options
}

/// Whether a sort on which `wanted` says yes is part of a sort that occurs in the assertions.
pub fn any_sort(store: &TermStore, assertions: &[TermId], wanted: impl Fn(&Sort) -> bool) -> bool {
    let formula = Formula::of_assertions(store, assertions.to_vec());
    let mut stack: Vec<SortId> =
        store.reachable(assertions).iter().map(|&term| store.sort_of(term)).collect();
    stack.extend(formula.symbols.iter().flat_map(|&symbol| store.symbol(symbol).arguments.iter().copied()));
    while let Some(sort) = stack.pop() {
        if wanted(store.sort(sort)) {
            return true;
        }
        if let Some((index, element)) = store.array_parts(sort) {
            stack.extend([index, element]);
        }
    }
    false
}
