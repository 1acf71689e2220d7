//! Real documents from a folder outside of the repository, named by `PLAYSIM_CORPUS`.
//!
//! Nothing may panic, two readings are equal, and a strict XML reader is the oracle: what it reads is never
//! fault 100 here, and has as many ads and breaks. One line is printed per document.

use std::path::{Path, PathBuf};

use playsim::vast::{self, Root};

#[test]
fn real_documents_are_read_and_agree_with_a_strict_reader() {
    let Some(folder) = std::env::var_os("PLAYSIM_CORPUS") else {
        println!("PLAYSIM_CORPUS names no folder: no real documents were read");
        return;
    };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let mut defects = Vec::new();
    for file in &files {
        // Bytes that are no UTF-8 are replaced, as a browser does.
        let bytes = std::fs::read(file).expect("a listed file can be read");
        let text = String::from_utf8_lossy(&bytes);
        let name = file.strip_prefix(&folder).unwrap_or(file).display().to_string();
        if let Err(defect) = judge(&name, &text) {
            defects.push(format!("{name}: {defect}"));
        }
    }
    println!("{} documents", files.len());
    assert!(defects.is_empty(), "{}", defects.join("\n"));
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            into.push(path);
        }
    }
}

fn judge(name: &str, text: &str) -> Result<(), String> {
    let document = vast::read(text);
    if document != vast::read(text) {
        return Err(String::from("two readings differ"));
    }
    let fault = document.fault.as_ref().map_or(0, |fault| fault.code);
    println!(
        "{name}: {:?} {} ads {} breaks {} warnings {} fault {fault}",
        document.root,
        document.version.as_deref().unwrap_or("-"),
        document.ads.len(),
        document.breaks.len(),
        document.warnings.len()
    );
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let Ok(strict) = roxmltree::Document::parse_with_options(text, options) else { return Ok(()) };
    if fault == 100 {
        return Err(format!("a strict reader reads it, here it is {:?}", document.fault));
    }
    let root = strict.root_element();
    let count = |name| root.children().filter(|child| child.tag_name().name() == name).count();
    let (ads, breaks) = (count("Ad"), count("AdBreak"));
    if document.root == Root::Vast && fault == 0 && ads != document.ads.len() {
        return Err(format!("a strict reader finds {ads} ads, here are {}", document.ads.len()));
    }
    if document.root == Root::Vmap && fault == 0 && breaks != document.breaks.len() {
        return Err(format!("a strict reader finds {breaks} breaks, here are {}", document.breaks.len()));
    }
    Ok(())
}
