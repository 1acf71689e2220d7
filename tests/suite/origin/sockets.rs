//! The server over real sockets: delays, failures of connections, lists of responses, ranges, CORS,
//! the log.

#![expect(clippy::disallowed_types, reason = "delays on the wire are real time")]

use std::io::{ErrorKind, Read};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use playsim::Scenario;
use playsim::origin::{AssetKind, Counting, Origin, OriginEntry, OriginOutcome, OriginServer};

use crate::serve::wire::{Answer, Wire};

const CASE: &str = r#"
videos: [{ id: film, renditions: { sd: http://content.test/film.webm } }]
media:
  http://content.test/film.webm: { duration: 3s }
  http://content.test/stall.webm: { duration: 3s, stalls: [{ at: 500ms, for: 300ms }] }
  http://content.test/broken.webm: { duration: 3s, fails: { at: 600ms, how: network } }
network:
  http://ads.test/one?cb=[CB]:
    - { after: 150ms, text: "<VAST version='4.2'><Ad><InLine><Impression>http://t.test/i</Impression></InLine></Ad></VAST>" }
    - { status: 503 }
    - { redirect: http://ads.test/two }
  http://ads.test/two: { text: "<VAST/>" }
  http://ads.test/reset: { fails: reset }
  http://ads.test/refused: { fails: refused }
  http://ads.test/cut: { fails: truncated }
  http://ads.test/silent: { fails: timeout }
"#;

/// A server in this process, and the entries of its log.
pub(super) struct Running {
    pub(super) address: SocketAddr,
    log: Arc<Mutex<Vec<OriginEntry>>>,
}

impl Running {
    pub(super) fn of(case: &str) -> Running {
        let scenario: Scenario = case.parse().expect("the scenario is valid");
        let server = OriginServer::open(([127, 0, 0, 1], 0).into()).expect("a port is free");
        let (address, log) = (server.address(), Arc::<Mutex<Vec<OriginEntry>>>::default());
        let entries = Arc::clone(&log);
        let write = Arc::new(move |entry: &OriginEntry| {
            entries.lock().expect("nobody panics").push(entry.clone())
        });
        let site = Arc::new(Counting::new(Origin::new(&scenario, true)));
        std::thread::spawn(move || server.run(site, write, std::future::pending()));
        Running { address, log }
    }

    fn get(&self, host: &str, path: &str, headers: &str) -> Answer {
        Wire::to(self.address).ask(request("GET", host, path, headers).as_bytes())
    }

    /// Waits until an entry of the log is there.
    fn entry(&self, url: &str) -> OriginEntry {
        let begin = Instant::now();
        loop {
            let found = self
                .log
                .lock()
                .expect("nobody panics")
                .iter()
                .find(|entry| entry.url == url)
                .cloned();
            if let Some(entry) = found {
                return entry;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(20),
                "no entry for {url}"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn request(method: &str, host: &str, path: &str, headers: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n")
}

#[test]
fn responses_come_in_their_order_after_their_time() {
    let server = Running::of(CASE);
    let begin = Instant::now();
    let first = server.get("ads.test", "/one?cb=1", "Origin: http://page.test\r\n");
    assert!(
        begin.elapsed() >= Duration::from_millis(150),
        "{:?}",
        begin.elapsed()
    );
    assert_eq!(
        (first.status, first.header("content-type")),
        (200, Some("text/xml; charset=utf-8"))
    );
    assert_eq!(
        first.header("access-control-allow-origin"),
        Some("http://page.test")
    );
    assert_eq!(server.get("ads.test", "/one?cb=2", "").status, 503);
    let third = server.get("ads.test", "/one?cb=3", "");
    assert_eq!(
        (third.status, third.header("location")),
        (302, Some("http://ads.test/two"))
    );
    assert_eq!(
        server.get("ads.test:80", "/one?cb=4", "").status,
        302,
        "the last one repeats"
    );
    let entry = server.entry("ads.test/one?cb=1");
    assert_eq!(
        (&entry.what, entry.status, entry.ended),
        (&AssetKind::Tag, Some(200), OriginOutcome::Sent)
    );
    assert!(
        entry
            .head
            .is_some_and(|head| (head - entry.at).micros() >= 150_000),
        "{entry:?}"
    );
}

#[test]
fn the_server_is_a_proxy_for_the_hosts_too() {
    let server = Running::of(CASE);
    let answer =
        Wire::to(server.address).ask(request("GET", "x", "http://ads.test/two", "").as_bytes());
    assert_eq!((answer.status, answer.text()), (200, "<VAST/>"));
    let tracker =
        Wire::to(server.address).ask(request("GET", "x", "http://t.test/i", "").as_bytes());
    assert_eq!(
        (tracker.status, tracker.header("content-type")),
        (200, Some("image/gif"))
    );
    assert_eq!(
        server.entry("t.test/i").event.as_deref(),
        Some("impression")
    );
    let unknown = server.get("t.test", "/nothing", "");
    assert_eq!(unknown.status, 404);
    assert_eq!(server.entry("t.test/nothing").what, AssetKind::Unknown);
}

#[test]
fn connections_end_as_the_scenario_says() {
    let server = Running::of(CASE);
    let ended = |path: &str| {
        let mut wire = Wire::to(server.address);
        wire.send(request("GET", "ads.test", path, "").as_bytes())
            .expect("it is open");
        wire.answer().map_err(|error| error.kind())
    };
    assert_eq!(ended("/refused"), Ok(None), "closed before a byte");
    assert_eq!(ended("/reset"), Err(ErrorKind::ConnectionReset));
    assert_eq!(
        ended("/cut"),
        Err(ErrorKind::UnexpectedEof),
        "closed within the body"
    );
    assert_eq!(server.entry("ads.test/reset").ended, OriginOutcome::Reset);
    assert_eq!(
        server.entry("ads.test/refused").ended,
        OriginOutcome::Closed
    );
    let cut = server.entry("ads.test/cut");
    assert_eq!((cut.ended, cut.status), (OriginOutcome::Cut, Some(200)));
    let mut silent = Wire::to(server.address);
    silent
        .send(request("GET", "ads.test", "/silent", "").as_bytes())
        .expect("it is open");
    assert!(
        !silent.has_answer_within(Duration::from_millis(300)),
        "there is never an answer"
    );
    drop(silent);
    let silent = server.entry("ads.test/silent");
    assert_eq!((silent.ended, silent.status), (OriginOutcome::Gone, None));
}

#[test]
fn films_are_sent_in_ranges() {
    let server = Running::of(CASE);
    let get = |headers: &str| server.get("content.test", "/film.webm", headers);
    let whole = get("");
    assert_eq!(
        (whole.status, whole.header("accept-ranges")),
        (200, Some("bytes"))
    );
    let length = whole.body.len();
    let part = get("Range: bytes=100-199\r\n");
    assert_eq!((part.status, &part.body[..]), (206, &whole.body[100..200]));
    assert_eq!(
        part.header("content-range"),
        Some(&*format!("bytes 100-199/{length}"))
    );
    let end = get("Range: bytes=-50\r\n");
    assert_eq!(
        (end.status, &end.body[..]),
        (206, &whole.body[length - 50..])
    );
    assert_eq!(get("Range: bytes=0-1,5-6\r\n").status, 200);
    assert_eq!(get(&format!("Range: bytes={length}-\r\n")).status, 416);
    let mut wire = Wire::to(server.address);
    let head = request(
        "HEAD",
        "content.test",
        "/film.webm",
        "Connection: close\r\n",
    );
    wire.send(head.as_bytes()).expect("it is open");
    let head = wire.head();
    assert_eq!(
        (head.status, head.header("content-length")),
        (200, Some(&*length.to_string()))
    );
    assert!(head.body.is_empty());
}

#[test]
fn films_stall_and_break_off() {
    let server = Running::of(CASE);
    let begin = Instant::now();
    assert_eq!(server.get("content.test", "/stall.webm", "").status, 200);
    assert!(
        begin.elapsed() >= Duration::from_millis(800),
        "{:?}",
        begin.elapsed()
    );
    let mut stream = std::net::TcpStream::connect(server.address).expect("it listens");
    let broken = request("GET", "content.test", "/broken.webm", "");
    std::io::Write::write_all(&mut stream, broken.as_bytes()).expect("it is open");
    let mut got = Vec::new();
    // It may end by a reset: what counts is how much came.
    let _ = stream.read_to_end(&mut got);
    let entry = server.entry("content.test/broken.webm");
    assert_eq!(
        (entry.ended, entry.bytes % (32 << 10)),
        (OriginOutcome::Cut, 0)
    );
    let behind = server.get(
        "content.test",
        "/broken.webm",
        &format!("Range: bytes={}-\r\n", entry.bytes),
    );
    assert_eq!(behind.status, 503);
}

#[test]
fn preflights_are_answered_and_use_up_nothing() {
    let server = Running::of(CASE);
    let headers = "Origin: http://page.test\r\nAccess-Control-Request-Method: GET\r\n\
                   Access-Control-Request-Headers: x-token\r\n";
    let asked = request("OPTIONS", "ads.test", "/one?cb=1", headers);
    let answer = Wire::to(server.address).ask(asked.as_bytes());
    assert_eq!(
        (answer.status, answer.header("access-control-allow-headers")),
        (204, Some("x-token"))
    );
    assert_eq!(
        answer.header("access-control-allow-credentials"),
        Some("true")
    );
    assert_eq!(server.get("ads.test", "/one?cb=1", "").status, 200);
}
