/* SPDX-License-Identifier: MIT */
/*
 * A library to preload, with which dlopen doesn't find the library that the environment variable
 * NO_LIBRARY names, as if it weren't installed.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char message[256];
static _Thread_local int failed;

void *dlopen(const char *name, int flags)
{
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    const char *missing = getenv("NO_LIBRARY");

    failed = name && missing && strcmp(name, missing) == 0;
    return failed ? NULL : next(name, flags);
}

char *dlerror(void)
{
    char *(*next)(void) = (char *(*)(void))dlsym(RTLD_NEXT, "dlerror");

    if (!failed)
        return next();
    failed = 0;
    snprintf(message, sizeof message,
             "%.64s: cannot open shared object file: No such file or directory",
             getenv("NO_LIBRARY"));
    return message;
}
