//! Exit codes: how a run ended, as scripts see it. In files, a status is the number.

use std::process::ExitCode;

use serde::{Deserialize, Serialize};

/// The status of a run at its end. The numbers are the exit codes; of several statuses, the highest counts.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "u8", from = "u8")]
pub enum Status {
    /// The run did what was asked for.
    Done = 0,
    /// Done, and something was found that the caller must look at: an unsatisfiable formula to
    /// sample, a model that satisfies nothing.
    Attention = 1,
    /// The command line or an input is at fault.
    Input = 2,
    /// A limit stopped the run; what was found until then is kept.
    Limit = 3,
    /// A defect of this program.
    Internal = 4,
}

impl Status {
    /// The exit code.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Status> for u8 {
    fn from(status: Status) -> u8 {
        status.code()
    }
}

/// The status of an exit code; codes that are none of ours are defects.
impl From<u8> for Status {
    fn from(code: u8) -> Status {
        match code {
            0 => Status::Done,
            1 => Status::Attention,
            2 => Status::Input,
            3 => Status::Limit,
            _ => Status::Internal,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_status_counts() {
        assert_eq!([Status::Done, Status::Limit, Status::Input].into_iter().max(), Some(Status::Limit));
    }

    #[test]
    fn a_status_is_its_number() {
        for code in 0..=4 {
            assert_eq!(Status::from(code).code(), code);
            assert_eq!(serde_json::to_string(&Status::from(code)).expect("text"), code.to_string());
        }
        assert_eq!(serde_json::from_str::<Status>("101").expect("a number"), Status::Internal);
    }
}
