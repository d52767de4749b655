//! Sets of variables of which the first is asked for.

/// A set of variables, as bits.
#[derive(Clone, Default, Debug)]
pub(crate) struct Suspects {
    words: Vec<u64>,
    /// All words before this one are empty.
    first: usize,
}

impl Suspects {
    pub(crate) fn insert(&mut self, variable: u32) {
        let word = variable as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (variable % 64);
        self.first = self.first.min(word);
    }

    pub(crate) fn remove(&mut self, variable: u32) {
        if let Some(word) = self.words.get_mut(variable as usize / 64) {
            *word &= !(1 << (variable % 64));
        }
    }

    /// The first variable of the set.
    pub(crate) fn first(&mut self) -> Option<u32> {
        while let Some(&word) = self.words.get(self.first) {
            if word != 0 {
                return Some(self.first as u32 * 64 + word.trailing_zeros());
            }
            self.first += 1;
        }
        None
    }
}
