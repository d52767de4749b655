//! A program that supervises all that it starts. The only test of its file, as that holds for the whole process.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use sundry_external::{Limits, OwnFile, StoppedBy, command_in, run, supervise};

/// Whether a process runs; one that waits to be reaped does so too.
fn exists(process: &str) -> bool {
    Path::new("/proc").join(process).exists()
}

#[test]
fn limits_hold_from_the_start_and_strays_are_killed() {
    let limits = Limits { wall: Duration::from_secs(20), file: Some(1 << 20), ..Limits::default() };
    supervise(&limits).expect("the system allows it");
    let never = AtomicBool::new(false);
    let folder = tempfile::tempdir().expect("a folder");
    let shell = |line: &str| {
        run(&mut command_in("sh", ["-c", line], folder.path()), &limits, &never).expect("a shell")
    };

    // The first thing that a program does.
    let is_cut = || {
        let writing = ["if=/dev/zero", "of=file", "bs=5000000", "count=1"];
        let finished = run(&mut command_in("dd", writing, folder.path()), &limits, &never).expect("dd");
        assert_eq!(finished.stopped, Some(StoppedBy::File), "{finished:?}");
        assert_eq!(fs::metadata(folder.path().join("file")).expect("a file").len(), 1 << 20);
    };
    (0..50).for_each(|_| is_cut());
    assert_eq!(shell("ulimit -c").output.text, "0\n");

    // Files of the program itself may be larger, if the signal does not end it, and the limit is there again afterwards.
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).expect("it is taken");
    let own = folder.path().join("own");
    let mut file = OwnFile::new(File::create(&own).expect("a file"));
    for _ in 0..5 {
        file.write_all(&vec![b'x'; 700_000]).expect("it is written");
    }
    assert_eq!(fs::metadata(&own).expect("a file").len(), 3_500_000);
    is_cut();

    // One whose parent has ended, one whose parent is killed, and one that has started another one.
    for line in [
        "setsid sleep 60 & echo $!",
        "(setsid sh -c 'echo $$; exec sleep 60' &) ; sleep 0.2",
        "setsid sh -c 'echo $$; setsid sleep 60 & echo $!; exec sleep 60' & sleep 0.2",
    ] {
        let finished = shell(line);
        assert!(finished.wall < Duration::from_secs(10), "{finished:?}");
        let strays: Vec<&str> = finished.output.text.split_whitespace().collect();
        assert!(!strays.is_empty(), "{finished:?}");
        for stray in strays {
            assert!(!exists(stray), "{line}: {stray} is left");
        }
    }

    // A process that outlives its parent is measured when it is reaped, and counts for the command in whose group it
    // is.
    let limits_of_processor = Limits { processor: Some(Duration::from_millis(300)), ..limits.clone() };
    let busy = "while :; do :; done";
    let line = format!("({busy}) & ({busy}) & wait");
    let finished = run(&mut command_in("sh", ["-c", &line], folder.path()), &limits_of_processor, &never);
    let finished = finished.expect("a shell");
    assert_eq!(finished.stopped, Some(StoppedBy::Processor));
    assert!(finished.processor >= Duration::from_millis(300), "{finished:?}");

    // Others that run at the same time are left alone, and each waits for its own.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let finished = shell("setsid sleep 60 & (sleep 0.01 &); sleep 0.02; echo done");
                    assert_eq!(finished.output.text, "done\n", "{finished:?}");
                    assert!(finished.status.success(), "{finished:?}");
                }
            });
        }
    });
    let left = fs::read_to_string(format!("/proc/self/task/{}/children", std::process::id()));
    assert_eq!(left.expect("the system tells").trim(), "");
}
