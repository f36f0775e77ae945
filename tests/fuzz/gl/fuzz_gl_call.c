/* SPDX-License-Identifier: MIT */
/* Chooses commands and arguments: values of the parameter's type and group, and client memory of
 * exactly the size that the command may access, followed by an inaccessible page. */
#include "fuzz_gl.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(a)[0])
#define PAGE          4096u
#define SLOT_BYTES    (1u << 20)  /* per pointer argument of a call */
#define ARENA_BYTES   (16u << 20) /* client arrays, which start in its middle */
#define KEPT_BYTES    (8u << 20)  /* memory to which the GL keeps a pointer: feedback, selection */
#define UNKNOWN_BYTES 4096u       /* used if gl.xml specifies no length */
#define LARGE_BUFFER  (1 << 28)   /* bytes */

/* --- client memory --- */

/* Layout: slots, each followed by a guard page; the arena; kept memory. */
#define SLOT_STRIDE  (SLOT_BYTES + PAGE)
#define ARENA_OFFSET ((size_t)FUZZ_MAX_PARAMS * SLOT_STRIDE)
#define KEPT_OFFSET  (ARENA_OFFSET + ARENA_BYTES)
#define MEMORY_BYTES (KEPT_OFFSET + KEPT_BYTES)

bool fuzz_memory_init(struct fuzz *f)
{
    f->slots = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f->slots == MAP_FAILED)
        return false;
    for (unsigned i = 0; i < FUZZ_MAX_PARAMS; i++)
        if (mprotect(f->slots + (size_t)i * SLOT_STRIDE + SLOT_BYTES, PAGE, PROT_NONE))
            return false;
    for (size_t at = KEPT_OFFSET; at < MEMORY_BYTES; at += 16 * PAGE)
        if (mprotect(f->slots + at + 15 * PAGE, PAGE, PROT_NONE))
            return false;
    return true;
}

/* Returns the last `bytes` bytes of slot i; NULL if it isn't that large. */
static uint8_t *slot(struct fuzz *f, unsigned i, uint64_t bytes)
{
    return bytes <= SLOT_BYTES ? f->slots + (size_t)i * SLOT_STRIDE + SLOT_BYTES - bytes : NULL;
}

uint64_t fuzz_slot_bytes(const struct fuzz *f, unsigned i, int64_t address)
{
    uint64_t end = (uint64_t)(uintptr_t)f->slots + (uint64_t)i * SLOT_STRIDE + SLOT_BYTES;
    return (uint64_t)address < end && (uint64_t)address >= end - SLOT_BYTES
               ? end - (uint64_t)address
               : 0;
}

/* Returns memory that the GL may keep a pointer to; NULL for more than 15 pages. */
static uint8_t *kept(struct fuzz *f, uint64_t bytes)
{
    unsigned block = fuzz_random(f, KEPT_BYTES / (16 * PAGE));
    return bytes <= 15 * PAGE
               ? f->slots + KEPT_OFFSET + (size_t)block * 16 * PAGE + 15 * PAGE - bytes
               : NULL;
}

/* Fills memory with floats, small 32-bit or 16-bit numbers, or bytes. */
static void fill(struct fuzz *f, uint8_t *p, uint64_t bytes, bool small)
{
    static const float floats[] = {0, 1, -1, 0.5f, 0.25f, -0.75f, 2, 100, -1000, 1e30f, INFINITY};
    unsigned style = small ? 1 : fuzz_random(f, 4);
    uint64_t words = bytes / 4;
    uint32_t step = fuzz_random(f, 7), base = fuzz_random(f, 30);
    memset(p, style == 3 ? (int)fuzz_random(f, 256) : 0, bytes);
    for (uint64_t i = 0; i < words && style < 3; i++) {
        uint32_t word = base + i * step % 200;
        if (style == 0)
            memcpy(&word, &floats[fuzz_random(f, ARRAY_SIZE(floats))], 4);
        else if (style == 2)
            word |= word << 16;
        memcpy(p + 4 * i, &word, 4);
    }
}

/* --- images --- */

static unsigned components(uint32_t format)
{
    switch (format) {
    case GL_RED:
    case GL_GREEN:
    case GL_BLUE:
    case GL_ALPHA:
    case GL_RED_INTEGER:
    case GL_GREEN_INTEGER:
    case GL_BLUE_INTEGER:
    case GL_ALPHA_INTEGER:
    case GL_LUMINANCE:
    case GL_LUMINANCE_INTEGER_EXT:
    case GL_COLOR_INDEX:
    case GL_STENCIL_INDEX:
    case GL_DEPTH_COMPONENT:
    case GL_INTENSITY:
        return 1;
    case GL_RG:
    case GL_RG_INTEGER:
    case GL_LUMINANCE_ALPHA:
    case GL_LUMINANCE_ALPHA_INTEGER_EXT:
    case GL_DEPTH_STENCIL:
        return 2;
    case GL_RGB:
    case GL_BGR:
    case GL_RGB_INTEGER:
    case GL_BGR_INTEGER:
        return 3;
    default:
        return 4;
    }
}

/* Returns the bytes of a component, or of a whole pixel for packed types. */
static unsigned type_bytes(uint32_t type, bool *packed)
{
    *packed = true;
    switch (type) {
    case GL_UNSIGNED_BYTE_3_3_2:
    case GL_UNSIGNED_BYTE_2_3_3_REV:
        return 1;
    case GL_UNSIGNED_SHORT_5_6_5:
    case GL_UNSIGNED_SHORT_5_6_5_REV:
    case GL_UNSIGNED_SHORT_4_4_4_4:
    case GL_UNSIGNED_SHORT_4_4_4_4_REV:
    case GL_UNSIGNED_SHORT_5_5_5_1:
    case GL_UNSIGNED_SHORT_1_5_5_5_REV:
        return 2;
    case GL_UNSIGNED_INT_8_8_8_8:
    case GL_UNSIGNED_INT_8_8_8_8_REV:
    case GL_UNSIGNED_INT_10_10_10_2:
    case GL_UNSIGNED_INT_2_10_10_10_REV:
    case GL_UNSIGNED_INT_24_8:
    case GL_UNSIGNED_INT_10F_11F_11F_REV:
    case GL_UNSIGNED_INT_5_9_9_9_REV:
        return 4;
    case GL_FLOAT_32_UNSIGNED_INT_24_8_REV:
        return 8;
    }
    *packed = false;
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
    case GL_BITMAP:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
    case GL_HALF_FLOAT_OES:
        return 2;
    default:
        return 4;
    }
}

static uint64_t store(uint32_t name)
{
    int value = 0;
    glGetIntegerv(name, &value);
    return value > 0 ? value : 0;
}

/* Returns the bytes that an image spans with the current pixel store state (GL 4.6 §8.4.4.1). */
static uint64_t image_bytes(bool pack, uint64_t width, uint64_t height, uint64_t depth,
                            uint32_t format, uint32_t type)
{
    bool packed;
    uint64_t bytes = type_bytes(type, &packed), pixel = packed ? bytes : bytes * components(format);
    uint64_t row_length = store(pack ? GL_PACK_ROW_LENGTH : GL_UNPACK_ROW_LENGTH);
    uint64_t rows = store(pack ? GL_PACK_IMAGE_HEIGHT : GL_UNPACK_IMAGE_HEIGHT);
    uint64_t skip_pixels = store(pack ? GL_PACK_SKIP_PIXELS : GL_UNPACK_SKIP_PIXELS);
    uint64_t skip_rows = store(pack ? GL_PACK_SKIP_ROWS : GL_UNPACK_SKIP_ROWS);
    uint64_t skip_images = store(pack ? GL_PACK_SKIP_IMAGES : GL_UNPACK_SKIP_IMAGES);
    uint64_t align = store(pack ? GL_PACK_ALIGNMENT : GL_UNPACK_ALIGNMENT);
    uint64_t length = row_length ? row_length : width, image = rows ? rows : height;
    if (!width || !height || !depth)
        return 0;
    align = align ? align : 4;
    if (row_length > SLOT_BYTES || skip_rows > SLOT_BYTES || skip_pixels > SLOT_BYTES ||
        rows > SLOT_BYTES || skip_images > SLOT_BYTES)
        return UINT64_MAX;
    uint64_t row = type == GL_BITMAP ? (length + 7) / 8 : length * pixel;
    row = (row + align - 1) / align * align;
    uint64_t last =
        type == GL_BITMAP ? (skip_pixels + width + 7) / 8 : (skip_pixels + width) * pixel;
    uint64_t whole = ((skip_images + depth - 1) * image + skip_rows + height - 1);
    return whole > SLOT_BYTES ? UINT64_MAX : whole * row + last;
}

/* --- scalars --- */

static bool starts(const char *name, const char *prefix)
{
    return !strncmp(name, prefix, strlen(prefix));
}

static bool is_draw(const struct fuzz_command *c)
{
    return (starts(c->name, "glDraw") && !starts(c->name, "glDrawBuffer") &&
            !starts(c->name, "glDrawPixels") && !starts(c->name, "glDrawTex")) ||
           starts(c->name, "glMultiDraw") || starts(c->name, "glMultiMode");
}

static uint32_t enumerant(struct fuzz *f, int group)
{
    if (group < 0 || fuzz_chance(f, 4)) {
        /* Any group: ranges with many enumerants. */
        static const uint32_t start[] = {0,      0x200,  0x400,  0xb00,  0x1400, 0x1900,
                                         0x2600, 0x8000, 0x84c0, 0x8500, 0x8800, 0x8b00,
                                         0x8c00, 0x8ce0, 0x8d00, 0x9000, 0x9100, 0x9200};
        return start[fuzz_random(f, ARRAY_SIZE(start))] + fuzz_random(f, 0x100);
    }
    const struct fuzz_group *g = &fuzz_groups[group];
    return g->num_values ? g->values[fuzz_random(f, g->num_values)] : 0;
}

static uint32_t bits(struct fuzz *f, int group)
{
    if (fuzz_chance(f, 5))
        return fuzz_chance(f, 50) ? ~0u : fuzz_random(f, ~0u);
    uint32_t value = 0;
    for (unsigned n = fuzz_random(f, 4); n; n--)
        value |= group >= 0 ? enumerant(f, group) : 1u << fuzz_random(f, 32);
    return value;
}

static int64_t edge(struct fuzz *f)
{
    static const int64_t edges[] = {-1,    INT32_MIN,  INT32_MAX, 255,   256,        4095,
                                    16384, 16385,      32768,     65535, UINT32_MAX, 1 << 24,
                                    2048,  0x3fffffff, 1023,      -7};
    return edges[fuzz_random(f, ARRAY_SIZE(edges))];
}

static int64_t integer(struct fuzz *f)
{
    if (fuzz_chance(f, 6))
        return edge(f);
    return fuzz_random(f, fuzz_chance(f, 70) ? 5 : 70);
}

/* Returns whether large values of the parameter only make the command slow. Such values are
 * avoided: a valid call that takes hours isn't a fault. */
static bool makes_work(const struct fuzz_command *c, const struct fuzz_param *p)
{
    return is_draw(c) || starts(c->name, "glEvalMesh") || starts(c->name, "glDispatch") ||
           starts(c->name, "glMapGrid") || starts(c->name, "glArrayElement") ||
           starts(c->name, "glGenLists") || starts(c->name, "glLockArrays") ||
           starts(c->name, "glMap1") || starts(c->name, "glMap2") ||
           (!strcmp(p->name, "stride") && !starts(c->name, "glTransformFeedback"));
}

static double real(struct fuzz *f)
{
    static const double reals[] = {0,   1,    -1,   0.5,   0.25, 2,        10,        64,
                                   100, -0.5, 1e10, -1e30, 1e38, INFINITY, -INFINITY, NAN};
    return reals[fuzz_random(f, fuzz_chance(f, 80) ? 9 : ARRAY_SIZE(reals))];
}

static int64_t wide(struct fuzz *f, int64_t most)
{
    static const int64_t edges[] = {-1, INT64_MAX, INT64_MIN, (int64_t)1 << 40, UINT32_MAX};
    if (fuzz_chance(f, 5))
        return edges[fuzz_random(f, ARRAY_SIZE(edges))];
    return fuzz_random(f, fuzz_chance(f, 70) ? 16 : 1024) * (most > 1 ? 4 : 1);
}

static void debug_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                          const GLchar *message, const void *user)
{
}

static union fuzz_value scalar(struct fuzz *f, const struct fuzz_command *c,
                               const struct fuzz_param *p)
{
    union fuzz_value v = {0};
    if (p->object >= 0) {
        v.i = (int64_t)fuzz_name(f, p->object);
        return v;
    }
    switch (p->kind) {
    case FUZZ_KIND_ENUM:
        v.i = enumerant(f, p->group);
        break;
    case FUZZ_KIND_BITS:
        v.i = bits(f, p->group);
        break;
    case FUZZ_KIND_BOOLEAN:
        v.i = fuzz_chance(f, 3) ? fuzz_random(f, 256) : fuzz_random(f, 2);
        break;
    case FUZZ_KIND_FLOAT:
        v.f = real(f);
        break;
    case FUZZ_KIND_WIDE:
        v.i = starts(c->name, "glWaitSync")         ? -1
              : starts(c->name, "glClientWaitSync") ? fuzz_random(f, 1000000)
                                                    : wide(f, 1);
        break;
    case FUZZ_KIND_OFFSET:
    case FUZZ_KIND_BYTES:
        v.i = wide(f, 4);
        break;
    case FUZZ_KIND_SYNC:
        v.i = (int64_t)fuzz_name(f, FUZZ_SYNC);
        break;
    case FUZZ_KIND_CALLBACK:
        v.i = fuzz_chance(f, 50) ? (int64_t)(uintptr_t)debug_message : 0;
        break;
    case FUZZ_KIND_OPAQUE:
        break;
    default:
        if (makes_work(c, p))
            v.i = fuzz_chance(f, 4) ? -1 : fuzz_random(f, 40);
        else if (p->group >= 0 && fuzz_chance(f, 95))
            v.i = enumerant(f, p->group);
        else
            v.i = integer(f);
        break;
    }
    return v;
}

/* --- pointers --- */

static int find(const struct fuzz_command *c, const char *name)
{
    for (unsigned i = 0; i < c->num_params; i++)
        if (!strcmp(c->params[i].name, name))
            return i;
    return -1;
}

/* Returns the value of the parameter of that name, or `otherwise` if there is none. */
static int64_t value_of(const struct fuzz_command *c, const union fuzz_value *a, const char *name,
                        int64_t otherwise)
{
    int i = find(c, name);
    return i >= 0 ? a[i].i : otherwise;
}

static int bound(uint32_t binding)
{
    int value = 0;
    glGetIntegerv(binding, &value);
    return value;
}

/* Returns the bytes that glGetTexImage and related commands write. */
static uint64_t level_bytes(const struct fuzz_command *c, const union fuzz_value *a)
{
    uint32_t target = value_of(c, a, "target", 0);
    int level = value_of(c, a, "level", 0), size[3] = {0};
    static const uint32_t names[] = {GL_TEXTURE_WIDTH, GL_TEXTURE_HEIGHT, GL_TEXTURE_DEPTH};
    for (unsigned i = 0; i < 3; i++)
        if (find(c, "texture") >= 0 && starts(c->name, "glGetTextureImage"))
            glGetTextureLevelParameteriv(value_of(c, a, "texture", 0), level, names[i], &size[i]);
        else if (starts(c->name, "glGetTexImage"))
            glGetTexLevelParameteriv(target, level, names[i], &size[i]);
        else
            return UINT64_MAX; /* unknown for other variants */
    return image_bytes(true, size[0], size[1], size[2] * (target == GL_TEXTURE_CUBE_MAP ? 6 : 1),
                       value_of(c, a, "format", 0), value_of(c, a, "type", 0));
}

/* Returns whether the parameters describe an image in client memory; *bytes is its size. */
static bool image_size(const struct fuzz_command *c, const struct fuzz_param *p,
                       const union fuzz_value *a, uint64_t *bytes)
{
    if (starts(c->name, "glPolygonStipple") || starts(c->name, "glGetPolygonStipple") ||
        starts(c->name, "glGetnPolygonStipple")) {
        *bytes = image_bytes(!p->constant, 32, 32, 1, GL_COLOR_INDEX, GL_BITMAP);
        return true;
    }
    if (starts(c->name, "glBitmap")) {
        *bytes = image_bytes(false, a[0].i, a[1].i, 1, GL_COLOR_INDEX, GL_BITMAP);
        return a[0].i >= 0 && a[1].i >= 0;
    }
    if (starts(c->name, "glGetTexImage") || starts(c->name, "glGetTextureImage")) {
        *bytes = level_bytes(c, a);
        return find(c, "bufSize") < 0;
    }
    if (find(c, "format") < 0 || find(c, "type") < 0 || find(c, "width") < 0 ||
        find(c, "bufSize") >= 0)
        return false;
    int64_t width = value_of(c, a, "width", 1), height = value_of(c, a, "height", 1),
            depth = value_of(c, a, "depth", 1);
    *bytes = width < 0 || height < 0 || depth < 0
                 ? 64
                 : image_bytes(!p->constant, width, height, depth, value_of(c, a, "format", 0),
                               value_of(c, a, "type", 0));
    return true;
}

/* Returns the number of elements of glMap1 and glMap2 control points, with at most 4 components. */
static uint64_t map_elements(const struct fuzz_command *c, const union fuzz_value *a)
{
    /* All are GLint, which the call reads from the low half of a value. */
    int32_t u = value_of(c, a, "ustride", value_of(c, a, "stride", 4));
    int32_t uorder = value_of(c, a, "uorder", value_of(c, a, "order", 1));
    int32_t v = value_of(c, a, "vstride", 0), vorder = value_of(c, a, "vorder", 1);
    if (u < 0 || v < 0 || uorder < 1 || vorder < 1)
        return 4;
    return ((int64_t)uorder - 1) * u + ((int64_t)vorder - 1) * v + 4;
}

uint64_t fuzz_pointer_bytes(const struct fuzz_command *c, const struct fuzz_param *p,
                            const union fuzz_value *a)
{
    uint64_t bytes;
    if (p->element == 1 && !p->text && image_size(c, p, a, &bytes))
        return bytes;
    if ((starts(c->name, "glMap1") || starts(c->name, "glMap2")) && p->constant)
        return map_elements(c, a) * p->element;
    if (!strcmp(p->name, "indices") && is_draw(c)) {
        int64_t count = value_of(c, a, "count", 0), type = value_of(c, a, "type", 0);
        return count < 0 ? 0
                         : (uint64_t)count * (type == GL_UNSIGNED_INT     ? 4
                                              : type == GL_UNSIGNED_SHORT ? 2
                                                                          : 1);
    }
    if (starts(c->name, "glCallLists"))
        return a[0].i < 0 ? 0 : (uint64_t)a[0].i * 4;
    /* The size of these results depends on other state. */
    if (!p->constant && p->length != FUZZ_LENGTH_PARAMETER &&
        (p->element == 1 || starts(c->name, "glGetMap") || starts(c->name, "glGetPixelMap") ||
         starts(c->name, "glGetnMap") || starts(c->name, "glGetnPixelMap")))
        return store(GL_PACK_ROW_LENGTH) || store(GL_PACK_SKIP_ROWS) ||
                       store(GL_PACK_SKIP_PIXELS) || store(GL_PACK_SKIP_IMAGES) ||
                       store(GL_PACK_IMAGE_HEIGHT)
                   ? UINT64_MAX
                   : SLOT_BYTES;
    int64_t n;
    switch (p->length) {
    case FUZZ_LENGTH_CONSTANT:
        return (uint64_t)p->times * p->element;
    case FUZZ_LENGTH_PARAMETER:
        n = a[p->of].i;
        if (c->params[p->of].kind == FUZZ_KIND_INTEGER) /* GLuint and GLint lengths */
            n = (uint32_t)n;
        return n < 0 ? 0 : (uint64_t)n * p->times / p->over * p->element;
    default:
        return p->constant && p->element > 1 ? 16 * p->element : UNKNOWN_BYTES;
    }
}

static const char *const words[] = {
    "color",
    "position",
    "",
    "gl_Position",
    "tex",
    "matrix[0]",
    "weight",
    "block",
    "values[1]",
    "x",
    "gl_FragColor",
    "block.member",
    "values[-1]",
    "values[99999999999]",
    "a/very/long/name",
    "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n",
    "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], 2D;\nEND\n",
};

static const char *const shaders[] = {
    "void main() { gl_Position = vec4(0); }",
    "#version 330\nin vec4 position; out vec4 v; uniform mat4 matrix[2];\n"
    "void main() { v = position; gl_Position = matrix[0] * position; }",
    "#version 330\nin vec4 v; out vec4 color; uniform sampler2D tex; uniform block { vec4 member; "
    "};\n"
    "void main() { color = texture(tex, v.xy) + member; }",
    "#version 300 es\nprecision mediump float; out vec4 color; uniform float values[3];\n"
    "void main() { color = vec4(values[1]); }",
    "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }",
    "}",
};

/* Returns text at the end of slot i: zero-terminated or, if counted, of that many characters. */
static int64_t string(struct fuzz *f, unsigned i, uint64_t bytes, bool counted)
{
    const char *word = words[fuzz_random(f, ARRAY_SIZE(words))];
    uint64_t size = counted ? bytes : strlen(word) + 1;
    uint8_t *p = slot(f, i, size);
    if (!p)
        return 0;
    memset(p, 'a', size);
    memcpy(p, word, size < strlen(word) + 1 ? size : strlen(word) + 1);
    return (int64_t)(uintptr_t)p;
}

/* Returns an array of pointers: to strings, or to the indices of multi-draw commands. */
static int64_t pointers(struct fuzz *f, const struct fuzz_command *c, const struct fuzz_param *p,
                        unsigned i, uint64_t count)
{
    const void **array = (const void **)slot(f, i, count * sizeof(void *));
    bool source = starts(c->name, "glShaderSource") || starts(c->name, "glCreateShaderProgram");
    if (!array)
        return 0;
    for (uint64_t k = 0; k < count; k++) {
        array[k] = p->text ? source ? shaders[fuzz_random(f, ARRAY_SIZE(shaders))]
                                    : words[fuzz_random(f, ARRAY_SIZE(words))]
                           : NULL;
        if (!p->text && p->constant && is_draw(c)) {
            uint8_t *kept_indices = f->slots + ARENA_OFFSET;
            fill(f, kept_indices, 4096, true);
            array[k] = kept_indices;
        }
    }
    return (int64_t)(uintptr_t)array;
}

/* Fills an array with values of the parameter's type. */
static void fill_elements(struct fuzz *f, const struct fuzz_command *c, const struct fuzz_param *p,
                          uint8_t *data, uint64_t bytes)
{
    for (uint64_t at = 0; at + p->element <= bytes && at < 4096; at += p->element) {
        int64_t value = p->object >= 0                ? (int64_t)fuzz_name(f, p->object)
                        : p->kind == FUZZ_KIND_ENUM   ? (int64_t)enumerant(f, p->group)
                        : p->kind == FUZZ_KIND_SYNC   ? (int64_t)fuzz_name(f, FUZZ_SYNC)
                        : makes_work(c, p)            ? (int64_t)fuzz_random(f, 40)
                        : p->kind == FUZZ_KIND_OFFSET ? wide(f, 4)
                                                      : integer(f);
        memcpy(data + at, &value, p->element);
    }
}

static bool has_elements(const struct fuzz_param *p)
{
    return p->element > 1 && p->kind != FUZZ_KIND_FLOAT && p->kind != FUZZ_KIND_OPAQUE;
}

/* Returns an offset into a bound buffer. */
static int64_t offset(struct fuzz *f)
{
    return fuzz_chance(f, 3) ? wide(f, 4) : 4 * (int64_t)fuzz_random(f, 16);
}

static bool sets_client_array(const struct fuzz_command *c)
{
    size_t n = strlen(c->name);
    const char *end = strstr(c->name, "Pointer");
    return !starts(c->name, "glGet") &&
           ((end && end > c->name + n - 12) || starts(c->name, "glInterleavedArrays"));
}

/* Returns whether a bound pixel buffer replaces client memory for this parameter. */
static bool pixels_in_buffer(const struct fuzz_command *c, const struct fuzz_param *p)
{
    static const char *const users[] = {"Image",     "Pixels",     "Bitmap",        "Stipple",
                                        "PixelMap",  "ColorTable", "ColorSubTable", "Filter",
                                        "Histogram", "Minmax"};
    for (unsigned i = 0; i < ARRAY_SIZE(users); i++)
        if (p->element == 1 ? !p->text && strstr(c->name, users[i])
                            : starts(users[i], "PixelMap") && strstr(c->name, users[i]))
            return bound(p->constant ? GL_PIXEL_UNPACK_BUFFER_BINDING
                                     : GL_PIXEL_PACK_BUFFER_BINDING);
    return false;
}

/* Returns a list of up to two attributes, terminated by GL_NONE, or NULL. */
static const GLint *attributes(struct fuzz *f, unsigned i)
{
    GLint *list = (GLint *)slot(f, i, 5 * sizeof *list);
    unsigned n = fuzz_random(f, 3);
    if (!list || fuzz_chance(f, 10))
        return NULL;
    for (unsigned k = 0; k < n; k++) {
        list[2 * k] = fuzz_chance(f, 80) ? GL_SURFACE_COMPRESSION_EXT : GL_TEXTURE_WRAP_S;
        list[2 * k + 1] = GL_SURFACE_COMPRESSION_FIXED_RATE_NONE_EXT + (GLint)fuzz_random(f, 16);
    }
    list[2 * n] = GL_NONE;
    return list;
}

/* Chooses a pointer argument. Returns false if the call must not be made. */
static bool pointer(struct fuzz *f, const struct fuzz_command *c, unsigned i, union fuzz_value *a)
{
    const struct fuzz_param *p = &c->params[i];
    uint64_t bytes;
    if (sets_client_array(c)) {
        bool buffer = bound(GL_ARRAY_BUFFER_BINDING);
        a[i].i =
            buffer ? offset(f) : (int64_t)(uintptr_t)(f->slots + ARENA_OFFSET + ARENA_BYTES / 2);
        f->client_arrays |= !buffer;
        return true;
    }
    if (p->pointer == 2) {
        int64_t count = p->length == FUZZ_LENGTH_PARAMETER ? (int32_t)a[p->of].i : 1;
        a[i].i = count < 0 ? 0 : pointers(f, c, p, i, count);
        return count <= 4096;
    }
    if ((is_draw(c) && strstr(c->name, "Indirect") && bound(GL_DRAW_INDIRECT_BUFFER_BINDING)) ||
        (is_draw(c) && !strcmp(p->name, "indices") && bound(GL_ELEMENT_ARRAY_BUFFER_BINDING)) ||
        pixels_in_buffer(c, p)) {
        a[i].i = offset(f);
        return true;
    }
    bytes = fuzz_pointer_bytes(c, p, a);
    if (p->constant && !strcmp(p->name, "attrib_list")) {
        a[i].i = (int64_t)(uintptr_t)attributes(f, i);
        return true;
    }
    if (p->text && p->constant) {
        a[i].i =
            string(f, i, bytes, p->length == FUZZ_LENGTH_PARAMETER && (int32_t)a[p->of].i >= 0);
        return a[i].i;
    }
    bool keeps = starts(c->name, "glFeedbackBuffer") || starts(c->name, "glSelectBuffer");
    uint8_t *data = keeps ? kept(f, bytes) : slot(f, i, bytes);
    a[i].i = (int64_t)(uintptr_t)data;
    bool may_be_null = starts(c->name, "glTexImage") || starts(c->name, "glBufferData") ||
                       starts(c->name, "glNamedBufferData") || strstr(c->name, "BufferStorage");
    if (!data)
        return may_be_null;
    if (!p->constant)
        return true;
    if (!strcmp(p->name, "length")) { /* of strings, which may be shorter */
        memset(data, fuzz_chance(f, 50) ? 0 : 0xff, bytes);
        a[i].i = fuzz_chance(f, 60) ? 0 : a[i].i;
        return true;
    }
    if (has_elements(p))
        fill_elements(f, c, p, data, bytes);
    else
        fill(f, data, bytes, is_draw(c));
    if (may_be_null && fuzz_chance(f, 5))
        a[i].i = 0;
    return true;
}

/* --- calls --- */

/* Returns whether a command is called more often than others, because it depends on much state. */
static bool is_hot(const struct fuzz_command *c)
{
    static const char *const prefixes[] = {
        "glDrawArrays",    "glDrawElements",  "glDrawMeshTasks",  "glTexImage",
        "glTexSubImage",   "glTexStorage",    "glBind",           "glBufferData",
        "glBufferSubData", "glCopyTex",       "glReadPixels",     "glGenerateMipmap",
        "glClear",         "glFramebuffer",   "glEnable",         "glUseProgram",
        "glTexParameter",  "glCallList",      "glBlit",           "glMapBuffer",
        "glUnmapBuffer",   "glActiveTexture", "glCopyImage",      "glDelete",
        "glUniform",       "glTexBuffer",     "glBeginTransform", "glEndTransform",
        "glBeginQuery",    "glEndQuery",      "glPixelStore",     "glRenderbufferStorage",
        "glGetTexImage",   "glDrawPixels",    "glCopyPixels"};
    for (unsigned i = 0; i < ARRAY_SIZE(prefixes); i++)
        if (starts(c->name, prefixes[i]))
            return true;
    return false;
}

static const struct fuzz_command *choose(struct fuzz *f)
{
    bool hot = fuzz_chance(f, 45);
    for (unsigned tries = 0; tries < 4000; tries++) {
        const struct fuzz_command *c = &fuzz_commands[fuzz_random(f, fuzz_num_commands)];
        if (c->apis >> f->api & 1 && (!hot || is_hot(c)))
            return c;
    }
    return &fuzz_commands[0];
}

/* Limits image sizes: at most one dimension is large, and the others are then 1, so that a call
 * doesn't request an unreasonable amount of memory. */
static void tame_sizes(const struct fuzz_command *c, union fuzz_value *a)
{
    static const char *const names[] = {"width", "height", "depth", "samples", "levels"};
    bool large = false;
    for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
        int at = find(c, names[i]);
        if (at >= 0 && a[at].i > 70) {
            if (large)
                a[at].i = 1;
            large = true;
        }
    }
    for (unsigned i = 0; large && i < 3; i++) {
        int at = find(c, names[i]);
        if (at >= 0 && a[at].i <= 70 && a[at].i > 1)
            a[at].i = 1;
    }
}

/* Sets imageSize to the right size for block-compressed formats, most of the time. */
static void set_compressed_size(struct fuzz *f, const struct fuzz_command *c, union fuzz_value *a)
{
    int at = find(c, "imageSize");
    if (at < 0 || fuzz_chance(f, 30))
        return;
    int64_t w = value_of(c, a, "width", 1), h = value_of(c, a, "height", 1),
            d = value_of(c, a, "depth", 1);
    if (w >= 0 && h >= 0 && d >= 0 && w < 300 && h < 300 && d < 70)
        a[at].i = (w + 3) / 4 * ((h + 3) / 4) * d * (fuzz_chance(f, 50) ? 8 : 16);
}

/* Returns whether a draw would read client arrays at indices or counts from a buffer, whose
 * contents are random. Out-of-bounds reads would then be the application's fault. */
static bool reads_out_of_bounds(const struct fuzz *f, const struct fuzz_command *c)
{
    if (!f->client_arrays || !is_draw(c))
        return false;
    return strstr(c->name, "Indirect") || strstr(c->name, "TransformFeedback") ||
           (strstr(c->name, "Element") && bound(GL_ELEMENT_ARRAY_BUFFER_BINDING));
}

/* Returns whether the command writes the data of a whole buffer, or of a large part, although it
 * may be a buffer of several GiB. Only the pages of such buffers that are written take memory. */
static bool fills_large_buffer(const struct fuzz *f, const struct fuzz_command *c,
                               const union fuzz_value *a)
{
    return f->large_buffers && (starts(c->name, "glClear") || strstr(c->name, "Copy")) &&
           strstr(c->name, "Buffer") && strstr(c->name, "Data") &&
           value_of(c, a, "size", INT64_MAX) > LARGE_BUFFER;
}

/* Returns whether a display list would call too many lists, which might run forever. */
static bool lists_nest(struct fuzz *f, const struct fuzz_command *c)
{
    if (!f->compiling || !starts(c->name, "glCallList"))
        return false;
    if (f->list_called || starts(c->name, "glCallLists"))
        return true;
    f->list_called = true;
    return false;
}

/* Replaces what is in the buffer from which an indirect draw or dispatch reads its counts: random
 * ones would keep the driver busy for hours. Returns false if it can't be written. */
static bool shorten_commands(struct fuzz *f, const struct fuzz_command *c)
{
    if (!strstr(c->name, "Indirect") || (!is_draw(c) && !starts(c->name, "glDispatch")))
        return true;
    const bool draws = is_draw(c);
    GLint bytes = 0;
    if (!bound(draws ? GL_DRAW_INDIRECT_BUFFER_BINDING : GL_DISPATCH_INDIRECT_BUFFER_BINDING))
        return false;
    for (unsigned i = 0; i < 8 && glGetError(); i++)
        ;
    const GLenum target = draws ? GL_DRAW_INDIRECT_BUFFER : GL_DISPATCH_INDIRECT_BUFFER;
    glGetBufferParameteriv(target, GL_BUFFER_SIZE, &bytes);
    GLuint *counts = bytes > 0 ? (GLuint *)slot(f, 0, (uint64_t)bytes / 4 * 4) : NULL;
    for (GLint i = 0; counts && i < bytes / 4; i++)
        counts[i] = (GLuint)i * 5 % 7;
    if (counts)
        glBufferSubData(target, 0, bytes / 4 * 4, counts);
    return counts && glGetError() == GL_NO_ERROR;
}

/* Records the names of created objects and the state that later calls depend on. */
static void after(struct fuzz *f, const struct fuzz_command *c, const union fuzz_value *a,
                  uint64_t result)
{
    if (starts(c->name, "glCreateShaderProgram") || starts(c->name, "glCreateProgram"))
        fuzz_name_add(FUZZ_PROGRAM, result);
    else if (starts(c->name, "glCreateShader"))
        fuzz_name_add(FUZZ_SHADER, result);
    else if (starts(c->name, "glFenceSync"))
        fuzz_name_add(FUZZ_SYNC, result);
    else if (starts(c->name, "glGenLists"))
        fuzz_name_add(FUZZ_DISPLAY_LIST, result);
    else if (starts(c->name, "glMapBuffer") || starts(c->name, "glMapNamedBuffer")) {
        if (result && !f->threads && value_of(c, a, "access", 0) != GL_READ_ONLY &&
            (find(c, "length") < 0 || value_of(c, a, "access", 0) & GL_MAP_WRITE_BIT))
            *(volatile uint8_t *)(uintptr_t)result = 1;
    } else if (starts(c->name, "glGen") || starts(c->name, "glCreate")) {
        int n = find(c, "n");
        for (unsigned i = 0; i < c->num_params && n >= 0; i++)
            for (int64_t k = 0;
                 c->params[i].pointer && c->params[i].object >= 0 && a[i].i && k < a[n].i && k < 8;
                 k++)
                fuzz_name_add(c->params[i].object, ((const GLuint *)(uintptr_t)a[i].i)[k]);
    }
    if (strstr(c->name, "BufferData") || strstr(c->name, "BufferStorage"))
        f->large_buffers |= value_of(c, a, "size", 0) > LARGE_BUFFER;
    f->inside_begin = !strcmp(c->name, "glBegin") || (f->inside_begin && strcmp(c->name, "glEnd"));
    if (!strcmp(c->name, "glNewList")) {
        f->compiling = true;
        f->list_called = false;
    } else if (!strcmp(c->name, "glEndList")) {
        f->compiling = false;
    }
}

void fuzz_call(struct fuzz *f)
{
    const struct fuzz_command *c = choose(f);
    union fuzz_value a[FUZZ_MAX_PARAMS] = {0};
    if (f->inside_begin && fuzz_chance(f, 25))
        glEnd();
    if (f->compiling && fuzz_chance(f, 8)) {
        glEndList();
        f->compiling = false;
    }
    if (c->num_params > FUZZ_MAX_PARAMS || reads_out_of_bounds(f, c) || lists_nest(f, c) ||
        !shorten_commands(f, c))
        return;
    for (unsigned i = 0; i < c->num_params; i++)
        if (!c->params[i].pointer)
            a[i] = scalar(f, c, &c->params[i]);
    tame_sizes(c, a);
    set_compressed_size(f, c, a);
    for (unsigned i = 0; i < c->num_params; i++)
        if (c->params[i].pointer && !pointer(f, c, i, a))
            return;
    if (fills_large_buffer(f, c, a))
        return;
    fuzz_print_call(f, c, a);
    after(f, c, a, c->call(a));
}
