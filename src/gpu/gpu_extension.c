/* SPDX-License-Identifier: MIT */
/* Reads chains of extensions. A chain may be circular, so its length is limited. */
#include "gpu/gpu_extension.h"

#include <errno.h>
#include <libdrm/i915_drm.h>

#include "gpu/gpu_user.h"

enum { MAX_EXTENSIONS = 512 };

int gpu_for_each_extension(uint64_t address, const gpu_extension_handler *handlers, unsigned count,
                           void *data)
{
    for (unsigned i = 0; address; i++) {
        struct i915_user_extension extension;
        int error;

        if (i == MAX_EXTENSIONS)
            return -E2BIG;
        if (gpu_read_user(&extension, address, sizeof extension) != 0)
            return -EFAULT;
        if (extension.flags || extension.rsvd[0] || extension.rsvd[1] || extension.rsvd[2] ||
            extension.rsvd[3])
            return -EINVAL;
        if (extension.name >= count || !handlers[extension.name])
            return -EINVAL;
        error = handlers[extension.name](data, address);
        if (error)
            return error;
        address = extension.next_extension;
    }
    return 0;
}
