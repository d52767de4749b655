//! `sundry solve` as the solver behind pySMT, through its generic SMT-LIB interface.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sundry_testing::skipped::skip;

/// Where `tools/oracles` installs pySMT: `$SUNDRY_ORACLES`, or `.venv` in the workspace.
fn python() -> PathBuf {
    let oracles = std::env::var_os("SUNDRY_ORACLES").map(PathBuf::from);
    oracles.unwrap_or_else(|| root().join(".venv")).join("bin/python")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Why pySMT cannot be used here, if so.
fn missing() -> Option<String> {
    let python = python();
    let mut import = Command::new(&python);
    match import.args(["-c", "import pysmt"]).stderr(Stdio::null()).status() {
        Ok(status) if status.success() => None,
        Ok(_) => Some(format!("{} has no pysmt", python.display())),
        Err(error) => Some(format!("{}: {error}", python.display())),
    }
}

#[test]
fn pysmt_drives_the_solver() {
    if let Some(reason) = missing() {
        skip("pysmt_drives_the_solver", format_args!("{reason}; tools/oracles installs it"));
        return;
    }
    let output = Command::new(python())
        .arg(root().join("tools/drive_with_pysmt.py"))
        .args([env!("CARGO_BIN_EXE_sundry"), "solve"])
        .output()
        .expect("python starts");
    let (told, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}{error}");
    let checks = [
        "models",
        "operators",
        "levels_and_several_checks",
        "arrays",
        "functions_and_sorts",
        "cores_and_assignments",
        "errors",
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), checks);
}
