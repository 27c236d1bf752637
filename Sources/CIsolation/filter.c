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
// Whatever is not refused is allowed: a list of what is allowed breaks with the next version of any library.
typedef struct {
    struct sock_filter steps[640];
    unsigned short count;
} program;

static void step(program *program, unsigned short code, unsigned char yes, unsigned char no, uint32_t value) {
    program->steps[program->count++] = (struct sock_filter){code, yes, no, value};
}

static void load(program *program, size_t offset) {
    step(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void load_call(program *program) { load(program, offsetof(struct seccomp_data, nr)); }

// The lower half of an argument, which is all that flags and small numbers have.
static void load_argument(program *program, int index) {
    load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)index);
}

static void refuse_always(program *program, int error) {
    step(program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void refuse(program *program, long call, int error) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)call);
    refuse_always(program, error);
}

// Refuses a call where an argument has one of some bits.
static void refuse_with(program *program, long call, int argument, uint32_t bits, int error) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)call);
    load_argument(program, argument);
    step(program, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    refuse_always(program, error);
    load_call(program);
}

// Refuses a call where an argument has some bits missing.
static void refuse_without(program *program, long call, int argument, uint32_t bit, int error) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)call);
    load_argument(program, argument);
    step(program, BPF_JMP | BPF_JSET | BPF_K, 1, 0, bit);
    refuse_always(program, error);
    load_call(program);
}

// Refuses a call where an argument is a value.
static void refuse_value(program *program, long call, int argument, uint32_t value, int error) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)call);
    load_argument(program, argument);
    step(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
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
    step(program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {program->count, program->steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    // For all threads, those of libraries' constructors as well.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    if (result < 0)
        return errno;
    return result > 0 ? EAGAIN : 0;
}

// Calls that no reader or writer of media makes.
static const long never[] = {
    // Other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, 424 /* pidfd_send_signal */, 434 /* pidfd_open */, 438 /* pidfd_getfd */,
    440 /* process_madvise */, SYS_execve, SYS_execveat,
    // Doors into the kernel.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, 425, 426, 427 /* io_uring */, SYS_keyctl, SYS_add_key,
    SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_acct,
    SYS_quotactl, SYS_syslog, SYS_swapon, SYS_swapoff, SYS_personality, SYS_fanotify_init, SYS_inotify_init1,
    SYS_name_to_handle_at, SYS_open_by_handle_at,
    // Namespaces and mounts.
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, 428, 429, 430, 431, 432, 433,
    442 /* mount_setattr */,
    // The machine.
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname,
    SYS_vhangup,
    // Who the process is.
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_setfsuid,
    SYS_setfsgid, SYS_capset,
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_inotify_init, SYS_kexec_file_load, SYS_uselib, SYS_ustat,
#endif
};

static const long sockets[] = {SYS_socket, SYS_connect, SYS_socketpair};
static const long servers[] = {SYS_bind, SYS_listen, SYS_accept, SYS_accept4};

// Calls that change what has a name.
static const long changes[] = {
    SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mknodat, SYS_fchmodat, SYS_fchownat,
    SYS_fchmod, SYS_fchown, SYS_truncate, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr, 452 /* fchmodat2 */, 463, 466 /* setxattrat, removexattrat */,
#ifdef __x86_64__
    SYS_creat, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_renameat, SYS_link, SYS_symlink, SYS_mknod, SYS_chmod,
    SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#else
    SYS_renameat,
#endif
};

static void refuse_all(program *program, const long *calls, size_t count, int error) {
    for (size_t index = 0; index < count; index++)
        refuse(program, calls[index], error);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum {
    // Anything but reading: O_ACCMODE, O_CREAT, O_TRUNC and the bit that makes O_TMPFILE of O_DIRECTORY.
    writing = O_ACCMODE | O_CREAT | O_TRUNC | 020000000,
    own_thread = CLONE_THREAD,
    namespaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | 0x02000000,
    set_owner = 8,
    set_signal = 10,
    set_owner_ex = 15,
    inject_input = 0x5412,
    linux_console = 0x541C,
};

int avt_refuse_calls(uint32_t flags) {
    static program program;
    begin(&program);
    // Its flags lie in memory, where the kernel's filter cannot look; libraries go on with clone.
    refuse(&program, 435 /* clone3 */, ENOSYS);
    refuse_with(&program, SYS_clone, 0, namespaces, EPERM);
    refuse_all(&program, never, COUNT(never), EPERM);
    if (!(flags & AVT_FILTER_ALLOWS_NETWORK))
        refuse_all(&program, sockets, COUNT(sockets), EACCES);
    refuse_all(&program, servers, COUNT(servers), EACCES);
    if (!(flags & AVT_FILTER_ALLOWS_SCRATCH)) {
        refuse_all(&program, changes, COUNT(changes), EACCES);
        refuse_with(&program, SYS_openat, 2, writing, EACCES);
#ifdef __x86_64__
        refuse_with(&program, SYS_open, 1, writing, EACCES);
#endif
    }
    refuse(&program, 437 /* openat2 */, ENOSYS);
    refuse_other(&program, SYS_prlimit64, 0, 0, EPERM);
    for (size_t index = 0; index < 3; index++)
        refuse_value(&program, SYS_fcntl, 1, (const uint32_t[]){set_owner, set_signal, set_owner_ex}[index], EPERM);
    refuse_value(&program, SYS_ioctl, 1, inject_input, EPERM);
    refuse_value(&program, SYS_ioctl, 1, linux_console, EPERM);
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
    refuse(&program, SYS_fork, EPERM);
    refuse(&program, SYS_vfork, EPERM);
#endif
    return install(&program);
}
