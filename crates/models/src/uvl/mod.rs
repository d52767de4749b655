//! Feature models in the Universal Variability Language.
//!
//! Source: Benavides et al., *UVL: Feature modelling with the Universal Variability Language* (Journal of Systems and
//! Software, 2025), and the grammar at <https://github.com/Universal-Variability-Language/uvl-parser>. Each feature is a
//! Boolean constant that says whether it is selected. Attributes are constants; those of a feature that is not selected
//! count as 0, as an empty text, or as false, and an average of nothing is 0, as in the language server of UVL. Numbers
//! are exact (`number.rs`).
//!
//! Refused with their place: features of types other than Boolean (their values have no bounds), features that may
//! occur several times, imports, division by a value that varies, order of texts, and chains of implications, which
//! tools read differently.

mod attributes;
mod constraint;
mod lexer;
mod number;
mod tree;

use sundry_smtlib::{Diagnostic, DiagnosticKind, SourceText, Span, spend};
use sundry_term::{Control, Op, TermId};

use crate::WORK_OF_WORD;
use crate::builder::Builder;
use crate::model::SystemModel;
use lexer::{Line, Token, describe};
use tree::{Kind, Tree};

/// Reads a model.
pub(crate) fn read(source: &SourceText, control: &Control) -> Result<SystemModel, Diagnostic> {
    let lines = lexer::lines(source.text(), control)?;
    let end = Span::new(source.text().len(), source.text().len());
    let mut features = None;
    let mut constraints: Option<&[Line]> = None;
    let mut rest = &lines[..];
    while let Some(head) = rest.first() {
        let length = 1 + rest[1..].iter().take_while(|line| line.indentation > head.indentation).count();
        let (section, behind) = rest.split_at(length);
        rest = behind;
        let keyword = match &head.words[0].0 {
            Token::Word(word) => word.as_str(),
            _ => "",
        };
        match keyword {
            "namespace" | "include" => {}
            "imports" => {
                let message = "imports are not supported";
                return Err(Diagnostic::new(DiagnosticKind::Unsupported, head.span(), message)
                    .with_help("put the features and constraints of the other models into this one"));
            }
            "features" if features.is_none() => features = Some(tree::read(&section[1..], control)?),
            "constraints" if constraints.is_none() => constraints = Some(&section[1..]),
            "features" | "constraints" => {
                let message = format!("there is a part '{keyword}' already");
                return Err(Diagnostic::new(DiagnosticKind::Syntax, head.span(), message));
            }
            _ => {
                let message = format!("{} begins no part of a model", describe(&head.words[0].0));
                return Err(Diagnostic::new(DiagnosticKind::Syntax, head.words[0].1, message)
                    .with_expected("namespace, include, features or constraints")
                    .with_help("what belongs to a part is indented"));
            }
        }
    }
    let Some(mut tree) = features.filter(|tree| !tree.features.is_empty()) else {
        return Err(Diagnostic::new(DiagnosticKind::Syntax, end, "there are no features in it")
            .with_expected("'features', and a feature below it, indented"));
    };
    let mut all = std::mem::take(&mut tree.constraints);
    all.extend(constraints.into_iter().flatten().map(|line| line.words.clone()));
    let mut builder = Builder::default();
    let selected = encode(&mut builder, &tree, control)?;
    constraint::read(&mut builder, &tree, &selected, &all, control)?;
    Ok(builder.finish())
}

/// Declares the features and asserts the tree. Returns the constant of each feature.
fn encode(builder: &mut Builder, tree: &Tree, control: &Control) -> Result<Vec<TermId>, Diagnostic> {
    let selected: Vec<TermId> =
        tree.features.iter().map(|feature| builder.boolean(&feature.name, true)).collect();
    builder.assert(selected[0], tree.features[0].span);
    for group in &tree.groups {
        spend(control, WORK_OF_WORD * (1 + group.children.len() as u32), group.span)?;
        let parent = selected[group.parent];
        let children: Vec<TermId> = group.children.iter().map(|&child| selected[child]).collect();
        let places = group.children.iter().map(|&child| tree.features[child].span);
        let op = if group.kind == Kind::Mandatory { Op::Equal } else { Op::Implies };
        for (&child, span) in children.iter().zip(places) {
            let with_parent = builder.store.make(op, &[child, parent]);
            builder.assert(with_parent, span);
        }
        if let Kind::Between(least, most) = group.kind
            && (least > 0 || most < children.len() as u64)
        {
            let number = builder.between(&children, least, most);
            let if_parent = builder.store.make(Op::Implies, &[parent, number]);
            builder.assert(if_parent, group.span);
        }
    }
    Ok(selected)
}
