//! Short names of solvers for reports: commands with the names of files in place of paths.

use std::collections::{BTreeMap, BTreeSet};

use sundry_external::command_with;

/// Short names by command. Commands that differ only in the folders of files, and programs of one name, keep as many folders as it takes.
pub struct SolverNames(BTreeMap<String, String>);

impl SolverNames {
    /// The names of these commands.
    pub fn of<'c>(commands: impl IntoIterator<Item = &'c str>) -> SolverNames {
        let commands: BTreeSet<&str> = commands.into_iter().collect();
        let longest = commands.iter().map(|command| command.matches('/').count() + 1).max().unwrap_or(1);
        let name = |&command: &&str| {
            let program = program_of(command);
            // Neither another command nor another program has the same short name.
            let is_unique = |&parts: &usize| {
                let (short, program_name) = (shortened(command, parts), last_parts(&program, parts));
                commands.iter().filter(|other| **other != command).all(|other| {
                    let another = program_of(other);
                    shortened(other, parts) != short
                        && (another == program || last_parts(&another, parts) != program_name)
                })
            };
            let parts = (1..longest).find(is_unique).unwrap_or(longest);
            (command.to_string(), shortened(command, parts))
        };
        SolverNames(commands.iter().map(name).collect())
    }

    /// The name of a command.
    pub fn get<'n>(&'n self, command: &'n str) -> &'n str {
        self.0.get(command).map_or(command, String::as_str)
    }

    /// A text with names in place of commands.
    pub fn in_text(&self, text: &str) -> String {
        let mut commands: Vec<(&String, &String)> = self.0.iter().collect();
        // One command may be the beginning of another.
        commands.sort_by_key(|(command, _)| std::cmp::Reverse(command.len()));
        commands
            .into_iter()
            .fold(text.to_string(), |text, (command, name)| text.replace(command.as_str(), name))
    }
}

/// The program of a command.
fn program_of(command: &str) -> String {
    shlex::split(command).and_then(|words| words.into_iter().next()).unwrap_or_default()
}

/// A command with the last parts of each path in it.
fn shortened(command: &str, parts: usize) -> String {
    let Some(words) = shlex::split(command) else { return command.to_string() };
    let mut words =
        words.iter().map(|word| if word.starts_with('-') { word } else { last_parts(word, parts) });
    let program = words.next().and_then(|program| shlex::try_quote(program).ok());
    program.map_or_else(|| command.to_string(), |program| command_with(&program, words))
}

/// The last parts of a path.
pub fn last_parts(path: &str, parts: usize) -> &str {
    let start = path.rmatch_indices('/').nth(parts - 1).map_or(0, |(slash, _)| slash + 1);
    &path[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_as_many_folders_as_they_need() {
        let commands =
            ["/opt/a/z3 x.y=2", "/opt/b/z3 -st", "/usr/bin/cvc5 --strings-exp", "sh '/home/me/a b.sh'"];
        let names = SolverNames::of(commands);
        assert_eq!(
            commands.map(|command| names.get(command)),
            ["a/z3 x.y=2", "b/z3 -st", "cvc5 --strings-exp", "sh 'a b.sh'"]
        );
        assert_eq!(names.get("other"), "other");
        assert_eq!(names.in_text("/opt/b/z3 -st says so"), "b/z3 -st says so");
    }
}
