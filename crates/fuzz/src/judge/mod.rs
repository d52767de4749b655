//! Judging what solvers answer: whether a reply is wrong and who confirms that ([`oracle`]), whether a printed model is one
//! ([`model`]), whose models are judged before anybody believes them ([`judged`]), and what is done about a defect ([`follow_up`]).

pub(crate) mod defect;
pub(crate) mod finding;
pub(crate) mod follow_up;
pub(crate) mod judged;
pub(crate) mod model;
pub(crate) mod oracle;
