//! Work that several threads share.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::Error;

/// Calls `work` for each task on up to `threads` threads, one of which is this one, and returns the
/// results in the order of the tasks. The first error ends it. Each thread but this one begins with
/// what `start` returns, which is lent to `work`; this one with `own`.
///
/// The threads end before this returns: there is no pool, which would not survive a fork of the
/// process.
pub(crate) fn on_threads<S, T: Send, R: Send>(
    threads: usize,
    tasks: Vec<T>,
    (own, start): (S, impl Fn() -> S + Sync),
    work: impl Fn(&S, T) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let threads = threads.min(tasks.len());
    if threads < 2 {
        return tasks.into_iter().map(|task| work(&own, task)).collect();
    }
    let mut results: Vec<Option<R>> = tasks.iter().map(|_| None).collect();
    let queue = Mutex::new(tasks.into_iter().zip(&mut results));
    let run = |state: S| {
        while let Some((task, result)) = next(&queue) {
            match work(&state, task) {
                Ok(found) => *result = Some(found),
                Err(error) => {
                    // The rest is not needed.
                    while next(&queue).is_some() {}
                    return Err(error);
                }
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let others = (1..threads).map(|_| {
            let builder = thread::Builder::new().name("llmjson-arrow".to_owned());
            builder.spawn_scoped(scope, || run(start()))
        });
        // Without another thread this one does all the work.
        let others: Vec<_> = others.filter_map(Result::ok).collect();
        let own = run(own);
        let joined = others.into_iter().map(|other| other.join());
        let ended = joined.map(|other| other.unwrap_or_else(|panic| resume_unwind(panic)));
        ended.fold(own, Result::and)
    })?;
    Ok(results.into_iter().flatten().collect())
}

/// Takes a task. A thread that panicked held no lock on it.
fn next<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    let mut tasks = queue.lock().unwrap_or_else(PoisonError::into_inner);
    tasks.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        for threads in [1, 2, 7, 200] {
            let tasks: Vec<usize> = (0..100).collect();
            let results =
                on_threads(threads, tasks, ((), || ()), |(), task| Ok(task * 2)).expect("no error");
            assert!((0..100).map(|task| task * 2).eq(results), "{threads}");
        }
        assert_eq!(
            on_threads(3, Vec::<u8>::new(), ((), || ()), |(), task| Ok(task)).map_err(|_| ()),
            Ok(vec![])
        );
    }

    #[test]
    fn an_error_ends_all() {
        for threads in [1, 3] {
            let work = |(): &(), task| match task {
                7 => Err(Error::Cancelled),
                _ => Ok(task),
            };
            let results = on_threads(threads, (0..1_000).collect(), ((), || ()), work);
            assert!(matches!(results, Err(Error::Cancelled)));
        }
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_is_passed_on() {
        let work = |(): &(), task| match task {
            3 => panic!("the third"),
            _ => Ok(()),
        };
        let _ = on_threads(2, (0..10).collect(), ((), || ()), work);
    }
}
