//! A model as a script in SMT-LIB, for other solvers, with the meaning of its constants in comments.

use std::fmt::Write;

use rustc_hash::FxHashSet;
use sundry_smtlib::{Formula, print_formula};
use sundry_term::{SortId, SymbolId, TermId, quote_symbol};

use crate::lines::shorten;
use crate::model::SystemModel;

/// Values of a constant that are listed, at most.
const LISTED: usize = 64;

/// A script that declares the constants of a model, asserts its conditions and asks for satisfiability. Comments at
/// the beginning state the origin of the model and the values that the codes of constants represent.
pub fn print_model_as_script(model: &SystemModel, name: &str) -> String {
    let mut out = format!("; From {}.\n", one_line(name));
    for column in &model.columns {
        let symbol = model.store.symbol(column.symbol);
        let quoted = quote_symbol(&symbol.name);
        if *symbol.name != *column.name {
            let _ = writeln!(out, "; {quoted} is '{}'.", one_line(&column.name));
        }
        if symbol.result != SortId::BOOL {
            let levels = column.levels.iter().enumerate().take(LISTED);
            let names: Vec<String> =
                levels.map(|(code, level)| format!("{code} {}", one_line(&shorten(level.name())))).collect();
            let more = if column.levels.len() > LISTED { ", ..." } else { "" };
            let _ = writeln!(out, "; {quoted}: {}{more}", names.join(", "));
        }
    }
    let shown: FxHashSet<SymbolId> = model.columns.iter().map(|column| column.symbol).collect();
    let hidden = model.symbols.iter().filter(|symbol| !shown.contains(*symbol));
    if shown.len() < model.symbols.len() {
        let names: Vec<String> =
            hidden.take(LISTED).map(|&it| one_line(&quote_symbol(&model.store.symbol(it).name))).collect();
        let more = if model.symbols.len() - shown.len() > LISTED { ", ..." } else { "" };
        let _ = writeln!(out, "; Auxiliary: {}{more}", names.join(", "));
    }
    let assertions: Vec<TermId> = model.assertions.iter().map(|assertion| assertion.term).collect();
    let formula = Formula {
        logic: Some("QF_BV".to_string()),
        assertions,
        symbols: model.symbols.clone(),
        ..Formula::default()
    };
    out.push_str(&print_formula(&model.store, &formula));
    out
}

/// A text without line breaks, which would end a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
