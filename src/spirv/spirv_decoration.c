/* SPDX-License-Identifier: MIT */
/* Decorations of ids and of struct members, direct or through groups (SPIR-V §3.3.4, §3.20). */
#include "spirv/spirv_private.h"

#define MAX_DECORATIONS (1u << 20) /* bounds what nested groups can create */

static void add(struct spv *p, struct spv_value *v, int member, SpvDecoration decoration,
                const uint32_t *operands, unsigned count)
{
    spv_fail_if(p, ++p->num_decorations > MAX_DECORATIONS, "too many decorations");
    struct spv_decoration *d = spv_alloc(p, sizeof *d);
    *d = (struct spv_decoration){
        .next = v->decorations,
        .member = member,
        .decoration = decoration,
        .offset = p->at.offset,
        .count = count,
        .operands = operands,
    };
    v->decorations = d;
}

static void add_group(struct spv *p, uint32_t group, uint32_t target, int member)
{
    struct spv_value *g = spv_id(p, group);
    spv_fail_if(p, g->kind != SPV_GROUP, "id %u is not a decoration group", group);
    spv_fail_if(p, group == target, "a decoration group cannot decorate itself");
    for (const struct spv_decoration *d = g->decorations; d; d = d->next)
        add(p, spv_id(p, target), member, d->decoration, d->operands, d->count);
}

void spv_decorate(struct spv *p, const struct spv_instr *in)
{
    const uint32_t *w = in->w;
    switch (in->op) {
    case SpvOpDecorate:
        add(p, spv_id(p, w[1]), -1, w[2], w + 3, in->count - 3);
        break;
    case SpvOpMemberDecorate:
        spv_fail_if(p, w[2] > INT32_MAX, "member index %u is out of range", w[2]);
        add(p, spv_id(p, w[1]), (int)w[2], w[3], w + 4, in->count - 4);
        break;
    case SpvOpDecorationGroup:
        spv_define(p, w[1], SPV_GROUP);
        break;
    case SpvOpGroupDecorate:
        for (unsigned i = 2; i < in->count; i++)
            add_group(p, w[1], w[i], -1);
        break;
    case SpvOpGroupMemberDecorate:
        for (unsigned i = 2; i + 1 < in->count; i += 2) {
            spv_fail_if(p, w[i + 1] > INT32_MAX, "member index %u is out of range", w[i + 1]);
            add_group(p, w[1], w[i], (int)w[i + 1]);
        }
        break;
    default: /* string decorations have no effect */
        break;
    }
}

void spv_sort_decorations(struct spv *p, struct spv_value *v, unsigned length)
{
    v->members = spv_alloc(p, (length + 1) * sizeof *v->members);
    struct spv_decoration **link = &v->decorations;
    while (*link) {
        struct spv_decoration *d = *link;
        spv_fail_if(p, d->member >= (int)length, "decorated member %d does not exist", d->member);
        if (d->member < 0) {
            link = &d->next;
            continue;
        }
        *link = d->next;
        d->next = v->members[d->member];
        v->members[d->member] = d;
    }
}

const struct spv_decoration *spv_find_decoration(const struct spv_value *v, int member,
                                                 SpvDecoration decoration)
{
    const struct spv_decoration *list =
        member >= 0 && v->members ? v->members[member] : v->decorations;
    for (const struct spv_decoration *d = list; d; d = d->next) {
        if (d->member == member && d->decoration == decoration)
            return d;
    }
    return NULL;
}

bool spv_has_decoration(const struct spv_value *v, int member, SpvDecoration decoration)
{
    return spv_find_decoration(v, member, decoration);
}

uint32_t spv_decoration_value(const struct spv_value *v, int member, SpvDecoration decoration,
                              uint32_t otherwise)
{
    const struct spv_decoration *d = spv_find_decoration(v, member, decoration);
    return d && d->count ? d->operands[0] : otherwise;
}
