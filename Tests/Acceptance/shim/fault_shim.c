// Makes the n-th call of one family of system calls fail: for LD_PRELOAD, by acceptance/fault_shim.py.
//
// It acts on processes whose executable is called avtool or avtool-worker, from main on, and not while libraries are
// loaded. What the C library calls within itself (stdio, pthread_create's stack) does not come by here.
//
// There are three kinds of processes, and each counts for itself: "front" is avtool, "worker" avtool-worker as it was
// started, "copy" what that made by fork, or what it becomes when it does the work itself. Copies of one run count on
// where the one before stopped, so that a copy that tells of the failure of another does not meet the same fault.
//
// A worker in a sandbox can open no file to count in: the front hands the open file on, under a number of its own,
// past the call that closes all others, and the worker closes it once it is mapped.
//
// The environment of the worker is cut to what libraries look at and to names that begin with AVTOOL_:
//
// AVTOOL_FAULT_COUNTS    a file of sizeof(struct shared) bytes, in which all processes of a run count
// AVTOOL_FAULT_PROCESS   whose calls fail: front, worker or copy
// AVTOOL_FAULT_FOLDER    of calls that have a file, only those on files below this folder, and writes to standard
//                        output; all if it is not set
// AVTOOL_FAULT_FAMILY    the family that fails, by its name in `names`
// AVTOOL_FAULT_NUMBER    which of its calls fails, from 1; 0 for none
// AVTOOL_FAULT_ERROR     errno of that; -1: what reads and writes does half of what it is asked to, and succeeds
// AVTOOL_FAULT_LASTS     if set, all calls after that one fail too
// AVTOOL_FAULT_LENGTH    mappings of fewer bytes do not count; allocations of as many are of the family "large" as well
// AVTOOL_FAULT_WITHOUT   what the file system cannot do, each word of it at all times: unnamed links exchange noreplace
//                        copies reservations

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum family {
    READ,
    WRITE,
    COPY,
    SYNC,
    LINK,
    RENAME,
    UNLINK,
    MAKE_FOLDER,
    OPEN,
    TRUNCATE,
    RESERVE,
    STATUS,
    LIST,
    MAP,
    ALLOCATE,
    LARGE,
    THREAD,
    SEND,
    RECEIVE,
    PROCESS,
    FAMILIES
};

enum role { FRONT, WORKER, FORKED, ROLES };

enum {
    // Where a worker finds the file to count in; below the usual limit of 1024 open files.
    inherited = 1000,
};

static const char *const names[FAMILIES] = {
    "read",    "write",  "copy", "sync", "link",     "rename", "unlink", "mkdir", "open",    "truncate",
    "reserve", "status", "list", "map",  "allocate", "large",  "thread", "send",  "receive", "process",
};

static const char *const roles[ROLES] = {"front", "worker", "copy"};

/// What all processes of a run share; acceptance/fault_shim.py reads it.
struct shared {
    _Atomic uint64_t calls[ROLES][FAMILIES];
    _Atomic uint64_t processes[ROLES];
    _Atomic uint64_t failed;
    char function[32];
};

static struct shared *shared;
static bool is_armed;
static _Thread_local int loading;
static enum role role;
static enum role chosen_role = ROLES;
static enum family chosen = FAMILIES;
static uint64_t number;
static int fault;
static bool lasts;
static size_t shortest;
static char folder[PATH_MAX];
static const char *without = "";

// --- The functions behind -------------------------------------------------------------

#define REAL(name)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&(name)) real;                                                                               \
        if (!real)                                                                                                     \
            real = (__typeof__(&(name)))dlsym(RTLD_NEXT, #name);                                                       \
        real;                                                                                                          \
    })

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/// A system call past all functions that are replaced here.
static long direct(long call, long first, long second, long third, long fourth) {
    register long r10 __asm__("r10") = fourth;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(call), "D"(first), "S"(second), "d"(third), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

// --- Set up ---------------------------------------------------------------------------

/// Which of the tool's processes this is, `ROLES` for none.
static enum role own_role(void) {
    char path[PATH_MAX];
    long length = direct(SYS_readlink, (long)"/proc/self/exe", (long)path, sizeof path - 1, 0);
    if (length <= 0)
        return ROLES;
    path[length] = 0;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    return strcmp(name, "avtool") == 0 ? FRONT : strcmp(name, "avtool-worker") == 0 ? WORKER : ROLES;
}

/// The file to count in: in the worker the one that the front has open, in the front kept for that.
static void *map_counts(const char *path) {
    long file = role == WORKER ? inherited : direct(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0);
    struct stat status;
    if (file < 0 || direct(SYS_fstat, file, (long)&status, 0, 0) != 0 || status.st_size != sizeof(struct shared))
        return MAP_FAILED;
    void *mapped = REAL(mmap)(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, (int)file, 0);
    if (role == FRONT)
        direct(SYS_dup3, file, inherited, O_CLOEXEC, 0);
    direct(SYS_close, file, 0, 0, 0);
    return mapped;
}

static void become_copy(void) {
    if (role != WORKER)
        return;
    role = FORKED;
    atomic_fetch_add(&shared->processes[role], 1);
}

static size_t index_of(const char *name, const char *const *list, size_t count) {
    for (size_t index = 0; name && index < count; index++)
        if (strcmp(list[index], name) == 0)
            return index;
    return count;
}

__attribute__((constructor)) static void set_up(void) {
    const char *counts = getenv("AVTOOL_FAULT_COUNTS");
    if (!counts || (role = own_role()) == ROLES)
        return;
    void *mapped = map_counts(counts);
    if (mapped == MAP_FAILED)
        return;
    chosen_role = (enum role)index_of(getenv("AVTOOL_FAULT_PROCESS"), roles, ROLES);
    chosen = (enum family)index_of(getenv("AVTOOL_FAULT_FAMILY"), names, FAMILIES);
    const char *value;
    number = (value = getenv("AVTOOL_FAULT_NUMBER")) ? strtoull(value, NULL, 10) : 0;
    fault = (value = getenv("AVTOOL_FAULT_ERROR")) ? atoi(value) : EIO;
    shortest = (value = getenv("AVTOOL_FAULT_LENGTH")) ? strtoull(value, NULL, 10) : 0;
    lasts = getenv("AVTOOL_FAULT_LASTS") != NULL;
    if ((value = getenv("AVTOOL_FAULT_FOLDER")))
        snprintf(folder, sizeof folder, "%s/", value);
    if ((value = getenv("AVTOOL_FAULT_WITHOUT")))
        without = value;
    shared = mapped;
    atomic_fetch_add(&shared->processes[role], 1);
    pthread_atfork(NULL, NULL, become_copy);
}

typedef int (*main_function)(int, char **, char **);
static main_function real_main;

static int armed_main(int count, char **words, char **environment) {
    is_armed = shared != NULL;
    return real_main(count, words, environment);
}

int __libc_start_main(main_function main, int count, char **words, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
    int (*start)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
        (__typeof__(start))dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return start(armed_main, count, words, init, fini, rtld_fini, stack_end);
}

void *dlopen(const char *path, int flags) {
    loading++;
    void *library = REAL(dlopen)(path, flags);
    loading--;
    return library;
}

void *dlmopen(Lmid_t space, const char *path, int flags) {
    loading++;
    void *library = REAL(dlmopen)(space, path, flags);
    loading--;
    return library;
}

// --- Which calls count ----------------------------------------------------------------

static bool counts(void) { return is_armed && !loading; }

static bool is_without(const char *feature) { return counts() && strstr(without, feature); }

static bool is_below(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

/// Whether a path leads to the folder's files; what is relative lies where the process is.
static bool is_path(const char *path) {
    if (!counts() || !path)
        return false;
    if (!folder[0])
        return true;
    if (path[0] == '/')
        return is_below(path);
    char here[PATH_MAX];
    long length = direct(SYS_getcwd, (long)here, sizeof here - 1, 0, 0);
    if (length <= 0)
        return false;
    strcpy(here + length - 1, "/");
    return is_below(here);
}

static bool is_regular(int file) {
    struct stat status;
    if (direct(SYS_fstat, file, (long)&status, 0, 0) != 0)
        return false;
    return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISFIFO(status.st_mode);
}

/// Whether a descriptor is one of the folder's files, or standard output.
static bool is_file(int file) {
    if (!counts() || file == STDERR_FILENO || file < 0)
        return false;
    if (!folder[0] || file == STDOUT_FILENO)
        return is_regular(file);
    char link[32], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = direct(SYS_readlink, (long)link, (long)path, sizeof path - 2, 0);
    // A process in a sandbox may not ask, and has no other files than those that it was given.
    if (length <= 0)
        return is_regular(file);
    strcpy(path + length, path[length - 1] == '/' ? "" : "/");
    return is_below(path);
}

static bool is_socket(int file) {
    struct stat status;
    return counts() && direct(SYS_fstat, file, (long)&status, 0, 0) == 0 && S_ISSOCK(status.st_mode);
}

/// Counts a call; what it is to fail with, 0 for nothing, -1 for half of it.
static int next(enum family family, const char *function) {
    if (!counts())
        return 0;
    uint64_t call = atomic_fetch_add(&shared->calls[role][family], 1) + 1;
    if (family != chosen || role != chosen_role || number == 0 || call < number || (call > number && !lasts))
        return 0;
    if (atomic_fetch_add(&shared->failed, 1) == 0)
        strncpy(shared->function, function, sizeof shared->function - 1);
    return fault;
}

/// Fails a call if it is its turn.
#define FAIL(family, condition, failure)                                                                               \
    do {                                                                                                               \
        int error = (condition) ? next(family, __func__) : 0;                                                          \
        if (error > 0) {                                                                                               \
            errno = error;                                                                                             \
            return failure;                                                                                            \
        }                                                                                                              \
    } while (0)

/// The same for reads and writes, which may do a half instead.
#define FAIL_OR_HALVE(family, condition, count)                                                                        \
    do {                                                                                                               \
        int error = (condition) ? next(family, __func__) : 0;                                                          \
        if (error > 0) {                                                                                               \
            errno = error;                                                                                             \
            return -1;                                                                                                 \
        }                                                                                                              \
        if (error < 0)                                                                                                 \
            (count) = ((count) + 1) / 2;                                                                               \
    } while (0)

static enum family reading(int file) { return is_socket(file) ? RECEIVE : READ; }
static enum family writing(int file) { return is_socket(file) ? SEND : WRITE; }

// --- Reading and writing --------------------------------------------------------------

ssize_t read(int file, void *bytes, size_t count) {
    FAIL_OR_HALVE(reading(file), is_file(file) || is_socket(file), count);
    return REAL(read)(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t position) {
    FAIL_OR_HALVE(READ, is_file(file), count);
    return REAL(pread)(file, bytes, count, position);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t position) {
    FAIL_OR_HALVE(READ, is_file(file), count);
    return REAL(pread64)(file, bytes, count, position);
}

ssize_t readv(int file, const struct iovec *parts, int count) {
    FAIL_OR_HALVE(reading(file), is_file(file) || is_socket(file), count);
    return REAL(readv)(file, parts, count);
}

ssize_t preadv(int file, const struct iovec *parts, int count, off_t position) {
    FAIL_OR_HALVE(READ, is_file(file), count);
    return REAL(preadv)(file, parts, count, position);
}

ssize_t write(int file, const void *bytes, size_t count) {
    FAIL_OR_HALVE(writing(file), is_file(file) || is_socket(file), count);
    return REAL(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t position) {
    FAIL_OR_HALVE(WRITE, is_file(file), count);
    return REAL(pwrite)(file, bytes, count, position);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t position) {
    FAIL_OR_HALVE(WRITE, is_file(file), count);
    return REAL(pwrite64)(file, bytes, count, position);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    FAIL_OR_HALVE(writing(file), is_file(file) || is_socket(file), count);
    return REAL(writev)(file, parts, count);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t position) {
    FAIL_OR_HALVE(WRITE, is_file(file), count);
    return REAL(pwritev)(file, parts, count, position);
}

static bool has_no_copies(void) { return is_without("copies"); }

ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *position, size_t count, unsigned flags) {
    if (has_no_copies()) {
        errno = EXDEV;
        return -1;
    }
    FAIL_OR_HALVE(COPY, is_file(from) || is_file(to), count);
    return REAL(copy_file_range)(from, start, to, position, count, flags);
}

ssize_t sendfile(int to, int from, off_t *start, size_t count) {
    FAIL_OR_HALVE(COPY, is_file(from) || is_file(to), count);
    return REAL(sendfile)(to, from, start, count);
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
    FAIL_OR_HALVE(SEND, counts(), count);
    return REAL(send)(file, bytes, count, flags);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    struct iovec part = message->msg_iovlen ? message->msg_iov[0] : (struct iovec){NULL, 0};
    struct msghdr less = *message;
    FAIL_OR_HALVE(SEND, counts(), part.iov_len);
    if (less.msg_iovlen == 1)
        less.msg_iov = &part;
    return REAL(sendmsg)(file, &less, flags);
}

ssize_t recv(int file, void *bytes, size_t count, int flags) {
    FAIL_OR_HALVE(RECEIVE, counts(), count);
    return REAL(recv)(file, bytes, count, flags);
}

ssize_t recvmsg(int file, struct msghdr *message, int flags) {
    struct iovec part = message->msg_iovlen ? message->msg_iov[0] : (struct iovec){NULL, 0};
    struct iovec *all = message->msg_iov;
    FAIL_OR_HALVE(RECEIVE, counts(), part.iov_len);
    if (message->msg_iovlen == 1)
        message->msg_iov = &part;
    ssize_t received = REAL(recvmsg)(file, message, flags);
    message->msg_iov = all;
    return received;
}

// --- The disk -------------------------------------------------------------------------

int fsync(int file) {
    FAIL(SYNC, is_file(file), -1);
    return REAL(fsync)(file);
}

int fdatasync(int file) {
    FAIL(SYNC, is_file(file), -1);
    return REAL(fdatasync)(file);
}

int sync_file_range(int file, off64_t start, off64_t count, unsigned flags) {
    FAIL(SYNC, is_file(file), -1);
    return REAL(sync_file_range)(file, start, count, flags);
}

int ftruncate(int file, off_t length) {
    FAIL(TRUNCATE, is_file(file), -1);
    return REAL(ftruncate)(file, length);
}

int ftruncate64(int file, off64_t length) {
    FAIL(TRUNCATE, is_file(file), -1);
    return REAL(ftruncate64)(file, length);
}

static bool has_no_reservations(void) { return is_without("reservations"); }

int fallocate(int file, int mode, off_t start, off_t length) {
    if (has_no_reservations()) {
        errno = EOPNOTSUPP;
        return -1;
    }
    FAIL(RESERVE, is_file(file), -1);
    return REAL(fallocate)(file, mode, start, length);
}

int posix_fallocate(int file, off_t start, off_t length) {
    FAIL(RESERVE, is_file(file), fault);
    return REAL(posix_fallocate)(file, start, length);
}

// --- Names ----------------------------------------------------------------------------

static bool has_no_links(void) { return is_without("links"); }

int link(const char *old, const char *new) {
    if (has_no_links()) {
        errno = EPERM;
        return -1;
    }
    FAIL(LINK, is_path(new), -1);
    return REAL(link)(old, new);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
    if (has_no_links()) {
        errno = EPERM;
        return -1;
    }
    FAIL(LINK, is_path(new), -1);
    return REAL(linkat)(from, old, to, new, flags);
}

int rename(const char *old, const char *new) {
    FAIL(RENAME, is_path(new), -1);
    return REAL(rename)(old, new);
}

int renameat(int from, const char *old, int to, const char *new) {
    FAIL(RENAME, is_path(new), -1);
    return REAL(renameat)(from, old, to, new);
}

/// Whether the file system can do what `renameat2` is asked for.
static bool can_rename(unsigned flags) {
    if ((flags & RENAME_EXCHANGE && is_without("exchange")) || (flags & RENAME_NOREPLACE && is_without("noreplace"))) {
        errno = EINVAL;
        return false;
    }
    return true;
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    if (!can_rename(flags))
        return -1;
    FAIL(RENAME, is_path(new), -1);
    return REAL(renameat2)(from, old, to, new, flags);
}

int unlink(const char *path) {
    FAIL(UNLINK, is_path(path), -1);
    return REAL(unlink)(path);
}

int unlinkat(int file, const char *path, int flags) {
    FAIL(UNLINK, is_path(path), -1);
    return REAL(unlinkat)(file, path, flags);
}

int rmdir(const char *path) {
    FAIL(UNLINK, is_path(path), -1);
    return REAL(rmdir)(path);
}

int mkdir(const char *path, mode_t mode) {
    FAIL(MAKE_FOLDER, is_path(path), -1);
    return REAL(mkdir)(path, mode);
}

int mkdirat(int file, const char *path, mode_t mode) {
    FAIL(MAKE_FOLDER, is_path(path), -1);
    return REAL(mkdirat)(file, path, mode);
}

// --- Opening and looking --------------------------------------------------------------

/// The third or fourth word of a call that opens a file, which is there only if one may be made.
#define MODE_OF(flags)                                                                                                 \
    ({                                                                                                                 \
        mode_t mode = 0;                                                                                               \
        if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                       \
            va_list rest;                                                                                              \
            va_start(rest, flags);                                                                                     \
            mode = va_arg(rest, mode_t);                                                                               \
            va_end(rest);                                                                                              \
        }                                                                                                              \
        mode;                                                                                                          \
    })

/// Whether the file system can do what a file is opened for.
static bool can_open(int flags) {
    if ((flags & O_TMPFILE) == O_TMPFILE && is_without("unnamed")) {
        errno = EOPNOTSUPP;
        return false;
    }
    return true;
}

int open(const char *path, int flags, ...) {
    if (!can_open(flags))
        return -1;
    FAIL(OPEN, is_path(path), -1);
    return REAL(open)(path, flags, MODE_OF(flags));
}

int open64(const char *path, int flags, ...) {
    if (!can_open(flags))
        return -1;
    FAIL(OPEN, is_path(path), -1);
    return REAL(open64)(path, flags, MODE_OF(flags));
}

int openat(int file, const char *path, int flags, ...) {
    if (!can_open(flags))
        return -1;
    FAIL(OPEN, is_path(path), -1);
    return REAL(openat)(file, path, flags, MODE_OF(flags));
}

int openat64(int file, const char *path, int flags, ...) {
    if (!can_open(flags))
        return -1;
    FAIL(OPEN, is_path(path), -1);
    return REAL(openat64)(file, path, flags, MODE_OF(flags));
}

int memfd_create(const char *name, unsigned flags) {
    FAIL(OPEN, counts(), -1);
    return REAL(memfd_create)(name, flags);
}

DIR *opendir(const char *path) {
    FAIL(LIST, is_path(path), NULL);
    return REAL(opendir)(path);
}

struct dirent *readdir(DIR *stream) {
    FAIL(LIST, is_file(dirfd(stream)), NULL);
    return REAL(readdir)(stream);
}

struct dirent64 *readdir64(DIR *stream) {
    FAIL(LIST, is_file(dirfd(stream)), NULL);
    return REAL(readdir64)(stream);
}

int stat(const char *path, struct stat *status) {
    FAIL(STATUS, is_path(path), -1);
    return REAL(stat)(path, status);
}

int stat64(const char *path, struct stat64 *status) {
    FAIL(STATUS, is_path(path), -1);
    return REAL(stat64)(path, status);
}

int lstat(const char *path, struct stat *status) {
    FAIL(STATUS, is_path(path), -1);
    return REAL(lstat)(path, status);
}

int lstat64(const char *path, struct stat64 *status) {
    FAIL(STATUS, is_path(path), -1);
    return REAL(lstat64)(path, status);
}

int fstat(int file, struct stat *status) {
    FAIL(STATUS, is_file(file), -1);
    return REAL(fstat)(file, status);
}

int fstat64(int file, struct stat64 *status) {
    FAIL(STATUS, is_file(file), -1);
    return REAL(fstat64)(file, status);
}

int fstatat(int file, const char *path, struct stat *status, int flags) {
    FAIL(STATUS, is_path(path), -1);
    return REAL(fstatat)(file, path, status, flags);
}

int fstatat64(int file, const char *path, struct stat64 *status, int flags) {
    FAIL(STATUS, is_path(path), -1);
    return REAL(fstatat64)(file, path, status, flags);
}

int statx(int file, const char *path, int flags, unsigned mask, struct statx *status) {
    FAIL(STATUS, is_path(path), -1);
    return REAL(statx)(file, path, flags, mask, status);
}

// --- Memory and threads ---------------------------------------------------------------

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t position) {
    FAIL(MAP, length >= shortest, MAP_FAILED);
    return REAL(mmap)(address, length, protection, flags, file, position);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t position) {
    FAIL(MAP, length >= shortest, MAP_FAILED);
    return REAL(mmap64)(address, length, protection, flags, file, position);
}

void *malloc(size_t size) {
    FAIL(ALLOCATE, true, NULL);
    FAIL(LARGE, size >= shortest, NULL);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    FAIL(ALLOCATE, true, NULL);
    FAIL(LARGE, count * size >= shortest, NULL);
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    FAIL(ALLOCATE, size > 0, NULL);
    FAIL(LARGE, size >= shortest, NULL);
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    FAIL(ALLOCATE, true, NULL);
    FAIL(LARGE, size >= shortest, NULL);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    FAIL(ALLOCATE, true, NULL);
    FAIL(LARGE, size >= shortest, NULL);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    FAIL(ALLOCATE, true, ENOMEM);
    FAIL(LARGE, size >= shortest, ENOMEM);
    void *made = __libc_memalign(alignment, size);
    if (!made)
        return ENOMEM;
    *result = made;
    return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    FAIL(THREAD, true, fault);
    return REAL(pthread_create)(thread, attributes, start, argument);
}

pid_t fork(void) {
    FAIL(PROCESS, counts(), -1);
    return REAL(fork)();
}

/// Not in the parent's memory, whose stack this function's return would take away.
pid_t vfork(void) {
    FAIL(PROCESS, counts(), -1);
    return REAL(fork)();
}

/// A worker that gives up its channel does the work itself.
int close(int descriptor) {
    if (descriptor == 3 && shared)
        become_copy();
    return REAL(close)(descriptor);
}

/// Random numbers that are the same each time, so that two runs make the same Matroska file.
ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    static _Atomic uint64_t state;
    if (!is_armed)
        return REAL(getrandom)(bytes, count, flags);
    for (size_t at = 0; at < count; at++) {
        uint64_t mixed = atomic_fetch_add(&state, 0x9E3779B97F4A7C15);
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
        ((uint8_t *)bytes)[at] = (uint8_t)(mixed >> 56);
    }
    return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) { return getrandom(bytes, count, 0) < 0 ? -1 : 0; }

// --- Calls by number ------------------------------------------------------------------

/// Closes all files of a range but the one to count in, which becomes the next program's.
static long close_others(long first, long last, long flags) {
    if (!shared || role != FRONT || first > inherited || (unsigned)last < inherited)
        return REAL(syscall)(SYS_close_range, first, last, flags);
    direct(SYS_fcntl, inherited, F_SETFD, 0, 0);
    long below = REAL(syscall)(SYS_close_range, first, inherited - 1, flags);
    long above = REAL(syscall)(SYS_close_range, inherited + 1, last, flags);
    return below ? below : above;
}

long syscall(long call, ...) {
    long words[6];
    va_list rest;
    va_start(rest, call);
    for (int index = 0; index < 6; index++)
        words[index] = va_arg(rest, long);
    va_end(rest);
    switch (call) {
    case SYS_close_range:
        return close_others(words[0], words[1], words[2]);
    case SYS_renameat2:
        return renameat2((int)words[0], (const char *)words[1], (int)words[2], (const char *)words[3],
                         (unsigned)words[4]);
    case SYS_copy_file_range:
        return copy_file_range((int)words[0], (off64_t *)words[1], (int)words[2], (off64_t *)words[3], (size_t)words[4],
                               (unsigned)words[5]);
    case SYS_getrandom:
        return getrandom((void *)words[0], (size_t)words[1], (unsigned)words[2]);
    case SYS_memfd_create:
        return memfd_create((const char *)words[0], (unsigned)words[1]);
    case SYS_linkat:
        return linkat((int)words[0], (const char *)words[1], (int)words[2], (const char *)words[3], (int)words[4]);
    case SYS_fallocate:
        return fallocate((int)words[0], (int)words[1], words[2], words[3]);
    default:
        return REAL(syscall)(call, words[0], words[1], words[2], words[3], words[4], words[5]);
    }
}
