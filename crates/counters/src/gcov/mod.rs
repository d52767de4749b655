//! Lines of programs that GCC has built with `--coverage`.
//!
//! The notes of the build (`.gcno`) are read once. Each run writes its counters (`.gcda`) into a folder of its own, as
//! `GCOV_PREFIX` says, where they are read in this process and removed, since the runtime of GCC adds to what it finds. The
//! counts of lines are those of gcov ([`program`] says where they differ). The crate `cov` reads files of GCC 4 to 7 and
//! `grcov` has a licence that this project does not accept; starting gcov takes seconds for a large program.

mod build;
mod cycles;
mod data;
mod notes;
mod program;
mod records;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use self::build::Build;
use crate::files::{read_whole, walk};
use crate::open::OpenError;
use crate::provider::{Counter, CounterError, CounterProvider, FileCounters, Preparation, locked};
use crate::runtime;

/// The provider of lines of a program that was built with `gcc --coverage`.
#[derive(Debug)]
pub struct Gcov {
    build: Build,
    /// The objects of files of counters, by their paths below the folder of a run.
    objects: Mutex<HashMap<PathBuf, Option<u32>>>,
    /// Buffers that no thread uses now.
    buffers: Mutex<Vec<Buffers>>,
}

/// The buffers of a thread that reads the counters of a run.
#[derive(Default, Debug)]
struct Buffers {
    file: Vec<u8>,
    /// The count of each line of the build.
    lines: Vec<i64>,
    scratch: program::Scratch,
}

impl Gcov {
    /// Reads the notes of a build, which are below a folder.
    ///
    /// # Errors
    /// There are no notes, or they cannot be read.
    pub fn open(folder: &Path) -> Result<Gcov, OpenError> {
        let build = Build::read(folder)?;
        Ok(Gcov { build, objects: Mutex::default(), buffers: Mutex::default() })
    }

    fn object_of(&self, path: &Path) -> Option<u32> {
        let mut objects = locked(&self.objects);
        if let Some(object) = objects.get(path) {
            return *object;
        }
        let object = self.build.object_of(path);
        objects.insert(path.to_path_buf(), object);
        object
    }

    /// Adds the counters of a file to the lines. Returns whether the file belongs to the build.
    fn add(&self, path: &Path, relative: &Path, buffers: &mut Buffers) -> Result<bool, CounterError> {
        let Some(object) = self.object_of(relative) else { return Ok(false) };
        let Buffers { file, lines, scratch } = buffers;
        let bytes = read_whole(path, file).map_err(|error| CounterError::File(path.to_path_buf(), error))?;
        let object = &self.build.objects[object as usize];
        data::add(bytes, object, &self.build.programs, lines, scratch)
            .map_err(|fault| CounterError::Malformed(path.to_path_buf(), fault.to_string()))?;
        Ok(true)
    }

    fn counters(&self, lines: &[i64]) -> Vec<FileCounters> {
        let mut files: Vec<FileCounters> = Vec::new();
        for &place in &self.build.order {
            let Some(count) = u64::try_from(lines[place as usize]).ok().filter(|&count| count > 0) else {
                continue;
            };
            let (file, line) = self.build.lines[place as usize];
            if files.last().is_none_or(|last| last.file != file) {
                files.push(FileCounters { file, lines: Vec::new() });
            }
            if let Some(last) = files.last_mut() {
                last.lines.push(Counter { line, count });
            }
        }
        files
    }
}

impl CounterProvider for Gcov {
    fn name(&self) -> &'static str {
        "gcov"
    }

    fn unit(&self) -> &'static str {
        "lines"
    }

    fn prepare(&self, folder: &Path) -> io::Result<Preparation> {
        fs::create_dir_all(folder)?;
        // A run may have been given up before its counters were taken.
        walk(folder, "gcda", &mut |path| fs::remove_file(&path).map_err(|error| (path, error)))
            .map_err(|(_, error)| error)?;
        let environment = vec![
            ("GCOV_PREFIX".to_string(), fs::canonicalize(folder)?.into_os_string()),
            // Names of files are whole: objects of different folders may share the last part.
            ("GCOV_PREFIX_STRIP".to_string(), "0".into()),
            (runtime::FLUSH_VARIABLE.to_string(), "1".into()),
        ];
        Ok(Preparation { environment, farewell: Some(runtime::flush_signal()), ..Preparation::default() })
    }

    fn take(&self, folder: &Path, _output: &str) -> Result<Vec<FileCounters>, CounterError> {
        let mut buffers = locked(&self.buffers).pop().unwrap_or_default();
        buffers.lines.clear();
        buffers.lines.resize(self.build.lines.len(), 0);
        let (mut met, mut known) = (None, false);
        let mut fault = None;
        walk(folder, "gcda", &mut |path| {
            let relative = path.strip_prefix(folder).unwrap_or(&path);
            if fault.is_none() {
                match self.add(&path, relative, &mut buffers) {
                    Ok(belongs) => known |= belongs,
                    Err(error) => fault = Some(error),
                }
            }
            fs::remove_file(&path).map_err(|error| (path.clone(), error))?;
            met = Some(path);
            Ok(())
        })
        .map_err(|(path, error)| CounterError::File(path, error))?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if !known {
            return Err(met.map_or(CounterError::Missing, |path| {
                CounterError::Malformed(path, records::Fault::OtherBuild.to_string())
            }));
        }
        let counters = self.counters(&buffers.lines);
        locked(&self.buffers).push(buffers);
        Ok(counters)
    }

    fn file_name(&self, file: u32) -> Option<String> {
        self.build.files.get(file as usize).cloned()
    }
}
