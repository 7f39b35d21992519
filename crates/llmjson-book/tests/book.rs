//! The structure of the book: its contents name every page, its links lead somewhere, and every page with
//! Rust is compiled. Nothing here uses the network.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Prefix of links to files of the repository: in the built book there are no other pages.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn source() -> PathBuf {
    root().join("docs/src")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Markdown files of a folder and those below it, as paths from `docs/src`.
fn pages_in(folder: &Path, pages: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages_in(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let within = path.strip_prefix(source()).expect("within the sources");
            pages.insert(within.to_str().expect("UTF-8").replace('\\', "/"));
        }
    }
}

fn pages() -> BTreeSet<String> {
    let mut pages = BTreeSet::new();
    pages_in(&source(), &mut pages);
    pages
}

/// The language of each fenced block of a page, and the lines outside of blocks.
fn taken_apart(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut languages, mut prose) = (Vec::new(), Vec::new());
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if ticks >= 3 => {
                fence = Some(&line[..ticks]);
                languages.push(&line[ticks..]);
            }
            None => prose.push(line),
        }
    }
    assert_eq!(fence, None, "a block is not closed");
    (languages, prose)
}

/// The targets of the links in a line, without what stands in code spans: `[text](target)`.
fn links(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (place, part) in line.split('`').enumerate() {
        // A link whose text is code begins in one part and ends in another: only `](` matters.
        if place % 2 == 0 {
            for (at, _) in part.match_indices("](") {
                let rest = &part[at + 2..];
                let end = rest
                    .find(')')
                    .unwrap_or_else(|| panic!("not closed: {line}"));
                found.push(&rest[..end]);
            }
        }
    }
    found
}

/// The anchors of a page's headings, in the way of mdBook: lower case, hyphens for spaces, without
/// punctuation.
fn anchors(text: &str) -> BTreeSet<String> {
    let (_, prose) = taken_apart(text);
    let headings = prose.iter().filter_map(|line| {
        let heading = line.trim_start_matches('#');
        (heading.len() < line.len()).then(|| heading.trim())
    });
    headings
        .map(|heading| {
            let kept = heading.chars().filter_map(|one| match one {
                ' ' => Some('-'),
                '_' | '-' => Some(one),
                one if one.is_alphanumeric() => Some(one.to_ascii_lowercase()),
                _ => None,
            });
            kept.collect()
        })
        .collect()
}

/// Says what is wrong with a link from a page.
fn broken(page: &str, target: &str) -> Option<String> {
    let within = target.strip_prefix(REPOSITORY);
    if let (None, Some(rest)) = (within, target.strip_prefix("https://")) {
        let host = rest.split('/').next().unwrap_or("");
        let odd = !host.contains('.') || rest.contains(char::is_whitespace);
        return odd.then(|| format!("{page}: {target} is no address"));
    }
    let own = source().join(page);
    let folder = match within {
        Some(_) => root(),
        None => own.parent().expect("a folder").to_owned(),
    };
    let (file, anchor) = match within.unwrap_or(target).split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (within.unwrap_or(target), None),
    };
    let path = match file {
        "" => own,
        file => folder.join(file),
    };
    // Folders are shown by the repository, but are no pages of the book.
    let found = path.is_file() || within.is_some() && path.is_dir();
    if !found {
        return Some(format!("{page}: there is no {target}"));
    }
    let anchor = anchor?;
    (!anchors(&read(&path)).contains(anchor)).then(|| format!("{page}: no heading for {target}"))
}

#[test]
fn the_contents_name_every_page_once() {
    let summary = read(&source().join("SUMMARY.md"));
    let mut listed: Vec<String> = summary.lines().flat_map(links).map(str::to_owned).collect();
    listed.sort();
    let mut there: Vec<String> = pages().into_iter().collect();
    there.retain(|page| page != "SUMMARY.md");
    assert_eq!(listed, there);
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    let others = ["../../README.md", "../../CONTRIBUTING.md"];
    for page in pages().into_iter().chain(others.map(str::to_owned)) {
        let text = read(&source().join(&page));
        let (_, prose) = taken_apart(&text);
        let targets = prose.into_iter().flat_map(links);
        wrong.extend(targets.filter_map(|target| broken(&page, target)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_page_has_one_title() {
    for page in pages().iter().filter(|page| *page != "SUMMARY.md") {
        let text = read(&source().join(page));
        let (_, prose) = taken_apart(&text);
        let titles = prose.iter().filter(|line| line.starts_with("# ")).count();
        assert_eq!((titles, text.starts_with("# ")), (1, true), "{page}");
    }
}

#[test]
fn every_page_with_rust_is_compiled() {
    let compiled = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    for page in pages() {
        let text = read(&source().join(&page));
        let (languages, _) = taken_apart(&text);
        let rust = languages
            .iter()
            .any(|language| language.starts_with("rust"));
        assert_eq!(rust, compiled.contains(&format!("\"{page}\"")), "{page}");
    }
}

/// Blocks of these languages are run by a test, but for `js` and `sh`, which need a package and a server
/// that the tests have not; the others show data.
#[test]
fn blocks_say_their_language() {
    let known = [
        "rust", "console", "python", "js", "json", "text", "toml", "sh", "yaml",
    ];
    for page in pages() {
        let text = read(&source().join(&page));
        for language in taken_apart(&text).0 {
            assert!(known.contains(&language), "{page}: a block of {language:?}");
        }
    }
}
