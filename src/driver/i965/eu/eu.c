/* SPDX-License-Identifier: MIT */
/* Queries of the opcode and type tables. */
#include "driver/i965/eu.h"

#include "eu_tables.h"

unsigned eu_type_size(enum eu_type type)
{
    return (unsigned)type < EU_TYPE_COUNT ? eu_type_info[type].size : 0;
}

const char *eu_opcode_name(enum eu_opcode opcode)
{
    const char *name = (unsigned)opcode < 128 ? eu_opcode_info[opcode].name : NULL;
    return name ? name : "?";
}

bool eu_has_opcode(const struct i965_device *dev, enum eu_opcode opcode)
{
    return (unsigned)opcode < 128 && eu_opcode_info[opcode].name &&
           eu_opcode_info[opcode].code[dev->eu] != 0xff;
}

bool eu_has_math(const struct i965_device *dev, enum eu_math function)
{
    return (unsigned)function < 16 && eu_math_info[function].gens >> dev->eu & 1;
}

bool eu_has_type(const struct i965_device *dev, enum eu_type type)
{
    return (unsigned)type < EU_TYPE_COUNT && (eu_type_info[type].code[dev->eu].reg != 0xff ||
                                              eu_type_info[type].code[dev->eu].imm != 0xff);
}

unsigned eu_opcode_num_sources(enum eu_opcode opcode)
{
    return (unsigned)opcode < 128 ? eu_opcode_info[opcode].sources : 0;
}

bool eu_has_uip(enum eu_opcode opcode)
{
    return opcode == EU_OPCODE_IF || opcode == EU_OPCODE_ELSE || opcode == EU_OPCODE_BREAK ||
           opcode == EU_OPCODE_CONT || opcode == EU_OPCODE_HALT;
}
