//! No two files import each other, apart from a module and its own submodules; folders of `crates/engine/src/ads` know only those
//! before them.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Attribute, Item, UseTree};

use super::workspace::{crate_of, imported, module_path, of_crate, within_crate};
use super::{Source, assert_none, sources};

/// The paths of a `use` item, each from its first segment on.
fn paths(tree: &UseTree, before: &[String], found: &mut Vec<Vec<String>>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => paths(&path.tree, &with(&path.ident), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| paths(tree, before, found)),
        UseTree::Name(name) => found.push(with(&name.ident)),
        UseTree::Rename(name) => found.push(with(&name.ident)),
        UseTree::Glob(_) => found.push(before.to_vec()),
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test = |list: &syn::MetaList| list.tokens.to_string().starts_with("test");
    attributes.iter().any(|attribute| attribute.meta.require_list().is_ok_and(is_test))
}

/// The modules that each file imports from.
fn imports(sources: &[Source]) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let files: BTreeMap<Vec<String>, &Source> =
        sources.iter().map(|source| (module_path(source), source)).collect();
    let of = |module: &Vec<String>, source: &Source| {
        let file = syn::parse_file(&source.text).expect("a source is Rust");
        let mut found = Vec::new();
        for item in file.items {
            if let Item::Use(item) = item
                && !is_for_tests(&item.attrs)
            {
                paths(&item.tree, &[], &mut found);
            }
        }
        let (own, within) = (crate_of(source), within_crate(source));
        let child = |path: &[String]| {
            let child = of_crate(own, &[&within, &path[..1]].concat());
            files.contains_key(&child).then(|| of_crate(own, &[&within, path].concat()))
        };
        let targets = found.iter().filter_map(|path| imported(path, own, &within).or_else(|| child(path)));
        // The longest part of the path that is a file.
        let file_of = |path: Vec<String>| {
            (0..=path.len()).rev().map(|length| path[..length].to_vec()).find(|part| files.contains_key(part))
        };
        targets.filter_map(file_of).filter(|target| target != module).collect()
    };
    files.iter().map(|(module, source)| (module.clone(), of(module, source))).collect()
}

fn mutual(sources: &[Source]) -> Vec<String> {
    let imports = imports(sources);
    let mut found = Vec::new();
    for (module, targets) in &imports {
        for target in targets.iter().filter(|target| module < target) {
            let is_parent = target.starts_with(module) || module.starts_with(target);
            if !is_parent && imports.get(target).is_some_and(|back| back.contains(module)) {
                found.push(format!("{} and {}", module.join("::"), target.join("::")));
            }
        }
    }
    found
}

/// The modules of the library, without tests.
fn modules() -> Vec<Source> {
    let is_module = |source: &Source| {
        !source.path.contains("/tests/")
            && !source.path.ends_with("/tests.rs")
            && source.path != "src/main.rs"
    };
    sources().into_iter().filter(is_module).collect()
}

#[test]
fn no_two_files_import_each_other() {
    assert_none(&mutual(&modules()), "files that import each other");
}

/// The modules of `crates/engine/src/ads` in the order in which data flow; the first ones are the ground that all share.
const ADS: &[&[&str]] =
    &[&["error", "surroundings", "url"], &["plan"], &["request"], &["report"], &["show"], &["ad_break"]];

/// Imports within `crates/engine/src/ads` against its order, or by way of its root.
fn against_the_flow(sources: &[Source]) -> Vec<String> {
    let place = |path: &[String]| ADS.iter().position(|names| names.contains(&path[1].as_str()));
    let imports = imports(sources);
    let of_ads = imports.iter().filter(|(module, _)| module.len() > 1 && module[0] == "ads");
    let wrong = |from: &[String], to: &[String]| match to {
        [root] => root == "ads",
        _ => to[0] == "ads" && (place(to).is_none() || place(to) > place(from)),
    };
    let text = |from: &[String], to: &[String]| format!("{} imports {}", from.join("::"), to.join("::"));
    let found = of_ads.flat_map(|(from, targets)| {
        targets.iter().filter(|to| wrong(from, to)).map(|to| text(from, to)).collect::<Vec<_>>()
    });
    found.collect()
}

#[test]
fn folders_of_ads_know_only_those_before_them() {
    assert_none(
        &against_the_flow(&modules()),
        "imports against the order plan, request, report, show, ad_break",
    );
}

#[test]
fn an_import_against_the_flow_is_found() {
    let file = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let sources = [
        file("crates/engine/src/ads.rs", "mod plan; mod show;"),
        file("crates/engine/src/ads/plan.rs", "use crate::ads::show::linear::LinearAd;"),
        file("crates/engine/src/ads/show.rs", "pub(super) mod linear;"),
        file(
            "crates/engine/src/ads/show/linear.rs",
            "use crate::ads::plan::BreakPlan; use crate::ads::AdBreak;",
        ),
    ];
    assert_eq!(
        against_the_flow(&sources),
        ["ads::plan imports ads::show::linear", "ads::show::linear imports ads"]
    );
}

#[test]
fn two_files_that_import_each_other_are_found() {
    let file = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let sources = [
        file("src/lib.rs", "mod one; mod two;"),
        file("src/one.rs", "use crate::two::{inner::Deep, Two};"),
        file("src/one/part.rs", "use super::Thing;"),
        file("src/two.rs", "use super::one::One; mod inner;"),
        file("src/two/inner.rs", "use super::*;"),
    ];
    assert_eq!(mutual(&sources), ["one and two"]);
}
