//! `sundry merge`: what campaigns have found that ran side by side, each finding once.
//!
//! Each campaign knows the causes of its own findings; here the same keys are applied to all of them. The folder is written
//! anew from the campaigns, so a merge may be repeated while they go on.

mod slow_inputs;

use std::path::{Path, PathBuf};

use sundry_stress::Cases;

use crate::arguments::MergeArguments;
use crate::campaign::findings::Findings;
use crate::campaign::html_page::Parts;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::fuzz::SlowCases;
use crate::output::OutputFolder;
use crate::stress;
use crate::values::counted;
use slow_inputs::SlowInputs;

/// The use of the folder of a merge.
const PURPOSE: &str = "the findings of several campaigns go to a folder, with a folder in it for each";

/// Runs the job.
///
/// # Errors
/// A folder is not that of a campaign, a file cannot be read or written, or another process is writing to the output folder.
pub fn run(arguments: &MergeArguments, console: &Console) -> Result<Status, Failure> {
    let campaigns = &arguments.campaigns;
    let mut cases = Vec::new();
    for campaign in campaigns {
        cases.extend(stress::read_cases(campaign)?);
    }
    if !cases.is_empty() && cases.len() < campaigns.len() {
        let message = "these are campaigns of sundry fuzz and of sundry stress";
        return Err(
            Failure::usage(message).with_help("merge the ones and the others into folders of their own")
        );
    }
    let output = OutputFolder::new(&arguments.output, PURPOSE)?;
    let _lock = output.lock()?;
    let is_of_fuzz = cases.is_empty();
    let (defects, slow) = match is_of_fuzz {
        true => {
            let mut slow = SlowCases::of_others(&output);
            for campaign in campaigns {
                slow.join(campaign, &campaign.display().to_string())?;
            }
            let parts = Parts { foot: &slow.section(None), ..Parts::default() };
            (merge_defects(campaigns, Path::new(""), &output, parts, slow.as_json())?, slow.count())
        }
        false => {
            let folder = output.folder(stress::DEFECTS.as_ref())?;
            let defects = merge_defects(
                campaigns,
                stress::DEFECTS.as_ref(),
                &folder,
                Parts::default(),
                serde_json::Value::Null,
            )?;
            (defects, merge_slow_inputs(campaigns, cases, &output)?)
        }
    };
    console.line(format_args!(
        "{}: {}, {}, in {}",
        counted(campaigns.len(), "campaign"),
        counted(defects.bugs().iter().len(), "defect"),
        counted(slow, "slow input"),
        output.path().display()
    ));
    let is_found = defects.has_confirmed() || !is_of_fuzz && slow > 0;
    Ok(if is_found { Status::Attention } else { Status::Done })
}

/// Merges the defects that campaigns have in a folder of theirs, on a page that has further parts.
fn merge_defects(
    campaigns: &[PathBuf],
    below: &Path,
    output: &OutputFolder,
    parts: Parts<'_>,
    slow: serde_json::Value,
) -> Result<Findings, Failure> {
    let mut findings = Findings::of_others(output);
    for campaign in campaigns {
        if !findings.join(&campaign.join(below), &campaign.display().to_string())? {
            let message = "this is not the folder of a campaign";
            return Err(Failure::of(FailureKind::Input, campaign.display(), message)
                .with_help("name folders that sundry fuzz or sundry stress has written with -o"));
        }
    }
    findings.set_slow(slow);
    findings.close(parts)?;
    Ok(findings)
}

/// Merges slow inputs. Returns their number.
fn merge_slow_inputs(
    campaigns: &[PathBuf],
    cases: Vec<Cases>,
    output: &OutputFolder,
) -> Result<usize, Failure> {
    let mut slow = SlowInputs::new(output);
    for (campaign, cases) in campaigns.iter().zip(cases) {
        slow.join(campaign, cases)?;
    }
    slow.close()?;
    Ok(slow.count())
}
