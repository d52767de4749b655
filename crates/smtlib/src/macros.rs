//! Definitions with parameters, expanded where they are called.
//!
//! A definition keeps the operators of its body that depend on a parameter, arguments first; a call rebuilds only
//! those, so that its cost is the size of the new part. General substitution was rejected here: at every call it
//! walks the whole body, including the parts that no parameter reaches.

use rustc_hash::FxHashMap;
use sundry_term::{Op, SortError, SortId, SymbolId, TermId, TermStore};

/// The origin of an argument of a rebuilt application.
#[derive(Copy, Clone, Debug)]
enum Source {
    /// A term without parameters, as it stands.
    Same(TermId),
    /// The argument of the call at this position.
    Parameter(usize),
    /// The result of an earlier step.
    Step(usize),
}

#[derive(Clone, Debug)]
struct Step {
    op: Op,
    arguments: Vec<Source>,
}

/// A definition with parameters.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    /// The name, for messages.
    pub(crate) name: Box<str>,
    /// The parameters in the body.
    pub(crate) parameters: Vec<SymbolId>,
    /// The sort of the body.
    pub(crate) sort: SortId,
    steps: Vec<Step>,
    result: Source,
    /// Calls that were expanded before.
    calls: FxHashMap<Box<[TermId]>, TermId>,
}

impl Macro {
    /// Prepares the expansion of `body`.
    pub(crate) fn new(store: &mut TermStore, name: &str, parameters: Vec<SymbolId>, body: TermId) -> Self {
        let mut sources: FxHashMap<TermId, Source> = FxHashMap::default();
        for (position, &parameter) in parameters.iter().enumerate() {
            sources.insert(store.symbol_term(parameter), Source::Parameter(position));
        }
        let mut steps = Vec::new();
        let result = record_steps(store, body, &mut sources, &mut steps);
        Macro {
            name: name.into(),
            parameters,
            sort: store.sort_of(body),
            steps,
            result,
            calls: FxHashMap::default(),
        }
    }

    /// The number of operators that a call rebuilds.
    pub(crate) fn size(&self) -> usize {
        self.steps.len()
    }

    /// The expansion of an earlier call with these arguments.
    pub(crate) fn known_call(&self, arguments: &[TermId]) -> Option<TermId> {
        self.calls.get(arguments).copied()
    }

    /// The body with `arguments` for the parameters; they have the parameters' sorts.
    pub(crate) fn expand(
        &mut self,
        store: &mut TermStore,
        arguments: &[TermId],
    ) -> Result<TermId, SortError> {
        let mut results: Vec<TermId> = Vec::with_capacity(self.steps.len());
        let mut taken = Vec::new();
        for step in &self.steps {
            taken.clear();
            taken.extend(step.arguments.iter().map(|source| resolve(*source, arguments, &results)));
            results.push(store.term(step.op, &taken)?);
        }
        let result = resolve(self.result, arguments, &results);
        self.calls.insert(arguments.into(), result);
        Ok(result)
    }
}

fn resolve(source: Source, arguments: &[TermId], results: &[TermId]) -> TermId {
    match source {
        Source::Same(term) => term,
        Source::Parameter(position) => arguments[position],
        Source::Step(step) => results[step],
    }
}

/// Records the applications below `body` that depend on a parameter, arguments first.
fn record_steps(
    store: &TermStore,
    body: TermId,
    sources: &mut FxHashMap<TermId, Source>,
    steps: &mut Vec<Step>,
) -> Source {
    // Terms that are older than the oldest parameter cannot contain one.
    let oldest = sources.keys().min().copied().unwrap_or(body);
    let mut stack = vec![body];
    while let Some(&term) = stack.last() {
        if sources.contains_key(&term) {
            stack.pop();
            continue;
        }
        if term < oldest {
            sources.insert(term, Source::Same(term));
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(store.args(term).iter().filter(|argument| !sources.contains_key(argument)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let arguments: Vec<Source> = store.args(term).iter().map(|argument| sources[argument]).collect();
        let source = if arguments.iter().all(|source| matches!(source, Source::Same(_))) {
            Source::Same(term)
        } else {
            steps.push(Step { op: store.op(term), arguments });
            Source::Step(steps.len() - 1)
        };
        sources.insert(term, source);
    }
    sources[&body]
}
