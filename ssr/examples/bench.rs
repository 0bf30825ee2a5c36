//! Measures a server bundle: `cargo run --release -p ssr --example bench -- BUNDLE SECONDS (URL DATA REST SHARED)...`
//!
//! DATA is a file with a page's JSON; REST is the same without the part that pages share, and SHARED that part: so the
//! server hands it over. Prints JSON with times in milliseconds: the snapshot, the start of an isolate from it with its
//! first page, 16 renders at a time, and each page after SECONDS of renders, with its shared part and without fragments.

#![allow(clippy::print_stdout, reason = "it is a program that prints")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ssr::{Bundle, Options, RenderError, Rendered, Renderer, Shared, make_snapshot};
use tokio::runtime::Runtime;

type Failure = Box<dyn Error>;

/// A page as the engine gets it.
#[derive(Clone)]
struct Page {
    url: String,
    data: Arc<str>,
    shared: Option<Shared>,
}

impl Page {
    /// The page with its shared part, and the one that is rendered from scratch.
    fn read([url, data, rest, shared]: &[String; 4]) -> std::io::Result<[Self; 2]> {
        let page = |data: &str, shared| -> std::io::Result<Self> {
            Ok(Self {
                url: url.clone(),
                data: std::fs::read_to_string(data)?.into(),
                shared,
            })
        };
        let shared = Shared::new(Arc::new(std::fs::read_to_string(shared)?));
        Ok([page(rest, Some(shared))?, page(data, None)?])
    }

    async fn render(&self, renderer: &Renderer) -> Result<Rendered, RenderError> {
        let (url, data) = (self.url.as_str(), Arc::clone(&self.data));
        renderer.render_with(url, data, self.shared.clone()).await
    }
}

const USAGE: &str = "usage: bench BUNDLE SECONDS (URL DATA REST SHARED)...";

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, bundle, seconds, pages @ ..] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let (pages, []) = pages.as_chunks() else {
        return Err(USAGE.into());
    };
    let pages = pages
        .iter()
        .map(Page::read)
        .collect::<Result<Vec<_>, _>>()?;
    let [[first, _], ..] = pages.as_slice() else {
        return Err(USAGE.into());
    };
    let bundle = std::fs::read_to_string(bundle)?;
    let time = Duration::from_secs_f64(seconds.parse()?);

    let begun = Instant::now();
    let snapshot = make_snapshot(&bundle, &[])?;
    let snapshot_result = json!({ "bytes": snapshot.len(), "made": ms(begun.elapsed()) });
    let bundle = Bundle::new(snapshot)?;

    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let options = Options {
        isolates: 1,
        max_wait: Duration::from_secs(10),
        ..Options::default()
    };
    let warm = starts(&tokio, bundle, &options, first)?;
    let cold = Options {
        warm: false,
        ..options.clone()
    };
    let cold = starts(&tokio, bundle, &cold, first)?;

    let renderer = Renderer::start(bundle, options)?;
    let at_a_time = many(&tokio, &renderer, first, time)?;
    let heap = renderer.stats().heap_bytes;
    let mut results = Vec::new();
    for [page, bare] in &pages {
        let html = |page: &Page| Ok::<_, RenderError>(tokio.block_on(page.render(&renderer))?.html);
        // The first render makes the fragments, the second takes them.
        let made = html(page)?;
        if html(page)? != made || html(bare)? != made {
            return Err(format!("{}: with its shared part it is another page", page.url).into());
        }
        results.push(json!({
            "url": page.url,
            "bytes": made.len(),
            "shared": one_by_one(&tokio, &renderer, page, time)?,
            "bare": one_by_one(&tokio, &renderer, bare, time)?,
        }));
    }
    renderer.shutdown();
    println!(
        "{:#}",
        json!({ "snapshot": snapshot_result, "warm": warm, "cold": cold, "rate": at_a_time, "heap": heap, "pages": results })
    );
    Ok(())
}

/// The start of an isolate and its first page.
fn starts(
    tokio: &Runtime,
    bundle: Bundle,
    options: &Options,
    page: &Page,
) -> Result<Value, Failure> {
    let (mut readies, mut firsts) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        let begun = Instant::now();
        let renderer = Renderer::start(bundle, options.clone())?;
        readies.push(begun.elapsed());
        firsts.push(tokio.block_on(page.render(&renderer))?.took);
        renderer.shutdown();
    }
    readies.sort();
    firsts.sort();
    Ok(json!({ "ready": ms(readies[4]), "first": ms(firsts[4]) }))
}

/// Renders one after the other; those of the first half warm up.
fn one_by_one(
    tokio: &Runtime,
    renderer: &Renderer,
    page: &Page,
    time: Duration,
) -> Result<Value, Failure> {
    let mut times = Vec::new();
    let mut head = String::new();
    for half in 0..2 {
        times.clear();
        let begun = Instant::now();
        while begun.elapsed() < time / 2 {
            let rendered = tokio.block_on(page.render(renderer))?;
            times.push(rendered.took);
            if half == 1 {
                head = rendered.head;
            }
        }
    }
    times.sort();
    let head: Value = serde_json::from_str(&head)?;
    Ok(json!({
        "p50": ms(times[times.len() / 2]),
        "p99": ms(times[times.len() * 99 / 100]),
        "renders": times.len(),
        "reused": head["reused"],
    }))
}

/// Renders a second, 16 at a time.
fn many(tokio: &Runtime, renderer: &Renderer, page: &Page, time: Duration) -> Result<f64, Failure> {
    let begun = Instant::now();
    let renders: u32 = tokio.block_on(async {
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..16 {
            let (renderer, page) = (renderer.clone(), page.clone());
            all.spawn(async move {
                let mut renders = 0;
                while begun.elapsed() < time {
                    page.render(&renderer).await?;
                    renders += 1;
                }
                Ok::<u32, RenderError>(renders)
            });
        }
        let mut renders = 0;
        while let Some(one) = all.join_next().await {
            renders += one??;
        }
        Ok::<u32, Failure>(renders)
    })?;
    Ok(f64::from(renders) / begun.elapsed().as_secs_f64())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
