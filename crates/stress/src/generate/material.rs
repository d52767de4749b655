//! The material of formulas of a logic: variables of its sorts, which all inputs of a search share, so that assertions that
//! change sides stay about the same variables.

use std::fmt;

use rustc_hash::FxHashSet;
use sundry_term::{DatatypeDefinition, Field, FloatFormat, Sort, SortId, SymbolId, TermId, TermStore};

/// The variables of each sort.
const VARIABLES: usize = 3;
/// The variables of each sort of numbers where arithmetic is linear: it is hard only with more of them.
const LINEAR_VARIABLES: usize = 6;
/// The variables of each sort of numbers in difference logic, and of a declared sort.
const SIMPLE_VARIABLES: usize = 15;

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
             A, AX, UF, DT, BV, FP, S, IDL, RDL, LIA, LRA, LIRA, NIA, NRA, NIRA",
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
    Datatypes,
    BitVectors,
    Floats,
    Strings,
    Integers,
    Reals,
    Products,
    Differences,
}

/// Parts of names, such that none is the beginning of a later one.
const PARTS: &[(&str, &[Part])] = &[
    ("AX", &[Part::Arrays]),
    ("UF", &[Part::Functions]),
    ("DT", &[Part::Datatypes]),
    ("BV", &[Part::BitVectors]),
    ("FP", &[Part::Floats]),
    ("LIRA", &[Part::Integers, Part::Reals]),
    ("NIRA", &[Part::Integers, Part::Reals, Part::Products]),
    ("LIA", &[Part::Integers]),
    ("NIA", &[Part::Integers, Part::Products]),
    ("LRA", &[Part::Reals]),
    ("NRA", &[Part::Reals, Part::Products]),
    ("IDL", &[Part::Integers, Part::Differences]),
    ("RDL", &[Part::Reals, Part::Differences]),
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

/// Lists and binary trees with elements of a sort.
fn datatypes(store: &mut TermStore, element: SortId) -> [SortId; 2] {
    let [list, tree] = ["List", "Tree"].map(|name| store.declare_datatype(name, &[]));
    let sorts = [list, tree].map(|declaration| {
        let sort = Sort::Datatype { declaration, arguments: Box::new([]) };
        store.intern_sort(sort).expect("a legal sort")
    });
    let constructor = |name: &str, fields: &[(&str, SortId)]| {
        let field = |&(selector, sort): &(&str, SortId)| Field { selector: selector.into(), sort };
        (Box::from(name), fields.iter().map(field).collect())
    };
    let lists = vec![constructor("nil", &[]), constructor("cons", &[("head", element), ("tail", sorts[0])])];
    let trees = vec![
        constructor("leaf", &[("value", element)]),
        constructor("node", &[("left", sorts[1]), ("right", sorts[1])]),
    ];
    for (datatype, constructors) in [(list, lists), (tree, trees)] {
        store
            .define_datatypes(&[DatatypeDefinition { datatype, constructors }])
            .expect("each has a finite value");
    }
    sorts
}

/// The arithmetic of a logic.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    /// Differences of two variables are compared with literals.
    Differences,
    /// Each product has one unknown.
    Linear,
    /// Any products.
    Products,
}

/// The variables and functions of a logic.
#[derive(Clone, Debug)]
pub struct Material {
    /// The variables of each sort, in the order of their declaration.
    variables: Vec<(SortId, Vec<TermId>)>,
    functions: Vec<SymbolId>,
    arithmetic: Arithmetic,
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
        let mut sorts = Vec::new();
        for part in &parts {
            match part {
                Part::Integers => sorts.push(SortId::INT),
                Part::Reals => sorts.push(SortId::REAL),
                // Strings have lengths, whether the name says so or not.
                Part::Strings => sorts.extend([SortId::STRING, SortId::INT]),
                Part::BitVectors => {
                    sorts.extend([8, 16, 32].map(|width| store.bit_vec_sort(width).expect("a legal width")));
                }
                Part::Floats => {
                    // Some builds of Bitwuzla and cvc5 have no other formats.
                    sorts.push(SortId::ROUNDING_MODE);
                    sorts.extend([(8, 24), (11, 53)].map(|(exponent, significand)| {
                        let format = FloatFormat::new(exponent, significand).expect("a legal format");
                        store.intern_sort(Sort::Float(format)).expect("a legal sort")
                    }));
                }
                Part::Arrays | Part::Functions | Part::Datatypes | Part::Products | Part::Differences => {}
            }
        }
        // Arrays, functions and datatypes are about one of the sorts, or else about a declared one.
        let elements = |sort: &&SortId| **sort != SortId::ROUNDING_MODE;
        let element = match sorts.iter().find(elements) {
            Some(&sort) => sort,
            None => {
                let declaration = store.declare_sort("U", 0);
                let sort = Sort::Uninterpreted { declaration, arguments: Box::new([]) };
                let sort = store.intern_sort(sort).expect("a legal sort");
                sorts.push(sort);
                sort
            }
        };
        if has(Part::Arrays) {
            sorts.push(store.array_sort(element, element));
        }
        if has(Part::Datatypes) {
            sorts.extend(datatypes(store, element));
        }
        sorts.push(SortId::BOOL);
        let mut seen = FxHashSet::default();
        sorts.retain(|&sort| seen.insert(sort));
        let arithmetic = match (has(Part::Differences), has(Part::Products)) {
            (true, _) => Arithmetic::Differences,
            (false, true) => Arithmetic::Products,
            (false, false) => Arithmetic::Linear,
        };
        let functions = has(Part::Functions).then_some(element);
        Ok(Material::of_sorts(store, &sorts, functions, arithmetic))
    }

    fn of_sorts(
        store: &mut TermStore,
        sorts: &[SortId],
        functions: Option<SortId>,
        arithmetic: Arithmetic,
    ) -> Material {
        let mut number = 0;
        let mut variables = Vec::new();
        for &sort in sorts {
            let count = match (store.sort(sort), arithmetic) {
                (Sort::Uninterpreted { .. }, _) => SIMPLE_VARIABLES,
                (Sort::Int | Sort::Real, Arithmetic::Differences) => SIMPLE_VARIABLES,
                (Sort::Int | Sort::Real, Arithmetic::Linear) => LINEAR_VARIABLES,
                _ => VARIABLES,
            };
            let declared = (0..count).map(|_| {
                let symbol = store.declare(&format!("var{number}"), &[], sort);
                number += 1;
                store.symbol_term(symbol)
            });
            variables.push((sort, declared.collect()));
        }
        let functions = functions.map_or_else(Vec::new, |sort| {
            vec![
                store.declare("fun0", &[sort], sort),
                store.declare("fun1", &[sort, sort], sort),
                store.declare("pred0", &[sort, sort], SortId::BOOL),
            ]
        });
        Material { variables, functions, arithmetic }
    }

    /// The sorts that have variables.
    pub(crate) fn sorts(&self) -> impl Iterator<Item = SortId> + '_ {
        self.variables.iter().map(|&(sort, _)| sort)
    }

    /// The variables of a sort.
    pub(crate) fn variables(&self, sort: SortId) -> &[TermId] {
        self.variables.iter().find(|&&(its, _)| its == sort).map_or(&[], |(_, variables)| variables)
    }

    /// The declared functions.
    pub(crate) fn functions(&self) -> &[SymbolId] {
        &self.functions
    }

    /// The arithmetic of the logic.
    pub(crate) fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// Whether the logic has strings.
    pub fn has_strings(&self) -> bool {
        !self.variables(SortId::STRING).is_empty()
    }
}
