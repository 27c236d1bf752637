#define _GNU_SOURCE
#include "CIsolation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "landlock.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// A program for the kernel, written front to back.
//
// Whatever is not allowed is refused, as if the kernel did not know it: libraries go on without what is new to them.
typedef struct {
    struct sock_filter steps[1024];
    unsigned short count;
} program;

static void step(program *program, unsigned short code, unsigned char yes, unsigned char no, uint32_t value) {
    program->steps[program->count++] = (struct sock_filter){code, yes, no, value};
}

static void load(program *program, size_t offset) { step(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset); }

static void load_call(program *program) { load(program, offsetof(struct seccomp_data, nr)); }

// The lower half of an argument, which is all that flags and small numbers have.
static void load_argument(program *program, int index) {
    load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)index);
}

static void allow_always(program *program) { step(program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW); }

static void refuse_always(program *program, int error) {
    step(program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void allow(program *program, const long *calls, size_t count) {
    for (size_t index = 0; index < count; index++) {
        step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)calls[index]);
        allow_always(program);
    }
}

static void refuse(program *program, const long *calls, size_t count, int error) {
    for (size_t index = 0; index < count; index++) {
        step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)calls[index]);
        refuse_always(program, error);
    }
}

// Allows a call where an argument is one of some values.
static void allow_values(program *program, long call, int argument, const uint32_t *values, size_t count, int error) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, (unsigned char)(2 * count + 2), (uint32_t)call);
    load_argument(program, argument);
    for (size_t index = 0; index < count; index++) {
        step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, values[index]);
        allow_always(program);
    }
    refuse_always(program, error);
}

// Allows a call where an argument has none of some bits.
static void allow_without(program *program, long call, int argument, uint32_t bits, int error) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)call);
    load_argument(program, argument);
    step(program, BPF_JMP | BPF_JSET | BPF_K, 1, 0, bits);
    allow_always(program);
    refuse_always(program, error);
}

// Refuses a call where an argument has some bits missing.
static void refuse_without(program *program, long call, int argument, uint32_t bit, int error) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)call);
    load_argument(program, argument);
    step(program, BPF_JMP | BPF_JSET | BPF_K, 1, 0, bit);
    refuse_always(program, error);
    load_call(program);
}

// Refuses a call where an argument is not a value.
static void refuse_other(program *program, long call, int argument, uint32_t value, int error) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)call);
    load_argument(program, argument);
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value);
    refuse_always(program, error);
    load_call(program);
}

static void begin(program *program) {
    program->count = 0;
#ifdef ARCHITECTURE
    load(program, offsetof(struct seccomp_data, arch));
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
    refuse_always(program, ENOSYS);
#endif
    load_call(program);
#ifdef __x86_64__
    // The calls of another convention, by which everything below could be had under another number.
    step(program, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
    refuse_always(program, ENOSYS);
#endif
}

static int install(program *program) {
    struct sock_fprog filter = {program->count, program->steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    // For all threads, those of libraries' constructors as well.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    if (result < 0)
        return errno;
    return result > 0 ? EAGAIN : 0;
}

// What readers and writers of media, the allocator, threads and the Swift runtime do with what is theirs: memory, time,
// open files, their own threads. docs/isolation.md says of each what it is for.
static const long harmless[] = {
    // What is called most, first.
    SYS_futex,
    SYS_read,
    SYS_write,
    SYS_pread64,
    SYS_pwrite64,
    SYS_readv,
    SYS_writev,
    SYS_preadv,
    SYS_pwritev,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_mremap,
    // Memory.
    SYS_msync,
    SYS_mincore,
    SYS_membarrier,
    SYS_get_mempolicy,
    SYS_memfd_create,
    // Open files.
    SYS_ftruncate,
    SYS_fallocate,
    SYS_fsync,
    SYS_fdatasync,
    SYS_fadvise64,
    SYS_sync_file_range,
    SYS_copy_file_range,
    SYS_fstatfs,
    SYS_getdents64,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_close_range,
    SYS_fgetxattr,
    SYS_flistxattr,
    // Names: what there is, as far as Landlock lets it be seen. Nothing is opened so, nor changed.
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_statfs,
    // Channels that are open.
    SYS_sendmsg,
    SYS_recvmsg,
    SYS_sendto,
    SYS_recvfrom,
    SYS_shutdown,
    SYS_getsockopt,
    SYS_getsockname,
    // Waiting.
    SYS_ppoll,
    SYS_pselect6,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_eventfd2,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
    // Time and chance.
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_times,
    SYS_getrandom,
    // Signals of its own.
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend,
    SYS_rt_sigpending,
    SYS_sigaltstack,
    SYS_signalfd4,
    SYS_restart_syscall,
    SYS_tgkill,
    // Threads, and the copies of a worker, which a second filter bounds further.
    SYS_exit,
    SYS_exit_group,
    SYS_wait4,
    SYS_waitid,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_set_tid_address,
    SYS_rseq,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getscheduler,
    SYS_sched_getparam,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_getpriority,
    SYS_getcpu,
    SYS_seccomp,
    SYS_landlock_create_ruleset,
    SYS_landlock_restrict_self,
    // Who it is, and how much there is.
    SYS_gettid,
    SYS_getpid,
    SYS_getppid,
    SYS_getpgid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getrusage,
    SYS_capget,
    SYS_uname,
    SYS_sysinfo,
    SYS_umask,
#ifdef __x86_64__
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_poll,
    SYS_select,
    SYS_epoll_create,
    SYS_epoll_wait,
    SYS_eventfd,
    SYS_pipe,
    SYS_dup2,
    SYS_time,
    SYS_getpgrp,
    SYS_arch_prctl,
    SYS_fork,
    SYS_vfork,
#endif
};

// What a connection needs that the command line allows.
static const long network[] = {
    SYS_socket, SYS_connect, SYS_socketpair, SYS_setsockopt, SYS_getpeername, SYS_sendmmsg, SYS_recvmmsg,
};

// What libraries ask for and take a refusal for an answer, with the error that they expect: other programs, and what
// changes names, and sockets.
static const long forbidden[] = {SYS_kill, SYS_tkill, SYS_ptrace, SYS_execve, SYS_execveat};
static const long denied[] = {
    SYS_socket,    SYS_connect,   SYS_socketpair,  SYS_bind,         SYS_listen,       SYS_accept,    SYS_accept4,
    SYS_mkdirat,   SYS_unlinkat,  SYS_renameat2,   SYS_renameat,     SYS_linkat,       SYS_symlinkat, SYS_mknodat,
    SYS_fchmodat,  SYS_fchownat,  SYS_fchmod,      SYS_fchown,       SYS_truncate,     SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
#ifdef __x86_64__
    SYS_creat,     SYS_mkdir,     SYS_rmdir,       SYS_unlink,       SYS_rename,       SYS_link,      SYS_symlink,
    SYS_mknod,     SYS_chmod,     SYS_chown,       SYS_lchown,       SYS_utime,        SYS_utimes,    SYS_futimesat,
#endif
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define VALUES(...) (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__}))

enum {
    // Anything but reading: O_ACCMODE, O_CREAT, O_TRUNC and the bit that makes O_TMPFILE of O_DIRECTORY.
    writing = O_ACCMODE | O_CREAT | O_TRUNC | 020000000,
    own_thread = CLONE_THREAD,
    namespaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | 0x02000000,
    name_memory = 0x53564d41,
    is_terminal = 0x5401,
    bytes_to_read = 0x541B,
    close_on_exec = 0x5451,
    no_waiting = 0x5421,
};

int avt_refuse_calls(int allows_network) {
    static program program;
    begin(&program);
    if (allows_network)
        allow(&program, network, COUNT(network));
    allow(&program, harmless, COUNT(harmless));
    allow_without(&program, SYS_openat, 2, writing, EACCES);
#ifdef __x86_64__
    allow_without(&program, SYS_open, 1, writing, EACCES);
#endif
    // `clone3` has its flags in memory, where the kernel's filter cannot look; libraries go on with this one.
    allow_without(&program, SYS_clone, 0, namespaces, EPERM);
    allow_values(&program, SYS_fcntl, 1,
                 VALUES(F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_ADD_SEALS, F_GET_SEALS), EPERM);
    allow_values(&program, SYS_ioctl, 1, VALUES(is_terminal, bytes_to_read, close_on_exec, no_waiting), ENOTTY);
    allow_values(&program, SYS_prctl, 0,
                 VALUES(PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_GET_DUMPABLE, name_memory),
                 EINVAL);
    // Of itself only: another process's number is none of its business.
    allow_values(&program, SYS_prlimit64, 0, VALUES(0), EPERM);
    allow_values(&program, SYS_sched_setaffinity, 0, VALUES(0), EPERM);
#ifdef __x86_64__
    allow(&program, (const long[]){SYS_getrlimit, SYS_setrlimit}, 2);
#endif
    refuse(&program, forbidden, COUNT(forbidden), EPERM);
    refuse(&program, denied, COUNT(denied), EACCES);
    refuse_always(&program, ENOSYS);
    return install(&program);
}

int avt_refuse_processes(uint32_t wanted) {
    if (wanted & AVT_LANDLOCK_FILES)
        avt_landlock_restrict_further();
    if (!(wanted & AVT_SECCOMP))
        return 0;
    static program program;
    begin(&program);
    // Threads are made; processes are not. A signal to itself is how a program aborts.
    refuse_without(&program, SYS_clone, 0, own_thread, EPERM);
    refuse_other(&program, SYS_tgkill, 0, (uint32_t)getpid(), EPERM);
#ifdef __x86_64__
    refuse(&program, (const long[]){SYS_fork, SYS_vfork}, 2, EPERM);
#endif
    allow_always(&program);
    return install(&program);
}
