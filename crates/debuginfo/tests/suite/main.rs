//! Debug information of a module that is kept here, of modules compiled in the test, and of modules with mistakes.

mod compiled;
mod coverage;
mod hostile;
mod shapes;
mod tour;
