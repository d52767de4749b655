//! Reports of sanitizers: AddressSanitizer, UndefinedBehaviorSanitizer, MemorySanitizer, ThreadSanitizer.
//!
//! The same fault has other addresses, numbers and lines of code around it each time, and in another release other lines altogether. The kind of the
//! fault and the innermost functions of the solver stay, and tell faults apart.

use std::ffi::OsString;

use crate::reading::signature;

/// The functions of the solver that tell faults apart, counted from the fault.
const FUNCTIONS: usize = 3;

/// Pieces of the files of frames that are not the solver's: the sanitizer itself, the libraries of C and C++.
const LIBRARIES: [&str; 9] = [
    "libsanitizer/",
    "compiler-rt/",
    "sysdeps/",
    "nptl/",
    "stdlib/",
    "csu/",
    "/usr/include/",
    "(/lib/",
    "(/usr/lib/",
];

/// The beginnings of functions that are not the solver's, where frames have no files.
const RUNTIME: [&str; 7] =
    ["__interceptor_", "__sanitizer", "__asan", "__ubsan", "__libc", "_start", "operator new"];

/// The variables that make sanitizers say where a fault is, each before what the user has set. Solvers leave memory to the end of
/// the process on purpose, so leaks are no faults; an assertion that calls `abort` has a stack of functions, too.
const DEFAULTS: [(&str, &str); 2] = [
    ("ASAN_OPTIONS", "detect_leaks=0:handle_abort=1:detect_stack_use_after_return=0"),
    ("UBSAN_OPTIONS", "print_stacktrace=1"),
];

/// The environment in which a build with sanitizers says where a fault is. Of two settings, the later counts, which is the user's.
pub(crate) fn environment() -> impl Iterator<Item = (&'static str, OsString)> {
    DEFAULTS.into_iter().map(|(name, default)| {
        let mut value = OsString::from(default);
        if let Some(own) = std::env::var_os(name) {
            value.push(":");
            value.push(own);
        }
        (name, value)
    })
}

/// The signature of the first report in a text: the kind of the fault and the innermost functions of the solver; where the report has no functions, its
/// summary.
pub(crate) fn report(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let (head, kind) = lines.by_ref().find_map(|line| Some((line, kind(line)?)))?;
    let summary = || text.lines().find(|line| is_summary(line)).unwrap_or(head);
    // Remarks on the signal stand between the head and the frames, and an empty line behind them.
    let frames = lines.map(str::trim_start).skip_while(|line| !line.starts_with('#'));
    let frames = frames.take_while(|line| line.starts_with('#'));
    let functions: Vec<&str> = frames.filter_map(function).take(FUNCTIONS).collect();
    Some(match functions.is_empty() {
        true => without_numbers(&signature(summary())),
        false => format!("{kind} in {}", functions.join(", called by ")),
    })
}

/// The kind of a fault, if the line is the head of a report.
fn kind(line: &str) -> Option<String> {
    if let Some((_, message)) = line.split_once("runtime error: ") {
        return Some(format!("UndefinedBehaviorSanitizer: {}", without_numbers(message)));
    }
    let (_, report) = line.split_once("ERROR: ").or_else(|| line.split_once("WARNING: "))?;
    let (sanitizer, description) = report.split_once(": ")?;
    let word = description.split([' ', ':', '(']).next()?;
    sanitizer.ends_with("Sanitizer").then(|| format!("{sanitizer}: {word}"))
}

fn is_summary(line: &str) -> bool {
    line.contains("SUMMARY: ") && line.contains("Sanitizer")
}

/// The function of a frame, without its parameters, if it is the solver's: `#1 0x55f9 in smt::context::pop(unsigned) /z3/context.cpp:5`.
fn function(frame: &str) -> Option<&str> {
    let (_, place) = frame.split_once(" in ")?;
    let (function, file) = place.rsplit_once(' ').unwrap_or((place, ""));
    let is_library = LIBRARIES.iter().any(|piece| file.contains(piece) || file.starts_with(piece));
    let is_runtime = RUNTIME.iter().any(|beginning| function.starts_with(beginning));
    (!is_library && !is_runtime).then(|| without_parameters(function))
}

/// A function without its parameters, which another release may have changed.
fn without_parameters(function: &str) -> &str {
    let mut from = 0;
    while let Some(open) = function[from..].find('(').map(|found| from + found) {
        let rest = &function[open..];
        let kept = ["(anonymous namespace)", "()("].into_iter().find(|part| rest.starts_with(part));
        match kept {
            // The parameters of `operator()` follow it.
            Some("()(") => return &function[..open + 2],
            Some(part) => from = open + part.len(),
            None => return &function[..open],
        }
    }
    function
}

/// A message with `N` for each number, which the input decides.
fn without_numbers(message: &str) -> String {
    let mut text = String::new();
    let mut in_number = false;
    for character in message.chars() {
        let in_word = text.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        if !in_number && character.is_ascii_digit() && !in_word {
            in_number = true;
            if text.ends_with('-') {
                text.pop();
            }
            text.push('N');
        }
        in_number &= character.is_ascii_hexdigit() || matches!(character, 'x' | '.');
        if !in_number {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report as AddressSanitizer prints it.
    fn address_report(process: u32, frames: &[&str]) -> String {
        let frames: Vec<String> = frames
            .iter()
            .enumerate()
            .map(|(depth, frame)| format!("    #{depth} 0x55f9{process}f62{depth} in {frame}\n"))
            .collect();
        format!(
            "sat\n=====\n=={process}=={}\nREAD of size 4 at 0x60200{process} thread T0\n{}\nfreed by thread T0 here:\n    \
             #0 0x7f30 in operator delete[](void*) ../../../../src/libsanitizer/asan/asan_new_delete.cpp:155\n    \
             #1 0x55f9 in elsewhere /build/z3/src/other.cpp:7\n\nSUMMARY: AddressSanitizer: heap-use-after-free\n",
            format_args!(
                "ERROR: AddressSanitizer: heap-use-after-free on address 0x6020{process} at pc 0x55f9"
            ),
            frames.concat()
        )
    }

    #[test]
    fn the_same_stack_is_the_same_fault() {
        let one = address_report(
            77,
            &[
                "__interceptor_memcpy ../../../../src/libsanitizer/sanitizer_common_interceptors.inc:827",
                "std::copy(int*, int*) /usr/include/c++/12/bits/stl_algo.h:100",
                "smt::context::pop(unsigned int) /build/z3/src/smt/context.cpp:5",
                "smt::(anonymous namespace)::undo::operator()(smt::context&) const /build/z3/src/smt/undo.cpp:17:3",
                "main /build/z3/src/shell/main.cpp:9",
                "__libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58",
            ],
        );
        let other = address_report(
            4711,
            &[
                "smt::context::pop(unsigned int, bool) /home/me/z3/src/smt/context.cpp:51",
                "smt::(anonymous namespace)::undo::operator()(smt::context&) const /home/me/z3/src/smt/undo.cpp:18",
                "main /home/me/z3/src/shell/main.cpp:9",
            ],
        );
        let signature = "AddressSanitizer: heap-use-after-free in smt::context::pop, \
                         called by smt::(anonymous namespace)::undo::operator(), called by main";
        assert_eq!(report(&one).as_deref(), Some(signature));
        assert_eq!(report(&other).as_deref(), Some(signature));
        let elsewhere =
            address_report(77, &["smt::context::push() /build/z3/src/smt/context.cpp:5", "main /m.cpp:9"]);
        assert_ne!(report(&elsewhere).as_deref(), Some(signature));
    }

    #[test]
    fn undefined_behaviour_is_known_by_its_message_and_stack() {
        let text = |left: &str, line: u32| {
            format!(
                "a.cpp:{line}:160: runtime error: signed integer overflow: {left} + 1 cannot be represented in type 'int32_t'\n    \
                 #0 0x56 in add(int, int) /z3/a.cpp:{line}\n    #1 0x57 in run /z3/a.cpp:6\n\nsat\n"
            )
        };
        let signature = "UndefinedBehaviorSanitizer: signed integer overflow: N + N cannot be represented in type 'int32_t' in add, called by run";
        assert_eq!(report(&text("2147483647", 5)).as_deref(), Some(signature));
        assert_eq!(report(&text("-3", 8)).as_deref(), Some(signature));
        let bare =
            "x/a.cpp:5:160: runtime error: load of value 190, which is not a valid value for type 'bool'";
        let bare = report(bare).expect("a report");
        assert_eq!(
            bare,
            "a.cpp:N:N: runtime error: load of value N, which is not a valid value for type 'bool'"
        );
    }

    #[test]
    fn signals_have_the_stack_of_their_fault() {
        let text = "AddressSanitizer:DEADLYSIGNAL\n====\n==9==ERROR: AddressSanitizer: ABRT on unknown address 0x97 (pc 0x7f)\n\
                    ==9==The signal is caused by a WRITE memory access.\n    #0 0x7f in __pthread_kill_implementation nptl/pthread_kill.c:44\n    \
                    #1 0x7f in __GI_abort stdlib/abort.c:79\n    #2 0x56 in check(bool) /z3/a.cpp:5\n\nSUMMARY: AddressSanitizer: ABRT nptl/pthread_kill.c:44\n";
        assert_eq!(report(text).as_deref(), Some("AddressSanitizer: ABRT in check"));
        assert_eq!(report("sat\n; no ERROR: here\n"), None);
    }
}
