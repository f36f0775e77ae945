/* SPDX-License-Identifier: MIT */
/*
 * Lowers accesses to uniforms, uniform blocks, storage blocks and shader images: loads, stores and
 * atomics with bounds checks. Out-of-bounds loads return 0 and stores are ignored. Fragments that
 * are not live don't write memory.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_format.h"
#include "util/format.h"

/* ---------------------------------------------------------------------------------- buffers --- */

/* A range of a buffer. Accesses to global memory have offsets below 2 GiB, so of other buffers only
 * the first 2 GiB are accessible. If `far` is set, addresses are computed instead of offsets. */
struct buffer {
    nir_def *base; /* 64-bit address */
    nir_def *size; /* bytes: 32 bits, at most INT32_MAX; far: 64 bits, at most UINT32_MAX */
    bool far;
};

static struct buffer buffer_at(struct cpu_kernel_builder *kb, nir_def *address, unsigned offset,
                               bool far)
{
    nir_builder *b = &kb->b;
    struct buffer buffer = {.far = far};

    buffer.base = cpu_load_const(b, 1, 64, address, offset + offsetof(struct cpu_buffer, base));
    nir_def *size = cpu_load_const(b, 1, 64, address, offset + offsetof(struct cpu_buffer, size));
    size = nir_umin(b, size, nir_imm_intN_t(b, far ? UINT32_MAX : INT32_MAX, 64));
    buffer.size = far ? size : nir_u2u32(b, size);
    return buffer;
}

/* Loads the buffer with the given index from an array of `count` buffers at `offset` in the stage's
 * state. */
static struct buffer load_buffer(struct cpu_kernel_builder *kb, nir_def *index, unsigned offset,
                                 unsigned count, bool far)
{
    nir_builder *b = &kb->b;
    nir_src src = nir_src_for_ssa(index);

    if (nir_src_is_const(src)) {
        unsigned i = MIN2((unsigned)nir_src_as_uint(src), count - 1);
        struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(kb);
        struct buffer buffer =
            buffer_at(kb, kb->state, offset + i * sizeof(struct cpu_buffer), far);
        cpu_kernel_leave_prologue(kb, saved);
        return buffer;
    }
    nir_def *i = nir_umin(b, index, nir_imm_int(b, (int)count - 1));
    nir_def *bytes = nir_u2u64(b, nir_imul_imm(b, i, sizeof(struct cpu_buffer)));
    return buffer_at(kb, nir_iadd(b, kb->state, bytes), offset, far);
}

static struct buffer storage_buffer(struct cpu_kernel_builder *kb, nir_def *index)
{
    return load_buffer(kb, index, offsetof(struct cpu_stage_state, storage),
                       DRV_MAX_STORAGE_BUFFERS, kb->units && kb->units->far_storage);
}

/* Constant buffer 0 is the default uniform block. */
static struct buffer default_block(struct cpu_kernel_builder *kb)
{
    return load_buffer(kb, nir_imm_int(&kb->b, 0), offsetof(struct cpu_stage_state, constant), 1,
                       false);
}

/* Uniform block n is in constant buffer n + 1. */
static struct buffer uniform_block(struct cpu_kernel_builder *kb, nir_def *index)
{
    return load_buffer(kb, index, offsetof(struct cpu_stage_state, constant[1]),
                       DRV_MAX_CONSTANT_BUFFERS - 1, false);
}

/* Returns a 32-bit offset with as many bits as the buffer's size. */
static nir_def *buffer_offset(nir_builder *b, const struct buffer *buffer, nir_def *offset)
{
    return buffer->far ? nir_u2u64(b, offset) : offset;
}

/* Returns the base for an access to global memory at *offset, as returned by buffer_offset, and
 * sets *offset to the access's offset. */
static nir_def *buffer_address(nir_builder *b, const struct buffer *buffer, nir_def **offset)
{
    if (!buffer->far)
        return buffer->base;
    nir_def *base = nir_iadd(b, buffer->base, *offset);
    *offset = nir_imm_int(b, 0);
    return base;
}

/* Returns 1 bit: the buffer has at least that many bytes. */
static nir_def *has_bytes(nir_builder *b, const struct buffer *buffer, unsigned bytes)
{
    return nir_uge(b, buffer->size, nir_imm_intN_t(b, bytes, buffer->size->bit_size));
}

/* Returns 1 bit: bytes [offset, offset + bytes) are inside the buffer. `offset` is one that
 * buffer_offset returned, or the sum of one and a constant. */
static nir_def *range_is_inside(nir_builder *b, const struct buffer *buffer, nir_def *offset,
                                unsigned bytes)
{
    nir_def *last = nir_iadd_imm(b, buffer->size, -(int64_t)bytes);
    return nir_iand(b, has_bytes(b, buffer, bytes), nir_uge(b, last, offset));
}

/* Returns the vector if the 1-bit condition is true, otherwise zeros. */
static nir_def *or_zero(nir_builder *b, nir_def *condition, nir_def *value)
{
    nir_def *zero = nir_imm_intN_t(b, 0, value->bit_size), *component[NIR_MAX_VEC_COMPONENTS];

    for (unsigned i = 0; i < value->num_components; i++)
        component[i] = nir_bcsel(b, condition, nir_channel(b, value, i), zero);
    return nir_vec(b, component, value->num_components);
}

/* A load from outside of a buffer may read the stage's state instead. */
_Static_assert(offsetof(struct cpu_stage_state, texture) >=
                   NIR_MAX_VEC_COMPONENTS * sizeof(uint64_t),
               "the part of the state that is always allocated is shorter than the longest vector");

/* Checks the bounds of a whole vector at once: unless it lies inside completely, the result is
 * zero. The load is executed anyway. It then reads the start of the buffer or, if that is too
 * short or far, the stage's state. */
static nir_def *load_checked(struct cpu_kernel_builder *kb, const struct buffer *buffer,
                             nir_def *offset, unsigned components, unsigned bit_size, bool constant)
{
    nir_builder *b = &kb->b;
    unsigned bytes = bit_size / 8, align = MIN2(bytes, 4);
    offset = buffer_offset(b, buffer, offset);
    nir_def *inside = range_is_inside(b, buffer, offset, components * bytes), *base, *at = offset;

    if (buffer->far) {
        base = nir_bcsel(b, inside, buffer_address(b, buffer, &at), kb->state);
    } else {
        base = nir_bcsel(b, has_bytes(b, buffer, components * bytes), buffer->base, kb->state);
        at = nir_bcsel(b, inside, offset, nir_imm_int(b, 0));
    }
    nir_def *value =
        constant ? nir_load_global_constant(b, components, bit_size, base, at, .align_mul = align)
                 : nir_load_global(b, components, bit_size, base, at, .align_mul = align);
    return or_zero(b, inside, value);
}

/* Loads from a uniform block; index NULL: from the default block. Loads at a constant offset from a
 * constant buffer index are executed in the prologue. */
static nir_def *load_constant_memory(struct cpu_kernel_builder *kb, nir_def *index, nir_def *offset,
                                     unsigned base, nir_def *def)
{
    nir_builder *b = &kb->b;
    nir_src src = nir_src_for_ssa(offset);
    unsigned bits = MAX2(def->bit_size, 8);
    bool hoist = nir_src_is_const(src) && (!index || nir_src_is_const(nir_src_for_ssa(index)));
    struct buffer buffer = index ? uniform_block(kb, index) : default_block(kb);
    struct cpu_saved_cursor saved = {0};

    if (hoist) {
        saved = cpu_kernel_enter_prologue(kb);
        offset = nir_imm_int(b, (int)(nir_src_as_uint(src) + base));
    } else if (base) {
        offset = nir_iadd_imm(b, offset, base);
    }
    nir_def *value = load_checked(kb, &buffer, offset, def->num_components, bits, true);
    if (hoist)
        cpu_kernel_leave_prologue(kb, saved);
    return value;
}

/* Returns the lanes that may write memory. NULL: all. */
static nir_def *effective_lanes(struct cpu_kernel_builder *kb)
{
    return kb->live ? nir_load_var(&kb->b, kb->live) : NULL;
}

static nir_def *and_live(struct cpu_kernel_builder *kb, nir_def *condition)
{
    nir_def *live = effective_lanes(kb);
    return live ? nir_iand(&kb->b, condition, live) : condition;
}

static void store_checked(struct cpu_kernel_builder *kb, const struct buffer *buffer,
                          nir_def *value, nir_def *offset, unsigned mask)
{
    nir_builder *b = &kb->b;
    unsigned bytes = value->bit_size / 8;

    offset = buffer_offset(b, buffer, offset);
    for (unsigned i = 0; i < value->num_components; i++) {
        if (!(mask >> i & 1))
            continue;
        nir_def *at = i ? nir_iadd_imm(b, offset, i * bytes) : offset;
        nir_push_if(b, and_live(kb, range_is_inside(b, buffer, at, bytes)));
        nir_def *base = buffer_address(b, buffer, &at);
        nir_store_global(b, nir_channel(b, value, i), base, at, .align_mul = MIN2(bytes, 4));
        nir_pop_if(b, NULL);
    }
}

static void store_ssbo(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr)
{
    struct buffer buffer = storage_buffer(kb, intr->src[1].ssa);
    store_checked(kb, &buffer, intr->src[0].ssa, intr->src[2].ssa, nir_intrinsic_write_mask(intr));
}

/* Emits an atomic operation if the condition is true. value: second operand of a compare-and-swap,
 * or NULL. access: enum gl_access_qualifier. Returns the old value, or 0 where nothing was done. */
static nir_def *atomic_if(struct cpu_kernel_builder *kb, nir_def *condition, nir_def *base,
                          nir_def *offset, nir_def *data, nir_def *value, nir_atomic_op op,
                          unsigned access)
{
    nir_builder *b = &kb->b;
    nir_def *old;

    nir_push_if(b, and_live(kb, condition));
    if (value)
        old = nir_global_atomic_swap(b, data->bit_size, base, offset, data, value, .access = access,
                                     .atomic_op = op);
    else
        old = nir_global_atomic(b, data->bit_size, base, offset, data, .access = access,
                                .atomic_op = op);
    nir_push_else(b, NULL);
    nir_def *none = nir_imm_intN_t(b, 0, data->bit_size);
    nir_pop_if(b, NULL);
    return nir_if_phi(b, old, none);
}

static nir_def *atomic_checked(struct cpu_kernel_builder *kb, const struct buffer *buffer,
                               nir_def *offset, nir_def *data, nir_def *value, nir_atomic_op op,
                               unsigned access)
{
    nir_builder *b = &kb->b;
    offset = buffer_offset(b, buffer, nir_iand_imm(b, offset, ~(data->bit_size / 8 - 1u)));
    nir_def *inside = range_is_inside(b, buffer, offset, data->bit_size / 8);
    nir_def *base = buffer_address(b, buffer, &offset);
    return atomic_if(kb, inside, base, offset, data, value, op, access);
}

static nir_def *ssbo_atomic(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr)
{
    bool swap = intr->intrinsic == nir_intrinsic_ssbo_atomic_swap;
    struct buffer buffer = storage_buffer(kb, intr->src[0].ssa);
    return atomic_checked(kb, &buffer, intr->src[1].ssa, intr->src[2].ssa,
                          swap ? intr->src[3].ssa : NULL, nir_intrinsic_atomic_op(intr), 0);
}

/* The shared memory of a work group is accessed by one thread only. */
bool cpu_lower_shared(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr, nir_def *address,
                      unsigned size)
{
    nir_builder *b = &kb->b;
    struct buffer shared = {.base = address, .size = nir_imm_int(b, (int)size)};
    nir_def *offset;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_shared:
        offset = nir_iadd_imm(b, intr->src[0].ssa, nir_intrinsic_base(intr));
        nir_def_replace(&intr->def, load_checked(kb, &shared, offset, intr->def.num_components,
                                                 intr->def.bit_size, false));
        return true;
    case nir_intrinsic_store_shared:
        offset = nir_iadd_imm(b, intr->src[1].ssa, nir_intrinsic_base(intr));
        store_checked(kb, &shared, intr->src[0].ssa, offset, nir_intrinsic_write_mask(intr));
        nir_instr_remove(&intr->instr);
        return true;
    case nir_intrinsic_shared_atomic:
    case nir_intrinsic_shared_atomic_swap:
        offset = nir_iadd_imm(b, intr->src[0].ssa, nir_intrinsic_base(intr));
        nir_def_replace(&intr->def,
                        atomic_checked(kb, &shared, offset, intr->src[1].ssa,
                                       intr->intrinsic == nir_intrinsic_shared_atomic_swap
                                           ? intr->src[2].ssa
                                           : NULL,
                                       nir_intrinsic_atomic_op(intr), ACCESS_ONE_THREAD));
        return true;
    default:
        return false;
    }
}

/* Booleans in memory are 32 bits. */
static void replace_load(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr, nir_def *value)
{
    if (intr->def.bit_size == 1)
        value = nir_i2b(&kb->b, value);
    nir_def_replace(&intr->def, value);
}

bool cpu_orders_threads(const nir_intrinsic_instr *barrier)
{
    return nir_intrinsic_memory_scope(barrier) == NIR_SCOPE_DEVICE &&
           nir_intrinsic_memory_modes(barrier) & (nir_var_mem_ssbo | nir_var_uniform);
}

bool cpu_lower_memory(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr)
{
    struct buffer buffer;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_uniform:
        replace_load(kb, intr,
                     load_constant_memory(kb, NULL, intr->src[0].ssa,
                                          (unsigned)nir_intrinsic_base(intr), &intr->def));
        return true;
    case nir_intrinsic_load_ubo:
        replace_load(kb, intr,
                     load_constant_memory(kb, intr->src[0].ssa, intr->src[1].ssa, 0, &intr->def));
        return true;
    case nir_intrinsic_load_ssbo:
        buffer = storage_buffer(kb, intr->src[0].ssa);
        replace_load(kb, intr,
                     load_checked(kb, &buffer, intr->src[1].ssa, intr->def.num_components,
                                  MAX2(intr->def.bit_size, 8), false));
        return true;
    case nir_intrinsic_store_ssbo:
        store_ssbo(kb, intr);
        nir_instr_remove(&intr->instr);
        return true;
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
        nir_def_replace(&intr->def, ssbo_atomic(kb, intr));
        return true;
    case nir_intrinsic_get_ssbo_size:
        buffer = storage_buffer(kb, intr->src[0].ssa);
        nir_def_replace(&intr->def, buffer.far ? nir_u2u32(&kb->b, buffer.size) : buffer.size);
        return true;
    case nir_intrinsic_barrier:
        if (cpu_orders_threads(intr))
            nir_intrinsic_set_execution_scope(intr, NIR_SCOPE_NONE);
        else
            nir_instr_remove(&intr->instr);
        return true;
    /* One thread runs all fragments of a tile, in primitive order. */
    case nir_intrinsic_begin_invocation_interlock:
    case nir_intrinsic_end_invocation_interlock:
        nir_instr_remove(&intr->instr);
        return true;
    default:
        return false;
    }
}

/* ----------------------------------------------------------------------------------- images --- */

/* An image of the stage. Format and target are known from the variant's key. The base of an image
 * without texels is replaced by the address of the state, so that it is readable; all texels are
 * outside of it. */
struct image {
    const struct cpu_image_key *key;
    struct cpu_level_def level;
    nir_def *layers, *samples;
    nir_def *residency; /* address of its struct cpu_residency */
};

/* Position of a texel in an image; inside: 1 bit, whether it exists. */
struct image_texel {
    nir_def *base, *offset, *inside;
    enum drv_format format;
};

static void load_image_at(struct cpu_kernel_builder *kb, nir_def *address, struct image *image)
{
    nir_builder *b = &kb->b;

    cpu_load_level(b, address, NULL, &image->level);
    image->level.base =
        nir_bcsel(b, nir_ieq_imm(b, image->level.width, 0), kb->state, image->level.base);
    image->layers = cpu_load_field(b, address, struct cpu_image, num_layers, 1, 32);
    image->samples = cpu_load_field(b, address, struct cpu_image, num_samples, 1, 32);
    image->residency = cpu_address_imm(b, address, offsetof(struct cpu_image, residency));
}

static void load_image(struct cpu_kernel_builder *kb, unsigned i, struct image *image)
{
    unsigned offset = offsetof(struct cpu_stage_state, image) + i * sizeof(struct cpu_image);
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(kb);

    image->key = &kb->units->image[i];
    load_image_at(kb, cpu_address_imm(&kb->b, kb->state, offset), image);
    cpu_kernel_leave_prologue(kb, saved);
}

/* Adds the offset of a plane, i.e. of a layer or of a sample, after checking its index. */
static void add_plane(struct cpu_kernel_builder *kb, struct image_texel *t, nir_def *index,
                      nir_def *count, nir_def *stride)
{
    nir_builder *b = &kb->b;

    t->inside = nir_iand(b, t->inside, nir_ult(b, index, count));
    index = nir_bcsel(b, t->inside, index, nir_imm_int(b, 0));
    t->base = nir_iadd(b, t->base, nir_umul_2x32_64(b, index, nir_u2u32(b, stride)));
}

static void locate_texel(struct cpu_kernel_builder *kb, const nir_intrinsic_instr *intr,
                         const struct image *image, struct image_texel *t)
{
    nir_builder *b = &kb->b;
    enum drv_target target = image->key->target;
    nir_def *coord = intr->src[1].ssa, *x = nir_channel(b, coord, 0);
    unsigned layer = cpu_layer_coordinate(target);
    unsigned bytes = drv_format_desc(image->key->format)->block_bytes;

    t->format = image->key->format;
    t->base = image->level.base;
    t->inside = nir_ult(b, x, image->level.width);
    nir_def *texel = target == DRV_BUFFER ? x : cpu_texel_column(b, x);
    if (target != DRV_BUFFER && target != DRV_TEXTURE_1D && target != DRV_TEXTURE_1D_ARRAY) {
        nir_def *y = nir_channel(b, coord, 1);
        t->inside = nir_iand(b, t->inside, nir_ult(b, y, image->level.height));
        texel = nir_iadd(b, texel, cpu_texel_row(b, &image->level, y));
    }
    if (layer)
        add_plane(kb, t, nir_channel(b, coord, layer),
                  target == DRV_TEXTURE_3D ? image->level.depth : image->layers,
                  image->level.layer_stride);
    if (nir_intrinsic_image_dim(intr) == GLSL_SAMPLER_DIM_MS)
        add_plane(kb, t, intr->src[2].ssa, image->samples, image->level.sample_stride);
    t->offset = nir_imul_imm(b, texel, bytes);
    t->offset = nir_bcsel(b, t->inside, t->offset, nir_imm_int(b, 0));
}

/* Returns 1 bit: the texel of a sparse image is in committed memory. Unspecified outside the image,
 * where the first unit of the map is read. */
static nir_def *is_resident(struct cpu_kernel_builder *kb, const struct image *image,
                            const struct image_texel *t)
{
    nir_builder *b = &kb->b;
    nir_def *memory = cpu_load_field(b, image->residency, struct cpu_residency, memory, 1, 64);
    nir_def *base = nir_bcsel(b, t->inside, t->base, memory);
    return cpu_is_resident(b, image->residency, base, t->offset);
}

/* Returns 1 bit: the texel is inside the image and, if that is sparse, in committed memory. */
static nir_def *is_writable(struct cpu_kernel_builder *kb, const struct image *image,
                            const struct image_texel *t)
{
    nir_builder *b = &kb->b;
    return image->key->sparse ? nir_iand(b, t->inside, is_resident(kb, image, t)) : t->inside;
}

/* Texels outside read as zeros; components that the format doesn't have read as they do inside. The
 * load needs no mask: lanes outside read the first texel (see load_image). */
static nir_def *image_load(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                           const struct image *image)
{
    nir_builder *b = &kb->b;
    struct image_texel t;
    nir_def *rgba[4];
    unsigned components, size;

    locate_texel(kb, intr, image, &t);
    cpu_texel_shape(t.format, &components, &size);
    nir_def *texel = nir_load_global(b, components, size, t.base, t.offset, .align_mul = size / 8);
    cpu_nir_unpack(b, t.format, or_zero(b, t.inside, texel), rgba);
    return nir_vec(b, rgba, intr->def.num_components);
}

static nir_def *image_store(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                            const struct image *image)
{
    nir_builder *b = &kb->b;
    nir_def *value = intr->src[3].ssa, *rgba[4];
    struct image_texel t;
    unsigned components, size;

    locate_texel(kb, intr, image, &t);
    cpu_texel_shape(t.format, &components, &size);
    for (unsigned c = 0; c < 4; c++)
        rgba[c] = c < value->num_components ? nir_channel(b, value, c) : nir_imm_int(b, 0);
    nir_push_if(b, and_live(kb, is_writable(kb, image, &t)));
    nir_store_global(b, cpu_nir_pack(b, t.format, rgba), t.base, t.offset, .align_mul = size / 8);
    nir_pop_if(b, NULL);
    return NULL;
}

static nir_def *image_atomic(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                             const struct image *image)
{
    bool swap = intr->intrinsic == nir_intrinsic_image_atomic_swap ||
                intr->intrinsic == nir_intrinsic_bindless_image_atomic_swap;
    struct image_texel t;

    if (drv_format_desc(image->key->format)->block_bytes != 4)
        return nir_imm_zero(&kb->b, 1, intr->def.bit_size);
    locate_texel(kb, intr, image, &t);
    return atomic_if(kb, is_writable(kb, image, &t), t.base, t.offset, intr->src[3].ssa,
                     swap ? intr->src[4].ssa : NULL, nir_intrinsic_atomic_op(intr), 0);
}

static nir_def *image_residency(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                                const struct image *image)
{
    nir_builder *b = &kb->b;
    struct image_texel t;

    if (!image->key->sparse)
        return nir_imm_int(b, 1);
    locate_texel(kb, intr, image, &t);
    nir_def *outside = nir_inot(b, t.inside);
    return nir_b2i32(b, nir_ior(b, outside, is_resident(kb, image, &t)));
}

static nir_def *image_size(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                           const struct image *image)
{
    const struct cpu_level_def *level = &image->level;
    unsigned n = MIN2(intr->def.num_components, 3);
    nir_def *size[3] = {level->width, level->height, level->depth};

    if (nir_intrinsic_image_array(intr))
        size[n - 1] = image->layers;
    return nir_vec(&kb->b, size, n);
}

static nir_def *image_samples(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                              const struct image *image)
{
    return image->samples;
}

typedef nir_def *(*image_operation)(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                                    const struct image *image);

static image_operation operation_of(nir_intrinsic_op op)
{
    switch (op) {
    case nir_intrinsic_image_load:
    case nir_intrinsic_bindless_image_load:
        return image_load;
    case nir_intrinsic_image_store:
    case nir_intrinsic_bindless_image_store:
        return image_store;
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_bindless_image_atomic:
    case nir_intrinsic_image_atomic_swap:
    case nir_intrinsic_bindless_image_atomic_swap:
        return image_atomic;
    case nir_intrinsic_image_residency:
    case nir_intrinsic_bindless_image_residency:
        return image_residency;
    case nir_intrinsic_image_size:
    case nir_intrinsic_bindless_image_size:
        return image_size;
    case nir_intrinsic_image_samples:
    case nir_intrinsic_bindless_image_samples:
        return image_samples;
    default:
        return NULL;
    }
}

/* Applies the operation to image i. Returns zeros if it is not bound. */
static nir_def *apply_to_image(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                               image_operation apply, unsigned i)
{
    struct image image;

    if (i < kb->units->num_images && kb->units->image[i].format) {
        load_image(kb, i, &image);
        return apply(kb, intr, &image);
    }
    return apply == image_store
               ? NULL
               : nir_imm_zero(&kb->b, intr->def.num_components, intr->def.bit_size);
}

/* Applies the operation to the image with a dynamic index: compares the index with each image's,
 * because their formats differ. */
static nir_def *apply_to_any(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                             image_operation apply)
{
    nir_builder *b = &kb->b;
    nir_def *index = intr->src[0].ssa, *result = NULL;

    if (apply != image_store)
        result = nir_imm_zero(b, intr->def.num_components, intr->def.bit_size);
    for (unsigned i = 0; i < kb->units->num_images; i++) {
        if (!kb->units->image[i].format)
            continue;
        nir_push_if(b, nir_ieq_imm(b, index, i));
        nir_def *value = apply_to_image(kb, intr, apply, i);
        nir_pop_if(b, NULL);
        if (result)
            result = nir_if_phi(b, value, result);
    }
    return result;
}

/* Returns whether an image variable can access an image with this target. The driver's target of a
 * layer is that of the variable, or one with as many dimensions. */
static bool matches_image(const nir_intrinsic_instr *intr, enum drv_target target)
{
    bool array = nir_intrinsic_image_array(intr);
    switch (nir_intrinsic_image_dim(intr)) {
    case GLSL_SAMPLER_DIM_1D:
        return target == (array ? DRV_TEXTURE_1D_ARRAY : DRV_TEXTURE_1D);
    case GLSL_SAMPLER_DIM_BUF:
        return target == DRV_BUFFER;
    case GLSL_SAMPLER_DIM_2D: /* nir_lower_image() makes size queries of cube arrays 2D arrays */
        return array ? target == DRV_TEXTURE_2D_ARRAY || target == DRV_TEXTURE_CUBE_ARRAY
                     : target == DRV_TEXTURE_2D;
    case GLSL_SAMPLER_DIM_MS:
        return target == (array ? DRV_TEXTURE_2D_ARRAY : DRV_TEXTURE_2D);
    case GLSL_SAMPLER_DIM_3D:
        return target == DRV_TEXTURE_3D;
    case GLSL_SAMPLER_DIM_CUBE:
        return target == (array ? DRV_TEXTURE_CUBE_ARRAY : DRV_TEXTURE_CUBE);
    case GLSL_SAMPLER_DIM_RECT:
        return target == DRV_TEXTURE_RECT || target == DRV_TEXTURE_2D;
    default:
        return false;
    }
}

/* Emits the operation on an image and stores its result, if any. */
static void apply_to(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                     image_operation apply, struct image *image, nir_def *address,
                     nir_variable *const result[4])
{
    load_image_at(kb, address, image);
    nir_def *value = apply(kb, intr, image);
    for (unsigned c = 0; value && c < value->num_components; c++)
        nir_store_var(&kb->b, result[c], nir_channel(&kb->b, value, c), 1);
}

/* Applies the operation to the image with a handle. Handles that are not those of resident images
 * of the right dimensionality read as 0. */
static nir_def *apply_to_handle(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr,
                                image_operation apply)
{
    nir_builder *b = &kb->b;
    unsigned n = apply == image_store ? 0 : intr->def.num_components;
    nir_variable *var[4];
    struct cpu_handle_loop l;

    for (unsigned c = 0; c < n; c++) {
        var[c] = nir_local_variable_create(kb->impl, glsl_uint_type(), "texel");
        nir_store_var(b, var[c], nir_imm_int(b, 0), 1);
    }
    cpu_begin_handles(kb, intr->src[0].ssa, &l);
    for (unsigned i = 0; i < ARRAY_SIZE(kb->classes->image); i++) {
        unsigned class = CPU_TEXTURE_CLASSES + i;
        struct image image = {.key = &kb->classes->image[i]};
        if (!(kb->units->classes[class / 64] >> class % 64 & 1) ||
            !matches_image(intr, image.key->target))
            continue;
        nir_def *address = cpu_begin_handle_class(&l, class, offsetof(struct cpu_handle, image));
        apply_to(kb, intr, apply, &image, address, var);
        nir_pop_if(b, NULL);
    }
    for (unsigned i = 0; kb->shader->info.uses_slot_handles && i < kb->units->num_images; i++) {
        struct image image = {.key = &kb->units->image[i]};
        unsigned offset = offsetof(struct cpu_stage_state, image) + i * sizeof(struct cpu_image);
        if (!image.key->format || !matches_image(intr, image.key->target))
            continue;
        nir_push_if(b, nir_iand(b, nir_ieq_imm(b, l.word[1], NIR_SLOT_HANDLE >> 32),
                                nir_ieq_imm(b, l.word[0], i)));
        apply_to(kb, intr, apply, &image, cpu_address_imm(b, kb->state, offset), var);
        nir_pop_if(b, NULL);
    }
    cpu_end_handles(&l);
    nir_def *value[4];
    for (unsigned c = 0; c < n; c++)
        value[c] = nir_load_var(b, var[c]);
    return n ? nir_vec(b, value, n) : NULL;
}

static bool is_bindless(const nir_intrinsic_instr *intr)
{
    return strncmp(nir_intrinsic_infos[intr->intrinsic].name, "bindless_", 9) == 0;
}

bool cpu_lower_image(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr)
{
    image_operation apply = operation_of(intr->intrinsic);

    if (!apply)
        return false;
    if (is_bindless(intr)) {
        nir_def *result = apply_to_handle(kb, intr, apply);
        if (result)
            nir_def_replace(&intr->def, result);
        else
            nir_instr_remove(&intr->instr);
        return true;
    }
    nir_def *value = nir_src_is_const(intr->src[0])
                         ? apply_to_image(kb, intr, apply,
                                          (unsigned)MIN2(nir_src_as_uint(intr->src[0]), UINT8_MAX))
                         : apply_to_any(kb, intr, apply);
    if (value)
        nir_def_replace(&intr->def, value);
    else
        nir_instr_remove(&intr->instr);
    return true;
}
