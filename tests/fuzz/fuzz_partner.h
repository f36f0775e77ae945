/* SPDX-License-Identifier: MIT */
/*
 * Generates a partner for a shader's interface from its HIR: a fragment shader that reads the
 * shader's outputs, or a vertex shader that writes its inputs. Depending on a seed, some
 * declarations differ, to test mismatches in the linker.
 */
#ifndef FUZZ_PARTNER_H
#define FUZZ_PARTNER_H

#include "glsl/hir.h"
#include "util/strbuf.h"

struct fuzz_partner {
    struct strbuf text, code; /* declarations; body of main */
    uint32_t seed;
    bool writes; /* the partner is the vertex shader */
    unsigned version;
    const struct glsl_type *block; /* last block declared */
};

/* Returns a random number below range. */
static unsigned partner_random(struct fuzz_partner *p, unsigned range)
{
    p->seed = p->seed * 1664525 + 1013904223;
    return (p->seed >> 16) % range;
}

/* Returns the keyword that declares the partner's inputs or outputs. */
static const char *partner_qualifier(const struct fuzz_partner *p)
{
    return p->version < 130 ? "varying" : p->writes ? "out" : "in";
}

/* Emits code that uses one component: "v", "v[2].f.x", … */
static void partner_use(struct fuzz_partner *p, const char *name, const struct glsl_type *t)
{
    struct strbuf *sb = &p->code;
    struct strbuf path = STRBUF_INIT(sb->mem_ctx);
    strbuf_append(&path, name);
    for (unsigned depth = 0; depth < 8; depth++) {
        if (glsl_type_is_array(t) || glsl_type_is_matrix(t)) {
            strbuf_printf(&path, "[%u]", partner_random(p, MAX2(glsl_length_of(t), 1)));
            t = glsl_element_of(t);
        } else if (glsl_type_is_struct_or_ifc(t) && t->length) {
            unsigned f = partner_random(p, t->length);
            strbuf_printf(&path, ".%s", t->fields[f].name);
            t = t->fields[f].type;
        }
    }
    if (!glsl_type_is_vector_or_scalar(t))
        return;
    if (p->writes)
        strbuf_printf(sb, "%s = %s(1);\n", strbuf_str(&path), t->name);
    else
        strbuf_printf(sb, "x += float(%s%s);\n", strbuf_str(&path),
                      glsl_type_is_scalar(t) ? "" : ".x");
}

/* Emits a declaration "T name[2];", sometimes with another type. */
static void partner_declare(struct fuzz_partner *p, const char *name, const struct glsl_type *t)
{
    const struct glsl_type *base = glsl_without_array(t);
    strbuf_printf(&p->text, "%s %s", partner_random(p, 32) ? base->name : "vec2", name);
    for (; glsl_type_is_array(t); t = t->element)
        strbuf_printf(&p->text, "[%u]", t->length);
    strbuf_append(&p->text, ";\n");
}

/* Emits declarations of the structs that t's fields use, then head and t's fields in braces. */
static void partner_struct(struct fuzz_partner *p, const struct glsl_type *t, const char *head)
{
    for (unsigned i = 0; i < t->length; i++) {
        const struct glsl_type *field = glsl_without_array(t->fields[i].type);
        char text[200];
        snprintf(text, sizeof text, "struct %s", field->name);
        if (glsl_type_is_struct(field))
            partner_struct(p, field, text);
    }
    strbuf_printf(&p->text, "%s {\n", head);
    for (unsigned i = 0; i < t->length; i++)
        partner_declare(p, t->fields[i].name, t->fields[i].type);
    strbuf_append(&p->text, glsl_type_is_struct(t) ? "};\n" : "}");
}

/* Emits a declaration of a variable of type t, or of its block, and code that uses one component.
 * Omits some declarations at random. */
static void partner_variable(struct fuzz_partner *p, const struct hir_variable *var,
                             const struct glsl_type *t)
{
    const struct glsl_type *base = glsl_without_array(t);
    char head[200];
    if (var->interface_type == p->block && p->block && var->interface_field >= 0) {
        partner_use(p, var->name, t);
        return;
    }
    if (!partner_random(p, 16))
        return;
    snprintf(head, sizeof head, "struct %s", base->name);
    if (glsl_type_is_struct(base))
        partner_struct(p, base, head);
    if (var->explicit_location)
        strbuf_printf(&p->text, "layout(location = %d) ", var->location);
    if (glsl_type_contains(t, GLSL_TYPE_INT) || glsl_type_contains(t, GLSL_TYPE_UINT))
        strbuf_append(&p->text, "flat ");
    if (!var->interface_type) {
        strbuf_printf(&p->text, "%s ", partner_qualifier(p));
        partner_declare(p, var->name, t);
    } else {
        snprintf(head, sizeof head, "%s %s", partner_qualifier(p), var->interface_type->name);
        partner_struct(p, var->interface_type, head);
        strbuf_printf(&p->text, " %s", var->interface_field < 0 ? var->name : "");
        for (const struct glsl_type *a = t; glsl_type_is_array(a) && var->interface_field < 0;
             a = a->element)
            strbuf_printf(&p->text, "[%u]", a->length);
        strbuf_append(&p->text, ";\n");
        p->block = var->interface_type;
    }
    partner_use(p, var->name, t);
}

/* Generates and compiles the partner. Returns NULL if the shader has none. */
static struct glsl_shader *fuzz_partner(void *mem_ctx, const struct glsl_options *options,
                                        const struct glsl_shader *shader, uint32_t seed)
{
    struct fuzz_partner p = {.seed = seed, .version = shader->version};
    bool arrayed = shader->stage == SHADER_GEOMETRY || shader->stage == SHADER_TESS_CTRL;
    if (shader_stage_has_workgroups(shader->stage) || shader->stage == SHADER_TESS_EVAL)
        return NULL;
    p.writes = shader->stage != SHADER_VERTEX;
    p.text = (struct strbuf)STRBUF_INIT(mem_ctx);
    p.code = (struct strbuf)STRBUF_INIT(mem_ctx);
    strbuf_printf(&p.text, "#version %u%s\n", shader->version,
                  shader->es && shader->version >= 300 ? " es" : "");
    if (shader->es)
        strbuf_append(&p.text, "precision highp float;\n");
    list_for_each_entry (struct hir_node, node, &shader->hir->instructions, link) {
        const struct hir_variable *var = (const struct hir_variable *)node;
        if (node->kind != HIR_VARIABLE || var->builtin || var->patch ||
            var->mode != (p.writes ? HIR_VAR_SHADER_IN : HIR_VAR_SHADER_OUT))
            continue;
        bool element = arrayed && glsl_type_is_array(var->type);
        partner_variable(&p, var, element ? var->type->element : var->type);
    }
    bool output = !p.writes && shader->version >= 130;
    strbuf_printf(&p.text, "%svoid main() {\nfloat x = 0.0;\n%s%s = vec4(x);\n}\n",
                  output ? "out vec4 result;\n" : "", strbuf_str(&p.code),
                  output     ? "result"
                  : p.writes ? "gl_Position"
                             : "gl_FragColor");
    return glsl_compile(mem_ctx, options, p.writes ? SHADER_VERTEX : SHADER_FRAGMENT,
                        strbuf_str(&p.text), p.text.length);
}

#endif
