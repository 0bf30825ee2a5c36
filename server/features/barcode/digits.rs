//! What a guest or a scanner has read as a barcode: 8 or 13 digits with their check digit (BC-01, BC-02, BC-11, ZZ-04).

use crate::upstream::Barcode;

/// Why it is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misread {
    /// Digits are missing, or there are too many: "enter correctly".
    Incomplete,
    /// Letters, or a check digit that does not fit: "wrong barcode".
    Wrong,
}

/// Reads a barcode as it was typed, pasted or scanned: spaces and hyphens stand between groups. Twelve digits are a UPC-A
/// and get the zero that makes them an EAN-13; eight may be an EAN-8 or a UPC-E, which is a UPC-A in short, and some are
/// both: what they may mean, the likeliest first. Leading zeros stay: it is a text.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str) -> Result<Vec<Barcode>, Misread> {
    let digits: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '-')
        .collect();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Misread::Wrong);
    }
    let whole = match digits.len() {
        8 | 13 => digits.clone(),
        12 => format!("0{digits}"),
        _ => return Err(Misread::Incomplete),
    };
    let read: Vec<Barcode> = [Some(whole), upc_e(&digits)]
        .into_iter()
        .flatten()
        .filter(|digits| checks(digits))
        .filter_map(|digits| digits.parse().ok())
        .collect();
    if read.is_empty() {
        Err(Misread::Wrong)
    } else {
        Ok(read)
    }
}

/// Whether the last digit is the check digit of the others: three times each second one from the right.
fn checks(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .zip([1, 3].into_iter().cycle())
        .map(|(byte, weight)| u32::from(byte - b'0') * weight)
        .sum();
    sum.is_multiple_of(10)
}

/// A UPC-E written out: the last of its six digits says where zeros were left out.
fn upc_e(digits: &str) -> Option<String> {
    let [system @ (b'0' | b'1'), a, b, c, d, e, last, check] = *digits.as_bytes() else {
        return None;
    };
    let (maker, product) = match last {
        b'0'..=b'2' => ([a, b, last, b'0', b'0'], [b'0', b'0', c, d, e]),
        b'3' => ([a, b, c, b'0', b'0'], [b'0', b'0', b'0', d, e]),
        b'4' => ([a, b, c, d, b'0'], [b'0', b'0', b'0', b'0', e]),
        _ => ([a, b, c, d, e], [b'0', b'0', b'0', b'0', last]),
    };
    let all = [b"0".as_slice(), &[system], &maker, &product, &[check]].concat();
    String::from_utf8(all).ok()
}

#[cfg(test)]
mod tests {
    use super::{Misread, read};

    /// The likeliest meaning.
    fn digits(text: &str) -> Result<String, Misread> {
        let all = read(text)?;
        Ok(all[0].as_str().to_owned())
    }

    #[test]
    fn eight_and_thirteen_digits_are_read_as_they_stand() {
        for text in ["4870000130016", "96385074", "0012345678905"] {
            assert_eq!(digits(text).as_deref(), Ok(text));
        }
        assert_eq!(digits(" 4 870000-130016 ").as_deref(), Ok("4870000130016"));
    }

    #[test]
    fn a_upc_gets_its_zero_and_a_short_one_is_written_out() {
        assert_eq!(digits("036000291452").as_deref(), Ok("0036000291452"));
        for (short, long) in [
            ("01234565", "0012345000065"),
            ("04252614", "0042100005264"),
            ("01234133", "0012300000413"),
            ("01234543", "0012340000053"),
        ] {
            let all = read(short).unwrap();
            assert!(
                all.iter().any(|one| one.as_str() == long),
                "{short}: {all:?}"
            );
        }
        // Both: as it stands first.
        assert_eq!(digits("01234565").as_deref(), Ok("01234565"));
    }

    #[test]
    fn a_wrong_check_digit_and_letters_are_wrong_and_too_few_digits_incomplete() {
        for text in [
            "4870000130017",
            "ABC-1234",
            "487000013001X",
            "96385075",
            "٤٨٧٠٠٠٠١",
        ] {
            assert_eq!(digits(text), Err(Misread::Wrong), "{text}");
        }
        for text in ["", "1", "4870000", "48700001300", "48700001300161"] {
            assert_eq!(digits(text), Err(Misread::Incomplete), "{text}");
        }
    }
}
