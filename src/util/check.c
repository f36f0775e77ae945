/* SPDX-License-Identifier: MIT */
/* What a failed check prints. */
#include "util/check.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

void check_failed(const char *file, int line, const char *condition)
{
    fprintf(
        stderr,
        "indium: %s:%d: check failed: %s\n"
        "indium: This is a bug in Indium. Please report the line above, the program that ran, and "
        "what glGetString(GL_VERSION) says.\n",
        file, line, condition);
    check_abort();
}

void check_abort(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGABRT);
    signal(SIGABRT, SIG_DFL); /* the application's handler has returned */
    raise(SIGABRT);
    _exit(128 + SIGABRT);
}
