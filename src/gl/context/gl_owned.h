/* SPDX-License-Identifier: MIT */
/*
 * Driver objects that one context has made for an object which others share: shader variants and
 * sampler views. Only that context may delete them, so whoever destroys the shared object hands
 * them back. Lists are guarded by the share group's mutex.
 */
#ifndef GL_OWNED_H
#define GL_OWNED_H

#include "indium/driver.h"
#include "util/list.h"

struct gl_context;

struct gl_owned {
    struct list_head node;  /* in the owner's list */
    struct gl_context *ctx; /* NULL once that context is gone */
    bool is_shader;
    enum shader_stage stage; /* of shaders */
    void *object;            /* the driver's */
};

struct gl_owned_state {          /* in each context */
    struct list_head live, dead; /* dead ones: malloc'ed copies to delete */
};

void gl_owned_init(struct gl_context *ctx);
/* Deletes all driver objects; the shared objects keep their gl_owned with ctx NULL. */
void gl_owned_finish(struct gl_context *ctx);
void gl_owned_add(struct gl_context *ctx, struct gl_owned *owned);
/* The shared object lets go of it, in whatever context is current; owned may be freed afterwards. */
void gl_owned_release(struct gl_context *current, struct gl_owned *owned);
/* Deletes what others handed back. */
void gl_owned_reap(struct gl_context *ctx);

#endif
