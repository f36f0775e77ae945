/* SPDX-License-Identifier: MIT */
/* SANITIZED_ADDRESS and SANITIZED_THREAD are 1 if gcc or clang compiles the code with
 * AddressSanitizer or ThreadSanitizer, respectively, and 0 otherwise. */
#ifndef UTIL_SANITIZE_H
#define UTIL_SANITIZE_H

#ifdef __has_feature
#define SANITIZED_ADDRESS __has_feature(address_sanitizer)
#define SANITIZED_THREAD  __has_feature(thread_sanitizer)
#else
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED_ADDRESS 1
#else
#define SANITIZED_ADDRESS 0
#endif
#ifdef __SANITIZE_THREAD__
#define SANITIZED_THREAD 1
#else
#define SANITIZED_THREAD 0
#endif
#endif

#endif
