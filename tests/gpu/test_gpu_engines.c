/* SPDX-License-Identifier: MIT */
/* Engine maps: which engine runs a batch, and which state batches share. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gpu_client.h"

enum {
    MI_LOAD_REGISTER_IMM = 0x22 << 23 | 1,
    MI_STORE_REGISTER_MEM = 0x24 << 23 | 2,
    RENDER_GPR = 0x2600, /* the first general register of the render engine */
    DATA = 0x100000,     /* the address of the second buffer */
    BATCH = 0x200000,
};

#define XY_COLOR_BLT (2u << 29 | 0x50 << 22 | 3 << 20 | 5) /* all channels */

struct map {
    uint64_t extensions;
    struct i915_engine_class_instance engines[4];
};

/* Returns a context with the map of four engines. */
static uint32_t create_context(int fd, const struct map *map)
{
    struct drm_i915_gem_context_create_ext_setparam engines = {
        .base = {.name = I915_CONTEXT_CREATE_EXT_SETPARAM},
        .param = {.param = I915_CONTEXT_PARAM_ENGINES,
                  .size = sizeof *map,
                  .value = (uintptr_t)map},
    };
    struct drm_i915_gem_context_create_ext create = {
        .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
        .extensions = (uintptr_t)&engines,
    };

    do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create);
    return create.ctx_id;
}

/* Two slots with the render engine, the copy engine, and an empty slot. */
static uint32_t create_usual_context(int fd)
{
    return create_context(fd, &(struct map){.engines = {
                                                {I915_ENGINE_CLASS_RENDER, 0},
                                                {I915_ENGINE_CLASS_RENDER, 0},
                                                {I915_ENGINE_CLASS_COPY, 0},
                                                {(uint16_t)I915_ENGINE_CLASS_INVALID,
                                                 (uint16_t)I915_ENGINE_CLASS_INVALID_NONE},
                                            }});
}

/* Runs a batch at BATCH, which can access the buffer `data` at DATA, and waits for it. Returns 0 or
 * the error of the submission. */
static int run(int fd, uint32_t context, unsigned slot, uint32_t data, const uint32_t *dwords,
               unsigned count)
{
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.handle = data, .offset = DATA, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
        {.handle = create_batch(fd, dwords, count), .offset = BATCH, .flags = EXEC_OBJECT_PINNED},
    };
    int error = try_exec(fd, objects, 2, slot, context);

    if (!error)
        assert_int_equal(wait_for(fd, objects[1].handle), 0);
    close_buffer(fd, objects[1].handle);
    return error;
}

/* Stores a value in a register that batches don't reset. */
static void set_register(int fd, uint32_t context, unsigned slot, uint32_t data, uint32_t value)
{
    const uint32_t batch[] = {MI_LOAD_REGISTER_IMM, RENDER_GPR, value, MI_BATCH_BUFFER_END};

    assert_int_equal(run(fd, context, slot, data, batch, 4), 0);
}

static uint32_t get_register(int fd, uint32_t context, unsigned slot, uint32_t data)
{
    const uint32_t batch[] = {MI_STORE_REGISTER_MEM, RENDER_GPR, DATA, 0, MI_BATCH_BUFFER_END};

    assert_int_equal(run(fd, context, slot, data, batch, 5), 0);
    return read_dword(fd, data, 0);
}

/* Each slot of a map has its own state, even if two name the same engine. So has each context. */
static void test_state_of_slots(void **state)
{
    int fd = open_render();

    if (has_model(fd)) {
        uint32_t first = create_usual_context(fd), second = create_usual_context(fd);
        uint32_t data = create_buffer(fd, PAGE);

        set_register(fd, first, 0, data, 11);
        set_register(fd, first, 1, data, 22);
        set_register(fd, second, 0, data, 33);
        assert_int_equal(get_register(fd, first, 0, data), 11);
        assert_int_equal(get_register(fd, first, 1, data), 22);
        assert_int_equal(get_register(fd, second, 0, data), 33);
        assert_int_equal(get_register(fd, second, 1, data), 0);
    }
    close(fd);
}

/* Without a map, both numbers of the render engine select the same state. */
static void test_state_of_rings(void **state)
{
    int fd = open_render();

    if (has_model(fd)) {
        uint32_t data = create_buffer(fd, PAGE);

        set_register(fd, 0, I915_EXEC_DEFAULT, data, 44);
        assert_int_equal(get_register(fd, 0, I915_EXEC_RENDER, data), 44);
    }
    close(fd);
}

static uint32_t count_failed(int fd, uint32_t context)
{
    struct drm_i915_reset_stats stats = {.ctx_id = context};

    do_ioctl(fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats);
    return stats.batch_active;
}

/* The map decides which engine runs a batch, not the numbers of the rings: 2 is a video engine
 * among these, and 3 the copy engine. */
static void test_engine_of_slot(void **state)
{
    const uint32_t blit[] = {XY_COLOR_BLT, 3 << 24 | 0xf0 << 16 | 64, /* 32 bits, pitch 64 */
                             1 << 16 | 2,  2 << 16 | 4,               /* x 2 and 3, y 1 */
                             DATA,         0,
                             0xc01dbeef,   MI_BATCH_BUFFER_END};
    int fd = open_render();

    if (has_model(fd)) {
        uint32_t context = create_usual_context(fd), data = create_buffer(fd, PAGE);

        assert_int_equal(run(fd, context, 2, data, blit, 8), 0);
        assert_int_equal(count_failed(fd, context), 0);
        assert_int_equal(read_dword(fd, data, 64 + 4), 0);
        assert_int_equal(read_dword(fd, data, 64 + 8), 0xc01dbeef);
        assert_int_equal(read_dword(fd, data, 64 + 12), 0xc01dbeef);
        assert_int_equal(read_dword(fd, data, 64 + 16), 0);
        assert_int_equal(run(fd, context, 3, data, blit, 8), EINVAL); /* an empty slot */
        assert_int_equal(run(fd, context, 4, data, blit, 8), EINVAL);
        assert_int_equal(run(fd, context, 1, data, blit, 8), 0);
        assert_int_equal(count_failed(fd, context), 1); /* the render engine can't */
        assert_int_equal(run(fd, 0, I915_EXEC_BLT, data, blit, 8), 0);
        assert_int_equal(count_failed(fd, 0), 0);
    }
    close(fd);
}

const struct CMUnitTest engine_tests[] = {
    cmocka_unit_test(test_state_of_slots),
    cmocka_unit_test(test_state_of_rings),
    cmocka_unit_test(test_engine_of_slot),
    {0},
};
