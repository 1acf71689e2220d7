//! The quantile function of the normal distribution.
//!
//! Algorithm AS 241 (PPND16) of M. J. Wichura, Applied Statistics 37 (1988), exact to about 16
//! digits. Crates that have this function compute it with the platform's logarithm, whose last bit
//! differs between systems.

#![expect(
    clippy::disallowed_types,
    reason = "distributions are formulas over real numbers"
)]
#![expect(
    clippy::excessive_precision,
    reason = "the coefficients are as published"
)]

/// A ratio of two polynomials of degree 7, coefficients from the highest power down.
type Ratio = ([f64; 8], [f64; 8]);

/// For the middle of the distribution.
const MIDDLE: Ratio = (
    [
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ],
    [
        5226.495278852545925,
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ],
);

/// For its sides.
const SIDE: Ratio = (
    [
        7.7454501427834140764e-4,
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ],
    [
        1.05075007164441684324e-9,
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ],
);

/// For its far ends.
const END: Ratio = (
    [
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182650489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ],
    [
        2.04426310338993978564e-15,
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ],
);

fn at(ratio: &Ratio, x: f64) -> f64 {
    let polynomial =
        |coefficients: &[f64; 8]| coefficients.iter().fold(0.0, |sum, each| sum * x + each);
    polynomial(&ratio.0) / polynomial(&ratio.1)
}

/// The value below which a share of the standard normal distribution lies; the share is strictly
/// between 0 and 1.
pub(super) fn quantile(share: f64) -> f64 {
    let off = share - 0.5;
    if off.abs() <= 0.425 {
        return off * at(&MIDDLE, 0.180_625 - off * off);
    }
    let tail = if off < 0.0 { share } else { 1.0 - share };
    let root = (-libm::log(tail)).sqrt();
    let size = if root <= 5.0 {
        at(&SIDE, root - 1.6)
    } else {
        at(&END, root - 5.0)
    };
    if off < 0.0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (share, value) in [
            (0.5, 0.0),
            (0.841_344_746_068_543, 1.0),
            (0.95, 1.644_853_626_951_472_7),
            (0.975, 1.959_963_984_540_054),
            (0.001, -3.090_232_306_167_813_5),
            (1e-15, -7.941_345_326_170_997),
        ] {
            assert!(
                (quantile(share) - value).abs() < 1e-12,
                "{share}: {}",
                quantile(share)
            );
        }
    }
}
