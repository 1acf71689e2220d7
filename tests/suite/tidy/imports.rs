//! What files of a crate need of each other, by `use` and by any other path: no files lead to each
//! other in a circle, apart from a module and its own submodules; folders of
//! `crates/ads` know only those before them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{ItemUse, UseTree};

use super::workspace::{crate_of, imported, module_path, of_crate, within_crate};
use super::{Source, assert_none, sources};

/// Circles that are still there: the first part of the path of their modules, and how many files
/// they have together. A number may only become smaller.
const CIRCLES: &[(&str, usize)] = &[("vast", 15)];

/// The path of a module, from the root of `playsim`.
type ModulePath = Vec<String>;

/// The paths of a `use` item, each from its first segment on.
fn paths(tree: &UseTree, before: &[String], found: &mut Vec<Vec<String>>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => paths(&path.tree, &with(&path.ident), found),
        UseTree::Group(group) => group
            .items
            .iter()
            .for_each(|tree| paths(tree, before, found)),
        UseTree::Name(name) => found.push(with(&name.ident)),
        UseTree::Rename(name) => found.push(with(&name.ident)),
        UseTree::Glob(_) => found.push(before.to_vec()),
    }
}

fn is(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn brackets(token: Option<&TokenTree>, kind: Delimiter) -> Option<TokenStream> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == kind => Some(group.stream()),
        Some(_) | None => None,
    }
}

/// Collects all paths of several segments, except those in items that exist only for tests.
fn all_paths(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Group(group) => all_paths(group.stream(), found),
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let attribute = brackets(tokens.get(at), Delimiter::Bracket).unwrap_or_default();
                let text: String = attribute
                    .into_iter()
                    .map(|token| token.to_string())
                    .collect();
                if text.starts_with("cfg(test") {
                    let is_end = |token: &TokenTree| {
                        is(Some(token), ';') || brackets(Some(token), Delimiter::Brace).is_some()
                    };
                    let end = tokens[at..].iter().position(is_end);
                    at = end.map_or(tokens.len(), |end| at + end + 1);
                }
            }
            // Who may see an item says nothing about what the file needs.
            TokenTree::Ident(word) if word == "pub" => {
                at += usize::from(brackets(tokens.get(at), Delimiter::Parenthesis).is_some());
            }
            TokenTree::Ident(word) if word == "use" => {
                let end = tokens[at..].iter().position(|token| is(Some(token), ';'));
                let end = end.map_or(tokens.len(), |end| at + end + 1);
                // In macros, paths may have variables.
                let item = syn::parse2::<ItemUse>(tokens[at - 1..end].iter().cloned().collect());
                if let Ok(item) = item {
                    paths(&item.tree, &[], found);
                }
                at = end;
            }
            TokenTree::Ident(word) => {
                let mut path = vec![word.to_string()];
                while is(tokens.get(at), ':')
                    && is(tokens.get(at + 1), ':')
                    && let Some(TokenTree::Ident(word)) = tokens.get(at + 2)
                {
                    path.push(word.to_string());
                    at += 3;
                }
                if path.len() > 1 {
                    found.push(path);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The modules that each file refers to.
fn imports(sources: &[Source]) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
    let files: BTreeMap<ModulePath, &Source> = sources
        .iter()
        .map(|source| (module_path(source), source))
        .collect();
    let of = |module: &ModulePath, source: &Source| {
        let mut found = Vec::new();
        all_paths(source.text.parse().expect("a source is Rust"), &mut found);
        let (own, within) = (crate_of(source), within_crate(source));
        let child = |path: &[String]| {
            let child = of_crate(own, &[&within, &path[..1]].concat());
            files
                .contains_key(&child)
                .then(|| of_crate(own, &[&within, path].concat()))
        };
        let targets = found
            .iter()
            .filter_map(|path| imported(path, own, &within).or_else(|| child(path)));
        // The longest part of the path that is a file.
        let file_of = |path: ModulePath| {
            (0..=path.len())
                .rev()
                .map(|length| path[..length].to_vec())
                .find(|part| files.contains_key(part))
        };
        targets
            .filter_map(file_of)
            .filter(|target| target != module)
            .collect()
    };
    files
        .iter()
        .map(|(module, source)| (module.clone(), of(module, source)))
        .collect()
}

/// The largest sets of files of which each leads to all others. What a module and its own
/// submodules have of each other does not count.
fn circles(sources: &[Source]) -> Vec<Vec<ModulePath>> {
    let imports = imports(sources);
    let crates: BTreeMap<ModulePath, (Option<&str>, ModulePath)> = sources
        .iter()
        .map(|source| {
            (
                module_path(source),
                (crate_of(source), within_crate(source)),
            )
        })
        .collect();
    let next = |module: &ModulePath| {
        let (own, within) = &crates[module];
        let is_family = |other: &ModulePath| {
            let (its, other) = &crates[other];
            own == its && (other.starts_with(within) || within.starts_with(other))
        };
        imports[module]
            .iter()
            .filter(|other| !is_family(other))
            .collect::<Vec<_>>()
    };
    let edges: BTreeMap<&ModulePath, Vec<&ModulePath>> = imports
        .keys()
        .map(|module| (module, next(module)))
        .collect();
    let reached = |from: &ModulePath| {
        let mut seen = BTreeSet::new();
        let mut open = edges[from].clone();
        while let Some(module) = open.pop() {
            if seen.insert(module) {
                open.extend(&edges[module]);
            }
        }
        seen
    };
    let reached: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> = edges
        .keys()
        .map(|module| (*module, reached(module)))
        .collect();
    let circle = |module: &&ModulePath| {
        let all = reached[module]
            .iter()
            .filter(|other| reached[**other].contains(module));
        all.map(|other| (*other).clone())
            .collect::<Vec<ModulePath>>()
    };
    let all: BTreeSet<Vec<ModulePath>> = edges
        .keys()
        .map(circle)
        .filter(|all| !all.is_empty())
        .collect();
    all.into_iter().collect()
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
fn no_files_lead_to_each_other_in_a_circle() {
    let circles = circles(&modules());
    let of = |first: &str| {
        circles
            .iter()
            .filter(|all| all[0].first().is_some_and(|name| name == first))
            .map(Vec::len)
            .sum()
    };
    let line = |all: &Vec<ModulePath>| {
        let names: Vec<String> = all.iter().map(|module| module.join("::")).collect();
        format!("{} files: {}", all.len(), names.join(", "))
    };
    let is_known = |all: &&Vec<ModulePath>| {
        all[0]
            .first()
            .is_some_and(|first| CIRCLES.iter().any(|(known, _)| known == first))
    };
    let new: Vec<String> = circles
        .iter()
        .filter(|all| !is_known(all))
        .map(line)
        .collect();
    assert_none(&new, "files that lead to each other in a circle");
    let all = circles.iter().map(line).collect::<Vec<_>>().join("\n");
    for (first, most) in CIRCLES {
        let found: usize = of(first);
        assert_eq!(
            found, *most,
            "files of {first} in circles; if they are fewer, lower the number:\n{all}"
        );
    }
}

/// The modules of `crates/ads` in the order in which data flow; the first ones are the
/// ground that all share.
const ADS: &[&[&str]] = &[
    &["error", "surroundings", "url"],
    &["plan"],
    &["request"],
    &["report"],
    &["show"],
    &["ad_break"],
];

/// Imports within `crates/ads` against its order, or by way of its root.
fn against_the_flow(sources: &[Source]) -> Vec<String> {
    let place = |path: &[String]| {
        ADS.iter()
            .position(|names| names.contains(&path[1].as_str()))
    };
    let imports = imports(sources);
    let of_ads = imports
        .iter()
        .filter(|(module, _)| module.len() > 1 && module[0] == "ads");
    let wrong = |from: &[String], to: &[String]| match to {
        [root] => root == "ads",
        _ => to[0] == "ads" && (place(to).is_none() || place(to) > place(from)),
    };
    let text =
        |from: &[String], to: &[String]| format!("{} imports {}", from.join("::"), to.join("::"));
    let found = of_ads.flat_map(|(from, targets)| {
        targets
            .iter()
            .filter(|to| wrong(from, to))
            .map(|to| text(from, to))
            .collect::<Vec<_>>()
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
    let file = |path: &str, text: &str| Source {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let sources = [
        file("crates/ads/src/lib.rs", "mod plan; mod show;"),
        file(
            "crates/ads/src/plan.rs",
            "use crate::show::linear::LinearAd;",
        ),
        file("crates/ads/src/show.rs", "pub(super) mod linear;"),
        file(
            "crates/ads/src/show/linear.rs",
            "use crate::plan::BreakPlan; use crate::AdBreak;",
        ),
    ];
    assert_eq!(
        against_the_flow(&sources),
        [
            "ads::plan imports ads::show::linear",
            "ads::show::linear imports ads"
        ]
    );
}

#[test]
fn circles_are_found_through_all_paths() {
    let file = |path: &str, text: &str| Source {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let sources = [
        file("src/lib.rs", "mod one; mod two; mod three; mod four;"),
        file(
            "src/one.rs",
            "use crate::two::{inner::Deep, Two}; mod part; pub(in crate::four) fn shown() {}",
        ),
        file(
            "src/one/part.rs",
            "use super::Thing; fn three() { super::super::three::make() }",
        ),
        file(
            "src/two.rs",
            "mod inner; fn one() -> crate::one::part::Part { inner::one() }",
        ),
        file("src/two/inner.rs", "use super::*;"),
        file("src/three.rs", "fn four() { vec![crate::four::FOUR] }"),
        file(
            "src/four.rs",
            "fn three() { use crate::three::Three; } #[cfg(test)] mod tests { use super::super::one::One; }",
        ),
    ];
    let found: Vec<String> = circles(&sources)
        .iter()
        .map(|all| {
            all.iter()
                .map(|module| module.join("::"))
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(found, ["four three"]);
    let back = [
        &sources[..],
        &[file(
            "src/three.rs",
            "fn two() -> crate::two::Two { crate::four::FOUR }",
        )],
    ]
    .concat();
    assert_eq!(circles(&back).iter().map(Vec::len).collect::<Vec<_>>(), [4]);
}
