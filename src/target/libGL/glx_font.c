/* SPDX-License-Identifier: MIT */
/* glXUseXFont: display lists of bitmaps from a core X font. */
#include <limits.h>
#include <stdlib.h>

#include "target/libGL/glx_private.h"

struct font_gl {
    void (*new_list)(GLuint, GLenum);
    void (*end_list)(void);
    void (*bitmap)(GLsizei, GLsizei, GLfloat, GLfloat, GLfloat, GLfloat, const GLubyte *);
    void (*pixel_store)(GLenum, GLint);
    void (*push)(GLbitfield);
    void (*pop)(void);
    void (*get)(GLenum, GLint *);
};

static bool load_gl(struct font_gl *gl, const struct indium_core *core)
{
    const struct {
        const char *name;
        void *slot;
    } entries[] = {
        {"glNewList", &gl->new_list},      {"glEndList", &gl->end_list},
        {"glBitmap", &gl->bitmap},         {"glPixelStorei", &gl->pixel_store},
        {"glPushClientAttrib", &gl->push}, {"glPopClientAttrib", &gl->pop},
        {"glGetIntegerv", &gl->get},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(entries); i++) {
        void (*p)(void) = core->get_proc_address(entries[i].name);

        if (!p)
            return false;
        memcpy(entries[i].slot, &p, sizeof p);
    }
    return true;
}

/* Returns the metrics of a character, or NULL if the font lacks it. */
static const XCharStruct *char_metrics(const XFontStruct *font, unsigned c)
{
    unsigned row = c >> 8, column = c & 0xff, columns;
    const XCharStruct *m;

    if (font->min_byte1 == 0 && font->max_byte1 == 0) {
        row = 0;
        column = c;
    }
    if (row < font->min_byte1 || row > font->max_byte1 || column < font->min_char_or_byte2 ||
        column > font->max_char_or_byte2)
        return NULL;
    if (!font->per_char)
        return &font->max_bounds;
    columns = font->max_char_or_byte2 - font->min_char_or_byte2 + 1;
    m = &font->per_char[(row - font->min_byte1) * columns + column - font->min_char_or_byte2];
    return m->width || m->ascent || m->descent || m->rbearing != m->lbearing ? m : NULL;
}

/* Renders a glyph as a GL bitmap, bottom row first, rows padded to bytes. Returns NULL if out of
 * memory. */
static GLubyte *render_char(Display *dpy, int screen, Font font, const XCharStruct *m, unsigned c,
                            int width, int height)
{
    XChar2b text = {c >> 8, c & 0xff};
    Pixmap pixmap = XCreatePixmap(dpy, RootWindow(dpy, screen), width, height, 1);
    XGCValues values = {.foreground = 0, .background = 0, .font = font};
    GC gc = XCreateGC(dpy, pixmap, GCForeground | GCBackground | GCFont, &values);
    GLubyte *bits = calloc((width + 7) / 8, height);
    XImage *image;

    XFillRectangle(dpy, pixmap, gc, 0, 0, width, height);
    XSetForeground(dpy, gc, 1);
    XDrawString16(dpy, pixmap, gc, -m->lbearing, m->ascent, &text, 1);
    image = XGetImage(dpy, pixmap, 0, 0, width, height, 1, XYPixmap);
    for (int y = 0; image && bits && y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (XGetPixel(image, x, y))
                bits[(height - 1 - y) * ((width + 7) / 8) + x / 8] |= 0x80 >> x % 8;
        }
    }
    if (image)
        XDestroyImage(image);
    XFreeGC(dpy, gc);
    XFreePixmap(dpy, pixmap);
    return bits;
}

/* Compiles the display list of a character. Returns false if out of memory. */
static bool compile_char(const struct font_gl *gl, Display *dpy, int screen,
                         const XFontStruct *font, Font id, unsigned c)
{
    const XCharStruct *m = char_metrics(font, c);
    int width = m ? m->rbearing - m->lbearing : 0, height = m ? m->ascent + m->descent : 0;
    GLubyte *bits = NULL;

    if (!m)
        return true;
    if (width > 0 && height > 0)
        bits = render_char(dpy, screen, id, m, c, width, height);
    gl->bitmap(bits ? width : 0, bits ? height : 0, -m->lbearing, m->descent, m->width, 0, bits);
    free(bits);
    return bits || width <= 0 || height <= 0;
}

GLX_EXPORT void glXUseXFont(Font id, int first, int count, int list_base)
{
    struct glx_thread *t = glx_thread_get();
    struct font_gl gl;
    XFontStruct *font;
    GLint list_index = 0;
    int error;
    bool ok = true;

    if (!t->ctx)
        return;
    error = glx_check_current(t);
    if (error) {
        glx_error(t->dpy, error, t->draw->id, X_GLXUseXFont);
        return;
    }
    if (!load_gl(&gl, indium_core_interface()))
        return;
    gl.get(GL_LIST_INDEX, &list_index);
    if (list_index) {
        glx_error(t->dpy, GLX_ERROR(GLXBadContextState), 0, X_GLXUseXFont);
        return;
    }
    if (first < 0 || count < 0 || list_base < 0) {
        glx_error(t->dpy, BadValue, first, X_GLXUseXFont);
        return;
    }
    font = XQueryFont(t->dpy, id);
    if (!font) {
        glx_error(t->dpy, BadFont, id, X_GLXUseXFont);
        return;
    }
    gl.push(GL_CLIENT_PIXEL_STORE_BIT);
    gl.pixel_store(GL_UNPACK_SWAP_BYTES, 0);
    gl.pixel_store(GL_UNPACK_LSB_FIRST, 0);
    gl.pixel_store(GL_UNPACK_ROW_LENGTH, 0);
    gl.pixel_store(GL_UNPACK_SKIP_ROWS, 0);
    gl.pixel_store(GL_UNPACK_SKIP_PIXELS, 0);
    gl.pixel_store(GL_UNPACK_ALIGNMENT, 1);
    for (int i = 0; i < count && first <= INT_MAX - i; i++) {
        gl.new_list((GLuint)list_base + i, GL_COMPILE);
        ok &= compile_char(&gl, t->dpy, t->ctx->screen->number, font, id, first + i);
        gl.end_list();
    }
    gl.pop();
    XFreeFontInfo(NULL, font, 1);
    if (!ok)
        glx_error(t->dpy, BadAlloc, id, X_GLXUseXFont);
}
