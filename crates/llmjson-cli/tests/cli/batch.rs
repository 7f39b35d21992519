//! What `batch` answers, in which order, and how it ends.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};

use crate::support::{Ran, command, run};

fn lines_of(ran: &Ran) -> Vec<String> {
    ran.out.lines().map(str::to_owned).collect()
}

#[test]
fn order_is_kept_on_many_threads() {
    let count = 5_000;
    let mut input = String::new();
    for id in 0..count {
        // Some lines take much longer than others.
        let items = "'x', ".repeat(if id % 37 == 0 { 2_000 } else { id % 5 });
        writeln!(input, "{{\"id\":{id},\"input\":\"[{items}]\"}}").expect("a string takes all");
    }
    let ran = run(&["batch", "-j", "4"], &input);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let mut lines = 0;
    for (id, line) in ran.out.lines().enumerate() {
        assert!(
            line.starts_with(&format!("{{\"id\":{id},\"ok\":true,")),
            "{id}"
        );
        lines += 1;
    }
    assert_eq!(lines, count);
    assert_eq!(
        lines_of(&run(&["batch", "-j", "1"], &input)),
        lines_of(&ran)
    );
}

#[test]
fn it_ends_quietly_when_nobody_reads() {
    let mut child = command(&["batch"]).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let mut out = child.stdout.take().expect("standard output is a pipe");
    let line = "{\"input\":\"[1]\"}\n".repeat(1_000);
    stdin
        .write_all(line.as_bytes())
        .expect("the lines are read");
    let mut some = [0; 10];
    out.read_exact(&mut some).expect("there is an answer");
    drop(out);
    // It may already be gone, or gone after some more lines: that closes the pipe.
    while stdin.write_all(line.as_bytes()).is_ok() {}
    let mut said = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut said)
        .expect("UTF-8");
    assert_eq!(
        (child.wait().expect("the binary ends").code(), said.as_str()),
        (Some(0), "")
    );
}
