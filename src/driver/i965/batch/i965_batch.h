/* SPDX-License-Identifier: MIT */
/*
 * Converts packets of the command stream and structures in memory between C structs and dwords, and
 * prints them in the manuals' terms. All functions use the tables in batch/tables, which have a
 * column for each generation. They are thread-safe and allocate nothing.
 * Source: Intel's PRMs, volume 2 ("Command Reference") of Broadwell to Tiger Lake.
 */
#ifndef I965_BATCH_H
#define I965_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "i965_packets.h"

/* Generations with a column in the tables. */
enum i965_generation {
    I965_GENERATION_8,
    I965_GENERATION_9,
    I965_GENERATION_11,
    I965_GENERATION_12,
    I965_GENERATION_COUNT,
};

/* Longest packet that can be packed, in dwords. */
#define I965_PACKET_MAX_DWORDS 272

/* An error message. It names the packet or structure, and the field or dword if one is at fault. */
struct i965_packet_error {
    char text[200];
};

/* Stores the generation of a target ("bdw", "skl", "icl", "tgl"). Returns false if the name is
 * unknown. */
bool i965_generation_by_target(const char *target, enum i965_generation *gen);

/* Returns the name of a packet or structure in the manuals' spelling, e.g. "3DSTATE_CLIP". */
const char *i965_layout_name(enum i965_layout_id id);

/* Returns whether the generation has the packet or structure. */
bool i965_layout_exists(enum i965_layout_id id, enum i965_generation gen);

/* Returns the length of a structure, or the minimum length of a packet, in dwords; 0 if the
 * generation lacks it. */
unsigned i965_layout_dwords(enum i965_layout_id id, enum i965_generation gen);

/* Returns whether the packet or structure has a field with that name (in the manuals' spelling) in
 * the generation. */
bool i965_field_exists(enum i965_layout_id id, const char *field, enum i965_generation gen);

/* Returns whether id is a packet. Structures have no opcode and no length field. */
bool i965_layout_is_packet(enum i965_layout_id id);

/*
 * Converts a C struct (struct i965_… with the name of the layout) to dwords. Fills in the opcode
 * and the length of a packet. Fields that the generation lacks must be zero. Fixed-point values are
 * rounded to the nearest representable value. Addresses may be in canonical form (bits 63 to 48
 * equal to bit 47). Fields that share bits are alternatives: if several of them are nonzero, they
 * must agree in the shared bits.
 * values: the C struct. dwords: memory for capacity dwords.
 * Returns the number of dwords, or 0 after storing an error; dwords is then undefined. It is an
 * error if the generation lacks id or a nonzero field, if a value is out of range or misaligned, if
 * an array has too many or too few elements, if alternatives disagree, or if capacity is too small.
 */
unsigned i965_pack(enum i965_generation gen, enum i965_layout_id id, const void *values,
                   uint32_t *dwords, unsigned capacity, struct i965_packet_error *error);

/*
 * Converts dwords to a C struct. Fields that the generation lacks become zero. A structure of 16
 * bits occupies the low half of a dword.
 * Returns false and stores an error if the generation lacks id, count is too small, the opcode or
 * length is wrong, or a bit of the first I965_PACKET_MAX_DWORDS dwords that belongs to no field is
 * set. In the last case, values is complete; in the others, it is zero.
 */
bool i965_unpack(enum i965_generation gen, enum i965_layout_id id, const uint32_t *dwords,
                 unsigned count, void *values, struct i965_packet_error *error);

/* Makes the checks of i965_unpack without converting. Returns false and stores an error if one
 * fails. */
bool i965_check_packet(enum i965_generation gen, enum i965_layout_id id, const uint32_t *dwords,
                       unsigned count, struct i965_packet_error *error);

/* Makes the checks of i965_unpack except the one for reserved bits. Returns false and stores an
 * error if one fails. */
bool i965_check_length(enum i965_generation gen, enum i965_layout_id id, const uint32_t *dwords,
                       unsigned count, struct i965_packet_error *error);

/* Finds the packet that starts with this dword, and stores its id in *id. Returns false if the
 * generation has no such packet. */
bool i965_find_packet(enum i965_generation gen, uint32_t dword, enum i965_layout_id *id);

/* Returns the length in dwords that the packet's first dword specifies; 1 if the packet has no
 * length field. */
unsigned i965_packet_length(enum i965_layout_id id, uint32_t dword);

/*
 * Prints each field as a line "Name: value", indented by `indent` spaces. Prints the fields of each
 * element of an array of structures as an indented list. Prints a line "error: …" if
 * i965_check_packet fails.
 */
void i965_print_fields(enum i965_generation gen, enum i965_layout_id id, const uint32_t *dwords,
                       unsigned count, unsigned indent, FILE *out);

#endif
