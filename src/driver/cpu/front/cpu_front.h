/* SPDX-License-Identifier: MIT */
/*
 * Clipping, setup and binning of primitives whose vertices are shaded. struct cpu_front has the
 * state of the draw; struct cpu_vertex is a vertex during these stages.
 */
#ifndef CPU_FRONT_H
#define CPU_FRONT_H

#include "driver/cpu/tile/cpu_scene.h"

/* Vertex positions are snapped to multiples of 1 / CPU_SUBPIXEL_ONE pixel (subpixels). */
#define CPU_SUBPIXEL_BITS 8
#define CPU_SUBPIXEL_ONE  (1 << CPU_SUBPIXEL_BITS)
#define CPU_SUBPIXEL_HALF (CPU_SUBPIXEL_ONE / 2)
#define CPU_GUARD_BAND    16384.0f /* limit of |x| and |y| in window coordinates after clipping */

struct cpu_context;

struct cpu_vertex {
    const float *out; /* component c of output o is at [(o * 4 + c) * CPU_BATCH_VERTICES] */
    float window[4];  /* x, y, z, 1/w */
};

/* A snapped position as x, y, -x, -y in subpixels, all integral. */
typedef float cpu_snapped __attribute__((vector_size(16)));

/* The shaded vertices of a batch. */
struct cpu_vertices {
    const float *out;           /* outputs of the first vertex */
    const float *window;        /* [0 to 3][CPU_BATCH_VERTICES]: x, y, z, 1/w */
    const cpu_snapped *snapped; /* for triangles; undefined for vertices that must be clipped */
};

/* Stores vertex i of the batch in *v. */
static inline void cpu_load_vertex(const struct cpu_vertices *vertices, unsigned i,
                                   struct cpu_vertex *v)
{
    v->out = vertices->out + i;
#pragma GCC unroll 4
    for (unsigned c = 0; c < 4; c++)
        v->window[c] = vertices->window[c * CPU_BATCH_VERTICES + i];
}

/* Flags of primitives (cpu_prim_info.flags). Bits 0 to 2: bit i is set if the edge from vertex i to
 * the next vertex is a boundary edge. */
#define CPU_EDGES_ALL 7
/* The line stipple pattern restarts at this line. */
#define CPU_PRIM_STIPPLE_RESET 8
/* The edge flags of the vertices don't apply. Either the primitive comes from a strip, a fan (GL
 * 2.1 §2.6.2) or a shader stage, or clipping has already applied them to bits 0 to 2. */
#define CPU_PRIM_NO_EDGE_FLAGS 16
/* gl_PrimitiveID increases after this primitive; clear if the next one belongs to the same quad or
 * polygon. */
#define CPU_PRIM_STEP 32
/* gl_PrimitiveID restarts at 0 with this primitive: it is the first of an instance, in a batch that
 * holds several instances. */
#define CPU_PRIM_RESTART 64

/* The outputs of the last stage before rasterization. */
struct cpu_last_outputs {
    uint32_t count; /* number of vec4 outputs */
    /* Index of the vec4 output of each built-in; -1: not written. */
    int8_t pos, psiz, edge, layer, viewport;
    int8_t clip_distance[2];
    bool viewport_mask, viewport_relative_layer; /* as in nir_shader_info */
    uint64_t linear; /* bit i: output i is interpolated without perspective */
};

/* A viewport and the pixels that primitives may cover in it. */
struct cpu_view {
    /* Clamps bounding boxes to view_rect: maximum of x, y, -x and -y in subpixels, from
     * cpu_setup_limit(). */
    cpu_snapped limit;
    struct cpu_rect rect;      /* framebuffer, clipped to the scissor; bounds unclipped points */
    struct cpu_rect view_rect; /* rect, clipped to the viewport; bounds all other primitives */
    struct drv_viewport viewport;
};

/* State of a draw in clipping, setup and binning. */
struct cpu_front {
    struct cpu_scene *scene;     /* NULL: out of memory; the rest of the draw is dropped */
    struct cpu_segment *segment; /* segment of the scene to which primitives are appended */
    const struct cpu_draw *draw;
    const struct drv_rasterizer_state *rast;
    bool multisample;      /* coverage is computed at samples, not pixel centers */
    bool sampled_polygons; /* polygon coverage is computed at samples: multisample, or smooth */
    bool barycentrics;     /* primitives get cpu_primitive.barycentrics */
    cpu_v4i to_pixel;      /* added to a box in subpixels, before the shift that gives pixels */
    struct cpu_last_outputs outputs;
    struct cpu_view view;         /* view of the current primitive */
    const struct cpu_view *views; /* DRV_MAX_VIEWPORTS elements, if outputs.viewport >= 0 */
    uint32_t viewport, layer;     /* indices that the current primitive selects */
    bool reached; /* setup has not culled all of the current primitive; for statistics */
    enum drv_format zs_format; /* determines the unit of polygon offset */
    uint32_t stipple_counter;  /* the line stipple counter s of GL 2.1 §3.4.2 */
};

/* Recomputes v->window from the vertex's clip coordinates, for the current primitive's viewport. */
void cpu_front_project(const struct cpu_front *f, struct cpu_vertex *v);

/* Properties of a primitive in clipping and setup, in addition to its vertices. */
struct cpu_prim_info {
    const float *provoking; /* outputs of the provoking vertex */
    uint32_t primitive_id;
    uint32_t flags; /* boundary edges (CPU_EDGES_ALL) and CPU_PRIM_* */
    /* The vertices before clipping and the barycentric coordinates of the vertices passed with this
     * struct. NULL unless cpu_front.barycentrics is set. */
    const struct cpu_barycentrics *barycentrics;
};

/* Returns whether the edge from v to the next vertex is a boundary edge, by the edge flag of v.
 * Returns true if edge flags don't apply. */
static inline bool cpu_edge_flag(const struct cpu_front *f, const struct cpu_vertex *v,
                                 const struct cpu_prim_info *info)
{
    return f->outputs.edge < 0 || info->flags & CPU_PRIM_NO_EDGE_FLAGS ||
           v->out[f->outputs.edge * 4 * CPU_BATCH_VERTICES] != 0.0f;
}

/* Allocates memory for the outputs of `count` vertices, 1 to CPU_BATCH_VERTICES, from the segment.
 * Component c of output o of vertex i is at [(o * 4 + c) * CPU_BATCH_VERTICES + i]. For more than
 * one vertex, the memory is aligned to 64 bytes and has space for the next multiple of 16 vertices,
 * because kernels store whole vectors. Returns NULL and sets segment->out_of_memory if out of
 * memory. */
float *cpu_vertex_alloc(struct cpu_segment *segment, uint32_t num_outputs, uint32_t count);

/* Makes sure that *memory, an allocation of *size bytes, has at least `wanted` bytes. If it is too
 * small, replaces it, aligned to 64 bytes, and updates *size; the contents are then lost. *memory
 * may be NULL if *size is 0; the caller frees it with free(). Returns false, with *memory NULL, if
 * out of memory. */
bool cpu_front_reserve(void **memory, size_t *size, size_t wanted);

/* A position in subpixels. */
struct cpu_point {
    int32_t x, y;
};

/* --- setup (cpu_setup.c): culls a primitive, or computes its struct cpu_prim and bins it. All
 * window coordinates must be inside the guard band. Sets f->reached unless a triangle is culled by
 * its orientation or has no area. Stippled lines advance f->stipple_counter, except in conservative
 * draws, which ignore the stipple pattern of lines. When out of memory, drops the primitive and
 * sets f->segment->out_of_memory. --- */

void cpu_setup_triangle(struct cpu_front *f, const struct cpu_vertex v[3],
                        const struct cpu_prim_info *info);

/* Snaps the window positions of `count` vertices and stores them in p. window[i] is the x of vertex
 * i, and window[CPU_BATCH_VERTICES + i] is its y. window must be aligned to 16 bytes. Processes
 * four vertices at a time: may access three elements past the end of each array. */
void cpu_setup_snap(const float *window, cpu_snapped *p, unsigned count);
/* Sets up a triangle of a batch whose vertices are snapped. */
void cpu_setup_batch_triangle(struct cpu_front *f, const struct cpu_vertices *vertices,
                              const uint8_t v[3], const struct cpu_prim_info *info);
/* Allocates the struct cpu_prim of a filled triangle with that bounding box, without zeroing it.
 * The caller sets planes and vertices, and the mask if the triangle is small, otherwise the edges.
 * Returns NULL and sets f->segment->out_of_memory if out of memory. */
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
    prim->has_area = true;
    prim->p.provoking = info->provoking;
    prim->p.point_s = prim->p.point_t = (struct cpu_plane){0};
    prim->p.front_facing = front;
    prim->p.primitive_id = info->primitive_id;
    prim->p.layer = f->layer;
    prim->p.viewport = f->viewport;
    return prim;
}

/* Returns the polygon offset, to be added to the window-space depth of a triangle. dzdx and dzdy
 * are its depth slopes per pixel; window and v are as in struct cpu_vertices and struct
 * cpu_batch_prim. */
float cpu_setup_offset(const struct cpu_front *f, float dzdx, float dzdy, const float *window,
                       const uint8_t v[3]);
/* Return the value of cpu_view.limit for a view_rect, and that of cpu_front.to_pixel.
 * sampled_polygons: as in struct cpu_front. */
cpu_snapped cpu_setup_limit(const struct cpu_rect *view_rect, bool sampled_polygons);
cpu_v4i cpu_setup_to_pixel(bool sampled_polygons);
void cpu_setup_line(struct cpu_front *f, const struct cpu_vertex *v0, const struct cpu_vertex *v1,
                    const struct cpu_prim_info *info);
void cpu_setup_point(struct cpu_front *f, const struct cpu_vertex *v,
                     const struct cpu_prim_info *info);

/* --- conservative rasterization (cpu_conservative.c) --- */

/* The corners of a convex polygon in units of 1 / 2^bits pixel. */
struct cpu_outline {
    unsigned count; /* at most CPU_MAX_EDGES */
    unsigned bits;  /* at least CPU_SUBPIXEL_BITS */
    struct cpu_point p[CPU_MAX_EDGES];
};

/* Sets the outline to the `count` corners at[], in pixels. Snaps them to the subpixel grid of
 * conservative rasterization (drv_rasterizer_state.subpixel_bias), or to a coarser one if the
 * outline is large. Returns false if a coordinate is NaN or its absolute value is above
 * 2 * CPU_GUARD_BAND. */
bool cpu_conservative_snap(const struct cpu_front *f, struct cpu_outline *o, const double (*at)[2],
                           unsigned count);
/* Returns twice the area of a triangle in squared subpixels (1 / CPU_SUBPIXEL_ONE pixel); positive:
 * counterclockwise. The sign is exact. */
double cpu_conservative_area(const struct cpu_outline *o);
/* Computes the pixels in *limit that touch the outline's bounding box. Returns false if there are
 * none. */
bool cpu_conservative_box(const struct cpu_front *f, const struct cpu_outline *o,
                          const struct cpu_rect *limit, struct cpu_rect *box);
/* Computes edge functions that are all nonnegative at the center of a pixel in the outline's box if
 * and only if the polygon touches the pixel. clockwise: order of the outline's corners. Here and in
 * cpu_conservative_box, drv_rasterizer_state.conservative_expand enlarges the polygon by 1/512
 * pixel. */
void cpu_conservative_edges(const struct cpu_front *f, const struct cpu_outline *o, bool clockwise,
                            struct cpu_edges *edges);

/* --- clipping (cpu_clip.c): clips a primitive and sets up the result. code[] has the clip codes of
 * the vertices: the primitive is clipped against the guard band and the planes that they name. When
 * out of memory, drops the primitive and sets f->segment->out_of_memory. --- */

void cpu_clip_triangle(struct cpu_front *f, const struct cpu_vertex v[3], const uint32_t code[3],
                       const struct cpu_prim_info *info);
void cpu_clip_line(struct cpu_front *f, const struct cpu_vertex v[2], const uint32_t code[2],
                   const struct cpu_prim_info *info);

#endif
