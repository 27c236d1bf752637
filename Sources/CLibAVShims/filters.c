#include "CLibAVShims.h"

#include "../CLibAV/shim.h"

#include <dlfcn.h>
#include <libavutil/macros.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static oav_filter_library library;
static int is_complete;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return;
    is_complete = 1;
// A pointer to data is no pointer to a function in C, but is the same in POSIX.
#define LOAD(field, symbol)                                                                                            \
    {                                                                                                                  \
        void *address = dlsym(handle, #symbol);                                                                        \
        memcpy(&library.field, &address, sizeof address);                                                              \
        is_complete = is_complete && address;                                                                          \
    }
    OAV_FILTER_FUNCTIONS(LOAD)
#undef LOAD
}

const oav_filter_library *oav_filters(void) {
    pthread_once(&once, load);
    return is_complete ? &library : NULL;
}
