/* SPDX-License-Identifier: MIT */
/*
 * Clipping, setup and binning of shaded vertices. struct cpu_front has the state that is constant
 * in a draw; struct cpu_vertex is a vertex on its way through these stages.
 */
#ifndef CPU_FRONT_H
#define CPU_FRONT_H

#include "driver/cpu/tile/cpu_scene.h"

#define CPU_SUBPIXEL_BITS 8
#define CPU_SUBPIXEL_ONE  (1 << CPU_SUBPIXEL_BITS)
#define CPU_SUBPIXEL_HALF (CPU_SUBPIXEL_ONE / 2)
#define CPU_GUARD_BAND    16384.0f /* pixels in each direction from the origin of the window */

struct cpu_context;

struct cpu_vertex {
    const float *out; /* component c of output o is at [(o * 4 + c) * CPU_BATCH_VERTICES] */
    float window[4];  /* x, y, z, 1/w */
};

/* A position x, y, -x, -y in subpixels: integers, which floats represent exactly. */
typedef float cpu_snapped __attribute__((vector_size(16)));

/* The shaded vertices of a batch. */
struct cpu_vertices {
    const float *out;           /* outputs of the first vertex */
    const float *window;        /* [0 to 3][CPU_BATCH_VERTICES]: x, y, z, 1/w */
    const cpu_snapped *snapped; /* for triangles; undefined for vertices that must be clipped */
};

static inline void cpu_load_vertex(const struct cpu_vertices *vertices, unsigned i,
                                   struct cpu_vertex *v)
{
    v->out = vertices->out + i;
#pragma GCC unroll 4
    for (unsigned c = 0; c < 4; c++)
        v->window[c] = vertices->window[c * CPU_BATCH_VERTICES + i];
}

/* Flags of primitives. Bit i of the lowest three: the edge from vertex i to i + 1 is a boundary
 * edge. */
#define CPU_EDGES_ALL 7
/* The line restarts the stipple pattern. */
#define CPU_PRIM_STIPPLE_RESET 8
/* Edge flags are ignored: strips and fans (GL 2.1 §2.6.2). */
#define CPU_PRIM_NO_EDGE_FLAGS 16
/* gl_PrimitiveID increases after this primitive. */
#define CPU_PRIM_STEP 32
/* gl_PrimitiveID restarts at 0: the first primitive of an instance in a batch of several instances.
 * */
#define CPU_PRIM_RESTART 64

/* The outputs of the last stage before rasterization. */
struct cpu_last_outputs {
    uint32_t count;
    int8_t pos, psiz, edge, layer, viewport; /* index of the output; -1: not written */
    int8_t clip_distance[2];
    uint64_t linear; /* bit per output: interpolated without perspective */
};

/* A viewport and the pixels that primitives may cover in it. */
struct cpu_view {
    cpu_snapped limit;         /* view_rect in subpixels, for bounding boxes (cpu_setup_limit()) */
    struct cpu_rect rect;      /* the framebuffer, clipped to the scissor; limits points */
    struct cpu_rect view_rect; /* rect, clipped to the viewport; limits lines and triangles */
    struct drv_viewport viewport;
};

struct cpu_front {
    struct cpu_scene *scene;
    struct cpu_segment *segment;
    const struct cpu_draw *draw;
    const struct drv_rasterizer_state *rast;
    bool multisample;      /* coverage is computed at samples, not pixel centers */
    bool sampled_polygons; /* the same for polygons, also if they are smooth */
    cpu_v4i to_pixel;      /* added to a bound of a box before the division to pixels */
    struct cpu_last_outputs outputs;
    struct cpu_view view;         /* of the current primitive */
    const struct cpu_view *views; /* DRV_MAX_VIEWPORTS elements, if outputs.viewport >= 0 */
    uint32_t viewport, layer;     /* of the current primitive */
    enum drv_format zs_format;    /* determines the unit of polygon offset */
    uint32_t stipple_counter;
};

/* Computes the window coordinates of a vertex for the current primitive's viewport. */
void cpu_front_project(const struct cpu_front *f, struct cpu_vertex *v);

/* Properties of a primitive in clipping and setup, in addition to its vertices. */
struct cpu_prim_info {
    const float *provoking; /* outputs of the provoking vertex */
    uint32_t primitive_id;
    uint32_t flags; /* boundary edges and CPU_PRIM_* */
};

/* Returns whether the edge flag of the vertex allows a boundary edge to start there. */
static inline bool cpu_edge_flag(const struct cpu_front *f, const struct cpu_vertex *v,
                                 const struct cpu_prim_info *info)
{
    return f->outputs.edge < 0 || info->flags & CPU_PRIM_NO_EDGE_FLAGS ||
           v->out[f->outputs.edge * 4 * CPU_BATCH_VERTICES] != 0.0f;
}

/* Allocates the outputs of `count` vertices in the segment. Returns NULL if memory is short. */
float *cpu_vertex_alloc(struct cpu_segment *segment, uint32_t num_outputs, uint32_t count);

/* Returns whether the draw has exceeded its time limit, which starts at the first call. Called
 * after steps that may take long. */
bool cpu_draw_timed_out(struct cpu_context *ctx);
/* Returns the watchdog_clock() time at which the draw exceeds its limit; 0: never. */
uint64_t cpu_draw_deadline(struct cpu_context *ctx);

/* Grows *memory to at least `wanted` bytes; the contents are lost. Returns false if memory is
 * short. */
bool cpu_front_reserve(void **memory, size_t *size, size_t wanted);

/* A position in subpixels. */
struct cpu_point {
    int32_t x, y;
};

/* --- setup (cpu_setup.c); all window coordinates must be inside the guard band --- */

void cpu_setup_triangle(struct cpu_front *f, const struct cpu_vertex v[3],
                        const struct cpu_prim_info *info);

/* Snaps the positions of `count` vertices. window[] has their x and y as the vertex kernel stores
 * them. Both arrays must have three more elements, with any values. */
void cpu_setup_snap(const float *window, cpu_snapped *p, unsigned count);
/* Sets up a triangle of a batch whose vertices are snapped. */
void cpu_setup_batch_triangle(struct cpu_front *f, const struct cpu_vertices *vertices,
                              const uint8_t v[3], const struct cpu_prim_info *info);
/* Allocates a filled triangle with that bounding box. The caller fills in planes, vertices, and the
 * mask if it is small, otherwise the edges. Returns NULL if memory is short. Does not zero the
 * struct first, because that would double the cost. */
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

/* Returns the polygon offset of a triangle whose depth has these slopes. */
float cpu_setup_offset(const struct cpu_front *f, float dzdx, float dzdy, const float *window,
                       const uint8_t v[3]);
/* Return cpu_view.limit and cpu_front.to_pixel. */
cpu_snapped cpu_setup_limit(const struct cpu_rect *view_rect, bool sampled_polygons);
cpu_v4i cpu_setup_to_pixel(bool sampled_polygons);
void cpu_setup_line(struct cpu_front *f, const struct cpu_vertex *v0, const struct cpu_vertex *v1,
                    const struct cpu_prim_info *info);
void cpu_setup_point(struct cpu_front *f, const struct cpu_vertex *v,
                     const struct cpu_prim_info *info);

/* --- clipping (cpu_clip.c); code[]: clip code of each vertex, at least one requires clipping --- */

void cpu_clip_triangle(struct cpu_front *f, const struct cpu_vertex v[3], const uint32_t code[3],
                       const struct cpu_prim_info *info);
void cpu_clip_line(struct cpu_front *f, const struct cpu_vertex v[2], const uint32_t code[2],
                   const struct cpu_prim_info *info);

#endif
