#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <sys/types.h>

/// Makes a pipe of which no child gets an end but by `test_spawn`. Returns 0, or -1 with `errno` set.
int test_pipe(int ends[2]);

/// Starts a program of the search path, with no signal blocked or ignored and no descriptor but the three streams.
///
/// `streams` are the descriptors that become its standard input, output and error; for -1 it gets `/dev/null`.
/// `folder` is its working directory, the caller's own for `NULL`. Returns 0, or an error number.
int test_spawn(pid_t *process, char *const arguments[], char *const environment[], const char *folder,
               const int streams[3]);

#endif
