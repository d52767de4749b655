//! `.gcda`: the counters of the runs of an object.

use super::build::Object;
use super::program::{Function, Programs, Scratch};
use super::records::{ARC_COUNTERS, FUNCTION, Fault, Reader};

/// Adds the counts of an object's lines, as its counters say.
pub fn add(
    bytes: &[u8],
    object: &Object,
    programs: &Programs,
    lines: &mut [i64],
    scratch: &mut Scratch,
) -> Result<(), Fault> {
    let mut reader = Reader::new(bytes, b"gcda")?;
    if reader.stamp != object.stamp {
        return Err(Fault::OtherBuild);
    }
    let mut current = None;
    // Functions mostly have the order of the notes, which saves looking them up.
    let mut expected = 0;
    while let Some((tag, length, mut record)) = reader.record()? {
        match tag {
            // A function of which another object has the instance that is used.
            FUNCTION if length == 0 => current = None,
            FUNCTION => {
                let ident = record.word()?;
                current = find(object, ident, &mut expected);
                if let Some(function) = current
                    && function.checksums != [record.word()?, record.word()?]
                {
                    return Err(Fault::OtherBuild);
                }
            }
            ARC_COUNTERS => {
                let Some(function) = current.take() else { continue };
                if length.unsigned_abs() != 8 * u64::from(function.counters) {
                    return Err(Fault::OtherBuild);
                }
                // If all are zero, nothing of the function was executed.
                if record.rest().iter().any(|&byte| byte != 0) {
                    programs.run(function, record.rest(), lines, scratch);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn find<'a>(object: &'a Object, ident: u32, expected: &mut usize) -> Option<&'a Function> {
    let place = match object.functions.get(*expected) {
        Some(function) if function.ident == ident => *expected,
        _ => *object.by_ident.get(&ident)? as usize,
    };
    *expected = place + 1;
    object.functions.get(place)
}
