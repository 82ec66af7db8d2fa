//! Any bytes as the lines of a trace: lines whose text reads as an equal line, or errors that name the line.
#![no_main]

use evenmatch::config::read_trace_line;
use evenmatch::config::trace::TraceReader;
use evenmatch::config::write::write_trace_line;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = TraceReader::new("fuzz.jsonl");
    let mut last = reader.last();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match reader.read(line) {
            None => {}
            Some(Ok(line)) => {
                assert!(line.at >= last);
                last = line.at;
                let text = write_trace_line(&line);
                assert!(!text.contains('\n'));
                assert_eq!(read_trace_line(1, text.as_bytes()).as_ref(), Ok(&line), "{text}");
            }
            Some(Err(errors)) => {
                assert!(!errors.is_empty());
                for error in errors {
                    assert!(error.line >= reader.line());
                    assert!(!error.to_string().contains('\n'), "{error}");
                }
            }
        }
    }
});
