//! `playsim serve`: the edit call over HTTP.

use std::io::{self, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use playsim::catalog::Catalog;
use playsim::knobs::{Knobs, Profile};
use playsim::serve::{Config, Limits, Pace, ServeError, Server};
use playsim::words;

use super::output::Talk;
use super::{Exit, catalog, setting};

const ABOUT: &str = "\
The first line on standard output is the address. The routes of the edit call stand below it:
  POST /apiv3/video/edit/VIDEO_ID.json
  POST /apiv3/videos/edit.json and /apiv2/videos/edit.json, with the id in data[Video][id]
What tests need stands apart, below /_control: GET and PUT records, GET journal, GET openapi.json,
POST reset, faults and clock.

Examples:
  playsim serve --import records.json
  curl -F name='Big film' http://127.0.0.1:8080/apiv3/video/edit/v1.json
  playsim serve --listen 127.0.0.1:0 --catalog catalog.redb --knob edit.auth=bearer

Exit codes:
  0  stopped by SIGINT or SIGTERM; calls that ran were answered
  2  the input is wrong: usage, or a file that holds no records
  3  the world is wrong: the port is taken, the catalog is damaged, open elsewhere or cannot be written";

#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub(super) struct Serve {
    /// Where to listen; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS", value_parser = address)]
    listen: SocketAddr,
    /// Keep the records in this file, made if it is not there; without it they live as long as the server
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Add records from a JSON list; those whose ids are there already stay as they are; may be repeated
    #[arg(long, value_name = "RECORDS")]
    import: Vec<PathBuf>,
    /// Whether the calendar stands still at 2000-01-01 until it is moved, or follows the real clock: still or real
    #[arg(long, default_value_t, value_name = "PACE", value_parser = pace)]
    clock: Pace,
    /// Serve with this profile; playsim rules --knobs lists them
    #[arg(long, value_name = "NAME", value_parser = setting::profile)]
    profile: Option<Profile>,
    /// Set a knob on top of the profile's, like edit.auth=bearer; may be repeated
    #[arg(long, value_name = "KNOB=VALUE", value_parser = setting::knob)]
    knob: Vec<(String, String)>,
    /// A channel that there is; may be repeated; without it every channel is taken
    #[arg(long, value_name = "ID")]
    channel: Vec<u32>,
    /// The token that calls must show, with edit.auth=bearer or edit.auth=header; without it any token will do
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
}

impl Serve {
    /// Serves until a signal comes.
    pub(super) fn serve(self, talk: &Talk) -> Exit {
        let mut seeds = Catalog::new();
        for file in &self.import {
            match catalog::records(file) {
                // What was given first stands first.
                Ok(records) => records.iter().for_each(|record| {
                    if seeds.get(&record.id).is_none() {
                        seeds.insert(std::sync::Arc::clone(record));
                    }
                }),
                Err(fault) => return fault.tell(talk),
            }
        }
        let config = Config {
            listen: self.listen,
            catalog: self.catalog.clone(),
            seeds,
            knobs: self.knobs(),
            channels: Some(self.channel.clone()).filter(|channels| !channels.is_empty()),
            token: self.token.clone(),
            pace: self.clock,
            limits: Limits::default(),
        };
        match serve(config, talk) {
            Ok(()) => Exit::AsExpected,
            Err(error) => {
                talk.error(&told(&error));
                Exit::WrongWorld
            }
        }
    }

    fn knobs(&self) -> Knobs {
        let mut knobs = self.profile.map_or_else(Knobs::default, Profile::knobs);
        for (name, value) in &self.knob {
            knobs.set(name, value).expect("it was tried when the arguments were read");
        }
        knobs
    }
}

fn serve(config: Config, talk: &Talk) -> Result<(), ServeError> {
    let kept = config.catalog.clone();
    let server = Server::open(config)?;
    // Signals are heard before anybody knows the address.
    let stop = server.signals()?;
    // Whoever has closed the output knows the address.
    let _ = writeln!(io::stdout().lock(), "http://{}", server.address()).and_then(|()| io::stdout().flush());
    let records = server.records();
    let s = if records == 1 { "" } else { "s" };
    let place = kept.map_or_else(|| "in memory".to_owned(), |file| format!("in {}", file.display()));
    talk.say(&format!("{records} record{s} {place}; stop with Ctrl-C"));
    server.run(stop)
}

/// What went wrong, with what to do.
fn told(error: &ServeError) -> String {
    match error {
        ServeError::Listen(address, why) if why.kind() == io::ErrorKind::AddrInUse => {
            format!(
                "{address} is taken by another program; take another one, like --listen {}:0 for any that is free",
                address.ip()
            )
        }
        ServeError::Listen(..)
        | ServeError::Store(_)
        | ServeError::Record { .. }
        | ServeError::Write(_)
        | ServeError::Run(_) => error.to_string(),
    }
}

fn address(word: &str) -> Result<SocketAddr, String> {
    let form = "it takes an address with a port, like 127.0.0.1:8080 or 127.0.0.1:0";
    if let Ok(address) = word.parse() {
        return Ok(address);
    }
    let mut found = word.to_socket_addrs().map_err(|_| form)?;
    // A name like localhost; both of its addresses are this machine.
    found.next().ok_or_else(|| form.to_owned())
}

fn pace(word: &str) -> Result<Pace, String> {
    Pace::read(word).ok_or_else(|| words::unknown("clock", word, Pace::ALL.iter().map(|(name, _)| *name)))
}
