//! What campaigns share: solvers of the command line, seeds, lists in JSON, and defects with their reports.

pub mod findings;
mod html_page;
pub mod json_file;
mod report;
pub mod seeds;
pub mod solvers;
