//! Clients, servers and what lies between them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The server that reads strictly.
pub(crate) const PLAIN: &str = env!("CARGO_BIN_EXE_mcp-plain");

/// The binary `llmjson` that `LLMJSON_CLI` names. Without it, the binary is built once: a test can
/// count on the binaries of its own package only.
pub(crate) fn llmjson() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(named) = std::env::var_os("LLMJSON_CLI") {
            return named.into();
        }
        let profile = Path::new(PLAIN)
            .parent()
            .expect("a binary lies in a folder");
        let target = profile.parent().expect("which is one of the target folder");
        let mut build = Command::new(env!("CARGO"));
        build.args([
            "build",
            "--quiet",
            "--package",
            "llmjson-cli",
            "--target-dir",
        ]);
        build.arg(target).current_dir(env!("CARGO_MANIFEST_DIR"));
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        // Build scripts would take what Cargo says to this test for changes.
        let said = std::env::vars_os().map(|(name, _)| name);
        let said = said.filter(|name| name.to_str().is_some_and(is_said_by_cargo));
        said.for_each(|name| {
            build.env_remove(name);
        });
        assert!(build.status().expect("cargo runs").success());
        profile.join(format!("llmjson{}", std::env::consts::EXE_SUFFIX))
    })
}

/// Returns `true` for a variable in which Cargo describes the package under test.
fn is_said_by_cargo(name: &str) -> bool {
    let begins = [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_CRATE_",
        "CARGO_BIN_",
    ];
    name == "OUT_DIR" || begins.iter().any(|begin| name.starts_with(begin))
}

/// A server behind the proxy.
pub(crate) fn behind_proxy<A: AsRef<std::ffi::OsStr>>(
    server: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = Command::new(llmjson());
    command.args(["mcp-proxy", "--"]).args(server);
    command
}
