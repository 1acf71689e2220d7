//! The recipes for CI in the book: they are YAML, and each command and option in them exists.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn book() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/conform.md");
    std::fs::read_to_string(path).expect("it is there")
}

/// The blocks of YAML in a chapter.
fn blocks(chapter: &str) -> Vec<String> {
    let blocks = chapter.split("```yaml recipe\n").skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// All strings in a value.
fn strings(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => found.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        serde_json::Value::Object(fields) => {
            fields.values().for_each(|field| strings(field, found))
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

#[test]
fn recipes_for_ci_use_commands_and_options_that_exist() {
    let recipes = blocks(&book());
    assert_eq!(recipes.len(), 2, "GitHub Actions and GitLab");
    let mut help: BTreeMap<String, String> = BTreeMap::new();
    let mut commands = 0;
    for recipe in &recipes {
        let value: serde_json::Value = serde_saphyr::from_str(recipe).expect("it is YAML");
        let mut found = Vec::new();
        strings(&value, &mut found);
        for line in found
            .iter()
            .filter_map(|text| text.trim().strip_prefix("playsim conform "))
        {
            commands += 1;
            let command = line.split(' ').next().expect("a command").to_owned();
            let text = help.entry(command.clone()).or_insert_with(|| {
                let mut program = Command::new(env!("CARGO_BIN_EXE_playsim"));
                let output = program
                    .args(["conform", &command, "--help"])
                    .output()
                    .expect("it runs");
                assert!(output.status.success(), "there is no command {command}");
                String::from_utf8(output.stdout).expect("it is text")
            });
            for option in line
                .split_whitespace()
                .filter(|word| word.starts_with("--"))
            {
                assert!(text.contains(option), "conform {command} has no {option}");
            }
        }
    }
    assert!(commands >= 6, "{commands}");
}

#[test]
fn recipes_use_the_action_and_the_hooks_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("it is there");
    let yaml = |text: &str| serde_saphyr::from_str::<serde_json::Value>(text).expect("it is YAML");
    let chapter = read("docs/src/install.md");
    let recipes: Vec<_> = blocks(&chapter).iter().map(|recipe| yaml(recipe)).collect();
    let [action, hooks] = recipes.as_slice() else {
        panic!("the action and the hooks: {recipes:#?}")
    };
    let inputs = yaml(&read("action/action.yml"));
    let given = action["jobs"]["ads"]["steps"][1]["with"]
        .as_object()
        .expect("it has inputs");
    assert!(
        !given.is_empty() && given.keys().all(|name| inputs["inputs"][name].is_object()),
        "{given:?}"
    );
    let known = yaml(&read(".pre-commit-hooks.yaml"));
    let known: Vec<_> = known
        .as_array()
        .expect("a list")
        .iter()
        .map(|hook| &hook["id"])
        .collect();
    let used = hooks["repos"][0]["hooks"].as_array().expect("a list");
    assert!(
        !used.is_empty() && used.iter().all(|hook| known.contains(&&hook["id"])),
        "{known:?}"
    );
}
