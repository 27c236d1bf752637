#ifndef CALLOCATIONWATCH_H
#define CALLOCATIONWATCH_H

// Whether any library of this process has asked for memory and got none.
//
// FFmpeg's demuxers pass over what they found no memory for and say nothing, so that the frame of another time looks
// like the one that was wanted. What a process makes after that cannot be taken for right.
//
// The executable's own posix_memalign and realloc stand in for the C library's, which they call; so this is for
// executables, and never for what others link.
int avt_allocation_has_failed(void);

// Whether there is no room for more memory to speak of: a library that fails then does so for want of it, mostly.
int avt_memory_is_short(void);

// Has memory that is asked for from now on be zero, as far as the C library does that.
//
// libx264 lets bytes that it has not written decide how pictures are coded. In a process that has made nothing before
// they are zero; so a film would come out otherwise after others than alone.
void avt_clear_allocations(void);

// Has the process end from now on, with a line on standard error and exit code 75, where it gets no thread that it asks
// for, or libdispatch no memory. The line names the tool where a person reads it. Elsewhere a crash for want of memory
// says so before it is one.
//
// libdispatch sleeps then and tries again, without end, and FFmpeg's decoders say that the data are damaged. The
// executable's own pthread_create and sleep stand in for the C library's.
void avt_end_without_threads(int names_tool);

#endif
