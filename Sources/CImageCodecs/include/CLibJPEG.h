// Writes JPEG into memory. libjpeg-turbo reports errors by a handler that must
// not return, so the whole encoding happens in C.
#ifndef OAV_CLIBJPEG_H
#define OAV_CLIBJPEG_H

#include <stddef.h>
#include <stdint.h>

// Encodes rows of 1 (grey) or 3 (RGB) 8-bit channels; quality from 1 to 100;
// chroma is subsampled 4:2:0 unless full_chroma. An ICC profile is written
// unless its size is 0. The buffer is released by
// oav_jpeg_free. Returns 0, or -1 with a message of at most 199 bytes in error.
int oav_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t row_bytes, int channels, int quality,
                    int full_chroma, const uint8_t *profile, size_t profile_size, uint8_t **output, size_t *output_size,
                    char error[200]);
void oav_jpeg_free(void *output);

#endif
