//! How much memory the program may use, and who looks whether it is more.
//!
//! A thread looks at the process now and then, and raises a flag while more is in use than the budget allows. Whoever
//! works looks at that flag with its `Control`, stops, and keeps what it has. So the end comes before an allocation
//! fails, which would end the program where it stands. An allocator that counts was rejected: it costs at each
//! allocation, and the SAT solver is C++ and has one of its own.
//!
//! What counts is memory that is resident. Limits on the address space (`ulimit -v`, `ulimit -d`) are watched besides:
//! half of what they leave is used, because a vector that grows is there twice for a moment.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use rustix::process::{Resource, getrlimit};

use crate::console::Console;

/// How often somebody looks.
const LOOK: Duration = Duration::from_millis(50);

/// The share of the available memory that the program uses by default.
const SHARE: f64 = 0.75;

/// The share of the address space that limits leave.
const SHARE_OF_ADDRESSES: f64 = 0.5;

/// An amount of memory on the command line.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Amount {
    /// An amount in bytes.
    Bytes(u64),
    /// A share of what there is.
    Share(f64),
}

/// An amount of memory: a number with a unit, or a percentage.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_amount(text: &str) -> Result<Amount, String> {
    let wrong =
        || "expected an amount such as 512M or 2G, or a share of what there is such as 50%".to_string();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let unit = unit.trim_start().to_ascii_uppercase();
    if unit == "%" {
        return if number > 0.0 && number <= 100.0 {
            Ok(Amount::Share(number / 100.0))
        } else {
            Err(wrong())
        };
    }
    let unit = unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit);
    let power = ["K", "M", "G", "T"].iter().position(|it| *it == unit).ok_or_else(wrong)? + 1;
    let bytes = (number * 1024f64.powi(power as i32)) as u64;
    if bytes > 0 { Ok(Amount::Bytes(bytes)) } else { Err(wrong()) }
}

/// An amount of memory in bytes, for what is the same on all machines.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    match parse_amount(text)? {
        Amount::Bytes(bytes) => Ok(bytes),
        Amount::Share(_) => Err("expected an amount such as 512M or 2G".to_string()),
    }
}

/// Bytes for people.
pub struct Shown(pub u64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 as f64 / f64::from(1 << 20) {
            mebibytes if mebibytes < 1000.0 => write!(f, "{mebibytes:.0} MiB"),
            mebibytes => write!(f, "{:.1} GiB", mebibytes / 1024.0),
        }
    }
}

/// What of the process is limited.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// Memory that is there.
    Resident,
    /// Addresses, whether there is memory behind them or not.
    Addresses,
    /// Addresses of data.
    Data,
}

/// What a process uses, in bytes.
#[derive(Copy, Clone, Default)]
struct Usage {
    addresses: u64,
    resident: u64,
    data: u64,
}

impl Usage {
    /// The usage of this process now; none if the system does not report it.
    fn now() -> Option<Usage> {
        let text = fs::read_to_string("/proc/self/statm").ok()?;
        let page = rustix::param::page_size() as u64;
        let pages: Vec<u64> = text.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
        Some(Usage {
            addresses: pages.first()? * page,
            resident: pages.get(1)? * page,
            data: pages.get(5)? * page,
        })
    }

    fn of(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Resident => self.resident,
            Kind::Addresses => self.addresses,
            Kind::Data => self.data,
        }
    }
}

/// How much may be used of each kind.
#[derive(Clone, PartialEq, Debug)]
struct Budget(Vec<(Kind, u64)>);

impl Budget {
    /// The budget that somebody wants, or the default, within the limits of the system.
    fn new(wanted: Option<Amount>, start: Usage) -> Budget {
        let room = room(Path::new("/"));
        let of_room = |share: f64| room.map(|room| (room as f64 * share) as u64);
        let resident = match wanted {
            Some(Amount::Bytes(bytes)) => Some(bytes),
            Some(Amount::Share(share)) => of_room(share),
            None => of_room(SHARE),
        };
        let limited = |(kind, resource): (Kind, Resource)| {
            let limit = getrlimit(resource).current?;
            let left = limit.saturating_sub(start.of(kind));
            Some((kind, start.of(kind) + (left as f64 * SHARE_OF_ADDRESSES) as u64))
        };
        let limits = [(Kind::Addresses, Resource::As), (Kind::Data, Resource::Data)];
        let limits = limits.into_iter().filter_map(limited);
        Budget(resident.map(|bytes| (Kind::Resident, bytes)).into_iter().chain(limits).collect())
    }

    /// What is passed, if anything is: with what is in use.
    fn passed(&self, usage: Usage) -> Option<Excess> {
        let passed = self.0.iter().find(|(kind, most)| usage.of(*kind) > *most);
        passed.map(|&(kind, most)| Excess { kind, used: usage.of(kind), most })
    }
}

/// More in use than there may be.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Excess {
    kind: Kind,
    used: u64,
    most: u64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (used, most) = (Shown(self.used), Shown(self.most));
        match self.kind {
            Kind::Resident => write!(f, "{used} in use, and the limit is {most}; --memory raises it"),
            Kind::Addresses => {
                write!(
                    f,
                    "{used} of address space in use, and the limit is {most}, half of what 'ulimit -v' leaves"
                )
            }
            Kind::Data => {
                write!(
                    f,
                    "{used} of data segment in use, and the limit is {most}, half of what 'ulimit -d' leaves"
                )
            }
        }
    }
}

/// Somebody who looks at the memory of the process, until this is dropped.
pub struct Watch {
    /// What was passed first.
    excess: Arc<OnceLock<Excess>>,
    _ends: Option<mpsc::Sender<()>>,
}

impl Watch {
    /// Raises a flag while more is in use than somebody wants, or than is left.
    pub fn start(wanted: Option<Amount>, flag: &Arc<AtomicBool>) -> Watch {
        let excess: Arc<OnceLock<Excess>> = Arc::default();
        let Some(start) = Usage::now() else { return Watch { excess, _ends: None } };
        let (ends, ended) = mpsc::channel::<()>();
        let (budget, flag, first) = (Budget::new(wanted, start), Arc::clone(flag), Arc::clone(&excess));
        let look = move || {
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                let passed = Usage::now().and_then(|usage| budget.passed(usage));
                if let Some(passed) = passed {
                    first.get_or_init(|| passed);
                }
                flag.store(passed.is_some(), Ordering::Relaxed);
            }
        };
        // Without a thread nobody looks, as before there was one.
        let thread = thread::Builder::new().name("memory".into()).stack_size(1 << 17).spawn(look);
        Watch { excess, _ends: thread.is_ok().then_some(ends) }
    }

    /// Tells a run that a limit has stopped how much was in use, if it was memory.
    pub fn tell(&self, console: &Console) {
        if let Some(excess) = self.excess.get() {
            console.line(format_args!("stopped: {excess}"));
        }
    }
}

/// The number of bytes that this process may add to its memory, as far as machine and container allow; none if the system does not report it.
fn room(root: &Path) -> Option<u64> {
    let of_container = container_folders(root).into_iter().filter_map(|folder| left_in(&folder));
    available(root).into_iter().chain(of_container).min()
}

/// What the machine has left.
fn available(root: &Path) -> Option<u64> {
    let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

/// The folders of the control groups that this process is in, the outer ones too, of both versions.
fn container_folders(root: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut folders = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let mount = match controllers {
            "" => "sys/fs/cgroup",
            _ if controllers.split(',').any(|it| it == "memory") => "sys/fs/cgroup/memory",
            _ => continue,
        };
        let mount = root.join(mount);
        let own = mount.join(path.trim_start_matches('/'));
        folders
            .extend(own.ancestors().take_while(|folder| folder.starts_with(&mount)).map(Path::to_path_buf));
    }
    folders
}

/// What a control group has left; none where it has no limit. Cached files do not count: they give way.
fn left_in(folder: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |names: [&str; 2]| names.iter().find_map(|name| read(name)?.trim().parse::<u64>().ok());
    let limit = number(["memory.max", "memory.limit_in_bytes"])?;
    let used = number(["memory.current", "memory.usage_in_bytes"])?;
    let stat = read("memory.stat").unwrap_or_default();
    let cached = ["total_inactive_file ", "inactive_file "].iter().find_map(|name| {
        let number = stat.lines().find_map(|line| line.strip_prefix(name))?;
        number.trim().parse::<u64>().ok()
    });
    // Without a limit, version 1 has a number beyond all memory.
    (limit < 1 << 60).then(|| limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_units() {
        assert_eq!(parse_amount("2G"), Ok(Amount::Bytes(2 << 30)));
        assert_eq!(parse_amount("1.5GiB"), Ok(Amount::Bytes(3 << 29)));
        assert_eq!(parse_amount("512 mb"), Ok(Amount::Bytes(512 << 20)));
        assert_eq!(parse_amount("64K"), Ok(Amount::Bytes(64 << 10)));
        assert_eq!(parse_amount("50%"), Ok(Amount::Share(0.5)));
        for wrong in ["", "512", "G", "-1G", "0M", "101%", "0%", "1X", "1..2G", "NaN%"] {
            assert!(parse_amount(wrong).is_err(), "{wrong}");
        }
        assert_eq!((parse_bytes("2G"), parse_bytes("50%").is_ok()), (Ok(2 << 30), false));
    }

    #[test]
    fn amounts_are_shown_with_units() {
        assert_eq!(Shown(200 << 20).to_string(), "200 MiB");
        assert_eq!(Shown(2040 << 20).to_string(), "2.0 GiB");
        let excess = Excess { kind: Kind::Resident, used: 1946 << 20, most: 2 << 30 };
        assert_eq!(excess.to_string(), "1.9 GiB in use, and the limit is 2.0 GiB; --memory raises it");
    }

    #[test]
    fn what_is_passed_is_told() {
        let budget = Budget(vec![(Kind::Resident, 100), (Kind::Addresses, 1000)]);
        let usage = |resident, addresses| Usage { resident, addresses, data: 0 };
        assert_eq!(budget.passed(usage(100, 1000)), None);
        assert_eq!(budget.passed(usage(101, 10)).map(|it| (it.kind, it.used)), Some((Kind::Resident, 101)));
        assert_eq!(budget.passed(usage(10, 1001)).map(|it| it.kind), Some(Kind::Addresses));
    }

    /// A machine with these files.
    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("temporary folder");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("in the folder")).expect("folder");
            fs::write(path, text).expect("written");
        }
        root
    }

    #[test]
    fn the_least_of_machine_and_containers_is_left() {
        let info = ("proc/meminfo", "MemTotal: 100 kB\nMemAvailable:   4096 kB\n");
        assert_eq!(room(machine(&[info]).path()), Some(4 << 20));
        assert_eq!(room(machine(&[]).path()), None);
        let second = machine(&[
            info,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/memory.current", "1048576\n"),
            ("sys/fs/cgroup/a/memory.max", "3145728\n"),
            ("sys/fs/cgroup/a/memory.current", "2097152\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 1048576\n"),
        ]);
        assert_eq!(room(second.path()), Some(2 << 20));
        // In a container the folder of the own group may be the root of all that is seen.
        let first = machine(&[
            info,
            ("proc/self/cgroup", "7:cpu:/x\n4:memory:/unseen\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "3145728"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "2097152"),
            ("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 0\n"),
        ]);
        assert_eq!(room(first.path()), Some(1 << 20));
        let unlimited = machine(&[
            info,
            ("proc/self/cgroup", "4:memory:/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1"),
        ]);
        assert_eq!(room(unlimited.path()), Some(4 << 20));
    }

    #[test]
    fn a_process_knows_what_it_uses() {
        let usage = Usage::now().expect("the system tells");
        assert!(usage.resident > 0 && usage.resident <= usage.addresses && usage.data > 0);
        assert!(Budget::new(Some(Amount::Bytes(1)), usage).passed(usage).is_some());
        assert_eq!(Budget::new(None, usage).passed(Usage::default()), None);
    }
}
