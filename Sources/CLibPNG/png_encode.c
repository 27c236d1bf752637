#include "CLibPNG.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

int oav_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t row_bytes, int channels,
                   int bit_depth, int level, const oav_png_color *color, const oav_png_text *texts, int text_count,
                   uint8_t **output, size_t *output_size, char error[128]) {
    static const int color_types[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                       PNG_COLOR_TYPE_RGB_ALPHA};
    sink target = {NULL, 0, 0, error};
    sink *volatile kept = &target;
    png_infop info = NULL;
    *output = NULL;
    *output_size = 0;
    if (channels < 1 || channels > 4) {
        snprintf(error, 128, "%d channels", channels);
        return -1;
    }
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &target, fail, ignore);
    if (!png || !(info = png_create_info_struct(png))) {
        png_destroy_write_struct(&png, NULL);
        snprintf(error, 128, "out of memory");
        return -1;
    }
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        free(kept->data);
        return -1;
    }
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_write_fn(png, &target, append, flush);
    png_set_IHDR(png, info, width, height, bit_depth, color_types[channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_color(png, info, color);
    // One fixed filter and a low level: on photographs about the size of the
    // default settings at an eighth of the time.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_set_compression_level(png, level);
    png_set_compression_strategy(png, Z_FILTERED);
    for (int i = 0; i < text_count; i++) {
        png_text text;
        memset(&text, 0, sizeof text);
        text.compression = PNG_ITXT_COMPRESSION_NONE;
        text.key = (png_charp)texts[i].keyword;
        text.text = (png_charp)texts[i].text;
        text.lang = (png_charp) "";
        text.lang_key = (png_charp) "";
        png_set_text(png, info, &text, 1);
    }
    png_write_info(png, info);
    // Samples of 16 bits come in the machine's byte order, PNG's is big-endian.
    const uint16_t probe = 1;
    if (bit_depth == 16 && *(const uint8_t *)&probe == 1)
        png_set_swap(png);
    for (uint32_t row = 0; row < height; row++)
        png_write_row(png, pixels + row * row_bytes);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    *output = target.data;
    *output_size = target.size;
    return 0;
}

void oav_png_free(void *output) { free(output); }
