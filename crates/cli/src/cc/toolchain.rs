//! The parts of a compiler for WebAssembly, and which package of Debian has each.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, FailureKind};

/// The command that installs what C needs.
const INSTALL: &str = "apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32";
/// The package that C++ needs besides.
const INSTALL_C_PLUS_PLUS: &str = "libc++-19-dev-wasm32";
/// Versions of clang to look for, in this order: the one that is tested, then the others, new ones first.
const VERSIONS: [u32; 9] = [19, 22, 21, 20, 18, 17, 16, 15, 14];

/// A compiler with all of its parts.
#[derive(Debug)]
pub struct Toolchain {
    pub clang: PathBuf,
    /// The number of its version.
    pub version: u32,
    pub linker: PathBuf,
    /// The folder with the headers of wasi-libc.
    pub headers: PathBuf,
    /// The folder with its libraries.
    pub libraries: PathBuf,
}

impl Toolchain {
    /// The compiler that somebody has chosen, else the first of Debian's that has a linker of the same version.
    ///
    /// # Errors
    /// A part is missing.
    pub fn find(chosen: Option<&Path>, has_c_plus_plus: bool) -> Result<Toolchain, Failure> {
        let path = env::var_os("PATH").unwrap_or_default();
        let (clang, version, linker) = match chosen {
            Some(name) => {
                let clang = find_program(name.as_os_str(), &path)
                    .ok_or_else(|| Failure::usage(format_args!("there is no program {}", name.display())))?;
                let version = version(&clang)
                    .ok_or_else(|| Failure::usage(format_args!("{} is no clang", clang.display())))?;
                let linker = linker(&clang, version, &path).ok_or_else(|| missing("wasm-ld, the linker"))?;
                (clang, version, linker)
            }
            None => first(&path)?,
        };
        let (headers, libraries) = libc(Path::new("/usr"), has_c_plus_plus)?;
        let builtins = resources(&clang).map(|folder| folder.join("lib/wasi/libclang_rt.builtins-wasm32.a"));
        // Other builds keep it in a folder of the target.
        let other =
            resources(&clang).map(|folder| folder.join("lib/wasm32-unknown-wasi/libclang_rt.builtins.a"));
        if ![builtins, other].iter().flatten().any(|file| file.exists()) {
            return Err(missing("the runtime of clang for WebAssembly"));
        }
        Ok(Toolchain { clang, version, linker, headers, libraries })
    }
}

/// The first compiler that has a linker.
fn first(path: &OsStr) -> Result<(PathBuf, u32, PathBuf), Failure> {
    let names = VERSIONS.iter().map(|version| format!("clang-{version}"));
    let mut found = None;
    for name in names.chain(["clang".to_string()]) {
        let Some(clang) = find_program(name.as_ref(), path) else { continue };
        let Some(version) = version(&clang) else { continue };
        if let Some(linker) = linker(&clang, version, path) {
            return Ok((clang, version, linker));
        }
        found = Some(clang);
    }
    Err(missing(if found.is_some() { "wasm-ld, the linker" } else { "clang" }))
}

/// The headers and libraries of wasi-libc below this folder.
fn libc(root: &Path, has_c_plus_plus: bool) -> Result<(PathBuf, PathBuf), Failure> {
    let (headers, libraries) = (root.join("include/wasm32-wasi"), root.join("lib/wasm32-wasi"));
    if !headers.join("stdio.h").exists() || !libraries.join("libc.a").exists() {
        return Err(missing("wasi-libc"));
    }
    if has_c_plus_plus && (!headers.join("c++/v1").exists() || !libraries.join("libc++.a").exists()) {
        let help = format_args!("{INSTALL} {INSTALL_C_PLUS_PLUS}");
        return Err(missing("the library of C++ for WebAssembly").with_help(help));
    }
    Ok((headers, libraries))
}

fn missing(part: &str) -> Failure {
    Failure::new(FailureKind::Usage, format_args!("{part} is not installed")).with_help(INSTALL)
}

/// The program with this name in a list of folders; a name with a slash is a path.
fn find_program(name: &OsStr, path: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Path::new(name).is_file().then(|| name.into());
    }
    env::split_paths(path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// The number of the version of a compiler, if it is clang.
fn version(clang: &Path) -> Option<u32> {
    let text = printed(clang, "--version")?;
    let (_, rest) = text.split_once("clang version ")?;
    rest.split('.').next()?.trim().parse().ok()
}

/// The folder with the parts of clang itself.
fn resources(clang: &Path) -> Option<PathBuf> {
    printed(clang, "--print-resource-dir").map(|text| text.trim().into())
}

fn printed(program: &Path, option: &str) -> Option<String> {
    let output = Command::new(program).arg(option).stdin(Stdio::null()).output().ok()?;
    String::from_utf8(output.stdout).ok().filter(|_| output.status.success())
}

/// The linker of a compiler: in the folder that the compiler really is in, else in the path under a name with its version.
fn linker(clang: &Path, version: u32, path: &OsStr) -> Option<PathBuf> {
    let beside = clang.canonicalize().ok().and_then(|clang| Some(clang.parent()?.join("wasm-ld")));
    let versioned = || find_program(format!("wasm-ld-{version}").as_ref(), path);
    beside.filter(|linker| linker.exists()).or_else(versioned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn missing_parts_are_named_with_their_packages() {
        let nothing = first("".as_ref()).expect_err("no programs in no folders");
        assert_eq!(nothing.to_string(), format!("error: clang is not installed\n  = help: {INSTALL}\n"));

        let root = tempfile::tempdir().expect("temporary folder");
        let error = libc(root.path(), false).expect_err("an empty folder");
        assert!(error.to_string().contains("wasi-libc is not installed"), "{error}");
        for name in ["include/wasm32-wasi/stdio.h", "lib/wasm32-wasi/libc.a"] {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("folder");
            fs::write(file, "").expect("written");
        }
        assert!(libc(root.path(), false).is_ok());
        let error = libc(root.path(), true).expect_err("no C++");
        assert!(error.to_string().ends_with("libclang-rt-19-dev-wasm32 libc++-19-dev-wasm32\n"), "{error}");
    }

    #[test]
    fn a_linker_of_another_version_is_not_taken() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for name in ["clang-15", "wasm-ld-16"] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        let path = folder.path().as_os_str();
        let clang = find_program("clang-15".as_ref(), path).expect("a file");
        assert_eq!(linker(&clang, 15, path), None);
        assert_eq!(linker(&clang, 16, path), Some(folder.path().join("wasm-ld-16")));
    }
}
