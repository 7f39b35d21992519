use super::*;
impl Reader<'_> {
    pub(super) fn reply(&mut self) -> bool {
        let (b, k) = skip_space(self.bytes, 0);
        if b == 0 {
            return true;
        }
        let r = self.value(k);
        if self.limit.is_none() && !self.tape.nodes.is_empty() {
            self.tape.root = 0;
        }
        r.complete
    }
}
