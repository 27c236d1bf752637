#include "CLibPango.h"
#include "pango_api.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// One font map for all threads, behind one lock: Pango lets several threads
// work only with font maps of their own, and each would load its own fonts.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static PangoFontMap *font_map;
static PangoContext *context;

// Cairo's pictures have no more rows and columns.
enum { MAXIMUM_SIDE = 32767 };

static int prepare(void) {
    if (context)
        return 1;
    // Explicitly FreeType's, which is the one that looks fonts up by fontconfig.
    font_map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    if (!font_map)
        return 0;
    context = pango_font_map_create_context(font_map);
    // The default lets the first letter decide where a layout does not.
    pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    cairo_font_options_t *options = cairo_font_options_create();
    // Grey rather than subpixels, whose order is the screen's, not the picture's.
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_ON);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    return 1;
}

static PangoLayout *make_layout(const char *text, size_t length, const oav_text_style *style) {
    PangoLayout *layout = pango_layout_new(context);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, style->family);
    pango_font_description_set_weight(font, (PangoWeight)style->weight);
    pango_font_description_set_absolute_size(font, style->font_size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_single_paragraph_mode(layout, 1);
    pango_layout_set_auto_dir(layout, !style->forces_left_to_right);
    pango_layout_set_width(layout, style->maximum_width * PANGO_SCALE);
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_text(layout, text, (int)length);
    return layout;
}

// Cairo keeps a pixel as one 32-bit number with alpha on top.
static void unpack(const uint8_t *row, int width, uint8_t *output) {
    const uint32_t *pixels = (const uint32_t *)(const void *)row;
    for (int x = 0; x < width; x++) {
        output[4 * x] = (uint8_t)(pixels[x] >> 16);
        output[4 * x + 1] = (uint8_t)(pixels[x] >> 8);
        output[4 * x + 2] = (uint8_t)pixels[x];
        output[4 * x + 3] = (uint8_t)(pixels[x] >> 24);
    }
}

// Draws the part of a layout that its fonts' lines take up: marks piled up
// beyond that are cut off.
static int rasterize(PangoLayout *layout, const oav_text_style *style, PangoRectangle area, oav_text_image *image) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, area.width, area.height);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, style->red / 255.0, style->green / 255.0, style->blue / 255.0);
    cairo_move_to(cairo, -area.x, -area.y);
    pango_cairo_show_layout(cairo, layout);
    int is_drawn = cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    image->pixels = is_drawn ? malloc((size_t)area.width * area.height * 4) : NULL;
    if (image->pixels) {
        const uint8_t *data = cairo_image_surface_get_data(surface);
        const size_t stride = (size_t)cairo_image_surface_get_stride(surface);
        for (int y = 0; y < area.height; y++)
            unpack(data + y * stride, area.width, image->pixels + (size_t)y * area.width * 4);
    }
    cairo_surface_destroy(surface);
    return image->pixels != NULL;
}

static int draw(const char *text, size_t length, const oav_text_style *style, oav_text_image *image, char error[128]) {
    if (!prepare()) {
        snprintf(error, 128, "Cairo has no FreeType fonts");
        return -1;
    }
    PangoLayout *layout = make_layout(text, length, style);
    PangoRectangle area;
    pango_layout_get_pixel_extents(layout, NULL, &area);
    // Without any font, Pango measures with what memory happens to hold.
    if (area.height < 0 || area.height > 8 * style->font_size || area.y < -MAXIMUM_SIDE || area.y > MAXIMUM_SIDE) {
        area.y = 0;
        area.height = (int)(1.5 * style->font_size) + 1;
    }
    const int baseline = (int)(((int64_t)pango_layout_get_baseline(layout) + PANGO_SCALE / 2) / PANGO_SCALE);
    image->baseline = baseline > area.y && baseline - area.y < area.height ? baseline - area.y : area.height;
    image->unknown_glyphs = pango_layout_get_unknown_glyphs_count(layout);
    image->is_ellipsized = pango_layout_is_ellipsized(layout);
    PangoLayoutLine *line = pango_layout_get_line_readonly(layout, 0);
    image->is_right_to_left = line && pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL;
    int result = 0;
    if (area.width > MAXIMUM_SIDE || area.height > MAXIMUM_SIDE) {
        snprintf(error, 128, "the line would be %d x %d pixels", area.width, area.height);
        result = -1;
    } else if (area.width > 0 && area.height > 0) {
        image->width = area.width;
        image->height = area.height;
        if (!rasterize(layout, style, area, image)) {
            snprintf(error, 128, "out of memory");
            result = -1;
        }
    } else {
        image->height = area.height > 0 ? area.height : 0;
    }
    g_object_unref(layout);
    return result;
}

int oav_text_draw(const char *text, size_t length, const oav_text_style *style, oav_text_image *image,
                  char error[128]) {
    *image = (oav_text_image){0};
    if (length > INT32_MAX || style->maximum_width < 1 || style->maximum_width > MAXIMUM_SIDE ||
        !(style->font_size > 0 && style->font_size < 4096)) {
        snprintf(error, 128, "the text or its style is out of range");
        return -1;
    }
    pthread_mutex_lock(&lock);
    int result = draw(text, length, style, image, error);
    pthread_mutex_unlock(&lock);
    return result;
}

void oav_text_free(oav_text_image *image) {
    free(image->pixels);
    image->pixels = NULL;
}
