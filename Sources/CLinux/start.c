#define _GNU_SOURCE
#include "CIsolation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "landlock.h"

static void limit(int resource, uint64_t value) {
    struct rlimit now;
    if (!value || getrlimit(resource, &now) != 0)
        return;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value)
        value = now.rlim_max;
    struct rlimit wanted = {value, value};
    setrlimit(resource, &wanted);
}

void avt_limit_memory(uint64_t bytes) {
// The sanitizers' own memory is terabytes that are never used.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    (void)bytes;
#elif defined(__has_feature)
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
    limit(RLIMIT_DATA, bytes);
#endif
#else
    limit(RLIMIT_DATA, bytes);
#endif
}

// Whoever runs as root is to have no more power than over root's own files, which Landlock guards.
static void give_up_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    for (unsigned long capability = 0; capability < 64; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno == EINVAL)
            break;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    // exec gives root nothing back.
    prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
    syscall(SYS_capset, &header, none);
}

static uint32_t restrict_self(const avt_worker *worker) {
    uint32_t active = 0;
    if (worker->wanted & AVT_NO_NEW_PRIVILEGES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
        active |= AVT_NO_NEW_PRIVILEGES;
        give_up_capabilities();
    }
    if (worker->wanted & AVT_RESOURCE_LIMITS) {
        limit(RLIMIT_AS, worker->address_space);
        limit(RLIMIT_FSIZE, worker->file_size);
        limit(RLIMIT_NOFILE, worker->open_files);
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        active |= AVT_RESOURCE_LIMITS;
    }
    if (active & AVT_NO_NEW_PRIVILEGES)
        active |= avt_landlock_restrict(worker);
    return active;
}

typedef struct {
    int error;
    uint32_t active;
} start_report;

// In the parent's memory, which stands still meanwhile: it changes nothing there but its own variables.
// A function of its own also when compiled, as what it has on the stack may not be what the parent has there.
__attribute__((noinline)) static _Noreturn void run(const avt_worker *worker, int report) {
    // Its own session: no terminal to type into, and no share in the signals of one.
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    struct sigaction action = {0};
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &action, NULL);
    action.sa_handler = SIG_IGN;
    // Beyond the limit on files, writing is an error and no end; so is writing where nobody reads.
    sigaction(SIGXFSZ, &action, NULL);
    sigaction(SIGPIPE, &action, NULL);
    // Only now, as until then it is the parent's handlers that would run, in the parent's memory.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    start_report told = {0, 0};
    // What is to be 0 to 3 must not be overwritten on the way there.
    int channel = fcntl(worker->channel, F_DUPFD_CLOEXEC, 16);
    int errors = fcntl(worker->errors, F_DUPFD_CLOEXEC, 16);
    int report_high = fcntl(report, F_DUPFD_CLOEXEC, 16);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (channel < 0 || errors < 0 || report_high < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 ||
        dup2(errors, 2) < 0 || dup2(channel, 3) < 0)
        goto failed;
    // Nothing else of ours is the worker's business.
    if (dup2(report_high, 4) < 0 || fcntl(4, F_SETFD, FD_CLOEXEC) < 0)
        goto failed;
    if (syscall(SYS_close_range, 5, ~0U, 0) != 0)
        for (int other = 5; other < 4096; other++)
            close(other);
    report = report_high = 4;
    told.active = restrict_self(worker);
    // Told before exec, which closes it.
    if (write(4, &told, sizeof told) != sizeof told)
        _exit(127);
    execve(worker->path, worker->arguments, worker->environment);
failed:
    told.error = errno;
    ssize_t ignored = write(report, &told, sizeof told);
    (void)ignored;
    _exit(127);
}

int avt_worker_start(const avt_worker *worker, pid_t *pid, uint32_t *active) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    // Copying this process's pages takes longer than all that is done before they are gone again.
    pid_t started = vfork();
    if (started == 0)
        run(worker, ends[1]);
    int failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    *pid = started;
    if (started < 0) {
        close(ends[0]);
        return failure;
    }
    start_report told = {0, 0}, last;
    int error = 0;
    // The first says what was restricted; a second one that exec failed.
    for (;;) {
        ssize_t count = read(ends[0], &last, sizeof last);
        if (count < 0 && errno == EINTR)
            continue;
        if (count != sizeof last)
            break;
        if (last.error)
            error = last.error;
        else
            told = last;
    }
    close(ends[0]);
    *active = told.active;
    if (error) {
        while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR) {
        }
        *pid = -1;
    }
    return error;
}

int avt_ending_signal(pid_t process) {
    // It closes its files before it has ended.
    for (int attempt = 0; attempt < 20; attempt++) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT | WNOHANG) != 0)
            return 0;
        if (info.si_pid)
            return info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED ? info.si_status : 0;
        usleep(10000);
    }
    return 0;
}

pid_t avt_copy_process(void) {
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        if (getppid() != parent)
            _exit(127);
    }
    return pid;
}
