// FFmpeg's headers for Swift, with what the importer cannot read: macros that
// are expressions, and fields that moved between FFmpeg 5.1 and 8.
#ifndef OAV_CLIBAV_SHIM_H
#define OAV_CLIBAV_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

static const int64_t oav_nopts = AV_NOPTS_VALUE;
static const int oav_error_eof = AVERROR_EOF;
static const int oav_error_invalid_data = AVERROR_INVALIDDATA;
static const int oav_error_exit = AVERROR_EXIT;
static const int oav_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int oav_error_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int oav_error_patch_welcome = AVERROR_PATCHWELCOME;

static inline int oav_error_posix(int code) { return AVERROR(code); }

// The packet's number, which the decoder hands on to the frame made from it.
static inline void oav_decoder_label_packet(AVCodecContext *context, AVPacket *packet, int64_t number) {
#if LIBAVCODEC_VERSION_MAJOR < 60
    context->reordered_opaque = number;
#else
    packet->opaque = (void *)(intptr_t)number;
#endif
}

static inline void oav_decoder_enable_labels(AVCodecContext *context) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
    context->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
#endif
}

static inline int64_t oav_frame_label(const AVFrame *frame) {
#if LIBAVCODEC_VERSION_MAJOR < 60
    return frame->reordered_opaque;
#else
    return (int64_t)(intptr_t)frame->opaque;
#endif
}

static inline int64_t oav_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    return frame->pkt_duration;
#else
    return frame->duration;
#endif
}

static inline int oav_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    return frame->key_frame;
#else
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#endif
}

static inline int oav_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    return frame->interlaced_frame;
#else
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#endif
}

// A packet's or stream's display matrix, or NULL.
static inline const int32_t *oav_stream_display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_MAJOR < 61
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
#else
    const AVPacketSideData *side = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return side && side->size >= 9 * sizeof(int32_t) ? (const int32_t *)side->data : NULL;
#endif
}

#endif
