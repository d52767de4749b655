//! Names as small numbers: every symbol of a text is looked up once, and its bindings are found by index from then
//! on.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use sundry_term::entity_id;

entity_id! {
    /// Identity of a name in a [`Names`] table.
    pub(crate) struct NameId, "name"
}

/// A table of names.
#[derive(Clone, Default)]
pub(crate) struct Names {
    texts: Vec<Box<str>>,
    table: HashTable<NameId>,
}

impl Names {
    /// The id of a name, new if the name is.
    pub(crate) fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.find(name) {
            return id;
        }
        let id = NameId::new(self.texts.len());
        self.texts.push(name.into());
        let texts = &self.texts;
        self.table.insert_unique(hash(name), id, |other| hash(&texts[other.index()]));
        id
    }

    /// The id of a name that was interned before.
    pub(crate) fn find(&self, name: &str) -> Option<NameId> {
        self.table.find(hash(name), |id| &*self.texts[id.index()] == name).copied()
    }

    pub(crate) fn text(&self, id: NameId) -> &str {
        &self.texts[id.index()]
    }

    /// All names with their ids, in order of first appearance.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NameId, &str)> {
        self.texts.iter().enumerate().map(|(index, text)| (NameId::new(index), &**text))
    }
}

fn hash(name: &str) -> u64 {
    // The table takes its buckets from the low bits, which this hash mixes least.
    FxBuildHasher.hash_one(name).rotate_left(26)
}
