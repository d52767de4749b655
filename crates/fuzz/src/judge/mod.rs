//! Judges of the answers of solvers: [`oracle`] decides whether a reply is wrong and who confirms it, [`model`]
//! judges printed models, [`judged`] wraps a respondent so that its models are judged before use, and [`follow_up`]
//! pursues a defect with [`helpers`]; [`tree`] and [`tree_follow_up`] do so for scripts with theories that Sundry does not know.

pub(crate) mod defect;
pub(crate) mod evidence;
pub(crate) mod finding;
pub(crate) mod follow_up;
pub(crate) mod helpers;
pub(crate) mod judged;
pub(crate) mod model;
pub(crate) mod oracle;
pub(crate) mod slow;
pub(crate) mod tree;
pub(crate) mod tree_follow_up;
