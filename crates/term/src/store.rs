//! The store of terms: a hash-consed directed acyclic graph.
//!
//! Equal applications are one node, so equality of terms is equality of ids, and every argument
//! has a smaller id than the application: ascending ids are a topological order. Interning
//! simplifies nothing: what is asked for is what is stored.

use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};

use dashu_int::ops::UnsignedAbs;
use dashu_int::{Sign, UBig};
use dashu_ratio::RBig;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use crate::bitvector::BitVector;
use crate::control::{Control, Stopped};
use crate::definition::FunctionDefinition;
use crate::entity_id;
use crate::float::RoundingMode;
use crate::op::{BinderId, ConstantId, Op, SymbolId};
use crate::sort::{
    DatatypeId, MAX_SORT_DEPTH, MAX_SORT_PARTS, Sort, SortDeclaration, SortDeclarationId, SortId,
};
use crate::theory::arithmetic::ArithmeticOp;
use crate::theory::datatype::{
    Constructor, ConstructorId, Datatype, DatatypeDefinition, DatatypeOp, least_value,
};
use crate::theory::float::FloatOp;
use crate::theory::sequence::SequenceOp;
use crate::typecheck::{self, ResultSort, SortError};
use crate::value::Value;

entity_id! {
    /// Identity of a term in its store; arguments come before applications.
    pub struct TermId, "t"
}

/// What a symbol was declared as.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// A constant or function whose value a model chooses.
    Declared,
    /// A function that is defined by recursion.
    Defined,
    /// A bound parameter of a function or array value given by a body.
    Parameter,
    /// A variable bound by a quantifier.
    Variable,
}

/// A declared constant (no arguments), function, or bound parameter.
///
/// Two declarations of one name are two symbols; scoping by name is the reader's task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name without quotes.
    pub name: Box<str>,
    /// Sorts of the arguments; empty for a constant.
    pub arguments: Box<[SortId]>,
    /// Sort of an application.
    pub result: SortId,
    /// Declared, defined, or bound.
    pub kind: SymbolKind,
}

#[derive(Copy, Clone)]
struct Node {
    op: Op,
    sort: SortId,
    first_argument: u32,
    arity: u32,
}

/// A sort with what is asked about it again and again.
#[derive(Clone)]
struct SortEntry {
    sort: Sort,
    cardinality: u64,
    depth: u32,
    /// How many sorts it is made of, itself included, each as often as it is written.
    parts: u32,
}

/// The hash-consed store of sorts, symbols, literal values and terms.
#[derive(Clone)]
pub struct TermStore {
    sorts: Vec<SortEntry>,
    sort_ids: FxHashMap<Sort, SortId>,
    sort_declarations: Vec<SortDeclaration>,
    datatypes: Vec<Datatype>,
    constructors: Vec<Constructor>,
    /// The sorts of the fields of each constructor, for each sort of its datatype.
    field_sorts: FxHashMap<(SortId, ConstructorId), Box<[SortId]>>,
    binders: Vec<Box<[SymbolId]>>,
    binder_ids: FxHashMap<Box<[SymbolId]>, BinderId>,
    symbols: Vec<Symbol>,
    pub(crate) definitions: FxHashMap<SymbolId, FunctionDefinition>,
    constants: Vec<Value>,
    constant_ids: FxHashMap<Value, ConstantId>,
    nodes: Vec<Node>,
    arguments: Vec<TermId>,
    table: HashTable<TermId>,
}

impl Default for TermStore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for TermStore {
    /// The sizes only: a store may hold millions of terms.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TermStore")
            .field("sorts", &self.sorts.len())
            .field("symbols", &self.symbols.len())
            .field("terms", &self.nodes.len())
            .finish_non_exhaustive()
    }
}

fn hash_application(op: Op, arguments: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    arguments.hash(&mut hasher);
    // One more mixing round: the table takes its buckets from the low bits.
    FxBuildHasher.hash_one(hasher.finish().rotate_left(26))
}

impl TermStore {
    /// An empty store.
    pub fn new() -> Self {
        let mut store = TermStore {
            sorts: Vec::new(),
            sort_ids: FxHashMap::default(),
            sort_declarations: Vec::new(),
            datatypes: Vec::new(),
            constructors: Vec::new(),
            field_sorts: FxHashMap::default(),
            binders: Vec::new(),
            binder_ids: FxHashMap::default(),
            symbols: Vec::new(),
            definitions: FxHashMap::default(),
            constants: Vec::new(),
            constant_ids: FxHashMap::default(),
            nodes: Vec::new(),
            arguments: Vec::new(),
            table: HashTable::new(),
        };
        for sort in SortId::FIXED {
            store.intern_sort(sort).expect("these sorts are legal");
        }
        store
    }

    // ---- sorts

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

    /// How many maps there are from one sort to another, saturating.
    fn count_functions(&self, index: SortId, element: SortId) -> u64 {
        match u32::try_from(self.cardinality(index)) {
            Ok(exponent) => self.cardinality(element).saturating_pow(exponent),
            Err(_) => u64::MAX,
        }
    }

    /// How many values a sort has; `u64::MAX` stands for as many or more, and for uninterpreted sorts.
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

    /// Declares the name of a datatype; `parameters` are sorts that stand for its parameters in fields. It gets
    /// its constructors by [`define_datatypes`](Self::define_datatypes).
    pub fn declare_datatype(&mut self, name: &str, parameters: &[SortId]) -> DatatypeId {
        let datatype = Datatype {
            name: name.into(),
            parameters: parameters.into(),
            constructors: [].into(),
            together: [].into(),
        };
        self.datatypes.push(datatype);
        DatatypeId::new(self.datatypes.len() - 1)
    }

    /// Gives datatypes that were declared together their constructors, each with a name and its fields.
    ///
    /// # Errors
    /// A field whose sort grows with every level, so that there are infinitely many sorts, and a datatype
    /// without any finite value. The datatypes are of no use then.
    pub fn define_datatypes(&mut self, definitions: &[DatatypeDefinition]) -> Result<(), SortError> {
        for DatatypeDefinition { datatype, constructors } in definitions {
            let ids = constructors.iter().map(|(name, fields)| {
                let fields = fields.as_slice().into();
                self.constructors.push(Constructor { name: name.clone(), datatype: *datatype, fields });
                ConstructorId::new(self.constructors.len() - 1)
            });
            let ids: Box<[ConstructorId]> = ids.collect();
            let datatype = &mut self.datatypes[datatype.index()];
            datatype.constructors = ids;
            datatype.together = definitions.iter().map(|definition| definition.datatype).collect();
        }
        for index in 0..self.sorts.len() {
            if let Sort::Datatype { declaration, .. } = self.sorts[index].sort
                && definitions.iter().any(|definition| definition.datatype == declaration)
            {
                self.instantiate_fields(SortId::new(index), declaration)?;
            }
        }
        for DatatypeDefinition { datatype, .. } in definitions {
            let Datatype { name, parameters, .. } = self.datatype(*datatype).clone();
            let sort = self.intern_sort(Sort::Datatype { declaration: *datatype, arguments: parameters })?;
            if least_value(self, sort).is_none() {
                return Err(SortError::NoValue { datatype: name.to_string() });
            }
        }
        self.count_datatypes();
        Ok(())
    }

    /// Makes the sorts of the fields of all constructors for a sort of their datatype.
    fn instantiate_fields(&mut self, sort: SortId, datatype: DatatypeId) -> Result<(), SortError> {
        let Sort::Datatype { arguments, .. } = self.sort(sort).clone() else {
            unreachable!("a sort of a datatype")
        };
        let Datatype { parameters, constructors, .. } = self.datatype(datatype).clone();
        let replacements: FxHashMap<SortId, SortId> =
            parameters.iter().copied().zip(arguments.iter().copied()).collect();
        for constructor in constructors {
            let fields = self.constructor(constructor).fields.clone();
            let mut sorts = Vec::with_capacity(fields.len());
            for field in &fields {
                sorts.push(self.replace_in_sort(field.sort, &replacements)?);
            }
            self.field_sorts.insert((sort, constructor), sorts.into());
        }
        Ok(())
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

    /// Counts the values of datatypes: finitely many where no constructor leads back to its own sort.
    fn count_datatypes(&mut self) {
        // From above: a sort that depends on itself stays at as many as there can be.
        loop {
            let mut changed = false;
            for index in 0..self.sorts.len() {
                let id = SortId::new(index);
                let count = match self.sort(id) {
                    Sort::Datatype { declaration, .. } => {
                        let constructors = &self.datatype(*declaration).constructors;
                        if constructors.is_empty() {
                            continue;
                        }
                        let count = |&constructor: &ConstructorId| {
                            let sorts = self.field_sorts(id, constructor).unwrap_or_default();
                            sorts
                                .iter()
                                .fold(1u64, |product, &sort| product.saturating_mul(self.cardinality(sort)))
                        };
                        constructors.iter().map(count).fold(0, u64::saturating_add)
                    }
                    Sort::Array { index, element } => self.count_functions(*index, *element),
                    _ => continue,
                };
                changed |= count != self.sorts[index].cardinality;
                self.sorts[index].cardinality = count;
            }
            if !changed {
                return;
            }
        }
    }

    /// A datatype as declared.
    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        &self.datatypes[id.index()]
    }

    /// A constructor as declared.
    pub fn constructor(&self, id: ConstructorId) -> &Constructor {
        &self.constructors[id.index()]
    }

    /// The sorts of the fields that a constructor has in values of a sort; `None` where the sort is not of its
    /// datatype.
    pub fn field_sorts(&self, sort: SortId, constructor: ConstructorId) -> Option<&[SortId]> {
        self.field_sorts.get(&(sort, constructor)).map(|sorts| &sorts[..])
    }

    /// The sort behind an id.
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

    // ---- symbols

    /// Declares a constant (no arguments) or function.
    pub fn declare(&mut self, name: &str, arguments: &[SortId], result: SortId) -> SymbolId {
        self.new_symbol(name, arguments, result, SymbolKind::Declared)
    }

    /// A fresh bound parameter, for bodies of functions.
    pub fn parameter(&mut self, name: &str, sort: SortId) -> SymbolId {
        self.new_symbol(name, &[], sort, SymbolKind::Parameter)
    }

    /// A fresh variable, for a quantifier.
    pub fn variable(&mut self, name: &str, sort: SortId) -> SymbolId {
        self.new_symbol(name, &[], sort, SymbolKind::Variable)
    }

    pub(crate) fn new_symbol(
        &mut self,
        name: &str,
        arguments: &[SortId],
        result: SortId,
        kind: SymbolKind,
    ) -> SymbolId {
        let id = SymbolId::new(self.symbols.len());
        self.symbols.push(Symbol { name: name.into(), arguments: arguments.into(), result, kind });
        id
    }

    /// The symbol behind an id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// How many symbols there are; their ids are the numbers below it.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// Interns a list of bound variables, for a quantifier.
    pub fn binder(&mut self, variables: &[SymbolId]) -> BinderId {
        if let Some(&id) = self.binder_ids.get(variables) {
            return id;
        }
        let id = BinderId::new(self.binders.len());
        self.binders.push(variables.into());
        self.binder_ids.insert(variables.into(), id);
        id
    }

    /// Whether any quantifier was made.
    pub fn has_quantifiers(&self) -> bool {
        !self.binders.is_empty()
    }

    /// The variables of a quantifier.
    pub fn bound_variables(&self, id: BinderId) -> &[SymbolId] {
        &self.binders[id.index()]
    }

    // ---- terms

    /// Interns the application of an operator, checking arity, argument sorts and indices.
    ///
    /// # Errors
    /// What is wrong with the application, in words.
    pub fn term(&mut self, op: Op, arguments: &[TermId]) -> Result<TermId, SortError> {
        if let Some(id) = self.find(op, arguments) {
            return Ok(id);
        }
        let sort = match typecheck::result_sort(self, op, arguments)? {
            ResultSort::Interned(sort) => sort,
            ResultSort::BitVec(width) => self.bit_vec_sort(width)?,
            ResultSort::Sort(sort) => self.intern_sort(sort)?,
        };
        Ok(self.insert(op, arguments, sort))
    }

    /// [`term`](Self::term) for applications that are well-sorted by construction.
    ///
    /// # Panics
    /// When the application is not well-sorted.
    pub fn make(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        match self.term(op, arguments) {
            Ok(id) => id,
            Err(error) => panic!("ill-sorted term built internally: {error}"),
        }
    }

    /// The literal of a value.
    ///
    /// Of numbers, those without sign that are written in digits; of floating-point values the special ones,
    /// which have names. [`value_term`](Self::value_term) makes terms of others.
    ///
    /// # Panics
    /// For values that have no literal of their own.
    pub fn constant(&mut self, value: Value) -> TermId {
        let sort = match &value {
            Value::Bool(_) => SortId::BOOL,
            Value::BitVec(bits) => self.bit_vec_sort(bits.width()).expect("values have legal widths"),
            Value::Int(_) => SortId::INT,
            Value::Real(_) => SortId::REAL,
            Value::RoundingMode(_) => SortId::ROUNDING_MODE,
            Value::String(_) => SortId::STRING,
            Value::Float(value) => {
                self.intern_sort(Sort::Float(value.format())).expect("values have legal formats")
            }
            other => panic!("no literal for {other:?}"),
        };
        let id = match self.constant_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = ConstantId::new(self.constants.len());
                self.constants.push(value.clone());
                self.constant_ids.insert(value, id);
                id
            }
        };
        self.find(Op::Constant(id), &[]).unwrap_or_else(|| self.insert(Op::Constant(id), &[], sort))
    }

    /// The integer literal of these decimal digits.
    ///
    /// # Panics
    /// When there are other characters, or none.
    pub fn numeral(&mut self, digits: &str) -> TermId {
        let value = UBig::from_str_radix(digits, 10).expect("digits");
        self.constant(Value::Int(value.into()))
    }

    /// The real literal of these decimal digits, with or without a point among them.
    ///
    /// # Panics
    /// When there are other characters, or no digits.
    pub fn decimal(&mut self, digits: &str) -> TermId {
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let numerator = UBig::from_str_radix(&format!("{whole}{fraction}"), 10).expect("digits");
        let denominator = UBig::from(10u8).pow(fraction.len());
        self.constant(Value::Real(RBig::from_parts(numerator.into(), denominator).into()))
    }

    /// A term that has a value, written with literals and operators.
    ///
    /// # Panics
    /// For array and uninterpreted values and regular expressions, which no term has by itself.
    pub fn value_term(&mut self, sort: SortId, value: &Value) -> TermId {
        match value {
            Value::Int(number) => {
                let digits = number.clone().unsigned_abs().to_string();
                let literal = self.numeral(&digits);
                self.signed(literal, number.sign() == Sign::Negative)
            }
            Value::Real(number) => {
                let [numerator, denominator] =
                    [number.numerator().clone().unsigned_abs(), number.denominator().clone()]
                        .map(|number| self.decimal(&number.to_string()));
                let quotient = match number.denominator().is_one() {
                    true => numerator,
                    false => self.make(Op::Arithmetic(ArithmeticOp::Divide), &[numerator, denominator]),
                };
                self.signed(quotient, number.numerator().sign() == Sign::Negative)
            }
            Value::Float(float) if !float.is_nan() && !float.is_infinite() && !float.is_zero() => {
                let fields = float.to_fields().map(|field| self.bit_vector(field));
                self.make(Op::Float(FloatOp::Fp), &fields)
            }
            Value::Datatype(value) => {
                let constructor = value.constructor();
                let sorts = self.field_sorts(sort, constructor).expect("a value of the sort").to_vec();
                let fields: Vec<TermId> = sorts
                    .into_iter()
                    .zip(value.fields())
                    .map(|(sort, field)| self.value_term(sort, field))
                    .collect();
                self.make(Op::Datatype(DatatypeOp::Construct { constructor, sort }), &fields)
            }
            Value::Sequence(value) => {
                let Sort::Sequence(element) = *self.sort(sort) else { unreachable!("a value of the sort") };
                let elements: Vec<TermId> =
                    value.elements().iter().map(|value| self.value_term(element, value)).collect();
                self.sequence_term(sort, &elements)
            }
            other => self.constant(other.clone()),
        }
    }

    /// The sequence of these elements, of a sort of sequences.
    ///
    /// # Panics
    /// When the elements are not of its elements' sort.
    pub fn sequence_term(&mut self, sort: SortId, elements: &[TermId]) -> TermId {
        let units: Vec<TermId> =
            elements.iter().map(|&element| self.make(Op::Sequence(SequenceOp::Unit), &[element])).collect();
        match units[..] {
            [] => self.make(Op::Sequence(SequenceOp::Empty(sort)), &[]),
            [unit] => unit,
            _ => self.make(Op::Sequence(SequenceOp::Concat), &units),
        }
    }

    fn signed(&mut self, number: TermId, is_negative: bool) -> TermId {
        if is_negative { self.make(Op::Arithmetic(ArithmeticOp::Sub), &[number]) } else { number }
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.constant(Value::Bool(value))
    }

    /// The literal of a bit-vector.
    pub fn bit_vector(&mut self, value: BitVector) -> TermId {
        self.constant(Value::BitVec(value))
    }

    /// The term of a constant symbol.
    ///
    /// # Panics
    /// When the symbol takes arguments.
    pub fn symbol_term(&mut self, symbol: SymbolId) -> TermId {
        self.make(Op::Apply(symbol), &[])
    }

    fn find(&self, op: Op, arguments: &[TermId]) -> Option<TermId> {
        let hash = hash_application(op, arguments);
        self.table
            .find(hash, |&id| {
                let node = &self.nodes[id.index()];
                node.op == op && self.args(id) == arguments
            })
            .copied()
    }

    fn insert(&mut self, op: Op, arguments: &[TermId], sort: SortId) -> TermId {
        let id = TermId::new(self.nodes.len());
        let first_argument = u32::try_from(self.arguments.len()).expect("argument positions are 32-bit");
        self.arguments.extend_from_slice(arguments);
        self.nodes.push(Node { op, sort, first_argument, arity: arguments.len() as u32 });
        let (nodes, all_arguments) = (&self.nodes, &self.arguments);
        self.table.insert_unique(hash_application(op, arguments), id, |&other| {
            let node = &nodes[other.index()];
            let start = node.first_argument as usize;
            hash_application(node.op, &all_arguments[start..start + node.arity as usize])
        });
        id
    }

    /// The operator of a term.
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    /// The arguments of a term.
    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        let start = node.first_argument as usize;
        &self.arguments[start..start + node.arity as usize]
    }

    /// The sort of a term.
    pub fn sort_of(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// Whether the term is a truth value.
    pub fn is_bool(&self, term: TermId) -> bool {
        self.sort_of(term) == SortId::BOOL
    }

    /// The width of a bit-vector term, `None` for other sorts.
    pub fn width(&self, term: TermId) -> Option<u32> {
        self.bit_vec_width(self.sort_of(term))
    }

    /// How many bits a term's value has: 1 for Bool, the width for a bit-vector, 0 for any other sort.
    pub fn bits(&self, term: TermId) -> u32 {
        if self.is_bool(term) { 1 } else { self.width(term).unwrap_or(0) }
    }

    /// The value of a literal term, `None` for any other.
    pub fn value(&self, term: TermId) -> Option<&Value> {
        match self.op(term) {
            Op::Constant(id) => Some(&self.constants[id.index()]),
            _ => None,
        }
    }

    /// The symbol of a declared constant's term, `None` for any other.
    pub fn constant_symbol(&self, term: TermId) -> Option<SymbolId> {
        match self.op(term) {
            Op::Apply(symbol) if self.nodes[term.index()].arity == 0 => Some(symbol),
            _ => None,
        }
    }

    /// How many terms there are.
    pub fn term_count(&self) -> usize {
        self.nodes.len()
    }

    /// Every term reachable from `roots`, arguments before applications, ascending ids.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        self.reachable_within(roots, &Control::default()).expect("nothing stops this control")
    }

    /// [`reachable`](Self::reachable) until a control stops it.
    ///
    /// # Errors
    /// Why it was stopped.
    pub fn reachable_within(&self, roots: &[TermId], control: &Control) -> Result<Vec<TermId>, Stopped> {
        let Some(highest) = roots.iter().map(|root| root.index()).max() else { return Ok(Vec::new()) };
        let mut marked = vec![false; highest + 1];
        for root in roots {
            marked[root.index()] = true;
        }
        // Arguments have smaller ids: one descending sweep marks everything.
        for index in (0..=highest).rev() {
            control.spend(1)?;
            if marked[index] {
                for argument in self.args(TermId::new(index)) {
                    marked[argument.index()] = true;
                }
            }
        }
        Ok((0..=highest).filter(|&index| marked[index]).map(TermId::new).collect())
    }
}
