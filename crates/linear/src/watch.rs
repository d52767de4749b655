//! The values that a search goes through, for those who want to look at it.
//!
//! Source: Zhang et al., *Multiplex Symbolic Execution* (MuSE, ASE 2020), Algorithm 2: before every pivot, the present values may be within
//! some of the bounds although they are not within all of them. They are kept rounded, since integers are wanted of integer variables.
//! Without a watch, a pivot costs one comparison more.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashSet, FxHasher};

use crate::rational::Rational;
use crate::simplex::{Simplex, Variable};

/// The greatest number of values that are kept, of all variables and pivots together: some hundred megabytes.
const MAXIMAL_VALUES: usize = 1 << 22;

/// The values that were kept, none twice.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    most: usize,
    /// The number of variables whose values are kept.
    variables: usize,
    kept: Vec<Vec<Rational>>,
    /// Hashes of what was kept. Where two are equal by chance, the second point is left out.
    known: FxHashSet<u64>,
}

impl Watch {
    /// Whether more values are to be kept.
    pub(crate) fn is_open(&self) -> bool {
        self.kept.len() < self.most
    }
}

impl Simplex {
    /// Keeps the values of all variables that there are before each pivot from now on, up to so many different ones.
    pub fn watch(&mut self, most: usize) {
        let variables = self.variable_count();
        let most = most.min(MAXIMAL_VALUES / variables.max(1));
        self.watch = Some(Watch { most, variables, kept: Vec::new(), known: FxHashSet::default() });
    }

    /// Ends the watch. Returns the values of each variable, by number, in the order in which they were met. Integer variables have the nearest
    /// integers, sums the values that follow from those of their parts.
    pub fn take_watched(&mut self) -> Vec<Vec<Rational>> {
        self.watch.take().map_or(Vec::new(), |watch| watch.kept)
    }

    /// Keeps the present values.
    pub(crate) fn keep_values(&mut self) {
        let Some(watch) = &self.watch else { return };
        let values = self.rounded_values(watch.variables);
        let watch = self.watch.as_mut().expect("there is one");
        if watch.known.insert(BuildHasherDefault::<FxHasher>::default().hash_one(&values)) {
            watch.kept.push(values);
        }
    }

    /// The present values of the first variables, rounded.
    fn rounded_values(&self, count: usize) -> Vec<Rational> {
        let delta = self.choose_delta(&[]);
        let half = Rational::from(2).reciprocal();
        let mut values = vec![Rational::ZERO; count];
        let variables = || (0..count).map(Variable::from_index);
        for variable in variables().filter(|variable| self.definition(variable.0).is_none()) {
            let value = self.value(variable).at(&delta);
            values[variable.index()] =
                if self.is_integer(variable) { (&value + &half).floor() } else { value };
        }
        for variable in variables() {
            let Some(definition) = self.definition(variable.0) else { continue };
            let mut sum = Rational::ZERO;
            for (part, factor) in definition {
                sum.add_product(factor, &values[*part as usize]);
            }
            values[variable.index()] = sum;
        }
        values
    }
}
