// Draws one line of text into memory with Pango and Cairo. All their objects
// are made, used and released in C.
#ifndef OAV_CLIBPANGO_H
#define OAV_CLIBPANGO_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *family; // as fontconfig knows it
    double font_size;   // pixels to the em
    int weight;         // 100 to 1000
    int maximum_width;  // pixels; what is longer ends in an ellipsis
    int forces_left_to_right;
    uint8_t red, green, blue;
} oav_text_style;

typedef struct {
    uint8_t *pixels; // R, G, B and A, premultiplied, without gaps between rows; NULL where there is nothing to see
    int width;
    int height;
    int baseline; // rows from the top
    int is_right_to_left;
    int is_ellipsized;
    int unknown_glyphs; // characters that are drawn as boxes because no font has them
} oav_text_image;

// Draws UTF-8 text, taken literally: there is no markup in it.
//
// Calls from several threads take turns. Returns 0, or -1 with a message of at
// most 127 bytes in error.
int oav_text_draw(const char *text, size_t length, const oav_text_style *style, oav_text_image *image, char error[128]);
void oav_text_free(oav_text_image *image);

#endif
