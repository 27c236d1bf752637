#define _GNU_SOURCE
#include "CPassFiles.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Two logs for each pass of a track.
enum { most_files = 64 };

static struct {
    char *name;
    int file;
} files[most_files];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*make_file)(void);

void avt_keep_pass_files(int (*make)(void)) { make_file = make; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A sanitizer has functions of these names itself.
#define AVT_IS_SANITIZED 1
#endif
#endif

#ifndef AVT_IS_SANITIZED

static int is_own(const char *name) {
    return name && make_file && strncmp(name, AVT_PASS_FOLDER "/", sizeof AVT_PASS_FOLDER) == 0;
}

static int find(const char *name) {
    for (int index = 0; index < most_files; index++)
        if (files[index].name && strcmp(files[index].name, name) == 0)
            return index;
    return -1;
}

static void drop(int index) {
    if (index < 0)
        return;
    close(files[index].file);
    free(files[index].name);
    files[index].name = NULL;
}

// An open file of a name, empty if it is to be written; less than zero with errno.
static int open_own(const char *name, int writes) {
    int index = find(name);
    if (writes) {
        drop(index);
        for (index = 0; index < most_files && files[index].name; index++) {
        }
        char *copy = index < most_files ? strdup(name) : NULL;
        int file = copy ? make_file() : -1;
        if (file < 0) {
            free(copy);
            return -1;
        }
        files[index].name = copy;
        files[index].file = file;
    }
    if (index < 0) {
        errno = ENOENT;
        return -1;
    }
    // Whoever wrote it has closed it, so that the position is nobody else's.
    if (lseek(files[index].file, 0, SEEK_SET) < 0)
        return -1;
    return dup(files[index].file);
}

static FILE *open_stream(const char *name, const char *mode) {
    pthread_mutex_lock(&lock);
    int file = open_own(name, mode[0] == 'w');
    pthread_mutex_unlock(&lock);
    FILE *stream = file < 0 ? NULL : fdopen(file, mode);
    if (!stream && file >= 0)
        close(file);
    return stream;
}

typedef FILE *(*open_function)(const char *, const char *);

// `fopen64` is what libx264 calls, and `fopen` libx265; they are the same where a file's size has 64 bits.
FILE *fopen(const char *name, const char *mode) {
    return is_own(name) ? open_stream(name, mode) : ((open_function)dlsym(RTLD_NEXT, "fopen"))(name, mode);
}

FILE *fopen64(const char *name, const char *mode) {
    return is_own(name) ? open_stream(name, mode) : ((open_function)dlsym(RTLD_NEXT, "fopen64"))(name, mode);
}

int rename(const char *old, const char *new) {
    if (!is_own(old))
        return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(old, new);
    pthread_mutex_lock(&lock);
    int index = find(old);
    char *copy = index >= 0 && is_own(new) ? strdup(new) : NULL;
    if (copy) {
        if (strcmp(old, new) != 0)
            drop(find(new));
        free(files[index].name);
        files[index].name = copy;
    }
    pthread_mutex_unlock(&lock);
    if (!copy)
        errno = index < 0 ? ENOENT : EXDEV;
    return copy ? 0 : -1;
}

int unlink(const char *name) {
    if (!is_own(name))
        return ((int (*)(const char *))dlsym(RTLD_NEXT, "unlink"))(name);
    pthread_mutex_lock(&lock);
    int index = find(name);
    drop(index);
    pthread_mutex_unlock(&lock);
    if (index < 0)
        errno = ENOENT;
    return index < 0 ? -1 : 0;
}

#endif
