//! The hash by which a page names its scripts to a browser.

/// Returns the SHA-256 of bytes, as FIPS 180-4 has it. It is slow: scripts of pages are short.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let primes = (2_u64..).filter(|n| (2..*n).all(|d| n % d != 0)).take(64);
    let primes: Vec<u64> = primes.collect();
    // The first bits behind the point of roots of primes, by whole numbers.
    let root = |prime: u64, power: u32| {
        let scaled = u128::from(prime) << (32 * power);
        let (mut low, mut high) = (0_u128, 1_u128 << 40);
        while low + 1 < high {
            let middle = u128::midpoint(low, high);
            match middle.pow(power) <= scaled {
                true => low = middle,
                false => high = middle,
            }
        }
        low as u32
    };
    let k: Vec<u32> = primes.iter().map(|prime| root(*prime, 3)).collect();
    let mut state: Vec<u32> = primes[..8].iter().map(|prime| root(*prime, 2)).collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - bytes.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let length = padded.len();
    padded[length - 8..].copy_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let words = block.chunks(4);
        let mut w: Vec<u32> = words
            .map(|word| u32::from_be_bytes(word.try_into().expect("four bytes")))
            .collect();
        for at in 16..64 {
            let (x, y) = (w[at - 15], w[at - 2]);
            let x = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let y = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            let sum = w[at - 16].wrapping_add(x).wrapping_add(w[at - 7]);
            w.push(sum.wrapping_add(y));
        }
        let mut s = state.clone();
        for at in 0..64 {
            let (a, e) = (s[0], s[4]);
            let one = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & s[5]) ^ (!e & s[6]);
            let sum = s[7].wrapping_add(one).wrapping_add(choice);
            let sum = sum.wrapping_add(k[at]).wrapping_add(w[at]);
            let two = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let most = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(sum);
            s[0] = sum.wrapping_add(two.wrapping_add(most));
        }
        for (state, s) in state.iter_mut().zip(s) {
            *state = state.wrapping_add(s);
        }
    }
    let bytes: Vec<u8> = state.iter().flat_map(|word| word.to_be_bytes()).collect();
    bytes.try_into().expect("32 bytes")
}

/// Encodes bytes as Base64 with padding, as RFC 4648 has it.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at > three.len() {
                '='
            } else {
                char::from(sign)
            });
        }
    }
    out
}
