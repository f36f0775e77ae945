/* SPDX-License-Identifier: MIT */
/*
 * Cache of kernels' object code on disk. A kernel's key is a hash of everything that its code
 * depends on: NIR, target, and build of this library (util/build_id.h). The key's low bits select
 * one of SLOTS files, whose header contains the whole key. Colliding entries replace each other,
 * which bounds the size of the cache. A reader rejects damaged files and files that others may have
 * written. If the application provides a cache (util/blob_cache.h), it replaces the files; its
 * values are like files.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL /* avoids a dependency on the shared library */
#include <xxhash.h>
#include <zstd.h>

#include <talloc.h>

#include "jit/jit_private.h"
#include "util/blob_cache.h"
#include "util/build_id.h"
#include "util/new_file.h"
#include "util/options.h"

#define SLOTS    4096
#define MAX_FILE (16u << 20) /* bytes of object code */

/* Header of a file; the zstd-compressed object code follows. */
struct header {
    char magic[8];
    struct jit_key key;
    uint32_t object_size, packed_size;
    uint64_t checksum; /* checksum of the packed bytes */
};

static const char magic[8] = "indium1";

/* Creates the directory and its parents. */
static bool make_directory(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        int failed = mkdir(path, 0700) && errno != EEXIST;
        *p = '/';
        if (failed)
            return false;
    }
    return !mkdir(path, 0700) || errno == EEXIST;
}

void jit_cache_init(struct jit_engine *engine)
{
    unsigned bypass = DEBUG_NO_CACHE | DEBUG_VALIDATE | DEBUG_NIR | DEBUG_LLVM | DEBUG_ASM |
                      DEBUG_FATAL | DEBUG_INTERPRET;
    const char *named = util_get_options()->cache_dir;
    char *path = named ? talloc_strdup(engine, named) : NULL;

    engine->cacheable = !(util_get_options()->debug & bypass) && util_build_id(&engine->cache_seed);
    if (!engine->cacheable || !path || !make_directory(path))
        return;
    struct stat st;
    if (stat(path, &st) || st.st_uid != geteuid() || st.st_mode & 022)
        return;
    engine->cache_path = path;
}

bool jit_cache_find_key(struct jit_engine *engine, const nir_shader *nir, struct jit_key *key)
{
    void *mem_ctx = talloc_new(NULL);
    struct blob_bytes bytes = nir_serialize(mem_ctx, nir);
    XXH3_state_t *state = XXH3_createState();
    if (state && bytes.data) {
        XXH3_128bits_reset_withSeed(state, engine->cache_seed);
        XXH3_128bits_update(state, engine->cpu, strlen(engine->cpu) + 1);
        XXH3_128bits_update(state, engine->features, strlen(engine->features) + 1);
        XXH3_128bits_update(state, &engine->lanes, sizeof engine->lanes);
        XXH3_128bits_update(state, bytes.data, bytes.size);
        XXH128_hash_t hash = XXH3_128bits_digest(state);
        key->bits[0] = hash.low64;
        key->bits[1] = hash.high64;
    }
    bool found = state && bytes.data;
    XXH3_freeState(state);
    talloc_free(mem_ctx);
    return found;
}

static void name_slot(char name[4], const struct jit_key *key)
{
    static_assert(SLOTS == 4096, "three digits");
    snprintf(name, 4, "%03x", (unsigned)(key->bits[0] % SLOTS));
}

static bool read_all(int fd, void *data, size_t size)
{
    for (uint8_t *p = data; size;) {
        ssize_t n = read(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

/* Returns whether a header is that of an entry of `size` bytes for the key. */
static bool header_valid(const struct header *h, const struct jit_key *key, uint64_t size)
{
    return !memcmp(h->magic, magic, sizeof magic) && !memcmp(&h->key, key, sizeof *key) &&
           h->object_size <= MAX_FILE && size == sizeof *h + (uint64_t)h->packed_size;
}

/* Returns the object code of an entry, or NULL if it is damaged. */
static LLVMMemoryBufferRef unpack(const struct header *h, const void *packed)
{
    LLVMMemoryBufferRef buffer = NULL;
    /* malloc rather than talloc, which might leave the attempt while the file is open */
    char *object = malloc(h->object_size);

    if (object && XXH3_64bits(packed, h->packed_size) == h->checksum &&
        ZSTD_decompress(object, h->object_size, packed, h->packed_size) == h->object_size)
        buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(object, h->object_size, "kernel");
    free(object);
    return buffer;
}

static LLVMMemoryBufferRef read_object(int fd, const struct jit_key *key)
{
    struct header h;
    struct stat st;
    LLVMMemoryBufferRef buffer = NULL;

    if (fstat(fd, &st) || st.st_uid != geteuid() || st.st_mode & 022 ||
        !read_all(fd, &h, sizeof h) || !header_valid(&h, key, (uint64_t)st.st_size))
        return NULL;
    void *packed = malloc(h.packed_size);
    if (packed && read_all(fd, packed, h.packed_size))
        buffer = unpack(&h, packed);
    free(packed);
    return buffer;
}

/* Loads an entry of the application's cache. */
static LLVMMemoryBufferRef load_blob(const struct jit_key *key)
{
    LLVMMemoryBufferRef buffer = NULL;
    struct header h;
    size_t size;
    char *value =
        util_blob_cache_load(key, sizeof *key, sizeof h + ZSTD_compressBound(MAX_FILE), &size);

    if (value && size >= sizeof h) {
        memcpy(&h, value, sizeof h);
        if (header_valid(&h, key, size))
            buffer = unpack(&h, value + sizeof h);
    }
    free(value);
    return buffer;
}

LLVMMemoryBufferRef jit_cache_load(struct jit_engine *engine, const struct jit_key *key)
{
    if (engine->cacheable && util_blob_cache_exists())
        return load_blob(key);
    if (!engine->cache_path)
        return NULL;
    char name[4];
    name_slot(name, key);
    char *path = talloc_asprintf(NULL, "%s/%s", engine->cache_path, name);
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    LLVMMemoryBufferRef object = NULL;

    if (fd >= 0) {
        object = read_object(fd, key);
        close(fd);
    }
    talloc_free(path);
    return object;
}

bool jit_cache_store(struct jit_engine *engine, const struct jit_key *key,
                     LLVMMemoryBufferRef object)
{
    size_t size = LLVMGetBufferSize(object), bound = ZSTD_compressBound(size);
    const bool blobs = engine->cacheable && util_blob_cache_exists();
    char *entry = (blobs || engine->cache_path) && size <= MAX_FILE
                      ? talloc_size(NULL, sizeof(struct header) + bound)
                      : NULL;
    if (!entry)
        return false;
    void *packed = entry + sizeof(struct header);
    size_t packed_size = ZSTD_compress(packed, bound, LLVMGetBufferStart(object), size, 1);
    bool stored = false;
    if (!ZSTD_isError(packed_size)) {
        struct header h = {
            .key = *key,
            .object_size = (uint32_t)size,
            .packed_size = (uint32_t)packed_size,
            .checksum = XXH3_64bits(packed, packed_size),
        };
        memcpy(h.magic, magic, sizeof magic);
        memcpy(entry, &h, sizeof h);
        if (blobs) {
            util_blob_cache_store(key, sizeof *key, entry, sizeof h + packed_size);
            stored = true;
        } else {
            const struct iovec pieces[] = {{entry, sizeof h + packed_size}};
            char name[4];
            name_slot(name, key);
            stored = util_new_file(engine->cache_path, name, pieces, ARRAY_SIZE(pieces), true);
        }
    }
    talloc_free(entry);
    return stored;
}
