//! The script of the page and what its policy says of it, groups, and ids.

use super::names::Ids;
use super::{SCRIPT, STYLE};

#[test]
fn the_policy_names_the_script() {
    use sha2::Digest as _;
    let hash = data_encoding::BASE64.encode(&sha2::Sha256::digest(SCRIPT.text.as_bytes()));
    assert_eq!(
        SCRIPT.sha256, hash,
        "the script has changed: this is its new hash"
    );
}

#[test]
fn style_and_script_are_valid_in_xml() {
    for text in [STYLE, SCRIPT.text] {
        assert!(!text.contains(['<', '&']), "{text}");
    }
    assert!(SCRIPT.text.len() < 1_400, "{} bytes", SCRIPT.text.len());
}

#[test]
fn ids_are_unique_and_plain() {
    let mut ids = Ids::default();
    let names = ["pre_roll", "pre roll", "pre--roll", "", "\u{202e}\"", "a/b"];
    assert_eq!(
        names.map(|name| ids.of(name)),
        [
            "pre_roll",
            "pre-roll",
            "pre-roll-2",
            "unnamed",
            "unnamed-2",
            "a-b"
        ]
    );
}
