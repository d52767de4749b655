//! The task of the job, resolved once from the arguments.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::toolchain::Toolchain;
use crate::arguments::CcArguments;
use crate::failure::{Failure, FailureKind};
use crate::output::OutputFile;

/// Ends of the names of files in C++.
const C_PLUS_PLUS: [&str; 6] = ["C", "cc", "cp", "cpp", "cxx", "c++"];

/// The sources, and the way to compile them.
pub struct CcPlan<'arguments> {
    arguments: &'arguments CcArguments,
    pub output: OutputFile,
    /// The compiler, if somebody has chosen it.
    pub clang: Option<PathBuf>,
    pub has_c_plus_plus: bool,
}

impl<'arguments> CcPlan<'arguments> {
    /// Resolves the arguments.
    ///
    /// # Errors
    /// A file is missing, or would be overwritten.
    pub fn new(arguments: &'arguments CcArguments) -> Result<Self, Failure> {
        let output = OutputFile::new(&arguments.output)?;
        for file in &arguments.files {
            if let Err(error) = file.metadata() {
                return Err(Failure::reading(file, &error));
            }
            if file.is_dir() {
                let message = "this is a folder, and sources are files";
                return Err(Failure::of(FailureKind::Usage, file.display(), message));
            }
            output.require_other_than(file, "source")?;
        }
        let is_c_plus_plus = |file: &PathBuf| {
            file.extension().and_then(OsStr::to_str).is_some_and(|extension| C_PLUS_PLUS.contains(&extension))
        };
        let has_c_plus_plus = arguments.files.iter().any(is_c_plus_plus);
        Ok(CcPlan { arguments, output, clang: arguments.clang.clone(), has_c_plus_plus })
    }

    /// The options for clang, where this folder has the sysroot and headers. Its name is in no module: headers are known by
    /// the paths that they have outside.
    pub fn options(&self, toolchain: &Toolchain, folder: &Path, module: &Path) -> Vec<OsString> {
        let arguments = self.arguments;
        let joined = |option: &str, value: &OsStr| {
            let mut whole = OsString::from(option);
            whole.push(value);
            whole
        };
        let mut options =
            vec![OsString::from("--target=wasm32-wasi"), joined("--sysroot=", folder.as_os_str())];
        options.push(joined("-O", &arguments.optimise));
        options.push("-g".into());
        for (inside, outside) in [("include", toolchain.headers.as_path()), ("headers", Path::new("sundry"))]
        {
            let mut map = joined("-ffile-prefix-map=", folder.join(inside).as_os_str());
            map.push("=");
            map.push(outside);
            options.push(map);
        }
        // Types of classes are whole in every file, also where another file has their functions.
        let of_c_plus_plus = ["-fno-exceptions", "-fstandalone-debug"];
        options.extend(of_c_plus_plus.into_iter().filter(|_| self.has_c_plus_plus).map(OsString::from));
        options.extend(arguments.standard.as_ref().map(|standard| joined("-std=", standard.as_ref())));
        options.extend(arguments.define.iter().map(|it| joined("-D", it)));
        options.extend(arguments.include.iter().map(|it| joined("-I", it.as_os_str())));
        // Behind the folders of the user, whose headers come first.
        options.push(joined("-I", folder.join("headers").as_os_str()));
        options.extend(arguments.features.iter().map(|it| joined("-f", it)));
        options.extend(arguments.warnings.iter().map(|it| joined("-W", it)));
        options.extend(arguments.others.iter().cloned());
        // A name may begin like an option.
        let path = |file: &PathBuf| match file.as_os_str().as_encoded_bytes().starts_with(b"-") {
            true => Path::new(".").join(file).into_os_string(),
            false => file.clone().into_os_string(),
        };
        options.extend(arguments.files.iter().map(path));
        options.extend(arguments.library_folders.iter().map(|it| joined("-L", it.as_os_str())));
        options.extend(arguments.libraries.iter().map(|it| joined("-l", it)));
        if self.has_c_plus_plus {
            options.extend(["-lc++".into(), "-lc++abi".into()]);
        }
        if arguments.export_all || !arguments.export.is_empty() {
            options.push("-mexec-model=reactor".into());
            options.extend(arguments.export_all.then(|| "-Wl,--export-all".into()));
            options.extend(arguments.export.iter().map(|it| joined("-Wl,--export=", it)));
            // The objects of arguments are blocks that the function may free.
            options.push("-Wl,--export=malloc".into());
        }
        options.extend(["-o".into(), module.as_os_str().to_os_string()]);
        options
    }
}
