#define _GNU_SOURCE
#include "CFileShims.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int64_t avt_copy_range(int source, int64_t offset, int target, size_t count) {
    off64_t position = offset;
    return copy_file_range(source, &position, target, NULL, count, 0);
}

void avt_copy_extended_attributes(const char *path, int target) {
    ssize_t size = listxattr(path, NULL, 0);
    if (size <= 0)
        return;
    char *names = malloc((size_t)size);
    if (!names)
        return;
    ssize_t length = listxattr(path, names, (size_t)size);
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
        if (strncmp(names + at, "user.avtool.", 12) == 0)
            continue;
        ssize_t wanted = getxattr(path, names + at, NULL, 0);
        char *value = wanted > 0 ? malloc((size_t)wanted) : NULL;
        if (!value)
            continue;
        ssize_t got = getxattr(path, names + at, value, (size_t)wanted);
        if (got > 0)
            fsetxattr(target, names + at, value, (size_t)got, 0);
        free(value);
    }
    free(names);
}

int avt_set_attribute(int file, const char *name, const void *value, size_t count) {
    return fsetxattr(file, name, value, count, 0);
}

int64_t avt_get_attribute(int file, const char *name, void *value, size_t count) {
    return fgetxattr(file, name, value, count);
}

int avt_remove_attribute(const char *path, const char *name) { return removexattr(path, name); }

int avt_rename_to_new(const char *old_path, const char *new_path) {
    return renameat2(AT_FDCWD, old_path, AT_FDCWD, new_path, RENAME_NOREPLACE);
}

void avt_start_writeback(int target, int64_t offset, int64_t count) {
    sync_file_range(target, offset, count, SYNC_FILE_RANGE_WRITE);
}

int avt_exchange(const char *one_path, const char *other_path) {
    return renameat2(AT_FDCWD, one_path, AT_FDCWD, other_path, RENAME_EXCHANGE);
}

int avt_reserve(int target, int64_t offset, int64_t count) {
    return fallocate(target, FALLOC_FL_KEEP_SIZE, offset, count);
}

int avt_memory_file(void) { return memfd_create("avtool", MFD_CLOEXEC); }

int avt_lock_byte(int file, int kind, int64_t position) {
    const short kinds[] = {F_RDLCK, F_WRLCK, F_UNLCK};
    struct flock lock = {.l_type = kinds[kind], .l_whence = SEEK_SET, .l_start = position, .l_len = 1};
    return fcntl(file, F_OFD_SETLK, &lock);
}

int avt_lock_file(int file) { return flock(file, LOCK_EX | LOCK_NB); }

void avt_unlock_file(int file) { flock(file, LOCK_UN); }

int avt_is_remote(int file) {
    struct statfs system;
    if (fstatfs(file, &system) != 0)
        return 0;
    switch ((uint32_t)system.f_type) {
    case 0x6969:     // NFS
    case 0x517B:     // SMB
    case 0xFF534D42: // CIFS
    case 0xFE534D42: // SMB 2
    case 0x01021997: // 9P
    case 0x00C36400: // Ceph
    case 0x5346414F: // AFS
    case 0x73757245: // Coda
        return 1;
    default:
        return 0;
    }
}
