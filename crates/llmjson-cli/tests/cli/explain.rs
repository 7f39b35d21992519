//! What `explain` shows of large and hostile replies, and the documents that show what it prints.

use std::path::Path;

use unicode_width::UnicodeWidthStr;

use crate::support::{command, run};

#[test]
fn of_large_replies_only_the_marks_are_drawn() {
    let mut reply = format!("{{\"a\": \"{}\", b: 1,\n", "x".repeat(5_000));
    reply.push_str(&"\"c\": [1, 2],\n".repeat(3));
    reply.push_str(&"\n".repeat(200));
    reply.push_str("'d': True}");
    let ran = run(&["explain"], &reply);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots/large.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &ran.out).expect("a snapshot can be written");
    }
    let wanted = std::fs::read_to_string(&path).expect("there is a snapshot");
    assert_eq!(ran.out, wanted);
}

#[test]
fn what_is_shown_is_bounded() {
    let objects = "{'é': \"\u{202e}\t\", },".repeat(20_000);
    let deep = format!("{}{}", "[".repeat(500), "'x'".repeat(30_000));
    let lines = "{a:\n1,\n},\n".repeat(20_000);
    for reply in [format!("[{objects}]"), deep, format!("[{lines}]")] {
        let ran = run(&["explain"], &reply);
        assert!(ran.out.len() < 50_000, "{}", ran.out.len());
        let hidden = |character: char| {
            character != '\n' && character.is_control() || character == '\u{202e}'
        };
        assert!(!ran.out.contains(hidden));
    }
}

#[test]
fn pictures_are_as_wide_as_asked_for() {
    let long = format!(
        "{{a: '{}', \"b\": [1,, \u{6f22}\u{5b57}], c: {}}} so it is",
        "x".repeat(300),
        "y".repeat(200)
    );
    for width in [40, 60, 100, 160] {
        for reply in [long.as_str(), &long.replace("x", "x ").replace(", ", ",\n")] {
            let ran = run(&["explain", "-v", "--width", &width.to_string()], reply);
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
            for line in ran.out.lines() {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn colours_are_there_if_asked_for() {
    let reply = "Sure: {a: 'b', \"c\": say, \"d\": 'x 'y'}";
    let colours = |args: &[&str]| {
        run(&[&["explain"], args].concat(), reply)
            .out
            .contains('\x1b')
    };
    assert!(colours(&["--color", "always"]));
    assert!(!colours(&["--color", "never"]) && !colours(&[]));
}

#[test]
fn pages_hold_nothing_of_a_reply_but_text() {
    let hostile = "\n</script><script>alert(1)</script> {\"a'<b>\": '\u{202e}\0\" onload=\"x&amp;', b: <i>}</pre>";
    let schema = r#"{"properties": {"b": {"type": "integer"}}}"#;
    let ran = run(&["explain", "--html", "--schema", schema], hostile);
    assert_eq!(ran.err, "");
    let (_, reply) = ran
        .out
        .split_once("<pre class=\"reply\">")
        .expect("the reply");
    let (reply, _) = reply.split_once("</pre>").expect("its end");
    // Without its marks it is the reply.
    let mut text = String::new();
    for piece in reply.split('<') {
        let tags = ["mark ", "/mark", "span ", "/span", "div ", "/div"];
        let is_tag = tags.iter().any(|tag| piece.starts_with(tag));
        text.push_str(match is_tag {
            true => piece.split_once('>').expect("a tag has an end").1,
            false => piece,
        });
    }
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, sign);
    }
    let shown = hostile
        .replace('\u{202e}', "<U+202E>")
        .replace('\0', "\u{2400}");
    assert_eq!(text, shown);
    for forbidden in [
        "alert(1)</script",
        "<b>'",
        "<i>}",
        "\u{202e}",
        "\0",
        "http://",
        "https://",
        "src=",
    ] {
        assert!(!ran.out.contains(forbidden), "{forbidden}");
    }
    assert_eq!(ran.out.matches("<script").count(), 1);
    // Many repairs on one line take a bounded part of the page.
    let ran = run(
        &["explain", "--html"],
        format!("[{}]", "'x',".repeat(30_000)),
    );
    assert_eq!(
        (ran.code, ran.out.matches("<mark").count() < 2_100),
        (Some(0), true)
    );
}

/// The picture in the README is what the command above it prints; with `UPDATE_SNAPSHOTS` set it is
/// written anew.
#[test]
fn the_readme_shows_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let (before, rest) = readme
        .split_once("$ llmjson explain ")
        .expect("it shows a command");
    let (arguments, rest) = rest.split_once('\n').expect("on a line of its own");
    let (shown, behind) = rest.split_once("\n````").expect("in a block");
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let mut command = command(&[&["explain"], &arguments[..]].concat());
    let output = command
        .current_dir(&root)
        .output()
        .expect("the binary starts");
    let printed = String::from_utf8(output.stdout).expect("output is UTF-8");
    let printed = printed.trim_end();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let arguments = arguments.join(" ");
        let new = format!("{before}$ llmjson explain {arguments}\n{printed}\n````{behind}");
        std::fs::write(root.join("README.md"), new).expect("the README can be written");
    } else {
        assert_eq!(shown, printed, "see CONTRIBUTING.md, \"Update snapshots\"");
    }
}

#[test]
fn sources_are_listed_with_their_costs() {
    let table = run(&["explain", "--sources"], "").out;
    assert!(table.starts_with("| source | cost | needs | undoes |\n"));
    assert!(table.contains("\n| email | 0 | 3D | quoted-printable: `{=22a=22: 1}` |\n"));
}

#[test]
fn the_tables_are_those_of_the_documents() {
    let forms = ["../../docs/src/forms.md", "../llmjson-python/README.md"];
    let rules = ["../../docs/src/schemas.md", "../llmjson-schema/README.md"];
    for (argument, start, places) in [
        ("--forms", "| wanted | read |", forms),
        ("--rules", "| kind | reads |", rules),
    ] {
        let table = run(&["explain", argument], "").out;
        assert!(table.starts_with(start), "{table}");
        for place in places {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(place);
            let text = std::fs::read_to_string(path).expect("a document");
            assert!(
                text.contains(&table),
                "{place} has another table than {argument}"
            );
        }
    }
}
