// Libraries that are loaded when one of their functions is called for the first time.
//
// FFmpeg's libraries bring some hundred and fifty others with them, and take several times as long to load as the
// rest of a process to start. Whoever only reads boxes and tags does without.
#ifndef CLATELIBRARIES_H
#define CLATELIBRARIES_H

// Loads FFmpeg's libraries now, but for its filters; else each is loaded by the first call. For a process that will
// have copies, each of which would load them, or in which there will be nothing to load from.
//
// Returns NULL, or what is wrong, of the thread's own.
const char *oav_load_media_libraries(void);

// Calls a function when one of FFmpeg's libraries is there, before anything else is called in it: the last one that was
// given, more than once and by several threads.
void oav_when_media_libraries_load(void (*function)(void));

// Loads the filters of FFmpeg and what they need. Returns NULL, or what is wrong, of the thread's own.
const char *oav_load_filters(void);

#endif
