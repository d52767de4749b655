//! Datatypes in a store: they are declared by name, then given their constructors, and instantiated for each of their
//! sorts.

use rustc_hash::FxHashMap;

use super::TermStore;
use crate::sort::{DatatypeId, Sort, SortId};
use crate::theory::datatype::{Constructor, ConstructorId, Datatype, DatatypeDefinition, least_value};
use crate::typecheck::SortError;

impl TermStore {
    /// Declares the name of a datatype; `parameters` are sorts that stand for its parameters in fields.
    /// [`define_datatypes`](Self::define_datatypes) then gives the datatype its constructors.
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
    /// A field has a sort that grows with every level, so that there would be infinitely many sorts, or a datatype
    /// has no finite value. The datatypes are unusable after an error.
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
    pub(super) fn instantiate_fields(&mut self, sort: SortId, datatype: DatatypeId) -> Result<(), SortError> {
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

    /// Counts the values of datatypes: finitely many where no constructor leads back to its own sort.
    fn count_datatypes(&mut self) {
        // The iteration starts from above: a sort that depends on itself keeps the greatest possible number.
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

    /// The number of datatypes that were declared.
    pub fn datatype_count(&self) -> usize {
        self.datatypes.len()
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
}
