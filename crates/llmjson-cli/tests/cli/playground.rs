//! The page that is served, asked as a browser asks and as others would, and used in a browser.
//!
//! Where there is no Chromium, Node or playwright-core, the browser's tests pass without looking:
//! `LLMJSON_BROWSER_MODULES` names the folder with `node_modules/playwright-core` and `axe-core`, and
//! `LLMJSON_PLAYGROUND` the file that `crates/llmjson-playground/build` wrote. With `LLMJSON_PICTURES` the pictures of
//! the crate are taken anew.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

use crate::support::command;

/// A server that ends with its test.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start() -> Self {
        let mut child = command(&["playground"]).spawn().expect("the binary starts");
        let mut out = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let mut address = String::new();
        out.read_line(&mut address).expect("it says its address");
        let address = address.trim_end().to_owned();
        Self { child, address }
    }

    /// The host with its port, and the path.
    fn parts(&self) -> (&str, &str) {
        let address = self.address.strip_prefix("http://").expect("it is HTTP");
        let (host, path) = address.split_once('/').expect("there is a path");
        (host, path.trim_end_matches('/'))
    }

    fn said(&self, request: &str) -> String {
        let mut connection = TcpStream::connect(self.parts().0).expect("it listens");
        connection.write_all(request.as_bytes()).expect("it reads");
        let mut said = String::new();
        connection.read_to_string(&mut said).expect("it answers");
        said
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // One that has ended already is what the test then complains about.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn the_page_is_served_and_answered() {
    let served = Served::start();
    let (host, secret) = served.parts();
    let get = format!("GET /{secret}/ HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let page = served.said(&get);
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page:.200}");
    assert!(page.contains("connect-src 'self'") && page.ends_with("</html>\n"));
    let question = r#"{"ask": "read", "reply": "{city: 'Oslo'}", "policy": "lenient"}"#;
    let ask = |fields: &str| {
        let length = question.len();
        served.said(&format!(
            "POST /{secret}/ask HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{fields}\r\n{question}"
        ))
    };
    let answer = ask(&format!("Host: {host}\r\nOrigin: http://{host}\r\n"));
    assert!(answer.contains(r#""ok":true"#), "{answer}");
    for fields in [
        format!("Host: {host}\r\nOrigin: http://evil.example\r\n"),
        "Host: evil.example\r\n".to_owned(),
    ] {
        let refused = ask(&fields);
        assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    }
    // The head is enough: the body never comes, and the answer does.
    let refused = format!(
        "POST /{secret}/ask HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\n\
         Content-Length: 60000000\r\n\r\n{{"
    );
    assert!(served.said(&refused).starts_with("HTTP/1.1 403 "));
    let other = get.replace(secret, "0123456789abcdef0123456789abcdef");
    assert!(served.said(&other).starts_with("HTTP/1.1 404 "));
}

/// Uses the page at an address in a browser, if there is one.
fn look(address: &str, name: &str) {
    const BROWSERS: &[&str] = &["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
    let Some(modules) = std::env::var_os("LLMJSON_BROWSER_MODULES").map(PathBuf::from) else {
        return;
    };
    let Some(browser) = BROWSERS.iter().find(|path| Path::new(path).exists()) else {
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../llmjson-playground");
    let pictures = match std::env::var_os("LLMJSON_PICTURES") {
        Some(_) if name == "file" => here.join("docs"),
        _ => PathBuf::from("-"),
    };
    // One browser at a time: how fast a page is, is measured.
    static BROWSER: Mutex<()> = Mutex::new(());
    let _alone = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
    // Only the file is optimized, and only a machine with nothing else to do tells how fast it is.
    let is_timed = name == "file" && std::env::var_os("LLMJSON_PLAYGROUND_TIMED").is_some();
    let timed = if is_timed { "timed" } else { "-" };
    let output = Command::new("node")
        .arg(here.join("tests/browser/check.mjs"))
        .args([&modules, Path::new(browser), Path::new(address), &pictures])
        .arg(timed)
        .output()
        .expect("node starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}{errors}");
}

#[test]
fn the_page_that_is_served_is_used() {
    look(&Served::start().address, "served");
}

#[test]
fn the_page_that_is_a_file_is_used() {
    if let Ok(file) = std::env::var("LLMJSON_PLAYGROUND") {
        look(&format!("file://{file}"), "file");
    }
}
