//! Any bytes as a PlayFab file: queues without faults whose native text reads as equal queues, or errors that
//! point into the text. The first byte says how the text is read.
#![no_main]

use evenmatch::config::write::write_queue;
use evenmatch::config::{IntersectionDelta, PlayfabOptions, QueueFormat, read_queue, read_queues_file};
use evenmatch::rules::compile::CompiledQueue;
use evenmatch::rules::spec::WindowAge;
use evenmatch::rules::validate::{legal_sizes, validate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&how, text)) = bytes.split_first() else { return };
    let windows = |bits: u8| match bits & 3 {
        0 | 3 => WindowAge::Mutual,
        1 => WindowAge::Oldest,
        _ => WindowAge::Newest,
    };
    let options = PlayfabOptions {
        windows: windows(how),
        total_windows: windows(how >> 2),
        intersection_delta: match how & 16 {
            0 => IntersectionDelta::Subtracted,
            _ => IntersectionDelta::Added,
        },
    };
    let format = if how & 32 == 0 { QueueFormat::Playfab } else { QueueFormat::Auto };
    match read_queues_file("fuzz.json", text, format, &options) {
        Ok(file) => {
            for spec in file.specs {
                assert_eq!(validate(&spec), []);
                assert!(!legal_sizes(&spec).is_empty());
                let text = write_queue(&spec);
                assert_eq!(read_queue(&text).as_ref(), Ok(&spec), "{text}");
                CompiledQueue::new(spec);
            }
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
