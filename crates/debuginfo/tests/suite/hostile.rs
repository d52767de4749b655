//! Modules with mistakes: whatever the bytes are, reading and all queries come to an end.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_debuginfo::{DebugInfo, TypeKind};

use crate::shapes::SHAPES;

/// Asks everything.
fn query(info: &DebugInfo) {
    for line in info.lines() {
        info.frames(line.range.start);
    }
    for function in info.functions() {
        info.frames(function.range.start);
        for object in &function.frame.objects {
            info.types().get(object.r#type);
        }
        for parameter in function.parameters.iter().flatten() {
            info.types().get(parameter.r#type);
        }
    }
    for (_, r#type) in info.types().iter() {
        if let TypeKind::Pointer { target, .. } = r#type.kind {
            info.types().get(target);
        }
    }
    assert!(info.data_objects().windows(2).all(|pair| pair[0].address + pair[0].size <= pair[1].address));
}

#[test]
fn what_is_no_module_is_an_error() {
    for bytes in [&b""[..], b"\0asm", b"\x7fELF\x02\x01", b"\0asm\x0d\0\x01\0", &SHAPES[..SHAPES.len() / 2]] {
        let error = DebugInfo::read(bytes).expect_err("no module");
        assert!(error.to_string().starts_with("not a WebAssembly module: "), "{error}");
    }
    let empty = DebugInfo::read(b"\0asm\x01\0\0\0").expect("the smallest module");
    assert!(empty.functions().is_empty());
    query(&empty);
}

#[test]
fn changed_bytes_are_harmless() {
    let mut random = ChaCha8Rng::seed_from_u64(25);
    let mut warned = 0;
    for _ in 0..20_000 {
        let mut bytes = SHAPES.to_vec();
        for _ in 0..random.random_range(1..8) {
            let place = random.random_range(0..bytes.len());
            bytes[place] = match random.random_range(0..4) {
                0 => 0xff,
                1 => 0,
                2 => bytes[place] ^ (1 << random.random_range(0..8)),
                _ => random.random(),
            };
        }
        if let Ok(info) = DebugInfo::read(&bytes) {
            query(&info);
            warned += usize::from(!info.warnings().is_empty());
        }
    }
    assert!(warned > 1000, "{warned} of the modules had warnings");
}

/// A module that consists of one custom section after another.
fn module_of(sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    for (name, content) in sections {
        let mut body = number(name.len());
        body.extend(name.as_bytes());
        body.extend(content);
        module.push(0);
        module.extend(number(body.len()));
        module.extend(body);
    }
    module
}

/// A number as bytes of seven bits.
fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

#[test]
fn references_in_a_circle_end() {
    // A unit whose typedef names itself, and a variable of that type.
    let abbreviations = [
        // 1: a unit with children; 2: a typedef of a type; 3: a variable with a type and a location.
        &[1, 0x11, 1, 0, 0][..],
        &[2, 0x16, 0, 0x49, 0x13, 0, 0],
        &[3, 0x34, 0, 0x49, 0x13, 0x02, 0x18, 0, 0],
        &[0],
    ];
    let entries = [&[1][..], &[2, 12, 0, 0, 0], &[3, 12, 0, 0, 0, 5, 3, 0, 4, 0, 0], &[0]].concat();
    let mut unit = ((7 + entries.len()) as u32).to_le_bytes().to_vec();
    unit.extend([4, 0, 0, 0, 0, 0, 4]);
    unit.extend(&entries);
    let module = module_of(&[(".debug_abbrev", abbreviations.concat()), (".debug_info", unit)]);
    let info = DebugInfo::read(&module).expect("a module");
    assert_eq!(info.warnings(), []);
    assert!(info.data_objects().is_empty());
}

#[test]
fn entries_without_end_are_cut_off() {
    // Six million entries of one byte, each inside the one before.
    let abbreviations = vec![1, 0x0b, 1, 0, 0, 0];
    let mut unit = 6_000_007_u32.to_le_bytes().to_vec();
    unit.extend([4, 0, 0, 0, 0, 0, 4]);
    unit.extend(vec![1; 6_000_000]);
    let module = module_of(&[(".debug_abbrev", abbreviations), (".debug_info", unit)]);
    let info = DebugInfo::read(&module).expect("a module");
    let warnings: Vec<String> = info.warnings().iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|warning| warning.contains("too many entries")), "{warnings:?}");
}
