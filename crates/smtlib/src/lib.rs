//! Text of SMT-LIB 2.6 and 2.7 to scripts over terms, and back.
//!
//! [`parse_script`] reads a whole script, [`Parser`] one command at a time. A mistake is a [`Diagnostic`] that points
//! into the [`SourceText`]. The parser knows all theories of the standard; a [`TheorySet`] restricts it to those that
//! a user can handle, and a diagnostic of a separate kind names any other theory. Deliberately absent: any
//! simplification; terms are built as they are written.
//!
//! ```
//! use sundry_smtlib::{SourceText, parse_script, print_model, read_models};
//! use sundry_term::{TermStore, TheorySet, Value, evaluate};
//!
//! let mut store = TermStore::new();
//! let source = SourceText::new("f.smt2", "(declare-const x (_ BitVec 4)) (assert (bvult x #x3))");
//! let formula = parse_script(&mut store, &source, TheorySet::DECIDED).unwrap().formula();
//!
//! let answer = SourceText::new("answer", "sat ((define-fun x () (_ BitVec 4) #b0010))");
//! let read = read_models(&mut store, &answer, &formula.symbols).unwrap().remove(0);
//! assert_eq!(evaluate(&store, &read.model, formula.assertions[0]), Ok(Value::Bool(true)));
//! let text = print_model(&store, &read.model, &formula.symbols);
//! assert_eq!(text, "(\n  (define-fun x () (_ BitVec 4) #x2)\n)\n");
//! ```

mod boundary;
mod commands;
mod cursor;
mod datatypes;
mod declarations;
mod diagnostic;
mod formula;
mod identifiers;
mod indexed;
mod integers;
mod lexer;
mod macros;
mod matching;
mod model_reader;
mod model_values;
mod names;
mod numbers;
mod operators;
mod parser;
mod print;
mod reader;
mod recursion;
mod scope;
mod script;
mod sorts;
mod source;
mod terms;
mod theories;
mod walk;

pub use boundary::ExpressionScanner;
pub use diagnostic::{Diagnostic, DiagnosticKind, spend};
pub use formula::Formula;
pub use lexer::{Lexer, Token, unescape_string};
pub use model_reader::{ModelReader, ModelText, ReadModel, UnusedDefinition, ValueError, read_models};
pub use operators::can_be_declared;
pub use parser::Parser;
pub use print::{
    ScriptText, Sharing, Word, print_command, print_formula, print_formula_with_model, print_model,
    print_model_within, print_script, print_script_text, print_term, print_term_briefly, print_value,
};
pub use script::{
    Attribute, Command, Definition, NamedTerm, Script, parse_script, parse_script_with, parse_script_within,
};
pub use source::{NotUtf8, Position, SourceText, Span, TextEncoding};
pub use sundry_term::TheorySet;
pub use theories::near_name;
