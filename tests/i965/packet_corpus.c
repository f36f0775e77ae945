/* SPDX-License-Identifier: MIT */
/*
 * Writes a batch of random packets to stdout, to compare decoders with.
 * usage: packet_corpus TARGET COUNT SEED
 * Each packet of the generation occurs equally often, except those that jump or end the batch.
 */
#include <stdio.h>
#include <stdlib.h>

#include "packet_random.h"

/* Returns whether a decoder continues with the next packet whatever the fields are. */
static bool is_plain(enum i965_layout_id id)
{
    return id != I965_MI_BATCH_BUFFER_START && id != I965_MI_BATCH_BUFFER_END &&
           id != I965_MI_CONDITIONAL_BATCH_BUFFER_END && id != I965_XY_COLOR_BLT &&
           id != I965_XY_SRC_COPY_BLT && id != I965_XY_FAST_COPY_BLT && id != I965_MI_FLUSH_DW;
}

int main(int argc, char **argv)
{
    enum i965_generation gen;
    if (argc != 4 || !i965_generation_by_target(argv[1], &gen)) {
        fprintf(stderr, "usage: packet_corpus TARGET COUNT SEED\n");
        return 2;
    }
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10), id = 0;
    uint32_t seed = (uint32_t)strtoul(argv[3], NULL, 10), dwords[I965_PACKET_MAX_DWORDS];
    for (unsigned written = 0; written < count; id = (id + 1) % I965_LAYOUT_COUNT) {
        if (!i965_layout_is_packet(id) || !i965_layout_exists(id, gen) || !is_plain(id))
            continue;
        unsigned length = packet_random(gen, id, &seed, dwords);
        if (fwrite(dwords, 4, length, stdout) != length)
            return 1;
        written++;
    }
    dwords[0] = 0x05000000;
    return fwrite(dwords, 4, 1, stdout) == 1 ? 0 : 1;
}
