#include "CLateLibraries.h"

#include <dlfcn.h>
#include <libavcodec/version.h>
#include <libavfilter/version.h>
#include <libavformat/version.h>
#include <libavutil/macros.h>
#include <libavutil/version.h>
#include <libswscale/version.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "late.h"

// The version that the headers are of, as no other has the same structures.
#define FFMPEG(name, major) "lib" name ".so." AV_STRINGIFY(major)

static struct {
    const char *file;
    _Atomic(void *) handle;
} libraries[] = {
    [OAV_LATE_avutil] = {.file = FFMPEG("avutil", LIBAVUTIL_VERSION_MAJOR)},
    [OAV_LATE_avcodec] = {.file = FFMPEG("avcodec", LIBAVCODEC_VERSION_MAJOR)},
    [OAV_LATE_avformat] = {.file = FFMPEG("avformat", LIBAVFORMAT_VERSION_MAJOR)},
    [OAV_LATE_swscale] = {.file = FFMPEG("swscale", LIBSWSCALE_VERSION_MAJOR)},
    [OAV_LATE_avfilter] = {.file = FFMPEG("avfilter", LIBAVFILTER_VERSION_MAJOR)},
    [OAV_LATE_cairo] = {.file = "libcairo.so.2"},
    [OAV_LATE_pango] = {.file = "libpango-1.0.so.0"},
    [OAV_LATE_pangocairo] = {.file = "libpangocairo-1.0.so.0"},
    [OAV_LATE_gobject] = {.file = "libgobject-2.0.so.0"},
};

static _Atomic(void (*)(void)) waiting;

// Whoever comes second waits in the function until it is done; it may itself come by here.
static void tell_waiting(void) {
    static _Thread_local int is_telling;
    void (*function)(void) = atomic_load(&waiting);
    if (!function || is_telling)
        return;
    is_telling = 1;
    function();
    is_telling = 0;
}

// No lock: a process may be copied while another thread is here, and what two threads load is the same.
static void *load(int library) {
    void *handle = atomic_load_explicit(&libraries[library].handle, memory_order_acquire);
    if (!handle) {
        handle = dlopen(libraries[library].file, RTLD_LAZY | RTLD_LOCAL);
        if (handle)
            atomic_store_explicit(&libraries[library].handle, handle, memory_order_release);
        if (handle && library <= OAV_LATE_avfilter)
            tell_waiting();
    }
    return handle;
}

// Called by a function's stub. There is no way to go on without the function.
void *oav_late_resolve(struct oav_late_function *function) {
    void *handle = load((int)function->library);
    void *address = handle ? dlsym(handle, function->name) : NULL;
    if (!address) {
        const char *reason = dlerror();
        fprintf(stderr, "%s cannot be used: %s\n", libraries[function->library].file, reason ? reason : function->name);
        abort();
    }
    atomic_store_explicit(function->address, address, memory_order_release);
    return address;
}

static const char *load_all(const int *list, size_t count) {
    for (size_t index = 0; index < count; index++)
        if (!load(list[index])) {
            const char *reason = dlerror();
            return reason ? reason : libraries[list[index]].file;
        }
    return NULL;
}

void oav_when_media_libraries_load(void (*function)(void)) {
    atomic_store(&waiting, function);
    for (int library = 0; library <= OAV_LATE_avfilter; library++)
        if (atomic_load(&libraries[library].handle))
            tell_waiting();
}

const char *oav_load_media_libraries(void) {
    static const int list[] = {OAV_LATE_avformat, OAV_LATE_avcodec, OAV_LATE_avutil, OAV_LATE_swscale};
    return load_all(list, sizeof list / sizeof *list);
}

const char *oav_load_filters(void) {
    static const int list[] = {OAV_LATE_avfilter};
    return load_all(list, 1);
}
