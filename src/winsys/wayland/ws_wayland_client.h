/* SPDX-License-Identifier: MIT */
/*
 * libwayland-client, opened at run time. For each function and interface description in the lists
 * below, there is a pointer with the prefix ws_, for example ws_wl_display_connect. Inline
 * functions of the protocol headers use the names without prefix; ws_wayland.c redirects them by
 * macros.
 */
#ifndef WS_WAYLAND_CLIENT_H
#define WS_WAYLAND_CLIENT_H

#include <stdbool.h>
#include <wayland-client-core.h>

/* The lists of the functions and interface descriptions that are used. Each list applies the macro
 * `f` to every name. */
#define WS_WAYLAND_FUNCTIONS(f)                                                                    \
    f(wl_display_connect) f(wl_display_disconnect) f(wl_display_create_queue)                      \
        f(wl_display_dispatch_queue) f(wl_display_dispatch_queue_pending) f(wl_display_flush)      \
            f(wl_display_get_error) f(wl_display_get_fd) f(wl_display_roundtrip_queue)             \
                f(wl_event_queue_destroy) f(wl_proxy_create_wrapper) f(wl_proxy_wrapper_destroy)   \
                    f(wl_proxy_set_queue) f(wl_proxy_marshal_flags) f(wl_proxy_get_version)        \
                        f(wl_proxy_add_listener) f(wl_proxy_destroy)
#define WS_WAYLAND_INTERFACES(f)                                                                   \
    f(wl_registry_interface) f(wl_shm_interface) f(wl_shm_pool_interface) f(wl_buffer_interface)   \
        f(wl_callback_interface)

#define DECLARE_FUNCTION(name)  extern __typeof__(&name) ws_##name;
#define DECLARE_INTERFACE(name) extern const struct wl_interface *ws_##name;
WS_WAYLAND_FUNCTIONS(DECLARE_FUNCTION)
WS_WAYLAND_INTERFACES(DECLARE_INTERFACE)
#undef DECLARE_FUNCTION
#undef DECLARE_INTERFACE

/* Loads the library and sets the pointers. Returns false if the library is missing or older than
 * 1.20 (without wl_proxy_marshal_flags). Thread-safe. */
bool ws_wayland_load(void);

#endif
