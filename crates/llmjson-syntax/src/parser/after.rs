use super::*;
impl Reader<'_> {
    #[cold]
    pub(super) fn odd_after(&mut self, here: Here, _byte: u8, k: usize) -> Next {
        Next::End(here, k)
    }
}
