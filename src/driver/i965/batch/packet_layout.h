/* SPDX-License-Identifier: MIT */
/* Descriptions of packets and structures that pack, unpack and print share. Private to batch/. */
#ifndef PACKET_LAYOUT_H
#define PACKET_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "i965_batch.h"

/* How the bits of a field are interpreted. */
enum i965_field_kind {
    I965_FIELD_BOOL,
    I965_FIELD_UINT,
    I965_FIELD_INT, /* Two's complement. */
    I965_FIELD_ENUM,
    /* Bits of an address, from bit i965_place.start % 32 on. The address's lower bits are 0. */
    I965_FIELD_ADDRESS,
    I965_FIELD_FLOAT,
    I965_FIELD_UFIXED,
    I965_FIELD_SFIXED, /* Two's complement. */
    I965_FIELD_STRUCT,
};

/* A named value of an I965_FIELD_ENUM. */
struct i965_enum_value {
    unsigned value;
    const char *name;
};

/* Position of a field in one generation. */
struct i965_place {
    /* Index of the first bit in the packet or structure; -1: the generation lacks the field. */
    int16_t start;
    uint16_t width;  /* Bits. */
    uint16_t stride; /* Bits from one array element to the next. */
};

/* A field of a packet or structure, in all generations. */
struct i965_field {
    const char *name;
    uint8_t kind;          /* enum i965_field_kind */
    uint8_t fraction;      /* Fraction bits of a fixed-point field. */
    bool variable;         /* Array with as many elements as the packet's length allows. */
    uint16_t count;        /* Array elements (variable: at most), 1 for a single value. */
    uint16_t offset;       /* Offset of the member in the C struct, in bytes. */
    uint16_t size;         /* Size of one element of the member, in bytes. */
    uint16_t count_offset; /* variable: offset of the member num_…, in bytes. */
    uint16_t layout;       /* I965_FIELD_STRUCT: enum i965_layout_id of the elements. */
    const struct i965_enum_value *values; /* I965_FIELD_ENUM: num_values named values. */
    uint16_t num_values;
    struct i965_place at[I965_GENERATION_COUNT];
};

/* A packet or structure, in all generations. Static and constant. */
struct i965_layout {
    const char *name;
    uint32_t opcode, mask; /* A packet starts with (dword & mask) == opcode; 0 for a structure. */
    uint8_t length_bits; /* Width of the length in dword 0; 0: packet of one dword, or structure. */
    uint8_t unit;        /* Step of a variable length in dwords; 0: the length is fixed. */
    /* Length in dwords, the minimum if it is variable; 0: the generation lacks the packet. */
    uint8_t dwords[I965_GENERATION_COUNT];
    uint16_t bits;        /* Size of a structure; 0 for a packet. */
    uint16_t struct_size; /* Bytes of the C struct. */
    const struct i965_field *fields;
    uint16_t num_fields;
};

/* Returns the description of a packet or structure. */
const struct i965_layout *i965_layout(enum i965_layout_id id);

/* Returns the number of elements of a field in a packet or structure of `dwords` dwords:
 * i965_field.count, or for a variable array the number of elements that fit if it is less. */
unsigned i965_field_elements(const struct i965_layout *l, const struct i965_field *f,
                             enum i965_generation gen, unsigned dwords);

/* Reads bits start to start + width - 1 (width 1 to 64) of dwords. */
uint64_t i965_read_bits(const uint32_t *dwords, unsigned start, unsigned width);

/* Sets the bits of `mask`, an array of `dwords` dwords, that belong to any field of the packet or
 * structure l, which starts at bit `base` of `mask`. */
void i965_cover_bits(uint32_t *mask, unsigned dwords, const struct i965_layout *l,
                     enum i965_generation gen, unsigned base);

#endif
