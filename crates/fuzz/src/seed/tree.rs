//! Seeds with something that Sundry does not know, such as a theory of one solver.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sundry_external::{Feature, Features, Inquiry, Verdict};
use sundry_smtlib::ScriptText;

use crate::seed::OUTPUT_OPTIONS;
use crate::seed::synthesis::{self, is_of_synthesis};
use crate::tree::{Piece, Tree, written};

/// Commands that ask whether the assertions have a model.
const QUESTIONS: [&str; 3] = ["check-sat", "check-sat-assuming", "check-sat-using"];
/// Levels that one command opens, at most; more are an attack on memory.
const MOST_LEVELS: usize = 1 << 16;
/// Commands that ask for something beside the answer, or change nothing of it.
const OTHER_REQUESTS: [&str; 9] = [
    "echo",
    "simplify",
    "display",
    "eval",
    "help",
    "block-model",
    "block-model-values",
    "labels",
    "check-synth-next",
];

/// A script with something that Sundry does not know.
#[derive(Clone, Debug)]
pub(crate) struct TreeSeed {
    /// All commands that matter for the answers.
    pub(crate) tree: Tree,
    /// The status that the script records for each question.
    pub(crate) recorded: Vec<Option<Verdict>>,
}

impl TreeSeed {
    /// Reads a script. `None` if parentheses do not match, or if it asks neither whether assertions have a model nor for functions.
    pub(crate) fn of(text: &str) -> Option<TreeSeed> {
        let whole = Tree::read(text).ok()?;
        let (mut pieces, mut recorded, mut status) = (Vec::<Piece>::new(), Vec::new(), None);
        let (mut asks_for_models, mut asks_for_functions) = (false, false);
        for start in whole.commands() {
            let name = whole.command_name(start)?;
            let word = |part: usize| whole.parts(start).get(part).and_then(|&part| whole.atom(part));
            match name {
                "exit" => break,
                "set-info" if word(1) == Some(":status") => {
                    // Some solvers take an annotation that contradicts their answer for an error.
                    status = match word(2) {
                        Some("sat") => Some(Verdict::Sat),
                        Some("unsat") => Some(Verdict::Unsat),
                        _ => None,
                    };
                    continue;
                }
                "set-option" if word(1).is_some_and(|option| OUTPUT_OPTIONS.contains(&option)) => continue,
                _ if name.starts_with("get-") || OTHER_REQUESTS.contains(&name) => continue,
                _ if is_question(name) => recorded.push(status.take()),
                _ => {}
            }
            asks_for_models |= QUESTIONS.contains(&name);
            asks_for_functions |= is_of_synthesis(name);
            pieces.extend_from_slice(&whole.pieces[start..whole.end_of(start)]);
        }
        let asks_for_one_kind = asks_for_models != asks_for_functions;
        (asks_for_one_kind && !recorded.is_empty())
            .then(|| TreeSeed { tree: Tree::numbered(pieces.into_iter()), recorded })
    }
}

/// Whether a command asks a question that counts.
fn is_question(command: &str) -> bool {
    QUESTIONS.contains(&command) || command == synthesis::QUESTION
}

/// A script as solvers are asked it, and the number of its questions.
#[derive(Clone, Debug)]
pub(crate) struct TreeQuestion {
    pub(crate) tree: Tree,
    /// Whether it asks for a model after each question.
    pub(crate) wants_model: bool,
    pub(crate) inquiry: Inquiry,
    /// The number of questions.
    pub(crate) count: usize,
}

impl TreeQuestion {
    /// The question of a script, with a request for models if they are wanted. Where it is one for functions, these are the answer already.
    pub(crate) fn new(tree: Tree, wants_model: bool) -> TreeQuestion {
        let asks_for_functions = synthesis::asks_for_functions(&tree);
        let wants_model = wants_model && !asks_for_functions;
        let (mut text, mut count) = (String::new(), 0);
        if wants_model {
            text.push_str("(set-option :produce-models true)\n");
        }
        for start in tree.commands() {
            let is_model_option = tree.command_name(start) == Some("set-option")
                && tree.parts(start).get(1).and_then(|&part| tree.atom(part)) == Some(":produce-models");
            if wants_model && is_model_option {
                continue;
            }
            text.push_str(&tree.expression(start));
            text.push('\n');
            if tree.command_name(start).is_some_and(is_question) {
                count += 1;
                text.push_str(if wants_model { "(get-model)\n" } else { "" });
            }
        }
        // Nobody knows what else it needs: solvers say so themselves.
        let mut needs = Features::default();
        if asks_for_functions {
            needs.insert(Feature::Synthesis);
        }
        let inquiry =
            Inquiry { text: ScriptText::verbatim(text), needs, arguments: Vec::new(), is_counted: false };
        TreeQuestion { tree, wants_model, inquiry, count }
    }
}

/// The script that asks only the question with this number, from 0: with the commands that hold at that point. `None` if there is no
/// such question, or if commands decide in another way what holds.
pub(crate) fn question_alone(tree: &Tree, number: usize) -> Option<Tree> {
    let (mut kept, mut levels, mut asked) = (Vec::<usize>::new(), Vec::new(), 0);
    for start in tree.commands() {
        let name = tree.command_name(start)?;
        let count =
            || tree.parts(start).get(1).map_or(Some(1), |&part| tree.atom(part)?.parse::<usize>().ok());
        match name {
            "push" => levels.extend(std::iter::repeat_n(kept.len(), count()?.min(MOST_LEVELS))),
            "pop" => {
                for _ in 0..count()? {
                    kept.truncate(levels.pop()?);
                }
            }
            name if QUESTIONS.contains(&name) => {
                if asked == number {
                    kept.push(start);
                    let text = kept.iter().map(|&start| tree.expression(start) + "\n").collect::<String>();
                    return Tree::read(&text).ok();
                }
                asked += 1;
            }
            "reset" | "reset-assertions" => return None,
            "set-option" if tree.expression(start).contains(":global-declarations") => return None,
            _ => kept.push(start),
        }
    }
    None
}

/// Names with the positions of their definitions, in order.
type Definitions = Vec<(Arc<str>, usize)>;

/// The definitions in a list of them, as solvers print models and functions: the text as a tree, with the name and the position of each definition.
/// `None` if the text is no list, or if a definition has no name.
pub(super) fn listed_definitions(text: &str) -> Option<(Tree, Definitions)> {
    let tree = Tree::read(text).ok()?;
    let list = *tree.commands().first()?;
    let mut definitions = Vec::new();
    for part in tree.parts(list) {
        if tree.command_name(part) == Some("define-fun") {
            definitions.push((tree.atom(*tree.parts(part).get(1)?)?.into(), part));
        }
    }
    Some((tree, definitions))
}

/// The script with the values of a model as definitions in place of its declarations. `None` if the text is not a model of
/// definitions, or if it has nothing that the script declares.
pub(crate) fn with_model(tree: &Tree, model: &str) -> Option<Tree> {
    let (model, listed) = listed_definitions(model)?;
    let definitions: FxHashMap<Arc<str>, usize> = listed.iter().cloned().collect();
    let declared = |start: usize| {
        let is_declaration = matches!(tree.command_name(start), Some("declare-fun" | "declare-const"));
        is_declaration.then(|| tree.parts(start).get(1).and_then(|&name| tree.atom(name))).flatten()
    };
    let commands = tree.commands();
    let is_helper = |name: &&Arc<str>| !commands.iter().any(|&start| declared(start) == Some(&***name));
    let names = listed.iter().map(|(name, _)| name);
    let helpers: Vec<usize> = names.filter(is_helper).map(|name| definitions[name]).collect();
    let (mut text, mut has_values) = (String::new(), false);
    for &start in &commands {
        let value = declared(start).and_then(|name| definitions.get(name));
        // Functions that values are made of come first.
        if value.is_some() && !has_values {
            has_values = true;
            helpers.iter().for_each(|&helper| text.push_str(&format!("{}\n", model.expression(helper))));
        }
        let (tree, start) = value.map_or((tree, start), |&value| (&model, value));
        text.push_str(&written(&tree.pieces[start..tree.end_of(start)]));
        text.push('\n');
    }
    has_values.then(|| Tree::read(&text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "(set-info :status sat) (set-option :print-success true) (set-logic ALL) ; a remark
        (declare-fun |a| () (Set Int)) (declare-const n Int) (assert (set.member n |a|)) (check-sat) (get-value (n))
        (push 1) (assert false) (set-info :status unsat) (check-sat) (exit) (check-sat)";

    #[test]
    fn what_does_not_ask_for_answers_is_left_out() {
        let seed = TreeSeed::of(SCRIPT).expect("two questions");
        assert_eq!(seed.recorded, [Some(Verdict::Sat), Some(Verdict::Unsat)]);
        let plain = TreeQuestion::new(seed.tree.clone(), false);
        let declared = "(set-logic ALL)\n(declare-fun |a| () (Set Int))\n(declare-const n Int)\n";
        let asserted = "(assert (set.member n |a|))\n(check-sat)\n";
        let rest = "(push 1)\n(assert false)\n(check-sat)\n";
        assert_eq!((&*plain.inquiry.text, plain.count), (&*format!("{declared}{asserted}{rest}"), 2));
        let with_models = TreeQuestion::new(seed.tree, true).inquiry.text.into_string();
        let option = "(set-option :produce-models true)\n";
        assert_eq!(with_models, format!("{option}{declared}{asserted}(get-model)\n{rest}(get-model)\n"));
    }

    #[test]
    fn scripts_without_questions_of_one_kind_are_no_seeds() {
        for text in
            ["(assert a)", "(synth-fun f () Int)", "(check-synth) (check-sat)", "(check-sat", "check-sat"]
        {
            assert!(TreeSeed::of(text).is_none(), "{text}");
        }
    }

    #[test]
    fn functions_are_asked_for_without_models() {
        let seed = TreeSeed::of("(synth-fun f () Int) (check-synth) (check-synth-next)").expect("a question");
        let question = TreeQuestion::new(seed.tree, true);
        assert_eq!((question.count, question.wants_model), (1, false));
        assert_eq!(&*question.inquiry.text, "(synth-fun f () Int)\n(check-synth)\n");
        assert!(question.inquiry.needs.contains(Feature::Synthesis));
    }

    #[test]
    fn a_question_stands_alone_with_what_holds_there() {
        let tree = TreeSeed::of(SCRIPT).expect("two questions").tree;
        let alone = |number| question_alone(&tree, number).map(|tree| tree.to_string());
        let first = "(set-logic ALL)\n(declare-fun |a| () (Set Int))\n(declare-const n Int)\n\
            (assert (set.member n |a|))\n";
        assert_eq!(alone(0).as_deref(), Some(&*format!("{first}(check-sat)\n")));
        assert_eq!(alone(1).as_deref(), Some(&*format!("{first}(assert false)\n(check-sat)\n")));
        assert_eq!(alone(2), None);
        let popped = Tree::read("(assert a) (push) (assert b) (push 2) (assert c) (pop 3) (check-sat)")
            .expect("a tree");
        let alone = question_alone(&popped, 0).expect("a question").to_string();
        assert_eq!(alone, "(assert a)\n(check-sat)\n");
        for text in
            ["(pop) (check-sat)", "(push x) (check-sat)", "(reset-assertions) (check-sat)", "(assert a)"]
        {
            assert!(question_alone(&Tree::read(text).expect("a tree"), 0).is_none(), "{text}");
        }
    }

    #[test]
    fn models_become_definitions() {
        let tree = TreeSeed::of(SCRIPT).expect("two questions").tree;
        let model = "((define-fun n () Int (f 1)) (define-fun |a| () (Set Int) (set.singleton 3))
            (define-fun f ((x Int)) Int 3))";
        let text = with_model(&tree, model).expect("it has values").to_string();
        let values = "(set-logic ALL)\n(define-fun f ((x Int)) Int 3)\n\
            (define-fun |a| () (Set Int) (set.singleton 3))\n(define-fun n () Int (f 1))\n(assert (set.member n |a|))\n";
        assert!(text.starts_with(values), "{text}");
        assert!(with_model(&tree, "((define-fun other () Int 3))").is_none());
        assert!(with_model(&tree, "(error").is_none());
    }
}
