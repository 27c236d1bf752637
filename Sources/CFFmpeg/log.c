#include "CLibAVShims.h"

#include "CLateLibraries.h"

#include <libavcodec/avcodec.h>
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
    // Whether the last message is of a limit that was hit, which what follows from that does not replace.
    int is_limit;
    int is_shared;
    struct oav_log *next;
};

static _Thread_local oav_log *current;
static _Atomic int silent;
static pthread_once_t once = PTHREAD_ONCE_INIT;
// Held while the list, or a log that several threads write to, is used.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static oav_log *shared;

// Messages that are less than errors for FFmpeg, and errors here: an invented
// picture, and an encoder's own option that it does not know and goes without.
static int is_graver_than_told(const char *format) {
    static const char *const beginnings[] = {"concealing ", "Error parsing option ",
                                             "Unknown option: ", "Invalid value for "};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(format, beginnings[i], strlen(beginnings[i])) == 0)
            return 1;
    }
    return 0;
}

// What is said of a picture's memory follows what is said of its size, if that is why there is none.
static int is_of_limit(const char *format) {
    static const char *const parts[] = {"exceeds specified max pixel count", "exceeds max_streams parameter",
                                        "get_buffer() failed", "Picture size "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(format, parts[i]))
            return 1;
    }
    return 0;
}

static void record(oav_log *log, const char *format, va_list arguments) {
    if (log->is_limit && !log->is_partial) {
        log->errors++;
        return;
    }
    log->is_limit = is_of_limit(format);
    size_t start = log->is_partial ? strlen(log->last) : 0;
    log->errors += !log->is_partial;
    vsnprintf(log->last + start, sizeof log->last - start, format, arguments);
    size_t length = strlen(log->last);
    log->is_partial = length + 1 < sizeof log->last && (!length || log->last[length - 1] != '\n');
    while (length && log->last[length - 1] == '\n')
        log->last[--length] = 0;
}

// The log of the codec that a message comes from, if it is one of ours.
static oav_log *log_of(void *context) {
    if (!context || *(const AVClass **)context != avcodec_get_class())
        return NULL;
    oav_log *log = shared;
    while (log && log != ((AVCodecContext *)context)->opaque)
        log = log->next;
    return log;
}

// Whether a message only repeats that something failed, where the one before says what.
static int says_nothing_new(const char *format) { return strncmp(format, "Error processing filtergraph", 28) == 0; }

static void capture(void *context, int level, const char *format, va_list arguments) {
    // What is said of every packet and every block is neither kept nor printed.
    if ((level & 0xff) > AV_LOG_INFO && (level & 0xff) > av_log_get_level())
        return;
    // An H.264 stream may drop a picture that came before the entry point: nothing is lost.
    int is_error = ((level & 0xff) <= AV_LOG_ERROR || is_graver_than_told(format)) &&
                   strncmp(format, "mmco: unref short failure", 25) != 0 && !says_nothing_new(format);
    if (current && !current->is_shared) {
        if (is_error)
            record(current, format, arguments);
        return;
    }
    pthread_mutex_lock(&lock);
    oav_log *log = current ? current : log_of(context);
    if (log && is_error)
        record(log, format, arguments);
    pthread_mutex_unlock(&lock);
    if (!log && !atomic_load(&silent))
        av_log_default_callback(context, level, format, arguments);
}

static void install(void) { av_log_set_callback(capture); }

// Errors are caught from the first call on, whenever that is.
static void install_once(void) { pthread_once(&once, install); }

oav_log *oav_log_create(void) {
    oav_when_media_libraries_load(install_once);
    return calloc(1, sizeof(oav_log));
}

void oav_log_free(oav_log *log) {
    if (log->is_shared) {
        pthread_mutex_lock(&lock);
        oav_log **link = &shared;
        while (*link && *link != log)
            link = &(*link)->next;
        if (*link)
            *link = log->next;
        pthread_mutex_unlock(&lock);
    }
    free(log);
}

void oav_log_share(oav_log *log, struct AVCodecContext *codec) {
    pthread_mutex_lock(&lock);
    log->is_shared = 1;
    log->next = shared;
    shared = log;
    codec->opaque = log;
    pthread_mutex_unlock(&lock);
}

int oav_log_take(oav_log *log, char *text, size_t size) {
    pthread_mutex_lock(&lock);
    int errors = log->errors;
    snprintf(text, size, "%s", log->last);
    oav_log_clear(log);
    pthread_mutex_unlock(&lock);
    return errors;
}

oav_log *oav_log_attach(oav_log *log) {
    oav_log *previous = current;
    current = log;
    return previous;
}

void oav_log_clear(oav_log *log) {
    log->errors = 0;
    log->last[0] = 0;
    log->is_partial = 0;
    log->is_limit = 0;
}

int oav_log_error_count(const oav_log *log) { return log->errors; }

const char *oav_log_last_error(const oav_log *log) { return log->last; }

void oav_log_silence(void) {
    atomic_store(&silent, 1);
    oav_when_media_libraries_load(install_once);
    // SVT-AV1 has a log of its own, and no other way to be told.
    setenv("SVT_LOG", "1", 0);
}
