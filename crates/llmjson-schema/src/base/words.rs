//! Closed tables of words in the languages that are read: English, German, French, Spanish,
//! Portuguese, Russian, Chinese, Japanese, Korean and Arabic. All are folded, and each row has the
//! words for the same thing.

use llmjson_syntax::internal::zones::lexicon::place_of;

use super::fold::is_in;
use super::tokens::{Sort, sort, tokens};

/// The whole numbers up to twenty, and the tens from there.
const NUMBERS: &str = "\
    zero cero ноль 零 〇 영 صفر|one ein eins eine einen un une una uno um uma один одна 一 하나 일 واحد|\
    two zwei deux dos dois duas два две 二 两 둘 이 اثنان|three drei trois tres три 三 셋 삼 ثلاثة|\
    four vier quatre cuatro quatro четыре 四 넷 사 أربعة|five funf cinq cinco пять 五 다섯 오 خمسة|\
    six sechs seis шесть 六 여섯 육 ستة|seven sieben sept siete sete семь 七 일곱 칠 سبعة|\
    eight acht huit ocho oito восемь 八 여덟 팔 ثمانية|nine neun neuf nueve nove девять 九 아홉 구 تسعة|\
    ten zehn dix diez dez десять 十 열 십 عشرة|eleven elf onze одиннадцать 十一 열하나|\
    twelve zwolf douze doce doze двенадцать 十二 열둘|thirteen dreizehn treize trece treze тринадцать|\
    fourteen vierzehn quatorze catorce catorze четырнадцать|fifteen funfzehn quinze quince пятнадцать|\
    sixteen sechzehn seize dieciseis dezesseis шестнадцать|\
    seventeen siebzehn diecisiete dezessete семнадцать|eighteen achtzehn dieciocho dezoito восемнадцать|\
    nineteen neunzehn diecinueve dezenove девятнадцать|twenty zwanzig vingt veinte vinte двадцать عشرون|\
    thirty dreissig trente treinta trinta тридцать ثلاثون|forty vierzig quarante cuarenta quarenta сорок أربعون|\
    fifty funfzig cinquante cincuenta cinquenta пятьдесят خمسون|\
    sixty sechzig soixante sesenta sessenta шестьдесят ستون|\
    seventy siebzig setenta семьдесят سبعون|eighty achtzig ochenta oitenta восемьдесят ثمانون|\
    ninety neunzig noventa девяносто تسعون";

/// Words for a hundred after a number below ten.
const HUNDREDS: &str = "hundred hundert cent cents cien ciento cem cento сто 百 백 مئة مائة";

/// Words between the parts of a number, and between the last items of a list.
const JOINTS: &str = "and & und et y e и و";

/// Words for minus.
const MINUS: &str = "minus negative moins menos минус 负 負 マイナス 마이너스 영하 ناقص";

/// The places in an order from the first.
const ORDINALS: &str = "\
    first erste erster erstes premier premiere primero primera primer primeiro primeira первый первая 第一 첫째 الأول|\
    second zweite zweiter zweites deuxieme segundo segunda второй вторая 第二 둘째 الثاني|\
    third dritte dritter drittes troisieme tercero tercera tercer terceiro terceira третий третья 第三 셋째 الثالث|\
    fourth vierte vierter viertes quatrieme cuarto cuarta quarto quarta четвертый четвёртый 第四 넷째 الرابع|\
    fifth funfte funfter funftes cinquieme quinto quinta пятый пятая 第五 다섯째 الخامس|\
    sixth sechste sechster sixieme sexto sexta шестой 第六 여섯째 السادس|\
    seventh siebte siebter septieme septimo setimo седьмой 第七 일곱째 السابع|\
    eighth achte achter huitieme octavo oitavo восьмой 第八 여덟째 الثامن|\
    ninth neunte neunter neuvieme noveno nono девятый 第九 아홉째 التاسع|\
    tenth zehnte zehnter dixieme decimo десятый 第十 열째 العاشر|\
    eleventh elfte elfter onzieme одиннадцатый 第十一|twelfth zwolfte zwolfter douzieme двенадцатый 第十二";

/// The powers of ten, each with the words and symbols for it after a number. Words that mean
/// another power in another of the languages, such as `mil`, are left out.
const MAGNITUDES: &str = "\
    3 thousand thousands tausend mille тыс тысяч тысячи тысяча 千 천 ألف آلاف|4 万 萬 만|\
    5 lakh lakhs lac|\
    6 million millions mn mln mio millionen millones millon milhao milhoes млн миллион \
    миллиона миллионов 百万 백만 مليون ملايين|\
    7 crore crores|8 亿 億 억|\
    9 billion billions bn bln mrd milliarde milliarden milliard milliards млрд миллиард \
    миллиарда миллиардов bilhao bilhoes مليار|\
    12 trillion trillions tn billionen 兆 조";

/// The months from January.
const MONTHS: &str = "\
    january januar janvier enero gennaio janeiro januari января январь янв يناير|\
    february februar fevrier febrero febbraio fevereiro februari февраля февраль фев فبراير|\
    march marz maerz mars marzo marco maart марта март мар مارس|\
    april avril abril aprile апреля апрель апр أبريل|may mai mayo maggio maio mei мая май مايو|\
    june juni juin junio giugno junho июня июнь يونيو|\
    july juli juillet julio luglio julho июля июль يوليو|\
    august aout agosto augustus августа август авг أغسطس|\
    september septembre septiembre settembre setembro сентября сентябрь сен سبتمبر|\
    october oktober octobre octubre ottobre outubro октября октябрь окт أكتوبر|\
    november novembre noviembre novembro ноября ноябрь ноя نوفمبر|\
    december dezember decembre diciembre dicembre dezembro декабря декабрь дек ديسمبر";

/// The days of the week from the day on which 1970 began.
const WEEKDAYS: &str = "\
    thursday donnerstag do jeudi jeu jueves jue quinta четверг чт 木曜日 木曜 木 星期四 周四 목요일 목 الخميس|\
    friday freitag fr vendredi ven viernes vie sexta пятница пт 金曜日 金曜 金 星期五 周五 금요일 금 الجمعة|\
    saturday samstag sa samedi sam sabado sab суббота сб 土曜日 土曜 土 星期六 周六 토요일 토 السبت|\
    sunday sonntag so dimanche dim domingo dom воскресенье вс 日曜日 日曜 日 星期日 星期天 周日 일요일 일 الأحد|\
    monday montag mo lundi lun lunes segunda понедельник пн 月曜日 月曜 月 星期一 周一 월요일 월 الاثنين|\
    tuesday dienstag di mardi martes terca вторник вт 火曜日 火曜 火 星期二 周二 화요일 화 الثلاثاء|\
    wednesday mittwoch mi mercredi mer miercoles mie quarta среда ср 水曜日 水曜 水 星期三 周三 수요일 수 الأربعاء";

/// Texts that say that there is nothing, separated by commas.
const ABSENCE: &str = "n/a,n.a,n / a,na,n\\a,#n/a,n/d,s/d,s/o,none,nil,null,nothing,unknown,undefined,unspecified,\
    undisclosed,unavailable,missing,absent,empty,blank,k.a,k. a,unbekannt,keine,nichts,entfallt,inconnu,inconnue,\
    aucun,aucune,neant,sans objet,desconocido,desconocida,ninguno,ninguna,desconhecido,desconhecida,nenhum,nenhuma,\
    неизвестно,неизвестен,неизвестна,отсутствует,不明,未知,不详,无数据,暂无,未提供,未提及,無,无,不適用,不适用,なし,\
    該当なし,情報なし,記載なし,未記載,不明です,알 수 없음,없음,해당 없음,정보 없음,미상,غير معروف,غير متوفر,غير متاح,\
    غير محدد,لا يوجد";

/// Words that deny, and words for information. Texts of both say that there is nothing.
const DENIALS: &str = "not no none nothing without never cannot unable keine kein nicht non pas aucun aucune sans \
    ninguno ninguna ningun sin nao nenhum nenhuma sem не нет";
const SAID: &str = "available applicable known specified provided given stated mentioned set reported listed \
    found disclosed determined recorded present does is was be could apply applies data information info value \
    answer details yet angabe angaben bekannt angegeben verfugbar vorhanden zutreffend genannt daten disponible \
    renseigne renseignee precise precisee specifie communique connu mentionne applicable information donnee \
    especificado especificada mencionado conocido aplica aplicable datos indicado indicada informacion \
    disponivel informado informada dados aplicavel se данных указан указано указана известно применимо доступно";

/// Texts that say so in fewer places: elsewhere they are a number that is none, a question, a plan,
/// or an omission.
const PERHAPS_ABSENCE: &str =
    "nan,?,??,tbd,tbc,tba,to be determined,to be announced,pending,...,…,не указан,未定,미정";

/// Words and symbols for no, and for yes.
const TRUTHS: &str = "\
    no false nope nah negative incorrect off disabled untrue unchecked non nein falsch faux falso nao не нет ложь \
    неверно 否 不是 没有 假 错误 錯誤 いいえ 偽 아니요 아니오 거짓 لا خطأ ❌ ✖ ✗ ✘ ☐ 👎|\
    yes true yep yeah yup affirmative positive correct on enabled checked oui ja jawohl wahr vrai si \
    verdadero sim verdadeiro да истина правда верно 是 是的 有 真 对 正确 正確 はい 예 네 참 نعم صحيح ✅ ✔ ✓ ☑ 👍";

/// Words that only introduce or support a value next to them.
const FILLERS: &str = "a an answer class category choice der die das el final grade i importance in is it its la le \
    letter level my of option priority rating report request result s selected severity status the their total type \
    urgency value";

/// Words and symbols that say that a value is not exact or not certain.
const HEDGES: &str = "~ ≈ ∼ about approximately approx around roughly estimated est circa c exactly some almost nearly \
    genau exactement exactamente exatamente ca etwa ungefahr rund environ aproximadamente cerca unos unas \
    около примерно 大约 约 約 およそ 약 حوالي probably likely presumably wahrscheinlich probablement \
    probablemente provavelmente вероятно";

/// Words that take back or limit what is said next to them.
const LIMITS: &str = "but except if instead max maximum min minimum never no non not nor only or rather ranges \
    should unless until wait was were without wrong than under over less more nicht kein oder aber pas ou \
    mais o pero nao mas не или но negative minus old new";

/// The row that has a folded word.
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

/// The whole number up to twenty, or the ten, that a folded word is.
pub(crate) fn number(word: &str) -> Option<usize> {
    let at = row(NUMBERS, word)?;
    Some(if at > 20 { 10 * (at - 18) } else { at })
}

/// Returns `true` if a folded word is a number or a power of ten: `six`, `hundred`, `million`.
pub(crate) fn counts(word: &str) -> bool {
    number(word).is_some() || is_hundred(word) || magnitude(word).is_some()
}

/// Returns `true` if a folded word is a hundred.
pub(crate) fn is_hundred(word: &str) -> bool {
    is_in(HUNDREDS, word)
}

/// Returns `true` if a folded word joins the parts of a number or a list.
pub(crate) fn is_joint(word: &str) -> bool {
    is_in(JOINTS, word)
}

/// Returns `true` if a folded word before a number makes it negative.
pub(crate) fn is_minus(word: &str) -> bool {
    is_in(MINUS, word)
}

/// The place in an order that a folded word is.
pub(crate) fn ordinal(word: &str) -> Option<usize> {
    row(ORDINALS, word).map(|at| at + 1)
}

/// The power of ten that a folded word is.
pub(crate) fn magnitude(word: &str) -> Option<u32> {
    let at = row(MAGNITUDES, word).filter(|_| word.contains(char::is_alphabetic))?;
    let power = MAGNITUDES.split('|').nth(at)?;
    power.split(' ').next()?.parse().ok()
}

/// Returns `true` if a folded text says that there is nothing.
pub(crate) fn is_absence(text: &str) -> bool {
    // Each of them has letters, and most numbers don't.
    if !text.contains(char::is_alphabetic) {
        return false;
    }
    let words = tokens(text, |letter| match sort(letter) {
        Sort::Space => Sort::Space,
        _ => Sort::Letter,
    });
    let has = |table: &str| words.iter().any(|word| is_in(table, &word.text));
    let is_known = |word: &str| is_in(DENIALS, word) || is_in(SAID, word);
    place_of(ABSENCE, b",", text).is_some()
        || has(DENIALS) && has(SAID) && words.iter().all(|word| is_known(&word.text))
}

/// Returns `true` if a folded text may say that there is nothing.
pub(crate) fn may_be_absence(text: &str) -> bool {
    PERHAPS_ABSENCE.split(',').any(|known| known == text)
}

/// The boolean that a folded word or symbol is.
pub(crate) fn truth(word: &str) -> Option<bool> {
    row(TRUTHS, word).map(|at| at == 1)
}

/// The month that a folded word is, from 1.
pub(crate) fn month(word: &str) -> Option<i64> {
    named(MONTHS, word).map(|at| at as i64 + 1)
}

/// The day of the week that a folded word is, counted from the day on which 1970 began.
pub(crate) fn weekday(word: &str) -> Option<usize> {
    named(WEEKDAYS, word)
}

/// Returns `true` if a folded word only introduces or supports a value.
pub(crate) fn is_filler(word: &str) -> bool {
    is_in(FILLERS, word)
}

/// Returns `true` if a folded word or symbol says that a value is not exact or not certain.
pub(crate) fn is_hedge(word: &str) -> bool {
    is_in(HEDGES, word)
}

/// Returns `true` if a folded word takes back, limits or counts what is next to it.
pub(crate) fn is_limit(word: &str) -> bool {
    let is_date = || weekday(word).is_some() || month(word).is_some();
    is_in(LIMITS, word) || is_date() || truth(word).is_some() || number(word).is_some()
}

/// Returns `true` if a folded word denies what is next to it; `t` is the end of `isn't`.
pub(crate) fn is_denial(word: &str) -> bool {
    is_in(DENIALS, word) || matches!(word, "neither" | "nor" | "t")
}

#[cfg(test)]
mod tests {
    use super::super::fold::fold;
    use super::*;

    #[test]
    fn words_are_folded() {
        for table in [
            NUMBERS,
            HUNDREDS,
            JOINTS,
            MINUS,
            ORDINALS,
            MAGNITUDES,
            MONTHS,
            WEEKDAYS,
            ABSENCE,
            DENIALS,
            SAID,
            PERHAPS_ABSENCE,
            TRUTHS,
            FILLERS,
            HEDGES,
            LIMITS,
        ] {
            assert_eq!(fold(table), table);
        }
    }
}
