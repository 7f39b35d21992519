//! The MCP proxy over HTTP as a program: its settings, and its address. What it does is tested in the crates beside it.

use std::io::{BufRead as _, BufReader};

use crate::support::command;

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
