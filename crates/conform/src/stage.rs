//! The pages of a suite: one for each case, with the player, the recorder, the adapter and the
//! world of the case.
//!
//! A case begins when its page is requested, with a fresh world. It ends when its page posts its
//! recording, or when the next case begins.

use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Bytes;
use maud::{DOCTYPE, html};
use serde_json::{Value as Json, json};
use tokio::sync::watch;

use super::Case;
use playsim_base::escape;
use playsim_base::html::Text;
use playsim_base::time::Span;
use playsim_check::recording::Recording;
use playsim_server::origin::{
    Answer, Asked, AssetKind, Counting, Decided, Origin, OriginResponse, OriginSite, OriginSource,
};

/// The host of the pages.
pub const PAGE: &str = "page.test";

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PLAIN: &str = "text/plain; charset=utf-8";

/// The page of a case, and its scripts.
const PAGE_HTML: &str = include_str!("page/page.html");
/// The recorder, as a script for any page.
pub const RECORDER: &str = include_str!("page/recorder.js");
/// An adapter to begin with, for a player named `PLAYER`.
pub const ADAPTER_TEMPLATE: &str = include_str!("page/template.js");
/// The types that an adapter uses, in TypeScript.
pub const ADAPTER_TYPES: &str = include_str!("page/playsim-conform.d.ts");
const DRIVE: &str = include_str!("page/drive.js");
/// Where the page loads the player.
const LIBRARIES: &str = "<!-- libraries -->";

/// Opens the pages of cases in a browser; a script for Node. Its first lines describe its input.
pub const DRIVER: &str = include_str!("page/run.mjs");

/// A case, and the file that its scenario comes from.
#[derive(Debug)]
pub struct Staged {
    /// The case.
    pub case: Case,
    /// The name of the file, without a folder.
    pub file: String,
}

/// A script or a style sheet of a player.
#[derive(Debug, Clone)]
pub struct Library {
    /// The name of its file, whose ending gives its kind: `.css` is a style sheet.
    pub name: String,
    /// Its content.
    pub bytes: Arc<[u8]>,
}

/// A recording that a page has sent, with its head completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The name of the case.
    pub case: String,
    /// The player, as a name of a folder.
    pub player: String,
    /// JSON lines.
    pub text: String,
    /// The browser without its version, as a name of a folder.
    pub browser: String,
    /// Which recording of the case it is, from 1.
    pub run: u32,
    /// Why the player could not show the case, if it could not.
    pub cannot: Option<String>,
    /// The reasons why the case could not be played as written.
    pub problems: Vec<String>,
}

/// Keeps a recording. The error is shown by the page.
pub type Keep = Box<dyn Fn(Sent) -> Result<(), String> + Send + Sync>;

/// The cases and settings of a run: all of its stages have the same.
pub struct StagedSuite {
    /// The cases.
    pub cases: Vec<Staged>,
    /// The name of the adapter's file, without its ending: the player, if the adapter does not say.
    pub name: String,
    /// The adapter.
    pub adapter: Arc<str>,
    /// The scripts and style sheets of the player, in the order in which the page loads them.
    pub libraries: Vec<Library>,
    /// Takes the recordings.
    pub keep: Keep,
}

/// The pages of a suite, and the world of the case that is played.
pub struct Stage {
    suite: Arc<StagedSuite>,
    current: Mutex<Option<Playing>>,
}

/// The case that is played.
struct Playing {
    world: Arc<Counting>,
    over: watch::Sender<bool>,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stage")
            .field("suite", &self.suite)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for StagedSuite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StagedSuite")
            .field("cases", &self.cases.len())
            .finish_non_exhaustive()
    }
}

impl Stage {
    /// Makes the pages of these cases.
    #[must_use]
    pub const fn new(suite: Arc<StagedSuite>) -> Stage {
        Stage {
            suite,
            current: Mutex::new(None),
        }
    }

    /// Decides about a request for a page.
    fn page(&self, asked: &Asked<'_>, agent: Option<&str>, body: &Bytes) -> OriginResponse {
        let path = asked.url.split_once(PAGE).map_or("/", |(_, path)| path);
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let mut parts = path.trim_start_matches('/').split('/');
        match (
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
        ) {
            (Some(""), None, ..) => OriginResponse::text(200, HTML, self.list()),
            (Some("case"), Some(name), file, more, None) => {
                let name = escape::percent_decoded(name.as_bytes()).unwrap_or_default();
                match self
                    .suite
                    .cases
                    .iter()
                    .find(|staged| *staged.case.name == *name)
                {
                    Some(staged) if file == Some("recording") && asked.method == "POST" => {
                        match self.take(staged, query, agent, body) {
                            Ok(()) => OriginResponse::text(200, PLAIN, "kept\n"),
                            Err(why) => OriginResponse::text(400, PLAIN, format!("{why}\n")),
                        }
                    }
                    Some(staged) => self.of_case(staged, asked.method, (file, more)),
                    None => missing(&format!(
                        "there is no case {name}; http://{PAGE}/ lists them"
                    )),
                }
            }
            _ => missing(&format!(
                "there is no page {path}; http://{PAGE}/ lists the cases"
            )),
        }
    }

    fn of_case(
        &self,
        staged: &Staged,
        method: &str,
        file: (Option<&str>, Option<&str>),
    ) -> OriginResponse {
        match (method, file) {
            ("GET", (None, _)) => {
                OriginResponse::text(302, PLAIN, "").with("location", link(&staged.case.name))
            }
            ("GET", (Some(""), None)) => {
                self.begin(staged);
                OriginResponse::text(200, HTML, PAGE_HTML.replace(LIBRARIES, &self.libraries()))
            }
            ("GET", (Some("case.json"), None)) => {
                OriginResponse::text(200, "application/json", staged.case.page().to_string())
            }
            ("GET", (Some("recorder.js"), None)) => OriginResponse::text(200, SCRIPT, RECORDER),
            ("GET", (Some("drive.js"), None)) => OriginResponse::text(200, SCRIPT, DRIVE),
            ("GET", (Some("adapter.js"), None)) => {
                OriginResponse::text(200, SCRIPT, Arc::clone(&self.suite.adapter))
            }
            ("GET", (Some("lib"), Some(name))) => {
                let number = name
                    .split('.')
                    .next()
                    .and_then(|number| number.parse::<usize>().ok());
                let library = number.and_then(|number| self.suite.libraries.get(number));
                library.map_or_else(
                    || missing("there is no such library"),
                    |library| {
                        OriginResponse::of(
                            200,
                            if library.is_style() { STYLE } else { SCRIPT },
                            OriginSource::Bytes(library.bytes.clone()),
                        )
                    },
                )
            }
            _ => missing("a case has no such file"),
        }
    }

    /// Begins a case with a fresh world. Requests of the previous case that are still open are
    /// dropped.
    fn begin(&self, staged: &Staged) {
        let world = Arc::new(Counting::new(Origin::new(&staged.case.scenario, true)));
        let playing = Playing {
            world,
            over: watch::Sender::new(false),
        };
        if let Some(before) = self.current().replace(playing) {
            before.over.send_replace(true);
        }
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Option<Playing>> {
        // It is replaced as a whole, even if another thread has panicked.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks a recording, completes its head, and keeps it.
    fn take(
        &self,
        staged: &Staged,
        query: &str,
        agent: Option<&str>,
        body: &Bytes,
    ) -> Result<(), String> {
        let text = std::str::from_utf8(body).map_err(|_| "the recording is not UTF-8")?;
        let text = completed(text, staged, &self.suite.name, agent)?;
        let recording = Recording::read(&format!("{}.jsonl", staged.case.name), &text)
            .map_err(|error| error.to_string())?;
        let player = recording.head.player.as_deref().unwrap_or("player");
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_.+@".contains(letter);
        if player.is_empty() || player.starts_with('.') || !player.chars().all(is_name) {
            let text = "the adapter's name is {}; it must be one word of letters, digits and - _ . + @, like fluid-player";
            return Err(text.replace("{}", &escape::quoted(player)));
        }
        let head = &recording.head;
        let run = query
            .split('&')
            .find_map(|part| part.strip_prefix("run=")?.parse().ok());
        (self.suite.keep)(Sent {
            case: staged.case.name.to_string(),
            player: player.to_owned(),
            browser: family(head.browser.as_deref().unwrap_or_default()),
            run: run.unwrap_or(1),
            cannot: head.cannot.as_ref().map(ToString::to_string),
            problems: head.problems.iter().map(ToString::to_string).collect(),
            text,
        })
    }

    /// The page with links to all cases.
    fn list(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                meta charset="utf-8";
                title { "Cases" }
                link rel="icon" href="data:,";
                h1 { "Cases" }
                ul {
                    @for Staged { case, .. } in &self.suite.cases {
                        li { a href=(link(&case.name)) { (Text(&case.name)) } " " (Text(&case.scenario.name)) }
                    }
                }
            }
        };
        page.into_string()
    }

    /// The elements that load the player.
    fn libraries(&self) -> String {
        let elements = html! {
            @for (number, library) in self.suite.libraries.iter().enumerate() {
                @if library.is_style() {
                    link rel="stylesheet" href={ "lib/" (number) ".css" };
                } @else {
                    script src={ "lib/" (number) ".js" } {}
                }
            }
        };
        elements.into_string()
    }
}

impl Library {
    fn is_style(&self) -> bool {
        self.name.to_ascii_lowercase().ends_with(".css")
    }
}

impl OriginSite for Stage {
    fn decide(&self, asked: &Asked<'_>, agent: Option<&str>, body: Bytes) -> Decided {
        let host = asked
            .url
            .split_once("://")
            .and_then(|(_, rest)| rest.split(['/', ':']).next());
        if host == Some(PAGE) {
            let response = self
                .page(asked, agent, &body)
                .with("cache-control", "no-store");
            return Answer {
                what: AssetKind::Page,
                after: Span::ZERO,
                reply: response.into(),
            }
            .into();
        }
        let playing = self
            .current()
            .as_ref()
            .map(|it| (Arc::clone(&it.world), it.over.subscribe()));
        match playing {
            Some((world, over)) => Decided {
                answer: world.answer(asked),
                over: Some(over),
            },
            None => {
                let response = missing(&format!("no case is being played; open http://{PAGE}/"));
                Answer {
                    what: AssetKind::Unknown,
                    after: Span::ZERO,
                    reply: response.into(),
                }
                .into()
            }
        }
    }
}

fn missing(why: &str) -> OriginResponse {
    OriginResponse::text(404, PLAIN, format!("{why}\n"))
}

/// The path of the page of a case.
fn link(name: &str) -> String {
    format!(
        "/case/{}/",
        percent_encoding::utf8_percent_encode(name, escape::RESERVED)
    )
}

/// Completes the first line of a recording: case, scenario, and player and browser if it does not
/// say.
fn completed(
    text: &str,
    staged: &Staged,
    player: &str,
    agent: Option<&str>,
) -> Result<String, String> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let mut head: Json = serde_json::from_str(first)
        .map_err(|error| format!("the first line of the recording: {error}"))?;
    if head["kind"] != "header" {
        return Err(
            "the first line of the recording is not a head; its kind must be \"header\"".to_owned(),
        );
    }
    let data = &mut head["data"];
    if !data.is_object() {
        *data = json!({});
    }
    data["case"] = json!(&*staged.case.name);
    data["scenario"] = json!(staged.file);
    if data["player"].is_null() {
        data["player"] = json!(player);
    }
    if data["browser"].is_null()
        && let Some(browser) = agent.and_then(browser)
    {
        data["browser"] = json!(browser);
    }
    // In the order of all lines.
    let (t, name) = (&head["t"], &head["name"]);
    let data = &head["data"];
    Ok(format!(
        "{{\"t\":{t},\"kind\":\"header\",\"name\":{name},\"data\":{data}}}\n{rest}"
    ))
}

/// The browsers that `User-Agent` headers name, the most specific first.
const BROWSERS: &[(&str, &str)] = &[
    ("Firefox/", "Firefox"),
    ("Edg/", "Edge"),
    ("Chrome/", "Chromium"),
    ("Version/", "Safari"),
];

/// Returns the name of a browser without its version, as a name of a folder.
fn family(browser: &str) -> String {
    let word = browser.split([' ', '/']).next().unwrap_or_default();
    let name: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    if name.is_empty() {
        "browser".to_owned()
    } else {
        name.to_ascii_lowercase()
    }
}

/// Returns a browser with its version.
fn browser(agent: &str) -> Option<String> {
    BROWSERS.iter().find_map(|(mark, name)| {
        let (_, rest) = agent.split_once(mark)?;
        let version: String = rest
            .chars()
            .take_while(|letter| letter.is_ascii_digit() || *letter == '.')
            .collect();
        Some(format!("{name} {version}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_by_what_it_sends() {
        for (agent, due) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/148.0.0.0 Safari/537.36",
                Some("Chromium 148.0.0.0"),
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
                Some("Firefox 153.0"),
            ),
            ("curl/8.0", None),
        ] {
            assert_eq!(browser(agent).as_deref(), due);
        }
    }
}
