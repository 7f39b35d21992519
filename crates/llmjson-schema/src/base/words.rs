//! Closed tables of words in the languages that are read: English, German, French, Spanish,
//! Portuguese, Russian, Chinese, Japanese, Korean and Arabic. All are in lower case, and each row
//! has the words for the same thing.

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

/// Units in words after a number, each row after the English word for it. Words for counted things
/// add nothing to a number.
const UNITS: &str = "\
    second sekunde sekunden seconde secondes segundo segundos секунда секунды секунд 秒 초 ثانية|\
    minute minuten minutes minuto minutos минута минуты минут 分 分钟 分鐘 분 دقيقة|\
    hour stunde stunden heure heures hora horas час часа часов 小时 小時 時間 시간 ساعة|\
    day tag tage tagen jour jours día días dia dias день дня дней 天 日 일 يوم|\
    week woche wochen semaine semaines semana semanas неделя недели недель 周 週間 주 أسبوع|\
    month monat monate mois mes meses mês месяц месяца месяцев 个月 個月 か月 ヶ月 개월 شهر|\
    year jahr jahre an ans année años año ano anos год года лет 年 岁 歲 歳 년 세 سنة عام yo y/o|\
    percent prozent pour\u{a0}cent por\u{a0}ciento por\u{a0}cento процент процента процентов パーセント \
    百分之 퍼센트 بالمئة|\
    degree grad degré degrés grado grados grau graus градус градуса градусов 度 도 درجة|\
    piece pieces unit units pcs pc stück pièces piezas unidades peças штук шт 个 個 件 개 قطع";

/// Texts that say that there is nothing, separated by commas.
const ABSENCE: &str = "n/a,n.a,n / a,na,n\\a,none,nil,null,nothing,unknown,undefined,unspecified,\
    not available,not applicable,not known,not specified,not provided,not given,not stated,\
    not mentioned,not set,not reported,not listed,not found,unavailable,no value,no data,missing,\
    #n/a,\
    no information,keine angabe,keine angaben,k.a,k. a,unbekannt,nicht bekannt,nicht angegeben,\
    nicht verfügbar,inconnu,inconnue,non disponible,non renseigné,non précisé,non spécifié,\
    desconocido,desconocida,no disponible,no especificado,sin datos,no aplica,desconhecido,\
    desconhecida,não disponível,não informado,não especificado,sem dados,неизвестно,нет данных,\
    не указано,不明,未知,不详,无数据,未提供,無,无,不適用,不适用,なし,該当なし,情報なし,알 수 없음,없음,\
    해당 없음,غير معروف,غير متوفر,غير متاح";

/// Texts that say so in fewer places: elsewhere they are a number that is none, a question, or a
/// plan.
const PERHAPS_ABSENCE: &str = "nan,?,??,none given,none provided,none specified,none stated,\
    none found,none listed,tbd,not determined";

/// Words and symbols for yes, and for no.
const TRUTHS: &str = "\
    no false nope nah negative incorrect off disabled non nein falsch faux falso não нет ложь \
    неверно 否 不是 假 错误 錯誤 いいえ 偽 아니요 아니오 거짓 لا خطأ ❌ ✖ ✗ ✘ 👎|\
    yes true yep yeah yup affirmative correct on enabled oui ja wahr vrai sí verdadero sim \
    verdadeiro да истина правда верно 是 是的 真 对 正确 正確 はい 예 네 참 نعم صحيح ✅ ✔ ✓ ☑ 👍";

fn row(rows: &str, word: &str) -> Option<usize> {
    let is_in = |row: &str| row.split(' ').any(|known| known == word);
    rows.split('|').position(is_in)
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

/// The English word for a unit.
pub(crate) fn unit(word: &str) -> Option<&'static str> {
    let at = row(UNITS, &word.to_lowercase().replace(' ', "\u{a0}"))?;
    UNITS.split('|').nth(at)?.split(' ').next()
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

fn is_one(texts: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    texts.split(',').any(|known| known == text)
}

/// Returns `true` if a text says that there is nothing.
pub(crate) fn is_absence(text: &str) -> bool {
    is_one(ABSENCE, text)
}

/// Returns `true` if a text may say that there is nothing.
pub(crate) fn may_be_absence(text: &str) -> bool {
    is_one(PERHAPS_ABSENCE, text)
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
