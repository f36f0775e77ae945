/* SPDX-License-Identifier: MIT */
/*
 * Writes dumps. A dump is a header of eight 32-bit words: DUMP_MAGIC, the number of buffers, the
 * index of the buffer with the batch, the batch's offset and size in bytes, the execbuffer's flags,
 * the PCI id, and 0. For each buffer follow its address and size (64 bits each), its handle, its
 * flags and two zeros (32 bits each), and its bytes.
 */
#include "gpu/gpu_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_exec.h"

enum { DUMP_MAGIC = 0x35313969 };

static void write_buffer(FILE *file, const struct gpu_exec *exec, unsigned i)
{
    struct gpu_bo *bo = exec->buffers[i].bo;
    uint64_t place[2] = {exec->buffers[i].address, bo->size};
    uint32_t info[4] = {exec->objects[i].handle, (uint32_t)exec->objects[i].flags, 0, 0};

    fwrite(place, sizeof place, 1, file);
    fwrite(info, sizeof info, 1, file);
    for (uint64_t offset = 0; offset < bo->size; offset += GPU_PAGE) {
        uint8_t page[GPU_PAGE] = {0};

        gpu_bo_read(bo, offset, page, GPU_PAGE);
        fwrite(page, 1, GPU_PAGE, file);
    }
}

void gpu_dump(const struct gpu_exec *exec)
{
    static unsigned number;
    const char *directory = getenv("INDIUM_GPU_DUMP");
    uint32_t header[8] = {DUMP_MAGIC,
                          exec->count,
                          exec->batch,
                          exec->args->batch_start_offset,
                          (uint32_t)exec->batch_size,
                          (uint32_t)exec->args->flags,
                          gpu_get_chip()->pci_id,
                          0};
    char *name;
    FILE *file;

    if (!directory || asprintf(&name, "%s/%d-%05u.exec", directory, getpid(), number++) < 0)
        return;
    file = fopen(name, "wb");
    if (file) {
        fwrite(header, sizeof header, 1, file);
        for (unsigned i = 0; i < exec->count; i++)
            write_buffer(file, exec, i);
    }
    if (!file || ferror(file))
        fprintf(stderr, "indium gpu: cannot write %s\n", name);
    if (file)
        fclose(file);
    free(name);
}
