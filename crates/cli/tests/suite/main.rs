//! The program as its users meet it: arguments in, files, messages and exit codes out.

mod bad_input;
mod batch;
mod built_in;
mod common;
mod compressed;
mod coverage;
mod effects;
mod encodings;
mod files;
mod floats;
mod fuzz;
mod fuzz_asking;
mod fuzz_campaigns;
mod fuzz_seeds;
#[cfg(unix)]
mod hostile;
mod integers;
mod limits;
mod links;
mod locks;
mod log;
mod messages;
mod meta;
mod models;
mod pysmt;
mod reduce;
mod rows;
mod sample;
mod signals;
mod small_spaces;
mod solve;
mod stress;
mod volume;
mod volume_batches;
mod volume_judged;
mod volume_resume;
