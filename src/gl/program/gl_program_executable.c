/* SPDX-License-Identifier: MIT */
/* Executables: the data of a linked or fixed-function program that draws need. */
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_owned.h"
#include "gl/program/gl_program.h"
#include "gl/texture/gl_texture.h"
#include "glsl/glsl.h"
#include "util/refcount.h"

/* ----------------------------------------------------------------------------------- stages --- */

static uint8_t texture_index(const struct glsl_type *t)
{
    static const uint8_t plain[] = {
        [GLSL_SAMPLER_DIM_1D] = GL_TEXTURE_INDEX_1D,
        [GLSL_SAMPLER_DIM_2D] = GL_TEXTURE_INDEX_2D,
        [GLSL_SAMPLER_DIM_3D] = GL_TEXTURE_INDEX_3D,
        [GLSL_SAMPLER_DIM_CUBE] = GL_TEXTURE_INDEX_CUBE,
        [GLSL_SAMPLER_DIM_RECT] = GL_TEXTURE_INDEX_RECT,
        [GLSL_SAMPLER_DIM_BUF] = GL_TEXTURE_INDEX_BUFFER,
        [GLSL_SAMPLER_DIM_MS] = GL_TEXTURE_INDEX_2D_MS,
        [GLSL_SAMPLER_DIM_EXTERNAL] = GL_TEXTURE_INDEX_EXTERNAL,
    };
    if (!t->sampler_array)
        return plain[t->sampler_dim];
    return t->sampler_dim == GLSL_SAMPLER_DIM_1D     ? GL_TEXTURE_INDEX_1D_ARRAY
           : t->sampler_dim == GLSL_SAMPLER_DIM_CUBE ? GL_TEXTURE_INDEX_CUBE_ARRAY
           : t->sampler_dim == GLSL_SAMPLER_DIM_MS   ? GL_TEXTURE_INDEX_2D_MS_ARRAY
                                                     : GL_TEXTURE_INDEX_2D_ARRAY;
}

static struct gl_stage *create_stage(struct gl_executable *exe, nir_shader *nir)
{
    struct gl_stage *stage = talloc_zero(exe, struct gl_stage);
    if (!stage)
        return NULL;
    stage->stage = nir->info.stage;
    stage->stamp = 1;
    stage->nir = nir;
    exe->stage[stage->stage] = stage;
    return stage;
}

/* Adds a uniform's samplers to the stages. sampled: masks of the slots that the stages use, because
 * unused array elements are not active. */
static void add_samplers(struct gl_executable *exe, const struct glsl_uniform *u,
                         const uint32_t sampled[SHADER_STAGE_COUNT])
{
    const struct glsl_type *t = glsl_without_array(u->type);
    if (!u->opaque || !glsl_type_is_sampler(t))
        return;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!exe->stage[s] || u->opaque_index[s] < 0)
            continue;
        for (unsigned i = 0; i < MAX2(u->array_size, 1); i++) {
            unsigned slot = u->opaque_index[s] + i;
            if (slot >= DRV_MAX_SAMPLERS)
                break;
            if (!(sampled[s] >> slot & 1))
                continue;
            int unit = u->location >= 0 ? exe->opaque_units[u->location + i] : 0;
            exe->stage[s]->sampler[slot] = (struct gl_sampler_use){
                .used = true, .shadow = t->sampler_shadow, .index = texture_index(t), .unit = unit};
            exe->stage[s]->num_samplers = MAX2(exe->stage[s]->num_samplers, slot + 1);
        }
    }
}

static void add_images(struct gl_executable *exe, const struct glsl_uniform *u)
{
    const struct glsl_type *t = glsl_without_array(u->type);
    if (!u->opaque || !glsl_type_is_image(t))
        return;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct gl_stage *stage = exe->stage[s];
        for (unsigned i = 0; stage && u->opaque_index[s] >= 0 && i < MAX2(u->array_size, 1); i++) {
            unsigned slot = u->opaque_index[s] + i;
            if (slot >= DRV_MAX_IMAGES)
                break;
            int unit = u->location >= 0 ? exe->opaque_units[u->location + i] : 0;
            stage->image[slot] =
                (struct gl_image_use){.used = true, .index = texture_index(t), .unit = unit};
            stage->num_images = MAX2(stage->num_images, slot + 1);
        }
    }
}

static void add_uniform_blocks(struct gl_executable *exe)
{
    for (unsigned i = 0; i < exe->glsl->num_blocks; i++) {
        const struct glsl_block *block = &exe->glsl->blocks[i];
        for (unsigned s = 0; s < SHADER_STAGE_COUNT && !block->is_storage; s++) {
            struct gl_stage *stage = exe->stage[s];
            int slot = block->stage_index[s];
            if (!stage || slot < 0 || slot >= (int)ARRAY_SIZE(stage->uniform_block))
                continue;
            stage->uniform_block[slot] = i;
            stage->num_uniform_blocks = MAX2(stage->num_uniform_blocks, (unsigned)slot + 1);
        }
    }
}

static void set_storage(struct gl_stage *stage, unsigned slot, bool counters, unsigned index)
{
    if (!stage || slot >= ARRAY_SIZE(stage->storage))
        return;
    stage->storage[slot] = (struct gl_storage_use){counters, (uint16_t)index};
    stage->num_storage = MAX2(stage->num_storage, slot + 1);
}

static void add_storage_buffers(struct gl_executable *exe)
{
    const struct glsl_program *glsl = exe->glsl;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!exe->stage[s])
            continue;
        for (unsigned i = 0; i < glsl->num_blocks; i++)
            if (glsl->blocks[i].is_storage && glsl->blocks[i].stage_index[s] >= 0)
                set_storage(exe->stage[s], glsl->blocks[i].stage_index[s], false, i);
        for (unsigned i = 0; i < glsl->num_atomic_buffers; i++)
            if (glsl->atomic_buffers[i].stage_index[s] >= 0)
                set_storage(exe->stage[s],
                            exe->stage[s]->nir->info.num_ssbos +
                                glsl->atomic_buffers[i].stage_index[s],
                            true, i);
    }
}

/* --------------------------------------------------------------------------------- uniforms --- */

static unsigned uniform_bytes(const struct glsl_uniform *u)
{
    unsigned element = glsl_packed_size(u->type);
    return u->array_size ? u->array_stride * (u->array_size - 1) + element : element;
}

/* Adds a range of the storage to the ranges that the stages in a mask read. */
static void add_range(struct gl_executable *exe, unsigned stages, unsigned start, unsigned size)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct gl_stage *stage = exe->stage[s];
        if (!stage || !(stages >> s & 1))
            continue;
        struct gl_byte_range *last =
            stage->num_ranges ? &stage->ranges[stage->num_ranges - 1] : NULL;
        if (last && last->start + last->size == start)
            last->size += size;
        else
            stage->ranges[stage->num_ranges++] = (struct gl_byte_range){start, size};
    }
}

/* Sets initial values and collects each stage's uniform ranges. */
static bool init_storage(struct gl_executable *exe)
{
    const struct glsl_program *glsl = exe->glsl;
    exe->storage_bytes = glsl->default_block_size;
    exe->storage = talloc_zero_array(exe, uint8_t, MAX2(exe->storage_bytes, 1));
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!exe->stage[s])
            continue;
        exe->stage[s]->ranges =
            talloc_array(exe->stage[s], struct gl_byte_range, glsl->num_uniforms + 1);
        if (!exe->stage[s]->ranges)
            return false;
    }
    exe->opaque_units = talloc_zero_array(exe, int, MAX2(glsl->num_locations, 1));
    exe->block_bindings = talloc_zero_array(exe, GLuint, MAX2(glsl->num_blocks, 1));
    if (!exe->storage || !exe->opaque_units || !exe->block_bindings)
        return false;
    for (unsigned i = 0; i < glsl->num_blocks; i++)
        exe->block_bindings[i] = MAX2(glsl->blocks[i].binding, 0);
    for (unsigned i = 0; i < glsl->num_uniforms; i++) {
        const struct glsl_uniform *u = &glsl->uniforms[i];
        if (u->opaque) {
            if (u->handle_offset >= 0)
                add_range(exe, u->stages, u->handle_offset, 8 * MAX2(u->array_size, 1));
            for (unsigned e = 0; u->location >= 0 && e < MAX2(u->array_size, 1); e++)
                exe->opaque_units[u->location + e] =
                    MAX2(u->binding, 0) + (u->binding >= 0 ? e : 0);
            continue;
        }
        unsigned bytes = uniform_bytes(u);
        if (u->builtin || u->block_index >= 0 || u->offset < 0 ||
            u->offset + bytes > exe->storage_bytes)
            continue;
        if (u->initial)
            memcpy(exe->storage + u->offset, u->initial, bytes);
        add_range(exe, u->stages, u->offset, bytes);
    }
    return true;
}

/* -------------------------------------------------------------------------- what is missing --- */

/* Returns whether the shader has 64-bit operations of a kind that the driver lacks. */
static bool is_too_wide(const struct drv_caps *caps, const nir_shader *nir)
{
    if (caps->doubles && caps->int64)
        return false;
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_alu)
                continue;
            const nir_alu_instr *alu = nir_instr_as_alu(instr);
            nir_alu_type type = nir_alu_type_get_base_type(nir_op_infos[alu->op].output_type);
            if (alu->def.bit_size == 64 && !(type == nir_type_float ? caps->doubles : caps->int64))
                return true;
        }
    }
    return false;
}

static const char *missing_in(const struct drv_caps *caps, const nir_shader *nir)
{
    const struct drv_stage_caps *stage = &caps->stage[nir->info.stage];
    if (nir->info.num_images > stage->max_images)
        return "images in shaders";
    if (nir->info.num_ssbos + nir->info.num_abos > stage->max_storage_buffers)
        return "storage buffers and atomic counters";
    if (is_too_wide(caps, nir))
        return "numbers of 64 bits in shaders";
    return NULL;
}

const char *gl_undrawable_reason(const struct gl_context *ctx, const struct gl_executable *exe)
{
    static const char *const stages[SHADER_STAGE_COUNT] = {
        [SHADER_TESS_CTRL] = "tessellation",    [SHADER_TESS_EVAL] = "tessellation",
        [SHADER_GEOMETRY] = "geometry shaders", [SHADER_COMPUTE] = "compute shaders",
        [SHADER_TASK] = "task shaders",         [SHADER_MESH] = "mesh shaders",
    };
    const struct drv_caps *caps = &ctx->screen->caps;
    const char *reason = NULL;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && !reason; s++) {
        if (!exe->stage[s])
            continue;
        if (stages[s] && !caps->stage[s].supported)
            return stages[s];
        reason = missing_in(caps, exe->stage[s]->nir);
    }
    return reason;
}

/* ------------------------------------------------------------------------------- life cycle --- */

static bool reads_materials(nir_shader *nir)
{
    nir_foreach_uniform_variable(var, nir) for (unsigned i = 0; i < var->num_state_slots;
                                                i++) if (gl_state_dirty(&var->state_slots[i]) &
                                                         GL_DIRTY_MATERIAL) return true;
    return false;
}

struct gl_executable *gl_executable_create(struct glsl_program *glsl)
{
    struct gl_executable *exe = talloc_zero(NULL, struct gl_executable);
    if (!exe) {
        talloc_free(glsl);
        return NULL;
    }
    exe->refcount = 1;
    exe->glsl = talloc_steal(exe, glsl);
    bool ok = true;
    uint32_t sampled[SHADER_STAGE_COUNT] = {0};
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && ok; s++) {
        if (!glsl->nir[s])
            continue;
        ok = create_stage(exe, glsl->nir[s]);
        sampled[s] = nir_sampled_slots(glsl->nir[s]);
        exe->num_views = MAX2(exe->num_views, glsl->nir[s]->info.num_views);
        exe->reads_materials |= reads_materials(glsl->nir[s]);
    }
    if (!ok || !init_storage(exe)) {
        talloc_free(exe);
        return NULL;
    }
    for (unsigned i = 0; i < glsl->num_uniforms; i++) {
        add_samplers(exe, &glsl->uniforms[i], sampled);
        add_images(exe, &glsl->uniforms[i]);
    }
    add_uniform_blocks(exe);
    add_storage_buffers(exe);
    return exe;
}

struct gl_executable *gl_executable_from_nir(nir_shader *nir)
{
    struct gl_executable *exe = talloc_zero(NULL, struct gl_executable);
    if (!exe || !create_stage(exe, nir)) {
        talloc_free(exe);
        nir_shader_destroy(nir);
        return NULL;
    }
    talloc_steal(exe, nir);
    exe->refcount = 1;
    exe->reads_materials = reads_materials(nir);
    nir_shader_gather_info(nir);
    return exe;
}

void gl_executable_reference(struct gl_context *ctx, struct gl_executable **dst,
                             struct gl_executable *src)
{
    struct gl_executable *dead = REF_REPLACE(dst, src);
    if (!dead)
        return;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!dead->stage[s])
            continue;
        gl_executable_reference(ctx, &dead->stage[s]->mesh_vertex, NULL);
        for (struct gl_variant *v = dead->stage[s]->variants; v; v = v->next)
            gl_owned_release(ctx, &v->owned);
    }
    talloc_free(dead);
}
