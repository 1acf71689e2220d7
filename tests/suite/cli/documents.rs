//! `playsim vast`, and documents in files for `run` and `waterfall`: where relative URLs point,
//! what counts as a finding, and what files that are not documents are.

use super::*;

const INLINE: &str = "<VAST version='3.0'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
    <Impression>/i?c=[CACHEBUSTING]</Impression><Creatives><Creative><Linear><Duration>00:00:04</Duration>\
    <MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='1' height='1'>media/spot.mp4</MediaFile>\
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

fn wrapper(to: &str) -> String {
    format!(
        "<VAST version='3.0'><Ad><Wrapper><AdSystem>s</AdSystem><VASTAdTagURI>{to}</VASTAdTagURI>\
         <Impression>o</Impression></Wrapper></Ad></VAST>"
    )
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
    fs::write(path, bytes).expect("it can be written");
}

/// Returns the ad that played and the URLs that were requested, in a waterfall.
fn played(folder: &Path, args: &[&str]) -> (Json, Vec<String>) {
    let ran = run(
        folder,
        &[&["waterfall"], args, &["--format", "json"]].concat(),
    );
    let report: Json = serde_json::from_str(&ran.stdout).expect("it is a JSON object");
    let found = &report["breaks"][0];
    let beacons = found["beacons"].as_array().expect("there is a list");
    let called = beacons
        .iter()
        .map(|it| it["url"].as_str().expect("it has a URL").to_owned());
    (found["played"][0]["media"].clone(), called.collect())
}

#[test]
fn a_wrapper_finds_the_document_next_to_its_file() {
    let folder = folder("documents_beside");
    write(&folder, "ads/outer.xml", wrapper("in/inner.xml"));
    write(&folder, "ads/up.xml", wrapper("../ads/in/inner.xml"));
    write(&folder, "ads/in/inner.xml", INLINE);
    for outer in ["ads/outer.xml", "ads/up.xml"] {
        let (media, called) = played(&folder, &[outer]);
        assert_eq!(media, "file:ads/in/media/spot.mp4", "{outer}");
        assert_eq!(called[0], "file:ads/o");
    }
    // Also from any other folder, without an option that names it.
    let elsewhere = super::folder("documents_elsewhere");
    let outer = folder.join("ads/outer.xml");
    let (media, _) = played(&elsewhere, &[outer.to_str().expect("it is UTF-8")]);
    assert_eq!(media, "file:in/media/spot.mp4");
    // An `--answer` for a URL takes precedence over the file, also if the URL is written as in the
    // document.
    for said in ["in/inner.xml=404", "file:ads/in/inner.xml=404"] {
        assert_eq!(
            played(&folder, &["ads/outer.xml", "--answer", said]).0,
            Json::Null,
            "{said}"
        );
    }
    assert_eq!(
        played(
            &folder,
            &["ads/in/inner.xml", "--media", "media/spot.mp4=missing"]
        )
        .0,
        Json::Null
    );
}

#[test]
fn a_url_without_a_scheme_is_requested_over_https() {
    let folder = folder("documents_scheme");
    write(&folder, "outer.xml", wrapper("//ads.test/a/inner.xml"));
    write(&folder, "inner.xml", INLINE);
    let (media, called) = played(
        &folder,
        &[
            "outer.xml",
            "--answer",
            "https://ads.test/a/inner.xml=inner.xml",
        ],
    );
    assert_eq!(media, "https://ads.test/a/media/spot.mp4");
    assert!(called[1].starts_with("https://ads.test/i?c="), "{called:?}");
}

#[test]
fn a_document_shows_where_its_urls_point() {
    let folder = folder("documents_base");
    write(&folder, "ads/inner.xml", INLINE);
    let media = |args: &[&str]| {
        let ran = run(
            &folder,
            &[&["vast", "ads/inner.xml", "--format", "json"], args].concat(),
        );
        let document: Json = serde_json::from_str(&ran.stdout).expect("it is a JSON object");
        document["ads"][0]["creatives"][0]["media_files"][0]["url"].clone()
    };
    assert_eq!(media(&[]), "file:ads/media/spot.mp4");
    assert_eq!(
        media(&["--base", "https://ads.test/x/tag?y"]),
        "https://ads.test/x/media/spot.mp4"
    );
    let piped = run_with_stdin(&folder, &["vast", "-"], INLINE);
    assert!(
        piped.stdout.contains(" media/spot.mp4\n"),
        "{}",
        piped.stdout
    );
}

#[test]
fn warnings_are_findings_when_strict() {
    let folder = folder("documents_strict");
    write(
        &folder,
        "clean.xml",
        INLINE.replace("version='3.0'", "version='3.0' "),
    );
    write(
        &folder,
        "odd.xml",
        INLINE.replace("delivery='progressive'", "delivery='rtmp'"),
    );
    let both = "<VAST version='3.0'><Ad id='b'><InLine/><Wrapper/></Ad></VAST>";
    write(&folder, "both.xml", both);
    for (file, plain, strict) in [("clean.xml", 0, 0), ("odd.xml", 0, 1), ("both.xml", 1, 1)] {
        assert_eq!(run(&folder, &["vast", file]).code, plain, "{file}");
        assert_eq!(
            run(&folder, &["vast", "--strict", file]).code,
            strict,
            "{file}"
        );
    }
    let json = run(&folder, &["vast", "both.xml", "--format", "json"]);
    let document: Json = serde_json::from_str(&json.stdout).expect("it is a JSON object");
    assert_eq!(document["errors"][0]["code"], 101);
}

#[test]
fn defects_are_findings_for_other_programs() {
    let folder = folder("documents_findings");
    let odd = INLINE.replace("delivery='progressive'", "delivery='rtmp'");
    write(&folder, "odd.xml", odd);
    let both = "<VAST version='3.0'><Ad id='b'><InLine/><Wrapper/></Ad></VAST>";
    write(&folder, "both.xml", both);
    write(&folder, "wrapper.xml", wrapper("https://ads.test/inner"));
    let shown = |format: &str, more: &[&str]| {
        let files = ["vast", "odd.xml", "both.xml", "wrapper.xml", "--format"];
        let ran = run(&folder, &[&files[..], &[format], more].concat());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        ran.stdout
    };
    let github = shown("github", &[]);
    let lines: Vec<&str> = github.lines().collect();
    assert!(
        lines[0].starts_with("::notice file=odd.xml,line=1,col=")
            && lines[0].contains(",title=playsim%3A delivery-unknown::"),
        "{github}"
    );
    assert_eq!(
        lines[1..],
        [
            "::error file=both.xml,line=1,col=21,title=playsim%3A 101::the ad contains both InLine and Wrapper; expected exactly one of them",
            "::notice file=both.xml,line=1,col=21,title=playsim%3A ad-both-children::\"Ad\" contains both \"InLine\" and \"Wrapper\"; expected one of them, the ad is unusable",
            "::warning file=wrapper.xml,title=playsim%3A wrapper.xml unknown::whether it plays depends on 1 document not given here: https://ads.test/inner",
        ]
    );
    let failures = |junit: &str| junit.matches("<failure").count();
    assert_eq!(failures(&shown("junit", &[])), 1);
    assert_eq!(failures(&shown("junit", &["--strict"])), 2);
    let sarif: Json = serde_json::from_str(&shown("sarif", &[])).expect("it is JSON");
    let rules = &sarif["runs"][0]["tool"]["driver"]["rules"];
    assert_eq!(
        (&rules[0]["id"], &rules[0]["shortDescription"]["text"]),
        (&"101".into(), &"the document breaks the VAST schema".into()),
        "{rules:#}"
    );
    assert!(shown("tap", &[]).contains("\nok 1 - odd.xml\n"));
    assert!(shown("html", &[]).contains("<h1>playsim vast</h1>"));
}

#[test]
fn a_file_that_is_not_a_document_is_named_wherever_it_is_read() {
    let folder = folder("documents_other");
    let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xfe";
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    for (name, bytes, what) in [
        ("tag.gz", gzip.as_slice(), "a gzip file"),
        ("tag.png", png.as_slice(), "a PNG image"),
        (
            "tag.html",
            b"<!DOCTYPE html><html><head><meta x></head></html>".as_slice(),
            "an HTML page",
        ),
        (
            "tag.har",
            b"{\"log\": {\"version\": \"1.2\", \"entries\": []}}".as_slice(),
            "an HTTP archive (HAR)",
        ),
        ("tag.m3u8", b"#EXTM3U\n".as_slice(), "an HLS playlist"),
        ("tag.txt", b"no ad".as_slice(), "plain text"),
    ] {
        write(&folder, name, bytes);
        let read = run(&folder, &["vast", name]);
        assert_eq!(read.code, 1, "{name}");
        assert!(read.stdout.contains(what), "{name}: {}", read.stdout);
        let asked = run(&folder, &["waterfall", name]);
        // An archive is a recording, whose requests matter.
        let due = if name == "tag.har" {
            "none of 0 answers is VAST or VMAP"
        } else {
            what
        };
        let said = asked.stdout.clone() + &asked.stderr;
        assert!(
            said.contains(due),
            "{name}: {}{}",
            asked.stdout,
            asked.stderr
        );
        let scenario = format!(
            "videos: [{{ id: v, renditions: {{ sd: f }} }}]\nmedia: {{ f: {{ duration: 1s }} }}\n\
             network: {{ \"https://a.test/\": {{ file: {name} }} }}\n\
             player: {{ ads: [{{ adType: 0, mobile: [\"https://a.test/\"] }}] }}\n"
        );
        write(&folder, "case.yaml", scenario);
        let ran = run(&folder, &["run", "case.yaml"]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        assert!(ran.stdout.contains(what), "{name}: {}", ran.stdout);
    }
}

/// The first line of `playsim vast`, without the name, and the verdict of its JSON.
fn verdict(folder: &Path, text: &str) -> (String, Json) {
    write(folder, "ad.xml", text);
    let ran = run(folder, &["vast", "ad.xml"]);
    let first = ran.stdout.lines().next().unwrap_or_default();
    let json = run(folder, &["vast", "ad.xml", "--format", "json"]).stdout;
    let json: Json = serde_json::from_str(&json).expect("it is JSON");
    let line = first.strip_prefix("ad.xml: ").unwrap_or(first);
    assert_eq!(json["verdict"]["text"], line, "both say the same");
    (line.to_owned(), json["verdict"].clone())
}

#[test]
fn the_first_line_says_whether_a_document_can_be_played() {
    let folder = folder("vast_verdict");
    let linear = "<VAST version='3.0'><Ad id='a'><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle>\
        <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:05</Duration>\
        <MediaFiles><MediaFile delivery='progressive' type='TYPE' width='640' height='360'>https://m.test/a</MediaFile>\
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";
    let (said, json) = verdict(&folder, &linear.replace("TYPE", "video/mp4"));
    assert_eq!(
        said,
        "it plays as a pre-roll of 5.000 s; 1 pixel called; no defect found"
    );
    assert_eq!(json["plays"], "linear");

    let (said, json) = verdict(&folder, &linear.replace("TYPE", "video/x-flv"));
    assert!(
        said.starts_with("it does not play: the only media file"),
        "{said}"
    );
    assert_eq!(
        (&json["plays"], &json["next"]),
        (&"no".into(), &"playsim code 403".into())
    );

    let overlay = "<VAST version='3.0'><Ad id='a'><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle>\
        <Impression>https://t.test/i</Impression><Creatives><Creative><NonLinearAds><NonLinear width='300' height='50' \
        minSuggestedDuration='00:00:05'><StaticResource creativeType='image/png'>https://m.test/a.png</StaticResource>\
        </NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>";
    let (said, json) = verdict(&folder, overlay);
    assert!(
        said.starts_with("it plays only as an overlay; 1 pixel called"),
        "{said}"
    );
    assert_eq!(json["next"], "playsim waterfall ad.xml --kind overlay");

    // Neither a 404 of playsim's own nor a code: what the wrapper leads to is not here.
    let (said, json) = verdict(&folder, &wrapper("https://inner.test/vast"));
    assert_eq!(
        said,
        "whether it plays depends on 1 document not given here: https://inner.test/vast"
    );
    assert_eq!(json["plays"], "unknown");

    let vmap = "<vmap:VMAP xmlns:vmap='http://www.iab.net/videosuite/vmap' version='1.0'>\
        <vmap:AdBreak timeOffset='start' breakType='linear'><vmap:AdSource><vmap:VASTAdData>INLINE</vmap:VASTAdData>\
        </vmap:AdSource></vmap:AdBreak><vmap:AdBreak timeOffset='00:10:00' breakType='linear'><vmap:AdSource>\
        <vmap:VASTAdData>INLINE</vmap:VASTAdData></vmap:AdSource></vmap:AdBreak></vmap:VMAP>";
    let (said, json) = verdict(
        &folder,
        &vmap.replace("INLINE", &linear.replace("TYPE", "video/mp4")),
    );
    assert!(
        said.starts_with("it schedules 2 breaks: 1 in content of 60.000 s, of which 1 show ads"),
        "{said}"
    );
    assert_eq!(json["plays"], "schedule");
}
