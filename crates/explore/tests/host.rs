//! Functions of WASI, called by programs that return where all is as it should be.

use sundry_explore::{
    ExploreEnd, ExploreOptions, Explorer, Input, Origin, Program, RunEnd, Runner, SourceKind, Terms, Test,
    Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;
use wast::parser::{ParseBuffer, parse};

const IMPORTS: &str = r#"
  (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_filestat_get" (func $stat (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_readdir" (func $list (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_renumber" (func $renumber (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
  (memory (export "memory") 1)
  (func $is (param $value i32) (param $expected i32)
    (if (i32.ne (local.get $value) (local.get $expected)) (then unreachable)))
  (data (i32.const 1024) "..//a.txt")"#;

/// Runs a program with two files of the names `a.txt` and `b`, with and without terms.
fn returns(data: &str, body: &str) {
    let text = format!("(module {IMPORTS} {data} (func (export \"_start\") {body}))");
    let bytes = parse::<wast::Wat<'_>>(&ParseBuffer::new(&text).unwrap()).expect(&text).encode().unwrap();
    let program = Program::read(&bytes, MachineLimits::default()).expect("a program");
    assert!(program.missing_imports().is_empty());
    let (mut terms, mut variables) = (Terms::default(), Variables::default());
    for name in ["a.txt", "b"] {
        variables.source(&mut terms.store, SourceKind::File(name.to_string()), 3, b"xyz");
    }
    let mut runner = Runner::new(&program, WorldOptions::default(), 10_000, &Control::default());
    let plain = runner.replay(&Input::default(), &variables, true);
    assert_eq!(plain.end, RunEnd::Returned, "{:?} in {body}", plain.stack);
    let symbolic = runner.execute(&Input::default(), &mut variables, &mut terms).run;
    assert_eq!(symbolic.end, RunEnd::Returned, "{:?} in {body}", symbolic.stack);
}

#[test]
fn waiting_for_a_clock_takes_no_time_but_the_clock_goes_on() {
    // A subscription with the number 7, for five seconds from now; then one for the time 0, which has passed.
    returns(
        r#"(data (i32.const 2048) "\07") (data (i32.const 2072) "\00\f2\05\2a\01")"#,
        r#"(call $is (call $time (i32.const 0) (i64.const 0) (i32.const 3000)) (i32.const 0))
           (call $is (call $poll (i32.const 2048) (i32.const 2560) (i32.const 1) (i32.const 2600)) (i32.const 0))
           (call $is (i32.load (i32.const 2600)) (i32.const 1))
           (call $is (i32.load (i32.const 2560)) (i32.const 7))
           (call $is (i32.load (i32.const 2568)) (i32.const 0))
           (call $is (call $time (i32.const 0) (i64.const 0) (i32.const 3008)) (i32.const 0))
           (if (i64.lt_u (i64.sub (i64.load (i32.const 3008)) (i64.load (i32.const 3000))) (i64.const 5000000000))
             (then unreachable))
           (i32.store8 (i32.const 2088) (i32.const 1))
           (i64.store (i32.const 2072) (i64.const 0))
           (call $is (call $poll (i32.const 2048) (i32.const 2560) (i32.const 1) (i32.const 2600)) (i32.const 0))
           (call $is (i32.load (i32.const 2600)) (i32.const 1))
           (call $is (call $poll (i32.const 2048) (i32.const 2560) (i32.const 0) (i32.const 2600)) (i32.const 28))
           (call $is (call $poll (i32.const 65500) (i32.const 2560) (i32.const 1) (i32.const 2600)) (i32.const 21))
           (call $is (call $yield) (i32.const 0))"#,
    );
}

#[test]
fn descriptors_are_ready_before_a_clock() {
    // A clock, the standard input, and a descriptor that is not open.
    returns(
        r#"(data (i32.const 2072) "\ff\ff\ff\ff") (data (i32.const 2096) "\01\00\00\00\00\00\00\00\01")
           (data (i32.const 2144) "\02\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\63")"#,
        r#"(call $is (call $poll (i32.const 2048) (i32.const 2560) (i32.const 3) (i32.const 2700)) (i32.const 0))
           (call $is (i32.load (i32.const 2700)) (i32.const 2))
           (call $is (i32.load (i32.const 2560)) (i32.const 1))
           (call $is (i32.load8_u (i32.const 2570)) (i32.const 1))
           (call $is (i32.load16_u (i32.const 2568)) (i32.const 0))
           (call $is (i32.load (i32.const 2592)) (i32.const 2))
           (call $is (i32.load16_u (i32.const 2600)) (i32.const 8))"#,
    );
}

#[test]
fn the_directory_lists_its_files() {
    // The path "." of the directory 3, and that of a file.
    returns(
        "",
        r#"(call $is (call $open (i32.const 3) (i32.const 0) (i32.const 1024) (i32.const 1) (i32.const 2)
             (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 3000)) (i32.const 0))
           (call $is (i32.load (i32.const 3000)) (i32.const 4))
           (call $is (call $stat (i32.const 3) (i32.const 0) (i32.const 1024) (i32.const 1) (i32.const 3100))
             (i32.const 0))
           (call $is (i32.load8_u (i32.const 3116)) (i32.const 3))
           (call $is (call $list (i32.const 4) (i32.const 4096) (i32.const 512) (i64.const 0) (i32.const 3004))
             (i32.const 0))
           (call $is (i32.load (i32.const 3004)) (i32.const 54))
           (call $is (i32.load (i32.const 4112)) (i32.const 5))
           (call $is (i32.load8_u (i32.const 4120)) (i32.const 97))
           (call $is (i32.load8_u (i32.const 4149)) (i32.const 98))
           (call $is (call $list (i32.const 4) (i32.const 4096) (i32.const 512) (i64.load (i32.const 4096))
             (i32.const 3004)) (i32.const 0))
           (call $is (i32.load (i32.const 3004)) (i32.const 25))
           (call $is (call $list (i32.const 4) (i32.const 4096) (i32.const 10) (i64.const 1) (i32.const 3004))
             (i32.const 0))
           (call $is (i32.load (i32.const 3004)) (i32.const 10))
           (call $is (call $list (i32.const 4) (i32.const 4096) (i32.const 512) (i64.const 9) (i32.const 3004))
             (i32.const 0))
           (call $is (i32.load (i32.const 3004)) (i32.const 0))
           (call $is (call $open (i32.const 3) (i32.const 0) (i32.const 1028) (i32.const 5) (i32.const 2)
             (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 3000)) (i32.const 54))
           (call $is (call $list (i32.const 0) (i32.const 4096) (i32.const 512) (i64.const 0) (i32.const 3004))
             (i32.const 54))
           (call $is (call $list (i32.const 9) (i32.const 4096) (i32.const 512) (i64.const 0) (i32.const 3004))
             (i32.const 8))"#,
    );
}

#[test]
fn a_descriptor_takes_the_number_of_another() {
    // After the first byte of the file has been read as descriptor 4, the standard input goes on with the second.
    returns(
        r#"(data (i32.const 2048) "\00\10\00\00\01")"#,
        r#"(call $is (call $open (i32.const 3) (i32.const 0) (i32.const 1028) (i32.const 5) (i32.const 0)
             (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 3000)) (i32.const 0))
           (call $is (call $read (i32.const 4) (i32.const 2048) (i32.const 1) (i32.const 3004)) (i32.const 0))
           (call $is (i32.load8_u (i32.const 4096)) (i32.const 120))
           (call $is (call $renumber (i32.const 4) (i32.const 0)) (i32.const 0))
           (call $is (call $read (i32.const 0) (i32.const 2048) (i32.const 1) (i32.const 3004)) (i32.const 0))
           (call $is (i32.load8_u (i32.const 4096)) (i32.const 121))
           (call $is (call $read (i32.const 4) (i32.const 2048) (i32.const 1) (i32.const 3004)) (i32.const 8))
           (call $is (call $renumber (i32.const 4) (i32.const 0)) (i32.const 8))"#,
    );
}

/// The functions that the standard library of Rust imports for wasm32-wasip1, with their parameters: `i` for 32 and `l` for 64 bits. All but `proc_exit` return
/// an error number.
const OF_RUST: [(&str, &str); 45] = [
    ("args_get", "ii"),
    ("args_sizes_get", "ii"),
    ("clock_res_get", "ii"),
    ("clock_time_get", "ili"),
    ("environ_get", "ii"),
    ("environ_sizes_get", "ii"),
    ("fd_advise", "illi"),
    ("fd_allocate", "ill"),
    ("fd_close", "i"),
    ("fd_datasync", "i"),
    ("fd_fdstat_get", "ii"),
    ("fd_fdstat_set_flags", "ii"),
    ("fd_fdstat_set_rights", "ill"),
    ("fd_filestat_get", "ii"),
    ("fd_filestat_set_size", "il"),
    ("fd_filestat_set_times", "illi"),
    ("fd_pread", "iiili"),
    ("fd_prestat_dir_name", "iii"),
    ("fd_prestat_get", "ii"),
    ("fd_pwrite", "iiili"),
    ("fd_read", "iiii"),
    ("fd_readdir", "iiili"),
    ("fd_renumber", "ii"),
    ("fd_seek", "ilii"),
    ("fd_sync", "i"),
    ("fd_tell", "ii"),
    ("fd_write", "iiii"),
    ("path_create_directory", "iii"),
    ("path_filestat_get", "iiiii"),
    ("path_filestat_set_times", "iiiilli"),
    ("path_link", "iiiiiii"),
    ("path_open", "iiiiillii"),
    ("path_readlink", "iiiiii"),
    ("path_remove_directory", "iii"),
    ("path_rename", "iiiiii"),
    ("path_symlink", "iiiii"),
    ("path_unlink_file", "iii"),
    ("poll_oneoff", "iiii"),
    ("proc_exit", "i"),
    ("proc_raise", "i"),
    ("random_get", "ii"),
    ("sched_yield", ""),
    ("sock_recv", "iiiiii"),
    ("sock_send", "iiiii"),
    ("sock_shutdown", "ii"),
];

#[test]
fn modules_of_rust_find_all_of_their_imports() {
    let imports = OF_RUST.map(|(name, parameters)| {
        let parameters: String =
            parameters.chars().map(|it| if it == 'l' { "i64 " } else { "i32 " }).collect();
        let result = if name == "proc_exit" { "" } else { "(result i32)" };
        format!("(import \"wasi_snapshot_preview1\" \"{name}\" (func (param {parameters}) {result}))")
    });
    let text = format!("(module {} (func (export \"_start\")))", imports.concat());
    let bytes = parse::<wast::Wat<'_>>(&ParseBuffer::new(&text).unwrap()).expect(&text).encode().unwrap();
    let program = Program::read(&bytes, MachineLimits::default()).expect("a program");
    assert_eq!(program.missing_imports(), Vec::<String>::new());
}

#[test]
fn imports_that_are_not_there_or_of_another_type_are_named() {
    let text = r#"(module (import "wasi_snapshot_preview1" "fd_close" (func (param i64) (result i32)))
        (import "env" "outside" (func)) (func (export "_start")))"#;
    let bytes = parse::<wast::Wat<'_>>(&ParseBuffer::new(text).unwrap()).unwrap().encode().unwrap();
    let program = Program::read(&bytes, MachineLimits::default()).expect("a program");
    assert_eq!(program.missing_imports(), ["wasi_snapshot_preview1.fd_close", "env.outside"]);
}

#[test]
fn runs_that_end_at_a_missing_import_leave_paths_unknown() {
    let explore = |body: &str| {
        let text = format!(
            "(module (import \"env\" \"outside\" (func $outside)) (memory (export \"memory\") 1) (func (export \"_start\") {body}))"
        );
        let bytes = parse::<wast::Wat<'_>>(&ParseBuffer::new(&text).unwrap()).unwrap().encode().unwrap();
        let program = Program::read(&bytes, MachineLimits::default()).expect("a program");
        let control = Control::default();
        let runner = Runner::new(&program, WorldOptions::default(), 10_000, &control);
        let options = ExploreOptions::default();
        let mut explorer = Explorer::new(runner, Variables::default(), Terms::default(), options, &control);
        explorer.add(Input::default(), Origin::Seed);
        explorer.explore(&mut |_: &Test<'_>| ())
    };
    assert_eq!(explore(""), ExploreEnd::Complete);
    assert_eq!(explore("(call $outside)"), ExploreEnd::Exhausted);
}
