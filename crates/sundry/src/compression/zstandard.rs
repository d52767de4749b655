//! All frames of Zstandard data (RFC 8878, section 3.1), one behind the other, each with its checksum verified.
//!
//! The decoder itself knows one frame at a time and leaves comparing the checksum to its caller.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Reads the content of all frames.
pub(super) struct ZstandardReader<R> {
    input: R,
    decoder: FrameDecoder,
    /// Whether a frame has begun whose end was not verified yet.
    in_frame: bool,
    /// Bytes of the frame that were handed out.
    length: u64,
}

impl<R: BufRead> ZstandardReader<R> {
    pub(super) fn new(input: R) -> Self {
        ZstandardReader { input, decoder: FrameDecoder::new(), in_frame: false, length: 0 }
    }

    /// Moves to the next frame that has content. Returns whether there is such a frame.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.input.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.input) {
                Ok(()) => {
                    self.in_frame = true;
                    self.length = 0;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = io::copy(&mut self.input.by_ref().take(length.into()), &mut io::sink())?;
                    if skipped < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(self.failure(error)),
            }
        }
        Ok(false)
    }

    /// Checks a frame of which everything was handed out.
    fn finish_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        let checksum = self.decoder.get_checksum_from_data();
        if checksum.is_some() && checksum != self.decoder.get_calculated_checksum() {
            return Err(invalid("the checksum of a frame is wrong"));
        }
        // 0 means that the frame does not tell.
        let announced = self.decoder.content_size();
        if announced != 0 && announced != self.length {
            return Err(invalid("the length of a frame is wrong"));
        }
        Ok(())
    }

    /// The decoder's error. Where the input has ended, that is the reason.
    fn failure(&mut self, error: FrameDecoderError) -> io::Error {
        match self.input.fill_buf() {
            Err(error) => error,
            Ok([]) => io::Error::new(io::ErrorKind::UnexpectedEof, error.to_string()),
            Ok(_) => invalid(error),
        }
    }
}

fn invalid(error: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

impl<R: BufRead> Read for ZstandardReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.in_frame && !self.next_frame()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.input, one) {
                    return Err(self.failure(error));
                }
            }
            let read = self.decoder.read(into)?;
            self.length += read as u64;
            if read > 0 {
                return Ok(read);
            }
            self.finish_frame()?;
        }
    }
}
