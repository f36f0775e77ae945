/* SPDX-License-Identifier: MIT */
/* Semaphores (EXT_semaphore). */
#ifndef GL_SEMAPHORE_H
#define GL_SEMAPHORE_H

struct gl_shared;

/* Frees the semaphores and their names. Called when the share group is destroyed. */
void gl_semaphores_finish_shared(struct gl_shared *shared);

#endif
