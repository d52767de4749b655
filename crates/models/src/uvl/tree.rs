//! The tree of features, as indentation shows it: features have groups, groups have features.

use rustc_hash::FxHashMap;
use sundry_smtlib::{Diagnostic, DiagnosticKind, Span, spend};
use sundry_term::Control;

use super::attributes::{self, Attribute};
use super::lexer::{Line, Token, Word, describe};
use crate::WORK_OF_WORD;
use crate::lines::shorten;

/// A feature.
#[derive(Debug)]
pub(super) struct Feature {
    pub(super) name: String,
    /// The place of its name.
    pub(super) span: Span,
    /// The feature above; none of the root.
    pub(super) parent: Option<usize>,
    /// The attributes of the feature, by the path of names.
    pub(super) attributes: FxHashMap<String, Attribute>,
}

/// The number of features of a group that a configuration with the parent must have.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Mandatory,
    Optional,
    /// At least the first and at most the second number; `u64::MAX` stands for no limit.
    Between(u64, u64),
}

/// Features below another one.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) kind: Kind,
    pub(super) parent: usize,
    pub(super) children: Vec<usize>,
    /// The place of its keyword.
    pub(super) span: Span,
}

/// All features, a parent before its children.
#[derive(Default, Debug)]
pub(super) struct Tree {
    pub(super) features: Vec<Feature>,
    pub(super) groups: Vec<Group>,
    pub(super) by_name: FxHashMap<String, usize>,
    /// Constraints that stand among attributes.
    pub(super) constraints: Vec<Vec<Word>>,
}

/// The role of an enclosing line.
#[derive(Copy, Clone)]
enum Node {
    Feature(usize),
    Group(usize),
}

/// Reads the lines below `features`.
pub(super) fn read(lines: &[Line], control: &Control) -> Result<Tree, Diagnostic> {
    let mut tree = Tree::default();
    let mut above: Vec<(usize, Node)> = Vec::new();
    for line in lines {
        spend(control, WORK_OF_WORD * line.words.len() as u32, line.span())?;
        let mut left = None;
        while let Some(&(indentation, _)) = above.last()
            && indentation >= line.indentation
        {
            left = Some(indentation);
            above.pop();
        }
        if left.is_some_and(|left| left != line.indentation) {
            let message = "the indentation of this line fits to no line above";
            return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), message)
                .with_help("features of a group, and groups of a feature, begin in the same column"));
        }
        let node = match above.last() {
            Some(&(_, Node::Feature(parent))) => Node::Group(tree.group(line, parent)?),
            Some(&(_, Node::Group(group))) => {
                let parent = tree.groups[group].parent;
                let feature = tree.feature(line, Some(parent))?;
                tree.groups[group].children.push(feature);
                Node::Feature(feature)
            }
            None if tree.features.is_empty() => Node::Feature(tree.feature(line, None)?),
            None => {
                let message = "there is a root feature already";
                let root = shorten(&tree.features[0].name);
                return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), message)
                    .with_help(format!("everything else stands below '{root}'")));
            }
        };
        above.push((line.indentation, node));
    }
    match tree.groups.iter().find(|group| group.children.is_empty()) {
        None => Ok(tree),
        Some(group) => {
            let message = "this group has no features";
            Err(Diagnostic::new(DiagnosticKind::Syntax, group.span, message)
                .with_expected("features below it, indented further"))
        }
    }
}

impl Tree {
    fn group(&mut self, line: &Line, parent: usize) -> Result<usize, Diagnostic> {
        let keyword = match &line.words[0].0 {
            Token::Word(word) => kind_named(word).map(|kind| (kind, 1)),
            _ => None,
        };
        let (kind, used) = match keyword {
            Some(found) => found,
            None => match bounds(&line.words)? {
                Some(((least, most), used)) => (Kind::Between(least, most), used),
                None => {
                    let message = format!("{} is no group of features", describe(&line.words[0].0));
                    return Err(Diagnostic::new(DiagnosticKind::Syntax, line.words[0].1, message)
                        .with_expected("mandatory, optional, or, alternative, or a number such as [1..3]")
                        .with_help("below a feature stand groups, and below these features"));
                }
            },
        };
        if let Some((token, span)) = line.words.get(used) {
            let message = format!("{} does not belong here", describe(token));
            return Err(
                Diagnostic::new(DiagnosticKind::Syntax, *span, message).with_expected("the end of the line")
            );
        }
        self.groups.push(Group { kind, parent, children: Vec::new(), span: line.span() });
        Ok(self.groups.len() - 1)
    }

    fn feature(&mut self, line: &Line, parent: Option<usize>) -> Result<usize, Diagnostic> {
        let mut words = &line.words[..];
        if let (Token::Word(word), span) = &words[0] {
            let is_type = matches!(word.as_str(), "Boolean" | "Integer" | "Real" | "String");
            if is_type && word != "Boolean" {
                let message = format!("features of type {word} are not supported");
                return Err(Diagnostic::new(DiagnosticKind::Unsupported, *span, message).with_help(
                    "their values have no bounds, and bit-vectors have; \
                     use an alternative group of the values that matter",
                ));
            }
            if kind_named(word).is_some() && parent.is_some() {
                let message = format!("the group '{word}' stands in another group");
                return Err(Diagnostic::new(DiagnosticKind::Syntax, *span, message)
                    .with_expected("a feature")
                    .with_help("a feature whose name is a keyword stands in quotation marks"));
            }
            if is_type {
                words = &words[1..];
            }
        }
        let (name, span) = match words.first() {
            Some((Token::Word(name) | Token::Quoted(name), span)) => (name.clone(), *span),
            Some((token, span)) => {
                let message = format!("{} is no name of a feature", describe(token));
                return Err(Diagnostic::new(DiagnosticKind::Syntax, *span, message)
                    .with_expected("a name")
                    .with_help("a name that does not begin with a letter stands in quotation marks"));
            }
            None => {
                let message = "the feature has no name";
                return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), message));
            }
        };
        words = cardinality(&words[1..])?;
        if let Some((Token::Mark("."), place)) = words.first() {
            let message = "features of other models are not supported";
            return Err(Diagnostic::new(DiagnosticKind::Unsupported, span.to(*place), message)
                .with_help("put the model that is imported in this place"));
        }
        let number = self.features.len();
        if let Some(&earlier) = self.by_name.get(&name) {
            let message = format!("there is a feature '{}' already", shorten(&name));
            return Err(Diagnostic::new(DiagnosticKind::Redeclared, span, message).with_help(format!(
                "the first one is at byte offset {}",
                self.features[earlier].span.start
            )));
        }
        self.by_name.insert(name.clone(), number);
        let attributes = attributes::read(words, &mut self.constraints)?;
        self.features.push(Feature { name, span, parent, attributes });
        Ok(number)
    }

    /// Whether a feature is another one or stands below it.
    pub(super) fn is_below(&self, feature: usize, other: usize) -> bool {
        // Parents come before their children.
        let mut at = Some(feature);
        while let Some(number) = at.filter(|&number| number >= other) {
            if number == other {
                return true;
            }
            at = self.features[number].parent;
        }
        false
    }
}

fn kind_named(word: &str) -> Option<Kind> {
    match word {
        "mandatory" => Some(Kind::Mandatory),
        "optional" => Some(Kind::Optional),
        "or" => Some(Kind::Between(1, u64::MAX)),
        "alternative" => Some(Kind::Between(1, 1)),
        _ => None,
    }
}

/// The least and the greatest number.
type Bounds = (u64, u64);

/// Bounds such as `[2]`, `[1..3]` and `[1..*]`, and how many words they take.
fn bounds(words: &[Word]) -> Result<Option<(Bounds, usize)>, Diagnostic> {
    let Some((Token::Mark("["), begin)) = words.first() else { return Ok(None) };
    let mark = |number: usize, wanted: &str| matches!(&words.get(number), Some((Token::Mark(it), _)) if *it == wanted);
    let number = |number: usize| match words.get(number) {
        Some((Token::Number(digits), _)) => digits.parse::<u64>().ok(),
        _ => None,
    };
    let found = match (number(1), number(3)) {
        (Some(exactly), _) if mark(2, "]") => Some(((exactly, exactly), 3)),
        (Some(least), Some(most)) if mark(2, "..") && mark(4, "]") => Some(((least, most), 5)),
        (Some(least), None) if mark(2, "..") && mark(3, "*") && mark(4, "]") => Some(((least, u64::MAX), 5)),
        _ => None,
    };
    match found {
        Some(((least, most), _)) if least > most => {
            let message = "the lower bound is above the upper one";
            Err(Diagnostic::new(DiagnosticKind::Syntax, begin.to(words[4].1), message))
        }
        Some(found) => Ok(Some(found)),
        None => Err(Diagnostic::new(DiagnosticKind::Syntax, *begin, "this is no cardinality")
            .with_expected("[2], [1..3] or [1..*]")),
    }
}

/// The words without the cardinality of a feature, if that is one.
fn cardinality(words: &[Word]) -> Result<&[Word], Diagnostic> {
    let Some((Token::Word(word), span)) = words.first() else { return Ok(words) };
    if word != "cardinality" {
        let message = format!("{} does not belong here", describe(&words[0].0));
        return Err(Diagnostic::new(DiagnosticKind::Syntax, *span, message)
            .with_expected("attributes in braces, or the end of the line")
            .with_help("a name with blanks stands in quotation marks"));
    }
    match bounds(&words[1..])? {
        Some(((1, 1), used)) => Ok(&words[1 + used..]),
        _ => {
            let message = "features that are there several times are not supported";
            Err(Diagnostic::new(DiagnosticKind::Unsupported, *span, message).with_help(
                "a Boolean constant stands for one feature; write the copies as features of their own",
            ))
        }
    }
}
