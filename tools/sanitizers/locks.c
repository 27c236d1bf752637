// What the thread sanitizer has to know of the locks of Swift's Synchronization module, and the list of what is not
// ours, for scripts/sanitize.
//
// A Mutex that nobody else holds is taken and given back by an atomic operation in the client's own code, which the
// sanitizer sees. One that somebody holds is taken and given back by the kernel, on behalf of functions of the library,
// which is not built with the sanitizer: whatever such a Mutex guards would look like a race. These stand in for the
// functions wherever they are linked in, and say what happens.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void lock_function(uint32_t thread, SELF void *mutex);
typedef SWIFT bool try_function(SELF void *mutex);
typedef SWIFT void unlock_function(SELF void *mutex);

static lock_function *lock_of_library;
static try_function *try_of_library;
static unlock_function *unlock_of_library;

__attribute__((constructor)) static void find_library(void) {
    lock_of_library = (lock_function *)dlsym(RTLD_NEXT, LOCK);
    try_of_library = (try_function *)dlsym(RTLD_NEXT, TRY_LOCK);
    unlock_of_library = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void avt_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT bool avt_try_lock(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void avt_unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void avt_lock(uint32_t thread, SELF void *mutex) {
    lock_of_library(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool avt_try_lock(SELF void *mutex) {
    if (!try_of_library(mutex))
        return false;
    __tsan_acquire(mutex);
    return true;
}

SWIFT void avt_unlock(SELF void *mutex) {
    __tsan_release(mutex);
    unlock_of_library(mutex);
}

// The lines of threads.txt, which scripts/sanitize puts in here.
const char *__tsan_default_suppressions(void) { return SUPPRESSIONS; }
