//! The text of solutions in all formats, whose shape is recognised again.

use std::collections::BTreeMap;

use super::*;
use crate::output::Start;
use sundry::BitVector;
use sundry::term::SortId;

fn example() -> (TermStore, Vec<SymbolId>, Model) {
    let mut store = TermStore::new();
    let byte = store.bit_vec_sort(8).expect("legal width");
    let p = store.declare("p", &[], SortId::BOOL);
    let x = store.declare("a \"b\",c", &[], byte);
    let f = store.declare("f", &[byte, SortId::BOOL], byte);
    let number = |value| Value::BitVec(BitVector::from_u64(8, value));
    let mut model = Model::new();
    model.set_constant(x, number(255));
    let entries = BTreeMap::from([(vec![number(1), Value::Bool(true)], number(2))]);
    model.set_function(f, FunctionValue::Table { entries, default: number(0) });
    (store, vec![p, x, f], model)
}

fn text(format: OutputFormat) -> String {
    let (store, symbols, model) = example();
    let bytes = SolutionWriter::new(format, &store, &symbols).render([&model, &Model::new()].into_iter());
    String::from_utf8(bytes).expect("text")
}

#[test]
fn json_objects_have_every_symbol_in_order() {
    let lambda = "(lambda ((x!0 (_ BitVec 8)) (x!1 Bool)) (ite (and (= x!0 #x01) (= x!1 true)) #x02 #x00))";
    let constant = "(lambda ((x!0 (_ BitVec 8)) (x!1 Bool)) #x00)";
    let expected = format!(
        "{{\"p\":\"false\",\"a \\\"b\\\",c\":\"#xff\",\"f\":\"{lambda}\"}}\n\
         {{\"p\":\"false\",\"a \\\"b\\\",c\":\"#x00\",\"f\":\"{constant}\"}}\n"
    );
    assert_eq!(text(OutputFormat::Jsonl), expected);
}

/// Each solution is recognised as one, and each beginning of one as a beginning.
#[test]
fn what_is_written_has_the_shape() {
    let (store, symbols, model) = example();
    for format in [OutputFormat::Smt2, OutputFormat::Jsonl, OutputFormat::Csv] {
        for symbols in [&symbols[..], &symbols[..1], &[]] {
            let writer = SolutionWriter::new(format, &store, symbols);
            let shape = writer.shape();
            let heading = writer.heading();
            assert_eq!(shape.heading(&heading), Start::Whole(heading.len()));
            let mut values = Vec::new();
            for model in [&model, &Model::new()] {
                let mut text = writer.rows(std::iter::once(model));
                let length = text.len();
                for end in 0..length {
                    let start = shape.solution(&text[..end], &mut values);
                    assert_eq!(start, Start::Part, "{}", String::from_utf8_lossy(&text[..end]));
                }
                text.extend(text.clone());
                assert_eq!(shape.solution(&text, &mut values), Start::Whole(length));
                let texts: Vec<_> =
                    values.iter().filter_map(|range| shape.value(&text[range.clone()])).collect();
                let shown: Vec<String> = writer.shown().map(|shown| writer.value(model, shown)).collect();
                // A function in SMT-LIB is written as a definition.
                let is_same = |(left, right): (&_, &String)| {
                    *left == right[..] || right.ends_with(&format!(" {left})"))
                };
                assert!(
                    texts.len() == shown.len() && texts.iter().zip(&shown).all(is_same),
                    "{texts:?} {shown:?}"
                );
            }
        }
    }
}

#[test]
fn other_symbols_and_formats_have_another_shape() {
    let (store, symbols, model) = example();
    let formats = [OutputFormat::Smt2, OutputFormat::Jsonl, OutputFormat::Csv];
    for format in formats {
        let shape = SolutionWriter::new(format, &store, &symbols).shape();
        for (other, others) in formats.into_iter().flat_map(|other| {
            [&symbols[..], &symbols[..2], &symbols[1..]].into_iter().map(move |symbols| (other, symbols))
        }) {
            let writer = SolutionWriter::new(other, &store, others);
            let text = writer.render([&model, &model].into_iter());
            let is_same = (format, &symbols[..]) == (other, others);
            let mut rest = &text[..];
            let heading = shape.heading(rest);
            if let Start::Whole(length) = heading {
                rest = &rest[length..];
            }
            let is_accepted =
                heading != Start::Foreign && shape.solution(rest, &mut Vec::new()) != Start::Foreign;
            assert_eq!(is_accepted, is_same, "{format:?} {other:?}");
        }
    }
}

#[test]
fn csv_quotes_names_with_commas() {
    let text = text(OutputFormat::Csv);
    assert!(text.starts_with("p,\"a \"\"b\"\",c\",f\nfalse,#xff,"), "{text}");
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn smt_lib_models_follow_one_another() {
    let text = text(OutputFormat::Smt2);
    assert_eq!(text.matches("(define-fun ").count(), 6);
    assert!(text.contains("(define-fun |a \"b\",c| () (_ BitVec 8) #xff)"), "{text}");
}

/// Solutions that were found at volume are written as their models are.
#[test]
fn solutions_without_models_have_the_same_text() {
    let widths = [1, 2, 3, 4, 7, 8, 12, 63, 64, 65, 68, 127, 128, 130, 256];
    let mut text = String::from("(declare-const |a, \"name\"| Bool) (declare-const b Bool) (assert b)");
    for width in widths {
        text += &format!("(declare-const x{width} (_ BitVec {width}))");
    }
    use std::ops::ControlFlow;
    let formula = sundry::Formula::parse(&text).expect("a script");
    let problem = &formula.parts().problem;
    let strategy = sundry::Strategy::SmtSampler(sundry::Granularity::Bit);
    let mut count = 0;
    let result = formula.sampler().strategy(strategy).max_solutions(500).observe(&mut |event| {
        let sundry::pipeline::Event::Solutions(samples) = event else {
            return ControlFlow::Continue(());
        };
        let models: Vec<Model> = samples.models().collect();
        let plain = samples.plain().expect("constants only");
        for format in [OutputFormat::Smt2, OutputFormat::Jsonl, OutputFormat::Csv] {
            let writer = SolutionWriter::new(format, &problem.store, &problem.symbols);
            let mut text = Vec::new();
            plain.lanes().for_each(|lane| writer.plain().write(&mut text, plain.values(lane)));
            assert_eq!(String::from_utf8(text), String::from_utf8(writer.rows(models.iter())));
        }
        count += models.len();
        ControlFlow::Continue(())
    });
    assert!(result.is_ok() && count == 500);
}
