//! A solution of a formula, as people look at it: values by name.

use std::fmt;
use std::sync::Arc;

use sundry_smtlib::{print_model, print_value};
use sundry_term::{Model, Value};

use crate::formula::Formula;

/// A solution: values for all declared constants and functions, accepted by the evaluator on the formula as written.
#[derive(Clone)]
pub struct Solution {
    formula: Formula,
    model: Arc<Model>,
}

impl Solution {
    pub(crate) fn new(formula: Formula, model: Arc<Model>) -> Self {
        Solution { formula, model }
    }

    pub(crate) fn formula(&self) -> &Formula {
        &self.formula
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// The value of a constant, by the name that [`Formula::constants`] gives it; none where the formula has no constant
    /// of that name.
    ///
    /// ```
    /// use sundry::{Answer, Formula, Value};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("p may be true") };
    /// assert_eq!(solution.value("p"), Some(&Value::Bool(true)));
    /// assert_eq!(solution.value("q"), None);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn value(&self, constant: &str) -> Option<&Value> {
        // Of several symbols with one name, the last declared is the one in scope.
        let named = self.formula.parts().shown().rev().find(|(name, _, _)| *name == constant);
        named.and_then(|(_, symbol, _)| self.model.constant(symbol))
    }

    /// The values that people see, by name, in order of declaration: those of constants in SMT-LIB, or as the model of a
    /// configurable system names them. Functions are left out.
    ///
    /// ```
    /// use sundry::{Format, Formula};
    ///
    /// let reader = Formula::reader().format(Format::Pict);
    /// let formula = reader.read("Disk: FAT, NTFS\nSize: 1, 9\nIF [Disk] = \"FAT\" THEN [Size] < 5;\n")?;
    /// for solution in formula.sampler().run()?.solutions {
    ///     let texts: Vec<String> = solution.texts().map(|(name, text)| format!("{name}={text}")).collect();
    ///     assert!(["Disk=FAT Size=1", "Disk=NTFS Size=1", "Disk=NTFS Size=9"].contains(&&*texts.join(" ")));
    /// }
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn texts(&self) -> impl Iterator<Item = (&str, String)> {
        let parts = self.formula.parts();
        let store = &parts.problem.store;
        parts.shown().filter_map(move |(name, symbol, levels)| {
            let value = self.model.constant(symbol)?;
            let level = match value {
                Value::BitVec(bits) => levels.get(bits.limbs()[0] as usize),
                _ => None,
            };
            let text = match level {
                Some(level) => level.name().to_string(),
                None => print_value(store, store.symbol(symbol).result, value),
            };
            Some((name, text))
        })
    }

    /// The solution as a model in SMT-LIB: a list of definitions.
    pub fn to_smtlib(&self) -> String {
        let problem = &self.formula.parts().problem;
        print_model(&problem.store, &self.model, &problem.symbols)
    }
}

/// The solution as a model in SMT-LIB.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_smtlib())
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.texts()).finish()
    }
}
