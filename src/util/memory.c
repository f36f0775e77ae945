/* SPDX-License-Identifier: MIT */
#include "util/memory.h"

#include <stddef.h>

#include <talloc.h>

static _Thread_local struct util_attempt *current __attribute__((tls_model("initial-exec")));

bool util_attempt_begin(struct util_attempt *attempt)
{
    attempt->outer = current;
    current = NULL; /* a failure here must not abort the outer attempt */
    attempt->made = talloc_new(NULL);
    current = attempt->made ? attempt : attempt->outer;
    return attempt->made;
}

static void note_child(const void *context, int depth, int max_depth, int is_reference, void *child)
{
    if (depth == 1)
        *(const void **)child = context;
}

void util_attempt_end(struct util_attempt *attempt)
{
    const void *child;
    current = attempt->outer;
    do {
        child = NULL;
        talloc_report_depth_cb(attempt->made, 0, 1, note_child, &child);
        if (child)
            (void)talloc_steal(util_attempt_root(), (void *)child);
    } while (child);
    talloc_free(attempt->made);
}

void util_out_of_memory(void)
{
    struct util_attempt *attempt = current;
    if (!attempt)
        return;
    current = attempt->outer;
    talloc_free(attempt->made);
    longjmp(attempt->start, 1);
}

struct util_attempt *util_attempt_suspend(void)
{
    struct util_attempt *attempt = current;
    current = NULL;
    return attempt;
}

void util_attempt_resume(struct util_attempt *attempt)
{
    current = attempt;
}

void util_attempt_keep(void *context)
{
    struct util_attempt *attempt = util_attempt_suspend();
    (void)talloc_steal(NULL, context);
    util_attempt_resume(attempt);
}

void *util_attempt_root(void)
{
    return current ? current->made : NULL;
}
