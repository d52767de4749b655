//! The languages of models, recognised by the name of a file or the first words of a text.

use std::path::Path;

/// A language that models are written in.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// DIMACS CNF, with names of variables in its comments.
    Dimacs,
    /// The Universal Variability Language.
    Uvl,
    /// Models of PICT, Microsoft's tool for combinations of values.
    Pict,
}

impl Format {
    /// The format of files with this name; `None` for other names. The extensions of compressed files are ignored.
    pub fn of_name(name: &Path) -> Option<Format> {
        let extension =
            |name: &Path| name.extension().and_then(|it| it.to_str()).map(str::to_ascii_lowercase);
        match extension(name)?.as_str() {
            "gz" | "bz2" | "xz" | "zst" => match extension(Path::new(name.file_stem()?))?.as_str() {
                "gz" | "bz2" | "xz" | "zst" => None,
                inner => Format::of_extension(inner),
            },
            outer => Format::of_extension(outer),
        }
    }

    fn of_extension(extension: &str) -> Option<Format> {
        match extension {
            "dimacs" | "cnf" => Some(Format::Dimacs),
            "uvl" => Some(Format::Uvl),
            "pict" => Some(Format::Pict),
            _ => None,
        }
    }

    /// The format that the first words of a text can only belong to. Models of PICT have no such words, so they are
    /// never found.
    pub fn of_text(text: &str) -> Option<Format> {
        let text = text.trim_start();
        let word = text.split([' ', '\t', '\r', '\n']).next().unwrap_or("");
        match word {
            "c" | "p" => Some(Format::Dimacs),
            "namespace" | "include" | "imports" | "features" | "constraints" => Some(Format::Uvl),
            _ if text.starts_with("//") || text.starts_with("/*") => Some(Format::Uvl),
            _ => None,
        }
    }

    /// The format of a text: the one that its name says, or else the one that its first words say; `None` for SMT-LIB.
    ///
    /// ```
    /// use sundry_models::Format;
    ///
    /// assert_eq!(Format::recognise("backup.pict", "A: 1, 2"), Some(Format::Pict));
    /// assert_eq!(Format::recognise("model", "c 1 door\np cnf 1 0\n"), Some(Format::Dimacs));
    /// // The name is right, whatever the first words look like.
    /// assert_eq!(Format::recognise("door.smt2", "// no comment in SMT-LIB"), None);
    /// ```
    pub fn recognise(name: impl AsRef<Path>, text: &str) -> Option<Format> {
        let name = name.as_ref();
        match Format::of_name(name) {
            None if name.extension().is_some_and(|extension| extension == "smt2") => None,
            None => Format::of_text(text),
            named => named,
        }
    }

    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Format::Dimacs => "DIMACS",
            Format::Uvl => "UVL",
            Format::Pict => "PICT",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_first_words_tell_the_format() {
        let of_name = |name: &str| Format::of_name(Path::new(name));
        assert_eq!(of_name("a/b.dimacs"), Some(Format::Dimacs));
        assert_eq!(of_name("b.CNF.gz"), Some(Format::Dimacs));
        assert_eq!(of_name("b.uvl"), Some(Format::Uvl));
        assert_eq!(of_name("b.pict"), Some(Format::Pict));
        for other in ["b.smt2", "uvl", "b.txt", "b.gz", "b.smt2.gz", "b.cnf.gz.gz", ""] {
            assert_eq!(of_name(other), None, "{other}");
        }
        assert_eq!(Format::of_text("c a remark\np cnf 1 1\n"), Some(Format::Dimacs));
        assert_eq!(Format::of_text("\n\np cnf"), Some(Format::Dimacs));
        assert_eq!(Format::of_text("features\n\tA\n"), Some(Format::Uvl));
        assert_eq!(Format::of_text("// A phone\nnamespace Phone\n"), Some(Format::Uvl));
        for other in ["(set-logic QF_BV)", "; c", "", "Type: a, b", "cnf", "feature"] {
            assert_eq!(Format::of_text(other), None, "{other}");
        }
    }
}
