//! Readers on arbitrary bytes: each reads its input or reports the fault, printed text is read back as the same, and
//! nothing takes long.
//!
//! Each target is a function of bytes. The test `bytes.rs` runs all of them over mutations of the examples, with any
//! compiler; `fuzz/` contains them for libFuzzer, which is guided by coverage and needs a nightly compiler.

use std::time::{Duration, Instant};

use sundry_debuginfo::{DebugInfo, TypeId, TypeKind, coverage};
use sundry_external::{Response, responses};
use sundry_models::Format;
use sundry_smtlib::{
    Diagnostic, Lexer, SourceText, TheorySet, Token, parse_script_within, print_model, print_script,
    read_models,
};
use sundry_term::{Control, TermStore};
use sundry_wasm::{Exported, FloatCode, Machine, MachineLimits, Module, Plain};

/// A function that takes any bytes, says whether they could be read, and panics where something is wrong.
pub type Target = fn(&[u8]) -> bool;

/// All targets by name.
pub const TARGETS: [(&str, Target); 9] = [
    ("lexer", lexer),
    ("script", script),
    ("model", model),
    ("responses", responses_of_solvers),
    ("dimacs", dimacs),
    ("uvl", uvl),
    ("pict", pict),
    ("module", module),
    ("debug-information", debug_information),
];

/// Runs the target of a name. Returns whether the bytes could be read.
///
/// # Panics
/// If there is no target of this name, or the target finds a fault.
pub fn run(name: &str, bytes: &[u8]) -> bool {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target");
    target(bytes)
}

/// The maximal time of a reader. It is much longer than readers take, because other tests run concurrently.
const LIMIT: Duration = Duration::from_secs(10);

fn control() -> Control {
    Control::default().with_deadline(Some(Instant::now() + LIMIT))
}

/// A diagnostic points into the text, and can be shown. Texts with a diagnostic could not be read.
fn check_diagnostic(diagnostic: &Diagnostic, source: &SourceText) -> bool {
    assert!(diagnostic.span.end <= source.text().len(), "{diagnostic:?}");
    assert!(diagnostic.render(source).contains("error: "), "{diagnostic:?}");
    false
}

/// Tokens come in their order, within the text.
fn lexer(bytes: &[u8]) -> bool {
    let source = SourceText::from_bytes("text", bytes.to_vec());
    let mut lexer = Lexer::new(source.text(), 0);
    let mut end = 0;
    loop {
        match lexer.next_token() {
            Ok((Token::End, _)) => break,
            Ok((token, span)) => {
                assert!(end <= span.start && span.start < span.end, "{token:?} at {span:?}");
                assert!(!token.describe().is_empty());
                end = span.end;
            }
            Err(diagnostic) => return check_diagnostic(&diagnostic, &source),
        }
    }
    assert!(end <= source.text().len());
    true
}

/// A printed script is read back as a script that is printed the same.
fn script(bytes: &[u8]) -> bool {
    let source = SourceText::from_bytes("script", bytes.to_vec());
    let mut store = TermStore::new();
    match parse_script_within(&mut store, &source, TheorySet::ALL, &control()) {
        Err(diagnostic) => check_diagnostic(&diagnostic, &source),
        Ok(read) => {
            let printed = SourceText::new("printed", print_script(&store, &read));
            let mut store = TermStore::new();
            let again = parse_script_within(&mut store, &printed, TheorySet::ALL, &control())
                .unwrap_or_else(|diagnostic| panic!("{}", diagnostic.render(&printed)));
            assert_eq!(print_script(&store, &again), printed.text());
            true
        }
    }
}

/// The formula that models are read for.
const FORMULA: &str = "(declare-sort S 0) (declare-const p Bool) (declare-const x (_ BitVec 8)) (declare-const s S)
    (declare-const a (Array (_ BitVec 8) (_ BitVec 4))) (declare-fun f ((_ BitVec 8) Bool) Int) (declare-const r Real)
    (declare-const w String) (declare-const d Float32)";

/// A printed model is read back as the same model.
fn model(bytes: &[u8]) -> bool {
    let mut store = TermStore::new();
    let formula = SourceText::new("formula", FORMULA);
    let formula = parse_script_within(&mut store, &formula, TheorySet::ALL, &control());
    let symbols = formula.expect("a script").formula().symbols;
    let source = SourceText::from_bytes("models", bytes.to_vec());
    match read_models(&mut store, &source, &symbols) {
        Err(diagnostic) => check_diagnostic(&diagnostic, &source),
        Ok(models) => {
            for read in models {
                let told: Vec<_> =
                    symbols.iter().copied().filter(|&symbol| read.model.open(symbol).is_none()).collect();
                let printed = SourceText::new("printed", print_model(&store, &read.model, &told));
                let again = read_models(&mut store, &printed, &symbols)
                    .unwrap_or_else(|diagnostic| panic!("{}", diagnostic.render(&printed)));
                let [again] = &again[..] else { panic!("{} models in {}", again.len(), printed.text()) };
                assert_eq!(print_model(&store, &again.model, &told), printed.text());
            }
            true
        }
    }
}

/// Responses are parts of the text, in their order, and only space and comments are between them.
fn responses_of_solvers(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = &*text;
    for response in responses(&text) {
        let (Response::Word(part)
        | Response::Error(part)
        | Response::String(part)
        | Response::Expression(part)
        | Response::Unfinished(part)) = response;
        let start = rest.find(part).unwrap_or_else(|| panic!("{part:?} is not in {rest:?}"));
        rest = &rest[start + part.len()..];
    }
    true
}

fn read_as(format: Format, bytes: &[u8]) -> bool {
    let source = SourceText::from_bytes("model", bytes.to_vec());
    match sundry_models::read(format, &source, &control()) {
        Err(diagnostic) => check_diagnostic(&diagnostic, &source),
        Ok(model) => {
            for assertion in &model.assertions {
                assert!(model.store.is_bool(assertion.term), "an assertion that is not Boolean");
                assert!(assertion.span.end <= source.text().len());
            }
            true
        }
    }
}

fn dimacs(bytes: &[u8]) -> bool {
    read_as(Format::Dimacs, bytes)
}

fn uvl(bytes: &[u8]) -> bool {
    read_as(Format::Uvl, bytes)
}

fn pict(bytes: &[u8]) -> bool {
    read_as(Format::Pict, bytes)
}

/// A module that is valid can be set up, and each of its exported functions runs for a while or ends.
fn module(bytes: &[u8]) -> bool {
    run_module(bytes, FloatCode::Instructions) && run_module(bytes, FloatCode::Library)
}

fn run_module(bytes: &[u8], floats: FloatCode) -> bool {
    let Ok(module) = Module::read_with(bytes, floats) else { return false };
    let Ok(start) = Machine::new(&module, MachineLimits { pages: 64, calls: 500, slots: 100_000 }) else {
        return false;
    };
    for (_, exported) in &module.exports {
        let &Exported::Function(function) = exported else { continue };
        if (function as usize) < module.imports.len() {
            continue;
        }
        let mut machine = start.clone();
        machine.most_steps = 10_000;
        let arguments = vec![1; module.signature_of(function).parameters.len()];
        let results = machine.call(&module, function, &arguments, &mut Plain);
        assert_eq!(results.is_err(), !machine.stack(&module).is_empty());
        for (_, place) in machine.stack(&module) {
            module.offset_of(place);
        }
    }
    true
}

/// All that the debug information of a module refers to is there.
fn debug_information(bytes: &[u8]) -> bool {
    let Ok(info) = DebugInfo::read(bytes) else { return false };
    let is_known = |id: TypeId| id.index() < info.types().len();
    for function in info.functions() {
        assert!(!info.frames(function.range.start).is_empty() && is_known(function.result));
        let mut parameters = function.parameters.iter().flatten();
        assert!(parameters.all(|parameter| is_known(parameter.r#type)));
        assert!(function.frame.objects.iter().all(|object| is_known(object.r#type)));
    }
    for line in info.lines() {
        info.frames(line.range.start);
    }
    for (_, known) in info.types().iter() {
        match &known.kind {
            &TypeKind::Pointer { target: part, .. } | &TypeKind::Array { element: part, .. } => {
                assert!(is_known(part));
            }
            TypeKind::Struct { members } | TypeKind::Union { members } => {
                assert!(members.iter().all(|member| is_known(member.r#type)));
            }
            _ => {}
        }
    }
    let objects = info.data_objects();
    assert!(objects.windows(2).all(|pair| pair[0].address + pair[0].size <= pair[1].address));
    if let Ok(sites) = coverage::Sites::read(bytes) {
        coverage::tracefile(&coverage::measure(&info, &sites, &coverage::Executed::default()));
    }
    true
}
