/* SPDX-License-Identifier: MIT */
/*
 * The display: one CRTC with a primary plane and a cursor, and one connected connector. Changes of
 * its state take effect at a vertical blank, after the framebuffers' fences have signaled. A thread
 * applies the changes and sends events. It runs only while changes or events are pending.
 * INDIUM_GPU_PICTURE names a PNG file that always contains what the display shows.
 * INDIUM_GPU_MODE=WIDTHxHEIGHT sets the size of the display in pixels, at most 8192 each. By
 * default, or if the text is invalid, the size is 1024x768.
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
    GPU_PRIMARY = 40, /* the primary plane */
    GPU_CURSOR = 41,  /* the cursor plane */
};

/* GPU_CURSOR_SIZE: largest width and height of the cursor, in pixels. */
enum { GPU_PLANE_COUNT = 2, GPU_CURSOR_SIZE = 64 };

struct gpu_plane_state {
    struct gpu_framebuffer *fb;                   /* a reference; NULL: the plane is off */
    uint32_t crtc;                                /* GPU_CRTC or 0 */
    int32_t x, y;                                 /* position on the display, in pixels */
    uint32_t width, height;                       /* size on the display, in pixels */
    uint32_t src_x, src_y, src_width, src_height; /* part of the framebuffer, in 1/65536 pixels */
};

struct gpu_display_state {
    /* is_active: property ACTIVE of the CRTC. is_connected: the connector is attached to the
     * CRTC. */
    bool is_active, is_connected;
    bool has_mode;      /* `mode` is set */
    uint32_t mode_blob; /* value of the property MODE_ID, or 0 */
    struct drm_mode_modeinfo mode;
    struct gpu_plane_state planes[GPU_PLANE_COUNT]; /* [0]: primary, [1]: cursor */
};

/* A change of the display's state. */
struct gpu_commit {
    struct gpu_file *file;          /* gets DRM_EVENT_FLIP_COMPLETE; NULL: no event */
    uint64_t user_data;             /* copied to the event */
    struct gpu_display_state state; /* with references */
    struct gpu_fence *fence;        /* a reference; the change takes effect after it signals */
    struct gpu_fence *out_fence;    /* a reference; signals after the change; may be NULL */
};

/* Returns the only mode that the connector lists. A program may set another one. */
const struct drm_mode_modeinfo *gpu_display_mode(void);
/* Returns the state that the last commit asked for, without framebuffers that gpu_display_forget
 * has turned off since. Each commit changes the state that the pointer refers to. */
const struct gpu_display_state *gpu_display_get(void);

/* Copies a state to *to, which is overwritten, and takes new references to its framebuffers. */
void gpu_display_state_copy(struct gpu_display_state *to, const struct gpu_display_state *from);
/* Drops the references to the framebuffers and clears the state. */
void gpu_display_state_finish(struct gpu_display_state *state);
/* Replaces a plane's framebuffer: takes a new reference to fb, which may be NULL, and drops the one
 * to the old framebuffer. Leaves the other members unchanged. */
void gpu_plane_set_fb(struct gpu_plane_state *plane, struct gpu_framebuffer *fb);
/* Returns 0, or a negative errno if the display can't show the state. */
int gpu_display_check(const struct gpu_display_state *state);

/* Commits a change. wait: waits until an earlier change and this one are complete, releasing the
 * lock. Otherwise returns at once. Copies the commit and takes over its references, except after an
 * error. Returns 0, -EBUSY if an earlier change is not complete and wait is false, or -ENOMEM. */
int gpu_display_commit(struct gpu_commit *commit, bool wait);
/* Writes the picture after the program has drawn to framebuffers that are shown. Does nothing while
 * a change is pending, which writes it later. Releases the lock meanwhile. Returns 0. */
int gpu_display_refresh(void);
/* Turns off the planes that show a framebuffer, and the CRTC if the primary plane does. Doesn't
 * change a pending commit or the picture. */
void gpu_display_forget(struct gpu_framebuffer *fb);
/* Drops the pending events of a file that is closed. */
void gpu_display_close(struct gpu_file *file);

/* Returns the sequence number of the last vertical blank at or before a time in ns of
 * CLOCK_MONOTONIC. */
uint64_t gpu_display_sequence(int64_t time);
/* Returns the time of the vertical blank with a sequence number, in ns of CLOCK_MONOTONIC. */
int64_t gpu_display_time(uint64_t sequence);
/* Sends an event to a file at a vertical blank. event: a struct drm_event_vblank or
 * drm_event_crtc_sequence (32 bytes), which is copied; the time and the sequence are filled in when
 * it is sent. Returns 0 or -ENOMEM. */
int gpu_display_send_at(struct gpu_file *file, uint64_t sequence, const void *event);

/* Called in the child of fork(), which lacks the display's thread. Drops changes and events. */
void gpu_display_after_fork(void);

#endif
