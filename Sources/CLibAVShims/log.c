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
    // Whether the last message is without its end yet.
    int is_partial;
};

static _Thread_local oav_log *current;
static _Atomic int silent;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Messages that are less than errors for FFmpeg, and errors here: an invented
// picture, and an encoder's own option that it does not know and goes without.
static int is_graver_than_told(const char *format) {
    static const char *const beginnings[] = {
        "concealing ", "Error parsing option ", "Unknown option: ", "Invalid value for "};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(format, beginnings[i], strlen(beginnings[i])) == 0)
            return 1;
    }
    return 0;
}

static void capture(void *context, int level, const char *format, va_list arguments) {
    if (!current) {
        if (!atomic_load(&silent))
            av_log_default_callback(context, level, format, arguments);
        return;
    }
    // An H.264 stream may drop a picture that came before the entry point: nothing is lost.
    if (strncmp(format, "mmco: unref short failure", 25) == 0)
        return;
    if ((level & 0xff) > AV_LOG_ERROR && !is_graver_than_told(format))
        return;
    size_t start = current->is_partial ? strlen(current->last) : 0;
    current->errors += !current->is_partial;
    vsnprintf(current->last + start, sizeof current->last - start, format, arguments);
    size_t length = strlen(current->last);
    current->is_partial = length + 1 < sizeof current->last && (!length || current->last[length - 1] != '\n');
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
    log->is_partial = 0;
}

int oav_log_error_count(const oav_log *log) { return log->errors; }

const char *oav_log_last_error(const oav_log *log) { return log->last; }

void oav_log_silence(void) {
    pthread_once(&once, install);
    atomic_store(&silent, 1);
    // SVT-AV1 has a log of its own, and no other way to be told.
    setenv("SVT_LOG", "1", 0);
}
