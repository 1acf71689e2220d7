//! Real documents from a folder outside of the repository, named by `PLAYSIM_CORPUS`.
//!
//! Nothing may panic, two readings are equal, and a strict XML parser is the reference: a document
//! that it accepts never has fault 100 here, and has as many ads and breaks. One line is printed
//! per document.

use std::path::{Path, PathBuf};

use playsim::vast::{self, Root, strict};

pub(crate) const TESTS: &[(&str, fn())] = crate::corpus::tests![
    real_documents_are_read_and_agree_with_a_strict_parser,
    strict_reading_refuses_documents_with_known_defects_and_no_others,
];

fn real_documents_are_read_and_agree_with_a_strict_parser() {
    let folder = crate::corpus::folder();
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let mut defects = Vec::new();
    for file in &files {
        // Invalid UTF-8 is replaced, as a browser does.
        let bytes = std::fs::read(file).expect("a listed file can be read");
        let text = String::from_utf8_lossy(&bytes);
        let name = file
            .strip_prefix(&folder)
            .unwrap_or(file)
            .display()
            .to_string();
        if let Err(defect) = judge(&name, &text) {
            defects.push(format!("{name}: {defect}"));
        }
    }
    println!("{} documents", files.len());
    assert!(defects.is_empty(), "{}", defects.join("\n"));
}

/// The results of strict reading for documents whose defects are known by their names. A document
/// that a linter finds valid is never refused; of the others, those are listed whose defect
/// concerns the XML, the version or the schema, and not only advice.
fn strict_reading_refuses_documents_with_known_defects_and_no_others() {
    let folder = crate::corpus::folder();
    let folder = Path::new(&folder).join("vastlint");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let (mut wrong, mut found) = (Vec::new(), 0);
    for file in &files {
        let name = file
            .file_stem()
            .expect("a listed file has a name")
            .to_string_lossy()
            .into_owned();
        let bytes = std::fs::read(file).expect("a listed file can be read");
        let document = vast::read(&String::from_utf8_lossy(&bytes));
        let fault = document.fault.as_ref().map(|fault| fault.code);
        let refusal = strict::refusal(&document);
        let code = fault.or_else(|| refusal.as_ref().map(|refusal| refusal.code));
        println!(
            "{name}: {code:?} {:?}",
            refusal.as_ref().map(|refusal| (&*refusal.text, refusal.at))
        );
        let known = STRICT
            .iter()
            .find(|(of, _)| *of == name)
            .map(|(_, code)| *code);
        found += usize::from(known.is_some());
        let is_valid = name.starts_with("valid_") || name.starts_with("ok_");
        let due = known.or(is_valid.then_some(None));
        if due.is_some_and(|due| due != code) {
            wrong.push(format!(
                "{name}: expected {due:?}, found {code:?} {refusal:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(found, STRICT.len(), "a document of the list is missing");
}

/// Documents with a known defect, and the code of strict reading; `None`: it accepts them.
const STRICT: &[(&str, Option<u16>)] = &[
    ("err_malformed_broken_attr_quote", Some(100)),
    ("err_malformed_mismatched_close", Some(100)),
    ("err_malformed_unclosed_cdata", Some(100)),
    ("warn_unknown_version", Some(102)),
    ("warn_vast_1_0_document", Some(102)),
    ("err_no_version", Some(101)),
    ("warn_version_mismatch", Some(101)),
    ("err_missing_adsystem", Some(101)),
    ("err_inline_missing_impression", Some(101)),
    ("err_inline_missing_creatives", Some(101)),
    ("err_missing_mediafiles", Some(101)),
    ("err_mediafile_missing_type", Some(101)),
    ("err_mediafile_missing_attrs", Some(101)),
    ("err_bad_duration", Some(101)),
    ("err_adservingid_missing", Some(101)),
    ("err_universaladid_missing", Some(101)),
    ("err_wrapper_missing_adsystem", Some(101)),
    ("err_wrapper_missing_impression", Some(101)),
    ("err_wrapper_missing_vasttag", Some(101)),
    ("err_duplicate_vastadtaguri", Some(101)),
    ("err_category_authority", Some(101)),
    ("err_progress_no_offset", Some(101)),
    ("warn_bad_skipoffset", Some(101)),
    ("warn_progress_offset_bad_format", Some(101)),
    ("warn_tracking_event_unknown", Some(101)),
    ("warn_wrapper_bool_attr", Some(101)),
    ("err_adverifications_unknown_child", Some(101)),
    ("err_verification_unknown_child", Some(101)),
    // Defects that the linter accepts although no schema allows them: an icon's click outside of
    // its parent, an attribute of a resource, a boolean in capitals.
    ("valid_3.0", Some(101)),
    ("valid_simid_nonlinear", Some(101)),
    ("valid_wrapper_bools", Some(101)),
];

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

/// Checks that a strict XML parser and the strict reading agree about what is well-formed.
fn compare(document: &vast::Document, strict: Result<(), String>) -> Result<(), String> {
    let fault = document.fault.as_ref().map(|fault| fault.code);
    let code = fault.or_else(|| strict::refusal(document).map(|refusal| refusal.code));
    match (strict, code) {
        (Ok(()), Some(100)) => Err(format!(
            "a strict XML parser accepts it, strict reading refuses it: {:?}",
            strict::refusal(document)
        )),
        (Err(error), code) if code != Some(100) && document.root != Root::Vmap => Err(format!(
            "a strict XML parser says: {error}; the strict reading says {code:?}"
        )),
        (Ok(()) | Err(_), _) => Ok(()),
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
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let strict = roxmltree::Document::parse_with_options(text, options);
    compare(
        &document,
        strict.as_ref().map(|_| ()).map_err(ToString::to_string),
    )?;
    let Ok(strict) = strict else { return Ok(()) };
    if fault == 100 {
        return Err(format!(
            "a strict parser accepts it, here it is {:?}",
            document.fault
        ));
    }
    let root = strict.root_element();
    let count = |name| {
        root.children()
            .filter(|child| child.tag_name().name() == name)
            .count()
    };
    let (ads, breaks) = (count("Ad"), count("AdBreak"));
    if document.root == Root::Vast && fault == 0 && ads != document.ads.len() {
        return Err(format!(
            "a strict parser finds {ads} ads, here there are {}",
            document.ads.len()
        ));
    }
    if document.root == Root::Vmap && fault == 0 && breaks != document.breaks.len() {
        return Err(format!(
            "a strict parser finds {breaks} breaks, here there are {}",
            document.breaks.len()
        ));
    }
    Ok(())
}
