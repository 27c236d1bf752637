#include "CLibAVShims.h"

#include <errno.h>
#include <fcntl.h>
#include <libavformat/avformat.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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

static void prepare(AVFormatContext *context, oav_interrupt *interrupt) {
    context->interrupt_callback.callback = interrupted;
    context->interrupt_callback.opaque = interrupt;
    context->io_open = refuse_open;
    context->flags |= AVFMT_FLAG_CUSTOM_IO;
}

int oav_input_attach(AVFormatContext *context, const char *url, const char *protocols,
                     oav_interrupt *interrupt) {
    prepare(context, interrupt);
    AVDictionary *options = NULL;
    int result = av_dict_set(&options, "protocol_whitelist", protocols, 0);
    if (result >= 0)
        result = avio_open2(&context->pb, url, AVIO_FLAG_READ, &context->interrupt_callback, &options);
    av_dict_free(&options);
    return result < 0 ? result : 0;
}

typedef struct {
    int descriptor;
    const oav_interrupt *interrupt;
} pipe_input;

static int read_pipe(void *opaque, uint8_t *buffer, int size) {
    pipe_input *input = opaque;
    while (oav_interrupt_state(input->interrupt) == OAV_INTERRUPT_NONE) {
        struct pollfd waiting = {input->descriptor, POLLIN, 0};
        if (poll(&waiting, 1, 50) <= 0)
            continue;
        ssize_t count = read(input->descriptor, buffer, size);
        if (count > 0)
            return (int)count;
        if (count == 0)
            return AVERROR_EOF;
        if (errno != EAGAIN && errno != EINTR)
            return AVERROR(errno);
    }
    return AVERROR_EXIT;
}

int oav_input_attach_pipe(AVFormatContext *context, const char *path, oav_interrupt *interrupt) {
    enum { buffer_size = 1 << 16 };
    prepare(context, interrupt);
    // Without O_NONBLOCK, opening a pipe waits for its writer beyond any interruption.
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return AVERROR(errno);
    pipe_input *input = av_malloc(sizeof *input);
    uint8_t *buffer = av_malloc(buffer_size);
    if (input && buffer) {
        *input = (pipe_input){descriptor, interrupt};
        context->pb = avio_alloc_context(buffer, buffer_size, 0, input, read_pipe, NULL, NULL);
        if (context->pb)
            return 0;
    }
    av_free(buffer);
    av_free(input);
    close(descriptor);
    return AVERROR(ENOMEM);
}

void oav_input_close(void **io) {
    AVIOContext *context = *io;
    if (context && context->read_packet == read_pipe) {
        pipe_input *input = context->opaque;
        close(input->descriptor);
        av_free(input);
        av_freep(&context->buffer);
        avio_context_free((AVIOContext **)io);
    } else {
        avio_closep((AVIOContext **)io);
    }
}
