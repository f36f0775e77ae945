/* SPDX-License-Identifier: MIT */
/* Selection of the driver named by INDIUM_DRIVER. */
#include "indium/driver.h"

#include "driver/i965/i965_screen.h"
#include "driver/noop/noop.h"
#include "util/log.h"
#include "util/macros.h"

static const struct {
    const char *name;
    struct drv_screen *(*create)(void);
} drivers[] = {
    {"cpu", cpu_screen_create},
    {"i965", i965_screen_create},
    {"noop", noop_screen_create},
};

struct drv_screen *drv_screen_create(const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(drivers); i++) {
        if (!strcmp(drivers[i].name, name))
            return drivers[i].create();
    }
    log_warning("no driver '%s'", name);
    for (unsigned i = 0; i < ARRAY_SIZE(drivers); i++) {
        struct drv_screen *screen = drivers[i].create();
        if (screen)
            return screen;
    }
    return NULL;
}
