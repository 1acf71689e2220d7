//! The site of the project: a folder of static pages for any host.
//!
//! Nothing is written twice: the front page shows sections of the README and a scenario that is
//! played here, the codes, rules and the matrix come from the project's tables, and the book from
//! `docs`. [`build`] writes all of it and then checks what it wrote.

mod book;
mod check;
mod codes;
mod fixtures;
mod frame;
mod front;
mod matrix;
mod played;
mod playground;
mod policy;
mod readme;
mod rules;
mod speed;
mod tools;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use frame::{Site, has_mark};

/// A part of the site that takes long to build or needs more than a Rust toolchain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// The playground: needs npm, or `playground/dist`.
    Playground,
    /// The API docs of Rust and JavaScript.
    Api,
}

/// What to build, and where.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder of the site.
    pub out: PathBuf,
    /// The parts to leave out.
    pub without: Vec<Part>,
    /// The path at which it will be served, with a slash at both ends.
    pub base: String,
}

/// The result of a build, as it is printed.
#[derive(Debug)]
pub struct Built {
    out: PathBuf,
    pages: usize,
    left_out: Vec<String>,
}

/// Why the site could not be built, or what is wrong with it.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    fn new(text: impl Into<String>) -> Failure {
        Failure(text.into())
    }

    fn io(doing: &str, path: &Path, error: &std::io::Error) -> Failure {
        Failure(format!("cannot {doing} {}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Built {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for it in &self.left_out {
            writeln!(f, "left out: {it}")?;
        }
        let out = self.out.display();
        writeln!(
            f,
            "wrote {out}: {} pages; open {out}/index.html, or put it on any static host",
            self.pages
        )
    }
}

/// Returns the folder of the project.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the site is a folder of the project")
}

/// Builds the site.
///
/// # Errors
///
/// If a part cannot be built, a link leads nowhere, a page is too large, or something is loaded
/// from another host.
pub fn build(options: &Options) -> Result<Built, Failure> {
    let out = &options.out;
    if out.exists() {
        if !has_mark(out) && fs::read_dir(out).map_or(true, |mut entries| entries.next().is_some())
        {
            let out = out.display();
            return Err(Failure(format!(
                "{out} exists, and is neither empty nor a site: name another folder"
            )));
        }
        fs::remove_dir_all(out).map_err(|error| Failure::io("replace", out, &error))?;
    }
    let mut site = Site::begin(out, &options.base)?;
    // What others link to comes first: whether it is there decides about the links.
    tools::playground(&mut site, options.without.contains(&Part::Playground))?;
    let figures = speed::figures(&mut site)?;
    tools::api(&mut site, options.without.contains(&Part::Api))?;
    front::write(&mut site)?;
    codes::write(&mut site)?;
    rules::write(&mut site)?;
    matrix::write(&mut site)?;
    speed::write(&site, &figures)?;
    fixtures::write(&site)?;
    book::write(&site)?;
    let pages = check::site(&site)?;
    Ok(Built {
        out: out.clone(),
        pages,
        left_out: site.left_out,
    })
}
