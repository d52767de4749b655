//! The one directory, which has the files that the caller names, and those that the program makes.

use sundry_wasm::Stop;

use super::world::{Call, Descriptor, World};
use super::{Shadows, errno};
use crate::input::SourceKind;

/// The kind of a regular file in entries.
const REGULAR_FILE: u8 = 4;

/// The size of an entry without its name.
const HEAD: usize = 24;

/// Whether a path is that of the directory itself.
pub(super) fn is_root(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').all(|part| part.is_empty() || part == b".")
}

/// The name of a file, given a path to it: without the slash in front, and without parts that lead nowhere (`.`, `//`) or back (`..`). `None` if the path is of no file
/// below the directory.
///
/// # Examples
///
/// ```
/// use sundry_explore::name_of_path;
///
/// assert_eq!(name_of_path("/./data//old/../list.txt").as_deref(), Some("data/list.txt"));
/// assert_eq!(name_of_path("data/../../list.txt"), None);
/// ```
pub fn name_of_path(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

impl World<'_> {
    /// Lists the files of the directory, from the one that the cookie counts.
    pub(super) fn list<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        match self.descriptors.get(call.word(0) as usize).and_then(Option::as_ref) {
            Some(Descriptor::Directory) => {}
            Some(_) => return Ok(errno::NOTDIR),
            None => return Ok(errno::BADF),
        }
        let room = call.word(2) as usize;
        let first = usize::try_from(call.arguments[3]).unwrap_or(usize::MAX);
        let sources = call.shadows.variables().sources().iter().enumerate();
        let kept = sources.filter_map(|(number, source)| match &source.kind {
            SourceKind::File(name) if !self.made.hides(number) => Some(name.as_str()),
            _ => None,
        });
        // Files in other folders are opened by their whole names only.
        let all = kept.chain(self.made.names()).filter(|name| !name.contains('/'));
        let files: Vec<String> = all.map(String::from).collect();
        let mut bytes: Vec<u8> = Vec::new();
        for (number, name) in files.into_iter().enumerate().skip(first) {
            let mut head = [0; HEAD];
            // Where to go on, and a number that is not that of another file.
            head[..8].copy_from_slice(&(number as u64 + 1).to_le_bytes());
            head[8..16].copy_from_slice(&(number as u64 + 2).to_le_bytes());
            head[16..20].copy_from_slice(&(name.len() as u32).to_le_bytes());
            head[20] = REGULAR_FILE;
            bytes.extend(head);
            bytes.extend(name.into_bytes());
        }
        // An entry that has no room is cut: the program asks again for it.
        bytes.truncate(room);
        let used = bytes.len() as u32;
        let written = call.write(call.word(1), &bytes);
        Ok(written.max(call.write(call.word(4), &used.to_le_bytes())))
    }

    /// Gives an open descriptor the number of another one, which is closed.
    pub(super) fn renumber<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let (from, to) = (call.word(0) as usize, call.word(1) as usize);
        let is_open = |number: usize| self.descriptors.get(number).is_some_and(Option::is_some);
        if !is_open(from) || !is_open(to) {
            return Ok(errno::BADF);
        }
        if from != to {
            let moved = self.descriptors[from].take();
            if let Some(Descriptor::Source { number, position }) = moved {
                // The position may be as long as the source, which depends on the input.
                call.shadows.fixed_length(call.place, number, self.input)?;
                call.shadows.seek(to, position);
            } else {
                call.shadows.seek(to, 0);
            }
            self.descriptors[to] = moved;
        }
        Ok(errno::SUCCESS)
    }
}
