//! What the README shows of the server is what comes out.

use std::fs;
use std::path::Path;

use super::program::{Program, folder};

/// The line below this one in the README.
fn below<'a>(readme: &'a str, line: &str) -> &'a str {
    let (_, rest) = readme.split_once(line).unwrap_or_else(|| panic!("the README shows {line}"));
    rest.trim_start_matches('\n').lines().next().unwrap_or_default()
}

#[cfg(unix)]
#[test]
fn the_readme_shows_what_a_client_is_told() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("there is a README");
    let folder = folder("readme");
    fs::write(folder.join("records.json"), below(&readme, "$ cat records.json")).expect("it can be written");
    let server = Program::serve(&folder, &["--import", "records.json", "--catalog", "catalog.redb"]);
    let (_, curl) = readme.split_once("$ curl ").expect("the README shows a call");
    let (curl, shown) = curl.split_once('\n').expect("an answer stands below it");
    let fields: Vec<(&str, &str)> = curl
        .split("-F ")
        .skip(1)
        .filter_map(|field| field.split(" http").next()?.trim().split_once('='))
        .map(|(name, value)| (name, value.trim_matches('\'')))
        .collect();
    let (_, path) = curl.split_once(":8765").expect("it is that of the server above");
    let answer = server.wire().edit(path, &fields);
    assert_eq!(answer.text(), shown.lines().next().unwrap_or_default(), "the README shows another answer");
    server.signal("INT");
    let (code, _, talk) = server.ended();
    assert_eq!(code, 0, "{talk}");
    let said = below(&readme, "\nhttp://127.0.0.1:8765\n");
    assert!(talk.lines().any(|line| line == said), "the README says {said}, the server {talk}");
}
