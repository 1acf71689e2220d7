//! The macros that pages fill are macros of the standard. Rule: MAC-5.

use playsim_vast::standard_macros::{given_by_pages, is_standard};

#[test]
fn what_a_page_may_set_is_in_the_standard() {
    assert!(given_by_pages().all(is_standard));
    assert!(!given_by_pages().any(|name| ["TIMESTAMP", "ERRORCODE", "ADPLAYHEAD"].contains(&name)));
}
