/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes reading of entries of the cache on disk. If bit 0 of the first byte is set, the rest of
 * the input is the whole file. Otherwise the file is a valid entry with the rest as object code,
 * except for one changed byte.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit/jit_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char directory[] = "/tmp/indium-fuzz-XXXXXX", path[sizeof directory + 8];
static struct jit_engine engine;
static const struct jit_key key = {{5, 7}};

static void forget_directory(void)
{
    unlink(path);
    rmdir(directory);
}

/* Stores the bytes as object code by the cache's own function, which gives a valid entry. */
static void store(const uint8_t *data, size_t size)
{
    LLVMMemoryBufferRef object =
        LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)data, size, "fuzz");
    jit_cache_store(&engine, &key, object);
    LLVMDisposeMemoryBuffer(object);
}

static void load(void)
{
    LLVMMemoryBufferRef object = jit_cache_load(&engine, &key);
    if (!object)
        return;
    volatile size_t sum = 0;
    for (size_t i = 0; i < LLVMGetBufferSize(object); i++)
        sum += (uint8_t)LLVMGetBufferStart(object)[i];
    LLVMDisposeMemoryBuffer(object);
}

static bool write_at(const uint8_t *data, size_t size, off_t at, int flags)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0600);
    bool ok = fd >= 0 && pwrite(fd, data, size, at) == (ssize_t)size;
    if (fd >= 0)
        close(fd);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!engine.cache_path) {
        if (!mkdtemp(directory))
            abort();
        engine.cache_path = directory;
        snprintf(path, sizeof path, "%s/%03x", directory, (unsigned)key.bits[0]);
        atexit(forget_directory);
    }
    if (size < 4)
        return 0;
    if (data[0] & 1) { /* the input is the whole file */
        if (!write_at(data + 1, size - 1, 0, O_TRUNC))
            return 0;
    } else { /* a valid entry with one changed byte */
        struct stat st;
        store(data + 4, size - 4);
        if (stat(path, &st) || !write_at(data + 3, 1, (data[1] | data[2] << 8) % st.st_size, 0))
            return 0;
    }
    load();
    return 0;
}
