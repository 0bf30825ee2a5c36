//! Measures a server bundle: `cargo run --release -p ssr --example bench -- BUNDLE URL DATA [N]`.
//!
//! DATA is a file with the page's JSON. Prints the snapshot's size and time, the start of an
//! isolate from it, and N renders one after the other and 16 at a time.

#![allow(clippy::print_stdout, reason = "it is a program that prints")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ssr::{Bundle, Options, Renderer, make_snapshot};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, bundle, url, data, rest @ ..] = arguments.as_slice() else {
        return Err("usage: bench BUNDLE URL DATA [N]".into());
    };
    let bundle = std::fs::read_to_string(bundle)?;
    let data: Arc<str> = std::fs::read_to_string(data)?.into();
    let n: usize = rest.first().map_or(Ok(1000), |n| n.parse())?;

    let begun = Instant::now();
    let snapshot = make_snapshot(&bundle, &[(url, &data)])?;
    let took = begun.elapsed();
    println!(
        "snapshot: {:.2} MB in {took:?}",
        snapshot.len() as f64 / 1e6
    );
    let bundle = Bundle::new(snapshot)?;

    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let options = Options {
        isolates: 1,
        queue: 64,
        max_wait: Duration::from_secs(10),
        ..Options::default()
    };
    for warm in [false, true] {
        let mut starts = Vec::new();
        let mut firsts = Vec::new();
        for _ in 0..9 {
            let begun = Instant::now();
            let renderer = Renderer::start(
                bundle,
                Options {
                    warm,
                    ..options.clone()
                },
            )?;
            starts.push(begun.elapsed());
            firsts.push(
                tokio
                    .block_on(renderer.render(url.as_str(), Arc::clone(&data)))?
                    .took,
            );
            renderer.shutdown();
        }
        starts.sort();
        firsts.sort();
        println!(
            "isolate, warmed {warm}: ready in {:?}, first page {:?}",
            starts[4], firsts[4]
        );
    }

    let renderer = Renderer::start(bundle, options)?;
    let mut times = Vec::with_capacity(n);
    let mut bytes = 0;
    for _ in 0..n {
        let rendered = tokio.block_on(renderer.render(url.as_str(), Arc::clone(&data)))?;
        times.push(rendered.took);
        bytes = rendered.html.len();
    }
    let last = &mut times[n / 2..];
    last.sort();
    println!(
        "render of {bytes} bytes: median {:?}, p99 {:?} (second half of {n})",
        last[last.len() / 2],
        last[last.len() * 99 / 100]
    );

    let begun = Instant::now();
    tokio.block_on(async {
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..16 {
            let (renderer, url, data) = (renderer.clone(), url.clone(), Arc::clone(&data));
            all.spawn(async move {
                for _ in 0..n / 16 {
                    renderer.render(url.as_str(), Arc::clone(&data)).await?;
                }
                Ok::<(), ssr::RenderError>(())
            });
        }
        while let Some(one) = all.join_next().await {
            one??;
        }
        Ok::<(), Box<dyn Error>>(())
    })?;
    let rate = (n / 16 * 16) as f64 / begun.elapsed().as_secs_f64();
    println!(
        "16 at a time: {rate:.0} renders per second, heap {} MB",
        renderer.stats().heap_bytes >> 20
    );
    renderer.shutdown();
    Ok(())
}
