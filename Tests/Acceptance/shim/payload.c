// What a worker does that a file has taken over: preloaded into it, it acts as soon as the worker is confined and is
// given its input, tries one thing after the other, and says on standard error which of them worked.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static char said[8192];
static size_t length;

static void tell(const char *name, long result) {
    length += (size_t)snprintf(said + length, sizeof said - length, " %s=%s", name, result < 0 ? "refused" : "done");
}

#define TRY(name, call) tell(name, (long)(call))

static const char *in(const char *folder, const char *name) {
    static char paths[8][4096];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

static int filters(void) {
    char line[256];
    int count = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "Seccomp_filters: %d", &count) == 1)
            break;
    if (status)
        fclose(status);
    return count;
}

// A descriptor of its own for the file that the command line names, whatever the worker does with the one it was given.
static int input(void) {
    struct stat wanted, found;
    if (stat(getenv("AVTOOL_PAYLOAD_INPUT"), &wanted) != 0)
        return -1;
    for (int file = 3; file < 256; file++) {
        if (fstat(file, &found) != 0 || found.st_ino != wanted.st_ino || found.st_dev != wanted.st_dev)
            continue;
        int own = fcntl(file, F_DUPFD_CLOEXEC, 256);
        // The number may have become another file's meanwhile.
        if (own >= 0 && fstat(own, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev)
            return own;
        if (own >= 0)
            close(own);
    }
    return -1;
}

static void *thread(void *argument) { return argument; }

static void try_files(const char *folder) {
    struct timespec times[2] = {{1, 0}, {1, 0}};
    TRY("read", open(in(folder, "secret"), O_RDONLY));
    TRY("write", open(in(folder, "secret"), O_WRONLY));
    TRY("make", open(in(folder, "made"), O_WRONLY | O_CREAT, 0600));
    TRY("unnamed", open(folder, O_TMPFILE | O_RDWR, 0600));
    TRY("list", opendir(folder) ? 0 : -1);
    TRY("mkdir", mkdir(in(folder, "made-folder"), 0700));
    TRY("rename", rename(in(folder, "renamed"), in(folder, "other")));
    TRY("link", link(in(folder, "secret"), in(folder, "linked")));
    TRY("symlink", symlink("x", in(folder, "made-link")));
    TRY("fifo", mknod(in(folder, "made-fifo"), S_IFIFO | 0600, 0));
    TRY("truncate", truncate(in(folder, "secret"), 0));
    TRY("chmod", syscall(SYS_fchmodat, AT_FDCWD, in(folder, "secret"), 0777));
    TRY("chown", syscall(SYS_fchownat, AT_FDCWD, in(folder, "secret"), getuid(), getgid(), 0));
    TRY("times", utimensat(AT_FDCWD, in(folder, "secret"), times, 0));
    TRY("attribute", setxattr(in(folder, "secret"), "user.taken", "x", 1, 0));
    TRY("unlink", unlink(in(folder, "removed")));
}

static void try_input(int file) {
    char own[64];
    int flags = FS_NODUMP_FL;
    snprintf(own, sizeof own, "/proc/self/fd/%d", file);
    TRY("input-write", open(own, O_WRONLY));
    TRY("input-chmod", fchmod(file, 0777));
    TRY("input-attribute", fsetxattr(file, "user.taken", "x", 1, 0));
    TRY("input-times", futimens(file, NULL));
    TRY("input-flags", ioctl(file, FS_IOC_SETFLAGS, &flags));
    TRY("input-lock", flock(file, LOCK_EX | LOCK_NB));
    TRY("input-lease", fcntl(file, F_SETLEASE, F_RDLCK));
    TRY("input-read", pread(file, own, sizeof own, 0));
}

static void try_processes(void) {
    pid_t other = atoi(getenv("AVTOOL_PAYLOAD_OTHER"));
    char path[64];
    cpu_set_t processors;
    struct sched_param parameter = {0};
    struct rlimit limit;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    snprintf(path, sizeof path, "/proc/%d/environ", other);
    TRY("other-environment", open(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/%d/mem", other);
    TRY("other-memory", open(path, O_RDONLY));
    TRY("other-signal", syscall(SYS_kill, other, 0));
    TRY("other-thread-signal", syscall(SYS_tgkill, other, other, 0));
    TRY("other-trace", syscall(SYS_ptrace, 16, other, 0, 0));
    TRY("other-affinity", sched_setaffinity(other, sizeof processors, &processors));
    TRY("other-priority", setpriority(PRIO_PROCESS, (id_t)other, 19));
    TRY("other-scheduler", sched_setscheduler(other, SCHED_IDLE, &parameter));
    TRY("other-io-priority", syscall(SYS_ioprio_set, 1, other, 3 << 13));
    TRY("other-limits", syscall(SYS_prlimit64, other, RLIMIT_NOFILE, NULL, &limit));
    TRY("other-open", syscall(SYS_pidfd_open, other, 0));
    // What is not there, as what is there would take this program's place.
    execl("/bin/no-such-program", "no", NULL);
    TRY("execute", errno == ENOENT ? 0 : -1);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    TRY("fork", child);
}

static void try_kernel(void) {
    char space[256] = {0};
    TRY("socket", socket(AF_INET, SOCK_STREAM, 0));
    TRY("local-socket", socket(AF_UNIX, SOCK_STREAM, 0));
    TRY("shared-memory", syscall(SYS_shmget, 0x5ec, 4096, 01600));
    TRY("semaphores", syscall(SYS_semget, 0x5ec, 1, 01600));
    TRY("messages", syscall(SYS_msgget, 0x5ec, 01600));
    TRY("queue", syscall(SYS_mq_open, "taken", O_CREAT | O_RDWR, 0600, NULL));
    TRY("rings", syscall(SYS_io_uring_setup, 1, space));
    TRY("programs", syscall(SYS_bpf, 0, 0, 0));
    TRY("counters", syscall(SYS_perf_event_open, space, 0, -1, -1, 0));
    TRY("page-faults", syscall(SYS_userfaultfd, 0));
    TRY("keys", syscall(SYS_keyctl, 0, -3, 0));
    TRY("namespace", syscall(SYS_unshare, CLONE_NEWUSER));
    TRY("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
    TRY("root", chroot("/tmp"));
    TRY("watch", syscall(SYS_inotify_init1, 0));
    TRY("handle", syscall(SYS_name_to_handle_at, AT_FDCWD, "/", space, space, 0));
}

static void act(void) {
    int file = -1;
    if (filters() < atoi(getenv("AVTOOL_PAYLOAD_FILTERS")) || (file = input()) < 0)
        return;
    try_files(getenv("AVTOOL_PAYLOAD_FOLDER"));
    try_input(file);
    try_processes();
    try_kernel();
    pthread_t other;
    TRY("own-thread", -pthread_create(&other, NULL, thread, NULL));
    TRY("own-memory", memfd_create("own", 0));
    said[length++] = '\n';
    ssize_t ignored = write(2, "payload", 7) + write(2, said, length);
    (void)ignored;
    _exit(1);
}

static int is_worker;

static void take_over(void) {
    static pthread_mutex_t acting = PTHREAD_MUTEX_INITIALIZER;
    static __thread int is_acting;
    // What it does reads too.
    if (!is_worker || is_acting)
        return;
    int code = errno;
    is_acting = 1;
    pthread_mutex_lock(&acting);
    act();
    pthread_mutex_unlock(&acting);
    is_acting = 0;
    errno = code;
}

// Files that the worker may read come in messages, so that none is missed, however soon it is closed again.
ssize_t recvmsg(int file, struct msghdr *message, int flags) {
    ssize_t received = syscall(SYS_recvmsg, file, message, flags);
    take_over();
    return received;
}

// The file comes with the order, before the worker has its last filter: what takes it over are the file's bytes.
ssize_t pread(int file, void *buffer, size_t count, off_t position) {
    ssize_t got = syscall(SYS_pread64, file, buffer, count, position);
    take_over();
    return got;
}

ssize_t pread64(int file, void *buffer, size_t count, off64_t position) { return pread(file, buffer, count, position); }

__attribute__((constructor)) static void begin(void) {
    char own[4096];
    ssize_t count = readlink("/proc/self/exe", own, sizeof own - 1);
    if (count <= 0 || !getenv("AVTOOL_PAYLOAD_INPUT"))
        return;
    own[count] = 0;
    is_worker = strstr(own, "avtool-worker") != NULL;
}
