//! The example reports and the marked parts of the README, made by the program itself. `UPDATE_GOLDEN=1`
//! rewrites them.

use assert_cmd::Command;
use mcploss::report::facts_schema;

use crate::report_golden::golden;

fn stdout(args: &[&str]) -> String {
    let out = Command::cargo_bin("mcploss")
        .unwrap()
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// Puts `text` between `<!-- name -->` and `<!-- /name -->`.
fn splice(document: &str, name: &str, text: &str) -> String {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = document.find(&open).unwrap() + open.len();
    let end = document.find(&close).unwrap();
    format!("{}{text}{}", &document[..start], &document[end..])
}

#[test]
fn example_reports_are_fresh() {
    golden("reports/incident.txt", &stdout(&["analyze", "sample-logs/incident"]));
    golden("reports/incident.json", &stdout(&["analyze", "--json", "sample-logs/incident"]));
    golden("reports/incident-call-6.txt", &stdout(&["explain", "#6", "sample-logs/incident"]));
}

#[test]
fn the_readme_shows_what_the_program_says() {
    /// Enough to see the verdict, the tables and the first examples.
    const LINES: usize = 34;
    let report = stdout(&["analyze", "sample-logs/incident"]);
    let head: Vec<&str> = report.lines().take(LINES).collect();
    let output = format!("```\n{}\n…\n```\n", head.join("\n"));
    // The document's own headings stand above.
    let facts = facts_schema::markdown().replace("## ", "### ").replace("# Facts, schema", "Schema");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let want = splice(&splice(&readme, "output", &output), "facts", &facts);
    golden("README.md", &want);
}
