//! `playsim vast`: shows whether VAST and VMAP documents can be played, and what is in them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use playsim::place::Place;
use playsim::report::dictionary::{self, ErrorCode};
use playsim::vast::{self, Document, WarningCode, print};
use playsim_scenario::world::{data_url_body, is_data_url};
use serde_json::Value;

use super::failure::Failure;
use super::findings::{FORMATS, Findings, Item, ItemFinding, Severity, rule};
use super::format::{Format, formats};
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
    /// The output format: an overview, or one JSON object per document, or the defects for other
    /// programs
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", value_name = "FORMAT")]
    format: Format,
}

impl Vast {
    /// Reads and prints every document. A defect that makes a document (or one embedded in it)
    /// unusable is a finding.
    pub(super) fn print(self, talk: &Talk) -> Exit {
        let mut out = Out::to(None);
        let mut exit = Exit::AsExpected;
        let mut items = Vec::new();
        for file in &self.files {
            let one = self.print_one(file, &mut items, &mut out, talk);
            exit = exit.and(one.unwrap_or_else(|failure| failure.report(talk)));
            if out.is_closed() {
                break;
            }
        }
        let rules = rules(&items);
        let findings = Findings::of("playsim vast", "document", items, rules);
        out.text(&findings.written(self.format).unwrap_or_default());
        exit.and(out.finish(talk))
    }

    /// Prints a document, or adds it to those that are printed together.
    fn print_one(
        &self,
        file: &Path,
        items: &mut Vec<Item>,
        out: &mut Out,
        talk: &Talk,
    ) -> Result<Exit, Failure> {
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
        if self.format == Format::Json {
            out.text(&(print::json_with("verdict", &verdict, &document) + "\n"));
        } else if self.format == Format::Text {
            out.text(&(verdict.lines(&name) + &print::text(&name, &document)));
        }
        out.flush();
        let item = self.item(name, is_file, &verdict, &document);
        let exit = Exit::of(!item.is_bad());
        items.push(item);
        Ok(exit)
    }

    /// Returns a document with its faults and warnings.
    fn item(&self, name: String, is_file: bool, verdict: &Verdict, document: &Document) -> Item {
        let strictly = if self.strict {
            Severity::Error
        } else {
            Severity::Information
        };
        let all = || document.embedded().chain([document]);
        let faults = all().flat_map(Document::faults);
        let faults = faults.map(|it| found(Severity::Error, it.code.to_string(), &it.text, it.at));
        let warnings = all().flat_map(|it| &it.warnings);
        let warnings = warnings.map(|it| found(strictly, it.code.to_string(), &it.text, it.at));
        let mut item = Item {
            file: if is_file { name.clone() } else { String::new() },
            name,
            verdict: verdict.word(),
            note: verdict.text.clone(),
            findings: faults.chain(warnings).collect(),
            ..Item::default()
        };
        if item.is_bad() {
            item.verdict = "faulty";
        }
        item
    }
}

fn found(severity: Severity, code: String, text: &str, at: Place) -> ItemFinding {
    ItemFinding {
        severity,
        title: code.clone(),
        place: Some((at.line, Some(at.column))),
        gist: text.to_owned(),
        key: code.clone(),
        text: text.to_owned(),
        detail: Some(format!("{at}: {text} [{code}]")),
        rule: code,
        ..ItemFinding::default()
    }
}

/// Returns the codes of faults and warnings, as rules.
fn rules(items: &[Item]) -> Vec<Value> {
    let codes: BTreeSet<&str> = items
        .iter()
        .flat_map(|item| &item.findings)
        .map(|found| &*found.rule)
        .collect();
    let meaning = |code: &str| -> &'static str {
        let mut warnings = WarningCode::ALL.iter();
        let warning = warnings.find(|it| it.word() == code).map(|it| it.meaning());
        let number = code.parse().map(ErrorCode::Number);
        let entry = || dictionary::all().find(|it| number.as_ref() == Ok(&it.code));
        warning.or_else(|| Some(entry()?.title)).unwrap_or_default()
    };
    codes
        .into_iter()
        .map(|code| rule(code, meaning(code)))
        .collect()
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
