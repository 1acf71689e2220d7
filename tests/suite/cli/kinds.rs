//! `playsim FILE`: a file leads to the command that reads it.

use std::fs;
use std::path::Path;

use super::{Ran, folder, folder_with_first, run};

/// An archive with one request, for a page.
const ARCHIVE: &str = r#"{"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
    {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 10,
     "request": {"method": "GET", "url": "https://news.test/", "httpVersion": "HTTP/2", "headers": [], "queryString": [], "headersSize": -1, "bodySize": 0},
     "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/2", "headers": [], "redirectURL": "", "headersSize": -1, "bodySize": 5,
                  "content": {"size": 5, "mimeType": "text/html", "text": "hello"}},
     "cache": {}, "timings": {"send": 0, "wait": 10, "receive": 0}}]}}"#;

/// Runs `playsim FILE`, and checks that it is the command that it names.
fn leads_to(folder: &Path, file: &str, what: &str, command: &[&str]) {
    let ran = run(folder, &[file]);
    let said = format!("{file} is {what}: playsim {}\n", command.join(" "));
    let Some(rest) = ran.stderr.strip_prefix(&said) else {
        panic!("{file}: not {said:?} but {}", ran.stderr);
    };
    let Ran {
        code,
        stdout,
        stderr,
        ..
    } = run(folder, command);
    assert_eq!((ran.code, &*ran.stdout, rest), (code, &*stdout, &*stderr));
}

#[test]
fn a_file_leads_to_the_command_that_most_people_want_for_it() {
    let folder = folder_with_first("kinds");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("written");
    write("session.har", ARCHIVE);
    write(
        "answer.http",
        "HTTP/1.1 200 OK\nContent-Type: text/xml\n\n<VAST version=\"4.2\"/>\n",
    );
    write("cut.xml", "<VAST version=\"4.2\"><Ad id=\"a\"><InLi");
    fs::create_dir(folder.join("recorded")).expect("a folder");
    write("recorded/a.har", ARCHIVE);
    fs::create_dir(folder.join("cases")).expect("a folder");
    for name in ["first.yaml", "ad.xml"] {
        fs::copy(folder.join(name), folder.join("cases").join(name)).expect("copied");
    }
    for (format, file) in [("text", "first.trace"), ("jsonl", "lines.jsonl")] {
        let ran = run(
            &folder,
            &["run", "first.yaml", "--format", format, "-o", file],
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    leads_to(&folder, "first.yaml", "a scenario", &["run", "first.yaml"]);
    leads_to(&folder, "lines.jsonl", "a trace", &["check", "lines.jsonl"]);
    leads_to(
        &folder,
        "first.trace",
        "a trace in text form",
        &["test", "first.yaml"],
    );
    leads_to(
        &folder,
        "session.har",
        "a recording",
        &["waterfall", "session.har"],
    );
    leads_to(
        &folder,
        "ad.xml",
        "a VAST or VMAP document",
        &["vast", "ad.xml"],
    );
    leads_to(
        &folder,
        "cut.xml",
        "a VAST or VMAP document",
        &["vast", "cut.xml"],
    );
    leads_to(
        &folder,
        "answer.http",
        "an HTTP response",
        &["waterfall", "answer.http"],
    );
    leads_to(
        &folder,
        "cases",
        "a folder with scenarios",
        &["test", "cases"],
    );
    leads_to(
        &folder,
        "recorded",
        "a folder with recordings",
        &["waterfall", "recorded"],
    );
}

#[test]
fn options_of_the_command_follow_the_file() {
    let folder = folder_with_first("kinds_options");
    let ran = run(
        &folder,
        &["--color", "never", "first.yaml", "--only", "adStart"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("adStart") && !ran.stdout.contains("adEnd"));
}

#[test]
fn what_no_command_reads_is_refused_by_name() {
    let folder = folder("kinds_refused");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("written");
    write("notes.txt", "buy milk\n");
    write("page.html", "<html></html>\n");
    write(
        "access.log",
        "192.0.2.1 - - [23/Sep/2026:14:05:01 +0200] \"GET /vast HTTP/2.0\" 200 64 \"-\" \"x\"\n",
    );
    fs::create_dir(folder.join("empty")).expect("a folder");
    for (file, code, said) in [
        ("notes.txt", 2, "nothing that playsim knows"),
        ("page.html", 2, "nothing that playsim knows"),
        ("access.log", 2, "an access log of a server"),
        (
            "empty",
            2,
            "has neither scenarios (.yaml, .json) nor recordings",
        ),
        ("absent.har", 3, "cannot read absent.har"),
    ] {
        let ran = run(&folder, &[file]);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{file}");
        assert!(ran.stderr.contains(said), "{file}: {}", ran.stderr);
    }
}

#[test]
fn a_command_for_scenarios_says_which_command_reads_another_file() {
    let folder = folder_with_first("kinds_doors");
    fs::write(folder.join("session.har"), ARCHIVE).expect("written");
    for (file, instead) in [
        ("session.har", "playsim waterfall session.har reads it"),
        ("ad.xml", "playsim vast ad.xml reads it"),
    ] {
        let ran = run(&folder, &["run", file]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(instead), "{}", ran.stderr);
    }
}

#[test]
fn a_word_that_is_no_family_searches_the_rules() {
    let folder = folder("kinds_rules");
    let searched = run(&folder, &["rules", "--search", "quartile"]);
    assert_eq!(run(&folder, &["rules", "quartile"]).stdout, searched.stdout);
    let narrowed = run(&folder, &["rules", "TRK", "quartile"]).stdout;
    assert!(!narrowed.is_empty() && narrowed.len() < searched.stdout.len());
    let unknown = run(&folder, &["rules", "quartiel"]);
    assert_eq!(unknown.code, 2);
}
