//! Models as text, in the form that the standard gives the answer of `get-model`.
//!
//! A function with a table becomes a chain of `ite` over its points. A function with a body may use constants and
//! functions that are not among the requested symbols: the reader of another solver's model invents them. Such
//! constants are written as their values; such functions are defined first.
//!
//! If a declared sort has finitely many elements, the model lists them before everything else, as z3 does: `(forall
//! ((x S)) (or (= x e0) (= x e1)))`. The standard has no syntax for that.

use rustc_hash::FxHashSet;
use sundry_term::{
    Control, FunctionValue, Model, SortDisplay, SortId, Stopped, SymbolId, TermId, TermStore, Value,
    quote_symbol,
};

use super::term::{Names, TermNames, TermValues, name_inside, write_term};
use super::value::write_value;
use super::{ScriptText, append_sorted_names, append_spaced};
use crate::walk::applications_of_symbols;

/// The values of these symbols in a model, as a list of definitions in their order. Symbols without a value have the
/// default value of their sort.
pub fn print_model(store: &TermStore, model: &Model, symbols: &[SymbolId]) -> String {
    print_model_within(store, model, symbols, &Control::default()).expect("nothing stops this control")
}

/// Prints a model like [`print_model`], until a control stops it.
///
/// # Errors
/// The reason for which the control stopped it.
pub fn print_model_within(
    store: &TermStore,
    model: &Model,
    symbols: &[SymbolId],
    control: &Control,
) -> Result<String, Stopped> {
    let mut out = ScriptText::default();
    out.push_str("(\n");
    for (sort, count) in model.universes().iter() {
        write_universe(&mut out, store, sort, count);
    }
    write_definitions(&mut out, store, model, symbols, "  ", control)?;
    out.push_str(")\n");
    Ok(out.into_string())
}

/// Writes a line for the value of each symbol, after those that it uses, with `indent` in front of each.
pub(super) fn write_definitions(
    out: &mut ScriptText,
    store: &TermStore,
    model: &Model,
    symbols: &[SymbolId],
    indent: &str,
    control: &Control,
) -> Result<(), Stopped> {
    let printer = ModelPrinter { store, model, symbols: symbols.iter().copied().collect() };
    for &symbol in printer.auxiliary_functions(symbols).iter().chain(symbols) {
        let before = out.len();
        out.push_str(indent);
        printer.write_definition(out, symbol);
        // A byte takes about a nanosecond, and making its value somewhat more.
        control.spend(u32::try_from(out.len() - before).unwrap_or(u32::MAX))?;
    }
    Ok(())
}

/// States that a declared sort has these elements and no others.
fn write_universe(out: &mut ScriptText, store: &TermStore, sort: SortId, count: u32) {
    out.append(format_args!("  (forall ((x {})) ", SortDisplay::new(store, sort)));
    out.push_str(if count == 1 { "" } else { "(or " });
    append_spaced(out, 0..count, |out, index| {
        out.push_str("(= x ");
        write_value(out, store, sort, &Value::Uninterpreted { sort, index });
        out.push(')');
    });
    out.push_str(if count == 1 { "" } else { ")" });
    out.push_str(")\n");
}

struct ModelPrinter<'a> {
    store: &'a TermStore,
    model: &'a Model,
    symbols: FxHashSet<SymbolId>,
}

impl ModelPrinter<'_> {
    /// The functions that bodies use and that are not requested, callees first.
    fn auxiliary_functions(&self, symbols: &[SymbolId]) -> Vec<SymbolId> {
        enum Step {
            Enter(SymbolId),
            Leave(SymbolId),
        }
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack: Vec<Step> = symbols.iter().rev().map(|&symbol| Step::Enter(symbol)).collect();
        while let Some(step) = stack.pop() {
            match step {
                Step::Leave(symbol) => found.push(symbol),
                Step::Enter(symbol) if seen.insert(symbol) => {
                    if !self.symbols.contains(&symbol) {
                        stack.push(Step::Leave(symbol));
                    }
                    if let Some(FunctionValue::Body { body, .. }) = self.model.function(symbol) {
                        let called = self.applied_symbols(*body).into_iter();
                        let called = called.filter(|&other| self.model.function(other).is_some());
                        stack.extend(called.map(Step::Enter));
                    }
                }
                Step::Enter(_) => {}
            }
        }
        found
    }

    /// The symbols that occur in a body, in some fixed order.
    fn applied_symbols(&self, body: TermId) -> Vec<SymbolId> {
        let mut symbols: Vec<SymbolId> =
            applications_of_symbols(self.store, body).into_iter().map(|(_, symbol)| symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    fn write_definition(&self, out: &mut ScriptText, symbol: SymbolId) {
        let declared = self.store.symbol(symbol);
        let name = quote_symbol(&declared.name);
        out.append(format_args!("(define-fun {name} ("));
        match self.model.function(symbol) {
            Some(FunctionValue::Body { parameters, body }) if self.model.constant(symbol).is_none() => {
                self.write_body(out, parameters, *body, declared.result);
            }
            function => {
                let parameters: Vec<String> =
                    (0..declared.arguments.len()).map(|i| format!("x!{i}")).collect();
                append_sorted_names(out, self.store, &parameters, declared.arguments.iter().copied());
                out.append(format_args!(") {} ", SortDisplay::new(self.store, declared.result)));
                match function {
                    Some(FunctionValue::Table { entries, default }) if !parameters.is_empty() => {
                        let points = entries.iter().map(|(point, value)| (&point[..], value));
                        self.write_table(out, symbol, &parameters, points, default);
                    }
                    _ => self.write_constant(out, symbol),
                }
            }
        }
        out.push_str(")\n");
    }

    fn write_constant(&self, out: &mut ScriptText, symbol: SymbolId) {
        let sort = self.store.symbol(symbol).result;
        match self.model.constant(symbol) {
            Some(value) => write_value(out, self.store, sort, value),
            None => write_value(out, self.store, sort, &Value::default_of(self.store, sort)),
        }
    }

    fn write_table<'v>(
        &self,
        out: &mut ScriptText,
        symbol: SymbolId,
        parameters: &[String],
        points: impl Iterator<Item = (&'v [Value], &'v Value)>,
        default: &Value,
    ) {
        let declared = self.store.symbol(symbol);
        let mut depth = 0;
        for (point, value) in points {
            out.push_str(if point.len() == 1 { "(ite " } else { "(ite (and " });
            append_spaced(out, point.iter().enumerate(), |out, (position, argument)| {
                out.append(format_args!("(= {} ", parameters[position]));
                write_value(out, self.store, declared.arguments[position], argument);
                out.push(')');
            });
            out.push_str(if point.len() == 1 { " " } else { ") " });
            write_value(out, self.store, declared.result, value);
            out.push(' ');
            depth += 1;
        }
        write_value(out, self.store, declared.result, default);
        out.push_repeated(")", depth);
    }

    fn write_body(&self, out: &mut ScriptText, parameters: &[SymbolId], body: TermId, sort: SortId) {
        let invented = self.invented_constants(body);
        let named = TermNames::default();
        let names = Names { values: Some(&invented), ..Names::new(&named) };
        let (texts, local) = name_inside(self.store, &names, parameters, body);
        let sorts = parameters.iter().map(|&parameter| self.store.symbol(parameter).result);
        append_sorted_names(out, self.store, &texts, sorts);
        out.push_str(") ");
        out.push_sort(self.store, sort);
        out.push(' ');
        write_term(out, self.store, Names { local, ..names }, body);
    }

    /// The constants in a body that are not requested, with their values.
    fn invented_constants(&self, body: TermId) -> TermValues<'_> {
        let applied = applications_of_symbols(self.store, body).into_iter();
        let invented = applied.filter(|(_, symbol)| !self.symbols.contains(symbol));
        invented.filter_map(|(term, symbol)| Some((term, self.model.constant(symbol)?))).collect()
    }
}
