//! The script of the page, and its hash in the policy.

use super::{SCRIPT, STYLE};

/// Returns the hash as a browser policy writes it.
fn sha256(text: &str) -> String {
    use sha2::Digest as _;
    data_encoding::BASE64.encode(&sha2::Sha256::digest(text.as_bytes()))
}

#[test]
fn the_policy_names_the_script() {
    assert_eq!(
        SCRIPT.sha256,
        sha256(SCRIPT.text),
        "the script has changed: this is its new hash"
    );
}

#[test]
fn style_and_script_can_stand_in_xml() {
    for text in [STYLE, SCRIPT.text] {
        assert!(!text.contains(['<', '&']), "{text}");
    }
    assert!(SCRIPT.text.len() < 1_400, "{} bytes", SCRIPT.text.len());
}
