#define _GNU_SOURCE
#include "CAllocationWatch.h"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int failed;

int avt_allocation_has_failed(void) { return atomic_load_explicit(&failed, memory_order_relaxed); }

void avt_clear_allocations(void) {
#ifdef __GLIBC__
    // The memory gets the complement of this byte.
    mallopt(M_PERTURB, 0xff);
#endif
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A sanitizer has functions of these names itself.
#define AVT_IS_SANITIZED 1
#endif
#endif

#ifndef AVT_IS_SANITIZED

// These two are what av_malloc and av_realloc call.
typedef int (*aligned_function)(void **, size_t, size_t);
typedef void *(*realloc_function)(void *, size_t);

static _Atomic(aligned_function) next_aligned;
static _Atomic(realloc_function) next_realloc;

int posix_memalign(void **memory, size_t alignment, size_t size) {
    aligned_function next = atomic_load_explicit(&next_aligned, memory_order_relaxed);
    if (!next) {
        next = (aligned_function)dlsym(RTLD_NEXT, "posix_memalign");
        atomic_store_explicit(&next_aligned, next, memory_order_relaxed);
    }
    int error = next(memory, alignment, size);
    if (error)
        atomic_store_explicit(&failed, 1, memory_order_relaxed);
    return error;
}

void *realloc(void *memory, size_t size) {
    realloc_function next = atomic_load_explicit(&next_realloc, memory_order_relaxed);
    if (!next) {
        next = (realloc_function)dlsym(RTLD_NEXT, "realloc");
        atomic_store_explicit(&next_realloc, next, memory_order_relaxed);
    }
    void *moved = next(memory, size);
    if (!moved && size > 0)
        atomic_store_explicit(&failed, 1, memory_order_relaxed);
    return moved;
}

#endif
