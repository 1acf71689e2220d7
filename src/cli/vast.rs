//! `playsim vast`: shows whether VAST and VMAP documents can be played, and what is in them.

use std::path::{Path, PathBuf};

use playsim::vast::{self, Document, print};
use playsim_scenario::world::{data_url_body, is_data_url};

use super::failure::Failure;
use super::format::{Format, text_or_json};
use super::output::{Out, Talk};
use super::{Exit, decode, file, input};
use verdict::Verdict;

mod verdict;

const EXITS: &str = "\
Exit codes:
  0  every document can be used
  1  a document, or an ad in one, cannot be used; with --strict, also if there are warnings
  2  invalid input: arguments
  3  I/O error: a file cannot be read";

#[derive(Debug, clap::Args)]
#[command(after_help = EXITS)]
pub(super) struct Vast {
    /// VAST and VMAP documents; - for standard input, or a data: URL
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Resolve relative URLs in the documents against this URL [default: the path of the file]
    #[arg(long, value_name = "URL")]
    base: Option<String>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// The output format: an overview, or one JSON object per document
    #[arg(long, value_parser = text_or_json(), default_value = "text", value_name = "FORMAT")]
    format: Format,
}

impl Vast {
    /// Reads and prints every document. A defect that makes a document (or one embedded in it)
    /// unusable is a finding.
    pub(super) fn print(self, talk: &Talk) -> Exit {
        let mut out = Out::to(None);
        let mut exit = Exit::AsExpected;
        for file in &self.files {
            let one = self.print_one(file, &mut out, talk);
            exit = exit.and(one.unwrap_or_else(|failure| failure.report(talk)));
            if out.is_closed() {
                break;
            }
        }
        exit.and(out.finish(talk))
    }

    fn print_one(&self, file: &Path, out: &mut Out, talk: &Talk) -> Result<Exit, Failure> {
        let url = file.to_str().filter(|word| is_data_url(word));
        let (name, bytes) = match url {
            Some(url) => {
                let name = url.split(',').next().unwrap_or_default().to_owned();
                (name, of_data_url(url)?)
            }
            None => (input::name(file), input::bytes(file)?),
        };
        let text = decode::told(&name, &bytes, talk);
        let mut document = vast::read(&text);
        let is_file = url.is_none() && !file::is_stdin(file);
        let place = is_file.then(|| input::address(file));
        if let Some(base) = self.base.as_ref().or(place.as_ref()) {
            document.resolve(base);
        }
        let verdict = Verdict::of(&name, &text, &document)?;
        out.text(&if self.format == Format::Json {
            print::json_with("verdict", &verdict, &document) + "\n"
        } else {
            verdict.lines(&name) + &print::text(&name, &document)
        });
        out.flush();
        let is_found = |it: &Document| {
            it.faults().next().is_some() || (self.strict && !it.warnings.is_empty())
        };
        let mut all = document.embedded().chain([&document]);
        Ok(Exit::of(!all.any(is_found)))
    }
}

/// Returns the document in a `data:` URL.
fn of_data_url(url: &str) -> Result<Vec<u8>, Failure> {
    data_url_body(url)
        .map(|body| body.as_bytes().to_vec())
        .ok_or_else(|| {
            let text = "the data: URL cannot be decoded; it needs a comma before its data, and valid base64 after \";base64\"";
            Failure::Input(text.to_owned())
        })
}
