//! The program from its start to its end: listening, signals, exit codes, files, restarts, a full
//! disk.

use std::net::TcpListener;
use std::path::Path;

use serde_json::json;

use super::program::{Program, folder, full, run};
use super::server::RECORDS;
use super::wire::{Wire, form, request};

const PATH: &str = "/apiv3/video/edit/v1.json";

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), text).expect("a file can be written");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_after_running_calls_are_answered() {
    let folder = folder("signals");
    write(&folder, "r.json", RECORDS);
    for signal in ["INT", "TERM"] {
        let server = Program::serve(&folder, &["--import", "r.json"]);
        let mut wire = server.wire();
        wire.control("POST", "/_control/faults", "[{ \"after\": \"300ms\" }]");
        let mut idle = server.wire();
        assert_eq!(idle.control("POST", "/_control/clock", "{}").status, 200);
        wire.send(&request(PATH, &form(&[("name", "Late")])))
            .unwrap();
        while idle.control("GET", "/_control/journal", "").json() == json!([]) {}
        server.signal(signal);
        let answer = wire
            .answer()
            .unwrap()
            .expect("the running call is answered");
        assert_eq!(answer.json()["Video"]["name"], "Late");
        assert_eq!(
            idle.answer().unwrap_or(None),
            None,
            "idle connections are closed"
        );
        let address = server.address;
        let (code, data, talk) = server.ended();
        assert_eq!((code, data.as_str()), (0, ""), "{talk}");
        assert!(talk.starts_with("3 records in memory"), "{talk}");
        assert!(Wire::try_to(address).is_err(), "the port is closed");
    }
}

#[test]
fn an_error_ends_the_server_with_an_exit_code_and_a_message() {
    let folder = folder("wrong");
    write(
        &folder,
        "bad.json",
        "[\n  { \"id\": \"x\", \"publish\": \"2026-01-31\" }\n]",
    );
    write(
        &folder,
        "note.txt",
        "not a catalog, but plain text of some length",
    );
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["serve", "--listen", &port],
            3,
            "is in use by another program; choose another port, or a free one with --listen 127.0.0.1:0",
        ),
        (
            &["serve", "--listen", "0.0.0.0:0"],
            2,
            "0.0.0.0:0 can be reached from other machines; use --listen 127.0.0.1:0, or allow it with --expose",
        ),
        (
            &["serve", "--listen", "here"],
            2,
            "must be an address with a port, such as 127.0.0.1:8080",
        ),
        (
            &["serve", "--clock", "fast"],
            2,
            "unknown clock \"fast\"; it must be one of: still, real",
        ),
        (&["serve", "--knob", "edit.auth=beerer"], 2, "edit.auth"),
        (
            &["serve", "--import", "bad.json"],
            2,
            "bad.json:2:27: field \"publish\" is \"2026-01-31\"",
        ),
        (
            &["serve", "--import", "gone.json"],
            3,
            "cannot read gone.json: no such file",
        ),
        (
            &["serve", "--listen", "127.0.0.1:0", "--catalog", "note.txt"],
            3,
            "note.txt is not a playsim catalog",
        ),
        (
            &["serve", "--listen", "127.0.0.1:0", "--catalog", "."],
            3,
            "cannot use the catalog .: it is a folder",
        ),
        (
            &[
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--catalog",
                "no/such/c.redb",
            ],
            3,
            "no such file or folder",
        ),
        (
            &["catalog", "export", "gone.redb"],
            3,
            "cannot use the catalog gone.redb: no such file or folder",
        ),
        (
            &["catalog", "export", "note.txt"],
            3,
            "note.txt is not a playsim catalog",
        ),
        (
            &["catalog", "import", "c.redb", "bad.json"],
            2,
            "bad.json:2:27",
        ),
    ];
    for (args, code, due) in cases {
        let (found, data, talk) = run(&folder, args);
        assert_eq!((found, data.as_str()), (*code, ""), "{args:?}: {talk}");
        assert!(talk.contains(due), "{args:?}: {talk}");
    }
    let kept = std::fs::read_to_string(folder.join("note.txt")).unwrap();
    assert_eq!(kept, "not a catalog, but plain text of some length");
    assert!(
        !folder.join("c.redb").exists(),
        "no file is made for invalid records"
    );
}

#[test]
fn a_file_serves_one_server_at_a_time_and_keeps_acknowledged_edits() {
    let folder = folder("one");
    write(&folder, "r.json", RECORDS);
    let args = ["--catalog", "c.redb", "--import", "r.json"];
    let server = Program::serve(&folder, &args);
    let (code, _, talk) = run(
        &folder,
        &["serve", "--listen", "127.0.0.1:0", "--catalog", "c.redb"],
    );
    assert_eq!(code, 3, "{talk}");
    assert!(
        talk.contains("the catalog c.redb is open in another playsim"),
        "{talk}"
    );
    for busy in [
        &["catalog", "export", "c.redb"][..],
        &["catalog", "import", "c.redb", "r.json"],
    ] {
        let (code, data, talk) = run(&folder, busy);
        assert_eq!((code, data.as_str()), (3, ""), "{talk}");
        assert!(talk.contains("is open in another playsim"), "{talk}");
    }
    assert_eq!(server.wire().edit(PATH, &[("name", "Kept")]).status, 200);
    assert_eq!(
        server
            .wire()
            .control("GET", "/_control/journal", "")
            .json()
            .as_array()
            .unwrap()
            .len(),
        1
    );
    server.kill();
    // A catalog that exists is not imported again; the journal starts empty with each process.
    let server = Program::serve(&folder, &args);
    let records = server.wire().control("GET", "/_control/records", "");
    assert_eq!(records.json()[2]["name"], "Kept");
    assert_eq!(
        server.wire().control("GET", "/_control/journal", "").json(),
        json!([])
    );
    server.kill();
    let (code, exported, talk) = run(&folder, &["catalog", "export", "c.redb"]);
    assert_eq!((code, exported.as_str()), (0, records.text()), "{talk}");
}

#[test]
fn a_catalog_is_exported_as_json_and_imported_unchanged() {
    let folder = folder("json");
    write(&folder, "r.json", RECORDS);
    assert_eq!(
        run(&folder, &["catalog", "import", "a.redb", "r.json"]).0,
        0
    );
    let (code, first, _) = run(&folder, &["catalog", "export", "a.redb"]);
    assert_eq!(
        (code, run(&folder, &["catalog", "export", "a.redb"]).1),
        (0, first.clone()),
        "reading changes nothing"
    );
    assert_eq!(
        run(&folder, &["catalog", "export", "a.redb", "-o", "out.json"]).0,
        0
    );
    assert_eq!(
        run(&folder, &["catalog", "import", "b.redb", "out.json"]).0,
        0
    );
    assert_eq!(run(&folder, &["catalog", "export", "b.redb"]).1, first);
    write(&folder, "x.json", "[{ \"id\": \"x\" }]");
    let (code, _, talk) = run(&folder, &["catalog", "import", "b.redb", "x.json"]);
    assert_eq!((code, talk.as_str()), (0, "b.redb contains 1 record\n"));
    let (_, others, _) = run(&folder, &["catalog", "export", "b.redb"]);
    assert!(
        others.contains("\"x\"") && !others.contains("\"v1\""),
        "{others}"
    );
    let (code, _, talk) = run(&folder, &["catalog", "export", "a.redb", "-o", "a.redb"]);
    assert_eq!(code, 2, "{talk}");
}

#[test]
fn a_run_uses_the_records_of_a_catalog() {
    let folder = folder("run");
    write(
        &folder,
        "case.yaml",
        "videos:\n  - { id: v1, name: Old, renditions: { sd: a.mp4 } }\nmedia: { a.mp4: { duration: 2s } }\nsteps:\n  - { at: 0s, init: { div: player, config: { id: p, width: \"640\", height: \"360\", video: v1 } } }\n  - { on: ready, do: play }\n  - { at: 1s, read: [getTitle] }\n",
    );
    write(&folder, "r.json", "[{ \"id\": \"v1\", \"name\": \"New\" }]");
    assert_eq!(
        run(&folder, &["catalog", "import", "c.redb", "r.json"]).0,
        0
    );
    let title = |args: &[&str]| {
        let (code, trace, talk) = run(&folder, &[&["run", "case.yaml"], args].concat());
        assert_eq!(code, 0, "{talk}");
        ["Old", "New"]
            .into_iter()
            .filter(|name| trace.contains(&format!("\"{name}\"")))
            .collect::<Vec<_>>()
    };
    assert_eq!(title(&[]), ["Old"]);
    assert_eq!(title(&["--catalog", "c.redb"]), ["New"]);
    assert_eq!(title(&["--catalog", "r.json"]), ["New"]);
    let (code, _, talk) = run(&folder, &["run", "case.yaml", "--catalog", "gone.json"]);
    assert_eq!(code, 3, "{talk}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_acknowledged_edit() {
    let folder = folder("full");
    let program = full(&folder, RECORDS);
    let mut wire = Wire::to(program.address);
    let mut last = 0;
    let refused = (1..25).find_map(|number: usize| {
        // Each is larger than the last: space that an edit frees is used again.
        let name = format!("{number} {}", "x".repeat(400_000 * number));
        let answer = wire.edit(PATH, &[("name", &name)]);
        if answer.status == 200 {
            last = number;
        }
        (answer.status != 200).then_some(answer)
    });
    let refused = refused.expect("the disk fills up");
    assert_eq!(refused.status, 500, "{}", refused.text());
    assert!(
        refused
            .text()
            .contains("the edit was not saved: the catalog cannot be written"),
        "{}",
        refused.text()
    );
    let (code, _, talk) = program.ended();
    assert_eq!(code, 3, "{talk}");
    assert!(
        talk.contains("the catalog cannot be written") && talk.contains("the server has stopped"),
        "{talk}"
    );
    let server = Program::serve(&folder, &["--catalog", "c.redb"]);
    let records = server.wire().control("GET", "/_control/records", "").json();
    let name = records[2]["name"].as_str().unwrap();
    let expected = if last == 0 {
        "Big film".to_owned()
    } else {
        last.to_string()
    };
    assert!(
        name.starts_with(&expected),
        "the last one answered is {last}, found {}",
        &name[..8.min(name.len())]
    );
}

/// A real client, if one is installed.
#[test]
fn a_real_curl_edits_a_video() {
    let folder = folder("curl");
    let curl = |args: &[&str]| std::process::Command::new("curl").args(args).output();
    if curl(&["--version"]).is_err() {
        println!("skipped: curl is not installed");
        return;
    }
    write(&folder, "r.json", RECORDS);
    let server = Program::serve(&folder, &["--import", "r.json"]);
    let url = |path: &str| format!("http://{}{path}", server.address);
    let edit = url(PATH);
    let output = curl(&[
        "-s",
        "-F",
        "name=Grüße; \"zitiert\"",
        "-F",
        "data[CustomParam][key][]=genre",
        "-F",
        "data[CustomParam][value][]=drama",
        "-F",
        "publish=01-02-2026",
        &edit,
    ]);
    let answer: serde_json::Value =
        serde_json::from_slice(&output.unwrap().stdout).expect("curl prints the response");
    assert_eq!(answer["status"], "success", "{answer}");
    let refused = curl(&[
        "-s",
        "-o",
        "-",
        "-w",
        "%{http_code}",
        "-F",
        "publish=2026-02-01",
        &edit,
    ])
    .unwrap();
    assert!(String::from_utf8_lossy(&refused.stdout).ends_with("422"));
    let large = folder.join("large.txt");
    std::fs::write(&large, vec![b'x'; 11 << 20]).unwrap();
    let field = format!("name=<{}", large.display());
    // curl sends `Expect` before a body of this size.
    let refused = curl(&["-s", "-o", "-", "-w", "%{http_code}", "-F", &field, &edit]).unwrap();
    assert!(String::from_utf8_lossy(&refused.stdout).ends_with("413"));
    let records = curl(&["-s", &url("/_control/records")]).unwrap();
    let records: serde_json::Value = serde_json::from_slice(&records.stdout).unwrap();
    assert_eq!(records[2]["custom_params"], json!([["genre", "drama"]]));
    assert_eq!(
        (&records[2]["publish"], records.as_array().unwrap().len()),
        (&json!("01-02-2026"), 3)
    );
}
