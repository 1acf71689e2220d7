//! Writes data to standard output or a file, and messages to standard error.
//!
//! If the reader closes the pipe (`| head`), the rest of the output is dropped without an error.
//!
//! Output quotes file names, documents and scenarios, which may contain control characters that a
//! terminal would obey. Therefore everything is escaped here, except for our own colours. Rule
//! TRACE-9.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

use playsim_base::escape;
use playsim_base::words::io_error;

use super::writing::NewFile;
use super::{Color, Exit, file};

/// Standard error: messages for the user.
pub(super) struct Talk {
    /// Whether messages are coloured.
    pub(super) color: bool,
    /// Whether differences on standard output are coloured.
    paints: bool,
}

/// Returns whether the terminal understands no control sequences.
pub(super) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

impl Talk {
    pub(super) fn new(color: Color) -> Talk {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_colored = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => !is_set("NO_COLOR") && !is_dumb() && is_terminal,
        };
        let color = is_colored(io::stderr().is_terminal());
        Talk {
            color,
            paints: is_colored(io::stdout().is_terminal()),
        }
    }

    /// Messages for a thread of their own.
    #[cfg(feature = "origin")]
    pub(super) fn colored(color: bool) -> Talk {
        Talk {
            color,
            paints: false,
        }
    }

    /// Returns whether standard output is coloured.
    pub(super) fn paints(&self) -> bool {
        self.paints
    }

    /// Escapes differences for [`Out::painted`], and colours each line by its leading sign.
    pub(super) fn painted(&self, differences: &str) -> String {
        let differences = escape::lines(differences);
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

    /// Prints a message, escaped.
    pub(super) fn say(&self, text: &str) {
        self.show(&escape::lines(text));
    }

    /// Prints a message that is already escaped and may be coloured.
    pub(super) fn show(&self, text: &str) {
        // If standard error is closed, there is no other place to report to.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Prints an error message.
    pub(super) fn error(&self, text: &str) {
        let (on, off) = if self.color {
            ("\u{1b}[1;91m", "\u{1b}[0m")
        } else {
            ("", "")
        };
        self.show(&format!("{on}error{off}: {}", escape::lines(text)));
    }
}

/// Standard output, or the file of `-o`, which is begun when the first data are written. It gets
/// its name when it is finished.
pub(super) struct Out {
    file: Option<PathBuf>,
    sink: Option<Sink>,
    error: Option<io::Error>,
}

enum Sink {
    Standard(BufWriter<StdoutLock<'static>>),
    File(NewFile),
}

impl Sink {
    fn write(&mut self) -> &mut dyn Write {
        match self {
            Sink::Standard(out) => out,
            Sink::File(file) => file,
        }
    }
}

impl Out {
    pub(super) fn to(file: Option<PathBuf>) -> Out {
        Out {
            file,
            sink: None,
            error: None,
        }
    }

    /// Writes to a file that is begun at once, so that it is made even if it stays empty.
    pub(super) fn begin(file: &Path) -> io::Result<Out> {
        Ok(Out {
            sink: Some(Sink::File(NewFile::begin(file)?)),
            ..Out::to(Some(file.to_owned()))
        })
    }

    /// Writes text, escaped; errors are kept for [`finish`](Out::finish).
    pub(super) fn text(&mut self, text: &str) {
        self.painted(&escape::lines(text));
    }

    /// Writes text that is already escaped and may be coloured.
    pub(super) fn painted(&mut self, text: &str) {
        if self.error.is_none()
            && let Err(error) = self.write(text)
        {
            self.error = Some(error);
        }
    }

    /// Returns whether nothing was written yet.
    pub(super) fn is_untouched(&self) -> bool {
        self.sink.is_none()
    }

    /// Returns whether writing has failed.
    pub(super) fn is_closed(&self) -> bool {
        self.error.is_some()
    }

    /// Flushes the output, so that later messages appear after it.
    pub(super) fn flush(&mut self) {
        if self.error.is_none()
            && let Some(sink) = &mut self.sink
        {
            self.error = sink.write().flush().err();
        }
    }

    /// Completes the output and reports an error that occurred.
    pub(super) fn finish(self, talk: &Talk) -> Exit {
        self.finish_by(NewFile::finish, talk)
    }

    /// Completes a file under a name that depends on what was written.
    pub(super) fn finish_as(self, path: PathBuf, talk: &Talk) -> Exit {
        self.finish_by(|file| file.finish_as(path), talk)
    }

    fn finish_by(mut self, finish: impl FnOnce(NewFile) -> io::Result<()>, talk: &Talk) -> Exit {
        self.flush();
        if self.error.is_none()
            && let Some(Sink::File(file)) = self.sink.take()
        {
            self.error = finish(file).err();
        }
        match self.error {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let name = self
                    .file
                    .map_or_else(|| "standard output".to_owned(), |file| file::name(&file));
                talk.error(&format!("cannot write {name}: {}", io_error(&error)));
                Exit::WrongWorld
            }
            Some(_) | None => Exit::AsExpected,
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let sink = match &mut self.sink {
            Some(sink) => sink,
            None => self.sink.insert(match &self.file {
                Some(file) => Sink::File(NewFile::begin(file)?),
                None => Sink::Standard(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
            }),
        };
        sink.write().write_all(text.as_bytes())
    }
}

impl fmt::Write for Out {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        if self.is_closed() {
            Err(fmt::Error)
        } else {
            Ok(())
        }
    }
}

/// Returns a file's name as a shell argument, in quotes if necessary. One that begins like an
/// option is given a folder.
pub(super) fn as_argument(name: &str) -> String {
    if name.starts_with('-') {
        return as_argument(&format!("./{name}"));
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/\\:".contains(letter);
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    }
}
