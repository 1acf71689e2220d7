//! The C interface of playsim for a WebAssembly host: text goes in through [`ps_alloc`] and comes
//! out through [`ps_out`], as JSON. The functions are those of `playsim_bindings`; nothing is
//! decided here.
//!
//! The host provides one function, `host.call`, which runs a function of the page. It may call back
//! while it runs, on the same world, which is why the world is taken out of its place for as long
//! as it runs, and why the innermost running function is found through a stack.
//!
//! # Safety
//!
//! This is the one crate with `unsafe`, for three things: the bytes that the host wrote, the
//! import, and the stack of running functions. The module has one thread.

#![allow(
    clippy::disallowed_types,
    reason = "numbers of JavaScript are floats, and times cross the border as such"
)]

use std::cell::RefCell;

use playsim_bindings::Time;
use playsim_bindings::{Answer, Moved, Within, World, request};

/// A world's place.
enum Place {
    Free,
    Here(Box<World>),
    /// It is running: its functions act through the stack.
    Running,
}

thread_local! {
    static OUT: RefCell<String> = const { RefCell::new(String::new()) };
    static WORLDS: RefCell<Vec<Place>> = const { RefCell::new(Vec::new()) };
    #[cfg(feature = "recordings")]
    static RECORDINGS: RefCell<Vec<Option<playsim_bindings::Recording>>> = const { RefCell::new(Vec::new()) };
    /// The functions of pages that are running, the innermost last, each with the handle of its
    /// world.
    static RUNNING: RefCell<Vec<(usize, *mut Within<'static, 'static>)>> = const { RefCell::new(Vec::new()) };
    /// The text of the exception that the current function has thrown.
    static THROWN: RefCell<Option<String>> = const { RefCell::new(None) };
}

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    fn call(tag: i32, function: usize, ptr: *const u8, len: usize) -> i32;
}

/// Without a host, there are no functions of the page.
#[cfg(not(target_arch = "wasm32"))]
unsafe fn call(_: i32, _: usize, _: *const u8, _: usize) -> i32 {
    0
}

/// Returns room for a text of this many bytes, which is passed to the next function that takes one.
#[unsafe(no_mangle)]
pub extern "C" fn ps_alloc(len: usize) -> *mut u8 {
    Box::leak(vec![0; len].into_boxed_slice()).as_mut_ptr()
}

/// Returns the place of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn ps_out() -> *const u8 {
    OUT.with_borrow(|out| out.as_ptr())
}

/// Returns the length of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn ps_error_len() -> usize {
    OUT.with_borrow(String::len)
}

/// Answers a request without a world. The result is the length of the answer, negative for an
/// error.
#[unsafe(no_mangle)]
pub extern "C" fn ps_request(ptr: *mut u8, len: usize) -> i32 {
    report_panics();
    give(request(&taken(ptr, len)))
}

/// Reads a recording from a text with its name and hints, and its bytes, and returns its handle; 0
/// for an error. Both are in room of [`ps_alloc`].
#[cfg(feature = "recordings")]
#[unsafe(no_mangle)]
pub extern "C" fn ps_recording(ptr: *mut u8, len: usize, bytes: *mut u8, size: usize) -> usize {
    report_panics();
    let text = taken(ptr, len);
    match playsim_bindings::Recording::new(&text, &taken_bytes(bytes, size)) {
        Ok(recording) => RECORDINGS.with_borrow_mut(|all| {
            let free = all.iter().position(Option::is_none);
            let place = free.unwrap_or_else(|| {
                all.push(None);
                all.len() - 1
            });
            all[place] = Some(recording);
            place + 1
        }),
        Err(error) => {
            give(Err(error));
            0
        }
    }
}

/// Performs an operation on a recording. The result is that of [`ps_request`].
#[cfg(feature = "recordings")]
#[unsafe(no_mangle)]
pub extern "C" fn ps_recording_do(handle: usize, ptr: *mut u8, len: usize) -> i32 {
    let text = taken(ptr, len);
    let answer = RECORDINGS.with_borrow(|all| {
        let recording = all.get(handle.wrapping_sub(1)).and_then(Option::as_ref);
        recording.map(|recording| recording.perform(&text))
    });
    give(answer.unwrap_or_else(|| Err("{\"message\":\"this recording was freed\"}".to_owned())))
}

/// Frees a recording.
#[cfg(feature = "recordings")]
#[unsafe(no_mangle)]
pub extern "C" fn ps_recording_free(handle: usize) {
    let freed = RECORDINGS
        .with_borrow_mut(|all| all.get_mut(handle.wrapping_sub(1)).and_then(Option::take));
    drop(freed);
}

/// Makes a world, and returns its handle; 0 for an error. `tag` is passed to `host.call`.
#[unsafe(no_mangle)]
pub extern "C" fn ps_world(tag: i32, ptr: *mut u8, len: usize) -> usize {
    report_panics();
    let place = free_place();
    match World::new(&taken(ptr, len), outside(tag, place + 1)) {
        Ok(world) => {
            WORLDS.with_borrow_mut(|all| all[place] = Place::Here(Box::new(world)));
            place + 1
        }
        Err(error) => {
            give(Err(error));
            0
        }
    }
}

/// Makes a world with the scenario of one that is explored, at the start, and returns its handle; 0
/// if that one is not explored. `tag` is passed to `host.call`.
#[cfg(feature = "explore")]
#[unsafe(no_mangle)]
pub extern "C" fn ps_again(handle: usize, tag: i32) -> usize {
    let place = free_place();
    let made = with(
        handle,
        |world| world.again(outside(tag, place + 1)),
        |_| None,
    )
    .flatten();
    made.map_or(0, |world| {
        WORLDS.with_borrow_mut(|all| all[place] = Place::Here(Box::new(world)));
        place + 1
    })
}

/// Returns a place for a new world.
fn free_place() -> usize {
    WORLDS.with_borrow_mut(|all| {
        all.iter()
            .position(|place| matches!(place, Place::Free))
            .unwrap_or_else(|| {
                all.push(Place::Free);
                all.len() - 1
            })
    })
}

/// Returns what runs the functions of a world in the host.
fn outside(
    tag: i32,
    handle: usize,
) -> impl Fn(&mut Within<'_, '_>, usize, &str) -> Result<(), String> + Send + Sync + 'static {
    move |within, function, text| {
        let _running = Running::enter(handle, within);
        // SAFETY: the host reads the text before it returns.
        let has_thrown = unsafe { call(tag, function, text.as_ptr(), text.len()) } != 0;
        let thrown = THROWN.take();
        if has_thrown {
            Err(thrown.unwrap_or_default())
        } else {
            Ok(())
        }
    }
}

/// Frees a world, unless it is running.
#[unsafe(no_mangle)]
pub extern "C" fn ps_free(handle: usize) {
    let freed = WORLDS.with_borrow_mut(|all| {
        let place = all.get_mut(handle.wrapping_sub(1))?;
        if matches!(place, Place::Running) {
            None
        } else {
            Some(std::mem::replace(place, Place::Free))
        }
    });
    drop(freed);
}

/// Performs an operation on a world. The result is that of [`ps_request`].
#[unsafe(no_mangle)]
pub extern "C" fn ps_do(handle: usize, ptr: *mut u8, len: usize) -> i32 {
    let text = taken(ptr, len);
    let answer = with(
        handle,
        |world| world.perform(&text),
        |within| within.perform(&text),
    );
    give(answer.unwrap_or_else(|| Err("{\"message\":\"this world was freed\"}".to_owned())))
}

/// Returns the time of a world in microseconds.
#[unsafe(no_mangle)]
pub extern "C" fn ps_now(handle: usize) -> f64 {
    with(handle, |world| world.now(), |within| within.now()).map_or(0.0, micros)
}

/// Returns when the next thing of a world is due, in microseconds; negative: nothing is.
#[unsafe(no_mangle)]
pub extern "C" fn ps_due(handle: usize) -> f64 {
    with(handle, |world| world.next_due(), |within| within.next_due())
        .flatten()
        .map_or(-1.0, micros)
}

/// Plays one input that is due up to an instant in microseconds. The result is that of
/// [`ps_close`].
#[unsafe(no_mangle)]
pub extern "C" fn ps_turn(handle: usize, until: f64) -> i32 {
    // The conversion saturates.
    let until = Time::from_micros(until as u64);
    with(handle, |world| bits(world.turn_until(until)), |_| 0).unwrap_or(0)
}

/// Ends the open task of the page. Bits of the result: 1 something was played, 2 page code was
/// called, 4 the run is over.
#[unsafe(no_mangle)]
pub extern "C" fn ps_close(handle: usize) -> i32 {
    with(handle, |world| bits(world.end_task()), |_| 0).unwrap_or(0)
}

/// Within `host.call`: sets the text of the exception that the function has thrown.
#[unsafe(no_mangle)]
pub extern "C" fn ps_threw(ptr: *mut u8, len: usize) {
    let text = taken(ptr, len);
    THROWN.set(Some(text));
}

/// Acts on a world that is not running, or on its innermost running function.
fn with<T>(
    handle: usize,
    on_world: impl FnOnce(&mut World) -> T,
    on_function: impl FnOnce(&mut Within<'static, 'static>) -> T,
) -> Option<T> {
    let place = handle.wrapping_sub(1);
    let taken = WORLDS.with_borrow_mut(|all| {
        let place = all.get_mut(place)?;
        if matches!(place, Place::Free) {
            None
        } else {
            Some(std::mem::replace(place, Place::Running))
        }
    });
    if let Place::Here(mut world) = taken? {
        let value = on_world(&mut world);
        WORLDS.with_borrow_mut(|all| all[place] = Place::Here(world));
        return Some(value);
    }
    let running = RUNNING.with_borrow(|all| {
        all.iter()
            .rev()
            .find(|(of, _)| *of == handle)
            .map(|it| it.1)
    })?;
    // SAFETY: `Running::enter` is below us on the stack and keeps the function's scope alive; it
    // does not use the scope before the host returns.
    Some(on_function(unsafe { &mut *running }))
}

/// Keeps a running function on the stack.
struct Running;

impl Running {
    fn enter(handle: usize, within: &mut Within<'_, '_>) -> Running {
        let pointer = std::ptr::from_mut(within).cast::<Within<'static, 'static>>();
        RUNNING.with_borrow_mut(|all| all.push((handle, pointer)));
        Running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(Vec::pop);
    }
}

/// Takes the bytes that the host wrote into the room of [`ps_alloc`].
fn taken_bytes(ptr: *mut u8, len: usize) -> Vec<u8> {
    // SAFETY: `ptr` and `len` are those of `ps_alloc`, and the host passes them once.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(ptr, len)) }.into_vec()
}

/// Takes the text that the host wrote into the room of [`ps_alloc`].
fn taken(ptr: *mut u8, len: usize) -> String {
    String::from_utf8(taken_bytes(ptr, len))
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn give(answer: Answer) -> i32 {
    let (text, sign) = match answer {
        Ok(text) => (text, 1),
        Err(text) => (text, -1),
    };
    let len = i32::try_from(text.len()).unwrap_or(i32::MAX);
    OUT.set(text);
    sign * len
}

fn bits(moved: Moved) -> i32 {
    i32::from(moved.has_played) | i32::from(moved.has_called) << 1 | i32::from(moved.is_over) << 2
}

// Times of a run are far below the integers that a float cannot hold.
fn micros(at: Time) -> f64 {
    at.micros() as f64
}

/// A panic ends the module; its message is the last answer.
fn report_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            OUT.set(format!("playsim has failed, which is a bug: {info}"))
        }));
    });
}
