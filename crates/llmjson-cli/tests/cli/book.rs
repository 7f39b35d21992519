//! The book's shell blocks show what the commands print.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Runs a line in a shell in which `llmjson` is the binary under test.
fn printed(line: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_llmjson"));
    let binaries = binary.parent().expect("the binary lies in a folder");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(binaries.to_owned()).chain(std::env::split_paths(&others)),
    );
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {line}")])
        .env("PATH", path.expect("paths without separators in them"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the shell starts");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Returns what a block's commands print now, below each. A command goes on in the next line after a
/// backslash.
fn run_again(block: &str, folder: &Path) -> String {
    let mut new = String::new();
    let mut lines = block.lines();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut command = first.to_owned();
        while command.ends_with('\\') {
            command.push('\n');
            command.push_str(lines.next().expect("the command goes on"));
        }
        write!(new, "$ {command}\n{}", printed(&command, folder)).expect("writing to a string");
        if !new.ends_with('\n') {
            new.push('\n');
        }
    }
    new
}

/// Where the next block with commands begins and ends: the fence, the lines in it, the rest.
///
/// A fence is as long as it has to be, since what is printed may hold fences: feedback for a model does.
fn next_block(text: &str) -> Option<(&str, &str, &str, &str)> {
    let opener = text.find("```console\n")?;
    let before = text[..opener].trim_end_matches('`');
    let fence = &text[before.len()..opener + 3];
    let inside = &text[opener + "```console\n".len()..];
    let closer = format!("\n{fence}\n");
    let end = inside.find(&closer).expect("the block is closed") + 1;
    Some((
        before,
        fence,
        &inside[..end],
        &inside[end + fence.len() + 1..],
    ))
}

/// Compares each block of a page with what is printed; with `UPDATE_SNAPSHOTS` set writes it anew. Returns
/// how many there are.
fn check(page: &Path, folder: &Path) -> usize {
    let text = fs::read_to_string(page).expect("the page can be read");
    let (mut rest, mut new, mut count) = (text.as_str(), String::new(), 0);
    while let Some((before, fence, block, behind)) = next_block(rest) {
        let now = run_again(block, folder);
        if std::env::var_os("UPDATE_SNAPSHOTS").is_none() {
            let page = page.display();
            assert_eq!(
                block, now,
                "{page}: see CONTRIBUTING.md, \"Update snapshots\""
            );
        }
        let fence = match now.contains("\n```") {
            true => "````",
            false => fence,
        };
        write!(new, "{before}{fence}console\n{now}{fence}\n").expect("writing to a string");
        rest = behind;
        count += 1;
    }
    new.push_str(rest);
    if new != text {
        fs::write(page, new).expect("the page can be written");
    }
    count
}

#[test]
fn blocks_show_what_is_printed() {
    // The package of this crate has no book.
    if !docs().is_dir() {
        return;
    }
    let folders = [docs().join("src"), docs().join("src/moving")];
    let mut count = 0;
    for folder in folders {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let page = entry.expect("an entry").path();
            if page.extension().is_some_and(|extension| extension == "md") {
                count += check(&page, &docs().join("examples"));
            }
        }
    }
    let root = docs().join("..");
    assert_eq!(check(&root.join("README.md"), &root), 1);
    assert!(count > 15, "only {count} blocks");
}
