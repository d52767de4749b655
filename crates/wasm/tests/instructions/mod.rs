//! Modules with a function for each of some instructions.

use wast::parser::{ParseBuffer, parse};

/// The types of the operands and of the result of an instruction, after its name.
pub fn types(name: &str) -> (&str, &str) {
    let (prefix, rest) = name.split_once('.').unwrap();
    let operand =
        ["i32", "i64", "f32", "f64"].into_iter().find(|operand| rest.contains(&format!("_{operand}")));
    let is_comparison =
        ["eq", "eqz", "ne", "lt", "gt", "le", "ge"].contains(&rest.split('_').next().unwrap());
    (operand.unwrap_or(prefix), if is_comparison { "i32" } else { prefix })
}

/// A module in the binary format with an exported function for each of these instructions, which have so many operands.
pub fn module_of(operators: &[(&str, usize)]) -> Vec<u8> {
    let mut text = String::from("(module");
    for &(name, count) in operators {
        let (operand, result) = types(name);
        let parameters = format!("(param {operand})").repeat(count);
        let operands: String = (0..count).map(|number| format!("(local.get {number})")).collect();
        text += &format!("(func (export \"{name}\") {parameters} (result {result}) ({name} {operands}))");
    }
    text += ")";
    parse::<wast::Wat<'_>>(&ParseBuffer::new(&text).unwrap()).unwrap().encode().unwrap()
}
