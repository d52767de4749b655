//! Arguments of `sundry cc`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::MessageArguments;

/// The description of the job.
pub const LONG_ABOUT: &str = "\
Compile C and C++ to a WebAssembly module that can be explored, with debug information.

The compiler is clang with wasi-libc, as Debian has them; the command that runs is printed. The module reads files, \
arguments and standard input like any program. Two headers are added: sundry.h has \
sundry_symbolic(address, size, name), sundry_assume(condition) and sundry_assert(condition); klee/klee.h has KLEE's \
names for them, so that drivers for KLEE compile as they are.

WebAssembly has 32 bits for pointers, long and size_t. There is no setjmp, and C++ has no exceptions. For printf and \
scanf with long double (%Lf), add -lc-printscan-long-double. Rust needs no such command: cargo build --target \
wasm32-wasip1.";

const EXAMPLES: &str = "\
Examples:
  sundry cc numbers.c --export parse_number -o numbers.wasm
      a library without main, whose function sundry explore --function parse_number explores
  sundry cc parser.c -o parser.wasm
      one file
  sundry cc main.c lib/*.c -Ilib -DNDEBUG -O2 -o main.wasm
      several files, with options of the compiler
  sundry cc driver.cpp -std=c++17 -- -fno-strict-aliasing -mbulk-memory
      C++; what follows -- goes to clang as it is

Exit codes: 0 compiled; 2 bad command line, an error in the source, or no compiler.";

/// Arguments of `sundry cc`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct CcArguments {
    /// Sources in C and C++, object files, and archives
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// File for the module
    #[arg(short, long, value_name = "FILE", default_value = "a.wasm", help_heading = "Output")]
    pub output: PathBuf,

    /// Look for headers in this folder
    #[arg(short = 'I', value_name = "FOLDER", help_heading = "Compiler")]
    pub include: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Compiler")]
    pub define: Vec<OsString>,

    /// Level of optimisation. Beyond 1, code may have no line any more, and variables no place
    #[arg(short = 'O', value_name = "LEVEL", default_value = "1", help_heading = "Compiler")]
    pub optimise: OsString,

    /// Standard of the language, such as c11 or c++17; -std=STANDARD works too
    #[arg(short = 's', long = "std", value_name = "STANDARD", value_parser = parse_standard)]
    #[arg(help_heading = "Compiler")]
    pub standard: Option<String>,

    /// Choose warnings: -Wall. With -Wl, in front, pass an option to the linker
    #[arg(short = 'W', value_name = "WARNING", help_heading = "Compiler")]
    pub warnings: Vec<OsString>,

    /// Set a feature: -fwrapv
    #[arg(short = 'f', value_name = "FEATURE", help_heading = "Compiler")]
    pub features: Vec<OsString>,

    /// Link a library
    #[arg(short = 'l', value_name = "LIBRARY", help_heading = "Compiler")]
    pub libraries: Vec<OsString>,

    /// Look for libraries in this folder
    #[arg(short = 'L', value_name = "FOLDER", help_heading = "Compiler")]
    pub library_folders: Vec<PathBuf>,

    /// The compiler [default: clang-19, else another clang with a linker for WebAssembly]
    #[arg(long, value_name = "CLANG", help_heading = "Compiler")]
    pub clang: Option<PathBuf>,

    /// Make a library, whose main function nobody calls if there is one, and keep this function for sundry explore --function; repeat
    /// for several
    #[arg(long, value_name = "NAME", help_heading = "Library")]
    pub export: Vec<OsString>,

    /// Make a library, and keep all functions but static ones
    #[arg(long, conflicts_with = "export", help_heading = "Library")]
    pub export_all: bool,

    /// Further options for clang, behind --
    #[arg(last = true, value_name = "OPTION")]
    pub others: Vec<OsString>,

    #[command(flatten)]
    pub messages: MessageArguments,
}

/// The standard in `-std=c11`, of which the option `-s` leaves `td=c11`, or in `--std c11`.
fn parse_standard(text: &str) -> Result<String, String> {
    let standard = text.strip_prefix("td=").unwrap_or(text);
    let is_name = !standard.is_empty()
        && standard.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+:".contains(&byte));
    if is_name {
        Ok(standard.to_string())
    } else {
        Err("a standard is a name such as c11 or c++17".to_string())
    }
}
