#define _GNU_SOURCE
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Linux's numbers, which are newer than the headers that a build may have.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

struct ruleset {
    uint64_t handled_files;
    uint64_t handled_network;
    uint64_t scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

enum { rule_path = 1, flag_version = 1 };

enum {
    file_execute = 1 << 0,
    file_write = 1 << 1,
    file_read = 1 << 2,
    folder_read = 1 << 3,
    file_truncate = 1 << 14,
    file_device = 1 << 15,
    // Of each version, the rights over files that it knows.
    files_1 = (1 << 13) - 1,
    files_2 = (1 << 14) - 1,
    files_3 = (1 << 15) - 1,
    files_5 = (1 << 16) - 1,
};

enum { tcp_bind = 1 << 0, tcp_connect = 1 << 1 };
enum { scope_abstract_sockets = 1 << 0, scope_signals = 1 << 1 };

int avt_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, flag_version);
    return version < 0 ? 0 : (int)version;
}

// Folders may be listed, files cannot: a rule must not name a right that its place cannot have.
static void allow(int ruleset, const char *path, uint64_t rights) {
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0)
        return;
    struct stat status;
    if (fstat(place, &status) == 0) {
        if (!S_ISDIR(status.st_mode))
            rights &= file_execute | file_write | file_read | file_truncate | file_device;
        struct path_rule rule = {rights, place};
        syscall(SYS_landlock_add_rule, ruleset, rule_path, &rule, 0);
    }
    close(place);
}

static size_t size_of_ruleset(int version) { return version >= 6 ? sizeof(struct ruleset) : version >= 4 ? 16 : 8; }

uint32_t avt_landlock_restrict(const avt_worker *worker) {
    int version = avt_landlock_version();
    if (version < 1)
        return 0;
    struct ruleset rules = {0, 0, 0};
    uint32_t active = 0;
    if (worker->wanted & AVT_LANDLOCK_FILES) {
        rules.handled_files = version >= 5 ? files_5 : version >= 3 ? files_3 : version >= 2 ? files_2 : files_1;
        active |= AVT_LANDLOCK_FILES;
    }
    if (worker->wanted & AVT_LANDLOCK_NETWORK && version >= 4) {
        rules.handled_network = worker->allows_network ? tcp_bind : tcp_bind | tcp_connect;
        active |= AVT_LANDLOCK_NETWORK;
    }
    if (worker->wanted & AVT_LANDLOCK_SCOPES && version >= 6) {
        rules.scoped = scope_abstract_sockets | scope_signals;
        active |= AVT_LANDLOCK_SCOPES;
    }
    if (!active)
        return 0;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size_of_ruleset(version), 0);
    if (ruleset < 0)
        return 0;
    if (active & AVT_LANDLOCK_FILES) {
        uint64_t reading = file_read | folder_read;
        for (size_t index = 0; index < worker->readable_count; index++)
            allow(ruleset, worker->readable[index], reading);
        // What starts the worker; it gives the right up itself.
        allow(ruleset, worker->path, file_read | file_execute);
        for (const char *const *loader =
                 (const char *const[]){"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
                                       "/lib/ld-musl-x86_64.so.1", NULL};
             *loader; loader++)
            allow(ruleset, *loader, file_read | file_execute);
        // libdispatch looks at its own threads there and ends the process if it cannot; whose processes are whose is
        // not known yet. It is not listed, and what is another process's own, the kernel keeps to that.
        allow(ruleset, "/proc", file_read);
    }
    if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
        active = 0;
    close(ruleset);
    return active;
}

void avt_landlock_restrict_further(void) {
    int version = avt_landlock_version();
    if (version < 1)
        return;
    struct ruleset rules = {file_execute, 0, version >= 6 ? scope_abstract_sockets | scope_signals : 0};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size_of_ruleset(version), 0);
    if (ruleset < 0)
        return;
    syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
}
