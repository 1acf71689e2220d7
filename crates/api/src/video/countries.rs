//! The officially assigned country codes of ISO 3166-1 alpha-2. Rule EDIT-27.

/// All 249, ascending.
const CODES: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY \
    BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK \
    FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR \
    IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK \
    ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM \
    PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF \
    TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/// Whether two capitals are the code of a country.
pub(super) fn is_country(code: &str) -> bool {
    code.len() == 2 && CODES.split(' ').any(|known| known == code)
}

/// The country that is probably intended by a code that is often confused with its own.
pub(super) fn meant(code: &str) -> Option<&'static str> {
    const OFTEN: &[(&str, &str)] = &[
        ("UK", "GB"),
        ("EN", "GB"),
        ("EL", "GR"),
        ("SF", "FI"),
        ("SU", "RU"),
    ];
    OFTEN
        .iter()
        .find(|(wrong, _)| *wrong == code)
        .map(|(_, right)| *right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_249_countries_are_in_order() {
        let codes: Vec<&str> = CODES.split(' ').collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(
            codes
                .iter()
                .all(|code| code.len() == 2
                    && code.bytes().all(|letter| letter.is_ascii_uppercase()))
        );
        assert!(is_country("DE") && !is_country("UK") && !is_country("de") && !is_country("D E"));
        assert!(["UK", "EL"].into_iter().filter_map(meant).all(is_country));
    }
}
