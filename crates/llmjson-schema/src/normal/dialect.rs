//! The dialects that `$schema` names, as far as they differ here.

/// The dialect that a resource declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Drafts 4 to 7: a reference replaces its whole subschema. In draft 4 identifiers are `id`.
    Draft4,
    Draft6Or7,
    Draft2019,
    /// The latest draft, also the default.
    #[default]
    Latest,
}

impl Dialect {
    /// The dialect named by a `$schema`; `None` if it is not supported here. The meaning of
    /// keywords in a custom meta-schema is unknown without it.
    pub(super) fn named(uri: &str) -> Option<Self> {
        let uri = uri.trim_end_matches('#').trim_end_matches('/');
        let place = uri
            .strip_prefix("https://")
            .or_else(|| uri.strip_prefix("http://"))?;
        Some(match place {
            "json-schema.org/draft-04/schema" => Self::Draft4,
            "json-schema.org/draft-06/schema" | "json-schema.org/draft-07/schema" => {
                Self::Draft6Or7
            }
            "json-schema.org/draft/2019-09/schema" => Self::Draft2019,
            "json-schema.org/draft/2020-12/schema"
            | "json-schema.org/schema"
            | "spec.openapis.org/oas/3.1/dialect/base"
            | "spec.openapis.org/oas/3.1/schema-base" => Self::Latest,
            _ => return None,
        })
    }

    /// Returns `true` if keywords next to a reference are ignored.
    pub(super) fn has_lone_references(self) -> bool {
        matches!(self, Self::Draft4 | Self::Draft6Or7)
    }
}
