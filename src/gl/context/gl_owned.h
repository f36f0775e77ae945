/* SPDX-License-Identifier: MIT */
/*
 * Driver objects created by one context for an object that a group shares: shader variants and
 * sampler views. Only the creating context may delete them, so another context that destroys the
 * shared object queues them for it. The lists are guarded by gl_shared.mutex.
 */
#ifndef GL_OWNED_H
#define GL_OWNED_H

#include "indium/driver.h"
#include "util/list.h"

struct gl_context;

struct gl_owned {
    struct list_head node;  /* link in the owner's list */
    struct gl_context *ctx; /* owner; NULL after that context was destroyed */
    bool is_shader;
    enum shader_stage stage; /* for shaders only */
    void *object;            /* the driver's object */
};

/* Part of each context. */
struct gl_owned_state {
    /* dead: malloc'ed copies of released objects, still to be deleted */
    struct list_head live, dead;
};

void gl_owned_init(struct gl_context *ctx);
/* Deletes all driver objects of the context. The gl_owned structs remain in the shared objects,
 * with ctx NULL. */
void gl_owned_finish(struct gl_context *ctx);
/* Registers a driver object that ctx has created. */
void gl_owned_add(struct gl_context *ctx, struct gl_owned *owned);
/* Releases the driver object, from whatever context is current: deletes it, or queues it for its
 * owner. The caller may free `owned` afterwards. */
void gl_owned_release(struct gl_context *current, struct gl_owned *owned);
/* Deletes objects that other contexts have released. */
void gl_owned_delete_released(struct gl_context *ctx);

#endif
