//! The cost of an edit: the bare function, over kept-alive connections in memory, and with a file
//! on disk.
//!
//! Load generator and server share the machine. Each client edits its own record and waits for each
//! response, so latency is what a client sees. `cargo bench --bench serve`; the file is created in
//! the target folder.

#![expect(clippy::disallowed_types, reason = "real time is measured here")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use playsim::catalog::{Catalog, VideoRecord};
use playsim::edit::{EditRequest, Form, Headers, Service, Setup};
use playsim::serve::{Server, ServerConfig};
use playsim::time::Time;
use playsim_server::form::{Bytes, multipart};

#[expect(dead_code, reason = "tests use the rest of it")]
#[path = "../tests/suite/serve/wire.rs"]
mod wire;

/// The duration of each measurement.
const MEASURE: Duration = Duration::from_secs(2);
/// The number of records in the catalog.
const RECORDS: usize = 256;
/// The minimum rate over the loopback socket in memory.
const DUE_PER_SECOND: f64 = 10_000.0;

fn fields(number: usize) -> Vec<(&'static str, String)> {
    vec![
        ("data[Video][name]", format!("Big film {number}")),
        ("data[Video][tags]", "news, sport".to_owned()),
        ("data[Video][publish]", "31-01-2026".to_owned()),
        ("data[CustomParam][key][]", "genre".to_owned()),
        ("data[CustomParam][value][]", format!("drama {number}")),
    ]
}

fn body(number: usize) -> Vec<u8> {
    let fields = fields(number);
    let pairs: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    wire::form(&pairs)
}

fn records() -> Catalog {
    (0..RECORDS)
        .map(|id| VideoRecord {
            id: format!("v{id}").into(),
            ..VideoRecord::default()
        })
        .collect()
}

fn main() {
    println!(
        "an edit of {} bytes with {} fields, {RECORDS} records\n",
        body(1).len(),
        fields(1).len()
    );
    bare();
    let mut is_met = true;
    for clients in [1, 8, 64] {
        let figure = served(clients, None);
        is_met &= clients == 1 || figure.per_second >= DUE_PER_SECOND;
        figure.print(&format!("over loopback, in memory, {clients} clients"));
    }
    for clients in [1, 8, 64] {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench.redb");
        // Removes the file of an earlier run.
        let _ = std::fs::remove_file(&path);
        served(clients, Some(&path))
            .print(&format!("over loopback, with a file, {clients} clients"));
    }
    if !is_met {
        println!("\nless than {DUE_PER_SECOND} edits a second over loopback in memory");
        std::process::exit(1);
    }
}

/// Measures the function alone, and with parsing of the form.
fn bare() {
    let content_type = format!("multipart/form-data; boundary={}", wire::BOUNDARY);
    let headers = Headers::from_iter([
        ("Content-Type", content_type.as_str()),
        ("User-Agent", "bench/1"),
    ]);
    let forms: Vec<Form> = (0..64)
        .map(|number| fields(number).into_iter().collect())
        .collect();
    let bodies: Vec<Bytes> = (0..64).map(|number| body(number).into()).collect();
    let mut service = Service::new(records(), Setup::default());
    let mut handle = |form: Form| {
        let request = EditRequest {
            method: "POST",
            path: "/apiv3/video/edit/v7.json",
            headers: &headers,
            body: Ok(form),
        };
        assert_eq!(service.handle(Time::ZERO, request).status, 200);
    };
    let cost = timed(|turn| handle(forms[turn % 64].clone()));
    println!(
        "{:<48} {:>9.1} µs",
        "the function alone, from a form to a response",
        cost.as_secs_f64() * 1e6
    );
    let cost = timed(|turn| {
        handle(
            multipart(Some(wire::BOUNDARY), bodies[turn % 64].clone())
                .expect("the form is well formed"),
        );
    });
    println!(
        "{:<48} {:>9.1} µs",
        "including multipart parsing",
        cost.as_secs_f64() * 1e6
    );
}

/// The cost of one call.
fn timed(mut call: impl FnMut(usize)) -> Duration {
    const CALLS: u32 = 20_000;
    (0..1000).for_each(&mut call);
    let start = Instant::now();
    (0..CALLS as usize).for_each(&mut call);
    start.elapsed() / CALLS
}

/// What the clients measured.
struct Figure {
    per_second: f64,
    /// Latencies, in ascending order.
    latencies: Vec<Duration>,
}

impl Figure {
    fn print(&self, what: &str) {
        let share = |per_mille: usize| {
            let at = (self.latencies.len() * per_mille / 1000).min(self.latencies.len() - 1);
            self.latencies[at].as_secs_f64() * 1e3
        };
        println!(
            "{what:<48} {:>9.0} edits/s   median {:>7.3} ms   p99 {:>7.3} ms   most {:>7.3} ms",
            self.per_second,
            share(500),
            share(990),
            share(1000)
        );
    }
}

/// Measures a server under the load of the given number of clients.
fn served(clients: usize, catalog: Option<&Path>) -> Figure {
    let config = ServerConfig {
        catalog: catalog.map(Path::to_owned),
        seeds: records(),
        ..ServerConfig::default()
    };
    let server = Server::open(config).expect("a free port is available");
    let address = server.address();
    std::thread::spawn(move || server.run(std::future::pending()));
    let is_over = AtomicBool::new(false);
    let start = Instant::now();
    let latencies = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients)
            .map(|client| {
                let is_over = &is_over;
                scope.spawn(move || load(address, is_over, client_path(client)))
            })
            .collect();
        std::thread::sleep(MEASURE);
        is_over.store(true, Ordering::Relaxed);
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("a client does not fail"))
            .collect::<Vec<_>>()
    });
    let took = start.elapsed();
    let mut latencies = latencies;
    latencies.sort_unstable();
    Figure {
        per_second: latencies.len() as f64 / took.as_secs_f64(),
        latencies,
    }
}

fn client_path(client: usize) -> String {
    format!("/apiv3/video/edit/v{client}.json")
}

/// One client: one edit after another over a single connection.
fn load(address: SocketAddr, is_over: &AtomicBool, path: String) -> Vec<Duration> {
    let requests: Vec<Vec<u8>> = (0..64)
        .map(|number| wire::request(&path, &body(number)))
        .collect();
    let mut stream = TcpStream::connect(address).expect("the server takes connections");
    stream.set_nodelay(true).expect("it is a socket");
    let mut buffer = vec![0; 1 << 16];
    let mut latencies = Vec::with_capacity(1 << 16);
    while !is_over.load(Ordering::Relaxed) {
        let start = Instant::now();
        stream
            .write_all(&requests[latencies.len() % 64])
            .expect("the server reads");
        answer(&mut stream, &mut buffer);
        latencies.push(start.elapsed());
    }
    latencies
}

/// Reads one response, which must be a success.
fn answer(stream: &mut TcpStream, buffer: &mut [u8]) {
    let mut len = 0;
    let mut due = None;
    while due.is_none_or(|due| len < due) {
        let read = stream.read(&mut buffer[len..]).expect("the server answers");
        assert!(read > 0, "the server hung up");
        len += read;
        if due.is_none()
            && let Some(head) = buffer[..len]
                .windows(4)
                .position(|bytes| bytes == b"\r\n\r\n")
        {
            let text = std::str::from_utf8(&buffer[..head]).expect("a head is text");
            assert!(text.starts_with("HTTP/1.1 200"), "{text}");
            let length = text
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length
                .and_then(|length| length.parse().ok())
                .expect("it says its length");
            due = Some(head + 4 + length);
        }
    }
}
