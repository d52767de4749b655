//! The sections of a module that say where its code is and what its parts are called.

use std::ops::Range;

use rustc_hash::FxHashMap;
use wasmparser::{
    ExternalKind, FunctionBody, KnownCustom, Name, NameSectionReader, Parser, Payload, TypeRef,
};

use crate::error::{Error, Warnings};

/// A module taken apart.
#[derive(Default)]
pub(crate) struct Module<'data> {
    /// The offset of the contents of the code section in the module.
    pub code_start: u64,
    /// The bodies of functions in order, with the declarations of their locals.
    pub bodies: Vec<FunctionBody<'data>>,
    /// The number of functions that are imported: these come first.
    pub imported: u32,
    /// Names of functions by index, from the section of names.
    pub functions: FxHashMap<u32, &'data str>,
    /// Names of exported functions by index.
    pub exports: FxHashMap<u32, &'data str>,
    /// Names of globals by index: of the section of names, else of exports and imports.
    pub globals: FxHashMap<u32, &'data str>,
    /// Custom sections by name; where two have the same name, the first.
    pub custom: FxHashMap<&'data str, &'data [u8]>,
    imported_globals: u32,
}

impl<'data> Module<'data> {
    /// Takes a module apart. Names that cannot be read are left out, with a warning.
    ///
    /// # Errors
    /// The bytes are not a module.
    pub fn read(bytes: &'data [u8], warnings: &mut Warnings) -> Result<Self, Error> {
        let mut module = Module::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::Version { encoding: wasmparser::Encoding::Component, .. } => {
                    return Err(Error { offset: 0, message: "a component, not a core module".to_string() });
                }
                Payload::ImportSection(reader) => {
                    for import in reader.into_imports() {
                        let import = import?;
                        module.import(import.name, import.ty);
                    }
                }
                Payload::ExportSection(reader) => {
                    for export in reader {
                        let export = export?;
                        module.export(export.name, export.kind, export.index);
                    }
                }
                Payload::CodeSectionStart { unchecked_range, .. } => {
                    module.code_start = unchecked_range.start
                }
                Payload::CodeSectionEntry(body) => module.bodies.push(body),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(reader) = section.as_known()
                        && let Err(error) = module.name(reader)
                    {
                        warnings.push("the section 'name'", error.message());
                    }
                    module.custom.entry(section.name()).or_insert(section.data());
                }
                _ => {}
            }
        }
        Ok(module)
    }

    fn import(&mut self, name: &'data str, kind: TypeRef) {
        match kind {
            TypeRef::Func(_) | TypeRef::FuncExact(_) => {
                self.exports.insert(self.imported, name);
                self.imported += 1;
            }
            TypeRef::Global(_) => {
                self.globals.insert(self.imported_globals, name);
                self.imported_globals += 1;
            }
            _ => {}
        }
    }

    fn export(&mut self, name: &'data str, kind: ExternalKind, index: u32) {
        match kind {
            ExternalKind::Func | ExternalKind::FuncExact => drop(self.exports.entry(index).or_insert(name)),
            ExternalKind::Global => drop(self.globals.entry(index).or_insert(name)),
            _ => {}
        }
    }

    fn name(&mut self, reader: NameSectionReader<'data>) -> Result<(), wasmparser::BinaryReaderError> {
        for part in reader {
            let (names, known) = match part? {
                Name::Function(names) => (names, &mut self.functions),
                Name::Global(names) => (names, &mut self.globals),
                _ => continue,
            };
            for naming in names {
                let naming = naming?;
                known.insert(naming.index, naming.name);
            }
        }
        Ok(())
    }

    /// The range of a body in offsets from the contents of the code section.
    pub fn range(&self, body: &FunctionBody<'_>) -> Option<Range<u32>> {
        let range = body.range();
        let offset = |place: u64| u32::try_from(place.checked_sub(self.code_start)?).ok();
        Some(offset(range.start)?..offset(range.end)?)
    }

    /// The bytes of a custom section; none if there is none.
    pub fn section(&self, name: &str) -> &'data [u8] {
        self.custom.get(name).copied().unwrap_or_default()
    }
}
