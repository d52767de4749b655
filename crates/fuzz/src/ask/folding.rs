//! Formulas with calls of definitions: those of the seed wherever an instance of their body is left, and one with parameters of a
//! term of the formula itself.
//!
//! Reading a script expands all calls. Solvers expand them by themselves, with code of its own, so questions need some.

use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_external::{Inquiry, Verdict};
use sundry_smtlib::{Command, Definition, Formula, Script, Sharing, Span};
use sundry_term::{Op, SortId, SymbolId, SymbolKind, TermId, TermStore, substitute};

use crate::ask::question::{Asked, Question};
use crate::mutate::fresh::{FreshNames, names};
use crate::reduce::Subject;
use crate::seed::logic::logic_of;

/// Terms below the body of an invented definition, at most.
const LARGEST_BODY: usize = 40;
/// Parameters of an invented definition, at most.
const MOST_PARAMETERS: usize = 3;
/// Terms of the formula that are tried as the body of a definition.
const ATTEMPTS: usize = 10;
/// Definitions without parameters in one question, at most.
const MOST_CONSTANTS: usize = 20;

/// The question about a formula with calls of these definitions, and of one that is invented. `None` if nothing in the
/// formula can be a call.
pub(super) fn with_definitions(
    store: &mut TermStore,
    formula: &Formula,
    expected: Option<Verdict>,
    definitions: &[Definition],
    random: &mut impl Rng,
) -> Option<Question> {
    let used = names(store, &formula.assertions);
    let is_free = |definition: &&Definition| !used.contains(definition.name.as_str());
    let can_be_called = |definition: &&Definition| {
        !definition.parameters.is_empty() || !store.args(definition.body).is_empty()
    };
    let (constant, mut known): (Vec<Definition>, Vec<Definition>) = definitions
        .iter()
        .filter(is_free)
        .filter(can_be_called)
        .cloned()
        .partition(|definition| definition.parameters.is_empty());
    // Some scripts define thousands of terms by each other, which would all be written out.
    known.extend(constant.into_iter().choose_multiple(random, MOST_CONSTANTS));
    let has_definitions = !known.is_empty();
    known.extend(invented(store, &formula.assertions, &known, random));
    let macros: Vec<Macro> = known.iter().map(|definition| Macro::of(store, definition)).collect();
    let folded = folded(store, &formula.assertions, &macros);
    if known.is_empty() || (folded == formula.assertions && !has_definitions) {
        return None;
    }
    let roots: Vec<TermId> =
        known.iter().map(|definition| definition.body).chain(formula.assertions.clone()).collect();
    let logic = logic_of(store, &roots);
    let wants_model = expected != Some(Verdict::Unsat);
    let inquiry = inquiry(store, Some(logic.clone()), folded, &known, &macros, wants_model);
    let asked = vec![Asked { formula: formula.clone(), expected, cores: Vec::new() }];
    // The reducer expands the calls, and keeps the definitions as long as they matter.
    let commands = std::iter::once(Command::SetLogic(logic)).chain(known.into_iter().map(Command::Define));
    let subject = Subject::of_formula(formula).with_front(commands);
    Some(Question { inquiry, subject, asked, definitions: Vec::new() })
}

/// The script that defines functions and asserts terms with calls of them.
fn inquiry(
    store: &TermStore,
    logic: Option<String>,
    folded: Vec<TermId>,
    definitions: &[Definition],
    macros: &[Macro],
    wants_model: bool,
) -> Inquiry {
    let functions: FxHashSet<SymbolId> = macros.iter().map(|it| it.function).collect();
    let roots = folded.iter().copied().chain(definitions.iter().map(|definition| definition.body)).collect();
    let mut declared = Formula::of_assertions(store, roots);
    declared.symbols.retain(|symbol| !functions.contains(symbol));
    let called = Formula { logic, assertions: folded, ..declared };
    let mut commands = called.script(store).commands;
    let is_declaration = |(command, _): &(Command, Span)| {
        matches!(
            command,
            Command::SetLogic(_)
                | Command::DeclareSort(_)
                | Command::DeclareDatatypes(_)
                | Command::DeclareSymbol(_)
                | Command::DefineRecursive(_)
        )
    };
    let place = commands.iter().take_while(|command| is_declaration(command)).count();
    let defined =
        definitions.iter().cloned().map(|definition| (Command::Define(definition), Span::default()));
    commands.splice(place..place, defined);
    if wants_model {
        commands.insert(0, (Command::switch_on(":produce-models"), Span::default()));
        commands.push((Command::GetModel, Span::default()));
    }
    Inquiry::new(store, &Script { commands, named_terms: Vec::new() }, Sharing::All)
}

/// A definition with the function that stands for it in terms.
struct Macro {
    parameters: Vec<TermId>,
    body: TermId,
    function: SymbolId,
}

impl Macro {
    fn of(store: &mut TermStore, definition: &Definition) -> Macro {
        let sorts: Vec<SortId> = definition.parameters.iter().map(|&it| store.symbol(it).result).collect();
        let function = store.declare(&definition.name, &sorts, definition.sort);
        let parameters = definition.parameters.iter().map(|&it| store.symbol_term(it)).collect();
        Macro { parameters, body: definition.body, function }
    }

    /// The arguments with which a call gives this term. `None` if no call does, or if a parameter does not occur in
    /// the body, or if quantifiers do.
    fn arguments_for(&self, store: &TermStore, term: TermId) -> Option<Vec<TermId>> {
        let mut bound: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut open = vec![(self.body, term)];
        while let Some((pattern, term)) = open.pop() {
            // Some operators take arguments of any sort.
            if store.sort_of(pattern) != store.sort_of(term) {
                return None;
            }
            if self.parameters.contains(&pattern) {
                if *bound.entry(pattern).or_insert(term) != term {
                    return None;
                }
                continue;
            }
            let (inner, outer) = (store.args(pattern), store.args(term));
            let is_same = store.op(pattern) == store.op(term) && inner.len() == outer.len();
            if !is_same || is_quantified(store, pattern) {
                return None;
            }
            open.extend(inner.iter().copied().zip(outer.iter().copied()));
        }
        self.parameters.iter().map(|parameter| bound.get(parameter).copied()).collect()
    }
}

fn is_quantified(store: &TermStore, term: TermId) -> bool {
    matches!(store.op(term), Op::Forall(_) | Op::Exists(_))
}

/// The assertions with a call in place of each instance of a definition, from the roots down.
fn folded(store: &mut TermStore, assertions: &[TermId], macros: &[Macro]) -> Vec<TermId> {
    let (constants, functions): (Vec<&Macro>, Vec<&Macro>) =
        macros.iter().partition(|it| it.parameters.is_empty());
    let constants: FxHashMap<TermId, SymbolId> = constants.iter().map(|it| (it.body, it.function)).collect();
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    // Arguments of a term come before the term.
    for term in store.reachable(assertions) {
        let is_application = !store.args(term).is_empty();
        let call_of = |it: &&Macro| {
            let arguments = it.arguments_for(store, term)?;
            // A body that is a parameter would be its own argument.
            (!arguments.contains(&term)).then_some((it.function, arguments))
        };
        let call = match constants.get(&term) {
            Some(&constant) => Some((constant, Vec::new())),
            None => functions.iter().filter(|_| is_application).find_map(call_of),
        };
        let (op, arguments) = match call {
            Some((function, arguments)) => (Op::Apply(function), arguments),
            None => (store.op(term), store.args(term).to_vec()),
        };
        let arguments: Vec<TermId> = arguments.iter().map(|argument| done[argument]).collect();
        let is_kept = op == store.op(term) && arguments == store.args(term);
        let new = if is_kept { term } else { store.make(op, &arguments) };
        done.insert(term, new);
    }
    assertions.iter().map(|assertion| done[assertion]).collect()
}

/// A definition of a random term of the formula, with some terms below it as parameters.
fn invented(
    store: &mut TermStore,
    assertions: &[TermId],
    known: &[Definition],
    random: &mut impl Rng,
) -> Option<Definition> {
    let terms = store.reachable(assertions);
    let root = (0..ATTEMPTS).find_map(|_| {
        let &root = terms.choose(random)?;
        let below = store.reachable(&[root]);
        let can_be = |&term: &TermId| {
            let is_variable = store
                .constant_symbol(term)
                .is_some_and(|symbol| store.symbol(symbol).kind == SymbolKind::Variable);
            !is_variable && !is_quantified(store, term)
        };
        ((2..=LARGEST_BODY).contains(&below.len()) && below.iter().all(can_be)).then_some(root)
    })?;
    let can_be = |term: &TermId| *term != root && store.sort_of(*term) != SortId::REG_LAN;
    let below: Vec<TermId> = store.reachable(&[root]).into_iter().filter(can_be).collect();
    let count = random.random_range(1..=MOST_PARAMETERS);
    let chosen = below.into_iter().choose_multiple(random, count);
    let mut used: Vec<TermId> = assertions.to_vec();
    used.extend(known.iter().map(|definition| definition.body));
    let mut parameter_names = FreshNames::beside(store, &used, "a");
    let replacements: FxHashMap<TermId, TermId> = chosen
        .iter()
        .map(|&term| {
            let parameter = store.parameter(&parameter_names.next_name(), store.sort_of(term));
            (term, store.symbol_term(parameter))
        })
        .collect();
    let body = substitute(store, root, &replacements).ok()?;
    let occurring: FxHashSet<TermId> = store.reachable(&[body]).into_iter().collect();
    // Terms inside of others do not occur any more.
    let parameters = chosen.iter().map(|term| replacements[term]).filter(|it| occurring.contains(it));
    let parameters: Vec<SymbolId> = parameters.filter_map(|term| store.constant_symbol(term)).collect();
    let mut macro_names = FreshNames::beside(store, &used, "macro");
    let is_known = |name: &str| known.iter().any(|definition| definition.name == name);
    let name = std::iter::repeat_with(|| macro_names.next_name()).find(|name| !is_known(name))?;
    Some(Definition { name, parameters, sort: store.sort_of(body), body })
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use sundry_smtlib::{SourceText, TheorySet, parse_script};

    use super::*;

    /// The definitions of a script, and its formula.
    fn read(store: &mut TermStore, text: &str) -> (Vec<Definition>, Formula) {
        let script = parse_script(store, &SourceText::new("test", text), TheorySet::ALL);
        let script = script.expect("a legal script");
        let definitions = script.commands.iter().filter_map(|(command, _)| match command {
            Command::Define(definition) => Some(definition.clone()),
            _ => None,
        });
        (definitions.collect(), script.formula())
    }

    const SEED: &str = "(set-logic ALL) (declare-fun x () Int) (declare-fun y () Int) (declare-fun b () Bool)
        (define-fun unused ((n Int)) Int (* n n n))
        (define-fun sum () Int (+ x y)) (define-fun same () Int x)
        (define-fun between ((low Int) (high Int)) Bool (and (< low (+ x 1)) (< (+ x 1) high)))
        (assert (=> b (between 3 (- y)))) (assert (between (* 2 y) 9)) (assert (distinct (* 5 (+ x y)) y))";

    #[test]
    fn instances_become_calls_again() {
        let mut store = TermStore::new();
        let (definitions, formula) = read(&mut store, SEED);
        let macros: Vec<Macro> = definitions.iter().map(|it| Macro::of(&mut store, it)).collect();
        let folded = folded(&mut store, &formula.assertions, &macros);
        let text = inquiry(&store, None, folded, &definitions, &macros, false).text.into_string();
        // A definition over one sort has no calls with another one.
        let text_of_equal = "(define-fun same ((m Int) (n Int)) Bool (= m n)) (declare-fun c () Bool)
            (declare-fun d () Bool) (assert (= c d)) (assert (= 1 2))";
        let mut other = TermStore::new();
        let (equal, formula_of_equal) = read(&mut other, text_of_equal);
        let same = Macro::of(&mut other, &equal[0]);
        let arguments =
            formula_of_equal.assertions.iter().map(|&it| same.arguments_for(&other, it).is_some());
        assert_eq!(arguments.collect::<Vec<bool>>(), [false, true]);
        for call in [
            "(=> b (between 3 (- y)))",
            "(assert (between (* 2 y) 9))",
            "(define-fun unused ((n Int))",
            "(* 5 sum)",
        ] {
            assert!(text.contains(call), "{call} in {text}");
        }
    }

    #[test]
    fn expanded_the_script_is_the_formula() {
        let mut store = TermStore::new();
        let (definitions, formula) = read(&mut store, SEED);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut texts = FxHashSet::default();
        for round in 0..200 {
            let definitions = if round % 2 == 0 { &definitions[..] } else { &[] };
            let question = with_definitions(&mut store, &formula, None, definitions, &mut random);
            let Some(question) = question else { continue };
            let mut again = TermStore::new();
            let (_, expanded) = read(&mut again, question.script());
            let (_, original) = read(&mut again, &sundry_smtlib::print_formula(&store, &formula));
            // Symbols are declared twice, so texts are compared.
            let text = |formula: &Formula| {
                let print = |&term: &TermId| sundry_smtlib::print_term(&again, term);
                formula.assertions.iter().map(print).collect::<Vec<String>>()
            };
            assert_eq!(text(&expanded), text(&original), "{}", question.script());
            texts.insert(question.script().to_string());
        }
        assert!(texts.len() > 50, "{} different scripts", texts.len());
    }
}
