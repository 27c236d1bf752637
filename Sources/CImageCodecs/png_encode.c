#include "CLibPNG.h"

#include <isa-l/igzip_lib.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t *data;
    size_t size;
    size_t capacity;
    char *error;
} sink;

static void fail(png_structp png, png_const_charp message) {
    sink *target = png_get_error_ptr(png);
    snprintf(target->error, 128, "%s", message);
    longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void append(png_structp png, png_bytep bytes, png_size_t count) {
    sink *target = png_get_io_ptr(png);
    if (count > target->capacity - target->size) {
        size_t capacity = target->capacity + target->capacity / 2 + count + 65536;
        uint8_t *data = realloc(target->data, capacity);
        if (!data)
            png_error(png, "out of memory");
        target->data = data;
        target->capacity = capacity;
    }
    memcpy(target->data + target->size, bytes, count);
    target->size += count;
}

static void flush(png_structp png) { (void)png; }

static int is_ascii(const char *text) {
    while (*text && (unsigned char)*text < 0x80)
        text++;
    return *text == 0;
}

// sRGB has a chunk of its own. Other spaces get cICP, which libpng 1.6 does not
// know, and a profile for readers that do not know cICP either.
static void set_color(png_structp png, png_infop info, const oav_png_color *color) {
    if (!color->has_cicp) {
        png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
        return;
    }
    png_unknown_chunk chunk;
    memset(&chunk, 0, sizeof chunk);
    memcpy(chunk.name, "cICP", 5);
    chunk.data = (png_bytep)color->cicp;
    chunk.size = sizeof color->cicp;
    chunk.location = PNG_HAVE_IHDR;
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "cICP", 1);
    png_set_unknown_chunks(png, info, &chunk, 1);
    if (color->profile_size > 0)
        png_set_iCCP(png, info, "ICC", PNG_COMPRESSION_TYPE_BASE, color->profile, (png_uint_32)color->profile_size);
}

// One filter for all rows: the difference from the row above, which compilers
// turn into vector code.
static void filter_row(const uint8_t *row, const uint8_t *above, size_t size, uint8_t *output) {
    output[0] = above ? PNG_FILTER_VALUE_UP : PNG_FILTER_VALUE_NONE;
    if (!above) {
        memcpy(output + 1, row, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        output[i + 1] = (uint8_t)(row[i] - above[i]);
}

// PNG's samples of 16 bits are big-endian.
static void swap_row(const uint8_t *row, size_t size, uint8_t *output) {
    for (size_t i = 0; i + 1 < size; i += 2) {
        output[i] = row[i + 1];
        output[i + 1] = row[i];
    }
}

// What the fast path works with, allocated before libpng may jump.
typedef struct {
    uint8_t *filtered; // the rows of one step
    uint8_t *swapped;  // two rows in PNG's byte order
    uint8_t *level;
    uint8_t *packed;
    struct isal_zstream stream;
} fast_state;

enum { FAST_ROWS = 32, FAST_PACKED = 1 << 18, FAST_FIRST = 16 };

static void fast_free(fast_state *state) {
    if (!state)
        return;
    free(state->filtered);
    free(state->swapped);
    free(state->level);
    free(state->packed);
    free(state);
}

static fast_state *fast_create(size_t row_size) {
    fast_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->filtered = malloc((row_size + 1) * FAST_ROWS);
    state->swapped = malloc(row_size * 2);
    state->level = malloc(ISAL_DEF_LVL1_DEFAULT);
    state->packed = malloc(FAST_PACKED);
    if (!state->filtered || !state->swapped || !state->level || !state->packed) {
        fast_free(state);
        return NULL;
    }
    return state;
}

// Compresses bytes that are filtered and writes them as IDAT chunks.
static void fast_deflate(png_structp png, fast_state *state, uint8_t *bytes, size_t size, int is_last) {
    struct isal_zstream *stream = &state->stream;
    stream->next_in = bytes;
    stream->avail_in = (uint32_t)size;
    stream->end_of_stream = is_last;
    do {
        stream->next_out = state->packed;
        stream->avail_out = FAST_PACKED;
        if (isal_deflate(stream) != COMP_OK)
            png_error(png, "compression failed");
        size_t written = FAST_PACKED - stream->avail_out;
        if (written > 0)
            png_write_chunk(png, (png_const_bytep) "IDAT", state->packed, written);
    } while (stream->avail_out == 0);
}

static void fast_write(png_structp png, fast_state *state, const uint8_t *pixels, uint32_t height, size_t row_bytes,
                       size_t row_size, int swaps) {
    isal_deflate_init(&state->stream);
    state->stream.level = 1;
    state->stream.level_buf = state->level;
    state->stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
    state->stream.gzip_flag = IGZIP_ZLIB;
    uint32_t held = 0;
    const uint8_t *above = NULL;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = pixels + y * row_bytes;
        if (swaps) {
            uint8_t *swapped = state->swapped + (y % 2) * row_size;
            swap_row(row, row_size, swapped);
            row = swapped;
        }
        filter_row(row, above, row_size, state->filtered + held * (row_size + 1));
        above = row;
        held++;
        if (held == FAST_ROWS || y + 1 == height) {
            uint8_t *bytes = state->filtered;
            size_t size = held * (row_size + 1);
            // Near the beginning of a stream, ISA-L 2.30 hashes what lies before the bytes along with them, which is a
            // part of the stream's own address: one of 20,000 encodings of a picture came out different. After a flush
            // of at least eight bytes none of 600,000 did.
            if (y < FAST_ROWS) {
                size_t first = size < FAST_FIRST ? size : FAST_FIRST;
                state->stream.flush = SYNC_FLUSH;
                fast_deflate(png, state, bytes, first, 0);
                state->stream.flush = NO_FLUSH;
                bytes += first;
                size -= first;
            }
            fast_deflate(png, state, bytes, size, y + 1 == height);
            held = 0;
        }
    }
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

int oav_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t row_bytes, int channels,
                   int bit_depth, int level, const oav_png_color *color, const oav_png_text *texts, int text_count,
                   uint8_t **output, size_t *output_size, char error[128]) {
    static const int color_types[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                       PNG_COLOR_TYPE_RGB_ALPHA};
    *output = NULL;
    *output_size = 0;
    if (channels < 1 || channels > 4) {
        snprintf(error, 128, "%d channels", channels);
        return -1;
    }
    const size_t row_size = (size_t)width * channels * bit_depth / 8;
    // Half of the pixels' bytes is more than most pictures need, and memory that is not touched costs nothing.
    const size_t guess = row_size * height / 2 + 65536;
    sink target = {malloc(guess), 0, guess, error};
    if (!target.data)
        target.capacity = 0;
    sink *volatile kept = &target;
    png_infop info = NULL;
    fast_state *volatile fast = NULL;
    const uint16_t probe = 1;
    const int is_little_endian = *(const uint8_t *)&probe == 1;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &target, fail, ignore);
    if (!png || !(info = png_create_info_struct(png))) {
        png_destroy_write_struct(&png, NULL);
        free(target.data);
        snprintf(error, 128, "out of memory");
        return -1;
    }
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        fast_free(fast);
        free(kept->data);
        return -1;
    }
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_write_fn(png, &target, append, flush);
    png_set_IHDR(png, info, width, height, bit_depth, color_types[channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_color(png, info, color);
    png_set_compression_level(png, level);
    for (int i = 0; i < text_count; i++) {
        png_text text;
        memset(&text, 0, sizeof text);
        // What is ASCII is the same in both kinds of chunk, and more programs read the older one.
        text.compression = is_ascii(texts[i].text) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
        text.key = (png_charp)texts[i].keyword;
        text.text = (png_charp)texts[i].text;
        text.lang = (png_charp) "";
        text.lang_key = (png_charp) "";
        png_set_text(png, info, &text, 1);
    }
    png_write_info(png, info);
    if (level == OAV_PNG_FAST) {
        fast = fast_create(row_size);
        if (!fast)
            png_error(png, "out of memory");
        fast_write(png, fast, pixels, height, row_bytes, row_size, bit_depth == 16 && is_little_endian);
    } else {
        if (bit_depth == 16 && is_little_endian)
            png_set_swap(png);
        for (uint32_t row = 0; row < height; row++)
            png_write_row(png, pixels + row * row_bytes);
        png_write_end(png, info);
    }
    fast_free(fast);
    png_destroy_write_struct(&png, &info);
    *output = target.data;
    *output_size = target.size;
    return 0;
}

void oav_png_free(void *output) { free(output); }
