//! Where data and talk go.
//!
//! A reader that goes away (`| head`) is no error: what is left is not written and nothing is said.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use super::{Color, Exit};

/// Standard error: what people are told.
pub(super) struct Talk {
    /// Whether diagnostics are coloured.
    pub(super) color: bool,
    /// Whether differences on standard output are.
    paints: bool,
}

impl Talk {
    pub(super) fn new(color: Color) -> Talk {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_colored = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                !is_set("NO_COLOR") && !is_dumb && is_terminal
            }
        };
        let color = is_colored(io::stderr().is_terminal());
        Talk { color, paints: is_colored(io::stdout().is_terminal()) }
    }

    /// Whether standard output is coloured.
    pub(super) fn paints(&self) -> bool {
        self.paints
    }

    /// Differences as they go to standard output: coloured by the sign at the beginning of a line.
    pub(super) fn painted(&self, differences: &str) -> String {
        let color = |line: &str| match line.as_bytes().first() {
            Some(b'-') => Some("31"),
            Some(b'+') => Some("32"),
            Some(b'~') => Some("33"),
            Some(_) | None => None,
        };
        let line = |line: &str| match color(line).filter(|_| self.paints) {
            Some(color) => format!("\u{1b}[{color}m{line}\u{1b}[0m\n"),
            None => format!("{line}\n"),
        };
        differences.lines().map(line).collect()
    }

    /// Says something as it stands.
    pub(super) fn say(&self, text: &str) {
        // If nobody listens, nobody is left to be told.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Says what is wrong.
    pub(super) fn error(&self, text: &str) {
        let (on, off) = if self.color { ("\u{1b}[1;91m", "\u{1b}[0m") } else { ("", "") };
        self.say(&format!("{on}error{off}: {text}"));
    }
}

/// Standard output, or the file of `-o`, which is made when the first data come.
pub(super) struct Out {
    file: Option<PathBuf>,
    sink: Option<Box<dyn Write>>,
    error: Option<io::Error>,
}

impl Out {
    pub(super) fn to(file: Option<PathBuf>) -> Out {
        Out { file, sink: None, error: None }
    }

    /// Writes a text; what goes wrong is kept for the end.
    pub(super) fn text(&mut self, text: &str) {
        if self.error.is_none()
            && let Err(error) = self.write(text)
        {
            self.error = Some(error);
        }
    }

    /// Whether nothing was written yet.
    pub(super) fn is_untouched(&self) -> bool {
        self.sink.is_none()
    }

    /// Whether nothing more can be written.
    pub(super) fn is_closed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes what waits, so that talk about it stands behind it.
    pub(super) fn flush(&mut self) {
        if self.error.is_none()
            && let Some(sink) = &mut self.sink
        {
            self.error = sink.flush().err();
        }
    }

    /// Writes what waits and says what went wrong.
    pub(super) fn finish(mut self, talk: &Talk) -> Exit {
        self.flush();
        match self.error {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let name =
                    self.file.map_or_else(|| "standard output".to_owned(), |file| file.display().to_string());
                talk.error(&format!("{name} cannot be written: {}", why(&error)));
                Exit::WrongWorld
            }
            Some(_) | None => Exit::AsExpected,
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let sink = match &mut self.sink {
            Some(sink) => sink,
            None => {
                let sink: Box<dyn Write> = match &self.file {
                    Some(file) => Box::new(BufWriter::new(File::create(file)?)),
                    None => Box::new(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
                };
                self.sink.insert(sink)
            }
        };
        sink.write_all(text.as_bytes())
    }
}

impl fmt::Write for Out {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        if self.is_closed() { Err(fmt::Error) } else { Ok(()) }
    }
}

/// Why a file cannot be had, in words that are the same on every system.
pub(super) fn why(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        "there is no such file or folder".to_owned()
    } else if error.kind() == io::ErrorKind::PermissionDenied {
        "permission denied".to_owned()
    } else if error.kind() == io::ErrorKind::IsADirectory {
        "it is a folder".to_owned()
    } else {
        error.to_string()
    }
}

/// A file's name as it can be typed: in quotes if a shell would take it for more than one word.
pub(super) fn as_argument(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/\\:".contains(letter);
    if name.chars().all(is_plain) { name.to_owned() } else { format!("\"{name}\"") }
}
