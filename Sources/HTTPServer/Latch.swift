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
    pthread_cond_init(condition, nil)
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
}
