// Writes PNG into memory. libpng reports errors by longjmp, which must not
// cross a Swift frame, so the whole encoding happens in C.
#ifndef OAV_CLIBPNG_H
#define OAV_CLIBPNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *keyword; // Latin-1, 1 to 79 bytes
    const char *text;    // UTF-8
} oav_png_text;

// What the samples mean: sRGB without has_cicp.
typedef struct {
    int has_cicp;
    uint8_t cicp[4];        // ITU-T H.273: primaries, transfer function, matrix, full range
    const uint8_t *profile; // ICC
    size_t profile_size;    // 0: none
} oav_png_color;

// The level at which ISA-L compresses in place of zlib: a fifth of the time of
// zlib's level 2, for no larger files.
enum { OAV_PNG_FAST = 1 };

// Encodes rows of 1 (grey), 2 (grey and alpha), 3 (RGB) or 4 (RGBA) channels
// of 8 or 16 bits (the machine's byte order), to a buffer that oav_png_free releases.
// Returns 0, or -1 with a message of at most 127 bytes in error.
int oav_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t row_bytes, int channels,
                   int bit_depth, int level, const oav_png_color *color, const oav_png_text *texts, int text_count,
                   uint8_t **output, size_t *output_size, char error[128]);
void oav_png_free(void *output);

#endif
