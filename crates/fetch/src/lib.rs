//! Real ad servers, asked as a player would ask them.
//!
//! A [`Client`] requests documents over HTTP and records each leg of a redirect with its time, its
//! status and its body, as the [`Exchange`]s of a [`RequestRecording`]. It decides nothing about
//! ads. Which URL is due next is up to the caller, who plays the answers and asks for what the
//! player requests; no part of this module calls a pixel.
//!
//! Limits hold everywhere: time, size, redirects. Only `http:` and `https:` are requested. Apart
//! from the servers this is the only part of the library with sockets and a clock.

#![expect(
    clippy::disallowed_types,
    reason = "latencies of real servers are measured with a real clock"
)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use ureq::http::{HeaderMap, Request, Response, header};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body as Stream};

use playsim_api::NetworkFault;
use playsim_base::number::Decimal;
use playsim_base::time::{Span, Time};
use playsim_import::{
    Body, Exchange, RecordedOutcome, RecordedPage, RequestRecording, media_length,
};
use playsim_scenario::world::{AnswerScript, ScriptedAnswer};
use playsim_vast::names::browser_form;

mod body;
mod cookies;
mod film;

pub use film::MediaStart;

use cookies::Cookies;

/// The user agent, if none is given: it names the tool.
pub const USER_AGENT: &str = concat!(
    "playsim/",
    env!("CARGO_PKG_VERSION"),
    " (ad tag test; calls no pixels)"
);

/// The beginning of a media file that is enough to learn its type and, of most files, its length.
const MEDIA_BEGINNING: u64 = 64 << 10;

/// How requests are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientOptions {
    /// The `User-Agent` header.
    pub user_agent: String,
    /// The `Referer` header: the page that the player would be on.
    pub referrer: Option<String>,
    /// Other headers, by name and value. They may be credentials.
    pub headers: Vec<(String, String)>,
    /// The URLs of the tags. Headers and cookies go to their origins and nowhere else; of the
    /// headers those that Fetch lets a page send anywhere, such as `Accept-Language`, go with each
    /// request.
    pub tags: Vec<String>,
    /// How long a request may take, with its body and its redirects.
    pub time_limit: Span,
    /// The most bytes of a document that are read.
    pub size_limit: u64,
    /// The most redirects that are followed for one request.
    pub redirect_limit: usize,
    /// Certificates in PEM that are trusted in place of the usual authorities.
    pub roots: Option<Vec<u8>>,
}

impl Default for ClientOptions {
    /// Ten seconds, 4 MB, ten redirects.
    fn default() -> ClientOptions {
        ClientOptions {
            user_agent: USER_AGENT.to_owned(),
            referrer: None,
            headers: Vec::new(),
            tags: Vec::new(),
            time_limit: Span::from_secs(10),
            size_limit: 4 << 20,
            redirect_limit: 10,
            roots: None,
        }
    }
}

/// Why no client can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// A header that HTTP does not allow.
    #[error(
        "\"{name}: {value}\" is not a header; write a name, a colon and a value, such as \"Accept: text/xml\""
    )]
    Header {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// No certificate in the PEM file.
    #[error("{0}; a PEM file has blocks that begin with -----BEGIN CERTIFICATE-----")]
    Certificates(String),
}

/// Why a request got no answer, or not all of one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FetchFault {
    /// Not an `http:` or `https:` URL with a host.
    #[error("not requested: not an http or https URL")]
    NotHttp,
    /// The host has no address.
    #[error("name not resolved")]
    UnknownHost,
    /// Nothing listens there.
    #[error("connection refused")]
    Refused,
    /// The connection ended before the response.
    #[error("connection closed before the response")]
    Closed,
    /// The certificate is not trusted, or TLS failed otherwise; in the words of the TLS library.
    #[error("TLS: {0}")]
    Tls(String),
    /// No complete answer within the time limit.
    #[error("no complete answer within {} s", Decimal::seconds(.0.micros()))]
    TimedOut(Span),
    /// More redirects than the limit.
    #[error("more than {0} redirects")]
    TooManyRedirects(usize),
    /// The body ended early; in words.
    #[error("body broke off: {0}")]
    BrokeOff(String),
    /// The body is larger than the limit, in bytes.
    #[error("body larger than {0} bytes")]
    TooLarge(u64),
    /// The body is compressed in a way that was not asked for.
    #[error("body compressed as {0}, which was not asked for and cannot be read")]
    Encoding(String),
    /// The answer is not HTTP; in the words of the HTTP library.
    #[error("not a valid HTTP answer: {0}")]
    NotAnswer(String),
    /// Anything else, in the words of the HTTP library.
    #[error("{0}")]
    Other(String),
}

impl FetchFault {
    /// Returns its effect on a player; `None` if there was no answer in time.
    #[must_use]
    pub fn network(&self) -> Option<NetworkFault> {
        match self {
            FetchFault::NotHttp
            | FetchFault::UnknownHost
            | FetchFault::Refused
            | FetchFault::Tls(_)
            | FetchFault::NotAnswer(_)
            | FetchFault::Other(_) => Some(NetworkFault::Refused),
            FetchFault::Closed => Some(NetworkFault::Reset),
            FetchFault::BrokeOff(_) | FetchFault::TooLarge(_) | FetchFault::Encoding(_) => {
                Some(NetworkFault::Truncated)
            }
            FetchFault::TooManyRedirects(_) => Some(NetworkFault::Redirects),
            FetchFault::TimedOut(_) => None,
        }
    }
}

/// One leg of a request: the request itself, or the target of a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leg {
    /// The request and its answer.
    pub exchange: Exchange,
    /// Why there is no answer, or not all of it.
    pub fault: Option<FetchFault>,
    /// For a media file: what its beginning shows.
    pub film: Option<MediaStart>,
}

impl Leg {
    /// Returns it as a response of a scenario; `name` is that of the document in messages.
    #[must_use]
    pub fn answer(&self, name: &str) -> AnswerScript {
        let after = self.exchange.time.unwrap_or_default();
        let answer = match (&self.fault, &self.exchange.outcome) {
            (Some(fault), _) => fault
                .network()
                .map_or(ScriptedAnswer::Silence, ScriptedAnswer::Fails),
            (None, RecordedOutcome::Redirect(status, to)) => ScriptedAnswer::Redirect {
                status: *status,
                to: Arc::clone(to),
            },
            (None, RecordedOutcome::Response(status)) => {
                let text = self.exchange.text().cloned().unwrap_or_else(|| "".into());
                let name = if text.is_empty() { "" } else { name };
                ScriptedAnswer::Body {
                    status: (*status).clamp(100, 599),
                    name: name.into(),
                    text,
                }
            }
            (
                None,
                RecordedOutcome::Failed(_)
                | RecordedOutcome::BrokeOff(_)
                | RecordedOutcome::Unknown,
            ) => ScriptedAnswer::Silence,
        };
        // How long a request took that was given up says nothing about an answer.
        let after = if answer == ScriptedAnswer::Silence {
            Span::ZERO
        } else {
            after
        };
        AnswerScript {
            after,
            answer,
            content_type: None,
        }
    }
}

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Document,
    Media,
}

impl Purpose {
    /// The type of resource in archives.
    const fn in_archives(self) -> &'static str {
        match self {
            Purpose::Document => "xhr",
            Purpose::Media => "media",
        }
    }
}

/// Requests documents and the beginnings of media files, one at a time.
#[derive(Debug)]
pub struct Client {
    agent: Agent,
    /// The cookies of each origin of a tag. Other origins have none.
    cookies: BTreeMap<String, Cookies>,
    options: ClientOptions,
    began: Instant,
    epoch_micros: i64,
    pages: Vec<RecordedPage>,
    legs: Vec<Leg>,
}

impl Client {
    /// Makes a client. The cookies of the tags' origins are kept as long as it lives.
    ///
    /// # Errors
    ///
    /// If a header or the certificates are not valid.
    pub fn new(options: ClientOptions) -> Result<Client, OptionsError> {
        let mut check = HeaderMap::new();
        let named = [("User-Agent", &options.user_agent)].into_iter();
        let named = named.chain(options.referrer.iter().map(|value| ("Referer", value)));
        let given = options
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value));
        for (name, value) in named.chain(given) {
            let wrong = || OptionsError::Header {
                name: name.to_owned(),
                value: value.clone(),
            };
            let name = header::HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
            check.insert(name, value.parse().map_err(|_| wrong())?);
        }
        let roots = match &options.roots {
            None => RootCerts::WebPki,
            Some(pem) => RootCerts::new_with_certs(&certificates(pem)?),
        };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(options.user_agent.clone())
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .build();
        let since = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let tags = options
            .tags
            .iter()
            .filter_map(|tag| origin(&browser_form(tag)));
        Ok(Client {
            agent: config.new_agent(),
            cookies: tags.map(|origin| (origin, Cookies::default())).collect(),
            options,
            began: Instant::now(),
            epoch_micros: i64::try_from(since.as_micros()).unwrap_or_default(),
            pages: Vec::new(),
            legs: Vec::new(),
        })
    }

    /// Begins a page of the recording, to which all later requests belong.
    pub fn begin_page(&mut self, id: &str) {
        let page = RecordedPage {
            id: id.to_owned(),
            started: Some(self.now()),
            title: id.to_owned(),
        };
        self.pages.push(page);
    }

    /// Returns the time since the client was made, in whole milliseconds: a finer one would be that
    /// of this process.
    fn now(&self) -> Time {
        Time::ZERO + whole(self.began.elapsed())
    }

    /// Returns the real time in microseconds since 1970.
    #[must_use]
    pub fn epoch_micros(&self) -> i64 {
        self.epoch_micros
            .saturating_add_unsigned(self.now().micros())
    }

    /// Requests a document, and follows its redirects. Returns all legs, the last of which has the
    /// answer.
    pub fn document(&mut self, url: &str) -> &[Leg] {
        self.request(url, Purpose::Document)
    }

    /// Requests the beginning of a media file, to learn its type and its length. Returns all legs,
    /// the last of which has the answer.
    pub fn media(&mut self, url: &str) -> &[Leg] {
        self.request(url, Purpose::Media)
    }

    /// Returns all requests so far, in order.
    #[must_use]
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    fn request(&mut self, url: &str, purpose: Purpose) -> &[Leg] {
        let first = self.legs.len();
        let mut url: Arc<str> = browser_form(url).into();
        let end = Instant::now() + duration(self.options.time_limit);
        let first_origin = origin(&url);
        // A redirect to another origin takes the headers away for good, as Fetch does with
        // `Authorization`: the other origin could send them back to any URL of the first one.
        let mut is_first_origin = true;
        loop {
            is_first_origin &= origin(&url) == first_origin;
            let leg = self.leg(&url, purpose, end, is_first_origin);
            let next = match &leg.exchange.outcome {
                RecordedOutcome::Redirect(_, to) => Some(Arc::clone(to)),
                RecordedOutcome::Response(_)
                | RecordedOutcome::Failed(_)
                | RecordedOutcome::BrokeOff(_)
                | RecordedOutcome::Unknown => None,
            };
            self.legs.push(leg);
            let Some(next) = next else { break };
            if self.legs.len() - first > self.options.redirect_limit {
                let fault = FetchFault::TooManyRedirects(self.options.redirect_limit);
                self.legs.push(self.failed(&next, fault));
                break;
            }
            url = browser_form(&next).into();
        }
        &self.legs[first..]
    }

    /// Returns all requests so far as a recording.
    #[must_use]
    pub fn recording(&self, name: &str) -> RequestRecording {
        let exchanges = self.legs.iter().enumerate();
        let exchanges = exchanges.map(|(number, leg)| Exchange {
            number,
            ..leg.exchange.clone()
        });
        RequestRecording {
            name: name.to_owned(),
            tool: concat!("playsim ", env!("CARGO_PKG_VERSION")).to_owned(),
            epoch_micros: Some(self.epoch_micros),
            pages: self.pages.clone(),
            exchanges: exchanges.collect(),
            ..RequestRecording::default()
        }
    }

    /// Makes one request.
    fn leg(
        &mut self,
        url: &Arc<str>,
        purpose: Purpose,
        end: Instant,
        is_first_origin: bool,
    ) -> Leg {
        let is_http = url.starts_with("http://") || url.starts_with("https://");
        let origin = origin(url).unwrap_or_default();
        let cookies = self.cookies.get(&origin);
        let takes_headers = cookies.is_some() && is_first_origin;
        let cookies = cookies.and_then(|them| them.header(url, SystemTime::now()));
        let request = is_http.then(|| self.head(url, purpose, takes_headers, cookies));
        let Some(request) = request.flatten() else {
            return self.failed(url, FetchFault::NotHttp);
        };
        let sent = Instant::now();
        let started = self.now();
        let left = end.saturating_duration_since(sent);
        let mut leg = Leg {
            exchange: Exchange {
                started: Some(started),
                url: Arc::clone(url),
                method: "GET".to_owned(),
                page: self.pages.last().map(|page| page.id.clone()),
                purpose: Some(purpose.in_archives().to_owned()),
                ..Exchange::default()
            },
            fault: None,
            film: None,
        };
        let limited = self
            .agent
            .configure_request(request)
            .timeout_global(Some(left))
            .build();
        match self.agent.run(limited) {
            Err(error) => self.fail(&mut leg, &error),
            Ok(mut response) => {
                leg.exchange.first_byte = Some(whole(sent.elapsed()));
                if let Some(cookies) = self.cookies.get_mut(&origin) {
                    let set = response.headers().get_all(header::SET_COOKIE);
                    for cookie in set.iter().filter_map(|value| value.to_str().ok()) {
                        cookies.set(url, cookie, SystemTime::now());
                    }
                }
                self.receive(&mut leg, &mut response, purpose);
            }
        }
        leg.exchange.time = Some(whole(sent.elapsed()));
        leg
    }

    fn head(
        &self,
        url: &str,
        purpose: Purpose,
        takes_headers: bool,
        cookies: Option<String>,
    ) -> Option<Request<()>> {
        let mut request = Request::get(&*as_uri(url));
        if let Some(referrer) = &self.options.referrer {
            request = request.header(header::REFERER, referrer);
        }
        if purpose == Purpose::Media {
            request = request.header(header::RANGE, format!("bytes=0-{}", MEDIA_BEGINNING - 1));
        }
        if let Some(cookies) = cookies {
            request = request.header(header::COOKIE, cookies);
        }
        for (name, value) in &self.options.headers {
            if takes_headers || goes_anywhere(name) {
                request = request.header(name, value);
            }
        }
        request.body(()).ok()
    }

    /// Reads a response into a leg.
    fn receive(&self, leg: &mut Leg, response: &mut Response<Stream>, purpose: Purpose) {
        let status = response.status().as_u16();
        let text = |name| {
            response
                .headers()
                .get(name)
                .and_then(|value: &header::HeaderValue| value.to_str().ok())
        };
        let mime = text(header::CONTENT_TYPE).unwrap_or_default();
        let mime = mime
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        leg.exchange.mime = Some(mime.clone()).filter(|mime| !mime.is_empty());
        // Browsers take a redirect to nothing for an answer.
        let to = text(header::LOCATION).filter(|to| !to.trim().is_empty());
        if let Some(to) = to.filter(|_| matches!(status, 301 | 302 | 303 | 307 | 308)) {
            let to = playsim_vast::resolve(&leg.exchange.url, to).unwrap_or_else(|| to.to_owned());
            leg.exchange.outcome = RecordedOutcome::Redirect(status, to.into());
            return;
        }
        leg.exchange.outcome = RecordedOutcome::Response(status);
        let whole = film::whole(text(header::CONTENT_RANGE), text(header::CONTENT_LENGTH));
        let limit = match purpose {
            Purpose::Document => self.options.size_limit,
            Purpose::Media => MEDIA_BEGINNING,
        };
        let encoding = text(header::CONTENT_ENCODING)
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let mut bytes = Vec::new();
        let stream = response.body_mut().with_config().limit(u64::MAX).reader();
        // One byte more than the limit shows that there is more.
        let mut result = stream.take(limit + 1).read_to_end(&mut bytes);
        let mut foreign = None;
        match &*encoding {
            "" | "identity" | "gzip" | "x-gzip" | "br" => {}
            "deflate" => (bytes, result) = body::inflated(&bytes, limit + 1),
            other => foreign = Some(FetchFault::Encoding(other.to_owned())),
        }
        if purpose == Purpose::Media {
            bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            leg.film = Some(MediaStart {
                mime,
                bytes: whole,
                length: media_length(&bytes),
            });
            leg.exchange.body = Body::Missing;
            return;
        }
        let fault = match result {
            _ if foreign.is_some() => foreign,
            Ok(_) if bytes.len() as u64 > limit => Some(FetchFault::TooLarge(limit)),
            Ok(_) => None,
            Err(error) => Some(self.broke_off(&unwrapped(error))),
        };
        if !bytes.is_empty() && !matches!(fault, Some(FetchFault::Encoding(_))) {
            leg.exchange.body = Body::Text(body::decoded(&bytes).into());
        }
        if let Some(fault) = fault {
            leg.exchange.outcome = RecordedOutcome::BrokeOff(Some(fault.to_string()));
            leg.fault = Some(fault);
        }
    }

    fn fail(&self, leg: &mut Leg, error: &ureq::Error) {
        let fault = self.fault(error);
        leg.exchange.outcome = RecordedOutcome::Failed(Some(fault.to_string()));
        leg.fault = Some(fault);
    }

    /// Returns the leg of a request that was not made.
    fn failed(&self, url: &Arc<str>, fault: FetchFault) -> Leg {
        let exchange = Exchange {
            started: Some(self.now()),
            page: self.pages.last().map(|page| page.id.clone()),
            url: Arc::clone(url),
            method: "GET".to_owned(),
            outcome: RecordedOutcome::Failed(Some(fault.to_string())),
            time: Some(Span::ZERO),
            ..Exchange::default()
        };
        Leg {
            exchange,
            fault: Some(fault),
            film: None,
        }
    }

    /// Why a body ended early. The connection was in order when it began.
    fn broke_off(&self, error: &ureq::Error) -> FetchFault {
        let fault = self.fault(error);
        if matches!(fault, FetchFault::TimedOut(_)) {
            return fault;
        }
        let is_closed = fault == FetchFault::Closed;
        FetchFault::BrokeOff(if is_closed {
            "connection closed within it".to_owned()
        } else {
            error.to_string()
        })
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "both enums are others' and grow; their words are kept"
    )]
    fn fault(&self, error: &ureq::Error) -> FetchFault {
        use io::ErrorKind as Kind;
        match error {
            ureq::Error::HostNotFound => FetchFault::UnknownHost,
            ureq::Error::BadUri(_) => FetchFault::NotHttp,
            ureq::Error::Timeout(_) => FetchFault::TimedOut(self.options.time_limit),
            ureq::Error::Tls(what) => FetchFault::Tls((*what).to_owned()),
            ureq::Error::Rustls(what) => FetchFault::Tls(what.to_string()),
            ureq::Error::Io(what) => match what.kind() {
                Kind::ConnectionRefused => FetchFault::Refused,
                Kind::ConnectionReset
                | Kind::ConnectionAborted
                | Kind::BrokenPipe
                | Kind::UnexpectedEof => FetchFault::Closed,
                Kind::TimedOut | Kind::WouldBlock => FetchFault::TimedOut(self.options.time_limit),
                // A certificate that is not accepted arrives as an I/O error with the reason
                // inside.
                Kind::InvalidData => FetchFault::Tls(what.to_string()),
                // The standard library has no kind for it.
                _ if what.to_string().starts_with("failed to lookup address") => {
                    FetchFault::UnknownHost
                }
                _ => FetchFault::Other(what.to_string()),
            },
            ureq::Error::Protocol(what) => FetchFault::NotAnswer(what.to_string()),
            other => FetchFault::Other(other.to_string()),
        }
    }
}

/// Returns the certificates of a PEM file.
fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>, OptionsError> {
    let mut found = Vec::new();
    for item in parse_pem(pem) {
        match item {
            Ok(PemItem::Certificate(it)) => found.push(it),
            Ok(_) => {}
            Err(error) => return Err(OptionsError::Certificates(error.to_string())),
        }
    }
    if found.is_empty() {
        return Err(OptionsError::Certificates(
            "no certificate found".to_owned(),
        ));
    }
    Ok(found)
}

/// Returns the error of the HTTP library inside an I/O error.
fn unwrapped(error: io::Error) -> ureq::Error {
    ureq::Error::from(error)
}

/// Returns whether a header is one that Fetch lets a page send to any origin without asking, and
/// that cannot be a credential.
///
/// Source: Fetch standard, CORS-safelisted request-header.
fn goes_anywhere(name: &str) -> bool {
    ["accept", "accept-language", "content-language"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns the origin of an `http:` or `https:` URL: scheme, host and port.
fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let usual = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?.to_ascii_lowercase();
    Some(format!(
        "{scheme}://{}",
        host.strip_suffix(usual).unwrap_or(&host)
    ))
}

/// Returns a URL with the characters escaped that the HTTP library refuses and browsers send as
/// they are.
fn as_uri(url: &str) -> Cow<'_, str> {
    const REFUSED: &[char] = &['[', ']', '{', '}', '|', '\\', '^', '`'];
    let from = url.find("://").map_or(0, |at| at + 3);
    let from = url[from..]
        .find(['/', '?'])
        .map_or(url.len(), |at| from + at);
    if !url[from..].contains(REFUSED) {
        return Cow::Borrowed(url);
    }
    let mut escaped = url[..from].to_owned();
    for letter in url[from..].chars() {
        if REFUSED.contains(&letter) {
            escaped.push_str(&format!("%{:02X}", u32::from(letter)));
        } else {
            escaped.push(letter);
        }
    }
    Cow::Owned(escaped)
}

fn duration(span: Span) -> Duration {
    Duration::from_micros(span.micros())
}

/// Rounds to whole milliseconds.
fn whole(duration: Duration) -> Span {
    Span::from_millis(
        u64::try_from((duration.as_micros() + 500) / 1_000).unwrap_or(u64::MAX / 1_000),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_with_macros_is_sent_escaped() {
        assert_eq!(
            as_uri("https://a.test/x?y=[CB]|z"),
            "https://a.test/x?y=%5BCB%5D%7Cz"
        );
        assert_eq!(as_uri("http://[::1]:8080/a?b"), "http://[::1]:8080/a?b");
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (url, due) in [
            ("https://A.test/x?y", Some("https://a.test")),
            ("https://a.test:443/", Some("https://a.test")),
            ("http://a.test:443/", Some("http://a.test:443")),
            ("http://user@a.test#x", Some("http://a.test")),
            ("http://b.test\\@a.test/", Some("http://b.test")),
            ("http://[::1]:80", Some("http://[::1]")),
            ("data:,x", None),
            ("//a.test/", None),
        ] {
            assert_eq!(origin(url).as_deref(), due, "{url}");
        }
    }

    #[test]
    fn headers_and_certificates_are_checked_before_anything_is_sent() {
        let header = |name: &str, value: &str| ClientOptions {
            headers: vec![(name.to_owned(), value.to_owned())],
            ..ClientOptions::default()
        };
        assert!(Client::new(header("Accept", "text/xml")).is_ok());
        assert!(Client::new(header("Bad name", "x")).is_err());
        assert!(Client::new(header("A", "line\nbreak")).is_err());
        let roots = Some(b"nothing".to_vec());
        let error = Client::new(ClientOptions {
            roots,
            ..ClientOptions::default()
        })
        .unwrap_err();
        assert!(
            error.to_string().contains("no certificate found"),
            "{error}"
        );
    }

    #[test]
    fn nothing_but_http_is_requested() {
        let mut client = Client::new(ClientOptions::default()).expect("usual options");
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ftp://a.test/x",
            "//a.test/x",
            "",
            "http://",
        ] {
            let legs = client.document(url);
            assert_eq!(
                legs.last().and_then(|leg| leg.fault.clone()),
                Some(FetchFault::NotHttp),
                "{url}"
            );
        }
    }
}
