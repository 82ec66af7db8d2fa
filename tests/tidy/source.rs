//! A Rust file as the tidy checks see it: its words without comments and text, and the paths that it names.
//!
//! Used by `tests/tidy.rs`. A small lexer is enough here, because the checks ask only which names stand in a
//! file and where; it knows comments, every kind of string, and lifetimes. Invariant: nothing that stands in a
//! comment or in a string is ever taken for a word of the program.

/// One word or sign of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// An identifier or a keyword.
    Name(String),
    /// One sign.
    Sign(char),
    /// A number, a string or a character.
    Literal,
}

/// One word, where it stands, and whether only tests see it.
#[derive(Clone, Debug)]
pub struct Token {
    /// The word.
    pub word: Word,
    /// Its line, from 1.
    pub line: usize,
    /// Whether it belongs to an item under `#[cfg(test)]`, or to a file of tests.
    pub in_tests: bool,
}

impl Token {
    /// Whether it is that name.
    pub fn is(&self, name: &str) -> bool {
        matches!(&self.word, Word::Name(own) if own == name)
    }

    /// Whether it is that sign.
    pub fn is_sign(&self, sign: char) -> bool {
        self.word == Word::Sign(sign)
    }
}

/// A path that a file names: `crate::base::fixed::Fixed`, one for each leaf of a `use` tree.
#[derive(Clone, Debug)]
pub struct Path {
    /// The names between the double colons.
    pub names: Vec<String>,
    /// The line on which it starts.
    pub line: usize,
    /// As for [`Token`].
    pub in_tests: bool,
    /// The inline modules of the file that it stands in.
    pub inside: Vec<String>,
}

/// One file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is, from the root of the package, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its words.
    pub tokens: Vec<Token>,
    /// The paths that it names.
    pub paths: Vec<Path>,
}

impl Source {
    /// Takes a file apart.
    pub fn new(path: &str, text: &str) -> Source {
        let mut tokens = lex(text);
        if is_test_file(path) {
            tokens.iter_mut().for_each(|token| token.in_tests = true);
        } else {
            mark_tests(&mut tokens);
        }
        let paths = paths(&tokens);
        Source { path: path.to_owned(), text: text.to_owned(), tokens, paths }
    }

    /// The module that the file is, from the root of the crate: `src/base/fixed.rs` is `[base, fixed]`.
    pub fn module(&self) -> Vec<String> {
        let inner = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let inner = inner.strip_suffix(".rs").unwrap_or(inner);
        let mut names: Vec<String> = inner.split('/').map(str::to_owned).collect();
        if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
            names.pop();
        }
        names
    }

    /// Lines that tests do not own, and lines that they own.
    pub fn line_counts(&self) -> (usize, usize) {
        let all = self.text.lines().count();
        if is_test_file(&self.path) {
            return (0, all);
        }
        let mut tests = 0;
        let mut index = 0;
        while index < self.tokens.len() {
            if !self.tokens[index].in_tests {
                index += 1;
                continue;
            }
            let first = self.tokens[index].line;
            while index + 1 < self.tokens.len() && self.tokens[index + 1].in_tests {
                index += 1;
            }
            tests += self.tokens[index].line - first + 1;
            index += 1;
        }
        (all - tests, tests)
    }
}

/// Whether a whole file belongs to the tests of the module beside it.
fn is_test_file(path: &str) -> bool {
    path.starts_with("src/") && path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

/// Splits a program into words.
fn lex(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let (start, start_line) = (at, line);
        let next = |n: usize| chars.get(start + n).copied().unwrap_or('\0');
        let mut push = |word| tokens.push(Token { word, line: start_line, in_tests: false });
        match chars[at] {
            c if c.is_whitespace() => at += 1,
            '/' if next(1) == '/' => at += chars[at..].iter().take_while(|&&c| c != '\n').count(),
            '/' if next(1) == '*' => at = after_block_comment(&chars, at),
            '"' => {
                at = after_string(&chars, at + 1);
                push(Word::Literal);
            }
            '\'' => {
                let is_lifetime = (next(1).is_alphabetic() || next(1) == '_') && next(2) != '\'';
                if is_lifetime {
                    at += 1;
                    push(Word::Sign('\''));
                } else {
                    at += if next(1) == '\\' { 3 } else { 2 };
                    at += chars[at.min(chars.len())..].iter().take_while(|&&c| c != '\'').count() + 1;
                    push(Word::Literal);
                }
            }
            c if c.is_alphabetic() || c == '_' => {
                let length = chars[at..].iter().take_while(|&&c| c.is_alphanumeric() || c == '_').count();
                let name: String = chars[at..at + length].iter().collect();
                let hashes = chars[at + length..].iter().take_while(|&&c| c == '#').count();
                let quoted = chars.get(at + length + hashes) == Some(&'"');
                match name.as_str() {
                    "r" | "br" | "cr" if quoted => {
                        at = after_raw_string(&chars, at + length + hashes + 1, hashes);
                        push(Word::Literal);
                    }
                    "b" | "c" if quoted && hashes == 0 => {
                        at = after_string(&chars, at + length + 1);
                        push(Word::Literal);
                    }
                    _ => {
                        at += length;
                        push(Word::Name(name));
                    }
                }
            }
            c if c.is_ascii_digit() => {
                at += chars[at..].iter().take_while(|&&c| c.is_alphanumeric() || c == '_').count();
                push(Word::Literal);
            }
            c => {
                at += 1;
                push(Word::Sign(c));
            }
        }
        at = at.min(chars.len());
        line += chars[start..at].iter().filter(|&&c| c == '\n').count();
    }
    tokens
}

fn after_block_comment(chars: &[char], start: usize) -> usize {
    let (mut at, mut depth) = (start + 2, 1);
    while depth > 0 && at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (at, depth) = (at + 2, depth + 1),
            ('*', Some('/')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    at
}

fn after_string(chars: &[char], start: usize) -> usize {
    let mut at = start;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

fn after_raw_string(chars: &[char], start: usize, hashes: usize) -> usize {
    let mut at = start;
    while at < chars.len() {
        let closes = chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
        if chars[at] == '"' && closes {
            return at + 1 + hashes;
        }
        at += 1;
    }
    at
}

/// Marks every item that stands under a `#[cfg(..)]` that names `test` and no `not`.
fn mark_tests(tokens: &mut [Token]) {
    let mut at = 0;
    while at < tokens.len() {
        let is_attribute = tokens[at].is_sign('#') && tokens.get(at + 1).is_some_and(|t| t.is_sign('['));
        if !is_attribute {
            at += 1;
            continue;
        }
        let close = closing(tokens, at + 1);
        let inner = &tokens[at..close];
        let of_tests = inner.iter().any(|t| t.is("cfg"))
            && inner.iter().any(|t| t.is("test"))
            && !inner.iter().any(|t| t.is("not"));
        if !of_tests {
            at = close + 1;
            continue;
        }
        let mut end = close + 1;
        while end < tokens.len() && !tokens[end].is_sign(';') {
            match tokens[end].word {
                Word::Sign('{') => {
                    end = closing(tokens, end);
                    break;
                }
                Word::Sign('(' | '[') => end = closing(tokens, end) + 1,
                _ => end += 1,
            }
        }
        let end = end.min(tokens.len().saturating_sub(1));
        tokens[at..=end].iter_mut().for_each(|token| token.in_tests = true);
        at = end + 1;
    }
}

/// The place of the sign that closes the bracket at `open`, or the last token.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.word {
            Word::Sign('(' | '[' | '{') => depth += 1,
            Word::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len().saturating_sub(1)
}

/// Every path with at least one double colon, and the single name of a plain `use name;`.
fn paths(tokens: &[Token]) -> Vec<Path> {
    let mut found = Vec::new();
    let mut modules: Vec<(String, usize)> = Vec::new();
    let mut depth = 0usize;
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at].word {
            Word::Sign('{') => depth += 1,
            Word::Sign('}') => {
                depth = depth.saturating_sub(1);
                modules.retain(|(_, opened_at)| *opened_at <= depth);
            }
            Word::Name(name) if name == "mod" => {
                if let Some(Word::Name(module)) = tokens.get(at + 1).map(|t| &t.word)
                    && tokens.get(at + 2).is_some_and(|t| t.is_sign('{'))
                {
                    modules.push((module.clone(), depth + 1));
                }
            }
            Word::Name(_) if is_colons(tokens, at + 1) => {
                let mut leaves = Vec::new();
                let end = tree(tokens, at, &mut Vec::new(), &mut leaves);
                let inside: Vec<String> = modules.iter().map(|(name, _)| name.clone()).collect();
                found.extend(leaves.into_iter().map(|(names, line)| Path {
                    names,
                    line,
                    in_tests: tokens[at].in_tests,
                    inside: inside.clone(),
                }));
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn is_colons(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|t| t.is_sign(':')) && tokens.get(at + 1).is_some_and(|t| t.is_sign(':'))
}

/// Reads a path or a `use` tree from `at`; returns where it ends.
fn tree(
    tokens: &[Token],
    mut at: usize,
    before: &mut Vec<String>,
    leaves: &mut Vec<(Vec<String>, usize)>,
) -> usize {
    let kept = before.len();
    let line = tokens[at].line;
    loop {
        match tokens.get(at).map(|t| &t.word) {
            Some(Word::Name(name)) => {
                before.push(name.clone());
                at += 1;
                if is_colons(tokens, at) {
                    at += 2;
                    continue;
                }
                leaves.push((before.clone(), line));
            }
            Some(Word::Sign('{')) => {
                let close = closing(tokens, at);
                at += 1;
                while at < close {
                    match tokens[at].word {
                        Word::Name(_) => {
                            at = tree(tokens, at, before, leaves);
                            while at < close && !tokens[at].is_sign(',') {
                                at += 1;
                            }
                        }
                        Word::Sign('*') => {
                            leaves.push((before.clone(), tokens[at].line));
                            at += 1;
                        }
                        _ => at += 1,
                    }
                }
                at = close + 1;
            }
            _ => leaves.push((before.clone(), line)),
        }
        break;
    }
    before.truncate(kept);
    at
}
