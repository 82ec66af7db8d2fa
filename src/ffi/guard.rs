//! The guard around every export: a panic becomes a status, a refusal leaves its sentence.
//!
//! Called by every export. Invariants: no panic leaves the library; a panic inside prints nothing and reads no
//! environment, while panics of the host's own Rust code go where they went before; nothing here has a destructor
//! that runs at a thread's end, because such a one pins a plugin in memory.

use super::status::{EVENMATCH_OK, EVENMATCH_PANIC, evenmatch_status};
use std::any::Any;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Once, OnceLock};

/// Bytes of a sentence that is kept for a thread: long enough for any of ours but lists of configuration errors,
/// which have a buffer of the caller's.
const SENTENCE_BYTES: usize = 1023;

thread_local! {
    /// How many of our exports this thread is in. No destructor.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
    /// The sentence of this thread's last refusal. No destructor.
    static LAST: RefCell<Sentence> = const { RefCell::new(Sentence::EMPTY) };
}

static HOOK: Once = Once::new();

/// What hooks are.
type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

/// The hook before ours. The standard library's own takes no memory, nor does ours: nobody gives the hook's back when the
/// library is unloaded.
static PREVIOUS: OnceLock<Hook> = OnceLock::new();

/// Why an export refuses.
#[derive(Debug)]
pub(super) struct Fault {
    pub status: evenmatch_status,
    pub detail: Cow<'static, str>,
}

impl Fault {
    pub(super) fn new(status: evenmatch_status, detail: impl Into<Cow<'static, str>>) -> Fault {
        Fault { status, detail: detail.into() }
    }
}

/// A text of limited length that lives without the heap; what is beyond is cut off between characters.
#[derive(Clone, Copy)]
pub(super) struct Sentence {
    bytes: [u8; SENTENCE_BYTES],
    length: usize,
}

impl Sentence {
    pub(super) const EMPTY: Sentence = Sentence { bytes: [0; SENTENCE_BYTES], length: 0 };

    pub(super) fn of(text: &str) -> Sentence {
        let mut sentence = Sentence::EMPTY;
        // Never fails: see `write_str`.
        let _ = sentence.write_str(text);
        sentence
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl Write for Sentence {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let text = cut(text, SENTENCE_BYTES - self.length);
        self.bytes[self.length..self.length + text.len()].copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

/// The beginning of a text that has at most so many bytes, cut between characters.
pub(super) fn cut(text: &str, bytes_max: usize) -> &str {
    let mut end = bytes_max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Runs an export's body.
pub(super) fn call(body: impl FnOnce() -> Result<(), Fault>) -> evenmatch_status {
    match caught(body) {
        Ok(Ok(())) => EVENMATCH_OK,
        Ok(Err(fault)) => {
            remember(&Sentence::of(&fault.detail));
            fault.status
        }
        Err(Panicked) => EVENMATCH_PANIC,
    }
}

/// The body panicked; the thread's last sentence says how.
pub(super) struct Panicked;

/// Runs `body` and catches its panic, silently.
pub(super) fn caught<T>(body: impl FnOnce() -> T) -> Result<T, Panicked> {
    install_hook();
    INSIDE.with(|inside| inside.set(inside.get() + 1));
    let outcome = catch_unwind(AssertUnwindSafe(body));
    INSIDE.with(|inside| inside.set(inside.get() - 1));
    outcome.map_err(|payload| {
        dispose(payload);
        Panicked
    })
}

/// Keeps a sentence for `evenmatch_last_error`.
pub(super) fn remember(sentence: &Sentence) {
    LAST.with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = *sentence;
        }
    });
}

/// The sentence of this thread's last refusal.
pub(super) fn copy_last(into: &mut Sentence) {
    LAST.with(|last| {
        if let Ok(last) = last.try_borrow() {
            *into = *last;
        }
    });
}

/// What a panic carried is a text in all panics of ours; of anything else the destructor might panic again.
fn dispose(payload: Box<dyn Any + Send>) {
    if !payload.is::<String>() && !payload.is::<&'static str>() {
        std::mem::forget(payload);
    }
}

/// Puts our hook before the one that there is, once. The standard library's own hook prints and reads the
/// environment; ours writes down the message if the panic is inside one of our calls, and else passes it on. In a
/// shared library the hook is that of the library's own copy of std and meets no panic of the host's.
fn install_hook() {
    if HOOK.is_completed() {
        return;
    }
    HOOK.call_once(|| {
        let first = PREVIOUS.set(take_hook());
        debug_assert!(first.is_ok(), "the hook is put in place once");
        set_hook(Box::new(hook));
    });
}

/// Our hook.
fn hook(info: &PanicHookInfo<'_>) {
    if INSIDE.with(Cell::get) == 0 {
        if let Some(previous) = PREVIOUS.get() {
            previous(info);
        }
        return;
    }
    let mut sentence = Sentence::EMPTY;
    let payload = info.payload();
    let text = payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message");
    let _ = match info.location() {
        Some(at) => write!(sentence, "panicked at {}:{}: {text}", at.file(), at.line()),
        None => write!(sentence, "panicked: {text}"),
    };
    remember(&sentence);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_status_with_its_message() {
        assert_eq!(call(|| panic!("on {}", "purpose")), EVENMATCH_PANIC);
        let mut text = Sentence::EMPTY;
        copy_last(&mut text);
        assert!(text.as_str().contains("guard.rs") && text.as_str().ends_with("on purpose"));
        assert_eq!(call(|| std::panic::panic_any(7)), EVENMATCH_PANIC);
    }

    #[test]
    fn long_sentences_end_between_characters() {
        let sentence = Sentence::of(&format!("{}é", "x".repeat(SENTENCE_BYTES - 1)));
        assert_eq!(sentence.as_str().len(), SENTENCE_BYTES - 1);
    }
}
