//! `playsim run --format`: the export formats, each compared as a whole; and what is refused.

use super::*;

/// A folder with a waterfall: one tag fails, one responds too late, a wrapper fills. Its name is
/// hostile.
fn folder_with_waterfall(name: &str) -> PathBuf {
    let folder = folder(name);
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cli/waterfall.yaml");
    fs::copy(fixture, folder.join("waterfall.yaml")).expect("it can be copied");
    folder
}

fn exported(folder: &Path, args: &[&str]) -> String {
    let ran = run(
        folder,
        &[&["run", "waterfall.yaml", "--format"], args].concat(),
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.stdout
}

#[test]
fn every_format_is_as_reviewed_and_reproducible() {
    let folder = folder_with_waterfall("exports");
    for (name, args) in [
        ("export_chrome_trace", &["chrome-trace"][..]),
        ("export_har", &["har"]),
        ("export_pixels", &["pixels"]),
        ("export_summary", &["summary"]),
    ] {
        let text = exported(&folder, args);
        assert_eq!(exported(&folder, args), text);
        // The program's own version is not part of what is reviewed.
        snapshot(name, &text.replace(env!("CARGO_PKG_VERSION"), "[version]"));
    }
    snapshot(
        "export_pixels_why",
        &exported(&folder, &["pixels", "--why"]),
    );
    snapshot(
        "export_summary_ads",
        &exported(&folder, &["summary", "--only", "break,ad,request"]),
    );
}

#[test]
fn a_hostile_name_stays_plain_text_and_nothing_is_loaded() {
    let folder = folder_with_waterfall("exports_hostile");
    let page = exported(&folder, &["html", "--view", "all", "--why"]);
    assert!(
        page.contains("&lt;script&gt;alert(&quot;name&quot;)&lt;/script&gt;"),
        "{page}"
    );
    assert_eq!(
        page.matches("<script").count(),
        1,
        "only the page's own script"
    );
    for forbidden in ["<link", "<img", "src=", "@import", "url(h"] {
        assert!(!page.contains(forbidden), "{forbidden} in {page}");
    }
    assert!(
        page.contains("playsim run waterfall.yaml --format html --view all --why"),
        "the command is named"
    );
}

#[test]
fn times_of_an_archive_count_from_the_scenarios_epoch() {
    let folder = folder_with_waterfall("exports_epoch");
    let archive: Json = serde_json::from_str(&exported(&folder, &["har"])).expect("it is JSON");
    let slow = &archive["log"]["entries"][3];
    assert_eq!(slow["startedDateTime"], "2026-01-01T12:00:01.000000Z");
    assert_eq!(
        (&slow["time"], &slow["response"]["status"]),
        (&120.into(), &200.into())
    );
    assert_eq!(slow["request"]["queryString"][1]["name"], "pos");
    let refused = &archive["log"]["entries"][1];
    assert_eq!(refused["response"]["status"], 0);
    assert_eq!(refused["response"]["_error"], "net::ERR_CONNECTION_REFUSED");
    assert_eq!(refused["_playsim"]["code"], 301);
}

#[test]
fn views_and_names_choose_what_is_exported() {
    let folder = folder_with_waterfall("exports_filter");
    let entries = |args: &[&str]| {
        let text = exported(&folder, &[&["har"], args].concat());
        let archive: Json = serde_json::from_str(&text).expect("it is JSON");
        archive["log"]["entries"].as_array().map(Vec::len)
    };
    assert_eq!(entries(&[]), Some(11));
    assert_eq!(entries(&["--only", "beacon"]), Some(5));
    assert_eq!(entries(&["--not", "beacon"]), Some(6));
    // Half of a request would be misleading, so it is shown as a whole.
    assert_eq!(entries(&["--only", "timeout"]), Some(1));
    assert_eq!(entries(&["--view", "page"]), Some(0));
    assert!(
        exported(&folder, &["pixels", "--not", "impression"])
            .contains("filtered out by view or name: 2 beacon")
    );
    let nothing = run(
        &folder,
        &[
            "run",
            "waterfall.yaml",
            "--format",
            "pixels",
            "--only",
            "adStrat",
        ],
    );
    assert_eq!(nothing.code, 4);
}

#[test]
fn a_document_is_for_one_scenario_and_lists_have_headings() {
    let folder = folder_with_waterfall("exports_several");
    for (format, output) in [
        ("html", "waterfall.html"),
        ("har", "waterfall.har"),
        ("chrome-trace", "waterfall.trace.json"),
    ] {
        let ran = run(
            &folder,
            &[
                "run",
                "waterfall.yaml",
                "waterfall.yaml",
                "--format",
                format,
            ],
        );
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert_eq!(
            ran.stderr,
            format!(
                "error: --format {format} writes a single document; give one scenario at a time, such as: \
                 playsim run waterfall.yaml --format {format} -o {output}\n"
            )
        );
        let ran = run(
            &folder,
            &["run", "waterfall.yaml", "--format", format, "-o", output],
        );
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
            (0, "", "")
        );
        let written = fs::read_to_string(folder.join(output)).expect("it can be read");
        assert_eq!(written, exported(&folder, &[format]));
    }
    for format in ["pixels", "summary"] {
        let one = exported(&folder, &[format]);
        let two = exported(&folder, &[format, "waterfall.yaml"]);
        assert_eq!(
            two,
            format!("# waterfall.yaml\n{one}\n# waterfall.yaml\n{one}")
        );
    }
}

#[test]
fn what_is_unfinished_at_the_end_of_a_run_stays_open() {
    let folder = folder_with_waterfall("exports_cut");
    let summary = exported(&folder, &["summary", "--until", "1100ms"]);
    assert!(
        summary.contains("unanswered") && summary.contains("undecided"),
        "{summary}"
    );
    let summary = exported(&folder, &["summary", "--until", "3s"]);
    assert!(summary.contains("1.200000    -  player  pre"), "{summary}");
    let timeline = exported(&folder, &["chrome-trace", "--until", "3s"]);
    assert!(
        timeline.contains("\"ts\":3000000,\"pid\":1,\"tid\":2,\"args\":{\"outcome\":\"open\"}"),
        "{timeline}"
    );
}

#[test]
fn a_page_links_its_scenario_into_a_playground() {
    let folder = folder_with_waterfall("exports_playground");
    let page = exported(&folder, &["html", "--playground", "../playground.html"]);
    let link = page
        .split("href=\"../playground.html#s=")
        .nth(1)
        .expect("there is a link");
    let packed = link.split('"').next().expect("it ends");
    let packed = data_encoding::BASE64URL_NOPAD
        .decode(packed.as_bytes())
        .expect("it is Base64 for URLs");
    let shared: Json =
        serde_json::from_reader(flate2::read::DeflateDecoder::new(&*packed)).expect("JSON");
    let files: Vec<&String> = shared["files"]
        .as_object()
        .expect("documents")
        .keys()
        .collect();
    let read = playsim::scenario::read(
        "a.yaml",
        shared["scenario"].as_str().expect("a text"),
        &mut |path| {
            Ok(shared["files"][path]
                .as_str()
                .expect("a document")
                .to_owned())
        },
    );
    let played = playsim::Simulation::new(&read.expect("it can be read"))
        .expect("it can be played")
        .run();
    assert!(
        page.contains(&played.digest.to_string()),
        "it plays to the same digest; {files:?}"
    );
    let refused = run(
        &folder,
        &["run", "waterfall.yaml", "--playground", "playground.html"],
    );
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .stderr
            .contains("--playground is about a link in a page; add --format html")
    );
}
