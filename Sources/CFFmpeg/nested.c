#define _GNU_SOURCE
#include "CLibAVShims.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct oav_nested {
    // The folder below which files may be opened, links resolved, with a slash at its end; NULL for none.
    char *folder;
    int allows_network;
    oav_opener *opener;
    void *opener_opaque;
    oav_interrupt *interrupt;
    // What libavformat's protocol for pipes reads and does not close, the oldest to be closed next.
    int pipes[8];
    unsigned pipe_count;
    char refusal[1024];
};

// The name of what a descriptor is, all links resolved; 0, or -1 if it has none.
static int real_path(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0 || (size_t)length >= size - 1)
        return -1;
    path[length] = 0;
    return 0;
}

oav_nested *oav_nested_create(const char *folder, int allows_network) {
    oav_nested *nested = calloc(1, sizeof *nested);
    if (!nested)
        return NULL;
    nested->allows_network = allows_network;
    if (folder) {
        char path[PATH_MAX];
        int descriptor = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (descriptor >= 0 && real_path(descriptor, path, sizeof path - 1) == 0) {
            if (path[strlen(path) - 1] != '/')
                strcat(path, "/");
            nested->folder = strdup(path);
        }
        if (descriptor >= 0)
            close(descriptor);
    }
    return nested;
}

void oav_nested_set_opener(oav_nested *nested, oav_opener *opener, void *opaque, oav_interrupt *interrupt) {
    nested->opener = opener;
    nested->opener_opaque = opaque;
    nested->interrupt = interrupt;
}

void oav_nested_free(oav_nested *nested) {
    if (nested) {
        free(nested->folder);
        for (unsigned index = 0; index < nested->pipe_count && index < 8; index++)
            close(nested->pipes[index]);
    }
    free(nested);
}

const char *oav_nested_refusal(const oav_nested *nested) { return nested->refusal[0] ? nested->refusal : NULL; }

static int refuse(oav_nested *nested, const char *url, const char *reason, int code) {
    // The first one counts: what follows may be a consequence of it.
    if (!nested->refusal[0])
        snprintf(nested->refusal, sizeof nested->refusal, "%.700s: %s", url, reason);
    return code;
}

// Whether an address names its protocol.
static int has_scheme(const char *url) {
    if (!isalpha((unsigned char)*url))
        return 0;
    while (isalnum((unsigned char)*url) || *url == '+' || *url == '-' || *url == '.')
        url++;
    return *url == ':' || *url == ',';
}

static int open_url(AVFormatContext *context, void **io, const char *url, const char *protocols,
                    AVDictionary **options) {
    AVDictionary *all = NULL;
    int result = options ? av_dict_copy(&all, *options, 0) : 0;
    if (result >= 0)
        result = av_dict_set(&all, "protocol_whitelist", protocols, 0);
    if (result >= 0)
        result = avio_open2((AVIOContext **)io, url, AVIO_FLAG_READ, &context->interrupt_callback, &all);
    av_dict_free(&all);
    return result < 0 ? result : 0;
}

// A file that another process opened, and found to be a regular one below the folder.
static int open_given(oav_nested *nested, AVFormatContext *context, void **io, const char *url, const char *path,
                      int is_encrypted, AVDictionary **options) {
    int descriptor = nested->opener(nested->opener_opaque, path);
    if (descriptor < 0) {
        const char *reason = descriptor == -ENOENT || descriptor == -ENOTDIR ? "no such file"
                             : descriptor == -EACCES                         ? "it lies outside the playlist's folder"
                                                                             : strerror(-descriptor);
        return refuse(nested, url, reason, AVERROR(-descriptor));
    }
    if (!is_encrypted) {
        *io = oav_file_io(descriptor, INT64_MAX, NULL, 0, nested->interrupt);
        return *io ? 0 : AVERROR(ENOMEM);
    }
    unsigned place = nested->pipe_count++ % 8;
    if (nested->pipe_count > 8)
        close(nested->pipes[place]);
    nested->pipes[place] = descriptor;
    // Another opening of the same file may have read it.
    lseek(descriptor, 0, SEEK_SET);
    char own[64];
    snprintf(own, sizeof own, "crypto+pipe:%d", descriptor);
    int result = open_url(context, io, own, "pipe,crypto", options);
    return result < 0 ? refuse(nested, url, "it cannot be opened", result) : 0;
}

static int open_file(oav_nested *nested, AVFormatContext *context, void **io, const char *url, const char *path,
                     int is_encrypted, AVDictionary **options) {
    if (path[0] != '/')
        return refuse(nested, url, "not an address below the playlist's folder", AVERROR(EPERM));
    if (nested->opener)
        return open_given(nested, context, io, url, path, is_encrypted, options);
    // Nothing of the file is touched yet, not even the writer's end of a pipe.
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) {
        int code = errno;
        return refuse(nested, url, code == ENOENT || code == ENOTDIR ? "no such file" : strerror(code), AVERROR(code));
    }
    char real[PATH_MAX], own[96];
    struct stat status;
    int result;
    if (real_path(descriptor, real, sizeof real) != 0 || strncmp(real, nested->folder, strlen(nested->folder)) != 0)
        result = refuse(nested, url, "it lies outside the playlist's folder", AVERROR(EPERM));
    else if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        result = refuse(nested, url, "not a regular file", AVERROR(EPERM));
    else {
        // What was looked at is what is opened, whatever its name leads to by now.
        snprintf(own, sizeof own, "%sfile:/proc/self/fd/%d", is_encrypted ? "crypto+" : "", descriptor);
        result = open_url(context, io, own, "file,crypto", options);
        if (result < 0)
            refuse(nested, url, result == AVERROR(EACCES) ? "permission denied" : "it cannot be opened", result);
    }
    close(descriptor);
    return result;
}

int oav_nested_open(oav_nested *nested, AVFormatContext *context, void **io, const char *url, AVDictionary **options) {
    *io = NULL;
    const char *rest = url;
    int is_encrypted = av_strstart(url, "crypto+", &rest) || av_strstart(url, "crypto:", &rest);
    if (av_stristart(rest, "http:", NULL) || av_stristart(rest, "https:", NULL)) {
        if (!nested->allows_network)
            return refuse(nested, rest, "the network is not allowed (--allow-network)", AVERROR(EPERM));
        int result = open_url(context, io, url, "http,https,tcp,tls,crypto", options);
        return result < 0 ? refuse(nested, rest, "it cannot be had", result) : 0;
    }
    const char *path = rest;
    av_strstart(rest, "file:", &path);
    if (path == rest && has_scheme(rest))
        return refuse(nested, rest, "addresses of this kind are not opened", AVERROR(EPERM));
    if (!nested->folder)
        return refuse(nested, rest, "a playlist from the network opens no local files", AVERROR(EPERM));
    return open_file(nested, context, io, rest, path, is_encrypted, options);
}
