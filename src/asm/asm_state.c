/* SPDX-License-Identifier: MIT */
/* Resolves dotted paths to attributes, results, state and parameters (tables X.1 to X.3 of
 * ARB_vertex_program and of ARB_fragment_program). */
#include <string.h>

#include "asm/asm_parser.h"
#include "nir/nir_state_tokens.h"

/* ----------------------------------------------------------------------------------- cursor --- */

struct cursor {
    struct asm_parser *p;
    const struct asm_step *step; /* next component; NULL: end of the path */
    unsigned at;                 /* byte offset of the last component consumed */
};

/* Consumes the next component if it is `word`. */
static bool accept(struct cursor *c, const char *word)
{
    if (!c->step || strcmp(c->step->word, word))
        return false;
    c->at = c->step->at;
    c->step = c->step->next;
    return true;
}

static bool fail(struct cursor *c, const char *what)
{
    asm_fail(c->p, c->step ? c->step->at : c->at, "invalid %s", what);
    return false;
}

/* Stores in *n the index of a consumed component, which must be below limit. If it is optional, it
 * defaults to 0. */
static bool index_of(struct cursor *c, const struct asm_step *step, bool optional, unsigned limit,
                     unsigned *n)
{
    *n = 0;
    if (step->index == ASM_INDEX_NONE && optional)
        return true;
    if (step->index != ASM_INDEX_CONST) {
        asm_fail(c->p, step->at, "%s requires an index", step->word);
        return false;
    }
    if (step->low >= limit) {
        asm_fail(c->p, step->at, "%s: index %lld is out of range (limit %u)", step->word,
                 (long long)step->low, limit);
        return false;
    }
    *n = step->low;
    return true;
}

static bool no_index(struct cursor *c, const struct asm_step *step)
{
    if (step->index != ASM_INDEX_NONE)
        asm_fail(c->p, step->at, "%s does not take an index", step->word);
    return step->index == ASM_INDEX_NONE;
}

struct word_value {
    const char *word;
    int value;
};

/* Consumes one of the words of a list, without an index, and returns its value; returns -1 if none
 * matches. */
static int choose(struct cursor *c, const struct word_value *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct asm_step *step = c->step;
        if (accept(c, list[i].word))
            return no_index(c, step) ? list[i].value : -1;
    }
    return -1;
}
#define CHOOSE(c, list) choose(c, list, ARRAY_SIZE(list))

/* ---------------------------------------------------------------------- attributes, results --- */

static bool color_type(struct cursor *c)
{
    if (accept(c, "secondary"))
        return true;
    accept(c, "primary");
    return false;
}

static int vertex_attrib(struct cursor *c)
{
    const struct asm_limits *l = &c->p->options->limits;
    const struct asm_step *step = c->step;
    unsigned n;
    if (accept(c, "position"))
        return no_index(c, step) ? VERT_ATTRIB_POS : -1;
    if (accept(c, "normal"))
        return no_index(c, step) ? VERT_ATTRIB_NORMAL : -1;
    if (accept(c, "fogcoord"))
        return no_index(c, step) ? VERT_ATTRIB_FOG : -1;
    if (accept(c, "color"))
        return !no_index(c, step) ? -1 : color_type(c) ? VERT_ATTRIB_COLOR1 : VERT_ATTRIB_COLOR0;
    if (accept(c, "texcoord"))
        return index_of(c, step, true, l->texture_coords, &n) ? (int)VERT_ATTRIB_TEX(n) : -1;
    if (accept(c, "attrib"))
        return index_of(c, step, false, l->vertex_attribs, &n) ? (int)VERT_ATTRIB_GENERIC(n) : -1;
    fail(c, "vertex attribute");
    return -1;
}

static int fragment_attrib(struct cursor *c)
{
    const struct asm_step *step = c->step;
    unsigned n;
    if (accept(c, "color"))
        return !no_index(c, step) ? -1 : color_type(c) ? VARYING_SLOT_COL1 : VARYING_SLOT_COL0;
    if (accept(c, "fogcoord"))
        return no_index(c, step) ? VARYING_SLOT_FOGC : -1;
    if (accept(c, "position"))
        return no_index(c, step) ? VARYING_SLOT_POS : -1;
    if (accept(c, "texcoord"))
        return index_of(c, step, true, c->p->options->limits.texture_coords, &n)
                   ? (int)VARYING_SLOT_TEX(n)
                   : -1;
    fail(c, "fragment attribute");
    return -1;
}

int asm_bind_attrib(struct asm_parser *p, const struct asm_path *path, const struct asm_step **rest)
{
    bool vertex = p->stage == SHADER_VERTEX;
    struct cursor c = {p, path->first, path->first->at};
    if (!accept(&c, vertex ? "vertex" : "fragment")) {
        fail(&c, "attribute");
        return -1;
    }
    int slot = !no_index(&c, path->first) ? -1 : vertex ? vertex_attrib(&c) : fragment_attrib(&c);
    *rest = c.step;
    return p->failed ? -1 : slot;
}

static int vertex_result(struct cursor *c)
{
    const struct asm_step *step = c->step;
    unsigned n;
    if (accept(c, "position"))
        return no_index(c, step) ? VARYING_SLOT_POS : -1;
    if (accept(c, "fogcoord"))
        return no_index(c, step) ? VARYING_SLOT_FOGC : -1;
    if (accept(c, "pointsize"))
        return no_index(c, step) ? VARYING_SLOT_PSIZ : -1;
    if (accept(c, "color")) {
        bool back = accept(c, "back");
        if (!back)
            accept(c, "front");
        bool secondary = color_type(c);
        if (!no_index(c, step))
            return -1;
        return back        ? secondary ? VARYING_SLOT_BFC1 : VARYING_SLOT_BFC0
               : secondary ? VARYING_SLOT_COL1
                           : VARYING_SLOT_COL0;
    }
    if (accept(c, "texcoord"))
        return index_of(c, step, true, c->p->options->limits.texture_coords, &n)
                   ? (int)VARYING_SLOT_TEX(n)
                   : -1;
    fail(c, "vertex result");
    return -1;
}

static int fragment_result(struct cursor *c)
{
    const struct asm_step *step = c->step;
    unsigned n;
    if (accept(c, "depth"))
        return no_index(c, step) ? FRAG_RESULT_DEPTH : -1;
    if (accept(c, "color")) {
        if (!c->p->draw_buffers_option)
            return no_index(c, step) ? FRAG_RESULT_COLOR : -1;
        return index_of(c, step, true, c->p->options->limits.draw_buffers, &n)
                   ? (int)(FRAG_RESULT_DATA0 + n)
                   : -1;
    }
    fail(c, "fragment result");
    return -1;
}

int asm_bind_result(struct asm_parser *p, const struct asm_path *path, const struct asm_step **rest)
{
    struct cursor c = {p, path->first, path->first->at};
    if (!accept(&c, "result")) {
        fail(&c, "result");
        return -1;
    }
    int slot = !no_index(&c, path->first)  ? -1
               : p->stage == SHADER_VERTEX ? vertex_result(&c)
                                           : fragment_result(&c);
    *rest = c.step;
    return p->failed ? -1 : slot;
}

/* ------------------------------------------------------------------------------------ state --- */

struct binding {
    struct cursor c;
    bool multiple;
    void (*add)(struct asm_parser *p, const struct asm_param *param, void *data);
    void *data;
};

static bool add(struct binding *b, int kind, int index, int property, int last, int modifier)
{
    struct asm_param param = {.tokens = {kind, index, property, last, modifier}};
    b->add(b->c.p, &param, b->data);
    return !b->c.p->failed;
}

static int face(struct cursor *c)
{
    if (accept(c, "back"))
        return 1;
    accept(c, "front");
    return 0;
}

static bool bind_material(struct binding *b)
{
    static const struct word_value properties[] = {
        {"ambient", STATE_MATERIAL_AMBIENT},     {"diffuse", STATE_MATERIAL_DIFFUSE},
        {"specular", STATE_MATERIAL_SPECULAR},   {"emission", STATE_MATERIAL_EMISSION},
        {"shininess", STATE_MATERIAL_SHININESS},
    };
    int side = face(&b->c), property = CHOOSE(&b->c, properties);
    return property < 0 ? fail(&b->c, "material property")
                        : add(b, STATE_MATERIAL, side, property, 0, 0);
}

static bool bind_light(struct binding *b, const struct asm_step *step)
{
    static const struct word_value properties[] = {
        {"ambient", STATE_LIGHT_AMBIENT},   {"diffuse", STATE_LIGHT_DIFFUSE},
        {"specular", STATE_LIGHT_SPECULAR}, {"position", STATE_LIGHT_POSITION},
        {"half", STATE_LIGHT_HALF_VECTOR},  {"attenuation", STATE_LIGHT_ATTENUATION},
    };
    unsigned light;
    if (!index_of(&b->c, step, false, b->c.p->options->limits.lights, &light))
        return false;
    if (accept(&b->c, "spot"))
        return accept(&b->c, "direction")
                   ? add(b, STATE_LIGHT, light, STATE_LIGHT_SPOT_DIRECTION, 0, 0)
                   : fail(&b->c, "spotlight property");
    int property = CHOOSE(&b->c, properties);
    return property < 0 ? fail(&b->c, "light property")
                        : add(b, STATE_LIGHT, light, property, 0, 0);
}

static bool bind_light_model(struct binding *b)
{
    if (accept(&b->c, "ambient"))
        return add(b, STATE_LIGHTMODEL_AMBIENT, 0, 0, 0, 0);
    int side = face(&b->c);
    return accept(&b->c, "scenecolor") ? add(b, STATE_LIGHTMODEL_SCENECOLOR, side, 0, 0, 0)
                                       : fail(&b->c, "light model property");
}

static bool bind_light_product(struct binding *b, const struct asm_step *step)
{
    static const struct word_value properties[] = {
        {"ambient", STATE_MATERIAL_AMBIENT},
        {"diffuse", STATE_MATERIAL_DIFFUSE},
        {"specular", STATE_MATERIAL_SPECULAR},
    };
    unsigned light;
    if (!index_of(&b->c, step, false, b->c.p->options->limits.lights, &light))
        return false;
    int side = face(&b->c), property = CHOOSE(&b->c, properties);
    return property < 0 ? fail(&b->c, "light product")
                        : add(b, STATE_LIGHTPROD, side, light, property, 0);
}

static bool bind_texgen(struct binding *b, const struct asm_step *step)
{
    static const struct word_value planes[] = {{"s", 0}, {"t", 1}, {"r", 2}, {"q", 3}};
    unsigned unit;
    if (!index_of(&b->c, step, true, b->c.p->options->limits.texture_units, &unit))
        return false;
    int first = accept(&b->c, "eye")      ? STATE_TEXGEN_EYE_S
                : accept(&b->c, "object") ? STATE_TEXGEN_OBJECT_S
                                          : -1;
    int plane = first < 0 ? -1 : CHOOSE(&b->c, planes);
    return plane < 0 ? fail(&b->c, "texture coordinate generation plane")
                     : add(b, STATE_TEXGEN, unit, first + plane, 0, 0);
}

static bool bind_texenv(struct binding *b, const struct asm_step *step)
{
    unsigned unit;
    if (!index_of(&b->c, step, true, b->c.p->options->limits.texture_units, &unit))
        return false;
    return accept(&b->c, "color") ? add(b, STATE_TEXENV_COLOR, unit, 0, 0, 0)
                                  : fail(&b->c, "texture environment property");
}

static bool bind_fog(struct binding *b)
{
    static const struct word_value properties[] = {{"color", STATE_FOG_COLOR},
                                                   {"params", STATE_FOG_PARAMS}};
    int property = CHOOSE(&b->c, properties);
    return property < 0 ? fail(&b->c, "fog property") : add(b, STATE_FOG, 0, property, 0, 0);
}

static bool bind_clip(struct binding *b, const struct asm_step *step)
{
    unsigned plane;
    if (!index_of(&b->c, step, false, b->c.p->options->limits.clip_planes, &plane))
        return false;
    return accept(&b->c, "plane") ? add(b, STATE_CLIPPLANE, plane, 0, 0, 0)
                                  : fail(&b->c, "clip plane property");
}

static bool bind_point(struct binding *b)
{
    static const struct word_value properties[] = {{"size", STATE_POINT_PARAMS},
                                                   {"attenuation", STATE_POINT_ATTENUATION}};
    int property = CHOOSE(&b->c, properties);
    return property < 0 ? fail(&b->c, "point property") : add(b, STATE_POINT, 0, property, 0, 0);
}

static bool bind_rows(struct binding *b, int kind, unsigned index)
{
    static const struct word_value modifiers[] = {{"inverse", STATE_MATRIX_INVERSE},
                                                  {"transpose", STATE_MATRIX_TRANSPOSE},
                                                  {"invtrans", STATE_MATRIX_INVTRANS}};
    /* Row i of a matrix is column i of its transpose (nir_state_tokens.h). */
    static const uint8_t transposed[] = {
        [STATE_MATRIX_PLAIN] = STATE_MATRIX_TRANSPOSE,
        [STATE_MATRIX_INVERSE] = STATE_MATRIX_INVTRANS,
        [STATE_MATRIX_TRANSPOSE] = STATE_MATRIX_PLAIN,
        [STATE_MATRIX_INVTRANS] = STATE_MATRIX_INVERSE,
    };
    int modifier = CHOOSE(&b->c, modifiers);
    modifier = transposed[modifier < 0 ? STATE_MATRIX_PLAIN : modifier];
    const struct asm_step *row = b->c.step;
    int64_t low = 0, high = 3;
    if (accept(&b->c, "row")) {
        if (row->index != ASM_INDEX_CONST && !(row->index == ASM_INDEX_RANGE && b->multiple))
            return fail(&b->c, "matrix row");
        low = row->low;
        high = row->high;
        if (low > high || high > 3) {
            asm_fail(b->c.p, row->at, "matrix rows are numbered 0 to 3");
            return false;
        }
    } else if (!b->multiple) {
        return fail(&b->c, "matrix row");
    }
    for (int64_t i = low; i <= high; i++)
        if (!add(b, kind, index, i, i, modifier))
            return false;
    return true;
}

static bool bind_matrix(struct binding *b)
{
    const struct asm_limits *l = &b->c.p->options->limits;
    const struct asm_step *step = b->c.step;
    unsigned index = 0;
    int kind;
    bool ok;
    if (accept(&b->c, "modelview")) {
        kind = STATE_MODELVIEW_MATRIX;
        ok = index_of(&b->c, step, true, 1, &index);
    } else if (accept(&b->c, "projection")) {
        kind = STATE_PROJECTION_MATRIX;
        ok = no_index(&b->c, step);
    } else if (accept(&b->c, "mvp")) {
        kind = STATE_MVP_MATRIX;
        ok = no_index(&b->c, step);
    } else if (accept(&b->c, "texture")) {
        kind = STATE_TEXTURE_MATRIX;
        ok = index_of(&b->c, step, true, l->texture_coords, &index);
    } else if (accept(&b->c, "program")) {
        kind = STATE_PROGRAM_MATRIX;
        ok = index_of(&b->c, step, false, l->program_matrices, &index);
    } else {
        return fail(&b->c, "matrix");
    }
    return ok && bind_rows(b, kind, index);
}

static bool bind_state(struct binding *b)
{
    bool vertex = b->c.p->stage == SHADER_VERTEX;
    struct cursor *c = &b->c;
    const struct asm_step *step = c->step;
    if (accept(c, "light"))
        return bind_light(b, step);
    if (accept(c, "lightprod"))
        return bind_light_product(b, step);
    if (vertex && accept(c, "texgen"))
        return bind_texgen(b, step);
    if (vertex && accept(c, "clip"))
        return bind_clip(b, step);
    if (!vertex && accept(c, "texenv"))
        return bind_texenv(b, step);
    if (step && !no_index(c, step))
        return false;
    if (accept(c, "material"))
        return bind_material(b);
    if (accept(c, "lightmodel"))
        return bind_light_model(b);
    if (accept(c, "fog"))
        return bind_fog(b);
    if (accept(c, "matrix"))
        return bind_matrix(b);
    if (vertex && accept(c, "point"))
        return bind_point(b);
    if (!vertex && accept(c, "depth"))
        return accept(c, "range") ? add(b, STATE_DEPTH_RANGE, 0, STATE_DEPTH_RANGE_PARAMS, 0, 0)
                                  : fail(c, "depth buffer property");
    return fail(c, "state");
}

/* ------------------------------------------------------------------------------- parameters --- */

static bool bind_program(struct binding *b)
{
    struct asm_parser *p = b->c.p;
    bool vertex = p->stage == SHADER_VERTEX;
    const struct asm_step *step = b->c.step;
    unsigned limit;
    int kind;
    if (accept(&b->c, "env")) {
        kind = vertex ? STATE_VERTEX_PROGRAM_ENV : STATE_FRAGMENT_PROGRAM_ENV;
        limit = p->options->limits.env_parameters;
    } else if (accept(&b->c, "local")) {
        kind = vertex ? STATE_VERTEX_PROGRAM_LOCAL : STATE_FRAGMENT_PROGRAM_LOCAL;
        limit = p->options->limits.local_parameters;
    } else {
        return fail(&b->c, "program parameter");
    }
    if (step->index != ASM_INDEX_CONST && !(step->index == ASM_INDEX_RANGE && b->multiple)) {
        asm_fail(p, step->at, "%s requires an index", step->word);
        return false;
    }
    if (step->low > step->high || step->high >= limit) {
        asm_fail(p, step->at, "index of %s is out of range (limit %u)", step->word, limit);
        return false;
    }
    for (int64_t i = step->low; i <= step->high; i++)
        if (!add(b, kind, i, 0, 0, 0))
            return false;
    return true;
}

bool asm_bind_params(
    struct asm_parser *p, const struct asm_path *path, bool multiple, const struct asm_step **rest,
    void (*add_param)(struct asm_parser *p, const struct asm_param *param, void *data), void *data)
{
    struct binding b = {{p, path->first, path->first->at}, multiple, add_param, data};
    bool state = accept(&b.c, "state");
    if (!state && !accept(&b.c, "program"))
        return fail(&b.c, "parameter");
    if (!no_index(&b.c, path->first) || !(state ? bind_state(&b) : bind_program(&b)))
        return false;
    *rest = b.c.step;
    return true;
}
