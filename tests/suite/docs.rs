//! The documents tell the truth: each command in the README and the book is run, and prints what
//! they show.
//!
//! Each document has a scratch folder. Its blocks are taken from top to bottom:
//!
//! - `console`: lines that begin with `$ ` are run; the lines below are what they print, to the
//!   byte.
//! - `sh`: each line is run and must succeed; what it prints is not shown.
//! - `yaml file=NAME` (also `json`, `xml`): written to the folder.
//! - `yaml over=NAME`: its top-level keys replace those of a scenario in the folder, which must
//!   then run.
//! - `rust from=PATH`: a program of `examples`, without its header. It is shown whole, so that it
//!   compiles as shown.
//! - `mermaid`: the picture of the crates, which `tidy::workspace` compares with their manifests.
//! - `yaml recipe`: a configuration of CI, checked in `conform::recipes`.
//! - `js from=PATH`: a file of the project, shown whole.
//! - `text of=COMMAND`: what an example of `bindings/js` prints. `npm run test:docs` there checks
//!   it.
//! - `python`: checked by the tests of `bindings/python`.
//! - `text`, `toml`, `js`: not checked.
//!
//! Comments of their own lines: `<!-- docs: replace "A" with "B" in NAME -->` edits a file of the
//! folder, `<!-- docs: copy PATH -->` puts a file of the project into it, and between
//! `<!-- docs: output of COMMAND -->` (or `scenario fields`, `trace lines`, `trace lines of ads`)
//! and `<!-- docs: end -->` is Markdown that a command prints (or that is made of the schema, or of
//! the types of records).
//!
//! With `UPDATE_DOCS=1` outputs, parts of sources and such Markdown are written anew.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

mod fields;
mod lines;
mod links;
mod shell;

use shell::Shell;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every document, by its path below the root.
fn documents() -> Vec<String> {
    let mut paths: Vec<String> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ]
    .map(str::to_owned)
    .into();
    let chapters = fs::read_dir(root().join("docs/src")).expect("the book has chapters");
    let names = chapters.map(|entry| entry.expect("it can be read").file_name());
    let mut chapters: Vec<String> = names
        .map(|name| format!("docs/src/{}", name.to_string_lossy()))
        .collect();
    chapters.sort();
    paths.append(&mut chapters);
    paths
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n\n"));
}

#[test]
fn every_command_prints_what_is_shown() {
    let documents = documents();
    let problems = std::thread::scope(|scope| {
        let checks: Vec<_> = documents
            .iter()
            .map(|path| scope.spawn(|| check(path)))
            .collect();
        checks
            .into_iter()
            .flat_map(|check| check.join().expect("a check reports problems"))
            .collect::<Vec<_>>()
    });
    assert_none(&problems);
}

/// Compares a document with what it should be, or writes it anew. Returns what is wrong.
fn check(path: &str) -> Vec<String> {
    let shown = text_of(path);
    let mut reader = Reader::new(path);
    let true_text = reader.read(&shown);
    if true_text == shown {
        return reader.problems;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join(path), true_text).expect("a document can be written");
        return reader.problems;
    }
    let line = shown
        .lines()
        .zip(true_text.lines())
        .take_while(|(one, other)| one == other)
        .count();
    let [shown, printed] =
        [&shown, &true_text].map(|text| text.lines().nth(line).unwrap_or("(the end)"));
    reader.problems.push(format!(
        "{path}:{}: not what is printed; UPDATE_DOCS=1 writes it anew\n  shown:   {shown}\n  printed: {printed}",
        line + 1
    ));
    reader.problems
}

#[test]
fn every_example_runs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut shell = Shell::new(&folder);
    let mut problems = Vec::new();
    for entry in fs::read_dir(root().join("examples")).expect("there are examples") {
        let name = entry.expect("it can be read").file_name();
        let name = name.to_string_lossy();
        let Some(name) = name.strip_suffix(".rs") else {
            continue;
        };
        let line = format!("cargo run --example {name}");
        if shell::is_put_off(&line) {
            continue;
        }
        match shell.run(&line) {
            Ok((0, _)) => {}
            Ok((code, printed)) => problems.push(format!("{name} ends with {code}\n{printed}")),
            Err(error) => problems.push(format!("{name}: {error}")),
        }
    }
    assert_none(&problems);
}

#[test]
fn links_lead_to_files_and_headings() {
    assert_none(&links::problems(&documents()));
}

#[test]
fn the_chapter_on_fuzzing_lists_the_laws() {
    let chapter = text_of("docs/src/fuzzing.md");
    let listed: Vec<&str> = chapter
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .collect();
    let missing = playsim::testing::LAWS
        .iter()
        .filter(|law| !listed.contains(&law.name));
    assert_none(
        &missing
            .map(|law| format!("docs/src/fuzzing.md lacks \"{}\"", law.name))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn commands_within_sentences_exist() {
    assert_none(&shell::unknown_words(&documents()));
}

#[test]
fn the_readme_is_short_and_the_book_lists_its_chapters() {
    let readme = text_of("README.md").len();
    assert!(readme <= 12_000, "the README has {readme} bytes");
    let summary = text_of("docs/src/SUMMARY.md");
    let chapters = documents()
        .into_iter()
        .filter_map(|path| path.strip_prefix("docs/src/").map(str::to_owned));
    for chapter in chapters.filter(|chapter| chapter != "SUMMARY.md") {
        assert!(
            summary.contains(&format!("({chapter})")),
            "SUMMARY.md does not list {chapter}"
        );
    }
}

/// Reads one document and gives it back as it should be.
struct Reader {
    path: String,
    folder: PathBuf,
    shell: Shell,
    problems: Vec<String>,
}

impl Reader {
    fn new(path: &str) -> Reader {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("docs")
            .join(path.replace('/', "-"));
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("an old folder can be removed");
        }
        fs::create_dir_all(&folder).expect("a folder can be made");
        Reader {
            path: path.to_owned(),
            shell: Shell::new(&folder),
            folder,
            problems: Vec::new(),
        }
    }

    fn read(&mut self, text: &str) -> String {
        let mut given = String::with_capacity(text.len());
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let _ = writeln!(given, "{line}");
            let (end, body_end) = match (line.strip_prefix("```"), line.strip_prefix("<!-- docs: "))
            {
                (Some(_), _) => ("```", true),
                (_, Some(directive))
                    if !directive.starts_with("replace ") && !directive.starts_with("copy ") =>
                {
                    ("<!-- docs: end -->", true)
                }
                _ => ("", false),
            };
            let body: String = if body_end {
                lines
                    .by_ref()
                    .map(|(_, line)| line)
                    .take_while(|line| *line != end)
                    .fold(String::new(), |text, line| text + line + "\n")
            } else {
                String::new()
            };
            let result = if let Some(info) = line.strip_prefix("```") {
                self.block(info, &body)
            } else if let Some(directive) = line.strip_prefix("<!-- docs: ") {
                self.directive(directive.trim_end_matches("-->").trim_end())
            } else {
                continue;
            };
            match result {
                Ok(body) => given += &body,
                Err(problem) => {
                    self.problems
                        .push(format!("{}:{}: {problem}", self.path, number + 1));
                    given += &body;
                }
            }
            if body_end {
                given += end;
                given.push('\n');
            }
        }
        given
    }

    /// Does what a block asks for, and gives its body as it should be.
    fn block(&mut self, info: &str, body: &str) -> Result<String, String> {
        let (language, option) = info.split_once(' ').unwrap_or((info, ""));
        match (language, option.split_once('=')) {
            ("console", None) => self.console(body),
            ("sh", None) => {
                for line in body.lines().filter(|line| !line.is_empty()) {
                    let (code, printed) = self.shell.run(line)?;
                    if code != 0 {
                        return Err(format!("`{line}` ends with {code}\n{printed}"));
                    }
                }
                Ok(body.to_owned())
            }
            ("yaml" | "json" | "xml", Some(("file", name))) => {
                fs::write(self.folder.join(name), body)
                    .map_err(|error| format!("{name}: {error}"))?;
                Ok(body.to_owned())
            }
            ("yaml", Some(("over", base))) => self.part(base, body),
            ("rust", Some(("from", source))) => program(source),
            ("js", Some(("from", source))) => Ok(text_of(source)),
            ("text" | "toml" | "js" | "python", None) | ("text", Some(("of", _))) => {
                Ok(body.to_owned())
            }
            ("yaml", None) if option == "recipe" => Ok(body.to_owned()),
            ("mermaid", None) if option.is_empty() => Ok(body.to_owned()),
            _ => Err(format!("nothing checks a block that begins with ```{info}")),
        }
    }

    fn console(&mut self, body: &str) -> Result<String, String> {
        let mut given = String::new();
        if !body.starts_with("$ ") {
            return Err("a console block begins with a command".to_owned());
        }
        for entry in format!("\n{body}").split("\n$ ").skip(1) {
            let (command, shown) = entry.split_once('\n').unwrap_or((entry, ""));
            let _ = writeln!(given, "$ {command}");
            if shell::is_put_off(command) {
                given += shown;
                given += if shown.is_empty() || shown.ends_with('\n') {
                    ""
                } else {
                    "\n"
                };
            } else {
                given += &self.shell.run(command)?.1;
            }
        }
        Ok(given)
    }

    /// Plays a scenario of the folder with these top-level keys in place of its own, and nothing
    /// expected.
    fn part(&mut self, base: &str, part: &str) -> Result<String, String> {
        let base = fs::read_to_string(self.folder.join(base))
            .map_err(|error| format!("{base}: {error}"))?;
        let new = sections(part);
        let is_kept = |key: &str| key != "expect" && !new.iter().any(|(other, _)| *other == key);
        let kept = sections(&base).into_iter().filter(|(key, _)| is_kept(key));
        let merged: String = kept.chain(new.clone()).map(|(_, text)| text).collect();
        fs::write(self.folder.join("part.yaml"), merged).map_err(|error| error.to_string())?;
        let (code, printed) = self.shell.run("playsim run part.yaml")?;
        if code == 0 {
            Ok(part.to_owned())
        } else {
            Err(format!("it cannot be played\n{printed}"))
        }
    }

    fn directive(&mut self, directive: &str) -> Result<String, String> {
        if let Some(command) = directive.strip_prefix("output of ") {
            let (code, printed) = self.shell.run(command)?;
            return if code == 0 {
                Ok(format!("\n{}\n\n", printed.trim_end()))
            } else {
                Err(printed)
            };
        }
        if directive == "scenario fields" {
            return Ok(fields::tables());
        }
        if let Some(which) = directive.strip_prefix("trace lines") {
            return Ok(lines::tables(which == " of ads"));
        }
        if let Some(path) = directive.strip_prefix("copy ") {
            let name = Path::new(path).file_name().unwrap_or_default();
            let copied = fs::copy(root().join(path), self.folder.join(name));
            return copied
                .map(|_| String::new())
                .map_err(|error| format!("{path}: {error}"));
        }
        let words: Vec<&str> = directive.split('"').collect();
        let ["replace ", old, " with ", new, file] = words[..] else {
            return Err(format!("unknown directive \"{directive}\""));
        };
        let path = self.folder.join(file.trim().trim_start_matches("in "));
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        if !text.contains(old) {
            return Err(format!("there is no \"{old}\" to replace"));
        }
        fs::write(path, text.replace(old, new)).map_err(|error| error.to_string())?;
        Ok(String::new())
    }
}

/// A YAML text by its top-level keys, each with the lines that belong to it.
fn sections(text: &str) -> Vec<(&str, String)> {
    let mut sections: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        let key = line
            .split(':')
            .next()
            .filter(|_| line.starts_with(|c: char| c.is_ascii_alphabetic()));
        match (key, sections.last_mut()) {
            (Some(key), _) => sections.push((key, format!("{line}\n"))),
            (None, Some((_, section))) => {
                let _ = writeln!(section, "{line}");
            }
            (None, None) => {}
        }
    }
    sections
}

/// A program of the project, without its header.
fn program(path: &str) -> Result<String, String> {
    let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
    let header = text
        .lines()
        .take_while(|line| line.starts_with("//!") || line.is_empty())
        .count();
    Ok(text
        .lines()
        .skip(header)
        .map(|line| format!("{line}\n"))
        .collect())
}
