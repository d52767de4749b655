//! Arguments, environment and seed of a program: all that it sees and its input does not change.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sundry_explore::WorldOptions;

use crate::arguments::ExploreArguments;

/// The part of a world that does not change, as tests keep it.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
pub struct FixedWorld {
    /// Arguments with fixed values, which come after the symbolic ones.
    pub arguments: Vec<String>,
    /// Variables of the environment, as `NAME=VALUE`.
    pub environment: Vec<String>,
    /// The seed of random bytes.
    pub seed: u64,
}

impl FixedWorld {
    /// The part that the command line names.
    pub fn of(arguments: &ExploreArguments) -> FixedWorld {
        FixedWorld {
            arguments: arguments.arguments.clone(),
            environment: arguments.env.clone(),
            seed: arguments.seed,
        }
    }

    /// The same, with what another one says where nothing is said here.
    pub fn or(self, other: FixedWorld) -> FixedWorld {
        FixedWorld {
            arguments: if self.arguments.is_empty() { other.arguments } else { self.arguments },
            environment: if self.environment.is_empty() { other.environment } else { self.environment },
            seed: if self.seed == 0 { other.seed } else { self.seed },
        }
    }

    /// The world of a program with so many symbolic arguments, which is called as its module.
    pub fn options(self, module: &Path, symbolic: usize) -> WorldOptions {
        let name = module.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let symbolic = std::iter::repeat_n(None, symbolic);
        WorldOptions {
            arguments: [name]
                .into_iter()
                .chain(symbolic)
                .chain(self.arguments.into_iter().map(Some))
                .collect(),
            environment: self.environment,
            seed: self.seed,
            status_matters: false,
        }
    }
}

impl From<&WorldOptions> for FixedWorld {
    fn from(world: &WorldOptions) -> FixedWorld {
        FixedWorld {
            arguments: world.arguments.iter().skip(1).flatten().cloned().collect(),
            environment: world.environment.clone(),
            seed: world.seed,
        }
    }
}
