//! Files that a program makes: what it writes is there when it reads them, with the terms of its bytes.
//!
//! The files exist for one run. A source that the program opens for writing, renames or empties becomes such a file, with its bytes and their terms.
//! A source that the program removes or replaces is hidden from then on.

use std::collections::BTreeSet;

use sundry_wasm::Stop;

use super::files::{Found, MAY_READ, MAY_WRITE, file_name};
use super::world::{Call, Descriptor, World};
use super::{Shadows, errno};

/// The greatest number of bytes of all files that a run makes.
const MOST_BYTES: usize = 16 << 20;

/// The greatest number of files that a run makes.
const MOST_FILES: usize = 4096;

/// A file that the program has made.
#[derive(Clone, Default, Debug)]
struct MadeFile {
    /// The name; `None` once it was removed.
    name: Option<String>,
    bytes: Vec<u8>,
}

/// All files that a run has made, by their numbers.
#[derive(Clone, Default, Debug)]
pub(super) struct MadeFiles {
    files: Vec<MadeFile>,
    /// The numbers of sources that are not there any more, since the program has removed or replaced them, or has files of its own instead.
    hidden: BTreeSet<usize>,
}

impl MadeFiles {
    /// The file of this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|file| file.name.as_deref() == Some(name))
    }

    /// The names of all files.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| file.name.as_deref())
    }

    /// Whether a source is not there any more.
    pub(super) fn hides(&self, source: usize) -> bool {
        self.hidden.contains(&source)
    }

    /// A source is not there from now on.
    fn hide(&mut self, source: usize) {
        self.hidden.insert(source);
    }

    /// The size of a file.
    pub(super) fn size(&self, file: usize) -> u32 {
        self.files[file].bytes.len() as u32
    }

    /// Makes a file without bytes; `None` if there are too many.
    pub(super) fn make(&mut self, name: String) -> Option<usize> {
        if self.files.len() >= MOST_FILES {
            return None;
        }
        self.files.push(MadeFile { name: Some(name), bytes: Vec::new() });
        Some(self.files.len() - 1)
    }

    /// Gives a file this size, and new bytes the value zero. Returns the range of bytes that have gone or come, from the smaller to the larger size; `None` if
    /// there is no room for them.
    fn resize(&mut self, file: usize, size: u64) -> Option<(u32, u32)> {
        let all: usize = self.files.iter().map(|file| file.bytes.len()).sum();
        let bytes = &mut self.files[file].bytes;
        let (before, size) = (bytes.len(), usize::try_from(size).ok()?);
        if size > before && all - before + size > MOST_BYTES {
            return None;
        }
        bytes.resize(size, 0);
        Some((before.min(size) as u32, before.max(size) as u32))
    }
}

impl World<'_> {
    /// Makes a file of the program out of a source of this name, with its bytes, or without any if it is to be emptied. Descriptors of the source are of the file from
    /// then on. `None` if there is no room for it.
    pub(super) fn adopt<S: Shadows>(
        &mut self,
        call: &mut Call<'_, S>,
        (source, name): (usize, String),
        is_emptied: bool,
    ) -> Result<Option<usize>, Stop> {
        let is_of_source =
            |opened: &Descriptor| matches!(opened, Descriptor::Source { number, .. } if *number == source);
        // The position of a descriptor may be as long as the source, which depends on the input.
        let is_open = self.descriptors.iter().flatten().any(is_of_source);
        let length = match is_emptied && !is_open {
            true => 0,
            false => call.shadows.fixed_length(call.place, source, self.input)?,
        };
        let Some(file) = self.made.make(name) else { return Ok(None) };
        if self.made.resize(file, u64::from(length)).is_none() {
            self.made.files[file].name = None;
            return Ok(None);
        }
        let variables = call.shadows.variables();
        let first = variables.sources()[source].first;
        for (variable, byte) in (first..).zip(&mut self.made.files[file].bytes) {
            *byte = variables.value(self.input, variable) as u8;
        }
        call.shadows.save_source(source, length, file);
        self.made.hide(source);
        for (descriptor, opened) in self.descriptors.iter_mut().enumerate() {
            if let Some(Descriptor::Source { number, position }) = *opened
                && number == source
            {
                call.shadows.seek(descriptor, position);
                *opened = Some(Descriptor::Made { file, position, appends: false, rights: MAY_READ });
            }
        }
        if is_emptied {
            self.resize_made(call.shadows, file, 0);
        }
        Ok(Some(file))
    }

    /// Gives a file that the program has made this size. Returns an error number.
    pub(super) fn resize_made<S: Shadows>(&mut self, shadows: &mut S, file: usize, size: u64) -> u64 {
        match self.made.resize(file, size) {
            Some((least, most)) => {
                shadows.forget_saved(file, least, most - least);
                errno::SUCCESS
            }
            None => errno::NOSPC,
        }
    }

    /// Copies bytes of a file that the program has made to the ranges of a call. Returns an error number, and the number of bytes.
    pub(super) fn read_made<S: Shadows>(
        &mut self,
        call: &mut Call<'_, S>,
        (file, position): (usize, u32),
        count_at: u32,
    ) -> Result<(u64, u32), Stop> {
        let Some(ranges) = self.ranges(call)? else { return Ok((errno::FAULT, 0)) };
        let mut from = position.min(self.made.size(file));
        let first = from;
        for (address, length) in ranges {
            let part = length.min(self.made.size(file) - from);
            self.deliver(address, part)?;
            let bytes = &self.made.files[file].bytes[from as usize..(from + part) as usize];
            call.memory
                .get_mut(u64::from(address), part as usize)
                .expect("ranges are inside")
                .copy_from_slice(bytes);
            call.shadows.restore((file, from), (address, part));
            from += part;
        }
        let count = from - first;
        Ok((call.write(count_at, &count.to_le_bytes()), count))
    }

    /// Copies bytes at these ranges to a place in a file that the program has made. Returns an error number.
    pub(super) fn write_made<S: Shadows>(
        &mut self,
        call: &mut Call<'_, S>,
        (file, position): (usize, u64),
        ranges: &[(u32, u32)],
    ) -> u64 {
        let count: u64 = ranges.iter().map(|&(_, length)| u64::from(length)).sum();
        let Some(end) = position.checked_add(count) else { return errno::INVAL };
        if count == 0 {
            return errno::SUCCESS;
        }
        if end > u64::from(self.made.size(file)) {
            let result = self.resize_made(call.shadows, file, end);
            if result != errno::SUCCESS {
                return result;
            }
        }
        let mut to = position as u32;
        for &(address, length) in ranges {
            let bytes = call.memory.get(u64::from(address), length as usize).expect("ranges are inside");
            self.made.files[file].bytes[to as usize..(to + length) as usize].copy_from_slice(bytes);
            call.shadows.save((file, to), (address, length));
            to += length;
        }
        errno::SUCCESS
    }

    /// Removes the name of a file. Open descriptors keep the file.
    pub(super) fn unlink<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let path = call.fixed_bytes(call.word(1), call.word(2))?;
        let found = file_name(&path).and_then(|name| self.find(call.shadows, &name));
        Ok(found.map_or(errno::NOENT, |found| {
            self.remove(found);
            errno::SUCCESS
        }))
    }

    fn remove(&mut self, found: Found) {
        match found {
            Found::Made(file) => self.made.files[file].name = None,
            Found::Source(source) => self.made.hide(source),
        }
    }

    /// Gives a file that the program has made another name.
    pub(super) fn rename<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let [from, to] = [(1, 2), (4, 5)].map(|(at, length)| (call.word(at), call.word(length)));
        let mut name = |(address, length)| Ok::<_, Stop>(file_name(&call.fixed_bytes(address, length)?));
        let (Some(from), Some(to)) = (name(from)?, name(to)?) else { return Ok(errno::NOENT) };
        let Some(found) = self.find(call.shadows, &from) else { return Ok(errno::NOENT) };
        if from == to {
            return Ok(errno::SUCCESS);
        }
        let file = match found {
            Found::Made(file) => Some(file),
            Found::Source(source) => self.adopt(call, (source, from), false)?,
        };
        let Some(file) = file else { return Ok(errno::NOSPC) };
        if let Some(other) = self.find(call.shadows, &to) {
            self.remove(other);
        }
        self.made.files[file].name = Some(to);
        Ok(errno::SUCCESS)
    }

    /// Gives the file of a descriptor a size.
    pub(super) fn set_size<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> u64 {
        match self.descriptors.get(call.word(0) as usize).and_then(Option::as_ref) {
            Some(&Descriptor::Made { file, rights, .. }) if rights & MAY_WRITE != 0 => {
                let size = call.arguments[1];
                self.resize_made(call.shadows, file, size)
            }
            Some(Descriptor::Source { .. } | Descriptor::Made { .. }) => errno::INVAL,
            Some(_) => errno::SUCCESS,
            None => errno::BADF,
        }
    }
}
