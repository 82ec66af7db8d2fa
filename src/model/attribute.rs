//! Attributes: what a queue declares about its players, and the values that players bring.

use crate::base::fixed::{Decimal, Fixed};

/// What kind of value an attribute has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeType {
    /// A fixed-point number.
    Number,
    /// A number without a fraction; one with a fraction is refused.
    Integer,
    /// Text, compared byte by byte.
    String,
    /// A set of texts; order and repetition mean nothing.
    StringList,
}

impl AttributeType {
    /// The word that queue files use.
    pub const fn word(self) -> &'static str {
        match self {
            AttributeType::Number => "number",
            AttributeType::Integer => "integer",
            AttributeType::String => "string",
            AttributeType::StringList => "string_list",
        }
    }

    /// Whether values of this type can be subtracted and added.
    pub const fn is_numeric(self) -> bool {
        matches!(self, AttributeType::Number | AttributeType::Integer)
    }
}

/// One attribute as a queue declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeSpec {
    /// Its name; unique in the queue.
    pub name: String,
    /// The type of its values.
    pub kind: AttributeType,
    /// The value of a player who brings none.
    pub default: Option<AttributeDefault>,
    /// The least legal value; numbers only.
    pub min: Option<Fixed>,
    /// The greatest legal value; numbers only.
    pub max: Option<Fixed>,
    /// Digits behind the point (0..=6) to which values and merged values are rounded; 0 for integers.
    pub decimals: u8,
    /// Where the value stands in a ticket of another service; carried along for its reader.
    pub path: Option<String>,
    /// Whose attribute it is in another service; carried along for its reader.
    pub source: Option<String>,
}

/// A value given in a queue file; of the type of the attribute it is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeDefault {
    /// For `number` and `integer`.
    Number(Fixed),
    /// For `string`.
    String(String),
    /// For `string_list`.
    StringList(Vec<String>),
}

/// A value that a player brings.
#[derive(Clone, PartialEq, Debug)]
pub enum AttributeValue {
    /// For `number` and `integer`; rounded half up to the attribute's `decimals` at submit.
    Number(Decimal),
    /// For `string`.
    String(String),
    /// For `string_list`.
    StringList(Vec<String>),
    /// JSON text of an attribute that the queue does not declare but keeps.
    Json(String),
}

impl AttributeValue {
    /// What the value is, for messages.
    pub const fn word(&self) -> &'static str {
        match self {
            AttributeValue::Number(_) => "a number",
            AttributeValue::String(_) => "a string",
            AttributeValue::StringList(_) => "a list of strings",
            AttributeValue::Json(_) => "a JSON value",
        }
    }
}
