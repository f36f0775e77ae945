/* SPDX-License-Identifier: MIT */
/*
 * Sparse buffers (ARB_sparse_buffer). The data store is a reservation of address space, whose pages
 * the system allocates on first use. Committing pages is therefore free. Decommitting them returns
 * their memory to the system, after the GL has stopped using them. Uncommitted pages read as 0
 * until something is written to them.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"

/* Readable bytes past the end of the data store, which drivers may load. */
#define PADDING 4096

static void release(struct drv_memory *memory)
{
    munmap(memory->data, memory->size + PADDING);
    free(memory);
}

struct drv_memory *gl_sparse_memory_create(GLsizeiptr size)
{
    uint64_t bytes = ALIGN_POT((uint64_t)size, GL_SPARSE_BUFFER_PAGE_BYTES);
    struct drv_memory *memory = malloc(sizeof *memory);
    void *data = memory ? mmap(NULL, bytes + PADDING, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                        : MAP_FAILED;
    if (data == MAP_FAILED) {
        free(memory);
        return NULL;
    }
    *memory = (struct drv_memory){1, data, bytes, release};
    return memory;
}

void gl_buffer_page_commitment(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                               GLsizeiptr size, GLboolean commit, const char *call)
{
    const GLsizeiptr page = GL_SPARSE_BUFFER_PAGE_BYTES;
    struct drv_transfer *t;
    if (!b->sparse) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(buffer %u is not sparse)", call, b->name);
        return;
    }
    if (!gl_check_buffer_range(ctx, b, offset, size, call))
        return;
    if (offset % page || (size % page && offset + size != b->size)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%td, size=%td, pages of %td bytes)", call,
                 offset, size, page);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (commit || !size)
        return;
    if (!gl_buffer_map_internal(ctx, b, offset, size, DRV_MAP_READ | DRV_MAP_WRITE, &t)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    (void)!madvise(b->sparse->data + offset, ALIGN_POT(size, page), MADV_DONTNEED);
    gl_buffer_unmap_internal(ctx, t);
}
