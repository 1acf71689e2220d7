//! `playsim serve`: the video edit API over HTTP.

use std::net::SocketAddr;
use std::path::PathBuf;

use playsim::catalog::Catalog;
use playsim::knobs::{Knobs, Profiles};
use playsim::serve::{Limits, Pace, ServeError, Server, ServerConfig};
use playsim_base::words;

use super::failure::{Failure, Invalid};
use super::output::Talk;
use super::{Exit, address, catalog, input, interrupt, setting};

const ABOUT: &str = "\
The first line on standard output is the base URL. Videos are edited at:
  POST /apiv3/video/edit/VIDEO_ID.json
  POST /apiv3/videos/edit.json and /apiv2/videos/edit.json, with the id in data[Video][id]
Controls for tests are below /_control: GET and PUT records, GET journal, GET openapi.json,
POST reset, faults and clock; pages of other origins are refused.

Examples:
  playsim serve --import records.json
  curl -F name='Big film' http://127.0.0.1:8080/apiv3/video/edit/v1.json
  playsim serve --listen 127.0.0.1:0 --catalog catalog.redb --knob edit.auth=bearer

Exit codes:
  0  stopped by SIGINT or SIGTERM, after answering the requests in progress
  2  invalid input: arguments, or a file without valid records
  3  I/O error: the port is in use, or the catalog is damaged, in use or not writable";

#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub(super) struct Serve {
    /// The address to listen on; port 0 for any free port
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS", value_parser = address::read)]
    listen: SocketAddr,
    /// Allow an address that other machines can reach
    #[arg(long)]
    expose: bool,
    /// Keep the records in this file, created if it does not exist [default: in memory]
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Add records from a JSON list, except those whose id already exists; may be repeated
    #[arg(long, value_name = "RECORDS")]
    import: Vec<PathBuf>,
    /// The server's clock: still (2000-01-01 until moved through /_control/clock) or real (the real
    /// time)
    #[arg(long, default_value_t, value_name = "PACE", value_parser = pace)]
    clock: Pace,
    /// Use this profile; playsim rules --knobs lists them
    #[arg(long, value_name = "NAME", value_parser = setting::profile)]
    profile: Option<Profiles>,
    /// Set a knob in addition to the profile, such as edit.auth=bearer; may be repeated
    #[arg(long, value_name = "KNOB=VALUE", value_parser = setting::knob)]
    knob: Vec<(String, String)>,
    /// An existing channel id; may be repeated [default: every id exists]
    #[arg(long, value_name = "ID")]
    channel: Vec<u32>,
    /// The token that requests must send with edit.auth=bearer or edit.auth=header
    /// [default: any token]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
}

impl Serve {
    /// Serves until a signal arrives.
    pub(super) fn serve(self, talk: &Talk) -> Result<Exit, Failure> {
        address::check(self.listen, self.expose)?;
        let mut seeds = Catalog::new();
        for file in &self.import {
            for record in catalog::records(file)?.iter() {
                // Of records with the same id, the first one counts.
                if seeds.get(&record.id).is_none() {
                    seeds.insert(std::sync::Arc::clone(record));
                }
            }
        }
        let config = ServerConfig {
            listen: self.listen,
            catalog: self.catalog.clone(),
            seeds,
            knobs: self.knobs(),
            channels: Some(self.channel.clone()).filter(|channels| !channels.is_empty()),
            token: self.token.clone(),
            pace: self.clock,
            limits: Limits::default(),
        };
        serve(config, talk).map_err(address::failed)?;
        Ok(Exit::AsExpected)
    }

    fn knobs(&self) -> Knobs {
        let mut knobs = self
            .profile
            .as_ref()
            .map_or_else(Knobs::default, Profiles::knobs);
        setting::set(&mut knobs, &self.knob);
        knobs
    }
}

fn serve(config: ServerConfig, talk: &Talk) -> Result<(), ServeError> {
    let kept = config.catalog.clone();
    let server = Server::open(config)?;
    // Signal handlers are installed before the address is printed, so that a client may send one at
    // once.
    let stop = server.signals()?;
    interrupt::leave_to_server();
    address::print(server.address());
    let records = words::counted(server.records(), "record");
    let place = kept.map_or_else(
        || "in memory".to_owned(),
        |file| format!("in {}", input::name(&file)),
    );
    talk.say(&format!("{records} {place}; stop with Ctrl-C"));
    server.run(stop)
}

fn pace(word: &str) -> Result<Pace, Invalid> {
    let known = Pace::ALL.iter().map(|pace| pace.name());
    Pace::from_name(word).ok_or_else(|| Invalid(words::unknown("clock", word, known)))
}
