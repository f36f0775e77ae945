/* SPDX-License-Identifier: MIT */
/* Compiles all stages of a program and writes an image of GPU memory that draws with them. */
#include "compile_image.h"

#include <inttypes.h>
#include <stdio.h>
#include <talloc.h>

#include "driver/i965/i965_compiler.h"
#include "image_build.h"
#include "nir/nir.h"
#include "util/memory.h"

/* Returns the kind of texture that an instruction samples, or -1 if images have none. */
static int texture_kind(const nir_tex_instr *tex)
{
    switch (tex->sampler_dim) {
    case GLSL_SAMPLER_DIM_1D:
        return tex->is_array ? I965_IMAGE_1D_ARRAY : I965_IMAGE_1D;
    case GLSL_SAMPLER_DIM_2D:
    case GLSL_SAMPLER_DIM_RECT:
        return tex->is_array ? I965_IMAGE_2D_ARRAY : I965_IMAGE_2D;
    case GLSL_SAMPLER_DIM_3D:
        return I965_IMAGE_3D;
    case GLSL_SAMPLER_DIM_CUBE:
        return tex->is_array ? I965_IMAGE_CUBE_ARRAY : I965_IMAGE_CUBE;
    case GLSL_SAMPLER_DIM_BUF:
        return I965_IMAGE_BUFFER;
    default:
        return -1;
    }
}

/* Stores the kinds of a stage's textures. Returns false after a message if one has none. */
static bool find_textures(const char *name, nir_shader *nir, uint8_t kinds[I965_IMAGE_MAX_TEXTURES])
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_tex)
                continue;
            const nir_tex_instr *tex = nir_instr_as_tex(instr);
            int kind = texture_kind(tex);
            if (kind < 0 || tex->texture_index >= I965_IMAGE_MAX_TEXTURES) {
                fprintf(stderr,
                        "%s: --image has no multisample textures, and at most %u textures\n", name,
                        I965_IMAGE_MAX_TEXTURES);
                return false;
            }
            kinds[tex->texture_index] = (uint8_t)kind;
        }
    }
    return true;
}

/* Compiles the stages. Returns false after a message if one does not compile. */
static bool compile_stages(void *mem_ctx, const char *name, const struct compile_arguments *args,
                           nir_shader *const stages[SHADER_STAGE_COUNT],
                           struct i965_image_options *options,
                           const struct i965_program *programs[SHADER_STAGE_COUNT])
{
    const struct i965_device *device = i965_device_by_name(args->device);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct i965_key key = {.max_width = args->width};
        const char *error = NULL;
        if (!stages[s])
            continue;
        i965_key_from_program(&key, stages, (enum shader_stage)s);
        nir_shader *nir = nir_shader_clone(NULL, stages[s]);
        programs[s] = i965_compile(mem_ctx, device, nir, &key, I965_COMPILE_VALIDATE, &error);
        bool ok = !programs[s] || find_textures(name, nir, options->textures[s]);
        nir_shader_destroy(nir);
        if (!ok)
            return false;
        if (!programs[s]) {
            fprintf(stderr, "%s: %s\n", name, error);
            return false;
        }
    }
    return true;
}

/* Writes a file. Returns false after a message if that fails. */
static bool write_image(const char *path, const struct i965_image *image)
{
    FILE *fp = fopen(path, "wb");
    bool ok = fp && fwrite(image->bytes, 1, image->size, fp) == image->size;
    ok = fp && fclose(fp) == 0 && ok;
    if (!ok)
        fprintf(stderr, "%s: cannot write\n", path);
    return ok;
}

/* Writes a line for each relocation: its offset, the address that stands there, and what it is. */
static bool write_relocations(const char *path, const struct i965_image *image)
{
    FILE *fp = fopen(path, "w");
    for (unsigned i = 0; fp && i < image->num_relocations; i++) {
        const struct i965_relocation *r = &image->relocations[i];
        uint64_t address;
        memcpy(&address, image->bytes + r->offset, sizeof address);
        fprintf(fp, "0x%08" PRIx32 " 0x%012" PRIx64 " %s\n", r->offset, address, r->what);
    }
    bool ok = fp && !ferror(fp);
    ok = fp && fclose(fp) == 0 && ok;
    if (!ok)
        fprintf(stderr, "%s: cannot write\n", path);
    return ok;
}

/* Does the work of compile_image() in an attempt. Sets *ended before it returns. */
static bool make_image(const char *name, nir_shader *const stages[SHADER_STAGE_COUNT],
                       const struct drv_stream_output *stream_output,
                       const struct compile_arguments *args, volatile bool *ended)
{
    const struct i965_program *programs[SHADER_STAGE_COUNT] = {NULL};
    struct i965_image image;
    char error[200] = "";
    void *mem_ctx = talloc_new(NULL);
    struct i965_image_options options = {
        .device = i965_device_by_name(args->device),
        .address = args->address,
        .width = args->image_size[0],
        .height = args->image_size[1],
        .vertices = args->vertices,
        .instances = args->instances,
        .groups = {1, 1, 1},
        .patch_vertices = 3,
        .depth = args->depth,
        .blend = args->blend,
        .stream_output = stream_output,
    };
    bool ok = compile_stages(mem_ctx, name, args, stages, &options, programs);
    if (ok && !programs[SHADER_COMPUTE] &&
        (!programs[SHADER_VERTEX] || !programs[SHADER_FRAGMENT])) {
        fprintf(stderr, "%s: --image needs a vertex and a fragment shader, or a compute shader\n",
                name);
        ok = false;
    }
    if (ok && !i965_image_build(mem_ctx, &options, programs, &image, error)) {
        fprintf(stderr, "%s: %s\n", name, error);
        ok = false;
    }
    ok = ok && write_image(args->image, &image);
    ok = ok && (!args->relocations || write_relocations(args->relocations, &image));
    if (ok && !programs[SHADER_COMPUTE])
        printf("%s: render target at offset 0x%" PRIx32 ", %ux%u RGBA8, %" PRIu32
               " bytes per row\n",
               args->image, image.target_offset, options.width, options.height, image.target_pitch);
    talloc_free(mem_ctx);
    *ended = true;
    return ok;
}

bool compile_image(const char *name, nir_shader *const stages[SHADER_STAGE_COUNT],
                   const struct drv_stream_output *stream_output,
                   const struct compile_arguments *args)
{
    volatile bool ended = false;
    bool ok = UTIL_ATTEMPT(make_image(name, stages, stream_output, args, &ended));
    if (!ended)
        fprintf(stderr, "%s: out of memory\n", name);
    return ok;
}
