//! Words that change the meaning of a name: `amount` is not `amount_cents`, and `account` is not
//! `to_account`.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::parts::words;

/// Units of time, mass, length, temperature, data, speed and power.
const UNITS: &str = "acre amp b bit bps byte c cal calorie celsius centigrade centimeter centimetre cm d days db deg degree dpi \
    epoch f fahrenheit feet floz fps ft g gal gallon gb gbit gbps ghz gib gigabit gigabyte gram gramme gw h \
    hectare hour hpa hr hrs hz inch inches j joule k kb kbit kbps kcal kelvin kg kgs khz kib kilo kilobyte \
    kilogram kilojoule kilometer kilometre kilowatt kj km kmh knot kph kw kwh l lb lbs liter litre m mah mb mbit \
    mbps megabit megabyte megawatt meter metre mg mhz mi mib micro microsecond mile milli milliamp milligram \
    milliliter millilitre millimeter millimetre millis millisecond mins minute ml mm months mph mps ms msec mw mwh \
    nano nanometer nanosecond nm nmi ns ounce oz pa pixel pound ppm psi px rad radian rpm s sec second secs sqft \
    sqkm sqm tb terabyte tick ton tonne unix utc v volt w watt weeks wh yard yd years yr yrs";

/// Currencies and their parts.
const CURRENCIES: &str = "aed ars aud bitcoin brl btc cad cent chf clp cny cop currency czk dirham dkk dollar egp eth eur euro eurocent \
    forint franc gbp gwei hkd huf idr ils inr jpy krona krone kroner krw lira major minor mxn myr ngn nok nzd \
    pence pennies penny peso pln rial rmb ruble rupee satoshi sats sek sgd sterling thb twd uah usd usdc usdt vnd \
    wei yen yuan zar zloty";

/// Scales, and the time or number for which a quantity is given.
const SCALES: &str = "annual annually basis billion biweekly bn daily dozen fraction giga hourly hundred hundredth mega million mn \
    monthly nightly normalized pct per percent percentage permille quarterly rate ratio scaled tenth thousand \
    thousandth unit weekly yearly";

/// Directions, sides, and places in an order.
const DIRECTIONS: &str = "after ancestor arrival arrive ascending backward before begin beginning beneficiary bid bottom buy buyer \
    callee caller checkin checkout closing creditor current debit debtor depart departure descending dest \
    destination down downstream dropoff dst earlier earliest east end ending existing final finish first following \
    former forward from horizontal in inbound incoming index initial inner input into last later latest left lhs \
    local new newer newest next north off offset old older oldest onto opening origin original originator out \
    outbound outer outgoing output parent payee payer pickup preceding predecessor prev previous prior receiver \
    receiving recipient remote return reverse reversed rhs right sell seller sender sending since source south src \
    start starting successor target till to top towards until up updated upstream vertical west x y z";

/// Bounds.
const BOUNDS: &str = "above below beyond bound cap ceiling greater high higher highest largest least less limit longest low lower \
    lowest max maximal maximum min minimal minimum more most over quota shortest smallest threshold under upper \
    within";

/// Quantities that are made of others.
const QUANTITIES: &str = "accumulated actual aggregate average avg combined cumulative delta deviation difference estimated \
    expected gross length mean median net overall percentile projected remaining size std stddev subtotal sum \
    total variance weighted";

/// Selections from several things, and the extent of an action on them.
const SCOPES: &str = "all alternate alternative any anyone anything both bulk cascade deep default dry each either entire every \
    everyone everything everywhere exclusive fallback force forced global hard inclusive multiple neither none \
    only others partial permanent permanently recursive recursively secondary soft some whole";

/// The minimum length of a table word that has a plural with `s`.
const PLURAL_BYTES_MIN: usize = 4;

/// Returns the meaning-changing words of each of two names that the other does not have.
#[derive(Default)]
struct Apart {
    name: Vec<String>,
    other: Vec<String>,
}

impl Apart {
    fn of(name: &str, other: &str) -> Self {
        let (left, right) = (words(name), words(other));
        let rest = |of: &[String], than: &[String]| -> Vec<String> {
            let rest = of.iter().filter(|word| !than.contains(word));
            rest.filter(|word| is_one(word)).cloned().collect()
        };
        let (name, other) = (rest(&left, &right), rest(&right, &left));
        // `recipent_name` is a typing error, `timeout_s` is not `timeout_ms`.
        match left.len() == right.len() && (name.is_empty() || other.is_empty()) {
            true => Self::default(),
            false => Self { name, other },
        }
    }

    fn is_none(&self) -> bool {
        self.name.is_empty() && self.other.is_empty()
    }
}

/// Returns `true` if one of two names has a meaning-changing word that the other does not have.
pub(crate) fn are_apart(name: &str, other: &str) -> bool {
    !Apart::of(name, other).is_none()
}

/// Returns a declared name in backticks, with its difference from another name: "`amount_cents`
/// (cents)".
pub(crate) fn told(name: &str, declared: &str) -> String {
    let apart = Apart::of(name, declared);
    if apart.is_none() {
        return format!("`{declared}`");
    }
    let less = apart.name.iter().map(|word| format!("not {word}"));
    let words: Vec<_> = apart.other.iter().cloned().chain(less).collect();
    format!("`{declared}` ({})", words.join(", "))
}

/// Returns `true` if a word changes the meaning of a name.
pub(crate) fn is_one(word: &str) -> bool {
    static ALL: OnceLock<HashSet<&str>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let tables = [
            UNITS, CURRENCIES, SCALES, DIRECTIONS, BOUNDS, QUANTITIES, SCOPES,
        ];
        tables.iter().flat_map(|table| table.split(' ')).collect()
    });
    let singular = word.strip_suffix('s');
    let singular = singular.filter(|word| word.len() >= PLURAL_BYTES_MIN);
    all.contains(word) || singular.is_some_and(|word| all.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        for (name, declared, wanted) in [
            ("amount", "amount_cents", "`amount_cents` (cents)"),
            ("toAccount", "account", "`account` (not to)"),
            ("timeout_s", "timeoutMs", "`timeoutMs` (ms, not s)"),
            ("phone", "phoneNumber", "`phoneNumber`"),
            ("recipent_name", "recipient_name", "`recipient_name`"),
            ("news", "newsCategory", "`newsCategory`"),
        ] {
            assert_eq!(told(name, declared), wanted, "{name}");
        }
    }
}
