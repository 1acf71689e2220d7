//! Requests to the server, and its answers: values without sockets.

use std::ops::Range;
use std::sync::Arc;

use super::film::Film;
use playsim_base::time::{Span, Time};

/// A request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// The method, in capitals.
    pub method: &'a str,
    /// The URL, with scheme and host.
    pub url: &'a str,
    /// The `Range` header.
    pub range: Option<&'a str>,
    /// The `Origin` header.
    pub origin: Option<&'a str>,
    /// The `Access-Control-Request-Headers` header of a preflight.
    pub wanted_headers: Option<&'a str>,
    /// When it arrives, since the server started.
    pub at: Time,
}

/// The decision about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The request.
    pub what: AssetKind,
    /// How long the server waits before it does something.
    pub after: Span,
    /// The action.
    pub reply: Reply,
}

/// The role of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssetKind {
    /// The response of an ad tag, or another listed one that no document names.
    Tag,
    /// The next document of a wrapper chain.
    Wrapper,
    /// A media file.
    Film,
    /// A tracker, by its event.
    Tracker(String),
    /// A page, a program or a picture that a document names.
    File,
    /// A preflight of CORS.
    Preflight,
    /// A hop of a redirect loop.
    Loop,
    /// Neither listed nor named by a document.
    Unknown,
    /// A part of the page that plays a case.
    Page,
}

impl AssetKind {
    /// Returns the word for it in logs.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            AssetKind::Tag => "tag",
            AssetKind::Wrapper => "wrapper",
            AssetKind::Film => "film",
            AssetKind::Tracker(_) => "tracker",
            AssetKind::File => "file",
            AssetKind::Preflight => "preflight",
            AssetKind::Loop => "loop",
            AssetKind::Unknown => "unknown",
            AssetKind::Page => "page",
        }
    }
}

/// The action on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Nothing: it keeps the connection open.
    Never,
    /// It closes the connection before the first byte.
    Closed,
    /// It resets the connection before the first byte.
    Reset,
    /// It responds.
    Response(OriginResponse),
}

/// An HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginResponse {
    /// The status.
    pub status: u16,
    /// The headers; `content-length` is among them if there may be a body.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: OriginBody,
    /// Whether pages of other origins may read it, by its CORS headers. Rule REQ-18.
    pub is_shared: bool,
}

/// A body: the source of its bytes, the times at which they are sent, and its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OriginBody {
    /// The source of the bytes.
    pub source: OriginSource,
    /// The parts that are sent, in order.
    pub pieces: Vec<Piece>,
    /// The end, after them.
    pub end: End,
}

/// A part of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// How long the server waits before it.
    pub wait: Span,
    /// Its bytes in the source.
    pub bytes: Range<u64>,
}

/// How a body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// It is complete.
    #[default]
    Complete,
    /// The connection is closed after this time, before everything was sent.
    Cut(Span),
    /// Nothing more is sent, and the connection stays open.
    Never,
}

/// The source of the bytes of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OriginSource {
    /// A text.
    Text(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A film.
    Film(Arc<Film>),
}

impl Default for OriginSource {
    fn default() -> OriginSource {
        OriginSource::Text("".into())
    }
}

impl OriginSource {
    /// Returns the number of bytes.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no caller needs it")]
    pub fn len(&self) -> u64 {
        match self {
            OriginSource::Text(text) => text.len() as u64,
            OriginSource::Bytes(bytes) => bytes.len() as u64,
            OriginSource::Film(film) => film.len(),
        }
    }

    /// Returns the bytes of a range that exist.
    #[must_use]
    pub fn read(&self, range: Range<u64>) -> Vec<u8> {
        let part = |bytes: &[u8]| {
            let within = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
            bytes[within(range.start)..within(range.end)].to_vec()
        };
        match self {
            OriginSource::Text(text) => part(text.as_bytes()),
            OriginSource::Bytes(bytes) => part(bytes),
            OriginSource::Film(film) => film.read(range.clone()),
        }
    }
}

impl OriginBody {
    /// The whole of a source, at once.
    #[must_use]
    pub fn whole(source: OriginSource) -> OriginBody {
        let bytes = 0..source.len();
        OriginBody {
            source,
            pieces: vec![Piece {
                wait: Span::ZERO,
                bytes,
            }],
            end: End::Complete,
        }
    }

    /// Returns how many bytes are sent.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.pieces
            .iter()
            .map(|piece| piece.bytes.end - piece.bytes.start)
            .sum()
    }
}

impl From<OriginResponse> for Reply {
    fn from(response: OriginResponse) -> Reply {
        Reply::Response(response)
    }
}

impl OriginResponse {
    /// A response with this body.
    #[must_use]
    pub fn text(status: u16, mime: &str, text: impl Into<Arc<str>>) -> OriginResponse {
        OriginResponse::of(status, mime, OriginSource::Text(text.into()))
    }

    /// A response with all bytes of a source.
    #[must_use]
    pub fn of(status: u16, mime: &str, source: OriginSource) -> OriginResponse {
        let mut headers = Vec::new();
        if source.len() > 0 {
            headers.push(("content-type", mime.to_owned()));
        }
        headers.push(("content-length", source.len().to_string()));
        OriginResponse {
            status,
            headers,
            body: OriginBody::whole(source),
            is_shared: true,
        }
    }

    /// The same with another header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> OriginResponse {
        self.headers.push((name, value.into()));
        self
    }
}
