//! What people expect of any command: completions, manual pages, limits, exit codes on request.

use crate::support::{Scratch, run};

#[test]
fn completions_and_manual_pages_know_all_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell], "");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shell}");
        assert!(ran.out.contains("fail-on") && ran.out.contains("mcp-proxy"));
    }
    let ran = run(&["man"], "");
    assert!(ran.out.contains(".TH llmjson 1") && ran.out.contains("explain"));
    let ran = run(&["man", "repair"], "");
    assert!(ran.out.contains("\\-\\-in\\-place"), "{}", ran.out);
    let ran = run(&["man", "nonsense"], "");
    let wanted = "llmjson: nonsense: there is no command of this name\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), wanted));
}

const LINES: &str = "{\"id\": 1, \"input\": \"{a: 1}\", \"user\": {\"x\": [1.0]}, \"ns\": 5}\n\
    {\"id\": \"<b>\", \"input\": \"{a: 'x'\", \"schema\": {\"properties\": {\"a\": {\"type\": \"integer\"}}}}\n\
    oops\n\
    {\"op\": \"stringify\", \"input\": {\"data\": 1, \"errors\": []}}\n";

#[test]
fn batches_are_counted_and_shown_as_a_page() {
    let page = Scratch::new("");
    let ran = run(&["batch", "--counts", "--summary", page.path()], LINES);
    assert_eq!(ran.code, Some(1));
    for line in [
        "llmjson: 4 rows: 2 ok, 1 failed, 1 unreadable",
        "llmjson: certain: 1 row",
        "llmjson: repairs: unquoted_key: 2 rows, 2 times",
        "llmjson: what does not fit the schema: type: 1 row, 1 times",
    ] {
        assert!(
            ran.err.lines().any(|one| one == line),
            "{line}: {}",
            ran.err
        );
    }
    let page = std::fs::read_to_string(page.path()).expect("there is a page");
    for part in [
        "4 replies: 2 ok, 1 not, 1 not usable; 1 truncated",
        "<code>unquoted_key</code>: read an unquoted key",
        "line 2, id &quot;&lt;b&gt;&quot;: 7 bytes",
        "line 3: not strict JSON",
        "<mark class=\"certain\"",
        "expected integer",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // The worst is first: what could not be used, then what does not fit.
    let (first, second) = (page.find("line 3:"), page.find("line 2,"));
    assert!(first < second);
    let nowhere = run(&["batch", "--summary", "no/such/page.html"], LINES);
    assert_eq!(nowhere.code, Some(2));
}
