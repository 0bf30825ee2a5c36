//! Scripts as the difference to those of an older build (RFC 9842).

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use crate::{
    assets::addresses,
    support::{Answer, Guest, Product},
};

/// A script of the first page, and what a build before this one had in its place.
struct Script {
    address: String,
    now: Vec<u8>,
    before: Vec<u8>,
}

impl Script {
    /// The entry, and an entry of a build before, whose files this product finds in its folder.
    async fn of(product: &Product) -> Self {
        let guest = product.guest();
        let page = guest.get("/").await.text();
        let address = addresses(&page, ".js")
            .into_iter()
            .find(|address| address.contains("/entry-"))
            .unwrap();
        let now = guest
            .get_with(&address, &[("accept-encoding", "identity")])
            .await;
        let before = [
            b"/* another build */".as_slice(),
            &now.body[..now.body.len() - 900],
        ]
        .concat();
        let old = product.folder.join("builds").join("0ldbu1ld");
        std::fs::create_dir_all(&old).unwrap();
        std::fs::write(old.join("entry-0LD.js"), &before).unwrap();
        Self {
            address,
            now: now.body,
            before,
        }
    }

    async fn fetch(&self, guest: &Guest, accept: &str, dictionary: &[u8]) -> Answer {
        let digest = BASE64_STANDARD.encode(Sha256::digest(dictionary));
        let told = format!(":{digest}:");
        let headers = [
            ("accept-encoding", accept),
            ("available-dictionary", told.as_str()),
        ];
        guest.get_with(&self.address, &headers).await
    }
}

#[tokio::test]
async fn a_browser_with_a_script_of_the_build_before_gets_the_difference() {
    let product = Product::start().await;
    let script = Script::of(&product).await;
    let guest = product.guest();
    let answer = script
        .fetch(&guest, "gzip, br, zstd, dcb, dcz", &script.before)
        .await;
    assert_eq!(answer.header("content-encoding"), "dcz");
    assert_eq!(
        answer.header("vary"),
        "accept-encoding, available-dictionary"
    );
    assert_eq!(
        answer.header("use-as-dictionary"),
        "match=\"/assets/entry-*.js\""
    );
    assert!(answer.header("cache-control").contains("immutable"));
    assert!(answer.body.len() < 2_000, "{} bytes", answer.body.len());
    // A frame that names the dictionary, then zstd with it.
    let (head, packed) = answer.body.split_at(40);
    assert_eq!(head[..8], [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0]);
    assert_eq!(head[8..], Sha256::digest(&script.before)[..]);
    let mut unpacker = zstd::bulk::Decompressor::with_dictionary(&script.before).unwrap();
    assert!(unpacker.decompress(packed, script.now.len()).unwrap() == script.now);
    // What it has already is not sent again.
    let tag = answer.header("etag").to_owned();
    let digest = format!(
        ":{}:",
        BASE64_STANDARD.encode(Sha256::digest(&script.before))
    );
    let headers = [
        ("accept-encoding", "br, dcz"),
        ("available-dictionary", digest.as_str()),
        ("if-none-match", tag.as_str()),
    ];
    assert_eq!(guest.get_with(&script.address, &headers).await.status, 304);
}

#[tokio::test]
async fn without_the_dictionary_of_an_older_build_a_script_comes_whole() {
    let product = Product::start().await;
    let script = Script::of(&product).await;
    let guest = product.guest();
    // A script of another name is no dictionary for this one.
    let other = [script.before.as_slice(), b"//"].concat();
    let old = product.folder.join("builds").join("0ldbu1ld");
    std::fs::write(old.join("menu-0LD.js"), &other).unwrap();
    for (accept, dictionary, wanted) in [
        ("br, dcz", b"what nobody ever sent".as_slice(), "br"),
        ("br, dcz", &other, "br"),
        ("br, dcz;q=0", &script.before, "br"),
        ("br", &script.before, "br"),
        ("identity", &script.before, ""),
    ] {
        let answer = script.fetch(&guest, accept, dictionary).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-encoding"), wanted, "{accept}");
        // Proxies keep it for those alone who ask the same way.
        assert_eq!(
            answer.header("vary"),
            "accept-encoding, available-dictionary"
        );
        assert!(!answer.header("use-as-dictionary").is_empty());
    }
}
