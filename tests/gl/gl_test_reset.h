/* SPDX-License-Identifier: MIT */
/* Contexts that are lost by a reset (KHR_robustness). A test needs a new one after each reset. */
#ifndef GL_TEST_RESET_H
#define GL_TEST_RESET_H

#include "gl_test.h"

/* Creates a robust context in the share group of `share` (NULL: a new group). */
static inline struct gl_context *gl_test_robust_context(struct gl_context *share)
{
    enum gl_create_error error;
    const struct gl_context_attribs attribs = {.api = GL_API_COMPAT,
                                               .major = 1,
                                               .visual = &visual,
                                               .share = share,
                                               .reset = GL_RESET_LOSE_CONTEXT};
    struct gl_context *made = core->context_create(&attribs, &error);
    assert_non_null(made);
    return made;
}

/* Destroys *context, replaces it by a new robust context and makes that current. */
static inline void gl_test_replace_context(struct gl_context **context)
{
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(*context);
    *context = gl_test_robust_context(NULL);
    assert_true(core->make_current(*context, drawable, drawable));
}

/* Like gl_test_setup, for a robust compatibility context, which it stores in *context instead of
 * *state. The value of *state is not valid afterwards. */
static inline int gl_test_setup_robust(void **state, struct gl_context **context,
                                       const struct gl_test_window *window)
{
    if (gl_test_setup(state, GL_API_COMPAT, window))
        return -1;
    *context = *state;
    gl_test_replace_context(context);
    return 0;
}

#endif
