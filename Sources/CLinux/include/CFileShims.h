#ifndef CFILESHIMS_H
#define CFILESHIMS_H

#include <stddef.h>
#include <stdint.h>

/// Copies up to `count` bytes of a file from `offset` to where `target` stands,
/// within the kernel. Returns how many it copied, or -1 if it cannot.
int64_t avt_copy_range(int source, int64_t offset, int target, size_t count);

/// Gives `target` the extended attributes of the file at `path`, as far as allowed, but for those that say what a file
/// of this project was made of.
void avt_copy_extended_attributes(const char *path, int target);

/// An extended attribute of an open file is set or read, or that of a named file removed. Returns 0 or its size, or -1
/// with `errno` set.
int avt_set_attribute(int file, const char *name, const void *value, size_t count);
int64_t avt_get_attribute(int file, const char *name, void *value, size_t count);
int avt_remove_attribute(const char *path, const char *name);

/// Renames a file unless the new name is taken. Returns 0, or -1 with `errno` set.
int avt_rename_to_new(const char *old_path, const char *new_path);

/// Gives two files or folders each other's names in one step. Returns 0, or -1 with `errno` set.
int avt_exchange(const char *one_path, const char *other_path);

/// Starts writing bytes to the disk without waiting for them, as far as the file system can.
void avt_start_writeback(int target, int64_t offset, int64_t count);

/// Reserves room on the disk for a range of a file, whose length stays. Returns 0, or -1 with `errno` set.
int avt_reserve(int target, int64_t offset, int64_t count);

/// Locks a byte of a file for all who open it (an open file description lock), or unlocks it: `kind` is 0 for shared, 1
/// for exclusive, 2 for none. Does not wait. Returns 0, or -1 with `errno` set.
int avt_lock_byte(int file, int kind, int64_t position);

/// Locks an open file for those who lock it too (`flock`), without waiting. Returns 0, or -1 with `errno` set.
int avt_lock_file(int file);

/// Unlocks it again, whoever else has the file open by the same opening.
void avt_unlock_file(int file);

/// Whether a file lies on another computer, where the pages and locks of this one say nothing.
int avt_is_remote(int file);

/// Makes a file that lies in memory and has no name. Returns its descriptor, or -1 with `errno` set.
int avt_memory_file(void);

#endif
