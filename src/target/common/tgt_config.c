/* SPDX-License-Identifier: MIT */
#include "target/common/tgt_config.h"

#include "util/macros.h"

/* Component sizes of formats and, for colors, the lowest bit of red, green, blue and alpha (-1:
 * none). */
static const struct {
    enum drv_format format;
    struct tgt_format_bits bits;
    int8_t shift[4];
} tgt_formats[] = {
    {DRV_FORMAT_B8G8R8A8_UNORM, {8, 8, 8, 8}, {16, 8, 0, 24}},
    {DRV_FORMAT_B8G8R8X8_UNORM, {8, 8, 8}, {16, 8, 0, -1}},
    {DRV_FORMAT_R8G8B8A8_UNORM, {8, 8, 8, 8}, {0, 8, 16, 24}},
    {DRV_FORMAT_R8G8B8X8_UNORM, {8, 8, 8}, {0, 8, 16, -1}},
    {DRV_FORMAT_B10G10R10A2_UNORM, {10, 10, 10, 2}, {20, 10, 0, 30}},
    {DRV_FORMAT_R10G10B10A2_UNORM, {10, 10, 10, 2}, {0, 10, 20, 30}},
    {DRV_FORMAT_B5G6R5_UNORM, {5, 6, 5}, {11, 5, 0, -1}},
    {DRV_FORMAT_B5G5R5X1_UNORM, {5, 5, 5}, {10, 5, 0, -1}},
    {DRV_FORMAT_B5G5R5A1_UNORM, {5, 5, 5, 1}, {10, 5, 0, 15}},
    {DRV_FORMAT_R16G16B16A16_FLOAT, {16, 16, 16, 16}, {-1, -1, -1, -1}},
    {DRV_FORMAT_R32G32B32A32_FLOAT, {32, 32, 32, 32}, {-1, -1, -1, -1}},
    {DRV_FORMAT_R11G11B10_FLOAT, {11, 11, 10}, {0, 11, 22, -1}},
    {DRV_FORMAT_Z24S8_UNORM, {.depth = 24, .stencil = 8}},
    {DRV_FORMAT_S8Z24_UNORM, {.depth = 24, .stencil = 8}},
    {DRV_FORMAT_Z24X8_UNORM, {.depth = 24}},
    {DRV_FORMAT_X8Z24_UNORM, {.depth = 24}},
    {DRV_FORMAT_Z16_UNORM, {.depth = 16}},
};

struct tgt_format_bits tgt_format_bits(enum drv_format format)
{
    for (unsigned i = 0; i < ARRAY_SIZE(tgt_formats); i++) {
        if (tgt_formats[i].format == format)
            return tgt_formats[i].bits;
    }
    return (struct tgt_format_bits){0};
}

bool tgt_is_float(enum drv_format format)
{
    return format == DRV_FORMAT_R16G16B16A16_FLOAT || format == DRV_FORMAT_R32G32B32A32_FLOAT ||
           format == DRV_FORMAT_R11G11B10_FLOAT;
}

static int shift_of(enum drv_format format, unsigned component)
{
    for (unsigned i = 0; i < ARRAY_SIZE(tgt_formats); i++) {
        if (tgt_formats[i].format == format)
            return tgt_formats[i].shift[component];
    }
    return -1;
}

static unsigned mask_of(const struct tgt_config *config, unsigned component)
{
    const struct tgt_format_bits *bits = &config->bits;
    const uint8_t sizes[4] = {bits->red, bits->green, bits->blue, bits->alpha};
    int shift = shift_of(config->gl.color, component);

    return shift < 0 ? 0 : ((1u << sizes[component]) - 1) << shift;
}

/* Returns the format with alpha in place of padding, or DRV_FORMAT_NONE. */
static enum drv_format format_with_alpha(enum drv_format format)
{
    switch (format) {
    case DRV_FORMAT_B8G8R8X8_UNORM:
        return DRV_FORMAT_B8G8R8A8_UNORM;
    case DRV_FORMAT_R8G8B8X8_UNORM:
        return DRV_FORMAT_R8G8B8A8_UNORM;
    case DRV_FORMAT_B5G5R5X1_UNORM:
        return DRV_FORMAT_B5G5R5A1_UNORM;
    default:
        return DRV_FORMAT_NONE;
    }
}

/* Kinds of configurations. Rare ones exist only with the largest depth and stencil. */
static const struct tgt_kind {
    uint8_t accum, samples;
    bool double_buffered, srgb, rare;
} tgt_kinds[] = {
    {.double_buffered = true},
    {0},
    {.double_buffered = true, .accum = 16, .rare = true},
    {.accum = 16, .rare = true},
    {.double_buffered = true, .srgb = true, .rare = true},
    {.srgb = true, .rare = true},
    {.double_buffered = true, .samples = 4, .rare = true},
    {.double_buffered = true, .samples = 8, .rare = true},
    {.double_buffered = true, .samples = 16, .rare = true},
    {.samples = 4, .rare = true},
    {.samples = 8, .rare = true},
    {.samples = 16, .rare = true},
};

const struct ws_config tgt_float_natives[TGT_FLOAT_NATIVES] = {
    {.format = DRV_FORMAT_R16G16B16A16_FLOAT},
    {.format = DRV_FORMAT_R32G32B32A32_FLOAT},
    {.format = DRV_FORMAT_R11G11B10_FLOAT},
};

static bool egl_has(const struct tgt_kind *kind)
{
    return kind->double_buffered && !kind->accum && !kind->srgb;
}

enum { MAX_DEPTH_STENCIL = 8 };

struct depth_stencil {
    enum drv_format format;
    struct tgt_format_bits bits;
};

/* Writes up to `most` depth/stencil formats that the core can combine with the visual, the most
 * useful first, one per combination of sizes; includes DRV_FORMAT_NONE. Returns their number. */
static unsigned depth_stencil_formats(const struct indium_core *core,
                                      const struct gl_visual *visual, unsigned most,
                                      struct depth_stencil out[MAX_DEPTH_STENCIL])
{
    static const enum drv_format candidates[] = {
        DRV_FORMAT_Z24S8_UNORM, DRV_FORMAT_S8Z24_UNORM, DRV_FORMAT_NONE,
        DRV_FORMAT_Z24X8_UNORM, DRV_FORMAT_X8Z24_UNORM, DRV_FORMAT_Z16_UNORM,
    };
    unsigned n = 0;

    for (unsigned i = 0; i < ARRAY_SIZE(candidates) && n < most; i++) {
        struct tgt_format_bits bits = tgt_format_bits(candidates[i]);
        struct gl_visual v = *visual;
        bool known = false;

        for (unsigned j = 0; j < n; j++)
            known |= out[j].bits.depth == bits.depth && out[j].bits.stencil == bits.stencil;
        v.depth_stencil = candidates[i];
        if (!known && core->visual_supported(&v))
            out[n++] = (struct depth_stencil){candidates[i], bits};
    }
    return n;
}

static unsigned add_kind(const struct indium_core *core, const struct ws_config *native,
                         const struct tgt_kind *kind, enum drv_format color, struct tgt_config *out)
{
    struct gl_visual visual = {
        .color = color,
        .accum_bits = kind->accum,
        .samples = kind->samples,
        .double_buffered = kind->double_buffered,
        .srgb_capable = kind->srgb,
    };
    struct tgt_format_bits bits = tgt_format_bits(color);
    struct depth_stencil zs[MAX_DEPTH_STENCIL];
    unsigned n = depth_stencil_formats(core, &visual, kind->rare ? 1 : MAX_DEPTH_STENCIL, zs);

    for (unsigned i = 0; i < n; i++) {
        visual.depth_stencil = zs[i].format;
        out[i] = (struct tgt_config){.native = *native, .gl = visual, .bits = bits};
        out[i].bits.depth = zs[i].bits.depth;
        out[i].bits.stencil = zs[i].bits.stencil;
    }
    return n;
}

unsigned tgt_list_configs(const struct indium_core *core, const struct ws_config *native,
                          enum tgt_config_api api, struct tgt_config out[TGT_MAX_CONFIGS])
{
    const enum drv_format colors[] = {
        native->format,
        api == TGT_FOR_GLX || api == TGT_FOR_EGL ? format_with_alpha(native->format)
                                                 : DRV_FORMAT_NONE,
    };
    unsigned n = 0;

    _Static_assert(ARRAY_SIZE(tgt_kinds) * ARRAY_SIZE(colors) * MAX_DEPTH_STENCIL <=
                       TGT_MAX_CONFIGS,
                   "the array fits all configurations");
    for (unsigned k = 0; k < ARRAY_SIZE(tgt_kinds); k++) {
        if (api != TGT_FOR_GLX && api != TGT_FOR_DRI && !egl_has(&tgt_kinds[k]))
            continue;
        if (tgt_is_float(native->format) && (tgt_kinds[k].accum || tgt_kinds[k].srgb))
            continue;
        for (unsigned c = 0; c < ARRAY_SIZE(colors); c++) {
            if (colors[c] != DRV_FORMAT_NONE)
                n += add_kind(core, native, &tgt_kinds[k], colors[c], &out[n]);
        }
    }
    return n;
}

int tgt_config_value(const struct indium_core *core, const struct tgt_config *config,
                     const struct tgt_attrib_name *attrib)
{
    const struct tgt_format_bits *bits = &config->bits;
    const struct gl_visual *gl = &config->gl;

    switch (attrib->source) {
    case TGT_CONSTANT:
        return attrib->constant;
    case TGT_ID:
        return config->id;
    case TGT_NATIVE_ID:
        return config->native.native_id;
    case TGT_BUFFER_SIZE:
        return bits->red + bits->green + bits->blue + bits->alpha;
    case TGT_RED_SIZE:
        return bits->red;
    case TGT_GREEN_SIZE:
        return bits->green;
    case TGT_BLUE_SIZE:
        return bits->blue;
    case TGT_ALPHA_SIZE:
        return bits->alpha;
    case TGT_HAS_ALPHA:
        return bits->alpha > 0;
    case TGT_DEPTH_SIZE:
        return bits->depth;
    case TGT_STENCIL_SIZE:
        return bits->stencil;
    case TGT_ACCUM_SIZE:
        return gl->accum_bits;
    case TGT_ACCUM_ALPHA_SIZE:
        return bits->alpha ? gl->accum_bits : 0;
    case TGT_SAMPLE_BUFFERS:
        return gl->samples > 1;
    case TGT_SAMPLES:
        return gl->samples > 1 ? gl->samples : 0;
    case TGT_DOUBLE_BUFFERED:
        return gl->double_buffered;
    case TGT_STEREO:
        return gl->stereo;
    case TGT_SRGB:
        return gl->srgb_capable;
    case TGT_RED_MASK:
    case TGT_GREEN_MASK:
    case TGT_BLUE_MASK:
    case TGT_ALPHA_MASK:
        return mask_of(config, attrib->source - TGT_RED_MASK);
    case TGT_RED_SHIFT:
    case TGT_GREEN_SHIFT:
    case TGT_BLUE_SHIFT:
    case TGT_ALPHA_SHIFT:
        return shift_of(gl->color, attrib->source - TGT_RED_SHIFT);
    case TGT_MAX_SIDE:
        return core->max_drawable_size();
    case TGT_MAX_AREA:
        return core->max_drawable_size() * core->max_drawable_size();
    }
    return 0;
}

const struct tgt_attrib_name *tgt_attrib_find(const struct tgt_attrib_name *table, unsigned n,
                                              int name)
{
    for (unsigned i = 0; i < n; i++) {
        if (table[i].name == name)
            return &table[i];
    }
    return NULL;
}

bool tgt_supports_srgb(const struct indium_core *core)
{
    return core->visual_supported(&(struct gl_visual){
        .color = DRV_FORMAT_B8G8R8A8_UNORM, .double_buffered = true, .srgb_capable = true});
}

bool tgt_version_defined(bool es, int major, int minor)
{
    static const int last_gl[] = {-1, 5, 1, 3, 6}, last_es[] = {-1, 1, 0, 2};
    const int *last = es ? last_es : last_gl;

    return major >= 1 && major <= (es ? 3 : 4) && minor >= 0 && minor <= last[major];
}

enum gl_api tgt_desktop_api(const struct indium_core *core, int major, int minor, bool forward,
                            bool core_profile)
{
    int version = major * 10 + minor;

    if (version >= 32)
        return core_profile ? GL_API_CORE : GL_API_COMPAT;
    return forward || (version == 31 && core->max_version(GL_API_COMPAT) < 31) ? GL_API_CORE
                                                                               : GL_API_COMPAT;
}
