/* SPDX-License-Identifier: MIT */
/*
 * The X libraries, opened on first use. Programs that never use X, for example with surfaceless EGL
 * in a container, therefore don't need them.
 */
#ifndef WS_X11_XCB_H
#define WS_X11_XCB_H

#include <stdbool.h>
#include <xcb/present.h>
#include <xcb/randr.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

/* The lists of the functions that are used. Each list applies the macro `f` to every name. */

/* Functions of libxcb, without the prefix xcb_. */
#define WS_XCB_FUNCTIONS(f)                                                                        \
    f(connect) f(disconnect) f(connection_has_error) f(get_setup) f(flush) f(generate_id)          \
        f(request_check) f(discard_reply) f(get_extension_data) f(get_maximum_request_length)      \
            f(setup_roots_iterator) f(screen_next) f(screen_allowed_depths_iterator) f(depth_next) \
                f(depth_visuals) f(depth_visuals_length) f(setup_pixmap_formats)                   \
                    f(setup_pixmap_formats_length) f(create_gc_checked) f(free_gc_checked)         \
                        f(put_image_checked) f(get_geometry) f(get_geometry_reply)                 \
                            f(get_window_attributes) f(get_window_attributes_reply) f(get_image)   \
                                f(get_image_reply) f(get_image_data) f(get_input_focus)            \
                                    f(poll_for_reply) f(get_input_focus_reply)                     \
                                        f(get_file_descriptor) f(register_for_special_xge)         \
                                            f(unregister_for_special_event)                        \
                                                f(poll_for_special_event)

/* Functions of libxcb-shm, without the prefix xcb_shm_. */
#define WS_XCB_SHM_FUNCTIONS(f)                                                                    \
    f(query_version) f(query_version_reply) f(attach_checked) f(detach_checked)                    \
        f(put_image_checked) f(get_image) f(get_image_reply)

/* Functions of libxcb-present, without the prefix xcb_present_. */
#define WS_XCB_PRESENT_FUNCTIONS(f)                                                                \
    f(query_version) f(query_version_reply) f(select_input_checked) f(notify_msc_checked)

/* Functions of libxcb-randr, without the prefix xcb_randr_. */
#define WS_XCB_RANDR_FUNCTIONS(f)                                                                  \
    f(query_version) f(query_version_reply) f(get_screen_resources_current)                        \
        f(get_screen_resources_current_reply) f(get_screen_resources_current_crtcs)                \
            f(get_screen_resources_current_crtcs_length) f(get_screen_resources_current_modes)     \
                f(get_screen_resources_current_modes_length) f(get_crtc_info)                      \
                    f(get_crtc_info_reply)

/* Pointers to the functions, for example xcb->flush for xcb_flush. */
struct ws_xcb_api {
#define MEMBER(name) __typeof__(&xcb_##name) name;
    WS_XCB_FUNCTIONS(MEMBER)
#undef MEMBER
    struct {
#define MEMBER(name) __typeof__(&xcb_shm_##name) name;
        WS_XCB_SHM_FUNCTIONS(MEMBER)
#undef MEMBER
        xcb_extension_t *extension;
    } shm; /* all NULL if libxcb-shm is missing */
    struct {
#define MEMBER(name) __typeof__(&xcb_present_##name) name;
        WS_XCB_PRESENT_FUNCTIONS(MEMBER)
#undef MEMBER
        xcb_extension_t *extension;
    } present; /* all NULL if libxcb-present is missing */
    struct {
#define MEMBER(name) __typeof__(&xcb_randr_##name) name;
        WS_XCB_RANDR_FUNCTIONS(MEMBER)
#undef MEMBER
        xcb_extension_t *extension;
    } randr; /* all NULL if libxcb-randr is missing */
    /* XGetXCBConnection of libX11-xcb; NULL if the library is missing. */
    xcb_connection_t *(*get_xcb_connection)(void *display);
};

/* Opens the libraries at the first call. Returns the functions, or NULL if libxcb cannot be opened.
 * Thread-safe. */
const struct ws_xcb_api *ws_xcb_load(void);

#endif
