//! The SDK's own client and server over HTTP, with the proxy between them in each of its ways: what models send instead of
//! the arguments that a tool asks for.

#[path = "support/cases.rs"]
mod cases;
#[expect(dead_code, reason = "the tests over pipes use more of it")]
mod support;

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use llmjson_mcp_example::Plain;
use rmcp::ServiceExt as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use cases::{Client, cases, check};
use support::{PLAIN, llmjson};

/// No wait takes as long, unless a test fails.
const GUARD: Duration = Duration::from_secs(60);

/// Serves the plain server over HTTP at this path.
async fn plain() -> String {
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port is free");
    let address: SocketAddr = listener.local_addr().expect("it listens");
    let service = StreamableHttpService::new(
        || Ok(Plain),
        LocalSessionManager::default().into(),
        StreamableHttpServerConfig::default(),
    );
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(async move {
                let builder = Builder::new(TokioExecutor::new());
                // A client may go away at any time.
                drop(
                    builder
                        .serve_connection(TokioIo::new(stream), service)
                        .await,
                );
            });
        }
    });
    format!("http://{address}/mcp")
}

/// A proxy that listens, and its URL.
async fn listening(arguments: &[&str]) -> (Child, String) {
    let mut child = Command::new(llmjson())
        .args(["mcp-proxy", "--listen", "127.0.0.1:0", "--log", "warn"])
        .args(arguments)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let line = timeout(GUARD, lines.next_line()).await.expect("in time");
    let url = line.expect("UTF-8").expect("it says its URL");
    (child, url)
}

async fn over_http(url: String) -> Client {
    // Another test may have said so before.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = ().serve(StreamableHttpClientTransport::from_uri(url));
    let client = timeout(GUARD, client).await.expect("in time");
    let client = client.expect("the server introduces itself");
    let tools = client.list_all_tools().await.expect("it has tools");
    assert_eq!(tools.len(), 2);
    client
}

#[tokio::test]
async fn a_plain_server_refuses_what_models_send() {
    let client = over_http(plain().await).await;
    for case in cases() {
        check(&client, &case, &case.plain).await;
    }
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn the_proxy_before_a_program_takes_what_models_send() {
    let (_proxy, url) = listening(&["--", PLAIN]).await;
    let (one, two) = (over_http(url.clone()).await, over_http(url).await);
    for case in cases() {
        check(&one, &case, &case.mended).await;
        check(&two, &case, &case.mended).await;
    }
    one.cancel().await.expect("it ends");
    check(&two, &cases()[2], &cases()[2].mended).await;
    two.cancel().await.expect("it ends");
}

#[tokio::test]
async fn the_proxy_before_a_server_takes_what_models_send() {
    let url = plain().await;
    let (_proxy, url) = listening(&["--url", &url]).await;
    assert!(url.ends_with("/mcp"), "{url}");
    let client = over_http(url).await;
    for case in cases() {
        check(&client, &case, &case.mended).await;
    }
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn the_proxy_between_a_client_of_pipes_and_a_server_takes_what_models_send() {
    let url = plain().await;
    let mut command = Command::new(llmjson());
    command.args(["mcp-proxy", "--url", &url]);
    let client = ().serve(TokioChildProcess::new(command).expect("it starts"));
    let client = timeout(GUARD, client).await.expect("in time");
    let client = client.expect("the server introduces itself");
    assert_eq!(
        client.list_all_tools().await.expect("it has tools").len(),
        2
    );
    for case in cases() {
        check(&client, &case, &case.mended).await;
    }
    client.cancel().await.expect("it ends");
}
