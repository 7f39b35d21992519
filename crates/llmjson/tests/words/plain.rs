//! Words that no comment may hold.
