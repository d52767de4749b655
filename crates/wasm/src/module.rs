//! Modules: reading and validating the binary format.

mod constants;
mod sections;

use wasmparser::{
    FuncValidatorAllocations, Parser, Payload, ValidPayload, Validator, ValidatorResources, WasmFeatures,
};

pub use crate::code::Function;
use crate::error::ModuleError;
use crate::soft::{self, FloatCode};
use crate::translate::translate;

/// The type of a value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ValueType {
    /// An integer of 32 bits.
    I32,
    /// An integer of 64 bits.
    I64,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
    /// A vector, a reference, or another type whose values are not supported.
    Other,
}

impl ValueType {
    fn of(value_type: wasmparser::ValType) -> Self {
        match value_type {
            wasmparser::ValType::I32 => ValueType::I32,
            wasmparser::ValType::I64 => ValueType::I64,
            wasmparser::ValType::F32 => ValueType::F32,
            wasmparser::ValType::F64 => ValueType::F64,
            _ => ValueType::Other,
        }
    }

    /// The number of bits.
    pub fn width(self) -> u32 {
        match self {
            ValueType::I32 | ValueType::F32 => 32,
            _ => 64,
        }
    }
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// Types of the parameters.
    pub parameters: Vec<ValueType>,
    /// Types of the results.
    pub results: Vec<ValueType>,
}

/// A function that the module imports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The module that is asked for it.
    pub module: String,
    /// Its name there.
    pub name: String,
    /// The index of its type.
    pub signature: u32,
}

/// A table of functions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The number of elements; tables do not grow.
    pub size: u32,
}

/// Sizes of the memory in pages of 65,536 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MemoryType {
    /// The size at the start.
    pub initial: u32,
    /// The greatest size.
    pub maximum: Option<u32>,
}

/// A global variable.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its type.
    pub value_type: ValueType,
    /// Its value at the start.
    pub value: u64,
}

/// Bytes that go into the memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Data {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Their address, for segments that are copied at the start.
    pub address: Option<u32>,
    /// The name of the segment after the name section, such as `.rodata` for constants.
    pub name: Option<String>,
}

/// Functions that go into a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements {
    /// Indices of functions.
    pub functions: Vec<Option<u32>>,
    /// The table and the place in it, for segments that are copied at the start.
    pub place: Option<(u32, u32)>,
    /// Whether the segment is empty once the module runs, because it was copied at the start or only declares functions.
    pub is_dropped: bool,
}

/// A kind of thing that a module exports.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Exported {
    /// The function with this index.
    Function(u32),
    /// The global with this index.
    Global(u32),
    /// A table or memory.
    Other,
}

/// An instruction that is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsupportedInstruction {
    /// The instruction by name.
    pub name: String,
    /// The index of its function.
    pub function: u32,
    /// Its offset from the start of the contents of the code section.
    pub offset: u32,
}

/// A module, ready to run. Functions have one numbering, imported ones first.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Types of functions; equal types have the index of the first.
    pub signatures: Vec<Signature>,
    /// Imported functions.
    pub imports: Vec<Import>,
    /// Functions of the module.
    pub functions: Vec<Function>,
    /// Functions of the library that float instructions call, if they do. They have positions of their own, and instructions with numbers behind those of all others.
    pub library: Vec<Function>,
    /// Tables.
    pub tables: Vec<Table>,
    /// The memory.
    pub memory: Option<MemoryType>,
    /// Globals.
    pub globals: Vec<Global>,
    /// Names under which the host sees things.
    pub exports: Vec<(String, Exported)>,
    /// The function that runs at the start.
    pub start: Option<u32>,
    /// Segments of data.
    pub data: Vec<Data>,
    /// Segments of elements.
    pub elements: Vec<Elements>,
    /// Instructions that end an execution which reaches them.
    pub unsupported: Vec<UnsupportedInstruction>,
    /// Names of functions after the name section, by their positions in `functions`.
    pub names: Vec<Option<String>>,
    /// The offset of the contents of the code section from the start of the file.
    pub code_start: u64,
    /// The code that float instructions become.
    pub(crate) floats: FloatCode,
    /// For each type as it is written, the index of the first equal one.
    canonical: Vec<u32>,
    /// Indices of types of all functions.
    function_types: Vec<u32>,
}

impl Module {
    /// Reads and validates a module, and translates its functions.
    ///
    /// ```
    /// let bytes = b"\0asm\x01\0\0\0";
    /// let module = sundry_wasm::Module::read(bytes).unwrap();
    /// assert!(module.functions.is_empty());
    /// ```
    ///
    /// # Errors
    /// The bytes are no valid module, or the module declares something that is not supported (several memories, imported memories,
    /// tables and globals, components). Instructions that are not supported are no error: the module has a list of them.
    pub fn read(bytes: &[u8]) -> Result<Module, ModuleError> {
        Module::read_with(bytes, FloatCode::Instructions)
    }

    /// Reads and validates a module, and translates its functions with this code for float instructions.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn read_with(bytes: &[u8], floats: FloatCode) -> Result<Module, ModuleError> {
        let mut module = Module { floats, ..Module::default() };
        let mut validator = Validator::new_with_features(WasmFeatures::default());
        let mut allocations = FuncValidatorAllocations::default();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            match validator.payload(&payload)? {
                ValidPayload::Func(function, body) => {
                    let mut checker = function.into_validator(std::mem::take(&mut allocations));
                    let function = translate(&mut module, &mut checker, &body)?;
                    module.functions.push(function);
                    allocations = checker.into_allocations();
                }
                ValidPayload::Parser(_) => return Err(unsupported(0, "components")),
                ValidPayload::Ok | ValidPayload::End(_) => module.section(&payload)?,
            }
        }
        module.names.resize(module.functions.len(), None);
        if floats == FloatCode::Library {
            module.library = soft::functions(module.instruction_count());
        }
        Ok(module)
    }

    fn section(&mut self, payload: &Payload<'_>) -> Result<(), ModuleError> {
        match payload {
            Payload::TypeSection(reader) => self.read_types(reader),
            Payload::ImportSection(reader) => self.read_imports(reader),
            Payload::FunctionSection(reader) => self.read_functions(reader),
            Payload::TableSection(reader) => self.read_tables(reader),
            Payload::MemorySection(reader) => self.read_memories(reader),
            Payload::GlobalSection(reader) => self.read_globals(reader),
            Payload::ExportSection(reader) => self.read_exports(reader),
            Payload::StartSection { func, .. } => {
                self.start = Some(*func);
                Ok(())
            }
            Payload::ElementSection(reader) => self.read_elements(reader),
            Payload::DataSection(reader) => self.read_data(reader),
            Payload::CodeSectionStart { unchecked_range, .. } => {
                self.code_start = unchecked_range.start;
                Ok(())
            }
            Payload::CustomSection(section) => {
                if let wasmparser::KnownCustom::Name(names) = section.as_known() {
                    self.read_names(names);
                }
                Ok(())
            }
            Payload::TagSection(reader) => Err(unsupported(reader.range().start, "exceptions")),
            _ => Ok(()),
        }
    }

    /// The type of the function with this index.
    pub fn signature_of(&self, function: u32) -> &Signature {
        &self.signatures[self.function_types[function as usize] as usize]
    }

    /// The index of the type of the function with this index; equal types have equal indices.
    pub fn type_of(&self, function: u32) -> u32 {
        self.function_types[function as usize]
    }

    /// The function with this index, unless it is imported.
    pub fn function(&self, index: u32) -> Option<&Function> {
        self.functions.get((index as usize).checked_sub(self.imports.len())?)
    }

    /// The index of the exported function of this name.
    pub fn exported_function(&self, name: &str) -> Option<u32> {
        self.exports.iter().find_map(|(exported, what)| match what {
            Exported::Function(index) if exported == name => Some(*index),
            _ => None,
        })
    }

    /// The index of the exported global of this name.
    pub fn exported_global(&self, name: &str) -> Option<u32> {
        self.exports.iter().find_map(|(exported, what)| match what {
            Exported::Global(index) if exported == name => Some(*index),
            _ => None,
        })
    }

    /// The number of instructions of all functions, without those of the library.
    pub fn instruction_count(&self) -> u32 {
        self.functions.last().map_or(0, |last| last.first + last.code.len() as u32)
    }

    /// Whether an instruction, by its number, is one of the library.
    pub fn is_in_library(&self, place: u32) -> bool {
        place >= self.instruction_count()
    }

    /// The function that contains the instruction of this number, by its position in [`functions`](Self::functions), and the position of the instruction in it.
    pub fn locate(&self, place: u32) -> (usize, usize) {
        let function = self.functions.partition_point(|function| function.first <= place).saturating_sub(1);
        (function, (place - self.functions[function].first) as usize)
    }

    /// The offset in the code section of the instruction of this number.
    pub fn offset_of(&self, place: u32) -> u32 {
        let (function, position) = self.locate(place);
        self.functions[function].offsets[position]
    }

    pub(crate) fn canonical_type(&self, index: u32) -> u32 {
        self.canonical[index as usize]
    }
}

/// The validator of a function.
pub(crate) type FunctionChecker = wasmparser::FuncValidator<ValidatorResources>;

fn unsupported(offset: u64, feature: &str) -> ModuleError {
    ModuleError::Unsupported { offset, feature: feature.to_string() }
}
