//! The text in front of the arguments of a term: the name of its operator with indices, or the whole of a literal.

use sundry_term::{ArithmeticOp, DatatypeOp, Op, SequenceOp, TermId, TermStore, Value, quote_symbol};

use super::value::{write_empty_sequence, write_value};
use super::{ScriptText, Word};

/// Appends the text in front of the arguments of a term, or the whole of a term without arguments.
pub(super) fn write_head(out: &mut ScriptText, store: &TermStore, term: TermId) {
    let op = store.op(term);
    match op {
        Op::Constant(_) => write_literal(out, store, term),
        Op::Apply(symbol) => out.push_str(&quote_symbol(&store.symbol(symbol).name)),
        Op::Datatype(datatype_op) => {
            let name = quote_symbol(datatype_op.declared_name(store));
            match datatype_op {
                DatatypeOp::Test(_) => out.append(format_args!("(_ is {name})")),
                DatatypeOp::Construct { sort, .. } if !store.sort(sort).parts().is_empty() => {
                    out.append(format_args!("(as {name} "));
                    out.push_sort(store, sort);
                    out.push(')');
                }
                _ => out.push_str(&name),
            }
        }
        Op::Sequence(SequenceOp::Empty(sort)) => write_empty_sequence(out, store, sort),
        Op::ConstArray(sort) => {
            out.push_str("(as const ");
            out.push_sort(store, sort);
            out.push(')');
        }
        _ if op.indices().next().is_none() => write_name(out, op),
        _ => {
            out.push_str("(_ ");
            write_name(out, op);
            op.indices().for_each(|index| out.append(format_args!(" {index}")));
            out.push(')');
        }
    }
}

/// Appends the name of an operator. The operators on strings, and the conversions between integers and bit-vectors,
/// had other names before they became standard.
fn write_name(out: &mut ScriptText, op: Op) {
    match op {
        Op::String(_) | Op::Arithmetic(ArithmeticOp::UnsignedToInt | ArithmeticOp::IntToBits(_)) => {
            out.push_word(Word::Name, format_args!("{}", op.name()));
        }
        _ => out.push_str(op.name()),
    }
}

fn write_literal(out: &mut ScriptText, store: &TermStore, term: TermId) {
    let value = store.value(term).cloned().unwrap_or(Value::Bool(false));
    write_value(out, store, store.sort_of(term), &value);
}
