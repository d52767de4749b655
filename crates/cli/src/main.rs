//! The `sundry` binary.

fn main() -> std::process::ExitCode {
    sundry_cli::run(std::env::args_os()).into()
}
