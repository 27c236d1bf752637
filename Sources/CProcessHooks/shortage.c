#define _GNU_SOURCE
#include "CAllocationWatch.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *_Atomic words;

int avt_memory_is_short(void) {
    size_t size = 32 << 20;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return 1;
    munmap(room, size);
    return 0;
}

// A library that crashes where nothing more can be had does so for want of it, mostly: a pointer was not looked at.
static void look_for_memory(int number) {
    static const char last_words[] = "out of memory\n";
    (void)number;
    if (avt_memory_is_short()) {
        ssize_t ignored = write(2, last_words, sizeof last_words - 1);
        (void)ignored;
    }
    // What failed fails again, and nothing is in the way any more.
}

static void watch_crashes(void) {
    struct sigaction action = {.sa_handler = look_for_memory, .sa_flags = SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE};
    for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++)
        sigaction(crashes[index], &action, NULL);
}

void avt_end_without_threads(int names_tool) {
    if (!names_tool)
        watch_crashes();
    atomic_store(&words, names_tool ? "avtool: there are too few threads, or too little memory for them\n"
                                    : "there are too few threads, or too little memory for them\n");
}

static void end(const char *last_words) {
    ssize_t ignored = write(2, last_words, strlen(last_words));
    (void)ignored;
    _exit(75);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A sanitizer has functions of these names itself.
#define AVT_IS_SANITIZED 1
#endif
#endif

#ifndef AVT_IS_SANITIZED

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef unsigned (*sleep_function)(unsigned);

static _Atomic(create_function) next_create;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    create_function next = atomic_load_explicit(&next_create, memory_order_relaxed);
    if (!next) {
        next = (create_function)dlsym(RTLD_NEXT, "pthread_create");
        atomic_store_explicit(&next_create, next, memory_order_relaxed);
    }
    int error = next(thread, attributes, body, argument);
    const char *last_words = atomic_load(&words);
    if (error && last_words)
        end(last_words);
    return error;
}

// libdispatch sleeps and tries again where it gets no memory, without end; nobody else here sleeps so.
unsigned sleep(unsigned seconds) {
    const char *last_words = atomic_load(&words);
    if (last_words)
        end(last_words);
    return ((sleep_function)dlsym(RTLD_NEXT, "sleep"))(seconds);
}

#endif
