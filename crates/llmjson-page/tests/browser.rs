//! Pages in a real browser. Where there is no Chromium, Node or playwright-core, these tests pass without
//! looking: `LLMJSON_BROWSER_MODULES` names the folder with `node_modules/playwright-core` and `axe-core`.
//!
//! With `LLMJSON_PICTURES` set, the pictures in `docs/` are taken anew.

use std::path::{Path, PathBuf};
use std::process::Command;

use llmjson::Schema;
use llmjson_page::shown::{is_hidden, push_picture};
use llmjson_page::{Reply, page};

const BROWSERS: &[&str] = &["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/// The folder of the modules, and the browser.
fn browser() -> Option<(PathBuf, &'static str)> {
    let modules = PathBuf::from(std::env::var_os("LLMJSON_BROWSER_MODULES")?);
    let browser = BROWSERS.iter().find(|path| Path::new(path).exists())?;
    Some((modules, browser))
}

/// A text as it is shown: what is hidden has its picture.
fn as_shown(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match character {
            '\t' => shown.push(character),
            _ if is_hidden(character) => push_picture(character, &mut shown),
            _ => shown.push(character),
        }
    }
    shown
}

/// Looks at the page of a reply.
fn look(name: &str, text: &str, schema: Option<&str>) {
    let Some((modules, browser)) = browser() else {
        return;
    };
    let schema = schema.map(|schema| Schema::from_text(schema).expect("a valid schema"));
    let parsed = llmjson::parse(text, schema.as_ref());
    let mut reply = Reply::of(&parsed);
    reply.has_schema = schema.is_some();
    reply.feedback = (parsed.clone().into_result())
        .err()
        .map(|failure| llmjson::stringify(&failure));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let write = |extension: &str, content: &str| {
        let path = folder.join(format!("{name}.{extension}"));
        std::fs::write(&path, content).expect("a file can be written");
        path
    };
    let html = write("html", &page(name, &reply));
    let value = parsed.value().map(|value| value.to_json_pretty());
    let shown = write("txt", &as_shown(text));
    let value = write("json", &as_shown(&value.unwrap_or_default()));
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pictures = match std::env::var_os("LLMJSON_PICTURES") {
        Some(_) if text.len() < 10_000 => here.join("docs").join(name),
        _ => PathBuf::from("-"),
    };
    let output = Command::new("node")
        .arg(here.join("tests/browser/check.mjs"))
        .args([
            &modules,
            Path::new(browser),
            &html,
            &shown,
            &value,
            &pictures,
        ])
        .output()
        .expect("node starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}{errors}");
}

const HOSTILE: &str = "</script><script>alert(1)</script> </pre></textarea>--><img src=x onerror=alert(2)> \
    \u{202e}evil\u{2066}\0 {\"a<b>\": '\u{202e}\" onload=\"x&amp;', b: \"<i>x</i>\", \"c\": </details></main>}\n";

#[test]
fn replies_are_shown() {
    let text = include_str!("../../llmjson-cli/docs/trip.txt");
    let schema = include_str!("../../llmjson-cli/docs/trip.schema.json");
    look("trip", text, Some(schema));
}

#[test]
fn hostile_replies_are_nothing_but_text() {
    let schema = r#"{"properties": {"</b>": {"type": "integer", "description": "<script>alert(1)</script>"},
        "b": {"enum": ["</small><script>alert(3)</script>"]}}, "required": ["</b>"]}"#;
    look("hostile", HOSTILE, Some(schema));
}

#[test]
fn long_hostile_replies_are_nothing_but_text() {
    let item = "{\"k</b>\u{202e}\": 'v\"><img src=http://x.test/a onerror=alert(1)>', n: +1, \"t\": \"a \"q\" b\",},\n";
    let items = item.repeat(5_000_000 / item.len());
    look(
        "long",
        &format!("{HOSTILE}```json\n[\n{items}]\n```\n"),
        None,
    );
}
