/* SPDX-License-Identifier: MIT */
/* Prints the fields of packets and structures in the manuals' terms. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "packet_layout.h"

static const char *value_name(const struct i965_field *f, uint64_t bits)
{
    for (unsigned i = 0; i < f->num_values; i++) {
        if (f->values[i].value == bits)
            return f->values[i].name;
    }
    return NULL;
}

static void print_value(const struct i965_field *f, const struct i965_place *at, uint64_t bits,
                        FILE *out)
{
    uint32_t word = (uint32_t)bits;
    int64_t number = (int64_t)bits;
    const char *name;
    float real;

    switch ((enum i965_field_kind)f->kind) {
    case I965_FIELD_BOOL:
        fputs(bits ? "true" : "false", out);
        break;
    case I965_FIELD_ENUM:
        name = value_name(f, bits);
        fprintf(out, name ? "%" PRIu64 " (%s)" : "%" PRIu64, bits, name);
        break;
    case I965_FIELD_ADDRESS:
        fprintf(out, "0x%08" PRIx64, bits << (at->start & 31));
        break;
    case I965_FIELD_FLOAT:
        memcpy(&real, &word, sizeof real);
        fprintf(out, "%g", (double)real);
        break;
    case I965_FIELD_INT:
    case I965_FIELD_SFIXED:
        if (bits >> (at->width - 1))
            number -= (int64_t)1 << at->width;
        fprintf(out, "%g", ldexp((double)number, -f->fraction));
        break;
    case I965_FIELD_UFIXED:
        fprintf(out, "%g", ldexp((double)number, -f->fraction));
        break;
    default:
        fprintf(out, "%" PRIu64, bits);
        break;
    }
}

/* Replaces "#" in a field's name by the element's index, or appends the index. */
static void print_name(const struct i965_field *f, unsigned element, unsigned indent, FILE *out)
{
    const char *mark = strchr(f->name, '#');
    if (f->count == 1)
        fprintf(out, "%*s%s: ", indent, "", f->name);
    else if (mark)
        fprintf(out, "%*s%.*s%u%s: ", indent, "", (int)(mark - f->name), f->name, element,
                mark + 1);
    else
        fprintf(out, "%*s%s[%u]: ", indent, "", f->name, element);
}

static void print_layout(enum i965_generation gen, const struct i965_layout *l,
                         const uint32_t *dwords, unsigned count, unsigned base, unsigned indent,
                         FILE *out)
{
    for (unsigned i = 0; i < l->num_fields; i++) {
        const struct i965_field *f = &l->fields[i];
        const struct i965_place *at = &f->at[gen];
        if (at->start < 0)
            continue;
        for (unsigned n = i965_field_elements(l, f, gen, count), e = 0; e < n; e++) {
            unsigned start = base + (unsigned)at->start + e * at->stride;
            if (start + at->width > count * 32)
                return;
            print_name(f, e, indent, out);
            if (f->kind == I965_FIELD_STRUCT) {
                fprintf(out, "%s\n", i965_layout(f->layout)->name);
                print_layout(gen, i965_layout(f->layout), dwords, count, start, indent + 4, out);
                continue;
            }
            print_value(f, at, i965_read_bits(dwords, start, at->width), out);
            fputc('\n', out);
        }
    }
}

void i965_print_fields(enum i965_generation gen, enum i965_layout_id id, const uint32_t *dwords,
                       unsigned count, unsigned indent, FILE *out)
{
    const struct i965_layout *l = i965_layout(id);
    struct i965_packet_error error;
    unsigned length = l->dwords[gen];
    if (!l->bits && count)
        length = i965_packet_length(id, dwords[0]);
    print_layout(gen, l, dwords, length < count ? length : count, 0, indent, out);
    if (!i965_check_packet(gen, id, dwords, count, &error))
        fprintf(out, "%*serror: %s\n", indent, "", error.text);
}
