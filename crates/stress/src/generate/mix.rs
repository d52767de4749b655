//! The origins of the inputs of a first generation, as shares: `generators=60,random=20,seeds=20`.

use std::fmt;
use std::str::FromStr;

/// The shares of the origins; only their ratio counts.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mix {
    /// The share of inputs in the shapes of StringFuzz.
    pub generators: u32,
    /// The share of random formulas.
    pub random: u32,
    /// The share of seeds.
    pub seeds: u32,
}

/// A text that is no mix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MixError {
    /// A part is not of the form `NAME=NUMBER` with a name that is known and a number of at most nine digits.
    Part(String),
    /// An origin has two shares.
    Twice(String),
    /// No origin has a share.
    Nothing,
}

impl fmt::Display for MixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MixError::Part(part) => write!(
                f,
                "'{part}' is no share of the first generation; a mix is, for example, 'generators=60,random=20,seeds=20'"
            ),
            MixError::Twice(name) => write!(f, "the mix has two shares of {name}"),
            MixError::Nothing => f.write_str("the mix is empty: at least one share has to be greater than 0"),
        }
    }
}

impl std::error::Error for MixError {}

impl Mix {
    /// The mix where nobody asks for one. Strings come from generators, as in the paper, with some random formulas; other logics
    /// have no generators. Seeds, where there are some, make one half.
    pub fn usual(has_strings: bool, has_seeds: bool) -> Mix {
        let (generators, random) = if has_strings { (80, 20) } else { (0, 100) };
        Mix { generators, random, seeds: if has_seeds { 100 } else { 0 } }
    }

    /// The numbers of inputs of each origin among so many, in the order of the fields: the shares rounded down, and what remains
    /// goes to the largest remainders.
    pub(crate) fn counts(self, size: usize) -> [usize; 3] {
        let shares = [self.generators, self.random, self.seeds].map(u128::from);
        let total = shares.iter().sum::<u128>().max(1);
        let exact = shares.map(|share| share * size as u128);
        let mut counts = exact.map(|exact| (exact / total) as usize);
        let mut order = [0, 1, 2];
        order.sort_by_key(|&origin| std::cmp::Reverse(exact[origin] % total));
        let rest = size.saturating_sub(counts.iter().sum());
        order.iter().take(rest).for_each(|&origin| counts[origin] += 1);
        counts
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "generators={},random={},seeds={}", self.generators, self.random, self.seeds)
    }
}

impl FromStr for Mix {
    type Err = MixError;

    /// Reads what is printed. An origin that is not named has no share.
    fn from_str(text: &str) -> Result<Mix, MixError> {
        let mut shares: [Option<u32>; 3] = [None; 3];
        for part in text.split(',') {
            let wrong = || MixError::Part(part.to_string());
            let (name, number) = part.split_once('=').ok_or_else(wrong)?;
            let origin = ["generators", "random", "seeds"].iter().position(|&known| known == name);
            let origin = origin.ok_or_else(wrong)?;
            if number.is_empty() || number.len() > 9 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(wrong());
            }
            let number = number.parse().map_err(|_| wrong())?;
            if shares[origin].replace(number).is_some() {
                return Err(MixError::Twice(name.to_string()));
            }
        }
        let [generators, random, seeds] = shares.map(Option::unwrap_or_default);
        if (generators, random, seeds) == (0, 0, 0) {
            return Err(MixError::Nothing);
        }
        Ok(Mix { generators, random, seeds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read() {
        for (text, [generators, random, seeds]) in [
            ("generators=60,random=20,seeds=20", [60, 20, 20]),
            ("seeds=1", [0, 0, 1]),
            ("random=3,generators=0", [0, 3, 0]),
        ] {
            let mix: Mix = text.parse().expect(text);
            assert_eq!(mix, Mix { generators, random, seeds });
            assert_eq!(mix.to_string().parse(), Ok(mix));
        }
    }

    #[test]
    fn mistakes_have_their_reason() {
        let error = |text: &str| text.parse::<Mix>().expect_err(text);
        for text in
            ["", "random", "random=", "random=-1", "random=+1", "rnd=3", "random=3,", "random=1234567890"]
        {
            assert!(matches!(error(text), MixError::Part(_)), "{text}");
        }
        assert_eq!(error("random=1,random=2"), MixError::Twice("random".to_string()));
        assert_eq!(error("random=0"), MixError::Nothing);
    }

    #[test]
    fn counts_follow_the_shares_and_add_up() {
        let counts = |text: &str, size| text.parse::<Mix>().expect(text).counts(size);
        assert_eq!(counts("generators=60,random=20,seeds=20", 40), [24, 8, 8]);
        assert_eq!(counts("generators=1,random=1,seeds=1", 40), [14, 13, 13]);
        assert_eq!(counts("random=999999999,seeds=999999999", 3), [0, 2, 1]);
        assert_eq!(counts("seeds=5", 0), [0, 0, 0]);
    }
}
