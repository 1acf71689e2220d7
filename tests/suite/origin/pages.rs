//! The commands as programs: what they print, what they refuse, and the pages of a suite.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Child;

use serde_json::Value as Json;

use crate::serve::program::{folder, playsim, run};
use crate::serve::wire::Wire;

const CASE: &str = r#"
name: a pre-roll
videos: [{ id: film, renditions: { sd: http://content.test/film.webm } }]
media: { http://content.test/film.webm: { duration: 2s } }
network: { http://ads.test/one: { text: "<VAST/>" } }
player:
  muted: true
  ads:
    - { adType: 0, adTimeType: s, mobile: [http://ads.test/one, http://ads.test/two] }
    - { adType: 1, adTimeType: "%", cuepoints: [50], mobile: [http://ads.test/one] }
steps:
  - { at: 0s, init: { div: player, config: { id: player, width: "640", height: "360", video: film } } }
  - { on: ready, do: play }
  - { on: start, after: 1500ms, do: { currentTime: 1 } }
  - { on: adStart, nth: 2, user: skip }
"#;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file can be written");
}

/// A command that serves; it is killed when dropped.
struct Serving(Child, SocketAddr);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serving(folder: &Path, args: &[&str]) -> Serving {
    let mut child = playsim(folder, args).spawn().expect("the binary runs");
    let mut line = String::new();
    let stdout = child.stdout.as_mut().expect("its output is read");
    BufReader::new(stdout)
        .read_line(&mut line)
        .expect("it prints UTF-8");
    let address = line
        .trim_end()
        .strip_prefix("http://")
        .and_then(|text| text.parse().ok());
    Serving(
        child,
        address.unwrap_or_else(|| panic!("its first line is its address, not {line:?}")),
    )
}

fn get(serving: &Serving, host: &str, path: &str) -> crate::serve::wire::Answer {
    Wire::to(serving.1).ask(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_and_its_log_is_complete() {
    let folder = folder("world");
    write(&folder, "case.yaml", CASE);
    let mut serving = serving(&folder, &["world", "case.yaml", "--log", "log.jsonl"]);
    assert_eq!(get(&serving, "ads.test", "/one").text(), "<VAST/>");
    let id = serving.0.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &id])
            .status()
            .expect("kill runs")
            .success()
    );
    assert_eq!(serving.0.wait().expect("it ends").code(), Some(0));
    let log = std::fs::read_to_string(folder.join("log.jsonl")).expect("it is written");
    let entry: Json =
        serde_json::from_str(log.lines().next().expect("it has a line")).expect("it is JSON");
    assert_eq!(
        (&entry["url"], &entry["what"], &entry["status"]),
        (&"ads.test/one".into(), &"tag".into(), &200.into())
    );
}

#[test]
fn wrong_arguments_are_refused_with_a_proposal() {
    let folder = folder("world-wrong");
    write(&folder, "case.yaml", CASE);
    write(&folder, "adapter.js", "");
    std::fs::create_dir_all(folder.join("empty")).expect("a folder can be made");
    let conform = |rest: &[&'static str]| [&["conform", "serve"][..], rest].concat();
    let cases: &[(Vec<&str>, i32, &str)] = &[
        (
            vec!["world", "case.yaml", "--listen", "0.0.0.0:0"],
            2,
            "use --listen 127.0.0.1:0, or allow it with --expose",
        ),
        (vec!["world", "gone.yaml"], 3, "cannot read gone.yaml"),
        (
            vec!["world", "case.yaml", "--log", "no/such/log"],
            3,
            "cannot write no/such/log",
        ),
        (
            conform(&["empty", "--adapter", "adapter.js", "-o", "out"]),
            4,
            "empty has no scenarios",
        ),
        (
            conform(&["case.yaml", "--adapter", "gone.js", "-o", "out"]),
            3,
            "cannot read gone.js",
        ),
        (
            conform(&[
                "case.yaml",
                "--adapter",
                "adapter.js",
                "-o",
                "out",
                "--only",
                "cse",
            ]),
            4,
            "there is no case cse; did you mean case?",
        ),
    ];
    for (args, code, due) in cases {
        let (found, _, talk) = run(&folder, args);
        assert_eq!(found, *code, "{args:?}: {talk}");
        assert!(talk.contains(due), "{args:?}: {talk}");
    }
}

#[test]
fn a_page_gets_its_case_and_its_recording_is_kept() {
    let folder = folder("pages");
    write(&folder, "case.yaml", CASE);
    write(&folder, "adapter.js", "// adapter\n");
    write(&folder, "lib.js", "// player\n");
    write(&folder, "lib.css", "/* player */\n");
    let args = [
        "conform",
        "serve",
        "case.yaml",
        "--adapter",
        "adapter.js",
        "--lib",
        "lib.js",
        "lib.css",
        "-o",
        "out",
    ];
    let serving = serving(&folder, &args);
    assert_eq!(
        get(&serving, "ads.test", "/one").status,
        404,
        "no case is played"
    );
    assert!(
        get(&serving, "page.test", "/")
            .text()
            .contains("<a href=\"/case/case/\">case</a> a pre-roll")
    );
    let page = get(&serving, "page.test", "/case/case/");
    assert!(
        page.text().contains("<script src=\"lib/0.js\"></script>"),
        "{}",
        page.text()
    );
    assert!(
        page.text()
            .contains("<link rel=\"stylesheet\" href=\"lib/1.css\">")
    );
    assert_eq!(
        get(&serving, "page.test", "/case/case/lib/1.css").header("content-type"),
        Some("text/css; charset=utf-8")
    );
    assert_eq!(
        get(&serving, "page.test", "/case/case/adapter.js").text(),
        "// adapter\n"
    );
    assert_eq!(get(&serving, "ads.test", "/one").text(), "<VAST/>");
    insta::with_settings!({ snapshot_path => "../snapshots" }, {
        let mut case = get(&serving, "page.test", "/case/case/case.json").json();
        case["scenario"] = "(the scenario)".into();
        insta::assert_snapshot!("case", format!("{case:#}"));
    });
    let post = |body: &str| {
        let length = body.len();
        let agent = "User-Agent: Mozilla/5.0 Chrome/148.0.0.0 Safari/537.36";
        let head = format!(
            "POST /case/case/recording HTTP/1.1\r\nHost: page.test\r\n{agent}\r\nContent-Length: {length}"
        );
        Wire::to(serving.1).ask(format!("{head}\r\n\r\n{body}").as_bytes())
    };
    let line = r#"{"t":1,"kind":"call","name":"play","data":{}}"#;
    let head =
        r#"{"t":0,"kind":"header","name":"recording","data":{"version":1,"player":"my-player"}}"#;
    let kept = post(&format!("{head}\n{line}\n"));
    assert_eq!(kept.status, 200, "{}", kept.text());
    let file = std::fs::read_to_string(folder.join("out/my-player/chromium/case.jsonl"))
        .expect("it is written");
    let written: Json =
        serde_json::from_str(file.lines().next().expect("it has a head")).expect("it is JSON");
    let data = &written["data"];
    assert_eq!(
        (&data["case"], &data["scenario"]),
        (&"case".into(), &"case.yaml".into())
    );
    assert_eq!(data["browser"], "Chromium 148.0.0.0");
    for (body, due) in [
        ("", "the first line of the recording"),
        (line, "is not a head"),
        (&*format!("{head}\nno line\n"), "case.jsonl:2"),
        (
            &*format!("{}\n", head.replace("my-player", "../out")),
            "it must be one word",
        ),
    ] {
        let answer = post(body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.text().contains(due), "{body}: {}", answer.text());
    }
}
