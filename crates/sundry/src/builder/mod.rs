//! Formulas built term by term, without text.
//!
//! The store panics at ill-sorted terms and at ids of other stores, since inside the solver both are defects. A builder gets
//! both from its users, so that it checks them and returns errors.

mod declarations;
mod literals;
mod terms;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use sundry_coverage::Predicate;
use sundry_sample::Problem;
use sundry_smtlib::{Parser, SourceText, TheorySet};
use sundry_term::{Control, SortId, SymbolId, TermId, TermStore};

use crate::error::{Error, ErrorKind};
use crate::formula::Formula;
use crate::read::{ReadFormula, stopped};
use crate::sort::Sort;

/// The number of builders so far: each gives its number to its terms.
static BUILDERS: AtomicU64 = AtomicU64::new(0);

/// A term of a [`FormulaBuilder`], which belongs to the builder that made it.
///
/// ```
/// use sundry::{FormulaBuilder, Sort};
///
/// let (mut first, mut second) = (FormulaBuilder::new(), FormulaBuilder::new());
/// let p = first.constant("p", &Sort::Bool)?;
/// assert_eq!(second.assert(p).unwrap_err().message(), "the term belongs to another builder");
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    id: TermId,
    builder: u64,
}

/// A declared function of a [`FormulaBuilder`].
///
/// ```
/// use sundry::{Answer, FormulaBuilder, Sort};
///
/// let mut builder = FormulaBuilder::new();
/// let next = builder.function("next", &[Sort::Int], &Sort::Int)?;
/// let one = builder.int(1)?;
/// let next_of_one = builder.call(next, &[one])?;
/// let is_fixed = builder.equal(&[next_of_one, one])?;
/// builder.assert(is_fixed)?;
/// assert!(matches!(builder.build()?.solve(None)?, Answer::Satisfiable(_)));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    symbol: SymbolId,
    builder: u64,
}

/// Builds a [`Formula`]: declares constants and functions, makes terms, asserts them.
///
/// Every method that can be misused returns an [`Error`]: for ill-sorted terms, for names that are declared twice, for terms
/// of other builders.
///
/// ```
/// use sundry::{Formula, Sort};
///
/// let mut builder = Formula::builder();
/// let age = builder.constant("age", &Sort::BitVec(8))?;
/// let member = builder.constant("member", &Sort::Bool)?;
/// let limit = builder.bit_vec(8, 18)?;
/// let is_adult = builder.apply("bvuge", &[age, limit])?;
/// let rule = builder.implies(member, is_adult)?;
/// builder.assert(rule)?;
/// let formula = builder.build()?;
/// assert!(formula.sampler().run()?.is_complete());
/// # Ok::<(), sundry::Error>(())
/// ```
pub struct FormulaBuilder {
    number: u64,
    name: String,
    store: TermStore,
    /// Reads terms in SMT-LIB, with everything declared in scope.
    parser: Parser,
    /// The declared constants and functions, in order of declaration.
    symbols: Vec<SymbolId>,
    by_name: FxHashMap<String, SymbolId>,
    sorts: FxHashMap<String, SortId>,
    assertions: Vec<TermId>,
    predicates: Vec<Predicate>,
    /// The formula that is extended, if there is one.
    base: Option<Arc<ReadFormula>>,
}

impl Default for FormulaBuilder {
    fn default() -> Self {
        FormulaBuilder::new()
    }
}

impl Formula {
    /// Builds a formula without text.
    ///
    /// ```
    /// let mut builder = sundry::Formula::builder();
    /// let p = builder.constant("p", &sundry::Sort::Bool)?;
    /// builder.assert(p)?;
    /// assert_eq!(builder.build()?.constants().collect::<Vec<_>>(), ["p"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn builder() -> FormulaBuilder {
        FormulaBuilder::new()
    }

    /// A builder that begins with the declarations, assertions and predicates of this formula, to which more are added. The
    /// names and values of a model of a configurable system stay.
    ///
    /// ```
    /// use sundry::{Formula, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 4)) (assert (bvult x #x4))")?;
    /// let mut builder = formula.extend();
    /// let is_odd = builder.term("(= ((_ extract 0 0) x) #b1)")?;
    /// builder.assert(is_odd)?;
    /// let odd = builder.build()?.sampler().strategy(Strategy::All).run()?;
    /// assert_eq!(odd.solutions.len(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn extend(&self) -> FormulaBuilder {
        let base = Arc::clone(&self.parts);
        let mut builder = FormulaBuilder::with_store(base.problem.store.clone());
        let FormulaBuilder { store, parser, .. } = &mut builder;
        parser.declare_all(store, &base.problem.symbols);
        builder.name = base.source.name().to_string();
        builder.symbols.clone_from(&base.problem.symbols);
        builder.assertions.clone_from(&base.problem.assertions);
        builder.predicates = self.predicates.to_vec();
        for &symbol in &base.problem.symbols {
            builder.by_name.insert(base.problem.store.symbol(symbol).name.to_string(), symbol);
        }
        for &declaration in builder.parser.declared_sorts() {
            let sort = sundry_term::Sort::Uninterpreted { declaration, arguments: Box::default() };
            // Sorts with parameters are sorts only together with these.
            if let Ok(sort) = builder.store.intern_sort(sort) {
                let name = builder.store.sort_declaration(declaration).name.to_string();
                builder.sorts.insert(name, sort);
            }
        }
        builder.base = Some(base);
        builder
    }
}

impl FormulaBuilder {
    /// A builder without any declaration.
    ///
    /// ```
    /// let formula = sundry::FormulaBuilder::new().build()?;
    /// assert_eq!(formula.ast_bits(), 0);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn new() -> FormulaBuilder {
        FormulaBuilder::with_store(TermStore::new())
    }

    fn with_store(mut store: TermStore) -> FormulaBuilder {
        FormulaBuilder {
            number: BUILDERS.fetch_add(1, Ordering::Relaxed),
            name: "formula".to_string(),
            parser: Parser::new(&mut store, TheorySet::SOLVED),
            store,
            symbols: Vec::new(),
            by_name: FxHashMap::default(),
            sorts: FxHashMap::default(),
            assertions: Vec::new(),
            predicates: Vec::new(),
            base: None,
        }
    }

    /// The name of the formula in messages and records [default: `formula`].
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// builder.set_name("door");
    /// assert_eq!(builder.build()?.name(), "door");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    fn intern(&mut self, sort: &Sort) -> Result<SortId, Error> {
        let FormulaBuilder { store, sorts, .. } = self;
        sort.intern(store, &|name| sorts.get(name).copied())
    }

    fn own(&self, id: TermId) -> Term {
        Term { id, builder: self.number }
    }

    /// The term in the store.
    fn id(&self, term: Term) -> Result<TermId, Error> {
        if term.builder == self.number { Ok(term.id) } else { Err(foreign("term")) }
    }

    /// The sort of a term.
    ///
    /// # Errors
    /// The term belongs to another builder.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let [x, y] = [builder.constant("x", &Sort::BitVec(8))?, builder.constant("y", &Sort::BitVec(4))?];
    /// let both = builder.apply("concat", &[x, y])?;
    /// assert_eq!(builder.sort_of(both)?, Sort::BitVec(12));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn sort_of(&self, term: Term) -> Result<Sort, Error> {
        Ok(Sort::of(&self.store, self.store.sort_of(self.id(term)?)))
    }

    /// Asserts that a term holds.
    ///
    /// # Errors
    /// The term is not Boolean, or belongs to another builder.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let x = builder.constant("x", &Sort::BitVec(8))?;
    /// let error = builder.assert(x).unwrap_err();
    /// assert_eq!(error.message(), "the assertion has sort (_ BitVec 8), expected Bool");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn assert(&mut self, term: Term) -> Result<(), Error> {
        let term = self.boolean(term, "the assertion")?;
        self.assertions.push(term);
        Ok(())
    }

    /// Gives the formula one more predicate: a condition whose truth values distinguish solutions.
    ///
    /// # Errors
    /// The term is not Boolean, or belongs to another builder; or a predicate has this name already.
    ///
    /// ```
    /// use sundry::{Possibility, Sort};
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let p = builder.constant("p", &Sort::Bool)?;
    /// builder.predicate("on", p)?;
    /// let formula = builder.build()?;
    /// assert_eq!(formula.predicate_names().collect::<Vec<_>>(), ["on"]);
    /// assert_eq!(formula.decide_predicates(None)?[0].holds, Possibility::Possible);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn predicate(&mut self, name: &str, term: Term) -> Result<(), Error> {
        let term = self.boolean(term, "the predicate")?;
        if self.predicates.iter().any(|predicate| predicate.name == name) {
            return Err(declarations::declared_twice("predicate", name));
        }
        self.predicates.push(Predicate { name: name.to_string(), term });
        Ok(())
    }

    fn boolean(&self, term: Term, what: &str) -> Result<TermId, Error> {
        let id = self.id(term)?;
        if self.store.is_bool(id) {
            return Ok(id);
        }
        let sort = Sort::of(&self.store, self.store.sort_of(id));
        Err(Error::new(ErrorKind::Input, format!("{what} has sort {sort}, expected Bool")))
    }

    /// The formula.
    ///
    /// # Errors
    /// None: the work is not limited.
    ///
    /// ```
    /// let formula = sundry::FormulaBuilder::new().build()?;
    /// assert!(formula.sampler().run()?.is_complete());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn build(self) -> Result<Formula, Error> {
        self.build_within(&Control::default())
    }

    /// [`build`](Self::build) until a control stops the numbering of AST-bits.
    ///
    /// # Errors
    /// The control has stopped the work.
    ///
    /// ```
    /// use std::time::Instant;
    /// use sundry::{Control, ErrorKind, FormulaBuilder};
    ///
    /// let control = Control::default().with_deadline(Some(Instant::now()));
    /// let mut builder = FormulaBuilder::new();
    /// let p = builder.constant("p", &sundry::Sort::Bool)?;
    /// builder.assert(p)?;
    /// // So small a formula is finished before the clock is looked at.
    /// assert!(builder.build_within(&control).is_ok());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn build_within(self, control: &Control) -> Result<Formula, Error> {
        let FormulaBuilder { name, store, symbols, assertions, predicates, base, .. } = self;
        let problem = Problem::within(store, assertions, symbols, control)
            .map_err(|reason| stopped(&SourceText::new(name.clone(), ""), reason))?;
        let parts = match base {
            None => ReadFormula {
                source: SourceText::new(name, ""),
                problem,
                places: FxHashMap::default(),
                columns: None,
                groups: Vec::new(),
                notes: Vec::new(),
            },
            Some(base) => {
                let bits = base.problem.ast_bits.integer_bits();
                let problem = problem.with_roles(base.problem.roles.clone());
                let problem = problem
                    .with_integer_bits(bits, control)
                    .map_err(|reason| stopped(&base.source, reason))?;
                ReadFormula { problem, ..(*base).clone() }
            }
        };
        Ok(Formula::new(parts, predicates))
    }
}

fn foreign(what: &str) -> Error {
    Error::new(ErrorKind::Input, format!("the {what} belongs to another builder"))
}

/// The error of an application that is not well-sorted.
fn wrong(error: &sundry_term::SortError) -> Error {
    Error::new(ErrorKind::Input, error)
}
