/* SPDX-License-Identifier: MIT */
/* Writing to files without the signals that end the process: SIGPIPE, if nobody reads the pipe, and
 * SIGXFSZ, if the file would exceed the size limit (setrlimit). */
#ifndef UTIL_WRITE_SIGNALS_H
#define UTIL_WRITE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Blocks both signals for the calling thread and stores its previous mask in *old. Returns false if
 * that is impossible; then the thread's mask is unchanged, and there is nothing to release. */
bool util_write_signals_hold(sigset_t *old);
/* Restores the mask *old. failed: a write has failed; the function first discards the signals that
 * the write may have raised. Signals that *old blocks stay pending. */
void util_write_signals_release(const sigset_t *old, bool failed);

/* Performs ftruncate(fd, size) without SIGXFSZ; the size limit applies to memfds, too. Returns
 * whether it succeeded, with errno set if not. */
bool util_set_file_size(int fd, off_t size);

#endif
