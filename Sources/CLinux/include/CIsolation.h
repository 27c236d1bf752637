#ifndef CISOLATION_H
#define CISOLATION_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What the kernel does for a worker.
enum {
    AVT_NO_NEW_PRIVILEGES = 1 << 0,
    AVT_RESOURCE_LIMITS = 1 << 1,
    AVT_LANDLOCK_FILES = 1 << 2,
    AVT_LANDLOCK_NETWORK = 1 << 3,
    AVT_LANDLOCK_SCOPES = 1 << 4,
    AVT_SECCOMP = 1 << 5,
};

// What a worker is started with.
typedef struct {
    // What it executes, with its arguments and environment, ended by NULL.
    const char *path;
    char *const *arguments;
    char *const *environment;
    // Its end of the channel, which becomes descriptor 3, and where its own last words go, which becomes 2.
    int channel;
    int errors;
    // Which of the bits above are wanted.
    uint32_t wanted;
    // Folders and files that may be read.
    const char *const *readable;
    size_t readable_count;
    int allows_network;
    // Limits in bytes and numbers; 0 leaves them as they are.
    uint64_t address_space;
    uint64_t file_size;
    uint64_t open_files;
} avt_worker;

// Starts a worker; its process in *pid, and in *active which bits it got.
//
// Returns 0, or the error: then there is no process.
int avt_worker_start(const avt_worker *worker, pid_t *pid, uint32_t *active);

// Landlock's version in this kernel; 0 if there is none.
int avt_landlock_version(void);

// Has calls refused from now on, for all threads: what no reader of media needs. Returns 0 or the error.
int avt_refuse_calls(int allows_network);

// Has this process, a copy of the worker or one that needs no copies, refused other processes. Returns 0 or the error.
int avt_refuse_processes(uint32_t wanted);

// Bounds the memory of this process that it may write to and shares with nobody, for good.
void avt_limit_memory(uint64_t bytes);

// The signal by which a process that this one started was ended, or is about to be; 0 for none. It is still to be
// waited for.
int avt_ending_signal(pid_t process);

// A copy of this process; -1 with errno, 0 in the copy. The copy goes when the original does.
pid_t avt_copy_process(void);

// Sends bytes with descriptors, of which there are 8 at most; the count sent, or -1 with errno.
ssize_t avt_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

// Receives bytes with descriptors, which are closed on exec; the count, 0 at the end, or -1 with errno.
ssize_t avt_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count);

// A pair of connected sockets, closed on exec. Returns 0 or the error.
int avt_socket_pair(int *one, int *other);

// Waits until there is something to receive, or the end of it, on a socket. Returns whether there is.
int avt_wait(int socket, int milliseconds);

// Memory that can be given to another process: a file without a name. Returns its descriptor, or -1 with errno.
int avt_shared_memory(void);

// Has nobody change such memory nor its size any more. Returns 0, or -1 with errno.
int avt_seal_memory(int memory);

// Whether a descriptor is such memory, and nobody can change it nor its size any more.
int avt_memory_is_sealed(int memory);

// A descriptor of a process, which stays that of this one whoever gets its number; -1 with errno.
int avt_open_process(pid_t process);

// Ends the process of a descriptor. Returns 0, or -1 with errno.
int avt_kill_process(int process);

// Waits for the end of the process of a descriptor. Returns whether it has ended.
int avt_process_ends(int process, int milliseconds);

#endif
