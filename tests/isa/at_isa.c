/* SPDX-License-Identifier: MIT */
/*
 * Runs a test at an instruction set level below the host's: at-isa LEVEL LANES PROGRAM [ARGUMENT…].
 * It sets INDIUM_ISA and INDIUM_LANES for the program. A level that the host lacks is a skip; so is
 * the host's own level, which the same test covers without at-isa.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/cpu_isa.h"

#define SKIPPED 77 /* meson's exit status of a skipped test */

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    const char *level = argv[1];
    unsigned isa = UTIL_ISA_SSE41;
    while (isa < UTIL_NUM_ISAS && strcmp(level, util_isa_name(isa)) != 0)
        isa++;
    if (isa == UTIL_NUM_ISAS) {
        fprintf(stderr, "no instruction set level is called %s\n", level);
        return 2;
    }
    if (isa >= util_cpu_host_isa()) {
        printf("the host has %s\n", util_isa_name(util_cpu_host_isa()));
        return SKIPPED;
    }
    setenv("INDIUM_ISA", level, 1);
    setenv("INDIUM_LANES", argv[2], 1);
    execv(argv[3], argv + 3);
    perror(argv[3]);
    return 2;
}
