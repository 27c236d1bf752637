// What the stubs in assembly and the code in C have in common.
#ifndef OAV_LATE_H
#define OAV_LATE_H

#define OAV_LATE_avutil 0
#define OAV_LATE_avcodec 1
#define OAV_LATE_avformat 2
#define OAV_LATE_swscale 3
#define OAV_LATE_avfilter 4
#define OAV_LATE_cairo 5
#define OAV_LATE_pango 6
#define OAV_LATE_pangocairo 7
#define OAV_LATE_gobject 8

#ifndef __ASSEMBLER__
#include <stdatomic.h>
#include <stdint.h>

// Laid out by the stubs as well.
struct oav_late_function {
    _Atomic(void *) *address;
    const char *name;
    int64_t library;
};

__attribute__((visibility("hidden"))) void *oav_late_resolve(struct oav_late_function *function);
#endif

#endif
