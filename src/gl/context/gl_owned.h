/* SPDX-License-Identifier: MIT */
/*
 * Ownership of driver objects by contexts. A context creates driver objects for objects of the
 * share group: shader variants for programs, and sampler views for textures. Only that context, the
 * owner, may delete them. If another context destroys the shared object, it queues the driver
 * objects, and the owner deletes them later. The lists are guarded by gl_shared.mutex, which these
 * functions take.
 */
#ifndef GL_OWNED_H
#define GL_OWNED_H

#include "indium/driver.h"
#include "util/list.h"

struct gl_context;

/* A driver object. The struct is part of the shared object or allocated by it. */
struct gl_owned {
    struct list_head node;   /* link in a list of the owner's gl_owned_state */
    struct gl_context *ctx;  /* owner; NULL: none yet, released, or the owner was destroyed */
    bool is_shader;          /* true: a shader; false: a sampler view */
    enum shader_stage stage; /* for shaders only */
    void *object;            /* the driver's object; NULL: none */
};

/* Lists of the driver objects that a context owns. */
struct gl_owned_state {
    /* live: objects in use. dead: malloc'ed copies of gl_owned structs that other contexts have
     * released; their driver objects are still to be deleted. */
    struct list_head live, dead;
};

/* Initializes the lists of a context. */
void gl_owned_init(struct gl_context *ctx);
/* Deletes all driver objects of the context. The gl_owned structs in shared objects remain, with
 * ctx and object set to NULL. */
void gl_owned_finish(struct gl_context *ctx);
/* Makes ctx the owner of a driver object. The caller has set is_shader, stage and object. */
void gl_owned_add(struct gl_context *ctx, struct gl_owned *owned);
/* Releases the driver object: deletes it if `current` is its owner, otherwise queues it for the
 * owner. If there is no memory to queue it, the driver object is leaked. Does nothing if `owned`
 * has no owner. `current` is the calling thread's context. The caller may free `owned`
 * afterwards. */
void gl_owned_release(struct gl_context *current, struct gl_owned *owned);
/* Deletes ctx's driver objects that other contexts have released. */
void gl_owned_delete_released(struct gl_context *ctx);

#endif
