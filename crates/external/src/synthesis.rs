//! Replies to scripts that ask for functions with `check-synth`, in the language of SyGuS.
//!
//! Definitions of the functions count as `sat`, `infeasible` as `unsat`, and `fail` as `unknown`: as for assertions, one of the first two
//! is wrong where a solver gives the one and another solver the other.

use crate::process::Finished;
use crate::profile::Profile;
use crate::reply::{Answer, Reply, Verdict};
use crate::response::{Response, responses};

impl Profile {
    /// Reads the reply of a process that has ended. Behind each answer with functions is one list of their definitions.
    pub(crate) fn read_functions(&self, finished: Finished) -> Reply {
        let (mut answers, mut error) = (Vec::<Answer>::new(), None);
        for response in responses(&finished.output.text) {
            match response {
                Response::Word("success" | "unsupported") | Response::String(_) => {}
                Response::Word("infeasible") => answers.push(answer(Verdict::Unsat)),
                Response::Word("fail" | "unknown" | "sat") => answers.push(answer(Verdict::Unknown)),
                // cvc4 says so of the negated conjecture, and prints one definition after another.
                Response::Word("unsat") => answers.push(answer(Verdict::Sat)),
                Response::Expression(text) if is_definition(text) => {
                    if let Some(Answer { verdict: Verdict::Sat, behind }) = answers.last_mut() {
                        let before = behind.pop().unwrap_or_else(|| "()".to_string());
                        let inside = before.strip_suffix(')').unwrap_or(&before);
                        behind.push(format!("{inside}\n{text})"));
                    }
                }
                Response::Expression(text) if is_definition(text[1..].trim_start()) => {
                    answers.push(Answer { verdict: Verdict::Sat, behind: vec![text.to_string()] });
                }
                Response::Expression(_) | Response::Unfinished(_) => {}
                Response::Error(text) => error = Some(text.to_string()),
                Response::Word(word) => error = Some(word.to_string()),
            }
            if error.is_some() {
                break;
            }
        }
        self.reply(answers, error, finished)
    }
}

fn answer(verdict: Verdict) -> Answer {
    Answer { verdict, behind: Vec::new() }
}

/// Whether a text begins with the definition of a function.
fn is_definition(text: &str) -> bool {
    text.strip_prefix('(').is_some_and(|inside| inside.trim_start().starts_with("define-fun"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Output;

    fn answers(text: &str) -> Vec<(Verdict, Vec<String>)> {
        let output = Output { text: text.to_string(), ..Output::default() };
        let reply = Profile::default().read_functions(Finished { output, ..Finished::default() });
        reply.answers.into_iter().map(|answer| (answer.verdict, answer.behind)).collect()
    }

    #[test]
    fn functions_are_sat_and_infeasible_is_unsat() {
        let functions = "(\n(define-fun f ((x Int)) Int (+ x 1))\n)".to_string();
        let expected =
            [(Verdict::Sat, vec![functions.clone()]), (Verdict::Unsat, vec![]), (Verdict::Unknown, vec![])];
        assert_eq!(
            answers(&format!("{functions}\ninfeasible\nfail\n(error \"line 3\")\n{functions}")),
            expected
        );
    }

    #[test]
    fn the_words_of_cvc4_are_known() {
        let text = "unsat\n(define-fun f () Int 1)\n(define-fun g ((x Int)) Bool (= x (f)))\n";
        let list = "(\n(define-fun f () Int 1)\n(define-fun g ((x Int)) Bool (= x (f))))".to_string();
        assert_eq!(answers(text), [(Verdict::Sat, vec![list])]);
        assert_eq!(answers("unknown\n"), [(Verdict::Unknown, vec![])]);
    }
}
