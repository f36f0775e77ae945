/* SPDX-License-Identifier: MIT */
#include "model_fixture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *find(void *vm, uint64_t address, uint64_t *bytes)
{
    struct fixture *f = vm;

    if (address < FIXTURE_ADDRESS || address - FIXTURE_ADDRESS >= FIXTURE_BYTES)
        return NULL;
    *bytes = FIXTURE_BYTES - (address - FIXTURE_ADDRESS);
    return f->bytes + (address - FIXTURE_ADDRESS);
}

void fixture_init(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->bytes = calloc(1, FIXTURE_BYTES);
    f->memory = (struct i965_model_memory){find, f};
    f->ctx.generation = I965_GENERATION_9;
    f->ctx.device = i965_device_by_name("skl");
    f->ctx.memory = &f->memory;
    f->ctx.packet_name = "TEST";
    f->ctx.instructions_left = UINT32_MAX;
    f->ctx.error = f->error;
    f->ctx.error_size = sizeof f->error;
    f->ctx.state.dynamic = (struct model_base){FIXTURE_ADDRESS, FIXTURE_BYTES};
    f->ctx.state.surface = f->ctx.state.dynamic;
}

void fixture_finish(struct fixture *f)
{
    free(f->bytes);
}

struct i965_render_surface_state fixture_surface(uint32_t format, uint32_t tile, uint32_t width,
                                                 uint32_t height, uint32_t pitch)
{
    return (struct i965_render_surface_state){
        .surface_type = I965_SURFACE_TYPE_SURFTYPE_2D,
        .surface_format = format,
        .tile_mode = tile,
        .surface_horizontal_alignment = I965_SURFACE_HORIZONTAL_ALIGNMENT_HALIGN_4,
        .surface_vertical_alignment = I965_SURFACE_VERTICAL_ALIGNMENT_VALIGN_4,
        .width = width - 1,
        .height = height - 1,
        .surface_pitch = pitch - 1,
        .shader_channel_select_red = I965_SHADER_CHANNEL_SELECT_RED,
        .shader_channel_select_green = I965_SHADER_CHANNEL_SELECT_GREEN,
        .shader_channel_select_blue = I965_SHADER_CHANNEL_SELECT_BLUE,
        .shader_channel_select_alpha = I965_SHADER_CHANNEL_SELECT_ALPHA,
        .surface_base_address = FIXTURE_ADDRESS,
    };
}
