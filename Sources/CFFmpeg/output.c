#include "CLibAVShims.h"

#include <libavformat/avformat.h>

typedef struct {
    void *sink;
    oav_write *write;
    int64_t position;
    int64_t end;
} output;

#if LIBAVFORMAT_VERSION_MAJOR < 61
typedef uint8_t written_byte;
#else
typedef const uint8_t written_byte;
#endif

static int write_packet(void *opaque, written_byte *bytes, int size) {
    output *out = opaque;
    int result = out->write(out->sink, bytes, size, out->position);
    if (result < 0)
        return result;
    out->position += size;
    if (out->end < out->position)
        out->end = out->position;
    return size;
}

static int64_t seek(void *opaque, int64_t offset, int whence) {
    output *out = opaque;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
        return out->end;
    case SEEK_SET:
        break;
    case SEEK_CUR:
        offset += out->position;
        break;
    case SEEK_END:
        offset += out->end;
        break;
    default:
        return AVERROR(EINVAL);
    }
    if (offset < 0)
        return AVERROR(EINVAL);
    return out->position = offset;
}

static int refuse_open(AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)flags;
    (void)options;
    *io = NULL;
    av_log(context, AV_LOG_ERROR, "refused to open '%s' besides the output\n", url);
    return AVERROR(EPERM);
}

int oav_output_attach(AVFormatContext *context, void *sink, oav_write *write, int is_seekable) {
    enum { buffer_size = 1 << 18 };
    context->io_open = refuse_open;
    context->flags |= AVFMT_FLAG_CUSTOM_IO;
    output *out = av_mallocz(sizeof *out);
    uint8_t *buffer = av_malloc(buffer_size);
    if (out && buffer) {
        out->sink = sink;
        out->write = write;
        context->pb = avio_alloc_context(buffer, buffer_size, 1, out, NULL, write_packet, is_seekable ? seek : NULL);
    }
    if (!context->pb) {
        av_free(buffer);
        av_free(out);
        return AVERROR(ENOMEM);
    }
    // Without it, the output is written packet by packet.
    context->pb->min_packet_size = buffer_size;
    return 0;
}

void oav_output_close(void **io) {
    AVIOContext *context = *io;
    if (!context)
        return;
    av_freep(&context->opaque);
    av_freep(&context->buffer);
    avio_context_free((AVIOContext **)io);
}
