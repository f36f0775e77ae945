/* SPDX-License-Identifier: MIT */
/* Opens libxcb, libxcb-shm, libxcb-present, libxcb-randr and libX11-xcb once, for the life of the
 * process. */
#include "winsys/x11/ws_x11_xcb.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static struct ws_xcb_api ws_xcb_table;
static bool ws_xcb_ok;
static pthread_once_t ws_xcb_once = PTHREAD_ONCE_INIT;

struct ws_symbol {
    const char *name;
    size_t offset;
};

static const struct ws_symbol xcb_symbols[] = {
#define SYMBOL(name) {"xcb_" #name, offsetof(struct ws_xcb_api, name)},
    WS_XCB_FUNCTIONS(SYMBOL)
#undef SYMBOL
};

static const struct ws_symbol xcb_shm_symbols[] = {
#define SYMBOL(name) {"xcb_shm_" #name, offsetof(struct ws_xcb_api, shm.name)},
    WS_XCB_SHM_FUNCTIONS(SYMBOL)
#undef SYMBOL
        {"xcb_shm_id", offsetof(struct ws_xcb_api, shm.extension)},
};

static const struct ws_symbol xcb_present_symbols[] = {
#define SYMBOL(name) {"xcb_present_" #name, offsetof(struct ws_xcb_api, present.name)},
    WS_XCB_PRESENT_FUNCTIONS(SYMBOL)
#undef SYMBOL
        {"xcb_present_id", offsetof(struct ws_xcb_api, present.extension)},
};

static const struct ws_symbol xcb_randr_symbols[] = {
#define SYMBOL(name) {"xcb_randr_" #name, offsetof(struct ws_xcb_api, randr.name)},
    WS_XCB_RANDR_FUNCTIONS(SYMBOL)
#undef SYMBOL
        {"xcb_randr_id", offsetof(struct ws_xcb_api, randr.extension)},
};

static bool load_symbols(const char *library, const struct ws_symbol *symbols, size_t count)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);

    if (!handle)
        return false;
    for (size_t i = 0; i < count; i++) {
        void *p = dlsym(handle, symbols[i].name);

        if (!p)
            return false;
        memcpy((char *)&ws_xcb_table + symbols[i].offset, &p, sizeof p);
    }
    return true;
}

static void load(void)
{
    void *handle;

    ws_xcb_ok = load_symbols("libxcb.so.1", xcb_symbols, sizeof xcb_symbols / sizeof *xcb_symbols);
    if (!ws_xcb_ok)
        return;
    if (!load_symbols("libxcb-shm.so.0", xcb_shm_symbols,
                      sizeof xcb_shm_symbols / sizeof *xcb_shm_symbols))
        memset(&ws_xcb_table.shm, 0, sizeof ws_xcb_table.shm);
    if (!load_symbols("libxcb-present.so.0", xcb_present_symbols,
                      sizeof xcb_present_symbols / sizeof *xcb_present_symbols))
        memset(&ws_xcb_table.present, 0, sizeof ws_xcb_table.present);
    if (!load_symbols("libxcb-randr.so.0", xcb_randr_symbols,
                      sizeof xcb_randr_symbols / sizeof *xcb_randr_symbols))
        memset(&ws_xcb_table.randr, 0, sizeof ws_xcb_table.randr);
    handle = dlopen("libX11-xcb.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (handle) {
        void *p = dlsym(handle, "XGetXCBConnection");

        memcpy(&ws_xcb_table.get_xcb_connection, &p, sizeof p);
    }
}

const struct ws_xcb_api *ws_xcb_load(void)
{
    pthread_once(&ws_xcb_once, load);
    return ws_xcb_ok ? &ws_xcb_table : NULL;
}
