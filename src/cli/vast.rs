//! `playsim vast`: what playsim understands of a VAST or VMAP document.

use std::path::PathBuf;

use clap::ValueEnum;

use playsim::vast::{self, print};

use super::output::{Out, Talk};
use super::{Exit, decode, input};

#[derive(Debug, clap::Args)]
pub(super) struct Vast {
    /// VAST and VMAP documents; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// An overview for people, or JSON: one object a document
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    format: Format,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

impl Vast {
    /// Reads and prints every document. One with a fault, or with one in a document inside it, is a finding.
    pub(super) fn print(self, talk: &Talk) -> Exit {
        let mut out = Out::to(None);
        let mut exit = Exit::AsExpected;
        for file in &self.files {
            let name = input::name(file);
            let bytes = match input::bytes(file) {
                Ok(bytes) => bytes,
                Err(fault) => {
                    exit = exit.and(fault.tell(talk));
                    continue;
                }
            };
            let (text, written) = decode::lossy(&bytes);
            if let Some(remark) = decode::remark(&name, &text, &bytes, written) {
                talk.say(&remark);
            }
            let document = vast::read(&text);
            out.text(&match self.format {
                Format::Text => print::text(&name, &document),
                Format::Json => print::json(&name, &document) + "\n",
            });
            out.flush();
            if document.embedded().chain([&document]).any(|it| it.fault.is_some()) {
                exit = exit.and(Exit::Difference);
            }
            if out.is_closed() {
                break;
            }
        }
        exit.and(out.finish(talk))
    }
}
