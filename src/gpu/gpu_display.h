/* SPDX-License-Identifier: MIT */
/*
 * The display: one CRTC with a primary plane and a cursor, and one connected connector. Changes of
 * its state take effect at a vertical blank, after the fences of the framebuffers. A thread does
 * that while there are changes. INDIUM_GPU_PICTURE names a PNG file that always contains what the
 * display shows; INDIUM_GPU_MODE=WIDTHxHEIGHT sets its size.
 *
 * All functions require the device's lock.
 */
#ifndef GPU_DISPLAY_H
#define GPU_DISPLAY_H

#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>
#include <stdbool.h>
#include <stdint.h>

struct gpu_fence;
struct gpu_file;
struct gpu_framebuffer;

/* Ids of the display's objects. */
enum {
    GPU_CRTC = 10,
    GPU_ENCODER = 20,
    GPU_CONNECTOR = 30,
    GPU_PRIMARY = 40,
    GPU_CURSOR = 41,
};

enum { GPU_PLANE_COUNT = 2, GPU_CURSOR_SIZE = 64 }; /* the cursor's most pixels in x and y */

struct gpu_plane_state {
    struct gpu_framebuffer *fb;                   /* a reference; NULL: the plane is off */
    uint32_t crtc;                                /* GPU_CRTC or 0 */
    int32_t x, y;                                 /* position on the display, in pixels */
    uint32_t width, height;                       /* size on the display */
    uint32_t src_x, src_y, src_width, src_height; /* part of the framebuffer, in 1/65536 pixels */
};

struct gpu_display_state {
    bool is_active, is_connected; /* of the CRTC; the connector belongs to the CRTC */
    bool has_mode;
    uint32_t mode_blob; /* of MODE_ID, or 0 */
    struct drm_mode_modeinfo mode;
    struct gpu_plane_state planes[GPU_PLANE_COUNT]; /* [0]: primary, [1]: cursor */
};

/* A change of the display's state. */
struct gpu_commit {
    struct gpu_file *file;          /* gets the event; NULL: none */
    uint64_t user_data;             /* of the event */
    struct gpu_display_state state; /* with references */
    struct gpu_fence *fence;        /* of the framebuffers, a reference */
    struct gpu_fence *out_fence;    /* signals when the change is complete; may be NULL */
};

/* Returns the mode of the display. */
const struct drm_mode_modeinfo *gpu_display_mode(void);
/* Returns the state that the last commit asked for. */
const struct gpu_display_state *gpu_display_get(void);

/* Copies a state with references. */
void gpu_display_state_copy(struct gpu_display_state *to, const struct gpu_display_state *from);
void gpu_display_state_finish(struct gpu_display_state *state);
/* Replaces a plane's framebuffer. fb may be NULL. */
void gpu_plane_set_fb(struct gpu_plane_state *plane, struct gpu_framebuffer *fb);
/* Returns 0, or a negative errno if the display can't show the state. */
int gpu_display_check(const struct gpu_display_state *state);

/* Commits a change, and takes the references of the commit. Waits until earlier changes and, if
 * wait is true, this one are complete. Returns 0, -EBUSY if an earlier change is not complete and
 * wait is false, or -ENOMEM. */
int gpu_display_commit(struct gpu_commit *commit, bool wait);
/* Updates the picture after drawing to the framebuffers that are shown. Returns 0 or -ENOMEM. */
int gpu_display_refresh(void);
/* Turns off the planes that show a framebuffer, and the CRTC if the primary plane does. */
void gpu_display_forget(struct gpu_framebuffer *fb);
/* Drops the events of a file that is closed. */
void gpu_display_close(struct gpu_file *file);

/* Returns the number of vertical blanks before a time in ns of CLOCK_MONOTONIC. */
uint64_t gpu_display_sequence(int64_t time);
/* Returns the time of a vertical blank. */
int64_t gpu_display_time(uint64_t sequence);
/* Sends an event to a file at a vertical blank. event: 32 bytes; its time and sequence are set.
 * Returns 0 or -ENOMEM. */
int gpu_display_send_at(struct gpu_file *file, uint64_t sequence, const void *event);

/* Called in the child of fork(), which has no thread. Drops changes and events. */
void gpu_display_after_fork(void);

#endif
