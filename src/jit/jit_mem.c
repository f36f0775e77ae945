/* SPDX-License-Identifier: MIT */
/*
 * LLVM IR for intrinsics: memory, lanes and votes. An address is a 64-bit base plus a 32-bit offset
 * below 2 GiB. If both are uniform, the access is scalar; if only the base is uniform, it is a
 * gather or scatter by 32-bit offsets. Inactive lanes don't access memory at per-lane addresses.
 */
#include <llvm/Config/llvm-config.h>
#include <talloc.h>

#include "jit/jit_private.h"

static unsigned align_of(nir_intrinsic_instr *intr, unsigned bits)
{
    unsigned natural = MAX2(bits / 8, 1);
    unsigned mul = nir_intrinsic_has_align_mul(intr) ? nir_intrinsic_align_mul(intr) : 0;
    if (!mul)
        return 1;
    unsigned offset = nir_intrinsic_align_offset(intr);
    unsigned known = offset ? 1u << __builtin_ctz(offset) : mul;
    return MIN2(MIN2(known, mul), MAX2(natural, 64));
}

/* Returns base + offset + extra as a pointer or a vector of pointers. */
static LLVMValueRef address(struct jit_builder *jb, LLVMValueRef base, LLVMValueRef offset,
                            uint64_t extra)
{
    LLVMBuilderRef b = jb->b;
    if (jit_is_vector(base) || jit_is_vector(offset)) {
        LLVMTypeRef ptrs = LLVMVectorType(jb->ptr, jb->lanes);
        LLVMTypeRef i64s = LLVMVectorType(jb->i64, jb->lanes);
        LLVMValueRef index = LLVMBuildSExt(b, jit_broadcast(jb, offset), i64s, "");
        if (extra)
            index = LLVMBuildAdd(b, index, jit_const_int(jb, i64s, extra), "");
        LLVMValueRef pointer = LLVMBuildIntToPtr(b, base, jit_is_vector(base) ? ptrs : jb->ptr, "");
        return LLVMBuildGEP2(b, jb->i8, pointer, &index, 1, "");
    }
    LLVMValueRef index = LLVMBuildSExt(b, offset, jb->i64, "");
    if (extra)
        index = LLVMBuildAdd(b, index, jit_const_int(jb, jb->i64, extra), "");
    LLVMValueRef pointer = LLVMBuildIntToPtr(b, base, jb->ptr, "");
    return LLVMBuildGEP2(b, jb->i8, pointer, &index, 1, "");
}

/* Calls llvm.masked.gather or llvm.masked.scatter with three arguments; args[pointers] is the
 * vector of addresses. */
static LLVMValueRef call_masked(struct jit_builder *jb, const char *intrinsic, LLVMTypeRef *types,
                                const LLVMValueRef args[3], unsigned pointers, unsigned align)
{
    LLVMValueRef all[4];
    unsigned count = 0;

    for (unsigned i = 0; i < 3; i++) {
        all[count++] = args[i];
        if (i == pointers && LLVM_VERSION_MAJOR < 22) /* the alignment was an argument */
            all[count++] = jit_const_int(jb, jb->i32, align);
    }
    LLVMValueRef call = jit_call(jb, intrinsic, types, 2, all, count);
    if (LLVM_VERSION_MAJOR >= 22)
        LLVMSetInstrParamAlignment(call, LLVMAttributeReturnIndex + 1 + pointers, align);
    return call;
}

static void scatter(struct jit_builder *jb, LLVMValueRef value, LLVMValueRef pointers,
                    unsigned align)
{
    LLVMTypeRef types[] = {LLVMTypeOf(value), LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {value, pointers, jit_exec_mask(jb)};
    call_masked(jb, "llvm.masked.scatter", types, args, 1, align);
}

static LLVMValueRef load_scalar(struct jit_builder *jb, LLVMTypeRef type, LLVMValueRef pointer,
                                unsigned align)
{
    LLVMValueRef load = LLVMBuildLoad2(jb->b, type, pointer, "");
    LLVMSetAlignment(load, align);
    return load;
}

static LLVMValueRef *new_values(struct jit_builder *jb, nir_def *def)
{
    LLVMValueRef *values = talloc_array(jb->mem_ctx, LLVMValueRef, def->num_components);
    jb->defs[def->index] = values;
    return values;
}

static LLVMValueRef lane_of(struct jit_builder *jb, LLVMValueRef value, unsigned lane)
{
    if (!jit_is_vector(value))
        return value;
    return LLVMBuildExtractElement(jb->b, value, jit_const_int(jb, jb->i32, lane), "");
}

/* Returns the address of zeros that inactive lanes read instead, which avoids a branch. */
static LLVMValueRef nothing(struct jit_builder *jb)
{
    LLVMValueRef global = LLVMGetNamedGlobal(jb->module, "nothing");
    if (!global) {
        LLVMTypeRef type = LLVMVectorType(jb->i32, 4);
        global = LLVMAddGlobal(jb->module, type, "nothing");
        LLVMSetInitializer(global, LLVMConstNull(type));
        LLVMSetGlobalConstant(global, true);
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        LLVMSetAlignment(global, 16);
    }
    return global;
}

/* Gathers scalars. LLVM emits good gathers only for AVX-512; elsewhere, it would expand one to a
 * branch per lane. */
static LLVMValueRef gather(struct jit_builder *jb, LLVMValueRef pointers, LLVMTypeRef type,
                           unsigned align)
{
    if (jb->engine->register_lanes == 16) {
        LLVMTypeRef types[] = {type, LLVMTypeOf(pointers)};
        LLVMValueRef args[] = {pointers, jit_exec_mask(jb), LLVMConstNull(type)};
        return call_masked(jb, "llvm.masked.gather", types, args, 0, align);
    }
    LLVMValueRef all = LLVMGetPoison(type);
    if (jb->exec)
        pointers = LLVMBuildSelect(jb->b, jb->exec, pointers, jit_broadcast(jb, nothing(jb)), "");
    for (unsigned i = 0; i < jb->lanes; i++)
        all = LLVMBuildInsertElement(
            jb->b, all, load_scalar(jb, LLVMGetElementType(type), lane_of(jb, pointers, i), align),
            jit_const_int(jb, jb->i32, i), "");
    return all;
}

/* Shuffles each group of four lanes. Element k of the group becomes element i[k] of the group in a
 * (0 to 3) or in b (4 to 7). */
static LLVMValueRef shuffle_groups(struct jit_builder *jb, LLVMValueRef a, LLVMValueRef b,
                                   const unsigned i[4])
{
    LLVMValueRef index[16];
    for (unsigned k = 0; k < jb->lanes; k++) {
        unsigned at = i[k & 3], lane = (k & ~3u) + (at & 3);
        index[k] = LLVMConstInt(jb->i32, at < 4 ? lane : jb->lanes + lane, false);
    }
    return LLVMBuildShuffleVector(jb->b, a, b, LLVMConstVector(index, jb->lanes), "");
}

/* Returns elements first … first + count - 1 of the concatenation of two vectors. */
static LLVMValueRef slice(struct jit_builder *jb, LLVMValueRef low, LLVMValueRef high,
                          unsigned first, unsigned count)
{
    LLVMValueRef index[64];
    for (unsigned i = 0; i < count; i++)
        index[i] = LLVMConstInt(jb->i32, first + i, false);
    return LLVMBuildShuffleVector(jb->b, low, high, LLVMConstVector(index, count), "");
}

/* Concatenates `count` vectors, a power of two, of `size` elements each. Overwrites part. */
static LLVMValueRef concatenate(struct jit_builder *jb, LLVMValueRef *part, unsigned count,
                                unsigned size)
{
    for (; count > 1; count /= 2, size *= 2) /* join pairs */
        for (unsigned i = 0; i < count; i += 2)
            part[i / 2] = slice(jb, part[i], part[i + 1], 0, size * 2);
    return part[0];
}

/* Loads four words, or two words as the lower half of four. */
static LLVMValueRef load_row(struct jit_builder *jb, LLVMValueRef pointer, bool four,
                             unsigned align)
{
    LLVMTypeRef type = LLVMVectorType(jb->i32, 4), halves = LLVMVectorType(jb->i64, 2);
    if (four)
        return load_scalar(jb, type, pointer, align);
    LLVMValueRef half = load_scalar(jb, jb->i64, pointer, align);
    half = LLVMBuildInsertElement(jb->b, LLVMGetPoison(halves), half, LLVMConstNull(jb->i32), "");
    return LLVMBuildBitCast(jb->b, half, type, "");
}

/* Transposes 4×4 words in each group of four lanes: row[i] holds all components of lane i of each
 * group; values[c] receives component c of all lanes. */
static void transpose_groups(struct jit_builder *jb, LLVMValueRef row[4], LLVMValueRef *values,
                             unsigned n)
{
    static const unsigned low[4] = {0, 4, 1, 5}, high[4] = {2, 6, 3, 7};
    static const unsigned first[4] = {0, 1, 4, 5}, second[4] = {2, 3, 6, 7};
    for (unsigned c = 0; c + 1 < n; c += 2) {
        LLVMValueRef a = shuffle_groups(jb, row[0], row[1], c ? high : low);
        LLVMValueRef b = shuffle_groups(jb, row[2], row[3], c ? high : low);
        values[c] = shuffle_groups(jb, a, b, first);
        values[c + 1] = shuffle_groups(jb, a, b, second);
    }
}

/* Addresses of all lanes, from which single lanes are extracted. */
struct lane_pointers {
    LLVMValueRef base;  /* base of the offsets in `all`; NULL if `all` holds pointers */
    LLVMValueRef all;   /* vector of offsets or pointers */
    LLVMValueRef place; /* copy of `all` in memory, from which lanes are loaded; or NULL */
};

/* Stores the addresses to memory in parts of 32 bytes. Store forwarding from a larger store is
 * limited to one element per cycle. */
static struct lane_pointers lanes_in_memory(struct jit_builder *jb, LLVMValueRef base,
                                            LLVMValueRef all)
{
    LLVMTypeRef type = LLVMTypeOf(all), element = LLVMGetElementType(type);
    const bool pointers = LLVMGetTypeKind(element) == LLVMPointerTypeKind;
    const unsigned size = pointers ? 8 : LLVMGetIntTypeWidth(element) / 8;
    const unsigned count = MIN2(32 / size, jb->lanes);
    struct lane_pointers p = {base, all, jit_alloca(jb, type)};
    for (unsigned first = 0; first < jb->lanes; first += count) {
        LLVMValueRef at = jit_const_int(jb, jb->i32, first);
        at = LLVMBuildGEP2(jb->b, element, p.place, &at, 1, "");
        LLVMValueRef store = LLVMBuildStore(jb->b, slice(jb, all, all, first, count), at);
        LLVMSetAlignment(store, count * size);
        LLVMSetVolatile(store, true); /* keeps LLVM from merging two stores */
    }
    return p;
}

/* Returns the addresses of all lanes; those of inactive lanes point to zeros. in_memory: with many
 * lanes, loading elements is cheaper than extracting them. */
static struct lane_pointers find_lane_pointers(struct jit_builder *jb, LLVMValueRef base,
                                               LLVMValueRef offset, bool in_memory)
{
    struct lane_pointers p = {base, offset, NULL};
    if (jit_is_vector(base) || jb->exec) { /* otherwise 32-bit offsets suffice */
        p.base = NULL;
        p.all = address(jb, base, offset, 0);
        if (jb->exec)
            p.all = LLVMBuildSelect(jb->b, jb->exec, p.all, jit_broadcast(jb, nothing(jb)), "");
    }
    return in_memory ? lanes_in_memory(jb, p.base, p.all) : p;
}

/* Returns an element of a vector of words. Two of them are extracted at once as a 64-bit integer,
 * which takes half as many instructions as extracting each. */
static LLVMValueRef word_of_pair(struct jit_builder *jb, LLVMValueRef words, unsigned lane)
{
    LLVMTypeRef pairs = LLVMVectorType(jb->i64, jb->lanes / 2);
    LLVMValueRef pair = lane_of(jb, LLVMBuildBitCast(jb->b, words, pairs, ""), lane / 2);
    if (lane % 2)
        pair = LLVMBuildLShr(jb->b, pair, jit_const_int(jb, jb->i64, 32), "");
    return LLVMBuildTrunc(jb->b, pair, jb->i32, "");
}

static LLVMValueRef lane_pointer(struct jit_builder *jb, const struct lane_pointers *p,
                                 unsigned lane)
{
    LLVMValueRef element;
    if (p->place) {
        LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(p->all));
        LLVMValueRef at = jit_const_int(jb, jb->i32, lane);
        at = LLVMBuildGEP2(jb->b, type, p->place, &at, 1, "");
        element = LLVMBuildLoad2(jb->b, type, at, "");
        LLVMSetVolatile(element, true); /* keeps LLVM from extracting the element instead */
    } else if (p->base) {
        element = word_of_pair(jb, p->all, lane);
    } else {
        element = lane_of(jb, p->all, lane);
    }
    return p->base ? address(jb, p->base, element, 0) : element;
}

/* Gathers words at 32-bit offsets from a uniform base with AVX2's instruction. */
static LLVMValueRef gather_active_words(struct jit_builder *jb, LLVMValueRef base,
                                        LLVMValueRef offset)
{
    LLVMTypeRef type = LLVMVectorType(jb->i32, 8);
    LLVMValueRef args[] = {LLVMConstNull(type), LLVMBuildIntToPtr(jb->b, base, jb->ptr, ""), offset,
                           LLVMBuildSExt(jb->b, jit_exec_mask(jb), type, ""),
                           jit_const_int(jb, jb->i8, 1)};
    return jit_call(jb, "llvm.x86.avx2.gather.d.d.256", NULL, 0, args, ARRAY_SIZE(args));
}

/* Loads a word per lane at 32-bit offsets from a uniform base while all lanes are active. This is
 * faster than a gather instruction on many CPUs. */
static LLVMValueRef gather_words(struct jit_builder *jb, LLVMValueRef base, LLVMValueRef offset,
                                 unsigned align)
{
    LLVMValueRef words = LLVMGetPoison(LLVMVectorType(jb->i32, jb->lanes));
    const struct lane_pointers pointers = find_lane_pointers(jb, base, offset, false);
    for (unsigned i = 0; i < jb->lanes; i++) {
        LLVMValueRef word = load_scalar(jb, jb->i32, lane_pointer(jb, &pointers, i), align);
        words = LLVMBuildInsertElement(jb->b, words, word, jit_const_int(jb, jb->i32, i), "");
    }
    return words;
}

/* Loads two components per lane as one 64-bit load, for 16 lanes. */
static void gather_pairs(struct jit_builder *jb, LLVMValueRef *pointer, LLVMValueRef *values,
                         unsigned align)
{
    LLVMTypeRef type = LLVMVectorType(jb->i64, 8);
    LLVMValueRef half[2], index[2][16];
    for (unsigned h = 0; h < 2; h++) {
        half[h] = LLVMGetPoison(type);
        for (unsigned i = 0; i < 8; i++)
            half[h] = LLVMBuildInsertElement(jb->b, half[h],
                                             load_scalar(jb, jb->i64, pointer[8 * h + i], align),
                                             jit_const_int(jb, jb->i32, i), "");
        half[h] = LLVMBuildBitCast(jb->b, half[h], LLVMVectorType(jb->i32, 16), "");
    }
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned i = 0; i < 16; i++)
            index[c][i] = LLVMConstInt(jb->i32, 2 * i + c, false);
        values[c] =
            LLVMBuildShuffleVector(jb->b, half[0], half[1], LLVMConstVector(index[c], 16), "");
    }
}

/* Loads two to four consecutive 32-bit components per lane and transposes them. */
static void gather_rows(struct jit_builder *jb, LLVMValueRef base, LLVMValueRef offset,
                        LLVMValueRef *values, unsigned n, unsigned align)
{
    LLVMValueRef row[16], part[4], pointer[16], eight = jit_const_int(jb, jb->i64, 8);
    const struct lane_pointers pointers = find_lane_pointers(jb, base, offset, jb->lanes == 16);
    for (unsigned i = 0; i < jb->lanes; i++)
        pointer[i] = lane_pointer(jb, &pointers, i);
    if (n == 2 && jb->lanes == 16) {
        gather_pairs(jb, pointer, values, align);
        return;
    }
    for (unsigned i = 0; i < jb->lanes; i++)
        row[i] = load_row(jb, pointer[i], n == 4, align);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < jb->lanes / 4; k++)
            part[k] = row[i + 4 * k];
        row[i] = concatenate(jb, part, jb->lanes / 4, 4);
    }
    transpose_groups(jb, row, values, n);
    if (n != 3)
        return;
    values[2] = LLVMGetPoison(LLVMVectorType(jb->i32, jb->lanes));
    for (unsigned i = 0; i < jb->lanes; i++) {
        LLVMValueRef third = LLVMBuildGEP2(jb->b, jb->i8, pointer[i], &eight, 1, "");
        values[2] = LLVMBuildInsertElement(jb->b, values[2], load_scalar(jb, jb->i32, third, align),
                                           jit_const_int(jb, jb->i32, i), "");
    }
}

/* --- texels of four floats or half floats, filtered before they are transposed --- */

/* Loads `count` texels as one vector of floats. */
static LLVMValueRef load_texels(struct jit_builder *jb, LLVMValueRef *pointer, unsigned count,
                                bool halves)
{
    if (!halves) {
        LLVMTypeRef type = LLVMVectorType(LLVMFloatTypeInContext(jb->context), 4 * count);
        LLVMValueRef part[4];
        for (unsigned i = 0; i < count; i++)
            part[i] = load_row(jb, pointer[i], true, 4);
        return LLVMBuildBitCast(jb->b, concatenate(jb, part, count, 4), type, "");
    }
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(jb->i64, count));
    for (unsigned i = 0; i < count; i++)
        all = LLVMBuildInsertElement(jb->b, all, load_scalar(jb, jb->i64, pointer[i], 4),
                                     jit_const_int(jb, jb->i32, i), "");
    all = LLVMBuildBitCast(jb->b, all, LLVMVectorType(jb->i16, 4 * count), "");
    return jit_halves_to_floats(jb, all);
}

static LLVMValueRef mix(struct jit_builder *jb, LLVMValueRef x, LLVMValueRef y, LLVMValueRef weight)
{
    LLVMValueRef difference = LLVMBuildFSub(jb->b, y, x, "");
    return LLVMBuildFAdd(jb->b, x, LLVMBuildFMul(jb->b, difference, weight, ""), "");
}

static LLVMValueRef mix_bilinear(struct jit_builder *jb, LLVMValueRef texels[4],
                                 LLVMValueRef weight[2])
{
    LLVMValueRef lower = mix(jb, texels[0], texels[1], weight[0]);
    LLVMValueRef upper = mix(jb, texels[2], texels[3], weight[0]);
    return mix(jb, lower, upper, weight[1]);
}

/* Filters a texel that is uniform, as one vector of four channels. */
static void load_bilinear_once(struct jit_builder *jb, nir_intrinsic_instr *intr, bool halves,
                               LLVMValueRef *values)
{
    LLVMTypeRef floats = LLVMVectorType(LLVMFloatTypeInContext(jb->context), 4);
    LLVMValueRef base = jit_uniform_src(jb, &intr->src[0], 0), texels[4], weight[2];
    for (unsigned t = 0; t < 4; t++) {
        LLVMValueRef pointer = address(jb, base, jit_uniform_src(jb, &intr->src[1], t), 0);
        texels[t] = load_texels(jb, &pointer, 1, halves);
    }
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef w = jit_uniform_src(jb, &intr->src[2], i);
        w = LLVMBuildBitCast(jb->b, w, LLVMFloatTypeInContext(jb->context), "");
        w = LLVMBuildInsertElement(jb->b, LLVMGetPoison(floats), w, LLVMConstNull(jb->i32), "");
        weight[i] =
            LLVMBuildShuffleVector(jb->b, w, w, LLVMConstNull(LLVMVectorType(jb->i32, 4)), "");
    }
    LLVMValueRef mixed = mix_bilinear(jb, texels, weight);
    mixed = LLVMBuildBitCast(jb->b, mixed, LLVMVectorType(jb->i32, 4), "");
    for (unsigned c = 0; c < 4; c++)
        values[c] = lane_of(jb, mixed, c);
}

/* Filters lanes i, i + 4 … as one vector of all their channels, for i = 0 … 3. */
static void emit_load_bilinear(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    const bool halves = nir_intrinsic_dest_type(intr) == nir_type_float16;
    LLVMValueRef *values = new_values(jb, &intr->def), weight[2], row[4];
    if (!intr->def.divergent) {
        load_bilinear_once(jb, intr, halves, values);
        return;
    }
    LLVMTypeRef floats = LLVMVectorType(LLVMFloatTypeInContext(jb->context), jb->lanes);
    struct lane_pointers tap[4];
    for (unsigned t = 0; t < 4; t++)
        tap[t] = find_lane_pointers(jb, jit_src(jb, &intr->src[0], 0, false),
                                    jit_src(jb, &intr->src[1], t, true), jb->lanes > 4);
    for (unsigned i = 0; i < 2; i++)
        weight[i] = LLVMBuildBitCast(jb->b, jit_src(jb, &intr->src[2], i, true), floats, "");
    for (unsigned i = 0; i < 4; i++) {
        const unsigned same[4] = {i, i, i, i}, count = jb->lanes / 4;
        LLVMValueRef texels[4], share[2], pointer[4];
        for (unsigned t = 0; t < 4; t++) {
            for (unsigned k = 0; k < count; k++)
                pointer[k] = lane_pointer(jb, &tap[t], i + 4 * k);
            texels[t] = load_texels(jb, pointer, count, halves);
        }
        for (unsigned a = 0; a < 2; a++)
            share[a] = shuffle_groups(jb, weight[a], weight[a], same);
        row[i] = LLVMBuildBitCast(jb->b, mix_bilinear(jb, texels, share),
                                  LLVMVectorType(jb->i32, jb->lanes), "");
    }
    transpose_groups(jb, row, values, 4);
}

/* Offsets of texel columns and rows for load_global_bilinear_grid, loaded one at a time. */
struct grid_offsets {
    LLVMValueRef base, rows; /* addresses of the texels and of the table of row offsets */
    struct lane_pointers of_axis[2];
    bool shares_rows; /* 8 lanes: all lanes read the same two texel rows */
    /* Cached column offsets and row addresses, [lane's x & 1][tap][x >> 1], the same for y; NULL if
     * not loaded yet. */
    LLVMValueRef column[2][2][2], line[2][2][2];
};

static struct grid_offsets find_grid_offsets(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    struct grid_offsets grid = {.base = jit_uniform_src(jb, &intr->src[0], 0),
                                .rows = jit_uniform_src(jb, &intr->src[1], 0)};
    LLVMValueRef offset[2];
    for (unsigned a = 0; a < 2; a++) {
        offset[a] = jit_src(jb, &intr->src[2], a, true);
        grid.of_axis[a] =
            a && offset[1] == offset[0] ? grid.of_axis[0] : lanes_in_memory(jb, NULL, offset[a]);
    }
    return grid;
}

/* Computes the pointers to a tap's texels for lanes i, i + 4 … */
static void point_into_grid(struct jit_builder *jb, struct grid_offsets *grid, unsigned i,
                            unsigned tap, LLVMValueRef *pointer)
{
    const unsigned tap_x = tap & 1, tap_y = tap >> 1;
    for (unsigned k = 0; k < jb->lanes / 4; k++) {
        const unsigned lane = i + 4 * k, y = grid->shares_rows ? 0 : i >> 1;
        LLVMValueRef *column = &grid->column[i & 1][tap_x][k & 1],
                     *line = &grid->line[y][tap_y][k >> 1];
        if (!*column) {
            *column = lane_pointer(jb, &grid->of_axis[0], jit_grid_lane(jb->lanes, 0, tap_x, lane));
            *column = LLVMBuildSExt(jb->b, *column, jb->i64, "");
        }
        if (!*line) {
            *line = lane_pointer(jb, &grid->of_axis[1], jit_grid_lane(jb->lanes, 1, tap_y, lane));
            *line = load_scalar(jb, jb->i32, address(jb, grid->rows, *line, 0), 4);
            *line = address(jb, grid->base, *line, 0);
        }
        pointer[k] = LLVMBuildGEP2(jb->b, jb->i8, *line, column, 1, "");
    }
}

/* Filters all lanes; row[i] receives the channels of lanes i, i + 4 … */
static void filter_grid(struct jit_builder *jb, struct grid_offsets grid,
                        LLVMValueRef const weight[2], bool halves, LLVMValueRef row[4])
{
    static const unsigned by_rows[4] = {0, 1, 2, 3}, by_columns[4] = {0, 2, 1, 3};
    for (unsigned n = 0; n < 4; n++) {
        const unsigned i = jb->lanes == 8 ? by_columns[n] : by_rows[n], same[4] = {i, i, i, i};
        LLVMValueRef texels[4], share[2], pointer[4];
        for (unsigned t = 0; t < 4; t++) {
            point_into_grid(jb, &grid, i, t, pointer);
            texels[t] = load_texels(jb, pointer, jb->lanes / 4, halves);
        }
        for (unsigned a = 0; a < 2; a++)
            share[a] = shuffle_groups(jb, weight[a], weight[a], same);
        row[i] = LLVMBuildBitCast(jb->b, mix_bilinear(jb, texels, share),
                                  LLVMVectorType(jb->i32, jb->lanes), "");
        if (jb->lanes == 16) /* too few registers to keep the offsets */
            memset(grid.column, 0, sizeof grid.column);
    }
}

/* Filters 8 lanes. In magnified textures, both rows of lanes mostly read the same texel rows; a
 * branch for this case loads each row address once. */
static void filter_half_grid(struct jit_builder *jb, struct grid_offsets grid,
                             LLVMValueRef const weight[2], bool halves, LLVMValueRef row[4])
{
    LLVMValueRef first[2], of_side[2][4];
    LLVMBasicBlockRef side[2], after;
    for (unsigned y = 0; y < 2; y++)
        first[y] = lane_pointer(jb, &grid.of_axis[1], jit_grid_lane(8, 1, 0, 2 * y));
    LLVMValueRef same = LLVMBuildICmp(jb->b, LLVMIntEQ, first[0], first[1], "");
    for (unsigned i = 0; i < 2; i++)
        side[i] = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
    after = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
    LLVMBuildCondBr(jb->b, same, side[1], side[0]);
    for (unsigned i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(jb->b, side[i]);
        grid.shares_rows = i;
        filter_grid(jb, grid, weight, halves, of_side[i]);
        side[i] = LLVMGetInsertBlock(jb->b);
        LLVMBuildBr(jb->b, after);
    }
    LLVMPositionBuilderAtEnd(jb->b, after);
    for (unsigned i = 0; i < 4; i++) {
        row[i] = LLVMBuildPhi(jb->b, LLVMTypeOf(of_side[0][i]), "");
        LLVMValueRef from[2] = {of_side[0][i], of_side[1][i]};
        LLVMAddIncoming(row[i], from, side, 2);
    }
}

/* Bilinear filter of a block of pixels whose texels are on a grid of columns and rows: loads the
 * offsets of columns and rows instead of an address per texel. */
static void emit_load_bilinear_grid(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    const bool halves = nir_intrinsic_dest_type(intr) == nir_type_float16;
    LLVMValueRef *values = new_values(jb, &intr->def), weight[2], row[4];
    if (jb->lanes < 8) {
        jb->failed = true;
        return;
    }
    LLVMTypeRef floats = LLVMVectorType(LLVMFloatTypeInContext(jb->context), jb->lanes);
    const struct grid_offsets grid = find_grid_offsets(jb, intr);
    for (unsigned a = 0; a < 2; a++)
        weight[a] = LLVMBuildBitCast(jb->b, jit_src(jb, &intr->src[3], a, true), floats, "");
    if (jb->lanes == 8)
        filter_half_grid(jb, grid, weight, halves, row);
    else
        filter_grid(jb, grid, weight, halves, row);
    transpose_groups(jb, row, values, 4);
}

static void emit_load_global(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    unsigned bytes = intr->def.bit_size / 8,
             align = MIN2(align_of(intr, intr->def.bit_size), bytes);
    LLVMTypeRef scalar = jit_int_type(jb, intr->def.bit_size);
    LLVMValueRef base = jit_src(jb, &intr->src[0], 0, false);
    LLVMValueRef offset = jit_src(jb, &intr->src[1], 0, false);
    LLVMValueRef *values = new_values(jb, &intr->def);
    unsigned n = intr->def.num_components;
    if ((jit_is_vector(base) || jit_is_vector(offset)) && bytes == 4 && n > 1 && n <= 4 &&
        jb->lanes <= MAX2(8, jb->engine->register_lanes)) {
        gather_rows(jb, base, offset, values, n, align);
        return;
    }
    if (jit_is_vector(offset) && !jit_is_vector(base) && bytes == 4 && n == 1) {
        if (!jb->exec) {
            values[0] = gather_words(jb, base, offset, align);
            return;
        }
        if (jb->lanes == 8 && jb->engine->register_lanes == 8) {
            values[0] = gather_active_words(jb, base, offset);
            return;
        }
    }
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        LLVMValueRef pointer = address(jb, base, offset, c * bytes);
        values[c] = jit_is_vector(pointer)
                        ? gather(jb, pointer, LLVMVectorType(scalar, jb->lanes), align)
                        : load_scalar(jb, scalar, pointer, align);
        if (intr->def.divergent)
            values[c] = jit_broadcast(jb, values[c]);
    }
}

/* Begins code that runs only if some lane is active; end_if_active ends it. */
static LLVMBasicBlockRef begin_if_active(struct jit_builder *jb)
{
    if (!jb->exec)
        return NULL;
    LLVMBasicBlockRef work = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
    LLVMBuildCondBr(jb->b, jit_any(jb, jb->exec), work, after);
    LLVMPositionBuilderAtEnd(jb->b, work);
    return after;
}

static void end_if_active(struct jit_builder *jb, LLVMBasicBlockRef after)
{
    if (!after)
        return;
    LLVMBuildBr(jb->b, after);
    LLVMPositionBuilderAtEnd(jb->b, after);
}

static void emit_store_global(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    unsigned bits = nir_src_bit_size(intr->src[0]), bytes = bits / 8;
    unsigned align = MIN2(align_of(intr, bits), bytes);
    LLVMValueRef base = jit_src(jb, &intr->src[1], 0, false);
    LLVMValueRef offset = jit_src(jb, &intr->src[2], 0, false);
    unsigned write_mask = nir_intrinsic_write_mask(intr);
    for (unsigned c = 0; c < nir_src_num_components(intr->src[0]); c++) {
        if (!(write_mask >> c & 1))
            continue;
        LLVMValueRef value = jit_src(jb, &intr->src[0], c, false);
        LLVMValueRef pointer = address(jb, base, offset, c * bytes);
        if (jit_is_vector(pointer) || jit_is_vector(value)) {
            if (!jit_is_vector(pointer))
                pointer = jit_broadcast(jb, pointer);
            scatter(jb, jit_broadcast(jb, value), pointer, align);
        } else {
            LLVMBasicBlockRef after = begin_if_active(jb);
            LLVMSetAlignment(LLVMBuildStore(jb->b, value, pointer), align);
            end_if_active(jb, after);
        }
    }
}

/* --- blocks: each lane's components are consecutive, and so are the lanes --- */

/* Returns the indices first + i * count for all lanes i: component `first` in an array with `count`
 * components per lane. */
static LLVMValueRef stride_mask(struct jit_builder *jb, unsigned first, unsigned count)
{
    LLVMValueRef index[16];
    for (unsigned i = 0; i < jb->lanes; i++)
        index[i] = LLVMConstInt(jb->i32, first + i * count, false);
    return LLVMConstVector(index, jb->lanes);
}

/* Splits a vector of n components per lane into component vectors. */
static void deinterleave(struct jit_builder *jb, LLVMValueRef all, LLVMValueRef *values, unsigned n)
{
    for (unsigned c = 0; c < n; c++)
        values[c] = n == 1 ? all
                           : LLVMBuildShuffleVector(jb->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                                    stride_mask(jb, c, n), "");
}

static void emit_load_block(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    unsigned n = intr->def.num_components;
    LLVMTypeRef scalar = jit_int_type(jb, intr->def.bit_size);
    LLVMValueRef pointer = address(jb, jit_uniform_src(jb, &intr->src[0], 0),
                                   jit_uniform_src(jb, &intr->src[1], 0), 0);
    LLVMValueRef all = load_scalar(jb, LLVMVectorType(scalar, jb->lanes * n), pointer,
                                   align_of(intr, intr->def.bit_size));
    deinterleave(jb, all, new_values(jb, &intr->def), n);
}

/* Returns {a0 b0 c0 d0 a1 …} from up to four component vectors. */
static LLVMValueRef interleave(struct jit_builder *jb, LLVMValueRef *values, unsigned n)
{
    LLVMValueRef index[64];
    LLVMTypeRef i32 = jb->i32;
    unsigned lanes = jb->lanes;
    LLVMValueRef pairs[2];
    for (unsigned p = 0; p < 2; p++) { /* concatenate pairs */
        for (unsigned i = 0; i < lanes * 2; i++)
            index[i] = LLVMConstInt(i32, i, false);
        LLVMValueRef second = MIN2(p * 2 + 1, n - 1) == p * 2 + 1
                                  ? values[p * 2 + 1]
                                  : LLVMGetPoison(LLVMTypeOf(values[0]));
        LLVMValueRef first = p * 2 < n ? values[p * 2] : second;
        pairs[p] =
            LLVMBuildShuffleVector(jb->b, first, second, LLVMConstVector(index, lanes * 2), "");
    }
    for (unsigned i = 0; i < lanes * n; i++)
        index[i] = LLVMConstInt(i32, i % n * lanes + i / n, false);
    return LLVMBuildShuffleVector(jb->b, pairs[0], pairs[1], LLVMConstVector(index, lanes * n), "");
}

/* Stores the elements of the mask. A kernel owns the memory of whole blocks, so the old contents of
 * other elements may be read and written back. */
static void store_masked(struct jit_builder *jb, LLVMValueRef value, LLVMValueRef mask,
                         LLVMValueRef pointer, unsigned align)
{
    if (!LLVMIsConstant(mask) || mask != LLVMConstAllOnes(LLVMTypeOf(mask))) {
        LLVMValueRef old = load_scalar(jb, LLVMTypeOf(value), pointer, align);
        value = LLVMBuildSelect(jb->b, mask, value, old, "");
    }
    LLVMSetAlignment(LLVMBuildStore(jb->b, value, pointer), align);
}

/* Computes the interleaved value and write mask of a store, whose source `mask_src` is a mask of
 * lanes. Returns false if it isn't supported. */
static bool stored_values(struct jit_builder *jb, nir_intrinsic_instr *intr, unsigned mask_src,
                          LLVMValueRef *value, LLVMValueRef *mask)
{
    unsigned n = nir_src_num_components(intr->src[0]);
    if (n > 4) {
        jb->failed = true;
        return false;
    }
    LLVMValueRef values[4];
    for (unsigned c = 0; c < n; c++)
        values[c] = jit_src(jb, &intr->src[0], c, true);
    *mask = jit_src(jb, &intr->src[mask_src], 0, true);
    if (jb->exec)
        *mask = LLVMBuildAnd(jb->b, *mask, jb->exec, "");
    *value = n == 1 ? values[0] : interleave(jb, values, n);
    if (n > 1) {
        LLVMValueRef copies[4] = {*mask, *mask, *mask, *mask};
        *mask = interleave(jb, copies, n);
    }
    return true;
}

static void emit_store_block(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef value, mask;
    if (!stored_values(jb, intr, 3, &value, &mask))
        return;
    LLVMValueRef pointer = address(jb, jit_uniform_src(jb, &intr->src[1], 0),
                                   jit_uniform_src(jb, &intr->src[2], 0), 0);
    store_masked(jb, value, mask, pointer, align_of(intr, nir_src_bit_size(intr->src[0])));
}

/* --- quads: four lanes' elements are consecutive, each quad has its own address --- */

static LLVMValueRef quad_pointer(struct jit_builder *jb, const nir_src *addresses, unsigned quad)
{
    return LLVMBuildIntToPtr(jb->b, jit_uniform_src(jb, addresses, quad), jb->ptr, "");
}

static void emit_load_quads(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    unsigned n = intr->def.num_components, quads = jb->lanes / 4, size = 4 * n;
    LLVMTypeRef type = LLVMVectorType(jit_int_type(jb, intr->def.bit_size), size);
    unsigned align = align_of(intr, intr->def.bit_size);
    LLVMValueRef piece[4];
    for (unsigned q = 0; q < quads; q++)
        piece[q] = load_scalar(jb, type, quad_pointer(jb, &intr->src[0], q), align);
    deinterleave(jb, concatenate(jb, piece, quads, size), new_values(jb, &intr->def), n);
}

static void emit_store_quads(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef value, mask;
    if (!stored_values(jb, intr, 2, &value, &mask))
        return;
    unsigned size = 4 * nir_src_num_components(intr->src[0]);
    for (unsigned q = 0; q < jb->lanes / 4; q++)
        store_masked(jb, slice(jb, value, value, q * size, size),
                     slice(jb, mask, mask, q * size, size), quad_pointer(jb, &intr->src[1], q),
                     align_of(intr, nir_src_bit_size(intr->src[0])));
}

static void emit_select_quad(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMTypeRef type = LLVMVectorType(jit_int_type(jb, intr->def.bit_size), 4);
    LLVMValueRef all = LLVMGetPoison(type), index[16];
    for (unsigned q = 0; q < jb->lanes / 4; q++)
        all = LLVMBuildInsertElement(jb->b, all, jit_uniform_src(jb, &intr->src[0], q),
                                     jit_const_int(jb, jb->i32, q), "");
    for (unsigned i = 0; i < jb->lanes; i++)
        index[i] = LLVMConstInt(jb->i32, i / 4, false);
    new_values(jb, &intr->def)[0] = LLVMBuildShuffleVector(jb->b, all, LLVMGetPoison(type),
                                                           LLVMConstVector(index, jb->lanes), "");
}

/* --- scratch: private memory, [32-bit slot][lane] --- */

static LLVMValueRef scratch_pointer(struct jit_builder *jb, LLVMValueRef offset, unsigned slot)
{
    LLVMTypeRef type = LLVMTypeOf(offset);
    LLVMValueRef index = LLVMBuildLShr(jb->b, offset, jit_const_int(jb, type, 2), "");
    index = LLVMBuildAdd(jb->b, index, jit_const_int(jb, type, slot), "");
    LLVMValueRef last = jit_const_int(jb, type, jb->scratch_slots - 1);
    index = jit_call(jb, "llvm.umin", &type, 1, (LLVMValueRef[]){index, last}, 2);
    index = LLVMBuildMul(jb->b, index, jit_const_int(jb, type, jb->lanes), "");
    if (jit_is_vector(offset)) {
        LLVMValueRef lane[16];
        for (unsigned i = 0; i < jb->lanes; i++)
            lane[i] = LLVMConstInt(jb->i32, i, false);
        index = LLVMBuildAdd(jb->b, index, LLVMConstVector(lane, jb->lanes), "");
    }
    return LLVMBuildGEP2(jb->b, jb->i32, jb->scratch, &index, 1, "");
}

/* divergent: the memory may differ between lanes. Otherwise, returns the value of lane 0. */
static LLVMValueRef scratch_load_slot(struct jit_builder *jb, LLVMValueRef offset, unsigned slot,
                                      bool divergent)
{
    LLVMTypeRef type = jit_type(jb, jb->i32, divergent);
    LLVMValueRef pointer = scratch_pointer(jb, offset, slot);
    if (jit_is_vector(offset))
        return gather(jb, pointer, type, 4);
    return load_scalar(jb, type, pointer, 4);
}

static void scratch_store_slot(struct jit_builder *jb, LLVMValueRef value, LLVMValueRef offset,
                               unsigned slot)
{
    LLVMValueRef pointer = scratch_pointer(jb, offset, slot);
    if (jit_is_vector(offset)) {
        scatter(jb, value, pointer, 4);
        return;
    }
    if (jb->exec)
        value = LLVMBuildSelect(jb->b, jb->exec, value,
                                load_scalar(jb, LLVMTypeOf(value), pointer, 4), "");
    LLVMSetAlignment(LLVMBuildStore(jb->b, value, pointer), 4);
}

static LLVMValueRef scratch_offset(struct jit_builder *jb, nir_intrinsic_instr *intr, unsigned src)
{
    LLVMValueRef offset = jit_src(jb, &intr->src[src], 0, false);
    return LLVMBuildAdd(jb->b, offset,
                        jit_const_int(jb, LLVMTypeOf(offset), nir_intrinsic_base(intr)), "");
}

static void emit_load_scratch(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef *values = new_values(jb, &intr->def);
    if (!jb->scratch) {
        jb->failed = true;
        return;
    }
    LLVMValueRef offset = scratch_offset(jb, intr, 0);
    const bool divergent = intr->def.divergent;
    unsigned bits = intr->def.bit_size, slots = bits == 64 ? 2 : 1;
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        LLVMTypeRef type = jit_type(jb, jit_int_type(jb, bits), divergent);
        LLVMValueRef low = scratch_load_slot(jb, offset, c * slots, divergent);
        values[c] = LLVMBuildIntCast2(jb->b, low, type, false, "");
        if (slots == 2) {
            LLVMValueRef high = LLVMBuildZExt(
                jb->b, scratch_load_slot(jb, offset, c * slots + 1, divergent), type, "");
            values[c] = LLVMBuildOr(jb->b, values[c],
                                    LLVMBuildShl(jb->b, high, jit_const_int(jb, type, 32), ""), "");
        }
    }
}

static void emit_store_scratch(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    if (!jb->scratch) {
        jb->failed = true;
        return;
    }
    LLVMValueRef offset = scratch_offset(jb, intr, 1);
    unsigned bits = nir_src_bit_size(intr->src[0]), slots = bits == 64 ? 2 : 1;
    LLVMTypeRef i32s = LLVMVectorType(jb->i32, jb->lanes);
    for (unsigned c = 0; c < nir_src_num_components(intr->src[0]); c++) {
        if (!(nir_intrinsic_write_mask(intr) >> c & 1))
            continue;
        LLVMValueRef value = jit_src(jb, &intr->src[0], c, true);
        scratch_store_slot(jb, LLVMBuildIntCast2(jb->b, value, i32s, false, ""), offset, c * slots);
        if (slots == 2) {
            value = LLVMBuildLShr(jb->b, value, jit_const_int(jb, LLVMTypeOf(value), 32), "");
            scratch_store_slot(jb, LLVMBuildTrunc(jb->b, value, i32s, ""), offset, c * slots + 1);
        }
    }
}

void jit_zero_memory(struct jit_builder *jb, LLVMValueRef pointer, LLVMValueRef bytes)
{
    LLVMTypeRef params[2] = {jb->ptr, jb->i64};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(jb->context), params, 2, false);
    LLVMValueRef helper = LLVMGetNamedFunction(jb->module, JIT_ZERO_MEMORY);
    if (!helper)
        helper = LLVMAddFunction(jb->module, JIT_ZERO_MEMORY, type);
    LLVMBuildCall2(jb->b, type, helper, (LLVMValueRef[]){pointer, bytes}, 2, "");
}

static void emit_clear_scratch(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    if (!jb->scratch) {
        jb->failed = true;
        return;
    }
    LLVMValueRef offset = jit_uniform_src(jb, &intr->src[0], 0),
                 bytes = jit_uniform_src(jb, &intr->src[1], 0);
    offset = LLVMBuildAdd(jb->b, offset, jit_const_int(jb, jb->i32, nir_intrinsic_base(intr)), "");
    bytes = LLVMBuildMul(jb->b, LLVMBuildZExt(jb->b, bytes, jb->i64, ""),
                         jit_const_int(jb, jb->i64, jb->lanes), "");
    jit_zero_memory(jb, scratch_pointer(jb, offset, 0), bytes);
}

/* Loads from the shader's constant data, which is copied into the code. Offsets are clamped. */
static void emit_load_constant(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef *values = new_values(jb, &intr->def);
    unsigned bytes = intr->def.bit_size / 8, size = jb->nir->constant_data_size;
    if (!bytes || size < bytes) {
        jb->failed = true;
        return;
    }
    LLVMValueRef global = LLVMGetNamedGlobal(jb->module, "constant_data");
    if (!global) {
        LLVMValueRef data =
            LLVMConstStringInContext2(jb->context, jb->nir->constant_data, size, true);
        global = LLVMAddGlobal(jb->module, LLVMTypeOf(data), "constant_data");
        LLVMSetInitializer(global, data);
        LLVMSetGlobalConstant(global, true);
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        LLVMSetAlignment(global, 16);
    }
    LLVMValueRef base = LLVMBuildPtrToInt(jb->b, global, jb->i64, "");
    LLVMTypeRef scalar = jit_int_type(jb, intr->def.bit_size);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        LLVMValueRef offset = jit_src(jb, &intr->src[0], 0, false);
        LLVMTypeRef type = LLVMTypeOf(offset);
        offset = LLVMBuildAdd(jb->b, offset,
                              jit_const_int(jb, type, nir_intrinsic_base(intr) + c * bytes), "");
        LLVMValueRef last = jit_const_int(jb, type, size - bytes);
        offset = jit_call(jb, "llvm.umin", &type, 1, (LLVMValueRef[]){offset, last}, 2);
        LLVMValueRef pointer = address(jb, base, offset, 0);
        values[c] = jit_is_vector(pointer)
                        ? gather(jb, pointer, LLVMVectorType(scalar, jb->lanes), 1)
                        : load_scalar(jb, scalar, pointer, 1);
        if (intr->def.divergent)
            values[c] = jit_broadcast(jb, values[c]);
    }
}

/* --- atomics: one lane at a time, in order --- */

static void emit_atomic(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    const bool swap = intr->intrinsic == nir_intrinsic_global_atomic_swap;
    LLVMValueRef *values = new_values(jb, &intr->def);
    LLVMTypeRef scalar = jit_int_type(jb, intr->def.bit_size);
    LLVMValueRef pointer =
        address(jb, jit_src(jb, &intr->src[0], 0, false), jit_src(jb, &intr->src[1], 0, false), 0);
    LLVMValueRef result_slot = jit_alloca(jb, LLVMVectorType(scalar, jb->lanes));
    LLVMBuildStore(jb->b, LLVMConstNull(LLVMVectorType(scalar, jb->lanes)), result_slot);
    LLVMValueRef exec = jit_exec_mask(jb);
    for (unsigned lane = 0; lane < jb->lanes; lane++) {
        LLVMBasicBlockRef work = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
        LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
        LLVMBuildCondBr(jb->b, lane_of(jb, exec, lane), work, after);
        LLVMPositionBuilderAtEnd(jb->b, work);
        LLVMValueRef place = lane_of(jb, pointer, lane);
        LLVMValueRef a = lane_of(jb, jit_src(jb, &intr->src[2], 0, false), lane);
        LLVMValueRef value = swap ? lane_of(jb, jit_src(jb, &intr->src[3], 0, false), lane) : NULL;
        LLVMValueRef old = jit_emit_atomic(jb, intr, place, a, value);
        LLVMTypeRef vector = LLVMVectorType(scalar, jb->lanes);
        LLVMValueRef so_far = LLVMBuildLoad2(jb->b, vector, result_slot, "");
        LLVMBuildStore(
            jb->b, LLVMBuildInsertElement(jb->b, so_far, old, jit_const_int(jb, jb->i32, lane), ""),
            result_slot);
        LLVMBuildBr(jb->b, after);
        LLVMPositionBuilderAtEnd(jb->b, after);
    }
    values[0] = LLVMBuildLoad2(jb->b, LLVMVectorType(scalar, jb->lanes), result_slot, "");
}

/* --- lanes --- */

static void emit_vote(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef *values = new_values(jb, &intr->def);
    LLVMValueRef condition = jit_src(jb, &intr->src[0], 0, false);
    if (!jit_is_vector(condition)) {
        values[0] = condition;
        return;
    }
    if (intr->intrinsic == nir_intrinsic_vote_any) {
        if (jb->exec)
            condition = LLVMBuildAnd(jb->b, condition, jb->exec, "");
        values[0] = jit_any(jb, condition);
    } else {
        LLVMValueRef against = LLVMBuildNot(jb->b, condition, "");
        if (jb->exec)
            against = LLVMBuildAnd(jb->b, against, jb->exec, "");
        values[0] = LLVMBuildNot(jb->b, jit_any(jb, against), "");
    }
}

static void emit_ballot(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef *values = new_values(jb, &intr->def);
    LLVMValueRef condition =
        LLVMBuildAnd(jb->b, jit_src(jb, &intr->src[0], 0, true), jit_exec_mask(jb), "");
    LLVMValueRef bits =
        LLVMBuildBitCast(jb->b, condition, LLVMIntTypeInContext(jb->context, jb->lanes), "");
    LLVMTypeRef type = jit_int_type(jb, intr->def.bit_size);
    values[0] = LLVMBuildZExt(jb->b, bits, type, "");
    for (unsigned c = 1; c < intr->def.num_components; c++)
        values[c] = LLVMConstNull(type);
}

static void emit_quad(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    static const unsigned swaps[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    unsigned pattern[4] = {0};
    if (intr->intrinsic == nir_intrinsic_quad_broadcast) {
        if (!nir_src_is_const(intr->src[1])) {
            jb->failed = true;
            return;
        }
        for (unsigned i = 0; i < 4; i++)
            pattern[i] = nir_src_as_uint(intr->src[1]) & 3;
    } else {
        unsigned kind = intr->intrinsic == nir_intrinsic_quad_swap_horizontal ? 0
                        : intr->intrinsic == nir_intrinsic_quad_swap_vertical ? 1
                                                                              : 2;
        memcpy(pattern, swaps[kind], sizeof pattern);
    }
    LLVMValueRef *values = new_values(jb, &intr->def);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        LLVMValueRef value = jit_src(jb, &intr->src[0], c, false);
        values[c] = jit_is_vector(value) ? jit_quad_shuffle(jb, value, pattern) : value;
        if (intr->def.divergent)
            values[c] = jit_broadcast(jb, values[c]);
    }
}

/* Returns the index of the lowest active lane, or 0 if none is active. */
static LLVMValueRef first_active_lane(struct jit_builder *jb)
{
    if (!jb->exec)
        return LLVMConstNull(jb->i32);
    LLVMTypeRef bits_type = LLVMIntTypeInContext(jb->context, jb->lanes);
    LLVMValueRef bits = LLVMBuildBitCast(jb->b, jb->exec, bits_type, "");
    bits = LLVMBuildZExt(jb->b, bits, jb->i32, "");
    LLVMValueRef args[] = {bits, LLVMConstNull(jb->i1)};
    LLVMValueRef lane = jit_call(jb, "llvm.cttz", &jb->i32, 1, args, 2);
    return LLVMBuildAnd(jb->b, lane, jit_const_int(jb, jb->i32, jb->lanes - 1), "");
}

/* Reads the value of the lowest active lane. With AVX-512, words are compressed to lane 0; LLVM
 * would extract an element with a variable index through memory. */
static void emit_read_first(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    bool compress =
        jb->engine->register_lanes == 16 && jb->lanes == 16 && jb->exec && intr->def.bit_size == 32;
    LLVMValueRef lane = compress ? LLVMConstNull(jb->i32) : first_active_lane(jb);
    LLVMValueRef *values = new_values(jb, &intr->def);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        LLVMValueRef value = jit_src(jb, &intr->src[0], c, false);
        LLVMTypeRef type = LLVMTypeOf(value);
        if (jit_is_vector(value) && compress)
            value = jit_call(jb, "llvm.x86.avx512.mask.compress", &type, 1,
                             (LLVMValueRef[]){value, value, jb->exec}, 3);
        values[c] = jit_is_vector(value) ? LLVMBuildExtractElement(jb->b, value, lane, "") : value;
    }
}

/* Returns the intrinsic of the x86 instruction that permutes the words of one or two vectors, or
 * NULL. */
static const char *permutation(const struct jit_builder *jb, unsigned vectors)
{
#if defined(__x86_64__)
    if (jb->engine->register_lanes == 16 && jb->lanes == 16)
        return vectors == 1 ? "llvm.x86.avx512.permvar.si.512" : "llvm.x86.avx512.vpermi2var.d.512";
    if (jb->engine->register_lanes == 8 && jb->lanes == 8 && vectors == 1)
        return "llvm.x86.avx2.permd";
#endif
    return NULL;
}

/* Looks up words in a table of one or two vectors. Indices wrap at the table's size. */
static LLVMValueRef look_up(struct jit_builder *jb, LLVMValueRef *table, unsigned vectors,
                            LLVMValueRef index)
{
    LLVMBuilderRef b = jb->b;
    LLVMTypeRef type = LLVMTypeOf(index);
    const char *name = permutation(jb, vectors);
    if (name && vectors == 1)
        return jit_call(jb, name, NULL, 0, (LLVMValueRef[]){table[0], index}, 2);
    if (name)
        return jit_call(jb, name, NULL, 0, (LLVMValueRef[]){table[0], index, table[1]}, 3);
    if (permutation(jb, 1)) {
        LLVMValueRef bit = jit_const_int(jb, type, jb->lanes), value[2];
        for (unsigned v = 0; v < 2; v++)
            value[v] = look_up(jb, table + v, 1, index);
        LLVMValueRef second = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, index, bit, ""), bit, "");
        return LLVMBuildSelect(b, second, value[1], value[0], "");
    }
    LLVMValueRef place = jit_alloca(jb, LLVMArrayType2(type, vectors));
    for (unsigned v = 0; v < vectors; v++) {
        LLVMValueRef at = jit_const_int(jb, jb->i32, v);
        LLVMBuildStore(b, table[v], LLVMBuildGEP2(b, type, place, &at, 1, ""));
    }
    index = LLVMBuildAnd(b, index, jit_const_int(jb, type, vectors * jb->lanes - 1), "");
    LLVMValueRef result = LLVMGetPoison(type);
    for (unsigned i = 0; i < jb->lanes; i++) {
        LLVMValueRef at = lane_of(jb, index, i), lane = jit_const_int(jb, jb->i32, i);
        LLVMValueRef entry = LLVMBuildGEP2(b, jb->i32, place, &at, 1, "");
        result = LLVMBuildInsertElement(b, result, load_scalar(jb, jb->i32, entry, 4), lane, "");
    }
    return result;
}

static void emit_lookup(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef table[4], index = jit_src(jb, &intr->src[1], 0, true);
    unsigned vectors = nir_src_num_components(intr->src[0]);
    if (vectors > 4 || vectors == 3) {
        jb->failed = true;
        return;
    }
    for (unsigned v = 0; v < vectors; v++)
        table[v] = jit_src(jb, &intr->src[0], v, true);
    LLVMValueRef value = look_up(jb, table, MIN2(vectors, 2), index);
    if (vectors == 4) {
        LLVMValueRef bit = jit_const_int(jb, LLVMTypeOf(index), jb->lanes * 2);
        LLVMValueRef high = LLVMBuildICmp(jb->b, LLVMIntNE, LLVMBuildAnd(jb->b, index, bit, ""),
                                          LLVMConstNull(LLVMTypeOf(index)), "");
        value = LLVMBuildSelect(jb->b, high, look_up(jb, table + 2, 2, index), value, "");
    }
    new_values(jb, &intr->def)[0] = value;
}

/* Returns a global table with the texel indices for each first row of rows_of_blocks. */
static LLVMValueRef rows_table(struct jit_builder *jb)
{
    LLVMValueRef table = LLVMGetNamedGlobal(jb->module, "rows"), row[5], word[16];
    LLVMTypeRef type = LLVMVectorType(jb->i32, 16);
    if (table)
        return table;
    for (unsigned first = 0; first < 5; first++) {
        for (unsigned i = 0; i < 16; i++)
            word[i] = LLVMConstInt(jb->i32, jit_row_texel(first, i), false);
        row[first] = LLVMConstVector(word, 16);
    }
    table = LLVMAddGlobal(jb->module, LLVMArrayType2(type, 5), "rows");
    LLVMSetInitializer(table, LLVMConstArray2(type, row, 5));
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetAlignment(table, 64);
    return table;
}

static void emit_rows_of_blocks(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef block[2], first = jit_uniform_src(jb, &intr->src[1], 0);
    if (jb->lanes != 16) {
        jb->failed = true;
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        block[i] = jit_src(jb, &intr->src[0], i, true);
    LLVMTypeRef type = LLVMTypeOf(block[0]);
    LLVMValueRef place = LLVMBuildGEP2(jb->b, type, rows_table(jb), &first, 1, "");
    LLVMValueRef index = load_scalar(jb, type, place, 64);
    new_values(jb, &intr->def)[0] = look_up(jb, block, 2, index);
}

/* Returns element `index` of a vector. The index wraps. */
static LLVMValueRef element(struct jit_builder *jb, LLVMValueRef vector, LLVMValueRef index)
{
    index = LLVMBuildAnd(jb->b, index, jit_const_int(jb, jb->i32, jb->lanes - 1), "");
    return LLVMBuildExtractElement(jb->b, vector, index, "");
}

/* Reads the value of the lane given by the second source, which may be divergent for words only. */
static void emit_shuffle(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef index = jit_src(jb, &intr->src[1], 0, false);
    LLVMValueRef *values = new_values(jb, &intr->def);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        LLVMValueRef value = jit_src(jb, &intr->src[0], c, false);
        values[c] = value;
        if (jit_is_vector(value) && !jit_is_vector(index))
            values[c] = element(jb, value, index);
        else if (jit_is_vector(value) && intr->def.bit_size == 32)
            values[c] = look_up(jb, &value, 1, index);
        else
            jb->failed |= jit_is_vector(value);
        if (intr->def.divergent)
            values[c] = jit_broadcast(jb, values[c]);
    }
}

/* Emits shuffle_xor, _up and _down by a constant. A lane without a source reads itself. */
static void emit_fixed_shuffle(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef *values = new_values(jb, &intr->def), pattern[16];
    if (!nir_src_is_const(intr->src[1])) {
        jb->failed = true;
        return;
    }
    uint32_t by = (uint32_t)nir_src_as_uint(intr->src[1]);
    for (unsigned i = 0; i < jb->lanes; i++) {
        uint32_t from = intr->intrinsic == nir_intrinsic_shuffle_xor  ? i ^ by
                        : intr->intrinsic == nir_intrinsic_shuffle_up ? i - by
                                                                      : i + by;
        pattern[i] = LLVMConstInt(jb->i32, from < jb->lanes ? from : i, false);
    }
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        LLVMValueRef value = jit_src(jb, &intr->src[0], c, intr->def.divergent);
        values[c] = value;
        if (jit_is_vector(value))
            values[c] = LLVMBuildShuffleVector(jb->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                               LLVMConstVector(pattern, jb->lanes), "");
    }
}

/* Passes the value through inline assembly with side effects. LLVM sinks values into the branches
 * that use them, which would separate code that cpu_nir_hoist_texture.c has put together. */
static LLVMValueRef pin(struct jit_builder *jb, LLVMValueRef value)
{
    static const char constraints[] = "=r,0";
    LLVMTypeRef type = LLVMTypeOf(value), function = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(function, "", 0, constraints, sizeof constraints - 1,
                                            true, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(jb->b, function, nothing, &value, 1, "");
}

static void emit_min_halves(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMBuilderRef b = jb->b;
    LLVMValueRef value = jit_src(jb, &intr->src[0], 0, false), *values = new_values(jb, &intr->def);
    values[0] = value;
    if (!jit_is_vector(value))
        return;
    if (jb->exec)
        value = LLVMBuildSelect(b, jb->exec, value, LLVMConstAllOnes(LLVMTypeOf(value)), "");
    unsigned count = 2 * jb->lanes;
    value = LLVMBuildBitCast(b, value, LLVMVectorType(jb->i16, count), "");
    for (count /= 2; count > 1; count /= 2) {
        LLVMValueRef half[2] = {slice(jb, value, value, 0, count),
                                slice(jb, value, value, count, count)};
        LLVMTypeRef type = LLVMTypeOf(half[0]);
        value = jit_call(jb, "llvm.umin", &type, 1, half, 2);
    }
    LLVMValueRef words = value; /* widened to 128 bits; word 0 is the result */
    for (unsigned size = 2; size < 8; size *= 2)
        words = slice(jb, words, LLVMGetPoison(LLVMTypeOf(words)), 0, size * 2);
    words = LLVMBuildBitCast(b, words, LLVMVectorType(jb->i32, 4), "");
    values[0] = pin(jb, lane_of(jb, words, 0));
    if (jb->exec)
        values[0] =
            LLVMBuildSelect(b, jit_any(jb, jb->exec), values[0], LLVMConstNull(jb->i32), "");
}

/* Emits a read of the counter that user code may read. llvm.readcyclecounter reads the cycle
 * counter of the PMU on AArch64, which Linux doesn't allow. */
static LLVMValueRef read_counter(struct jit_builder *jb)
{
#if defined(__aarch64__)
    LLVMMetadataRef name = LLVMMDStringInContext2(jb->context, "cntvct_el0", 10);
    LLVMValueRef arg =
        LLVMMetadataAsValue(jb->context, LLVMMDNodeInContext2(jb->context, &name, 1));
    return jit_call(jb, "llvm.read_volatile_register", &jb->i64, 1, &arg, 1);
#else
    return jit_call(jb, "llvm.readcyclecounter", NULL, 0, NULL, 0);
#endif
}

static void emit_clock(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef time = read_counter(jb);
    LLVMValueRef high = LLVMBuildLShr(jb->b, time, jit_const_int(jb, jb->i64, 32), "");
    LLVMValueRef *values = new_values(jb, &intr->def);
    values[0] = LLVMBuildTrunc(jb->b, time, jb->i32, "");
    values[1] = LLVMBuildTrunc(jb->b, high, jb->i32, "");
}

static void emit_lane_number(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef lane[16];
    for (unsigned i = 0; i < jb->lanes; i++)
        lane[i] = LLVMConstInt(jb->i32, i, false);
    new_values(jb, &intr->def)[0] = LLVMConstVector(lane, jb->lanes);
}

static void emit_kernel_arg(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef index = jit_const_int(jb, jb->i64, nir_intrinsic_base(intr));
    LLVMValueRef place = LLVMBuildGEP2(jb->b, jb->i64, jb->args, &index, 1, "");
    new_values(jb, &intr->def)[0] = load_scalar(jb, jb->i64, place, 8);
}

static void emit_lane_count(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    new_values(jb, &intr->def)[0] = jit_const_int(jb, jb->i32, jb->lanes);
}

/* Tells LLVM that a call accesses no memory that other instructions access. */
static void access_only_inaccessible_memory(struct jit_builder *jb, LLVMValueRef call)
{
    enum { INACCESSIBLE_READ_WRITE = 3 << 2 }; /* llvm::MemoryEffects, two bits per location */
    const unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
    if (memory)
        LLVMAddCallSiteAttribute(
            call, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(jb->context, memory, INACCESSIBLE_READ_WRITE));
}

/* Returns a variable that holds an address, stored where the address is loaded. */
static LLVMValueRef address_variable(struct jit_builder *jb, LLVMValueRef address)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jb->b);
    LLVMValueRef variable = jit_alloca(jb, jb->i64), next = LLVMGetNextInstruction(address);
    if (next)
        LLVMPositionBuilderBefore(jb->b, next);
    else
        LLVMPositionBuilderAtEnd(jb->b, LLVMGetInstructionParent(address));
    LLVMBuildStore(jb->b, address, variable);
    LLVMPositionBuilderAtEnd(jb->b, here);
    return variable;
}

/* The address passes through inline assembly in each execution, so LLVM can't hoist the load. A
 * volatile load would keep it from hoisting other loads. The next execution takes the address from
 * this one, which saves a copy. */
static void emit_poll_stop(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMValueRef address = jit_uniform_src(jb, &intr->src[0], 0);
    LLVMValueRef variable = LLVMIsALoadInst(address) ? address_variable(jb, address) : NULL;
    if (variable)
        address = LLVMBuildLoad2(jb->b, jb->i64, variable, "");
    address = pin(jb, address);
    access_only_inaccessible_memory(jb, address);
    if (variable)
        LLVMBuildStore(jb->b, address, variable);
    LLVMValueRef word =
        load_scalar(jb, jb->i32, LLVMBuildIntToPtr(jb->b, address, jb->ptr, ""), sizeof(uint32_t));
    new_values(jb, &intr->def)[0] =
        LLVMBuildICmp(jb->b, LLVMIntNE, word, LLVMConstNull(jb->i32), "");
}

/* Orders this thread's memory accesses for other threads. On x86 this is no instruction, but LLVM
 * moves no access across it. */
static void emit_barrier(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    LLVMBuildFence(jb->b, LLVMAtomicOrderingAcquireRelease, false, "");
}

typedef void (*emit_fn)(struct jit_builder *jb, nir_intrinsic_instr *intr);

static const emit_fn emitters[nir_num_intrinsics] = {
    [nir_intrinsic_load_kernel_arg] = emit_kernel_arg,
    [nir_intrinsic_load_global] = emit_load_global,
    [nir_intrinsic_load_global_constant] = emit_load_global,
    [nir_intrinsic_load_global_bilinear] = emit_load_bilinear,
    [nir_intrinsic_load_global_bilinear_grid] = emit_load_bilinear_grid,
    [nir_intrinsic_store_global] = emit_store_global,
    [nir_intrinsic_load_global_block] = emit_load_block,
    [nir_intrinsic_store_global_block] = emit_store_block,
    [nir_intrinsic_load_global_quads] = emit_load_quads,
    [nir_intrinsic_store_global_quads] = emit_store_quads,
    [nir_intrinsic_select_quad] = emit_select_quad,
    [nir_intrinsic_global_atomic] = emit_atomic,
    [nir_intrinsic_global_atomic_swap] = emit_atomic,
    [nir_intrinsic_load_scratch] = emit_load_scratch,
    [nir_intrinsic_store_scratch] = emit_store_scratch,
    [nir_intrinsic_clear_scratch] = emit_clear_scratch,
    [nir_intrinsic_load_constant] = emit_load_constant,
    [nir_intrinsic_vote_any] = emit_vote,
    [nir_intrinsic_vote_all] = emit_vote,
    [nir_intrinsic_ballot] = emit_ballot,
    [nir_intrinsic_quad_broadcast] = emit_quad,
    [nir_intrinsic_quad_swap_horizontal] = emit_quad,
    [nir_intrinsic_quad_swap_vertical] = emit_quad,
    [nir_intrinsic_quad_swap_diagonal] = emit_quad,
    [nir_intrinsic_read_first_invocation] = emit_read_first,
    [nir_intrinsic_read_invocation] = emit_shuffle,
    [nir_intrinsic_shuffle] = emit_shuffle,
    [nir_intrinsic_shuffle_xor] = emit_fixed_shuffle,
    [nir_intrinsic_shuffle_up] = emit_fixed_shuffle,
    [nir_intrinsic_shuffle_down] = emit_fixed_shuffle,
    [nir_intrinsic_min_2x16] = emit_min_halves,
    [nir_intrinsic_lookup_lanes] = emit_lookup,
    [nir_intrinsic_rows_of_blocks] = emit_rows_of_blocks,
    [nir_intrinsic_shader_clock] = emit_clock,
    [nir_intrinsic_load_subgroup_invocation] = emit_lane_number,
    [nir_intrinsic_load_subgroup_size] = emit_lane_count,
    [nir_intrinsic_poll_stop] = emit_poll_stop,
    [nir_intrinsic_barrier] = emit_barrier,
};

void jit_emit_intrinsic(struct jit_builder *jb, nir_intrinsic_instr *intr)
{
    const emit_fn emit = emitters[intr->intrinsic];
    if (emit)
        emit(jb, intr);
    else
        jb->failed = true;
}
