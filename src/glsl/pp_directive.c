/* SPDX-License-Identifier: MIT */
/* Directives (GLSL 4.60 §3.3, ESSL 3.20 §3.5). */
#include "glsl/pp.h"

#define PP_MAX_LINE 0x40000000 /* largest number in #line */

static const uint16_t gl_versions[] = {110, 120, 130, 140, 150, 330, 400,
                                       410, 420, 430, 440, 450, 460};
static const uint16_t es_versions[] = {100, 300, 310, 320};

/* Returns the raw tokens up to the end of the line. */
static struct pp_tokens read_line(struct pp *pp)
{
    struct pp_tokens line = {0};
    for (;;) {
        struct glsl_token t = pp_lex(pp);
        if (t.kind == TOK_NEWLINE || t.kind == TOK_EOF)
            return line;
        pp_append(pp, &line, t);
    }
}

/* ------------------------------------------------------------------------------- version --- */

static bool extension_available(const struct glsl_compiler *c, enum glsl_extension ext)
{
    const struct glsl_extension_info *info = &glsl_extension_table[ext];
    unsigned least = c->es ? info->es_version : info->gl_version;
    const bitset_word *supported = c->es ? c->options->es_extensions : c->options->extensions;
    return bitset_test(supported, ext) && least && c->version >= least;
}

static void init_version(struct pp *pp, unsigned version, bool es, enum glsl_profile profile)
{
    struct glsl_compiler *c = pp->c;
    c->version = version;
    c->es = es;
    if (es || c->options->core)
        c->compat = false;
    else
        c->compat = version <= 130 || profile == GLSL_PROFILE_COMPATIBILITY;
    pp->version_allowed = false;

    pp_predefine(pp, "__LINE__", PP_MACRO_LINE, 0);
    pp_predefine(pp, "__FILE__", PP_MACRO_FILE, 0);
    pp_predefine(pp, "__VERSION__", PP_MACRO_VALUE, version);
    if (es) {
        pp_predefine(pp, "GL_ES", PP_MACRO_VALUE, 1);
    } else if (version >= 150) {
        pp_predefine(pp, "GL_core_profile", PP_MACRO_VALUE, 1);
        if (profile == GLSL_PROFILE_COMPATIBILITY)
            pp_predefine(pp, "GL_compatibility_profile", PP_MACRO_VALUE, 1);
    }
    if (es || version >= 130)
        pp_predefine(pp, "GL_FRAGMENT_PRECISION_HIGH", PP_MACRO_VALUE, 1);
    /* Desktop GL 2.x implementations accept rectangle textures without #extension. */
    if (!es && extension_available(c, GLSL_EXT_ARB_texture_rectangle))
        bitset_set(c->ext_enabled, GLSL_EXT_ARB_texture_rectangle);
    c->pp = pp;
    if (!es && version == 140 && extension_available(c, GLSL_EXT_ARB_compatibility) &&
        !c->options->core)
        c->compat = true;
}

void pp_extension_macro(struct pp *pp, struct glsl_atom *atom)
{
    for (unsigned i = 0; i < GLSL_EXT_COUNT && !atom->macro; i++)
        if (!strcmp(glsl_extension_table[i].name, atom->text) && extension_available(pp->c, i))
            pp_predefine_atom(pp, atom, PP_MACRO_VALUE, 1);
}

static void init_default_version(struct pp *pp)
{
    unsigned version = pp->c->options->default_version;
    init_version(pp, version, version == 100, GLSL_PROFILE_NONE);
}

static bool known_version(const uint16_t *list, unsigned count, unsigned version, unsigned most)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == version)
            return version <= most;
    return false;
}

static unsigned small_number(const struct glsl_token *t)
{
    unsigned value = 0;
    for (unsigned i = 0; i < t->length; i++) {
        if (t->text[i] < '0' || t->text[i] > '9' || value > 100000)
            return 0;
        value = value * 10 + (t->text[i] - '0');
    }
    return value;
}

static void directive_version(struct pp *pp, struct glsl_loc loc)
{
    struct glsl_compiler *c = pp->c;
    struct pp_tokens line = read_line(pp);
    if (!pp->version_allowed) {
        glsl_error(c, loc, "#version must occur before anything else in the shader");
        return;
    }
    unsigned version = 0;
    if (line.count && line.data[0].kind == TOK_NUMBER)
        version = small_number(&line.data[0]);
    bool es = version == 100, bad = version == 0 || line.count > 2;
    enum glsl_profile profile = GLSL_PROFILE_NONE;
    if (line.count >= 2 && line.data[1].kind == TOK_IDENT) {
        const char *word = line.data[1].atom->text;
        if (!strcmp(word, "es") && version != 100)
            es = true;
        else if (version >= 150 && !strcmp(word, "core"))
            profile = GLSL_PROFILE_CORE;
        else if (version >= 150 && !strcmp(word, "compatibility"))
            profile = GLSL_PROFILE_COMPATIBILITY;
        else
            bad = true;
    } else if (line.count >= 2) {
        bad = true;
    }
    const struct glsl_options *o = c->options;
    bool supported =
        es ? known_version(es_versions, ARRAY_SIZE(es_versions), version, o->max_es_version)
           : known_version(gl_versions, ARRAY_SIZE(gl_versions), version, o->max_version);
    if (es && version == 100 && line.count > 1)
        bad = true;
    if (bad || !supported || (profile == GLSL_PROFILE_COMPATIBILITY && o->core)) {
        init_default_version(pp);
        if (bad)
            glsl_error(c, loc, "malformed #version directive");
        else
            glsl_error(c, loc, "GLSL%s %u.%02u%s is not supported", es ? " ES" : "", version / 100,
                       version % 100,
                       profile == GLSL_PROFILE_COMPATIBILITY ? " compatibility profile" : "");
        return;
    }
    init_version(pp, version, es, profile);
}

/* ----------------------------------------------------------------------------- extension --- */

enum behavior { REQUIRE, ENABLE, WARN, DISABLE, BEHAVIORS };
static const char *const behavior_names[BEHAVIORS] = {"require", "enable", "warn", "disable"};

static void set_behavior(struct glsl_compiler *c, unsigned ext, enum behavior behavior)
{
    if (behavior == DISABLE)
        bitset_clear(c->ext_enabled, ext);
    else
        bitset_set(c->ext_enabled, ext);
    if (behavior == WARN)
        bitset_set(c->ext_warn, ext);
    else
        bitset_clear(c->ext_warn, ext);
    c->warns |= behavior == WARN;
    /* OVR_multiview2 also enables OVR_multiview. */
    if (ext == GLSL_EXT_OVR_multiview2 && behavior != DISABLE)
        set_behavior(c, GLSL_EXT_OVR_multiview, behavior);
}

static void set_all(struct glsl_compiler *c, enum behavior behavior, struct glsl_loc loc)
{
    if (behavior == REQUIRE || behavior == ENABLE) {
        glsl_error(c, loc, "\"all\" cannot be used with \"%s\"", behavior_names[behavior]);
        return;
    }
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++)
        if (extension_available(c, i))
            set_behavior(c, i, behavior);
}

static const char *suggest_extension(struct glsl_compiler *c, const char *wrong)
{
    struct glsl_suggestion s = {.wrong = wrong};
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++)
        if (extension_available(c, i))
            glsl_suggest(&s, glsl_extension_table[i].name);
    return glsl_suggestion_text(c, &s);
}

/* The extensions that GL_ANDROID_extension_pack_es31a enables. */
static const uint8_t android_pack[] = {
    GLSL_EXT_KHR_blend_equation_advanced,
    GLSL_EXT_OES_sample_variables,
    GLSL_EXT_OES_shader_image_atomic,
    GLSL_EXT_OES_shader_multisample_interpolation,
    GLSL_EXT_OES_texture_storage_multisample_2d_array,
    GLSL_EXT_EXT_geometry_shader,
    GLSL_EXT_EXT_gpu_shader5,
    GLSL_EXT_EXT_primitive_bounding_box,
    GLSL_EXT_EXT_shader_io_blocks,
    GLSL_EXT_EXT_tessellation_shader,
    GLSL_EXT_EXT_texture_buffer,
    GLSL_EXT_EXT_texture_cube_map_array,
};

static bool is_subgroup_extension(unsigned extension)
{
    return extension >= GLSL_EXT_KHR_shader_subgroup_arithmetic &&
           extension <= GLSL_EXT_KHR_shader_subgroup_vote;
}

static void directive_extension(struct pp *pp, struct glsl_loc loc)
{
    struct glsl_compiler *c = pp->c;
    struct pp_tokens line = read_line(pp);
    enum behavior behavior = BEHAVIORS;
    if (line.count == 3 && line.data[0].kind == TOK_IDENT && line.data[1].kind == TOK_COLON &&
        line.data[2].kind == TOK_IDENT) {
        for (behavior = REQUIRE; behavior < BEHAVIORS; behavior++)
            if (!strcmp(line.data[2].atom->text, behavior_names[behavior]))
                break;
    }
    if (behavior == BEHAVIORS) {
        glsl_error(c, loc, "malformed #extension directive");
        return;
    }
    if (pp->seen_token && c->es && c->version >= 300) { /* ESSL 3.00 §3.5 */
        glsl_error(c, loc, "#extension must occur before any non-preprocessor token");
        return;
    }
    const char *name = line.data[0].atom->text;
    if (!strcmp(name, "all")) {
        set_all(c, behavior, loc);
        return;
    }
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++) {
        if (!strcmp(glsl_extension_table[i].name, name) && extension_available(c, i)) {
            set_behavior(c, i, behavior);
            /* Each includes GL_KHR_shader_subgroup_basic, but disabling one does not disable
             * basic. */
            if (is_subgroup_extension(i) && behavior != DISABLE)
                set_behavior(c, GLSL_EXT_KHR_shader_subgroup_basic, behavior);
            for (unsigned k = 0; k < ARRAY_SIZE(android_pack); k++)
                if (i == GLSL_EXT_ANDROID_extension_pack_es31a)
                    set_behavior(c, android_pack[k], behavior);
            return;
        }
    }
    const char *suggestion = suggest_extension(c, name);
    if (behavior == REQUIRE)
        glsl_error(c, loc, "extension \"%s\" is not supported in this language version%s", name,
                   suggestion);
    else
        glsl_warning(c, loc, "extension \"%s\" is not supported%s", name, suggestion);
}

/* -------------------------------------------------------------------- other directives --- */

static bool word_is(const struct pp_tokens *line, unsigned i, const char *word)
{
    return i < line->count && line->data[i].kind == TOK_IDENT &&
           !strcmp(line->data[i].atom->text, word);
}

/* Handles #pragma; unknown pragmas are ignored (GLSL 4.60 §3.3). */
static void directive_pragma(struct pp *pp, struct glsl_loc loc)
{
    struct pp_tokens line = read_line(pp);
    if (pp->braces && (word_is(&line, 0, "optimize") || word_is(&line, 0, "debug")))
        glsl_error(pp->c, loc, "this #pragma is only allowed outside of functions");
    if (!word_is(&line, 0, "STDGL") || !word_is(&line, 1, "invariant") || line.count != 5 ||
        line.data[2].kind != TOK_LPAREN || !word_is(&line, 3, "all") ||
        line.data[4].kind != TOK_RPAREN)
        return;
    struct glsl_compiler *c = pp->c;
    if (!glsl_is_version(c, 120, 100))
        glsl_warning(c, loc, "#pragma STDGL invariant(all) requires GLSL 1.20");
    else if (c->stage == SHADER_FRAGMENT && glsl_is_version(c, 140, 300))
        glsl_error(c, loc, "#pragma STDGL invariant(all) is not allowed in fragment shaders");
    else
        c->pragma_invariant_all = true;
}

static void directive_error(struct pp *pp, struct glsl_loc loc)
{
    size_t length;
    const char *text = pp_lex_rest_of_line(pp, &length);
    glsl_error(pp->c, loc, "#error %.*s", (int)MIN2(length, 2000), text);
}

static void directive_include(struct pp *pp, struct glsl_loc loc)
{
    size_t length;
    const char *text = pp_lex_rest_of_line(pp, &length);
    if (glsl_has_ext(pp->c, GLSL_EXT_ARB_shading_language_include))
        pp_include(pp, text, length, loc);
    else
        glsl_error(pp->c, loc, "#include requires GL_ARB_shading_language_include");
}

/* Removes the path from `#line 3 "path"`. Returns false if it is malformed. */
static bool take_path(struct pp *pp, struct pp_tokens *line)
{
    for (unsigned i = 0; i < line->count; i++) {
        const struct glsl_token *t = &line->data[i], *last = &line->data[line->count - 1];
        if (t->kind != TOK_OTHER || *t->text != '"')
            continue;
        if (!glsl_has_ext(pp->c, GLSL_EXT_ARB_shading_language_include) || i == 0 || last == t ||
            last->kind != TOK_OTHER || *last->text != '"' ||
            !glsl_path_is_valid(t->text + 1, last->text - t->text - 1))
            return false;
        line->count = i;
        return true;
    }
    return true;
}

static void directive_line(struct pp *pp, struct glsl_loc loc)
{
    struct pp_tokens line = read_line(pp), expanded = {0};
    if (!take_path(pp, &line)) {
        glsl_error(pp->c, loc, "malformed path in #line");
        return;
    }
    pp_expand_list(pp, line.data, line.count, &expanded);
    int64_t number = 0, source = pp->source;
    if (!pp_evaluate_line(pp, expanded.data, expanded.count, loc, &number, &source))
        return;
    if (number < 0 || number > PP_MAX_LINE || source < 0 || source > PP_MAX_LINE) {
        glsl_error(pp->c, loc, "malformed #line directive");
        return;
    }
    /* After #line n, GLSL 1.10 to 1.50 number the next line n + 1, GLSL 3.30 and ESSL n. */
    pp->line = number + (pp->c->es || pp->c->version >= 330 ? 0 : 1);
    struct glsl_included *included = glsl_included_of(pp->c, pp->source);
    if (included)
        included->renumbered = true;
    pp->source = source;
    glsl_start_line_run(pp->c, pp->text_line, pp->source, pp->line);
}

/* Returns whether #undef must reject the name. ESSL 3.20 §3.5 protects all built-in macros; desktop
 * GLSL only reserves the prefix GL_. */
static bool is_protected(const struct glsl_compiler *c, const struct glsl_atom *name)
{
    return !strncmp(name->text, "GL_", 3) ||
           (c->es && name->macro && name->macro->kind != PP_MACRO_USER);
}

static void directive_undef(struct pp *pp, struct glsl_loc loc)
{
    struct pp_tokens line = read_line(pp);
    if (line.count == 0 || line.data[0].kind != TOK_IDENT) {
        glsl_error(pp->c, loc, "#undef without macro name");
        return;
    }
    struct glsl_atom *name = line.data[0].atom;
    if (!strcmp(name->text, "defined"))
        glsl_error(pp->c, loc, "\"defined\" cannot be undefined");
    else if (is_protected(pp->c, name))
        glsl_error(pp->c, loc, "built-in macro \"%s\" cannot be undefined", name->text);
    else if (line.count > 1)
        glsl_error(pp->c, line.data[1].loc, "unexpected text after #undef");
    else
        name->macro = NULL;
}

static void directive_define(struct pp *pp, struct glsl_loc loc)
{
    struct pp_tokens line = read_line(pp);
    pp_define(pp, line.data, line.count, loc);
}

/* ---------------------------------------------------------------------------- conditions --- */

static bool compiled(const struct pp *pp)
{
    return !pp->conditions || pp->conditions->active;
}

static void push_condition(struct pp *pp, bool value, struct glsl_loc loc)
{
    if (++pp->num_conditions > PP_MAX_OPEN_IFS)
        glsl_fatal(pp->c, loc, "#if is nested too deeply");
    struct pp_condition *cond = glsl_alloc(pp->c, sizeof *cond);
    cond->outer = pp->conditions;
    cond->outer_active = compiled(pp);
    cond->active = cond->outer_active && value;
    cond->taken = value;
    cond->loc = loc;
    pp->conditions = cond;
}

/* Returns the innermost open #if of this text, or NULL. */
static struct pp_condition *open_condition(const struct pp *pp)
{
    return pp->conditions == pp->outer_conditions ? NULL : pp->conditions;
}

/* Evaluates the expression on the rest of the line. */
static bool condition_value(struct pp *pp, const char *what, struct glsl_loc loc)
{
    struct pp_tokens line = read_line(pp), expanded = {0};
    if (line.count == 0) {
        glsl_error(pp->c, loc, "#%s with no expression", what);
        return false;
    }
    /* The operand of `defined` is not expanded. */
    for (unsigned i = 0; i < line.count; i++) {
        if (!word_is(&line, i, "defined"))
            continue;
        unsigned name = i + 1;
        if (name < line.count && line.data[name].kind == TOK_LPAREN)
            name++;
        if (name < line.count)
            line.data[name].flags |= TOKEN_NO_EXPAND;
        i = name;
    }
    pp_expand_list(pp, line.data, line.count, &expanded);
    int64_t value = 0;
    return pp_evaluate(pp, expanded.data, expanded.count, loc, &value) && value != 0;
}

static void directive_ifdef(struct pp *pp, struct glsl_loc loc, const char *what, bool sense)
{
    if (!compiled(pp)) {
        push_condition(pp, false, loc);
        read_line(pp);
        return;
    }
    struct pp_tokens line = read_line(pp);
    bool value = false;
    if (line.count == 0 || line.data[0].kind != TOK_IDENT)
        glsl_error(pp->c, loc, "#%s without macro name", what);
    else if (line.count > 1)
        glsl_error(pp->c, line.data[1].loc, "unexpected text after #%s", what);
    else
        value = (line.data[0].atom->macro != NULL) == sense;
    push_condition(pp, value, loc);
}

static void directive_if(struct pp *pp, struct glsl_loc loc)
{
    if (compiled(pp)) {
        push_condition(pp, condition_value(pp, "if", loc), loc);
    } else {
        push_condition(pp, false, loc);
        read_line(pp);
    }
}

static void directive_elif(struct pp *pp, struct glsl_loc loc)
{
    struct pp_condition *cond = open_condition(pp);
    if (!cond || cond->has_else) {
        glsl_error(pp->c, loc, cond ? "#elif after #else" : "#elif without #if");
        read_line(pp);
        return;
    }
    if (!cond->outer_active || cond->taken) {
        cond->active = false;
        read_line(pp);
        return;
    }
    cond->active = cond->taken = condition_value(pp, "elif", loc);
}

static void directive_else(struct pp *pp, struct glsl_loc loc)
{
    struct pp_condition *cond = open_condition(pp);
    struct pp_tokens line = read_line(pp);
    if (!cond || cond->has_else) {
        glsl_error(pp->c, loc, cond ? "#else after #else" : "#else without #if");
        return;
    }
    if (line.count && cond->outer_active)
        glsl_error(pp->c, line.data[0].loc, "unexpected text after #else");
    cond->has_else = true;
    cond->active = cond->outer_active && !cond->taken;
    cond->taken = true;
}

static void directive_endif(struct pp *pp, struct glsl_loc loc)
{
    struct pp_condition *cond = open_condition(pp);
    struct pp_tokens line = read_line(pp);
    if (!cond) {
        glsl_error(pp->c, loc, "#endif without #if");
        return;
    }
    if (line.count && cond->outer_active)
        glsl_error(pp->c, line.data[0].loc, "unexpected text after #endif");
    pp->conditions = cond->outer;
    pp->num_conditions--;
}

void pp_check_conditions(struct pp *pp)
{
    if (pp->conditions != pp->outer_conditions)
        glsl_error(pp->c, pp->conditions->loc, "unterminated #if");
    for (; pp->conditions != pp->outer_conditions; pp->num_conditions--)
        pp->conditions = pp->conditions->outer;
}

/* Handles the conditional directives, which are also processed in skipped groups. Returns false for
 * others. */
static bool conditional_directive(struct pp *pp, const char *name, struct glsl_loc loc)
{
    if (!strcmp(name, "if"))
        directive_if(pp, loc);
    else if (!strcmp(name, "ifdef"))
        directive_ifdef(pp, loc, name, true);
    else if (!strcmp(name, "ifndef"))
        directive_ifdef(pp, loc, name, false);
    else if (!strcmp(name, "elif"))
        directive_elif(pp, loc);
    else if (!strcmp(name, "else"))
        directive_else(pp, loc);
    else if (!strcmp(name, "endif"))
        directive_endif(pp, loc);
    else
        return false;
    return true;
}

static const struct {
    const char *name;
    void (*run)(struct pp *pp, struct glsl_loc loc);
    bool in_output; /* preprocessed text contains the directive */
} directives[] = {
    {"define", directive_define, false},  {"undef", directive_undef, false},
    {"version", directive_version, true}, {"extension", directive_extension, true},
    {"pragma", directive_pragma, true},   {"line", directive_line, true},
    {"error", directive_error, false},    {"include", directive_include, false},
};

static void print_directive(struct pp *pp, size_t start)
{
    if (pp->out_line)
        strbuf_append_char(pp->out, '\n');
    strbuf_append_char(pp->out, '#');
    strbuf_append_n(pp->out, pp->text + start, pp->position - start);
    if (pp->position && pp->text[pp->position - 1] != '\n')
        strbuf_append_char(pp->out, '\n');
    pp->out_line = 0;
}

static const char *suggest_directive(struct pp *pp, const char *wrong)
{
    static const char *const conditional[] = {"endif", "else", "elif", "if", "ifdef", "ifndef"};
    struct glsl_suggestion s = {.wrong = wrong};
    for (unsigned i = 0; i < ARRAY_SIZE(directives); i++)
        glsl_suggest(&s, directives[i].name);
    for (unsigned i = 0; i < ARRAY_SIZE(conditional); i++)
        glsl_suggest(&s, conditional[i]);
    return glsl_suggestion_text(pp->c, &s);
}

/* Handles the directive after a #. */
static void directive(struct pp *pp)
{
    size_t start = pp->position;
    struct glsl_token t = pp_lex(pp);
    const char *name = t.kind == TOK_IDENT ? t.atom->text : "";
    if (pp->version_allowed && strcmp(name, "version"))
        init_default_version(pp);
    if (t.kind == TOK_NEWLINE || t.kind == TOK_EOF || conditional_directive(pp, name, t.loc))
        return;
    if (!compiled(pp)) {
        read_line(pp);
        return;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(directives); i++) {
        if (!strcmp(name, directives[i].name)) {
            directives[i].run(pp, t.loc);
            if (pp->out && directives[i].in_output)
                print_directive(pp, start);
            return;
        }
    }
    glsl_error(pp->c, t.loc, "unknown directive #%.*s%s", (int)MIN2(t.length, 100),
               t.kind == TOK_IDENT ? t.atom->text : t.text, suggest_directive(pp, name));
    read_line(pp);
}

struct glsl_token pp_next_text(struct pp *pp)
{
    for (;;) {
        struct glsl_token t = pp_lex(pp);
        if (t.kind == TOK_EOF && pp_leave_include(pp))
            continue;
        if (t.kind == TOK_HASH && (t.flags & TOKEN_LINE_START)) {
            directive(pp);
            continue;
        }
        if (t.kind != TOK_EOF && (t.kind == TOK_NEWLINE ? false : !compiled(pp)))
            continue;
        if (t.kind != TOK_NEWLINE) {
            if (pp->version_allowed) {
                init_default_version(pp);
                if (t.kind == TOK_IDENT) /* created before the version was known */
                    pp_extension_macro(pp, t.atom);
            }
            pp->seen_token = true;
            pp->braces += t.kind == TOK_LBRACE;
            pp->braces -= t.kind == TOK_RBRACE && pp->braces;
        }
        return t;
    }
}
