#define _GNU_SOURCE
#include "CIsolation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    // Linux's numbers, which are newer than the headers that a build may have.
    not_executable = 0x0008,
    call_send_signal = 424,
    call_open_process = 434,
    all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE,
};

int avt_shared_memory(void) {
    int memory = memfd_create("avtool", MFD_CLOEXEC | MFD_ALLOW_SEALING | not_executable);
    if (memory < 0 && errno == EINVAL)
        memory = memfd_create("avtool", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return memory;
}

int avt_seal_memory(int memory) { return fcntl(memory, F_ADD_SEALS, all_seals); }

int avt_memory_is_sealed(int memory) {
    int seals = fcntl(memory, F_GET_SEALS);
    return seals >= 0 && (seals & all_seals) == all_seals;
}

int avt_open_process(pid_t process) { return (int)syscall(call_open_process, process, 0); }

int avt_kill_process(int process) { return (int)syscall(call_send_signal, process, SIGKILL, NULL, 0); }

int avt_process_ends(int process, int milliseconds) {
    struct pollfd wanted = {process, POLLIN, 0};
    int count;
    do
        count = poll(&wanted, 1, milliseconds);
    while (count < 0 && errno == EINTR);
    return count > 0;
}
