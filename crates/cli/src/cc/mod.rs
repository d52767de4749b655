//! `sundry cc`: C and C++ to WebAssembly.
//!
//! Debian has all parts, but not as one whole: a sysroot of `/usr` would find the headers of the machine before those of
//! WASI. So a private folder is the sysroot, in which `include` and `lib/wasm32-wasi` lead to wasi-libc. The same folder
//! has the headers of this program and the only program that clang may find in its path, the linker: clang would run a
//! `wasm-opt` that it finds, which loses the debug information. (Its option against that leaves linking out altogether in
//! clang 19.) The module is built there, and takes the place of the output once it is whole.

mod explain;
mod plan;
mod toolchain;

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::arguments::CcArguments;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::output::RunFolder;
use plan::CcPlan;
use toolchain::Toolchain;

/// The headers of this program, by their paths in a folder of headers.
const HEADERS: [(&str, &str); 2] =
    [("sundry.h", include_str!("include/sundry.h")), ("klee/klee.h", include_str!("include/klee/klee.h"))];

/// Runs the job.
///
/// # Errors
/// There is no compiler, the sources have errors, or the module cannot be written.
pub fn run(arguments: &CcArguments, console: &Console) -> Result<Status, Failure> {
    let plan = CcPlan::new(arguments)?;
    let toolchain = Toolchain::find(plan.clang.as_deref(), plan.has_c_plus_plus)?;
    let folder = RunFolder::new()?;
    prepare(folder.path(), &toolchain).map_err(|error| Failure::writing(folder.path(), &error))?;
    let module = folder.path().join("module.wasm");

    let mut command = Command::new(&toolchain.clang);
    command.args(plan.options(&toolchain, folder.path(), &module));
    command.env("PATH", folder.path().join("bin")).stdin(Stdio::null());
    console.line(shown(&command));
    let output = command.output().map_err(|error| Failure::reading(&toolchain.clang, &error))?;
    let said = String::from_utf8_lossy(&output.stderr);
    console.lines_of_program(said.trim_end());
    if !output.status.success() {
        let message = format_args!("{} has failed: {}", toolchain.clang.display(), output.status);
        let failure = Failure::new(FailureKind::Input, message);
        return Err(match explain::explain(&said) {
            Some(help) => failure.with_help(help),
            None => failure,
        });
    }
    let bytes = fs::read(&module).map_err(|error| Failure::reading(&module, &error))?;
    plan.output.replace(&bytes)?;
    console.line(format_args!("{}: {} bytes", plan.output.name().display(), bytes.len()));
    Ok(Status::Done)
}

/// Fills the private folder: `include` and `lib` of the sysroot, the linker, and headers.
fn prepare(folder: &Path, toolchain: &Toolchain) -> io::Result<()> {
    for name in ["bin", "lib", "headers/klee"] {
        fs::create_dir_all(folder.join(name))?;
    }
    symlink(&toolchain.headers, folder.join("include"))?;
    symlink(&toolchain.libraries, folder.join("lib/wasm32-wasi"))?;
    // Builds of clang differ in the name by which they call it.
    for name in ["wasm-ld".to_string(), format!("wasm-ld-{}", toolchain.version)] {
        symlink(&toolchain.linker, folder.join("bin").join(name))?;
    }
    HEADERS.iter().try_for_each(|(name, text)| fs::write(folder.join("headers").join(name), text))
}

/// The command as a line for a shell.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
