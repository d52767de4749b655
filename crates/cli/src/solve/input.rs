//! Where the commands of a script come from: a file, or a stream that is answered as it arrives.
//!
//! The parser is handed a text that ends with a complete command. A file is one such text; of a
//! stream, one more command is added each time, found by a scanner that looks at every byte once.

use std::io::{self, Read};

use sundry::read::SourceText;
use sundry_smtlib::ExpressionScanner;

/// The text of a script, as far as it has arrived.
pub struct ScriptText {
    source: SourceText,
    /// The stream that the text grows from, if any.
    stream: Option<Stream>,
}

/// Bytes that have arrived, and how far they have been used.
struct Stream {
    reader: Box<dyn Read>,
    ended: bool,
    scanner: ExpressionScanner,
    bytes: Vec<u8>,
    /// The start of the bytes that are not in the text yet.
    start: usize,
    /// The start of the bytes that the scanner has not seen yet.
    scanned: usize,
}

/// What there is for the parser now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// A command, or at the end of a stream what is left of one.
    Command,
    /// A command with bytes that do not fit the encoding of those before it: it was replaced by blanks.
    NoText(String),
    /// The end of the script.
    End,
}

impl ScriptText {
    /// A text that is all there.
    pub fn whole(source: SourceText) -> Self {
        ScriptText { source, stream: None }
    }

    /// A text that arrives in pieces.
    pub fn stream(name: &str, reader: Box<dyn Read>) -> Self {
        let scanner = ExpressionScanner::new();
        let stream = Stream { reader, ended: false, scanner, bytes: Vec::new(), start: 0, scanned: 0 };
        ScriptText { source: SourceText::new(name, ""), stream: Some(stream) }
    }

    /// The text so far.
    pub fn source(&self) -> &SourceText {
        &self.source
    }

    /// Whether more may arrive.
    pub fn is_stream(&self) -> bool {
        self.stream.is_some()
    }

    /// Waits for a command behind `position`, up to which the parser has read.
    ///
    /// # Errors
    /// The stream cannot be read.
    pub fn wait(&mut self, position: usize) -> io::Result<Arrival> {
        match &mut self.stream {
            Some(stream) => {
                let bytes = stream.next_expression()?;
                Ok(self.add(bytes))
            }
            None if position < self.source.text().len() => Ok(Arrival::Command),
            None => Ok(Arrival::End),
        }
    }

    fn add(&mut self, bytes: Vec<u8>) -> Arrival {
        if bytes.is_empty() {
            return Arrival::End;
        }
        match self.source.append_bytes(bytes) {
            Ok(()) => Arrival::Command,
            Err(error) => {
                let position = self.source.text().len() + error.offset;
                let blanks: String = error.bytes.iter().map(|&byte| blank(byte)).collect();
                self.source.append(&blanks);
                let place = self.source.position(position);
                Arrival::NoText(format!("{}:{}:{}: {error}", self.source.name(), place.line, place.column))
            }
        }
    }
}

/// What keeps the lines of a text.
fn blank(byte: u8) -> char {
    if byte == b'\n' { '\n' } else { ' ' }
}

impl Stream {
    /// The bytes up to the end of the next expression, or the rest of the stream.
    fn next_expression(&mut self) -> io::Result<Vec<u8>> {
        loop {
            let end = self.scanner.advance(&self.bytes[self.scanned..]).map(|taken| self.scanned + taken);
            self.scanned = end.unwrap_or(self.bytes.len());
            if end.is_some() || self.ended {
                let expression = self.bytes[self.start..self.scanned].to_vec();
                self.start = self.scanned;
                return Ok(expression);
            }
            self.read_piece()?;
        }
    }

    /// Waits for more bytes.
    fn read_piece(&mut self) -> io::Result<()> {
        const PIECE: usize = 1 << 16;
        self.bytes.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        let length = self.bytes.len();
        self.bytes.resize(length + PIECE, 0);
        let result = loop {
            match self.reader.read(&mut self.bytes[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        let read = *result.as_ref().unwrap_or(&0);
        self.bytes.truncate(length + read);
        self.ended = read == 0;
        result.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Slow(Vec<u8>);

    impl Read for Slow {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            into[0] = self.0.remove(0);
            Ok(1)
        }
    }

    #[test]
    fn a_stream_gives_one_command_at_a_time() {
        let bytes = "(a) ; (\n(b \"ä\") (c".as_bytes().to_vec();
        let mut script = ScriptText::stream("s", Box::new(Slow(bytes)));
        let mut texts = Vec::new();
        while script.wait(0).expect("readable") != Arrival::End {
            texts.push(script.source().text().to_string());
        }
        assert_eq!(texts, ["(a)", "(a) ; (\n(b \"ä\")", "(a) ; (\n(b \"ä\") (c"]);
    }

    #[test]
    fn bytes_that_are_no_text_cost_one_command() {
        let bytes = b"(\xc3\xa4)\n(b\n\xff) (c)".to_vec();
        let mut script = ScriptText::stream("s", Box::new(io::Cursor::new(bytes)));
        assert_eq!(script.wait(0).expect("readable"), Arrival::Command);
        let message = "s:3:1: byte 0xff is not UTF-8 text, unlike the text before it".to_string();
        assert_eq!(script.wait(0).expect("readable"), Arrival::NoText(message));
        assert_eq!(script.wait(0).expect("readable"), Arrival::Command);
        assert_eq!(script.source().text(), "(\u{e4})\n  \n   (c)");
    }
}
