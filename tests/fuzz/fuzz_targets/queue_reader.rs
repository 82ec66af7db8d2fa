//! Any bytes as a queue file: a queue without faults whose text reads as an equal queue, or errors that point
//! into the text.
#![no_main]

use evenmatch::config::write::write_queue;
use evenmatch::config::{read_queue, read_queue_file};
use evenmatch::rules::validate::{legal_sizes, validate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match read_queue_file("fuzz.json", bytes) {
        Ok(file) => {
            assert_eq!(validate(&file.spec), []);
            assert!(!legal_sizes(&file.spec).is_empty());
            let text = write_queue(&file.spec);
            assert_eq!(read_queue(&text).as_ref(), Ok(&file.spec), "{text}");
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(error.line >= 1 && error.column >= 1);
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
});
