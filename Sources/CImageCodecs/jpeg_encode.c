#include "CLibJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf jump;
    char *message;
} handler;

static void fail(j_common_ptr info) {
    handler *errors = (handler *)info->err;
    info->err->format_message(info, errors->message);
    longjmp(errors->jump, 1);
}

static void ignore(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

int oav_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t row_bytes, int channels, int quality,
                    int full_chroma, const uint8_t *profile, size_t profile_size, uint8_t **output, size_t *output_size,
                    char error[200]) {
    struct jpeg_compress_struct info;
    handler errors;
    unsigned char *data = NULL;
    unsigned long size = 0;
    *output = NULL;
    *output_size = 0;
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = fail;
    errors.base.emit_message = ignore;
    errors.message = error;
    if (setjmp(errors.jump)) {
        jpeg_destroy_compress(&info);
        free(*output);
        *output = NULL;
        return -1;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &data, &size);
    info.image_width = width;
    info.image_height = height;
    info.input_components = channels;
    info.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    if (full_chroma && channels == 3) {
        info.comp_info[0].h_samp_factor = 1;
        info.comp_info[0].v_samp_factor = 1;
    }
    jpeg_start_compress(&info, TRUE);
    if (profile_size > 0)
        jpeg_write_icc_profile(&info, profile, (unsigned)profile_size);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + info.next_scanline * row_bytes);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *output = data;
    *output_size = size;
    return 0;
}

void oav_jpeg_free(void *output) { free(output); }
