//! Clients, servers and what lies between them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The server that reads strictly.
pub(crate) const PLAIN: &str = env!("CARGO_BIN_EXE_mcp-plain");

/// The binary `llmjson`, built once: a test can count on the binaries of its own package only.
pub(crate) fn llmjson() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
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
        assert!(build.status().expect("cargo runs").success());
        profile.join(format!("llmjson{}", std::env::consts::EXE_SUFFIX))
    })
}

/// A server behind the proxy.
pub(crate) fn behind_proxy<A: AsRef<std::ffi::OsStr>>(
    server: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = Command::new(llmjson());
    command.args(["mcp-proxy", "--"]).args(server);
    command
}
