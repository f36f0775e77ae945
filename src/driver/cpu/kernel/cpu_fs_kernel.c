/* SPDX-License-Identifier: MIT */
/*
 * The fragment kernel: a run of 4×4 blocks of one primitive, a vector of lanes at a time. It
 * interpolates, tests, shades and writes; a vector whose fragments all fail is left early.
 *
 * The kernel of quads puts quads of several small primitives into one vector. What blocks have once
 * for the primitive is then a value of each quad: loaded for each as a scalar, and selected.
 *
 * With several samples a lane has a bit for each. Depth, stencil and colors are those of a vector of
 * pixels, in a loop over the samples; the shader runs once for all of them, or, where it must, for
 * each in that loop. Smooth primitives have a byte of coverage for each pixel instead.
 *
 * Plane equations are evaluated at a block's first pixel, and the lane's share (dx * 0…3 + dy * 0…3)
 * is added: the sum has the same bits for every number of lanes, and for quads. Of a run of blocks all
 * planes are evaluated before the first block, a vector of blocks at a time, and kept in a table
 * (write_planes): what a block then takes for a plane is one addition of a word that all lanes share.
 *
 * A varying is v0 + b1 * (v1 - v0) + b2 * (v2 - v0), b1 and b2 the weights of the vertices. Without
 * perspective that is a plane of the same kind. With it the weights are planes, of which those in space are
 * made, and then each component: a primitive's planes would cost more than they spare, where primitives
 * are small. What is the same at all vertices is that everywhere.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_format.h"
#include "driver/cpu/kernel/cpu_nir_io.h"
#include "util/format.h"

/* Outputs of the second blend source are kept behind the first's. */
#define SECOND_SOURCE 32

/* Pieces of struct cpu_primitive that a quad's four lanes load. */
#define PIECE_BYTES      16
#define PRIMITIVE_PIECES (sizeof(struct cpu_primitive) / PIECE_BYTES)

/* A uniform value: of the primitive, or of each quad's. */
struct fs_each {
    nir_def *of[4];
};

/* c + x * at[0] + y * at[1], where at is the place in pixels from the reference point; or the weights of
 * vertices 1 and 2. */
struct fs_plane {
    nir_def *c, *x, *y;
    bool of_weights;
    bool if_affine; /* else it has no value */
    bool read;      /* somewhere */
    /* Of runs, offsets in the table: of values at blocks, and of lanes' shares. */
    nir_load_const_instr *blocks, *lanes;
};

/* Of all components, depth, weights and the point's coordinates. */
#define MAX_PLANES (CPU_IO_SLOTS * 4 + 5)
_Static_assert(MAX_PLANES * 2 * 16 <= CPU_PLANE_WORDS, "16 blocks and 16 lanes of each");

struct fs_varying { /* a component; memo */
    struct fs_plane *plane;
    nir_def *v0, *change[2]; /* v1 - v0, v2 - v0 */
    nir_def *value;          /* at the pixel's center */
};

struct fs_builder {
    struct cpu_kernel_builder kb;
    const struct cpu_fs_key *key;
    const nir_shader_info *info;
    struct cpu_fs_variant *variant; /* to be told what is read; NULL: somebody was */
    unsigned quads; /* in a vector, each with a primitive of its own; 0: blocks of one */
    bool in_body;   /* the builder is in the body, behind body_start */
    nir_instr *body_start;
    nir_def *fs;                         /* address */
    struct fs_each primitive;            /* addresses */
    nir_def *words[PRIMITIVE_PIECES];    /* of quads' primitives, see primitive_word */
    nir_def *ref[2];                     /* x_ref, y_ref */
    struct fs_each vertex[3], provoking; /* addresses */
    nir_def *inv_w[3];
    nir_def *affine; /* 1 bit: 1/w is the same all over the primitive, as without perspective */
    nir_def *front_facing; /* 1 bit */
    nir_def *block_x, *block_y;
    nir_def *quad_texel;       /* number of the quad's first texel in its block; NULL: no quads */
    nir_def *lane[2];          /* floats: the lane's pixel in the block */
    nir_def *texel;            /* the lane's texel in the block */
    nir_def *first_texel;      /* the vector's, uniform */
    nir_def *delta[2];         /* of quads: their blocks' first pixel center - ref */
    nir_def *table;            /* of runs: address of planes' values */
    nir_def *block_words;      /* of runs: the block's offset there */
    nir_def *coverage;         /* 1 bit: any of the samples that are shaded at once */
    nir_def *covered;          /* samples, a bit each; NULL: single-sampled */
    nir_def *smooth;           /* how much of the pixel is covered; NULL: all */
    nir_def *entered;          /* 1 bit: live when the shader began */
    nir_variable *samples;     /* of covered, those that live */
    bool per_sample;           /* they are shaded one by one */
    nir_def *sample;           /* the one that is worked on, uniform; NULL: the pixel */
    nir_def *sample_offset[2]; /* from the pixel's center; uniform */
    struct fs_plane plane[MAX_PLANES];
    unsigned num_planes;
    struct fs_plane *weight[2]; /* of vertices 1 and 2 */
    struct fs_plane *z, *point_coord[2];
    nir_def *const *depth_offset; /* where depth is, from the pixel's center; NULL: there */
    nir_def *const *offset;       /* likewise: all inputs */
    nir_if *affine_code;          /* before the body: of inputs, if some lane is affine */
    nir_if *perspective_code;     /* behind it: if some lane is not */
    nir_def *perspective[2];      /* weights, in there */
    struct fs_varying varying[CPU_IO_SLOTS][4];
    nir_def *flat_value[CPU_IO_SLOTS][4];
    struct cpu_outputs outputs;
    nir_variable *passed, *invocations; /* fragments counted for queries */
};

static nir_def *fs_load(struct fs_builder *f, nir_def *address, unsigned offset, unsigned bits)
{
    struct cpu_place place = cpu_kernel_enter_prologue(&f->kb);
    nir_def *def = cpu_load_const(&f->kb.b, 1, bits, address, offset);
    cpu_kernel_leave_prologue(&f->kb, place);
    return def;
}
#define FS_ARG(f, field, bits)   fs_load(f, (f)->kb.args, offsetof(struct cpu_fs_args, field), bits)
#define FS_STATE(f, field, bits) fs_load(f, (f)->fs, offsetof(struct cpu_fs_state, field), bits)
#define FS_PRIM(f, field)        primitive_word(f, offsetof(struct cpu_primitive, field))

/* To where code that is the same for the whole body, and depends on the primitive, is made: the
 * prologue; for quads the place before the body. */
static struct cpu_place enter_primitive_code(struct fs_builder *f)
{
    struct cpu_place place = {f->kb.b.cursor, f->in_body};
    if (!f->quads)
        return cpu_kernel_enter_prologue(&f->kb);
    if (place.moved) {
        f->kb.b.cursor = nir_before_instr(f->body_start);
        f->in_body = false;
    }
    return place;
}

static void leave_primitive_code(struct fs_builder *f, struct cpu_place place)
{
    if (!f->quads) {
        cpu_kernel_leave_prologue(&f->kb, place);
    } else if (place.moved) {
        f->kb.b.cursor = place.cursor;
        f->in_body = true;
    }
}

static struct fs_each load_uniforms(struct fs_builder *f, const struct fs_each *address,
                                    unsigned offset, unsigned bits)
{
    struct fs_each values = {{NULL}};
    struct cpu_place place = enter_primitive_code(f);
    for (unsigned i = 0; i < MAX2(f->quads, 1); i++)
        values.of[i] = cpu_load_const(&f->kb.b, 1, bits, address->of[i], offset);
    leave_primitive_code(f, place);
    return values;
}

/* vec4; what is not there repeats the first. */
static nir_def *each_vec4(struct fs_builder *f, const struct fs_each *values)
{
    nir_def *c[4];
    for (unsigned i = 0; i < 4; i++)
        c[i] = values->of[i] ? values->of[i] : values->of[0];
    return nir_vec(&f->kb.b, c, 4);
}

/* The value in the lane. */
static nir_def *select_each(struct fs_builder *f, const struct fs_each *values)
{
    if (!f->quads)
        return values->of[0];
    return nir_select_quad(&f->kb.b, values->of[0]->bit_size, each_vec4(f, values));
}

static nir_def *fs_load_each(struct fs_builder *f, const struct fs_each *address, unsigned offset,
                             unsigned bits)
{
    struct cpu_place place = enter_primitive_code(f);
    struct fs_each values = load_uniforms(f, address, offset, bits);
    nir_def *def = select_each(f, &values);
    leave_primitive_code(f, place);
    return def;
}

/* A word of the primitive. Those of quads come four at a time: each quad's lanes have them beside each
 * other, which takes as many loads as one word by itself. */
static nir_def *primitive_word(struct fs_builder *f, unsigned offset)
{
    nir_builder *b = &f->kb.b;
    nir_def **words = &f->words[offset / PIECE_BYTES];

    if (!f->quads)
        return fs_load_each(f, &f->primitive, offset, 32);
    struct cpu_place place = enter_primitive_code(f);
    if (!*words) {
        struct fs_each address = {{NULL}};
        for (unsigned q = 0; q < f->quads; q++)
            address.of[q] =
                cpu_address_imm(b, f->primitive.of[q], offset / PIECE_BYTES * PIECE_BYTES);
        *words = nir_load_global_quads(b, 1, 32, each_vec4(f, &address), .align_mul = 4);
    }
    nir_def *word = nir_quad_broadcast(b, *words, nir_imm_int(b, offset % PIECE_BYTES / 4));
    leave_primitive_code(f, place);
    return word;
}

/* -------------------------------------------------------------------------- interpolation --- */

/* Code that is the same for all vectors of a call stands in the prologue; what depends on the lane
 * does so only if a vector is a whole block. */
static struct cpu_place enter_lane_code(struct fs_builder *f)
{
    return f->kb.block ? cpu_kernel_enter_prologue(&f->kb) : (struct cpu_place){0};
}

static nir_def *plane_share(struct fs_builder *f, const struct fs_plane *p, nir_def *const at[2])
{
    nir_builder *b = &f->kb.b;
    return nir_fadd(b, nir_fmul(b, p->x, at[0]), nir_fmul(b, p->y, at[1]));
}

/* Shares of planes of weights, of a place. */
static void weight_shares(struct fs_builder *f, nir_def *const at[2], nir_def *shares[2])
{
    for (unsigned i = 0; i < 2; i++)
        shares[i] = plane_share(f, f->weight[i], at);
}

static nir_def *value_at_block(struct fs_builder *f, const struct fs_plane *p, nir_def *const at[2])
{
    return nir_fadd(&f->kb.b, p->c, plane_share(f, p, at));
}

static void weights_at_block(struct fs_builder *f, nir_def *const delta[2], nir_def *weights[2])
{
    for (unsigned i = 0; i < 2; i++)
        weights[i] = value_at_block(f, f->weight[i], delta);
}

/* The share of a lane that is at a place in the block. */
static nir_def *lane_share(struct fs_builder *f, const struct fs_plane *p, nir_def *const lane[2])
{
    nir_def *at[2] = {lane[0], lane[1]};
    if (p->of_weights)
        weight_shares(f, lane, at);
    return plane_share(f, p, at);
}

/* Of quads. */
static nir_def *quads_value(struct fs_builder *f, const struct fs_plane *p)
{
    nir_def *at[2] = {f->delta[0], f->delta[1]};
    if (p->of_weights)
        weights_at_block(f, f->delta, at);
    return nir_fadd(&f->kb.b, value_at_block(f, p, at), lane_share(f, p, f->lane));
}

/* A constant that is known when all planes are (write_planes). */
static nir_load_const_instr *table_offset(struct fs_builder *f)
{
    return nir_instr_as_load_const(nir_imm_int(&f->kb.b, 0)->parent_instr);
}

static struct fs_plane *add_plane(struct fs_builder *f, struct fs_plane plane)
{
    struct fs_plane *p = &f->plane[f->num_planes++];

    *p = plane;
    if (f->quads)
        return p;
    struct cpu_place place = cpu_kernel_enter_prologue(&f->kb);
    p->blocks = table_offset(f);
    p->lanes = table_offset(f);
    cpu_kernel_leave_prologue(&f->kb, place);
    return p;
}

static struct fs_plane load_plane(struct fs_builder *f, unsigned offset)
{
    return (struct fs_plane){
        .c = primitive_word(f, offset + offsetof(struct cpu_plane, c)),
        .x = primitive_word(f, offset + offsetof(struct cpu_plane, dx)),
        .y = primitive_word(f, offset + offsetof(struct cpu_plane, dy)),
    };
}

/* offset: 2 values to add to the pixel's position, or NULL. */
static nir_def *plane_value(struct fs_builder *f, struct fs_plane *p, nir_def *const *offset)
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

/* Notes that vertices' component is read, if there is room. */
static void add_input(struct cpu_fs_variant *variant, unsigned component)
{
    for (unsigned i = 0; i < variant->num_inputs; i++)
        if (variant->inputs[i] == component)
            return;
    if (variant->num_inputs < ARRAY_SIZE(variant->inputs))
        variant->inputs[variant->num_inputs++] = (uint8_t)component;
}

static nir_def *vertex_float(struct fs_builder *f, const struct fs_each *vertex, unsigned slot,
                             unsigned c)
{
    unsigned component = (f->key->input_slot[slot] - 1u) * 4 + c;
    if (f->variant)
        add_input(f->variant, component);
    return fs_load_each(f, vertex, component * CPU_BATCH_VERTICES * 4, 32);
}

/* Inputs that no stage before wrote. */
static nir_def *missing_input(struct fs_builder *f, unsigned slot, unsigned c)
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

static nir_def *point_coord(struct fs_builder *f, unsigned c)
{
    struct fs_plane **plane = &f->point_coord[c & 1];

    if (!f->key->point || c > 1)
        return nir_imm_float(&f->kb.b, c == 3 ? 1.0f : 0.0f);
    if (!*plane)
        *plane = add_plane(f, load_plane(f, c ? offsetof(struct cpu_primitive, point_t)
                                              : offsetof(struct cpu_primitive, point_s)));
    return plane_value(f, *plane, NULL);
}

static nir_def *read_flat(void *data, unsigned slot, unsigned c)
{
    struct fs_builder *f = data;

    if (slot == VARYING_SLOT_PNTC)
        return point_coord(f, c);
    if (slot >= CPU_IO_SLOTS || !f->key->input_slot[slot])
        return missing_input(f, slot, c);
    if (!f->flat_value[slot][c])
        f->flat_value[slot][c] = vertex_float(f, &f->provoking, slot, c);
    return f->flat_value[slot][c];
}

static struct fs_varying *load_varying(struct fs_builder *f, unsigned slot, unsigned c, bool linear)
{
    nir_builder *b = &f->kb.b;
    struct fs_varying *v = &f->varying[slot][c];

    if (v->plane)
        return v;
    struct cpu_place place = enter_primitive_code(f);
    v->v0 = vertex_float(f, &f->vertex[0], slot, c);
    for (unsigned i = 0; i < 2; i++)
        v->change[i] = nir_fsub(b, vertex_float(f, &f->vertex[i + 1], slot, c), v->v0);
    v->plane = add_plane(f, (struct fs_plane){
                                .c = v->v0,
                                .x = v->change[0],
                                .y = v->change[1],
                                .of_weights = true,
                                .if_affine = !linear,
                            });
    leave_primitive_code(f, place);
    return v;
}

/* Weights of vertices 1 and 2; returns 1/w there. */
static nir_def *perspective_weights(struct fs_builder *f, nir_def *const *offset,
                                    nir_def *weights[2])
{
    nir_builder *b = &f->kb.b;
    nir_def *linear[2], *n[2];

    for (unsigned i = 0; i < 2; i++) {
        linear[i] = plane_value(f, f->weight[i], offset);
        n[i] = nir_fmul(b, linear[i], f->inv_w[i + 1]);
    }
    nir_def *b0 = nir_fsub(b, nir_fsub(b, nir_imm_float(b, 1.0f), linear[0]), linear[1]);
    nir_def *inv_w = nir_fadd(b, nir_fadd(b, nir_fmul(b, b0, f->inv_w[0]), n[0]), n[1]);
    nir_def *w = nir_fdiv(b, nir_imm_float(b, 1.0f), inv_w);
    for (unsigned i = 0; i < 2; i++)
        weights[i] = nir_fmul(b, n[i], w);
    return inv_w;
}

static nir_def *pixel_inv_w(struct fs_builder *f)
{
    nir_def *unused[2];
    return nir_bcsel(&f->kb.b, f->affine, f->inv_w[0], perspective_weights(f, f->offset, unused));
}

static nir_def *weighted_value(struct fs_builder *f, const struct fs_varying *v,
                               nir_def *const weights[2])
{
    nir_builder *b = &f->kb.b;
    return nir_fadd(b, nir_fadd(b, v->v0, nir_fmul(b, weights[0], v->change[0])),
                    nir_fmul(b, weights[1], v->change[1]));
}

/* The value at an offset, which at the pixel's center has the bits of what is there without one. */
static nir_def *value_at_offset(struct fs_builder *f, const struct fs_varying *v, bool linear,
                                nir_def *const *offset)
{
    nir_builder *b = &f->kb.b;
    nir_def *zero = nir_imm_float(b, 0.0f), *weights[2], *perspective[2];
    nir_def *plane = nir_iand(b, nir_feq(b, offset[0], zero), nir_feq(b, offset[1], zero));

    if (!linear) {
        plane = nir_iand(b, plane, f->affine);
        perspective_weights(f, offset, perspective);
    }
    for (unsigned i = 0; i < 2; i++) {
        weights[i] = plane_value(f, f->weight[i], offset);
        if (!linear)
            weights[i] = nir_bcsel(b, f->affine, weights[i], perspective[i]);
    }
    return nir_bcsel(b, plane, plane_value(f, v->plane, NULL), weighted_value(f, v, weights));
}

/* The value at the pixel's center. It is made before the body, in one branch for all that are affine and
 * one for all others; quads in a vector may take both. */
static nir_def *common_value(struct fs_builder *f, struct fs_varying *v, bool linear)
{
    nir_builder *b = &f->kb.b;
    nir_cursor here = b->cursor;

    if (v->value)
        return v->value;
    b->cursor = linear ? nir_before_cf_node(&f->affine_code->cf_node)
                       : nir_after_block(nir_if_last_then_block(f->affine_code));
    nir_def *plane = plane_value(f, v->plane, NULL);
    v->value = plane;
    if (!linear) {
        b->cursor = nir_after_cf_node(&f->affine_code->cf_node);
        plane = nir_if_phi(b, plane, v->v0);
        b->cursor = nir_after_block(nir_if_last_then_block(f->perspective_code));
        if (!f->perspective[0])
            perspective_weights(f, NULL, f->perspective);
        nir_def *value = weighted_value(f, v, f->perspective);
        if (f->quads)
            value = nir_bcsel(b, f->affine, plane, value);
        b->cursor = nir_after_cf_node(&f->perspective_code->cf_node);
        v->value = nir_if_phi(b, value, plane);
    }
    b->cursor = here;
    return v->value;
}

struct varying_reader {
    struct fs_builder *f;
    bool linear;
    nir_def *const *offset; /* NULL: where all inputs are */
};

static nir_def *read_varying(void *data, unsigned slot, unsigned c)
{
    struct varying_reader *r = data;
    struct fs_builder *f = r->f;

    if (slot == VARYING_SLOT_PNTC)
        return point_coord(f, c);
    if (slot >= CPU_IO_SLOTS || !f->key->input_slot[slot])
        return missing_input(f, slot, c);

    struct fs_varying *v = load_varying(f, slot, c, r->linear);
    nir_def *const *offset = r->offset ? r->offset : f->offset;
    return offset ? value_at_offset(f, v, r->linear, offset) : common_value(f, v, r->linear);
}

/* Where sample number `index`, which may differ between lanes, is. */
static void load_sample_offset(struct fs_builder *f, nir_def *index, nir_def *offset[2])
{
    nir_builder *b = &f->kb.b;
    nir_def *at = nir_ishl_imm(b, nir_umin(b, index, nir_imm_int(b, f->key->samples - 1)), 2);

    for (unsigned i = 0; i < 2; i++)
        offset[i] = nir_load_global_constant(
            b, 1, 32, f->fs, nir_iadd_imm(b, at, offsetof(struct cpu_fs_state, sample_offset[i])),
            .align_mul = 4);
}

/* Centroids are the center of pixels that are covered in full, else the first covered sample. */
static void centroid_offset(struct fs_builder *f, nir_def *offset[2])
{
    nir_builder *b = &f->kb.b;
    nir_def *all = nir_imm_int(b, (1 << f->key->samples) - 1);
    nir_def *center = nir_ior(b, nir_ieq(b, f->covered, all), nir_ieq_imm(b, f->covered, 0));

    load_sample_offset(f, nir_find_lsb(b, f->covered), offset);
    for (unsigned i = 0; i < 2; i++)
        offset[i] = nir_bcsel(b, center, nir_imm_float(b, 0.0f), offset[i]);
}

/* Finds where in the pixel a barycentric intrinsic is; false: where all inputs are. Without
 * multisampling, centroid and sample positions are the pixel's center. */
static bool barycentric_offset(struct fs_builder *f, nir_intrinsic_instr *intr, nir_def *offset[2])
{
    nir_builder *b = &f->kb.b;
    bool at_offset = intr->intrinsic == nir_intrinsic_load_barycentric_at_offset;

    for (unsigned i = 0; at_offset && i < 2; i++)
        offset[i] = nir_channel(b, intr->src[0].ssa, i);
    if (at_offset || !f->covered)
        return at_offset;
    if (intr->intrinsic == nir_intrinsic_load_barycentric_at_sample) {
        load_sample_offset(f, intr->src[0].ssa, offset);
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

/* The barycentric intrinsic is left to where dead code goes: it says where and how to interpolate. */
static nir_def *interpolated_input(struct fs_builder *f, nir_intrinsic_instr *intr)
{
    nir_intrinsic_instr *where = nir_instr_as_intrinsic(intr->src[0].ssa->parent_instr);
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    nir_def *offset[2];
    struct varying_reader reader = {
        .f = f,
        .linear = nir_intrinsic_interp_mode(where) == INTERP_MODE_NOPERSPECTIVE,
        .offset = barycentric_offset(f, where, offset) ? offset : NULL,
    };
    return cpu_select_input(&f->kb, intr, intr->src[1].ssa, io.location, MAX2(io.num_slots, 1),
                            read_varying, &reader);
}

static nir_def *depth_at(struct fs_builder *f, nir_def *const *offset);

static nir_def *frag_coord(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    float center = f->info->fs.pixel_center_integer ? 0.0f : 0.5f;
    nir_def *x = nir_fadd(b, nir_fadd_imm(b, nir_i2f32(b, f->block_x), center), f->lane[0]);
    nir_def *y = nir_fadd(b, nir_fadd_imm(b, nir_i2f32(b, f->block_y), 0.5), f->lane[1]);

    if (f->per_sample && !f->info->fs.pixel_center_integer) {
        x = nir_fadd(b, x, f->sample_offset[0]);
        y = nir_fadd(b, y, f->sample_offset[1]);
    }
    if (f->info->fs.origin_upper_left)
        y = nir_fsub(b, FS_STATE(f, fb_height, 32), y);
    if (f->info->fs.pixel_center_integer)
        y = nir_fadd_imm(b, y, -0.5);
    return nir_vec4(b, x, y, depth_at(f, f->depth_offset), pixel_inv_w(f));
}

static nir_def *target_address(struct fs_builder *f, unsigned offset, enum drv_format format);

static nir_def *color_address(struct fs_builder *f, unsigned rt)
{
    return target_address(f,
                          offsetof(struct cpu_fs_args, color) + rt * sizeof(struct cpu_target_tile),
                          f->key->color_format[rt]);
}

/* What a color buffer has where the fragment is; zeros: there is none. */
static nir_def *last_color(struct fs_builder *f, unsigned rt)
{
    nir_builder *b = &f->kb.b;
    unsigned components, size;
    nir_def *color[4];

    if (rt >= f->key->num_color_bufs || !f->key->color_format[rt])
        return nir_imm_zero(b, 4, 32);
    cpu_texel_shape(f->key->color_format[rt], &components, &size);
    cpu_nir_unpack(b, f->key->color_format[rt],
                   cpu_load_texels(b, components, size, color_address(f, rt)), color);
    return nir_vec(b, color, 4);
}

static nir_def *last_frag_data(struct fs_builder *f, nir_src index)
{
    nir_builder *b = &f->kb.b;

    if (nir_src_is_const(index))
        return last_color(f, (unsigned)nir_src_as_uint(index));
    nir_def *value = last_color(f, 0);
    for (unsigned rt = 1; rt < f->key->num_color_bufs; rt++)
        value = nir_bcsel(b, nir_ieq_imm(b, index.ssa, rt), last_color(f, rt), value);
    return value;
}

/* What the depth-stencil buffer has where the fragment is; zero: it has no such part. */
static nir_def *last_depth_stencil(struct fs_builder *f, bool stencil)
{
    nir_builder *b = &f->kb.b;
    enum drv_format format = f->key->zs_format;
    unsigned components, size;

    if (!format || !(stencil ? util_format_has_stencil(format) : util_format_has_depth(format)))
        return nir_imm_int(b, 0);
    cpu_texel_shape(format, &components, &size);
    nir_def *address = target_address(f, offsetof(struct cpu_fs_args, zs), format);
    nir_def *texel = cpu_load_texels(b, components, size, address);
    if (stencil)
        return cpu_nir_stencil_bits(b, format, texel);
    return cpu_nir_depth_to_float(b, format, cpu_nir_depth_bits(b, format, texel));
}

/* Covered samples of those that are shaded at once; with post_depth_coverage, which asks for early
 * tests, those that passed. */
static nir_def *sample_mask_in(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    bool tested = f->info->fs.post_depth_coverage;

    if (!f->covered || !f->key->sample_masks)
        return nir_b2i32(b, tested ? f->entered : f->coverage);
    if (f->per_sample)
        return nir_ishl(b, nir_b2i32(b, tested ? f->entered : f->coverage), f->sample);
    return tested ? nir_load_var(b, f->samples) : f->covered;
}

/* ---------------------------------------------------------------------------------- body --- */

static nir_def *fs_value(struct fs_builder *f, nir_intrinsic_instr *intr)
{
    nir_builder *b = &f->kb.b;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_interpolated_input:
        return interpolated_input(f, intr);
    case nir_intrinsic_load_input: {
        nir_io_semantics io = nir_intrinsic_io_semantics(intr);
        return cpu_select_input(&f->kb, intr, intr->src[0].ssa, io.location, MAX2(io.num_slots, 1),
                                read_flat, f);
    }
    case nir_intrinsic_load_frag_coord:
        return frag_coord(f);
    case nir_intrinsic_load_last_frag_data:
        return last_frag_data(f, intr->src[0]);
    case nir_intrinsic_load_last_frag_depth:
        return last_depth_stencil(f, false);
    case nir_intrinsic_load_last_frag_stencil:
        return last_depth_stencil(f, true);
    case nir_intrinsic_load_point_coord:
        return nir_vec2(b, point_coord(f, 0), point_coord(f, 1));
    case nir_intrinsic_load_front_face:
        return f->front_facing;
    case nir_intrinsic_load_primitive_id:
        return FS_PRIM(f, primitive_id);
    case nir_intrinsic_load_sample_id:
        return f->per_sample ? f->sample : nir_imm_int(b, 0);
    case nir_intrinsic_load_sample_pos:
        if (!f->per_sample)
            return nir_imm_vec2(b, 0.5f, 0.5f);
        return nir_vec2(b, nir_fadd_imm(b, f->sample_offset[0], 0.5),
                        nir_fadd_imm(b, f->sample_offset[1], 0.5));
    case nir_intrinsic_load_sample_mask_in:
        return sample_mask_in(f);
    case nir_intrinsic_load_frag_coverage:
        return f->smooth ? f->smooth : nir_imm_float(b, 1.0f);
    case nir_intrinsic_load_helper_invocation:
        return nir_inot(b, f->coverage);
    case nir_intrinsic_is_helper_invocation:
        return nir_inot(b, nir_load_var(b, f->kb.live));
    default:
        return NULL;
    }
}

static void lower_discard(struct fs_builder *f, nir_intrinsic_instr *intr)
{
    nir_builder *b = &f->kb.b;
    bool demotes =
        intr->intrinsic == nir_intrinsic_demote || intr->intrinsic == nir_intrinsic_demote_if;
    nir_def *live = nir_imm_false(b), *ended = nir_imm_true(b);

    if (nir_intrinsic_infos[intr->intrinsic].num_srcs) {
        live = nir_iand(b, nir_load_var(b, f->kb.live), nir_inot(b, intr->src[0].ssa));
        if (f->kb.ended)
            ended = nir_ior(b, nir_load_var(b, f->kb.ended), intr->src[0].ssa);
    }
    nir_store_var(b, f->kb.live, live, 1);
    if (f->kb.ended && !demotes)
        nir_store_var(b, f->kb.ended, ended, 1);
    nir_instr_remove(&intr->instr);
}

static unsigned output_slot(nir_intrinsic_instr *intr)
{
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    return io.location + (io.dual_source_blend_index ? SECOND_SOURCE : 0);
}

static void lower_instr(void *data, nir_instr *instr)
{
    struct fs_builder *f = data;

    if (instr->type == nir_instr_type_tex) {
        cpu_lower_instr(&f->kb, NULL, instr, NULL);
        return;
    }
    nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_store_output:
        cpu_lower_store_output(&f->kb, &f->outputs, output_slot(intr), intr);
        return;
    case nir_intrinsic_load_output:
        cpu_lower_load_output(&f->kb, &f->outputs, output_slot(intr), intr);
        return;
    case nir_intrinsic_load_barycentric_pixel:
    case nir_intrinsic_load_barycentric_centroid:
    case nir_intrinsic_load_barycentric_sample:
    case nir_intrinsic_load_barycentric_at_sample:
    case nir_intrinsic_load_barycentric_at_offset:
        return; /* see interpolated_input */
    case nir_intrinsic_discard:
    case nir_intrinsic_discard_if:
    case nir_intrinsic_demote:
    case nir_intrinsic_demote_if:
    case nir_intrinsic_terminate:
    case nir_intrinsic_terminate_if:
        lower_discard(f, intr);
        return;
    default:
        break;
    }
    cpu_lower_instr(&f->kb, NULL, instr, fs_value(f, intr));
}

/* ------------------------------------------------------------------------------- targets --- */

/* Bytes from the beginning of a tile of a buffer to texel number first of the block that x, y is in. */
static nir_def *texel_offset(struct fs_builder *f, unsigned target, enum drv_format format,
                             nir_def *first)
{
    nir_builder *b = &f->kb.b;
    nir_def *tile_w = fs_load(f, f->kb.args, target + offsetof(struct cpu_target_tile, tile_w), 32);
    nir_def *column = nir_iand_imm(b, nir_ushr_imm(b, f->block_x, 2), 15);
    nir_def *row = nir_iand_imm(b, nir_ushr_imm(b, f->block_y, 2), 15);
    nir_def *block = nir_iadd(b, nir_imul(b, row, tile_w), column);
    nir_def *texel = nir_iadd(b, nir_ishl_imm(b, block, 4), first);
    return nir_imul_imm(b, texel, drv_format_desc(format)->block_bytes);
}

/* Where the vector's texels of the sample that is worked on are in a buffer (cpu_load_texels). target: of
 * its struct cpu_target_tile in the arguments. */
static nir_def *target_address(struct fs_builder *f, unsigned target, enum drv_format format)
{
    nir_builder *b = &f->kb.b;
    nir_def *base = fs_load(f, f->kb.args, target + offsetof(struct cpu_target_tile, base), 64);
    struct fs_each address = {{NULL}};

    if (f->sample) {
        nir_def *stride =
            fs_load(f, f->kb.args, target + offsetof(struct cpu_target_tile, sample_stride), 64);
        base = nir_iadd(b, base, nir_imul(b, nir_u2u64(b, f->sample), stride));
    }
    if (!f->quads)
        return nir_iadd(b, base, nir_u2u64(b, texel_offset(f, target, format, f->first_texel)));
    nir_def *offset = texel_offset(f, target, format, f->quad_texel);
    for (unsigned q = 0; q < f->quads; q++)
        address.of[q] =
            nir_iadd(b, base, nir_u2u64(b, nir_read_invocation(b, offset, nir_imm_int(b, 4 * q))));
    return each_vec4(f, &address);
}

/* An end of the depth range of the primitive's viewport. */
static nir_def *depth_limit(struct fs_builder *f, unsigned offset)
{
    nir_builder *b = &f->kb.b;

    if (!f->key->viewports)
        return fs_load(f, f->fs, offset, 32);
    nir_def *range =
        nir_imul_imm(b, FS_PRIM(f, viewport), sizeof(((struct cpu_fs_state *)0)->depth_range[0]));
    return nir_load_global_constant(b, 1, 32, f->fs, nir_iadd_imm(b, range, offset),
                                    .align_mul = 4);
}

static nir_def *clamp_depth(struct fs_builder *f, nir_def *z)
{
    nir_builder *b = &f->kb.b;
    nir_def *lo = nir_imm_float(b, 0.0f), *hi = nir_imm_float(b, 1.0f);

    if (f->key->depth_clamp) {
        lo = depth_limit(f, offsetof(struct cpu_fs_state, depth_range[0].min));
        hi = depth_limit(f, offsetof(struct cpu_fs_state, depth_range[0].max));
    }
    return nir_fclamp(b, z, lo, hi);
}

static nir_def *depth_at(struct fs_builder *f, nir_def *const *offset)
{
    if (!f->z)
        f->z = add_plane(f, load_plane(f, offsetof(struct cpu_primitive, z)));
    return clamp_depth(f, plane_value(f, f->z, offset));
}

/* Tests fragments and updates the depth-stencil buffer; returns those that passed. */
static nir_def *test_fragments(struct fs_builder *f, nir_def *mask)
{
    nir_builder *b = &f->kb.b;
    nir_def *z = cpu_output_value(b, &f->outputs, FRAG_RESULT_DEPTH, 0);
    struct cpu_zs_inputs in = {
        .fs = f->fs,
        .stencil_ref = cpu_output_value(b, &f->outputs, FRAG_RESULT_STENCIL, 0),
        .front_facing = f->front_facing,
        .mask = mask,
        .key = f->key,
    };
    if (!f->key->zs_format)
        return mask;
    in.z = z ? clamp_depth(f, z) : depth_at(f, f->sample ? f->sample_offset : f->depth_offset);
    in.address = target_address(f, offsetof(struct cpu_fs_args, zs), f->key->zs_format);
    return cpu_nir_depth_stencil(b, &in);
}

/* The color for a buffer; false: the shader writes none. */
static bool fragment_color(struct fs_builder *f, unsigned rt, unsigned source, nir_def *color[4])
{
    nir_builder *b = &f->kb.b;
    bool written = false;

    for (unsigned c = 0; c < 4; c++) {
        color[c] = cpu_output_value(b, &f->outputs, source + FRAG_RESULT_DATA0 + rt, c);
        if (!color[c])
            color[c] = cpu_output_value(b, &f->outputs, source + FRAG_RESULT_COLOR, c);
        written |= color[c] != NULL;
    }
    for (unsigned c = 0; c < 4 && written; c++) {
        if (!color[c])
            color[c] = nir_imm_float(b, c == 3 ? 1.0f : 0.0f);
    }
    return written;
}

static void write_colors(struct fs_builder *f, nir_def *mask)
{
    nir_builder *b = &f->kb.b;

    for (unsigned rt = 0; rt < f->key->num_color_bufs; rt++) {
        struct cpu_blend_inputs in = {
            .fs = f->fs,
            .mask = mask,
            .key = &f->key->blend,
            .rt = rt,
            .format = f->key->color_format[rt],
        };
        if (!in.format || !fragment_color(f, rt, 0, in.src))
            continue;
        if (!fragment_color(f, rt, SECOND_SOURCE, in.src1))
            memset(in.src1, 0, sizeof in.src1);
        if (f->key->blend.alpha_to_one && !util_format_is_pure_integer(in.format)) {
            in.src[3] = nir_imm_float(b, 1.0f);
            in.src1[3] = in.src1[3] ? in.src[3] : NULL;
        }
        if (f->smooth && !util_format_is_pure_integer(in.format))
            in.src[3] = nir_fmul(b, in.src[3], f->smooth);
        in.address = color_address(f, rt);
        cpu_nir_blend(b, &in);
    }
}

/* GL 4.6 §17.3.1: as many samples as alpha's share of all, the first ones. NULL: all. */
static nir_def *alpha_samples(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    nir_def *color[4];

    if (!f->key->blend.alpha_to_coverage || !fragment_color(f, 0, 0, color))
        return NULL;
    nir_def *scaled = nir_fmul_imm(b, nir_fsat(b, color[3]), f->key->samples);
    nir_def *count = nir_f2u32(b, nir_fadd_imm(b, scaled, 0.5));
    return nir_iadd_imm(b, nir_ishl(b, nir_imm_int(b, 1), count), -1);
}

/* Samples that the shader leaves, of those that it got: by gl_SampleMask and by alpha, which both mean
 * nothing without multisampling. NULL: all. */
static nir_def *output_samples(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    nir_def *mask = cpu_output_value(b, &f->outputs, FRAG_RESULT_SAMPLE_MASK, 0);
    nir_def *alpha = alpha_samples(f);

    if (!f->key->sample_masks)
        return NULL;

    return mask && alpha ? nir_iand(b, mask, alpha) : mask ? mask : alpha;
}

static nir_variable *create_counter(struct fs_builder *f, const char *name)
{
    nir_variable *counter = nir_local_variable_create(f->kb.impl, glsl_uint_type(), name);
    nir_store_var(&f->kb.b, counter, nir_imm_int(&f->kb.b, 0), 1);
    return counter;
}

/* Adds the lanes of the mask. */
static void count_lanes(struct fs_builder *f, nir_variable *counter, nir_def *mask)
{
    nir_builder *b = &f->kb.b;
    nir_def *ballot = nir_ballot(b, 1, 32, mask);
    nir_def *sum = nir_iadd(b, nir_load_var(b, counter), nir_bit_count(b, ballot));
    nir_store_var(b, counter, sum, 1);
}

/* Adds what was counted to the caller's sum. */
static void leave_counter(struct fs_builder *f, nir_variable *counter, nir_def *address)
{
    nir_builder *b = &f->kb.b;
    nir_def *zero = nir_imm_int(b, 0);
    nir_def *sum = nir_load_global(b, 1, 64, address, zero, .align_mul = 8);
    sum = nir_iadd(b, sum, nir_u2u64(b, nir_load_var(b, counter)));
    nir_store_global(b, sum, address, zero, .align_mul = 8);
}

/* ---------------------------------------------------------------------------- the kernel --- */

static bool writes_depth_stencil(const struct cpu_fs_key *key)
{
    return key->zs_format &&
           ((key->zs.depth_func && key->zs.depth_write) || key->zs.stencil[0].enabled);
}

static bool can_test_early(const nir_shader_info *info, const struct cpu_fs_key *key)
{
    const uint64_t own = BITFIELD64_BIT(FRAG_RESULT_DEPTH) | BITFIELD64_BIT(FRAG_RESULT_STENCIL);

    if (info->fs.early_fragment_tests)
        return true;
    /* what the shader reads must not be its own fragment's */
    if (writes_depth_stencil(key) &&
        (bitset_test(info->system_values_read, SYSTEM_VALUE_LAST_FRAG_DEPTH) ||
         bitset_test(info->system_values_read, SYSTEM_VALUE_LAST_FRAG_STENCIL)))
        return false;
    if (info->writes_memory || (info->outputs_written & own))
        return false;
    /* a fragment that is discarded later must not have updated the buffer */
    bool may_discard =
        info->fs.uses_discard || info->fs.uses_demote || key->blend.alpha_to_coverage ||
        (key->sample_masks && (info->outputs_written & BITFIELD64_BIT(FRAG_RESULT_SAMPLE_MASK)));
    return !may_discard || !writes_depth_stencil(key);
}

static void load_draw(struct fs_builder *f)
{
    f->kb.state = FS_ARG(f, state, 64);
    f->fs = FS_ARG(f, fs, 64);
    f->kb.live = nir_local_variable_create(f->kb.impl, glsl_bool_type(), "live");
    if (f->key->samples) {
        f->samples = nir_local_variable_create(f->kb.impl, glsl_uint_type(), "samples");
        /* GL 4.6 §14.3.1.1: samples are shaded one by one only with multisampling */
        f->per_sample =
            f->key->sample_masks && (f->key->sample_shading || f->info->fs.uses_sample_shading);
    }
    if (f->key->count_samples)
        f->passed = create_counter(f, "passed");
    if (f->key->count_invocations)
        f->invocations = create_counter(f, "invocations");
}

#define FS_PRIM_ADDRESS(f, field)                                                                  \
    load_uniforms(f, &(f)->primitive, offsetof(struct cpu_primitive, field), 64)

/* What the tests need of the primitive. */
static void load_primitive(struct fs_builder *f)
{
    f->ref[0] = FS_PRIM(f, x_ref);
    f->ref[1] = FS_PRIM(f, y_ref);
    f->front_facing = nir_ine_imm(&f->kb.b, FS_PRIM(f, front_facing), 0);
}

/* What shading needs beside that. */
static void load_vertices(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;

    f->provoking = FS_PRIM_ADDRESS(f, provoking);
    for (unsigned i = 0; i < 3; i++)
        f->inv_w[i] = FS_PRIM(f, inv_w[i]);
    f->vertex[0] = FS_PRIM_ADDRESS(f, vertex[0]);
    f->vertex[1] = FS_PRIM_ADDRESS(f, vertex[1]);
    f->vertex[2] = FS_PRIM_ADDRESS(f, vertex[2]);
    f->weight[0] = add_plane(f, load_plane(f, offsetof(struct cpu_primitive, b1)));
    f->weight[1] = add_plane(f, load_plane(f, offsetof(struct cpu_primitive, b2)));
    struct cpu_place place = enter_primitive_code(f);
    f->affine =
        nir_iand(b, nir_feq(b, f->inv_w[0], f->inv_w[1]), nir_feq(b, f->inv_w[0], f->inv_w[2]));
    leave_primitive_code(f, place);
}

/* Where a texel of a block is in it: its number's bits are, from the lowest, x, y, x, y. */
static void locate_texel(nir_builder *b, nir_def *texel, nir_def *at[2])
{
    nir_def *bit[4];

    for (unsigned i = 0; i < 4; i++)
        bit[i] = nir_iand_imm(b, i ? nir_ushr_imm(b, texel, i) : texel, 1);
    for (unsigned i = 0; i < 2; i++)
        at[i] = nir_i2f32(b, nir_iadd(b, bit[i], nir_ishl_imm(b, bit[i + 2], 1)));
}

static void locate_lanes(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    struct cpu_place place = enter_lane_code(f);
    f->texel = nir_load_subgroup_invocation(b);
    if (f->kb.lanes < 16)
        f->texel = nir_iadd(b, f->texel, f->first_texel);
    locate_texel(b, f->texel, f->lane);
    cpu_kernel_leave_prologue(&f->kb, place);
}

static void locate_block(struct fs_builder *f, nir_def *x, nir_def *y, nir_def *delta[2])
{
    nir_builder *b = &f->kb.b;
    nir_def *first[2] = {x, y};

    for (unsigned i = 0; i < 2; i++) {
        nir_def *center = nir_fadd_imm(b, nir_i2f32(b, first[i]), 0.5);
        delta[i] = nir_fsub(b, center, f->ref[i]);
    }
}

/* Where inputs are, from the pixel's center; NULL: there. */
static void place_inputs(struct fs_builder *f, nir_def *const *offset)
{
    nir_builder *b = &f->kb.b;
    nir_def *other = nir_inot(b, f->affine);

    f->offset = offset;
    f->body_start = nir_imm_int(b, 0)->parent_instr;
    f->affine_code = nir_push_if(b, f->quads ? nir_vote_any(b, f->affine) : f->affine);
    nir_pop_if(b, f->affine_code);
    f->perspective_code = nir_push_if(b, f->quads ? nir_vote_any(b, other) : other);
    nir_pop_if(b, f->perspective_code);
}

/* 1 bit: the lane's quad has a live fragment. */
static nir_def *find_live_quads(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    nir_def *lanes = nir_ballot(b, 1, 32, nir_load_var(b, f->kb.live));
    nir_def *pairs = nir_ior(b, lanes, nir_ushr_imm(b, lanes, 1));
    nir_def *quads = nir_ior(b, pairs, nir_ushr_imm(b, pairs, 2));
    nir_def *all = nir_imul_imm(b, nir_iand_imm(b, quads, 0x11111111), 15);
    nir_def *lane = nir_ushr(b, all, nir_load_subgroup_invocation(b));

    return nir_ine_imm(b, nir_iand_imm(b, lane, 1), 0);
}

/* The application's shader, for the live fragments. */
static void run_body(struct fs_builder *f)
{
    if (f->kb.units->num_samplers)
        f->kb.quad_live = find_live_quads(f);
    f->entered = nir_load_var(&f->kb.b, f->kb.live);
    if (f->key->count_invocations)
        count_lanes(f, f->invocations, f->entered);
    f->in_body = true;
    cpu_kernel_insert_body(&f->kb, lower_instr, f);
    f->in_body = false;
}

/* GL 4.6 §14.9: where shaders ask for early tests, occlusion queries count before shading too. */
static bool counts_early(const struct fs_builder *f)
{
    return f->key->count_samples && f->info->fs.early_fragment_tests;
}

/* What follows the shader, for one fragment of each lane. */
static void finish_fragments(struct fs_builder *f, nir_def *mask, bool tested)
{
    if (!tested)
        mask = test_fragments(f, mask);
    if (f->key->count_samples && !counts_early(f))
        count_lanes(f, f->passed, mask);
    write_colors(f, mask);
}

/* The fragments, of one sample each, that pass the tests before shading. */
static nir_def *test_early(struct fs_builder *f, nir_def *mask)
{
    mask = test_fragments(f, mask);
    if (counts_early(f))
        count_lanes(f, f->passed, mask);
    return mask;
}

static void shade_pixels(struct fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;

    place_inputs(f, NULL);
    run_body(f);
    finish_fragments(f, nir_load_var(b, f->kb.live), early);
}

/* --- several samples --- */

static struct cpu_count_loop begin_samples(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    struct cpu_count_loop loop =
        cpu_begin_count_loop(b, nir_imm_int(b, f->key->samples), &f->sample);
    load_sample_offset(f, f->sample, f->sample_offset);
    return loop;
}

static void end_samples(struct fs_builder *f, struct cpu_count_loop *loop)
{
    cpu_end_count_loop(&f->kb.b, loop, 1);
    f->sample = NULL;
}

/* 1 bit: the sample that is worked on is one of them. */
static nir_def *has_sample(struct fs_builder *f, nir_def *samples)
{
    nir_builder *b = &f->kb.b;
    return nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, samples, f->sample), 1), 0);
}

/* Keeps the samples that pass. */
static void test_samples(struct fs_builder *f)
{
    nir_builder *b = &f->kb.b;

    nir_store_var(b, f->samples, nir_imm_int(b, 0), 1);
    struct cpu_count_loop loop = begin_samples(f);
    nir_def *pass = nir_b2i32(b, test_early(f, has_sample(f, f->covered)));
    nir_def *passed = nir_ior(b, nir_load_var(b, f->samples), nir_ishl(b, pass, f->sample));
    nir_store_var(b, f->samples, passed, 1);
    end_samples(f, &loop);
}

/* Once for all samples of a pixel. */
static void shade_pixels_of_samples(struct fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;

    place_inputs(f, NULL);
    run_body(f);
    nir_def *samples =
        nir_bcsel(b, nir_load_var(b, f->kb.live), nir_load_var(b, f->samples), nir_imm_int(b, 0));
    nir_def *output = output_samples(f);
    if (output)
        samples = nir_iand(b, samples, output);
    struct cpu_count_loop loop = begin_samples(f);
    finish_fragments(f, has_sample(f, samples), early);
    end_samples(f, &loop);
}

static void shade_each_sample(struct fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;
    struct cpu_count_loop loop = begin_samples(f);
    nir_def *live = has_sample(f, nir_load_var(b, f->samples));

    nir_push_if(b, nir_vote_any(b, live));
    f->coverage = has_sample(f, f->covered);
    f->depth_offset = f->sample_offset;
    nir_store_var(b, f->kb.live, live, 1);
    place_inputs(f, f->key->sample_shading ? f->sample_offset : NULL);
    run_body(f);
    nir_def *mask = nir_load_var(b, f->kb.live), *output = output_samples(f);
    if (output)
        mask = nir_iand(b, mask, has_sample(f, output));
    finish_fragments(f, mask, early);
    nir_pop_if(b, NULL);
    end_samples(f, &loop);
}

/* Runs what comes until its end only if some lane's condition is set, unless that is no matter. */
static void begin_if_any(struct fs_builder *f, nir_def *condition, bool matters)
{
    if (matters)
        nir_push_if(&f->kb.b, nir_vote_any(&f->kb.b, condition));
}

static void end_if_any(struct fs_builder *f, bool matters)
{
    if (matters)
        nir_pop_if(&f->kb.b, NULL);
}

/* What one vector of fragments goes through. */
static void shade_vector(struct fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;
    /* Half a block seldom has no fragment, and two halves without branches between them overlap. */
    const bool half = f->kb.near && f->kb.lanes == 8 && !f->covered;
    const bool may_fail =
        early && (f->covered || f->key->zs.depth_func || f->key->zs.stencil[0].enabled);

    begin_if_any(f, f->coverage, !half);
    if (f->quads)
        locate_block(f, f->block_x, f->block_y, f->delta);
    nir_def *live = f->coverage;
    if (f->covered && early) {
        test_samples(f);
        live = nir_ine_imm(b, nir_load_var(b, f->samples), 0);
    } else if (f->covered) {
        nir_store_var(b, f->samples, f->covered, 1);
    } else if (early) {
        live = test_early(f, live);
    }
    nir_store_var(b, f->kb.live, live, 1);
    begin_if_any(f, live, may_fail);
    load_vertices(f);
    if (f->per_sample)
        shade_each_sample(f, early);
    else if (f->covered)
        shade_pixels_of_samples(f, early);
    else
        shade_pixels(f, early);
    end_if_any(f, may_fail);
    end_if_any(f, !half);
}

/* Loads the samples, or the coverage, of the vector's pixels in the i-th block. */
static void load_samples(struct fs_builder *f, nir_def *i)
{
    nir_builder *b = &f->kb.b;
    nir_def *offset = nir_imul_imm(b, i, sizeof(struct cpu_block_samples));
    nir_def *bytes =
        nir_u2u32(b, nir_load_global_block(b, 1, 8, FS_ARG(f, block_samples, 64),
                                           nir_iadd(b, offset, f->first_texel), .align_mul = 1));

    f->covered = bytes;
    if (f->key->smooth) {
        f->smooth = nir_fmul_imm(b, nir_u2f32(b, bytes), 1.0 / 255.0);
        f->covered =
            nir_bcsel(b, nir_ine_imm(b, bytes, 0),
                      nir_imm_int(b, (1 << MAX2(f->key->samples, 1)) - 1), nir_imm_int(b, 0));
    }
    if (f->key->samples)
        f->covered = nir_iand(b, f->covered, FS_STATE(f, sample_mask, 32));
    f->coverage = nir_ine_imm(b, f->covered, 0);
    if (!f->key->samples)
        f->covered = NULL;
}

static bool is_written(const struct fs_plane *p, bool affine)
{
    return p->read && (affine || !p->if_affine);
}

static unsigned num_written(const struct fs_builder *f, bool affine)
{
    unsigned count = 0;

    for (unsigned i = 0; i < f->num_planes; i++)
        count += is_written(&f->plane[i], affine);
    return count;
}

/* Puts planes' shares of a block's texels into the table. */
static void write_lanes(struct fs_builder *f, bool affine)
{
    nir_builder *b = &f->kb.b;

    for (unsigned first = 0; first < 16; first += f->kb.lanes) {
        nir_def *lane[2];
        locate_texel(b, nir_iadd_imm(b, nir_load_subgroup_invocation(b), first), lane);
        for (unsigned i = 0; i < f->num_planes; i++)
            if (is_written(&f->plane[i], affine))
                nir_store_global_block(b, lane_share(f, &f->plane[i], lane), f->table,
                                       nir_iadd_imm(b, &f->plane[i].lanes->def, first * 4),
                                       nir_imm_true(b), .align_mul = 4);
    }
}

/* Puts planes' values at the first pixels of all blocks into the table, for a vector of blocks at a
 * time. */
static void write_blocks(struct fs_builder *f, nir_def *blocks, nir_def *count, bool affine)
{
    nir_builder *b = &f->kb.b;
    nir_def *first, *delta[2], *weights[2];

    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &first);
    nir_def *words =
        nir_load_global_block(b, 2, 32, blocks, nir_ishl_imm(b, first, 3), .align_mul = 4);
    nir_def *xy = nir_channel(b, words, 0);
    locate_block(f, nir_iand_imm(b, xy, 0xffff), nir_ushr_imm(b, xy, 16), delta);
    weights_at_block(f, delta, weights);
    for (unsigned i = 0; i < f->num_planes; i++) {
        const struct fs_plane *p = &f->plane[i];
        nir_def *at = nir_iadd(b, nir_ishl_imm(b, first, 2), &p->blocks->def);
        if (is_written(p, affine))
            nir_store_global_block(b, value_at_block(f, p, p->of_weights ? weights : delta),
                                   f->table, at, nir_imm_true(b), .align_mul = 4);
    }
    cpu_end_count_loop(b, &loop, f->kb.lanes);
}

/* When all planes are known: ends the prologue with the table of their values. Returns how many blocks
 * there may be. */
static unsigned write_planes(struct fs_builder *f, nir_def *blocks, nir_def *count)
{
    nir_builder *b = &f->kb.b;
    unsigned most = CPU_TILE_BLOCKS * CPU_TILE_BLOCKS;

    while (f->num_planes * (most + 16) > CPU_PLANE_WORDS)
        most /= 2;
    for (unsigned i = 0; i < f->num_planes; i++) {
        f->plane[i].blocks->value[0].u32 = i * (most + 16) * 4;
        f->plane[i].lanes->value[0].u32 = (i * (most + 16) + most) * 4;
    }
    struct cpu_place place = cpu_kernel_enter_prologue(&f->kb);
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
    cpu_kernel_leave_prologue(&f->kb, place);
    return most;
}

static void loop_over_blocks(struct fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;
    nir_def *blocks = FS_ARG(f, block, 64), *count = FS_ARG(f, count, 32), *i;
    struct cpu_count_loop vectors;

    f->primitive.of[0] = FS_ARG(f, primitive, 64);
    f->table = FS_ARG(f, planes, 64);
    load_primitive(f);
    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &i);
    f->kb.outer_loop = loop.loop;
    f->block_words = nir_ishl_imm(b, i, 2);
    nir_def *offset = nir_ishl_imm(b, i, 3);
    nir_def *xy = nir_load_global_constant(b, 1, 32, blocks, offset, .align_mul = 4);
    nir_def *mask =
        nir_load_global_constant(b, 1, 32, blocks, nir_iadd_imm(b, offset, 4), .align_mul = 4);
    f->block_x = nir_iand_imm(b, xy, 0xffff);
    f->block_y = nir_ushr_imm(b, xy, 16);
    f->first_texel = nir_imm_int(b, 0);
    if (f->kb.lanes < 16)
        vectors = cpu_begin_count_loop(b, nir_imm_int(b, 16), &f->first_texel);
    locate_lanes(f);
    if (f->key->samples || f->key->smooth)
        load_samples(f, i);
    else
        f->coverage = nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, mask, f->texel), 1), 0);
    shade_vector(f, early);
    if (f->kb.lanes < 16)
        cpu_end_count_loop(b, &vectors, f->kb.lanes);
    cpu_end_count_loop(b, &loop, 1);
    f->variant->max_blocks = (uint16_t)write_planes(f, blocks, count);
}

/* Loads one vector's quads from an array: a quad's lanes have its words. */
static void load_quads(struct fs_builder *f, nir_def *quads, nir_def *first)
{
    _Static_assert(sizeof(struct cpu_quad) == 16, "a word for each lane");
    nir_builder *b = &f->kb.b;
    nir_def *start = nir_imul_imm(b, first, sizeof(struct cpu_quad));
    nir_def *words = nir_load_global_block(b, 1, 32, quads, start, .align_mul = 8);

    for (unsigned q = 0; q < f->quads; q++)
        f->primitive.of[q] = nir_load_global_constant(
            b, 1, 64, quads, nir_iadd_imm(b, start, q * sizeof(struct cpu_quad)), .align_mul = 8);
    nir_def *xy = nir_quad_broadcast(b, words, nir_imm_int(b, offsetof(struct cpu_quad, x) / 4));
    nir_def *mask =
        nir_quad_broadcast(b, words, nir_imm_int(b, offsetof(struct cpu_quad, mask) / 4));
    nir_def *x = nir_iand_imm(b, xy, 0xffff), *y = nir_ushr_imm(b, xy, 16);
    nir_def *lane = nir_load_subgroup_invocation(b);
    nir_def *right = nir_iand_imm(b, x, 2), *upper = nir_iand_imm(b, y, 2);
    f->block_x = nir_iand_imm(b, x, ~3u);
    f->block_y = nir_iand_imm(b, y, ~3u);
    f->quad_texel = nir_iadd(b, nir_ishl_imm(b, right, 1), nir_ishl_imm(b, upper, 2));
    f->lane[0] = nir_i2f32(b, nir_iadd(b, right, nir_iand_imm(b, lane, 1)));
    f->lane[1] = nir_i2f32(b, nir_iadd(b, upper, nir_iand_imm(b, nir_ushr_imm(b, lane, 1), 1)));
    nir_def *bit = nir_iand_imm(b, lane, 3);
    f->coverage = nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, mask, bit), 1), 0);
}

static void loop_over_quads(struct fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;
    nir_def *quads = FS_ARG(f, quad, 64), *count = FS_ARG(f, count, 32), *i;

    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &i);
    f->kb.outer_loop = loop.loop;
    load_quads(f, quads, i);
    load_primitive(f);
    shade_vector(f, early);
    cpu_end_count_loop(b, &loop, f->quads);
}

/* Whether any color buffer is written. */
static bool writes_color(const struct cpu_fs_key *key)
{
    for (unsigned i = 0; i < key->num_color_bufs; i++) {
        if (key->color_format[i] && key->blend.rt[i].colormask)
            return true;
    }
    return false;
}

static struct jit_kernel *build_kernel(struct jit_engine *engine, const struct cpu_shader *shader,
                                       const struct cpu_fs_key *key, struct cpu_fs_variant *variant,
                                       bool quads)
{
    struct fs_builder f = {.key = key, .info = &shader->nir->info, .variant = variant};
    bool early = can_test_early(f.info, key);

    if (!cpu_kernel_begin(&f.kb, shader, jit_engine_lanes(engine)))
        return NULL;
    f.quads = quads ? f.kb.lanes / 4 : 0;
    f.kb.near = !quads;
    f.kb.block = f.kb.lanes == 16 && !quads;
    f.kb.units = &key->units;
    f.kb.upper_row = key->upper_row;

    load_draw(&f);
    if (quads)
        loop_over_quads(&f, early);
    else
        loop_over_blocks(&f, early);
    if (key->count_samples)
        leave_counter(&f, f.passed, FS_ARG(&f, samples_passed, 64));
    if (key->count_invocations)
        leave_counter(&f, f.invocations, FS_ARG(&f, invocations, 64));
    return cpu_kernel_finish(&f.kb, engine, f.info->name ? f.info->name : "fs");
}

struct jit_kernel *cpu_build_fs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_fs_key *key, struct cpu_fs_variant *variant)
{
    const nir_shader_info *info = &shader->nir->info;

    variant->early_z = can_test_early(info, key);
    variant->no_op = !writes_color(key) && !writes_depth_stencil(key) && !key->count_samples &&
                     !key->count_invocations && !info->writes_memory;
    return build_kernel(engine, shader, key, variant, false);
}

struct jit_kernel *cpu_build_fs_quads(struct jit_engine *engine, const struct cpu_shader *shader,
                                      const struct cpu_fs_key *key)
{
    return build_kernel(engine, shader, key, NULL, true);
}
