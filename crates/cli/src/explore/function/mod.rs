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
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug)]
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use sundry_debuginfo::DebugInfo;
    use sundry_explore::{Input, Terms, Variables};
    use sundry_wasm::Module;

    use super::{FunctionOptions, FunctionPlan};

    /// A module with functions of many types.
    const SHAPES: &[u8] = include_bytes!("../../../../debuginfo/tests/modules/shapes.wasm");

    /// Plans calls of all functions, and shows them. Returns how many had arguments that are symbolic.
    fn plan_all(bytes: &[u8]) -> usize {
        let (Ok(module), Ok(info)) = (Module::read(bytes), DebugInfo::read(bytes)) else { return 0 };
        let options = FunctionOptions {
            function: "f".to_string(),
            elements: 3,
            pointer_depth: 3,
            never_null: false,
            objects: BTreeMap::new(),
        };
        let imports = module.imports.len() as u32;
        let functions = imports..imports + module.functions.len() as u32;
        let plans = functions.filter_map(|function| {
            FunctionPlan::new(&options, function, (&module, &info), Path::new("shapes.wasm")).ok()
        });
        let shown = plans.filter(|plan| {
            let (mut terms, mut variables) = (Terms::default(), Variables::default());
            plan.call.declare(&mut variables, &mut terms.store);
            let mut input = Input::default();
            for source in 0..variables.sources().len() {
                variables.set_bytes(&mut input, source, &[0xff, b'a', 0, 3]);
            }
            let words = plan.in_words(info.types(), (&input, &variables));
            assert!(words.starts_with("f(") && words.ends_with(')'), "{words}");
            plan.size_of_input((&input, &variables));
            plan.is_symbolic()
        });
        shown.count()
    }

    #[test]
    fn calls_are_planned_whatever_the_debug_information_says() {
        assert!(plan_all(SHAPES) > 2);
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..3_000 {
            let mut bytes = SHAPES.to_vec();
            for _ in 0..1 + random(6) {
                let place = random(bytes.len());
                bytes[place] = [0, 0xff, random(256) as u8, bytes[place] ^ 1 << random(8)][random(4)];
            }
            plan_all(&bytes);
        }
    }
}
