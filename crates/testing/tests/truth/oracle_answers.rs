//! Many independent questions to another solver in one process, answered with models.

use std::time::Duration;

use sundry_smtlib::{Formula, SourceText, print_formula, print_model, print_value, read_models};
use sundry_term::{Model, Op, Sort, SortId, TermId, TermStore, Value};
use sundry_testing::oracle::{Answer, Oracle};

use crate::case::any_sort;
use crate::engine_answers::first_false;

/// Milliseconds that a solver may take for one question.
const MILLISECONDS: u64 = 3_000;

/// The output of a solver for one question.
#[derive(Clone, Debug)]
pub struct Reply {
    /// `Unknown` also where the solver crashed or does not support the question.
    pub answer: Answer,
    /// The lines around the answer: a model, messages.
    pub text: String,
}

/// Whether a solver can be asked about a formula.
pub fn supports(oracle: Oracle, store: &TermStore, assertions: &[TermId]) -> bool {
    let unsupported = |sort: &Sort| match sort {
        Sort::Uninterpreted { .. } => true,
        Sort::Array { index, .. } => store.array_parts(*index).is_some(),
        _ => false,
    };
    // Bitwuzla takes only the standard's numbers of arguments here.
    let unusual = store.reachable(assertions).iter().any(|&term| match store.op(term) {
        Op::And | Op::Or => store.args(term).len() == 1,
        Op::BvXnor | Op::BvSub => store.args(term).len() > 2,
        _ => false,
    });
    oracle == Oracle::Z3 || (!unusual && !any_sort(store, assertions, unsupported))
}

/// Asks all questions, scripts with one `check-sat` each. A question that ends the process is answered with
/// `Unknown`, and those after it are asked again.
pub fn ask(oracle: Oracle, questions: &[String]) -> Vec<Reply> {
    let mut replies: Vec<Reply> = Vec::with_capacity(questions.len());
    while replies.len() < questions.len() {
        let first = replies.len();
        let rest = &questions[first..];
        let limit = Duration::from_millis(20_000 + MILLISECONDS * rest.len() as u64 / 4);
        let answers = oracle.run(&joined(oracle, rest), limit);
        let mut texts = vec![String::new(); rest.len()];
        let mut number = None;
        for line in &answers.other {
            let line = line.trim_matches('"');
            if line == "end" {
                break;
            }
            match line.strip_prefix("question ").and_then(|n| n.parse::<usize>().ok()) {
                Some(next) => number = Some(next),
                None => {
                    if let Some(text) = number.and_then(|number| texts.get_mut(number)) {
                        text.push_str(line);
                        text.push('\n');
                    }
                }
            }
        }
        let complete = answers.answers.len() == rest.len();
        let mut answered = answers.answers;
        if !complete {
            answered.truncate(rest.len() - 1);
            answered.push(Answer::Unknown);
        }
        replies.extend(answered.into_iter().zip(texts).map(|(answer, text)| Reply { answer, text }));
    }
    replies
}

/// One script for all questions. z3 starts anew for each, because its incremental mode is weaker;
/// Bitwuzla's does not survive a `reset`.
fn joined(oracle: Oracle, questions: &[String]) -> String {
    let (options, before, after) = match oracle {
        Oracle::Z3 => (":timeout", "(reset)\n", ""),
        Oracle::Bitwuzla => (":time-limit-per", "(push 1)\n", "(pop 1)\n"),
        Oracle::Cvc5 => (":tlimit-per", "(push 1)\n", "(pop 1)\n"),
    };
    let options = format!(
        "(set-option :produce-models true)\n(set-option {options} {MILLISECONDS})\n(set-logic ALL)\n"
    );
    let mut script = if oracle == Oracle::Z3 { String::new() } else { options.clone() };
    for (number, question) in questions.iter().enumerate() {
        let question = question.replace("(set-logic ALL)\n", "");
        let options = if oracle == Oracle::Z3 { &options[..] } else { "" };
        script.push_str(&format!("{before}{options}(echo \"question {number}\")\n{question}{after}"));
    }
    // The last output reaches us only when other output flushes it.
    script.push_str("(echo \"end\")\n");
    script
}

/// The reason for which the model in a reply does not satisfy the assertions, if it does not.
pub fn judge_foreign(store: &TermStore, assertions: &[TermId], reply: &Reply) -> Result<(), String> {
    let mut store = store.clone();
    let symbols = Formula::of_assertions(&store, assertions.to_vec()).symbols;
    let source = SourceText::new("model", reply.text.as_str());
    let models = read_models(&mut store, &source, &symbols).map_err(|error| error.render(&source))?;
    let Some(read) = models.first() else { return Err(format!("no model in {:?}", reply.text)) };
    match first_false(&store, &read.model, assertions) {
        None => Ok(()),
        Some(number) => Err(format!("assertion {number} is false under\n{}", reply.text)),
    }
}

/// A script that is satisfiable exactly where the model satisfies the assertions: the model's
/// definitions in place of declarations.
pub fn confirmation(store: &TermStore, assertions: &[TermId], model: &Model) -> String {
    let formula = Formula::of_assertions(store, assertions.to_vec());
    let body = Formula { symbols: Vec::new(), sorts: Vec::new(), ..formula.clone() };
    let printed = print_model(store, model, &formula.symbols);
    let lines = printed.trim().lines().filter(|line| !line.starts_with("  (forall "));
    let mut definitions = lines.collect::<Vec<_>>().join("\n");
    definitions = definitions[1..definitions.len() - 1].to_string();
    let mut script = String::from("(set-logic ALL)\n");
    let sorts = uninterpreted_sorts(store, assertions);
    for &declaration in &formula.sorts {
        let name = &store.sort_declaration(declaration).name;
        let is_named = |sort: &&SortId| sundry_term::SortDisplay::new(store, **sort).to_string() == **name;
        match sorts.iter().find(is_named).and_then(|&sort| model.universes().count(sort)) {
            Some(count) => {
                let elements: Vec<String> =
                    (0..count).map(|index| format!("(element!{name}!{index})")).collect();
                script.push_str(&format!("(declare-datatype {name} ({}))\n", elements.join(" ")));
            }
            None => script.push_str(&format!("(declare-sort {name} 0)\n")),
        }
    }
    for sort in sorts {
        let names = name_elements(store, sort, &mut definitions);
        if model.universes().count(sort).is_none() {
            declare_distinct(&sundry_term::SortDisplay::new(store, sort).to_string(), &names, &mut script);
        }
    }
    script.push_str(&definitions);
    script.push('\n');
    script.push_str(print_formula(store, &body).trim_start_matches("(set-logic ALL)\n"));
    script
}

fn uninterpreted_sorts(store: &TermStore, assertions: &[TermId]) -> Vec<SortId> {
    let mut found = Vec::new();
    for term in store.reachable(assertions) {
        let mut stack = vec![store.sort_of(term)];
        while let Some(sort) = stack.pop() {
            if matches!(store.sort(sort), Sort::Uninterpreted { .. }) && !found.contains(&sort) {
                found.push(sort);
            }
            if let Some((index, element)) = store.array_parts(sort) {
                stack.extend([index, element]);
            }
        }
    }
    found
}

/// Replaces the elements of a sort in the definitions by names: abstract values may not stand in scripts.
fn name_elements(store: &TermStore, sort: SortId, definitions: &mut String) -> Vec<String> {
    let mut names = Vec::new();
    let sort_name = sundry_term::SortDisplay::new(store, sort).to_string();
    let prefix = format!("(as @{sort_name}!");
    while let Some(start) = definitions.find(&prefix) {
        let digits = &definitions[start + prefix.len()..];
        let index: u32 = digits[..digits.find(' ').expect("a sort follows")].parse().expect("a number");
        let value = print_value(store, sort, &Value::Uninterpreted { sort, index });
        let name = format!("element!{sort_name}!{index}");
        *definitions = definitions.replace(&value, &name);
        names.push(name);
    }
    names
}

fn declare_distinct(sort: &str, names: &[String], script: &mut String) {
    for name in names {
        script.push_str(&format!("(declare-const {name} {sort})\n"));
    }
    if names.len() > 1 {
        script.push_str(&format!("(assert (distinct {}))\n", names.join(" ")));
    }
}
