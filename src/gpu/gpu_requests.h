/* SPDX-License-Identifier: MIT */
/* Handlers of requests (gpu_handler), and functions that they share. A handler is named after its
 * request: gpu_gem_close is for DRM_IOCTL_GEM_CLOSE, gpu_gem_busy for DRM_IOCTL_I915_GEM_BUSY. */
#ifndef GPU_REQUESTS_H
#define GPU_REQUESTS_H

#include <stdint.h>

struct gpu_file;

/* Returns the size of the system's memory in bytes. */
uint64_t gpu_memory_size(void);
/* Creates a buffer and stores its handle. *size: in bytes; rounded up to pages unless there is an
 * error. Returns 0 or a negative errno. Requires the device's lock. */
int gpu_create_handle(struct gpu_file *file, uint64_t *size, uint32_t *handle);

/* Frees the blobs that a file has created. Requires the device's lock. */
void gpu_kms_close(struct gpu_file *file);

/* DRM_IOCTL_MODE_CLOSEFB, which old headers lack. */
struct gpu_closefb {
    uint32_t fb_id, pad;
};
#define GPU_IOCTL_MODE_CLOSEFB DRM_IOWR(0xD0, struct gpu_closefb)

/* Declares the handler `name`. */
#define GPU_HANDLER(name) int name(struct gpu_file *file, void *data)

GPU_HANDLER(gpu_get_magic);
GPU_HANDLER(gpu_auth_magic);
GPU_HANDLER(gpu_set_master);
GPU_HANDLER(gpu_drop_master);
GPU_HANDLER(gpu_gem_close);
GPU_HANDLER(gpu_gem_flink);
GPU_HANDLER(gpu_gem_open);
GPU_HANDLER(gpu_prime_handle_to_fd);
GPU_HANDLER(gpu_prime_fd_to_handle);
GPU_HANDLER(gpu_dumb_map); /* DRM_IOCTL_MODE_MAP_DUMB */

GPU_HANDLER(gpu_mode_getresources);
GPU_HANDLER(gpu_mode_setcrtc);
GPU_HANDLER(gpu_mode_getcrtc);
GPU_HANDLER(gpu_mode_cursor);
GPU_HANDLER(gpu_mode_cursor2);
GPU_HANDLER(gpu_mode_setgamma);
GPU_HANDLER(gpu_mode_getencoder);
GPU_HANDLER(gpu_mode_getconnector);
GPU_HANDLER(gpu_mode_getplaneresources);
GPU_HANDLER(gpu_mode_getplane);
GPU_HANDLER(gpu_mode_setplane);
GPU_HANDLER(gpu_mode_addfb);
GPU_HANDLER(gpu_mode_addfb2);
GPU_HANDLER(gpu_mode_rmfb);
GPU_HANDLER(gpu_mode_closefb);
GPU_HANDLER(gpu_mode_getfb);
GPU_HANDLER(gpu_mode_getfb2);
GPU_HANDLER(gpu_mode_dirtyfb);
GPU_HANDLER(gpu_mode_page_flip);
GPU_HANDLER(gpu_mode_getproperty);
GPU_HANDLER(gpu_mode_setproperty);
GPU_HANDLER(gpu_mode_getpropblob);
GPU_HANDLER(gpu_mode_createpropblob);
GPU_HANDLER(gpu_mode_destroypropblob);
GPU_HANDLER(gpu_mode_obj_getproperties);
GPU_HANDLER(gpu_mode_obj_setproperty);
GPU_HANDLER(gpu_mode_atomic);
GPU_HANDLER(gpu_wait_vblank);
GPU_HANDLER(gpu_crtc_get_sequence);
GPU_HANDLER(gpu_crtc_queue_sequence);

GPU_HANDLER(gpu_syncobj_create);
GPU_HANDLER(gpu_syncobj_destroy);
GPU_HANDLER(gpu_syncobj_handle_to_fd);
GPU_HANDLER(gpu_syncobj_fd_to_handle);
GPU_HANDLER(gpu_syncobj_wait);
GPU_HANDLER(gpu_syncobj_reset);
GPU_HANDLER(gpu_syncobj_signal);
GPU_HANDLER(gpu_syncobj_timeline_wait);
GPU_HANDLER(gpu_syncobj_query);
GPU_HANDLER(gpu_syncobj_transfer);
GPU_HANDLER(gpu_syncobj_timeline_signal);

GPU_HANDLER(gpu_getparam);
GPU_HANDLER(gpu_query);
GPU_HANDLER(gpu_reg_read);
GPU_HANDLER(gpu_get_reset_stats);
GPU_HANDLER(gpu_gem_get_aperture);
GPU_HANDLER(gpu_gem_create);
GPU_HANDLER(gpu_gem_create_ext);
GPU_HANDLER(gpu_gem_userptr);
GPU_HANDLER(gpu_gem_pread);
GPU_HANDLER(gpu_gem_pwrite);
GPU_HANDLER(gpu_gem_mmap);
GPU_HANDLER(gpu_gem_mmap_offset);
GPU_HANDLER(gpu_gem_set_domain);
GPU_HANDLER(gpu_gem_sw_finish);
GPU_HANDLER(gpu_gem_set_tiling);
GPU_HANDLER(gpu_gem_get_tiling);
GPU_HANDLER(gpu_gem_set_caching);
GPU_HANDLER(gpu_gem_get_caching);
GPU_HANDLER(gpu_gem_madvise);
GPU_HANDLER(gpu_gem_busy);
GPU_HANDLER(gpu_gem_wait);
GPU_HANDLER(gpu_gem_execbuffer2);
GPU_HANDLER(gpu_gem_context_create); /* DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT */
GPU_HANDLER(gpu_gem_context_destroy);
GPU_HANDLER(gpu_gem_context_getparam);
GPU_HANDLER(gpu_gem_context_setparam);
GPU_HANDLER(gpu_gem_vm_create);
GPU_HANDLER(gpu_gem_vm_destroy);

#undef GPU_HANDLER

#endif
