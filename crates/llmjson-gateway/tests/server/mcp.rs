//! The proxy of the Model Context Protocol, with clients and servers that the tests make.

mod limits;
mod local;
mod relay;
mod remote;

use std::ffi::OsString;

use llmjson::Policy;
use llmjson_gateway::server::mcp::{Config, Settings, serve};

use crate::support::{EVENTS, Gateway, Upstream, Wire, chunk};

/// Bytes of the pieces in which messages and events come.
const LENGTHS: [usize; 4] = [1, 7, 100, 1 << 20];

const WEATHER: &str = r#"{"name":"weather","inputSchema":{"type":"object","properties":{"city_name":{"type":"string","x-mcp-header":"City"},"days":{"type":"integer"}},"required":["city_name"]}}"#;

/// The settings for a server at an address.
fn before(upstream: &Upstream) -> Settings {
    let mut settings = Settings::default();
    settings.url = Some(format!("http://{}/api/mcp?base=1", upstream.address()));
    settings
}

/// A proxy over HTTP before another server.
async fn remote(upstream: &Upstream, change: impl FnOnce(&mut Settings)) -> Gateway {
    let mut settings = before(upstream);
    change(&mut settings);
    let config = Config::new(&settings, Policy::tool(), &[]).expect("the settings can be used");
    Gateway::serving(|listener, ended| serve(config, listener, ended)).await
}

/// A proxy over HTTP before a program.
async fn local(program: &[&str], change: impl FnOnce(&mut Settings)) -> Gateway {
    let mut settings = Settings::default();
    settings.listen = Some("127.0.0.1:1".to_owned());
    change(&mut settings);
    let program: Vec<OsString> = program.iter().map(OsString::from).collect();
    let config =
        Config::new(&settings, Policy::tool(), &program).expect("the settings can be used");
    Gateway::serving(|listener, ended| serve(config, listener, ended)).await
}

/// A request with a message.
fn message(path: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
}

fn request(id: u32, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn call(id: u32, arguments: &str) -> String {
    let params = format!(r#"{{"name":"weather","arguments":{arguments}}}"#);
    request(id, "tools/call", &params)
}

fn result(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

fn tools(id: &str, more: &str) -> String {
    result(id, &format!(r#"{{"tools":[{WEATHER}]{more}}}"#))
}

/// A whole reply of events, in pieces of a length.
fn in_pieces(events: &str, length: usize) -> String {
    let pieces = events.as_bytes().chunks(length);
    let pieces = pieces.map(|piece| chunk(std::str::from_utf8(piece).expect("ASCII")));
    EVENTS.to_owned() + &pieces.collect::<String>() + &chunk("")
}

/// The data of the next event of a chunked reply.
async fn event(wire: &mut Wire) -> Option<(Option<String>, String)> {
    loop {
        let piece = wire.chunk().await?;
        if piece.is_empty() {
            return None;
        }
        let text = String::from_utf8(piece).expect("UTF-8");
        let field = |name: &str| {
            let mut lines = text.lines();
            lines.find_map(|line| Some(line.strip_prefix(name)?.trim_start().to_owned()))
        };
        if let Some(data) = field("data:") {
            return Some((field("id:"), data));
        }
    }
}
