//! Words and punctuation of zones that belong to no model family.

/// Info strings of a fence that leave its content open.
pub(crate) const DATA_FENCES: [&str; 6] = ["", "json", "jsonc", "json5", "xml", "tool_use"];

/// HTML elements that show code.
pub(crate) const SHOWN: &str = "pre code samp xmp blockquote kbd tt q cite var textarea script listing \
    template example";

/// Elements with results of tools whose names do not say so.
pub(crate) const RESULTS: &str =
    "response result results output outputs observation ipython stdout";

/// Elements of a reply itself: the model's own elements, and markup.
pub(crate) const OWN: &str = "action actions agent ai answer article assistant b body bot br center \
    details div do em execute final final_answer font h1 h2 h3 h4 h5 h6 hr html i li main message model \
    next ol p plan reply request root run s section small span step steps strong sub summary sup task turn \
    u ul xml";

/// Parts of the names of elements with calls.
pub(crate) const ABOUT_CALLS: &str = "call invoke param arg plugin action";

/// Parts of the names of elements about tools, and others without calls: `<tools>`,
/// `<function_definitions>`.
pub(crate) const ABOUT_TOOLS: &str = "tool function";
pub(crate) const WITHOUT_CALLS: &str = "tools functions defin schema list available _spec _doc";

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
const ROLES: [(Role, &str); 5] = [
    (
        Role::Other,
        "user human system tool customer benutzer nutzer usuario usuário utilisateur пользователь 用户 ユーザー 사용자 \
         المستخدم",
    ),
    (
        Role::Asker,
        "client guest h operator person q question u visitor",
    ),
    (Role::Prompt, "input inputs instruction instructions prompt"),
    (
        Role::Model,
        "agent ai assistant bot chatbot model assistent asistente assistente ассистент 助手 アシスタント 어시스턴트 \
         المساعد",
    ),
    (Role::Answer, "a answer output outputs response"),
];

/// Returns the role that a word names.
pub(crate) fn role_of(word: &str) -> Option<Role> {
    let mut roles = ROLES.iter();
    let row = roles.find(|(_, names)| is_one_of(names, word));
    row.map(|(role, _)| *role)
}

/// Words of the tokens that begin a turn, roles that only tokens name, and words of the tokens that end a turn.
pub(crate) const STARTS_OF_TURNS: &str = "im imstart start header id of turn role";
pub(crate) const TOKEN_ROLES: &str = "inst observation";
pub(crate) const ENDS_OF_TURNS: &str = "end eot eom stop";

/// Nouns for a quoted text or person. A user may ask for a call, so `user` is not one of them.
const SOURCES: &str = "admin api article attacker author banner blog body book chat colleague \
    comment content contents customer description doc docs document documentation email entry \
    file footer guide header injection instructions issue letter log logs mail manual message \
    note notes output page paragraph pdf post prompt readme record report response result \
    results review search section sender server site snippet source story text thread ticket \
    title tool transcript tweet web webpage website wiki";

/// The meaning of a word for the value next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    /// The value is wrong, or must not be used.
    Denial,
    /// The writer corrects what precedes it.
    Regret,
    /// A negation, which counts at the verb of a sentence.
    Negation,
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

/// The words of each cue in English, German, French, Spanish, Portuguese and Russian.
const CUES: [(Cue, &str); 10] = [
    (
        Cue::Denial,
        "bad discard disregard fabricate fake forget guesses hypothetical ignore incorrect invalid invented mistake \
         mistaken placeholder placeholders refuse rejected retract scratch unrelated wrong falsch fehler ignoriere \
         ignorieren ungültig verwerfen erreur faux fausse ignorez incorrecte descarta error ignora ignoren \
         incorrecta incorrecto descarte errado errada erro ignorem неверно неверный ошибка игнорируйте",
    ),
    (
        Cue::Regret,
        "actually apologies corrected correction oops sorry typo wait whoops entschuldigung désolé pardon perdón \
         desculpe простите извините",
    ),
    (
        Cue::Negation,
        "aren't can't cannot don't doesn't isn't never not wasn't kein keine nicht pas não не нет",
    ),
    (
        Cue::Example,
        "alternative alternatively comparison differently draft example examples illustration imagine instance \
         previous previously sample samples such suppose template typical typically beispiel entwurf vorlage \
         brouillon exemple modèle borrador ejemplo plantilla exemplo modelo rascunho пример например черновик шаблон",
    ),
    (
        Cue::Report,
        "contains log result results said says shows states transcript wrote contient dit écrit contiene dice \
         escribió contém diz enthält sagt schreibt steht говорит пишет содержит",
    ),
    (
        Cue::Is,
        "are is was follows gives returns ist lautet est es é это",
    ),
    (
        Cue::Writer,
        "here i i'd i'll i've we ich wir je nous yo eu я мы",
    ),
    (Cue::Condition, "had if otherwise without"),
    (Cue::Likeness, "like"),
    (Cue::Change, "becomes change instead meant must should"),
];

/// The words of cues in Chinese, Japanese, Korean and Arabic, where spaces do not always separate words.
const SIGNS: [(Cue, &str); 3] = [
    (
        Cue::Denial,
        "不要 不是 忽略 无效 错误 抱歉 無視 間違 誤り 잘못 무시 아닙 تجاهل خطأ ليس",
    ),
    (
        Cue::Report,
        "写着 写道 内容是 書いて 言って 적혀 말했 يقول كتب",
    ),
    (
        Cue::Example,
        "例如 例子 示例 草稿 模板 例えば の例 は例 下書き 예시 예를 초안 مثال مسودة",
    ),
];

/// The number of slots of [`INDEX`], about twice the number of words.
const SLOTS: usize = 512;

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
    while at < word.len() {
        hash = (hash * 31 + (word.as_bytes()[at] | 0x20) as usize) % (1 << 20);
        at += 1;
    }
    hash % SLOTS
}

/// Returns the cue of a word in any case.
pub(crate) fn cue_of(word: &str) -> Option<Cue> {
    let small = (!word.is_ascii()).then(|| word.to_lowercase().replace('’', "'"));
    let word = small.as_deref().unwrap_or(word);
    let mut slot = slot_of(word);
    while let Some((one, cue)) = INDEX[slot] {
        if one.eq_ignore_ascii_case(word) {
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
    let mut all = SIGNS
        .iter()
        .filter(|(_, signs)| signs.split(' ').any(|sign| text.contains(sign)));
    all.next().map(|(cue, _)| *cue)
}

/// The languages of code fences that hold data or text.
pub(crate) const DATA: &str = "json json5 jsonc text txt md markdown";

/// Strings that stand for a type in a template, and the words that may accompany them.
pub(crate) const TYPE_NAMES: &str = "any array bool boolean date datetime decimal double float int \
    integer list null number object str string text timestamp url uuid";
pub(crate) const BESIDE_TYPES: &str = "of or optional required strings numbers objects integers";

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
    is_one_of(SOURCES, word.trim_end_matches("'s"))
}

/// Returns `true` if a word is in a space-separated list, ignoring case: `JSON` in `text json`.
#[must_use]
pub fn is_one_of(words: &str, word: &str) -> bool {
    let (words, word) = (words.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else {
        return false;
    };
    let (small, large) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    memchr::memchr2_iter(small, large, words).any(|at| {
        let behind = at + word.len();
        (at == 0 || words[at - 1] == b' ')
            && words.get(behind).is_none_or(|byte| *byte == b' ')
            && (words.get(at..behind)).is_some_and(|one| one.eq_ignore_ascii_case(word))
    })
}

#[cfg(test)]
mod tests {
    use super::{CUES, cue_of, is_one_of};

    #[test]
    fn words_are_found_in_lists() {
        assert!(is_one_of("json text", "Text") && !is_one_of("json text", "tex"));
        assert!(is_one_of("json text", "json") && !is_one_of("json text", "texts"));
    }

    /// Words are found in any case, and none has two cues.
    #[test]
    fn each_word_has_one_cue() {
        for (cue, words) in CUES {
            for word in words.split(' ') {
                assert_eq!(cue_of(word), Some(cue), "{word}");
                assert_eq!(cue_of(&word.to_uppercase()), Some(cue), "{word}");
            }
        }
        assert_eq!((cue_of("city"), cue_of("")), (None, None));
    }
}
