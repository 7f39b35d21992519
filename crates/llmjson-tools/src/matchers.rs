//! Ready-made matchers. None is active unless you add it to [`Extensions`](super::Extensions).

/// Implements the setters and [`FieldMatcher`](super::FieldMatcher) for a matcher with the fields
/// `threshold` and `margin` and a method `scorer`, which returns a function from a field to its
/// score.
macro_rules! impl_matcher {
    ($matcher:ty, $layer:expr) => {
        impl $matcher {
            /// Sets the lowest score that matches, from 0 to 1.
            pub fn with_threshold(mut self, threshold: f64) -> Self {
                self.threshold = threshold;
                self
            }

            /// Sets the minimum difference between the highest score and the second highest.
            pub fn with_margin(mut self, margin: f64) -> Self {
                self.margin = margin;
                self
            }
        }

        impl $crate::extend::FieldMatcher for $matcher {
            fn name(&self) -> &str {
                $layer.name()
            }

            fn candidates(
                &self,
                name: &str,
                value: ValueRef<'_>,
                open: &[Field<'_>],
            ) -> Vec<$crate::extend::FieldCandidate> {
                let scores = open.iter().map(self.scorer(name, value)).enumerate();
                let candidates = scores.filter_map(|(field, score)| {
                    let score = score?;
                    Some($crate::extend::FieldCandidate::new(field, score))
                });
                candidates.collect()
            }

            fn threshold(&self) -> f64 {
                self.threshold
            }

            fn margin(&self) -> f64 {
                self.margin
            }

            fn layer(&self) -> Layer {
                $layer
            }
        }
    };
}

mod contextual;
mod fuzzy;
mod semantic;

pub use contextual::Contextual;
pub use fuzzy::Fuzzy;
pub use semantic::Semantic;
