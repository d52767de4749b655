//! Sorts in a store: interned, each with its size and how many values it has.

use rustc_hash::FxHashMap;

use super::TermStore;
use crate::float::RoundingMode;
use crate::sort::{MAX_SORT_DEPTH, MAX_SORT_PARTS, Sort, SortDeclaration, SortDeclarationId, SortId};
use crate::typecheck::{self, SortError};

/// A sort with its properties that are needed again and again.
#[derive(Clone)]
pub(super) struct SortEntry {
    pub(super) sort: Sort,
    pub(super) cardinality: u64,
    depth: u32,
    /// The number of parts of the sort, itself included, each counted as often as it is written.
    parts: u32,
}

impl TermStore {
    /// Interns a sort.
    ///
    /// # Errors
    /// A bit-vector width of zero or above [`MAX_WIDTH`](crate::MAX_WIDTH), nesting deeper than
    /// [`MAX_SORT_DEPTH`], more parts than [`MAX_SORT_PARTS`], and a declared sort with another number of arguments
    /// than declared.
    pub fn intern_sort(&mut self, sort: Sort) -> Result<SortId, SortError> {
        if let Some(&id) = self.sort_ids.get(&sort) {
            return Ok(id);
        }
        let entry = self.describe_sort(sort)?;
        let id = SortId::new(self.sorts.len());
        self.has_floats |= matches!(entry.sort, Sort::Float(_));
        let datatype = match entry.sort {
            Sort::Datatype { declaration, .. } => Some(declaration),
            _ => None,
        };
        self.sort_ids.insert(entry.sort.clone(), id);
        self.sorts.push(entry);
        if let Some(datatype) = datatype {
            self.instantiate_fields(id, datatype)?;
        }
        Ok(id)
    }

    /// Whether some sort is of floating-point values, so that terms may be.
    pub fn has_floats(&self) -> bool {
        self.has_floats
    }

    fn describe_sort(&self, sort: Sort) -> Result<SortEntry, SortError> {
        let (cardinality, parts) = match &sort {
            Sort::Bool => (2, &[][..]),
            Sort::BitVec(width) => {
                let width = typecheck::check_width(u64::from(*width))?;
                (1u64.checked_shl(width).unwrap_or(u64::MAX), &[][..])
            }
            Sort::Int | Sort::Real | Sort::String | Sort::RegLan => (u64::MAX, &[][..]),
            Sort::RoundingMode => (RoundingMode::ALL.len() as u64, &[][..]),
            Sort::Float(format) => (format.cardinality(), &[][..]),
            Sort::Array { index, element } => {
                (self.count_functions(*index, *element), &[*index, *element][..])
            }
            Sort::Sequence(element) => (u64::MAX, std::slice::from_ref(element)),
            Sort::Datatype { declaration, arguments } => {
                let datatype = self.datatype(*declaration);
                typecheck::check_datatype_arity(datatype, arguments.len())?;
                (u64::MAX, &arguments[..])
            }
            Sort::Uninterpreted { declaration, arguments } => {
                typecheck::check_sort_arity(self.sort_declaration(*declaration), arguments.len())?;
                (u64::MAX, &arguments[..])
            }
        };
        let depth = parts.iter().map(|part| self.sorts[part.index()].depth + 1).max().unwrap_or(0);
        if depth > MAX_SORT_DEPTH {
            return Err(SortError::TooDeep);
        }
        let parts = parts.iter().map(|part| self.sorts[part.index()].parts).fold(1, u32::saturating_add);
        if parts > MAX_SORT_PARTS {
            return Err(SortError::TooManyParts);
        }
        Ok(SortEntry { cardinality, depth, parts, sort })
    }

    /// The number of maps from one sort to another, saturating.
    pub(super) fn count_functions(&self, index: SortId, element: SortId) -> u64 {
        match u32::try_from(self.cardinality(index)) {
            Ok(exponent) => self.cardinality(element).saturating_pow(exponent),
            Err(_) => u64::MAX,
        }
    }

    /// The number of values of a sort; `u64::MAX` stands for that many or more, and for uninterpreted sorts.
    pub fn cardinality(&self, id: SortId) -> u64 {
        self.sorts[id.index()].cardinality
    }

    /// The sort of bit-vectors of this width.
    ///
    /// # Errors
    /// A width of zero or above [`MAX_WIDTH`](crate::MAX_WIDTH).
    pub fn bit_vec_sort(&mut self, width: u32) -> Result<SortId, SortError> {
        self.intern_sort(Sort::BitVec(width))
    }

    /// The sort of arrays from `index` to `element`.
    ///
    /// # Panics
    /// When nested deeper than [`MAX_SORT_DEPTH`], or of more parts than [`MAX_SORT_PARTS`]; readers of input
    /// use [`intern_sort`](Self::intern_sort).
    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.intern_sort(Sort::Array { index, element }).expect("array sorts built internally are shallow")
    }

    /// Declares a new uninterpreted sort; a second declaration of a name is another sort.
    pub fn declare_sort(&mut self, name: &str, arity: usize) -> SortDeclarationId {
        self.sort_declarations.push(SortDeclaration { name: name.into(), arity });
        SortDeclarationId::new(self.sort_declarations.len() - 1)
    }

    /// Name and arity of a declared sort.
    pub fn sort_declaration(&self, id: SortDeclarationId) -> &SortDeclaration {
        &self.sort_declarations[id.index()]
    }

    /// The sort with an id.
    pub fn sort(&self, id: SortId) -> &Sort {
        &self.sorts[id.index()].sort
    }

    /// The width of a bit-vector sort, `None` for any other.
    pub fn bit_vec_width(&self, id: SortId) -> Option<u32> {
        match self.sorts[id.index()].sort {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }

    /// Index and element sort of an array sort, `None` for any other.
    pub fn array_parts(&self, id: SortId) -> Option<(SortId, SortId)> {
        match self.sorts[id.index()].sort {
            Sort::Array { index, element } => Some((index, element)),
            _ => None,
        }
    }

    /// A sort with some sorts replaced wherever they occur in it.
    ///
    /// # Errors
    /// The result would be nested too deep.
    pub fn replace_in_sort(
        &mut self,
        sort: SortId,
        replacements: &FxHashMap<SortId, SortId>,
    ) -> Result<SortId, SortError> {
        let mut results = replacements.clone();
        let mut stack = vec![sort];
        while let Some(&next) = stack.last() {
            if results.contains_key(&next) {
                stack.pop();
                continue;
            }
            let parts = self.sort(next).parts();
            let before = stack.len();
            stack.extend(parts.iter().filter(|part| !results.contains_key(part)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let parts = parts.iter().map(|part| results[part]).collect();
            let replaced = self.sort(next).with_parts(parts);
            let result = self.intern_sort(replaced)?;
            results.insert(next, result);
        }
        Ok(results[&sort])
    }
}
