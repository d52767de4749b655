//! A solution of a formula, as people look at it: values by name.

use std::fmt;
use std::sync::Arc;

use sundry_smtlib::{Parser, SourceText, TheorySet, print_model, print_value};
use sundry_term::{FunctionValue, Model, Value, evaluate};

use crate::error::{Error, ErrorKind};
use crate::formula::Formula;

/// A solution: values for all declared constants and functions, accepted by the evaluator on the formula as written.
///
/// ```
/// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (= (bvadd x #x01) #x00))")?;
/// let solution = &formula.sampler().run()?.solutions[0];
/// assert_eq!(solution.to_string(), "(\n  (define-fun x () (_ BitVec 8) #xff)\n)\n");
/// assert_eq!(format!("{solution:?}"), r##"{"x": "#xff"}"##);
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone)]
pub struct Solution {
    formula: Formula,
    model: Arc<Model>,
}

impl Solution {
    /// The solution that a model is which a run has accepted, as its events hand it out.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sundry::pipeline::Event;
    /// use sundry::{Formula, Solution, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let mut found = Vec::new();
    /// formula.sampler().strategy(Strategy::All).observe(&mut |event| {
    ///     if let Event::Solutions(solutions) = event {
    ///         found.extend(solutions.models().map(|model| Solution::new(formula.clone(), model.into())));
    ///     }
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(format!("{found:?}"), r#"[{"p": "true"}]"#);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn new(formula: Formula, model: Arc<Model>) -> Self {
        Solution { formula, model }
    }

    /// The formula that the solution is one of.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let samples = formula.sampler().run()?;
    /// assert_eq!(samples.solutions[0].formula().name(), formula.name());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The solution by symbols of the store, for those who work on the terms themselves.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let samples = formula.sampler().run()?;
    /// let symbol = formula.constant("p").expect("it is declared");
    /// assert_eq!(samples.solutions[0].model().constant(symbol), Some(&sundry::Value::Bool(true)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn model(&self) -> &Model {
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

    /// The value of a function, by name; none where the formula has no function of that name.
    ///
    /// ```
    /// use sundry::value::{FunctionValue, Value};
    /// use sundry::{Answer, Formula};
    ///
    /// let formula = Formula::parse("(declare-fun f (Bool) Bool) (assert (f true)) (assert (not (f false)))")?;
    /// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("the identity") };
    /// let Some(FunctionValue::Table { entries, default }) = solution.function("f") else { panic!("a table") };
    /// let value = |argument| entries.get(&vec![Value::Bool(argument)]).unwrap_or(default).as_bool();
    /// assert_eq!((value(true), value(false)), (Some(true), Some(false)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn function(&self, name: &str) -> Option<&FunctionValue> {
        self.formula.constant(name).and_then(|symbol| self.model.function(symbol))
    }

    /// The values of constants, by name, in order of declaration.
    ///
    /// ```
    /// use sundry::{Answer, Formula, Value};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (and p (not q)))")?;
    /// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("there is one") };
    /// let values: Vec<_> = solution.values().collect();
    /// assert_eq!(values, [("p", &Value::Bool(true)), ("q", &Value::Bool(false))]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn values(&self) -> impl Iterator<Item = (&str, &Value)> {
        let shown = self.formula.parts().shown();
        shown.filter_map(|(name, symbol, _)| Some((name, self.model.constant(symbol)?)))
    }

    /// The functions with their values, by name, in order of declaration.
    ///
    /// ```
    /// use sundry::{Answer, Formula};
    ///
    /// let formula = Formula::parse("(declare-fun f (Int) Int) (assert (> (f 3) 4))")?;
    /// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("there is one") };
    /// assert_eq!(solution.functions().map(|(name, _)| name).collect::<Vec<_>>(), ["f"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn functions(&self) -> impl Iterator<Item = (&str, &FunctionValue)> {
        let shown = self.formula.parts().shown();
        shown.filter_map(|(name, symbol, _)| Some((name, self.model.function(symbol)?)))
    }

    /// The value of a term in the solution: a text in SMT-LIB over the constants and functions of the formula.
    ///
    /// # Errors
    /// The text is not a term, or its value is left open (a quotient by zero, say).
    ///
    /// ```
    /// use sundry::{Answer, Formula, Value};
    ///
    /// let formula = Formula::parse("(declare-const x Int) (assert (= (* 2 x) 6))")?;
    /// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("x is 3") };
    /// assert_eq!(solution.evaluate("(+ x 1)")?, Value::Int(4.into()));
    /// assert!(solution.evaluate("(+ x true)").is_err());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn evaluate(&self, term: &str) -> Result<Value, Error> {
        let problem = &self.formula.parts().problem;
        let mut store = problem.store.clone();
        let mut parser = Parser::new(&mut store, TheorySet::SOLVED);
        parser.declare_all(&mut store, &problem.symbols);
        let source = SourceText::new("term", term);
        let term =
            parser.parse_term(&mut store, &source).map_err(|diagnostic| Error::at(&diagnostic, &source))?;
        evaluate(&store, &self.model, term).map_err(|error| Error::new(ErrorKind::Input, error))
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
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
    /// assert_eq!(formula.sampler().run()?.solutions[0].to_smtlib(), "(\n  (define-fun p () Bool true)\n)\n");
    /// # Ok::<(), sundry::Error>(())
    /// ```
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
