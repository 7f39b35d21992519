//! Copies the source of serde_json out of Cargo's registry cache, minus its inner attributes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../Cargo.lock");
    println!("cargo::rustc-check-cfg=cfg(fast_arithmetic, values(\"32\", \"64\"))");
    // What serde_json's own build script decides: the limb width of its arithmetic.
    let wide = env::var("CARGO_CFG_TARGET_POINTER_WIDTH").is_ok_and(|width| width == "64");
    println!(
        "cargo::rustc-cfg=fast_arithmetic=\"{}\"",
        if wide { "64" } else { "32" }
    );

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("serde_json");
    let source = source_directory();
    copy(&source, &out);
    let root = fs::read_to_string(source.join("lib.rs")).expect("serde_json has a lib.rs");
    fs::write(out.join("lib.rs"), without_inner_attributes(&root)).expect("OUT_DIR is writable");
}

/// `src` of the serde_json that the lock file names.
fn source_directory() -> PathBuf {
    let cargo = env::var_os("CARGO").expect("cargo sets CARGO");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--filter-platform",
            &target,
        ])
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let paths = metadata.split("\"manifest_path\":\"").skip(1);
    let mut paths = paths.filter_map(|rest| rest.split('"').next());
    let manifest = paths.find(|path| {
        let package = Path::new(path).parent().and_then(Path::file_name);
        package.and_then(|name| name.to_str()).is_some_and(|name| {
            name.strip_prefix("serde_json-1.")
                .is_some_and(|minor| minor.starts_with(char::is_numeric))
        })
    });
    let manifest = manifest.expect("serde_json is a dependency of this package");
    Path::new(&manifest.replace("\\\\", "\\")).with_file_name("src")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("OUT_DIR is writable");
    for entry in fs::read_dir(from).expect("the source directory can be read") {
        let path = entry.expect("the source directory can be read").path();
        let target = to.join(path.file_name().expect("entries have names"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("OUT_DIR is writable");
        }
    }
}

/// An included file cannot set attributes of the crate, so `#![...]` and `//!` go.
fn without_inner_attributes(root: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for line in root.lines() {
        inside |= line.starts_with("#![");
        if !inside && !line.starts_with("//!") {
            kept.push_str(line);
            kept.push('\n');
        }
        inside &= !line.ends_with(']');
    }
    kept
}
