//! Words and punctuation of zones that belong to no model family.

use core::iter;

pub use crate::scan::WordList;

/// Info strings of a fence that leave its content open.
pub(crate) const DATA_FENCES: [&str; 6] = ["", "json", "jsonc", "json5", "xml", "tool_use"];

/// HTML elements that show code.
pub(crate) const SHOWN: &str = "pre code samp xmp blockquote kbd tt q cite var textarea script listing \
    template example";

/// Elements with results of tools whose names do not say so.
pub(crate) const RESULTS: &str =
    "response result results output outputs observation ipython stdout";

/// Elements of a reply itself: the model's own elements, and markup.
pub(crate) static OWN: WordList = WordList::new(
    "action actions agent ai answer article assistant b body bot br center \
    details div do em execute final final_answer font h1 h2 h3 h4 h5 h6 hr html i li main message model \
    next ol p plan reply request root run s section small span step steps strong sub summary sup task turn \
    u ul xml",
);

/// Parts of the names of elements with calls.
pub(crate) const ABOUT_CALLS: &str = "call invoke param arg plugin action";

/// Parts of the names of elements about tools, and others without calls: `<tools>`,
/// `<function_definitions>`.
pub(crate) const ABOUT_TOOLS: &str = "tool function";
pub(crate) const WITHOUT_CALLS: &str = "tools functions defin schema list available _spec _doc";

/// Words of which the name of a reasoning tag contains one: `<think>`, `<seed:think>`,
/// `<|begin_of_thought|>`, `<think_fast>`.
pub(crate) static THOUGHTS: WordList = WordList::new(
    "think thinking thought thoughts reasoning reflection scratchpad monologue \
    analysis rationale antthinking cot",
);

/// Words that may accompany them.
pub(crate) static BESIDE_THOUGHTS: WordList = WordList::new(
    "begin start end close open stop of inner internal chain deep fast faster \
    block content my self model assistant step process",
);

/// The words among them that end reasoning.
pub(crate) static ENDS_OF_THOUGHTS: WordList = WordList::new("end close stop");

/// Characters with which the lines of a boxed table begin.
pub(crate) const BOXES: [char; 3] = ['│', '┃', '║'];

/// The ends of a YAML line whose string is in the lines below it.
pub(crate) const BLOCKS: [&str; 6] = [": |", ": >", ": |-", ": >-", ": |+", ": >+"];

/// The levels of log lines, and the months in their dates.
pub(crate) const LEVELS: [&str; 8] = [
    "TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL",
];
pub(crate) const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";

/// The role of a speaker in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A speaker other than the model.
    Other,
    /// A name that is a speaker only if the model speaks after it: `Client: Acme` may be a fact.
    Asker,
    /// A part of a prompt, which is a turn if an answer follows.
    Prompt,
    /// The model.
    Model,
    /// The model where a question or prompt precedes its answer.
    Answer,
}

impl Role {
    /// Returns `true` if the model may speak in this role.
    pub(crate) const fn answers(self) -> bool {
        matches!(self, Self::Model | Self::Answer)
    }
}

/// The names of each role.
static ROLES: [(Role, WordList); 5] = [
    (
        Role::Other,
        WordList::new(
            "user human system tool customer benutzer nutzer usuario usuário utilisateur пользователь 用户 ユーザー 사용자 \
         المستخدم",
        ),
    ),
    (
        Role::Asker,
        WordList::new(
            "client cliente guest h kunde operator person q question u visitor клиент 客户 고객",
        ),
    ),
    (
        Role::Prompt,
        WordList::new("input inputs instruction instructions prompt"),
    ),
    (
        Role::Model,
        WordList::new(
            "agent ai assistant bot chatbot model assistent asistente assistente ассистент 助手 アシスタント 어시스턴트 \
         المساعد",
        ),
    ),
    (
        Role::Answer,
        WordList::new("a answer output outputs response"),
    ),
];

/// Returns the role that a word names.
pub(crate) fn role_of(word: &str) -> Option<Role> {
    let small = (!word.is_ascii()).then(|| word.to_lowercase());
    let word = small.as_deref().unwrap_or(word);
    let mut roles = ROLES.iter();
    let row = roles.find(|(_, names)| names.has(word));
    row.map(|(role, _)| *role)
}

/// Words of the tokens that begin a turn, roles that only tokens name, and words of the tokens that end a turn.
pub(crate) static STARTS_OF_TURNS: WordList =
    WordList::new("im imstart start header id of turn role");
pub(crate) static TOKEN_ROLES: WordList = WordList::new("inst observation");
pub(crate) static ENDS_OF_TURNS: WordList = WordList::new("end eot eom stop");

/// Nouns for a quoted text or person. A user may ask for a call, so `user` is not one of them.
static SOURCES: WordList = WordList::new(
    "admin api article attacker author banner blog body book chat colleague \
    comment content contents customer description doc docs document documentation email entry \
    file footer guide header injection instructions issue letter log logs mail manual message \
    note notes output page paragraph pdf post prompt readme record report response result \
    results review search section sender server site snippet source story text thread ticket \
    title tool transcript tweet web webpage website wiki",
);

/// The meaning of a word for the value next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    /// The value is wrong, or must not be used.
    Denial,
    /// The writer corrects what precedes it.
    Regret,
    /// A negation. It denies a value that its sentence points to.
    Negation,
    /// The sentence points to the value: `this`, `above`.
    Pointer,
    /// The value is an example, a draft or a template.
    Example,
    /// The writer speaks.
    Writer,
    /// The value holds on a condition.
    Condition,
    /// The value resembles the one that is meant.
    Likeness,
    /// The value is what the sentence names.
    Is,
    /// Another value replaces an earlier one.
    Change,
    /// Another text or person says what follows. It counts before calls.
    Report,
}

/// The words of each cue in languages with spaces. A word that ends in `-` is the beginning of words: `ignor-` for
/// `ignore` and `ignoriert`.
const CUES: [(Cue, &str); 11] = [
    (
        Cue::Denial,
        "bad can't cannot denied discard- disregard- dummy fabricat- fail- fake ficti- forget guesses hypothe- ignor- \
         incorre- invalid- invent- mistake mistaken mock placeholder- refus- reje- retract- scratch unable \
         unrelated withdr- wrong- abgelehn- erfund- falsch- fehler- irrtum ungült- verwerf- verworf- erreur- faux \
         fausse- descart- equivo- erro- erró- errad- inválid- olvid- rechaz- desconsider- engan- anul- выдум- забуд- \
         игнорир- невер- неправ- отклон- ошиб-",
    ),
    (
        Cue::Regret,
        "actually apolog- corrected correction oops sorry typo wait whoops entschuldig- désolé pardon perdón desculp- \
         извини- прости-",
    ),
    (
        Cue::Negation,
        "never no none not nicht kein- pas não не нет غير لا لم لن ليس",
    ),
    (
        Cue::Pointer,
        "above it that these this those das dies- obig- ce ceci cela ces cet- esta estas este esto estos eso lo isso \
         isto эт- أعلاه هذا هذه 위 이 이것-",
    ),
    (
        Cue::Example,
        "alternativ- comparison differently draft- exampl- illustrat- instance previous- sample- such templat- typical- beispiel- entwurf \
         brouillon- exempl- borrador- ejempl- plantill- rascunho- например пример- чернов- шаблон-",
    ),
    (
        Cue::Report,
        "contains log reads result results said says shows states transcript wrote contient dit écrit contiene dice \
         escribió contém diz enthält sagt schreibt steht говорит написано пишет содержит",
    ),
    (
        Cue::Is,
        "are is was follows gives returns ist lautet est es é",
    ),
    (
        Cue::Writer,
        "here i i'd i'll i've we ich wir je nous yo eu я мы",
    ),
    (
        Cue::Condition,
        "falls had if otherwise si wenn without если",
    ),
    (Cue::Likeness, "like"),
    (Cue::Change, "becomes change instead meant must should"),
];

/// The words of cues that may be inside a word, as in Chinese, Japanese, Korean and Arabic.
const SIGNS: [(Cue, &str); 5] = [
    (
        Cue::Denial,
        "不要 忽略 拒绝 无效 虚构 错 却下 無効 無視 間違 誤り ないで 거부 무시 잘못 تجاهل خاطئ خطأ مرفوض",
    ),
    (Cue::Regret, "抱歉 すみません 죄송 عذر"),
    (Cue::Example, "例 草稿 模板 예시 예를 مثال"),
    (Cue::Negation, "不 没 ない ません 마세요 않 아닙"),
    (
        Cue::Report,
        "内容 写着 写道 書いて 言って 내용 적혀 말했 يقول تقول كتب",
    ),
];

/// The words of those scripts that point to a value. They count with a negation in their sentence.
const POINTERS: &str = "上述 以上 此 这 この これ 上記";

/// The number of slots of [`INDEX`], about twice the number of words.
const SLOTS: usize = 512;

/// The number of bytes at the beginning of a word that decide its slot. A beginning of words is not shorter.
const HASHED: usize = 3;

/// The words of [`CUES`] by their hash, so that replies with much text are read as fast as others. A word whose slot is
/// taken is in the next free one.
static INDEX: [Option<(&str, Cue)>; SLOTS] = {
    let mut index = [None; SLOTS];
    let mut row = 0;
    while row < CUES.len() {
        let (cue, mut rest) = CUES[row];
        while !rest.is_empty() {
            let mut end = 0;
            while end < rest.len() && rest.as_bytes()[end] != b' ' {
                end += 1;
            }
            let (word, behind) = rest.split_at(end);
            let mut slot = slot_of(word);
            while index[slot].is_some() {
                slot = (slot + 1) % SLOTS;
            }
            index[slot] = Some((word, cue));
            rest = behind.split_at(if behind.is_empty() { 0 } else { 1 }).1;
        }
        row += 1;
    }
    index
};

/// Returns the slot of a word in [`INDEX`], the same for small and capital ASCII letters.
const fn slot_of(word: &str) -> usize {
    let (mut hash, mut at) = (0, 0);
    while at < word.len() && at < HASHED {
        hash = (hash * 31 + (word.as_bytes()[at] | 0x20) as usize) % (1 << 20);
        at += 1;
    }
    hash % SLOTS
}

/// Returns the cue of a word in any case.
pub(crate) fn cue_of(word: &str) -> Option<Cue> {
    let small = (!word.is_ascii()).then(|| word.to_lowercase().replace('’', "'"));
    let word = small.as_deref().unwrap_or(word);
    known_cue(word).or_else(|| {
        let quote = word.bytes().position(|byte| byte == b'\'')?;
        match &word[quote + 1..] {
            "" => None,
            // `doesn't`
            "t" | "T" => Some(Cue::Negation),
            // `l'exemple`, `that's`
            behind => known_cue(behind).or_else(|| known_cue(&word[..quote])),
        }
    })
}

/// Returns the cue of a word in small letters or ASCII.
fn known_cue(word: &str) -> Option<Cue> {
    let mut slot = slot_of(word);
    while let Some((one, cue)) = INDEX[slot] {
        let is_same = match one.strip_suffix('-') {
            Some(begin) => {
                let near = word.as_bytes().get(..begin.len());
                near.is_some_and(|near| near.eq_ignore_ascii_case(begin.as_bytes()))
            }
            None => one.eq_ignore_ascii_case(word),
        };
        if is_same {
            return Some(cue);
        }
        slot = (slot + 1) % SLOTS;
    }
    None
}

/// Returns the cue in a text of a script without spaces.
pub(crate) fn sign_of(text: &str) -> Option<Cue> {
    if text.is_ascii() {
        return None;
    }
    let has = |signs: &str| signs.split(' ').any(|sign| text.contains(sign));
    let found = SIGNS.iter().find(|(_, signs)| has(signs));
    match found.map(|(cue, _)| *cue) {
        // `请不要使用这条记录`
        Some(Cue::Negation) if has(POINTERS) => Some(Cue::Denial),
        found => found,
    }
}

/// The languages of code fences that hold data or text.
pub(crate) static DATA: WordList = WordList::new("json json5 jsonc text txt md markdown");

/// Strings that stand for a type in a template, and the words that may accompany them.
pub(crate) static TYPE_NAMES: WordList = WordList::new(
    "any array bool boolean date datetime decimal double float int \
    integer list null number object str string text timestamp url uuid",
);
pub(crate) static BESIDE_TYPES: WordList =
    WordList::new("of or optional required strings numbers objects integers");

/// The first words of placeholders: `your name`.
pub(crate) const BEFORE_PLACEHOLDERS: [&str; 3] = ["enter", "insert", "your"];

/// Abbreviations that introduce an example, and others whose full stop ends no sentence.
pub(crate) const EXAMPLE_ABBREVIATIONS: [&str; 4] = ["E.g", "e.g", "p.ej", "z.B"];
pub(crate) const ABBREVIATIONS: [&str; 4] = ["eg", "ex", "i.e", "vs"];

/// The beginning and the short forms of words which announce that a truncated text continues.
pub(crate) const CONTINUES: &str = "continu";
pub(crate) static CONTINUED: WordList = WordList::new("cont cont'd");

/// The label of a tool result in a text with steps, and of the steps after it.
pub(crate) const OBSERVATION: &str = "Observation";
pub(crate) const STEPS: [&str; 3] = ["Thought:", "Action:", "Final Answer:"];

/// The characters around a placeholder.
pub(crate) const PLACEHOLDERS: [(&str, &str); 7] = [
    ("{{", "}}"),
    ("{", "}"),
    ("<", ">"),
    ("[", "]"),
    ("${", "}"),
    ("__", "__"),
    ("%", "%"),
];

/// Returns `true` if a word names a text or a person that is quoted.
pub(crate) fn is_source(word: &str) -> bool {
    SOURCES.has(word.trim_end_matches("'s"))
}

/// Returns the offset of a word in a list whose words the separators divide.
#[must_use]
pub fn place_of(words: &str, separators: &[u8], word: &str) -> Option<usize> {
    let separates = |byte: &u8| separators.contains(byte);
    if word.is_empty() || word.as_bytes().iter().any(separates) {
        return None;
    }
    let words = words.as_bytes();
    memchr::memmem::find_iter(words, word).find(|&at| {
        (at == 0 || separates(&words[at - 1])) && words.get(at + word.len()).is_none_or(separates)
    })
}

/// The maximum number of words of a sentence that are read.
pub(crate) const WORDS: usize = 24;

/// A word of a sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    /// The offset of the word in the text.
    pub(crate) start: usize,
}

impl Word<'_> {
    /// Returns the cue of the word: one look into a table.
    pub(crate) fn cue(&self) -> Option<Cue> {
        cue_of(self.text)
    }
}

/// Returns the words of a text, at most [`WORDS`].
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> + Clone {
    let mut at = 0;
    let next = move || {
        let start = at + run(&text[at..], false);
        at = start + run(&text[start..], true);
        let text = text.get(start..at).filter(|word| !word.is_empty())?;
        Some(Word { text, start })
    };
    iter::from_fn(next).take(WORDS)
}

/// Returns the number of bytes at the beginning of a text whose characters are all parts of words, or all are not.
fn run(text: &str, parts: bool) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '_');
    let mut at = 0;
    // Bytes, because characters take longer.
    while let Some(&byte) = text.as_bytes().get(at) {
        let (is_same, length) = match PARTS.get(usize::from(byte)) {
            Some(&part) => (part == parts, 1),
            None => {
                let c = text[at..].chars().next().unwrap_or_default();
                (is_part(c) == parts, c.len_utf8())
            }
        };
        if !is_same {
            break;
        }
        at += length;
    }
    at
}

/// `true` for the ASCII characters that are parts of words.
static PARTS: [bool; 128] = {
    let mut parts = [false; 128];
    let mut byte = 0;
    while byte < parts.len() {
        parts[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'\'' | b'_');
        byte += 1;
    }
    parts
};

#[cfg(test)]
mod tests {
    use super::{CUES, Cue, WordList, cue_of};

    #[test]
    fn words_are_found_in_lists() {
        let list = WordList::new("json text");
        assert!(list.has("Text") && !list.has("tex") && !list.has("nson"));
        assert!(list.has("json") && !list.has("texts") && !list.has(""));
    }

    /// Words are found in any case, and none has two cues.
    #[test]
    fn each_word_has_one_cue() {
        for (cue, words) in CUES {
            for word in words.split(' ').map(|word| word.trim_end_matches('-')) {
                assert_eq!(cue_of(word), Some(cue), "{word}");
                assert_eq!(cue_of(&word.to_uppercase()), Some(cue), "{word}");
            }
        }
        assert_eq!(cue_of("ignored"), Some(Cue::Denial));
        assert_eq!(cue_of("hasn’t"), Some(Cue::Negation));
        assert_eq!(cue_of("L'exemple"), Some(Cue::Example));
        assert_eq!((cue_of("city"), cue_of("")), (None, None));
    }
}
