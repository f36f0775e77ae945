/* SPDX-License-Identifier: MIT */
#include "driver/i965/eu.h"

unsigned eu_validate(const struct i965_device *dev, const uint8_t *bytes, size_t size, FILE *fp)
{
    struct eu_inst inst;
    char error[128];
    unsigned complaints = 0;

    for (size_t offset = 0, length; offset < size; offset += length) {
        length = eu_decode(dev, bytes, size, offset, &inst, error, sizeof error);
        if (length)
            continue;
        if (fp)
            fprintf(fp, "%s\n", error);
        return complaints + 1;
    }
    return complaints;
}
