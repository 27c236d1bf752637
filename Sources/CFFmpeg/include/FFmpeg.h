// FFmpeg's headers for Swift, with what the importer cannot read: macros that
// are expressions, and fields that moved between FFmpeg 5.1 and 8.
#ifndef OAV_CLIBAV_SHIM_H
#define OAV_CLIBAV_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libswscale/swscale.h>

// Formats of more than 8 bits in the machine's own byte order.
static const enum AVPixelFormat oav_pix_fmt_yuv444p16 = AV_PIX_FMT_YUV444P16;
static const enum AVPixelFormat oav_pix_fmt_yuva444p16 = AV_PIX_FMT_YUVA444P16;
static const enum AVPixelFormat oav_pix_fmt_gbrp16 = AV_PIX_FMT_GBRP16;
static const enum AVPixelFormat oav_pix_fmt_gbrap16 = AV_PIX_FMT_GBRAP16;
static const enum AVPixelFormat oav_pix_fmt_gray10 = AV_PIX_FMT_GRAY10;
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
static const int oav_error_option_not_found = AVERROR_OPTION_NOT_FOUND;
static const int oav_error_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
static const int oav_error_muxer_not_found = AVERROR_MUXER_NOT_FOUND;
static const int oav_error_filter_not_found = AVERROR_FILTER_NOT_FOUND;
static const int oav_error_bsf_not_found = AVERROR_BSF_NOT_FOUND;
static const int oav_error_experimental = AVERROR_EXPERIMENTAL;

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

// The same for a frame that a filter made: FFmpeg 5.1 leaves the duration that the
// frame had before, in the ticks of that time.
static inline int64_t oav_filtered_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    (void)frame;
    return 0;
#else
    return frame->duration;
#endif
}

static inline void oav_frame_set_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    frame->pkt_duration = duration;
#else
    frame->duration = duration;
#endif
}

/// How many ticks of its time base a frame lasts. From FFmpeg 6.1 on frames say it themselves.
static inline void oav_encoder_set_frame_ticks(AVCodecContext *context, int ticks) {
#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(60, 31, 100)
    context->ticks_per_frame = ticks;
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
    frame->flags |=
        (is_interlaced ? AV_FRAME_FLAG_INTERLACED : 0) | (top_field_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
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
static inline const uint8_t *oav_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type,
                                                  size_t *size) {
#if LIBAVCODEC_VERSION_MAJOR < 61
    return av_stream_get_side_data(stream, type, size);
#else
    const AVPacketSideData *side =
        av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    *size = side ? side->size : 0;
    return side ? side->data : NULL;
#endif
}

static inline const int32_t *oav_stream_display_matrix(const AVStream *stream) {
    size_t size = 0;
    const uint8_t *data = oav_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
}

// All side data of a stream.
static inline const AVPacketSideData *oav_stream_side_data_list(const AVStream *stream, int *count) {
#if LIBAVCODEC_VERSION_MAJOR < 61
    *count = stream->nb_side_data;
    return stream->side_data;
#else
    *count = stream->codecpar->nb_coded_side_data;
    return stream->codecpar->coded_side_data;
#endif
}

// Removes what copying the codec's parameters brought along.
static inline void oav_stream_clear_side_data(AVStream *stream) {
#if LIBAVCODEC_VERSION_MAJOR >= 61
    av_packet_side_data_free(&stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data);
#else
    (void)stream;
#endif
}

// Room for side data of a stream that is to be written, or NULL.
static inline uint8_t *oav_stream_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVCODEC_VERSION_MAJOR < 61
    return av_stream_new_side_data(stream, type, size);
#else
    AVPacketSideData *side = av_packet_side_data_new(&stream->codecpar->coded_side_data,
                                                     &stream->codecpar->nb_coded_side_data, type, size, 0);
    return side ? side->data : NULL;
#endif
}

// What an encoder can take, one by one; -1, or NULL, after the last. A list
// without a first element means that anything will do.
#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(61, 13, 100)
#define OAV_CODEC_CONFIG(codec, index, type, field, config, isEnd, none)                                               \
    const type *list = (codec)->field;                                                                                 \
    if (!list)                                                                                                         \
        return none;                                                                                                   \
    for (int i = 0;; i++) {                                                                                            \
        const type *item = list + i;                                                                                   \
        if (isEnd)                                                                                                     \
            return none;                                                                                               \
        if (i == (index))                                                                                              \
            return OAV_CONFIG_VALUE;                                                                                   \
    }
#else
#define OAV_CODEC_CONFIG(codec, index, type, field, config, isEnd, none)                                               \
    const void *list = NULL;                                                                                           \
    int count = 0;                                                                                                     \
    if (avcodec_get_supported_config(NULL, codec, config, 0, &list, &count) < 0 || !list || (index) >= count)          \
        return none;                                                                                                   \
    const type *item = (const type *)list + (index);                                                                   \
    return OAV_CONFIG_VALUE;
#endif

#define OAV_CONFIG_VALUE (int)*item
static inline int oav_codec_pixel_format(const AVCodec *codec, int index) {
    OAV_CODEC_CONFIG(codec, index, enum AVPixelFormat, pix_fmts, AV_CODEC_CONFIG_PIX_FORMAT, *item == -1, -1)
}

static inline int oav_codec_sample_format(const AVCodec *codec, int index) {
    OAV_CODEC_CONFIG(codec, index, enum AVSampleFormat, sample_fmts, AV_CODEC_CONFIG_SAMPLE_FORMAT, *item == -1, -1)
}

static inline int oav_codec_sample_rate(const AVCodec *codec, int index) {
    OAV_CODEC_CONFIG(codec, index, int, supported_samplerates, AV_CODEC_CONFIG_SAMPLE_RATE, *item == 0, -1)
}
#undef OAV_CONFIG_VALUE

#define OAV_CONFIG_VALUE item
static inline const AVChannelLayout *oav_codec_channel_layout(const AVCodec *codec, int index) {
    OAV_CODEC_CONFIG(codec, index, AVChannelLayout, ch_layouts, AV_CODEC_CONFIG_CHANNEL_LAYOUT, item->nb_channels == 0,
                     NULL)
}
#undef OAV_CONFIG_VALUE

// Takes the codec as a number before FFmpeg 9.
static inline AVCodecParserContext *oav_parser_init(enum AVCodecID codec) { return av_parser_init(codec); }

// libswscale's context, whose structure is known to callers from FFmpeg 7.1 on and opaque before.
typedef struct oav_scaler oav_scaler;

static inline oav_scaler *oav_scaler_alloc(void) { return (oav_scaler *)sws_alloc_context(); }

static inline void oav_scaler_free(oav_scaler *scaler) { sws_freeContext((struct SwsContext *)scaler); }

static inline int oav_scaler_init(oav_scaler *scaler) {
    return sws_init_context((struct SwsContext *)scaler, NULL, NULL);
}

// The coefficients of a matrix, one of SWS_CS_…, and whether ranges are full, on both sides.
static inline void oav_scaler_set_colors(oav_scaler *scaler, int matrix, int isSourceFull, int isTargetFull) {
    const int *coefficients = sws_getCoefficients(matrix);
    // Gives -1 for RGB on both sides, which have no matrix to set.
    (void)sws_setColorspaceDetails((struct SwsContext *)scaler, coefficients, isSourceFull, coefficients, isTargetFull,
                                   0, 1 << 16, 1 << 16);
}

static inline int oav_scaler_scale(oav_scaler *scaler, const uint8_t *const planes[], const int strides[], int height,
                                   uint8_t *const target[], const int targetStrides[]) {
    return sws_scale((struct SwsContext *)scaler, planes, strides, 0, height, target, targetStrides);
}

// An enumeration in FFmpeg 8, macros before.
static const int oav_scaler_bicubic = SWS_BICUBIC;
static const int oav_scaler_area = SWS_AREA;
static const int oav_scaler_accurate_rounding = SWS_ACCURATE_RND;
static const int oav_scaler_full_chroma_output = SWS_FULL_CHR_H_INT;
static const int oav_scaler_full_chroma_input = SWS_FULL_CHR_H_INP;

// What a filter graph is to expect of the colours of the pictures; before
// FFmpeg 7, filters look at each picture.
static inline void oav_source_set_color(AVBufferSrcParameters *parameters, enum AVColorSpace matrix,
                                        enum AVColorRange range) {
#if LIBAVFILTER_VERSION_MAJOR >= 10
    parameters->color_space = matrix;
    parameters->color_range = range;
#else
    (void)parameters;
    (void)matrix;
    (void)range;
#endif
}

// Whether Matroska's muxer tells the delay of Opus without adding it to the times
// of the blocks, from which readers take it off.
static inline int oav_matroska_forgets_delay(void) { return LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(60, 16, 100); }

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
