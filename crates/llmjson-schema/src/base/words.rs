//! Closed tables of words in the languages that are read: English, German, French, Spanish,
//! Portuguese, Russian, Chinese, Japanese, Korean and Arabic. All are in lower case, and each row
//! has the words for the same thing.

use llmjson_syntax::internal::zones::lexicon::place_of;

/// The whole numbers from zero; from `thirteen` on in English.
const NUMBERS: &str = "\
    zero zéro cero ноль 零 〇 영 صفر|one eins un uno один 一 하나 واحد|\
    two zwei deux dos dois duas два две 二 两 둘 اثنان|\
    three drei trois tres três три 三 셋 ثلاثة|\
    four vier quatre cuatro quatro четыре 四 넷 أربعة|five fünf cinq cinco пять 五 다섯 خمسة|\
    six sechs seis шесть 六 여섯 ستة|seven sieben sept siete sete семь 七 일곱 سبعة|\
    eight acht huit ocho oito восемь 八 여덟 ثمانية|nine neun neuf nueve nove девять 九 아홉 تسعة|\
    ten zehn dix diez dez десять 十 열 عشرة|eleven elf onze одиннадцать 十一 열하나|\
    twelve zwölf douze doce doze двенадцать 十二 열둘|thirteen|fourteen|fifteen|sixteen|\
    seventeen|eighteen|nineteen|twenty zwanzig vingt veinte vinte двадцать 二十|thirty|forty|\
    fifty|sixty|seventy|eighty|ninety";

/// The places in an order from the first.
const ORDINALS: &str = "\
    first erste erster erstes premier première primero primera primeiro primeira первый 第一 첫째 الأول|\
    second zweite zweiter deuxième segundo segunda второй 第二 둘째 الثاني|\
    third dritte dritter troisième tercero tercera terceiro terceira третий 第三 셋째 الثالث|\
    fourth vierte vierter quatrième cuarto quarto четвёртый 第四 넷째 الرابع|\
    fifth fünfte fünfter cinquième quinto пятый 第五 다섯째 الخامس|sixth|seventh|eighth|ninth|\
    tenth|eleventh|twelfth";

/// The powers of ten, each with the words and symbols for it after a number. Words that mean
/// another power in another of the languages, such as `mil`, are left out.
const MAGNITUDES: &str = "\
    3 thousand thousands tausend mille тыс тыс. тысяч тысячи 千 천 ألف|4 万 萬 만|\
    5 lakh lakhs lac|\
    6 million millions mn mln mio mio. millionen millones millón milhão milhões млн миллион \
    миллиона миллионов 百万 مليون|\
    7 crore crores|8 亿 億 억|\
    9 billion billions bn bln mrd mrd. milliarde milliarden milliard milliards млрд миллиард \
    миллиарда миллиардов bilhão bilhões مليار|\
    12 trillion trillions tn billionen 兆 조";

/// The months from January.
const MONTHS: &str = "\
    january januar janvier enero gennaio janeiro januari января январь يناير|\
    february februar février fevrier febrero febbraio fevereiro februari февраля февраль فبراير|\
    march märz maerz mars marzo março maart марта март مارس|\
    april avril abril aprile апреля апрель أبريل|may mai mayo maggio maio mei мая май مايو|\
    june juni juin junio giugno junho июня июнь يونيو|\
    july juli juillet julio luglio julho июля июль يوليو|\
    august août aout agosto augustus августа август أغسطس|\
    september septembre septiembre settembre setembro сентября сентябрь سبتمبر|\
    october oktober octobre octubre ottobre outubro октября октябрь أكتوبر|\
    november novembre noviembre novembro ноября ноябрь نوفمبر|\
    december dezember décembre decembre diciembre dicembre dezembro декабря декабрь ديسمبر";

/// The days of the week from the day on which 1970 began.
const WEEKDAYS: &str = "\
    thursday donnerstag jeudi jueves четверг 木曜日 星期四 목요일 الخميس|\
    friday freitag vendredi viernes пятница 金曜日 星期五 금요일 الجمعة|\
    saturday samstag samedi sábado суббота 土曜日 星期六 토요일 السبت|\
    sunday sonntag dimanche domingo воскресенье 日曜日 星期日 일요일 الأحد|\
    monday montag lundi lunes понедельник 月曜日 星期一 월요일 الاثنين|\
    tuesday dienstag mardi martes вторник 火曜日 星期二 화요일 الثلاثاء|\
    wednesday mittwoch mercredi miércoles среда 水曜日 星期三 수요일 الأربعاء";

/// Texts that say that there is nothing, separated by commas.
const ABSENCE: &str = "n/a,n.a,n / a,na,n\\a,#n/a,n/d,none,nil,null,nothing,unknown,undefined,unspecified,\
    undisclosed,unavailable,missing,k.a,k. a,unbekannt,keine,nichts,entfällt,inconnu,inconnue,aucun,aucune,\
    néant,sans objet,desconocido,desconocida,ninguno,ninguna,desconhecido,desconhecida,nenhum,nenhuma,\
    неизвестно,отсутствует,不明,未知,不详,无数据,未提供,無,无,不適用,不适用,なし,該当なし,情報なし,不明です,알 수 없음,\
    없음,해당 없음,غير معروف,غير متوفر,غير متاح,لا يوجد";

/// Words that deny, and words for information. Texts of both say that there is nothing.
const DENIALS: &str = "not no none nothing without nicht keine kein non pas aucun aucune sans no ninguno \
    ninguna sin não nenhum nenhuma sem не нет";
const SAID: &str = "available applicable known specified provided given stated mentioned set reported listed \
    found disclosed determined recorded does is was apply applies data information info value details yet \
    angabe angaben bekannt angegeben verfügbar vorhanden zutreffend genannt daten disponible renseigné \
    renseignée précisé précisée spécifié communiqué connu mentionné applicable information donnée \
    especificado especificada mencionado conocido aplica aplicable datos indicado indicada información \
    disponível informado informada dados aplicável данных указано указана известно применимо \
    доступно";

/// Texts that say so in fewer places: elsewhere they are a number that is none, a question, or a
/// plan.
const PERHAPS_ABSENCE: &str = "nan,?,??,tbd,to be determined,to be announced";

/// Words and symbols for yes, and for no.
const TRUTHS: &str = "\
    no false nope nah negative incorrect off disabled non nein falsch faux falso não нет ложь \
    неверно 否 不是 假 错误 錯誤 いいえ 偽 아니요 아니오 거짓 لا خطأ ❌ ✖ ✗ ✘ 👎|\
    yes true yep yeah yup affirmative correct on enabled oui ja wahr vrai sí verdadero sim \
    verdadeiro да истина правда верно 是 是的 真 对 正确 正確 はい 예 네 참 نعم صحيح ✅ ✔ ✓ ☑ 👍";

fn row(rows: &str, word: &str) -> Option<usize> {
    let place = place_of(rows, b" |", word)?;
    Some(rows[..place].matches('|').count())
}

/// The row of a name. Three letters are enough for the first word of a row; `sept` is, too.
fn named(rows: &str, word: &str) -> Option<usize> {
    let is_short = word.len() == 3 || matches!(word, "sept" | "tues" | "thur" | "thurs");
    let begins = || {
        rows.split('|')
            .position(|row| is_short && row.starts_with(word))
    };
    row(rows, word).or_else(begins)
}

/// The whole number up to twenty, or the ten, that a word is, in whatever case.
pub(crate) fn number(word: &str) -> Option<usize> {
    let at = row(NUMBERS, &word.to_lowercase())?;
    Some(if at > 20 { 10 * (at - 18) } else { at })
}

/// The place in an order that a word in lower case is.
pub(crate) fn ordinal(word: &str) -> Option<usize> {
    row(ORDINALS, word).map(|at| at + 1)
}

/// The power of ten that a word is, in whatever case.
pub(crate) fn magnitude(word: &str) -> Option<u32> {
    let is_word = word.contains(char::is_alphabetic);
    let at = row(MAGNITUDES, &word.to_lowercase()).filter(|_| is_word)?;
    let power = MAGNITUDES.split('|').nth(at)?;
    power.split(' ').next()?.parse().ok()
}

/// The first digits of the supported scripts.
const ZEROS: [char; 12] = [
    '0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{be6}', '\u{c66}',
    '\u{ce6}', '\u{e50}', '\u{ff10}',
];

/// Returns the value of a digit, and the zero of its script.
pub(crate) fn digit(letter: char) -> Option<(u8, char)> {
    if letter.is_ascii() {
        return letter.is_ascii_digit().then(|| (letter as u8 - b'0', '0'));
    }
    let zero = ZEROS.into_iter().rev().find(|zero| letter >= *zero)?;
    let value = u32::from(letter) - u32::from(zero);
    (value < 10).then_some((value as u8, zero))
}

/// Returns `true` if a text says that there is nothing.
pub(crate) fn is_absence(text: &str) -> bool {
    // Each of them has letters, and most numbers don't.
    if !text.contains(char::is_alphabetic) {
        return false;
    }
    let text = text.to_lowercase();
    let has = |words: &str, word: &str| place_of(words, b" ", word).is_some();
    let (mut denies, mut says) = (false, false);
    let is_known = |word: &str| {
        let (is_denial, is_said) = (has(DENIALS, word), has(SAID, word));
        denies |= is_denial;
        says |= is_said;
        is_denial || is_said
    };
    place_of(ABSENCE, b",", &text).is_some()
        || text.split_whitespace().all(is_known) && denies && says
}

/// Returns `true` if a text may say that there is nothing.
pub(crate) fn may_be_absence(text: &str) -> bool {
    PERHAPS_ABSENCE
        .split(',')
        .any(|known| known == text.to_lowercase())
}

/// The boolean that a word or symbol in lower case is.
pub(crate) fn truth(word: &str) -> Option<bool> {
    row(TRUTHS, word).map(|at| at == 1)
}

/// The month that a word in lower case is, from 1.
pub(crate) fn month(word: &str) -> Option<i64> {
    named(MONTHS, word).map(|at| at as i64 + 1)
}

/// The day of the week that a word in lower case is, counted from the day on which 1970 began.
pub(crate) fn weekday(word: &str) -> Option<usize> {
    named(WEEKDAYS, word)
}
