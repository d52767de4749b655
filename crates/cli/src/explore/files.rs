//! Tests as files: the input as it is, a description, and a file that KLEE's tools read.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sundry_explore::{Input, Origin, SourceKind, Terms, Variables, name_of_path};
use sundry_wasm::FloatCode;

use super::function::FunctionOptions;
use super::sources::MOST_BYTES;
use super::world::FixedWorld;
use crate::campaign::json_file;
use crate::failure::{Failure, FailureKind};
use crate::output::OutputFolder;

/// The name of the description in the folder of a test.
const DESCRIPTION: &str = "test.json";

/// The longest name of a file that stands for an expression, in characters.
const LONGEST_NAME: usize = 50;

/// The bytes of a source.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceBytes {
    /// The kind of the source: stdin, argument, file, memory, parameter, clock or random.
    pub kind: String,
    /// The name: of the file, the memory or the parameter.
    pub name: String,
    /// The number of the argument, or how often memory of this name was declared before.
    pub number: u32,
    /// The greatest number of bytes.
    pub capacity: u32,
    /// The bytes in hexadecimal digits.
    pub bytes: String,
    /// Whether the pointer to it is null, if it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub null: Option<bool>,
}

impl SourceBytes {
    /// The source; `None` if the description is wrong.
    pub fn source_kind(&self) -> Option<SourceKind> {
        Some(match self.kind.as_str() {
            "stdin" => SourceKind::Stdin,
            "argument" => SourceKind::Argument(self.number),
            "file" => SourceKind::File(self.name.clone()),
            "clock" => SourceKind::Clock,
            "random" => SourceKind::Random,
            "memory" => SourceKind::Memory(self.name.clone(), self.number),
            "parameter" => SourceKind::Parameter(self.name.clone()),
            _ => return None,
        })
    }

    /// Gives the source these bytes in an input, and adds it to the variables if it is new. A wrong description changes nothing.
    pub fn give(&self, input: &mut Input, variables: &mut Variables, terms: &mut Terms) {
        let (Some(kind), Some(bytes)) = (self.source_kind(), self.content()) else { return };
        let capacity = self.capacity.max(bytes.len() as u32);
        let number = variables.source(&mut terms.store, kind, capacity, &[]);
        variables.set_bytes(input, number, &bytes);
        if let Some(is_null) = self.null {
            variables.make_nullable(&mut terms.store, number);
            variables.set_null(input, number, is_null);
        }
    }

    /// The bytes; `None` if the description is wrong.
    pub fn content(&self) -> Option<Vec<u8>> {
        from_hexadecimal(&self.bytes)
    }
}

/// The description of a test.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TestDescription {
    /// The number of the test.
    pub number: u64,
    /// The origin of the input: seed, imported, solution, partial, mutant or shortened.
    pub origin: String,
    /// The end of the run, in words.
    pub end: String,
    /// Directions that no test before took.
    pub new_directions: usize,
    /// The error, if the run ended in one.
    pub error: Option<String>,
    /// For an access beyond an object, the number of the instruction, and start and size of the object, which other runs have accessed there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflow: Option<(u32, (u32, u32))>,
    /// Whether float instructions were calls of a library, which gives other numbers to instructions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_soft_floats: bool,
    /// The function that was called, where it is explored by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<FunctionOptions>,
    /// The call of the function in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The arguments, environment and seed that the input does not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<FixedWorld>,
    /// The exit statuses that count as errors, where the run ended with one of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bad_exits: Vec<u32>,
    /// The instructions that a run may execute, where the run executed more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// The input.
    pub input: Vec<SourceBytes>,
}

fn to_hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = text.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
}

/// The origin of an input as a word.
pub fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Seed => "seed",
        Origin::Imported => "imported",
        Origin::Solution => "solution",
        Origin::Partial => "partial",
        Origin::Mutant => "mutant",
        Origin::Shortened => "shortened",
    }
}

/// The bytes of all sources of an input.
pub fn sources(input: &Input, variables: &Variables) -> Vec<SourceBytes> {
    let all = variables.sources().iter().enumerate();
    all.map(|(number, source)| {
        let (kind, name, time) = match &source.kind {
            SourceKind::Stdin => ("stdin", String::new(), 0),
            SourceKind::Argument(number) => ("argument", String::new(), *number),
            SourceKind::File(name) => ("file", name.clone(), 0),
            SourceKind::Memory(name, time) => ("memory", name.clone(), *time),
            SourceKind::Parameter(name) => ("parameter", name.clone(), 0),
            SourceKind::Clock => ("clock", String::new(), 0),
            SourceKind::Random => ("random", String::new(), 0),
        };
        let bytes = to_hexadecimal(&variables.bytes(input, number));
        let null = source.null.map(|_| variables.is_null(input, number));
        SourceBytes { kind: kind.to_string(), name, number: time, capacity: source.capacity, bytes, null }
    })
    .collect()
}

/// The folder of a test of this number, in the output folder.
pub fn test_name(number: u64) -> PathBuf {
    Path::new("tests").join(format!("{number:06}"))
}

/// The name of the file with the bytes of a source.
fn file_name(kind: &SourceKind) -> PathBuf {
    match kind {
        SourceKind::File(name) => {
            Path::new("files").join(name_of_path(name).unwrap_or_else(|| "file".to_string()))
        }
        SourceKind::Memory(..) => Path::new("memory").join(kind.name().replace(['/', '\\'], "_")),
        SourceKind::Parameter(name) => Path::new("parameters").join(file_of_expression(name)),
        _ => PathBuf::from(kind.name()),
    }
}

/// The name of a file for an expression. The module says its names, so that they may be anything.
fn file_of_expression(expression: &str) -> String {
    let is_safe = |character: char| !character.is_control() && !['/', '\\'].contains(&character);
    let name: String = expression.chars().map(|it| if is_safe(it) { it } else { '_' }).collect();
    let name = if name.starts_with('.') { format!("_{name}") } else { name };
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}~{}", &name[..end], expression.len()),
        None => name,
    }
}

/// Writes a test into a folder of its own.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    folder: &OutputFolder,
    name: &Path,
    description: &TestDescription,
    input: &Input,
    variables: &Variables,
) -> Result<(), Failure> {
    let folder = folder.folder(name)?.unsynced();
    for (number, source) in variables.sources().iter().enumerate() {
        folder.file(&file_name(&source.kind))?.replace(&variables.content(input, number))?;
    }
    folder.file(Path::new("test.ktest"))?.replace(&ktest(input, variables))?;
    json_file::write(&folder, DESCRIPTION, description)
}

/// The objects of a test in the format of KLEE: version 3, big-endian numbers, texts with their lengths.
fn ktest(input: &Input, variables: &Variables) -> Vec<u8> {
    let mut bytes = b"KTEST".to_vec();
    let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u32).to_be_bytes());
    let text = |bytes: &mut Vec<u8>, text: &[u8]| {
        number(bytes, text.len());
        bytes.extend(text);
    };
    number(&mut bytes, 3);
    number(&mut bytes, 0);
    number(&mut bytes, 0);
    number(&mut bytes, 0);
    number(&mut bytes, variables.sources().len());
    for (position, source) in variables.sources().iter().enumerate() {
        text(&mut bytes, source.kind.name().as_bytes());
        text(&mut bytes, &variables.bytes(input, position));
    }
    bytes
}

/// A test that was read again.
pub struct ReadTest {
    /// The variables.
    pub variables: Variables,
    /// The input.
    pub input: Input,
    /// The object that the test gets beyond, with the instruction.
    pub overflow: Option<(u32, (u32, u32))>,
    /// The code that float instructions were for the test.
    pub floats: FloatCode,
    /// The function that the test calls.
    pub function: Option<FunctionOptions>,
    /// The arguments, environment and seed that the input does not change.
    pub world: FixedWorld,
    /// The exit statuses that count as errors besides others.
    pub bad_exits: Vec<u32>,
    /// The instructions that a run may execute, if that matters.
    pub steps: Option<u64>,
}

/// Reads the description in the folder of a test; none if there is none.
///
/// # Errors
/// The description cannot be read, or is wrong.
pub fn read_description(folder: &Path) -> Result<Option<TestDescription>, Failure> {
    let path = folder.join(DESCRIPTION);
    let description: Option<TestDescription> = json_file::read(&path)?;
    for source in description.iter().flat_map(|description| &description.input) {
        let what = match (source.source_kind(), source.content()) {
            (None, _) => "the kind of a source",
            (_, None) => "the bytes of a source",
            _ if source.capacity > MOST_BYTES => "the capacity of a source",
            (Some(_), Some(_)) => continue,
        };
        return Err(Failure::of(FailureKind::Input, path.display(), format_args!("{what} is wrong")));
    }
    Ok(description)
}

/// Reads the input in the folder of a test.
///
/// # Errors
/// The folder has no description of a test, or a wrong one.
pub fn read(folder: &Path, terms: &mut Terms) -> Result<ReadTest, Failure> {
    let description = read_description(folder)?.ok_or_else(|| {
        Failure::of(FailureKind::Input, folder.display(), format_args!("the folder has no {DESCRIPTION}"))
            .with_help("name one of the folders in tests/ or errors/ that an exploration has written")
    })?;
    let (mut variables, mut input) = (Variables::default(), Input::default());
    for source in &description.input {
        source.give(&mut input, &mut variables, terms);
    }
    let TestDescription { overflow, has_soft_floats, function, world, bad_exits, steps, .. } = description;
    let floats = if has_soft_floats { FloatCode::Library } else { FloatCode::Instructions };
    let world = world.unwrap_or_default();
    Ok(ReadTest { variables, input, overflow, floats, function, world, bad_exits, steps })
}
