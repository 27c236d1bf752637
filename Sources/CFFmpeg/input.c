#include "CLibAVShims.h"

#include <errno.h>
#include <libavformat/avformat.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int interrupted(void *opaque) { return oav_interrupt_state(opaque) != OAV_INTERRUPT_NONE; }

// What opening one file on behalf of another needs a policy for; without one it is refused.
static int open_nested(AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    if (context->opaque && !(flags & AVIO_FLAG_WRITE))
        return oav_nested_open(context->opaque, context, (void **)io, url, options);
    *io = NULL;
    av_log(context, AV_LOG_ERROR, "refused to open '%s', which the file refers to\n", url);
    return AVERROR(EPERM);
}

static int close_nested(AVFormatContext *context, AVIOContext *io) {
    (void)context;
    void *owned = io;
    oav_input_close(&owned);
    return 0;
}

static void prepare(AVFormatContext *context, oav_interrupt *interrupt) {
    context->interrupt_callback.callback = interrupted;
    context->interrupt_callback.opaque = interrupt;
    context->io_open = open_nested;
    context->io_close2 = close_nested;
    context->flags |= AVFMT_FLAG_CUSTOM_IO;
}

int oav_input_attach(AVFormatContext *context, const char *url, const char *protocols, oav_interrupt *interrupt) {
    prepare(context, interrupt);
    AVDictionary *options = NULL;
    int result = av_dict_set(&options, "protocol_whitelist", protocols, 0);
    if (result >= 0)
        result = avio_open2(&context->pb, url, AVIO_FLAG_READ, &context->interrupt_callback, &options);
    av_dict_free(&options);
    return result < 0 ? result : 0;
}

typedef struct {
    void *source;
    oav_read *read;
    int64_t position;
} source_input;

static int read_source(void *opaque, uint8_t *buffer, int size) {
    source_input *input = opaque;
    int count = input->read(input->source, buffer, size, input->position);
    if (count > 0)
        input->position += count;
    return count ? count : AVERROR_EOF;
}

static int64_t seek_source(void *opaque, int64_t offset, int whence) {
    source_input *input = opaque;
    if ((whence & ~AVSEEK_FORCE) != SEEK_SET || offset < 0)
        return AVERROR(ENOSYS);
    return input->position = offset;
}

int oav_input_attach_source(AVFormatContext *context, void *source, oav_read *read, oav_interrupt *interrupt) {
    enum { buffer_size = 1 << 16 };
    prepare(context, interrupt);
    source_input *input = av_malloc(sizeof *input);
    uint8_t *buffer = av_malloc(buffer_size);
    if (input && buffer) {
        *input = (source_input){source, read, 0};
        context->pb = avio_alloc_context(buffer, buffer_size, 0, input, read_source, NULL, seek_source);
        if (context->pb) {
            // Going back is possible, but looking at the end is not to be thought cheap.
            context->pb->seekable = 0;
            return 0;
        }
    }
    av_free(buffer);
    av_free(input);
    return AVERROR(ENOMEM);
}

typedef struct {
    int descriptor;
    int64_t position;
    // What comes from here on is none of the file's business.
    int64_t end;
    oav_patch *patches;
    int patch_count;
    oav_interrupt *interrupt;
} file_input;

// Puts the patches into what was read.
static void patch(const file_input *input, uint8_t *buffer, ssize_t count) {
    for (int i = 0; i < input->patch_count * 4; i++) {
        int64_t offset = input->patches[i / 4].offset + i % 4 - input->position;
        if (offset >= 0 && offset < count)
            buffer[offset] = input->patches[i / 4].bytes[i % 4];
    }
}

static int read_file(void *opaque, uint8_t *buffer, int size) {
    file_input *input = opaque;
    if (interrupted(input->interrupt))
        return AVERROR_EXIT;
    if (input->position >= input->end)
        return AVERROR_EOF;
    if (size > input->end - input->position)
        size = (int)(input->end - input->position);
    ssize_t count;
    do
        count = pread(input->descriptor, buffer, size, input->position);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return AVERROR(errno);
    patch(input, buffer, count);
    input->position += count;
    return count ? (int)count : AVERROR_EOF;
}

static int64_t seek_file(void *opaque, int64_t offset, int whence) {
    file_input *input = opaque;
    struct stat status;
    switch (whence & ~AVSEEK_FORCE) {
    case SEEK_SET:
        break;
    case SEEK_CUR:
        offset += input->position;
        break;
    case SEEK_END:
    case AVSEEK_SIZE:
        if (fstat(input->descriptor, &status) != 0)
            return AVERROR(errno);
        if (status.st_size > input->end)
            status.st_size = input->end;
        if (whence & AVSEEK_SIZE)
            return status.st_size;
        offset += status.st_size;
        break;
    default:
        return AVERROR(EINVAL);
    }
    if (offset < 0)
        return AVERROR(EINVAL);
    return input->position = offset;
}

AVIOContext *oav_file_io(int descriptor, int64_t end, const oav_patch *patches, int patch_count,
                         oav_interrupt *interrupt) {
    // As much as libavformat itself reads of a file at a time.
    enum { buffer_size = 1 << 15 };
    file_input *input = av_malloc(sizeof *input);
    uint8_t *buffer = av_malloc(buffer_size);
    oav_patch *copies = patch_count > 0 ? av_malloc(patch_count * sizeof *copies) : NULL;
    if (input && buffer && (copies || patch_count == 0)) {
        if (copies)
            memcpy(copies, patches, patch_count * sizeof *copies);
        *input = (file_input){descriptor, 0, end, copies, patch_count, interrupt};
        AVIOContext *context = avio_alloc_context(buffer, buffer_size, 0, input, read_file, NULL, seek_file);
        if (context)
            return context;
    }
    av_free(buffer);
    av_free(input);
    av_free(copies);
    close(descriptor);
    return NULL;
}

int64_t oav_stream_start(const AVFormatContext *context, const AVStream *stream) {
#if LIBAVFORMAT_VERSION_MAJOR >= 62
    const AVCodecParameters *parameters = stream->codecpar;
    if (stream->start_time != AV_NOPTS_VALUE && parameters->codec_type == AVMEDIA_TYPE_AUDIO &&
        parameters->initial_padding > 0 && parameters->sample_rate > 0 &&
        strncmp(context->iformat->name, "matroska", 8) == 0)
        return stream->start_time -
               av_rescale_q(parameters->initial_padding, (AVRational){1, parameters->sample_rate}, stream->time_base);
#else
    (void)context;
#endif
    return stream->start_time;
}

int oav_input_attach_file(AVFormatContext *context, int descriptor, int64_t end, const oav_patch *patches,
                          int patch_count, oav_interrupt *interrupt) {
    prepare(context, interrupt);
    context->pb = oav_file_io(descriptor, end, patches, patch_count, interrupt);
    return context->pb ? 0 : AVERROR(ENOMEM);
}

static void close_file(AVIOContext **io) {
    file_input *input = (*io)->opaque;
    close(input->descriptor);
    av_free(input->patches);
    av_free(input);
    av_freep(&(*io)->buffer);
    avio_context_free(io);
}

void oav_input_close(void **io) {
    AVIOContext *context = *io;
    if (context && context->read_packet == read_file) {
        close_file((AVIOContext **)io);
    } else if (context && context->read_packet == read_source) {
        av_free(context->opaque);
        av_freep(&context->buffer);
        avio_context_free((AVIOContext **)io);
    } else {
        avio_closep((AVIOContext **)io);
    }
}
