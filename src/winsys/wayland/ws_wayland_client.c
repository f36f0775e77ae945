/* SPDX-License-Identifier: MIT */
#include "winsys/wayland/ws_wayland_client.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define DEFINE_FUNCTION(name)  __typeof__(&name) ws_##name;
#define DEFINE_INTERFACE(name) const struct wl_interface *ws_##name;
WS_WAYLAND_FUNCTIONS(DEFINE_FUNCTION)
WS_WAYLAND_INTERFACES(DEFINE_INTERFACE)

static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const struct {
        const char *name;
        void *pointer;
    } symbols[] = {
#define SYMBOL(name) {#name, &ws_##name},
        WS_WAYLAND_FUNCTIONS(SYMBOL) WS_WAYLAND_INTERFACES(SYMBOL)};
    void *library = dlopen("libwayland-client.so.0", RTLD_LAZY | RTLD_LOCAL);

    for (size_t i = 0; library && i < sizeof symbols / sizeof *symbols; i++) {
        void *found = dlsym(library, symbols[i].name);

        if (!found)
            return;
        memcpy(symbols[i].pointer, &found, sizeof found);
    }
    loaded = library != NULL;
}

bool ws_wayland_load(void)
{
    pthread_once(&once, load);
    return loaded;
}
