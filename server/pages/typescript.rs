//! The TypeScript of what pages show, and the route table of the browser: tests write both and compare them with what the
//! front has (`server/generated.rs`).

use std::{
    any::TypeId,
    collections::{BTreeMap, HashSet},
    fmt::Write as _,
};

use ts_rs::{Config, TS, TypeVisitor};

use crate::web::page::Page;

/// Declarations of types and of all that they are made of.
pub struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    /// By their names.
    found: BTreeMap<String, String>,
    /// Pages by their ids, each with the name of its data, as they are registered.
    pages: Vec<(&'static str, String)>,
}

impl Default for Declarations {
    fn default() -> Self {
        Self {
            config: Config::new().with_large_int("number"),
            seen: HashSet::new(),
            found: BTreeMap::new(),
            pages: Vec::new(),
        }
    }
}

impl Declarations {
    /// A type and what it is made of.
    pub fn add<T: TS + ?Sized + 'static>(&mut self) {
        self.visit::<T>();
    }

    pub(super) fn add_page<T: TS + 'static>(&mut self, id: &'static str) {
        self.add::<T>();
        self.pages.push((id, T::name(&self.config)));
    }

    /// TypeScript.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "// Generated from the structs of `server` by `make types`. Do not edit.\n",
        );
        for declaration in self.found.values() {
            let _ = write!(text, "\n{declaration}\n");
        }
        text.push_str(
            "\n/**\n * The data of one page, told apart by its id.\n */\nexport type Page =",
        );
        for (id, data) in &self.pages {
            let _ = write!(text, "\n  | {{ route: '{id}'; data: {data} }}");
        }
        text.push_str(
            "\n\n/**\n * The one JSON text of a page: what stands around it, what it shows, its HTTP status.\n */\n\
             export type PageData = { shell: Shell; page: Page; status: number }\n",
        );
        text
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + ?Sized + 'static>(&mut self) {
        // What TypeScript has by itself has no place.
        if T::output_path().is_none() || !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let declaration = format!("{docs}export {}", T::decl(&self.config));
        self.found.insert(T::ident(&self.config), declaration);
        T::visit_dependencies(self);
    }
}

/// The addresses of pages for the browser's router, and the page that each is expected to show; the query keys of each,
/// for what builds addresses.
pub(super) fn route_table(pages: impl Iterator<Item = &'static Page> + Clone) -> String {
    let mut text = String::from(
        "// Generated from `server/routes.rs` by `make types`. Do not edit.\n\n\
         import type { Page } from './page-data.ts'\n\n\
         export const routeTable = [\n",
    );
    for page in pages.clone() {
        let path = page.path.replace('{', ":").replace('}', "");
        let _ = writeln!(text, "  {{ id: '{}', path: '{path}' }},", page.id);
    }
    text.push_str("  { id: 'notFound', path: '*' },\n] as const satisfies readonly { id: Page['route']; path: string }[]\n");
    text.push_str("\n/**\n * The query keys that change a page.\n */\nexport type PageQuery = {\n");
    let mut ids = HashSet::new();
    for page in pages.filter(|page| ids.insert(page.id)) {
        let keys: Vec<_> = page.keys().map(|key| format!("'{key}'")).collect();
        let keys = if keys.is_empty() {
            "never".to_owned()
        } else {
            keys.join(" | ")
        };
        let _ = writeln!(text, "  {}: {keys}", page.id);
    }
    text.push_str("}\n");
    text
}
