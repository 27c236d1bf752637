#include "CLibAVShims.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct oav_interrupt {
    _Atomic int cancelled;
    _Atomic int64_t deadline;
};

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

oav_interrupt *oav_interrupt_create(void) { return calloc(1, sizeof(oav_interrupt)); }

void oav_interrupt_free(oav_interrupt *interrupt) { free(interrupt); }

void oav_interrupt_cancel(oav_interrupt *interrupt) { atomic_store(&interrupt->cancelled, 1); }

void oav_interrupt_set_deadline(oav_interrupt *interrupt, int64_t nanoseconds) {
    atomic_store(&interrupt->deadline, nanoseconds > 0 ? now() + nanoseconds : 0);
}

int oav_interrupt_state(const oav_interrupt *interrupt) {
    if (atomic_load(&interrupt->cancelled))
        return OAV_INTERRUPT_CANCELLED;
    int64_t deadline = atomic_load(&interrupt->deadline);
    return deadline && now() > deadline ? OAV_INTERRUPT_DEADLINE : OAV_INTERRUPT_NONE;
}

void oav_interrupt_extend(oav_interrupt *interrupt, int64_t nanoseconds) {
    int64_t deadline = atomic_load(&interrupt->deadline);
    // A deadline that was set anew meanwhile stands.
    if (deadline && nanoseconds > 0)
        atomic_compare_exchange_strong(&interrupt->deadline, &deadline, deadline + nanoseconds);
}
