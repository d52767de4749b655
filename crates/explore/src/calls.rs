//! The functions that each function can call.
//!
//! A call through a table can lead to every function in the elements of the module that has the type of the call, whichever index a run would have.

use std::collections::{BTreeMap, BTreeSet};

use sundry_wasm::{Function, Instruction, Module};

/// For each function of a module, by its position in [`Module::functions`], the positions of those that it can call, ascending.
pub fn possible_calls(module: &Module) -> Vec<Vec<u32>> {
    let imports = module.imports.len() as u32;
    let mut by_type: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for &function in module.elements.iter().flat_map(|elements| elements.functions.iter().flatten()) {
        if let Some(position) = function.checked_sub(imports) {
            by_type.entry(module.type_of(function)).or_default().insert(position);
        }
    }
    let calls = |function: &Function| {
        let mut called = BTreeSet::new();
        for instruction in &function.code {
            match *instruction {
                Instruction::Call { function, .. } => {
                    called.insert(function);
                }
                Instruction::CallIndirect { signature, .. } => {
                    called.extend(by_type.get(&signature).into_iter().flatten());
                }
                _ => {}
            }
        }
        called.into_iter().collect()
    };
    module.functions.iter().map(calls).collect()
}
