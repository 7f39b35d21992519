//! HTML entities and their characters: the HTML 4 names, and the names of JSON's punctuation.

/// The names of the characters from U+00A0 to U+00FF.
const LATIN: &str = "\
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
    sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc \
    Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve \
    Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute \
    acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde \
    ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/// Further names, each before its character.
const OTHERS: &str = "\
    lbrace { lcub { rbrace } rcub } lbrack [ lsqb [ rbrack ] rsqb ] colon : comma , QUOT \" AMP & LT < \
    GT > period . semi ; excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast * plus + sol / equals \
    = quest ? commat @ Hat ^ lowbar _ grave ` verbar | vert | hyphen ‐ ndash – mdash — lsquo ‘ rsquo ’ \
    sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ \
    rsaquo › oline ‾ frasl ⁄ euro € trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒ hArr ⇔ \
    forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − radic √ prop ∝ \
    infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub \
    ⊂ sup ⊃ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ \
    diams ♦ check ✓ cross ✗ OElig Œ oelig œ Scaron Š scaron š Zcaron Ž zcaron ž Ccaron Č ccaron č Yuml Ÿ \
    fnof ƒ circ ˆ tilde ˜ inodot ı Lstrok Ł lstrok ł Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta \
    Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ \
    Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ \
    lambda λ mu μ nu ν xi ξ omicron ο pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ phi φ chi χ psi ψ \
    omega ω";

/// Reads the HTML entity at the beginning: its character and length, `"` and 6 of `&quot;`.
pub fn entity(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('&')?;
    let end = rest.bytes().take(9).position(|byte| byte == b';')?;
    let name = &rest[..end];
    let character = match name {
        "quot" => '"',
        "apos" => '\'',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        _ => match name.strip_prefix('#') {
            Some(number) => {
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => number.parse(),
                };
                char::from_u32(code.ok()?)?
            }
            None => character(name)?,
        },
    };
    Some((character, end + 2))
}

/// Returns the character of a name: `é` for `eacute`.
fn character(name: &str) -> Option<char> {
    let spaced = match name {
        "bsol" => Some('\\'),
        "NewLine" => Some('\n'),
        "Tab" => Some('\t'),
        "ensp" => Some('\u{2002}'),
        "emsp" => Some('\u{2003}'),
        "thinsp" => Some('\u{2009}'),
        "zwnj" => Some('\u{200c}'),
        "zwj" => Some('\u{200d}'),
        "lrm" => Some('\u{200e}'),
        "rlm" => Some('\u{200f}'),
        _ => None,
    };
    let latin = || {
        let at = LATIN.split(' ').position(|one| one == name)?;
        char::from_u32(0xA0 + at as u32)
    };
    let other = || {
        let mut pairs = OTHERS.split(' ');
        while let (Some(one), Some(sign)) = (pairs.next(), pairs.next()) {
            if one == name {
                return sign.chars().next();
            }
        }
        None
    };
    spaced.or_else(latin).or_else(other)
}

#[cfg(test)]
mod tests {
    use super::{character, entity};

    #[test]
    fn characters_have_names() {
        let all = [
            ("nbsp", '\u{a0}'),
            ("yuml", 'ÿ'),
            ("lbrace", '{'),
            ("omega", 'ω'),
            ("bsol", '\\'),
        ];
        for (name, sign) in all {
            assert_eq!(character(name), Some(sign), "{name}");
        }
        assert_eq!(character("none"), None);
    }

    #[test]
    fn entities_are_read() {
        for (text, character, length) in [
            ("&quot;a", '"', 6),
            ("&apos;", '\'', 6),
            ("&amp;", '&', 5),
            ("&lt;", '<', 4),
            ("&gt;", '>', 4),
            ("&nbsp;", '\u{a0}', 6),
            ("&lbrace;", '{', 8),
            ("&lcub;", '{', 6),
            ("&rbrace;", '}', 8),
            ("&rcub;", '}', 6),
            ("&lbrack;", '[', 8),
            ("&lsqb;", '[', 6),
            ("&rbrack;", ']', 8),
            ("&rsqb;", ']', 6),
            ("&#34;", '"', 5),
            ("&#x22;", '"', 6),
            ("&#X22;", '"', 6),
            ("&#x000022;", '"', 10),
        ] {
            assert_eq!(entity(text), Some((character, length)), "{text}");
        }
        for text in [
            "quot;",
            "&quot",
            "&quux;",
            "&;",
            "&#;",
            "&#zz;",
            "&#x110000;",
            "&#x0000022;",
            "",
        ] {
            assert_eq!(entity(text), None, "{text}");
        }
    }
}
