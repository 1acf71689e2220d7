//! `playsim code`: what is explained, how it is found, what is printed for an unknown code.

use super::*;

fn code(words: &[&str]) -> Ran {
    run(
        Path::new(env!("CARGO_MANIFEST_DIR")),
        &[&["code"], words].concat(),
    )
}

fn list(words: &[&str]) -> Vec<Json> {
    let ran = code(&[words, &["--format", "json"]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{words:?}");
    serde_json::from_str(&ran.stdout).expect("it is a JSON list")
}

#[test]
fn a_code_is_explained() {
    let ran = code(&["303"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    snapshot("code_303", &ran.stdout);
    let too_long = |line: &&str| line.chars().count() > 100;
    assert_eq!(ran.stdout.lines().find(too_long), None);
}

#[test]
fn the_json_form_has_everything() {
    let entries = list(&["303"]);
    let [entry] = &entries[..] else {
        panic!("there is one 303: {entries:?}")
    };
    assert_eq!(
        (&entry["family"], &entry["code"], &entry["since"]),
        (&"vast".into(), &303.into(), &"3.0".into())
    );
    assert_eq!(entry["who"], serde_json::json!(["ad server", "page"]));
    let rules = entry["rules"].as_array().expect("it is a list");
    assert!(rules.iter().any(|rule| rule["id"] == "REQ-6"), "{rules:?}");
    assert!(
        entry["knobs"]
            .as_array()
            .expect("it is a list")
            .contains(&"ad.no_media_code".into())
    );
    let first = entry["conditions"].as_array().expect("it is a list").iter();
    let mut empty = first.filter(|condition| condition["about"] == "the first response has no ad");
    let given = empty.next().expect("products differ on it")["given"].clone();
    let given = given.as_array().expect("it is a list");
    let ima = given
        .iter()
        .find(|row| row["product"] == "ima")
        .expect("it is one of the products");
    assert_eq!(ima["says"], "1009");
    for entry in list(&[]) {
        for key in [
            "title", "source", "sdk_name", "meaning", "causes", "remedies",
        ] {
            assert!(entry.get(key).is_some(), "{key} is not in {entry:#}");
        }
    }
}

#[test]
fn all_codes_are_listed_by_family_and_a_number_of_two_families_is_shown_for_both() {
    let all = code(&[]);
    assert_eq!((all.code, all.stderr.as_str()), (0, ""));
    snapshot("code_all", &all.stdout);
    let families = |words: &[&str]| -> Vec<String> {
        list(words)
            .iter()
            .map(|entry| entry["family"].as_str().expect("a name").to_owned())
            .collect()
    };
    assert_eq!(families(&["1005"]), ["vmap", "sdk"]);
    assert_eq!(families(&["vmap", "1005"]), ["vmap"]);
    assert_eq!(families(&["IMA", "1005"]), ["sdk"]);
    assert_eq!(families(&["301", "303"]), ["vast", "vast"]);
    assert!(families(&["simid"]).iter().all(|family| family == "simid"));
    assert_eq!(list(&["VAST_LOAD_TIMEOUT"])[0]["code"], 301);
    assert_eq!(list(&["AdError"])[0]["family"], "vpaid");
    let jw = code(&["10303"]);
    assert_eq!(
        (jw.code, jw.stderr.as_str()),
        (
            0,
            "10303 is 303 in the form of JW Player, which adds 10000\n"
        )
    );
    assert!(jw.stdout.starts_with("VAST 303: "), "{}", jw.stdout);
}

#[test]
fn words_are_searched() {
    let found = code(&["wrapper", "loop"]);
    assert_eq!(found.code, 0);
    assert!(
        found.stdout.starts_with("VAST 302: too many wrappers\n"),
        "{}",
        found.stdout
    );
    let several = code(&["timeout"]);
    assert!(
        several
            .stdout
            .contains("\n  402  the media file took too long"),
        "{}",
        several.stdout
    );
    let one = code(&["gzip"]);
    assert!(one.stdout.starts_with("VAST 100: "), "{}", one.stdout);
    let book = code(&["vmap", "1005", "--format", "md"]);
    assert!(
        book.stdout
            .starts_with("## VMAP\n\nVMAP 1.0.1 section 2.5.\n\n### 1005 "),
        "{}",
        book.stdout
    );
}

#[test]
fn an_unknown_code_gets_the_nearest_and_its_family() {
    let ran = code(&["404"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    let begin = "error: unknown code \"404\"; the nearest: 403 (none of the media files can be played here), \
                 405 (the media file cannot be displayed)\nVAST (VAST 4.3 section 2.3.6)\n  100  ";
    assert!(ran.stderr.starts_with(begin), "{}", ran.stderr);
    let ran = code(&["vmap", "1010"]);
    assert!(ran.stderr.contains("the nearest: 1008 "), "{}", ran.stderr);
    assert!(!ran.stderr.contains("VAST (VAST"), "{}", ran.stderr);
    let ran = code(&["AdStoped"]);
    assert!(
        ran.stderr.contains("the nearest: AdStopped "),
        "{}",
        ran.stderr
    );
    let ran = code(&["xyzzy\u{1b}[31m"]);
    assert_eq!(
        ran.stderr,
        "error: unknown code \"xyzzy\\u{1b}[31m\"; playsim code lists all\n"
    );
    let ran = code(&["gesture_required"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("is no error code but a diagnostic of a trace: The browser"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_waterfall_that_has_codes_says_where_they_are_explained() {
    let folder = folder("code_waterfall");
    let last = |args: &[&str]| {
        let ran = run(&folder, &[&["waterfall"], args].concat());
        ran.stdout.lines().last().unwrap_or_default().to_owned()
    };
    let hint = "playsim code 301 303 says what this means, who has to act and what helps";
    assert_eq!(last(&["empty", "404", "empty", "timeout"]), hint);
    let words: Vec<&str> = hint.split(' ').skip(1).take(3).collect();
    assert_eq!(run(&folder, &words).code, 0);
    let tag = "<VAST version='4.2'><Ad id='a'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
        <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:02</Duration>\
        <MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>\
        https://m.test/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";
    fs::write(folder.join("ad.xml"), tag).expect("it can be written");
    assert!(!last(&["ad.xml"]).contains("playsim code"));
}
