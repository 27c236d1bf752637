#include "CLibAVShims.h"

#include <libavformat/avformat.h>
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

void oav_interrupt_reset(oav_interrupt *interrupt) {
    atomic_store(&interrupt->cancelled, 0);
    atomic_store(&interrupt->deadline, 0);
}

void oav_interrupt_set_deadline(oav_interrupt *interrupt, int64_t nanoseconds) {
    atomic_store(&interrupt->deadline, nanoseconds > 0 ? now() + nanoseconds : 0);
}

int oav_interrupt_state(const oav_interrupt *interrupt) {
    if (atomic_load(&interrupt->cancelled))
        return OAV_INTERRUPT_CANCELLED;
    int64_t deadline = atomic_load(&interrupt->deadline);
    return deadline && now() > deadline ? OAV_INTERRUPT_DEADLINE : OAV_INTERRUPT_NONE;
}

static int interrupted(void *opaque) { return oav_interrupt_state(opaque) != OAV_INTERRUPT_NONE; }

static int refuse_open(AVFormatContext *context, AVIOContext **io, const char *url, int flags,
                       AVDictionary **options) {
    (void)flags;
    (void)options;
    *io = NULL;
    av_log(context, AV_LOG_ERROR, "refused to open '%s', which the file refers to\n", url);
    return AVERROR(EPERM);
}

int oav_input_attach(AVFormatContext *context, const char *url, const char *protocols,
                     oav_interrupt *interrupt) {
    context->interrupt_callback.callback = interrupted;
    context->interrupt_callback.opaque = interrupt;
    context->io_open = refuse_open;
    context->flags |= AVFMT_FLAG_CUSTOM_IO;
    AVDictionary *options = NULL;
    int result = av_dict_set(&options, "protocol_whitelist", protocols, 0);
    if (result >= 0)
        result = avio_open2(&context->pb, url, AVIO_FLAG_READ, &context->interrupt_callback, &options);
    av_dict_free(&options);
    return result < 0 ? result : 0;
}

void oav_input_close(void **io) { avio_closep((AVIOContext **)io); }
