//! The page, written out of its sources.

use llmjson_page::{SCRIPT, STYLE, hash};

/// The engine that answers the page.
#[derive(Clone, Copy, Debug)]
pub enum Engine<'e> {
    /// The server that the page comes from, at `ask` beside it.
    Server,
    /// A module of WebAssembly that the page carries along.
    Module {
        /// The JavaScript around the module, as wasm-bindgen writes it.
        glue: &'e str,
        /// The module, gzipped and in Base64.
        module: &'e str,
    },
}

const PAGE: &str = include_str!("../page/index.html");
const SCRIPTS: &[&str] = &[
    include_str!("../page/engine.js"),
    include_str!("../page/state.js"),
    include_str!("../page/copies.js"),
    include_str!("../page/tabs.js"),
    include_str!("../page/picture.js"),
    include_str!("../page/keep.js"),
    include_str!("../page/app.js"),
];

/// The address at which the page that is one file is hosted, where the build was told one: links lead there.
const SITE: &str = match option_env!("LLMJSON_PLAYGROUND_SITE") {
    Some(address) => address,
    None => "",
};

/// Returns the page as one document that needs nothing else, apart from its server if that is to answer.
#[must_use]
pub fn page(engine: Engine<'_>) -> String {
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
    let (glue, module, connect) = match engine {
        Engine::Server => (String::new(), "", "'self'"),
        Engine::Module { glue, module } => (plain(glue), module, "'none'"),
    };
    let hashes = [SCRIPT, &script].map(|script| {
        let hash = hash::base64(&hash::sha256(script.as_bytes()));
        format!("'sha256-{hash}'")
    });
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; connect-src {connect}; worker-src blob:; \
         base-uri 'none'; form-action 'none'; script-src {} 'wasm-unsafe-eval'",
        hashes.join(" ")
    );
    let parts = [
        ("POLICY", policy.as_str()),
        ("STYLE", include_str!("../page/style.css")),
        ("MARKS", STYLE),
        ("SITE", SITE),
        ("GALLERY", include_str!("../page/gallery.json")),
        ("PEERS", include_str!("../page/peers.js")),
        ("JSONREPAIR", include_str!("../page/jsonrepair.js")),
        ("WORKER", include_str!("../page/worker.js")),
        ("GLUE", &glue),
        ("LIGHTS", SCRIPT),
        ("SCRIPT", &script),
        ("MODULE", module),
    ];
    filled(PAGE, &parts)
}

/// Returns a module of JavaScript that imports nothing as a plain script: pages that are files may begin workers by
/// plain scripts alone.
fn plain(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("export {"));
    let lines = lines.map(|line| line.strip_prefix("export ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Puts each part where the page names it, as in `<!--STYLE-->`. What a part holds is not looked at again.
fn filled(page: &str, parts: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, behind)) = rest.split_once("<!--") {
        let (name, behind) = behind.split_once("-->").expect("each name has an end");
        let part = parts.iter().find(|(known, _)| *known == name);
        out.push_str(before);
        out.push_str(part.expect("each name is that of a part").1);
        rest = behind;
    }
    out.push_str(rest);
    out
}
