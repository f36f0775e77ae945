/* SPDX-License-Identifier: MIT */
/* Bit masks of shader stages, with short names for the tables of the GLSL and SPIR-V front ends. */
#ifndef STAGE_BITS_H
#define STAGE_BITS_H

#include "indium/shader_enums.h"

#define VS  (1 << SHADER_VERTEX)
#define TCS (1 << SHADER_TESS_CTRL)
#define TES (1 << SHADER_TESS_EVAL)
#define GS  (1 << SHADER_GEOMETRY)
#define FS  (1 << SHADER_FRAGMENT)
#define CS  (1 << SHADER_COMPUTE)
#define TS  (1 << SHADER_TASK)
#define MS  (1 << SHADER_MESH)
#define ANY (VS | TCS | TES | GS | FS | CS | TS | MS)

#endif
