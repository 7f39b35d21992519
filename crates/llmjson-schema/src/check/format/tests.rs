use super::*;

/// The verdict of `jsonschema` by itself.
fn oracle(name: &str, text: &str) -> bool {
    let options = jsonschema::options().should_validate_formats(true);
    let validator = options.build(&serde_json::json!({ "format": name }));
    validator.expect("a schema").is_valid(&text.into())
}

fn tells(name: &str, text: &str, formats: FormatStrictness) -> bool {
    let format = Format::named(name).expect("it is known");
    format.tells(text.as_bytes(), formats).unwrap_or(false)
}

type Texts = &'static [&'static str];

/// Strings with the strict format, lenient ones, and others.
const TEXTS: &[(&str, Texts, Texts, Texts)] = &[
    (
        "date",
        &[
            "2024-02-28",
            "2024-02-29",
            "2000-02-29",
            "0000-01-01",
            "2024-12-31",
        ],
        &[],
        &[
            "2024-02-30",
            "2023-02-29",
            "1900-02-29",
            "2024-04-31",
            "2024-13-01",
            "2024-00-10",
            "2024-01-00",
            "2024-01-32",
            "2024-1-1",
            "2024/01/01",
            "2024-01-01T00:00:00Z",
            "20240101",
            "",
            "tomorrow",
            "２024-01-01",
        ],
    ),
    (
        "time",
        &[
            "10:00:00Z",
            "10:00:00z",
            "10:00:00.125+01:00",
            "23:59:60Z",
            "00:59:60+01:00",
            "15:59:60-08:00",
        ],
        &[
            "10:00",
            "10:00:00",
            "10:00:00.5",
            "10:00Z",
            "10:00+02:00",
            "10:00:00+02",
            "10:00:00-0530",
            "10:00:00 +02:00",
            "23:59:60",
        ],
        &[
            "24:00:00Z",
            "10:60:00Z",
            "10:00:61Z",
            "10:00:60Z",
            "22:59:60",
            "9:00",
            "10",
            "10:0",
            "10:00:",
            "10:00:0",
            "10:00:00.",
            "10:00:00.Z",
            "10:00:00+2",
            "10:00:00+24:00",
            "10:00:00+02:60",
            "10:00 ",
            "10:00:00  Z",
            "10:00 pm",
            "10:00.5",
            "noon",
            "",
            "10:00:00ZZ",
            "10:00:00 UTC",
        ],
    ),
    (
        "date-time",
        &[
            "2024-02-28T10:31:00Z",
            "2024-02-28t10:31:00.125z",
            "2024-02-28T10:31:00+01:00",
            "2016-12-31T23:59:60Z",
        ],
        &[
            "2025-05-01T10:00:00",
            "2025-05-01 10:00:00",
            "2025-05-01T10:00",
            "2025-05-01 10:00",
            "2025-05-01 10:00:00Z",
            "2025-05-01 10:00:00+00",
            "2025-05-01T10:00:00.123456",
            "2025-05-01T10:00Z",
            "2025-05-01 10:00:00 -0700",
        ],
        &[
            "2025-13-01T10:00:00",
            "2025-02-30 10:00:00",
            "2025-05-01T24:00:00",
            "2025-05-01T10:61:00Z",
            "2025-05-01",
            "2025-05-01T",
            "2025-05-01 ",
            "2025-05-01T10",
            "2025-05-01  10:00:00",
            "10:00:00",
            "2025-05-01X10:00:00Z",
            "20250501T100000Z",
            "05/01/2025 10:00",
            "May 1, 2025",
            "2025-05-01T10:00:00Z ",
            "2025-05-0１T10:00:00Z",
            "",
            "today at noon",
        ],
    ),
    (
        "duration",
        &[
            "P1D",
            "PT1H30M",
            "P1Y2M3DT4H5M6S",
            "P2W",
            "PT0S",
            "P1M",
            "PT36H",
        ],
        &[
            "01:30:00",
            "1:30:00",
            "36:00:00",
            "00:00:01.5",
            "-01:30:00",
            "PT1.5S",
            "PT1,5S",
            "-PT5M",
            "+P1D",
            "P1Y3D",
            "PT1H5S",
            "P1W2D",
            "P1WT1H",
        ],
        &[
            "01:30",
            "1:2:3",
            "01:60:00",
            "01:00:60",
            ":30:00",
            "01:30:00.",
            "01:30:00Z",
            "P",
            "PT",
            "P1",
            "1D",
            "P1H",
            "PT1D",
            "P1D2Y",
            "P1DT",
            "PT1S2M",
            "PT1.5H2M",
            "PT.5S",
            "PT1.S",
            "P1D1D",
            "pt1h",
            "90 minutes",
            "",
            "-",
            "--PT1M",
            "PTT1M",
        ],
    ),
    (
        "uuid",
        &[
            "2f1c7c1e-56a8-4c1d-9a53-0d7b1f6a9c11",
            "2F1C7C1E-56A8-4C1D-9A53-0D7B1F6A9C11",
        ],
        &[
            "2f1c7c1e56a84c1d9a530d7b1f6a9c11",
            "urn:uuid:2f1c7c1e-56a8-4c1d-9a53-0d7b1f6a9c11",
        ],
        &[
            "2f1c7c1e-56a8-4c1d-9a53-0d7b1f6a9c1g",
            "2f1c7c1e056a8-4c1d-9a53-0d7b1f6a9c11",
            "2f1c7c1e56a84c1d9a530d7b1f6a9c1",
            "2f1c7c1e56a84c1d9a530d7b1f6a9c1g",
            "2f1c7c1e-56a84c1d9a530d7b1f6a9c1",
            "{2f1c7c1e-56a8-4c1d-9a53-0d7b1f6a9c11}",
            "urn:uuid:2f1c7c1e",
            "1234",
            "",
        ],
    ),
];

#[test]
fn formats_are_told_by_the_letter_and_as_they_are_meant() {
    for (name, letter, meant, others) in TEXTS {
        for text in *letter {
            assert!(
                tells(name, text, FormatStrictness::Strict),
                "{text:?} is a {name}"
            );
        }
        for text in letter.iter().chain(*meant) {
            assert!(
                tells(name, text, FormatStrictness::Lenient),
                "{text:?} is meant as a {name}"
            );
        }
        for text in *others {
            assert!(
                !tells(name, text, FormatStrictness::Lenient),
                "{text:?} is no {name}"
            );
        }
    }
}

#[test]
fn the_letter_is_that_of_the_oracle() {
    let texts = TEXTS
        .iter()
        .flat_map(|(_, letter, meant, others)| [letter, meant, others]);
    for text in texts.copied().flatten() {
        // `jsonschema` does not support the formats that only Rust libraries declare.
        let known =
            |(name, _): &(&str, Format)| !name.contains("partial-") && !name.contains("zoned-");
        for (name, _) in Format::DECIDED.into_iter().filter(known) {
            let ours = tells(name, text, FormatStrictness::Strict);
            assert_eq!(ours, oracle(name, text), "{name} of {text:?}");
        }
    }
}

#[test]
fn a_usual_email_is_one() {
    let texts = [
        "niamh@example.com",
        "a.b@c.de",
        "a@b",
        "a@b.c",
        "a..b@c.de",
        "@c.de",
        "a@.de",
        "a@1.2",
        "a@1.2a",
        "a@b.c@d.e",
        "é@b.de",
    ];
    let admitted = texts
        .iter()
        .filter(|text| tells("email", text, FormatStrictness::Lenient));
    assert!(
        admitted
            .inspect(|text| assert!(oracle("email", text), "{text}"))
            .count()
            > 2
    );
}

#[test]
fn what_is_only_meant_is_written_out() {
    for (format, text, expected) in [
        (
            Format::DateTime,
            "2021-06-05T04:36Z",
            "2021-06-05T04:36:00Z",
        ),
        (Format::DateTime, "2021-06-05 04:36", "2021-06-05T04:36:00"),
        (
            Format::DateTime,
            "2021-06-05 04:36:07.5 +02",
            "2021-06-05T04:36:07.5+02:00",
        ),
        (
            Format::DateTime,
            "2021-06-05t04:36+0230",
            "2021-06-05t04:36:00+02:30",
        ),
        (Format::Time, "04:36-05", "04:36:00-05:00"),
        (Format::PartialTime, "04:36", "04:36:00"),
        (
            Format::PartialDateTime,
            "2021-06-05 04:36:07",
            "2021-06-05T04:36:07",
        ),
        (
            Format::ZonedDateTime,
            "2021-06-05 04:36+02:00[Europe/Oslo]",
            "2021-06-05T04:36:00+02:00[Europe/Oslo]",
        ),
    ] {
        let written = format.written_out(text.as_bytes());
        assert_eq!(written.as_deref(), Some(expected), "{format:?} of {text}");
        assert!(
            format.written_out(expected.as_bytes()).is_none(),
            "{expected}"
        );
        assert_eq!(
            format.settles(text.as_bytes(), FormatStrictness::Lenient),
            Some(false)
        );
        assert_eq!(
            format.settles(text.as_bytes(), FormatStrictness::AsWritten),
            Some(true)
        );
        assert_eq!(
            format.settles(expected.as_bytes(), FormatStrictness::Lenient),
            Some(true)
        );
    }
    for (format, text) in [
        (Format::DateTime, "2021-06-05T04:36:00"),
        (Format::DateTime, "2021-06-05"),
        (Format::Uuid, "c12fefef1c1b4d6a9a0f7a1f2d3e4c5b"),
        (Format::Duration, "1:30:00"),
        (Format::Time, "25:00"),
    ] {
        assert_eq!(
            format.written_out(text.as_bytes()),
            None,
            "{format:?} of {text}"
        );
    }
}

#[test]
fn local_times_and_times_with_a_zone_are_told_apart() {
    use Format::*;
    for (format, text, fit) in [
        (PartialTime, "04:36:00", Some(true)),
        (PartialTime, "04:36:00.25", Some(true)),
        (PartialTime, "04:36", Some(false)),
        (PartialTime, "04:36:00Z", None),
        (PartialTime, "04:36:00+02:00", None),
        (PartialDateTime, "2021-06-05T04:36:00", Some(true)),
        (PartialDateTime, "2021-06-05 04:36:00", Some(false)),
        (PartialDateTime, "2021-06-05T04:36:00Z", None),
        (PartialDateTime, "2021-06-05", None),
        (PartialDateTime, "anything", None),
        (
            ZonedDateTime,
            "2021-06-05T04:36:00+02:00[Europe/Oslo]",
            Some(true),
        ),
        (
            ZonedDateTime,
            "2021-06-05T04:36:00Z[UTC][u-ca=hebrew]",
            Some(true),
        ),
        (
            ZonedDateTime,
            "2021-06-05T04:36:00[Europe/Oslo]",
            Some(false),
        ),
        (ZonedDateTime, "2021-06-05T04:36:00+02:00", None),
        (ZonedDateTime, "2021-06-05T04:36:00[]", None),
        (ZonedDateTime, "2021-06-05T04:36:00[Oslo", None),
    ] {
        let tells = |formats| format.tells(text.as_bytes(), formats);
        assert_eq!(
            tells(FormatStrictness::Lenient),
            Some(fit.is_some()),
            "{format:?} of {text}"
        );
        assert_eq!(
            tells(FormatStrictness::Strict),
            Some(fit == Some(true)),
            "{format:?} of {text}"
        );
    }
}
