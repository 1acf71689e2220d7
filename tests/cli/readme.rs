//! What the README shows is what comes out.

use super::*;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("there is a README")
}

/// The first fenced block of a language.
fn block(language: &str) -> String {
    let readme = readme();
    let (_, rest) = readme.split_once(&format!("```{language}\n")).expect("there is such a block");
    rest.split_once("```").expect("the block ends").0.to_owned()
}

#[test]
fn the_readme_shows_what_the_demo_prints() {
    let ran = run(&folder("readme_demo"), &["demo"]);
    assert!(readme().contains(&ran.stdout), "the README's first screen is not what `playsim demo` prints");
}

#[test]
fn the_readme_shows_what_a_typo_gives() {
    let folder = folder("readme_typo");
    assert_eq!(run(&folder, &["new", "preroll"]).code, 0);
    let file = folder.join("preroll.yaml");
    let text = fs::read_to_string(&file).expect("it was written").replace("do: play", "do: paly");
    fs::write(&file, text).expect("it can be changed");
    let ran = run(&folder, &["run", "preroll.yaml"]);
    assert_eq!(ran.code, 2);
    assert!(readme().contains(&ran.stderr), "the README shows another picture than\n{}", ran.stderr);
}

#[test]
fn the_readmes_scenario_runs_as_expected() {
    let folder = folder("readme_scenario");
    assert_eq!(run(&folder, &["new", "linear"]).code, 0);
    fs::rename(folder.join("ad.xml"), folder.join("linear.xml")).expect("the document is there");
    fs::write(folder.join("own.yaml"), block("yaml")).expect("it can be written");
    let ran = run(&folder, &["run", "own.yaml"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
}

#[test]
fn the_readme_shows_what_two_products_do() {
    let folder = folder("readme_products");
    let conditions = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios/conditions");
    for file in ["wrapper_404.yaml", "wrapper.xml"] {
        fs::copy(conditions.join(file), folder.join(file)).expect("the condition can be copied");
    }
    let compare = ["diff", "wrapper_404.yaml", "--profiles", "standard", "video-ad-sdk", "--view", "ads"];
    let ran = run(&folder, &compare);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(readme().contains(&ran.stdout), "the README shows another comparison than\n{}", ran.stdout);
    let ran = run(&folder, &["diff", "wrapper.trace", "--profiles", "standard", "ima"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    fs::write(folder.join("wrapper.trace"), "playsim trace 1  profile default  seed 0\n")
        .expect("it can be written");
    let ran = run(&folder, &["diff", "wrapper.trace", "--profiles", "standard", "ima"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("--profile is for scenarios, which are played"), "{}", ran.stderr);
}

#[test]
fn the_readme_shows_what_a_difference_from_a_golden_trace_gives() {
    let folder = folder("readme_golden");
    assert_eq!(run(&folder, &["new", "preroll"]).code, 0);
    assert_eq!(run(&folder, &["test", "--bless"]).code, 0);
    assert!(readme().contains(&run(&folder, &["test"]).stdout), "the README shows another list");
    let file = folder.join("preroll.yaml");
    let text = fs::read_to_string(&file).expect("it was written").replace("after: 190ms", "after: 240ms");
    fs::write(&file, text).expect("it can be changed");
    let ran = run(&folder, &["test"]);
    assert_eq!(ran.code, 1);
    assert!(
        readme().contains(ran.stdout.trim_end()),
        "the README shows another difference than\n{}",
        ran.stdout
    );
    assert_eq!(run(&folder, &["explain", "preroll.yaml", "--event", "adStart"]).code, 0);
}

#[test]
fn the_readme_shows_which_tag_failed() {
    let folder = folder("readme_waterfall");
    let readme = readme();
    let (_, rest) = readme.split_once("$ playsim waterfall ").expect("the README shows it");
    let (args, shown) = rest.split_once('\n').expect("an output stands below it");
    let shown = shown.split("```").next().unwrap_or_default();
    assert_eq!(run(&folder, &["new", "trial", "--from", "pod_behind_wrapper"]).code, 0);
    let args: Vec<&str> = ["waterfall"].into_iter().chain(args.split_whitespace()).collect();
    let ran = run(&folder, &args);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.stdout, shown, "the README shows something else");
}

#[test]
fn the_readme_shows_what_a_summary_says() {
    let folder = folder("readme_summary");
    assert_eq!(run(&folder, &["new", "preroll"]).code, 0);
    let ran = run(&folder, &["run", "preroll.yaml", "--format", "summary", "--only", "break,ad,request"]);
    assert_eq!(ran.code, 0);
    assert!(readme().contains(&ran.stdout), "the README shows another summary than\n{}", ran.stdout);
}

#[test]
fn the_readme_shows_a_unit_that_falls_silent() {
    let folder = folder("readme_unit");
    let readme = readme();
    let (_, rest) = readme.split_once("$ playsim new unit ").expect("the README shows it");
    let (args, rest) = rest.split_once("\n$ playsim ").expect("what it writes is run");
    let new: Vec<&str> = ["new", "unit"].into_iter().chain(args.split_whitespace()).collect();
    assert_eq!(run(&folder, &new).code, 0);
    let (args, shown) = rest.split_once('\n').expect("an output stands below it");
    let shown = shown.split("```").next().unwrap_or_default();
    let ran = run(&folder, &args.split_whitespace().collect::<Vec<&str>>());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.stdout, shown, "the README shows something else");
}

#[test]
fn the_readmes_units_are_read() {
    let folder = folder("readme_scripts");
    let readme = readme();
    let script = readme.split("```yaml\n").filter_map(|rest| rest.split("```").next());
    let units = script.into_iter().find(|text| text.contains("simid:")).expect("units are shown");
    let init = "steps: [{ at: 0s, init: { div: player, config: { id: p, width: \"640\", height: \"360\", video: v } } }]\n";
    fs::write(folder.join("units.yaml"), format!("name: units\n{units}{init}")).expect("it can be written");
    let ran = run(&folder, &["run", "units.yaml"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
}
