//! The debug information of a module as plain data, and the queries on it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use sundry_term::entity_id;

use crate::dwarf;
use crate::error::{Error, Warning, Warnings};
use crate::module::Module;
use crate::text::Texts;
use crate::types::{TypeId, Types};

entity_id!(
    /// Identity of a source file in [`DebugInfo::files`].
    pub struct FileId, "file"
);

/// All that a module says of its functions, lines, variables and types.
#[derive(Debug)]
pub struct DebugInfo {
    pub(crate) functions: Vec<Function>,
    pub(crate) imported: Vec<Option<Arc<str>>>,
    pub(crate) globals: BTreeMap<u32, Arc<str>>,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) lines: Vec<LineRange>,
    pub(crate) data: Vec<DataObject>,
    pub(crate) types: Types,
    pub(crate) warnings: Vec<Warning>,
}

/// A function that the module defines.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its index among all functions of the module, of which imported ones come first.
    pub index: u32,
    /// The offsets of its body, from the declarations of its locals to its end.
    pub range: Range<u32>,
    /// The name in the source, demangled; else the name of the function in the module.
    pub name: Option<Arc<str>>,
    /// The place of its declaration.
    pub declared: Option<SourceLine>,
    /// Its parameters as in the source, if the debug information says them. The function in the module may have others: one
    /// for the address of a result that is a struct, and none for a parameter that is not used.
    pub parameters: Option<Vec<Parameter>>,
    /// The type of its result in the source.
    pub result: TypeId,
    /// Its variables that are in memory.
    pub frame: StackFrame,
    pub(crate) inlined: Vec<Inlined>,
}

/// A line of a source file.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourceLine {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
}

/// A parameter of a function in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The name.
    pub name: Option<Arc<str>>,
    /// The type.
    pub r#type: TypeId,
}

/// The part of the stack in linear memory that belongs to a call of a function.
#[derive(Clone, Default, Debug)]
pub struct StackFrame {
    /// The value from which the offsets of its objects count.
    pub base: Option<FrameBase>,
    /// The objects, by offset. Objects with different scopes may share their place.
    pub objects: Vec<StackObject>,
}

/// The value that offsets in a stack frame count from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FrameBase {
    /// A local of the function: it has the address once the prologue has computed it.
    Local(u32),
    /// A global of the module: the stack pointer, in functions that do not change it.
    Global(u32),
}

/// A variable in a stack frame: of the function, or of one that was inlined into it.
#[derive(Clone, PartialEq, Debug)]
pub struct StackObject {
    /// The name.
    pub name: Option<Arc<str>>,
    /// Bytes from the base of the frame.
    pub offset: i32,
    /// The size in bytes.
    pub size: u32,
    /// The type.
    pub r#type: TypeId,
    /// The offsets of the instructions in whose scope it is.
    pub scope: Arc<[Range<u32>]>,
}

/// A variable with static storage, or a string literal.
#[derive(Clone, PartialEq, Debug)]
pub struct DataObject {
    /// The name; literals have none.
    pub name: Option<Arc<str>>,
    /// The address in linear memory.
    pub address: u32,
    /// The size in bytes.
    pub size: u32,
    /// The type.
    pub r#type: TypeId,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the compiler was given it, joined to the folder in which it ran.
    pub path: Arc<str>,
    /// The lines that have code, with the offsets of that.
    pub lines: BTreeMap<u32, Vec<Range<u32>>>,
}

/// Instructions in a row that are of one place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineRange {
    /// The offsets of the instructions.
    pub range: Range<u32>,
    /// The source line; none for code that the compiler has added.
    pub source: Option<SourceLine>,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// A function that was called in the source at an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The name of the function, demangled.
    pub function: Option<String>,
    /// The source file of the instruction, or of the call.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
}

/// A call that was replaced by the body of the called function.
#[derive(Clone, Debug)]
pub(crate) struct Inlined {
    pub name: Option<Arc<str>>,
    pub ranges: Arc<[Range<u32>]>,
    /// The number of inlined calls around it.
    pub depth: u32,
    pub call: Option<SourceLine>,
    pub column: u32,
}

impl DebugInfo {
    /// Reads the names and the DWARF of a module. A module without DWARF has names only; of malformed DWARF, what can be
    /// read is kept, and the rest is in the [warnings](Self::warnings).
    ///
    /// # Errors
    /// The bytes are not a WebAssembly module.
    pub fn read(module: &[u8]) -> Result<DebugInfo, Error> {
        let mut warnings = Warnings::default();
        let parts = Module::read(module, &mut warnings)?;
        let mut texts = Texts::new(module.len());
        let mut info = named(&parts, &mut texts);
        dwarf::read(&parts, &mut info, &mut texts, &mut warnings);
        if texts.is_exhausted() {
            warnings.push("names", "there are too many of them, so some are missing");
        }
        info.warnings = warnings.into_inner();
        Ok(info)
    }

    /// The functions that the module defines, by index, which is also the order of their offsets.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The function with this index, if the module defines it.
    pub fn function(&self, index: u32) -> Option<&Function> {
        self.functions.get((index as usize).checked_sub(self.imported.len())?)
    }

    /// The function whose body an offset is in.
    pub fn function_at(&self, offset: u32) -> Option<&Function> {
        Some(&self.functions[position(&self.functions, offset)?])
    }

    /// The name of a function, also of an imported one.
    pub fn function_name(&self, index: u32) -> Option<&str> {
        match self.imported.get(index as usize) {
            Some(name) => name.as_deref(),
            None => self.function(index)?.name.as_deref(),
        }
    }

    /// The name of a global.
    pub fn global_name(&self, index: u32) -> Option<&str> {
        self.globals.get(&index).map(|name| &**name)
    }

    /// The functions that are active at an instruction, innermost first: inlined ones, then the function of the module.
    /// Each has the place at which it is: that of the instruction, or that of the call of the function before. An instruction
    /// that the compiler has added has the place of the nearest one before it in its function. There are no frames outside
    /// of all functions.
    pub fn frames(&self, offset: u32) -> Vec<Frame> {
        let Some(function) = self.function_at(offset) else { return Vec::new() };
        let mut active: Vec<&Inlined> = function
            .inlined
            .iter()
            .filter(|call| call.ranges.iter().any(|range| range.contains(&offset)))
            .collect();
        active.sort_by_key(|call| std::cmp::Reverse(call.depth));
        let mut place = self.place_near(offset, function);
        let mut frames = Vec::new();
        for call in active {
            frames.push(self.frame(&call.name, place));
            place = (call.call, call.column);
        }
        frames.push(self.frame(&function.name, place));
        frames
    }

    /// The place of an instruction, else of the nearest before it that has one.
    fn place_near(&self, offset: u32, function: &Function) -> (Option<SourceLine>, u32) {
        let next = self.lines.partition_point(|line| line.range.start <= offset);
        let mut before =
            self.lines[..next].iter().rev().take_while(|line| line.range.start >= function.range.start);
        let nearest = before.find(|line| line.source.is_some());
        nearest.map_or((None, 0), |line| (line.source, line.column))
    }

    fn frame(&self, name: &Option<Arc<str>>, (source, column): (Option<SourceLine>, u32)) -> Frame {
        Frame {
            function: name.as_deref().map(str::to_string),
            file: source.map(|source| self.path(source.file).to_string()),
            line: source.map(|source| source.line),
            column: source.and(Some(column)).filter(|&column| column > 0),
        }
    }

    /// The place in the source that an instruction comes from.
    pub fn line_at(&self, offset: u32) -> Option<&LineRange> {
        let next = self.lines.partition_point(|line| line.range.start <= offset);
        let line = &self.lines[next.checked_sub(1)?];
        line.range.contains(&offset).then_some(line)
    }

    /// All places in the source with their instructions, by offset. They do not overlap.
    pub fn lines(&self) -> &[LineRange] {
        &self.lines
    }

    /// The source files. A [`FileId`] is a position among them.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The path of a source file.
    ///
    /// # Panics
    /// If the identity is of another module.
    pub fn path(&self, file: FileId) -> &str {
        &self.files[file.index()].path
    }

    /// The variables of a function that are in memory, given its index.
    pub fn stack_objects(&self, index: u32) -> Option<&StackFrame> {
        Some(&self.function(index)?.frame)
    }

    /// The variables with static storage and the literals, by address. They do not overlap: of two that do, as literals with
    /// a common end, the first and longer one is kept.
    pub fn data_objects(&self) -> &[DataObject] {
        &self.data
    }

    /// The parameters of a function in the source, given its index; none if the debug information does not say them.
    pub fn parameters(&self, index: u32) -> Option<&[Parameter]> {
        self.function(index)?.parameters.as_deref()
    }

    /// The types of parameters, members and objects.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// The parts of the debug information that were left out.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// The position of the function whose body an offset is in.
pub(crate) fn position(functions: &[Function], offset: u32) -> Option<usize> {
    let next = functions.partition_point(|function| function.range.start <= offset);
    let position = next.checked_sub(1)?;
    functions[position].range.contains(&offset).then_some(position)
}

/// The functions and globals with the names that the module has for them.
fn named(module: &Module<'_>, texts: &mut Texts) -> DebugInfo {
    let name_of = |index: u32, texts: &mut Texts| {
        let name = module.functions.get(&index).or_else(|| module.exports.get(&index))?;
        texts.symbol(name.as_bytes())
    };
    let imported = (0..module.imported).map(|index| name_of(index, texts)).collect();
    let mut functions = Vec::with_capacity(module.bodies.len());
    for (index, body) in (module.imported..).zip(&module.bodies) {
        let Some(range) = module.range(body) else { break };
        functions.push(Function {
            index,
            range,
            name: name_of(index, texts),
            declared: None,
            parameters: None,
            result: Types::UNKNOWN,
            frame: StackFrame::default(),
            inlined: Vec::new(),
        });
    }
    // In the order of indices, for the budget of text must not depend on a hash.
    let globals: BTreeMap<u32, &str> = module.globals.iter().map(|(&index, &name)| (index, name)).collect();
    let globals =
        globals.into_iter().filter_map(|(index, name)| Some((index, texts.symbol(name.as_bytes())?)));
    DebugInfo {
        functions,
        imported,
        globals: globals.collect(),
        files: Vec::new(),
        lines: Vec::new(),
        data: Vec::new(),
        types: Types::new(),
        warnings: Vec::new(),
    }
}
