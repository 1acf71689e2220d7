//! The form of recordings: its schema holds for what recorders write, and refuses what is wrong.

use std::path::Path;

use playsim::recording;

use crate::json_schema::Schema;

#[test]
fn the_committed_schema_of_recordings_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/recording.schema.json");
    let schema = format!("{:#}\n", recording::schema());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &schema).expect("it can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        schema == committed,
        "the schema changed; run this test with UPDATE_SCHEMA=1 and commit it"
    );
}

#[test]
#[cfg_attr(
    not(playsim_schemas),
    ignore = "needs --cfg playsim_schemas, as in .ci/nightly"
)]
fn lines_of_recordings_fit_the_schema() {
    let schema = Schema::of(&recording::schema());
    let fits = |line: &str| {
        let line = serde_json::from_str(line).expect("it is JSON");
        schema.faults(&line).is_empty()
    };
    for line in [
        r#"{"t":0,"kind":"header","name":"recording","data":{"version":1}}"#,
        r#"{"t":0,"kind":"header","name":"recording","data":{"version":1,"player":"some","hears":["net","event:ad*"],"adapter":{"decides":["x"]}}}"#,
        r#"{"t":12,"kind":"net","name":"request","data":{"url":"http://ads.test/tag","via":"fetch"}}"#,
        r#"{"t":12,"kind":"ui","name":"shown","data":{"src":"http://m.test/ad.webm"}}"#,
        r#"{"t":5,"kind":"event","name":"adStart"}"#,
        r#"{"t":5,"kind":"native","name":"anything at all","data":{"x":[1,{"y":null}]}}"#,
    ] {
        assert!(fits(line), "{line}");
    }
    for line in [
        r#"{"t":0,"kind":"header","name":"recording","data":{"version":2}}"#,
        r#"{"t":0,"kind":"header","name":"recording","data":{"version":1,"hears":"net"}}"#,
        r#"{"t":-1,"kind":"event","name":"adStart"}"#,
        r#"{"t":1.5,"kind":"event","name":"adStart"}"#,
        r#"{"t":1,"kind":"evnt","name":"adStart"}"#,
        r#"{"t":1,"kind":"net","name":"request"}"#,
        r#"{"t":1,"kind":"ui","name":"shown","data":{}}"#,
        r#"{"t":1,"kind":"event","name":"adStart","date":{}}"#,
    ] {
        assert!(!fits(line), "{line}");
    }
}
