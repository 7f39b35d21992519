//! The closed table of units and currencies, and the units that a text names.

use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::base::hash::NumberMap;
use crate::base::words;

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
    length:m|meter,metre|kcmdhunµμ;in|inch;ft|foot,feet;yd,yds|yard;mi|mile;nmi|nautical mile;px|pixel\n\
    mass:g|gram,gramme,kilo|kmunµμ;t|ton,tonne,metric ton;lb,lbs|pound;oz|ounce\n\
    count:|piece\n\
    time:s,sec,secs|second|munµμ;min,mins|minute;h,hr,hrs|hour;d|day;wk,wks|week;mo,mos|month;\
    y,yr,yrs|year,years old,year old\n\
    temperature:K|kelvin|m;°C,℃,ºC,C|celsius,degree celsius,degrees celsius,degrees c;\
    °F,℉,ºF,F|fahrenheit,degree fahrenheit,degrees fahrenheit,degrees f\n\
    angle:°,deg|degree;rad|radian|m\n\
    ratio:%,pct,％,٪|percent,per cent,percentage;‰|permille,per mille;ppm|parts per million;\
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
const PREFIX_WORDS: &str =
    "kilo=k mega=M giga=G tera=T milli=m micro=u nano=n centi=c deci=d hecto=h";

/// Short strings from the table. No input is inserted, so they need no hasher against chosen keys.
type Named = NumberMap<String, Units>;

/// The units by their spellings, including prefixes; built on first use.
#[derive(Default)]
struct Tables {
    signs: Named,
    /// Symbols in lower case.
    folded: Named,
    /// Words in lower case and singular.
    words: Named,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables = Tables::default();
        let measures = UNITS.lines().filter_map(|line| line.split_once(':'));
        let rows =
            measures.flat_map(|(measure, rows)| rows.split(';').map(move |row| (measure, row)));
        for (row, (measure, columns)) in (0..).zip(rows) {
            tables.add(columns, measure, row);
        }
        tables
    })
}

impl Tables {
    fn add(&mut self, columns: &'static str, measure: &'static str, row: u16) {
        let mut columns = columns.split('|').chain(["", ""]);
        let mut column = || columns.next().unwrap_or_default();
        let (signs, words, prefixes) = (column(), column(), column());
        let list = |names: &'static str| names.split(',').filter(|name| !name.is_empty());
        let push = |table: &mut Named, name: String, prefix: char| {
            let prefix = match prefix {
                'µ' | 'μ' => 'u',
                'K' => 'k',
                other => other,
            };
            let units = table.entry(name).or_default();
            units.push(Unit {
                measure,
                row,
                prefix,
            });
        };
        for sign in list(signs) {
            push(&mut self.folded, sign.to_lowercase(), ' ');
            push(&mut self.signs, sign.to_owned(), ' ');
            for prefix in prefixes.chars() {
                let sign = format!("{prefix}{sign}");
                push(&mut self.folded, sign.to_lowercase(), prefix);
                push(&mut self.signs, sign, prefix);
            }
        }
        for word in list(words) {
            push(&mut self.words, word.to_owned(), ' ');
            let prefixed = PREFIX_WORDS.split(' ').filter(|_| !prefixes.is_empty());
            for (before, prefix) in prefixed.filter_map(|pair| pair.split_once('=')) {
                push(
                    &mut self.words,
                    [before, word].concat(),
                    prefix.chars().next().unwrap_or(' '),
                );
            }
        }
    }
}

/// Length beyond which strings name no unit.
const NAME_BYTES_MAX: usize = 32;

fn in_table(table: &Named, text: &str) -> Units {
    table.get(text).cloned().unwrap_or_default()
}

/// Returns the units that a whole string names, by their symbols or in words.
pub(super) fn named(text: &str) -> Units {
    let mut units = in_table(&tables().signs, text);
    if units.is_empty() {
        units = in_words(text);
    }
    // `KM` and `Mph` are units in whatever case, but `MG` and `Mw` could be two each: the number
    // is the same for both.
    if units.is_empty() && (2..=NAME_BYTES_MAX).contains(&text.len()) {
        units = in_table(&tables().folded, &text.to_lowercase());
    }
    match words::unit(text) {
        Some(word) if units.is_empty() => in_words(word),
        _ => units,
    }
}

/// Finds units where case does not matter, as in keys.
pub(super) fn named_in_any_case(text: &str) -> Units {
    let mut found = in_words(text);
    if text.len() <= NAME_BYTES_MAX {
        found.extend(in_table(&tables().folded, &text.to_lowercase()));
    }
    found
}

/// Returns the units that a string names in words: `kilograms`, `percent`, `dollars`.
pub(super) fn in_words(text: &str) -> Units {
    if text.len() > NAME_BYTES_MAX {
        return Units::new();
    }
    let lower = text.to_lowercase();
    let words = &tables().words;
    let mut found = in_table(words, &lower);
    if let Some(singular) = lower.strip_suffix('s') {
        let of_es = singular
            .strip_suffix('e')
            .filter(|stem| stem.ends_with("ch"));
        found.extend(in_table(words, of_es.unwrap_or(singular)));
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
