/* SPDX-License-Identifier: MIT */
/*
 * Draws in the render modes GL_SELECT and GL_FEEDBACK (GL 4.6 compatibility §21.2, §21.3).
 *
 * Vertices are processed in chunks. Fixed function first computes only the clip coordinates of all
 * vertices, with vectors, and for each vertex a bit mask of the clip planes that it is outside of.
 * The masks show for most primitives that they are invisible or need no clipping. The other outputs
 * of a vertex are computed when a primitive needs them.
 */
#include <math.h>
#include <stdlib.h>
#include <talloc.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_array.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_feedback.h"
#include "gl/draw/gl_feedback_types.h"
#include "gl/draw/gl_transform.h"
#include "gl/program/gl_lower_capture.h"
#include "gl/state/gl_matrix.h"
#include "util/check.h"
#include "util/simd.h"

/* Vertices of a clipped polygon that need no memory from malloc. */
#define CLIP_SPACE (4 + 6 + DRV_MAX_CLIP_PLANES)

/* Number of vertices of a chunk. It is a multiple of 2, 3 and 4, so no line, triangle or quad is in
 * two chunks. Chunks of strips that share two vertices advance by an even number. Positions fit in
 * the L1 cache. */
#define CHUNK 252

#define CHUNK_SPACE 256 /* CHUNK rounded up to vectors of 16 lanes */

struct gl_feedback_chunk {
    int32_t element[CHUNK]; /* index of each vertex's array element, -1: out of range */
    /* Positions by component: object space, eye space if needed, and clip space. */
    float object[4][CHUNK_SPACE], eye[4][CHUNK_SPACE], clip[4][CHUNK_SPACE];
    float depth[CHUNK_SPACE];      /* clip z divided by w, or by 1 if w is 0 */
    float window[2][CHUNK_SPACE];  /* window x and y, if sw_draw.needs_window */
    uint32_t outside[CHUNK_SPACE]; /* bit mask of the clip planes that a vertex is outside of */
    float color[CHUNK][4];         /* front colors, if sw_draw.plain_colors */
    bool complete[CHUNK];          /* whether `vertex` is valid */
    struct gl_sw_vertex vertex[CHUNK];
};

/* Parameters of process_clip(). */
struct clip_state {
    bool zero_to_one, upper;   /* glClipControl */
    bool window;               /* window coordinates are needed */
    int32_t planes;            /* bit mask of the planes of the view volume that clip */
    float x, y, width, height; /* viewport */
};

#define SIMD_FILE          "gl/draw/gl_feedback_lanes.h"
#define SIMD_LANES_DIVISOR 1
#include "util/simd_each.h"

/* --------------------------------------------------------------------------- vertex sources --- */

/* Values of an attribute, one for each element: a vertex array, or the vertices of glBegin and
 * display lists (struct gl_vertex_layout). */
struct stream {
    const uint8_t *base;                   /* element 0 */
    size_t stride;                         /* bytes */
    int64_t elements;                      /* number of elements that may be read */
    int64_t row;                           /* instanced arrays: the element to read; else -1 */
    uint8_t attrib;                        /* enum vert_attrib */
    uint8_t floats;                        /* number of floats of an element; 0: another type */
    const struct gl_attrib_format *format; /* of an array; NULL: a layout */
    uint8_t words;                         /* layouts: size of an element in 32-bit words */
    GLenum type;                           /* layouts: type of an element */
    struct drv_transfer *transfer;         /* of a mapped buffer, or NULL */
};

/* Where the vertices of a draw come from. */
struct source {
    struct gl_context *ctx;
    struct stream stream[VERT_ATTRIB_COUNT];
    unsigned num_streams;
    int position, color;  /* indices of the streams of positions and primary colors, or -1 */
    int64_t first;        /* added to each vertex number or index */
    unsigned index_bytes; /* bytes of an index, 0 without indices */
    const uint8_t *indices;
    struct gl_sw_input in; /* current values, and the last element read */
};

static void source_init(struct source *s, struct gl_context *ctx)
{
    s->ctx = ctx;
    s->num_streams = 0;
    s->position = s->color = -1;
    s->first = 0;
    s->index_bytes = 0;
    s->indices = NULL;
    gl_sw_input_current(ctx, &s->in);
}

static struct stream *add_stream(struct source *s, unsigned attrib)
{
    struct stream *stream = &NEXT_OF(s->stream, s->num_streams);
    *stream = (struct stream){.attrib = attrib, .row = -1};
    if (attrib == VERT_ATTRIB_POS)
        s->position = (int)s->num_streams - 1;
    if (attrib == VERT_ATTRIB_COLOR0)
        s->color = (int)s->num_streams - 1;
    return stream;
}

/* Sets base and number of elements of an array that starts at `offset` in `size` bytes at p. */
static void limit_stream(struct stream *stream, const uint8_t *p, int64_t offset, int64_t size)
{
    const int64_t last = size - stream->format->element_bytes - offset;
    if (offset < 0 || last < 0)
        return;
    stream->base = p + offset;
    stream->elements = stream->stride ? last / (int64_t)stream->stride + 1 : INT64_MAX;
}

static void add_array(struct source *s, unsigned array, GLuint base_instance, GLuint instance)
{
    struct gl_context *ctx = s->ctx;
    const struct gl_vertex_array *vao = ctx->array.vao;
    const struct gl_attrib_format *f = &vao->attrib[array];
    const struct gl_vertex_binding *b = &vao->binding[f->binding];
    struct stream *stream = add_stream(s, array == VERT_ATTRIB_GENERIC0 ? VERT_ATTRIB_POS : array);
    int64_t offset;
    stream->format = f;
    stream->stride = b->stride;
    if (f->type == GL_FLOAT && !f->integer && !f->doubles && f->format != GL_BGRA)
        stream->floats = f->size;
    if (b->divisor) /* GL 4.6 §10.4: arrays advance after every `divisor` instances */
        stream->row = (int64_t)base_instance + instance / b->divisor;
    if (!b->buffer) {
        if (b->user) {
            stream->base = (const uint8_t *)b->user + f->relative_offset;
            stream->elements = INT64_MAX;
        }
        return;
    }
    const uint8_t *p =
        gl_buffer_map_internal(ctx, b->buffer, 0, b->buffer->size, DRV_MAP_READ, &stream->transfer);
    if (p && !__builtin_add_overflow((int64_t)b->offset, (int64_t)f->relative_offset, &offset))
        limit_stream(stream, p, offset, b->buffer->size);
}

/* Maps the enabled arrays of the bound vertex array object. Generic attribute 0 replaces the
 * position (GL 4.6 compatibility §10.2.1). */
static void add_arrays(struct source *s, GLuint base_instance, GLuint instance)
{
    const uint32_t pos = 1u << VERT_ATTRIB_POS, generic0 = 1u << VERT_ATTRIB_GENERIC0;
    uint32_t enabled = s->ctx->array.vao->enabled;
    if (enabled & generic0)
        enabled &= ~pos;
    while (enabled)
        add_array(s, u_bit_scan(&enabled), base_instance, instance);
    s->in.instance_id = instance;
    s->in.base_instance = base_instance;
    s->in.draw_id = s->ctx->array.draw_id;
    s->in.base_vertex = s->indices ? (uint32_t)s->first : 0;
}

static void add_layout(struct source *s, const struct gl_vertex_layout *layout,
                       const uint32_t *vertices)
{
    uint32_t attribs = layout->attribs;
    while (attribs) {
        const unsigned a = u_bit_scan(&attribs);
        struct stream *stream = add_stream(s, a);
        stream->base = (const uint8_t *)(vertices + layout->offset[a]);
        stream->stride = layout->vertex_words * sizeof *vertices;
        stream->elements = INT64_MAX;
        stream->words = layout->size[a];
        stream->type = layout->type[a];
        stream->floats = stream->type == GL_FLOAT ? stream->words : 0;
    }
}

static void source_finish(struct source *s)
{
    for (unsigned i = 0; i < s->num_streams; i++)
        if (s->stream[i].transfer)
            gl_buffer_unmap_internal(s->ctx, s->stream[i].transfer);
}

/* Returns the array element of vertex i of the primitive, or -1 if it is out of range. */
static int32_t element_of(const struct source *s, unsigned i)
{
    uint32_t index = i;
    if (s->indices) {
        index = 0;
        memcpy(&index, s->indices + (size_t)i * s->index_bytes, s->index_bytes);
    }
    const int64_t element = s->first + index;
    return element < 0 || element > INT32_MAX ? -1 : (int32_t)element;
}

/* Reads 1 to 4 floats, and sets the other components to their defaults. */
static inline void read_floats(const uint8_t *p, unsigned n, float out[4])
{
    memcpy(&out[0], p, sizeof *out);
    out[1] = out[2] = 0.0f;
    out[3] = 1.0f;
    for (unsigned i = 1; i < n; i++)
        memcpy(&out[i], p + i * sizeof *out, sizeof *out);
}

/* Stores the value of an element as floats, or as bit patterns of integers. Leaves `out` unchanged
 * if the element is out of range. */
static void read_stream(const struct stream *stream, int32_t element, float out[4])
{
    const int64_t row = stream->row >= 0 ? stream->row : element;
    size_t at;
    if (element < 0 || row >= stream->elements ||
        __builtin_mul_overflow((size_t)row, stream->stride, &at))
        return;
    const uint8_t *p = stream->base + at;
    if (stream->floats) {
        read_floats(p, stream->floats, out);
        return;
    }
    uint32_t v[8], words[4];
    GLenum type = stream->type;
    unsigned n = stream->words;
    if (stream->format) {
        gl_array_value(stream->format, p, v, &type);
        n = gl_attrib_words(type);
    } else {
        memcpy(v, p, n * sizeof *v);
    }
    gl_convert_attrib(words, 4, GL_FLOAT, v, n, type);
    memcpy(out, words, sizeof words);
}

static const struct gl_sw_input *read_element(struct source *s, int32_t element)
{
    if (element >= 0)
        s->in.vertex_id = element;
    for (unsigned i = 0; i < s->num_streams; i++)
        read_stream(&s->stream[i], element, s->in.attrib[s->stream[i].attrib]);
    return &s->in;
}

/* ----------------------------------------------------------------------------------- chunks --- */

/* State of a draw of one primitive, strip, or list of primitives. */
struct sw_draw {
    struct gl_context *ctx;
    struct gl_feedback_chunk *chunk;
    struct source *source;
    struct gl_sw_pipeline pipeline;
    bool select, flat, two_side; /* two_side: back faces have their own colors */
    bool edge_flags;   /* the vertices' edge flags apply; otherwise, all edges are boundary edges */
    bool needs_face;   /* whether polygons face the viewer with their front matters */
    bool needs_window; /* window coordinates of vertices that are not clipped matter */
    bool needs_eye;    /* eye coordinates matter */
    /* Values of a vertex in the feedback buffer: number of window coordinates, and whether a color
     * and texture coordinates follow. */
    unsigned coordinates;
    bool color, texcoord;
    bool plain_colors;                /* colors are those of the vertices, without lighting */
    bool only_fills;                  /* feedback of polygons is GL_POLYGON_TOKEN for both faces */
    double depth_scale, depth_offset; /* see gl_sw_window_z */
    float mvp[16];                    /* product of projection and modelview matrix, as in draws */
};

/* Returns whether the chunk's first n elements are consecutive and inside of the stream. */
static bool is_range(const struct sw_draw *d, const struct stream *stream, unsigned n)
{
    const int32_t *element = d->chunk->element;
    return !d->source->indices && stream->row < 0 && element[0] >= 0 && element[n - 1] >= 0 &&
           element[n - 1] - element[0] == (int32_t)n - 1 && element[n - 1] < stream->elements;
}

typedef float vec4 __attribute__((vector_size(16)));

/* Reads `floats` floats (2 to 4) of each of four elements to k->object, from index i on. Accesses
 * 16 bytes of each element. */
static inline void read_vector(struct gl_feedback_chunk *k, unsigned i, const uint8_t *p,
                               size_t stride, unsigned floats)
{
    vec4 v[4], out[4];
    for (unsigned j = 0; j < 4; j++)
        memcpy(&v[j], p + j * stride, sizeof v[j]);
    const vec4 xy0 = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
    const vec4 xy1 = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    const vec4 zw0 = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
    const vec4 zw1 = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(xy0, xy1, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(xy0, xy1, 2, 3, 6, 7);
    out[2] = floats > 2 ? __builtin_shufflevector(zw0, zw1, 0, 1, 4, 5) : (vec4){0};
    out[3] =
        floats > 3 ? __builtin_shufflevector(zw0, zw1, 2, 3, 6, 7) : (vec4){1.0f, 1.0f, 1.0f, 1.0f};
    for (unsigned c = 0; c < 4; c++)
        memcpy(&k->object[c][i], &out[c], sizeof out[c]);
}

/* Reads n consecutive positions with `floats` floats each, the first one at p. */
static inline __attribute__((always_inline)) void read_range(struct gl_feedback_chunk *k,
                                                             const uint8_t *p, size_t stride,
                                                             unsigned n, unsigned floats)
{
    unsigned i = 0;
    /* A vector may extend into the next element, so the last element is read separately. */
    for (; stride >= (4 - floats) * sizeof(float) && i + 4 < n; i += 4, p += 4 * stride)
        read_vector(k, i, p, stride, floats);
    for (; i < n; i++, p += stride) {
        float in[4];
        read_floats(p, floats, in);
        for (unsigned c = 0; c < 4; c++)
            k->object[c][i] = in[c];
    }
}

/* Reads the positions of the first n vertices of the chunk. */
static void read_positions(struct sw_draw *d, unsigned n)
{
    struct source *s = d->source;
    struct gl_feedback_chunk *k = d->chunk;
    const struct stream *stream = s->position >= 0 ? &s->stream[s->position] : NULL;
    if (stream && stream->floats && is_range(d, stream, n)) {
        const uint8_t *p = stream->base + stream->stride * (size_t)k->element[0];
        switch (stream->floats) {
        case 2:
            read_range(k, p, stream->stride, n, 2);
            return;
        case 3:
            read_range(k, p, stream->stride, n, 3);
            return;
        case 4:
            read_range(k, p, stream->stride, n, 4);
            return;
        }
    }
    float *in = s->in.attrib[VERT_ATTRIB_POS];
    for (unsigned i = 0; i < n; i++) {
        if (stream)
            read_stream(stream, k->element[i], in);
        for (unsigned c = 0; c < 4; c++)
            k->object[c][i] = in[c];
    }
}

static void transform_positions(float (*out)[CHUNK_SPACE], float (*in)[CHUNK_SPACE], const float *m,
                                unsigned n)
{
    SIMD_CALL(transform_positions, out, in, m, n);
}

/* Computes outside, depth and window coordinates of the first n vertices from clip coordinates. */
static void process_clip(struct sw_draw *d, unsigned n)
{
    const struct gl_context *ctx = d->ctx;
    const struct gl_viewport *vp = &ctx->viewport.vp[0];
    const struct clip_state s = {
        .zero_to_one = ctx->viewport.clip_depth == GL_ZERO_TO_ONE,
        .upper = ctx->viewport.clip_origin == GL_UPPER_LEFT,
        .window = d->needs_window,
        .planes = ~((ctx->transform.depth_clamp_near << 4) | (ctx->transform.depth_clamp_far << 5)),
        .x = vp->x,
        .y = vp->y,
        .width = vp->width,
        .height = vp->height,
    };
    SIMD_CALL(process_clip, d->chunk, &s, n);
}

/* Adds the user clip planes to `outside` of the first n vertices. */
static void find_outside_planes(struct sw_draw *d, unsigned n)
{
    struct gl_feedback_chunk *k = d->chunk;
    uint32_t enabled = d->ctx->transform.clip_enabled;
    while (enabled) {
        const unsigned p = u_bit_scan(&enabled);
        const float *plane = d->ctx->transform.clip_plane[p];
        for (unsigned i = 0; i < n; i++) {
            const float distance = plane[0] * k->eye[0][i] + plane[1] * k->eye[1][i] +
                                   plane[2] * k->eye[2][i] + plane[3] * k->eye[3][i];
            k->outside[i] |= (uint32_t)!(distance >= 0.0f) << (6 + p);
        }
    }
}

/* Runs the vertex program for the first n vertices of the chunk. */
static bool run_program(struct sw_draw *d, unsigned n)
{
    struct gl_feedback_chunk *k = d->chunk;
    gl_sw_flush(&d->pipeline, k->vertex);
    for (unsigned i = 0; i < n; i++)
        gl_sw_transform(&d->pipeline, read_element(d->source, k->element[i]));
    if (!gl_sw_flush(&d->pipeline, k->vertex))
        return false;
    for (unsigned i = 0; i < n; i++)
        for (unsigned c = 0; c < 4; c++)
            k->clip[c][i] = k->vertex[i].clip[c];
    process_clip(d, n);
    for (unsigned i = 0; i < n; i++)
        for (unsigned p = 6; p < gl_sw_num_planes(d->ctx); p++)
            if (!(gl_sw_plane_distance(d->ctx, &k->vertex[i], p) >= 0.0f))
                k->outside[i] |= 1u << p;
    memset(k->complete, true, n);
    return true;
}

/* Stores a color, clamped if the context clamps colors of vertices. */
static inline void store_color(const struct sw_draw *d, float out[4], const float in[4])
{
    for (unsigned c = 0; c < 4; c++)
        out[c] = d->pipeline.clamp ? CLAMP(in[c], 0.0f, 1.0f) : in[c];
}

/* Stores the colors of the first n vertices. */
static void read_colors(struct sw_draw *d, unsigned n)
{
    struct source *s = d->source;
    struct gl_feedback_chunk *k = d->chunk;
    float *in = s->in.attrib[VERT_ATTRIB_COLOR0];
    for (unsigned i = 0; i < n; i++) {
        read_stream(&s->stream[s->color], k->element[i], in);
        store_color(d, k->color[i], in);
    }
}

/* Stores the current color as color of all vertices. */
static void fill_colors(struct sw_draw *d)
{
    float color[4];
    store_color(d, color, d->source->in.attrib[VERT_ATTRIB_COLOR0]);
    for (unsigned i = 0; i < CHUNK; i++)
        memcpy(d->chunk->color[i], color, sizeof color);
}

/* Processes n vertices whose elements are in the chunk. Returns false after an error. */
static bool process_vertices(struct sw_draw *d, unsigned n)
{
    struct gl_feedback_chunk *k = d->chunk;
    if (d->pipeline.program)
        return run_program(d, n);
    read_positions(d, n);
    if (d->needs_eye)
        transform_positions(k->eye, k->object, gl_matrix_top(&d->ctx->modelview), n);
    transform_positions(k->clip, k->object, d->mvp, n);
    process_clip(d, n);
    find_outside_planes(d, n);
    if (d->plain_colors && d->source->color >= 0)
        read_colors(d, n);
    memset(k->complete, false, n);
    return true;
}

/* Returns vertex i of the chunk with all outputs that the render mode needs, except clip
 * coordinates. Computes them if necessary. */
static const struct gl_sw_vertex *vertex(struct sw_draw *d, unsigned i)
{
    struct gl_feedback_chunk *k = d->chunk;
    struct gl_sw_vertex *v = &k->vertex[i];
    if (k->complete[i])
        return v;
    for (unsigned c = 0; d->needs_eye && c < 4; c++)
        v->eye[c] = k->eye[c][i];
    gl_sw_complete(&d->pipeline, read_element(d->source, k->element[i]), v);
    k->complete[i] = true;
    return v;
}

/* Copies vertex i of the chunk, with clip coordinates. */
static void copy_vertex(struct sw_draw *d, struct gl_sw_vertex *out, unsigned i)
{
    *out = *vertex(d, i);
    for (unsigned c = 0; c < 4; c++)
        out->clip[c] = d->chunk->clip[c][i];
}

/* --------------------------------------------------------------------------------- clipping --- */

static void lerp_vertex(struct gl_sw_vertex *out, const struct gl_sw_vertex *a,
                        const struct gl_sw_vertex *b, float t)
{
    const float *x = (const float *)a, *y = (const float *)b;
    float *o = (float *)out;
    for (unsigned i = 0; i < sizeof *out / sizeof(float); i++)
        o[i] = x[i] + t * (y[i] - x[i]);
}

/* Clips a line to all planes. Returns false if nothing is left. */
static bool clip_line(const struct gl_context *ctx, struct gl_sw_vertex v[2])
{
    for (unsigned p = 0; p < gl_sw_num_planes(ctx); p++) {
        float d0 = gl_sw_plane_distance(ctx, &v[0], p), d1 = gl_sw_plane_distance(ctx, &v[1], p);
        if (!(d0 >= 0.0f) && !(d1 >= 0.0f))
            return false;
        struct gl_sw_vertex cut;
        if (d0 < 0.0f || d1 < 0.0f) {
            lerp_vertex(&cut, &v[0], &v[1], d0 / (d0 - d1));
            v[d0 < 0.0f ? 0 : 1] = cut;
        }
    }
    return true;
}

/* A vertex of a primitive after clipping. */
struct corner {
    const struct gl_sw_vertex *v;
    unsigned index; /* in the chunk, if the vertex is not from clipping */
    float win[4];
    float edge_flag;
};

/* Memory for clipping of a polygon. */
struct clip_memory {
    struct gl_sw_vertex *v, *tmp; /* `space` vertices each */
    struct corner *corner;        /* `space` corners */
    size_t space;
    void *heap; /* memory from malloc that contains the above, or NULL; to be freed */
};

/* Makes space for at least `space` vertices, and keeps the first n. Returns false if out of
 * memory. */
static bool reserve(struct clip_memory *m, unsigned n, size_t space)
{
    if (space <= m->space)
        return true;
    struct gl_sw_vertex *v = malloc(space * (2 * sizeof *v + sizeof *m->corner));
    if (!v)
        return false;
    memcpy(v, m->v, n * sizeof *v);
    free(m->heap);
    *m = (struct clip_memory){v, v + space, (struct corner *)(v + 2 * space), space, v};
    return true;
}

/* Clips the polygon of n vertices m->v (Sutherland-Hodgman) to the planes of a bit mask and stores
 * the number of vertices left in *left. Edges along a plane are boundary edges, and the rest of a
 * clipped edge keeps its flag (GL 4.6 compatibility §13.7). Returns false if out of memory. */
static bool clip_polygon(const struct gl_context *ctx, struct clip_memory *m, unsigned n,
                         uint32_t planes, unsigned *left)
{
    while (planes && n) {
        const unsigned p = u_bit_scan(&planes);
        unsigned kept = 0;
        /* If every second vertex of a concave polygon is outside, two new ones replace each of
         * them. */
        if (!reserve(m, n, (size_t)n + n / 2))
            return false;
        memcpy(m->tmp, m->v, n * sizeof *m->v);
        for (unsigned i = 0; i < n; i++) {
            const struct gl_sw_vertex *a = &m->tmp[i], *b = &m->tmp[(i + 1) % n];
            float da = gl_sw_plane_distance(ctx, a, p), db = gl_sw_plane_distance(ctx, b, p);
            if (da >= 0.0f)
                m->v[kept++] = *a;
            if ((da >= 0.0f) != (db >= 0.0f)) {
                lerp_vertex(&m->v[kept], a, b, da / (da - db));
                m->v[kept++].edge_flag = da >= 0.0f ? 1.0f : a->edge_flag;
            }
        }
        n = kept;
    }
    *left = n;
    return true;
}

/* ------------------------------------------------------------------------------- primitives --- */

static inline float window_z(const struct sw_draw *d, unsigned i)
{
    return d->depth_scale * (double)d->chunk->depth[i] + d->depth_offset;
}

/* Sets *c to vertex i of the chunk. */
static void set_corner(struct sw_draw *d, struct corner *c, unsigned i)
{
    struct gl_feedback_chunk *k = d->chunk;
    c->v = vertex(d, i);
    c->index = i;
    c->win[0] = k->window[0][i];
    c->win[1] = k->window[1][i];
    c->win[2] = window_z(d, i);
    c->win[3] = k->clip[3][i];
    c->edge_flag = d->edge_flags ? c->v->edge_flag : 1.0f;
}

/* Stores the values of a vertex at `to`. */
static inline void store_vertex(float *to, const struct corner *c, const float color[4],
                                const struct sw_draw *d)
{
    to[0] = c->win[0];
    to[1] = c->win[1];
    if (d->coordinates > 2)
        to[2] = c->win[2];
    if (d->coordinates > 3)
        to[3] = c->win[3];
    if (d->color)
        memcpy(to + d->coordinates, color, 4 * sizeof *color);
    if (d->texcoord)
        memcpy(to + d->coordinates + 4, c->v->texcoord[0], sizeof c->v->texcoord[0]);
}

/* Appends a vertex to the feedback buffer. */
static void put_vertex(struct sw_draw *d, const struct corner *c, const float color[4])
{
    struct gl_feedback *f = d->ctx->feedback;
    const unsigned n = d->coordinates + (d->color ? 4 : 0) + (d->texcoord ? 4 : 0);
    float value[12];
    if (n <= (unsigned)f->size - f->used) {
        store_vertex(f->buffer + f->used, c, color, d);
        f->used += n;
        return;
    }
    store_vertex(value, c, color, d);
    for (unsigned i = 0; i < n; i++)
        gl_feedback_put(f, value[i]);
}

/* Returns which of two vertices determines flat colors: `first` or `last`, by glProvokingVertex (GL
 * 4.6 compatibility table 13.2). */
static unsigned provoking(const struct sw_draw *d, unsigned first, unsigned last)
{
    return d->ctx->light.provoking_vertex == GL_FIRST_VERTEX_CONVENTION ? first : last;
}

/* Like provoking(), for quads. */
static unsigned provoking_of_quad(const struct sw_draw *d, unsigned first, unsigned last)
{
    return d->ctx->screen->caps.quads_follow_provoking_vertex ? provoking(d, first, last) : last;
}

/* Returns the color of vertex v of a front or back face. flat: the vertex that determines flat
 * colors, or NULL for smooth shading. */
static const float *shade(const struct gl_sw_vertex *v, const struct gl_sw_vertex *flat, bool back)
{
    const struct gl_sw_vertex *from = flat ? flat : v;
    return back ? from->back_color : from->color;
}

static void sw_point(struct sw_draw *d, unsigned i)
{
    struct gl_feedback *f = d->ctx->feedback;
    struct corner c;
    if (d->chunk->outside[i])
        return;
    set_corner(d, &c, i);
    if (d->select) {
        gl_feedback_hit(f, c.win[2]);
        return;
    }
    gl_feedback_put(f, GL_POINT_TOKEN);
    put_vertex(d, &c, c.v->color);
}

static void sw_line(struct sw_draw *d, unsigned a, unsigned b, bool reset)
{
    struct gl_feedback *f = d->ctx->feedback;
    const uint32_t *outside = d->chunk->outside;
    if (outside[a] & outside[b])
        return;
    struct gl_sw_vertex v[2];
    copy_vertex(d, &v[0], a);
    copy_vertex(d, &v[1], b);
    const struct gl_sw_vertex *flat = d->flat ? vertex(d, provoking(d, a, b)) : NULL;
    if ((outside[a] | outside[b]) && !clip_line(d->ctx, v))
        return;
    if (!d->select)
        gl_feedback_put(f, reset ? GL_LINE_RESET_TOKEN : GL_LINE_TOKEN);
    for (unsigned i = 0; i < 2; i++) {
        struct corner c = {.v = &v[i]};
        gl_sw_window(d->ctx, v[i].clip, c.win);
        if (d->select)
            gl_feedback_hit(f, c.win[2]);
        else
            put_vertex(d, &c, shade(&v[i], flat, false));
    }
}

/* Returns twice the signed area of a polygon in window space (GL 4.6 §14.6.1). */
static float area(const struct gl_context *ctx, const struct corner *c, unsigned n)
{
    float sum = 0.0f;
    for (unsigned i = 0; i < n; i++) {
        const float *a = c[i].win, *b = c[i + 1 < n ? i + 1 : 0].win;
        sum += a[0] * b[1] - b[0] * a[1];
    }
    return ctx->viewport.clip_origin == GL_UPPER_LEFT ? -sum : sum;
}

/* Appends a polygon with n vertices to the feedback buffer. flat: as in shade(). front: it is
 * front-facing. */
static void put_polygon(struct sw_draw *d, const struct corner *c, unsigned n,
                        const struct gl_sw_vertex *flat, bool front)
{
    struct gl_feedback *f = d->ctx->feedback;
    const GLenum mode = front ? d->ctx->polygon.front_mode : d->ctx->polygon.back_mode;
    const bool back = d->two_side && !front;
    if (mode == GL_FILL) {
        gl_feedback_put(f, GL_POLYGON_TOKEN);
        gl_feedback_put(f, n);
        for (unsigned i = 0; i < n; i++)
            put_vertex(d, &c[i], shade(c[i].v, flat, back));
        return;
    }
    bool first = true;
    for (unsigned i = 0; i < n; i++) {
        const struct corner *next = &c[(i + 1) % n];
        if (c[i].edge_flag == 0.0f) /* GL 4.6 compatibility §14.6.4 */
            continue;
        gl_feedback_put(f, mode == GL_POINT ? GL_POINT_TOKEN
                           : first          ? GL_LINE_RESET_TOKEN
                                            : GL_LINE_TOKEN);
        first = false;
        put_vertex(d, &c[i], shade(c[i].v, flat, back));
        if (mode == GL_LINE)
            put_vertex(d, next, shade(next->v, flat, back));
    }
}

/* Reports a polygon after clipping, unless it is culled. Its window coordinates must be set. */
static void report_polygon(struct sw_draw *d, struct corner *c, unsigned n,
                           const struct gl_sw_vertex *flat)
{
    const struct gl_polygon_state *s = &d->ctx->polygon;
    if (n < 3)
        return;
    const bool front = !d->needs_face || (area(d->ctx, c, n) >= 0.0f) == (s->front_face == GL_CCW);
    if (s->cull && (s->cull_mode == GL_FRONT_AND_BACK || (s->cull_mode == GL_FRONT) == front))
        return;
    if (!d->select) {
        put_polygon(d, c, n, flat, front);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        gl_feedback_hit(d->ctx->feedback, c[i].win[2]);
}

/* Clips the polygon of n vertices c to the planes of a bit mask, and reports it. m: memory for
 * clipping, which contains at least n vertices m->v and may be c's. Frees m->heap. */
static void report_or_clip(struct sw_draw *d, struct corner *c, unsigned n,
                           const struct gl_sw_vertex *flat, uint32_t planes, struct clip_memory *m)
{
    if (!planes) {
        report_polygon(d, c, n, flat);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        if (c[i].v != &m->v[i])
            copy_vertex(d, &m->v[i], c[i].index);
        m->v[i].edge_flag = c[i].edge_flag;
    }
    if (!clip_polygon(d->ctx, m, n, planes, &n)) {
        gl_error(d->ctx, GL_OUT_OF_MEMORY, "glRenderMode");
        n = 0;
    }
    for (unsigned i = 0; i < n; i++) {
        m->corner[i] = (struct corner){.v = &m->v[i], .edge_flag = m->v[i].edge_flag};
        gl_sw_window(d->ctx, m->v[i].clip, m->corner[i].win);
    }
    report_polygon(d, m->corner, n, flat);
    free(m->heap);
}

/* Appends a filled polygon that is not clipped. Its colors are plain, and there are no texture
 * coordinates. Returns false without effect if the feedback buffer has no space for it. */
static bool put_plain_polygon(const struct sw_draw *d, const unsigned *index, unsigned n,
                              unsigned flat)
{
    struct gl_feedback *f = d->ctx->feedback;
    const struct gl_feedback_chunk *k = d->chunk;
    const unsigned words = d->coordinates + (d->color ? 4 : 0);
    if (2 + n * words > (unsigned)f->size - f->used)
        return false;
    float *to = f->buffer + f->used;
    to[0] = GL_POLYGON_TOKEN;
    to[1] = n;
    to += 2;
    for (unsigned i = 0; i < n; i++, to += words) {
        const unsigned v = index[i];
        to[0] = k->window[0][v];
        to[1] = k->window[1][v];
        if (d->coordinates > 2)
            to[2] = window_z(d, v);
        if (d->coordinates > 3)
            to[3] = k->clip[3][v];
        if (d->color)
            memcpy(to + d->coordinates, k->color[d->flat ? flat : v], sizeof k->color[v]);
    }
    f->used += 2 + n * words;
    return true;
}

/* Reports a triangle or quad. flat: index of the vertex that determines flat colors. */
static void sw_polygon(struct sw_draw *d, const unsigned *index, unsigned n, unsigned flat)
{
    struct corner c[CLIP_SPACE];
    struct gl_sw_vertex v[2 * CLIP_SPACE];
    struct clip_memory m = {v, v + CLIP_SPACE, c, CLIP_SPACE, NULL};
    const uint32_t *outside = d->chunk->outside;
    uint32_t any = 0, all = ~0u;
    for (unsigned i = 0; i < n; i++) {
        any |= outside[index[i]];
        all &= outside[index[i]];
    }
    if (all || (!any && d->only_fills && put_plain_polygon(d, index, n, flat)))
        return;
    for (unsigned i = 0; i < n; i++)
        set_corner(d, &c[i], index[i]);
    report_or_clip(d, c, n, d->flat ? vertex(d, flat) : NULL, any, &m);
}

/* Reports a list of triangles in GL_SELECT mode without culling. For triangles that are not
 * clipped, only depths are needed. */
static void select_triangles(struct sw_draw *d, unsigned n)
{
    const struct gl_feedback_chunk *k = d->chunk;
    const float *depth = k->depth;
    float min = INFINITY, max = -INFINITY;
    for (unsigned i = 0; i + 2 < n; i += 3) {
        const uint32_t a = k->outside[i], b = k->outside[i + 1], c = k->outside[i + 2];
        if (a & b & c)
            continue;
        if (a | b | c) {
            sw_polygon(d, (unsigned[]){i, i + 1, i + 2}, 3, i);
            continue;
        }
        for (unsigned j = i; j < i + 3; j++) {
            min = MIN2(min, depth[j]);
            max = MAX2(max, depth[j]);
        }
    }
    if (min <= max) {
        gl_feedback_hit(d->ctx->feedback, gl_sw_window_z(d->ctx, min));
        gl_feedback_hit(d->ctx->feedback, gl_sw_window_z(d->ctx, max));
    }
}

/* Reports the primitives of the chunk's first n vertices. first: this is the first chunk of the
 * draw. */
static void assemble(struct sw_draw *d, GLenum mode, unsigned n, bool first)
{
    switch (mode) {
    case GL_POINTS:
        for (unsigned i = 0; i < n; i++)
            sw_point(d, i);
        break;
    case GL_LINES:
        for (unsigned i = 0; i + 1 < n; i += 2)
            sw_line(d, i, i + 1, true);
        break;
    case GL_LINE_STRIP:
    case GL_LINE_LOOP:
        for (unsigned i = 0; i + 1 < n; i++)
            sw_line(d, i, i + 1, first && i == 0);
        break;
    case GL_TRIANGLES:
        if (d->select && !d->ctx->polygon.cull) {
            select_triangles(d, n);
            break;
        }
        for (unsigned i = 0; i + 2 < n; i += 3)
            sw_polygon(d, (unsigned[]){i, i + 1, i + 2}, 3, provoking(d, i, i + 2));
        break;
    case GL_TRIANGLE_STRIP:
        for (unsigned i = 0; i + 2 < n; i++)
            sw_polygon(d, (unsigned[]){i + (i & 1), i + !(i & 1), i + 2}, 3,
                       provoking(d, i, i + 2));
        break;
    case GL_TRIANGLE_FAN:
        for (unsigned i = 1; i + 1 < n; i++)
            sw_polygon(d, (unsigned[]){0, i, i + 1}, 3, provoking(d, i, i + 1));
        break;
    case GL_QUADS:
        for (unsigned i = 0; i + 3 < n; i += 4)
            sw_polygon(d, (unsigned[]){i, i + 1, i + 2, i + 3}, 4, provoking_of_quad(d, i, i + 3));
        break;
    case GL_QUAD_STRIP:
        for (unsigned i = 0; i + 3 < n; i += 2)
            sw_polygon(d, (unsigned[]){i, i + 1, i + 3, i + 2}, 4, provoking_of_quad(d, i, i + 3));
        break;
    default:
        break;
    }
}

/* ---------------------------------------------------------------------------------- draws --- */

/* Stores the elements of vertices `start` to `start` + n - 1 of the draw in the chunk, from index
 * `at` on. */
static void load(struct sw_draw *d, unsigned at, unsigned start, unsigned n)
{
    int32_t *element = d->chunk->element + at;
    const int64_t first = d->source->first + start;
    if (!d->source->indices && first >= 0 && first + n <= INT32_MAX) {
        for (unsigned i = 0; i < n; i++)
            element[i] = (int32_t)(first + i);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        element[i] = element_of(d->source, start + i);
}

/* Reports the primitives of a list or strip with `count` vertices. overlap: number of vertices that
 * consecutive chunks share. Returns false after an error. */
static bool run_chunks(struct sw_draw *d, GLenum mode, unsigned count, unsigned overlap)
{
    const unsigned fan = mode == GL_TRIANGLE_FAN; /* each chunk begins with vertex 0 */
    const unsigned step = CHUNK - overlap - fan;
    for (unsigned start = fan; count > start + overlap; start += step) {
        const unsigned n = MIN2(count - start, CHUNK - fan);
        if (fan)
            load(d, 0, 0, 1);
        load(d, fan, start, n);
        if (!process_vertices(d, n + fan))
            return false;
        assemble(d, mode, n + fan, start == 0);
        if (count - start <= n)
            break;
    }
    if (mode != GL_LINE_LOOP || count < 2)
        return true;
    load(d, 0, count - 1, 1);
    load(d, 1, 0, 1);
    if (!process_vertices(d, 2))
        return false;
    sw_line(d, 0, 1, false);
    return true;
}

/* Reports a GL_POLYGON. Returns false after an error. */
static bool run_polygon(struct sw_draw *d, unsigned count)
{
    struct corner *c = malloc(count * sizeof *c);
    struct gl_sw_vertex *v = malloc(count * sizeof *v);
    struct gl_sw_vertex first;
    uint32_t any = 0, all = ~0u;
    bool ok = c && v;
    if (!ok)
        gl_error(d->ctx, GL_OUT_OF_MEMORY, "glRenderMode");
    for (unsigned start = 0; ok && start < count; start += CHUNK) {
        const unsigned n = MIN2(count - start, CHUNK);
        load(d, 0, start, n);
        ok = process_vertices(d, n);
        for (unsigned i = 0; ok && i < n; i++) {
            any |= d->chunk->outside[i];
            all &= d->chunk->outside[i];
            set_corner(d, &c[start + i], i);
            copy_vertex(d, &v[start + i], i);
            c[start + i].v = &v[start + i];
        }
    }
    if (ok && !all) {
        first = v[0];
        report_or_clip(d, c, count, d->flat ? &first : NULL, any, &(struct clip_memory){.v = v});
    }
    free(c);
    free(v);
    return ok;
}

/* Determines what primitives of a mode need to be computed. */
static void set_needs(struct sw_draw *d, GLenum mode)
{
    struct gl_context *ctx = d->ctx;
    const struct gl_viewport *vp = &ctx->viewport.vp[0];
    const GLenum type = ctx->feedback->type;
    d->two_side = gl_sw_two_sided(&d->pipeline);
    d->needs_face =
        ctx->polygon.cull ||
        (!d->select && (d->two_side || ctx->polygon.front_mode != ctx->polygon.back_mode));
    d->needs_window = !d->select || d->needs_face || mode != GL_TRIANGLES;
    d->needs_eye = ctx->transform.clip_enabled || d->pipeline.outputs & GL_SW_TEXCOORDS ||
                   (d->pipeline.outputs & GL_SW_COLORS && ctx->light.enabled);
    d->coordinates = type == GL_2D ? 2 : type == GL_4D_COLOR_TEXTURE ? 4 : 3;
    d->color = d->pipeline.outputs & GL_SW_COLORS;
    d->texcoord = d->pipeline.outputs & GL_SW_TEXCOORDS;
    d->plain_colors = d->color && !d->pipeline.program && !ctx->light.enabled;
    d->only_fills = !d->select && !d->needs_face && ctx->polygon.front_mode == GL_FILL &&
                    d->color == d->plain_colors && !d->texcoord;
    const bool zero_to_one = ctx->viewport.clip_depth == GL_ZERO_TO_ONE;
    d->depth_scale = (double)(vp->far_val - vp->near_val) * (zero_to_one ? 1 : 0.5);
    d->depth_offset = zero_to_one ? vp->near_val : (vp->far_val + vp->near_val) / 2;
    gl_matrix_mul(d->mvp, gl_matrix_top(&ctx->projection), gl_matrix_top(&ctx->modelview));
}

/* Reports a primitive, strip or list of primitives with `count` vertices of the source. */
static void run(struct source *s, GLenum mode, unsigned count)
{
    struct gl_context *ctx = s->ctx;
    struct gl_feedback *f = ctx->feedback;
    const GLenum type = f->type;
    const bool select = ctx->render_mode == GL_SELECT;
    const unsigned outputs = select || type == GL_2D || type == GL_3D ? 0
                             : type == GL_3D_COLOR                    ? GL_SW_COLORS
                                                   : GL_SW_COLORS | GL_SW_TEXCOORDS;
    if (!count || !ctx->drv->ops->condition_passes(ctx->drv)) /* GL 4.6 §10.9 */
        return;
    if (!f->chunk)
        f->chunk = talloc_zero(f, struct gl_feedback_chunk);
    if (!f->chunk) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glRenderMode");
        return;
    }
    struct sw_draw d = {
        .ctx = ctx,
        .chunk = f->chunk,
        .source = s,
        .select = select,
        .flat = ctx->light.shade_model == GL_FLAT,
        /* GL 4.6 compatibility §10.1.17 */
        .edge_flags = mode == GL_TRIANGLES || mode == GL_QUADS || mode == GL_POLYGON,
    };
    if (!gl_sw_begin(ctx, &d.pipeline, MIN2(count, CHUNK), f->chunk->vertex, outputs, "glBegin"))
        return;
    set_needs(&d, mode);
    if (d.plain_colors && s->color < 0)
        fill_colors(&d);
    static const uint8_t overlap[] = {
        [GL_LINE_LOOP] = 1,    [GL_LINE_STRIP] = 1, [GL_TRIANGLE_STRIP] = 2,
        [GL_TRIANGLE_FAN] = 1, [GL_QUAD_STRIP] = 2, [GL_POLYGON] = 0,
    };
    if (mode == GL_POLYGON)
        run_polygon(&d, count);
    else if (mode < GL_POLYGON)
        run_chunks(&d, mode, count, overlap[mode]);
    gl_sw_end(&d.pipeline);
}

void gl_feedback_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                          const uint32_t *vertices, const struct gl_prim *prims, unsigned num_prims)
{
    for (unsigned i = 0; i < num_prims; i++) {
        struct source s;
        source_init(&s, ctx);
        add_layout(&s, layout, vertices + (size_t)prims[i].start * layout->vertex_words);
        run(&s, prims[i].mode, prims[i].count);
    }
}

void gl_feedback_arrays(struct gl_context *ctx, GLenum mode, unsigned first, unsigned count,
                        GLuint base_instance, GLuint instance)
{
    struct source s;
    source_init(&s, ctx);
    s.first = first;
    add_arrays(&s, base_instance, instance);
    run(&s, mode, count);
    source_finish(&s);
}

void gl_feedback_elements(struct gl_context *ctx, GLenum mode, unsigned count, unsigned index_bytes,
                          const void *indices, int base_vertex, GLuint base_instance,
                          GLuint instance)
{
    struct source s;
    source_init(&s, ctx);
    s.first = base_vertex;
    s.index_bytes = index_bytes;
    s.indices = indices;
    add_arrays(&s, base_instance, instance);
    run(&s, mode, count);
    source_finish(&s);
}
