//! Selecting rules and printing them.

use super::*;
use crate as rules;

fn nothing(_: RuleId) -> Vec<String> {
    Vec::new()
}

fn named(words: &[&str]) -> Selection {
    let mut selection = Selection::default();
    for word in words {
        selection.name(word).unwrap();
    }
    selection
}

#[test]
fn an_empty_selection_is_the_whole_table() {
    assert_eq!(Selection::default().rules(), all().collect::<Vec<_>>());
}

#[test]
fn families_and_single_rules_add_up() {
    let rules = named(&["gap", "PLAY-4"]).rules();
    assert_eq!(
        rules,
        [
            rules::PLAY_4,
            rules::GAP_1,
            rules::GAP_2,
            rules::GAP_3,
            rules::GAP_4
        ]
    );
}

#[test]
fn words_of_everyday_speech_find_a_rule() {
    for words in [
        "pixel fired twice",
        "impression called once",
        "beacons sent double",
    ] {
        let mut selection = Selection::default();
        selection.words(words).unwrap();
        assert!(selection.has(rules::TRK_1), "{words}");
    }
    let unknown = Selection::default().words("tracker zebra").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no rule and no family of rules has the words \"tracker zebra\"; try fewer words"
    );
}

#[test]
fn the_other_filters_narrow() {
    let mut selection = named(&["PLAY"]);
    selection.basis("html").unwrap();
    assert_eq!(
        selection.rules(),
        [
            rules::PLAY_10,
            rules::PLAY_22,
            rules::PLAY_23,
            rules::PLAY_25,
            rules::PLAY_26
        ]
    );
    selection.knob("activation.lasts").unwrap();
    assert_eq!(selection.rules(), [rules::PLAY_23]);

    let mut selection = Selection::default();
    selection.basis("not-modelled").unwrap();
    selection.built(true);
    assert_eq!(selection.rules(), []);

    let mut selection = Selection::default();
    selection.knob("timeupdate.period").unwrap();
    selection.text("TIMEUPDATE");
    assert_eq!(selection.rules(), [rules::MEL_15]);
}

#[test]
fn a_knob_finds_every_rule_that_it_changes() {
    let mut selection = Selection::default();
    selection.knob("vpaid.stop_timeout").unwrap();
    assert_eq!(selection.rules(), [rules::VPAID_8, rules::VPAID_9]);
}

#[test]
fn wrong_words_get_a_suggestion() {
    let mut selection = Selection::default();
    let mut name = |word| selection.name(word).unwrap_err().to_string();
    assert_eq!(
        name("PLY"),
        "unknown family of rules \"PLY\"; did you mean \"PLAY\"?"
    );
    assert_eq!(
        name("plya-4"),
        "unknown rule \"PLYA-4\"; did you mean \"PLAY-4\"?"
    );
    assert_eq!(
        name("GAP-5"),
        "unknown rule \"GAP-5\"; the GAP rules are GAP-1 to GAP-4"
    );
    assert_eq!(
        name("GAP-x"),
        "unknown rule \"GAP-X\"; the GAP rules are GAP-1 to GAP-4"
    );
    assert!(
        name("something")
            .starts_with("unknown family of rules \"SOMETHING\"; it must be one of: CLK, LOAD")
    );
    assert_eq!(
        selection.basis("state").unwrap_err().to_string(),
        "unknown basis \"state\"; did you mean \"stated\"?"
    );
    assert_eq!(
        selection.knob("play.retrns").unwrap_err().to_string(),
        "unknown knob \"play.retrns\"; did you mean \"play.returns\"?"
    );
    assert_eq!(selection.rules().len(), all().count());
}

#[test]
fn text_is_a_table_with_the_gist_wrapped_in_its_column() {
    let text = text(&named(&["GAP-1", "NM-3"]).rules(), 72, &|_| {
        vec!["T3".to_owned()]
    });
    assert_eq!(
        text,
        "\
GAP-1  stated        built  `getAdInProgress()` is true while a linear
                            ad plays or is paused, and false at any
                            other time.
                            [doc:calls | shown by: T3]
NM-3   not modelled  -      Displaying a chapter's title is not
                            modelled; `currentChapter()` returns it.
                            [doc:chapters | left out on purpose: a
                            headless player shows nothing | shown by:
                            T3]
2 rules, 1 built
"
    );
}

#[test]
fn json_has_its_keys_in_order_and_waits_for_only_where_it_waits() {
    let json = json(
        &named(&["GAP-1", "NM-3"]).rules(),
        &|id| match id.family() {
            "GAP" => vec!["T2".to_owned()],
            _ => Vec::new(),
        },
    );
    assert_eq!(
        json,
        r#"[
  {
    "id": "GAP-1",
    "family": "GAP",
    "basis": "stated",
    "source": "doc:calls",
    "gist": "`getAdInProgress()` is true while a linear ad plays or is paused, and false at any other time.",
    "knobs": [],
    "built": true,
    "shown_by": [
      "T2"
    ]
  },
  {
    "id": "NM-3",
    "family": "NM",
    "basis": "not modelled",
    "source": "doc:chapters",
    "gist": "Displaying a chapter's title is not modelled; `currentChapter()` returns it.",
    "knobs": [],
    "built": false,
    "waits_for": "left out on purpose: a headless player shows nothing",
    "shown_by": []
  }
]
"#
    );
}

#[test]
fn markdown_has_a_table_for_each_family() {
    let markdown = markdown(&named(&["GAP-1", "NM-3"]).rules(), &|_| {
        vec!["a|b".to_owned()]
    });
    assert_eq!(
            markdown,
            "\
## GAP: is an ad in progress

| ID | Rule | Basis | Source | Knob | Built | Shown by |
|---|---|---|---|---|---|---|
| GAP-1 | `getAdInProgress()` is true while a linear ad plays or is paused, and false at any other time. \
             | stated | doc:calls |  | yes | a\\|b |

## NM: not modelled, on purpose

| ID | Rule | Basis | Source | Knob | Built | Shown by |
|---|---|---|---|---|---|---|
| NM-3 | Displaying a chapter's title is not modelled; `currentChapter()` returns it. \
             | not modelled | doc:chapters |  | no: left out on purpose: a headless player shows nothing | a\\|b |
"
        );
}

#[test]
fn every_rule_can_be_written_in_every_form() {
    let rules = Selection::default().rules();
    assert!(text(&rules, 20, &nothing).lines().count() > rules.len());
    assert!(
        text(&rules, 100, &nothing)
            .lines()
            .all(|line| line.chars().count() <= 110)
    );
    let json: serde_json::Value = serde_json::from_str(&json(&rules, &nothing)).unwrap();
    assert_eq!(json.as_array().map(Vec::len), Some(rules.len()));
    let tables = markdown(&rules, &nothing);
    assert_eq!(
        tables
            .lines()
            .filter(|line| line.starts_with("## "))
            .count(),
        families().len()
    );
}

#[test]
fn no_rules_give_empty_output() {
    assert_eq!(text(&[], 80, &nothing), "0 rules, 0 built\n");
    assert_eq!(json(&[], &nothing), "[]\n");
    assert_eq!(markdown(&[], &nothing), "");
}

#[test]
fn the_scenarios_of_a_rule_are_read_from_its_lines() {
    let table = "# a remark\n\nPLAY-4: a.yaml, b.yaml\nPLAY-40: c.yaml\nPLAY-4:d.yaml,\nPLAY-4\n";
    let id = "PLAY-4".parse::<RuleId>().expect("an existing rule");
    assert_eq!(shown_by(table, id), ["a.yaml", "b.yaml", "d.yaml"]);
    assert!(shown_by("", id).is_empty());
}
