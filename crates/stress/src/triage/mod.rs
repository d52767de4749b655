//! Following up slow inputs: confirmation under a long limit, reduction, older releases, groups.

pub(crate) mod finding;
pub(crate) mod follow_up;
pub(crate) mod reduction;
pub(crate) mod slow_here;
