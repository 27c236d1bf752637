#ifndef CPASSFILES_H
#define CPASSFILES_H

// Files by name that only this process sees, for encoders that keep a log between two passes.
//
// libx264 and libx265 open their logs by name, write them under a second name and rename them. The executable's own
// fopen, rename and unlink stand in for the C library's, which they call for all other names; so this is for
// executables, and never for what others link.

// What names of such files begin with: nothing in a file system can be called so.
#define AVT_PASS_FOLDER "/dev/null/passes"

// Says where such files come from: a function that gives an open file without a name, or less than zero.
void avt_keep_pass_files(int (*make)(void));

#endif
