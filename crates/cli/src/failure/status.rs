//! Exit codes: how a run ended, as scripts see it.

use std::process::ExitCode;

/// How a run ended. The numbers are the exit codes; of several statuses, the highest counts.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// What was asked for is done.
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

    /// The status of an exit code; codes that are none of ours are defects.
    pub fn from_code(code: u8) -> Status {
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
        for code in 0..=4 {
            assert_eq!(Status::from_code(code).code(), code);
        }
    }
}
