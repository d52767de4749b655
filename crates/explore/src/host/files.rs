//! Descriptors: reading sources and files that the program has made, writing outputs and such files.

use sundry_wasm::Stop;

use super::directory::{is_root, name_of_path};
use super::world::{Call, Descriptor, MOST_DESCRIPTORS, World};
use super::{Read, Shadows, errno};
use crate::input::SourceKind;

/// Kinds of files in the interface.
const CHARACTER_DEVICE: u8 = 2;
const DIRECTORY: u8 = 3;
const REGULAR_FILE: u8 = 4;

/// The descriptor of the directory.
const DIRECTORY_DESCRIPTOR: u32 = 3;
/// The name of the directory.
const DIRECTORY_NAME: &[u8] = b"/";

/// The flag of `path_open` that makes a file if there is none.
const CREATE: u32 = 1;
/// The flag of `path_open` that opens directories only.
const MUST_BE_DIRECTORY: u32 = 2;
/// The flag of `path_open` that makes a file, and fails if there is one.
const EXCLUSIVE: u32 = 4;
/// The flag of `path_open` that empties a file.
const TRUNCATE: u32 = 8;
/// The flag of a descriptor whose writes go to the end of its file.
const APPEND: u32 = 1;

/// The right to read from a descriptor.
pub(super) const MAY_READ: u64 = 1 << 1;
/// The right to write to a descriptor.
pub(super) const MAY_WRITE: u64 = 1 << 6;

/// The greatest number of ranges in one call.
const MOST_RANGES: u32 = 1024;

/// The number of bytes that are kept of each output.
const MOST_OUTPUT: usize = 64 * 1024;

impl World<'_> {
    fn descriptor(&mut self, number: u32) -> Option<&mut Descriptor> {
        self.descriptors.get_mut(number as usize)?.as_mut()
    }

    /// The ranges (address, length) that an array of them describes; `None` if some is outside of the memory. Whether the program has objects there depends on how much of them is used.
    pub(super) fn ranges<S: Shadows>(
        &mut self,
        call: &mut Call<'_, S>,
    ) -> Result<Option<Vec<(u32, u32)>>, Stop> {
        let (array, count) = (call.word(1), call.word(2));
        if count > MOST_RANGES {
            return Ok(None);
        }
        let mut ranges = Vec::new();
        for number in 0..count {
            let at = array.wrapping_add(8 * number);
            let (Some(address), Some(length)) = (call.read_word(at)?, call.read_word(at.wrapping_add(4))?)
            else {
                return Ok(None);
            };
            if call.memory.get(u64::from(address), length as usize).is_none() {
                return Ok(None);
            }
            ranges.push((address, length));
        }
        Ok(Some(ranges))
    }

    pub(super) fn read<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let number = call.word(0);
        let (source, position) = match self.descriptor(number) {
            Some(&mut Descriptor::Source { number, position }) => (number, position),
            Some(&mut Descriptor::Made { file, position, rights, .. }) if rights & MAY_READ != 0 => {
                let (result, count) = self.read_made(call, (file, position), call.word(3))?;
                if let Some(Descriptor::Made { position, .. }) = self.descriptor(number) {
                    *position = position.saturating_add(count);
                }
                return Ok(result);
            }
            Some(Descriptor::Empty) => {
                return Ok(call.write(call.word(3), &0_u32.to_le_bytes()));
            }
            _ => return Ok(errno::BADF),
        };
        if call.shadows.is_at_end(number as usize, source, position, self.input) {
            // The size of the buffer, which may depend on the input, makes no difference.
            return Ok(call.write(call.word(3), &0_u32.to_le_bytes()));
        }
        let (result, count) = self.read_from(call, (source, position), call.word(3))?;
        if let Some(Descriptor::Source { position, .. }) = self.descriptor(number) {
            *position += count;
        }
        Ok(result)
    }

    pub(super) fn read_at<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let position = u32::try_from(call.arguments[3]).unwrap_or(u32::MAX);
        match self.descriptor(call.word(0)) {
            Some(&mut Descriptor::Source { number, .. }) => {
                Ok(self.read_from(call, (number, position), call.word(4))?.0)
            }
            Some(&mut Descriptor::Made { file, rights, .. }) if rights & MAY_READ != 0 => {
                Ok(self.read_made(call, (file, position), call.word(4))?.0)
            }
            _ => Ok(errno::BADF),
        }
    }

    /// Checks that bytes may be written to a range of memory, and notes that a read brings them there.
    pub(super) fn deliver(&mut self, address: u32, length: u32) -> Result<(), Stop> {
        self.heap(|heap| heap.check_written_range(address, length))?;
        self.delivered.extend((length > 0).then_some((address, length)));
        Ok(())
    }

    /// Copies bytes of a source. Returns an error number, and the number of bytes.
    fn read_from<S: Shadows>(
        &mut self,
        call: &mut Call<'_, S>,
        (source, position): (usize, u32),
        count_at: u32,
    ) -> Result<(u64, u32), Stop> {
        let Some(ranges) = self.ranges(call)? else { return Ok((errno::FAULT, 0)) };
        if call.memory.get(u64::from(count_at), 4).is_none() {
            return Ok((errno::FAULT, 0));
        }
        let requested = ranges.iter().fold(0_u32, |sum, range| sum.saturating_add(range.1));
        let length = call.shadows.variables().length(self.input, source);
        let count = length.saturating_sub(position).min(requested);
        let descriptor = call.word(0) as usize;
        let read = Read { place: call.place, descriptor, source, position, requested, count };
        call.shadows.read(read, &ranges, count_at, call.memory)?;
        let first = call.shadows.variables().sources()[source].first;
        let mut done = 0;
        for (address, length) in ranges {
            let part = length.min(count - done);
            self.deliver(address, part)?;
            for index in 0..part {
                let variable = first + position + done + index;
                let byte = call.shadows.variables().value(self.input, variable) as u8;
                let range = call.memory.get_mut(u64::from(address + index), 1);
                range.expect("ranges are inside")[0] = byte;
            }
            done += part;
        }
        let range = call.memory.get_mut(u64::from(count_at), 4).expect("checked before");
        range.copy_from_slice(&count.to_le_bytes());
        Ok((errno::SUCCESS, count))
    }

    pub(super) fn write<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        self.write_to(call, None, call.word(3))
    }

    pub(super) fn write_at<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        self.write_to(call, Some(call.arguments[3]), call.word(4))
    }

    /// Writes to a descriptor, where it is or at a place.
    fn write_to<S: Shadows>(
        &mut self,
        call: &mut Call<'_, S>,
        at: Option<u64>,
        count_at: u32,
    ) -> Result<u64, Stop> {
        let Some(ranges) = self.ranges(call)? else { return Ok(errno::FAULT) };
        for &(address, length) in &ranges {
            self.heap(|heap| heap.check_range(address, length))?;
        }
        let count = ranges.iter().fold(0_u32, |sum, range| sum.saturating_add(range.1));
        match self.descriptor(call.word(0)) {
            Some(&mut Descriptor::Output { is_error }) => {
                let kept = if is_error { &mut self.output.stderr } else { &mut self.output.stdout };
                for (address, length) in ranges {
                    let bytes = call.memory.get(u64::from(address), length as usize).unwrap_or_default();
                    let room = MOST_OUTPUT - kept.len();
                    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
                }
            }
            Some(&mut Descriptor::Made { file, position, appends, rights }) if rights & MAY_WRITE != 0 => {
                let here = if appends { self.made.size(file) } else { position };
                let result = self.write_made(call, (file, at.unwrap_or(u64::from(here))), &ranges);
                if result != errno::SUCCESS {
                    return Ok(result);
                }
                if let (None, Some(Descriptor::Made { position, .. })) = (at, self.descriptor(call.word(0))) {
                    *position = here + count;
                }
            }
            _ => return Ok(errno::BADF),
        }
        Ok(call.write(count_at, &count.to_le_bytes()))
    }

    pub(super) fn seek<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let (number, offset, whence) = (call.word(0), call.arguments[1] as i64, call.word(2));
        let (found, present) = match self.descriptor(number) {
            Some(&mut Descriptor::Source { number, position }) => (Found::Source(number), position),
            Some(&mut Descriptor::Made { file, position, .. }) => (Found::Made(file), position),
            Some(_) => return Ok(errno::SPIPE),
            None => return Ok(errno::BADF),
        };
        let base = match whence {
            0 => 0,
            1 => i64::from(present),
            2 => i64::from(self.fixed_size(call, found)?),
            _ => return Ok(errno::INVAL),
        };
        let position = base.checked_add(offset).and_then(|position| u32::try_from(position).ok());
        let Some(position) = position else { return Ok(errno::INVAL) };
        if let Some(
            Descriptor::Source { position: present, .. } | Descriptor::Made { position: present, .. },
        ) = self.descriptor(number)
        {
            *present = position;
        }
        call.shadows.seek(number as usize, position);
        Ok(call.write(call.word(3), &u64::from(position).to_le_bytes()))
    }

    pub(super) fn position<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        match self.descriptor(call.word(0)) {
            Some(&mut (Descriptor::Source { position, .. } | Descriptor::Made { position, .. })) => {
                call.write_word(1, &u64::from(position).to_le_bytes())
            }
            Some(_) => Ok(errno::SPIPE),
            None => Ok(errno::BADF),
        }
    }

    pub(super) fn close<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let slot = self.descriptors.get_mut(call.word(0) as usize);
        Ok(slot.and_then(Option::take).map_or(errno::BADF, |_| errno::SUCCESS))
    }

    pub(super) fn descriptor_status<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let kind = match self.descriptor(call.word(0)) {
            // A standard input that is a file can be sought in, and programs buffer it.
            Some(Descriptor::Source { .. } | Descriptor::Made { .. } | Descriptor::Empty) => REGULAR_FILE,
            Some(Descriptor::Output { .. }) => CHARACTER_DEVICE,
            Some(Descriptor::Directory) => DIRECTORY,
            None => return Ok(errno::BADF),
        };
        let mut status = [0; 24];
        status[0] = kind;
        status[8..].fill(0xff);
        call.write_word(1, &status)
    }

    pub(super) fn file_status<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let (kind, size) = match self.descriptor(call.word(0)) {
            Some(&mut Descriptor::Source { number, .. }) => {
                (REGULAR_FILE, self.fixed_size(call, Found::Source(number))?)
            }
            Some(&mut Descriptor::Made { file, .. }) => (REGULAR_FILE, self.made.size(file)),
            Some(Descriptor::Empty) => (REGULAR_FILE, 0),
            Some(Descriptor::Output { .. }) => (CHARACTER_DEVICE, 0),
            Some(Descriptor::Directory) => (DIRECTORY, 0),
            None => return Ok(errno::BADF),
        };
        call.write_word(1, &status_of_file(kind, size))
    }

    pub(super) fn path_status<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let path = call.fixed_bytes(call.word(2), call.word(3))?;
        if is_root(&path) {
            return call.write_word(4, &status_of_file(DIRECTORY, 0));
        }
        let found = file_name(&path).and_then(|name| self.find(call.shadows, &name));
        let Some(found) = found else { return Ok(errno::NOENT) };
        let size = self.fixed_size(call, found)?;
        call.write_word(4, &status_of_file(REGULAR_FILE, size))
    }

    pub(super) fn open<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let path = call.fixed_bytes(call.word(2), call.word(3))?;
        let (flags, rights, appends) = (call.word(4), call.arguments[5], call.word(7) & APPEND != 0);
        let is_emptied = flags & TRUNCATE != 0;
        let name = file_name(&path);
        let found = name.as_deref().and_then(|name| self.find(call.shadows, name));
        let descriptor = match found {
            _ if is_root(&path) => Descriptor::Directory,
            Some(_) if flags & MUST_BE_DIRECTORY != 0 => return Ok(errno::NOTDIR),
            Some(_) if flags & EXCLUSIVE != 0 && flags & CREATE != 0 => return Ok(errno::EXIST),
            Some(Found::Source(number)) if !is_emptied && rights & MAY_WRITE == 0 => {
                Descriptor::Source { number, position: 0 }
            }
            None if flags & CREATE == 0 => return Ok(errno::NOENT),
            found => {
                let Some(name) = name else { return Ok(errno::NOENT) };
                let file = match found {
                    Some(Found::Made(file)) => {
                        if is_emptied {
                            self.resize_made(call.shadows, file, 0);
                        }
                        Some(file)
                    }
                    Some(Found::Source(source)) => self.adopt(call, (source, name), is_emptied)?,
                    None => self.made.make(name),
                };
                let Some(file) = file else { return Ok(errno::NOSPC) };
                Descriptor::Made { file, position: 0, appends, rights }
            }
        };
        let free = self.descriptors.iter().position(Option::is_none).unwrap_or(self.descriptors.len());
        if free >= MOST_DESCRIPTORS {
            return Ok(errno::INVAL);
        }
        if free == self.descriptors.len() {
            self.descriptors.push(None);
        }
        self.descriptors[free] = Some(descriptor);
        call.shadows.seek(free, 0);
        call.write_word(8, &(free as u32).to_le_bytes())
    }

    pub(super) fn directory<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        if call.word(0) != DIRECTORY_DESCRIPTOR {
            return Ok(errno::BADF);
        }
        let mut bytes = [0; 8];
        bytes[4] = DIRECTORY_NAME.len() as u8;
        call.write_word(1, &bytes)
    }

    pub(super) fn directory_name<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        if call.word(0) != DIRECTORY_DESCRIPTOR {
            return Ok(errno::BADF);
        }
        if (call.word(2) as usize) < DIRECTORY_NAME.len() {
            return Ok(errno::INVAL);
        }
        call.write_word(1, DIRECTORY_NAME)
    }
}

/// The name of the file that a path is of, if it is of one below the directory.
pub(super) fn file_name(path: &[u8]) -> Option<String> {
    name_of_path(&String::from_utf8_lossy(path))
}

/// A file, by its number.
#[derive(Copy, Clone)]
pub(super) enum Found {
    Source(usize),
    Made(usize),
}

impl World<'_> {
    /// The file of a name.
    pub(super) fn find<S: Shadows>(&self, shadows: &S, name: &str) -> Option<Found> {
        let source = || shadows.variables().find(&SourceKind::File(name.to_string()));
        let visible = || source().filter(|&source| !self.made.hides(source)).map(Found::Source);
        self.made.find(name).map(Found::Made).or_else(visible)
    }

    /// The size of a file, which the host needs.
    fn fixed_size<S: Shadows>(&self, call: &mut Call<'_, S>, found: Found) -> Result<u32, Stop> {
        match found {
            Found::Source(source) => call.shadows.fixed_length(call.place, source, self.input),
            Found::Made(file) => Ok(self.made.size(file)),
        }
    }
}

fn status_of_file(kind: u8, size: u32) -> [u8; 64] {
    let mut status = [0; 64];
    status[16] = kind;
    status[24] = 1;
    status[32..36].copy_from_slice(&size.to_le_bytes());
    status
}
