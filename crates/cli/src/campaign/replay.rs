//! The command that makes an input of a campaign again.
//!
//! A mutant of a seed depends on its number, on the options of the campaign and on what earlier mutants have brought, which the journal in the folder of
//! the campaign has. So the command is that of the campaign, in the folder where it ran: paths on it are relative to that folder.

use std::path::PathBuf;

use crate::untrusted::markdown_block;

/// The command of a campaign, and the folder where it ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CampaignCommand {
    /// The words of the command.
    pub words: Vec<String>,
    /// The folder; none if it has been removed.
    pub folder: Option<PathBuf>,
}

impl CampaignCommand {
    /// The command of this process.
    pub fn of_this_process() -> CampaignCommand {
        let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let words = std::iter::once("sundry".to_string()).chain(words).collect();
        CampaignCommand { words, folder: std::env::current_dir().ok() }
    }

    /// The lines for a shell that print the input at a place of the campaign again; `None` if no shell takes a word of them.
    pub fn replay(&self, place: &str) -> Option<String> {
        // Behind two dashes, options would be seeds.
        let options = self.words.iter().position(|word| word == "--").unwrap_or(self.words.len());
        let (before, behind) = self.words.split_at(options);
        let words = before.iter().map(String::as_str).chain(["--replay", place]);
        let command = shlex::try_join(words.chain(behind.iter().map(String::as_str))).ok()?;
        let Some(folder) = &self.folder else { return Some(command) };
        let folder = folder.to_string_lossy();
        let folder = shlex::try_quote(&folder).ok()?;
        Some(format!("cd {folder}\n{command}"))
    }
}

/// The part of a report about an input with the lines that print it again.
pub fn describe_replay(replay: &str) -> String {
    let lines = markdown_block(replay, "sh");
    format!("The following prints it again, as long as the folder of the campaign is there:\n\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(words: &[&str], folder: Option<&str>) -> Option<String> {
        let words = words.iter().map(|word| word.to_string()).collect();
        CampaignCommand { words, folder: folder.map(PathBuf::from) }.replay("a b.smt2:21")
    }

    #[test]
    fn the_command_is_that_of_the_campaign_with_one_more_option() {
        let command = ["sundry", "fuzz", "--solver", "z3 -st", "-o", "out", "seeds"];
        assert_eq!(
            replay(&command, Some("/home/my work")).as_deref(),
            Some("cd '/home/my work'\nsundry fuzz --solver 'z3 -st' -o out seeds --replay 'a b.smt2:21'")
        );
        let dashes = ["sundry", "fuzz", "--solver", "z3", "--", "-seeds"];
        let expected = "sundry fuzz --solver z3 --replay 'a b.smt2:21' -- -seeds";
        assert_eq!(replay(&dashes, None).as_deref(), Some(expected));
        assert_eq!(replay(&["sundry", "nul\0"], None), None);
    }
}
