//! Memory of array buffers, with a limit: V8 keeps it outside its heap and does not count it.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use deno_core::v8;

/// What one isolate's buffers use and may use.
struct Account {
    used: AtomicUsize,
    limit: usize,
}

impl Account {
    fn take(&self, len: usize) -> bool {
        self.used
            .try_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                used.checked_add(len).filter(|sum| *sum <= self.limit)
            })
            .is_ok()
    }
}

/// An allocator that refuses above `limit` bytes; V8 then collects garbage, tries again and at
/// last throws a `RangeError`.
pub(crate) fn limited(limit: usize) -> v8::UniqueRef<v8::Allocator> {
    let account = Arc::new(Account {
        used: AtomicUsize::new(0),
        limit,
    });
    // SAFETY: the handle is an `Arc` that `drop_account` gives back, and the functions below are
    // the ones for it.
    unsafe { v8::new_rust_allocator(Arc::into_raw(account), &VTABLE) }
}

static VTABLE: v8::RustAllocatorVtable<Account> = v8::RustAllocatorVtable {
    allocate,
    allocate_uninitialized,
    free,
    drop: drop_account,
};

/// V8 asks for pointers as `malloc` gives them; a length of zero still needs one.
fn layout(len: usize) -> Option<Layout> {
    Layout::from_size_align(len.max(1), 16).ok()
}

unsafe extern "C" fn allocate(account: &Account, len: usize) -> *mut c_void {
    match layout(len) {
        // SAFETY: the layout's size is not zero.
        Some(layout) if account.take(len) => unsafe { alloc_zeroed(layout).cast() },
        Some(_) | None => ptr::null_mut(),
    }
}

unsafe extern "C" fn allocate_uninitialized(account: &Account, len: usize) -> *mut c_void {
    match layout(len) {
        // SAFETY: the layout's size is not zero.
        Some(layout) if account.take(len) => unsafe { alloc(layout).cast() },
        Some(_) | None => ptr::null_mut(),
    }
}

unsafe extern "C" fn free(account: &Account, data: *mut c_void, len: usize) {
    let Some(layout) = layout(len) else { return };
    // SAFETY: V8 gives back what it got from the functions above, with the same length.
    unsafe { dealloc(data.cast(), layout) };
    account.used.fetch_sub(len, Ordering::Relaxed);
}

unsafe extern "C" fn drop_account(account: *const Account) {
    // SAFETY: the pointer is the one of `Arc::into_raw` in `limited`.
    drop(unsafe { Arc::from_raw(account) });
}
