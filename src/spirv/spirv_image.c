/* SPDX-License-Identifier: MIT */
/* Images and textures (SPIR-V §3.32.10). The value of a loaded image is the pointer that it was
 * loaded from. */
#include "spirv/spirv_private.h"

/* ------------------------------------------------------------------------------- textures --- */

struct sources {
    nir_tex_src src[16];
    unsigned count;
    bool residency; /* the instruction returns nir_tex_instr.is_residency */
};

static void add(struct sources *s, nir_tex_src_type type, nir_def *def)
{
    s->src[s->count++] = (nir_tex_src){.src = nir_src_for_ssa(def), .src_type = type};
}

static unsigned dimensions(const struct spv_type *image)
{
    static const uint8_t components[] = {
        [SpvDim1D] = 1,   [SpvDim2D] = 2,   [SpvDim3D] = 3,
        [SpvDimCube] = 3, [SpvDimRect] = 2, [SpvDimBuffer] = 1,
    };
    return components[image->image.dim];
}

static enum glsl_sampler_dim sampler_dim(const struct spv_type *image)
{
    return image->plain->sampler_dim;
}

static bool has_levels(const struct spv_type *image)
{
    return !image->image.multisampled && image->image.dim != SpvDimBuffer &&
           image->image.dim != SpvDimRect;
}

/* Returns the first n components of an operand, and checks that it has 32-bit numbers of this
 * class. */
static nir_def *vector(struct spv *p, uint32_t id, SpvOp scalar, unsigned n, const char *what)
{
    struct spv_ssa v = spv_use(p, id);
    spv_fail_if(p,
                !spv_is_vector(v.type) || spv_scalar_of(v.type)->op != scalar ||
                    spv_bits(v.type) != 32 || spv_components(v.type) < n,
                "%s has the wrong type", what);
    return spv_components(v.type) == n ? v.c[0] : nir_trim_vector(&p->b, v.c[0], n);
}

static nir_alu_type texel_type(const struct spv_type *image)
{
    return image->image.base == GLSL_TYPE_INT    ? nir_type_int32
           : image->image.base == GLSL_TYPE_UINT ? nir_type_uint32
                                                 : nir_type_float32;
}

/* The image operands (SPIR-V §3.14) of an instruction. */
struct operands {
    nir_def *bias, *lod, *ddx, *ddy, *offset, *sample, *min_lod;
    const struct spv_value *offsets;
};

static struct operands read_operands(struct spv *p, const struct spv_instr *in, unsigned at,
                                     const struct spv_type *image, bool fetch)
{
    struct operands o = {0};
    uint32_t mask = at < in->count ? in->w[at++] : 0;
    unsigned dim = dimensions(image);
    if (mask & SpvImageOperandsBiasMask)
        o.bias = vector(p, in->w[at++], SpvOpTypeFloat, 1, "Bias");
    if (mask & SpvImageOperandsLodMask)
        o.lod = vector(p, in->w[at++], fetch ? SpvOpTypeInt : SpvOpTypeFloat, 1, "Lod");
    if (mask & SpvImageOperandsGradMask) {
        o.ddx = vector(p, in->w[at++], SpvOpTypeFloat, dim, "Grad");
        o.ddy = vector(p, in->w[at++], SpvOpTypeFloat, dim, "Grad");
    }
    if (mask & SpvImageOperandsConstOffsetMask)
        o.offset = vector(p, in->w[at++], SpvOpTypeInt, dim, "ConstOffset");
    if (mask & SpvImageOperandsOffsetMask)
        o.offset = vector(p, in->w[at++], SpvOpTypeInt, dim, "Offset");
    if (mask & SpvImageOperandsConstOffsetsMask) {
        o.offsets = spv_id(p, in->w[at++]);
        const struct spv_type *t = o.offsets->type;
        spv_fail_if(p,
                    o.offsets->kind != SPV_CONSTANT || t->op != SpvOpTypeArray || t->length != 4 ||
                        t->element->op != SpvOpTypeVector || t->element->length != 2 ||
                        t->element->element->op != SpvOpTypeInt || t->element->element->width != 32,
                    "ConstOffsets must be a constant of four vectors");
    }
    if (mask & SpvImageOperandsSampleMask)
        o.sample = vector(p, in->w[at++], SpvOpTypeInt, 1, "Sample");
    if (mask & SpvImageOperandsMinLodMask)
        o.min_lod = vector(p, in->w[at++], SpvOpTypeFloat, 1, "MinLod");
    spv_fail_if(p, o.min_lod && !p->options->sparse, "MinLod is not supported");
    spv_fail_if(p, image->image.multisampled && !o.sample, "lacks the image operand Sample");
    spv_fail_if(p, (o.lod || o.bias || o.ddx) && image->image.multisampled,
                "a multisampled image has no mipmap levels");
    spv_fail_if(p, (o.offset || o.offsets) && image->image.dim == SpvDimCube,
                "offsets are not allowed for cube maps");
    return o;
}

/* Inserts a texture instruction with the sources collected so far. */
static nir_def *insert(struct spv *p, struct sources *s, nir_texop op,
                       const struct spv_pointer *ptr, const struct spv_type *image,
                       nir_alu_type type, unsigned coords, bool shadow, unsigned component)
{
    nir_deref_instr *deref = spv_opaque_deref(p, ptr);
    bool query =
        op == nir_texop_txs || op == nir_texop_query_levels || op == nir_texop_texture_samples;
    add(s, nir_tex_src_texture_deref, &deref->def);
    if (!query && op != nir_texop_txf && op != nir_texop_txf_ms)
        add(s, nir_tex_src_sampler_deref, &deref->def);
    nir_tex_instr *t = nir_tex_instr_create(p->shader, s->count);
    t->op = op;
    t->sampler_dim = sampler_dim(image);
    t->is_array = image->image.arrayed;
    t->is_shadow = shadow;
    t->is_new_style_shadow = shadow;
    t->coord_components = coords;
    t->dest_type = s->residency ? nir_type_int32 : type;
    t->is_residency = s->residency;
    t->component = component;
    for (unsigned i = 0; i < s->count; i++)
        t->src[i] = s->src[i];
    nir_def_init(&t->instr, &t->def, nir_tex_instr_dest_size(t),
                 nir_alu_type_get_type_size(t->dest_type));
    nir_builder_instr_insert(&p->b, &t->instr);
    return &t->def;
}

/* Returns the pointer of a combined sampler and its image type. */
static struct spv_pointer *use_sampled(struct spv *p, uint32_t id, const struct spv_type **image)
{
    struct spv_pointer *ptr = spv_use_image(p, id);
    spv_fail_if(p, spv_id(p, id)->type->op != SpvOpTypeSampledImage,
                "id %u is not a combined image and sampler", id);
    *image = spv_id(p, id)->type->element;
    spv_fail_if(p, (*image)->image.dim == SpvDimBuffer || (*image)->image.multisampled,
                "this image cannot be sampled");
    return ptr;
}

/* Returns the type of the texels that an instruction returns. The result of a sparse one is a
 * struct of a residency code and the texels. */
static const struct spv_type *texels_type(struct spv *p, const struct spv_instr *in, bool sparse)
{
    const struct spv_type *t = spv_type(p, in->w[1]);
    spv_fail_if(p, sparse && !p->options->sparse, "sparse images are not supported");
    spv_fail_if(p, (t->op == SpvOpTypeStruct) != sparse || (sparse && t->length != 2),
                "the result has the wrong type");
    return sparse ? t->members[1] : t;
}

/* Stores the result. code: NULL unless the instruction is sparse. */
static void set_texels(struct spv *p, const struct spv_instr *in, nir_def *code, nir_def *texels)
{
    if (code)
        spv_set_pair(p, in, code, texels);
    else
        spv_set_vec(p, in, texels);
}

struct sample_row {
    uint16_t op;
    bool explicit_lod, projected, shadow;
};

static const struct sample_row sample_rows[] = {
    {SpvOpImageSampleImplicitLod, false, false, false},
    {SpvOpImageSampleExplicitLod, true, false, false},
    {SpvOpImageSampleDrefImplicitLod, false, false, true},
    {SpvOpImageSampleDrefExplicitLod, true, false, true},
    {SpvOpImageSampleProjImplicitLod, false, true, false},
    {SpvOpImageSampleProjExplicitLod, true, true, false},
    {SpvOpImageSampleProjDrefImplicitLod, false, true, true},
    {SpvOpImageSampleProjDrefExplicitLod, true, true, true},
};

static void emit_sample(struct spv *p, const struct spv_instr *in, const struct sample_row *row,
                        bool sparse)
{
    const struct spv_type *image;
    struct spv_pointer *ptr = use_sampled(p, in->w[3], &image);
    unsigned dim = dimensions(image), n = dim + image->image.arrayed, at = 5;
    struct sources s = {.count = 0};
    nir_def *coord = vector(p, in->w[4], SpvOpTypeFloat, n + row->projected, "the coordinate");
    nir_def *code = NULL;
    texels_type(p, in, sparse);
    spv_fail_if(p, row->projected && (image->image.arrayed || image->image.dim == SpvDimCube),
                "projection is not allowed for this image");
    if (row->projected)
        add(&s, nir_tex_src_projector, nir_channel(&p->b, coord, n));
    add(&s, nir_tex_src_coord, nir_trim_vector(&p->b, coord, n));
    if (row->shadow) {
        spv_fail_if(p, image->image.base != GLSL_TYPE_FLOAT || image->image.dim == SpvDim3D,
                    "this image is not a depth image");
        add(&s, nir_tex_src_comparator, vector(p, in->w[at++], SpvOpTypeFloat, 1, "Dref"));
    }
    struct operands o = read_operands(p, in, at, image, false);
    spv_fail_if(p, o.offsets || o.sample,
                "has an image operand that this instruction does not allow");
    spv_fail_if(p,
                (row->explicit_lod ? !o.lod == !o.ddx || o.bias : o.lod || o.ddx) ||
                    (o.min_lod && o.lod),
                "has a wrong image operand for the level of detail");
    nir_texop op = nir_texop_tex;
    if (o.ddx) {
        op = nir_texop_txd;
        add(&s, nir_tex_src_ddx, o.ddx);
        add(&s, nir_tex_src_ddy, o.ddy);
    } else if (o.lod) {
        op = nir_texop_txl;
        add(&s, nir_tex_src_lod, o.lod);
    } else if (p->stage != SHADER_FRAGMENT) {
        /* Without derivatives, the base level is sampled. */
        op = nir_texop_txl;
        add(&s, nir_tex_src_lod, o.bias ? o.bias : nir_imm_float(&p->b, 0));
    } else if (o.bias) {
        op = nir_texop_txb;
        add(&s, nir_tex_src_bias, o.bias);
    }
    if (o.offset)
        add(&s, nir_tex_src_offset, o.offset);
    if (o.min_lod)
        add(&s, nir_tex_src_min_lod, o.min_lod);
    if (sparse) {
        struct sources again = s;
        again.residency = true;
        code = insert(p, &again, op, ptr, image, texel_type(image), n, row->shadow, 0);
    }
    set_texels(p, in, code, insert(p, &s, op, ptr, image, texel_type(image), n, row->shadow, 0));
}

static void emit_gather(struct spv *p, const struct spv_instr *in, bool sparse)
{
    const struct spv_type *image;
    struct spv_pointer *ptr = use_sampled(p, in->w[3], &image);
    bool shadow = in->op == SpvOpImageDrefGather || in->op == SpvOpImageSparseDrefGather;
    unsigned n = dimensions(image) + image->image.arrayed, component = 0;
    nir_def *coord = vector(p, in->w[4], SpvOpTypeFloat, n, "the coordinate"), *dref = NULL;
    nir_def *code = NULL;
    texels_type(p, in, sparse);
    spv_fail_if(p,
                image->image.dim != SpvDim2D && image->image.dim != SpvDimCube &&
                    image->image.dim != SpvDimRect,
                "this image cannot be gathered from");
    if (shadow)
        dref = vector(p, in->w[5], SpvOpTypeFloat, 1, "Dref");
    else
        component = spv_constant_u32(p, in->w[5]);
    spv_fail_if(p, component > 3, "component %u does not exist", component);
    spv_fail_if(p, shadow && image->image.base != GLSL_TYPE_FLOAT,
                "this image is not a depth image");
    struct operands o = read_operands(p, in, 6, image, false);
    spv_fail_if(p, o.bias || o.lod || o.ddx || o.sample || o.min_lod,
                "has an image operand that this instruction does not allow");
    /* With several offsets, component i is the last texel of the footprint at offset i. */
    nir_def *comps[4];
    unsigned count = o.offsets ? 4 : 1;
    for (unsigned i = 0; i < count; i++) {
        struct sources s = {.count = 0};
        add(&s, nir_tex_src_coord, coord);
        if (dref)
            add(&s, nir_tex_src_comparator, dref);
        if (o.offset)
            add(&s, nir_tex_src_offset, o.offset);
        if (o.offsets) {
            const nir_constant *c = o.offsets->constant;
            const struct spv_type *element = o.offsets->type->element;
            add(&s, nir_tex_src_offset,
                spv_from_constant(p, c->is_null_constant ? c : c->elements[i], element).c[0]);
        }
        if (sparse) {
            struct sources again = s;
            again.residency = true;
            nir_def *one = insert(p, &again, nir_texop_tg4, ptr, image, texel_type(image), n,
                                  shadow, component);
            for (unsigned k = o.offsets ? 3 : 0; k < 4; k++) {
                nir_def *texel = nir_channel(&p->b, one, k);
                code = code ? nir_iand(&p->b, code, texel) : texel;
            }
        }
        comps[i] =
            insert(p, &s, nir_texop_tg4, ptr, image, texel_type(image), n, shadow, component);
        if (o.offsets)
            comps[i] = nir_channel(&p->b, comps[i], 3);
    }
    set_texels(p, in, code, o.offsets ? nir_vec(&p->b, comps, 4) : comps[0]);
}

static void emit_fetch(struct spv *p, const struct spv_instr *in, bool sparse)
{
    struct spv_pointer *ptr = spv_use_image(p, in->w[3]);
    const struct spv_type *image = spv_id(p, in->w[3])->type;
    spv_fail_if(p,
                image->op != SpvOpTypeImage || image->image.sampled != 1 ||
                    image->image.dim == SpvDimCube,
                "this image cannot be fetched from");
    unsigned n = dimensions(image) + image->image.arrayed;
    struct sources s = {.count = 0};
    nir_def *code = NULL;
    texels_type(p, in, sparse);
    add(&s, nir_tex_src_coord, vector(p, in->w[4], SpvOpTypeInt, n, "the coordinate"));
    struct operands o = read_operands(p, in, 5, image, true);
    spv_fail_if(p, o.bias || o.ddx || o.offsets || o.min_lod,
                "has an image operand that this instruction does not allow");
    if (o.sample)
        add(&s, nir_tex_src_ms_index, o.sample);
    else if (has_levels(image))
        add(&s, nir_tex_src_lod, o.lod ? o.lod : nir_imm_int(&p->b, 0));
    if (o.offset)
        add(&s, nir_tex_src_offset, o.offset);
    nir_texop op = o.sample ? nir_texop_txf_ms : nir_texop_txf;
    if (sparse) {
        struct sources again = s;
        again.residency = true;
        code = insert(p, &again, op, ptr, image, texel_type(image), n, false, 0);
    }
    set_texels(p, in, code, insert(p, &s, op, ptr, image, texel_type(image), n, false, 0));
}

/* -------------------------------------------------------------------------------- storage --- */

static nir_intrinsic_instr *image_intrinsic(struct spv *p, nir_intrinsic_op op,
                                            const struct spv_pointer *ptr,
                                            const struct spv_type *image, nir_def *const *src,
                                            unsigned count, unsigned components)
{
    nir_intrinsic_instr *intr = nir_intrinsic_instr_create(p->shader, op);
    nir_deref_instr *deref = spv_opaque_deref(p, ptr);
    const nir_variable *var = nir_deref_instr_get_variable(deref);
    intr->src[0] = nir_src_for_ssa(&deref->def);
    for (unsigned i = 0; i < count; i++)
        intr->src[1 + i] = nir_src_for_ssa(src[i]);
    const nir_intrinsic_info *info = &nir_intrinsic_infos[op];
    if (info->has_dest) {
        if (!info->dest_components)
            intr->num_components = components;
        nir_def_init(&intr->instr, &intr->def, components, 32);
    } else {
        intr->num_components = components;
    }
    nir_intrinsic_set_image_dim(intr, sampler_dim(image));
    nir_intrinsic_set_image_array(intr, image->image.arrayed);
    nir_intrinsic_set_format(intr, var->data.image_format);
    nir_intrinsic_set_access(intr, var->data.access);
    return intr;
}

/* Returns image coordinates as the intrinsics expect them: four components. */
static nir_def *image_coord(struct spv *p, uint32_t id, const struct spv_type *image)
{
    unsigned n = dimensions(image) + (image->image.arrayed && image->image.dim != SpvDimCube);
    nir_def *coord = vector(p, id, SpvOpTypeInt, n, "the coordinate"), *comps[4];
    for (unsigned i = 0; i < 4; i++)
        comps[i] = i < n ? nir_channel(&p->b, coord, i) : nir_imm_int(&p->b, 0);
    return nir_vec(&p->b, comps, 4);
}

static struct spv_pointer *use_storage(struct spv *p, uint32_t id, const struct spv_type **image)
{
    struct spv_pointer *ptr = spv_use_image(p, id);
    *image = spv_id(p, id)->type;
    spv_fail_if(p, (*image)->op != SpvOpTypeImage || (*image)->image.sampled != 2,
                "id %u is not a storage image", id);
    return ptr;
}

static void emit_read(struct spv *p, const struct spv_instr *in, bool sparse)
{
    const struct spv_type *image, *type = texels_type(p, in, sparse);
    struct spv_pointer *ptr = use_storage(p, in->w[3], &image);
    nir_def *zero = nir_imm_int(&p->b, 0);
    nir_def *coord = image_coord(p, in->w[4], image);
    struct operands o = read_operands(p, in, 5, image, true);
    nir_def *src[] = {coord, o.sample ? o.sample : zero, zero};
    nir_intrinsic_instr *intr =
        image_intrinsic(p, nir_intrinsic_image_deref_load, ptr, image, src, 3, 4);
    nir_intrinsic_set_dest_type(intr, texel_type(image));
    nir_builder_instr_insert(&p->b, &intr->instr);
    spv_fail_if(p, !spv_is_vector(type), "the result must be a vector");
    nir_intrinsic_instr *code = NULL;
    if (sparse) {
        code = image_intrinsic(p, nir_intrinsic_image_deref_residency, ptr, image, src, 2, 1);
        nir_builder_instr_insert(&p->b, &code->instr);
    }
    set_texels(p, in, code ? &code->def : NULL,
               nir_trim_vector(&p->b, &intr->def, spv_components(type)));
}

static void emit_write(struct spv *p, const struct spv_instr *in)
{
    const struct spv_type *image;
    struct spv_pointer *ptr = use_storage(p, in->w[1], &image);
    nir_def *zero = nir_imm_int(&p->b, 0);
    nir_def *coord = image_coord(p, in->w[2], image);
    struct spv_ssa texel = spv_use(p, in->w[3]);
    spv_fail_if(p,
                !spv_is_vector(texel.type) || spv_bits(texel.type) != 32 ||
                    spv_scalar_of(texel.type)->op != image->element->op,
                "the texel has the wrong type");
    struct operands o = read_operands(p, in, 4, image, true);
    nir_def *comps[4];
    for (unsigned i = 0; i < 4; i++)
        comps[i] = i < spv_components(texel.type) ? nir_channel(&p->b, texel.c[0], i) : zero;
    nir_def *src[] = {coord, o.sample ? o.sample : zero, nir_vec(&p->b, comps, 4), zero};
    nir_intrinsic_instr *intr =
        image_intrinsic(p, nir_intrinsic_image_deref_store, ptr, image, src, 4, 4);
    nir_intrinsic_set_src_type(intr, texel_type(image));
    nir_builder_instr_insert(&p->b, &intr->instr);
}

nir_def *spv_image_atomic(struct spv *p, const struct spv_value *texel, nir_atomic_op op,
                          nir_def *data, nir_def *comparator)
{
    const struct spv_type *image = texel->pointer->type;
    nir_def *coord = image_coord(p, texel->coord, image);
    nir_def *sample = image->image.multisampled
                          ? vector(p, texel->sample, SpvOpTypeInt, 1, "Sample")
                          : nir_imm_int(&p->b, 0);
    nir_def *src[] = {coord, sample, comparator ? comparator : data, data};
    nir_intrinsic_instr *intr = image_intrinsic(
        p, comparator ? nir_intrinsic_image_deref_atomic_swap : nir_intrinsic_image_deref_atomic,
        texel->pointer, image, src, comparator ? 4 : 3, 1);
    nir_intrinsic_set_atomic_op(intr, op);
    nir_builder_instr_insert(&p->b, &intr->instr);
    return &intr->def;
}

nir_def *spv_image_load_texel(struct spv *p, const struct spv_value *texel)
{
    const struct spv_type *image = texel->pointer->type;
    nir_def *zero = nir_imm_int(&p->b, 0);
    nir_def *sample =
        image->image.multisampled ? vector(p, texel->sample, SpvOpTypeInt, 1, "Sample") : zero;
    nir_def *src[] = {image_coord(p, texel->coord, image), sample, zero};
    nir_intrinsic_instr *intr =
        image_intrinsic(p, nir_intrinsic_image_deref_load, texel->pointer, image, src, 3, 4);
    nir_intrinsic_set_dest_type(intr, texel_type(image));
    nir_builder_instr_insert(&p->b, &intr->instr);
    return nir_channel(&p->b, &intr->def, 0);
}

/* -------------------------------------------------------------------------------- queries --- */

static void emit_size(struct spv *p, const struct spv_instr *in)
{
    struct spv_pointer *ptr = spv_use_image(p, in->w[3]);
    const struct spv_type *image = spv_id(p, in->w[3])->type;
    spv_fail_if(p, image->op != SpvOpTypeImage, "id %u is not an image", in->w[3]);
    unsigned n = dimensions(image) - (image->image.dim == SpvDimCube) + image->image.arrayed;
    if (image->image.sampled == 2) {
        nir_def *zero = nir_imm_int(&p->b, 0);
        nir_intrinsic_instr *intr =
            image_intrinsic(p, nir_intrinsic_image_deref_size, ptr, image, &zero, 1, n);
        nir_builder_instr_insert(&p->b, &intr->instr);
        spv_set_vec(p, in, &intr->def);
        return;
    }
    struct sources s = {.count = 0};
    if (in->op == SpvOpImageQuerySizeLod && has_levels(image))
        add(&s, nir_tex_src_lod, vector(p, in->w[4], SpvOpTypeInt, 1, "Lod"));
    else if (has_levels(image))
        add(&s, nir_tex_src_lod, nir_imm_int(&p->b, 0));
    spv_set_vec(p, in, insert(p, &s, nir_texop_txs, ptr, image, nir_type_int32, 0, false, 0));
}

static void emit_count(struct spv *p, const struct spv_instr *in)
{
    struct spv_pointer *ptr = spv_use_image(p, in->w[3]);
    const struct spv_type *image = spv_id(p, in->w[3])->type;
    bool samples = in->op == SpvOpImageQuerySamples;
    spv_fail_if(p,
                image->op != SpvOpTypeImage || samples != image->image.multisampled ||
                    (!samples && (!has_levels(image) || image->image.sampled == 2)),
                "this query is not allowed for this image");
    if (image->image.sampled == 2) {
        nir_intrinsic_instr *intr =
            image_intrinsic(p, nir_intrinsic_image_deref_samples, ptr, image, NULL, 0, 1);
        nir_builder_instr_insert(&p->b, &intr->instr);
        spv_set_vec(p, in, &intr->def);
        return;
    }
    struct sources s = {.count = 0};
    spv_set_vec(p, in,
                insert(p, &s, samples ? nir_texop_texture_samples : nir_texop_query_levels, ptr,
                       image, nir_type_int32, 0, false, 0));
}

static void emit_query_lod(struct spv *p, const struct spv_instr *in)
{
    const struct spv_type *image;
    struct spv_pointer *ptr = use_sampled(p, in->w[3], &image);
    unsigned n = dimensions(image);
    struct sources s = {.count = 0};
    spv_fail_if(p, p->stage != SHADER_FRAGMENT || !has_levels(image),
                "is only allowed in fragment shaders, for images with mipmap levels");
    add(&s, nir_tex_src_coord, vector(p, in->w[4], SpvOpTypeFloat, n, "the coordinate"));
    spv_set_vec(p, in, insert(p, &s, nir_texop_lod, ptr, image, nir_type_float32, n, false, 0));
}

/* OpImage returns the image of a combined sampler; OpSampledImage combines it with its own sampler
 * again. */
static void emit_part(struct spv *p, const struct spv_instr *in)
{
    struct spv_pointer *ptr = spv_use_image(p, in->w[3]);
    const struct spv_type *type = spv_type(p, in->w[1]), *from = spv_id(p, in->w[3])->type;
    spv_fail_if(p, from->op != SpvOpTypeSampledImage || type != from->element,
                "the result type does not match the operands");
    struct spv_value *v = spv_define(p, in->w[2], SPV_IMAGE);
    v->type = type;
    v->pointer = ptr;
}

/* Returns the instruction that returns the same texels as a sparse one without a residency code.
 * Returns other instructions as they are. */
static SpvOp plain_op(SpvOp op)
{
    switch (op) {
    case SpvOpImageSparseSampleImplicitLod:
        return SpvOpImageSampleImplicitLod;
    case SpvOpImageSparseSampleExplicitLod:
        return SpvOpImageSampleExplicitLod;
    case SpvOpImageSparseSampleDrefImplicitLod:
        return SpvOpImageSampleDrefImplicitLod;
    case SpvOpImageSparseSampleDrefExplicitLod:
        return SpvOpImageSampleDrefExplicitLod;
    case SpvOpImageSparseFetch:
        return SpvOpImageFetch;
    case SpvOpImageSparseGather:
        return SpvOpImageGather;
    case SpvOpImageSparseDrefGather:
        return SpvOpImageDrefGather;
    case SpvOpImageSparseRead:
        return SpvOpImageRead;
    default:
        return op;
    }
}

bool spv_emit_image(struct spv *p, const struct spv_instr *in)
{
    const SpvOp op = plain_op(in->op);
    const bool sparse = op != (SpvOp)in->op;
    for (unsigned i = 0; i < ARRAY_SIZE(sample_rows); i++) {
        if (sample_rows[i].op != op)
            continue;
        emit_sample(p, in, &sample_rows[i], sparse);
        return true;
    }
    switch (op) {
    case SpvOpImage:
        emit_part(p, in);
        return true;
    case SpvOpImageGather:
    case SpvOpImageDrefGather:
        emit_gather(p, in, sparse);
        return true;
    case SpvOpImageFetch:
        emit_fetch(p, in, sparse);
        return true;
    case SpvOpImageRead:
        emit_read(p, in, sparse);
        return true;
    case SpvOpImageSparseTexelsResident: /* a code is 1 if all texels are committed, else 0 */
        spv_set_vec(p, in, nir_ine_imm(&p->b, vector(p, in->w[3], SpvOpTypeInt, 1, "the code"), 0));
        return true;
    case SpvOpImageWrite:
        emit_write(p, in);
        return true;
    case SpvOpImageQuerySizeLod:
    case SpvOpImageQuerySize:
        emit_size(p, in);
        return true;
    case SpvOpImageQueryLevels:
    case SpvOpImageQuerySamples:
        emit_count(p, in);
        return true;
    case SpvOpImageQueryLod:
        emit_query_lod(p, in);
        return true;
    default:
        return false;
    }
}
