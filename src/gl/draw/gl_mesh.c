/* SPDX-License-Identifier: MIT */
/*
 * Draws by task and mesh shaders (EXT_mesh_shader, chapter X).
 *
 * Drivers know neither stage. Both run as compute shaders, in chunks of workgroups whose output
 * fits in a buffer of bounded size (gl_lower_mesh.h). After a chunk of task shaders, the CPU reads
 * the numbers of mesh shaders that they launch. After a chunk of mesh shaders, it reads the
 * indices, drops the primitives that are culled or refer to vertices that don't exist, and draws
 * the others with a generated vertex shader, which loads the outputs. Workgroups are in order, and
 * so are the primitives.
 */
#include "gl/draw/gl_mesh.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_update_state.h"
#include "gl/program/gl_lower_mesh.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_cso.h"
#include "gl_entry.h"
#include "util/check.h"
#include "util/log.h"
#include "util/memory.h"
#include "util/options.h"
#include "util/os_clock.h"

#define CHUNK_BYTES (8u << 20) /* limit of the outputs of a chunk with several workgroups */
#define RECORDS     (GL_MESH_CHUNK * sizeof(struct gl_mesh_group))

/* Memory that the draws of a context share. */
struct gl_mesh_state {
    struct drv_resource *tasks, *meshes; /* buffers of the dispatches; NULL: not created yet */
    uint32_t *list;                      /* vertices to draw, a talloc child */
    size_t list_words;                   /* size of `list` */
    struct gl_mesh_group group[GL_MESH_CHUNK];
    uint32_t count[GL_MESH_CHUNK][3]; /* launched by each task of a chunk */
};

/* A draw command. */
struct mesh_draw {
    struct gl_context *ctx;
    struct gl_mesh_state *state;
    struct gl_executable *task, *mesh; /* task: NULL without a task shader */
    struct gl_mesh_layout layout;
    unsigned task_stride, task_chunk, mesh_chunk; /* bytes of a record, workgroups per chunk */
    unsigned num_groups;                          /* collected mesh workgroups in state->group */
    const char *call;
    bool failed;      /* end the command: stopped, or out of memory, with the error raised */
    bool was_stopped; /* the driver had stopped an earlier command */
    uint64_t start;   /* os_clock_thread() at the start */
};

/* ----------------------------------------------------------------------------------- memory --- */

void gl_mesh_finish(struct gl_context *ctx)
{
    if (!ctx->mesh)
        return;
    drv_resource_reference(&ctx->mesh->tasks, NULL);
    drv_resource_reference(&ctx->mesh->meshes, NULL);
    talloc_free(ctx->mesh);
    ctx->mesh = NULL;
}

/* Makes *buffer at least `bytes` large; a new buffer loses the contents. Returns false if out of
 * memory. */
static bool grow_buffer(struct gl_context *ctx, struct drv_resource **buffer, size_t bytes)
{
    if (*buffer && (*buffer)->width >= bytes)
        return true;
    drv_resource_reference(buffer, NULL);
    *buffer = ctx->screen->ops->resource_create(ctx->screen, &(struct drv_resource){
                                                                 .target = DRV_BUFFER,
                                                                 .format = DRV_FORMAT_R8_UNORM,
                                                                 .width = (uint32_t)bytes,
                                                                 .height = 1,
                                                                 .depth = 1,
                                                                 .array_size = 1,
                                                                 .bind = DRV_BIND_STORAGE_BUFFER,
                                                             });
    return *buffer;
}

/* Returns the number of workgroups per chunk if each has an output record of `stride` bytes. */
static unsigned chunk_of(size_t stride)
{
    return (unsigned)CLAMP(CHUNK_BYTES / MAX2(stride, 1), 1, GL_MESH_CHUNK);
}

/* Makes the context's list and buffers large enough for the chunks of this draw. Returns false if
 * out of memory. */
static bool allocate(struct mesh_draw *d)
{
    struct gl_context *ctx = d->ctx;
    const struct gl_mesh_layout *l = &d->layout;
    if (!ctx->mesh)
        ctx->mesh = talloc_zero(ctx, struct gl_mesh_state);
    struct gl_mesh_state *s = d->state = ctx->mesh;
    if (!s)
        return false;
    const size_t words =
        (size_t)d->mesh_chunk * l->max_primitives * l->corners * (l->primitive_slots ? 2 : 1);
    if (s->list_words < words) {
        talloc_free(s->list);
        s->list = talloc_array(s, uint32_t, words);
        s->list_words = s->list ? words : 0;
    }
    return s->list && grow_buffer(ctx, &s->meshes, RECORDS + (size_t)d->mesh_chunk * l->stride) &&
           (!d->task ||
            grow_buffer(ctx, &s->tasks, RECORDS + (size_t)d->task_chunk * d->task_stride));
}

/* Raises the error, and ends the command. */
static void out_of_memory(struct mesh_draw *d)
{
    gl_error(d->ctx, GL_OUT_OF_MEMORY, "%s", d->call);
    d->failed = true;
}

/* Ends the command if the driver has stopped it or if it has used up its time. Called after each
 * chunk. The driver applies the time limit to each chunk separately, but task shaders can launch
 * chunks that would take years. */
static void check_time(struct mesh_draw *d)
{
    struct drv_context *drv = d->ctx->drv;
    const int timeout = util_get_options()->timeout;
    if (!drv->stopped && drv->limits_commands && timeout > 0 &&
        os_clock_thread() - d->start > (uint64_t)timeout * 1000000000u) {
        drv->stopped = true;
        snprintf(drv->stop_message, sizeof drv->stop_message,
                 "%s: stopped after %d s of CPU time (INDIUM_TIMEOUT)", d->call, timeout);
        log_warning("%s", drv->stop_message);
    }
    d->failed |= drv->stopped;
}

/* Maps the first bytes of a buffer. Returns NULL after raising an error. */
static uint8_t *map(struct mesh_draw *d, struct drv_resource *buffer, size_t bytes, unsigned flags,
                    struct drv_transfer **transfer)
{
    const struct drv_box box = {0, 0, 0, (int32_t)bytes, 1, 1};
    uint8_t *p = d->ctx->drv->ops->map(d->ctx->drv, buffer, 0, flags, &box, transfer);
    if (!p)
        out_of_memory(d);
    return p;
}

/* ------------------------------------------------------------------------------- dispatches --- */

/* Runs n workgroups of a stage with the inputs in state->group, after setting all outputs to 0.
 * Returns false after an error, which it raises. */
static bool run(struct mesh_draw *d, enum shader_stage stage, unsigned n)
{
    struct gl_context *ctx = d->ctx;
    struct gl_mesh_state *s = d->state;
    const bool mesh = stage == SHADER_MESH;
    struct gl_executable *exe = mesh ? d->mesh : d->task;
    struct drv_resource *buffer = mesh ? s->meshes : s->tasks;
    const size_t bytes = RECORDS + (size_t)n * (mesh ? d->layout.stride : d->task_stride);
    struct drv_transfer *transfer;
    CHECK(n && n <= GL_MESH_CHUNK && bytes <= buffer->width);
    uint8_t *p = map(d, buffer, bytes, DRV_MAP_WRITE | DRV_MAP_DISCARD_WHOLE, &transfer);
    if (!p)
        return false;
    memcpy(p, s->group, n * sizeof s->group[0]);
    memset(p + n * sizeof s->group[0], 0, bytes - n * sizeof s->group[0]);
    ctx->drv->ops->unmap(ctx->drv, transfer);

    const struct drv_storage_buffer own = {.buffer = buffer, .size = (uint32_t)bytes},
                                    tasks = {.buffer = d->task ? s->tasks : NULL,
                                             .size = d->task ? s->tasks->width : 0};
    const struct drv_storage_buffer buffers[] = {own, tasks};
    if (!gl_bind_groups(ctx, exe, stage, buffers, 1 + mesh)) {
        d->failed = true;
        return false;
    }
    struct drv_grid_info grid = {
        .grid = {n, 1, 1},
        .statistic = mesh ? DRV_STAT_MESH_INVOCATIONS : DRV_STAT_TASK_INVOCATIONS,
    };
    for (unsigned i = 0; i < 3; i++)
        grid.block[i] = MAX2(exe->stage[stage]->nir->info.cs.workgroup_size[i], 1);
    ctx->drv->command.name = d->call;
    ctx->drv->command.program[SHADER_COMPUTE] = gl_stage_program(ctx, stage);
    ctx->drv->ops->launch_grid(ctx->drv, &grid);
    gl_unbind_groups(ctx);
    return true;
}

/* ------------------------------------------------------------------------------------ draws --- */

/* Appends the primitives of workgroup g of the chunk, whose record is at `record`, to the list of
 * vertices, and returns the new end of the list. For each vertex, the list has its index or, if
 * there are per-primitive outputs, two byte offsets: of the vertex and of its primitive. */
static uint32_t *list_primitives(const struct mesh_draw *d, unsigned g, const uint8_t *record,
                                 uint32_t *list)
{
    const struct gl_mesh_layout *l = &d->layout;
    const nir_shader_info *info = &d->mesh->stage[SHADER_MESH]->nir->info;
    const struct gl_mesh_counts *counts = (const struct gl_mesh_counts *)record;
    const uint32_t start = (uint32_t)(RECORDS + (size_t)g * l->stride);
    const uint32_t num_vertices = MIN2(counts->count[0], info->cs.mesh_vertices);
    const uint32_t num_primitives = MIN2(counts->count[1], info->cs.mesh_primitives);
    const uint32_t *index = (const uint32_t *)(record + l->indices);
    const uint32_t *culled = (const uint32_t *)(record + l->cull_flags);
    const uint32_t vertex_bytes = 16 * (uint32_t)__builtin_popcountll(l->vertex_slots),
                   primitive_bytes = 16 * (uint32_t)__builtin_popcountll(l->primitive_slots);
    for (uint32_t p = 0; p < num_primitives; p++, index += l->corners) {
        bool drawn = !l->culls || !culled[p];
        for (unsigned c = 0; c < l->corners; c++)
            drawn &= index[c] < num_vertices;
        for (unsigned c = 0; drawn && c < l->corners; c++) {
            const uint32_t vertex = start + l->vertices + index[c] * vertex_bytes;
            if (l->primitive_slots) {
                *list++ = vertex;
                *list++ = start + l->primitives + p * primitive_bytes;
            } else {
                *list++ = vertex / 16;
            }
        }
    }
    return list;
}

/* Draws `words` words of the list of vertices. */
static void draw_list(struct mesh_draw *d, size_t words)
{
    struct gl_context *ctx = d->ctx;
    const struct drv_resource *meshes = d->state->meshes;
    const bool pairs = d->layout.primitive_slots != 0;
    if (!words)
        return;
    if (!gl_update_state(ctx)) {
        d->failed = true;
        return;
    }
    const struct drv_storage_buffer buffer = {.buffer = d->state->meshes, .size = meshes->width};
    ctx->drv->ops->set_storage_buffers(ctx->drv, SHADER_VERTEX, 0, 1, &buffer);
    ctx->program.num_storage_buffers[SHADER_VERTEX] =
        MAX2(ctx->program.num_storage_buffers[SHADER_VERTEX], 1);
    struct drv_vertex_element element;
    memset(&element, 0, sizeof element);
    element.attrib = VERT_ATTRIB_GENERIC0;
    element.src_format = DRV_FORMAT_R32G32_UINT;
    const struct drv_vertex_buffer vertices = {
        .stride = 8, .user = d->state->list, .user_size = words * 4};
    gl_cso_bind_vertex_elements(ctx, pairs, &element);
    ctx->drv->ops->set_vertex_buffers(ctx->drv, pairs, &vertices);
    ctx->dirty |= GL_DIRTY_ARRAYS;
    const struct drv_draw_info info = {
        .mode = d->mesh->stage[SHADER_MESH]->nir->info.cs.mesh_output,
        .index_size = pairs ? 0 : 4,
        .instance_count = 1,
        .mesh = true,
        .index_user = pairs ? NULL : d->state->list,
    };
    const struct drv_draw_range range = {0, (uint32_t)(words / (pairs ? 2 : 1)), 0};
    ctx->drv->ops->draw(ctx->drv, &info, &range, 1);
}

/* Runs the collected workgroups of the mesh shader and draws what they emit. */
static void flush_groups(struct mesh_draw *d)
{
    struct gl_mesh_state *s = d->state;
    const unsigned n = d->num_groups;
    struct drv_transfer *transfer;
    d->num_groups = 0;
    if (!n || d->failed || !run(d, SHADER_MESH, n))
        return;
    const size_t bytes = RECORDS + (size_t)n * d->layout.stride;
    const uint8_t *p = map(d, s->meshes, bytes, DRV_MAP_READ, &transfer);
    if (!p)
        return;
    uint32_t *end = s->list;
    for (unsigned g = 0; g < n; g++)
        end = list_primitives(d, g, p + RECORDS + (size_t)g * d->layout.stride, end);
    d->ctx->drv->ops->unmap(d->ctx->drv, transfer);
    CHECK((size_t)(end - s->list) <= s->list_words);
    draw_list(d, (size_t)(end - s->list));
    check_time(d);
}

/* Stores the inputs of workgroup i, counted along x first, of a grid of `count` workgroups. */
static void set_group(struct gl_mesh_group *group, const uint32_t count[3], uint32_t i,
                      uint32_t draw_id, uint32_t payload)
{
    *group = (struct gl_mesh_group){
        .id = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]},
        .draw_id = draw_id,
        .count = {count[0], count[1], count[2]},
        .payload = payload,
    };
}

/* Returns the number of workgroups. */
static uint64_t total_of(const uint32_t count[3])
{
    return (uint64_t)count[0] * count[1] * count[2];
}

/* Returns whether the counts are within the limits of a task or mesh shader, which are equal. */
static bool counts_fit(const uint32_t count[3])
{
    for (unsigned i = 0; i < 3; i++)
        if (count[i] > GL_MESH_MAX_COUNT)
            return false;
    return total_of(count) <= GL_MESH_MAX_GROUPS;
}

/* Adds count[0] × count[1] × count[2] workgroups of the mesh shader; counts_fit(count). Each full
 * chunk is drawn. */
static void add_groups(struct mesh_draw *d, const uint32_t count[3], uint32_t draw_id,
                       uint32_t payload)
{
    const uint32_t total = (uint32_t)total_of(count);
    for (uint32_t i = 0; i < total && !d->failed; i++) {
        set_group(&NEXT_OF(d->state->group, d->num_groups), count, i, draw_id, payload);
        if (d->num_groups == d->mesh_chunk)
            flush_groups(d);
    }
}

/* Runs n task shaders from number `first` on, and the mesh shaders that they launch. */
static void run_tasks(struct mesh_draw *d, const uint32_t count[3], uint32_t first, unsigned n,
                      uint32_t draw_id)
{
    struct gl_mesh_state *s = d->state;
    struct drv_transfer *transfer;
    flush_groups(d); /* they refer to the payloads of the last chunk */
    for (unsigned i = 0; i < n; i++)
        set_group(&s->group[i], count, first + i, draw_id, 0);
    if (d->failed || !run(d, SHADER_TASK, n))
        return;
    const uint8_t *p =
        map(d, s->tasks, RECORDS + (size_t)n * d->task_stride, DRV_MAP_READ, &transfer);
    if (!p)
        return;
    for (unsigned i = 0; i < n; i++)
        memcpy(s->count[i], p + RECORDS + (size_t)i * d->task_stride, sizeof s->count[i]);
    d->ctx->drv->ops->unmap(d->ctx->drv, transfer);
    check_time(d);
    for (unsigned i = 0; i < n && !d->failed; i++) {
        const size_t payload = RECORDS + (size_t)i * d->task_stride + sizeof(struct gl_mesh_counts);
        /* Counts above the limits are undefined behavior. They launch nothing. */
        if (counts_fit(s->count[i]))
            add_groups(d, s->count[i], draw_id, (uint32_t)payload);
    }
}

/* Runs the workgroups of a draw: of the task shader, if there is one, else of the mesh shader. */
static void draw_tasks(struct mesh_draw *d, const uint32_t count[3], uint32_t draw_id)
{
    const uint32_t total = (uint32_t)total_of(count);
    if (!d->task) {
        add_groups(d, count, draw_id, 0);
        return;
    }
    for (uint32_t done = 0; done < total && !d->failed; done += d->task_chunk)
        run_tasks(d, count, done, MIN2(d->task_chunk, total - done), draw_id);
}

/* ------------------------------------------------------------------------------- validation --- */

/* Creates the executable with the vertex shader for meshes. */
static struct gl_executable *make_vertex(struct gl_context *ctx, const nir_shader *mesh)
{
    return gl_executable_from_nir(
        gl_mesh_vertex_shader(mesh, ctx->screen->nir_options[SHADER_VERTEX]));
}

/* Returns the executable with the vertex shader for meshes, which the stage keeps. NULL: out of
 * memory. */
static struct gl_executable *vertex_of(struct gl_context *ctx, struct gl_stage *stage)
{
    if (!stage->mesh_vertex)
        stage->mesh_vertex = UTIL_ATTEMPT(make_vertex(ctx, stage->nir));
    return stage->mesh_vertex;
}

/* Makes the current programs draw ordinary vertices or, if vertex is not NULL, meshes. */
static void select_pipeline(struct gl_context *ctx, struct gl_executable *vertex)
{
    ctx->program.mesh_vertex = vertex;
    ctx->dirty |= GL_DIRTY_PROGRAM;
}

/* Returns whether the current program and state can draw meshes, or raises an error. */
static bool validate(struct mesh_draw *d)
{
    struct gl_context *ctx = d->ctx;
    const char *why = NULL;
    if (gl_transform_feedback_captures(ctx))
        why = "transform feedback is active";
    else if (ctx->framebuffer.draw->views > 1)
        why = "the framebuffer has several views";
    else if (d->mesh->undrawable || (d->task && d->task->undrawable))
        why = d->mesh->undrawable ? d->mesh->undrawable : d->task->undrawable;
    if (why) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", d->call, why);
        return false;
    }
    return gl_validate_draw(ctx, d->mesh->stage[SHADER_MESH]->nir->info.cs.mesh_output, d->call);
}

/* Starts a draw command. Returns false after raising an error; otherwise end() must follow. Clears
 * drv->stopped, so that it tells whether this command was stopped; end() restores it. */
static bool begin(struct mesh_draw *d, const char *call)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    *d = (struct mesh_draw){.ctx = ctx, .call = call};
    d->task = gl_stage_executable(ctx, SHADER_TASK);
    d->mesh = gl_stage_executable(ctx, SHADER_MESH);
    if (!d->mesh) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(there is no mesh shader)", call);
        return false;
    }
    struct gl_stage *stage = d->mesh->stage[SHADER_MESH];
    gl_mesh_layout_of(stage->nir, &d->layout);
    d->mesh_chunk = chunk_of(d->layout.stride);
    if (d->task) {
        d->task_stride = gl_task_stride(d->task->stage[SHADER_TASK]->nir);
        d->task_chunk = chunk_of(d->task_stride);
    }
    struct gl_executable *vertex = vertex_of(ctx, stage);
    if (!vertex || !allocate(d)) {
        out_of_memory(d);
        return false;
    }
    select_pipeline(ctx, vertex);
    if (!validate(d)) {
        select_pipeline(ctx, NULL);
        return false;
    }
    d->start = os_clock_thread();
    d->was_stopped = ctx->drv->stopped;
    ctx->drv->stopped = false;
    return true;
}

/* Draws the remaining workgroups, unless the command has failed, and ends it. */
static void end(struct mesh_draw *d)
{
    flush_groups(d);
    d->ctx->drv->stopped |= d->was_stopped;
    select_pipeline(d->ctx, NULL);
}

/* --------------------------------------------------------------------------------- commands --- */

void gl_DrawMeshTasksEXT(GLuint x, GLuint y, GLuint z)
{
    struct mesh_draw d;
    const uint32_t count[3] = {x, y, z};
    if (!begin(&d, "glDrawMeshTasksEXT"))
        return;
    if (!counts_fit(count))
        gl_error(d.ctx, GL_INVALID_VALUE, "%s(%u × %u × %u workgroups)", d.call, x, y, z);
    else if (d.ctx->render_mode == GL_RENDER)
        draw_tasks(&d, count, 0);
    end(&d);
}

/* Checks the parameters of an indirect draw, which reads at most `most` commands. Returns false
 * after raising an error. */
static bool check_indirect(struct gl_context *ctx, GLintptr indirect, GLsizei most, GLsizei stride,
                           const char *call)
{
    const GLsizei bytes = 3 * sizeof(GLuint);
    if (indirect < 0 || indirect % 4 || most <= 0 || stride % 4 || (stride && stride < bytes)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(indirect=%td, drawcount=%d, stride=%d)", call, indirect,
                 most, stride);
        return false;
    }
    const uint64_t step = (uint64_t)(stride ? stride : bytes);
    return gl_check_parameters(ctx, ctx->draw_indirect_buffer, (uint64_t)indirect,
                               (uint64_t)(most - 1) * step + (uint64_t)bytes, call);
}

/* Draws n commands in the indirect buffer; none if n is negative. The CPU reads them, as in
 * gl_draw_indirect.c. Counts above the limits are undefined behavior; such commands are skipped. */
static void draw_indirect(struct mesh_draw *d, GLintptr indirect, GLsizei n, GLsizei stride)
{
    const size_t step = stride ? (size_t)stride : 3 * sizeof(GLuint);
    for (GLsizei i = 0; i < n && !d->failed; i++) {
        uint32_t count[3];
        if (!gl_read_parameters(d->ctx, d->ctx->draw_indirect_buffer,
                                (size_t)indirect + (size_t)i * step, sizeof count, count, d->call))
            d->failed = true;
        else if (counts_fit(count) && d->ctx->render_mode == GL_RENDER)
            draw_tasks(d, count, (uint32_t)i);
    }
}

/* Implements the commands that draw n commands in the indirect buffer. */
static void multi_draw(GLintptr indirect, GLsizei n, GLsizei stride, const char *call)
{
    struct mesh_draw d;
    if (!begin(&d, call))
        return;
    if (check_indirect(d.ctx, indirect, n, stride, call))
        draw_indirect(&d, indirect, n, stride);
    end(&d);
}

void gl_DrawMeshTasksIndirectEXT(GLintptr indirect)
{
    multi_draw(indirect, 1, 0, "glDrawMeshTasksIndirectEXT");
}

void gl_MultiDrawMeshTasksIndirectEXT(GLintptr indirect, GLsizei drawcount, GLsizei stride)
{
    multi_draw(indirect, drawcount, stride, "glMultiDrawMeshTasksIndirectEXT");
}

void gl_MultiDrawMeshTasksIndirectCountEXT(GLintptr indirect, GLintptr drawcount,
                                           GLsizei maxdrawcount, GLsizei stride)
{
    struct mesh_draw d;
    uint32_t n = 0;
    const char *call = "glMultiDrawMeshTasksIndirectCountEXT";
    if (!begin(&d, call))
        return;
    if (drawcount < 0 || drawcount % 4)
        gl_error(d.ctx, GL_INVALID_VALUE, "%s(drawcount=%td)", call, drawcount);
    else if (check_indirect(d.ctx, indirect, maxdrawcount, stride, call) &&
             gl_check_parameters(d.ctx, d.ctx->parameter_buffer, (uint64_t)drawcount, sizeof n,
                                 call) &&
             gl_read_parameters(d.ctx, d.ctx->parameter_buffer, (uint64_t)drawcount, sizeof n, &n,
                                call))
        draw_indirect(&d, indirect, (GLsizei)MIN2(n, (uint32_t)maxdrawcount), stride);
    end(&d);
}
