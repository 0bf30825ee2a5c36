//! Secret keys and what is made with them: sealed records, order keys, order capabilities.
//!
//! Two secrets can be active, so that a secret is replaced without signing guests out: new things
//! are made with the current one, old ones are still read with the previous one (S-04).

use std::{fmt, io::Write as _, ops::Deref, path::Path, sync::Arc};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead, KeyInit, Payload},
};
use hmac::{Hmac, Mac};
use rand::Rng as _;
use sha2::Sha256;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::private;

/// File name inside the state directory.
pub const FILE: &str = "secret.keys";
/// First byte of everything sealed.
const FORMAT: u8 = 1;
const NONCE: usize = 24;
const CAPABILITY: &str = "order capability";
const PAYING: &str = "paying of an order";

/// A key of one purpose. Its memory is wiped when it is let go, and printing shows nothing.
#[derive(Clone)]
pub struct Derived(Zeroizing<[u8; 32]>);

/// Why the secrets cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not one or two secrets of 32 bytes in hexadecimal.
    #[error("must be one or two secrets of 64 hexadecimal digits, separated by a comma")]
    Format,
    /// A secret that everybody knows.
    #[error("a secret is all zeros: make one with `openssl rand -hex 32`")]
    Zeros,
    /// The file of the state directory cannot be used.
    #[error("{path}: {error}")]
    File {
        /// Where it was looked for.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
}

/// The active secrets; cloning is cheap, and printing shows nothing.
#[derive(Clone)]
pub struct Keys(Arc<Secrets>);

/// Overwritten when the last clone is gone.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Secrets {
    current: [u8; 32],
    previous: Option<[u8; 32]>,
}

impl Keys {
    /// Keys from raw secrets.
    #[must_use]
    pub fn new(current: [u8; 32], previous: Option<[u8; 32]>) -> Self {
        Self(Arc::new(Secrets { current, previous }))
    }

    /// Keys that end with the process.
    #[must_use]
    pub fn random() -> Self {
        Self::new(random(), None)
    }

    /// The configured secrets, else those of the state directory.
    ///
    /// # Errors
    /// As [`Self::from_hex`] and [`Self::load_or_create`].
    pub fn load(configured: Option<&str>, dir: &Path) -> Result<Self, Error> {
        match configured {
            Some(text) => Self::from_hex(text),
            None => Self::load_or_create(dir),
        }
    }

    /// Reads `current[,previous]`, each of 64 hexadecimal digits.
    ///
    /// # Errors
    /// [`Error::Format`] for anything else, [`Error::Zeros`] for a secret that was never made.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        let mut secrets = text.trim().split(',').map(|secret| unhex(secret.trim()));
        let current = secrets.next().flatten().ok_or(Error::Format)?;
        let previous = match secrets.next() {
            Some(secret) => Some(secret.ok_or(Error::Format)?),
            None => None,
        };
        match secrets.next() {
            Some(_) => Err(Error::Format),
            None if current == [0; 32] || previous == Some([0; 32]) => Err(Error::Zeros),
            None => Ok(Self::new(current, previous)),
        }
    }

    /// Reads the secrets of the state directory; the first start makes one that only its user can read.
    ///
    /// # Errors
    /// [`Error::File`] when the file can neither be read nor made, [`Error::Format`] when it holds no secret.
    pub fn load_or_create(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(FILE);
        let failed = |error| Error::File {
            path: path.display().to_string(),
            error,
        };
        std::fs::create_dir_all(dir).map_err(failed)?;
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let text = Zeroizing::new(text);
                if private::is_open(&path) && private::close(&path, private::FILE_MODE) {
                    tracing::warn!(path = %path.display(), "Others could read or write the secrets; now they can't");
                }
                return Self::from_hex(&text);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        // Linked once it is whole: two first starts at once agree on one secret, and half of it is never read.
        let temporary = dir.join(format!("{FILE}.{}", random_name()));
        let mut file = private_file(&temporary).map_err(failed)?;
        let mut text = Zeroizing::new(hex::encode(Zeroizing::new(random::<32>())));
        text.push('\n');
        let made = file
            .write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::hard_link(&temporary, &path));
        // On a full disk each start that fails would leave another one.
        std::fs::remove_file(&temporary).map_err(failed)?;
        match made {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
        Self::from_hex(&Zeroizing::new(
            std::fs::read_to_string(&path).map_err(failed)?,
        ))
    }

    /// The current key of one purpose; no secret is used for two.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> Derived {
        derive(&self.0.current, purpose)
    }

    /// The keys of one purpose: the current one, and the one before a change of the secret.
    #[must_use]
    pub fn derive_active(&self, purpose: &str) -> (Derived, Option<Derived>) {
        let previous = self.0.previous.as_ref();
        (
            self.derive(purpose),
            previous.map(|secret| derive(secret, purpose)),
        )
    }

    /// Encrypts and authenticates `plain`. It opens only with the same purpose and `context`.
    #[must_use]
    pub fn seal(&self, purpose: &str, context: &[u8], plain: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE] = random();
        let cipher = XChaCha20Poly1305::new((&*self.derive(purpose)).into());
        let payload = Payload {
            msg: plain,
            aad: context,
        };
        let mut sealed = Vec::with_capacity(1 + NONCE + plain.len() + 16);
        sealed.push(FORMAT);
        sealed.extend_from_slice(&nonce);
        // Encryption fails only above 256 GiB; then nothing opens what is returned.
        sealed.extend(
            cipher
                .encrypt(&XNonce::from(nonce), payload)
                .unwrap_or_default(),
        );
        sealed
    }

    /// What [`Self::seal`] sealed with an active secret; `None` for anything else.
    #[must_use]
    pub fn open(&self, purpose: &str, context: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let (&format, rest) = sealed.split_first()?;
        let (nonce, text) = rest.split_first_chunk::<NONCE>()?;
        if format != FORMAT {
            return None;
        }
        self.secrets().find_map(|secret| {
            let payload = Payload {
                msg: text,
                aad: context,
            };
            XChaCha20Poly1305::new((&*derive(secret, purpose)).into())
                .decrypt(&XNonce::from(*nonce), payload)
                .ok()
        })
    }

    /// [`Self::seal`] as text, for what has no context: `purpose` alone says what it is.
    #[must_use]
    pub fn seal_text(&self, purpose: &str, plain: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.seal(purpose, b"", plain.as_bytes()))
    }

    /// What [`Self::seal_text`] sealed with an active secret; `None` for anything else.
    #[must_use]
    pub fn open_text(&self, purpose: &str, sealed: &str) -> Option<String> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        String::from_utf8(self.open(purpose, b"", &sealed)?).ok()
    }

    /// The idempotency key of ordering this version of this cart. Any holder of the cart derives the
    /// same key, so it survives a lost record.
    #[must_use]
    pub fn order_key(&self, cart: &str, version: u64) -> String {
        order_key(&self.0.current, cart, version)
    }

    /// The key that the same order had before the secret was replaced. Look it up first, or an order
    /// sent just before the change could be sent again.
    #[must_use]
    pub fn previous_order_key(&self, cart: &str, version: u64) -> Option<String> {
        self.0
            .previous
            .as_ref()
            .map(|secret| order_key(secret, cart, version))
    }

    /// What the link of an order carries: the fingerprint that placed it, sealed for this order alone (ZZ-06).
    #[must_use]
    pub fn capability(&self, order_id: &str, fingerprint: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.seal(CAPABILITY, order_id.as_bytes(), fingerprint.as_bytes()))
    }

    /// The fingerprint of a capability of this order; `None` if it is another order's or made up.
    #[must_use]
    pub fn open_capability(&self, order_id: &str, capability: &str) -> Option<String> {
        let sealed = URL_SAFE_NO_PAD.decode(capability).ok()?;
        let plain = self.open(CAPABILITY, order_id.as_bytes(), &sealed)?;
        String::from_utf8(plain).ok()
    }

    /// What the address carries on which an order is paid and to which the bank leads back: the order's idempotency key
    /// and the fingerprint that placed it, both free of spaces. It is made before the order has an id (beyond.md, 6).
    #[must_use]
    pub fn pay_token(&self, order_key: &str, fingerprint: &str) -> String {
        self.seal_text(PAYING, &format!("{order_key} {fingerprint}"))
    }

    /// Key and fingerprint of such a token; `None` for anything made up.
    #[must_use]
    pub fn open_pay_token(&self, token: &str) -> Option<(String, String)> {
        let plain = self.open_text(PAYING, token)?;
        let (key, fingerprint) = plain.split_once(' ')?;
        Some((key.to_owned(), fingerprint.to_owned()))
    }

    /// The idempotency key of one more attempt to pay an order: two tabs that ask at once get the same attempt.
    #[must_use]
    pub fn pay_key(&self, order_id: &str, attempt_before: &str, method: &str) -> String {
        let message = format!("{order_id} {attempt_before} {method}");
        let secret = derive(&self.0.current, PAYING);
        URL_SAFE_NO_PAD.encode(mac(&secret, message.as_bytes()))
    }

    fn secrets(&self) -> impl Iterator<Item = &[u8; 32]> {
        std::iter::once(&self.0.current).chain(&self.0.previous)
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

impl Deref for Derived {
    type Target = [u8; 32];

    fn deref(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Derived")
    }
}

/// 128 random bits as 22 characters that are safe in URLs, cookies and file names.
#[must_use]
pub fn random_name() -> String {
    name_of(&random())
}

/// These 128 bits as such a name.
#[must_use]
pub fn name_of(bits: &[u8; 16]) -> String {
    URL_SAFE_NO_PAD.encode(bits)
}

/// Whether a text has the shape of [`random_name`].
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.len() == 22
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

fn order_key(secret: &[u8; 32], cart: &str, version: u64) -> String {
    let message = format!("{version}:{cart}");
    URL_SAFE_NO_PAD.encode(mac(&derive(secret, "order key"), message.as_bytes()))
}

fn derive(secret: &[u8; 32], purpose: &str) -> Derived {
    let key = mac(secret, format!("dastarkhan 1 {purpose}").as_bytes());
    Derived(Zeroizing::new(key))
}

fn mac(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    // HMAC pads a short key with zeros to its block; doing it here leaves nothing that can fail.
    let mut block = Zeroizing::new([0; 64]);
    block[..32].copy_from_slice(key);
    let mut mac = <Hmac<Sha256> as KeyInit>::new((&*block).into());
    mac.update(message);
    mac.finalize().into_bytes().into()
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

fn private_file(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_only_for_its_purpose_and_context() {
        let keys = Keys::random();
        let sealed = keys.seal("a", b"row 1", b"secret");
        assert_eq!(keys.open("a", b"row 1", &sealed).unwrap(), b"secret");
        assert_eq!(keys.open("b", b"row 1", &sealed), None);
        assert_eq!(keys.open("a", b"row 2", &sealed), None);
        assert_eq!(Keys::random().open("a", b"row 1", &sealed), None);
        for at in 0..sealed.len() {
            let mut bent = sealed.clone();
            bent[at] ^= 1;
            assert_eq!(keys.open("a", b"row 1", &bent), None, "byte {at}");
        }
    }

    #[test]
    fn the_previous_secret_still_opens_and_the_one_before_does_not() {
        let (first, second, third) = (random(), random(), random());
        let sealed = Keys::new(first, None).seal("a", b"", b"x");
        assert!(
            Keys::new(second, Some(first))
                .open("a", b"", &sealed)
                .is_some()
        );
        assert!(
            Keys::new(third, Some(second))
                .open("a", b"", &sealed)
                .is_none()
        );
    }

    #[test]
    fn an_order_key_names_one_version_of_one_cart() {
        let keys = Keys::new([7; 32], None);
        assert_eq!(
            keys.order_key("c", 3),
            Keys::new([7; 32], None).order_key("c", 3)
        );
        assert_ne!(keys.order_key("c", 3), keys.order_key("c", 4));
        assert_ne!(keys.order_key("c", 3), keys.order_key("d", 3));
        let replaced = Keys::new([8; 32], Some([7; 32]));
        assert_eq!(
            replaced.previous_order_key("c", 3).unwrap(),
            keys.order_key("c", 3)
        );
    }

    #[test]
    fn a_capability_reads_one_order() {
        let keys = Keys::random();
        let capability = keys.capability("o_1", "device");
        assert_eq!(keys.open_capability("o_1", &capability).unwrap(), "device");
        assert_eq!(keys.open_capability("o_2", &capability), None);
        for made_up in ["", "x", "%", "AAAA", &capability[1..]] {
            assert_eq!(keys.open_capability("o_1", made_up), None, "{made_up:?}");
        }
    }

    #[test]
    fn secrets_are_read_strictly() {
        let one = "0f".repeat(32);
        assert!(Keys::from_hex(&one).is_ok());
        assert!(Keys::from_hex(&format!("{one},{one}\n")).is_ok());
        for wrong in [
            "",
            "zz",
            &one[1..],
            &format!("{one},"),
            &format!("{one},{one},{one}"),
        ] {
            assert!(Keys::from_hex(wrong).is_err(), "{wrong:?}");
        }
        let keys = Keys::random();
        let printed = format!("{keys:?} {:?}", keys.derive("a"));
        assert_eq!(printed, "Keys Derived");
    }

    #[test]
    fn the_first_start_makes_a_private_secret_and_the_second_reads_it() {
        let dir = std::env::temp_dir().join(random_name());
        let first = Keys::load_or_create(&dir).unwrap();
        let second = Keys::load_or_create(&dir).unwrap();
        assert_eq!(*first.derive("a"), *second.derive("a"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let file = dir.join(FILE);
            let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(), 0o600);
            // Copied from elsewhere, so that others can read it.
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
            let third = Keys::load_or_create(&dir).unwrap();
            assert_eq!(*first.derive("a"), *third.derive("a"));
            assert_eq!(mode(), 0o600);
        }
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
