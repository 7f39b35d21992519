//! LaTeX control words that begin like a JSON escape.

/// Words that follow a backslash and begin with `b`, `f`, `n`, `r` or `t`, in order. `\\ni` is not
/// among them, since a line break followed by a lower-case `i` is equally frequent.
const WORDS: [&str; 172] = [
    "backslash",
    "bar",
    "because",
    "begin",
    "beta",
    "bf",
    "bfseries",
    "big",
    "bigcap",
    "bigcup",
    "bigg",
    "biggl",
    "biggr",
    "bigl",
    "bigr",
    "bigskip",
    "binom",
    "bm",
    "bmatrix",
    "bmod",
    "boldmath",
    "boldsymbol",
    "bot",
    "bowtie",
    "boxed",
    "breve",
    "bullet",
    "fbox",
    "fcolorbox",
    "flat",
    "footnote",
    "footnotesize",
    "forall",
    "frac",
    "frown",
    "nabla",
    "natural",
    "ncong",
    "ne",
    "nearrow",
    "neg",
    "neq",
    "newcommand",
    "newenvironment",
    "newline",
    "newpage",
    "newtheorem",
    "nexists",
    "ngeq",
    "ngeqq",
    "ngeqslant",
    "ngtr",
    "nleftarrow",
    "nleftrightarrow",
    "nleq",
    "nleqq",
    "nleqslant",
    "nless",
    "nmid",
    "nobreak",
    "nocite",
    "node",
    "noindent",
    "nolimits",
    "nonumber",
    "normalfont",
    "normalsize",
    "not",
    "notag",
    "notin",
    "nparallel",
    "nprec",
    "npreceq",
    "nrightarrow",
    "nsim",
    "nsubseteq",
    "nsucc",
    "nsucceq",
    "nsupseteq",
    "ntriangleleft",
    "ntriangleright",
    "nu",
    "nvdash",
    "nwarrow",
    "rVert",
    "raggedleft",
    "raggedright",
    "raisebox",
    "rangle",
    "rbrace",
    "rbrack",
    "rceil",
    "ref",
    "relax",
    "renewcommand",
    "rfloor",
    "rgroup",
    "rho",
    "right",
    "rightarrow",
    "rightharpoondown",
    "rightharpoonup",
    "rightleftarrows",
    "rightleftharpoons",
    "rightrightarrows",
    "rightsquigarrow",
    "rm",
    "rmfamily",
    "root",
    "rotatebox",
    "rtimes",
    "rule",
    "rvert",
    "tabcolsep",
    "table",
    "tableofcontents",
    "tabular",
    "tag",
    "tan",
    "tanh",
    "tau",
    "tbinom",
    "text",
    "textbf",
    "textbullet",
    "textcolor",
    "textdegree",
    "textgreater",
    "textit",
    "textless",
    "textmd",
    "textnormal",
    "textquotedblleft",
    "textquotedblright",
    "textrm",
    "textsc",
    "textsf",
    "textsl",
    "textstyle",
    "textsubscript",
    "textsuperscript",
    "texttt",
    "textup",
    "textwidth",
    "tfrac",
    "thanks",
    "therefore",
    "theta",
    "thickapprox",
    "thicksim",
    "thinspace",
    "thispagestyle",
    "tikz",
    "tilde",
    "times",
    "tiny",
    "title",
    "to",
    "today",
    "top",
    "toprule",
    "triangle",
    "triangledown",
    "triangleleft",
    "trianglelefteq",
    "triangleq",
    "triangleright",
    "trianglerighteq",
    "tt",
    "ttfamily",
    "twoheadleftarrow",
    "twoheadrightarrow",
];

/// Number of letters and digits of the longest of them.
const LONGEST: usize = 17;

/// Returns the letters from `at` on if they are a complete control word: `frac` of `\\frac{a}{b}`.
pub(crate) fn word_at(inside: &str, at: usize) -> Option<&str> {
    let letters = inside.as_bytes()[at..].iter().take(LONGEST + 1);
    let length = letters.take_while(|b| b.is_ascii_alphabetic()).count();
    Some(&inside[at..at + length]).filter(|letters| is_one(letters))
}

/// Returns `true` if these letters are a complete control word.
fn is_one(letters: &str) -> bool {
    WORDS.binary_search(&letters).is_ok()
}

/// Returns `true` if a text consists of letters that could become a control word.
pub(super) fn is_begun(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphabetic()) && begins_one(text)
}

/// Returns `true` if a control word begins with these letters.
fn begins_one(letters: &str) -> bool {
    let at = WORDS.partition_point(|&word| word < letters);
    WORDS.get(at).is_some_and(|word| word.starts_with(letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order() {
        assert!(WORDS.is_sorted());
        assert!(WORDS.iter().all(|word| word.len() <= LONGEST));
    }

    #[test]
    fn words_and_beginnings_are_found() {
        for word in ["nabla", "theta", "text", "twoheadrightarrow"] {
            assert!(is_one(word) && begins_one(word), "{word}");
        }
        assert!(begins_one("the") && !is_one("the"));
        assert!(!begins_one("next") && !begins_one("thex"));
    }
}
