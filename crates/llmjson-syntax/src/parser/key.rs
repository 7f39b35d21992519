use super::*;
impl Reader<'_> {
    #[cold]
    pub(super) fn odd_key(&mut self, here: Here, _byte: u8, k: usize) -> Keyed {
        if _byte == b'}' {
            Keyed::Nothing(here, k)
        } else {
            Keyed::End(here, k)
        }
    }
    #[cold]
    pub(super) fn odd_colon(&mut self, here: Here, _key: KeySpan, _byte: u8, k: usize) -> Keyed {
        Keyed::End(here, k)
    }
}
