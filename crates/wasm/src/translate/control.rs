//! Blocks, branches and calls.

use wasmparser::{BlockType, BrTable};

use super::Translator;
use crate::code::Instruction;

/// A jump whose target is not known yet.
enum Pending {
    /// The instruction at this position.
    Instruction(u32),
    /// The entry of this number among the targets of tables.
    Target(u32),
}

/// A block that is open.
pub(super) struct Frame {
    kind: Kind,
    /// The height of the stack below its parameters.
    height: u32,
    parameters: u32,
    results: u32,
    /// Jumps to its end, or for `if`, also the one to its `else`.
    pending: Vec<Pending>,
    otherwise: Option<Pending>,
    /// Whether its end is reached by a jump.
    is_target: bool,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Function,
    Block,
    /// The position of the first instruction.
    Loop(u32),
    If,
}

impl Frame {
    pub(super) fn function(results: u32) -> Self {
        Frame::new(Kind::Function, 0, (0, results))
    }

    fn new(kind: Kind, height: u32, (parameters, results): (u32, u32)) -> Self {
        Frame { kind, height, parameters, results, pending: Vec::new(), otherwise: None, is_target: false }
    }

    /// The number of operands that a jump to the label carries.
    fn carried(&self) -> u32 {
        if matches!(self.kind, Kind::Loop(_)) { self.parameters } else { self.results }
    }
}

impl Translator<'_> {
    fn arities(&self, block: BlockType) -> (u32, u32) {
        match block {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => {
                let signature = &self.module.signatures[self.module.canonical_type(index) as usize];
                (signature.parameters.len() as u32, signature.results.len() as u32)
            }
        }
    }

    pub(super) fn become_unreachable(&mut self) {
        self.unreachable_blocks = Some(0);
        let frame = self.control.last().expect("a block is open");
        let height = frame.height;
        self.stack.truncate(height);
    }

    pub(super) fn block(&mut self, block: BlockType) {
        let (parameters, results) = self.arities(block);
        self.with_stack(|stack, code| stack.release_all(code));
        self.last_result = None;
        let height = self.stack.height() - parameters;
        self.control.push(Frame::new(Kind::Block, height, (parameters, results)));
    }

    pub(super) fn begin_loop(&mut self, block: BlockType) {
        let (parameters, results) = self.arities(block);
        self.with_stack(|stack, code| {
            stack.release_all(code);
            stack.settle(parameters, code);
        });
        self.label();
        let height = self.stack.height() - parameters;
        let kind = Kind::Loop(self.position());
        self.control.push(Frame::new(kind, height, (parameters, results)));
    }

    pub(super) fn begin_if(&mut self, block: BlockType) {
        let (parameters, results) = self.arities(block);
        let condition = self.stack.pop();
        self.with_stack(|stack, code| {
            stack.release_all(code);
            stack.settle(parameters, code);
        });
        let height = self.stack.height() - parameters;
        let mut frame = Frame::new(Kind::If, height, (parameters, results));
        frame.otherwise = Some(Pending::Instruction(self.position()));
        self.emit(Instruction::Branch { condition, target: 0, is_inverted: true });
        self.control.push(frame);
    }

    pub(super) fn begin_else(&mut self) {
        let is_reachable = self.unreachable_blocks.take().is_none();
        let results = self.control.last().expect("an if is open").results;
        if is_reachable {
            self.with_stack(|stack, code| stack.settle(results, code));
            let jump = Pending::Instruction(self.position());
            self.emit(Instruction::Jump { target: 0 });
            self.control.last_mut().expect("an if is open").pending.push(jump);
        }
        let position = self.position();
        let frame = self.control.last_mut().expect("an if is open");
        frame.is_target |= is_reachable;
        let otherwise = frame.otherwise.take().expect("the validator allows one else");
        let (height, parameters) = (frame.height, frame.parameters);
        self.resolve(&otherwise, position);
        self.stack.truncate(height);
        for _ in 0..parameters {
            self.stack.push();
        }
        self.label();
    }

    pub(super) fn end(&mut self) {
        let is_reachable = self.unreachable_blocks.take().is_none();
        let frame = self.control.pop().expect("the validator counts blocks");
        if frame.kind == Kind::Function {
            self.end_function(frame, is_reachable);
            return;
        }
        if is_reachable {
            let results = frame.results;
            self.with_stack(|stack, code| stack.settle(results, code));
        }
        let position = self.position();
        let mut is_target = frame.is_target;
        if let Some(otherwise) = &frame.otherwise {
            // An `if` without `else` passes its parameters on.
            self.resolve(otherwise, position);
            is_target = true;
        }
        for pending in &frame.pending {
            self.resolve(pending, position);
        }
        self.stack.truncate(frame.height);
        if is_reachable || is_target {
            for _ in 0..frame.results {
                self.stack.push();
            }
        } else {
            self.become_unreachable();
        }
        self.label();
    }

    fn end_function(&mut self, frame: Frame, is_reachable: bool) {
        if is_reachable {
            self.copy_results();
            self.emit(Instruction::Return);
        }
        // Jumps to the label of the function have put results where those of `return` are.
        if !frame.pending.is_empty() {
            let position = self.position();
            for pending in &frame.pending {
                self.resolve(pending, position);
            }
            self.emit(Instruction::Return);
        }
    }

    /// Copies the results of the function into its first slots. What the translator knows of the stack stays true where control does not
    /// come here.
    fn copy_results(&mut self) {
        let results = self.function.results;
        let first = self.stack.height() - results;
        for number in 0..results {
            let source = self.stack.peek(results - 1 - number);
            let result = if results == 1 { number } else { self.stack.slot(first + number) };
            if source != result {
                self.emit(Instruction::Copy { result, source });
            }
        }
        // Several results go by way of their positions, since one may still be in a local that another one overwrites.
        for number in (0..results).filter(|_| results > 1) {
            self.emit(Instruction::Copy { result: number, source: self.stack.slot(first + number) });
        }
    }

    pub(super) fn return_(&mut self) {
        self.copy_results();
        self.emit(Instruction::Return);
        self.become_unreachable();
    }

    /// Whether a jump to a label has to copy operands first.
    fn must_copy(&self, depth: u32) -> bool {
        let frame = &self.control[self.control.len() - 1 - depth as usize];
        let carried = frame.carried();
        if frame.kind == Kind::Function {
            return carried > 0;
        }
        (0..carried)
            .any(|number| self.stack.peek(carried - 1 - number) != self.stack.slot(frame.height + number))
    }

    /// Copies the operands that a label takes, and jumps there.
    fn jump(&mut self, depth: u32) {
        let index = self.control.len() - 1 - depth as usize;
        let frame = &self.control[index];
        if frame.kind == Kind::Function {
            self.copy_results();
            self.emit(Instruction::Return);
            return;
        }
        let (carried, height) = (frame.carried(), frame.height);
        for number in 0..carried {
            let source = self.stack.peek(carried - 1 - number);
            let result = self.stack.slot(height + number);
            if source != result {
                self.emit(Instruction::Copy { result, source });
            }
        }
        let jump = Pending::Instruction(self.position());
        self.emit(Instruction::Jump { target: 0 });
        self.direct(index, jump);
    }

    /// Lets a jump lead to the label of an open block.
    fn direct(&mut self, index: usize, jump: Pending) {
        match self.control[index].kind {
            Kind::Loop(start) => self.resolve(&jump, start),
            _ => {
                self.control[index].is_target = true;
                self.control[index].pending.push(jump);
            }
        }
    }

    fn resolve(&mut self, jump: &Pending, position: u32) {
        match *jump {
            Pending::Target(number) => self.function.targets[number as usize] = position,
            Pending::Instruction(jump) => match &mut self.function.code[jump as usize] {
                Instruction::Jump { target } | Instruction::Branch { target, .. } => *target = position,
                other => unreachable!("{other:?} does not jump"),
            },
        }
    }

    /// Jumps lead to the present position.
    fn label(&mut self) {
        self.last_result = None;
        self.start_of_straight_code = self.position();
    }

    pub(super) fn branch(&mut self, depth: u32) {
        self.jump(depth);
        self.become_unreachable();
    }

    pub(super) fn branch_if(&mut self, depth: u32) {
        let condition = self.stack.pop();
        let position = self.position();
        if self.must_copy(depth) {
            self.emit(Instruction::Branch { condition, target: 0, is_inverted: true });
            self.jump(depth);
            let behind = self.position();
            self.resolve(&Pending::Instruction(position), behind);
        } else {
            self.emit(Instruction::Branch { condition, target: 0, is_inverted: false });
            let index = self.control.len() - 1 - depth as usize;
            self.direct(index, Pending::Instruction(position));
        }
    }

    pub(super) fn branch_table(&mut self, table: &BrTable<'_>) {
        let index = self.stack.pop();
        let labels: Vec<u32> = table.targets().flatten().chain([table.default()]).collect();
        let first = self.function.targets.len() as u32;
        self.function.targets.resize(first as usize + labels.len(), 0);
        self.emit(Instruction::Table { index, first, count: labels.len() as u32 });
        // Labels that take operands get a piece of code each, which copies them.
        let mut stubs: Vec<(u32, u32)> = Vec::new();
        for (number, &depth) in labels.iter().enumerate() {
            let target = first + number as u32;
            let label = self.control.len() - 1 - depth as usize;
            if self.must_copy(depth) || self.control[label].kind == Kind::Function {
                let known = stubs.iter().find(|stub| stub.0 == depth).map(|stub| stub.1);
                let stub = known.unwrap_or_else(|| {
                    let position = self.position();
                    self.jump(depth);
                    stubs.push((depth, position));
                    position
                });
                self.function.targets[target as usize] = stub;
            } else {
                self.direct(label, Pending::Target(target));
            }
        }
        self.become_unreachable();
    }

    pub(super) fn call(&mut self, index: u32) {
        let (parameters, results) = {
            let signature = self.module.signature_of(index);
            (signature.parameters.len() as u32, signature.results.len() as u32)
        };
        self.with_stack(|stack, code| stack.settle(parameters, code));
        let base = self.stack.slot(self.stack.height() - parameters);
        let imports = self.module.imports.len() as u32;
        self.emit(if index < imports {
            Instruction::CallImport { import: index, base }
        } else {
            Instruction::Call { function: index - imports, base }
        });
        self.end_call(parameters, results);
    }

    /// Calls a function of the library, with one result.
    pub(super) fn call_library(&mut self, function: u32, parameters: u32) {
        self.with_stack(|stack, code| stack.settle(parameters, code));
        let base = self.stack.slot(self.stack.height() - parameters);
        self.emit(Instruction::CallLibrary { function, base });
        self.end_call(parameters, 1);
    }

    pub(super) fn call_indirect(&mut self, signature: u32, table: u32) {
        let signature = self.module.canonical_type(signature);
        let (parameters, results) = {
            let signature = &self.module.signatures[signature as usize];
            (signature.parameters.len() as u32, signature.results.len() as u32)
        };
        let index = self.stack.pop();
        self.with_stack(|stack, code| stack.settle(parameters, code));
        let base = self.stack.slot(self.stack.height() - parameters);
        self.emit(Instruction::CallIndirect { signature, table, index, base });
        self.end_call(parameters, results);
    }

    fn end_call(&mut self, parameters: u32, results: u32) {
        self.stack.truncate(self.stack.height() - parameters);
        for _ in 0..results {
            self.stack.push();
        }
    }
}
