/* SPDX-License-Identifier: MIT */
#include "driver/cpu/kernel/cpu_nir_vertex.h"

#define GUARD_BAND 16384.0f /* pixels to each side; see CPU_CLIP_GUARD_BAND */

void cpu_nir_store_outputs(nir_builder *b, const struct cpu_outputs *outputs, uint64_t slots,
                           const struct cpu_vertex_results *results,
                           struct cpu_stage_outputs *numbers)
{
    nir_def *row = nir_ishl_imm(b, results->first, 2);
    unsigned n = 0;

    for (unsigned slot = 0; slot < CPU_IO_SLOTS; slot++) {
        nir_variable *const *var = outputs->var[slot];
        if (!var[0] && !var[1] && !var[2] && !var[3])
            continue;
        for (unsigned c = 0; c < 4; c++) {
            nir_def *value = slots >> slot & 1 ? cpu_output_value(b, outputs, slot, c) : NULL;
            if (!value)
                continue;
            nir_def *offset = nir_iadd_imm(b, row, (n * 4 + c) * CPU_BATCH_VERTICES * 4);
            nir_store_global_block(b, value, results->out, offset, nir_imm_true(b), .align_mul = 4);
        }
        numbers->index[slot] = (uint8_t)++n;
    }
    numbers->count = (uint8_t)n;
    numbers->viewport_mask = b->shader->info.viewport_mask;
    numbers->viewport_relative_layer = b->shader->info.viewport_relative_layer;
}

/* Sets `bit` in the code if the condition is true. */
static nir_def *code_bit(nir_builder *b, nir_def *code, nir_def *condition, uint32_t bit)
{
    return nir_ior(b, code, nir_bcsel(b, condition, nir_imm_int(b, (int)bit), nir_imm_int(b, 0)));
}

static nir_def *view_volume_code(nir_builder *b, const struct cpu_finish_vertices_key *key,
                                 nir_def *const pos[4])
{
    nir_def *x = pos[0], *y = pos[1], *z = pos[2], *w = pos[3];
    nir_def *minus_w = nir_fneg(b, w), *code = nir_imm_int(b, 0);

    code = code_bit(b, code, nir_flt(b, x, minus_w), CPU_CLIP_LEFT);
    code = code_bit(b, code, nir_flt(b, w, x), CPU_CLIP_RIGHT);
    code = code_bit(b, code, nir_flt(b, y, minus_w), CPU_CLIP_BOTTOM);
    code = code_bit(b, code, nir_flt(b, w, y), CPU_CLIP_TOP);
    if (key->depth_clip_near) {
        nir_def *near = key->clip_halfz ? nir_imm_float(b, 0.0f) : minus_w;
        code = code_bit(b, code, nir_flt(b, z, near), CPU_CLIP_NEAR);
    }
    if (key->depth_clip_far)
        code = code_bit(b, code, nir_flt(b, w, z), CPU_CLIP_FAR);
    nir_def *positive = nir_flt(b, nir_imm_float(b, 0.0f), w);
    code = code_bit(b, code, nir_inot(b, positive), CPU_CLIP_W);
    nir_def *nan = nir_fneu(b, x, x);
    for (unsigned c = 1; c < 4; c++)
        nan = nir_ior(b, nan, nir_fneu(b, pos[c], pos[c]));
    return code_bit(b, code, nan, CPU_CLIP_NAN);
}

/* Sets a bit for each enabled distance in two slots that is negative or NaN. */
static nir_def *distance_code(nir_builder *b, nir_def *code, const struct cpu_outputs *outputs,
                              unsigned slot, uint32_t enabled, uint32_t first_bit)
{
    for (unsigned i = 0; i < DRV_MAX_CLIP_PLANES; i++) {
        nir_def *d = cpu_output_value(b, outputs, slot + i / 4, i % 4);
        if (!d || !(enabled >> i & 1))
            continue;
        nir_def *inside = nir_fge(b, d, nir_imm_float(b, 0.0f));
        code = code_bit(b, code, nir_inot(b, inside), first_bit << i);
    }
    return code;
}

/* Returns the byte offset of the viewport that the shader selects, or NULL for viewport 0. GL 4.6
 * §11.3.4.4 leaves indices out of range undefined; they select viewport 0. Of a mask, the lowest
 * viewport is used; the front end transforms the vertices again for the others. */
static nir_def *viewport_offset(nir_builder *b, const struct cpu_outputs *outputs)
{
    nir_def *number = cpu_output_value(b, outputs, VARYING_SLOT_VIEWPORT, 0);

    if (!number)
        return NULL;
    if (b->shader->info.viewport_mask)
        number = nir_find_lsb(b, number);
    nir_def *exists = nir_ult(b, number, nir_imm_int(b, DRV_MAX_VIEWPORTS));
    number = nir_bcsel(b, exists, number, nir_imm_int(b, 0));
    return nir_imul_imm(b, number, sizeof(struct drv_viewport));
}

/* Loads a float of the vertices' viewport. */
static nir_def *load_viewport(struct cpu_kernel_builder *kb, nir_def *viewport, nir_def *offset,
                              unsigned field)
{
    nir_builder *b = &kb->b;

    if (offset)
        return nir_load_global_constant(b, 1, 32, viewport, nir_iadd_imm(b, offset, field),
                                        .align_mul = 4);
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(kb);
    nir_def *def = cpu_load_const(b, 1, 32, viewport, field);
    cpu_kernel_leave_prologue(kb, saved);
    return def;
}

/* GL 4.6 §13.8: division by w and viewport transformation. */
void cpu_nir_finish_vertices(struct cpu_kernel_builder *kb, const struct cpu_outputs *outputs,
                             const struct cpu_vertex_results *results)
{
    const struct cpu_finish_vertices_key *key = results->key;
    nir_builder *b = &kb->b;
    nir_def *pos[4];

    if (!key->last)
        return;
    for (unsigned c = 0; c < 4; c++) {
        pos[c] = cpu_output_value(b, outputs, VARYING_SLOT_POS, c);
        if (!pos[c])
            pos[c] = nir_imm_float(b, 0.0f);
    }
    nir_def *row = nir_ishl_imm(b, results->first, 2), *yes = nir_imm_true(b);
    nir_def *inv_w = nir_fdiv(b, nir_imm_float(b, 1.0f), pos[3]);
    nir_def *code = view_volume_code(b, key, pos), *outside = nir_imm_false(b);
    nir_def *chosen = viewport_offset(b, outputs);

    for (unsigned c = 0; c < 3; c++) {
        nir_def *scale = load_viewport(kb, results->viewport, chosen,
                                       offsetof(struct drv_viewport, scale) + 4 * c);
        nir_def *translate = load_viewport(kb, results->viewport, chosen,
                                           offsetof(struct drv_viewport, translate) + 4 * c);
        nir_def *v = nir_fadd(b, nir_fmul(b, nir_fmul(b, pos[c], inv_w), scale), translate);
        nir_store_global_block(b, v, results->window,
                               nir_iadd_imm(b, row, c * CPU_BATCH_VERTICES * 4), yes,
                               .access = ACCESS_NUMBERS, .align_mul = 4);
        if (c < 2) {
            nir_def *inside = nir_fge(b, nir_imm_float(b, GUARD_BAND), nir_fabs(b, v));
            outside = nir_ior(b, outside, nir_inot(b, inside));
        }
    }
    code = code_bit(b, code, outside, CPU_CLIP_GUARD_BAND);
    nir_store_global_block(b, inv_w, results->window,
                           nir_iadd_imm(b, row, 3 * CPU_BATCH_VERTICES * 4), yes,
                           .access = ACCESS_NUMBERS, .align_mul = 4);
    code = distance_code(b, code, outputs, VARYING_SLOT_CLIP_DIST0, key->clip_plane_enable,
                         CPU_CLIP_USER0);
    code = distance_code(b, code, outputs, VARYING_SLOT_CULL_DIST0, 0xff, CPU_CLIP_CULL0);
    nir_store_global_block(b, code, results->clip_code, row, yes, .align_mul = 4);
}

/* ------------------------------------------------- a kernel that only finishes vertices --- */

/* Loads the outputs of a vector of vertices that cpu_nir_finish_vertices() needs. */
static void load_outputs(struct cpu_kernel_builder *kb, const struct cpu_stage_outputs *numbers,
                         const uint8_t *component, unsigned count,
                         const struct cpu_vertex_results *results, struct cpu_outputs *outputs)
{
    static const uint8_t wanted[] = {VARYING_SLOT_POS,        VARYING_SLOT_VIEWPORT,
                                     VARYING_SLOT_CLIP_DIST0, VARYING_SLOT_CLIP_DIST1,
                                     VARYING_SLOT_CULL_DIST0, VARYING_SLOT_CULL_DIST1};
    nir_builder *b = &kb->b;
    nir_def *row = nir_ishl_imm(b, results->first, 2);

    for (unsigned w = 0; w < count; w++) {
        for (unsigned i = 0; i < ARRAY_SIZE(wanted); i++) {
            unsigned slot = wanted[i], c = component[w];
            if (numbers->index[slot] != c / 4 + 1)
                continue;
            nir_def *offset = nir_iadd_imm(b, row, c * CPU_BATCH_VERTICES * 4);
            nir_def *value = nir_load_global_block(b, 1, 32, results->out, offset, .align_mul = 4);
            nir_store_var(b, cpu_output_variable(kb, outputs, slot, c % 4), value, 1);
        }
    }
}

struct jit_kernel *cpu_build_finish_vertices(struct jit_engine *engine,
                                             const struct cpu_stage_outputs *numbers,
                                             const uint8_t *component, unsigned count,
                                             const struct cpu_finish_vertices_key *key)
{
    nir_builder empty =
        nir_builder_init_simple_shader(NULL, SHADER_VERTEX, &cpu_nir_options, "finish_vertices");
    const struct cpu_shader shader = {.stage = SHADER_VERTEX, .nir = empty.shader};
    struct cpu_kernel_builder kb;
    struct cpu_outputs outputs = {0};
    struct cpu_vertex_results results = {.key = key};

    empty.shader->info.viewport_mask = numbers->viewport_mask;
    bool begun = cpu_kernel_begin(&kb, &shader, jit_engine_lanes(engine));
    nir_shader_destroy(empty.shader);
    if (!begun)
        return NULL;
    nir_builder *b = &kb.b;
    nir_def *vertices = cpu_load_field(b, kb.args, struct cpu_vs_args, count, 1, 32);
    results.out = cpu_load_field(b, kb.args, struct cpu_vs_args, out, 1, 64);
    results.window = cpu_load_field(b, kb.args, struct cpu_vs_args, window, 1, 64);
    results.clip_code = cpu_load_field(b, kb.args, struct cpu_vs_args, clip_code, 1, 64);
    results.viewport = cpu_load_field(b, kb.args, struct cpu_vs_args, viewport, 1, 64);
    struct cpu_count_loop loop = cpu_begin_count_loop(b, vertices, &results.first);
    kb.outer_loop = loop.loop;
    load_outputs(&kb, numbers, component, count, &results, &outputs);
    cpu_nir_finish_vertices(&kb, &outputs, &results);
    cpu_end_count_loop(b, &loop, kb.lanes);
    return cpu_kernel_finish(&kb, engine, "finish_vertices");
}
