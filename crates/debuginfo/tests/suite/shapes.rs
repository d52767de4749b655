//! All queries on `modules/shapes.wasm`, whose source stands beside it.

use sundry_debuginfo::{Bits, DebugInfo, FrameBase, TypeId, TypeKind, Types};

pub const SHAPES: &[u8] = include_bytes!("../modules/shapes.wasm");
const SOURCE: &str = include_str!("../modules/shapes.c");

fn shapes() -> DebugInfo {
    let info = DebugInfo::read(SHAPES).expect("a module");
    assert_eq!(info.warnings(), []);
    info
}

/// The line of the source that has this text, from 1.
fn line_of(text: &str) -> u32 {
    let lines = SOURCE.lines().position(|line| line.contains(text));
    lines.expect("a line of the source") as u32 + 1
}

/// The index of a function.
fn index_of(info: &DebugInfo, name: &str) -> u32 {
    info.functions().iter().find(|function| function.name.as_deref() == Some(name)).expect(name).index
}

#[test]
fn functions_have_names_places_and_ranges() {
    let info = shapes();
    let names: Vec<&str> = info.functions().iter().filter_map(|function| function.name.as_deref()).collect();
    assert_eq!(names, ["fill", "sum", "walk"]);
    let sum = info.function(1).expect("sum");
    let declared = sum.declared.expect("a place");
    assert_eq!(info.path(declared.file), "/shapes/shapes.c");
    assert_eq!(declared.line, line_of("int sum("));
    assert_eq!(info.function_at(sum.range.start).map(|function| function.index), Some(1));
    // Between two bodies is the size of the second.
    assert!(info.function_at(sum.range.end).is_none());
    assert!(info.function_at(u32::MAX).is_none());
    assert_eq!(info.global_name(0), Some("__stack_pointer"));
    assert_eq!((info.function_name(2), info.function_name(3)), (Some("walk"), None));
}

#[test]
fn offsets_are_those_of_the_code_section() {
    // The field with the number of functions, then the size of the first body.
    assert_eq!(shapes().functions()[0].range.start, 2);
}

#[test]
fn frames_unfold_what_was_inlined() {
    let info = shapes();
    let file = info.lines().iter().filter_map(|line| line.source).next().expect("a line").file;
    let lines = &info.files()[file.index()].lines;
    let inside = lines[&line_of("return weights[")][0].start;
    let frames = info.frames(inside);
    let seen: Vec<_> = frames.iter().map(|frame| (frame.function.as_deref(), frame.line)).collect();
    let call = line_of("total += weight(");
    assert_eq!(seen, [(Some("weight"), Some(line_of("return weights["))), (Some("sum"), Some(call))]);
    assert!(frames.iter().all(|frame| frame.file.as_deref() == Some("/shapes/shapes.c")));
    assert_eq!(info.frames(0), []);
}

#[test]
fn code_of_the_compiler_has_the_place_before_it() {
    let info = shapes();
    let added = info.lines().iter().position(|line| line.source.is_none()).expect("such code");
    let before = info.lines()[added - 1].source.expect("a place");
    assert_eq!(info.line_at(info.lines()[added].range.start).expect("a row").source, None);
    assert_eq!(info.frames(info.lines()[added].range.start)[0].line, Some(before.line));
}

#[test]
fn lines_do_not_overlap() {
    let info = shapes();
    assert!(info.lines().windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
    let code = line_of("buffer[i] = title");
    assert!(info.files()[0].lines.contains_key(&code));
    assert!(!info.files()[0].lines.contains_key(&line_of("struct point {")));
}

#[test]
fn stack_frames_have_their_objects() {
    let info = shapes();
    let sum = info.stack_objects(index_of(&info, "sum")).expect("a frame");
    assert!(matches!(sum.base, Some(FrameBase::Local(_))));
    let [buffer] = &sum.objects[..] else { panic!("{:?}", sum.objects) };
    assert_eq!((buffer.name.as_deref(), buffer.size), (Some("buffer"), 24));
    let walk = info.stack_objects(index_of(&info, "walk")).expect("a frame");
    assert_eq!(walk.objects[0].name.as_deref(), Some("seen"));
    assert_eq!((walk.objects[0].offset, walk.objects[0].size), (8, 8));
    let fill = info.stack_objects(index_of(&info, "fill")).expect("a frame");
    assert_eq!(fill.base, Some(FrameBase::Global(0)));
    assert!(fill.objects.is_empty());
    assert!(info.stack_objects(99).is_none());
}

#[test]
fn static_objects_are_sorted_and_apart() {
    let info = shapes();
    let data = info.data_objects();
    assert!(data.windows(2).all(|pair| pair[0].address + pair[0].size <= pair[1].address));
    let sizes: Vec<_> = data.iter().map(|object| (object.name.as_deref(), object.size)).collect();
    let named = [(Some("weights"), 32), (Some("title"), 4), (Some("calls"), 4), (Some("visits"), 4)];
    assert_eq!(sizes, [&[(None, 7)][..], &named].concat());
    // Where the linker puts data by default.
    assert_eq!(data[0].address, 1024);
}

/// The type that a pointer leads to.
fn target(types: &Types, id: TypeId) -> TypeId {
    let TypeKind::Pointer { target, .. } = types.get(id).kind else { panic!("{:?}", types.get(id)) };
    target
}

#[test]
fn parameters_have_types_with_structure() {
    let info = shapes();
    let types = info.types();
    let walk = info.parameters(index_of(&info, "walk")).expect("parameters");
    let names: Vec<_> = walk.iter().filter_map(|parameter| parameter.name.as_deref()).collect();
    assert_eq!(names, ["first", "visit", "context", "twice"]);

    let shape = target(types, walk[0].r#type);
    assert_eq!((types.get(shape).name.as_deref(), types.get(shape).size), (Some("shape"), Some(88)));
    let TypeKind::Struct { members } = &types.get(shape).kind else { panic!("a struct") };
    let places: Vec<_> =
        members.iter().map(|member| (member.name.as_deref().unwrap_or_default(), member.offset)).collect();
    let expected = [("colour", 0), ("corners", 4), ("next", 20), ("filled", 24), ("width", 24)];
    assert_eq!(places[..5], expected);
    assert_eq!(places[5..], [("scales", 32), ("value", 80)]);
    // A type that contains its own address refers to itself.
    assert_eq!(target(types, members[2].r#type), shape);
    assert_eq!(members[3].bits, Some(Bits { start: 24 * 8, width: 1 }));
    assert_eq!(members[4].bits, Some(Bits { start: 24 * 8 + 1, width: 7 }));

    let TypeKind::Enumeration { signed: true, values } = &types.get(members[0].r#type).kind else {
        panic!("signed")
    };
    assert_eq!(values.iter().map(|value| value.value).collect::<Vec<_>>(), [0, 5, -1]);
    let TypeKind::Array { element, count: Some(2) } = types.get(members[5].r#type).kind else {
        panic!("two rows")
    };
    let TypeKind::Array { element, count: Some(3) } = types.get(element).kind else {
        panic!("three columns")
    };
    assert_eq!(types.get(element).kind, TypeKind::Float);
    assert_eq!(types.get(members[5].r#type).size, Some(48));
    assert!(matches!(&types.get(members[6].r#type).kind, TypeKind::Union { members } if members.len() == 2));

    let visitor = target(types, walk[1].r#type);
    let TypeKind::Function { result, parameters } = &types.get(visitor).kind else { panic!("a function") };
    assert_eq!(types.get(*result).kind, TypeKind::Integer { signed: true });
    // A typedef is the type that it names.
    assert_eq!(types.get(parameters[1]).name.as_deref(), Some("unsigned int"));
    assert_eq!(target(types, walk[2].r#type), Types::VOID);
    assert_eq!(types.get(walk[3].r#type).kind, TypeKind::Boolean);
    assert_eq!(info.function(0).expect("fill").result, Types::VOID);
}
