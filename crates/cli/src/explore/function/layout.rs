//! Arguments of a function in the module, from its parameters in the source.
//!
//! Source: *WebAssembly C ABI* (tool-conventions, BasicCABI.md). Numbers of up to 64 bits are arguments, wider ones are two; a struct with one scalar is passed as that, others as the address of a copy; a
//! function that returns such a struct has the address for it as its first argument. Where the function in the module takes something else, as those of Rust and functions that were optimised
//! for their callers do, its arguments are numbers.

use std::collections::BTreeSet;
use std::path::Path;

use sundry_debuginfo::{DebugInfo, TypeId, TypeKind, Types};
use sundry_explore::{Argument, Extension, FunctionCall};
use sundry_report::untrusted::visible;
use sundry_smtlib::near_name;
use sundry_wasm::{Module, ValueType};

use super::FunctionOptions;
use super::parts::{PartType, Parts, TooLarge};
use crate::failure::{Failure, FailureKind};

/// A parameter, as calls show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownParameter {
    /// The name.
    pub name: String,
    /// The type of the value, or of what a pointer leads to, and the part; `None` for a pointer that is always null.
    pub value: Option<(TypeId, usize)>,
    /// Whether the part is the object that the parameter leads to.
    pub is_pointer: bool,
}

/// Calls of one function.
#[derive(Clone, Debug)]
pub struct FunctionPlan {
    /// The name of the function.
    pub name: String,
    /// The call.
    pub call: FunctionCall,
    /// The types of its parts.
    pub contents: Vec<PartType>,
    /// The parameters in the source.
    pub shown: Vec<ShownParameter>,
    /// A note for the user about the arguments.
    pub note: Option<String>,
}

impl FunctionPlan {
    /// The calls of the function with this index.
    ///
    /// # Errors
    /// The objects of the arguments are too large, or an option is about an object that there is not.
    pub fn new(
        options: &FunctionOptions,
        function: u32,
        (module, info): (&Module, &DebugInfo),
        path: &Path,
    ) -> Result<FunctionPlan, Failure> {
        let name = visible(&options.function).into_owned();
        let too_large = |_: TooLarge| {
            let message = format!("the arguments of `{name}` lead to too many objects, or too large ones");
            Failure::of(FailureKind::Usage, path.display(), message)
                .with_help("make --pointer-depth or --elements smaller")
        };
        let parameters = info.parameters(function);
        let taken = &module.signature_of(function).parameters;
        if let Some(other) = taken.iter().position(|taken| *taken == ValueType::Other) {
            let message = format!(
                "parameter {} of `{name}` is a vector or a reference, which is not supported",
                other + 1
            );
            return Err(Failure::of(FailureKind::Unsupported, path.display(), message));
        }
        let mut lowering = Lowering::new(options, info.types());
        let mut note = None;
        let is_lowered = match parameters {
            Some(_) => lowering.of_source(function, taken, info).map_err(too_large)?,
            None => false,
        };
        if !is_lowered {
            lowering = Lowering::new(options, info.types());
            lowering.of_module(taken).map_err(too_large)?;
            note = (!taken.is_empty()).then(|| unknown_parameters(&name, parameters.is_some()));
        }
        let Lowering { parts, arguments, shown, .. } = lowering;
        let call = FunctionCall { function, arguments, parts: parts.parts };
        let plan = FunctionPlan { name, call, contents: parts.contents, shown, note };
        plan.check_objects(options)?;
        Ok(plan)
    }

    /// Refuses sizes of objects that there are not.
    fn check_objects(&self, options: &FunctionOptions) -> Result<(), Failure> {
        let objects = self.call.parts.iter().filter(|part| part.size.is_some());
        let known: BTreeSet<&str> = objects.map(|part| part.name.as_str()).collect();
        let Some(unknown) = options.objects.keys().find(|name| !known.contains(name.as_str())) else {
            return Ok(());
        };
        let message = format!(
            "--object {}: no argument of `{}` leads to an object of this name",
            visible(unknown),
            self.name
        );
        let names: Vec<String> = known.iter().take(10).map(|name| format!("`{}`", visible(name))).collect();
        Err(Failure::usage(message).with_help(match near_name(unknown, known.iter().copied()) {
            Some(near) => format!("there is `{}`", visible(near)),
            None if names.is_empty() => "its arguments lead to no objects".to_string(),
            None => format!("the objects are {}", names.join(", ")),
        }))
    }

    /// Whether something in the arguments is symbolic.
    pub fn is_symbolic(&self) -> bool {
        self.call.parts.iter().any(|part| part.symbolic > 0 || part.is_nullable)
    }
}

/// A note that nothing is known of the parameters of a function, and why.
fn unknown_parameters(name: &str, has_source: bool) -> String {
    let why = match has_source {
        false => "the module does not say the parameters of this function",
        true => {
            "this function does not take its parameters as its source says, as the compiler has changed it for its callers, or it is no function of C"
        }
    };
    let remedy = match has_source {
        false => "compile with -g",
        true => "export it, or compile with -O0",
    };
    format!(
        "{why}: all arguments of `{name}` are numbers, `parameter1` and so on, and an access through one is an error. \
         --object parameter1=16 makes one a pointer; {remedy} to have them all"
    )
}

/// Arguments while they are made.
struct Lowering<'a> {
    options: &'a FunctionOptions,
    types: &'a Types,
    parts: Parts<'a>,
    arguments: Vec<Argument>,
    lowered: Vec<ValueType>,
    shown: Vec<ShownParameter>,
}

impl<'a> Lowering<'a> {
    fn new(options: &'a FunctionOptions, types: &'a Types) -> Lowering<'a> {
        Lowering {
            options,
            types,
            parts: Parts::new(options, types),
            arguments: Vec::new(),
            lowered: Vec::new(),
            shown: Vec::new(),
        }
    }

    /// Arguments by the types in the source. Whether the function takes just these.
    fn of_source(&mut self, function: u32, taken: &[ValueType], info: &DebugInfo) -> Result<bool, TooLarge> {
        let result = info.function(function).map_or(Types::VOID, |function| function.result);
        if self.is_indirect(result) && taken.first() == Some(&ValueType::I32) {
            let part = self.parts.by_value("result", result, true)?;
            self.argument(Argument::Address { part }, ValueType::I32);
        }
        for (number, parameter) in (1..).zip(info.parameters(function).unwrap_or_default()) {
            let name = parameter.name.as_deref().map(str::to_string);
            let name = name.unwrap_or_else(|| format!("parameter{number}"));
            if !self.parameter(&name, parameter.r#type)? {
                return Ok(false);
            }
        }
        Ok(self.lowered == taken)
    }

    /// Arguments that are numbers.
    fn of_module(&mut self, taken: &[ValueType]) -> Result<(), TooLarge> {
        for (number, &value_type) in (1..).zip(taken) {
            let name = format!("parameter{number}");
            if value_type == ValueType::I32 && self.options.objects.contains_key(&name) {
                self.pointer(&name, (Types::VOID, true))?;
            } else {
                let r#type = Types::UNKNOWN;
                self.number(&name, (r#type, value_type.width() / 8), value_type, Extension::Zero)?;
            }
        }
        Ok(())
    }

    fn argument(&mut self, argument: Argument, value_type: ValueType) {
        self.arguments.push(argument);
        self.lowered.push(value_type);
    }

    /// Adds the arguments for a parameter. Whether its type is known.
    fn parameter(&mut self, name: &str, id: TypeId) -> Result<bool, TooLarge> {
        let r#type = self.types.get(id);
        match (&r#type.kind, r#type.size) {
            (&TypeKind::Pointer { target, is_reference }, _) => {
                if matches!(self.types.get(target).kind, TypeKind::Function { .. }) {
                    self.argument(Argument::Zero, ValueType::I32);
                    self.shown.push(ShownParameter { name: name.to_string(), value: None, is_pointer: true });
                } else {
                    let is_nullable = !is_reference && name != "this";
                    self.pointer(name, (target, is_nullable))?;
                }
            }
            (TypeKind::Boolean, Some(1)) => {
                self.number(name, (id, 1), ValueType::I32, Extension::Boolean)?;
            }
            (
                TypeKind::Integer { signed } | TypeKind::Enumeration { signed, .. },
                Some(size @ (1 | 2 | 4)),
            ) => {
                let extension = if *signed { Extension::Sign } else { Extension::Zero };
                self.number(name, (id, size), ValueType::I32, extension)?;
            }
            (TypeKind::Integer { .. } | TypeKind::Enumeration { .. }, Some(8)) => {
                self.number(name, (id, 8), ValueType::I64, Extension::Zero)?;
            }
            (TypeKind::Float, Some(4)) => self.number(name, (id, 4), ValueType::F32, Extension::Zero)?,
            (TypeKind::Float, Some(8)) => self.number(name, (id, 8), ValueType::F64, Extension::Zero)?,
            (TypeKind::Integer { .. } | TypeKind::Float, Some(16)) => {
                self.number(name, (id, 16), ValueType::I64, Extension::Zero)?;
            }
            (TypeKind::Struct { members } | TypeKind::Union { members }, Some(_)) => {
                if members.is_empty() {
                    // Nothing is passed.
                    return Ok(true);
                }
                if let Some(scalar) = self.single_scalar(id) {
                    return self.parameter(name, scalar);
                }
                let part = self.parts.by_value(name, id, false)?;
                self.argument(Argument::Address { part }, ValueType::I32);
                let value = Some((id, part));
                self.shown.push(ShownParameter { name: name.to_string(), value, is_pointer: false });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn pointer(&mut self, name: &str, (target, is_nullable): (TypeId, bool)) -> Result<(), TooLarge> {
        let part = self.parts.pointee(name, target, is_nullable)?;
        self.argument(Argument::Address { part }, ValueType::I32);
        let value = Some((target, part));
        self.shown.push(ShownParameter { name: name.to_string(), value, is_pointer: true });
        Ok(())
    }

    /// Adds a number: one argument, or one for each eight bytes.
    fn number(
        &mut self,
        name: &str,
        (r#type, bytes): (TypeId, u32),
        value_type: ValueType,
        extension: Extension,
    ) -> Result<(), TooLarge> {
        let part = self.parts.number(name, r#type, bytes)?;
        for offset in (0..bytes).step_by(8) {
            let argument = Argument::Number { part, offset, bytes: bytes.min(8), extension };
            self.argument(argument, value_type);
        }
        let value = Some((r#type, part));
        self.shown.push(ShownParameter { name: name.to_string(), value, is_pointer: false });
        Ok(())
    }

    /// Whether results of a type are written to an address that the caller gives.
    fn is_indirect(&self, id: TypeId) -> bool {
        let r#type = self.types.get(id);
        match &r#type.kind {
            TypeKind::Struct { members } | TypeKind::Union { members } => {
                !members.is_empty() && self.single_scalar(id).is_none()
            }
            TypeKind::Integer { .. } | TypeKind::Float => r#type.size == Some(16),
            _ => false,
        }
    }

    /// The scalar that is all of a struct, if it is one.
    fn single_scalar(&self, mut id: TypeId) -> Option<TypeId> {
        // No type of a program is nested deeper.
        for _ in 0..64 {
            let r#type = self.types.get(id);
            match &r#type.kind {
                TypeKind::Struct { members } | TypeKind::Union { members } => match &members[..] {
                    [member] if member.bits.is_none() => {
                        if self.types.get(member.r#type).size != r#type.size {
                            return None;
                        }
                        id = member.r#type;
                    }
                    _ => return None,
                },
                &TypeKind::Array { element, count: Some(1) } => id = element,
                TypeKind::Array { .. } => return None,
                _ => return Some(id),
            }
        }
        None
    }
}
