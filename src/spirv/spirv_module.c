/* SPDX-License-Identifier: MIT */
/*
 * Modules: parses the header, instructions and their operands (SPIR-V §2.3, §3), checks the order
 * of sections (§2.4), finds the entry point, and drives the translation.
 */
#include <string.h>

#include "spirv/spirv_private.h"

/* -------------------------------------------------------------------------------- messages --- */

void spv_fail(struct spv *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = talloc_vasprintf(p->mem, format, args);
    va_end(args);
    const char *name = p->at.info ? p->at.info->name : NULL;
    p->message =
        !text  ? NULL
        : name ? talloc_asprintf(p->mem_ctx, "error: word %u, %s: %s\n", p->at.offset, name, text)
               : talloc_asprintf(p->mem_ctx, "error: word %u: %s\n", p->at.offset, text);
    longjmp(p->fail, 1);
}

void spv_out_of_memory(struct spv *p)
{
    p->message = NULL;
    longjmp(p->fail, 1);
}

void *spv_alloc(struct spv *p, size_t size)
{
    void *memory = talloc_zero_size(p->mem, size);
    if (!memory)
        spv_out_of_memory(p);
    return memory;
}

void spv_count_work(struct spv *p, uint64_t n)
{
    p->work += n;
    spv_fail_if(p, p->work > SPV_MAX_WORK, "the shader is too complex");
}

/* ---------------------------------------------------------------------------- instructions --- */

static const struct spv_op_info *op_info(unsigned op)
{
    unsigned low = 0, high = spv_num_ops;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (spv_ops[mid].op == op)
            return &spv_ops[mid];
        if (spv_ops[mid].op < op)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

const char *spv_op_name(SpvOp op)
{
    const struct spv_op_info *info = op_info(op);
    return info ? info->name : "unknown instruction";
}

struct spv_instr spv_read(struct spv *p, uint32_t offset)
{
    const uint32_t *w = p->words + offset;
    p->at = (struct spv_instr){
        .w = w,
        .count = w[0] >> SpvWordCountShift,
        .offset = offset,
        .op = w[0] & SpvOpCodeMask,
        .info = op_info(w[0] & SpvOpCodeMask),
    };
    return p->at;
}

/* Returns the length of a string in words, or 0 if it does not end within max words. */
static unsigned string_words(const uint32_t *w, unsigned max)
{
    for (unsigned i = 0; i < max; i++) {
        uint32_t x = w[i];
        if (!(x & 0xff) || !(x & 0xff00) || !(x & 0xff0000) || !(x & 0xff000000))
            return i + 1;
    }
    return 0;
}

static unsigned check_operands(struct spv *p, const struct spv_instr *in, unsigned at,
                               const char *codes);

static const struct spv_enumerant *find_enumerant(const struct spv_enum *e, uint32_t value)
{
    unsigned low = 0, high = e->count;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (e->rows[mid].value == value)
            return &e->rows[mid];
        if (e->rows[mid].value < value)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static unsigned check_enum(struct spv *p, const struct spv_instr *in, unsigned at,
                           const struct spv_enum *e)
{
    uint32_t value = in->w[at++], rest = value;
    do { /* a mask is checked bit by bit */
        uint32_t one = e->bits ? rest & -rest : rest;
        const struct spv_enumerant *row = find_enumerant(e, one);
        spv_fail_if(p, !row, "%s %u is unknown", e->name, one);
        at = check_operands(p, in, at, row->operands);
        rest &= ~one;
    } while (e->bits && rest);
    return at;
}

static void check_id(struct spv *p, uint32_t id)
{
    spv_fail_if(p, id == 0 || id >= p->bound, "id %u is out of range (bound %u)", id, p->bound);
}

/* Checks one operand of the given code; returns the word index of the next operand. */
static unsigned check_operand(struct spv *p, const struct spv_instr *in, unsigned at, uint8_t code)
{
    spv_fail_if(p, at >= in->count, "has too few operands");
    if (code >= SPV_CODE_ENUM)
        return check_enum(p, in, at, &spv_enums[code - SPV_CODE_ENUM]);
    unsigned left = in->count - at, n;
    switch (code) {
    case 't':
    case 'r':
    case 'i':
        check_id(p, in->w[at]);
        return at + 1;
    case 's':
        n = string_words(in->w + at, left);
        spv_fail_if(p, !n, "has an unterminated string");
        return at + n;
    case 'c': /* the type determines the length */
        spv_fail_if(p, left > 2, "has a literal of more than 64 bits");
        return in->count;
    case 'o': {
        const struct spv_op_info *info = op_info(in->w[at]);
        spv_fail_if(p, !info || strncmp(info->operands, "tr", 2) || strchr(info->operands, 'o'),
                    "unknown operation %u", in->w[at]);
        return check_operands(p, in, at + 1, info->operands + 2);
    }
    case 'L': /* spirv_cfg.c checks these literals: their width is that of the selector */
        return in->count;
    case 'M':
        spv_fail_if(p, left < 2, "has too few operands");
        check_id(p, in->w[at]);
        return at + 2;
    case 'P':
        spv_fail_if(p, left < 2, "has too few operands");
        check_id(p, in->w[at]);
        check_id(p, in->w[at + 1]);
        return at + 2;
    default:
        return at + 1;
    }
}

static unsigned check_operands(struct spv *p, const struct spv_instr *in, unsigned at,
                               const char *codes)
{
    for (const char *c = codes; *c; c++) {
        uint8_t code = *c;
        if (c[1] == '?') {
            c++;
            if (at < in->count)
                at = check_operand(p, in, at, code);
        } else if (c[1] == '*') {
            c++;
            while (at < in->count)
                at = check_operand(p, in, at, code);
        } else {
            at = check_operand(p, in, at, code);
        }
    }
    return at;
}

struct spv_instr spv_next(struct spv *p, uint32_t offset)
{
    p->at = (struct spv_instr){.offset = offset};
    spv_fail_if(p, offset >= p->count, "the module ends inside a function");
    unsigned count = p->words[offset] >> SpvWordCountShift;
    spv_fail_if(p, count == 0 || count > p->count - offset,
                "an instruction of %u words extends past the end of the module", count);
    struct spv_instr in = spv_read(p, offset);
    spv_fail_if(p, !in.info, "unknown instruction %u", in.op);
    unsigned end = check_operands(p, &in, 1, in.info->operands);
    spv_fail_if(p, end < in.count, "has too many operands");
    return in;
}

/* ------------------------------------------------------------------------------------- ids --- */

struct spv_value *spv_id(struct spv *p, uint32_t id)
{
    struct spv_value *v = p->values[id]; /* check_id has checked the range */
    if (!v)
        v = p->values[id] = spv_alloc(p, sizeof *v);
    return v;
}

struct spv_value *spv_define(struct spv *p, uint32_t id, enum spv_kind kind)
{
    struct spv_value *v = spv_id(p, id);
    spv_fail_if(p, v->kind != SPV_NOTHING && v->offset != p->at.offset,
                "id %u is defined twice, first at word %u", id, v->offset);
    v->kind = kind;
    v->offset = p->at.offset;
    v->serial = p->serial;
    return v;
}

/* -------------------------------------------------------------------------------- preamble --- */

/* Capabilities of ARB_gl_spirv A.spv.3 and of the extensions in ARB_spirv_extensions, and the
 * capabilities they imply. */
static const uint16_t known_capabilities[] = {
    SpvCapabilityMatrix,
    SpvCapabilityShader,
    SpvCapabilityGeometry,
    SpvCapabilityTessellation,
    SpvCapabilityFloat64,
    SpvCapabilityInt64,
    SpvCapabilityAtomicStorage,
    SpvCapabilityTessellationPointSize,
    SpvCapabilityGeometryPointSize,
    SpvCapabilityImageGatherExtended,
    SpvCapabilityStorageImageMultisample,
    SpvCapabilityUniformBufferArrayDynamicIndexing,
    SpvCapabilitySampledImageArrayDynamicIndexing,
    SpvCapabilityStorageBufferArrayDynamicIndexing,
    SpvCapabilityStorageImageArrayDynamicIndexing,
    SpvCapabilityClipDistance,
    SpvCapabilityCullDistance,
    SpvCapabilityImageCubeArray,
    SpvCapabilitySampleRateShading,
    SpvCapabilityImageRect,
    SpvCapabilitySampledRect,
    SpvCapabilitySampled1D,
    SpvCapabilityImage1D,
    SpvCapabilitySampledCubeArray,
    SpvCapabilitySampledBuffer,
    SpvCapabilityImageBuffer,
    SpvCapabilityImageMSArray,
    SpvCapabilityStorageImageExtendedFormats,
    SpvCapabilityImageQuery,
    SpvCapabilityDerivativeControl,
    SpvCapabilityInterpolationFunction,
    SpvCapabilityTransformFeedback,
    SpvCapabilityGeometryStreams,
    SpvCapabilityStorageImageReadWithoutFormat,
    SpvCapabilityStorageImageWriteWithoutFormat,
    SpvCapabilityMultiViewport,
    SpvCapabilityDrawParameters,
    SpvCapabilityGroupNonUniform,
    SpvCapabilityGroupNonUniformVote,
    SpvCapabilityGroupNonUniformArithmetic,
    SpvCapabilityGroupNonUniformBallot,
    SpvCapabilityGroupNonUniformShuffle,
    SpvCapabilityGroupNonUniformShuffleRelative,
    SpvCapabilityGroupNonUniformClustered,
    SpvCapabilityGroupNonUniformQuad,
    SpvCapabilitySubgroupBallotKHR,
    SpvCapabilitySubgroupVoteKHR,
    SpvCapabilityShaderViewportIndexLayerEXT,
    SpvCapabilityStencilExportEXT,
    SpvCapabilityInt64Atomics,
    SpvCapabilityIntegerFunctions2INTEL,
    SpvCapabilitySparseResidency,
    SpvCapabilityMinLod,
};

/* Supported extensions. They only add enumerants and instructions that the translator knows. */
static const char *const known_extensions[] = {
    "SPV_KHR_shader_draw_parameters",
    "SPV_KHR_subgroup_vote",
    "SPV_KHR_shader_ballot",
    "SPV_KHR_storage_buffer_storage_class",
    "SPV_EXT_shader_viewport_index_layer",
    "SPV_EXT_shader_stencil_export",
    "SPV_GOOGLE_decorate_string",
    "SPV_GOOGLE_hlsl_functionality1",
    "SPV_KHR_no_integer_wrap_decoration",
    "SPV_INTEL_shader_integer_functions2",
};

const char *spirv_extension(unsigned index)
{
    return index < ARRAY_SIZE(known_extensions) ? known_extensions[index] : NULL;
}

static void add_capability(struct spv *p, uint32_t capability)
{
    for (unsigned i = 0; i < ARRAY_SIZE(known_capabilities); i++) {
        if (known_capabilities[i] != capability)
            continue;
        if (!p->options->sparse &&
            (capability == SpvCapabilitySparseResidency || capability == SpvCapabilityMinLod))
            break;
        if (!p->options->int64_atomics && capability == SpvCapabilityInt64Atomics)
            break;
        if (capability < ARRAY_SIZE(p->capabilities))
            p->capabilities[capability] = true;
        return;
    }
    spv_fail(p, "capability %u is not supported", capability);
}

static void add_extension(struct spv *p, const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(known_extensions); i++) {
        if (!strcmp(known_extensions[i], name))
            return;
    }
    spv_fail(p, "extension %s is not supported", name);
}

static void import_set(struct spv *p, const struct spv_instr *in)
{
    const char *name = (const char *)(in->w + 2);
    struct spv_value *v = spv_define(p, in->w[1], SPV_IMPORT);
    v->is_glsl = !strcmp(name, "GLSL.std.450");
    spv_fail_if(p, !v->is_glsl && strncmp(name, "NonSemantic.", 12),
                "extended instruction set \"%s\" is not supported", name);
}

static bool stage_of(uint32_t model, enum shader_stage *stage)
{
    static const enum shader_stage stages[] = {
        [SpvExecutionModelVertex] = SHADER_VERTEX,
        [SpvExecutionModelTessellationControl] = SHADER_TESS_CTRL,
        [SpvExecutionModelTessellationEvaluation] = SHADER_TESS_EVAL,
        [SpvExecutionModelGeometry] = SHADER_GEOMETRY,
        [SpvExecutionModelFragment] = SHADER_FRAGMENT,
        [SpvExecutionModelGLCompute] = SHADER_COMPUTE,
    };
    if (model >= ARRAY_SIZE(stages))
        return false;
    *stage = stages[model];
    return true;
}

static void add_entry_point(struct spv *p, const struct spv_instr *in)
{
    enum shader_stage stage;
    const char *name = (const char *)(in->w + 3);
    if (!stage_of(in->w[1], &stage) || stage != p->stage || strcmp(name, p->options->entry_point))
        return;
    spv_fail_if(p, p->interface, "there are two entry points \"%s\" of this stage", name);
    p->interface = hash_table_create_u32(p->mem);
    p->entry_id = in->w[2];
    p->entry_offset = in->offset;
    unsigned first = 3 + string_words(in->w + 3, in->count - 3);
    for (unsigned i = first; i < in->count; i++)
        hash_table_insert(p->interface, (void *)(uintptr_t)in->w[i], p);
}

static void define_string(struct spv *p, const struct spv_instr *in)
{
    spv_define(p, in->w[1], SPV_STRING);
}

/* -------------------------------------------------------------------------------- sections --- */

enum section {
    SECTION_CAPABILITY,
    SECTION_EXTENSION,
    SECTION_IMPORT,
    SECTION_MEMORY_MODEL,
    SECTION_ENTRY_POINT,
    SECTION_MODE,
    SECTION_DEBUG,
    SECTION_ANNOTATION,
    SECTION_GLOBAL,
    SECTION_FUNCTION,
    SECTION_ANY,
};

static enum section section_of(struct spv *p, SpvOp op)
{
    switch (op) {
    case SpvOpCapability:
        return SECTION_CAPABILITY;
    case SpvOpExtension:
        return SECTION_EXTENSION;
    case SpvOpExtInstImport:
        return SECTION_IMPORT;
    case SpvOpMemoryModel:
        return SECTION_MEMORY_MODEL;
    case SpvOpEntryPoint:
        return SECTION_ENTRY_POINT;
    case SpvOpExecutionMode:
        return SECTION_MODE;
    case SpvOpSourceContinued ... SpvOpString:
    case SpvOpModuleProcessed:
        return SECTION_DEBUG;
    case SpvOpDecorate ... SpvOpGroupMemberDecorate:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
        return SECTION_ANNOTATION;
    case SpvOpTypeVoid ... SpvOpTypeForwardPointer:
    case SpvOpConstantTrue ... SpvOpSpecConstantOp:
    case SpvOpVariable:
    case SpvOpUndef:
        return SECTION_GLOBAL;
    case SpvOpFunction:
        return SECTION_FUNCTION;
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
        return SECTION_ANY;
    default:
        spv_fail(p, "must be in a function");
    }
}

static void define_global(struct spv *p, const struct spv_instr *in)
{
    if (in->op >= SpvOpTypeVoid && in->op <= SpvOpTypeForwardPointer)
        spv_define_type(p, in);
    else if (in->op == SpvOpVariable)
        spv_define_variable(p, in);
    else
        spv_define_constant(p, in);
}

static void parse_global(struct spv *p, const struct spv_instr *in)
{
    switch (section_of(p, in->op)) {
    case SECTION_CAPABILITY:
        add_capability(p, in->w[1]);
        break;
    case SECTION_EXTENSION:
        add_extension(p, (const char *)(in->w + 1));
        break;
    case SECTION_IMPORT:
        import_set(p, in);
        break;
    case SECTION_MEMORY_MODEL:
        spv_fail_if(p, in->w[1] != SpvAddressingModelLogical,
                    "the addressing model must be Logical");
        break;
    case SECTION_ENTRY_POINT:
        add_entry_point(p, in);
        break;
    case SECTION_MODE:
        if (p->interface && in->w[1] == p->entry_id)
            dynarray_append(&p->modes, in->offset);
        break;
    case SECTION_DEBUG:
        if (in->op == SpvOpString)
            define_string(p, in);
        break;
    case SECTION_ANNOTATION:
        spv_decorate(p, in);
        break;
    case SECTION_GLOBAL:
        define_global(p, in);
        break;
    default:
        break;
    }
}

static void check_header(struct spv *p)
{
    spv_fail_if(p, p->count < 5, "the module is shorter than a module header");
    spv_fail_if(p, p->count > UINT32_MAX / 2, "the module is too large");
    spv_fail_if(p, p->words[0] != SpvMagicNumber,
                "the first word is 0x%08x instead of the magic number", p->words[0]);
    p->version = p->words[1];
    spv_fail_if(p, p->version < 0x10000 || p->version > 0x103ff, "version %u.%u is not supported",
                p->version >> 16, p->version >> 8 & 0xff);
    p->bound = p->words[3];
    spv_fail_if(p, p->bound == 0 || p->bound > SPV_MAX_ID, "the id bound %u is out of range",
                p->bound);
    p->values = spv_alloc(p, p->bound * sizeof *p->values);
}

/* Parses everything outside of functions and records where the function bodies are. */
static void parse_module(struct spv *p)
{
    enum section section = SECTION_CAPABILITY;
    check_header(p);
    for (uint32_t offset = 5; offset < p->count;) {
        struct spv_instr in = spv_next(p, offset);
        enum section s = section_of(p, in.op);
        spv_fail_if(p, s < section, "is in the wrong section of the module");
        if (s != SECTION_ANY)
            section = s;
        if (s == SECTION_FUNCTION) {
            spv_find_function(p, &offset);
            continue;
        }
        parse_global(p, &in);
        offset += in.count;
    }
    p->at = (struct spv_instr){0};
    spv_fail_if(p, !p->interface, "there is no entry point \"%s\" of this stage",
                p->options->entry_point);
    spv_fail_if(p,
                !p->capabilities[SpvCapabilityShader] && !p->capabilities[SpvCapabilityGeometry] &&
                    !p->capabilities[SpvCapabilityTessellation] &&
                    !p->capabilities[SpvCapabilityMatrix],
                "the module does not declare the capability Shader");
}

/* ----------------------------------------------------------------------------- entry points --- */

/* Calls visit for each instruction before the first function. Stops at an instruction with an
 * invalid length. */
static void scan(const uint32_t *words, size_t count,
                 void (*visit)(void *data, const uint32_t *w, unsigned n), void *data)
{
    if (count < 5 || words[0] != SpvMagicNumber)
        return;
    for (size_t at = 5; at < count;) {
        unsigned n = words[at] >> SpvWordCountShift;
        if (n == 0 || n > count - at || (words[at] & SpvOpCodeMask) == SpvOpFunction)
            return;
        visit(data, words + at, n);
        at += n;
    }
}

struct entry_search {
    const char *name;
    enum shader_stage stage;
    enum spirv_entry found;
};

static void visit_entry(void *data, const uint32_t *w, unsigned n)
{
    struct entry_search *search = data;
    enum shader_stage stage;
    if ((w[0] & SpvOpCodeMask) != SpvOpEntryPoint || n < 4 || !string_words(w + 3, n - 3) ||
        strcmp((const char *)(w + 3), search->name) != 0)
        return;
    bool same = stage_of(w[1], &stage) && stage == search->stage;
    search->found = MAX2(search->found, same ? SPIRV_HAS_ENTRY : SPIRV_OTHER_STAGE);
}

enum spirv_entry spirv_find_entry_point(const uint32_t *words, size_t count, const char *name,
                                        enum shader_stage stage)
{
    struct entry_search search = {name, stage, SPIRV_NO_ENTRY};
    scan(words, count, visit_entry, &search);
    return search.found;
}

struct id_search {
    uint32_t id;
    bool found;
};

static void visit_specialization(void *data, const uint32_t *w, unsigned n)
{
    struct id_search *search = data;
    search->found |= (w[0] & SpvOpCodeMask) == SpvOpDecorate && n == 4 &&
                     w[2] == SpvDecorationSpecId && w[3] == search->id;
}

bool spirv_has_specialization(const uint32_t *words, size_t count, uint32_t id)
{
    struct id_search search = {.id = id};
    scan(words, count, visit_specialization, &search);
    return search.found;
}

static void translate(struct spv *p)
{
    parse_module(p);
    p->shader = nir_shader_create(p->mem_ctx, p->stage, p->options->nir_options);
    if (!p->shader)
        spv_out_of_memory(p);
    spv_execution_modes(p);
    spv_create_globals(p);
    spv_emit_functions(p);
}

nir_shader *spirv_to_nir(void *mem_ctx, const uint32_t *words, size_t count,
                         const struct spirv_options *options, char **error)
{
    *error = NULL;
    struct spv *p = talloc_zero(NULL, struct spv);
    if (!p)
        return NULL;
    p->words = words;
    p->count = count;
    p->options = options;
    p->stage = options->stage;
    p->mem = p->modes.mem_ctx = p->globals.mem_ctx = p->pending.mem_ctx = p;
    p->mem_ctx = mem_ctx;
    nir_shader *shader = NULL;
    if (!setjmp(p->fail)) {
        translate(p);
        shader = p->shader;
    } else {
        *error = p->message;
        talloc_free(p->shader);
    }
    talloc_free(p);
    return shader;
}
