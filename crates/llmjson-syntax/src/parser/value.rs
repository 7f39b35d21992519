use super::*;
impl Reader<'_> {
    #[cold]
    pub(super) fn odd_value(&mut self, here: Here, _key: KeySpan, _byte: u8, k: usize) -> Odd {
        if _byte == b']' {
            Odd::Nothing(here, k)
        } else {
            Odd::End(here, k)
        }
    }
}
