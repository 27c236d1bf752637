#ifndef CFILESHIMS_H
#define CFILESHIMS_H

#include <stddef.h>
#include <stdint.h>

/// Copies up to `count` bytes of a file from `offset` to where `target` stands,
/// within the kernel. Returns how many it copied, or -1 if it cannot.
int64_t avt_copy_range(int source, int64_t offset, int target, size_t count);

/// Gives `target` the extended attributes of the file at `path`, as far as allowed.
void avt_copy_extended_attributes(const char *path, int target);

#endif
