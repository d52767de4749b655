//! Names that do not occur in a formula.

use sundry_term::{Op, TermId, TermStore};

/// Names with a common beginning, one after the other.
pub(crate) struct FreshNames {
    prefix: String,
    count: usize,
}

impl FreshNames {
    /// Names that begin like this, and like no name of a symbol in these terms.
    pub(crate) fn beside(store: &TermStore, roots: &[TermId], prefix: &str) -> FreshNames {
        let terms = store.reachable(roots);
        let names = || {
            terms.iter().filter_map(|&term| match store.op(term) {
                Op::Apply(symbol) => Some(&store.symbol(symbol).name),
                _ => None,
            })
        };
        let mut prefix = prefix.to_string();
        while names().any(|name| name.starts_with(&prefix)) {
            prefix.push('_');
        }
        FreshNames { prefix, count: 0 }
    }

    /// The next name.
    pub(crate) fn next(&mut self) -> String {
        self.count += 1;
        format!("{}{}", self.prefix, self.count - 1)
    }
}
