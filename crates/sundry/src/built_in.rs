//! Sundry's own solver among other solvers: it is asked in this process as programs are asked in theirs.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sundry_external::{
    Circumstances, Finished, InProcess, Output, Profiles, Solver, StoppedBy, thread_processor_time,
};
use sundry_smtlib::SourceText;
use sundry_term::{Control, Stopped};

use crate::error::Place;
use crate::script::{Channels, Interpreter, InterpreterOptions, STANDARD_ERROR, ScriptStatus};

/// The name of the solver that [`built_in_solver`] returns.
///
/// ```
/// assert_eq!(sundry::BUILT_IN, "built-in");
/// ```
pub const BUILT_IN: &str = "built-in";

/// Sundry's own solver as one that answers inquiries in this process, without the time that starting a program takes. It reads
/// bit-vectors, arrays and functions, and refuses other theories as a program would. The control stops its work besides the
/// limits of each question: here it may look at the memory of the process, which a question cannot have a share of.
///
/// The limits on time are kept (processor time is that of the calling thread, since the solver runs on it alone) and the limit on
/// output. A defect of the solver that panics counts as a crash of it, and does not end the process.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
/// use sundry::built_in_solver;
/// use sundry::solvers::{Circumstances, Inquiry, Limits, Respondent, Verdict};
/// use sundry::Control;
///
/// let solver = built_in_solver(&Control::default());
/// let inquiry = Inquiry::parse("(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x31)) (check-sat)").unwrap();
/// let (limits, interrupted) = (Limits::default(), Arc::default());
/// // The folder is for the files of programs.
/// let here = Circumstances::new(Path::new("."), &limits, &interrupted);
/// assert_eq!(solver.ask(&inquiry, here)?.verdict(), Some(Verdict::Sat));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn built_in_solver(control: &Control) -> Solver {
    let profiles = Profiles::built_in();
    let profile = profiles.get("sundry").cloned().unwrap_or_default();
    Solver::in_process(BUILT_IN, profile, Arc::new(BuiltIn { control: control.clone() }))
}

#[derive(Debug)]
struct BuiltIn {
    control: Control,
}

impl InProcess for BuiltIn {
    fn version(&self) -> String {
        format!("sundry {}, in the process of whoever asks", env!("CARGO_PKG_VERSION"))
    }

    fn run(&self, script: &str, circumstances: Circumstances<'_>) -> Finished {
        let Circumstances { limits, interrupted, .. } = circumstances;
        let deadline = Instant::now().checked_add(limits.wall);
        let mut control = self.control.with_stop(Arc::clone(interrupted)).with_deadline(deadline);
        let is_used_up = Arc::new(AtomicBool::new(false));
        if let Some(limit) = limits.processor {
            let (limit, is_used_up) = (thread_processor_time() + limit, Arc::clone(&is_used_up));
            control = control.with_superseded(Arc::clone(&is_used_up)).with_observer(Arc::new(move || {
                if thread_processor_time() >= limit {
                    is_used_up.store(true, Ordering::Relaxed);
                }
            }));
        }
        let source = SourceText::new("script", script);
        let options = InterpreterOptions { control: control.clone(), ..InterpreterOptions::default() };
        let mut interpreter = Interpreter::new(options, Printed::default());
        let mut stopped = None;
        while stopped.is_none() && !interpreter.is_finished() {
            let Some(response) = interpreter.step(&source, false) else { break };
            if let Some(line) = interpreter.line(response) {
                interpreter.channels().answer(&line);
            }
            stopped = control.check().err();
        }
        let is_defect = interpreter.status() == ScriptStatus::Defect;
        let Printed { output, errors, .. } = std::mem::take(interpreter.channels());
        let whole = |text| Output { text, is_cut: false };
        Finished {
            output: whole(output),
            errors: whole(errors),
            // As a process ends: what it has printed may not count.
            status: ExitStatus::from_raw(i32::from(is_defect) << 8),
            stopped: stopped.map(|stopped| match stopped {
                Stopped::Deadline => StoppedBy::Wall,
                Stopped::Interrupted if is_used_up.load(Ordering::Relaxed) => StoppedBy::Processor,
                Stopped::Interrupted => StoppedBy::Interrupted,
                Stopped::Memory => StoppedBy::Memory,
            }),
            ..Finished::default()
        }
    }
}

/// The output that a program would have printed.
#[derive(Default)]
struct Printed {
    output: String,
    errors: String,
    /// Whether the script wants answers to stand among the errors.
    is_redirected: bool,
}

impl Printed {
    fn answer(&mut self, line: &str) {
        let place = if self.is_redirected { &mut self.errors } else { &mut self.output };
        place.push_str(line);
    }
}

impl Channels for Printed {
    fn set_regular(&mut self, name: &str) -> Result<(), String> {
        crate::script::only_standard(name)?;
        self.is_redirected = name == STANDARD_ERROR;
        Ok(())
    }

    fn reset(&mut self) {
        self.is_redirected = false;
    }

    fn note(&mut self, place: &Place, text: &str) {
        self.errors.push_str(&format!("{place}: {text}\n"));
    }

    fn defect(&mut self, place: &Place, text: &str) {
        self.note(place, text);
    }
}
