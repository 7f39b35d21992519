//! The closed table of units and currencies, and the units that a text names.

use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::base::hash::NumberMap;

/// A unit: a row of the table with its prefix, and the quantity that it measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) measure: &'static str,
    row: u16,
    prefix: char,
}

/// Units that a string may name: `$` is the symbol of several currencies, `pound` a mass and a
/// currency.
pub(super) type Units = SmallVec<[Unit; 4]>;

pub(super) const CURRENCY: &str = "currency";
pub(super) const RATIO: &str = "ratio";

/// The units of each measure: symbols, words in lower case and the singular, and the prefixes
/// allowed before a symbol. Currencies have their ISO 4217 codes. `fraction` and the like are never
/// written after a number: they only show that a percentage is not wanted.
const UNITS: &str = "\
    length:m|meter,metre,metro,mètre,метр,метра,метров,米,メートル,미터,متر,公里=k|kcmdhunµμ;in|inch;ft|foot,feet;yd,yds|yard;mi|mile;nmi|nautical mile;px|pixel\n\
    mass:g|gram,gramm,gramme,gramo,grama,грамм,грамма,граммов,克,グラム,그램,غرام,kilo=k,公斤=k,кг=k|kmunµμ;t|ton,tonne,metric ton;lb,lbs|pound;oz|ounce\n\
    count:|piece,unit,pcs,pc,stück,pièce,pieza,unidade,штук,шт,个,個,件,개,قطع\n\
    time:s,sec,secs|second,sekunde,sekunden,seconde,segundo,секунда,секунды,секунд,秒,초,ثانية|munµμ;min,mins|minute,minuten,minuto,минута,минуты,минут,分,分钟,分鐘,분,دقيقة;h,hr,hrs|hour,stunde,stunden,heure,hora,час,часа,часов,小时,小時,時間,시간,ساعة;d|day,tag,tage,tagen,jour,día,dia,день,дня,дней,天,日,일,يوم;wk,wks|week,woche,wochen,semaine,semana,неделя,недели,недель,周,週間,주,أسبوع;mo,mos|month,monat,monate,mois,mes,meses,mês,месяц,месяца,месяцев,个月,個月,か月,ヶ月,개월,شهر;\
    y,yr,yrs|year,years old,year old,yo,y/o,jahr,jahre,an,ans,année,año,ano,год,года,лет,年,岁,歲,歳,년,세,سنة,عام\n\
    temperature:K|kelvin|m;°C,℃,ºC,C|celsius,degree celsius,grad celsius,degrees celsius,degrees c;\
    °F,℉,ºF,F|fahrenheit,degree fahrenheit,degrees fahrenheit,degrees f\n\
    angle:°,deg|degree,grad,degré,grado,grau,градус,градуса,градусов,度,도,درجة;rad|radian|m\n\
    ratio:%,pct,％,٪|percent,per cent,percentage,prozent,pour cent,por ciento,por cento,процент,процента,процентов,\
    パーセント,百分之,퍼센트,بالمئة;‰|permille,per mille;ppm|parts per million;\
    |fraction,ratio,probability,proportion\n\
    volume:L,l,ℓ|liter,litre|mcdhuµμ;gal|gallon;fl oz|fluid ounce;m³,m3,m^3,cbm|cubic meter,cubic metre;\
    cm³,cm3,cm^3,cc|cubic centimeter,cubic centimetre\n\
    area:m²,m2,m^2,sqm,sq m|square meter,square metre;\
    km²,km2,km^2,sq km|square kilometer,square kilometre;\
    cm²,cm2,cm^2|square centimeter,square centimetre;\
    ft²,ft2,ft^2,sqft,sq ft|square foot,square feet;ha|hectare;ac|acre\n\
    speed:km/h,kmh,kph,kmph|kilometers per hour,kilometres per hour;\
    m/s,mps|meters per second,metres per second;mph|miles per hour;kn,kt,kts|knot\n\
    acceleration:m/s²,m/s2,m/s^2\n\
    frequency:Hz|hertz|kMGT;rpm|revolutions per minute;bpm|beats per minute;fps|frames per second\n\
    matter:mol|mole|kmunµμ\n\
    light:cd|candela;lm|lumen;lx|lux\n\
    pressure:Pa|pascal|kMGhm;bar||m;psi|pounds per square inch;mmHg;N|newton;kN|kilonewton;\
    Nm|newton meter,newton metre\n\
    energy:J|joule|kMGm;Wh|watt hour|kMGTm;cal|calorie|k;eV|electronvolt|kMGTm\n\
    power:W|watt|kMGTmuµμ;hp|horsepower\n\
    electric:A|ampere,amp|kmunµμ;V|volt|kmMuµμ;Ω,Ω|ohm|kMm;F|farad|munpµμ;H|henry|munµμ;\
    Ah|ampere hour,amp hour|mk;T|tesla|munµμ\n\
    radiation:Sv|sievert|mµμu;Gy|gray|mµμu;Bq|becquerel|kMG\n\
    sound:dB|decibel\n\
    data:B|byte|kKMGTPE;iB||kMGT;KiB|kibibyte;MiB|mebibyte;GiB|gibibyte;TiB|tebibyte;bit,b|bit|kMGT;\
    bps,bit/s,b/s||kMGT\n\
    currency:USD,$,US$,＄|dollar,us dollar,buck;EUR,€|euro;GBP,£,￡|pound,pound sterling,pounds sterling;\
    JPY,¥,￥,円|yen;CNY,RMB,¥,￥,元|yuan,renminbi;INR,₹,Rs,Rs.|rupee;KRW,₩|won;\
    CHF,Fr.|franc,swiss franc;CAD,$,C$,CA$|dollar,canadian dollar;\
    AUD,$,A$,AU$|dollar,australian dollar;NZD,$,NZ$|dollar,new zealand dollar;\
    SGD,$,S$|dollar,singapore dollar;HKD,$,HK$|dollar,hong kong dollar;\
    TWD,$,NT$|dollar,taiwan dollar;MXN,$,MX$|peso;ARS,$|peso;CLP,$|peso;COP,$|peso;PHP,₱|peso;\
    BRL,R$|real,reais;SEK,kr|krona,kronor,crown;NOK,kr|krone,kroner,crown;\
    DKK,kr,kr.|krone,kroner,crown;CZK,Kč|koruna,crown;PLN,zł|zloty,złoty;HUF,Ft|forint;RON,lei|leu;\
    BGN,лв|lev;RUB,₽|ruble,rouble;UAH,₴|hryvnia;TRY,₺|lira;ILS,₪|shekel;AED|dirham;SAR|riyal;\
    EGP,E£|pound;ZAR|rand;NGN,₦|naira;KES|shilling;GHS,₵|cedi;THB,฿|baht;VND,₫|dong;IDR,Rp|rupiah;\
    MYR|ringgit;PKR,Rs,Rs.|rupee;BDT,৳|taka;LKR,Rs,Rs.|rupee;BTC,₿|bitcoin;ETH|ether;¢,ct,cts|cent";

/// Prefixes in words.
const PREFIX_WORDS: &str = "kilo=k кило=k 千=k キロ=k 킬로=k كيلو=k mega=M giga=G tera=T milli=m micro=u nano=n \
    centi=c zenti=c deci=d hecto=h";

/// The units by their spellings in lower case, each with the symbol, or nothing for a word. No
/// input is inserted, so they need no hasher against chosen keys.
type Table = NumberMap<String, SmallVec<[(Box<str>, Unit); 2]>>;

/// The table with all prefixes; built on first use.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::default();
        let mut add = |name: String, sign: &str, unit: Unit| {
            let units = table.entry(name.to_lowercase()).or_default();
            units.push((sign.into(), unit));
        };
        let measures = UNITS.lines().filter_map(|line| line.split_once(':'));
        let rows =
            measures.flat_map(|(measure, rows)| rows.split(';').map(move |row| (measure, row)));
        for (row, (measure, columns)) in (0..).zip(rows) {
            let mut columns = columns.split('|').map(|names| names.split(','));
            let mut names = || {
                columns
                    .next()
                    .into_iter()
                    .flatten()
                    .filter(|name| !name.is_empty())
            };
            let (signs, words, prefixes) = (names(), names(), names().next().unwrap_or_default());
            let unit = |prefix: &str| {
                let prefix = prefix.chars().next().map_or(' ', |prefix| match prefix {
                    'µ' | 'μ' => 'u',
                    'K' => 'k',
                    other => other,
                });
                Unit {
                    measure,
                    row,
                    prefix,
                }
            };
            for sign in signs {
                add(sign.to_owned(), sign, unit(""));
                for prefix in prefixes.split("").filter(|prefix| !prefix.is_empty()) {
                    let sign = [prefix, sign].concat();
                    add(sign.clone(), &sign, unit(prefix));
                }
            }
            for word in words {
                let (word, own) = word.split_once('=').unwrap_or((word, ""));
                add(word.to_owned(), "", unit(own));
                let before = PREFIX_WORDS
                    .split(' ')
                    .filter_map(|pair| pair.split_once('='));
                for (before, prefix) in before.filter(|_| !prefixes.is_empty()) {
                    add([before, word].concat(), "", unit(prefix));
                }
            }
        }
        table
    })
}

/// Length beyond which strings name no unit.
const NAME_BYTES_MAX: usize = 48;

/// Returns the units whose symbol, or `""` for a word, satisfies a condition.
fn find(text: &str, is_one: impl Fn(&str) -> bool) -> Units {
    let is_short = text.len() <= NAME_BYTES_MAX;
    let found = is_short.then(|| table().get(&text.to_lowercase()));
    let found = found.flatten().into_iter().flatten();
    found
        .filter(|(sign, _)| is_one(sign))
        .map(|(_, unit)| *unit)
        .collect()
}

/// Returns the units that a whole string names, by their symbols or in words.
pub(super) fn named(text: &str) -> Units {
    let mut units = find(text, |sign| sign == text);
    if units.is_empty() {
        units = in_words(text);
    }
    // `KM` and `Mph` are units in whatever case, but `MG` and `Mw` could be two each: the number
    // is the same for both.
    match text.len() > 1 && units.is_empty() {
        true => find(text, |sign| !sign.is_empty()),
        false => units,
    }
}

/// Finds units where case does not matter, as in keys.
pub(super) fn named_in_any_case(text: &str) -> Units {
    let mut found = in_words(text);
    found.extend(find(text, |sign| !sign.is_empty()));
    found
}

/// Returns the units that a string names in words: `kilograms`, `percent`, `dollars`.
pub(super) fn in_words(text: &str) -> Units {
    let mut found = find(text, str::is_empty);
    if let Some(singular) = text.strip_suffix(['s', 'S']) {
        let of_es = singular
            .strip_suffix('e')
            .filter(|stem| stem.ends_with("ch"));
        found.extend(find(of_es.unwrap_or(singular), str::is_empty));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_by_sign_and_word() {
        for (text, other) in [
            ("kg", "kilograms"),
            ("km", "kilometres"),
            ("ms", "milliseconds"),
            ("µs", "microseconds"),
            ("%", "percent"),
            ("EUR", "euros"),
            ("€", "EUR"),
            ("MB", "megabytes"),
            ("in", "inches"),
            ("Hz", "hertz"),
            ("KG", "kg"),
        ] {
            assert!(!named(text).is_empty(), "{text}");
            let same = named(text).iter().any(|unit| named(other).contains(unit));
            assert!(same, "{text} {other}");
        }
        for text in [
            "", "x", "apples", "of 5", "pm", "am", "k", "kk", "items", "stars",
        ] {
            assert_eq!(named(text).len(), 0, "{text}");
        }
        assert!(named("$").len() > 3);
        assert_ne!(named("kg"), named("g"));
    }
}
