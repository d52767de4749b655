//! Terms as text: every shared application once, under a `let` variable.
//!
//! A term is a directed acyclic graph; written out as a tree, it may be exponentially larger. Each application with
//! several parents gets a variable. Variables that do not depend on one another share one `let`, so that the text is
//! nested as little as the graph allows: many readers recurse on it. Both walks use explicit stacks; only
//! quantifiers, whose nesting is limited, recurse: terms that depend on their variables are shared inside.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Op, SymbolId, TermId, TermStore, Value, quote_symbol};

use super::free_variables::FreeVariables;
use super::head::write_head;
use super::value::write_value;
use super::{ScriptText, append_sorted_names, append_spaced};
use crate::walk::post_order;

/// Texts that stand for terms: parameters, definitions, variables.
pub(super) type TermNames = FxHashMap<TermId, String>;

/// Values that stand for constants.
pub(super) type TermValues<'v> = FxHashMap<TermId, &'v Value>;

/// The choice of applications with several parents that are written once, under a variable.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// All applications with several parents, so that the text is a picture of the graph.
    #[default]
    All,
    /// Only applications whose names make the text shorter.
    WhereShorter,
}

/// Names in layers: a small number of local names needs no copy of the many others.
pub(super) struct Names<'a> {
    /// Names that hold beyond the term.
    pub(super) outer: &'a TermNames,
    /// Names of parameters and variables.
    pub(super) local: TermNames,
    /// Constants that are written as their values.
    pub(super) values: Option<&'a TermValues<'a>>,
    /// Names around the quantifier whose body is written.
    pub(super) around: Option<&'a Names<'a>>,
}

impl<'a> Names<'a> {
    /// Layers with names that hold beyond the term, and no others yet.
    pub(super) fn new(outer: &'a TermNames) -> Self {
        Names { outer, local: TermNames::default(), values: None, around: None }
    }

    fn get(&self, term: TermId) -> Option<&str> {
        let mut layer = Some(self);
        while let Some(names) = layer {
            if let Some(name) = names.local.get(&term) {
                return Some(name);
            }
            layer = names.around;
        }
        self.outer.get(&term).map(String::as_str)
    }
}

/// A term in SMT-LIB syntax.
pub fn print_term(store: &TermStore, term: TermId) -> String {
    let mut out = ScriptText::default();
    write_term(&mut out, store, Names::new(&TermNames::default()), term);
    out.into_string()
}

/// Appends a term in which the named terms are written as their names. The term itself is written out even if it has
/// a name, unless it is not an application.
pub(super) fn write_term(out: &mut ScriptText, store: &TermStore, names: Names<'_>, term: TermId) {
    write_term_sharing(out, store, names, term, Sharing::All);
}

/// Appends a term, with a choice of the applications that are written once.
pub(super) fn write_term_sharing(
    out: &mut ScriptText,
    store: &TermStore,
    names: Names<'_>,
    term: TermId,
    sharing: Sharing,
) {
    let free = FreeVariables::below(store, &[term], |below| names.get(below).is_some());
    Writer { store, free: &free, bound: Vec::new(), sharing }.write(out, names, term);
}

/// Writes a term and the quantifiers inside it.
struct Writer<'a> {
    store: &'a TermStore,
    free: &'a FreeVariables,
    /// The variables of the quantifiers around the present term.
    bound: Vec<SymbolId>,
    sharing: Sharing,
}

impl Writer<'_> {
    /// Appends a term inside the quantifiers around it.
    fn write(&mut self, out: &mut ScriptText, mut names: Names<'_>, term: TermId) {
        let store = self.store;
        let may_share = |shared| self.free.are_among(shared, &self.bound);
        let survey = Survey::inside(store, &names, term, &may_share, self.sharing);
        let prefix = survey.free_prefix(self.sharing.prefix());
        let mut next = 0usize;
        for group in &survey.groups {
            out.push_str("(let (");
            append_spaced(out, group.iter().zip(next..), |out, (&shared, number)| {
                out.append(format_args!("({prefix}{number} "));
                self.write_tree(out, &names, shared);
                out.push(')');
            });
            out.push_str(") ");
            for &shared in group {
                names.local.insert(shared, format!("{prefix}{next}"));
                next += 1;
            }
        }
        self.write_tree(out, &names, term);
        out.push_repeated(")", survey.groups.len());
    }

    /// Appends a term as a tree, down to terms with names.
    fn write_tree(&mut self, out: &mut ScriptText, names: &Names<'_>, root: TermId) {
        enum Step {
            Term(TermId),
            Close,
        }
        let store = self.store;
        let mut stack = vec![Step::Term(root)];
        let mut at_root = true;
        while let Some(step) = stack.pop() {
            let Step::Term(term) = step else {
                out.push(')');
                continue;
            };
            if !at_root {
                out.push(' ');
            }
            let arguments = store.args(term);
            match names.get(term) {
                Some(name) if !at_root || arguments.is_empty() => out.push_str(name),
                _ if arguments.is_empty() => match names.values.and_then(|values| values.get(&term)) {
                    Some(value) => write_value(out, store, store.sort_of(term), value),
                    None => write_head(out, store, term),
                },
                _ if matches!(store.op(term), Op::Forall(_) | Op::Exists(_)) => {
                    self.write_quantifier(out, names, term);
                }
                _ => {
                    out.push('(');
                    write_head(out, store, term);
                    stack.push(Step::Close);
                    stack.extend(arguments.iter().rev().map(|&argument| Step::Term(argument)));
                }
            }
            at_root = false;
        }
    }

    /// Appends a quantifier with its variables and body.
    fn write_quantifier(&mut self, out: &mut ScriptText, names: &Names<'_>, term: TermId) {
        let store = self.store;
        let (Op::Forall(binder) | Op::Exists(binder)) = store.op(term) else {
            unreachable!("only quantifiers are written so")
        };
        let (variables, body) = (store.bound_variables(binder), store.args(term)[0]);
        let (texts, local) = name_inside(store, names, variables, body);
        out.append(format_args!("({} (", store.op(term).name()));
        append_sorted_names(
            out,
            store,
            &texts,
            variables.iter().map(|&variable| store.symbol(variable).result),
        );
        out.push_str(") ");
        let before = self.bound.len();
        self.bound.extend(variables);
        self.write(out, Names { outer: names.outer, local, values: names.values, around: Some(names) }, body);
        self.bound.truncate(before);
        out.push(')');
    }
}

/// The structure of a term: its shared applications, and the names that occur.
pub(super) struct Survey {
    /// Applications with several parents; those of a group depend only on earlier groups.
    groups: Vec<Vec<TermId>>,
    /// Symbols and named terms that occur by name, with their texts.
    used: Vec<(TermId, String)>,
}

impl Survey {
    pub(super) fn new(store: &TermStore, names: &Names<'_>, root: TermId) -> Self {
        Survey::inside(store, names, root, &|_| true, Sharing::All)
    }

    /// Surveys a term in which only those applications get names that `may_share` accepts.
    fn inside(
        store: &TermStore,
        names: &Names<'_>,
        root: TermId,
        may_share: &dyn Fn(TermId) -> bool,
        sharing: Sharing,
    ) -> Self {
        let mut parents: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut used = Vec::new();
        let applications = post_order(store, root, |term| {
            let count = parents.entry(term).or_insert(0);
            *count += 1;
            let name = if term == root { None } else { names.get(term) };
            let is_value = names.values.is_some_and(|values| values.contains_key(&term));
            if *count == 1 && !is_value {
                match (name, store.op(term)) {
                    (Some(name), _) => used.push((term, name.to_string())),
                    (None, Op::Apply(symbol)) => {
                        used.push((term, quote_symbol(&store.symbol(symbol).name).into_owned()));
                    }
                    _ => {}
                }
            }
            *count == 1 && name.is_none()
        });
        let mut shared: FxHashSet<TermId> = applications.iter().copied().collect();
        shared.retain(|term| *term != root && parents[term] > 1 && may_share(*term));
        if sharing == Sharing::WhereShorter {
            shared = worth_sharing(store, names, &applications, &shared, &parents);
        }
        let groups = group_by_depth(store, &applications, |term| shared.contains(term));
        Survey { groups, used }
    }

    /// A prefix like `prefix` with which no name that occurs starts.
    pub(super) fn free_prefix(&self, prefix: &str) -> String {
        let mut prefix = prefix.to_string();
        while self.used.iter().any(|(_, name)| name.trim_start_matches('|').starts_with(&prefix)) {
            prefix.push('_');
        }
        prefix
    }

    /// Whether a text denotes anything but the constant `symbol`.
    fn means_another(&self, store: &TermStore, text: &str, symbol: SymbolId) -> bool {
        self.used.iter().any(|(term, used)| used == text && store.constant_symbol(*term) != Some(symbol))
    }
}

impl Sharing {
    /// The prefix of the variables.
    fn prefix(self) -> &'static str {
        match self {
            Sharing::All => "_let_",
            Sharing::WhereShorter => "l",
        }
    }
}

/// The number of bytes of a variable with one digit.
const NAME_LENGTH: usize = 2;
/// The number of bytes of a `let` around one variable, without its name and its term.
const LET_LENGTH: usize = "(let (( ))  )".len();

/// Selects the applications whose names make the text shorter; in `applications`, arguments come before their uses.
///
/// Other applications with several parents are short, so the text does not grow out of proportion.
fn worth_sharing(
    store: &TermStore,
    names: &Names<'_>,
    applications: &[TermId],
    shared: &FxHashSet<TermId>,
    parents: &FxHashMap<TermId, u32>,
) -> FxHashSet<TermId> {
    let mut worth = FxHashSet::default();
    let mut lengths: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut head = ScriptText::default();
    let mut head_length = |term| {
        head.clear();
        write_head(&mut head, store, term);
        head.len()
    };
    for &term in applications {
        let mut length = head_length(term) + 2;
        for &argument in store.args(term) {
            let known = names.get(argument).map(str::len).or_else(|| lengths.get(&argument).copied());
            length = length.saturating_add(1 + known.unwrap_or_else(|| head_length(argument)));
        }
        let uses = parents[&term] as usize;
        let with_variable = length.saturating_add(LET_LENGTH + (uses + 1) * NAME_LENGTH);
        let is_worth = shared.contains(&term) && with_variable < length.saturating_mul(uses);
        if is_worth {
            worth.insert(term);
        }
        lengths.insert(term, if is_worth { NAME_LENGTH } else { length });
    }
    worth
}

/// The shared applications, grouped by the number of shared applications below them on a path; in `applications`,
/// arguments come first.
fn group_by_depth(
    store: &TermStore,
    applications: &[TermId],
    shared: impl Fn(&TermId) -> bool,
) -> Vec<Vec<TermId>> {
    let mut depths: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<TermId>> = Vec::new();
    for &term in applications {
        let below = store
            .args(term)
            .iter()
            .filter_map(|argument| depths.get(argument).map(|depth| depth + usize::from(shared(argument))));
        let depth = below.max().unwrap_or(0);
        depths.insert(term, depth);
        if shared(&term) {
            if groups.len() <= depth {
                groups.resize(depth + 1, Vec::new());
            }
            groups[depth].push(term);
        }
    }
    groups
}

/// Names for the parameters of a body: their own if these are unambiguous, else invented ones. Returns a text for
/// each, and the names of those that occur in the body.
pub(super) fn name_parameters(
    store: &TermStore,
    outer: &TermNames,
    parameters: &[SymbolId],
    body: TermId,
) -> (Vec<String>, TermNames) {
    name_inside(store, &Names::new(outer), parameters, body)
}

/// Names for the parameters of a body in which some terms have names already.
pub(super) fn name_inside(
    store: &TermStore,
    names: &Names<'_>,
    parameters: &[SymbolId],
    body: TermId,
) -> (Vec<String>, TermNames) {
    let survey = Survey::new(store, names, body);
    let prefix = survey.free_prefix("x!");
    let is_clear = |position: usize, text: &str| {
        let name = &store.symbol(parameters[position]).name;
        let is_repeated = parameters[..position].iter().any(|&other| store.symbol(other).name == *name);
        !is_repeated && !survey.means_another(store, text, parameters[position])
    };
    let mut texts = Vec::with_capacity(parameters.len());
    for (position, &parameter) in parameters.iter().enumerate() {
        let own = quote_symbol(&store.symbol(parameter).name);
        texts.push(if is_clear(position, &own) { own.into_owned() } else { format!("{prefix}{position}") });
    }
    let mut local = TermNames::default();
    for (term, _) in &survey.used {
        let symbol = store.constant_symbol(*term);
        if let Some(position) = parameters.iter().position(|&parameter| Some(parameter) == symbol) {
            local.insert(*term, texts[position].clone());
        }
    }
    (texts, local)
}
