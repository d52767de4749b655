//! Commands and scripts as text.
//!
//! Definitions are expanded while they are read. When a script is printed, the body of a definition without
//! parameters is written as its name again, wherever the name is in scope, so that a script does not grow by being
//! read and printed.

use sundry_term::{
    Datatype, DatatypeId, SortDeclarationId, SortId, SymbolId, TermId, TermStore, quote_symbol,
};

use super::term::{Names, Sharing, TermNames, name_parameters, write_term, write_term_sharing};
use super::{ScriptText, Word, append_sorted_names, append_spaced};
use crate::script::{Attribute, Command, Definition, NamedTerm, Script};

/// A command in SMT-LIB syntax, without a line break. Definitions of sorts give no text, since
/// their uses are expanded.
pub fn print_command(store: &TermStore, command: &Command) -> String {
    let mut out = ScriptText::default();
    ScriptPrinter::default().write_command(&mut out, store, command, &[]);
    out.into_string()
}

/// A script in SMT-LIB syntax, one command on a line.
pub fn print_script(store: &TermStore, script: &Script) -> String {
    print_script_text(store, script, Sharing::All).into_string()
}

/// A script in SMT-LIB syntax, with a choice of the terms that are written once, and with the places of words that
/// some solvers spell differently.
pub fn print_script_text(store: &TermStore, script: &Script, sharing: Sharing) -> ScriptText {
    let mut out = match sharing {
        Sharing::WhereShorter => ScriptText::with_format_names(),
        _ => ScriptText::default(),
    };
    write_commands(&mut out, store, script, sharing);
    out
}

/// Appends the commands of a script, each on a line.
pub(super) fn write_commands(out: &mut ScriptText, store: &TermStore, script: &Script, sharing: Sharing) {
    let mut printer = ScriptPrinter { sharing, ..ScriptPrinter::default() };
    let mut named = script.named_terms.as_slice();
    for (position, (command, _)) in script.commands.iter().enumerate() {
        let count = named.iter().take_while(|name| name.command <= position).count();
        let (own, later) = named.split_at(count);
        named = later;
        match command {
            // Without the option, its line disappears too.
            Command::SetOption(attribute) if attribute.is(":produce-models", "true") => {
                out.push_word(Word::ModelOption, format_args!("(set-option :produce-models true)\n"));
                continue;
            }
            Command::GetModel => {
                out.push_word(Word::ModelCommand, format_args!("(get-model)\n"));
                continue;
            }
            _ => {}
        }
        let before = out.len();
        printer.write_command(out, store, command, own);
        if out.len() > before {
            out.push('\n');
        }
    }
}

/// The names of definitions in scope while commands are printed.
#[derive(Default)]
struct ScriptPrinter {
    names: TermNames,
    /// The named terms in order of definition.
    trail: Vec<TermId>,
    /// The length of the trail at the opening of each level.
    levels: Vec<usize>,
    global_declarations: bool,
    sharing: Sharing,
}

impl ScriptPrinter {
    fn write_command(
        &mut self,
        out: &mut ScriptText,
        store: &TermStore,
        command: &Command,
        named: &[NamedTerm],
    ) {
        match command {
            Command::SetLogic(logic) => out.append(format_args!("(set-logic {})", quote_symbol(logic))),
            Command::SetInfo(attribute) => write_attribute(out, "set-info", attribute),
            Command::SetOption(attribute) => write_attribute(out, "set-option", attribute),
            Command::DeclareSort(sort) => write_sort_declaration(out, store, *sort),
            Command::DefineSort(_) => {}
            Command::DeclareDatatypes(group) => write_datatypes(out, store, group),
            Command::Other { text, .. } => out.push_word(Word::Unknown, format_args!("{text}")),
            Command::DeclareSymbol(symbol) => write_declaration(out, store, *symbol, self.sharing),
            Command::Define(definition) => self.write_definition(out, store, definition),
            Command::DefineRecursive(group) => write_recursive_definitions(out, store, &self.names, group),
            Command::Assert(term) => self.write_assertion(out, store, *term, named),
            Command::Push(count) => out.append(format_args!("(push {count})")),
            Command::Pop(count) => out.append(format_args!("(pop {count})")),
            Command::CheckSatAssuming(terms) => {
                self.write_terms(out, store, "check-sat-assuming", terms.iter().copied());
            }
            Command::GetValue(terms) => {
                self.write_terms(out, store, "get-value", terms.iter().map(|(term, _)| *term));
            }
            Command::GetInfo(keyword) => out.append(format_args!("(get-info {keyword})")),
            Command::GetOption(keyword) => out.append(format_args!("(get-option {keyword})")),
            Command::Echo(text) => out.append(format_args!("(echo \"{}\")", text.replace('"', "\"\""))),
            Command::CheckSat => out.push_str("(check-sat)"),
            Command::GetModel => out.push_str("(get-model)"),
            Command::GetUnsatAssumptions => out.push_str("(get-unsat-assumptions)"),
            Command::GetAssertions => out.push_str("(get-assertions)"),
            Command::GetAssignment => out.push_str("(get-assignment)"),
            Command::GetUnsatCore => out.push_str("(get-unsat-core)"),
            Command::Reset => out.push_str("(reset)"),
            Command::ResetAssertions => out.push_str("(reset-assertions)"),
            Command::Exit => out.push_str("(exit)"),
        }
        self.follow(store, command);
    }

    /// Applies the effect of a command on the names in scope.
    fn follow(&mut self, store: &TermStore, command: &Command) {
        match command {
            Command::SetOption(attribute) if attribute.keyword == ":global-declarations" => {
                self.global_declarations = attribute.value.as_deref() == Some("true");
            }
            Command::Define(Definition { name, parameters, body, .. }) => {
                let is_application = !store.args(*body).is_empty();
                if parameters.is_empty() && is_application && !self.names.contains_key(body) {
                    self.names.insert(*body, quote_symbol(name).into_owned());
                    self.trail.push(*body);
                }
            }
            Command::Push(count) => self.levels.extend((0..*count).map(|_| self.trail.len())),
            Command::Pop(count) => (0..*count).for_each(|_| self.pop()),
            Command::Reset => *self = ScriptPrinter { sharing: self.sharing, ..ScriptPrinter::default() },
            Command::ResetAssertions => {
                self.levels.clear();
                if !self.global_declarations {
                    self.forget(0);
                }
            }
            _ => {}
        }
    }

    fn pop(&mut self) {
        let length = self.levels.pop().unwrap_or(0);
        if !self.global_declarations {
            self.forget(length);
        }
    }

    fn forget(&mut self, length: usize) {
        for term in self.trail.drain(length..) {
            self.names.remove(&term);
        }
    }

    fn write_definition(&self, out: &mut ScriptText, store: &TermStore, definition: &Definition) {
        let (parameters, body) = (&definition.parameters, definition.body);
        let (texts, local) = name_parameters(store, &self.names, parameters, body);
        let name = quote_symbol(&definition.name);
        out.append(format_args!("(define-fun {name} ("));
        let sorts = parameters.iter().map(|&parameter| store.symbol(parameter).result);
        append_sorted_names(out, store, &texts, sorts);
        out.push_str(") ");
        out.push_sort(store, definition.sort);
        out.push(' ');
        let names = Names { local, ..Names::new(&self.names) };
        write_term_sharing(out, store, names, body, self.sharing);
        out.push(')');
    }

    fn write_assertion(&self, out: &mut ScriptText, store: &TermStore, term: TermId, named: &[NamedTerm]) {
        let names: Vec<&NamedTerm> = named.iter().filter(|name| name.term == term).collect();
        out.push_str("(assert ");
        if !names.is_empty() {
            out.push_str("(! ");
        }
        self.write_named(out, store, term);
        for name in &names {
            out.append(format_args!(" :named {}", quote_symbol(&name.name)));
        }
        if !names.is_empty() {
            out.push(')');
        }
        out.push(')');
    }

    /// Appends a term, by its name if it has one.
    fn write_named(&self, out: &mut ScriptText, store: &TermStore, term: TermId) {
        match self.names.get(&term) {
            Some(name) => out.push_str(name),
            None => write_term_sharing(out, store, Names::new(&self.names), term, self.sharing),
        }
    }

    fn write_terms(
        &self,
        out: &mut ScriptText,
        store: &TermStore,
        command: &str,
        terms: impl Iterator<Item = TermId>,
    ) {
        out.append(format_args!("({command} ("));
        append_spaced(out, terms, |out, term| self.write_named(out, store, term));
        out.push_str("))");
    }
}

fn write_attribute(out: &mut ScriptText, command: &str, attribute: &Attribute) {
    match &attribute.value {
        Some(value) => out.append(format_args!("({command} {} {value})", attribute.keyword)),
        None => out.append(format_args!("({command} {})", attribute.keyword)),
    }
}

/// Appends the definitions of recursive functions defined together.
pub(super) fn write_recursive_definitions(
    out: &mut ScriptText,
    store: &TermStore,
    names: &TermNames,
    group: &[SymbolId],
) {
    let functions = group.iter().filter_map(|&symbol| {
        let definition = store.definition(symbol)?;
        let (texts, local) = name_parameters(store, names, &definition.parameters, definition.body);
        Some((store.symbol(symbol), definition.body, texts, local))
    });
    let functions: Vec<_> = functions.collect();
    let is_one = functions.len() == 1;
    out.push_str(if is_one { "(define-fun-rec " } else { "(define-funs-rec (" });
    append_spaced(out, &functions, |out, (symbol, _, texts, _)| {
        let name = quote_symbol(&symbol.name);
        out.append(format_args!("{}{name} (", if is_one { "" } else { "(" }));
        append_sorted_names(out, store, texts, symbol.arguments.iter().copied());
        out.push_str(") ");
        out.push_sort(store, symbol.result);
        out.push_str(if is_one { "" } else { ")" });
    });
    out.push_str(if is_one { " " } else { ") (" });
    append_spaced(out, functions, |out, (_, body, _, local)| {
        write_term(out, store, Names { local, ..Names::new(names) }, body);
    });
    out.push_str(if is_one { ")" } else { "))" });
}

/// Appends the declaration of a sort.
pub(super) fn write_sort_declaration(out: &mut ScriptText, store: &TermStore, sort: SortDeclarationId) {
    let declaration = store.sort_declaration(sort);
    out.append(format_args!("(declare-sort {} {})", quote_symbol(&declaration.name), declaration.arity));
}

/// Appends the declaration of datatypes declared together.
pub(super) fn write_datatypes(out: &mut ScriptText, store: &TermStore, group: &[DatatypeId]) {
    out.push_str("(declare-datatypes (");
    let datatypes = || group.iter().map(|&datatype| store.datatype(datatype));
    append_spaced(out, datatypes(), |out, datatype| {
        out.append(format_args!("({} {})", quote_symbol(&datatype.name), datatype.parameters.len()));
    });
    out.push_str(") (");
    append_spaced(out, datatypes(), |out, datatype| write_constructors(out, store, datatype));
    out.push_str("))");
}

/// Appends the constructors of a datatype, and the parameters in front of them, if any.
fn write_constructors(out: &mut ScriptText, store: &TermStore, datatype: &Datatype) {
    if !datatype.parameters.is_empty() {
        out.push_str("(par (");
        write_sorts(out, store, &datatype.parameters);
        out.push_str(") ");
    }
    out.push('(');
    append_spaced(out, &datatype.constructors, |out, &constructor| {
        let constructor = store.constructor(constructor);
        out.append(format_args!("({}", quote_symbol(&constructor.name)));
        for field in &constructor.fields {
            out.append(format_args!(" ({} ", quote_symbol(&field.selector)));
            out.push_sort(store, field.sort);
            out.push(')');
        }
        out.push(')');
    });
    out.push_str(if datatype.parameters.is_empty() { ")" } else { "))" });
}

fn write_sorts(out: &mut ScriptText, store: &TermStore, sorts: &[SortId]) {
    append_spaced(out, sorts, |out, &sort| out.push_sort(store, sort));
}

/// Appends the declaration of a constant or function, or the shorter form for constants if the text should be short.
fn write_declaration(out: &mut ScriptText, store: &TermStore, symbol: SymbolId, sharing: Sharing) {
    let symbol = store.symbol(symbol);
    let name = quote_symbol(&symbol.name);
    if sharing == Sharing::WhereShorter && symbol.arguments.is_empty() {
        out.append(format_args!("(declare-const {name} "));
    } else {
        out.append(format_args!("(declare-fun {name} ("));
        write_sorts(out, store, &symbol.arguments);
        out.push_str(") ");
    }
    out.push_sort(store, symbol.result);
    out.push(')');
}
