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

// Has memory that is asked for from now on be zero, as far as the C library does that.
//
// libx264 lets bytes that it has not written decide how pictures are coded. In a process that has made nothing before
// they are zero; so a film would come out otherwise after others than alone.
void avt_clear_allocations(void);

#endif
