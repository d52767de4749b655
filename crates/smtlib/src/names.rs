//! Names as small numbers: every symbol of a text is looked up once, and what is bound to it is
//! found by index from then on.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Identity of a name in a [`Names`] table.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NameId(u32);

impl NameId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
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
        let id = NameId(u32::try_from(self.texts.len()).expect("name ids are 32-bit"));
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
        self.texts.iter().enumerate().map(|(index, text)| (NameId(index as u32), &**text))
    }
}

fn hash(name: &str) -> u64 {
    // The table takes its buckets from the low bits, which this hash mixes least.
    FxBuildHasher.hash_one(name).rotate_left(26)
}
