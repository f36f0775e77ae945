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

void util_attempt_end(struct util_attempt *attempt)
{
    current = attempt->outer;
    talloc_move_children(util_attempt_root(), attempt->made);
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
    talloc_steal(NULL, context);
    util_attempt_resume(attempt);
}

void *util_attempt_root(void)
{
    return current ? current->made : NULL;
}
