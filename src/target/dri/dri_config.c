/* SPDX-License-Identifier: MIT */
/* Configurations for the formats that loaders match with X visuals. */
#include <stdlib.h>

#include "target/dri/dri_private.h"
#include "util/check.h"
#include "util/macros.h"

static const enum drv_format formats[] = {
    DRV_FORMAT_B8G8R8A8_UNORM, DRV_FORMAT_B8G8R8X8_UNORM,    DRV_FORMAT_R8G8B8A8_UNORM,
    DRV_FORMAT_R8G8B8X8_UNORM, DRV_FORMAT_B10G10R10A2_UNORM, DRV_FORMAT_B5G6R5_UNORM,
};

const __DRIconfig **dri_configs_create(const struct indium_core *core)
{
    __DRIconfig **list = calloc(ARRAY_SIZE(formats) * TGT_MAX_CONFIGS + 1, sizeof *list);
    unsigned count = 0;

    for (unsigned f = 0; list && f < ARRAY_SIZE(formats); f++) {
        const struct ws_config native = {
            .format = formats[f],
            .can_window = true,
            .can_pixmap = true,
        };
        struct tgt_config found[TGT_MAX_CONFIGS];
        unsigned n = tgt_list_configs(core, &native, TGT_FOR_DRI, found);

        for (unsigned i = 0; i < n; i++) {
            list[count] = malloc(sizeof **list);
            if (list[count])
                NEXT_WITHIN(list, count, ARRAY_SIZE(formats) * TGT_MAX_CONFIGS)->base = found[i];
        }
    }
    return (const __DRIconfig **)list;
}

/* In ascending order of tokens, because X servers misread other orders. Constants are GLX values
 * (GLX_NONE is 0x8000, GLX_DONT_CARE is -1), which loaders compare with. */
static const struct tgt_attrib_name names[] = {
    {__DRI_ATTRIB_BUFFER_SIZE, TGT_BUFFER_SIZE},
    {__DRI_ATTRIB_LEVEL, TGT_CONSTANT},
    {__DRI_ATTRIB_RED_SIZE, TGT_RED_SIZE},
    {__DRI_ATTRIB_GREEN_SIZE, TGT_GREEN_SIZE},
    {__DRI_ATTRIB_BLUE_SIZE, TGT_BLUE_SIZE},
    {__DRI_ATTRIB_LUMINANCE_SIZE, TGT_CONSTANT},
    {__DRI_ATTRIB_ALPHA_SIZE, TGT_ALPHA_SIZE},
    {__DRI_ATTRIB_ALPHA_MASK_SIZE, TGT_CONSTANT},
    {__DRI_ATTRIB_DEPTH_SIZE, TGT_DEPTH_SIZE},
    {__DRI_ATTRIB_STENCIL_SIZE, TGT_STENCIL_SIZE},
    {__DRI_ATTRIB_ACCUM_RED_SIZE, TGT_ACCUM_SIZE},
    {__DRI_ATTRIB_ACCUM_GREEN_SIZE, TGT_ACCUM_SIZE},
    {__DRI_ATTRIB_ACCUM_BLUE_SIZE, TGT_ACCUM_SIZE},
    {__DRI_ATTRIB_ACCUM_ALPHA_SIZE, TGT_ACCUM_ALPHA_SIZE},
    {__DRI_ATTRIB_SAMPLE_BUFFERS, TGT_SAMPLE_BUFFERS},
    {__DRI_ATTRIB_SAMPLES, TGT_SAMPLES},
    {__DRI_ATTRIB_RENDER_TYPE, TGT_CONSTANT, __DRI_ATTRIB_RGBA_BIT},
    {__DRI_ATTRIB_CONFIG_CAVEAT, TGT_CONSTANT},
    {__DRI_ATTRIB_CONFORMANT, TGT_CONSTANT, 1},
    {__DRI_ATTRIB_DOUBLE_BUFFER, TGT_DOUBLE_BUFFERED},
    {__DRI_ATTRIB_STEREO, TGT_STEREO},
    {__DRI_ATTRIB_AUX_BUFFERS, TGT_CONSTANT},
    {__DRI_ATTRIB_TRANSPARENT_TYPE, TGT_CONSTANT, 0x8000},
    {__DRI_ATTRIB_TRANSPARENT_INDEX_VALUE, TGT_CONSTANT, 0x8000},
    {__DRI_ATTRIB_TRANSPARENT_RED_VALUE, TGT_CONSTANT, -1},
    {__DRI_ATTRIB_TRANSPARENT_GREEN_VALUE, TGT_CONSTANT, -1},
    {__DRI_ATTRIB_TRANSPARENT_BLUE_VALUE, TGT_CONSTANT, -1},
    {__DRI_ATTRIB_TRANSPARENT_ALPHA_VALUE, TGT_CONSTANT, -1},
    {__DRI_ATTRIB_FLOAT_MODE, TGT_CONSTANT},
    {__DRI_ATTRIB_RED_MASK, TGT_RED_MASK},
    {__DRI_ATTRIB_GREEN_MASK, TGT_GREEN_MASK},
    {__DRI_ATTRIB_BLUE_MASK, TGT_BLUE_MASK},
    {__DRI_ATTRIB_ALPHA_MASK, TGT_ALPHA_MASK},
    {__DRI_ATTRIB_MAX_PBUFFER_WIDTH, TGT_CONSTANT},
    {__DRI_ATTRIB_MAX_PBUFFER_HEIGHT, TGT_CONSTANT},
    {__DRI_ATTRIB_MAX_PBUFFER_PIXELS, TGT_CONSTANT},
    {__DRI_ATTRIB_OPTIMAL_PBUFFER_WIDTH, TGT_CONSTANT},
    {__DRI_ATTRIB_OPTIMAL_PBUFFER_HEIGHT, TGT_CONSTANT},
    {__DRI_ATTRIB_VISUAL_SELECT_GROUP, TGT_CONSTANT},
    {__DRI_ATTRIB_SWAP_METHOD, TGT_CONSTANT, __DRI_ATTRIB_SWAP_UNDEFINED},
    {__DRI_ATTRIB_MAX_SWAP_INTERVAL, TGT_CONSTANT, INT32_MAX},
    {__DRI_ATTRIB_MIN_SWAP_INTERVAL, TGT_CONSTANT},
    {__DRI_ATTRIB_BIND_TO_TEXTURE_RGB, TGT_CONSTANT, 1},
    {__DRI_ATTRIB_BIND_TO_TEXTURE_RGBA, TGT_CONSTANT, 1},
    {__DRI_ATTRIB_BIND_TO_MIPMAP_TEXTURE, TGT_CONSTANT},
    {__DRI_ATTRIB_BIND_TO_TEXTURE_TARGETS, TGT_CONSTANT,
     __DRI_ATTRIB_TEXTURE_1D_BIT | __DRI_ATTRIB_TEXTURE_2D_BIT |
         __DRI_ATTRIB_TEXTURE_RECTANGLE_BIT},
    {__DRI_ATTRIB_YINVERTED, TGT_CONSTANT, 1},
    {__DRI_ATTRIB_FRAMEBUFFER_SRGB_CAPABLE, TGT_SRGB},
    {__DRI_ATTRIB_MUTABLE_RENDER_BUFFER, TGT_CONSTANT},
    {__DRI_ATTRIB_RED_SHIFT, TGT_RED_SHIFT},
    {__DRI_ATTRIB_GREEN_SHIFT, TGT_GREEN_SHIFT},
    {__DRI_ATTRIB_BLUE_SHIFT, TGT_BLUE_SHIFT},
    {__DRI_ATTRIB_ALPHA_SHIFT, TGT_ALPHA_SHIFT},
};

int dri_config_index(const __DRIconfig *config, int index, unsigned *attrib, unsigned *value)
{
    if (index < 0 || index >= (int)ARRAY_SIZE(names))
        return 0;
    *attrib = names[index].name;
    *value = tgt_config_value(indium_core_interface(), &config->base, &names[index]);
    return 1;
}

int dri_config_attrib(const __DRIconfig *config, unsigned attrib, unsigned *value)
{
    unsigned name;

    for (int i = 0; dri_config_index(config, i, &name, value); i++) {
        if (name == attrib)
            return 1;
    }
    return 0;
}
