//! Regular expressions with intersection, complement and difference, and which parts of a string they
//! match.
//!
//! For a string of *n* characters, the parts that an expression matches are a relation between *n* + 1
//! positions: a square of bits. Each operator has one operation on such squares, so matching is
//! polynomial for all of them, complements and repetitions with large numbers too. Derivatives or
//! automata were rejected: complements within repetitions can make either exponential, and the strings
//! of models are short.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::text::Text;
use crate::control::{Control, Stopped};
use crate::theory::{Halt, Open};

/// Deepest nesting of a regular expression; matching and dropping recurse that deep.
const MAX_DEPTH: u32 = 500;
/// Longest string that is matched: a square of its positions takes half a MiB.
const MAX_LENGTH: usize = 2_000;

/// The set of strings that a regular expression matches.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Regex {
    kind: RegexKind,
    depth: u32,
}

/// The top operation of a regular expression, with its parts.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RegexKind {
    /// The empty set of strings.
    None,
    /// Every string.
    All,
    /// Every string of one character.
    AllCharacters,
    /// A single string.
    Literal(Text),
    /// The strings of one character from the first to the last.
    Range(u32, u32),
    /// A string of each, one after the other.
    Concat(Vec<Arc<Regex>>),
    /// The strings of any.
    Union(Vec<Arc<Regex>>),
    /// The strings of all.
    Intersection(Vec<Arc<Regex>>),
    /// The complement of a set.
    Complement(Arc<Regex>),
    /// Strings of one, this many at least and, if there is a limit, at most, one after the other.
    Repeat {
        /// The repeated expression.
        body: Arc<Regex>,
        /// The least number of repetitions.
        least: u32,
        /// The greatest number of repetitions, if there is a limit.
        most: Option<u32>,
    },
}

impl Regex {
    /// The expression; `None` when it is nested too deep.
    pub fn new(kind: RegexKind) -> Option<Regex> {
        let children: &[Arc<Regex>] = match &kind {
            RegexKind::None
            | RegexKind::All
            | RegexKind::AllCharacters
            | RegexKind::Literal(_)
            | RegexKind::Range(..) => &[],
            RegexKind::Concat(parts) | RegexKind::Union(parts) | RegexKind::Intersection(parts) => parts,
            RegexKind::Complement(body) | RegexKind::Repeat { body, .. } => std::slice::from_ref(body),
        };
        let depth = children.iter().map(|child| child.depth + 1).max().unwrap_or(0);
        (depth <= MAX_DEPTH).then_some(Regex { kind, depth })
    }

    /// The top operation of the expression.
    pub fn kind(&self) -> &RegexKind {
        &self.kind
    }

    /// Whether the expression matches the whole string, unless that is too long or work has to stop.
    pub(crate) fn matches(&self, text: &Text, control: &Control) -> Result<bool, Halt> {
        Ok(self.parts(text, control)?.has(0, text.length()))
    }

    /// The leftmost match, the shortest of several, as start and end; `None` if there is no match.
    pub(crate) fn first_match(&self, text: &Text, control: &Control) -> Result<Option<(usize, usize)>, Halt> {
        let parts = self.parts(text, control)?;
        Ok((0..=text.length()).find_map(|start| Some((start, parts.first_end(start, start)?))))
    }

    /// The shortest matches from the left that are not empty, each after the one before.
    pub(crate) fn all_matches(&self, text: &Text, control: &Control) -> Result<Vec<(usize, usize)>, Halt> {
        let parts = self.parts(text, control)?;
        let mut found = Vec::new();
        let mut start = 0;
        while start < text.length() {
            match parts.first_end(start, start + 1) {
                Some(end) => {
                    found.push((start, end));
                    start = end;
                }
                None => start += 1,
            }
        }
        Ok(found)
    }

    /// The parts of the string that the expression matches.
    fn parts(&self, text: &Text, control: &Control) -> Result<Arc<Square>, Halt> {
        if text.length() > MAX_LENGTH {
            return Err(Open::TooLarge.into());
        }
        let mut matching = Matching { text: text.characters(), known: FxHashMap::default(), control };
        Ok(matching.parts(self)?)
    }
}

/// Matching of one string: the squares of all expressions seen so far, by their place in memory.
struct Matching<'a> {
    text: &'a [u32],
    known: FxHashMap<*const Regex, Arc<Square>>,
    control: &'a Control,
}

impl Matching<'_> {
    fn parts(&mut self, regex: &Regex) -> Result<Arc<Square>, Stopped> {
        let key = std::ptr::from_ref(regex);
        if let Some(known) = self.known.get(&key) {
            return Ok(Arc::clone(known));
        }
        let square = Arc::new(self.compute(regex)?);
        self.known.insert(key, Arc::clone(&square));
        Ok(square)
    }

    fn compute(&mut self, regex: &Regex) -> Result<Square, Stopped> {
        let size = self.text.len() + 1;
        let control = self.control;
        control.spend((size * size / 64) as u32 + 1)?;
        Ok(match &regex.kind {
            RegexKind::None => Square::empty(size),
            RegexKind::All => Square::forward(size),
            RegexKind::AllCharacters => self.characters(|_| true),
            RegexKind::Range(first, last) => {
                self.characters(|character| (*first..=*last).contains(&character))
            }
            RegexKind::Literal(literal) => {
                let mut square = Square::empty(size);
                let length = literal.length();
                for start in 0..size.saturating_sub(length) {
                    if self.text[start..start + length] == *literal.characters() {
                        square.insert(start, start + length);
                    }
                }
                square
            }
            RegexKind::Concat(parts) => parts
                .iter()
                .try_fold(Square::identity(size), |before, part| before.then(&*self.parts(part)?, control))?,
            RegexKind::Union(parts) => parts
                .iter()
                .try_fold(Square::empty(size), |union, part| Ok(union.union(&*self.parts(part)?)))?,
            RegexKind::Intersection(parts) => {
                parts.iter().try_fold(Square::forward(size), |common, part| {
                    Ok(common.intersection(&*self.parts(part)?))
                })?
            }
            RegexKind::Complement(body) => Square::forward(size).difference(&*self.parts(body)?),
            RegexKind::Repeat { body, least, most } => {
                let body = self.parts(body)?;
                match *most {
                    Some(most) if most < *least => Square::empty(size),
                    Some(most) => {
                        let optional = body.union(&Square::identity(size));
                        body.power(*least, control)?.then(&optional.power(most - least, control)?, control)?
                    }
                    None => body.power(*least, control)?.then(&body.closure(control)?, control)?,
                }
            }
        })
    }

    /// The characters that are in a set.
    fn characters(&self, contains: impl Fn(u32) -> bool) -> Square {
        let mut square = Square::empty(self.text.len() + 1);
        for (start, &character) in self.text.iter().enumerate() {
            if contains(character) {
                square.insert(start, start + 1);
            }
        }
        square
    }
}

/// A relation between the positions of a string, each row a set of ends for one start.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Square {
    size: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Square {
    fn empty(size: usize) -> Square {
        let words = size.div_ceil(64);
        Square { size, words, bits: vec![0; size * words] }
    }

    /// The relation of each position to itself: the empty parts.
    fn identity(size: usize) -> Square {
        let mut square = Square::empty(size);
        (0..size).for_each(|position| square.insert(position, position));
        square
    }

    /// The relation of each position to all that are not before it: all parts.
    fn forward(size: usize) -> Square {
        let mut square = Square::empty(size);
        for start in 0..size {
            (start..size).for_each(|end| square.insert(start, end));
        }
        square
    }

    fn insert(&mut self, start: usize, end: usize) {
        self.bits[start * self.words + end / 64] |= 1 << (end % 64);
    }

    fn has(&self, start: usize, end: usize) -> bool {
        self.bits[start * self.words + end / 64] >> (end % 64) & 1 == 1
    }

    /// The first end at or after `least`.
    fn first_end(&self, start: usize, least: usize) -> Option<usize> {
        (least..self.size).find(|&end| self.has(start, end))
    }

    fn combine(&self, other: &Square, operation: impl Fn(u64, u64) -> u64) -> Square {
        let bits = self.bits.iter().zip(&other.bits).map(|(&left, &right)| operation(left, right)).collect();
        Square { bits, ..*self }
    }

    fn union(&self, other: &Square) -> Square {
        self.combine(other, |left, right| left | right)
    }

    fn intersection(&self, other: &Square) -> Square {
        self.combine(other, |left, right| left & right)
    }

    fn difference(&self, other: &Square) -> Square {
        self.combine(other, |left, right| left & !right)
    }

    /// A part of this relation and then one of the other.
    fn then(&self, other: &Square, control: &Control) -> Result<Square, Stopped> {
        let mut result = Square::empty(self.size);
        for start in 0..self.size {
            self.spend_row(start, control)?;
            let row = start * self.words..(start + 1) * self.words;
            let target = &mut result.bits[row];
            for middle in (start..self.size).filter(|&middle| self.has(start, middle)) {
                let rest = &other.bits[middle * self.words..(middle + 1) * self.words];
                target.iter_mut().zip(rest).for_each(|(word, more)| *word |= more);
            }
        }
        Ok(result)
    }

    /// Counts the work of combining one row with all that follow it.
    fn spend_row(&self, start: usize, control: &Control) -> Result<(), Stopped> {
        control.spend(((self.size - start) * self.words / 16) as u32 + 1)
    }

    /// The relation of this many parts, one after the other.
    fn power(&self, times: u32, control: &Control) -> Result<Square, Stopped> {
        let mut result = Square::identity(self.size);
        for bit in (0..32 - times.leading_zeros()).rev() {
            result = result.then(&result, control)?;
            if times >> bit & 1 == 1 {
                result = result.then(self, control)?;
            }
        }
        Ok(result)
    }

    /// Any number of parts, one after the other.
    fn closure(&self, control: &Control) -> Result<Square, Stopped> {
        // From the last start to the first, because the continuation of a non-empty part is then known already.
        let mut result = Square::identity(self.size);
        for start in (0..self.size).rev() {
            self.spend_row(start, control)?;
            for middle in (start + 1..self.size).filter(|&middle| self.has(start, middle)) {
                let (before, behind) = result.bits.split_at_mut(middle * self.words);
                let target = &mut before[start * self.words..(start + 1) * self.words];
                target.iter_mut().zip(&behind[..self.words]).for_each(|(word, more)| *word |= more);
            }
        }
        Ok(result)
    }
}
