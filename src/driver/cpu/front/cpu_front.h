/* SPDX-License-Identifier: MIT */
/*
 * The front end: batches of shaded vertices are clipped, set up and binned. Constant state of one
 * draw is in struct cpu_front; vertices travel as struct cpu_vertex.
 */
#ifndef CPU_FRONT_H
#define CPU_FRONT_H

#include "driver/cpu/tile/cpu_scene.h"

#define CPU_SUBPIXEL_BITS 8
#define CPU_SUBPIXEL_ONE  (1 << CPU_SUBPIXEL_BITS)
#define CPU_SUBPIXEL_HALF (CPU_SUBPIXEL_ONE / 2)
#define CPU_GUARD_BAND    16384.0f /* pixels around the origin of the window */

struct cpu_context;

struct cpu_vertex {
    const float *out; /* outputs: component c of output o at [(o*4 + c) * CPU_BATCH_VERTICES] */
    float window[4];  /* x, y, z, 1/w */
};

/* A position x, y, -x, -y in sub-pixels: integers, which floats hold exactly. */
typedef float cpu_snapped __attribute__((vector_size(16)));

/* A batch's vertices. */
struct cpu_vertices {
    const float *out;           /* of the first */
    const float *window;        /* [0 … 3][CPU_BATCH_VERTICES] */
    const cpu_snapped *snapped; /* of triangles; where no clip code forbids it */
};

static inline void cpu_load_vertex(const struct cpu_vertices *vertices, unsigned i,
                                   struct cpu_vertex *v)
{
    v->out = vertices->out + i;
#pragma GCC unroll 4
    for (unsigned c = 0; c < 4; c++)
        v->window[c] = vertices->window[c * CPU_BATCH_VERTICES + i];
}

/* Edges of a triangle that are boundary edges: bit i is the edge from vertex i to i + 1. */
#define CPU_EDGES_ALL 7
/* The line starts the stipple pattern anew. */
#define CPU_PRIM_STIPPLE_RESET 8
/* The vertices' edge flags do not count: strips and fans (GL 2.1 §2.6.2). */
#define CPU_PRIM_NO_EDGE_FLAGS 16
/* The next primitive has the next gl_PrimitiveID. */
#define CPU_PRIM_STEP 32
/* gl_PrimitiveID begins at 0 again: the first primitive of an instance in a batch of several. */
#define CPU_PRIM_RESTART 64

/* What the last stage before rasterization wrote. */
struct cpu_last_outputs {
    uint32_t count;
    int8_t pos, psiz, edge, layer, viewport; /* outputs, -1: not written */
    int8_t clip_distance[2];
    uint64_t linear; /* bit per output: fragments read it without perspective */
};

/* A viewport and the pixels that it lets through. */
struct cpu_view {
    cpu_snapped limit;         /* of view_rect, its lower one negative: what bounds count up to */
    struct cpu_rect rect;      /* framebuffer and scissor: points */
    struct cpu_rect view_rect; /* and viewport: what guard-band clipping leaves to us */
    struct drv_viewport viewport;
};

struct cpu_front {
    struct cpu_scene *scene;
    struct cpu_segment *segment;
    const struct cpu_draw *draw;
    const struct drv_rasterizer_state *rast;
    bool multisample;      /* samples are covered, not pixels */
    bool sampled_polygons; /* the same of polygons, which may also be smooth */
    cpu_v4i to_pixel;      /* what is added to a bound of a box before it is divided to a pixel */
    struct cpu_last_outputs outputs;
    struct cpu_view view;         /* of the primitive */
    const struct cpu_view *views; /* DRV_MAX_VIEWPORTS to choose from, if outputs.viewport >= 0 */
    uint32_t viewport, layer;     /* of the primitive */
    enum drv_format zs_format;    /* for polygon offset */
    uint32_t stipple_counter;
};

/* Window coordinates of a vertex through the primitive's viewport. */
void cpu_front_project(const struct cpu_front *f, struct cpu_vertex *v);

/* What a primitive carries through clipping and setup beside its vertices. */
struct cpu_prim_info {
    const float *provoking;
    uint32_t primitive_id;
    uint32_t flags; /* edges and CPU_PRIM_* */
};

/* Whether the edge that begins at the vertex may be a boundary edge. */
static inline bool cpu_edge_flag(const struct cpu_front *f, const struct cpu_vertex *v,
                                 const struct cpu_prim_info *info)
{
    return f->outputs.edge < 0 || info->flags & CPU_PRIM_NO_EDGE_FLAGS ||
           v->out[f->outputs.edge * 4 * CPU_BATCH_VERTICES] != 0.0f;
}

/* Room for the outputs of count vertices in the segment. NULL: no memory. */
float *cpu_vertex_alloc(struct cpu_segment *segment, uint32_t num_outputs, uint32_t count);

/* Whether the draw has taken longer than draws may, from the first time on that this was asked. To be
 * asked behind the steps that take long. */
bool cpu_draw_is_late(struct cpu_context *ctx);
/* When it will have, for those who work on parts of it; of watchdog_clock; 0: never. */
uint64_t cpu_draw_end(struct cpu_context *ctx);

/* Room for `wanted` bytes, whose contents are lost. False: no memory. */
bool cpu_front_reserve(void **memory, size_t *size, size_t wanted);

struct cpu_point { /* in sub-pixels */
    int32_t x, y;
};

/* cpu_setup.c: all window coordinates are inside of the guard band. */
void cpu_setup_triangle(struct cpu_front *f, const struct cpu_vertex v[3],
                        const struct cpu_prim_info *info);

/* The same for three of a batch's vertices, which several triangles may have: each is snapped once.
 * window: x and y of count vertices, as the vertex kernel leaves them; there is room for, and may
 * be any values in, up to three more. */
void cpu_setup_snap(const float *window, cpu_snapped *p, unsigned count);
void cpu_setup_batch_triangle(struct cpu_front *f, const struct cpu_vertices *vertices,
                              const uint8_t v[3], const struct cpu_prim_info *info);
/* A filled triangle of pixels in that box: without planes and vertices, and without its mask, if it is
 * small, or else its edges. NULL: no memory. Every field is assigned, here or by the caller: zeroing
 * all first costs as much as the rest. */
static inline struct cpu_prim *cpu_setup_new_triangle(struct cpu_front *f,
                                                      const struct cpu_rect *box, bool small,
                                                      bool front, const struct cpu_prim_info *info)
{
    struct cpu_prim *prim =
        arena_alloc(f->segment->arena, small ? offsetof(struct cpu_prim, edges) : sizeof *prim);
    if (!prim) {
        f->segment->out_of_memory = true;
        return NULL;
    }
    prim->draw = f->draw;
    prim->box = *box;
    prim->polygon = true;
    prim->small = small;
    prim->p.provoking = info->provoking;
    prim->p.point_s = prim->p.point_t = (struct cpu_plane){0};
    prim->p.front_facing = front;
    prim->p.primitive_id = info->primitive_id;
    prim->p.layer = f->layer;
    prim->p.viewport = f->viewport;
    return prim;
}

/* The polygon offset of a triangle of vertices of that window, whose depth has these slopes. */
float cpu_setup_offset(const struct cpu_front *f, float dzdx, float dzdy, const float *window,
                       const uint8_t v[3]);
/* Of struct cpu_view and struct cpu_front. */
cpu_snapped cpu_setup_limit(const struct cpu_rect *view_rect, bool sampled_polygons);
cpu_v4i cpu_setup_to_pixel(bool sampled_polygons);
void cpu_setup_line(struct cpu_front *f, const struct cpu_vertex *v0, const struct cpu_vertex *v1,
                    const struct cpu_prim_info *info);
void cpu_setup_point(struct cpu_front *f, const struct cpu_vertex *v,
                     const struct cpu_prim_info *info);

/* cpu_clip.c: codes of the vertices or'ed; at least one demands clipping. */
void cpu_clip_triangle(struct cpu_front *f, const struct cpu_vertex v[3], const uint32_t code[3],
                       const struct cpu_prim_info *info);
void cpu_clip_line(struct cpu_front *f, const struct cpu_vertex v[2], const uint32_t code[2],
                   const struct cpu_prim_info *info);

#endif
