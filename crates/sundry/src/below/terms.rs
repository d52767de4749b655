//! Terms, their store, and their texts.

/// A reader of formulas lends its parser, which knows the symbols in scope and reads further terms.
///
/// ```
/// use sundry::Control;
/// use sundry::read::{SourceText, read_formula_with};
/// use sundry::term::{Parser, TermStore, print_term};
///
/// let source = SourceText::new("door.smt2", "(declare-const door Bool)");
/// let more = |parser: &mut Parser, store: &mut TermStore| parser.parse_term(store, &SourceText::new("more", "(not door)"));
/// let (formula, term) = read_formula_with(source, None, &Control::default(), more)?;
/// assert_eq!(term.map(|term| print_term(&formula.problem.store, term)), Ok("(not door)".to_string()));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_smtlib::Parser;

/// A span is a part of a text, from one byte to before another.
///
/// ```
/// use sundry::read::SourceText;
/// use sundry::term::Span;
///
/// let source = SourceText::new("door.smt2", "(assert door)");
/// let span = Span::new(8, 12);
/// assert_eq!((source.slice(span), span.len()), ("door", 4));
/// ```
pub use sundry_smtlib::Span;

/// A model is printed for a choice of symbols, in their order.
///
/// ```
/// use sundry::term::print_model;
/// use sundry::{Formula, Model};
///
/// let formula = Formula::parse("(declare-const p Bool)")?;
/// let problem = &formula.parts().problem;
/// let text = print_model(&problem.store, &Model::new(), &problem.symbols);
/// assert_eq!(text, "(\n  (define-fun p () Bool false)\n)\n");
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_smtlib::print_model;

/// A term is printed as it was written.
///
/// ```
/// use sundry::Formula;
/// use sundry::term::print_term;
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (=> p (or q p)))")?;
/// let problem = &formula.parts().problem;
/// assert_eq!(print_term(&problem.store, problem.assertions[0]), "(=> p (or q p))");
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_smtlib::print_term;

/// A value is printed as a term of its sort.
///
/// ```
/// use sundry::Value;
/// use sundry::term::{SortId, TermStore, print_value};
///
/// let store = TermStore::new();
/// assert_eq!(print_value(&store, SortId::INT, &Value::Int((-3).into())), "(- 3)");
/// ```
pub use sundry_smtlib::print_value;

/// Operators on integers and reals are one group of all operators.
///
/// ```
/// use sundry::Formula;
/// use sundry::term::{ArithmeticOp, Op};
///
/// let formula = Formula::parse("(declare-const n Int) (assert (< n 5))")?;
/// let problem = &formula.parts().problem;
/// assert_eq!(problem.store.op(problem.assertions[0]), Op::Arithmetic(ArithmeticOp::Less));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::ArithmeticOp;

/// A term may have no value in a model, for a reason that says who is at fault.
///
/// ```
/// use sundry::term::{EvaluationError, SortId, TermStore, evaluate};
/// use sundry::{Model, Value};
///
/// let mut store = TermStore::new();
/// let p = store.declare("p", &[], SortId::BOOL);
/// let term = store.symbol_term(p);
/// let mut model = Model::new();
/// model.set_constant(p, Value::Int(1.into()));
/// assert!(matches!(evaluate(&store, &model, term), Err(EvaluationError::IllSortedValue { name, .. }) if name == "p"));
/// ```
pub use sundry_term::EvaluationError;

/// An evaluator computes values of many terms under one model, each of them once.
///
/// ```
/// use sundry::term::Evaluator;
/// use sundry::{Formula, Model, Value};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert p) (assert (or p (not p)))")?;
/// let problem = &formula.parts().problem;
/// // A constant without a value counts as false.
/// let model = Model::new();
/// let mut evaluator = Evaluator::new(&problem.store, &model);
/// evaluator.evaluate(&problem.assertions).expect("no limit");
/// let values: Vec<_> = problem.assertions.iter().map(|&term| evaluator.value(term)).collect();
/// assert_eq!(values, [Some(&Value::Bool(false)), Some(&Value::Bool(true))]);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::Evaluator;

/// Operators on floating-point values are another group, and have the rounding mode as their first argument.
///
/// ```
/// use sundry::Formula;
/// use sundry::term::{FloatOp, Op};
///
/// let formula = Formula::parse("(declare-const x Float32) (assert (fp.isNaN (fp.add RNE x x)))")?;
/// let store = &formula.parts().problem.store;
/// let sum = store.args(formula.parts().problem.assertions[0])[0];
/// assert_eq!((store.op(sum), store.args(sum).len()), (Op::Float(FloatOp::Add), 3));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::FloatOp;

/// An operator has a name in SMT-LIB, by which programs may find it.
///
/// ```
/// use sundry::term::{Op, SortId, TermStore, print_term};
///
/// let mut store = TermStore::new();
/// let p = store.declare("p", &[], SortId::BOOL);
/// let p = store.symbol_term(p);
/// let term = store.term(Op::Xor, &[p, p])?;
/// assert_eq!(Op::from_name("xor"), Some(Op::Xor));
/// assert_eq!(print_term(&store, term), "(xor p p)");
/// # Ok::<(), sundry::term::SortError>(())
/// ```
pub use sundry_term::Op;

/// A sort of a store names the sorts that it consists of by their identities.
///
/// ```
/// use sundry::term::{Sort, SortId, TermStore};
///
/// let mut store = TermStore::new();
/// let array = store.array_sort(SortId::INT, SortId::BOOL);
/// assert_eq!(store.sort(array), &Sort::Array { index: SortId::INT, element: SortId::BOOL });
/// ```
pub use sundry_term::Sort;

/// A sort is shown together with its store, which knows the names of declared sorts.
///
/// ```
/// use sundry::term::{SortDisplay, SortId, TermStore};
///
/// let mut store = TermStore::new();
/// let byte = store.bit_vec_sort(8)?;
/// let array = store.array_sort(byte, SortId::BOOL);
/// assert_eq!(SortDisplay::new(&store, array).to_string(), "(Array (_ BitVec 8) Bool)");
/// # Ok::<(), sundry::term::SortError>(())
/// ```
pub use sundry_term::SortDisplay;

/// A term that is not well-sorted is an error, which says what was expected.
///
/// ```
/// use sundry::term::{Op, SortError, TermStore};
///
/// let mut store = TermStore::new();
/// let number = store.numeral("5");
/// let error = store.term(Op::Not, &[number]).expect_err("no Boolean");
/// assert!(matches!(&error, SortError::Argument { position: 1, .. }));
/// assert_eq!(error.to_string(), "argument 1 of 'not' has sort Int, expected Bool");
/// ```
pub use sundry_term::SortError;

/// Sorts without parts have the same identity in every store, and the store makes others.
///
/// ```
/// use sundry::term::{Sort, SortId, TermStore};
///
/// let mut store = TermStore::new();
/// let byte = store.bit_vec_sort(8)?;
/// assert_eq!((store.sort(SortId::REAL), store.sort(byte)), (&Sort::Real, &Sort::BitVec(8)));
/// # Ok::<(), sundry::term::SortError>(())
/// ```
pub use sundry_term::SortId;

/// A symbol is a declaration, with its name and its sorts.
///
/// ```
/// use sundry::Formula;
/// use sundry::term::{SortId, Symbol};
///
/// let formula = Formula::parse("(declare-fun |my f| (Int) Bool)")?;
/// let problem = &formula.parts().problem;
/// let Symbol { name, arguments, result, .. } = problem.store.symbol(problem.symbols[0]);
/// assert_eq!((&**name, &arguments[..], *result), ("my f", &[SortId::INT][..], SortId::BOOL));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::Symbol;

/// A formula finds the identity of a symbol by its name, and models give values to identities.
///
/// ```
/// use sundry::Formula;
/// use sundry::term::SymbolId;
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool)")?;
/// let q: Option<SymbolId> = formula.constant("q");
/// assert_eq!(q, Some(formula.parts().problem.symbols[1]));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::SymbolId;

/// The kind of a symbol says whether models choose its value.
///
/// ```
/// use sundry::term::{SortId, SymbolKind, TermStore};
///
/// let mut store = TermStore::new();
/// let p = store.declare("p", &[], SortId::BOOL);
/// let bound = store.variable("n", SortId::INT);
/// assert_eq!(store.symbol(p).kind, SymbolKind::Declared);
/// assert_eq!(store.symbol(bound).kind, SymbolKind::Variable);
/// ```
pub use sundry_term::SymbolKind;

/// Equal terms of a store have one identity.
///
/// ```
/// use sundry::term::{SortId, TermId, TermStore};
///
/// let mut store = TermStore::new();
/// let p = store.declare("p", &[], SortId::BOOL);
/// let [once, again]: [TermId; 2] = [store.symbol_term(p), store.symbol_term(p)];
/// assert_eq!(once, again);
/// ```
pub use sundry_term::TermId;

/// A store makes terms and knows all about them.
///
/// ```
/// use sundry::term::{Op, TermStore};
///
/// let mut store = TermStore::new();
/// let byte = store.bit_vec_sort(8)?;
/// let x = store.declare("x", &[], byte);
/// let x = store.symbol_term(x);
/// let sum = store.term(Op::BvAdd, &[x, x])?;
/// assert_eq!((store.op(sum), store.args(sum), store.width(sum)), (Op::BvAdd, &[x, x][..], Some(8)));
/// # Ok::<(), sundry::term::SortError>(())
/// ```
pub use sundry_term::TermStore;

/// One term has a value under a model.
///
/// ```
/// use sundry::term::evaluate;
/// use sundry::{Formula, Model, Value};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert (not p))")?;
/// let problem = &formula.parts().problem;
/// let value = evaluate(&problem.store, &Model::new(), problem.assertions[0]);
/// assert_eq!(value, Ok(Value::Bool(true)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::evaluate;

/// A name that is no simple symbol of SMT-LIB needs quotes in texts.
///
/// ```
/// use sundry::term::quote_symbol;
///
/// assert_eq!(quote_symbol("door"), "door");
/// assert_eq!(quote_symbol("front door"), "|front door|");
/// ```
pub use sundry_term::quote_symbol;
