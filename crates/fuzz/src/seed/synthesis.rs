//! Scripts that ask for functions, in the language of SyGuS.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::seed::tree::listed_definitions;
use crate::tree::Tree;

/// The command that asks for the functions.
pub(crate) const QUESTION: &str = "check-synth";

/// Commands that only such scripts have.
const COMMANDS: [&str; 6] =
    [QUESTION, "synth-fun", "synth-inv", "constraint", "inv-constraint", "chc-constraint"];

/// Whether a command belongs to scripts that ask for functions.
pub(crate) fn is_of_synthesis(command: &str) -> bool {
    COMMANDS.contains(&command)
}

/// Whether a script asks for functions.
pub(crate) fn asks_for_functions(script: &Tree) -> bool {
    script.commands().into_iter().any(|start| script.command_name(start) == Some(QUESTION))
}

/// The script that asks for values under which functions violate their constraints: `unsat` if the functions are right. `None` if the text is no list of
/// definitions, if one is missing, or if the constraints are not written as terms.
pub(crate) fn violation(tree: &Tree, functions: &str) -> Option<Tree> {
    let (functions, listed) = listed_definitions(functions)?;
    let definitions: FxHashMap<Arc<str>, usize> = listed.into_iter().collect();
    let (mut text, mut constraints) = (String::new(), String::new());
    for start in tree.commands() {
        let parts = tree.parts(start);
        let part = |number: usize| parts.get(number).copied();
        match tree.command_name(start)? {
            "synth-fun" | "synth-inv" => {
                let definition = *definitions.get(tree.atom(part(1)?)?)?;
                text.push_str(&functions.expression(definition));
            }
            "declare-var" => {
                let [name, sort] = [part(1)?, part(2)?].map(|start| tree.expression(start));
                text.push_str(&format!("(declare-const {name} {sort})"));
            }
            "constraint" => {
                constraints.push_str(&format!(" {}", tree.expression(part(1)?)));
                continue;
            }
            "assume" => text.push_str(&format!("(assert {})", tree.expression(part(1)?))),
            QUESTION => {
                text.push_str(&format!("(assert (not (and true true{constraints})))\n(check-sat)\n"));
                return Tree::read(&text).ok();
            }
            // These stand for several constraints.
            "inv-constraint" | "chc-constraint" => return None,
            "set-feature" | "set-option" => continue,
            _ => text.push_str(&tree.expression(start)),
        }
        text.push('\n');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_take_the_place_of_what_was_asked_for() {
        let script = "(set-feature :fwd-decls true) (set-logic LIA) (synth-fun f ((x Int)) Int ((I Int)) ((I Int (x 1))))
            (declare-var x Int) (assume (> x 0)) (constraint (> (f x) x)) (constraint (< (f x) 9)) (check-synth)";
        let tree = Tree::read(script).expect("parentheses match");
        let asked = violation(&tree, "((define-fun f ((x Int)) Int x))").expect("a script").to_string();
        let expected = "(set-logic LIA)\n(define-fun f ((x Int)) Int x)\n(declare-const x Int)\n(assert (> x 0))\n\
            (assert (not (and true true (> (f x) x) (< (f x) 9))))\n(check-sat)\n";
        assert_eq!(asked, expected);
        assert!(violation(&tree, "((define-fun g ((x Int)) Int x))").is_none(), "another function");
        let composed = Tree::read("(synth-inv i ()) (inv-constraint i p t q) (check-synth)").expect("a tree");
        assert!(violation(&composed, "((define-fun i () Bool true))").is_none());
    }
}
