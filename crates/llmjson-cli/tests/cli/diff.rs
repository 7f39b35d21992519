//! Two reports of `batch`, compared.

use crate::support::{Scratch, run};

/// Answers to the same rows before and after a change.
const BEFORE: &str = concat!(
    r#"{"id":1,"ok":true,"value":{"n":1},"complete":true,"certainty":"certain","repairs":[{"kind":"unquoted_key","class":"certain","start":1,"end":2}],"coercions":[],"violations":[]}"#,
    "\n",
    r#"{"id":2,"ok":false,"value":{"a":[{"n":0}]},"complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[{"path":"$input.a[0].n","expected":"integer & Minimum<1>"}]}"#,
    "\n",
    r#"{"id":3,"ok":true,"value":3,"complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[]}"#,
    "\n",
    r#"{"id":4,"ok":true,"value":4,"complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[]}"#,
    "\n",
);
const AFTER: &str = concat!(
    r#"{"id":4,"ok":true,"value":5,"complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[]}"#,
    "\n",
    r#"{"id":2,"ok":true,"value":{"a":[{"n":1}]},"complete":true,"certainty":"guess","repairs":[],"coercions":[],"violations":[]}"#,
    "\n",
    r#"{"id":1,"ok":false,"value":null,"complete":true,"certainty":null,"repairs":[],"coercions":[],"violations":[],"error":"the reply holds no JSON value"}"#,
    "\n",
    r#"{"id":5,"ok":true,"value":1,"complete":true,"certainty":"certain","repairs":[],"coercions":[],"violations":[]}"#,
    "\n",
);

#[test]
fn rows_are_told_that_got_better_or_worse() {
    let (before, after) = (Scratch::new(BEFORE), Scratch::new(AFTER));
    let ran = run(&["diff", before.path(), after.path()], "");
    let wanted = "\
rows: 4 → 4
ok: 3 → 3
errors: the reply holds no JSON value: 0 → 1
repairs: unquoted_key: 1 → 0
states: certain: 3 → 2
states: differs: 1 → 0
states: guess: 0 → 1
states: no value: 0 → 1
violations: $input.a[*].n: integer & Minimum<1>: 1 → 0
better: 1 rows
  2: differs, 1 violation → guess
worse: 1 rows
  1: certain → no value
changed: 1 rows
  4: certain, another value
missing: 1 rows
  3
new: 1 rows
  5
";
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(1), wanted, ""));
    let ran = run(&["diff", "--json", before.path(), "-"], AFTER);
    let wanted = r#"{"rows":[4,4],"ok":[3,3],"errors":{"the reply holds no JSON value":[0,1]},"repairs":{"unquoted_key":[1,0]},"states":{"certain":[3,2],"differs":[1,0],"guess":[0,1],"no value":[0,1]},"violations":{"$input.a[*].n: integer & Minimum<1>":[1,0]},"better":[{"id":2,"before":"differs","after":"guess"}],"worse":[{"id":1,"before":"certain","after":"no value"}],"changed":[{"id":4,"before":"certain","after":"certain"}],"missing":[3],"new":[5]}"#;
    assert_eq!((ran.code, ran.out), (Some(1), format!("{wanted}\n")));
}

#[test]
fn reports_of_the_command_are_compared() {
    let rows =
        |n: u32| format!("{{\"id\":\"a\",\"input\":\"{{n: {n}}}\"}}\n{{\"input\":\"no\"}}\noops\n");
    let report = |n: u32| {
        Scratch::new(
            run(
                &["batch", "--schema", r#"{"properties":{"n":{"maximum":5}}}"#],
                rows(n),
            )
            .out,
        )
    };
    let (good, bad) = (report(1), report(9));
    let ran = run(&["diff", good.path(), good.path()], "");
    assert_eq!((ran.code, &*ran.out), (Some(0), "rows: 3 → 3\nok: 1 → 1\n"));
    assert_eq!(run(&["diff", bad.path(), good.path()], "").code, Some(0));
    let ran = run(&["diff", "--rows", "0", good.path(), bad.path()], "");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.ends_with("worse: 1 rows\n  and 1 more\n"),
        "{}",
        ran.out
    );
    // Lines that are no answers, and a file that is not there.
    for other in ["{\"value\":1}", "oops"] {
        let ran = run(&["diff", good.path(), "-"], other);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""));
        assert!(ran.err.contains("standard input: line 1: "), "{}", ran.err);
    }
    assert_eq!(
        run(&["diff", good.path(), "no/such/file"], "").code,
        Some(2)
    );
    assert_eq!(run(&["diff", "-", "-"], "").code, Some(2));
}
