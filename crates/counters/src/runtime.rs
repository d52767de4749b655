//! Small runtimes in C, which users link into the programs that they instrument.

/// The text of `flush.c`: counters of gcov and llvm are written when a limit stops the program.
pub const FLUSH: &str = include_str!("../runtime/flush.c");

/// The text of `edges.c`: edges are counted in a file that survives the program.
pub const EDGES: &str = include_str!("../runtime/edges.c");

/// The runtimes with the names of their files, for a command that writes them out.
pub const FILES: [(&str, &str); 2] = [("flush.c", FLUSH), ("edges.c", EDGES)];

/// The environment variable at which `flush.c` acts.
pub(crate) const FLUSH_VARIABLE: &str = "SUNDRY_FLUSH_ON_SIGNAL";

/// The number of the signal at which `flush.c` writes the counters.
pub(crate) fn flush_signal() -> i32 {
    rustix::process::Signal::USR2.as_raw()
}
