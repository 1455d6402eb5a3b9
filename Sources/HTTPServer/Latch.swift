import Glibc

/// A gate that threads wait at until it has been opened as often as it was told.
///
/// `@unchecked Sendable`: `remaining` is read and written only with `mutex` locked, and both the mutex and the condition
/// lie at addresses of their own until the last owner has gone.
final class Latch: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var remaining: Int

  init(_ count: Int) {
    remaining = count
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // A clock that is set meanwhile does not change how long a wait is.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func countDown() {
    pthread_mutex_lock(mutex)
    remaining -= 1
    if remaining <= 0 { pthread_cond_broadcast(condition) }
    pthread_mutex_unlock(mutex)
  }

  func wait() {
    pthread_mutex_lock(mutex)
    while remaining > 0 { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// Waits no longer than that; false where it was not opened by then.
  func wait(milliseconds: Int) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    end.tv_sec += milliseconds / 1000
    end.tv_nsec += milliseconds % 1000 * 1_000_000
    if end.tv_nsec >= 1_000_000_000 {
      end.tv_sec += 1
      end.tv_nsec -= 1_000_000_000
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while remaining > 0 {
      if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return remaining <= 0 }
    }
    return true
  }
}
