//! `sundry completions` and `sundry man`: for shells and manuals, from the same definition as the
//! command line itself.

use std::io;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::arguments::Arguments;
use crate::failure::{Failure, Status};
use crate::output::{REDIRECTION, write_results};

/// Prints a completion script.
///
/// # Errors
/// The script cannot be written.
pub fn completions(shell: Shell) -> Result<Status, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "sundry", &mut text);
    write_results(&text, REDIRECTION)?;
    Ok(Status::Done)
}

/// Prints the manual page of a job, or of the whole program.
///
/// # Errors
/// There is no such job, or the page cannot be written.
pub fn man(job: Option<&str>) -> Result<Status, Failure> {
    let mut whole = Arguments::command();
    // Gives the jobs their full names.
    whole.build();
    let command = match job {
        None => whole,
        Some(job) => find_job(&whole, job)?,
    };
    let mut text = Vec::new();
    render(command, &mut text).map_err(|error| Failure::writing_results(&error, REDIRECTION))?;
    write_results(&text, REDIRECTION)?;
    Ok(Status::Done)
}

fn find_job(whole: &Command, job: &str) -> Result<Command, Failure> {
    if let Some(found) = whole.find_subcommand(job) {
        return Ok(found.clone());
    }
    let names: Vec<&str> = whole.get_subcommands().map(Command::get_name).collect();
    let help = format!("choose one of: {}", names.join(", "));
    Err(Failure::usage(format_args!("there is no job '{job}'")).with_help(help))
}

fn render(command: Command, out: &mut Vec<u8>) -> io::Result<()> {
    Man::new(command).section("1").render(out)
}
