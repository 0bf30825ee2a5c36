//! Memory of the brotli encoder, kept from one document to the next: new pages of a megabyte or two for each cost the
//! system more than the packing.

use std::{
    any::Any,
    mem,
    sync::{Mutex, PoisonError},
};

use brotli::enc::{Allocator, BrotliAlloc, SliceWrapper, SliceWrapperMut};

/// Bytes; what is smaller is cheap to get.
const LARGE: usize = 128 << 10;
/// Bytes; what is larger is asked for seldom and too much to be kept.
const LARGEST: usize = 4 << 20;
/// The most tables that are kept: those of two documents that are packed at once.
const MOST: usize = 8;

/// Each a `Vec` of whatever the encoder keeps its entries in.
static POOL: Mutex<Vec<Box<dyn Any + Send>>> = Mutex::new(Vec::new());

/// Hands out what an encoder works with.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tables;

/// What an encoder works with, of one kind of entry.
#[derive(Debug)]
pub struct Table<T: Send + 'static>(Vec<T>);

impl<T: Send> Default for Table<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Send> SliceWrapper<T> for Table<T> {
    fn slice(&self) -> &[T] {
        &self.0
    }
}

impl<T: Send> SliceWrapperMut<T> for Table<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// The encoder lets go of its tables without handing them back.
impl<T: Send> Drop for Table<T> {
    fn drop(&mut self) {
        if !is_pooled::<T>(self.0.len()) {
            return;
        }
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.len() == MOST {
            pool.remove(0);
        }
        pool.push(Box::new(mem::take(&mut self.0)));
    }
}

impl<T: Clone + Default + Send + 'static> Allocator<T> for Tables {
    type AllocatedMemory = Table<T>;

    fn alloc_cell(&mut self, length: usize) -> Table<T> {
        let Some(mut table) = taken::<T>(length) else {
            return Table(vec![T::default(); length]);
        };
        table.fill(T::default());
        Table(table)
    }

    fn free_cell(&mut self, table: Table<T>) {
        drop(table);
    }
}

impl BrotliAlloc for Tables {}

/// Whether a table is kept.
const fn is_pooled<T>(length: usize) -> bool {
    let bytes = length * size_of::<T>();
    LARGE <= bytes && bytes <= LARGEST
}

/// A kept table of this kind and length, with what was left in it.
fn taken<T: Send + 'static>(length: usize) -> Option<Vec<T>> {
    if !is_pooled::<T>(length) {
        return None;
    }
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let at = pool.iter().position(|one| {
        one.downcast_ref::<Vec<T>>()
            .is_some_and(|table| table.len() == length)
    })?;
    Some(*pool.remove(at).downcast().ok()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::io::Read as _;

    use super::super::pack;
    use super::*;

    fn text(seed: usize) -> Vec<u8> {
        (0..4000usize)
            .map(|at| format!("<li>{} {}</li>", at * seed % 97, at % (seed + 3)))
            .collect::<String>()
            .into_bytes()
    }

    #[test]
    fn what_a_document_left_in_a_table_is_not_in_the_next() {
        for effort in [3, 6] {
            let first = pack(&text(1), effort).unwrap();
            for seed in 2..8 {
                let packed = pack(&text(seed), effort).unwrap();
                let mut plain = Vec::new();
                brotli::Decompressor::new(packed.as_slice(), 4096)
                    .read_to_end(&mut plain)
                    .unwrap();
                assert_eq!(plain, text(seed));
            }
            assert_eq!(pack(&text(1), effort).unwrap(), first);
        }
    }

    #[test]
    fn a_table_is_handed_out_again_empty_and_no_more_than_a_few_are_kept() {
        let length = LARGE + 77;
        for _ in 0..2 * MOST {
            let mut all: Vec<Table<u32>> =
                (0..2 * MOST).map(|_| Tables.alloc_cell(length)).collect();
            for table in &mut all {
                assert_eq!(table.slice().len(), length);
                assert!(table.slice().iter().all(|&entry| entry == 0));
                table.slice_mut().fill(9);
            }
        }
        assert!(POOL.lock().unwrap().len() <= MOST);
    }
}
