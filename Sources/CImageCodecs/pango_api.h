// The part of Pango's interface that is used here. It is stable since 1.50.
//
// Pango's own headers need compiler flags from pkg-config, which come with a
// -pthread that SwiftPM refuses with a warning at every build. A test compiles
// this file after those headers, so that the two cannot differ.
#ifndef OAV_PANGO_API_H
#define OAV_PANGO_API_H

#include <cairo/cairo.h>

#ifndef PANGO_SCALE
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoContext PangoContext;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutLine PangoLayoutLine;
typedef struct _PangoFontDescription PangoFontDescription;
typedef int PangoWeight;
typedef struct {
    int x, y, width, height;
} PangoRectangle;
typedef enum { PANGO_DIRECTION_LTR, PANGO_DIRECTION_RTL } PangoDirection;
typedef enum {
    PANGO_ELLIPSIZE_NONE,
    PANGO_ELLIPSIZE_START,
    PANGO_ELLIPSIZE_MIDDLE,
    PANGO_ELLIPSIZE_END
} PangoEllipsizeMode;
#define PANGO_SCALE 1024
#endif

void g_object_unref(void *object);

PangoFontMap *pango_cairo_font_map_new_for_font_type(cairo_font_type_t type);
PangoContext *pango_font_map_create_context(PangoFontMap *map);
void pango_context_set_base_dir(PangoContext *context, PangoDirection direction);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *options);
void pango_cairo_show_layout(cairo_t *cairo, PangoLayout *layout);

PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *font);
void pango_font_description_set_family(PangoFontDescription *font, const char *family);
void pango_font_description_set_weight(PangoFontDescription *font, PangoWeight weight);
void pango_font_description_set_absolute_size(PangoFontDescription *font, double size);

PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *font);
void pango_layout_set_single_paragraph_mode(PangoLayout *layout, int setting);
void pango_layout_set_auto_dir(PangoLayout *layout, int setting);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_ellipsize(PangoLayout *layout, PangoEllipsizeMode mode);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_get_pixel_extents(PangoLayout *layout, PangoRectangle *ink, PangoRectangle *logical);
int pango_layout_get_baseline(PangoLayout *layout);
int pango_layout_get_unknown_glyphs_count(PangoLayout *layout);
int pango_layout_is_ellipsized(PangoLayout *layout);
PangoLayoutLine *pango_layout_get_line_readonly(PangoLayout *layout, int line);
PangoDirection pango_layout_line_get_resolved_direction(PangoLayoutLine *line);

#endif
