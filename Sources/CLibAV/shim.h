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
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

// Formats of more than 8 bits in the machine's own byte order.
static const enum AVPixelFormat oav_pix_fmt_yuv444p16 = AV_PIX_FMT_YUV444P16;
static const enum AVPixelFormat oav_pix_fmt_yuva444p16 = AV_PIX_FMT_YUVA444P16;
static const enum AVPixelFormat oav_pix_fmt_gbrp16 = AV_PIX_FMT_GBRP16;
static const enum AVPixelFormat oav_pix_fmt_gbrap16 = AV_PIX_FMT_GBRAP16;
static const enum AVPixelFormat oav_pix_fmt_rgb32 = AV_PIX_FMT_RGB32;
static const enum AVPixelFormat oav_pix_fmt_rgb48 = AV_PIX_FMT_RGB48;
static const enum AVPixelFormat oav_pix_fmt_rgba64 = AV_PIX_FMT_RGBA64;
static const enum AVPixelFormat oav_pix_fmt_yuv420p10 = AV_PIX_FMT_YUV420P10;
static const enum AVPixelFormat oav_pix_fmt_yuv444p10 = AV_PIX_FMT_YUV444P10;

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

static inline int oav_frame_top_field_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    return frame->top_field_first;
#else
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#endif
}

static inline void oav_frame_set_fields(AVFrame *frame, int is_interlaced, int top_field_first) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    frame->interlaced_frame = is_interlaced;
    frame->top_field_first = top_field_first;
#else
    frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
    frame->flags |= (is_interlaced ? AV_FRAME_FLAG_INTERLACED : 0) | (top_field_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#endif
}

static inline int oav_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    return frame->interlaced_frame;
#else
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#endif
}

// A stream's side data of one type, or NULL.
static inline const uint8_t *oav_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVCODEC_VERSION_MAJOR < 61
    return av_stream_get_side_data(stream, type, size);
#else
    const AVPacketSideData *side = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    *size = side ? side->size : 0;
    return side ? side->data : NULL;
#endif
}

static inline const int32_t *oav_stream_display_matrix(const AVStream *stream) {
    size_t size = 0;
    const uint8_t *data = oav_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
}

// The brightest pixel of the content in cd/m2, 0 if unknown.
static inline unsigned oav_max_content_light(const uint8_t *data, size_t size) {
    return data && size >= sizeof(AVContentLightMetadata) ? ((const AVContentLightMetadata *)data)->MaxCLL : 0;
}

// The peak of the display that the content was graded on in cd/m2, 0 if unknown.
static inline double oav_mastering_peak(const uint8_t *data, size_t size) {
    const AVMasteringDisplayMetadata *display = (const AVMasteringDisplayMetadata *)data;
    if (!data || size < sizeof(*display) || !display->has_luminance || display->max_luminance.den <= 0)
        return 0;
    return av_q2d(display->max_luminance);
}

#endif
