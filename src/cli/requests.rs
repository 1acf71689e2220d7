//! How real ad servers are asked: the options that `playsim fetch` and `playsim waterfall` share.

use std::path::PathBuf;

use playsim::fetch::{Client, ClientOptions, OptionsError, USER_AGENT};
use playsim::time::Span;

use super::failure::{Failure, Invalid};
use super::{input, reading};

/// The most bytes that can be asked for: no ad document is larger than playsim reads.
const LARGEST: u64 = 64 << 20;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Requests {
    /// Send this header, such as 'Accept-Language: de'; may be repeated. All but Accept,
    /// Accept-Language and Content-Language go to the origins of the tags only
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    header: Vec<(String, String)>,
    /// The URL of the page that the player would be on, sent as Referer
    #[arg(long, value_name = "URL")]
    referrer: Option<String>,
    /// The user agent to send; by default it names playsim
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<String>,
    /// Replace a macro in the given URLs, such as PAGEURL=https://site.test/; may be repeated
    #[arg(id = "macro", long, value_name = "NAME=VALUE", value_parser = replacement)]
    macros: Vec<(String, String)>,
    /// Give a request up after this time [default: 10s]
    #[arg(long, value_name = "TIME")]
    give_up: Option<Span>,
    /// Read at most this much of a document, in bytes or with kB or MB [default: 4MB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<u64>,
    /// Trust the certificates in this PEM file, and no others
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl Requests {
    /// Makes the client that asks the servers of these tags.
    pub(super) fn client<'a>(
        &self,
        tags: impl IntoIterator<Item = &'a str>,
    ) -> Result<Client, Failure> {
        let usual = ClientOptions::default();
        let roots = self
            .ca
            .as_ref()
            .map(|file| reading::bytes(file).map_err(Failure::cannot("read", file)));
        let options = ClientOptions {
            user_agent: self
                .user_agent
                .clone()
                .unwrap_or_else(|| USER_AGENT.to_owned()),
            referrer: self.referrer.clone(),
            headers: self.header.clone(),
            tags: tags.into_iter().map(str::to_owned).collect(),
            time_limit: self.time_limit(),
            size_limit: self.max_size.unwrap_or(usual.size_limit),
            roots: roots.transpose()?,
            ..usual
        };
        Client::new(options).map_err(|error| {
            let file = self
                .ca
                .as_ref()
                .filter(|_| matches!(error, OptionsError::Certificates(_)));
            let file = file
                .map(|file| format!("--ca {}: ", input::name(file)))
                .unwrap_or_default();
            Failure::Input(format!("{file}{error}"))
        })
    }

    /// Returns after which time a request is given up.
    pub(super) fn time_limit(&self) -> Span {
        self.give_up.unwrap_or(ClientOptions::default().time_limit)
    }

    /// Returns a URL with the macros of `--macro` replaced, in each of the ways in which macros are
    /// written.
    pub(super) fn filled(&self, url: &str) -> String {
        self.macros
            .iter()
            .fold(url.to_owned(), |url, (name, value)| {
                let forms = [
                    format!("[{name}]"),
                    format!("%%{name}%%"),
                    format!("${{{name}}}"),
                    format!("{{{name}}}"),
                ];
                forms.iter().fold(url, |url, form| url.replace(form, value))
            })
    }
}

fn header(word: &str) -> Result<(String, String), Invalid> {
    let (name, value) = word
        .split_once(':')
        .ok_or("must be a name, a colon and a value, such as 'Accept-Language: de'")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn replacement(word: &str) -> Result<(String, String), Invalid> {
    let (name, value) = word
        .split_once('=')
        .ok_or("must be a macro and its value, such as PAGEURL=https://site.test/")?;
    let name = name.trim().trim_matches(['[', ']', '%', '$', '{', '}']);
    if name.is_empty() {
        return Err(
            "must begin with the name of a macro, such as PAGEURL=https://site.test/".into(),
        );
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn size(word: &str) -> Result<u64, Invalid> {
    let digits = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &word[digits.len()..] {
        "" => 1,
        "kB" | "KB" | "k" => 1 << 10,
        "MB" | "M" => 1 << 20,
        _ => return Err("must be a size in bytes, or with kB or MB, such as 4MB".into()),
    };
    let bytes = digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(unit));
    bytes
        .filter(|bytes| (1..=LARGEST).contains(bytes))
        .ok_or_else(|| "must be a size from 1 byte to 64MB, such as 4MB".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_replaced_in_every_form() {
        let requests = Requests {
            macros: vec![
                replacement("[CB]=7").expect("a macro"),
                replacement("URL=x").expect("a macro"),
            ],
            ..Requests::default()
        };
        assert_eq!(
            requests.filled("https://a.test/[CB]?%%CB%%&${URL}&{URL}&[OTHER]"),
            "https://a.test/7?7&x&x&[OTHER]"
        );
    }

    #[test]
    fn a_size_has_a_unit_and_limits() {
        assert_eq!(size("4MB"), Ok(4 << 20));
        assert_eq!(size("500"), Ok(500));
        for word in ["", "0", "1GB", "MB", "65MB", "99999999999999999999"] {
            assert!(size(word).is_err(), "{word}");
        }
    }
}
