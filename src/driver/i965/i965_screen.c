/* SPDX-License-Identifier: MIT */
/* The screen of the simulated device: a CPU driver screen with other shader stages. */
#include "driver/i965/i965_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "i965_driver.h"
#include "util/hash_table.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/options.h"
#include "util/memory.h"

/* INDIUM_SHADERS: writes the shader to <stage>-<hash>.nir, so that each distinct shader is written
 * once. */
static void write_shader(const struct nir_shader *nir)
{
    const char *folder = util_get_options()->shaders_dir;
    void *mem_ctx = folder && *folder ? talloc_new(NULL) : NULL;

    if (!mem_ctx)
        return;
    struct blob_bytes bytes = nir_serialize(mem_ctx, nir);
    char *path = talloc_asprintf(mem_ctx, "%s/%u-%08x.nir", folder, nir->info.stage,
                                 hash_data(bytes.data, bytes.size));
    FILE *fp = path ? fopen(path, "wb") : NULL;
    if (!fp || fwrite(bytes.data, 1, bytes.size, fp) != bytes.size)
        log_warning("i965: a shader cannot be written to %s", folder);
    if (fp)
        fclose(fp);
    talloc_free(mem_ctx);
}

static void *shader_create(const struct cpu_external *external, struct nir_shader *nir)
{
    const struct i965_screen *screen = (const struct i965_screen *)external;
    struct i965_shader *shader = calloc(1, sizeof *shader);

    if (!shader) {
        nir_shader_destroy(nir);
        return NULL;
    }
    write_shader(nir);
    shader->nir = nir;
    shader->dev = screen->dev;
    return shader;
}

static void shader_destroy(void *data)
{
    struct i965_shader *shader = data;

    nir_shader_destroy(shader->nir);
    free(shader);
}

static const struct cpu_external external = {
    .shader_create = shader_create,
    .shader_destroy = shader_destroy,
    .vs_create = i965_vs_create,
    .vs_destroy = i965_vs_destroy,
    .vs_run = i965_vs_run,
    .tcs_create = i965_tcs_create,
    .tcs_destroy = i965_stage_destroy,
    .tcs_run = i965_tcs_run,
    .tes_create = i965_tes_create,
    .tes_destroy = i965_stage_destroy,
    .tes_run = i965_tes_run,
    .gs_create = i965_gs_create,
    .gs_destroy = i965_stage_destroy,
    .gs_run = i965_gs_run,
    .cs_create = i965_cs_create,
    .cs_destroy = i965_stage_destroy,
    .cs_run = i965_cs_run,
    .fs_create = i965_fs_create,
    .fs_destroy = i965_fs_destroy,
    .fs_run = i965_fs_run,
};

static bool check_shader(struct drv_screen *base, const struct nir_shader *linked, char **error)
{
    static const char *const names[] = {
        [SHADER_VERTEX] = "vertex",
        [SHADER_TESS_CTRL] = "tessellation control",
        [SHADER_TESS_EVAL] = "tessellation evaluation",
        [SHADER_GEOMETRY] = "geometry",
        [SHADER_FRAGMENT] = "fragment",
        [SHADER_COMPUTE] = "compute",
    };
    const struct cpu_external *ours = ((struct cpu_screen *)base)->external;
    const struct i965_device *dev = ((const struct i965_screen *)ours)->dev;
    enum shader_stage stage = linked->info.stage;
    void *mem_ctx = talloc_new(NULL);
    nir_shader *nir = nir_shader_clone(mem_ctx, linked);
    const char *why = "out of memory";
    bool runs = (unsigned)stage >= ARRAY_SIZE(names) || !names[stage]; /* Runs in the CPU driver. */

    if (!runs && nir)
        runs = i965_compile(mem_ctx, dev, nir, &(struct i965_key){0}, 0, &why);
    *error = NULL;
    if (!runs && asprintf(error, "%s shader: %s", names[stage], why) < 0)
        *error = NULL;
    talloc_free(mem_ctx);
    return runs;
}

/* Typed messages do not support multisampling. The number of samples is limited by the device, not
 * by the simulation. */
static bool is_format_supported(struct drv_screen *base, enum drv_format format,
                                enum drv_target target, unsigned samples, unsigned bind)
{
    return !(bind & DRV_BIND_IMAGE && samples > 1) && samples <= base->caps.max_samples &&
           cpu_is_format_supported(base, format, target, samples, bind);
}

/* Returns the device that INDIUM_I965_TARGET names. */
static const struct i965_device *choose_device(void)
{
    const char *name = util_get_options()->i965_target;
    const struct i965_device *dev = i965_device_by_name(name && *name ? name : "skl"), *known;

    if (dev)
        return dev;
    log_warning("INDIUM_I965_TARGET=%s ignored: no such target. Targets are:", name);
    for (unsigned i = 0; (known = i965_device_by_index(i)); i++)
        log_warning("  %s", known->name);
    return i965_device_by_name("skl");
}

/* Takes back what the CPU driver can do but not the device's shaders. */
static void limit_caps(struct drv_caps *caps, const struct i965_device *dev)
{
    caps->subgroup_size = I965_SUBGROUP_SIZE;
    caps->max_samples = dev->max_samples;
    caps->framebuffer_fetch &= dev->has_target_reads;
    caps->zs_fetch &= dev->has_target_reads;
    /* Payloads have the barycentric coordinates of clipped primitives. */
    caps->barycentrics = false;
    caps->stencil_export &= dev->has_stencil_output;
    caps->half_floats = false; /* the compiler has no 16-bit accesses to memory */
    /* The size of a raw buffer has 31 bits: Width, Height and Depth of RENDER_SURFACE_STATE. */
    caps->max_buffer_size = INT32_MAX;
}

struct drv_screen *i965_screen_create(void)
{
    struct i965_screen *screen = calloc(1, sizeof *screen);

    if (!screen)
        return NULL;
    screen->external = external;
    screen->dev = choose_device();
    screen->cpu = cpu_screen_create_external(&screen->external);
    if (!screen->cpu) {
        free(screen);
        return NULL;
    }
    struct drv_screen *base = &screen->cpu->base;
    snprintf(screen->cpu->name, sizeof screen->cpu->name, "Indium i965 (%s, simulated)",
             screen->dev->name);
    base->device_id = 0x69393635; /* ASCII "i965". */
    screen->ops = *base->ops;
    screen->ops.check_shader = check_shader;
    screen->ops.is_format_supported = is_format_supported;
    base->ops = &screen->ops;
    limit_caps(&base->caps, screen->dev);
    for (unsigned stage = SHADER_VERTEX; stage <= SHADER_COMPUTE; stage++) {
        if (base->caps.stage[stage].supported)
            base->nir_options[stage] = screen->dev->nir_options;
    }
    return base;
}

/* ------------------------------------------------------------------------------- programs --- */

static struct i965_program *compile(const struct i965_device *dev, const struct nir_shader *nir,
                                    const struct i965_key *key)
{
    void *mem_ctx = talloc_new(NULL); /* For error messages. */
    nir_shader *clone = nir_shader_clone(mem_ctx, nir);
    const char *error = "out of memory";
    struct i965_program *program = NULL;

    if (clone)
        program = talloc_steal(NULL, i965_compile(mem_ctx, dev, clone, key, 0, &error));
    if (!program)
        log_warning("i965: a shader does not compile: %s", error);
    talloc_free(mem_ctx);
    return program;
}

bool i965_runnable_init(struct i965_runnable *r, const struct i965_device *dev,
                        const struct nir_shader *nir, const struct i965_key *key,
                        unsigned max_width)
{
    char text[160];

    *r = (struct i965_runnable){.program = UTIL_ATTEMPT(compile(dev, nir, key))};
    if (!r->program)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        const struct i965_kernel *k = &r->program->kernels[i];
        if (k->width && k->width <= max_width && (!r->kernel || k->width > r->kernel->width))
            r->kernel = k;
    }
    if (r->kernel)
        r->code = sim_program_create(dev, r->kernel->code, r->kernel->code_size, text, sizeof text);
    if (r->code)
        return true;
    log_warning("i965: a kernel cannot run: %s", r->kernel ? text : "no width that fits");
    i965_runnable_finish(r);
    return false;
}

void i965_runnable_finish(struct i965_runnable *r)
{
    sim_program_destroy(r->code);
    talloc_free(r->program);
    *r = (struct i965_runnable){0};
}

void *i965_stage_create(size_t size, struct cpu_screen *screen, const struct cpu_shader *shader,
                        const struct i965_key *compile, const struct cpu_units_key *units,
                        unsigned max_width)
{
    static const struct i965_key no_key;
    struct i965_shader *source = shader->external;
    struct i965_stage *stage = source->broken ? NULL : calloc(1, size);

    if (!stage)
        return NULL;
    source->broken = !i965_runnable_init(&stage->run, source->dev, source->nir,
                                         compile ? compile : &no_key, max_width);
    if (source->broken) {
        free(stage);
        return NULL;
    }
    stage->data = &stage->run.program->data;
    i965_samplers_init(&stage->samplers, screen->jit, shader->nir, units);
    return stage;
}

void i965_stage_destroy(void *variant)
{
    struct i965_stage *stage = variant;

    i965_samplers_finish(&stage->samplers);
    i965_runnable_finish(&stage->run);
    free(stage);
}
