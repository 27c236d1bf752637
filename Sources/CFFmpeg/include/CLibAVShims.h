// What FFmpeg calls back into: one interrupt flag for each open file, one log
// for each thread that decodes, and the refusal to open further files.
#ifndef OAV_CLIBAVSHIMS_H
#define OAV_CLIBAVSHIMS_H

#include <stddef.h>
#include <stdint.h>

struct AVCodec;
struct AVCodecContext;
struct AVDictionary;
struct AVFormatContext;
struct AVIOContext;
struct AVStream;

// MARK: Interruption

typedef struct oav_interrupt oav_interrupt;

enum { OAV_INTERRUPT_NONE = 0, OAV_INTERRUPT_CANCELLED = 1, OAV_INTERRUPT_DEADLINE = 2 };

oav_interrupt *oav_interrupt_create(void);
void oav_interrupt_free(oav_interrupt *interrupt);
// Any thread may cancel; nothing undoes it but a reset.
void oav_interrupt_cancel(oav_interrupt *interrupt);
// Nanoseconds from now after which calls are interrupted; 0 for no deadline.
void oav_interrupt_set_deadline(oav_interrupt *interrupt, int64_t nanoseconds);
// Puts the deadline off, if there is one, by time that was well spent.
void oav_interrupt_extend(oav_interrupt *interrupt, int64_t nanoseconds);
int oav_interrupt_state(const oav_interrupt *interrupt);

// MARK: Input

// Opens an address for a format context made by avformat_alloc_context: only the
// protocols in the list. Further files are opened on the file's behalf only if
// the context's opaque is an oav_nested.
// Returns 0 or a negative AVERROR. The context's pb must be closed with
// oav_input_close after the context itself was closed.
int oav_input_attach(struct AVFormatContext *context, const char *url, const char *protocols, oav_interrupt *interrupt);

// Gives bytes from a position: how many, 0 at the end, or a negative AVERROR.
typedef int oav_read(void *source, uint8_t *buffer, int size, int64_t position);

// The same for bytes that a function gives, such as those of a pipe.
int oav_input_attach_source(struct AVFormatContext *context, void *source, oav_read *read, oav_interrupt *interrupt);

// Four bytes that stand in place of those at an offset in a file.
typedef struct {
    int64_t offset;
    uint8_t bytes[4];
} oav_patch;

// The same for an open regular file up to some position; it is the context's from now on, whatever is returned.
int oav_input_attach_file(struct AVFormatContext *context, int descriptor, int64_t end, const oav_patch *patches,
                          int patch_count, oav_interrupt *interrupt);
// When a stream starts, as its packets say: its own start is later, from libavformat 62 on, by what decoders leave out.
int64_t oav_stream_start(const struct AVFormatContext *context, const struct AVStream *stream);

// An open regular file as libavformat reads it; NULL without memory. It takes the descriptor over in any case.
struct AVIOContext *oav_file_io(int descriptor, int64_t end, const oav_patch *patches, int patch_count,
                                oav_interrupt *interrupt);
void oav_input_close(void **io);

// MARK: Files that a playlist names

typedef struct oav_nested oav_nested;

// What a playlist may open: regular files in a folder or below it, wherever
// links lead, and http(s) addresses if the network is allowed. NULL for no folder.
oav_nested *oav_nested_create(const char *folder, int allows_network);
void oav_nested_free(oav_nested *nested);
// Opens a path for this process, which cannot do it itself: a descriptor, or a negative errno.
typedef int oav_opener(void *opaque, const char *path);
// Lets another process open the files, which checks where they lie; the opener is called with the opaque pointer.
void oav_nested_set_opener(oav_nested *nested, oav_opener *opener, void *opaque, oav_interrupt *interrupt);
// Opens an address for a format context; 0 or a negative AVERROR.
int oav_nested_open(oav_nested *nested, struct AVFormatContext *context, void **io, const char *url,
                    struct AVDictionary **options);
// The first address that was not opened, and why; NULL if all were.
const char *oav_nested_refusal(const oav_nested *nested);

// MARK: Output

// Takes bytes at a position; 0, or a negative AVERROR.
typedef int oav_write(void *sink, const uint8_t *bytes, int size, int64_t position);

// Gives a format context for writing its output, and no way to open anything
// else. Returns 0 or a negative AVERROR. The context's pb must be closed with
// oav_output_close before or after the context itself is freed.
int oav_output_attach(struct AVFormatContext *context, void *sink, oav_write *write, int is_seekable);
// Drops what was not written yet.
void oav_output_close(void **io);

// MARK: Log capture

typedef struct oav_log oav_log;

oav_log *oav_log_create(void);
void oav_log_free(oav_log *log);
// Makes this the log of the calling thread and returns the one before.
oav_log *oav_log_attach(oav_log *log);
void oav_log_clear(oav_log *log);
// Messages of level error or worse, and of concealed errors, since the last clear.
int oav_log_error_count(const oav_log *log);
const char *oav_log_last_error(const oav_log *log);
// Lets the log also take what this codec's own threads say. The codec must go
// before the log, which is read with oav_log_take only from now on.
void oav_log_share(oav_log *log, struct AVCodecContext *codec);
// Copies the last message, clears the log, and returns how many there were.
int oav_log_take(oav_log *log, char *text, size_t size);
// Stops what no log captured from being printed.
void oav_log_silence(void);

/// Opens an encoder, and leaves the calling thread to be scheduled as it was before: libSvtAv1Enc makes it one that
/// comes before all others of the machine, where it may.
int oav_open_encoder(struct AVCodecContext *context, const struct AVCodec *codec, struct AVDictionary **options);

#endif
