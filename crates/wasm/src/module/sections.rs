//! The sections of a module besides its code.

use wasmparser::{
    DataKind, DataSectionReader, ElementItems, ElementKind, ElementSectionReader, ExportSectionReader,
    ExternalKind, FunctionSectionReader, GlobalSectionReader, ImportSectionReader, MemorySectionReader, Name,
    NameSectionReader, TableInit, TableSectionReader, TypeRef, TypeSectionReader,
};

use super::constants::Constant;
use super::{
    Data, Elements, Exported, Global, Import, MemoryType, Module, Signature, Table, ValueType, unsupported,
};
use crate::error::ModuleError;

/// The greatest number of elements of a table: a table that is larger is more likely a mistake than a program.
const MOST_ELEMENTS: u64 = 10_000_000;

impl Module {
    pub(super) fn read_types(&mut self, reader: &TypeSectionReader<'_>) -> Result<(), ModuleError> {
        for signature in reader.clone().into_iter_err_on_gc_types() {
            let signature = signature?;
            let types = |types: &[wasmparser::ValType]| types.iter().map(|&t| ValueType::of(t)).collect();
            let signature =
                Signature { parameters: types(signature.params()), results: types(signature.results()) };
            let known = self.signatures.iter().position(|known| *known == signature);
            self.canonical.push(known.unwrap_or(self.signatures.len()) as u32);
            self.signatures.push(signature);
        }
        Ok(())
    }

    pub(super) fn read_imports(&mut self, reader: &ImportSectionReader<'_>) -> Result<(), ModuleError> {
        for import in reader.clone().into_imports_with_offsets() {
            let (offset, import) = import?;
            let TypeRef::Func(signature) = import.ty else {
                let feature = format!("the import {}.{}, which is no function", import.module, import.name);
                return Err(unsupported(offset, &feature));
            };
            let signature = self.canonical_type(signature);
            self.function_types.push(signature);
            let (module, name) = (import.module.to_string(), import.name.to_string());
            self.imports.push(Import { module, name, signature });
        }
        Ok(())
    }

    pub(super) fn read_functions(&mut self, reader: &FunctionSectionReader<'_>) -> Result<(), ModuleError> {
        for signature in reader.clone() {
            let signature = self.canonical_type(signature?);
            self.function_types.push(signature);
        }
        Ok(())
    }

    pub(super) fn read_tables(&mut self, reader: &TableSectionReader<'_>) -> Result<(), ModuleError> {
        for table in reader.clone().into_iter_with_offsets() {
            let (offset, table) = table?;
            if table.ty.table64 || table.ty.initial > MOST_ELEMENTS {
                return Err(unsupported(offset, "a table of this size"));
            }
            if !matches!(table.init, TableInit::RefNull) {
                return Err(unsupported(offset, "a table with initial elements"));
            }
            self.tables.push(Table { size: table.ty.initial as u32 });
        }
        Ok(())
    }

    pub(super) fn read_memories(&mut self, reader: &MemorySectionReader<'_>) -> Result<(), ModuleError> {
        for memory in reader.clone().into_iter_with_offsets() {
            let (offset, memory) = memory?;
            if self.memory.is_some() || memory.memory64 || memory.shared || memory.page_size_log2.is_some() {
                return Err(unsupported(offset, "several memories, or a shared or 64-bit one"));
            }
            let maximum = memory.maximum.map(|maximum| maximum as u32);
            self.memory = Some(MemoryType { initial: memory.initial as u32, maximum });
        }
        Ok(())
    }

    pub(super) fn read_globals(&mut self, reader: &GlobalSectionReader<'_>) -> Result<(), ModuleError> {
        for global in reader.clone() {
            let global = global?;
            let value = self.constant(&global.init_expr)?.word();
            self.globals.push(Global { value_type: ValueType::of(global.ty.content_type), value });
        }
        Ok(())
    }

    pub(super) fn read_exports(&mut self, reader: &ExportSectionReader<'_>) -> Result<(), ModuleError> {
        for export in reader.clone() {
            let export = export?;
            let exported = match export.kind {
                ExternalKind::Func => Exported::Function(export.index),
                ExternalKind::Global => Exported::Global(export.index),
                _ => Exported::Other,
            };
            self.exports.push((export.name.to_string(), exported));
        }
        Ok(())
    }

    pub(super) fn read_elements(&mut self, reader: &ElementSectionReader<'_>) -> Result<(), ModuleError> {
        for element in reader.clone() {
            let element = element?;
            let functions = match element.items {
                ElementItems::Functions(functions) => functions
                    .into_iter()
                    .map(|function| Ok(Some(function?)))
                    .collect::<Result<_, ModuleError>>()?,
                ElementItems::Expressions(_, expressions) => {
                    let functions =
                        expressions.into_iter().map(|expression| match self.constant(&expression?)? {
                            Constant::Function(function) => Ok(function),
                            Constant::Word(_) => Ok(None),
                        });
                    functions.collect::<Result<_, ModuleError>>()?
                }
            };
            let place = match &element.kind {
                ElementKind::Active { table_index, offset_expr } => {
                    Some((table_index.unwrap_or(0), self.constant(offset_expr)?.word() as u32))
                }
                ElementKind::Passive | ElementKind::Declared => None,
            };
            let is_dropped = !matches!(element.kind, ElementKind::Passive);
            self.elements.push(Elements { functions, place, is_dropped });
        }
        Ok(())
    }

    /// Names are a help for people, so that a part that is malformed is skipped.
    pub(super) fn read_names(&mut self, names: NameSectionReader<'_>) {
        for name in names.into_iter().flatten() {
            match name {
                Name::Function(functions) => {
                    for naming in functions.into_iter().flatten() {
                        self.name_function(naming.index as usize, naming.name);
                    }
                }
                Name::Data(segments) => {
                    for naming in segments.into_iter().flatten() {
                        if let Some(data) = self.data.get_mut(naming.index as usize) {
                            data.name = Some(naming.name.to_string());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn name_function(&mut self, index: usize, name: &str) {
        let Some(number) = index.checked_sub(self.imports.len()) else { return };
        if number >= self.function_types.len() {
            return;
        }
        if number >= self.names.len() {
            self.names.resize(number + 1, None);
        }
        self.names[number] = Some(name.to_string());
    }

    pub(super) fn read_data(&mut self, reader: &DataSectionReader<'_>) -> Result<(), ModuleError> {
        for data in reader.clone() {
            let data = data?;
            let address = match &data.kind {
                DataKind::Active { offset_expr, .. } => Some(self.constant(offset_expr)?.word() as u32),
                DataKind::Passive => None,
            };
            self.data.push(Data { bytes: data.data.to_vec(), address, name: None });
        }
        Ok(())
    }
}
