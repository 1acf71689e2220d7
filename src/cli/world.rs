//! `playsim world`: a scenario's network and media as a real server.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use playsim::origin::{Counting, Log, Origin, OriginEntry, OriginServer, OriginSite};
use playsim::scenario::Overrides;
use playsim_base::words::{counted, io_error};

use super::failure::Failure;
use super::output::Talk;
use super::{Exit, address, input, interrupt, joined};

const ABOUT: &str = "\
The first line on standard output is the address, the others are the requests: when they arrived, the status, what was \
requested, how long the response took. All hosts of the scenario are served at the address: Chromium needs an option for \
that; other browsers, Cypress and phones use it as an HTTP proxy. https URLs are served over http.

Examples:
  playsim world case.yaml
  playsim world case.yaml --listen 127.0.0.1:8080 --log requests.jsonl
  curl -i --proxy http://127.0.0.1:8080 http://ads.test/one

Exit codes:
  0  stopped by SIGINT or SIGTERM
  2  invalid input: arguments or scenario
  3  I/O error: the port is in use, or the log cannot be written";

#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub(super) struct World {
    /// The scenario in YAML or JSON; - for standard input
    #[arg(value_name = "CASE")]
    case: PathBuf,
    #[command(flatten)]
    listening: Listening,
    /// Leave https URLs in documents and redirects as they are; pages cannot load them, because the
    /// server has no TLS
    #[arg(long)]
    keep_https: bool,
}

/// Where a server listens, and where its log goes.
#[derive(Debug, clap::Args)]
pub(super) struct Listening {
    /// The address to listen on; port 0 for any free port
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDRESS", value_parser = address::read)]
    listen: SocketAddr,
    /// Allow an address that other machines can reach
    #[arg(long)]
    expose: bool,
    /// Write the requests to a file as JSON lines, instead of text to standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl World {
    /// Serves until a signal arrives.
    pub(super) fn serve(self, talk: &Talk) -> Result<Exit, Failure> {
        let given = input::scenario(&self.case, &Overrides::default())?;
        let site = Arc::new(Counting::new(Origin::new(
            &given.scenario,
            !self.keep_https,
        )));
        let says = |at: SocketAddr| about(&self.case, site.origin(), at);
        self.listening.serve(Arc::clone(&site), talk, says)
    }
}

/// Says what is served, and how clients get there.
fn about(case: &Path, origin: &Origin, at: SocketAddr) -> String {
    let (responses, media) = (
        counted(origin.counters(), "URL"),
        counted(origin.media(), "media URL"),
    );
    let on = match origin.hosts().count() {
        0 => "no host".to_owned(),
        _ => joined(origin.hosts(), ", "),
    };
    let rules = origin.resolver_rules(at);
    let example = origin
        .addresses()
        .find(|url| url.starts_with("http"))
        .unwrap_or("http://ads.test/one");
    let example = example.replacen("https://", "http://", 1);
    let blocked = match origin.blocked().count() {
        0 => String::new(),
        count => format!(
            "\n{} to be blocked: a server cannot do that, so it closes the connection; to have the page blocked, \
             let Playwright do it: page.route(URL, route => route.abort('blockedbyclient'))",
            counted(count, "URL")
        ),
    };
    format!(
        "{}: {responses} with responses and {media}, on {on}\n\
         Chromium    --host-resolver-rules=\"{rules}\"\n\
         Playwright  chromium.launch({{ args: ['--host-resolver-rules={rules}'] }})\n\
         others      HTTP proxy {at}: Firefox, Safari, a phone; Cypress: HTTP_PROXY=http://{at}\n\
         curl        curl -i --proxy http://{at} '{example}'\n\
         pages have to use http: the server has no TLS, and serves https URLs by host and path; stop with Ctrl-C{blocked}",
        input::name(case)
    )
}

impl Listening {
    /// Serves until a signal arrives; `says` is what is printed about the address.
    pub(super) fn serve<S: OriginSite>(
        &self,
        site: Arc<S>,
        talk: &Talk,
        says: impl FnOnce(SocketAddr) -> String,
    ) -> Result<Exit, Failure> {
        let server = self.open()?;
        let log = self.log(talk)?;
        // Signal handlers are installed before the address is printed, so that a client may send
        // one at once.
        let stop = server.signals().map_err(address::failed)?;
        interrupt::leave_to_server();
        let at = server.address();
        address::print(at);
        talk.say(&says(at));
        server.run(site, log, stop);
        Ok(Exit::AsExpected)
    }

    /// Starts to listen.
    pub(super) fn open(&self) -> Result<OriginServer, Failure> {
        address::check(self.listen, self.expose)?;
        OriginServer::open(self.listen).map_err(address::failed)
    }

    /// Listens on any free port of the same address.
    pub(super) fn open_another(&self) -> Result<OriginServer, Failure> {
        OriginServer::open(SocketAddr::new(self.listen.ip(), 0)).map_err(address::failed)
    }

    /// Returns whether the log goes to a file.
    pub(super) fn has_log(&self) -> bool {
        self.log.is_some()
    }

    /// Opens the log: a file of JSON lines, or lines of text on standard output.
    pub(super) fn log(&self, talk: &Talk) -> Result<Log, Failure> {
        let Some(path) = &self.log else {
            return Ok(Arc::new(|entry: &OriginEntry| {
                // A closed standard output must not stop the server.
                let _ = writeln!(io::stdout().lock(), "{entry}");
            }));
        };
        // It grows while others follow it, and so has its name from the beginning.
        let file = File::create(path).map_err(Failure::cannot("write", path))?;
        let file = Mutex::new(Some(BufWriter::new(file)));
        let color = talk.color;
        Ok(Arc::new(move |entry: &OriginEntry| {
            // A line is whole even if another thread has panicked.
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(open) = &mut *file else { return };
            let line = serde_json::to_string(entry).unwrap_or_default();
            // Each line is written at once, for programs that follow the file.
            if let Err(error) =
                writeln!(open, "{}", playsim_base::escape::json(&line)).and_then(|()| open.flush())
            {
                Talk::colored(color).error(&format!("cannot write the log: {}", io_error(&error)));
                *file = None;
            }
        }))
    }
}
