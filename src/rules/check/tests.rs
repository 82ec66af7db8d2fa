//! Hand-worked cases of the judge.
