/* SPDX-License-Identifier: MIT */
/*
 * Program binaries (GL 4.6 §7.5): a header, followed by the serialized linked program
 * (glsl_program_serialize). A binary loads only with the same build, user, driver and limits that
 * created it, and only if it is intact. Otherwise the program is not linked and the application
 * falls back to its sources.
 */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/build_id.h"
#include "util/hash_table.h"
#include "util/memory.h"
#include "util/secret.h"

struct header {
    char magic[8];
    uint64_t maker; /* hash of everything besides the program that the payload depends on */
    /* keyed hash of the binary with this field 0, by the user's key (util/secret.h) */
    uint64_t tag;
    uint32_t size; /* payload size in bytes */
    uint32_t separable;
    uint32_t xfb_mode;
    uint32_t pad;
};

static const char magic[] = "indiump1";

/* Computes the maker hash. Returns false if the build has no ID. */
static bool find_maker(const struct gl_context *ctx, uint64_t *maker)
{
    const struct glsl_options *o = ctx->consts.glsl;
    uint64_t part[6] = {
        [1] = ctx->screen->device_id,
        [2] = hash_data64(&o->limits, sizeof o->limits), /* includes driver caps */
        [3] = hash_data64(o->extensions, sizeof o->extensions),
        [4] = hash_data64(o->es_extensions, sizeof o->es_extensions),
        [5] = (uint64_t)ctx->api << 32 | (uint32_t)ctx->consts.version,
    };
    if (!util_build_id(&part[0]))
        return false;
    *maker = hash_data64(part, sizeof part);
    return true;
}

/* Returns the binary, including the header. NULL: out of memory, or this build can't create
 * binaries. */
static uint8_t *write_binary(struct gl_context *ctx, const struct gl_program *p, size_t *size)
{
    uint8_t *binary = NULL;
    struct header h = {.separable = p->exe->separable,
                       .xfb_mode = p->xfb_mode ? p->xfb_mode : GL_INTERLEAVED_ATTRIBS};
    if (!p->exe->glsl || !find_maker(ctx, &h.maker))
        return NULL;
    struct blob_bytes payload = glsl_program_serialize(NULL, p->exe->glsl);
    if (payload.data && payload.size <= INT32_MAX - sizeof h)
        binary = talloc_size(NULL, sizeof h + payload.size);
    if (binary) {
        memcpy(h.magic, magic, sizeof h.magic);
        h.size = (uint32_t)payload.size;
        *size = sizeof h + payload.size;
        memcpy(binary, &h, sizeof h);
        memcpy(binary + sizeof h, payload.data, payload.size);
        if (util_tag(binary, *size, &h.tag)) {
            memcpy(binary, &h, sizeof h);
        } else {
            talloc_free(binary);
            binary = NULL;
        }
    }
    talloc_free(payload.data);
    return binary;
}

static struct blob_bytes make_binary(struct gl_context *ctx, const struct gl_program *p)
{
    struct blob_bytes binary = {0};
    binary.data = UTIL_ATTEMPT(write_binary(ctx, p, &binary.size));
    return binary;
}

GLint gl_program_binary_length(struct gl_context *ctx, const struct gl_program *p)
{
    if (!p->linked)
        return 0;
    struct blob_bytes binary = make_binary(ctx, p);
    talloc_free(binary.data);
    return (GLint)binary.size;
}

void gl_GetProgramBinary(GLuint name, GLsizei size, GLsizei *length, GLenum *format, void *data)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glGetProgramBinary";
    if (length)
        *length = 0;
    struct gl_program *p = gl_program_lookup(ctx, name, call);
    if (!p)
        return;
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(bufSize=%d)", call, size);
        return;
    }
    if (!p->linked) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(program %u is not linked)", call, name);
        return;
    }
    struct blob_bytes binary = make_binary(ctx, p);
    if (!binary.data) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    } else if (binary.size > (size_t)size) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(bufSize=%d of %zu)", call, size, binary.size);
    } else {
        memcpy(data, binary.data, binary.size);
        *format = GL_PROGRAM_BINARY_FORMAT_INDIUM;
        if (length)
            *length = (GLsizei)binary.size;
    }
    talloc_free(binary.data);
}

/* Sets *glsl to NULL if the payload is damaged. */
static bool read_payload(const struct gl_context *ctx, const uint8_t *payload, size_t size,
                         struct glsl_program **glsl)
{
    *glsl = glsl_program_deserialize(NULL, ctx->consts.glsl, payload, size);
    return true;
}

/* Returns false if out of memory. */
static bool try_to_read_payload(const struct gl_context *ctx, const uint8_t *payload, size_t size,
                                struct glsl_program **glsl)
{
    return UTIL_ATTEMPT(read_payload(ctx, payload, size, glsl));
}

/* Loads a binary and copies its header to *h. Modifies the bytes. Returns NULL and sets *why to the
 * reason if it fails; *why NULL means out of memory. */
static struct glsl_program *read_bytes(const struct gl_context *ctx, uint8_t *binary, size_t size,
                                       struct header *h, const char **why)
{
    uint64_t maker, tag;
    *why = "error: the binary is damaged\n";
    memcpy(h, binary, sizeof *h);
    memset(binary + offsetof(struct header, tag), 0, sizeof h->tag);
    if (memcmp(h->magic, magic, sizeof h->magic) || h->size != size - sizeof *h ||
        (h->xfb_mode != GL_INTERLEAVED_ATTRIBS && h->xfb_mode != GL_SEPARATE_ATTRIBS))
        return NULL;
    if (!find_maker(ctx, &maker) || maker != h->maker) {
        *why = "error: the binary was made by another driver\n";
        return NULL;
    }
    if (!util_tag(binary, size, &tag) || tag != h->tag)
        return NULL;
    struct glsl_program *glsl = NULL;
    if (!try_to_read_payload(ctx, binary + sizeof *h, h->size, &glsl))
        *why = NULL;
    return glsl;
}

static struct glsl_program *read_binary(const struct gl_context *ctx, const void *data, size_t size,
                                        struct header *h, const char **why)
{
    *why = "error: the binary is damaged\n";
    if (size < sizeof *h || !data)
        return NULL;
    *why = NULL;
    uint8_t *copy = malloc(size); /* the application may change its copy concurrently */
    if (!copy)
        return NULL;
    memcpy(copy, data, size);
    struct glsl_program *glsl = read_bytes(ctx, copy, size, h, why);
    free(copy);
    return glsl;
}

void gl_ProgramBinary(GLuint name, GLenum format, const void *binary, GLsizei length)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glProgramBinary";
    struct gl_program *p = gl_program_lookup(ctx, name, call);
    struct header h;
    const char *why;
    if (!p)
        return;
    if (length < 0 || format != GL_PROGRAM_BINARY_FORMAT_INDIUM) {
        gl_error(ctx, length < 0 ? GL_INVALID_VALUE : GL_INVALID_ENUM, "%s(format=%s, length=%d)",
                 call, gl_enum_name(format), length);
        return;
    }
    if (gl_transform_feedback_uses(ctx, p->installed)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(transform feedback uses program %u)", call, name);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    struct glsl_program *glsl = read_binary(ctx, binary, (size_t)length, &h, &why);
    if (glsl) {
        p->separable = h.separable != 0;
        p->xfb_mode = h.xfb_mode;
    }
    gl_program_install(ctx, p, glsl, why, call);
}
