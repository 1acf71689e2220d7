//! No two public types have one name: what a program imports is clear without its module.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, UseTree, Visibility};

use super::workspace::{crate_of, imported, module_path, of_crate, within_crate};
use super::{Source, assert_none, sources};

/// The path of a module below the crate's root.
type Path = Vec<String>;

/// What a module makes public.
#[derive(Default)]
struct Module {
    /// Its crate; `None` for the root package.
    of: Option<String>,
    /// Its path in that crate.
    within: Path,
    /// The public types that it defines.
    types: BTreeSet<String>,
    /// Its public submodules.
    modules: BTreeSet<String>,
    /// Its public imports: the path, and the name that it gets; `*` for everything.
    uses: Vec<(Path, String)>,
}

/// The names that the tables of `named!` and `shapes!` define: in a line of their own in front of a
/// brace, or in brackets in the head of a row.
fn of_tables(text: &str) -> impl Iterator<Item = String> + '_ {
    let table = |name: &'static str| {
        let body = text
            .split(name)
            .skip(1)
            .map(|rest| rest.split("\n}").next().unwrap_or_default());
        body.flat_map(str::lines)
            .filter_map(|line| line.strip_prefix("    "))
    };
    let is_word = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
    let enums = table("\nnamed! {").filter_map(|line| line.strip_suffix(" {"));
    let shapes = table("\nshapes! {").filter_map(|line| line.strip_suffix(';'));
    let rows =
        table("\nshapes! {").filter_map(|line| Some(line.split_once("): ")?.0.split_once('(')?.1));
    enums
        .chain(shapes)
        .chain(rows)
        .filter(is_word)
        .map(str::to_owned)
}

fn public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

fn flatten(tree: &UseTree, before: &[String], found: &mut Vec<(Path, String)>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => flatten(&path.tree, &with(&path.ident), found),
        UseTree::Group(group) => group
            .items
            .iter()
            .for_each(|tree| flatten(tree, before, found)),
        UseTree::Name(name) => found.push((with(&name.ident), name.ident.to_string())),
        UseTree::Rename(name) => found.push((with(&name.ident), name.rename.to_string())),
        UseTree::Glob(_) => found.push((before.to_vec(), "*".to_owned())),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "items of other kinds have no public types"
)]
fn read(source: &Source) -> Module {
    let mut module = Module {
        of: crate_of(source).map(str::to_owned),
        within: within_crate(source),
        types: of_tables(&source.text).collect(),
        ..Module::default()
    };
    for item in syn::parse_file(&source.text)
        .expect("a source is Rust")
        .items
    {
        match item {
            Item::Struct(it) if public(&it.vis) => drop(module.types.insert(it.ident.to_string())),
            Item::Enum(it) if public(&it.vis) => drop(module.types.insert(it.ident.to_string())),
            Item::Trait(it) if public(&it.vis) => drop(module.types.insert(it.ident.to_string())),
            Item::Type(it) if public(&it.vis) => drop(module.types.insert(it.ident.to_string())),
            Item::Mod(it) if public(&it.vis) => drop(module.modules.insert(it.ident.to_string())),
            Item::Use(it) if public(&it.vis) => flatten(&it.tree, &[], &mut module.uses),
            _ => {}
        }
    }
    module
}

/// The library's modules, by their paths.
struct Library(BTreeMap<Path, Module>);

impl Library {
    fn of(sources: &[Source]) -> Library {
        let is_test = |source: &Source| source.path.contains("/tests");
        // The root of a crate that is no module of `playsim` is not that of `playsim`.
        let is_hidden =
            |source: &Source| crate_of(source).is_some() && module_path(source).is_empty();
        let library = sources.iter().filter(|source| {
            source.path != "src/main.rs" && !is_test(source) && !is_hidden(source)
        });
        Library(
            library
                .map(|source| (module_path(source), read(source)))
                .collect(),
        )
    }

    /// The module and name that a path leads to, from the module that imports it.
    fn resolve(&self, from: &Module, path: &[String]) -> Path {
        let own = from.of.as_deref();
        imported(path, own, &from.within)
            .unwrap_or_else(|| of_crate(own, &[&from.within, path].concat()))
    }

    /// Adds the modules in which the public types of a module are defined, whatever it has them
    /// from.
    fn collect(&self, at: &[String], found: &mut BTreeMap<String, BTreeSet<Path>>) {
        let Some(module) = self.0.get(at) else { return };
        for name in &module.types {
            found.entry(name.clone()).or_default().insert(at.to_vec());
        }
        for child in &module.modules {
            let within = [&module.within, std::slice::from_ref(child)].concat();
            self.collect(&of_crate(module.of.as_deref(), &within), found);
        }
        for (path, name) in &module.uses {
            let target = self.resolve(module, path);
            match name.as_str() {
                "*" => self.collect(&target, found),
                _ if self.0.contains_key(&target) => self.collect(&target, found),
                name => {
                    let (last, module) = target.split_last().expect("a name");
                    if let Some(home) = self.home(module, last) {
                        found.entry(name.to_owned()).or_default().insert(home);
                    }
                }
            }
        }
    }

    /// The module that defines a type that another one has or imports.
    fn home(&self, at: &[String], name: &str) -> Option<Path> {
        let module = self.0.get(at)?;
        if module.types.contains(name) {
            return Some(at.to_vec());
        }
        let imported = module.uses.iter().find(|(_, known)| known == name);
        let all = || module.uses.iter().filter(|(_, known)| known == "*");
        match imported {
            Some((path, _)) => {
                let target = self.resolve(module, path);
                let (last, module) = target.split_last()?;
                self.home(module, last)
            }
            None => all().find_map(|(path, _)| self.home(&self.resolve(module, path), name)),
        }
    }

    /// Names of several public types, with the modules that define them.
    fn shared_names(&self) -> Vec<String> {
        let mut found = BTreeMap::new();
        self.collect(&[], &mut found);
        let shared = found.into_iter().filter(|(_, homes)| homes.len() > 1);
        let line = |(name, homes): (String, BTreeSet<Path>)| {
            let homes: Vec<String> = homes.iter().map(|home| home.join("::")).collect();
            format!("{name}: {}", homes.join(", "))
        };
        shared.map(line).collect()
    }
}

#[test]
fn no_two_public_types_have_one_name() {
    assert_none(
        &Library::of(&sources()).shared_names(),
        "public types of one name",
    );
}

#[test]
fn public_types_are_found_however_they_are_made_public() {
    let file = |path: &str, text: &str| Source {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let files = [
        file(
            "src/lib.rs",
            "pub mod a; mod b; mod c; pub mod d; pub use b::Shared;",
        ),
        file(
            "src/a.rs",
            "mod deep; pub use deep::{Other as Shared, Once}; pub use self::deep::Glob;",
        ),
        file(
            "src/a/deep.rs",
            "pub struct Other; pub struct Once; pub use super::super::c::*; pub enum Hidden {}",
        ),
        file("src/b.rs", "pub struct Shared; pub struct Hidden;"),
        file(
            "src/c.rs",
            "\nnamed! {\n    Glob {\n        A \"a\" \"A.\",\n    }\n}",
        ),
        file(
            "src/d.rs",
            "pub use crate::a::*; pub use crate::b::Shared as Again;\nshapes! {\n    Glob;\n    Row(Seen): A, _ => {}\n}",
        ),
    ];
    let library = Library::of(&files);
    assert_eq!(library.shared_names(), ["Glob: c, d", "Shared: a::deep, b"]);
    let mut found = BTreeMap::new();
    library.collect(&[], &mut found);
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        ["Again", "Glob", "Once", "Seen", "Shared"],
        "what is not public is not counted"
    );
}
