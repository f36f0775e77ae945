/* SPDX-License-Identifier: MIT */
/* Display lists (GL 4.6 compatibility §21.4): names, compilation, execution. */
#include "gl/compat/gl_lists.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <talloc.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/compat/gl_eval.h"
#include "gl/compat/gl_immediate.h"
#include "gl/compat/gl_list_pack.h"
#include "gl/compat/gl_lists_private.h"
#include "gl/compat/gl_set_material.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_current.h"
#include "gl/context/gl_share.h"
#include "gl/draw/gl_array.h"
#include "gl/draw/gl_draw.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/state/gl_material.h"
#include "gl_dispatch.h"
#include "gl_entry.h"
#include "util/refcount.h"

#define BLOCK_BYTES 4096

/* An allocation that a list owns in addition to its nodes. */
struct list_memory {
    struct list_memory *next;
    void *pointer;
};

struct gl_list {
    int refcount; /* atomic: one for the name, one per execution */
    struct gl_list_block *first, *last;
    struct list_memory *memory;
    char *label;
    bool failed; /* out of memory during compilation */
};

struct gl_lists {
    struct gl_list *list; /* list being compiled, NULL: none */
    GLuint name;
    GLenum mode;
    unsigned depth;         /* nesting depth of glCallList */
    unsigned calls;         /* list calls since the outermost one */
    struct gl_list_run run; /* current run at the end of the list */
    /* restored after array draws, which don't change current values */
    struct gl_current_state before_draw;
    bool drawing; /* compiling and executing an array draw */
};

/* Maximum number of nested calls by one command; later ones are ignored. Lists that each call two
 * others would otherwise take 2^64 calls at the maximum nesting depth of 64. */
#define CALLS_MAX (1u << 22)

/* ---------------------------------------------------------------------------------- storage --- */

static struct gl_list *list_create(void)
{
    struct gl_list *l = calloc(1, sizeof *l);
    if (l)
        l->refcount = 1;
    return l;
}

static void list_unref(struct gl_list *l)
{
    if (!l || !ref_drop(&l->refcount))
        return;
    while (l->first) {
        struct gl_list_block *next = l->first->next;
        free(l->first);
        l->first = next;
    }
    while (l->memory) {
        struct list_memory *next = l->memory->next;
        free(l->memory->pointer);
        free(l->memory);
        l->memory = next;
    }
    free(l->label);
    free(l);
}

void *gl_list_out_of_memory(struct gl_context *ctx)
{
    ctx->lists->list->failed = true;
    gl_error(ctx, GL_OUT_OF_MEMORY, "display list");
    return NULL;
}

struct gl_list_node *gl_list_node_append(struct gl_context *ctx, unsigned opcode, size_t bytes,
                                         struct gl_list_position *at)
{
    struct gl_list *l = ctx->lists->list;
    size_t size = ALIGN_POT(sizeof(struct gl_list_node) + bytes, 8);
    const size_t link = sizeof(struct gl_list_node);
    assert(size / 8 <= UINT16_MAX); /* larger data is copied by gl_list_copy() */
    if (!l->last || l->last->used + size + link > l->last->size) {
        size_t room = MAX2(BLOCK_BYTES, size + link);
        struct gl_list_block *b = malloc(sizeof *b + room);
        if (!b)
            return gl_list_out_of_memory(ctx);
        b->next = NULL;
        b->used = 0;
        b->size = room;
        if (l->last) {
            struct gl_list_node *next = (void *)((char *)l->last->data + l->last->used);
            *next = (struct gl_list_node){.opcode = GL_LIST_NEXT, .words = 1};
            l->last->next = b;
        } else {
            l->first = b;
        }
        l->last = b;
    }
    struct gl_list_node *node = (void *)((char *)l->last->data + l->last->used);
    *node = (struct gl_list_node){.opcode = opcode, .words = size / 8};
    if (at)
        *at = (struct gl_list_position){l->last, l->last->used};
    l->last->used += size;
    return node;
}

struct gl_list_node *gl_list_node_add(struct gl_context *ctx, unsigned opcode, size_t bytes)
{
    struct gl_list_position at;
    struct gl_list_node *node = gl_list_node_append(ctx, opcode, bytes, &at);
    if (node)
        gl_list_run_finish(ctx, &ctx->lists->run, &at);
    return node;
}

bool gl_list_executes(const struct gl_context *ctx)
{
    return ctx->lists->mode == GL_COMPILE_AND_EXECUTE;
}

bool gl_list_take_ownership(struct gl_context *ctx, void *pointer)
{
    struct list_memory *m = malloc(sizeof *m);
    if (!m) {
        free(pointer);
        gl_list_out_of_memory(ctx);
        return false;
    }
    *m = (struct list_memory){ctx->lists->list->memory, pointer};
    ctx->lists->list->memory = m;
    return true;
}

void *gl_list_copy(struct gl_context *ctx, const void *data, size_t size)
{
    if (!data || !size || size > PTRDIFF_MAX) /* also true for a negative count */
        return NULL;
    void *copy = size <= INT32_MAX ? malloc(size) : NULL;
    if (!copy)
        return gl_list_out_of_memory(ctx);
    memcpy(copy, data, size);
    return gl_list_take_ownership(ctx, copy) ? copy : NULL;
}

unsigned gl_list_pname_count(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_EMISSION:
    case GL_POSITION:
    case GL_AMBIENT_AND_DIFFUSE:
    case GL_LIGHT_MODEL_AMBIENT:
    case GL_FOG_COLOR:
    case GL_TEXTURE_ENV_COLOR:
    case GL_TEXTURE_BORDER_COLOR:
    case GL_TEXTURE_SWIZZLE_RGBA:
    case GL_OBJECT_PLANE:
    case GL_EYE_PLANE:
    case GL_CONVOLUTION_FILTER_SCALE:
    case GL_CONVOLUTION_FILTER_BIAS:
    case GL_CONVOLUTION_BORDER_COLOR:
    case GL_COLOR_TABLE_SCALE:
    case GL_COLOR_TABLE_BIAS:
    case GL_PATCH_DEFAULT_OUTER_LEVEL:
        return 4;
    case GL_SPOT_DIRECTION:
    case GL_COLOR_INDEXES:
    case GL_POINT_DISTANCE_ATTENUATION:
        return 3;
    case GL_PATCH_DEFAULT_INNER_LEVEL:
        return 2;
    default:
        return 1;
    }
}

size_t gl_list_texel_bytes(GLenum format, GLenum type)
{
    unsigned packed;
    const size_t bytes = gl_pixel_type_bytes(type, &packed);
    return packed ? bytes : bytes * gl_pixel_components(format);
}

void gl_list_default_unpack(struct gl_context *ctx, struct gl_saved_unpack *saved)
{
    saved->store = ctx->unpack;
    memset(&ctx->unpack, 0, sizeof ctx->unpack);
    ctx->unpack.alignment = 1;
}

void gl_list_restore_unpack(struct gl_context *ctx, struct gl_saved_unpack *saved)
{
    ctx->unpack = saved->store;
}

/* ---------------------------------------------------------------------------- context state --- */

bool gl_lists_init(struct gl_context *ctx)
{
    ctx->lists = talloc_zero(ctx, struct gl_lists);
    if (ctx->lists)
        ctx->lists->run.groups.mem_ctx = ctx->lists;
    return ctx->lists;
}

void gl_lists_finish(struct gl_context *ctx)
{
    if (ctx->lists)
        list_unref(ctx->lists->list);
}

static void destroy_list(void *object)
{
    list_unref(object);
}

static void delete_list(GLuint name, void *object, void *data)
{
    list_unref(object);
}

void gl_lists_finish_shared(struct gl_shared *shared)
{
    if (shared->lists.table)
        gl_names_foreach(&shared->lists, delete_list, NULL);
}

char **gl_list_label(struct gl_context *ctx, GLuint name)
{
    struct gl_names *names = &ctx->shared->lists;
    gl_names_lock(names);
    struct gl_list *l = gl_names_lookup(names, name);
    if (!l && gl_names_is_used(names, name)) {
        l = list_create();
        if (l && !gl_names_insert(names, name, l)) {
            list_unref(l);
            l = NULL;
        }
    }
    gl_names_unlock(names);
    return l ? &l->label : NULL;
}

GLuint gl_lists_current(const struct gl_context *ctx, GLenum *mode)
{
    if (!ctx->compiling_list)
        return 0;
    if (mode)
        *mode = ctx->lists->mode;
    return ctx->lists->name;
}

void gl_NewList(GLuint list, GLenum mode)
{
    GL_CONTEXT(ctx);
    struct gl_lists *s = ctx->lists;
    if (!list) {
        gl_error(ctx, GL_INVALID_VALUE, "glNewList(list=0)");
        return;
    }
    if (mode != GL_COMPILE && mode != GL_COMPILE_AND_EXECUTE) {
        gl_error(ctx, GL_INVALID_ENUM, "glNewList(mode=%s)", gl_enum_name(mode));
        return;
    }
    if (s->list) {
        gl_error(ctx, GL_INVALID_OPERATION, "glNewList(a list is being compiled)");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    s->list = list_create();
    if (!s->list) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glNewList");
        return;
    }
    s->name = list;
    s->mode = mode;
    ctx->compiling_list = true;
    gl_dispatch_select(ctx);
}

void gl_EndList(void)
{
    GL_CONTEXT(ctx);
    struct gl_lists *s = ctx->lists;
    if (!s->list) {
        gl_error(ctx, GL_INVALID_OPERATION, "glEndList(no list is being compiled)");
        return;
    }
    gl_list_node_add(ctx, GL_LIST_END, 0);
    s->run.groups.count = 0; /* not finished if out of memory */
    struct gl_list *l = s->list;
    s->list = NULL;
    ctx->compiling_list = false;
    gl_dispatch_select(ctx);
    struct gl_names *names = &ctx->shared->lists;
    gl_names_lock(names);
    struct gl_list *old = gl_names_lookup(names, s->name);
    /* §21.4: if out of memory, the old contents stay. */
    bool stored = !l->failed && gl_names_insert(names, s->name, l);
    list_unref(stored ? old : l);
    gl_names_unlock(names);
    if (!stored)
        gl_error(ctx, GL_OUT_OF_MEMORY, "glEndList");
}

GLuint gl_GenLists(GLsizei range)
{
    GL_CONTEXT(ctx);
    if (range < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGenLists(range=%d)", range);
        return 0;
    }
    if (!range)
        return 0;
    /* A name without an object is an empty list. */
    GLuint first = gl_names_gen_range(&ctx->shared->lists, range);
    if (!first)
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenLists(range=%d)", range);
    return first;
}

GLboolean gl_IsList(GLuint list)
{
    GL_CONTEXT(ctx);
    return gl_names_is_used(&ctx->shared->lists, list);
}

void gl_DeleteLists(GLuint list, GLsizei range)
{
    GL_CONTEXT(ctx);
    if (range < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteLists(range=%d)", range);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_names_remove_range(&ctx->shared->lists, list, range, destroy_list);
}

void gl_ListBase(GLuint base)
{
    GL_CONTEXT(ctx);
    ctx->list_base = base;
}

/* -------------------------------------------------------------------------------- execution --- */

struct attrib_args {
    uint32_t v[4];
};

/* Types of attributes, by the number that GL_LIST_ATTRIB nodes store. */
static const GLenum attrib_types[] = {GL_FLOAT, GL_INT, GL_UNSIGNED_INT, GL_UNSIGNED_INT64_ARB,
                                      GL_DOUBLE};

static void replay_attrib(struct gl_context *ctx, struct gl_list_node *node)
{
    const uint32_t *v = gl_list_args(node);
    unsigned attrib = node->data & 0xff;
    if (attrib == VERT_ATTRIB_GENERIC0 && ctx->inside_begin_end)
        attrib = VERT_ATTRIB_POS;
    gl_attrib(ctx, attrib, node->data >> 8 & 0xff, attrib_types[node->data >> 16], v);
}

static void replay_material(struct gl_context *ctx, struct gl_list_node *node)
{
    struct attrib_args a;
    float v[4];
    memcpy(&a, gl_list_args(node), sizeof a);
    memcpy(v, a.v, sizeof v);
    gl_material_set(ctx, node->data & 0xffff, node->data >> 16, v);
}

static void replay_call_lists(struct gl_list_node *node)
{
    const GLuint *offsets;
    memcpy(&offsets, gl_list_args(node), sizeof offsets);
    gl_CallLists(node->data, GL_UNSIGNED_INT, offsets);
}

static void replay_map(struct gl_context *ctx, struct gl_list_node *node);

/* Begins an array draw in a list. Returns false if it must be skipped. */
static bool begin_array_draw(struct gl_context *ctx, GLenum mode)
{
    bool inside = ctx->inside_begin_end;
    if (!inside) {
        FLUSH_VERTICES(ctx, 0);
        ctx->lists->before_draw = ctx->current_attribs;
    }
    gl_Begin(mode);
    return !inside && ctx->inside_begin_end;
}

static void end_array_draw(struct gl_context *ctx)
{
    gl_End();
    FLUSH_VERTICES(ctx, 0);
    ctx->current_attribs = ctx->lists->before_draw;
    gl_material_track_color(ctx);
}

static void execute(struct gl_context *ctx, struct gl_list *l)
{
    struct gl_list_position place = {l->first, 0};
    bool skip = false; /* in an array draw that must be skipped */
    if (!l->first)
        return;
    for (;; gl_list_step(&place)) {
        struct gl_list_node *node = gl_list_node_at(&place);
        /* A pack sets `place` to the node after it, which may be another pack. */
        while (!skip && node->opcode == GL_LIST_GROUP && gl_list_pack_draw(ctx, node, &place))
            node = gl_list_node_at(&place);
        if (skip && node->opcode != GL_LIST_END) {
            skip = node->opcode != GL_LIST_DRAW_END;
            continue;
        }
        switch (node->opcode) {
        case GL_LIST_END:
            return;
        case GL_LIST_GROUP:
            break;
        case GL_LIST_ATTRIB:
            replay_attrib(ctx, node);
            break;
        case GL_LIST_MATERIAL:
            replay_material(ctx, node);
            break;
        case GL_LIST_ERROR:
            gl_error(ctx, node->data, "glCallList(error found when compiling)");
            break;
        case GL_SLOT_CallList:
            gl_CallList(node->data);
            break;
        case GL_SLOT_CallLists:
            replay_call_lists(node);
            break;
        case GL_SLOT_Map1f:
        case GL_SLOT_Map2f:
            replay_map(ctx, node);
            break;
        case GL_LIST_DRAW_BEGIN:
            skip = !begin_array_draw(ctx, node->data);
            break;
        case GL_LIST_DRAW_END:
            end_array_draw(ctx);
            break;
        case GL_SLOT_End:
            gl_End();
            break;
        case GL_SLOT_Begin:
            gl_Begin(node->data);
            break;
        case GL_SLOT_PrimitiveRestartNV:
            gl_PrimitiveRestartNV();
            break;
        default:
            gl_list_replay_command(ctx, node);
        }
    }
}

void gl_CallList(GLuint list)
{
    GL_CONTEXT(ctx);
    struct gl_lists *s = ctx->lists;
    if (!list) {
        gl_error(ctx, GL_INVALID_VALUE, "glCallList(list=0)");
        return;
    }
    if (!s->depth)
        s->calls = 0;
    if (s->depth >= (unsigned)ctx->consts.max_list_nesting || s->calls++ >= CALLS_MAX)
        return;
    gl_names_lock(&ctx->shared->lists);
    struct gl_list *l = gl_names_lookup(&ctx->shared->lists, list);
    if (l)
        ref_take(&l->refcount);
    gl_names_unlock(&ctx->shared->lists);
    if (!l)
        return;
    s->depth++;
    execute(ctx, l);
    s->depth--;
    list_unref(l);
}

/* Rounds an offset down (GL 4.6 compatibility §21.4). Offsets that no integer represents are 0,
 * like NaN. */
static GLuint float_offset(GLfloat offset)
{
    return offset >= INT32_MIN && offset < 0x1p32f ? (GLuint)(int64_t)floorf(offset) : 0;
}

/* Computes offset i of the array of names (GL 4.6 compatibility §21.4). Returns false if the type
 * is unknown. */
static bool list_offset(GLenum type, const void *lists, GLsizei i, GLuint *out)
{
    const uint8_t *b = lists;
    switch (type) {
    case GL_BYTE:
        *out = ((const GLbyte *)lists)[i];
        return true;
    case GL_UNSIGNED_BYTE:
        *out = b[i];
        return true;
    case GL_SHORT:
        *out = ((const GLshort *)lists)[i];
        return true;
    case GL_UNSIGNED_SHORT:
        *out = ((const GLushort *)lists)[i];
        return true;
    case GL_INT:
    case GL_UNSIGNED_INT:
        *out = ((const GLuint *)lists)[i];
        return true;
    case GL_FLOAT:
        *out = float_offset(((const GLfloat *)lists)[i]);
        return true;
    case GL_2_BYTES:
        *out = b[2 * i] << 8 | b[2 * i + 1];
        return true;
    case GL_3_BYTES:
        *out = b[3 * i] << 16 | b[3 * i + 1] << 8 | b[3 * i + 2];
        return true;
    case GL_4_BYTES:
        *out = (GLuint)b[4 * i] << 24 | b[4 * i + 1] << 16 | b[4 * i + 2] << 8 | b[4 * i + 3];
        return true;
    }
    return false;
}

static bool call_lists_ok(struct gl_context *ctx, GLsizei n, GLenum type)
{
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glCallLists(n=%d)", n);
    else if ((type < GL_BYTE || type > GL_4_BYTES))
        gl_error(ctx, GL_INVALID_ENUM, "glCallLists(type=%s)", gl_enum_name(type));
    else
        return true;
    return false;
}

void gl_CallLists(GLsizei n, GLenum type, const void *lists)
{
    GL_CONTEXT(ctx);
    if (!call_lists_ok(ctx, n, type) || !lists)
        return;
    for (GLsizei i = 0; i < n; i++) {
        GLuint offset;
        if (list_offset(type, lists, i, &offset) && ctx->list_base + offset)
            gl_CallList(ctx->list_base + offset);
    }
}

/* ------------------------------------------------------------------------------ compilation --- */

void gl_save_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type,
                    const uint32_t *v)
{
    const size_t bytes = gl_attrib_words(type) * sizeof *v;
    struct gl_list_node *node = NULL;
    if (gl_list_run_attrib(ctx, &ctx->lists->run, attrib, n, type))
        node = gl_list_node_append(ctx, GL_LIST_ATTRIB, bytes, NULL);
    if (node) {
        unsigned t = 0;
        while (attrib_types[t] != type)
            t++;
        node->data = attrib | n << 8 | t << 16;
        memcpy(gl_list_args(node), v, bytes);
    }
    if (gl_list_executes(ctx)) {
        if (attrib == VERT_ATTRIB_GENERIC0 && ctx->inside_begin_end)
            attrib = VERT_ATTRIB_POS;
        gl_attrib(ctx, attrib, n, type, v);
    }
}

unsigned gl_save_generic_attrib(struct gl_context *ctx, GLuint index)
{
    if (index < (unsigned)ctx->consts.max_vertex_attribs)
        return VERT_ATTRIB_GENERIC(index);
    struct gl_list_node *node = gl_list_node_add(ctx, GL_LIST_ERROR, 0);
    if (node)
        node->data = GL_INVALID_VALUE;
    if (gl_list_executes(ctx))
        gl_error(ctx, GL_INVALID_VALUE, "glVertexAttrib(index=%u)", index);
    return VERT_ATTRIB_COUNT;
}

static void save_data(struct gl_context *ctx, unsigned opcode, uint32_t data)
{
    struct gl_list_node *node = gl_list_node_add(ctx, opcode, 0);
    if (node)
        node->data = data;
}

/* Compiles an error of the command `call`, and raises it at once if commands are executed, too. */
static void save_error(struct gl_context *ctx, GLenum error, const char *call)
{
    save_data(ctx, GL_LIST_ERROR, error);
    if (gl_list_executes(ctx))
        gl_error(ctx, error, "%s(compiled)", call);
}

/* Compiles glBegin as `opcode`, for a command or an array draw. */
static void save_begin(struct gl_context *ctx, unsigned opcode, GLenum mode)
{
    struct gl_list_node *node = NULL;
    if (gl_list_run_begin(ctx, &ctx->lists->run, mode, opcode == GL_LIST_DRAW_BEGIN))
        node = gl_list_node_append(ctx, opcode, 0, NULL);
    if (node)
        node->data = mode;
}

static void save_end(struct gl_context *ctx, unsigned opcode)
{
    if (gl_list_run_end(&ctx->lists->run))
        gl_list_node_append(ctx, opcode, 0, NULL);
    else
        gl_list_node_add(ctx, opcode, 0);
}

/* Compiles glMaterial. v: as many values as the property has. */
static void save_material(GLenum face, GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    const uint32_t properties = gl_material_property_mask(face, pname);
    const GLenum error = gl_material_check(ctx, face, pname, v);
    struct attrib_args args = {{0}};
    if (error) {
        save_data(ctx, GL_LIST_ERROR, error);
    } else {
        memcpy(args.v, v, gl_list_pname_count(pname) * sizeof *v);
        struct gl_list_node *node =
            !properties ? gl_list_node_add(ctx, GL_LIST_MATERIAL, sizeof args)
            : gl_list_run_material(ctx, &ctx->lists->run, properties, args.v)
                ? gl_list_node_append(ctx, GL_LIST_MATERIAL, sizeof args, NULL)
                : NULL;
        if (node) {
            node->data = face | pname << 16;
            memcpy(gl_list_args(node), &args, sizeof args);
        }
    }
    if (gl_list_executes(ctx))
        gl_material_set(ctx, face, pname, v);
}

static void save_Materialfv(GLenum face, GLenum pname, const GLfloat *params)
{
    save_material(face, pname, params);
}

static void save_Materialf(GLenum face, GLenum pname, GLfloat param)
{
    const float v[4] = {param};
    save_material(face, pname, v);
}

static void save_Materiali(GLenum face, GLenum pname, GLint param)
{
    save_Materialf(face, pname, param);
}

static void save_Begin(GLenum mode)
{
    GL_CONTEXT(ctx);
    save_begin(ctx, GL_SLOT_Begin, mode);
    if (gl_list_executes(ctx))
        ctx->exec_dispatch->Begin(mode);
}

static void save_End(void)
{
    GL_CONTEXT(ctx);
    save_end(ctx, GL_SLOT_End);
    if (gl_list_executes(ctx))
        ctx->exec_dispatch->End();
}

static void save_PrimitiveRestartNV(void)
{
    GL_CONTEXT(ctx);
    save_data(ctx, GL_SLOT_PrimitiveRestartNV, 0);
    if (gl_list_executes(ctx))
        gl_PrimitiveRestartNV();
}

static void save_draw_begin(struct gl_context *ctx, GLenum mode)
{
    save_begin(ctx, GL_LIST_DRAW_BEGIN, mode);
    ctx->lists->drawing = gl_list_executes(ctx) && begin_array_draw(ctx, mode);
}

static void save_draw_end(struct gl_context *ctx)
{
    save_end(ctx, GL_LIST_DRAW_END);
    if (ctx->lists->drawing)
        end_array_draw(ctx);
    ctx->lists->drawing = false;
}

static void save_CallList(GLuint list)
{
    GL_CONTEXT(ctx);
    save_data(ctx, GL_SLOT_CallList, list);
    if (gl_list_executes(ctx))
        gl_CallList(list);
}

/* Stores offsets, because the list base of the execution applies. */
static void save_CallLists(GLsizei n, GLenum type, const void *lists)
{
    GL_CONTEXT(ctx);
    if (n < 0 || type < GL_BYTE || type > GL_4_BYTES) {
        save_data(ctx, GL_LIST_ERROR, n < 0 ? GL_INVALID_VALUE : GL_INVALID_ENUM);
    } else if (n && lists) {
        GLuint *offsets = malloc((size_t)n * sizeof *offsets);
        struct gl_list_node *node = offsets
                                        ? gl_list_node_add(ctx, GL_SLOT_CallLists, sizeof offsets)
                                        : gl_list_out_of_memory(ctx);
        for (GLsizei i = 0; offsets && i < n; i++)
            list_offset(type, lists, i, &offsets[i]);
        if (!node) {
            free(offsets);
        } else {
            node->data = gl_list_take_ownership(ctx, offsets) ? n : 0;
            memcpy(gl_list_args(node), &offsets, sizeof offsets);
        }
    }
    if (gl_list_executes(ctx))
        gl_CallLists(n, type, lists);
}

/* Compiles an array element; arrays are dereferenced during compilation (§21.4.1). Compiles an
 * error and returns false if glArrayElement can't express the index. */
static bool save_element(struct gl_context *ctx, int64_t i)
{
    const bool ok = i >= 0 && i <= INT32_MAX;
    bool outermost = gl_share_enter(ctx);
    if (ok)
        gl_array_element(ctx, (GLint)i, 0, 0, gl_save_attrib);
    else
        save_data(ctx, GL_LIST_ERROR, GL_INVALID_VALUE);
    gl_share_leave(ctx, outermost);
    return ok;
}

static void save_ArrayElement(GLint i)
{
    GL_CONTEXT(ctx);
    if (gl_element_restarts(ctx, i))
        save_PrimitiveRestartNV();
    else if (i < 0)
        save_error(ctx, GL_INVALID_VALUE, "glArrayElement");
    else
        save_element(ctx, i);
}

/* Checks the arguments of an array draw and compiles an error if they are invalid. Whether the
 * context has the mode is checked during execution. */
static bool save_mode_ok(struct gl_context *ctx, GLenum mode, GLsizei count, const char *call)
{
    if (mode <= GL_PATCHES && count >= 0)
        return true;
    save_error(ctx, count < 0 ? GL_INVALID_VALUE : GL_INVALID_ENUM, call);
    return false;
}

/* Checks that the counts of a command with several draws, and the first elements unless `first` is
 * NULL, are not negative. Otherwise compiles an error: then nothing is drawn. */
static bool save_counts_ok(struct gl_context *ctx, const GLint *first, const GLsizei *count,
                           GLsizei drawcount, const char *call)
{
    bool ok = drawcount >= 0;
    for (GLsizei i = 0; ok && i < drawcount; i++)
        ok = count[i] >= 0 && (!first || first[i] >= 0);
    if (!ok)
        save_error(ctx, GL_INVALID_VALUE, call);
    return ok;
}

/* Compiles a draw of consecutive array elements. */
static void save_arrays(struct gl_context *ctx, GLenum mode, GLint first, GLsizei count,
                        const char *call)
{
    if (!save_mode_ok(ctx, mode, first < 0 ? -1 : count, call))
        return;
    save_draw_begin(ctx, mode);
    for (GLsizei i = 0; i < count; i++)
        if (!save_element(ctx, (int64_t)first + i))
            break; /* no later element is valid */
    save_draw_end(ctx);
}

static void save_DrawArrays(GLenum mode, GLint first, GLsizei count)
{
    GL_CONTEXT(ctx);
    save_arrays(ctx, mode, first, count, "glDrawArrays");
}

static void save_MultiDrawArrays(GLenum mode, const GLint *first, const GLsizei *count,
                                 GLsizei drawcount)
{
    GL_CONTEXT(ctx);
    const char *call = "glMultiDrawArrays";
    if (!save_counts_ok(ctx, first, count, drawcount, call))
        return;
    for (GLsizei i = 0; i < drawcount; i++)
        if (count[i] > 0)
            save_arrays(ctx, mode, first[i], count[i], call);
}

static void record_elements(struct gl_context *ctx, GLenum mode, GLsizei count, GLenum type,
                            const void *indices, GLint base, const char *call)
{
    if (!save_mode_ok(ctx, mode, count, call))
        return;
    unsigned bytes = type == GL_UNSIGNED_BYTE    ? 1
                     : type == GL_UNSIGNED_SHORT ? 2
                     : type == GL_UNSIGNED_INT   ? 4
                                                 : 0;
    if (!bytes) {
        save_error(ctx, GL_INVALID_ENUM, call);
        return;
    }
    struct gl_buffer *buffer = ctx->array.vao->index_buffer;
    struct drv_transfer *transfer = NULL;
    if (buffer)
        indices = gl_buffer_map_internal(ctx, buffer, (GLintptr)indices, (GLsizeiptr)count * bytes,
                                         DRV_MAP_READ, &transfer);
    if (!indices)
        return;
    uint32_t restart = 0;
    bool restarts = gl_restart_index(ctx, bytes, &restart);
    save_draw_begin(ctx, mode);
    for (GLsizei i = 0; i < count; i++) {
        uint32_t index = 0;
        memcpy(&index, (const uint8_t *)indices + (size_t)i * bytes, bytes);
        if (restarts && index == restart)
            save_PrimitiveRestartNV();
        else
            save_element(ctx, (int64_t)index + base);
    }
    save_draw_end(ctx);
    if (transfer)
        gl_buffer_unmap_internal(ctx, transfer);
}

/* Compiles a draw of indexed array elements. */
static void save_elements(struct gl_context *ctx, GLenum mode, GLsizei count, GLenum type,
                          const void *indices, GLint base, const char *call)
{
    bool outermost = gl_share_enter(ctx);
    record_elements(ctx, mode, count, type, indices, base, call);
    gl_share_leave(ctx, outermost);
}

static void save_DrawElements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    GL_CONTEXT(ctx);
    save_elements(ctx, mode, count, type, indices, 0, "glDrawElements");
}

static void save_DrawElementsBaseVertex(GLenum mode, GLsizei count, GLenum type,
                                        const void *indices, GLint basevertex)
{
    GL_CONTEXT(ctx);
    save_elements(ctx, mode, count, type, indices, basevertex, "glDrawElementsBaseVertex");
}

static void save_DrawRangeElements(GLenum mode, GLuint start, GLuint end, GLsizei count,
                                   GLenum type, const void *indices)
{
    GL_CONTEXT(ctx);
    const char *call = "glDrawRangeElements";
    if (end < start)
        save_error(ctx, GL_INVALID_VALUE, call);
    else
        save_elements(ctx, mode, count, type, indices, 0, call);
}

static void save_DrawRangeElementsBaseVertex(GLenum mode, GLuint start, GLuint end, GLsizei count,
                                             GLenum type, const void *indices, GLint basevertex)
{
    GL_CONTEXT(ctx);
    const char *call = "glDrawRangeElementsBaseVertex";
    if (end < start)
        save_error(ctx, GL_INVALID_VALUE, call);
    else
        save_elements(ctx, mode, count, type, indices, basevertex, call);
}

/* Compiles several indexed draws. basevertex NULL: all are 0. */
static void save_multi_elements(GLenum mode, const GLsizei *count, GLenum type,
                                const void *const *indices, GLsizei drawcount,
                                const GLint *basevertex, const char *call)
{
    GL_CONTEXT(ctx);
    if (!save_counts_ok(ctx, NULL, count, drawcount, call))
        return;
    for (GLsizei i = 0; i < drawcount; i++)
        if (count[i] > 0)
            save_elements(ctx, mode, count[i], type, indices[i], basevertex ? basevertex[i] : 0,
                          call);
}

static void save_MultiDrawElements(GLenum mode, const GLsizei *count, GLenum type,
                                   const void *const *indices, GLsizei drawcount)
{
    save_multi_elements(mode, count, type, indices, drawcount, NULL, "glMultiDrawElements");
}

static void save_MultiDrawElementsBaseVertex(GLenum mode, const GLsizei *count, GLenum type,
                                             const void *const *indices, GLsizei drawcount,
                                             const GLint *basevertex)
{
    save_multi_elements(mode, count, type, indices, drawcount, basevertex,
                        "glMultiDrawElementsBaseVertex");
}

/* --------------------------------------------------------------------------- evaluator maps --- */

struct map_args {
    GLenum target;
    float u1, u2, v1, v2;
    GLint uorder, vorder;
    float *points; /* tightly packed */
};

/* Compiles a map command as GL_SLOT_Map1f or GL_SLOT_Map2f. One-dimensional maps have vorder 1 and
 * vstride 0. Stores no points if the command will raise an error. */
static void save_map(struct map_args *a, const float *f, const double *d, GLint ustride,
                     GLint vstride, unsigned slot)
{
    GL_CONTEXT(ctx);
    unsigned n = gl_map_components(a->target);
    const GLint most = ctx->consts.max_eval_order;
    if (!n || a->uorder < 1 || a->vorder < 1 || a->uorder > most || a->vorder > most ||
        ustride < (GLint)n || (slot == GL_SLOT_Map2f && vstride < (GLint)n)) {
        save_data(ctx, GL_LIST_ERROR, n ? GL_INVALID_VALUE : GL_INVALID_ENUM);
        return;
    }
    a->points = malloc((size_t)a->uorder * a->vorder * n * sizeof *a->points);
    float *out = a->points;
    for (GLint i = 0; out && i < a->uorder; i++)
        for (GLint j = 0; j < a->vorder; j++)
            for (unsigned c = 0; c < n; c++) {
                size_t at = (size_t)i * ustride + (size_t)j * vstride + c;
                *out++ = f ? f[at] : (float)d[at];
            }
    struct gl_list_node *node = a->points ? gl_list_node_add(ctx, slot, sizeof *a) : NULL;
    if (!node) {
        free(a->points);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glMap");
        return;
    }
    if (!gl_list_take_ownership(ctx, a->points))
        a->points = NULL;
    memcpy(gl_list_args(node), a, sizeof *a);
}

static void replay_map(struct gl_context *ctx, struct gl_list_node *node)
{
    struct map_args a;
    memcpy(&a, gl_list_args(node), sizeof a);
    GLint n = gl_map_components(a.target);
    if (!a.points)
        return;
    if (node->opcode == GL_SLOT_Map1f)
        ctx->exec_dispatch->Map1f(a.target, a.u1, a.u2, n, a.uorder, a.points);
    else
        ctx->exec_dispatch->Map2f(a.target, a.u1, a.u2, n * a.vorder, a.uorder, a.v1, a.v2, n,
                                  a.vorder, a.points);
}

static void save_Map1f(GLenum target, GLfloat u1, GLfloat u2, GLint stride, GLint order,
                       const GLfloat *points)
{
    GL_CONTEXT(ctx);
    struct map_args a = {target, u1, u2, 0, 1, order, 1, NULL};
    save_map(&a, points, NULL, stride, 0, GL_SLOT_Map1f);
    if (gl_list_executes(ctx))
        ctx->exec_dispatch->Map1f(target, u1, u2, stride, order, points);
}

static void save_Map1d(GLenum target, GLdouble u1, GLdouble u2, GLint stride, GLint order,
                       const GLdouble *points)
{
    GL_CONTEXT(ctx);
    struct map_args a = {target, u1, u2, 0, 1, order, 1, NULL};
    save_map(&a, NULL, points, stride, 0, GL_SLOT_Map1f);
    if (gl_list_executes(ctx))
        ctx->exec_dispatch->Map1d(target, u1, u2, stride, order, points);
}

static void save_Map2f(GLenum target, GLfloat u1, GLfloat u2, GLint ustride, GLint uorder,
                       GLfloat v1, GLfloat v2, GLint vstride, GLint vorder, const GLfloat *points)
{
    GL_CONTEXT(ctx);
    struct map_args a = {target, u1, u2, v1, v2, uorder, vorder, NULL};
    save_map(&a, points, NULL, ustride, vstride, GL_SLOT_Map2f);
    if (gl_list_executes(ctx))
        ctx->exec_dispatch->Map2f(target, u1, u2, ustride, uorder, v1, v2, vstride, vorder, points);
}

static void save_Map2d(GLenum target, GLdouble u1, GLdouble u2, GLint ustride, GLint uorder,
                       GLdouble v1, GLdouble v2, GLint vstride, GLint vorder,
                       const GLdouble *points)
{
    GL_CONTEXT(ctx);
    struct map_args a = {target, u1, u2, v1, v2, uorder, vorder, NULL};
    save_map(&a, NULL, points, ustride, vstride, GL_SLOT_Map2f);
    if (gl_list_executes(ctx))
        ctx->exec_dispatch->Map2d(target, u1, u2, ustride, uorder, v1, v2, vstride, vorder, points);
}

void gl_save_install(struct gl_dispatch *table, const struct gl_slot_info *slots)
{
    gl_save_commands_install(table, slots);
    gl_save_attribs_install(table);
    table->Begin = save_Begin;
    table->Materialfv = save_Materialfv;
    table->Materialf = save_Materialf;
    table->Materiali = save_Materiali;
    table->End = save_End;
    table->PrimitiveRestartNV = save_PrimitiveRestartNV;
    table->CallList = save_CallList;
    table->CallLists = save_CallLists;
    table->ArrayElement = save_ArrayElement;
    table->DrawArrays = save_DrawArrays;
    table->MultiDrawArrays = save_MultiDrawArrays;
    table->DrawElements = save_DrawElements;
    table->DrawRangeElements = save_DrawRangeElements;
    table->DrawElementsBaseVertex = save_DrawElementsBaseVertex;
    table->DrawRangeElementsBaseVertex = save_DrawRangeElementsBaseVertex;
    table->MultiDrawElements = save_MultiDrawElements;
    table->MultiDrawElementsBaseVertex = save_MultiDrawElementsBaseVertex;
    table->Map1f = save_Map1f;
    table->Map1d = save_Map1d;
    table->Map2f = save_Map2f;
    table->Map2d = save_Map2d;
}
