/* SPDX-License-Identifier: MIT */
/* What a failed check prints. */
#include "util/check.h"

#include <stdio.h>
#include <stdlib.h>

void check_failed(const char *file, int line, const char *condition)
{
    fprintf(
        stderr,
        "indium: %s:%d: check failed: %s\n"
        "indium: This is a bug in Indium. Please report the line above, the program that ran, and "
        "what glGetString(GL_VERSION) says.\n",
        file, line, condition);
    abort();
}
