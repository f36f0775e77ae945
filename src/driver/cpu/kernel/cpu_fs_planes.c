/* SPDX-License-Identifier: MIT */
/*
 * Interpolation in fragment kernels.
 *
 * Plane equations are evaluated at a block's first pixel; then the lane's increment, x * (0 to 3) +
 * y * (0 to 3), is added. The sum therefore has the same bits for every vector width, and for
 * quads. For a run of blocks, all planes are evaluated before the first block, one vector of blocks
 * at a time, and stored in a table (cpu_fs_write_planes). Within the loop, a plane costs the
 * addition of a word that all lanes share.
 *
 * A varying is v0 + b1 * (v1 - v0) + b2 * (v2 - v0), where b1 and b2 are barycentric coordinates.
 * Without perspective it is a plane, too. With perspective, only the barycentric coordinates are
 * planes; perspective coordinates and then each component are computed from them per pixel. Planes
 * per primitive would cost more than they save, because primitives are often small. A component
 * that is equal at all vertices has exactly that value everywhere.
 *
 * With perspective, the sum starts at v1, the value of the nearest vertex. The weight of the
 * farthest vertex is small near the eye, where a position at a vertex far away would otherwise
 * determine the rounding errors.
 */
#include "driver/cpu/kernel/cpu_fs_builder.h"

#include "util/check.h"

nir_def *cpu_fs_load(struct cpu_fs_builder *f, nir_def *address, unsigned offset, unsigned bits)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(&f->kb);
    nir_def *def = cpu_load_const(&f->kb.b, 1, bits, address, offset);
    cpu_kernel_leave_prologue(&f->kb, saved);
    return def;
}

/* Moves the builder to where code goes that depends on the primitive but is the same for the whole
 * body: to the prologue; for quads, before the body. */
static struct cpu_saved_cursor enter_primitive_code(struct cpu_fs_builder *f)
{
    struct cpu_saved_cursor saved = {f->kb.b.cursor, f->in_body};
    if (!f->quads)
        return cpu_kernel_enter_prologue(&f->kb);
    if (saved.moved) {
        f->kb.b.cursor = nir_before_instr(f->body_start);
        f->in_body = false;
    }
    return saved;
}

static void leave_primitive_code(struct cpu_fs_builder *f, struct cpu_saved_cursor saved)
{
    if (!f->quads) {
        cpu_kernel_leave_prologue(&f->kb, saved);
    } else if (saved.moved) {
        f->kb.b.cursor = saved.cursor;
        f->in_body = true;
    }
}

static struct cpu_fs_per_quad load_uniforms(struct cpu_fs_builder *f,
                                            const struct cpu_fs_per_quad *address, unsigned offset,
                                            unsigned bits)
{
    struct cpu_fs_per_quad values = {{NULL}};
    struct cpu_saved_cursor saved = enter_primitive_code(f);
    for (unsigned i = 0; i < MAX2(f->quads, 1); i++)
        values.value[i] = cpu_load_const(&f->kb.b, 1, bits, address->value[i], offset);
    leave_primitive_code(f, saved);
    return values;
}

nir_def *cpu_fs_per_quad_vec4(struct cpu_fs_builder *f, const struct cpu_fs_per_quad *values)
{
    nir_def *c[4];
    for (unsigned i = 0; i < 4; i++)
        c[i] = values->value[i] ? values->value[i] : values->value[0];
    return nir_vec(&f->kb.b, c, 4);
}

/* Returns each lane's value. */
static nir_def *select_per_quad(struct cpu_fs_builder *f, const struct cpu_fs_per_quad *values)
{
    if (!f->quads)
        return values->value[0];
    return nir_select_quad(&f->kb.b, values->value[0]->bit_size, cpu_fs_per_quad_vec4(f, values));
}

static nir_def *load_per_quad(struct cpu_fs_builder *f, const struct cpu_fs_per_quad *address,
                              unsigned offset, unsigned bits)
{
    struct cpu_saved_cursor saved = enter_primitive_code(f);
    struct cpu_fs_per_quad values = load_uniforms(f, address, offset, bits);
    nir_def *def = select_per_quad(f, &values);
    leave_primitive_code(f, saved);
    return def;
}

/* Kernels of quads load a piece of four words at a time, one word per lane of each quad, which
 * takes as many loads as a single word. */
nir_def *cpu_fs_primitive_word(struct cpu_fs_builder *f, unsigned offset)
{
    nir_builder *b = &f->kb.b;
    nir_def **words = &f->primitive_words[offset / PIECE_BYTES];

    if (!f->quads)
        return load_per_quad(f, &f->primitive, offset, 32);
    struct cpu_saved_cursor saved = enter_primitive_code(f);
    if (!*words) {
        struct cpu_fs_per_quad address = {{NULL}};
        for (unsigned q = 0; q < f->quads; q++)
            address.value[q] =
                cpu_address_imm(b, f->primitive.value[q], offset / PIECE_BYTES * PIECE_BYTES);
        *words = nir_load_global_quads(b, 1, 32, cpu_fs_per_quad_vec4(f, &address), .align_mul = 4);
    }
    nir_def *word = nir_quad_broadcast(b, *words, nir_imm_int(b, offset % PIECE_BYTES / 4));
    leave_primitive_code(f, saved);
    return word;
}

struct cpu_saved_cursor cpu_fs_enter_invariant_code(struct cpu_fs_builder *f)
{
    return f->kb.block ? cpu_kernel_enter_prologue(&f->kb) : (struct cpu_saved_cursor){0};
}

static nir_def *plane_share(struct cpu_fs_builder *f, const struct cpu_fs_plane *p,
                            nir_def *const at[2])
{
    nir_builder *b = &f->kb.b;
    return nir_fadd(b, nir_fmul(b, p->x, at[0]), nir_fmul(b, p->y, at[1]));
}

/* Computes the increments of the barycentric coordinates at a distance of `at` pixels. */
static void weight_shares(struct cpu_fs_builder *f, nir_def *const at[2], nir_def *shares[2])
{
    for (unsigned i = 0; i < 2; i++)
        shares[i] = plane_share(f, f->weight[i], at);
}

static nir_def *value_at_block(struct cpu_fs_builder *f, const struct cpu_fs_plane *p,
                               nir_def *const at[2])
{
    return nir_fadd(&f->kb.b, p->c, plane_share(f, p, at));
}

static void weights_at_block(struct cpu_fs_builder *f, nir_def *const delta[2], nir_def *weights[2])
{
    for (unsigned i = 0; i < 2; i++)
        weights[i] = value_at_block(f, f->weight[i], delta);
}

/* Returns the plane's increment at a position in the block. */
static nir_def *lane_share(struct cpu_fs_builder *f, const struct cpu_fs_plane *p,
                           nir_def *const lane[2])
{
    nir_def *at[2] = {lane[0], lane[1]};
    if (p->barycentric)
        weight_shares(f, lane, at);
    return plane_share(f, p, at);
}

/* Returns a plane's value in kernels of quads. */
static nir_def *quads_value(struct cpu_fs_builder *f, const struct cpu_fs_plane *p)
{
    nir_def *at[2] = {f->delta[0], f->delta[1]};
    if (p->barycentric)
        weights_at_block(f, f->delta, at);
    return nir_fadd(&f->kb.b, value_at_block(f, p, at), lane_share(f, p, f->lane));
}

/* Creates a constant whose value cpu_fs_write_planes() sets. */
static nir_load_const_instr *table_offset(struct cpu_fs_builder *f)
{
    return nir_instr_as_load_const(nir_imm_int(&f->kb.b, 0)->parent_instr);
}

struct cpu_fs_plane *cpu_fs_add_plane(struct cpu_fs_builder *f, struct cpu_fs_plane plane)
{
    struct cpu_fs_plane *p = &NEXT_OF(f->plane, f->num_planes);

    *p = plane;
    if (f->quads)
        return p;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(&f->kb);
    p->blocks = table_offset(f);
    p->lanes = table_offset(f);
    cpu_kernel_leave_prologue(&f->kb, saved);
    return p;
}

struct cpu_fs_plane cpu_fs_load_plane(struct cpu_fs_builder *f, unsigned offset)
{
    return (struct cpu_fs_plane){
        .c = cpu_fs_primitive_word(f, offset + offsetof(struct cpu_plane, c)),
        .x = cpu_fs_primitive_word(f, offset + offsetof(struct cpu_plane, dx)),
        .y = cpu_fs_primitive_word(f, offset + offsetof(struct cpu_plane, dy)),
    };
}

nir_def *cpu_fs_plane_value(struct cpu_fs_builder *f, struct cpu_fs_plane *p,
                            nir_def *const *offset)
{
    nir_builder *b = &f->kb.b;
    nir_def *value;

    p->read = true;
    if (f->quads) {
        value = quads_value(f, p);
    } else {
        nir_def *at = nir_iadd(b, f->block_words, &p->blocks->def);
        nir_def *block = nir_load_global_constant(b, 1, 32, f->table, at, .align_mul = 4);
        at = nir_iadd(b, nir_ishl_imm(b, f->first_texel, 2), &p->lanes->def);
        nir_def *share = nir_load_global_block(b, 1, 32, f->table, at, .align_mul = 4,
                                               .access = ACCESS_CAN_REORDER);
        value = nir_fadd(b, block, share);
    }
    return offset ? nir_fadd(b, value, lane_share(f, p, offset)) : value;
}

/* Adds a component of the vertices to the variant's list of inputs, if there is space. */
static void add_input(struct cpu_fs_variant *variant, unsigned component)
{
    for (unsigned i = 0; i < variant->num_inputs; i++)
        if (variant->inputs[i] == component)
            return;
    if (variant->num_inputs < ARRAY_SIZE(variant->inputs))
        NEXT_OF(variant->inputs, variant->num_inputs) = (uint8_t)component;
}

static nir_def *vertex_float(struct cpu_fs_builder *f, const struct cpu_fs_per_quad *vertex,
                             unsigned slot, unsigned c)
{
    unsigned component = (f->key->input_slot[slot] - 1u) * 4 + c;
    if (f->variant)
        add_input(f->variant, component);
    return load_per_quad(f, vertex, component * CPU_BATCH_VERTICES * 4, 32);
}

/* Returns the value of an input that no previous stage wrote. */
static nir_def *missing_input(struct cpu_fs_builder *f, unsigned slot, unsigned c)
{
    nir_builder *b = &f->kb.b;

    switch (slot) {
    case VARYING_SLOT_PRIMITIVE_ID:
        return FS_PRIM(f, primitive_id);
    case VARYING_SLOT_LAYER:
        return FS_PRIM(f, layer);
    case VARYING_SLOT_VIEWPORT:
        return FS_PRIM(f, viewport);
    case VARYING_SLOT_FACE:
        return nir_bcsel(b, f->front_facing, nir_imm_float(b, 1.0f), nir_imm_float(b, -1.0f));
    default:
        return nir_imm_float(b, c == 3 ? 1.0f : 0.0f);
    }
}

nir_def *cpu_fs_point_coord(struct cpu_fs_builder *f, unsigned c)
{
    struct cpu_fs_plane **plane = &f->point_coord[c & 1];

    if (!f->key->point || c > 1)
        return nir_imm_float(&f->kb.b, c == 3 ? 1.0f : 0.0f);
    if (!*plane)
        *plane =
            cpu_fs_add_plane(f, cpu_fs_load_plane(f, c ? offsetof(struct cpu_primitive, point_t)
                                                       : offsetof(struct cpu_primitive, point_s)));
    return cpu_fs_plane_value(f, *plane, NULL);
}

nir_def *cpu_fs_read_flat(void *data, unsigned slot, unsigned c)
{
    struct cpu_fs_builder *f = data;

    if (slot == VARYING_SLOT_POINT_COORD)
        return cpu_fs_point_coord(f, c);
    if (slot >= CPU_IO_SLOTS || !f->key->input_slot[slot])
        return missing_input(f, slot, c);
    if (!f->flat_value[slot][c])
        f->flat_value[slot][c] = vertex_float(f, &f->provoking, slot, c);
    return f->flat_value[slot][c];
}

static bool is_barycentric(unsigned slot)
{
    return slot == VARYING_SLOT_BARY_COORD || slot == VARYING_SLOT_BARY_COORD_LINEAR;
}

/* Returns component c of an interpolated input at vertex i of the primitive. */
static nir_def *input_at_vertex(struct cpu_fs_builder *f, unsigned i, unsigned slot, unsigned c)
{
    if (!is_barycentric(slot))
        return vertex_float(f, &f->vertex[i], slot, c);
    if (f->key->point) /* a point has one vertex */
        return nir_imm_float(&f->kb.b, c == 0 ? 1.0f : 0.0f);
    const bool linear = slot == VARYING_SLOT_BARY_COORD_LINEAR;
    return load_per_quad(
        f, &f->barycentrics,
        offsetof(struct cpu_barycentrics, weight[0][0][0]) + ((linear * 3 + i) * 3 + c) * 4, 32);
}

struct vertex_reader {
    struct cpu_fs_builder *f;
    unsigned vertex;
};

static nir_def *read_original(void *data, unsigned slot, unsigned c)
{
    struct vertex_reader *r = data;
    struct cpu_fs_builder *f = r->f;

    if (slot >= CPU_IO_SLOTS || !f->key->input_slot[slot])
        return missing_input(f, slot, c);
    return vertex_float(f, f->key->point ? &f->vertex[0] : &f->original[r->vertex], slot, c);
}

nir_def *cpu_fs_input_of_vertex(struct cpu_fs_builder *f, nir_intrinsic_instr *intr)
{
    nir_builder *b = &f->kb.b;
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    nir_def *value[3], *vertex = intr->src[0].ssa;

    for (unsigned i = 0; i < 3; i++) {
        struct vertex_reader reader = {f, i};
        value[i] = cpu_select_slot(&f->kb, intr, intr->src[1].ssa, io.location,
                                   MAX2(io.num_slots, 1), read_original, &reader);
    }
    const unsigned n = intr->def.num_components;
    nir_def *second = nir_vec_broadcast(b, nir_ieq_imm(b, vertex, 1), n);
    nir_def *not_third = nir_vec_broadcast(b, nir_ult_imm(b, vertex, 2), n);
    return nir_bcsel(b, not_third, nir_bcsel(b, second, value[1], value[0]), value[2]);
}

static struct cpu_fs_varying *load_varying(struct cpu_fs_builder *f, unsigned slot, unsigned c,
                                           bool linear)
{
    nir_builder *b = &f->kb.b;
    struct cpu_fs_varying *v = &f->varying[slot][c];

    if (v->plane)
        return v;
    struct cpu_saved_cursor saved = enter_primitive_code(f);
    v->v0 = input_at_vertex(f, 0, slot, c);
    v->v1 = input_at_vertex(f, 1, slot, c);
    nir_def *v2 = input_at_vertex(f, 2, slot, c);
    v->change[0] = nir_fsub(b, v->v1, v->v0);
    v->change[1] = nir_fsub(b, v2, v->v0);
    v->from_v1[0] = nir_fsub(b, v->v0, v->v1);
    v->from_v1[1] = nir_fsub(b, v2, v->v1);
    v->plane = cpu_fs_add_plane(f, (struct cpu_fs_plane){
                                       .c = v->v0,
                                       .x = v->change[0],
                                       .y = v->change[1],
                                       .barycentric = true,
                                       .affine_only = !linear,
                                   });
    leave_primitive_code(f, saved);
    return v;
}

/* Returns the linear barycentric coordinate of vertex 0. */
static nir_def *first_weight(struct cpu_fs_builder *f, nir_def *const linear[2])
{
    nir_builder *b = &f->kb.b;
    return nir_fsub(b, nir_fsub(b, nir_imm_float(b, 1.0f), linear[0]), linear[1]);
}

/* Computes the perspective barycentric coordinates of vertices 0 and 2. Returns 1/w of the
 * pixel. */
static nir_def *perspective_weights(struct cpu_fs_builder *f, nir_def *const *offset,
                                    nir_def *weights[2])
{
    nir_builder *b = &f->kb.b;
    nir_def *linear[2], *n[2];

    for (unsigned i = 0; i < 2; i++) {
        linear[i] = cpu_fs_plane_value(f, f->weight[i], offset);
        n[i] = nir_fmul(b, linear[i], f->inv_w[i + 1]);
    }
    nir_def *n0 = nir_fmul(b, first_weight(f, linear), f->inv_w[0]);
    nir_def *inv_w = nir_fadd(b, nir_fadd(b, n0, n[0]), n[1]);
    nir_def *w = nir_fdiv(b, nir_imm_float(b, 1.0f), inv_w);
    weights[0] = nir_fmul(b, n0, w);
    weights[1] = nir_fmul(b, n[1], w);
    return inv_w;
}

nir_def *cpu_fs_pixel_inv_w(struct cpu_fs_builder *f)
{
    nir_def *unused[2];
    return nir_bcsel(&f->kb.b, f->affine, f->inv_w[0], perspective_weights(f, f->offset, unused));
}

/* weights: barycentric coordinates of vertices 0 and 2. */
static nir_def *weighted_value(struct cpu_fs_builder *f, const struct cpu_fs_varying *v,
                               nir_def *const weights[2])
{
    nir_builder *b = &f->kb.b;
    return nir_fadd(b, nir_fadd(b, v->v1, nir_fmul(b, weights[0], v->from_v1[0])),
                    nir_fmul(b, weights[1], v->from_v1[1]));
}

/* Returns the value at an offset from the pixel center. With offset zero it has the same bits as
 * the value computed without an offset. */
static nir_def *value_at_offset(struct cpu_fs_builder *f, const struct cpu_fs_varying *v,
                                bool linear, nir_def *const *offset)
{
    nir_builder *b = &f->kb.b;
    nir_def *zero = nir_imm_float(b, 0.0f), *weights[2], *perspective[2];
    nir_def *plane = nir_iand(b, nir_feq(b, offset[0], zero), nir_feq(b, offset[1], zero));

    if (!linear) {
        plane = nir_iand(b, plane, f->affine);
        perspective_weights(f, offset, perspective);
    }
    for (unsigned i = 0; i < 2; i++)
        weights[i] = cpu_fs_plane_value(f, f->weight[i], offset);
    weights[0] = first_weight(f, weights);
    for (unsigned i = 0; i < 2 && !linear; i++)
        weights[i] = nir_bcsel(b, f->affine, weights[i], perspective[i]);
    return nir_bcsel(b, plane, cpu_fs_plane_value(f, v->plane, NULL),
                     weighted_value(f, v, weights));
}

/* Computes the value at the pixel center with perspective, at the end of the branch for it. */
static nir_def *perspective_value(struct cpu_fs_builder *f, const struct cpu_fs_varying *v)
{
    f->kb.b.cursor = nir_after_block(f->quads ? nir_if_last_then_block(f->perspective_code)
                                              : nir_if_last_else_block(f->affine_code));
    if (!f->perspective[0])
        perspective_weights(f, NULL, f->perspective);
    return weighted_value(f, v, f->perspective);
}

/* Returns the value at the pixel center. It is computed before the body, in one branch for all
 * affine primitives and one for all others; with quads, a vector may take both. */
static nir_def *common_value(struct cpu_fs_builder *f, struct cpu_fs_varying *v, bool linear)
{
    nir_builder *b = &f->kb.b;
    nir_cursor here = b->cursor;

    if (v->value)
        return v->value;
    b->cursor = linear ? nir_before_cf_node(&f->affine_code->cf_node)
                       : nir_after_block(nir_if_last_then_block(f->affine_code));
    nir_def *plane = cpu_fs_plane_value(f, v->plane, NULL);
    v->value = plane;
    if (!linear && f->quads) {
        b->cursor = nir_after_cf_node(&f->affine_code->cf_node);
        plane = nir_if_phi(b, plane, v->v0);
        nir_def *value = nir_bcsel(b, f->affine, plane, perspective_value(f, v));
        b->cursor = nir_after_cf_node(&f->perspective_code->cf_node);
        v->value = nir_if_phi(b, value, plane);
    } else if (!linear) {
        nir_def *value = perspective_value(f, v);
        b->cursor = nir_after_cf_node(&f->affine_code->cf_node);
        v->value = nir_if_phi(b, plane, value);
    }
    b->cursor = here;
    return v->value;
}

struct varying_reader {
    struct cpu_fs_builder *f;
    bool linear;
    nir_def *const *offset; /* NULL: f->offset */
};

static nir_def *read_varying(void *data, unsigned slot, unsigned c)
{
    struct varying_reader *r = data;
    struct cpu_fs_builder *f = r->f;

    if (slot == VARYING_SLOT_POINT_COORD)
        return cpu_fs_point_coord(f, c);
    if (!is_barycentric(slot) && (slot >= CPU_IO_SLOTS || !f->key->input_slot[slot]))
        return missing_input(f, slot, c);
    if (is_barycentric(slot) && c > 2)
        return nir_imm_float(&f->kb.b, 0.0f);

    struct cpu_fs_varying *v = load_varying(f, slot, c, r->linear);
    nir_def *const *offset = r->offset ? r->offset : f->offset;
    return offset ? value_at_offset(f, v, r->linear, offset) : common_value(f, v, r->linear);
}

void cpu_fs_load_sample_offset(struct cpu_fs_builder *f, nir_def *index, nir_def *offset[2])
{
    nir_builder *b = &f->kb.b;
    nir_def *at = nir_ishl_imm(b, nir_umin(b, index, nir_imm_int(b, f->key->samples - 1)), 2);

    for (unsigned i = 0; i < 2; i++)
        offset[i] = nir_load_global_constant(
            b, 1, 32, f->fs, nir_iadd_imm(b, at, offsetof(struct cpu_fs_state, sample_offset[i])),
            .align_mul = 4);
}

/* The centroid is the center of fully covered pixels, otherwise the first covered sample. */
static void centroid_offset(struct cpu_fs_builder *f, nir_def *offset[2])
{
    nir_builder *b = &f->kb.b;
    nir_def *all = nir_imm_int(b, (1 << f->key->samples) - 1);
    nir_def *center = nir_ior(b, nir_ieq(b, f->covered, all), nir_ieq_imm(b, f->covered, 0));

    cpu_fs_load_sample_offset(f, nir_find_lsb(b, f->covered), offset);
    for (unsigned i = 0; i < 2; i++)
        offset[i] = nir_bcsel(b, center, nir_imm_float(b, 0.0f), offset[i]);
}

/* Computes the position of a barycentric intrinsic relative to the pixel center. Returns false if
 * it is the default position f->offset. Without multisampling, centroid and samples are at the
 * pixel center. */
static bool barycentric_offset(struct cpu_fs_builder *f, nir_intrinsic_instr *intr,
                               nir_def *offset[2])
{
    nir_builder *b = &f->kb.b;
    bool at_offset = intr->intrinsic == nir_intrinsic_load_barycentric_at_offset;

    for (unsigned i = 0; at_offset && i < 2; i++)
        offset[i] = nir_channel(b, intr->src[0].ssa, i);
    if (at_offset || !f->covered)
        return at_offset;
    if (intr->intrinsic == nir_intrinsic_load_barycentric_at_sample) {
        cpu_fs_load_sample_offset(f, intr->src[0].ssa, offset);
        return true;
    }
    if (f->per_sample && intr->intrinsic == nir_intrinsic_load_barycentric_sample) {
        memcpy(offset, f->sample_offset, sizeof f->sample_offset);
        return true;
    }
    if (f->key->sample_shading || intr->intrinsic != nir_intrinsic_load_barycentric_centroid)
        return false;
    centroid_offset(f, offset);
    return true;
}

/* Reads position and interpolation mode from the barycentric intrinsic, which is then dead code. */
nir_def *cpu_fs_interpolated_input(struct cpu_fs_builder *f, nir_intrinsic_instr *intr)
{
    nir_intrinsic_instr *where = nir_instr_as_intrinsic(intr->src[0].ssa->parent_instr);
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    nir_def *offset[2];
    struct varying_reader reader = {
        .f = f,
        .linear = nir_intrinsic_interp_mode(where) == INTERP_MODE_NOPERSPECTIVE,
        .offset = barycentric_offset(f, where, offset) ? offset : NULL,
    };
    return cpu_select_slot(&f->kb, intr, intr->src[1].ssa, io.location, MAX2(io.num_slots, 1),
                           read_varying, &reader);
}

#define FS_PRIM_ADDRESS(f, field)                                                                  \
    load_uniforms(f, &(f)->primitive, offsetof(struct cpu_primitive, field), 64)

void cpu_fs_load_vertices(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;

    f->provoking = FS_PRIM_ADDRESS(f, provoking);
    for (unsigned i = 0; i < 3; i++)
        f->inv_w[i] = FS_PRIM(f, inv_w[i]);
    f->vertex[0] = FS_PRIM_ADDRESS(f, vertex[0]);
    f->vertex[1] = FS_PRIM_ADDRESS(f, vertex[1]);
    f->vertex[2] = FS_PRIM_ADDRESS(f, vertex[2]);
    if (f->key->barycentrics && !f->key->point) {
        f->barycentrics = FS_PRIM_ADDRESS(f, barycentrics);
        for (unsigned i = 0; i < 3; i++)
            f->original[i] = load_uniforms(
                f, &f->barycentrics,
                offsetof(struct cpu_barycentrics, vertex[0]) + i * sizeof(const float *), 64);
    }
    f->weight[0] = cpu_fs_add_plane(f, cpu_fs_load_plane(f, offsetof(struct cpu_primitive, b1)));
    f->weight[1] = cpu_fs_add_plane(f, cpu_fs_load_plane(f, offsetof(struct cpu_primitive, b2)));
    struct cpu_saved_cursor saved = enter_primitive_code(f);
    f->affine =
        nir_iand(b, nir_feq(b, f->inv_w[0], f->inv_w[1]), nir_feq(b, f->inv_w[0], f->inv_w[2]));
    leave_primitive_code(f, saved);
}

/* The bits of a texel's index are, from the lowest, x, y, x, y. */
void cpu_fs_locate_texel(nir_builder *b, nir_def *texel, nir_def *at[2])
{
    nir_def *bit[4];

    for (unsigned i = 0; i < 4; i++)
        bit[i] = nir_iand_imm(b, i ? nir_ushr_imm(b, texel, i) : texel, 1);
    for (unsigned i = 0; i < 2; i++)
        at[i] = nir_i2f32(b, nir_iadd(b, bit[i], nir_ishl_imm(b, bit[i + 2], 1)));
}

void cpu_fs_locate_block(struct cpu_fs_builder *f, nir_def *x, nir_def *y, nir_def *delta[2])
{
    nir_builder *b = &f->kb.b;
    nir_def *first[2] = {x, y};

    for (unsigned i = 0; i < 2; i++) {
        nir_def *center = nir_fadd_imm(b, nir_i2f32(b, first[i]), 0.5);
        delta[i] = nir_fsub(b, center, f->ref[i]);
    }
}

void cpu_fs_set_input_offset(struct cpu_fs_builder *f, nir_def *const *offset)
{
    nir_builder *b = &f->kb.b;

    f->offset = offset;
    f->body_start = nir_imm_int(b, 0)->parent_instr;
    f->affine_code = nir_push_if(b, f->quads ? nir_vote_any(b, f->affine) : f->affine);
    nir_pop_if(b, f->affine_code);
    if (!f->quads)
        return;
    f->perspective_code = nir_push_if(b, nir_vote_any(b, nir_inot(b, f->affine)));
    nir_pop_if(b, f->perspective_code);
}

static bool is_written(const struct cpu_fs_plane *p, bool affine)
{
    return p->read && (affine || !p->affine_only);
}

static unsigned num_written(const struct cpu_fs_builder *f, bool affine)
{
    unsigned count = 0;

    for (unsigned i = 0; i < f->num_planes; i++)
        count += is_written(&f->plane[i], affine);
    return count;
}

/* Stores the planes' increments for the texels of a block into the table. */
static void write_lanes(struct cpu_fs_builder *f, bool affine)
{
    nir_builder *b = &f->kb.b;

    for (unsigned first = 0; first < 16; first += f->kb.lanes) {
        nir_def *lane[2];
        cpu_fs_locate_texel(b, nir_iadd_imm(b, nir_load_subgroup_invocation(b), first), lane);
        for (unsigned i = 0; i < f->num_planes; i++)
            if (is_written(&f->plane[i], affine))
                nir_store_global_block(b, lane_share(f, &f->plane[i], lane), f->table,
                                       nir_iadd_imm(b, &f->plane[i].lanes->def, first * 4),
                                       nir_imm_true(b), .access = ACCESS_NUMBERS, .align_mul = 4);
    }
}

/* Stores the planes' values at the first pixels of all blocks into the table, one vector of blocks
 * at a time. */
static void write_blocks(struct cpu_fs_builder *f, nir_def *blocks, nir_def *count, bool affine)
{
    nir_builder *b = &f->kb.b;
    nir_def *first, *delta[2], *weights[2];

    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &first);
    nir_def *words =
        nir_load_global_block(b, 2, 32, blocks, nir_ishl_imm(b, first, 3), .align_mul = 4);
    nir_def *xy = nir_channel(b, words, 0);
    cpu_fs_locate_block(f, nir_iand_imm(b, xy, 0xffff), nir_ushr_imm(b, xy, 16), delta);
    weights_at_block(f, delta, weights);
    for (unsigned i = 0; i < f->num_planes; i++) {
        const struct cpu_fs_plane *p = &f->plane[i];
        nir_def *at = nir_iadd(b, nir_ishl_imm(b, first, 2), &p->blocks->def);
        if (is_written(p, affine))
            nir_store_global_block(b, value_at_block(f, p, p->barycentric ? weights : delta),
                                   f->table, at, nir_imm_true(b), .access = ACCESS_NUMBERS,
                                   .align_mul = 4);
    }
    cpu_end_count_loop(b, &loop, f->kb.lanes);
}

unsigned cpu_fs_write_planes(struct cpu_fs_builder *f, nir_def *blocks, nir_def *count)
{
    nir_builder *b = &f->kb.b;
    unsigned most = CPU_TILE_BLOCKS * CPU_TILE_BLOCKS;

    while (f->num_planes * (most + 16) > CPU_PLANE_WORDS)
        most /= 2;
    for (unsigned i = 0; i < f->num_planes; i++) {
        f->plane[i].blocks->value[0].u32 = i * (most + 16) * 4;
        f->plane[i].lanes->value[0].u32 = (i * (most + 16) + most) * 4;
    }
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(&f->kb);
    if (num_written(f, true) != num_written(f, false)) {
        nir_push_if(b, f->affine);
        write_lanes(f, true);
        write_blocks(f, blocks, count, true);
        nir_push_else(b, NULL);
    }
    if (num_written(f, false)) {
        write_lanes(f, false);
        write_blocks(f, blocks, count, false);
    }
    if (num_written(f, true) != num_written(f, false))
        nir_pop_if(b, NULL);
    cpu_kernel_leave_prologue(&f->kb, saved);
    return most;
}
