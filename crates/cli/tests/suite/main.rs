//! The program as its users meet it: arguments in, files, messages and exit codes out.

mod bad_input;
mod batch;
mod common;
mod coverage;
mod files;
mod fuzz;
#[cfg(unix)]
mod hostile;
mod meta;
mod reduce;
mod sample;
mod signals;
mod small_spaces;
mod solve;
mod volume;
mod volume_resume;
