//! The material of formulas of a logic: variables of its sorts, which all inputs of a search share, so that assertions that
//! change sides stay about the same variables.

use std::fmt;

use sundry_fuzz::{Snippets, Vocabulary};
use sundry_term::{ArithmeticOp, FloatFormat, Op, Sort, SortId, TermId, TermStore};

/// The variables of each sort.
const VARIABLES: usize = 3;

/// A logic whose name is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownLogic {
    /// The name of the logic.
    pub name: String,
}

impl fmt::Display for UnknownLogic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the logic '{}' is not known; a name such as QF_SLIA, QF_BV, QF_ABV, QF_NRA or QF_FP is one of QF_ and parts: \
             A, AX, UF, BV, FP, S, IDL, RDL, LIA, LRA, LIRA, NIA, NRA, NIRA",
            self.name
        )
    }
}

impl std::error::Error for UnknownLogic {}

/// A theory, or a part of one, that a part of the name of a logic stands for.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Part {
    Arrays,
    Functions,
    BitVectors,
    Floats,
    Strings,
    Integers,
    Reals,
    Products,
}

/// Parts of names, such that none is the beginning of a later one.
const PARTS: &[(&str, &[Part])] = &[
    ("AX", &[Part::Arrays]),
    ("UF", &[Part::Functions]),
    ("BV", &[Part::BitVectors]),
    ("FP", &[Part::Floats]),
    ("LIRA", &[Part::Integers, Part::Reals]),
    ("NIRA", &[Part::Integers, Part::Reals, Part::Products]),
    ("LIA", &[Part::Integers]),
    ("NIA", &[Part::Integers, Part::Products]),
    ("LRA", &[Part::Reals]),
    ("NRA", &[Part::Reals, Part::Products]),
    ("IDL", &[Part::Integers]),
    ("RDL", &[Part::Reals]),
    ("A", &[Part::Arrays]),
    ("S", &[Part::Strings]),
];

fn parts(logic: &str) -> Option<Vec<Part>> {
    let mut rest = logic.strip_prefix("QF_")?;
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (name, meaning) = PARTS.iter().find(|(name, _)| rest.starts_with(name))?;
        parts.extend_from_slice(meaning);
        rest = &rest[name.len()..];
    }
    Some(parts)
}

/// The variables of a logic, and statements that use its operators.
#[derive(Clone, Debug)]
pub struct Material {
    statements: Vec<TermId>,
    strings: Vec<TermId>,
    integers: Vec<TermId>,
}

impl Material {
    /// The material of a logic without quantifiers.
    ///
    /// # Errors
    /// The name has a part that is not known.
    pub fn of_logic(store: &mut TermStore, logic: &str) -> Result<Material, UnknownLogic> {
        let unknown = || UnknownLogic { name: logic.to_string() };
        let parts = parts(logic).ok_or_else(unknown)?;
        let has = |part| parts.contains(&part);
        let mut sorts = vec![SortId::BOOL];
        for part in &parts {
            match part {
                Part::Integers => sorts.push(SortId::INT),
                Part::Reals => sorts.push(SortId::REAL),
                // Strings have lengths, whether the name says so or not.
                Part::Strings => sorts.extend([SortId::INT, SortId::STRING]),
                Part::BitVectors => {
                    sorts.extend([8, 32].map(|width| store.bit_vec_sort(width).expect("a legal width")));
                }
                Part::Floats => sorts.extend([(5, 11), (8, 24)].map(|(exponent, significand)| {
                    let format = FloatFormat::new(exponent, significand).expect("a legal format");
                    store.intern_sort(Sort::Float(format)).expect("a legal sort")
                })),
                Part::Arrays | Part::Functions | Part::Products => {}
            }
        }
        // Arrays and functions are about one of these sorts, or else about integers.
        let element = sorts.iter().copied().max().filter(|&sort| sort != SortId::BOOL).unwrap_or(SortId::INT);
        if has(Part::Arrays) {
            sorts.extend([element, store.array_sort(element, element)]);
        }
        sorts.sort_unstable();
        sorts.dedup();
        Ok(Material::of_sorts(store, &sorts, has(Part::Functions).then_some(element), has(Part::Products)))
    }

    fn of_sorts(
        store: &mut TermStore,
        sorts: &[SortId],
        functions: Option<SortId>,
        products: bool,
    ) -> Material {
        let mut material = Material { statements: Vec::new(), strings: Vec::new(), integers: Vec::new() };
        let mut number = 0;
        for &sort in sorts {
            for _ in 0..VARIABLES {
                let symbol = store.declare(&format!("var{number}"), &[], sort);
                number += 1;
                let variable = store.symbol_term(symbol);
                material.statements.push(store.make(Op::Equal, &[variable, variable]));
                match sort {
                    SortId::STRING => material.strings.push(variable),
                    SortId::INT => material.integers.push(variable),
                    _ => {}
                }
                if products && matches!(sort, SortId::INT | SortId::REAL) {
                    let product = store.make(Op::Arithmetic(ArithmeticOp::Mul), &[variable, variable]);
                    material.statements.push(store.make(Op::Equal, &[product, variable]));
                }
                if functions == Some(sort) {
                    let function = store.declare(&format!("fun{number}"), &[sort], sort);
                    let value = store.make(Op::Apply(function), &[variable]);
                    material.statements.push(store.make(Op::Equal, &[value, variable]));
                }
            }
        }
        material
    }

    /// A source of random statements.
    pub(crate) fn snippets(&self, store: &mut TermStore) -> Snippets {
        let vocabulary = Vocabulary::of(store, &self.statements).with_common_operators();
        Snippets::new(store, vocabulary)
    }

    /// The variables that are strings.
    pub(crate) fn strings(&self) -> &[TermId] {
        &self.strings
    }

    /// The variables that are integers.
    pub(crate) fn integers(&self) -> &[TermId] {
        &self.integers
    }
}
