//! The MCP proxy over HTTP as a program: its settings, and its address. What it does is tested in the crates beside it.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;

use crate::support::{command, run};

#[test]
fn settings_that_cannot_be_used_are_told() {
    let url = "--url=https://mcp.example/mcp";
    let table: &[(&[&str], &str)] = &[
        (
            &["--url=mcp.example"],
            "url: the URL cannot be read: relative URL without a base, expected one such as https://mcp.example/mcp",
        ),
        (
            &["--url=https://user:SECRET@h/"],
            "url: the URL holds a user or a password, which clients have to send themselves, expected one such as https://mcp.example/mcp",
        ),
        (
            &[url, "--", "cat"],
            "url: a program is given, too, expected one of both",
        ),
        (
            &[url, "--listen=8378"],
            "listen: \"8378\" is no address, expected an IP address and a port, such as 127.0.0.1:8378",
        ),
        (
            &[url, "--header=SECRET"],
            "header: there is no colon, expected NAME: VALUE such as 'Authorization: Bearer ${TOKEN}'",
        ),
        (
            &[url, "--header=a b: SECRET"],
            "header: \"a b\" is no name, expected NAME: VALUE such as 'Authorization: Bearer ${TOKEN}'",
        ),
        (
            &[url, "--header=a: SECRET${NO_SUCH_VARIABLE}"],
            "header: the environment has no text \"NO_SUCH_VARIABLE\", expected the name of a variable",
        ),
        (
            &[url, "--listen=127.0.0.1:0", "--header=a: SECRET"],
            "header: clients over HTTP send their own, and programs get none, expected --url without --listen",
        ),
        (
            &["--max-sessions=3", "--", "cat"],
            "listen: expected an address and a port, such as 127.0.0.1:8378",
        ),
        (
            &[url, "--max-sessions=0"],
            "max-sessions: 0 is too few, expected 1 or more",
        ),
        (
            &[url, "--max-replay-bytes=0"],
            "max-replay-bytes: 0 is too few, expected 1 or more",
        ),
        (
            &[url, "--session-timeout=0"],
            "session-timeout: 0 is no time, expected a number of seconds greater than 0",
        ),
    ];
    for (args, said) in table {
        let ran = run(&[&["mcp-proxy"], *args].concat(), "");
        assert_eq!(
            (ran.code, &*ran.out),
            (Some(2), ""),
            "{args:?}: {}",
            ran.err
        );
        assert_eq!(ran.err, format!("llmjson: mcp-proxy: {said}\n"), "{args:?}");
        assert!(!ran.err.contains("SECRET"));
    }
    let ran = run(&["mcp-proxy", "--listen=127.0.0.1:0"], "");
    assert!(ran.err.contains("<SERVER>"), "{}", ran.err);
    // An address that is in use.
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = taken.local_addr().expect("an address").to_string();
    let ran = run(&["mcp-proxy", "--listen", &address, "--", "cat"], "");
    let refused = ran.err.starts_with(&format!("llmjson: {address}: "));
    assert!(ran.code == Some(2) && refused, "{}", ran.err);
}

#[test]
fn the_url_for_clients_is_told() {
    for (args, path) in [
        (&["--", "cat"][..], "/mcp"),
        (&["--url=https://mcp.example/api/v2/mcp"], "/api/v2/mcp"),
        (&["--url=https://mcp.example"], "/"),
    ] {
        let mut child = command(&[&["mcp-proxy", "--listen=127.0.0.1:0"], args].concat());
        let mut child = child.spawn().expect("the binary starts");
        let mut url = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("it is a pipe"));
        out.read_line(&mut url).expect("it says its URL");
        let told = url.trim_end().strip_prefix("http://127.0.0.1:");
        let told = told.and_then(|told| told.strip_suffix(path));
        assert!(
            told.is_some_and(|port| port.parse::<u16>().is_ok()),
            "{url}"
        );
        drop(child.kill());
        drop(child.wait());
    }
}

#[test]
fn input_without_messages_is_an_end() {
    // Nothing listens there, and nothing is asked.
    let ran = run(&["mcp-proxy", "--url=http://127.0.0.1:1/mcp"], "");
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", ""));
    let request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let ran = run(&["mcp-proxy", "--url=http://127.0.0.1:1/mcp"], request);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains(r#""id":1"#) && ran.out.contains("cannot be reached"),
        "{}",
        ran.out
    );
}
