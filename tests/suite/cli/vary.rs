//! `playsim waterfall --vary` and `--compare`: what would have helped.

use super::*;

/// A folder with a document that fills, and one that wraps it.
fn folder_with_ad(name: &str) -> PathBuf {
    let folder = folder_with_first(name);
    let wrapper = "<VAST version=\"4.2\"><Ad id=\"w\"><Wrapper><AdSystem>s</AdSystem>\
        <VASTAdTagURI>https://ads.test/inner?cb=[CACHEBUSTING]&amp;t=[TIMESTAMP]</VASTAdTagURI></Wrapper></Ad></VAST>";
    fs::write(folder.join("wrapper.xml"), wrapper).expect("it can be written");
    folder
}

const TAGS: &[&str] = &["waterfall", "empty@120ms", "ad.xml@2600ms", "ad.xml@300ms"];

fn vary(folder: &Path, args: &[&str]) -> Ran {
    run(folder, &[TAGS, args].concat())
}

/// The table as JSON, and the exit code.
fn table(folder: &Path, args: &[&str]) -> (Json, i32) {
    let ran = run(folder, &[args, &["--format", "json"]].concat());
    (serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("it is not JSON: {}", ran.stderr)), ran.code)
}

fn has(object: &Json, keys: &str) {
    let found: Vec<&str> = object.as_object().expect("it is an object").keys().map(String::as_str).collect();
    for key in keys.split(' ') {
        assert!(found.contains(&key), "{key} is not in {object:#}");
    }
    assert_eq!(found.len(), keys.split(' ').count(), "{found:?}");
}

#[test]
fn a_range_has_a_row_for_each_value_and_exact_tipping_points() {
    let folder = folder_with_ad("vary");
    let ran = vary(&folder, &["--vary", "ad.timeout=250ms..4s/750ms"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    snapshot("vary", &ran.stdout);
    let too_long = |line: &&str| line.chars().count() > 100;
    assert_eq!(ran.stdout.lines().find(too_long), None);
    let ran = vary(&folder, &["--vary", "ad.timeout=1ms..100ms/50ms"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
}

#[test]
fn figures_are_the_same_for_any_number_of_threads() {
    let folder = folder_with_ad("vary_random");
    let args = |threads| {
        let random = ["--vary", "tag2.after=lognormal(1s, 0.8)", "--vary", "tag3.fill=60%", "--runs", "1100"];
        vary(
            &folder,
            &[&random[..], &["--seed", "3", "--price", "tag2=2.50,tag3=1", "--threads", threads]].concat(),
        )
    };
    let one = args("1");
    assert_eq!((one.code, one.stderr.as_str()), (0, ""));
    assert_eq!(one.stdout, args("2").stdout);
    assert_eq!(one.stdout, args("7").stdout);
    snapshot("vary_random", &one.stdout);
}

#[test]
fn configurations_stand_side_by_side() {
    let folder = folder_with_ad("vary_compare");
    let ran = vary(&folder, &["--compare", "base", "ima", "ad.timeout=1s+tag3.answer=404"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    snapshot("vary_compare", &ran.stdout);
    let ran = vary(&folder, &["--compare", "base", "base", "--vary", "tag2.after=1s"]);
    assert!(ran.stdout.contains("(all configurations are alike)"), "{}", ran.stdout);
}

/// Each run fills the macros of a wrapper's URL with other values; the answer must be found all the same.
#[test]
fn answers_are_found_whatever_the_macros_become() {
    let folder = folder_with_ad("vary_macros");
    let answer = "https://ads.test/inner?cb=[CB]&t=[T]=ad.xml@50ms";
    let args = ["waterfall", "timeout", "wrapper.xml@80ms", "--answer", answer];
    let (found, code) = table(&folder, &[&args[..], &["--vary", "ad.timeout=1s..4s/333ms"]].concat());
    assert_eq!(code, 0);
    for row in found["rows"].as_array().expect("there are rows") {
        assert_eq!(
            (&row["outcome"]["filled_by"][0], &row["outcome"]["unlisted"]),
            (&"tag2".into(), &0.into())
        );
    }
    let random = ["--vary", "tag2.after=uniform(0, 1s)", "--runs", "300", "--timeout", "2s"];
    let (found, _) = table(&folder, &[&args[..], &random].concat());
    assert_eq!(found["rows"][0]["figures"]["filled"]["share"], Json::from(1));
    // Tags after the one that fills in the base are asked in other rows, and their wrappers answered too.
    let later = ["waterfall", "ad.xml@2s", "wrapper.xml", "--answer", answer, "--vary", "ad.timeout=1s,3s"];
    let (found, _) = table(&folder, &later);
    assert_eq!(found["rows"][0]["outcome"]["filled_by"][0], "tag2");
    let without = ["waterfall", "wrapper.xml", "--vary", "ad.timeout=1s,3s"];
    let ran = run(&folder, &without);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("note: URLs without a response returned 404"), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("--answer 'https://ads.test/inner?cb=").count(), 1, "{}", ran.stderr);
}

#[test]
fn the_table_has_the_documented_keys() {
    let folder = folder_with_ad("vary_keys");
    let args = [TAGS, &["--vary", "tag2.after=1s..9s/4s"]].concat();
    let (exact, _) = table(&folder, &args);
    let random = ["--vary", "tag2.after=exponential(1s)", "--runs", "200", "--price", "tag2=1"];
    let (random, _) = table(&folder, &[TAGS, &random].concat());
    let keys = "profile knobs tags varied fixed runs seed confidence_percent rows tipping_points tried_between cut \
                returns";
    for table in [&exact, &random] {
        has(table, keys);
        has(&table["rows"][0], "values outcome figures");
    }
    has(&exact["tags"][0], "tag wp address");
    has(&exact["varied"][0], "name unit values points");
    has(&random["fixed"][0], "name value");
    has(&exact["tipping_points"][0], "name value point others before after");
    let outcome = &exact["rows"][0]["outcome"];
    has(outcome, "filled_by breaks breaks_filled failed first_frame shown pixels unlisted ended");
    has(&outcome["failed"][0], "tag code");
    has(&outcome["first_frame"], "after_us of");
    has(&outcome["shown"][0], "tag ads");
    has(&outcome["pixels"][0], "event calls");
    let figures = &random["rows"][0]["figures"];
    has(figures, "runs filled tags first_frame without_frame revenue unlisted");
    has(&figures["filled"], "count share low high");
    has(&figures["tags"][0], "tag filled failed");
    has(&figures["tags"][0]["failed"][0], "code sessions");
    has(&figures["first_frame"][0], "percent us low_us high_us");
    has(&figures["revenue"], "per_mille low high currency without_price");

    let chapter = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/what-if.md"));
    let chapter = chapter.expect("the book has a chapter");
    let mut objects = vec![&exact, &random];
    while let Some(value) = objects.pop() {
        match value {
            Json::Object(fields) => {
                for (key, value) in fields {
                    assert!(chapter.contains(&format!("`{key}`")), "the book does not name {key}");
                    objects.push(value);
                }
            }
            Json::Array(items) => objects.extend(items),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_what_to_write_instead() {
    let folder = folder_with_ad("vary_wrong");
    for (args, message) in [
        (&["--vary", "tag5.after=1s"][..], "tag5: there are 3 tags, tag1 to tag3"),
        (
            &["--vary", "ad.timeuot=1s"],
            "--vary: nothing named \"ad.timeuot\" can be varied; did you mean \"ad.timeout\"?",
        ),
        (&["--vary", "ad.timeout=5s..1s"], "write it like 250ms..5s/250ms"),
        (&["--vary", "tag1.after=lognorm(1s, 1)"], "did you mean lognormal?"),
        (&["--vary", "tag2.answer=nix.xml"], "cannot read nix.xml: no such file or folder"),
        (&["--runs", "5"], "--runs is about many runs; add what differs"),
        (&["--vary", "ad.timeout=1s", "--runs", "5"], "nothing here is random"),
        (&["--vary", "ad.timeout=1s", "--threads", "0"], "must be a whole number from 1 to 1024"),
        (&["--vary", "ad.timeout=1s", "--price", "2"], "such as tag1=2.50"),
        (&["--vary", "ad.timeout=1s", "--price", "tag9=2"], "tag9: there are 3 tags"),
        (&["--vary", "ad.timeout=1s", "--format", "har"], "--format har shows one run"),
        (&["--vary", "ad.timeout=1s", "--save", "x"], "--save writes one run"),
        (&["--vary", "ad.timeout=1s", "-o", "ad.xml"], "-o would overwrite it"),
        (&["--compare", "base", "ad.xml"], "is it a tag? put the tags before --compare"),
        (&["--compare", "base", "--vary", "ad.timeout=1s,2s"], "--compare ad.timeout=... ad.timeout=..."),
    ] {
        let ran = vary(&folder, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}
