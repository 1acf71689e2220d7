//! `playsim fetch`, and `playsim waterfall` with URLs: what is asked of real servers, and what
//! becomes of their answers.
//!
//! Every server is a thread of the test on a port of its own. The certificates beside this file are
//! for these servers.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value as Json;

const EMPTY: &str = "<VAST version=\"4.2\"/>";

/// What a server saw and does.
struct Server {
    port: u16,
    /// The requests, each as its head.
    requests: Arc<Mutex<Vec<String>>>,
    /// The most requests that were open at once.
    most_open: Arc<AtomicUsize>,
}

impl Server {
    /// Starts a server that answers each path with the bytes of `answer`, and closes the
    /// connection.
    fn start(answer: impl Fn(&str, &mut dyn Write) + Send + Sync + 'static) -> Server {
        Server::serve(None, answer)
    }

    fn serve(
        tls: Option<Arc<ServerConfig>>,
        answer: impl Fn(&str, &mut dyn Write) + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let most_open = Arc::new(AtomicUsize::new(0));
        let (open, answer) = (Arc::new(AtomicUsize::new(0)), Arc::new(answer));
        let server = Server {
            port,
            requests: Arc::clone(&requests),
            most_open: Arc::clone(&most_open),
        };
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (requests, most_open, open) = (
                    Arc::clone(&requests),
                    Arc::clone(&most_open),
                    Arc::clone(&open),
                );
                let (tls, answer) = (tls.clone(), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let now = open.fetch_add(1, Ordering::SeqCst) + 1;
                    most_open.fetch_max(now, Ordering::SeqCst);
                    match tls {
                        None => converse(stream, &requests, &*answer),
                        Some(config) => {
                            let session =
                                ServerConnection::new(config).expect("a valid configuration");
                            converse(StreamOwned::new(session, stream), &requests, &*answer);
                        }
                    }
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        server
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no test panicked").clone()
    }
}

/// Reads one request and answers it.
fn converse(
    mut stream: impl Read + Write,
    requests: &Mutex<Vec<String>>,
    answer: &dyn Fn(&str, &mut dyn Write),
) {
    let mut head = String::new();
    let mut reader = BufReader::new(&mut stream);
    while let Ok(1..) = reader.read_line(&mut head) {
        if head.ends_with("\r\n\r\n") {
            break;
        }
    }
    let Some(path) = head.split_whitespace().nth(1).map(str::to_owned) else {
        return;
    };
    requests.lock().expect("no test panicked").push(head);
    answer(&path, &mut stream);
    // The client may have gone.
    let _ = stream.flush();
}

/// Writes a whole response.
fn respond(out: &mut dyn Write, status: &str, headers: &str, body: &[u8]) {
    let head = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    // The client may have gone.
    let _ = out
        .write_all(head.as_bytes())
        .and_then(|()| out.write_all(body));
}

fn document(out: &mut dyn Write, body: &str) {
    respond(out, "200 OK", "Content-Type: text/xml\r\n", body.as_bytes());
}

fn redirect(out: &mut dyn Write, to: &str) {
    respond(out, "302 Found", &format!("Location: {to}\r\n"), b"");
}

fn inline(media: &str) -> String {
    format!(
        "<VAST version='4.2'><Ad id='spot'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
         <Impression>/pixel/impression</Impression><Error>/pixel/error</Error><Creatives><Creative><Linear>\
         <Duration>00:00:10</Duration><TrackingEvents><Tracking event='start'>/pixel/start</Tracking>\
         </TrackingEvents><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' \
         height='360'>{media}</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
    )
}

fn wrapper(uri: &str) -> String {
    format!(
        "<VAST version='4.2'><Ad id='w'><Wrapper><AdSystem>s</AdSystem><Impression>/pixel/outer</Impression>\
         <VASTAdTagURI><![CDATA[{uri}]]></VASTAdTagURI></Wrapper></Ad></VAST>"
    )
}

/// The beginning of an MP4 file of eight seconds.
fn film() -> Vec<u8> {
    let part = |kind: &[u8], content: &[u8]| {
        let size = u32::try_from(content.len() + 8).expect("short");
        [&size.to_be_bytes()[..], kind, content].concat()
    };
    let header = [
        &[0; 12][..],
        &1_000_u32.to_be_bytes(),
        &8_000_u32.to_be_bytes(),
        &[0; 80],
    ]
    .concat();
    [
        part(b"ftyp", b"isom"),
        part(b"moov", &part(b"mvhd", &header)),
        vec![0; 200_000],
    ]
    .concat()
}

struct Ran {
    stdout: String,
    stderr: String,
    code: i32,
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("fetch")
        .join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder can be removed");
    }
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn run(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playsim"));
    command
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("COLUMNS", "100");
    for name in [
        "CI",
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
    ] {
        command.env_remove(name);
    }
    let output = command.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Ran {
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        code: output.status.code().expect("it ended on its own"),
    }
}

/// Asks one URL, with options; returns what is printed.
fn fetch(name: &str, url: &str, options: &[&str]) -> Ran {
    run(&folder(name), &[&["fetch", url], options].concat())
}

#[test]
fn redirects_wrappers_and_media_are_followed_and_no_pixel_is_called() {
    let server = Server::start(
        |path, out| match path.split('?').next().unwrap_or_default() {
            "/tag" => respond(
                out,
                "307 Temporary Redirect",
                "Location: next?a=1\r\nSet-Cookie: id=7\r\n",
                b"",
            ),
            "/next" => document(out, &wrapper("/inner?cb=[CACHEBUSTING]")),
            "/inner" => document(out, &inline("/film.mp4")),
            "/film.mp4" => respond(out, "200 OK", "Content-Type: video/mp4\r\n", &film()),
            _ => respond(out, "404 Not Found", "", b""),
        },
    );
    let folder = folder("chain");
    let url = server.url("/tag?page=[PAGEURL]");
    let args = [
        "fetch",
        &url,
        "--header",
        "Accept-Language: de",
        "--referrer",
        "https://site.test/",
        "--macro",
        "PAGEURL=x",
        "-o",
        "trial/one",
    ];
    let ran = run(&folder, &args);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    for part in [
        "no pixel was called",
        "redirected to",
        "VAST, 1 wrapper",
        "plays 8.000 s",
        "macro [CACHEBUSTING] =",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let requests = server.requests();
    let paths: Vec<&str> = requests
        .iter()
        .filter_map(|head| head.split_whitespace().nth(1))
        .collect();
    assert_eq!(paths.len(), 4, "{paths:?}");
    assert_eq!(
        (paths[0], paths[1], paths[3]),
        ("/tag?page=x", "/next?a=1", "/film.mp4")
    );
    assert!(
        paths[2].starts_with("/inner?cb=") && !paths[2].contains('['),
        "{paths:?}"
    );
    for head in &requests {
        let head = head.to_ascii_lowercase();
        for header in [
            "user-agent: playsim/",
            "accept-language: de",
            "referer: https://site.test/",
        ] {
            assert!(head.contains(header), "{header}: {head}");
        }
    }
    assert!(
        requests[1].to_ascii_lowercase().contains("cookie: id=7"),
        "{}",
        requests[1]
    );
    assert_eq!(server.most_open.load(Ordering::SeqCst), 1);

    // The scenario plays as the server answered, with the length of the real file.
    let played = run(&folder, &["run", "trial/one.yaml", "--view", "ads"]);
    assert!(
        played
            .stdout
            .contains("ad fill wp=0 pod=0 ad=spot hops=2 duration=8"),
        "{}",
        played.stdout
    );
    let recorded = run(&folder, &["import", "trial/one.har"]);
    assert!(
        recorded
            .stdout
            .contains("1 ad tag, 1 other ad document, 1 ad media file"),
        "{}",
        recorded.stdout
    );
}

#[test]
fn headers_and_cookies_go_to_the_origins_of_the_tags_and_into_no_file() {
    let other = Server::start(|path, out| match path {
        "/hop" => respond(
            out,
            "302 Found",
            "Location: /empty\r\nSet-Cookie: b=2\r\n",
            b"",
        ),
        "/inner" => document(out, &wrapper("/empty")),
        "/film.mp4" => respond(out, "200 OK", "Content-Type: video/mp4\r\n", &film()),
        _ => document(out, EMPTY),
    });
    let elsewhere = other.port;
    // Another port is another origin.
    let server = Server::start(move |path, out| {
        let there = |path: &str| format!("http://127.0.0.1:{elsewhere}{path}");
        match path {
            "/tag" => respond(
                out,
                "302 Found",
                "Location: /wrapper\r\nSet-Cookie: a=1; Domain=127.0.0.1\r\n",
                b"",
            ),
            "/wrapper" => document(out, &wrapper(&there("/inner"))),
            "/away" => redirect(out, &there("/hop")),
            _ => document(out, &inline(&there("/film.mp4"))),
        }
    });
    let folder = folder("origins");
    let urls = ["/tag", "/away", "/ad"].map(|path| server.url(path));
    let headers = [
        "--header",
        "Authorization: Bearer hush",
        "--header=X-Key: hush",
        "--header",
        "Accept-Language: de",
    ];
    let named: Vec<&str> = urls.iter().map(String::as_str).collect();
    let ran = run(
        &folder,
        &[&["fetch"], &named[..], &headers[..], &["-o", "saved/all"]].concat(),
    );
    assert!(ran.code < 2, "{}{}", ran.stdout, ran.stderr);
    let own = server.requests();
    assert_eq!(own.len(), 4, "{own:?}");
    for (at, head) in own.iter().enumerate() {
        let head = head.to_ascii_lowercase();
        for part in [
            "authorization: bearer hush",
            "x-key: hush",
            "accept-language: de",
        ] {
            assert!(head.contains(part), "{part}: {head}");
        }
        assert_eq!(head.contains("cookie: a=1"), at > 0, "{head}");
    }
    let foreign = other.requests();
    assert_eq!(foreign.len(), 5, "{foreign:?}");
    for head in foreign {
        let head = head.to_ascii_lowercase();
        assert!(head.contains("accept-language: de"), "{head}");
        for part in ["hush", "cookie"] {
            assert!(!head.contains(part), "{part}: {head}");
        }
    }

    // The page and the scenario of a waterfall repeat the command, too.
    let page = [
        "--format",
        "html",
        "-o",
        "saved/page.html",
        "--save",
        "saved/again",
    ];
    let ran = run(
        &folder,
        &[&["waterfall"], &named[2..], &headers[..], &page].concat(),
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let saved: Vec<_> = fs::read_dir(folder.join("saved"))
        .expect("it was written")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    assert!(saved.len() > 4, "{saved:?}");
    for file in saved {
        let text = fs::read_to_string(&file).expect("files are text");
        assert!(!text.contains("hush"), "{}", file.display());
    }
}

#[test]
fn headers_do_not_come_back_after_a_redirect_to_another_origin() {
    let back = Arc::new(Mutex::new(String::new()));
    let to = Arc::clone(&back);
    let other = Server::start(move |_, out| redirect(out, &to.lock().expect("it is set")));
    let elsewhere = other.url("/");
    let server = Server::start(move |path, out| match path {
        "/tag" => redirect(out, &elsewhere),
        _ => document(out, EMPTY),
    });
    *back.lock().expect("no test panicked") = server.url("/back");
    let ran = fetch(
        "back",
        &server.url("/tag"),
        &["--header", "Authorization: hush"],
    );
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "{requests:?}");
    assert!(requests[0].contains("hush"), "{}", requests[0]);
    assert!(!requests[1].contains("hush"), "{}", requests[1]);
}

#[test]
fn each_failure_has_its_words() {
    let server = Server::start(|path, out| match path {
        "/204" => respond(out, "204 No Content", "", b""),
        "/html" => respond(
            out,
            "200 OK",
            "Content-Type: text/html\r\n",
            b"<html>consent</html>",
        ),
        "/loop" => redirect(out, "/loop"),
        "/close" => {}
        "/head" => drop(out.write_all(b"HTTP/1.1 200 OK\r\nContent-")),
        "/short" => drop(
            out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<VAST version='4.2'>"),
        ),
        "/packed" => respond(
            out,
            "200 OK",
            "Content-Encoding: gzip\r\n",
            b"not compressed",
        ),
        "/slow" => std::thread::sleep(Duration::from_secs(3)),
        "/endless" => {
            let _ = out.write_all(b"HTTP/1.1 200 OK\r\n\r\n<VAST>");
            while out.write_all(&[b' '; 4096]).is_ok() {}
        }
        "/drip" => {
            let _ = out.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
            while out.write_all(b"<").and_then(|()| out.flush()).is_ok() {
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        "/nowhere" => redirect(out, ""),
        "/garbage" => drop(out.write_all(b"\x00\x01garbage\r\n\r\n")),
        "/zstd" => respond(out, "200 OK", "Content-Encoding: zstd\r\n", b"packed"),
        "/ftp" => redirect(out, "ftp://a.test/vast.xml"),
        "/file" => redirect(out, "file:///etc/passwd"),
        _ => respond(out, "503 Service Unavailable", "", b"busy"),
    });
    for (path, due) in [
        ("/503", "503  not an ad document"),
        ("/204", "204  empty"),
        ("/html", "not an ad document that can be read (text/html"),
        ("/loop", "more than 10 redirects"),
        ("/close", "connection closed before the response"),
        ("/head", "connection closed before the response"),
        ("/short", "body broke off: connection closed within it"),
        ("/packed", "body broke off: "),
        ("/slow", "no complete answer within 1 s"),
        ("/drip", "no complete answer within 1 s"),
        ("/nowhere", "302  redirect without a URL"),
        ("/garbage", "not a valid HTTP answer: "),
        ("/zstd", "body compressed as zstd, which was not asked for"),
        ("/endless", "body larger than 20480 bytes"),
        ("/ftp", "not requested: not an http or https URL"),
        ("/file", "not requested: not an http or https URL"),
    ] {
        let options = ["--give-up", "1s", "--max-size", "20kB"];
        let ran = fetch(
            &format!("failure{}", path.replace('/', "-")),
            &server.url(path),
            &options,
        );
        assert!(
            ran.stdout.contains(due),
            "{path}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert_eq!(ran.code, 1, "{path}");
        // No connection here is encrypted.
        assert!(!ran.stdout.contains("TLS"), "{path}: {}", ran.stdout);
    }
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|it| it.local_addr())
        .expect("a port is free")
        .port();
    let refused = fetch(
        "failure-refused",
        &format!("http://127.0.0.1:{port}/x"),
        &[],
    );
    assert!(
        refused.stdout.contains("connection refused"),
        "{}",
        refused.stdout
    );
}

#[test]
fn what_a_document_names_is_never_a_file() {
    let folder = folder("files");
    fs::write(folder.join("secret.xml"), inline("secret.mp4")).expect("it can be written");
    let secret = folder.join("secret.xml");
    for uri in [
        "file:secret.xml".to_owned(),
        format!("file://{}", secret.display()),
        "secret.xml".to_owned(),
    ] {
        let named = uri.clone();
        let server = Server::start(move |path, out| match path {
            "/tag" => document(out, &wrapper(&named)),
            _ => respond(out, "404 Not Found", "", b""),
        });
        let ran = run(&folder, &["waterfall", &server.url("/tag"), "404"]);
        assert_eq!(ran.code, 1, "{uri}: {}", ran.stdout);
        assert!(!ran.stdout.contains("filled by"), "{uri}: {}", ran.stdout);
    }
}

#[test]
fn a_certificate_counts_only_if_it_is_trusted() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/fetch");
    let certificate =
        CertificateDer::from_pem_file(here.join("server.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(here.join("server.key")).expect("a key");
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config
        .with_single_cert(vec![certificate], key)
        .expect("they belong together");
    let server = Server::serve(Some(Arc::new(config)), |_, out| document(out, EMPTY));
    let url = format!("https://localhost:{}/tag", server.port);
    let refused = fetch("tls-refused", &url, &[]);
    assert!(
        refused.stdout.contains("TLS: ") && refused.code == 1,
        "{}",
        refused.stdout
    );
    assert!(
        server.requests().is_empty(),
        "nothing is sent before the certificate is checked"
    );
    let ca = here.join("ca.pem");
    let trusted = fetch(
        "tls-trusted",
        &url,
        &["--ca", ca.to_str().expect("a path in UTF-8")],
    );
    assert!(
        trusted.stdout.contains("VAST without an ad"),
        "{}{}",
        trusted.stdout,
        trusted.stderr
    );
}

#[test]
fn a_compressed_document_is_read() {
    // `EMPTY`, compressed.
    const GZIP: &[u8] = &[
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 179, 9, 115, 12, 14, 81, 40, 75, 45, 42, 206, 204, 207,
        179, 85, 50, 209, 51, 82, 210, 183, 3, 0, 199, 177, 74, 30, 21, 0, 0, 0,
    ];
    let server = Server::start(|_, out| respond(out, "200 OK", "Content-Encoding: gzip\r\n", GZIP));
    let ran = fetch("gzip", &server.url("/"), &[]);
    assert!(ran.stdout.contains("VAST without an ad"), "{}", ran.stdout);
    // The same with `deflate`, which some servers send unasked.
    const ZLIB: &[u8] = &[
        120, 156, 179, 9, 115, 12, 14, 81, 40, 75, 45, 42, 206, 204, 207, 179, 85, 55, 209, 51, 82,
        215, 183, 3, 0, 73, 59, 6, 45,
    ];
    let server =
        Server::start(|_, out| respond(out, "200 OK", "Content-Encoding: deflate\r\n", ZLIB));
    let ran = fetch("deflate", &server.url("/"), &[]);
    assert!(ran.stdout.contains("VAST without an ad"), "{}", ran.stdout);
}

#[test]
fn rounds_measure_latency_and_fill_and_a_sweep_takes_them() {
    let count = AtomicUsize::new(0);
    let server = Server::start(move |path, out| match path {
        // Two of three answers have an ad.
        "/tag" => {
            std::thread::sleep(Duration::from_millis(40));
            let has_ad = count.fetch_add(1, Ordering::SeqCst) % 3 != 2;
            document(
                out,
                if has_ad {
                    &*Box::leak(inline("/film.mp4").into_boxed_str())
                } else {
                    EMPTY
                },
            );
        }
        "/film.mp4" => respond(out, "200 OK", "Content-Type: video/mp4\r\n", &film()),
        _ => respond(out, "404 Not Found", "", b""),
    });
    let folder = folder("rounds");
    let url = server.url("/tag");
    let ran = run(
        &folder,
        &[
            "fetch",
            &url,
            "--times",
            "6",
            "--every",
            "10ms",
            "-o",
            "m/fetched",
        ],
    );
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let text = fs::read_to_string(folder.join("m/fetched.json")).expect("it was written");
    let measured: Json = serde_json::from_str(&text).expect("it is JSON");
    let tag = &measured["tags"][0];
    assert_eq!(
        (&tag["asked"], &tag["filled"], &tag["no_ad"]),
        (&6.into(), &4.into(), &2.into())
    );
    let after = tag["after_us"].as_array().expect("latencies");
    assert!(
        after.len() == 6 && after.iter().all(|it| it.as_u64() >= Some(40_000)),
        "{after:?}"
    );

    let vary = [
        "--vary",
        "tag1.after=@m/fetched",
        "--vary",
        "tag1.fill=@m/fetched.json",
        "--runs",
        "300",
    ];
    let swept = run(
        &folder,
        &[&["waterfall", "m/fetched.har"], &vary[..]].concat(),
    );
    assert!(
        swept.stdout.contains("tag1.fill=66.67%"),
        "{}{}",
        swept.stdout,
        swept.stderr
    );
    for (wrong, due) in [
        ("tag2.after=@m/fetched", "has measurements of 1 tag"),
        ("tag1.after=@nowhere", "cannot read nowhere.json"),
        ("ad.timeout=@m/fetched", "measurements are those of a tag"),
    ] {
        let ran = run(&folder, &["waterfall", "404", "--vary", wrong]);
        assert!(
            ran.code >= 2 && ran.stderr.contains(due),
            "{wrong}: {}",
            ran.stderr
        );
    }
}

#[test]
fn waterfall_asks_for_urls_only_as_far_as_the_player_does() {
    let server = Server::start(|path, out| match path {
        "/empty" => document(out, EMPTY),
        "/ad" | "/never" => document(out, &inline("/film.mp4")),
        "/film.mp4" => respond(out, "200 OK", "Content-Type: video/mp4\r\n", &film()),
        _ => respond(out, "404 Not Found", "", b""),
    });
    let folder = folder("waterfall");
    let urls = ["/empty", "/ad", "/never"].map(|path| server.url(path));
    let ran = run(&folder, &["waterfall", &urls[0], &urls[1], &urls[2]]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("filled by tag 2 of 3 tags"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .contains("3 requests to real servers; no pixel was called"),
        "{}",
        ran.stderr
    );
    assert_eq!(server.requests().len(), 3);

    // An answer for one URL says that none is asked.
    let answer = format!("{}=empty", urls[0]);
    let ran = run(&folder, &["waterfall", &urls[0], "--answer", &answer]);
    assert_eq!(
        (ran.code, server.requests().len()),
        (1, 3),
        "{}",
        ran.stderr
    );
    let ran = run(
        &folder,
        &[
            "waterfall",
            &urls[0],
            "--answer",
            &answer,
            "--referrer",
            "https://site.test/",
        ],
    );
    assert!(
        ran.code == 2 && ran.stderr.contains("--referrer is about real servers"),
        "{}",
        ran.stderr
    );
}

#[test]
fn mistakes_are_named_before_anything_is_sent() {
    let folder = folder("mistakes");
    for (args, due) in [
        (
            &["fetch", "tag.xml"][..],
            "\"tag.xml\" is not an http or https URL with a host; write it with its scheme",
        ),
        (
            &["fetch", "ftp://a.test/x"],
            "\"ftp://a.test/x\" is not an http or https URL with a host; nothing else is asked",
        ),
        (
            &["fetch", "http://"],
            "is not an http or https URL with a host",
        ),
        (
            &["fetch", "http://127.0.0.1:1/", "--every", "1s"],
            "add --times",
        ),
        (
            &["fetch", "http://127.0.0.1:1/", "--header", "nothing"],
            "a name, a colon and a value",
        ),
        (
            &["fetch", "http://127.0.0.1:1/", "--header", "A b: c"],
            "is not a header",
        ),
        (
            &["fetch", "http://127.0.0.1:1/", "--max-size", "1GB"],
            "with kB or MB",
        ),
        (
            &["fetch", "http://127.0.0.1:1/", "--ca", "none.pem"],
            "cannot read none.pem",
        ),
        (
            &["fetch", "http://127.0.0.1:1/", "--times", "0"],
            "1..=10000",
        ),
    ] {
        let ran = run(&folder, args);
        assert!(
            ran.code >= 2 && ran.stderr.contains(due),
            "{args:?}: {}",
            ran.stderr
        );
    }
}
