//! Functions by name: exported or not, as the source or the linker writes them.

use std::path::Path;

use sundry_debuginfo::DebugInfo;
use sundry_report::untrusted::visible;
use sundry_smtlib::near_name;
use sundry_wasm::Module;

use crate::failure::{Failure, FailureKind};

/// The end of the names of functions that the linker puts around the exports of a command: they initialise the module at every call.
const WRAPPER: &str = ".command_export";

/// The index of the function of a name.
///
/// # Errors
/// There is none, or several, or it is imported.
pub fn find(name: &str, (module, info): (&Module, &DebugInfo), path: &Path) -> Result<u32, Failure> {
    let failure = |message: String| Failure::of(FailureKind::Input, path.display(), message);
    let imports = module.imports.len() as u32;
    let named = |index: u32| module.names.get((index - imports) as usize)?.as_deref();
    let functions = imports..imports + module.functions.len() as u32;
    let whole: Vec<u32> = functions
        .clone()
        .filter(|&index| named(index) == Some(name) || info.function_name(index) == Some(name))
        .collect();
    let found = match (&whole[..], module.exported_function(name)) {
        ([_, ..], _) => whole,
        ([], Some(exported)) if exported >= imports => {
            let inner = named(exported).and_then(|name| name.strip_suffix(WRAPPER));
            let inner = inner.and_then(|inner| functions.clone().find(|&index| named(index) == Some(inner)));
            vec![inner.unwrap_or(exported)]
        }
        _ => functions
            .clone()
            .filter(|&index| info.function_name(index).is_some_and(|full| without_parameters(full) == name))
            .collect(),
    };
    match found[..] {
        [function] => Ok(function),
        [first, second, ..] => {
            let names = [first, second].map(|index| info.function_name(index).unwrap_or(name).to_string());
            let message = format!("several functions have the name `{}`", visible(name));
            let help = match names[0] == names[1] {
                true => "give one of them another name".to_string(),
                false => format!("name one whole: `{}` or `{}`", visible(&names[0]), visible(&names[1])),
            };
            Err(failure(message).with_help(help))
        }
        [] if module.imports.iter().any(|import| import.name == name) => {
            let message =
                format!("the function `{}` is imported: the module does not have its code", visible(name));
            Err(failure(message).with_help("link the file with its code into the module"))
        }
        [] => {
            let known = || functions.clone().filter_map(|index| info.function_name(index));
            let near = near_name(name, known().map(without_parameters));
            let mut message = format!("the module has no function `{}`", visible(name));
            if let Some(near) = near {
                message.push_str(&format!("; it has `{}`", visible(near)));
            }
            let help = "sundry cc --export NAME keeps a function that nothing calls; compilers leave others out, or put them \
                        into their callers";
            Err(failure(message).with_help(help))
        }
    }
}

/// The name of a function of C++ or Rust without its parameters.
fn without_parameters(name: &str) -> &str {
    name.split_once('(').map_or(name, |(before, _)| before)
}
