//! One function that is explored by itself: its name, the shape of its arguments, and calls of it in words.

mod find;
mod layout;
mod parts;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sundry_debuginfo::DebugInfo;
use sundry_wasm::Module;

use crate::arguments::ExploreArguments;
use crate::failure::Failure;

pub use layout::FunctionPlan;

/// The greatest size of an object that arguments lead to, and of all of them together, in bytes.
pub const MOST_BYTES: u32 = 1 << 20;

/// The function, and the sizes of objects, as the command line says them. Tests keep this, so that a replay makes the same objects.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct FunctionOptions {
    /// The name of the function.
    pub function: String,
    /// The number of elements that a pointer to numbers leads to.
    pub elements: u32,
    /// The greatest number of pointers from an argument to an object.
    pub pointer_depth: u32,
    /// Whether no pointer is null.
    pub never_null: bool,
    /// Sizes of objects in bytes, by the expressions for their pointers.
    pub objects: BTreeMap<String, u32>,
}

impl FunctionOptions {
    /// The options on a command line; `None` if it names no function.
    ///
    /// # Errors
    /// The size of an object is wrong.
    pub fn new(arguments: &ExploreArguments) -> Result<Option<FunctionOptions>, Failure> {
        let Some(function) = arguments.function.clone() else { return Ok(None) };
        let mut objects = BTreeMap::new();
        for object in &arguments.object {
            let (name, size) = object.rsplit_once('=').ok_or_else(|| {
                Failure::usage(format_args!("--object {object}: expected NAME=BYTES"))
                    .with_help("NAME is a pointer, as in --object text=16 or --object list->name=8")
            })?;
            let size = size.parse::<u32>().ok().filter(|size| (1..=MOST_BYTES).contains(size));
            let size = size.ok_or_else(|| {
                Failure::usage(format_args!(
                    "--object {object}: the number of bytes is between 1 and {MOST_BYTES}"
                ))
            })?;
            objects.insert(name.to_string(), size);
        }
        Ok(Some(FunctionOptions {
            function,
            elements: arguments.elements.get() as u32,
            pointer_depth: arguments.pointer_depth,
            never_null: arguments.never_null,
            objects,
        }))
    }
}

/// The plan for calls of a function in a module.
///
/// # Errors
/// The module does not have such a function, or its arguments cannot be made as the options say.
pub fn plan(
    options: &FunctionOptions,
    (module, info): (&Module, &DebugInfo),
    path: &Path,
) -> Result<FunctionPlan, Failure> {
    let function = find::find(&options.function, (module, info), path)?;
    FunctionPlan::new(options, function, (module, info), path)
}
