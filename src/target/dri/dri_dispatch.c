/* SPDX-License-Identifier: MIT */
/*
 * Mesa's loaders give programs gl* functions that jump through the thread's dispatch table in
 * libglapi.so.0. This file fills one table by name, once. Its entries are the core's functions,
 * which find the thread's context themselves.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "target/dri/dri_private.h"

static void (*set_dispatch)(void *table);
static void *table; /* function pointers; NULL if there is no libglapi */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Returns our function for a libglapi name, which lacks the "gl" prefix. */
static void (*find(const char *name))(void)
{
    char full[128];

    if (!name || snprintf(full, sizeof full, "gl%s", name) >= (int)sizeof full)
        return NULL;
    return indium_core_interface()->get_proc_address(full);
}

static void build(void)
{
    /* the loader's library, wherever it is; never unloaded because it references our table */
    void *library = dlopen("libglapi.so.0", RTLD_LAZY | RTLD_NODELETE);
    unsigned (*get_size)(void) = library ? dlsym(library, "_glapi_get_dispatch_table_size") : NULL;
    const char *(*get_name)(unsigned) = library ? dlsym(library, "_glapi_get_proc_name") : NULL;
    void *(*new_table)(unsigned) = library ? dlsym(library, "_glapi_new_nop_table") : NULL;
    void (**slots)(void);

    set_dispatch = library ? (void (*)(void *))dlsym(library, "_glapi_set_dispatch") : NULL;
    if (!get_size || !get_name || !new_table || !set_dispatch)
        return;
    slots = new_table(get_size());
    for (unsigned i = 0; slots && i < get_size(); i++) {
        void (*function)(void) = find(get_name(i));

        if (function)
            slots[i] = function;
    }
    table = slots;
}

void dri_dispatch(bool ours)
{
    pthread_once(&once, build);
    if (table)
        set_dispatch(ours ? table : NULL);
}
