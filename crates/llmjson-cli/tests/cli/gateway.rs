//! The gateway as a program: its settings, its address, and its end. What it does with requests is tested in its crate.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};

use crate::support::{Ran, Scratch, command, run};

#[test]
fn an_address_in_use_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = taken.local_addr().expect("an address").to_string();
    for args in [
        &["gateway", "--upstream=http://h/v1", "--listen", &address][..],
        &["mcp-proxy", "--listen", &address, "--", "cat"],
    ] {
        let ran = run(args, "");
        let is_told = ran.err.starts_with(&format!("llmjson: {address}: "));
        assert!(ran.code == Some(2) && is_told, "{args:?}: {}", ran.err);
    }
}

/// A gateway that ends with its test.
struct Served(Child, String);

impl Served {
    fn start(args: &[&str]) -> Self {
        Self::of(&mut command(
            &[&["gateway", "--listen=127.0.0.1:0"], args].concat(),
        ))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.spawn().expect("the binary starts");
        let mut address = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("it is a pipe"));
        out.read_line(&mut address).expect("it says its address");
        let said = address.split_once("/v1 is the base URL, before http");
        let address = said.and_then(|(url, _)| url.strip_prefix("http://"));
        Self(child, address.expect("an address").to_owned())
    }

    fn asked(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.1).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        stream
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // One that has ended already is what the test then complains about.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The head and the body of a request, or of a reply with a length.
fn message(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let at = text.len();
        reader.read_line(&mut text).expect("a line");
        let line = text[at..].to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    text + &String::from_utf8(body).expect("UTF-8")
}

#[test]
#[cfg(unix)]
fn calls_are_corrected_until_the_program_is_told_to_end() {
    let upstream = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/v1", upstream.local_addr().expect("an address"));
    let file = Scratch::new(format!("upstream = '{url}'\nlog = 1\n"));
    let ran = run(&["gateway", "--config", file.path()], "");
    assert!(
        ran.err.contains("line 2: unknown name `log`"),
        "{}",
        ran.err
    );
    let file = Scratch::new("upstream = 'http://h.invalid/v1'\nretries = 9\n");
    let mut served = Served::start(&["--config", file.path(), "--upstream", &url, "--retries=0"]);
    let body = r#"{"model":"m","messages":[],"tools":[{"type":"function","function":{"name":"send","parameters":{"type":"object","properties":{"to":{"type":"string"},"count":{"type":"integer"}}}}}]}"#;
    let length = body.len();
    let mut client = served.asked(&format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer SECRET\r\nContent-Length: {length}\r\n\r\n{body}",
        served.1
    ));
    let (mut server, _) = upstream.accept().expect("it is asked");
    let asked = message(&mut server);
    assert!(asked.contains("SECRET") && asked.ends_with(body), "{asked}");
    // It is told to end while the reply is open.
    let id = served.0.id().to_string();
    let told = Command::new("kill").args(["-TERM", &id]).status();
    assert!(told.expect("kill runs").success());
    let reply = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":"{to: 'Ann', count: '2'}"}}]},"finish_reason":"tool_calls"}]}"#;
    let length = reply.len();
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{reply}"
    );
    server.write_all(answer.as_bytes()).expect("it reads");
    let reply = message(&mut client);
    assert!(
        reply.contains(r#""arguments":"{\"to\":\"Ann\",\"count\":2}""#),
        "{reply}"
    );
    assert!(reply.contains("x-llmjson: outcome=repaired"), "{reply}");
    let mut said = String::new();
    let mut err = served.0.stderr.take().expect("it is a pipe");
    err.read_to_string(&mut said).expect("it is UTF-8");
    let code = served.0.wait().expect("it ends").code();
    let ran = Ran {
        code,
        out: String::new(),
        err: said,
    };
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("no new connections") && ran.err.contains("status=200"),
        "{}",
        ran.err
    );
    assert!(
        !ran.err.contains("SECRET") && !ran.err.contains('\x1b'),
        "{}",
        ran.err
    );
}

#[test]
fn servers_are_asked_by_way_of_the_proxy_that_the_environment_names() {
    let proxy = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = proxy.local_addr().expect("an address");
    for (scheme, first) in [
        ("http", "POST http://h.invalid/v1/chat/completions "),
        ("https", "CONNECT h.invalid:443 "),
    ] {
        let url = format!("--upstream={scheme}://h.invalid/v1");
        let served = Served::of(
            command(&["gateway", "--listen=127.0.0.1:0", &url])
                .envs(
                    ["HTTP_PROXY", "HTTPS_PROXY"]
                        .map(|name| (name, format!("http://u:w@{address}"))),
                )
                .env_remove("NO_PROXY")
                .env_remove("no_proxy"),
        );
        let client = served.asked(&format!(
            "POST /v1/chat/completions HTTP/1.1\r\nHost: {}\r\nContent-Length: 2\r\n\r\n{{}}",
            served.1
        ));
        let (mut server, _) = proxy.accept().expect("it is asked");
        let asked = message(&mut server);
        assert!(asked.starts_with(first), "{asked}");
        let head = asked.to_ascii_lowercase();
        assert!(head.contains("proxy-authorization: basic dtp3"), "{asked}");
        drop(client);
    }
}

#[test]
fn messages_that_are_not_read_stop_nothing() {
    let gateway = Served::start(&["--upstream=http://127.0.0.1:1/v1"]);
    let mut stream = gateway.asked("");
    let patience = Some(std::time::Duration::from_secs(60));
    stream.set_read_timeout(patience).expect("a time");
    // Each makes a message; a pipe holds fewer.
    for _ in 0..3_000 {
        let request = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("it reads");
        assert!(message(&mut stream).ends_with("ok\n"));
    }
}

#[test]
fn the_first_line_names_the_base_url_and_the_upstreams() {
    let file = Scratch::new(
        "[[upstream]]\nurl = 'http://h.invalid/v1?key=SECRET'\nmodels = ['a*', 'b']\n\
         [[upstream]]\nurl = 'http://h.invalid/'\nspeaks = 'chat'\n",
    );
    let mut child = command(&["gateway", "--listen=127.0.0.1:0", "--config", file.path()])
        .spawn()
        .expect("the binary starts");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("it is a pipe"));
    out.read_line(&mut line).expect("it says its address");
    drop(Served(child, String::new()));
    let (url, servers) = line
        .split_once(" is the base URL, before ")
        .expect("a line");
    assert!(
        url.starts_with("http://127.0.0.1:") && url.ends_with("/v1"),
        "{line}"
    );
    assert_eq!(
        servers,
        "http://h.invalid/v1 for a*, b and http://h.invalid (chat)\n"
    );
}

#[test]
#[cfg(unix)]
fn a_hang_up_loads_the_configuration_again() {
    let (one, other) = (
        TcpListener::bind("127.0.0.1:0").expect("a port is free"),
        TcpListener::bind("127.0.0.1:0").expect("a port is free"),
    );
    let settings = |server: &TcpListener| {
        let address = server.local_addr().expect("an address");
        format!("upstream = 'http://{address}/v1'\n")
    };
    let file = Scratch::new(settings(&one));
    let mut served = Served::start(&["--config", file.path()]);
    let id = served.0.id().to_string();
    let hang_up = || {
        let told = Command::new("kill").args(["-HUP", &id]).status();
        assert!(told.expect("kill runs").success());
    };
    let mut err = BufReader::new(served.0.stderr.take().expect("it is a pipe"));
    let mut until = |said: &str| {
        let mut line = String::new();
        while !line.contains(said) {
            line.clear();
            assert!(err.read_line(&mut line).expect("UTF-8") > 0, "{said}");
        }
    };
    std::fs::write(file.path(), "retrys = 2\n").expect("the file can be written");
    hang_up();
    until("the configuration stays: ");
    std::fs::write(file.path(), settings(&other)).expect("the file can be written");
    hang_up();
    until("the configuration is loaded again");
    let _client = served.asked(&format!(
        "GET /v1/models HTTP/1.1\r\nHost: {}\r\n\r\n",
        served.1
    ));
    let (mut server, _) = other.accept().expect("it is asked");
    assert!(message(&mut server).starts_with("GET /v1/models"));
}
