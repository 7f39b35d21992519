use super::*;

fn read(text: &str, format: Format) -> Result<String, Miss> {
    super::read(text, format).map(|(written, _)| written)
}

#[test]
fn dates_are_read_in_every_order_that_leaves_no_doubt() {
    for text in [
        "2026/03/05",
        "March 5, 2026.",
        "2026.03.05",
        "2026-3-5",
        "20260305",
        "March 5, 2026",
        "March 5th, 2026",
        "Mar 5 2026",
        "MAR. 5, 2026",
        "5 March 2026",
        "5th of March, 2026",
        "the 5th of March 2026",
        "5-Mar-2026",
        "Mar-05-2026",
        "05-MAR-2026",
        "Thursday, March 5, 2026",
        "Thu, 05 Mar 2026",
        "Thu 5 Mar 2026",
        "2026-03-05T00:00:00Z",
        "2026-03-05 00:00:00",
        "5. March 2026",
        "1772668800",
        "1772668800000",
    ] {
        assert_eq!(
            read(text, Format::Date),
            Ok("2026-03-05".to_owned()),
            "{text}"
        );
    }
    for (text, date) in [
        ("13/03/2026", "2026-03-13"),
        ("03/13/2026", "2026-03-13"),
        ("05/05/2026", "2026-05-05"),
        ("31.12.2026", "2026-12-31"),
        ("29/02/2024", "2024-02-29"),
    ] {
        assert_eq!(read(text, Format::Date), Ok(date.to_owned()), "{text}");
    }
}

#[test]
fn what_could_be_two_dates_is_none() {
    for text in ["03/05/2026", "3-5-2026", "01/12/2026"] {
        assert_eq!(read(text, Format::Date), Err(Miss::Ambiguous), "{text}");
        let clock = format!("{text} 10:00");
        assert_eq!(
            read(&clock, Format::DateTime),
            Err(Miss::Ambiguous),
            "{clock}"
        );
    }
    for text in [
        "May",
        "March 2026",
        "2026",
        "2026-03",
        "5 March",
        "March 5",
        "13/13/2026",
        "30/02/2026",
        "Friday, March 5, 2026",
        "tomorrow",
        "next Friday",
        "Q1 2026",
        "03/05/26",
        "2026-13-05",
        "2026-02-30",
        "March 5, 2026 to March 7, 2026",
        "March 5-7, 2026",
        "March 5-2026",
        "5 Marsh 2026",
        "20261305",
        "2026-03-05T10:00:00Z",
        "1772668801",
        "12345",
        "about March 5, 2026",
        "2026/03-05",
        "March 5, 2026?",
        "1.2.3",
        "192.168.0.1",
        "",
        "5 5 2026",
        "0",
    ] {
        assert_eq!(read(text, Format::Date), Err(Miss::Other), "{text}");
    }
}

#[test]
fn times_keep_their_zone_and_get_none() {
    for (text, time) in [
        ("3:30 PM", "15:30:00"),
        ("3:30pm", "15:30:00"),
        ("3 p.m.", "15:00:00"),
        ("12 AM", "00:00:00"),
        ("12:05 PM", "12:05:00"),
        ("9:05", "09:05:00"),
        ("3:30:15.250 PM UTC", "15:30:15.250Z"),
        ("3:30 PM EST", "15:30:00-05:00"),
        ("15:30:00 GMT+2", "15:30:00+02:00"),
        ("T15:30:00Z", "15:30:00Z"),
        ("1530Z", "15:30:00Z"),
        ("1530 UTC", "15:30:00Z"),
    ] {
        assert_eq!(read(text, Format::Time), Ok(time.to_owned()), "{text}");
    }
    for text in [
        "13 PM",
        "1530",
        "2560Z",
        "t",
        "0:30 AM",
        "25:00",
        "10:60",
        "3",
        "noon",
        "3-4 PM",
        "3 PM CET",
        "12:30 XM",
        "3 PM or 4 PM",
    ] {
        assert_eq!(read(text, Format::Time), Err(Miss::Other), "{text}");
    }
}

#[test]
fn dates_with_times_are_read_together() {
    for (text, expected) in [
        ("Thu, 05 Mar 2026 10:30:00 GMT", "2026-03-05T10:30:00Z"),
        (
            "Thu, 05 Mar 2026 10:30:00 +0100",
            "2026-03-05T10:30:00+01:00",
        ),
        ("5 Mar 2026 10:30:00 PST", "2026-03-05T10:30:00-08:00"),
        ("March 5th, 2026 at 3:30 PM", "2026-03-05T15:30:00"),
        ("March 5, 2026, 3 PM UTC", "2026-03-05T15:00:00Z"),
        ("3:30 PM on March 5, 2026", "2026-03-05T15:30:00"),
        ("2026/03/05 10:30", "2026-03-05T10:30:00"),
        ("2026/03/05 10:30:00", "2026-03-05T10:30:00"),
        ("20260305T103000Z", "2026-03-05T10:30:00Z"),
        ("13/03/2026 10:30:00Z", "2026-03-13T10:30:00Z"),
        ("1772706600123", "2026-03-05T10:30:00.123Z"),
        ("1772706600.5", "2026-03-05T10:30:00.5Z"),
    ] {
        assert_eq!(
            read(text, Format::DateTime),
            Ok(expected.to_owned()),
            "{text}"
        );
    }
    for text in [
        "March 5, 2026",
        "3:30 PM",
        "Fri, 05 Mar 2026 10:30:00 GMT",
        "12",
        "20260305",
        "5 Mar 2026 10:30:00 CET",
        "March 5, 2026 3:30 PM or 4 PM",
        "Fri Mar 5 10:30:00 2026",
        "Mar 10:30 2026",
    ] {
        let read = read(text, Format::DateTime);
        assert!(read.is_err(), "{text} {read:?}");
    }
}

#[test]
fn dots_stand_behind_the_day_first() {
    for (text, date, evidence) in [
        ("05.03.2026", "2026-03-05", Evidence::Dots),
        ("5.3.2026", "2026-03-05", Evidence::Dots),
        ("13.03.2026", "2026-03-13", Evidence::Whole),
        ("Thu, 05.03.2026", "2026-03-05", Evidence::Whole),
        ("03.13.2026", "2026-03-13", Evidence::Whole),
    ] {
        let expected = Ok((date.to_owned(), evidence));
        assert_eq!(super::read(text, Format::Date), expected, "{text}");
    }
    assert_eq!(
        super::read("05.03.2026 10:00", Format::DateTime),
        Ok(("2026-03-05T10:00:00".to_owned(), Evidence::Dots))
    );
    assert!(read("Fri, 05.03.2026", Format::Date).is_err());
}

#[test]
fn a_day_alone_is_midnight_as_iso_8601_writes_it() {
    for format in [Format::DateTime, Format::PartialDateTime] {
        let expected = Ok(("2026-03-05T00:00:00".to_owned(), Evidence::Midnight));
        assert_eq!(super::read("2026-03-05", format), expected);
        for text in ["March 5, 2026", "2026/03/05", "20260305", "05.03.2026"] {
            assert!(read(text, format).is_err(), "{text}");
        }
    }
}

#[test]
fn local_times_have_no_offset() {
    for (text, time) in [("3:30 pm", "15:30:00"), ("15:30", "15:30:00")] {
        assert_eq!(
            read(text, Format::PartialTime),
            Ok(time.to_owned()),
            "{text}"
        );
    }
}
