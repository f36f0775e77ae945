/* SPDX-License-Identifier: MIT */
/* Common structure of all kernels, and helpers to build one. */
#include "driver/cpu/kernel/cpu_nir.h"

#include "util/dynarray.h"

/* Number of texture instructions of a body above which kb->compact is set; one that samples a cube
 * map counts as CUBE_TEXTURES, because it also has code for footprints across edges. Code for
 * windows, grids and common levels is several times as large as general code. Beyond this number it
 * takes long to compile, LLVM's optimizing code generator doesn't take it (jit_large.c), and it
 * doesn't fit into the instruction cache. Windows of whole blocks, which need 16 lanes, save more
 * than those of half blocks. */
#define MANY_TEXTURES_16 32
#define MANY_TEXTURES    12
#define CUBE_TEXTURES    8

static unsigned texture_count(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_tex)
        return 0;
    const enum glsl_sampler_dim dim = nir_instr_as_tex((nir_instr *)instr)->sampler_dim;
    return dim == GLSL_SAMPLER_DIM_CUBE ? CUBE_TEXTURES : 1;
}

/* Lists the instructions to lower. Lowering splits blocks, so it must not iterate over them. */
static bool collect_instructions(struct cpu_kernel_builder *kb)
{
    DYNARRAY(nir_instr *) list = DYNARRAY_INIT(kb->shader);

    unsigned textures = 0;
    nir_foreach_block (block, kb->impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic && instr->type != nir_instr_type_tex)
                continue;
            textures += texture_count(instr);
            if (!dynarray_append(&list, instr))
                return false;
        }
    }
    kb->body_instrs = list.data;
    kb->num_body_instrs = list.count;
    kb->compact = textures > (kb->lanes == 16 ? MANY_TEXTURES_16 : MANY_TEXTURES);
    return true;
}

/* Returns whether kernels of the stage run the whole body in a loop over vectors. Those of other
 * stages may divide it at barriers. */
static bool has_vector_loop(enum shader_stage stage)
{
    return stage == SHADER_FRAGMENT || stage == SHADER_VERTEX || stage == SHADER_TESS_EVAL ||
           stage == SHADER_GEOMETRY;
}

bool cpu_kernel_begin(struct cpu_kernel_builder *kb, const struct cpu_shader *shader,
                      unsigned lanes)
{
    nir_shader *nir = nir_shader_clone(NULL, shader->nir);
    if (!nir || !cpu_kernel_begin_nir(kb, nir, lanes))
        return false;
    kb->classes = shader->classes;
    return true;
}

bool cpu_kernel_begin_nir(struct cpu_kernel_builder *kb, nir_shader *nir, unsigned lanes)
{
    *kb = (struct cpu_kernel_builder){.lanes = lanes, .shader = nir};
    kb->impl = nir_shader_get_entrypoint(kb->shader);
    if (!cpu_collect_unbounded_loops(kb) || !collect_instructions(kb)) {
        nir_shader_destroy(kb->shader);
        return false;
    }
    if (has_vector_loop(nir->info.stage) && !cpu_extract_invariants(kb)) {
        nir_shader_destroy(kb->shader);
        return false;
    }
    nir_cf_extract(&kb->body, nir_before_impl(kb->impl), nir_after_impl(kb->impl));
    kb->b = nir_builder_at(nir_before_impl(kb->impl));
    kb->args = nir_load_kernel_arg(&kb->b, .base = 0);
    return true;
}

void cpu_kernel_place_body(struct cpu_kernel_builder *kb)
{
    if (kb->has_invariants) {
        struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(kb);
        kb->b.cursor = nir_cf_reinsert(&kb->invariants, kb->b.cursor);
        cpu_kernel_leave_prologue(kb, saved);
    }
    cpu_report_progress(kb);
    kb->b.cursor = nir_cf_reinsert(&kb->body, kb->b.cursor);
}

/* Returns whether the instruction is a part of kb->invariants that is in the prologue. */
static bool is_in_prologue(const struct cpu_kernel_builder *kb, const nir_instr *instr)
{
    if (!kb->has_invariants || !kb->outer_loop)
        return false;
    const nir_cf_node *node = &instr->block->cf_node;
    while (node && node != &kb->outer_loop->cf_node)
        node = node->parent;
    return !node;
}

void cpu_kernel_lower_body(struct cpu_kernel_builder *kb,
                           void (*lower)(void *data, nir_instr *instr), void *data)
{
    for (unsigned i = 0; i < kb->num_body_instrs; i++) {
        const bool in_prologue = is_in_prologue(kb, kb->body_instrs[i]);
        kb->b.cursor = nir_before_instr(kb->body_instrs[i]);
        kb->in_prologue |= in_prologue;
        lower(data, kb->body_instrs[i]);
        if (in_prologue)
            kb->in_prologue = false;
    }
    cpu_poll_in_loops(kb);
}

void cpu_kernel_insert_body(struct cpu_kernel_builder *kb,
                            void (*lower)(void *data, nir_instr *instr), void *data)
{
    nir_builder *b = &kb->b;

    cpu_kernel_place_body(kb);
    /* marks the position while the body changes */
    nir_def *marker = nir_imm_int(b, 0);
    cpu_kernel_lower_body(kb, lower, data);
    b->cursor = nir_after_instr(marker->parent_instr);
}

static void compute_ahead(nir_shader *nir, nir_loop *loop, bool halves)
{
    bool progress = false;
    NIR_PASS(progress, nir, cpu_nir_pipeline_loop, loop, halves);
    if (!progress)
        return;
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    NIR_PASS_V(nir, nir_opt_cse);
    NIR_PASS_V(nir, nir_opt_dce);
}

nir_shader *cpu_kernel_finish_nir(struct cpu_kernel_builder *kb)
{
    nir_shader *nir = kb->shader;

    nir_metadata_preserve(kb->impl, nir_metadata_none);
    if (nir_should_validate())
        nir_validate_shader(nir, "after building a kernel");
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    NIR_PASS_V(nir, nir_lower_alu_to_scalar);
    NIR_PASS_V(nir, nir_lower_phis_to_scalar);
    nir_optimize(nir);
    if (nir->info.stage == SHADER_COMPUTE)
        NIR_PASS_V(nir, cpu_nir_use_lane_runs, kb->lanes);
    NIR_PASS_V(nir, cpu_nir_hoist_texture_addresses);
    if (kb->adjacent_pixels)
        compute_ahead(nir, kb->outer_loop, kb->lanes == 8);
    kb->shader = NULL;
    return nir;
}

struct jit_kernel *cpu_kernel_finish(struct cpu_kernel_builder *kb, struct jit_engine *engine,
                                     const char *name)
{
    return jit_kernel_begin(engine, cpu_kernel_finish_nir(kb), name);
}

struct jit_kernel *cpu_kernel_wait(struct jit_kernel *kernel)
{
    if (!kernel || jit_kernel_function(kernel).run)
        return kernel;
    jit_kernel_destroy(kernel);
    return NULL;
}

struct cpu_saved_cursor cpu_kernel_enter_prologue(struct cpu_kernel_builder *kb)
{
    struct cpu_saved_cursor saved = {kb->b.cursor, kb->outer_loop && !kb->in_prologue};
    if (saved.moved) {
        kb->b.cursor = nir_before_cf_node(&kb->outer_loop->cf_node);
        kb->in_prologue = true;
    }
    return saved;
}

nir_def *cpu_load_const(nir_builder *b, unsigned components, unsigned bit_size, nir_def *address,
                        unsigned offset)
{
    return nir_load_global_constant(b, components, bit_size, address, nir_imm_int(b, (int)offset),
                                    .align_mul = bit_size / 8);
}

nir_def *cpu_address_imm(nir_builder *b, nir_def *base, uint64_t offset)
{
    return offset ? nir_iadd(b, base, nir_imm_intN_t(b, (int64_t)offset, 64)) : base;
}

nir_def *cpu_load_texels(nir_builder *b, unsigned components, unsigned size, nir_def *address)
{
    if (address->num_components > 1)
        return nir_load_global_quads(b, components, size, address, .align_mul = size / 8);
    return nir_load_global_block(b, components, size, address, nir_imm_int(b, 0),
                                 .align_mul = size / 8);
}

void cpu_store_texels(nir_builder *b, nir_def *value, nir_def *address, nir_def *mask)
{
    unsigned align = value->bit_size / 8;
    if (address->num_components > 1)
        nir_store_global_quads(b, value, address, mask, .align_mul = align);
    else
        nir_store_global_block(b, value, address, nir_imm_int(b, 0), mask, .align_mul = align);
}

struct cpu_count_loop cpu_begin_count_loop(nir_builder *b, nir_def *limit, nir_def **counter)
{
    struct cpu_count_loop loop;

    loop.variable = nir_local_variable_create(b->impl, glsl_uint_type(), "counter");
    nir_store_var(b, loop.variable, nir_imm_int(b, 0), 1);
    loop.loop = nir_push_loop(b);
    *counter = nir_load_var(b, loop.variable);
    nir_push_if(b, nir_uge(b, *counter, limit));
    nir_jump(b, nir_jump_break);
    nir_pop_if(b, NULL);
    return loop;
}

void cpu_end_count_loop(nir_builder *b, struct cpu_count_loop *loop, unsigned step)
{
    nir_def *next = nir_iadd_imm(b, nir_load_var(b, loop->variable), step);
    nir_store_var(b, loop->variable, next, 1);
    nir_pop_loop(b, loop->loop);
}

void cpu_load_level(nir_builder *b, nir_def *address, nir_def *level, struct cpu_level_def *def)
{
    nir_def *start = level ? nir_imul_imm(b, level, sizeof(struct cpu_level)) : nir_imm_int(b, 0);
#define LOAD(field, bits)                                                                          \
    def->field =                                                                                   \
        nir_load_global_constant(b, 1, bits, address,                                              \
                                 level ? nir_iadd_imm(b, start, offsetof(struct cpu_level, field)) \
                                       : nir_imm_int(b, offsetof(struct cpu_level, field)),        \
                                 .align_mul = (bits) / 8)
    LOAD(base, 64);
    LOAD(layer_stride, 64);
    LOAD(sample_stride, 64);
    LOAD(width, 32);
    LOAD(height, 32);
    LOAD(depth, 32);
    LOAD(tile_w, 32);
    LOAD(tiles_x, 32);
    LOAD(scale[0], 32);
    LOAD(scale[1], 32);
    LOAD(rows, 64);
    LOAD(columns, 64);
#undef LOAD
}

nir_def *cpu_is_resident(nir_builder *b, nir_def *residency, nir_def *base, nir_def *offset)
{
    nir_def *map = cpu_load_field(b, residency, struct cpu_residency, resident, 1, 64);
    nir_def *memory = cpu_load_field(b, residency, struct cpu_residency, memory, 1, 64);
    nir_def *bytes = nir_iadd(b, nir_isub(b, base, memory), nir_u2u64(b, offset));
    nir_def *unit = nir_u2u32(b, nir_ushr_imm(b, bytes, CPU_RESIDENCY_SHIFT));
    nir_def *word =
        nir_load_global_constant(b, 1, 32, map, nir_iand_imm(b, unit, ~3u), .align_mul = 4);
    word = nir_ushr(b, word, nir_ishl_imm(b, nir_iand_imm(b, unit, 3), 3));
    return nir_ine_imm(b, nir_iand_imm(b, word, 1), 0);
}

/* The low 6 bits of x are bbbbqp (block, quad, pixel). They move to bits bbbb0q0p of the texel
 * index. Whole tiles move to bit 12: a tile that is not the last of its row has 4096 texels. */
nir_def *cpu_texel_column(nir_builder *b, nir_def *x)
{
    nir_def *tile = nir_ishl_imm(b, nir_iand_imm(b, x, ~63u), 6);
    nir_def *block = nir_ishl_imm(b, nir_iand_imm(b, x, 0x3c), 2);
    /* {0, 1, 2, 3} → {0, 1, 4, 5} */
    nir_def *texel = nir_iadd(b, nir_iand_imm(b, x, 3), nir_iand_imm(b, x, 2));
    return nir_iadd(b, nir_iadd(b, tile, block), texel);
}

nir_def *cpu_texel_row(nir_builder *b, const struct cpu_level_def *level, nir_def *y)
{
    nir_def *row_of_blocks = nir_ishl_imm(b, level->tile_w, 4);
    nir_def *row_of_tiles = nir_ishl_imm(b, nir_imul(b, level->tile_w, level->tiles_x), 8);
    nir_def *tile = nir_imul(b, nir_ushr_imm(b, y, 6), row_of_tiles);
    nir_def *block = nir_imul(b, nir_iand_imm(b, nir_ushr_imm(b, y, 2), 15), row_of_blocks);
    /* {0, 1, 2, 3} → {0, 2, 8, 10} */
    nir_def *texel = nir_ishl_imm(b, nir_iadd(b, nir_iand_imm(b, y, 3), nir_iand_imm(b, y, 2)), 1);
    return nir_iadd(b, nir_iadd(b, tile, block), texel);
}
