//! `.gcno`: the graph of each function of an object, and the lines of its blocks.

use rustc_hash::FxHashMap;

use super::records::{ARCS, BLOCKS, FUNCTION, Fault, LINES, Reader};

/// A transition between blocks.
#[derive(Copy, Clone, Debug)]
pub struct Arc {
    pub source: u32,
    pub target: u32,
    /// Whether the arc has no counter, because its count follows from others.
    pub on_tree: bool,
}

/// Lines of one file in a block.
#[derive(Clone, Debug)]
pub struct Location {
    pub block: u32,
    /// The number of the file in the object.
    pub file: u32,
    /// The lines, in ascending order.
    pub lines: Vec<u32>,
}

/// A function: block 0 is its entry and block 1 its exit.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    pub ident: u32,
    /// The checksums of the lines and of the graph.
    pub checksums: [u32; 2],
    /// Whether the compiler has made the function; its lines do not count.
    pub artificial: bool,
    pub blocks: u32,
    /// All arcs in the order of their counters.
    pub arcs: Vec<Arc>,
    pub locations: Vec<Location>,
}

/// The contents of a `.gcno`.
#[derive(Default, Debug)]
pub struct Notes {
    pub stamp: u32,
    /// The folder in which the compiler ran.
    pub directory: String,
    /// The names of source files, as the compiler has written them.
    pub files: Vec<String>,
    pub functions: Vec<Graph>,
}

/// Reads a `.gcno`.
pub fn read(bytes: &[u8]) -> Result<Notes, Fault> {
    let mut reader = Reader::new(bytes, b"gcno")?;
    let directory = String::from_utf8_lossy(reader.text()?.unwrap_or_default()).into_owned();
    let _marks_unexecuted_blocks = reader.word()?;
    let mut notes = Notes { stamp: reader.stamp, directory, ..Notes::default() };
    let mut files = FxHashMap::default();
    let mut possible_blocks = bytes.len();
    while let Some((tag, _, mut record)) = reader.record()? {
        if tag == FUNCTION {
            notes.functions.push(function(&mut record)?);
            continue;
        }
        let Some(graph) = notes.functions.last_mut() else { continue };
        match tag {
            BLOCKS => {
                if graph.blocks != 0 {
                    return Err(Fault::Corrupt);
                }
                graph.blocks = record.word()?;
                // Each block but the exit has a record of its arcs, so a file has fewer blocks than bytes.
                possible_blocks = possible_blocks.checked_sub(graph.blocks as usize).ok_or(Fault::Corrupt)?;
            }
            ARCS => arcs(&mut record, graph)?,
            LINES => lines(&mut record, graph, &mut notes.files, &mut files)?,
            _ => {}
        }
    }
    for graph in &mut notes.functions {
        // The compiler writes them in this order, in which counters are numbered.
        graph.arcs.sort_by_key(|arc| arc.source);
    }
    Ok(notes)
}

fn function(record: &mut Reader<'_>) -> Result<Graph, Fault> {
    let ident = record.word()?;
    let checksums = [record.word()?, record.word()?];
    let _name = record.text()?;
    let artificial = record.word()? != 0;
    Ok(Graph { ident, checksums, artificial, ..Graph::default() })
}

fn arcs(record: &mut Reader<'_>, graph: &mut Graph) -> Result<(), Fault> {
    const ON_TREE: u32 = 1;
    let source = record.word()?;
    while !record.rest().is_empty() {
        let (target, flags) = (record.word()?, record.word()?);
        if source >= graph.blocks || target >= graph.blocks {
            return Err(Fault::Corrupt);
        }
        graph.arcs.push(Arc { source, target, on_tree: flags & ON_TREE != 0 });
    }
    Ok(())
}

fn lines<'a>(
    record: &mut Reader<'a>,
    graph: &mut Graph,
    names: &mut Vec<String>,
    files: &mut FxHashMap<&'a [u8], u32>,
) -> Result<(), Fault> {
    let block = record.word()?;
    if block >= graph.blocks {
        return Err(Fault::Corrupt);
    }
    let begin = graph.locations.len();
    loop {
        let line = record.word()?;
        if line != 0 {
            graph.locations[begin..].last_mut().ok_or(Fault::Corrupt)?.lines.push(line);
            continue;
        }
        let Some(name) = record.text()? else { break };
        let file = *files.entry(name).or_insert_with(|| {
            names.push(String::from_utf8_lossy(name).into_owned());
            names.len() as u32 - 1
        });
        graph.locations.push(Location { block, file, lines: Vec::new() });
    }
    for location in &mut graph.locations[begin..] {
        location.lines.sort_unstable();
    }
    Ok(())
}
