//! Short signatures of addresses that only this server may make.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use super::seal::Keys;

/// Signs with the current secret and checks with each active one (S-04). Its keys are made once, so that a page with
/// hundreds of pictures costs one hash each.
#[derive(Clone)]
pub struct Signer {
    current: Hmac<Sha256>,
    previous: Option<Hmac<Sha256>>,
}

impl Signer {
    /// A signer of one purpose.
    #[must_use]
    pub fn new(keys: &Keys, purpose: &str) -> Self {
        let (current, previous) = keys.derive_active(purpose);
        Self {
            current: keyed(&current),
            previous: previous.as_deref().map(keyed),
        }
    }

    /// The first `N` letters of the message's code, 6 bits each.
    #[must_use]
    pub fn sign<const N: usize>(&self, message: &[&[u8]]) -> String {
        short::<N>(&self.current, message)
    }

    /// Whether an active secret made this signature. Takes the same time wherever the two differ.
    #[must_use]
    pub fn is_signed<const N: usize>(&self, message: &[&[u8]], signature: &str) -> bool {
        let is_of = |key: &Hmac<Sha256>| {
            // Letters of 6 bits are compared, as a few of them are no whole bytes of the code.
            let own = short::<N>(key, message);
            bool::from(own.as_bytes().ct_eq(signature.as_bytes()))
        };
        is_of(&self.current) || self.previous.as_ref().is_some_and(is_of)
    }
}

fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    // HMAC pads a short key with zeros to its block; doing it here leaves nothing that can fail.
    let mut block = Zeroizing::new([0; 64]);
    block[..32].copy_from_slice(key);
    Hmac::new((&*block).into())
}

fn short<const N: usize>(key: &Hmac<Sha256>, message: &[&[u8]]) -> String {
    let mut mac = key.clone();
    for part in message {
        mac.update(part);
    }
    let mut letters = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
    letters.truncate(N);
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_of_one_message_one_purpose_and_an_active_secret() {
        let old = Keys::new([1; 32], None);
        let signer = Signer::new(&old, "a");
        let signature = signer.sign::<8>(&[b"x", b"y"]);
        assert_eq!(signature.len(), 8);
        assert!(signer.is_signed::<8>(&[b"xy"], &signature));
        assert!(!signer.is_signed::<8>(&[b"xz"], &signature));
        assert!(!signer.is_signed::<8>(&[b"xy"], &signature[..7]));
        assert!(!signer.is_signed::<8>(&[b"xy"], ""));
        assert!(!Signer::new(&old, "b").is_signed::<8>(&[b"xy"], &signature));
        let replaced = Keys::new([2; 32], Some([1; 32]));
        assert!(Signer::new(&replaced, "a").is_signed::<8>(&[b"xy"], &signature));
        let gone = Keys::new([3; 32], Some([2; 32]));
        assert!(!Signer::new(&gone, "a").is_signed::<8>(&[b"xy"], &signature));
    }
}
