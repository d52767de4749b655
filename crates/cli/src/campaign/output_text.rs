//! The output of a solver as others can read it: with the file of the report in place of that of the run, and without warnings that
//! have nothing to do with the defect.

/// The name of the file that solvers get.
const QUESTION: &str = "question.smt2";

/// Parts of lines in which a solver complains of what the reduced script leaves out and its defect does not need.
const WARNINGS: [&str; 4] = [
    "No set-logic command was given before this point.",
    "will make all theories available.",
    "Consider setting a stricter logic for (likely) better performance.",
    "To suppress this warning in the future use (set-logic ALL).",
];

/// The output of a solver that got the script of this file.
pub fn readable(output: &str, file: &str) -> String {
    let is_warning = |line: &&str| WARNINGS.iter().any(|warning| line.contains(warning));
    let lines = output.split_inclusive('\n').filter(|line| !is_warning(line));
    without_folders(&lines.collect::<String>()).replace(QUESTION, file)
}

/// A text in which paths of scripts have no folders: those of temporary files mean nothing to anybody else.
pub fn without_folders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let is_border = |character: char| character.is_whitespace() || "\"'`()<>|=,;".contains(character);
    for piece in text.split_inclusive(is_border) {
        match piece.find(".smt2") {
            Some(end) => {
                let start = piece[..end].rfind('/').map_or(0, |slash| slash + 1);
                out.push_str(&piece[start..]);
            }
            None => out.push_str(piece),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_scripts_lose_their_folders() {
        let text = "(error \"/tmp/run-1/0/query.smt2:3.4: no\")\nat /usr/share\n";
        assert_eq!(without_folders(text), "(error \"query.smt2:3.4: no\")\nat /usr/share\n");
    }

    #[test]
    fn the_file_is_that_of_the_report_and_warnings_about_a_logic_are_gone() {
        let output = "sat\n/tmp/1/question.smt2:1.6: No set-logic command was given before this point.\n\
            /tmp/1/question.smt2:1.6: CVC4 will make all theories available.\n(error \"/tmp/1/question.smt2:2.14: no\")";
        assert_eq!(readable(output, "reduced.smt2"), "sat\n(error \"reduced.smt2:2.14: no\")");
    }
}
