//! Definitions that need themselves.

use rustc_hash::FxHashMap;
use sundry_term::{Stopped, TermId, TermStore};

use super::WORK_OF_VISIT;
use crate::rewrite::Rewriter;

/// Removes definitions until none needs itself, by a depth-first search over terms in which a
/// candidate symbol leads on to its definition. Where the search meets a term that is still open,
/// the definition entered last lies on the cycle: it is given up and what was seen through it forgotten.
pub(super) fn drop_cycles(
    store: &TermStore,
    candidates: &mut FxHashMap<TermId, TermId>,
    sources: &[(TermId, TermId)],
    rewriter: &Rewriter,
) -> Result<(), Stopped> {
    /// A symbol whose definition is being searched, and what to go back to when it is given up.
    struct OpenDefinition {
        symbol: TermId,
        stack_length: usize,
        marked_length: usize,
    }
    let mut done: FxHashMap<TermId, bool> = FxHashMap::default();
    let mut marked: Vec<TermId> = Vec::new();
    let mut open: Vec<OpenDefinition> = Vec::new();
    for &(_, start) in sources {
        let mut stack = vec![(start, false)];
        while let Some((term, leaving)) = stack.pop() {
            rewriter.spend(WORK_OF_VISIT)?;
            if leaving {
                done.insert(term, true);
                if open.last().is_some_and(|last| last.symbol == term) {
                    open.pop();
                }
                continue;
            }
            match done.get(&term) {
                Some(true) => continue,
                Some(false) => {
                    let last = open.pop().expect("only a definition closes a cycle");
                    candidates.remove(&last.symbol);
                    stack.truncate(last.stack_length);
                    for forgotten in marked.drain(last.marked_length..) {
                        done.remove(&forgotten);
                    }
                    continue;
                }
                None => {}
            }
            done.insert(term, false);
            marked.push(term);
            stack.push((term, true));
            match candidates.get(&term) {
                Some(&definition) => {
                    open.push(OpenDefinition {
                        symbol: term,
                        stack_length: stack.len(),
                        marked_length: marked.len(),
                    });
                    stack.push((definition, false));
                }
                None => stack.extend(store.args(term).iter().map(|&argument| (argument, false))),
            }
        }
    }
    Ok(())
}
