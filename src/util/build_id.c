/* SPDX-License-Identifier: MIT */
#include "util/build_id.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include "util/hash_table.h"

bool util_build_id(uint64_t *id)
{
    Dl_info info;
    struct stat own;
    static const char here[1];
    if (!dladdr(here, &info) || !info.dli_fname || stat(info.dli_fname, &own))
        return false;
    const struct {
        uint64_t size, seconds, nanoseconds, inode;
    } identity = {own.st_size, own.st_mtim.tv_sec, own.st_mtim.tv_nsec, own.st_ino};
    *id = hash_data64(&identity, sizeof identity);
    return true;
}
