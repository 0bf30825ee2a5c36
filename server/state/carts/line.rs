//! One line of a cart: what is ordered, how often, and what the guest saw of it.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::values::Sum;

/// An additive and how many of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Choice {
    /// Additive id.
    pub id: u64,
    /// At least 1.
    pub count: u32,
}

/// What is put into a cart. Product, size, options and note tell lines apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewLine {
    /// The product.
    pub product_id: u64,
    /// The size, where the product has sizes.
    pub size_id: Option<u64>,
    /// Additives in any order.
    pub options: Vec<Choice>,
    /// Wish for this dish.
    pub note: String,
    /// Name as last read, shown if the upstream stops selling it.
    pub name: String,
    /// Names of the size and the additives, likewise.
    pub option_names: Vec<String>,
    /// Picture, likewise.
    pub image: Option<String>,
    /// What one piece with size and options cost when the guest added it.
    pub price: Sum,
}

/// A line as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Derived from product, size, options and note.
    pub id: String,
    /// The product.
    pub product_id: u64,
    /// The size, where the product has sizes.
    #[serde(default)]
    pub size_id: Option<u64>,
    /// Additives, ordered by id.
    #[serde(default)]
    pub options: Vec<Choice>,
    /// Wish for this dish.
    #[serde(default)]
    pub note: String,
    /// 1 to 99.
    pub quantity: u32,
    /// Name as last read.
    #[serde(default)]
    pub name: String,
    /// Names of the size and the additives as last read.
    #[serde(default)]
    pub option_names: Vec<String>,
    /// Picture as last read.
    #[serde(default)]
    pub image: Option<String>,
    /// What the guest saw for one piece. Never what is charged: the upstream prices the order (S-17).
    #[serde(default)]
    pub price: Sum,
}

impl NewLine {
    /// The id of the line that this becomes or raises.
    #[must_use]
    pub fn id(&self) -> String {
        line_id(
            self.product_id,
            self.size_id,
            &sorted(&self.options),
            &self.note,
        )
    }

    pub(super) fn into_line(self, quantity: u32) -> Line {
        Line {
            id: self.id(),
            product_id: self.product_id,
            size_id: self.size_id,
            options: sorted(&self.options),
            note: self.note,
            quantity,
            name: self.name,
            option_names: self.option_names,
            image: self.image,
            price: self.price,
        }
    }
}

impl Line {
    /// Whether a plain + in the menu raises this line: no size, no options, no note.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.size_id.is_none() && self.options.is_empty() && self.note.is_empty()
    }

    /// Price times quantity, as the guest saw it.
    #[must_use]
    pub fn sum(&self) -> Sum {
        Sum(self.price.0.saturating_mul(i64::from(self.quantity)))
    }

    /// Takes over what was read last.
    pub(super) fn refresh(&mut self, new: NewLine) {
        self.name = new.name;
        self.option_names = new.option_names;
        self.image = new.image;
        self.price = new.price;
    }
}

fn sorted(options: &[Choice]) -> Vec<Choice> {
    let mut options: Vec<_> = options
        .iter()
        .copied()
        .filter(|option| option.count > 0)
        .collect();
    options.sort_unstable();
    options
}

fn line_id(product: u64, size: Option<u64>, options: &[Choice], note: &str) -> String {
    let mut text = format!(
        "{product}/{}",
        size.map(|size| size.to_string()).unwrap_or_default()
    );
    for option in options {
        text.push_str(&format!("/{}*{}", option.id, option.count));
    }
    text.push('#');
    text.push_str(note);
    let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    URL_SAFE_NO_PAD.encode(&hash[..12])
}
