#include "CLibAVShims.h"

#include <libavutil/log.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct oav_log {
    int errors;
    char last[512];
};

static _Thread_local oav_log *current;
static _Atomic int silent;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void capture(void *context, int level, const char *format, va_list arguments) {
    if (!current) {
        if (!atomic_load(&silent))
            av_log_default_callback(context, level, format, arguments);
        return;
    }
    // An H.264 stream may drop a picture that came before the entry point: nothing is lost.
    if (strncmp(format, "mmco: unref short failure", 25) == 0)
        return;
    // Error concealment is announced as information: the picture is invented all the same.
    if ((level & 0xff) > AV_LOG_ERROR && strncmp(format, "concealing ", 11) != 0)
        return;
    current->errors++;
    vsnprintf(current->last, sizeof current->last, format, arguments);
    size_t length = strlen(current->last);
    while (length && current->last[length - 1] == '\n')
        current->last[--length] = 0;
}

static void install(void) { av_log_set_callback(capture); }

oav_log *oav_log_create(void) {
    pthread_once(&once, install);
    return calloc(1, sizeof(oav_log));
}

void oav_log_free(oav_log *log) { free(log); }

oav_log *oav_log_attach(oav_log *log) {
    oav_log *previous = current;
    current = log;
    return previous;
}

void oav_log_clear(oav_log *log) {
    log->errors = 0;
    log->last[0] = 0;
}

int oav_log_error_count(const oav_log *log) { return log->errors; }

const char *oav_log_last_error(const oav_log *log) { return log->last; }

void oav_log_silence(void) {
    pthread_once(&once, install);
    atomic_store(&silent, 1);
}
