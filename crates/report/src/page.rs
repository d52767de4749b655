//! Pages in HTML: what all of them have in common. Whatever others have written goes into them through
//! [`html`].

use crate::untrusted::html;

/// The style of text and tables. A table takes the whole width; columns of numbers are aligned to the right.
const STYLE: &str = "body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #ccc; padding: .3em .6em; text-align: left; vertical-align: top }
td.number, th.number { text-align: right }
pre { margin: .3em 0; overflow-x: auto }";

/// A page with this title, which is also its heading. The style adds to that of all pages, the body is HTML.
pub fn page(title: &str, style: &str, body: &str) -> String {
    let title = html(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>\n{STYLE}\n{style}\n</style></head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}
