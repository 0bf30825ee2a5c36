//! Names: those of the upstream stay at its boundary, as inside a venue has one word, in the server as in the front; and
//! words that once needed an explanation do not come back.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::sources;

/// The upstream's words for a venue; addresses, forms and what is stored have them in text.
const UPSTREAM_WORDS: [&str; 2] = ["filial", "terminal"];

fn is_foreign(name: &str) -> bool {
    let lower = name.to_lowercase();
    UPSTREAM_WORDS.iter().any(|word| lower.contains(word))
}

/// Words that no identifier has, in the product as in its tests: the field has others for what they meant.
const BANNED_WORDS: [&str; 8] = [
    "anew",
    "aside",
    "nobody",
    "nobodys",
    "stranger",
    "strangers",
    "tongue",
    "untold",
];

/// Identifiers that do not come back as they were.
const BANNED_NAMES: [&str; 3] = ["MustBeKept", "PIECES", "useAlive"];

/// No name of the product, and no function of tests: whether a value is stored, cached, sent or answered is in its name.
const VAGUE_NAMES: [&str; 3] = ["kept", "told", "Told"];

fn is_vague(name: &str) -> bool {
    VAGUE_NAMES.contains(&name)
}

/// From so many words on an identifier is a sentence: the name of a test.
const SENTENCE: usize = 5;

fn is_banned(name: &str) -> bool {
    let words = words_of(name);
    BANNED_NAMES.contains(&name)
        || (words.len() < SENTENCE
            && words
                .iter()
                .any(|word| BANNED_WORDS.contains(&word.as_str())))
}

/// The words of a name, in lower case: `READ_ANEW`, `readAnew` and `read_anew` have the same.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && !before.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter != '_') {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The names of a source that have a word of the upstream. Comments and texts are no names.
fn foreign(text: &str) -> BTreeSet<String> {
    let mut found = names(text);
    found.retain(|name| is_foreign(name));
    found
}

/// The names of a source.
fn names(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<TokenTree> = text.parse::<TokenStream>().unwrap().into_iter().collect();
    while let Some(token) = waiting.pop() {
        match token {
            TokenTree::Group(group) => waiting.extend(group.stream()),
            TokenTree::Ident(name) => {
                found.insert(name.to_string());
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// The names of a source that are called.
fn calls(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<TokenStream> = vec![text.parse().unwrap()];
    while let Some(tokens) = waiting.pop() {
        let mut before = None;
        for token in tokens {
            if let TokenTree::Group(group) = &token {
                if let (Some(name), Delimiter::Parenthesis) = (before, group.delimiter()) {
                    found.insert(name);
                }
                waiting.push(group.stream());
            }
            before = match token {
                TokenTree::Ident(name) => Some(name.to_string()),
                _ => None,
            };
        }
    }
    found
}

/// The names of a script that are called.
fn calls_in_script(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    names_in_script(text, |name, behind, _| {
        if behind.starts_with('(') {
            found.insert(name.to_owned());
        }
    });
    found
}

/// The names of a script that have a word of the upstream. Keys of objects are fields of forms and addresses.
fn foreign_in_script(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    names_in_script(text, |name, behind, _| {
        let is_key = behind.starts_with(':') || behind.starts_with("?:");
        if !is_key && is_foreign(name) {
            found.insert(name.to_owned());
        }
    });
    found
}

/// The names of a script that are banned. Elements have names of their own, such as `<aside>`.
fn banned_in_script(text: &str, is_wrong: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    names_in_script(text, |name, _, is_tag| {
        if !is_tag && is_wrong(name) {
            found.insert(name.to_owned());
        }
    });
    found
}

/// Calls with each name of a script, what follows it, and whether it is the name of an element.
fn names_in_script(text: &str, mut call: impl FnMut(&str, &str, bool)) {
    let code = without_texts(text);
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut rest = code.as_str();
    while let Some(start) = rest.find(is_name) {
        let is_tag = rest[..start].ends_with('<') || rest[..start].ends_with("</");
        rest = &rest[start..];
        let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        call(name, behind, is_tag);
        rest = behind;
    }
}

/// A script without its comments, texts and patterns; what a text has in `${}` stays.
fn without_texts(text: &str) -> String {
    let mut code = String::new();
    // Where a text goes on once the braces in it are closed.
    let mut braces: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let before = code.trim_end().chars().next_back().unwrap_or('(');
        let skipped = match letter {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").unwrap() + 2,
            '/' if "(,=:[!&|?{};>".contains(before) => text_end(rest, '/'),
            '\'' | '"' => text_end(rest, letter),
            '`' => template_end(rest, &mut braces),
            '}' if braces.last() == Some(&0) => {
                braces.pop();
                template_end(rest, &mut braces)
            }
            _ => 0,
        };
        if skipped > 0 {
            code.push(' ');
            rest = &rest[skipped..];
            continue;
        }
        match (letter, braces.last_mut()) {
            ('{', Some(depth)) => *depth += 1,
            ('}', Some(depth)) => *depth -= 1,
            _ => {}
        }
        code.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
    code
}

/// The end of a text or pattern that begins here. One without an end in its line is none: words and closing tags have
/// such signs, too.
fn text_end(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let mut is_class = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\n' => return 0,
            '\\' => is_escaped = true,
            '[' if quote == '/' => is_class = true,
            ']' => is_class = false,
            _ if letter == quote && !is_class => return at + 1,
            _ => {}
        }
    }
    0
}

/// The end of a template's next text; behind `${` its code goes on.
fn template_end(rest: &str, braces: &mut Vec<usize>) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '`' => return at + 1,
            '$' if rest[at + 1..].starts_with('{') => {
                braces.push(0);
                return at + 2;
            }
            _ => {}
        }
    }
    rest.len()
}

#[test]
fn words_of_the_upstream_stand_in_no_name_of_the_front() {
    let mut found = Vec::new();
    scripts(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("components"),
        &mut found,
    );
    assert!(found.len() > 300, "{} scripts", found.len());
    let wrong: Vec<String> = found
        .iter()
        .filter_map(|path| {
            let names = foreign_in_script(&fs::read_to_string(path).unwrap());
            (!names.is_empty()).then(|| format!("{}: {names:?}", path.display()))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            scripts(&path, found);
        } else if matches!(ending, Some("ts" | "tsx" | "mjs" | "mts")) {
            found.push(path);
        }
    }
}

#[test]
fn a_word_of_the_upstream_is_found_in_names_of_scripts_alone() {
    let fine = r#"
        // filial
        /* filial */ const href = `/filials/${venueId}/${of({ id: `filial` })}/filial`
        const fields = { filial: venue.id, product: 'filial', "filial": a / b }
        type Query = { filial?: number }
        const found = /^\/filials\/(["'`/]+)/.exec(path) ?? <p>it's</p>
    "#;
    assert_eq!(foreign_in_script(fine), BTreeSet::new());
    let bad = "const filialId = `${mainTerminal}` / { filial } // terminal\n<a b={it's}>{isFilial}";
    let names = ["filialId", "mainTerminal", "filial", "isFilial"].map(str::to_owned);
    assert_eq!(foreign_in_script(bad), BTreeSet::from(names));
}

#[test]
fn words_of_the_upstream_stand_at_its_boundary_alone() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("server");
    let mut found = Vec::new();
    sources(&server, &mut found);
    let inside = |path: &&PathBuf| !path.starts_with(server.join("upstream"));
    let wrong: Vec<String> = found
        .iter()
        .filter(inside)
        .filter_map(|path| {
            let names = foreign(&fs::read_to_string(path).unwrap());
            (!names.is_empty()).then(|| format!("{}: {names:?}", path.display()))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_word_of_the_upstream_is_found_in_names_alone() {
    let fine = r##"
        //! Led by `/filials/{filial_id}`.
        /* filial */
        fn of<'filter>(it: &'filter str) -> char { it.get("\"filial"); 'f' }
        #[serde(rename = "filial")]
        pub venue: VenueId, r#"main "terminal""#, b"filial", '"', b'"',
    "##;
    assert_eq!(foreign(fine), BTreeSet::new());
    let bad = r#"let FilialId(main_terminal_id) = "x"; 'a' // filial"#;
    let names = ["FilialId", "main_terminal_id"].map(str::to_owned);
    assert_eq!(foreign(bad), BTreeSet::from(names));
}

#[test]
fn no_name_has_a_word_that_needs_an_explanation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    let mut note = |path: &Path, names: BTreeSet<String>| {
        if !names.is_empty() {
            wrong.push(format!("{}: {names:?}", path.display()));
        }
    };
    for folder in [
        "server",
        "server/compression",
        "server/finding",
        "server/pixels",
        "server/sandbox",
        "ssr",
        "components",
        "tests",
    ] {
        let is_wrong = |name: &str| is_banned(name) || (folder != "tests" && is_vague(name));
        let vague = |mut calls: BTreeSet<String>| {
            calls.retain(|name| is_vague(name));
            calls
        };
        let (mut rust, mut typescript) = (Vec::new(), Vec::new());
        sources(&root.join(folder), &mut rust);
        scripts(&root.join(folder), &mut typescript);
        assert!(!rust.is_empty() || !typescript.is_empty(), "{folder}");
        for path in &rust {
            let text = fs::read_to_string(path).unwrap();
            let mut names = names(&text);
            names.retain(|name| is_wrong(name));
            note(path, names);
            note(path, vague(calls(&text)));
        }
        for path in &typescript {
            let text = fs::read_to_string(path).unwrap();
            note(path, banned_in_script(&text, is_wrong));
            note(path, vague(calls_in_script(&text)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_function_is_found_by_its_calls() {
    let rust = "let told = kept(at(&guest).await, told.sent()); log(told);";
    let script = "const told = kept(at(guest), told.sent()); log(told)";
    let called = BTreeSet::from(["at", "kept", "log", "sent"].map(str::to_owned));
    assert_eq!(calls(rust), called);
    assert_eq!(calls_in_script(script), called);
    assert!(is_vague("told") && !is_vague("untold"));
}

#[test]
fn a_banned_word_is_found_in_names_alone() {
    assert_eq!(words_of("READ_ANEW"), ["read", "anew"]);
    assert_eq!(words_of("isOpenedAnew"), ["is", "opened", "anew"]);
    let bad = [
        "MustBeKept",
        "set_aside",
        "untold",
        "READ_ANEW",
        "beginAnew",
        "Stranger",
    ];
    for name in bad {
        assert!(is_banned(name), "{name}");
        assert!(names(&format!("let {name} = 1;")).contains(name), "{name}");
        let script = format!("const {name} = `${{other}}`");
        assert_eq!(
            banned_in_script(&script, is_banned),
            BTreeSet::from([name.to_owned()])
        );
    }
    for name in [
        "newer",
        "sidebar",
        "retold",
        "a_stranger_sees_no_order_of_others",
    ] {
        assert!(!is_banned(name), "{name}");
    }
    let fine = "// aside\nconst text = 'untold' + `nobody ${name}`; <aside>{text}</aside>";
    assert_eq!(banned_in_script(fine, is_banned), BTreeSet::new());
    let bad = "const aside = { untold: 1 }\n<aside>{`${stranger}`}</aside>";
    let names = ["aside", "stranger", "untold"].map(str::to_owned);
    assert_eq!(banned_in_script(bad, is_banned), BTreeSet::from(names));
}
