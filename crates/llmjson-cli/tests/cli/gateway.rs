//! The gateway as a program: its settings, its address, and its end. What it does with requests is tested in its crate.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};

use crate::support::{Ran, Scratch, command, run};

#[test]
fn settings_that_cannot_be_used_are_told() {
    let url = "--upstream=http://127.0.0.1:1/v1";
    let table: &[(&[&str], &str)] = &[
        (
            &[],
            "upstream: expected the base URL of a server, such as http://127.0.0.1:11434/v1",
        ),
        (
            &["--upstream=ollama"],
            "upstream: the URL cannot be read: relative URL without a base, expected one such as http://127.0.0.1:11434/v1",
        ),
        (
            &["--upstream=ftp://h/"],
            "upstream: the URL begins with ftp:, expected one such as http://127.0.0.1:11434/v1",
        ),
        (
            &["--upstream=http://user:SECRET@h/"],
            "upstream: the URL holds a user or a password, which clients have to send themselves, expected one such as http://127.0.0.1:11434/v1",
        ),
        (
            &["--upstream=http://127.0.0.1:8377/v1"],
            "upstream: the URL is the address that the gateway listens on, expected one such as http://127.0.0.1:11434/v1",
        ),
        (
            &[url, "--listen=8377"],
            "listen: \"8377\" is no address, expected an IP address and a port, such as 127.0.0.1:8377",
        ),
        (
            &[url, "--certainty=sure"],
            "certainty: unknown name \"sure\", expected certain or likely",
        ),
        (
            &[url, "--upstream-speaks=messages"],
            "upstream-speaks: unknown name \"messages\", expected chat or native",
        ),
        (
            &[url, "--tools-in=system"],
            "tools-in: unknown place \"system\", expected prompt or prompt:FAMILY",
        ),
        (
            &[url, "--tool-policy=pay"],
            "tool-policy: \"pay\" names no policy, expected TOOL=POLICY such as pay=exact",
        ),
        (
            &[url, "--tool-policy=a=exact", "--tool-policy=a=tool"],
            "tool-policy: \"a\" is given twice",
        ),
        (
            &[url, "--max-connections=0"],
            "max-connections: 0 is too few, expected 1 or more",
        ),
        (
            &[url, "--max-header-bytes=1"],
            "max-header-bytes: 1 is too few, expected 8192 or more",
        ),
        (
            &[url, "--idle-timeout=0"],
            "idle-timeout: 0 is no time, expected a number of seconds greater than 0",
        ),
        (
            &[url, "--idle-timeout=nan"],
            "idle-timeout: NaN is no time, expected a number of seconds greater than 0",
        ),
    ];
    for (args, said) in table {
        let ran = run(&[&["gateway"], *args].concat(), "");
        assert_eq!(
            (ran.code, &*ran.out),
            (Some(2), ""),
            "{args:?}: {}",
            ran.err
        );
        assert_eq!(ran.err, format!("llmjson: gateway: {said}\n"), "{args:?}");
        assert!(!ran.err.contains("SECRET"));
    }
    for (args, said) in [
        (
            &["--policy=generous"][..],
            "policy: unknown name \"generous\", expected lenient",
        ),
        (
            &["--tools-in=prompt:klingon"],
            "tools-in: unknown name \"klingon\", expected ",
        ),
    ] {
        let ran = run(&[&["gateway", url], args].concat(), "");
        assert!(
            ran.err.starts_with(&format!("llmjson: gateway: {said}")),
            "{}",
            ran.err
        );
    }
    // Names of options are told by what reads all options.
    let ran = run(&["gateway", "--upstraem", "http://h/v1"], "");
    assert!(ran.err.contains("'--upstream'"), "{}", ran.err);
}

#[test]
fn files_that_cannot_be_used_are_told_with_the_line() {
    let url = "upstream = 'http://127.0.0.1:1/v1'\n";
    for (text, said) in [
        (
            "retrys = 1",
            "line 2: unknown name `retrys`, did you mean `retries`?",
        ),
        (
            "retries = '1'",
            "line 2: invalid type: string \"1\", expected u32",
        ),
        (
            "retries = -1",
            "line 2: invalid value: integer `-1`, expected u32",
        ),
        ("retries = ", "line 2: "),
        ("upstream = 1", "line 2: duplicate key"),
        (
            "policy = 'generous'",
            "policy: unknown name \"generous\", expected lenient",
        ),
        (
            "first-byte-timeout = -2",
            "first-byte-timeout: -2 is no time, expected a number of seconds greater than 0",
        ),
    ] {
        let file = Scratch::new(format!("{url}{text}\n"));
        let ran = run(&["gateway", "--config", file.path()], "");
        let wanted = format!("llmjson: {}: {said}", file.path());
        assert!(
            ran.code == Some(2) && ran.err.starts_with(&wanted),
            "{wanted}: {}",
            ran.err
        );
    }
    for (text, said) in [
        (
            "[[upstream]]\nurl = 'http://h/v1'\nmodel = ['a']",
            "line 3: unknown name `model`, did you mean `models`?",
        ),
        (
            "[[upstream]]\nmodels = ['a']",
            "line 1: missing field `url`",
        ),
        (
            "upstream = 7",
            "line 1: invalid type: integer `7`, expected a URL, or `[[upstream]]` tables with `url`, `models`, `speaks` and `key-env`",
        ),
        (
            "upstream = [[]]",
            "line 1: a URL, or `[[upstream]]` tables with `url`",
        ),
    ] {
        let file = Scratch::new(text);
        let ran = run(&["gateway", "--config", file.path()], "");
        assert!(
            ran.code == Some(2) && ran.err.contains(said),
            "{said}: {}",
            ran.err
        );
    }
    let ran = run(&["gateway", "--config", "no/such.toml"], "");
    assert_eq!(
        ran.err,
        "llmjson: no/such.toml: No such file or directory (os error 2)\n"
    );
    // An address that is in use.
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let taken = taken
        .local_addr()
        .map(|address| (taken, address.to_string()))
        .expect("an address");
    let ran = run(
        &["gateway", "--upstream=http://h/v1", "--listen", &taken.1],
        "",
    );
    assert!(
        ran.code == Some(2) && ran.err.starts_with(&format!("llmjson: {}: ", taken.1)),
        "{}",
        ran.err
    );
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
