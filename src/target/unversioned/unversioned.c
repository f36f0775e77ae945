/* SPDX-License-Identifier: MIT */
/* A library without code: it only has a name (DT_SONAME) and depends on another library
 * (DT_NEEDED). ISO C requires a declaration. */
extern int unversioned_library;
