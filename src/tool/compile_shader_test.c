/* SPDX-License-Identifier: MIT */
/*
 * Reads piglit's .shader_test files, whose format piglit's README and tests show. [require] gives
 * the language version; the sections named after stages contain the shaders.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "compile_options.h"
#include "compile_program.h"
#include "util/strbuf.h"

struct reader {
    void *mem_ctx;
    struct compile_unit *unit;   /* GLSL shaders and assembly programs of the file */
    struct compile_unit modules; /* SPIR-V modules of the file */
    unsigned version;
    bool es, spirv_only;
    const char *extension; /* required extension that isn't a GLSL extension of ours */
};

bool compile_is_shader_test(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".shader_test");
}

/* ----------------------------------------------------------------------------- requirements --- */

/* Parses a limit such as "GL_MAX_VERTEX_ATTRIBS >= 18". Sets unit->beyond if it exceeds the minimum
 * that every context supports. */
static void require_limit(struct reader *r, const char *text)
{
    struct glsl_options options;
    compile_options_fill(&options, r->es, 0);
    const struct {
        const char *format;
        unsigned limit;
    } limits[] = {
        {"GL_MAX_VERTEX_ATTRIBS >= %u", options.limits.max_vertex_attribs},
        {"GL_MAX_FRAGMENT_UNIFORM_COMPONENTS >= %u",
         options.limits.max_fragment_uniform_components},
    };
    unsigned wanted;
    for (unsigned i = 0; i < ARRAY_SIZE(limits); i++) {
        if (sscanf(text, limits[i].format, &wanted) == 1 && wanted > limits[i].limit)
            r->unit->beyond = talloc_strdup(r->mem_ctx, text);
    }
}

/* Parses an extension name. Extensions that shaders must enable: see finish_requirements. */
static void require_extension(struct reader *r, const char *text)
{
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++) {
        if (!strcmp(text, glsl_extension_table[i].name))
            return;
    }
    r->extension = talloc_strdup(r->mem_ctx, text);
}

static void read_requirement(struct reader *r, const char *line, size_t length)
{
    static const struct {
        const char *text;
        size_t flag;
    } flags[] = {
        {"SSO ENABLED", offsetof(struct compile_unit, separable)},
        {"SEPARABLE PROGRAM ENABLED", offsetof(struct compile_unit, separable_program)},
    };
    char text[128];
    unsigned major, minor;
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (sscanf(text, "GLSL ES >= %u.%u", &major, &minor) == 2) {
        r->es = true;
        r->version = major * 100 + minor;
    } else if (sscanf(text, "GLSL >= %u.%u", &major, &minor) == 2) {
        r->version = major * 100 + minor;
    } else if (!strncmp(text, "GL_", 3)) {
        strchr(text, ' ') ? require_limit(r, text) : require_extension(r, text);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(flags); i++) {
        if (!strncmp(text, flags[i].text, strlen(flags[i].text)))
            *(bool *)((char *)r->unit + flags[i].flag) = true;
    }
    r->spirv_only |= !strcmp(text, "SPIRV ONLY");
}

/* --------------------------------------------------------------------------------- sections --- */

/* Returns the next line of a section without its newline, or NULL at the end. */
static const char *next_line(const char **body, size_t *left, size_t *length)
{
    const char *line = *body;
    if (!*left)
        return NULL;
    const char *newline = memchr(line, '\n', *left);
    *length = newline ? (size_t)(newline - line) : *left;
    size_t n = newline ? *length + 1 : *length;
    *body += n;
    *left -= n;
    return line;
}

static void read_requirements(struct reader *r, enum shader_stage stage, const char *body,
                              size_t length)
{
    const char *line;
    size_t n;
    while ((line = next_line(&body, &length, &n)))
        read_requirement(r, line, n);
}

static void read_test(struct reader *r, enum shader_stage stage, const char *body, size_t length)
{
    static const char words[] = "\nlink error";
    r->unit->link_error = memmem(body - 1, length + 1, words, sizeof words - 1);
}

static void append_source(struct reader *r, struct compile_unit *unit, enum shader_stage stage,
                          char *text, size_t length)
{
    unit->sources =
        talloc_realloc(r->mem_ctx, unit->sources, struct compile_source, unit->num_sources + 1);
    unit->sources[unit->num_sources++] = (struct compile_source){stage, text, length};
}

/* Adds a shader. Without a #version, it gets the version of [require]. */
static void read_shader(struct reader *r, enum shader_stage stage, const char *text, size_t length)
{
    struct strbuf sb = STRBUF_INIT(r->mem_ctx);
    if (!memmem(text, length, "#version", 8) && r->version)
        strbuf_printf(&sb, "#version %u%s\n", r->version, r->es && r->version > 100 ? " es" : "");
    strbuf_append_n(&sb, text, length);
    if (r->extension && memmem(text, length, r->extension, strlen(r->extension)))
        r->unit->beyond = r->extension;
    append_source(r, r->unit, stage, (char *)strbuf_str(&sb), sb.length);
}

static void read_passthrough(struct reader *r, enum shader_stage stage, const char *body,
                             size_t length)
{
    static const char text[] = "#if __VERSION__ >= 130\n"
                               "in vec4 piglit_vertex;\n"
                               "#else\n"
                               "attribute vec4 piglit_vertex;\n"
                               "#endif\n"
                               "void main() { gl_Position = piglit_vertex; }\n";
    read_shader(r, stage, text, sizeof text - 1);
}

static void read_program(struct reader *r, enum shader_stage stage, const char *body, size_t length)
{
    append_source(r, r->unit, stage, talloc_strndup(r->mem_ctx, body, length), length);
}

static void read_module(struct reader *r, enum shader_stage stage, const char *body, size_t length)
{
    size_t size;
    char *words = compile_assemble_spirv(r->mem_ctx, body, length, &size);
    if (words)
        append_source(r, &r->modules, stage, words, size);
    else
        r->unit->unsupported = "spirv-as is missing or failed";
}

/* Parses specialization constants: type, SpecId and value, such as "uint 0 42" or "float 1
 * 0.42". */
static void read_specializations(struct reader *r, enum shader_stage stage, const char *body,
                                 size_t length)
{
    struct compile_unit *unit = &r->modules;
    const char *line;
    size_t n;
    while ((line = next_line(&body, &length, &n))) {
        char text[128];
        struct spirv_specialization s;
        snprintf(text, sizeof text, "%.*s", (int)n, line);
        if (sscanf(text, "uint %u %u", &s.id, &s.value) != 2 &&
            sscanf(text, "float %u %f", &s.id, (float *)&s.value) != 2)
            continue;
        unsigned *count = &unit->num_specializations[stage];
        unit->specializations[stage] = talloc_realloc(r->mem_ctx, unit->specializations[stage],
                                                      struct spirv_specialization, *count + 1);
        unit->specializations[stage][(*count)++] = s;
    }
}

/* Parses an include: the path on the first line, then its text. */
static void read_include(struct reader *r, enum shader_stage stage, const char *body, size_t length)
{
    struct compile_unit *unit = r->unit;
    size_t n;
    const char *path = next_line(&body, &length, &n);
    char *location = path ? glsl_path_locate(r->mem_ctx, "/", path, n) : NULL;
    if (!location)
        return;
    unit->includes =
        talloc_realloc(r->mem_ctx, unit->includes, struct compile_include, unit->num_includes + 1);
    unit->includes[unit->num_includes++] = (struct compile_include){location, body, length};
}

static void read_include_paths(struct reader *r, enum shader_stage stage, const char *body,
                               size_t length)
{
    struct compile_unit *unit = r->unit;
    const char *line;
    size_t n;
    while ((line = next_line(&body, &length, &n))) {
        n -= n > 1 && line[n - 1] == '/';
        const char *location = n ? glsl_path_locate(r->mem_ctx, "/", line, n) : NULL;
        if (!location)
            continue;
        unit->search = talloc_realloc(r->mem_ctx, unit->search, const char *, unit->num_search + 1);
        unit->search[unit->num_search++] = location;
    }
}

/* GL_ARB_geometry_shader4: API calls set the input and output layout of geometry shaders. */
static void read_layout(struct reader *r, enum shader_stage stage, const char *body, size_t length)
{
    r->unit->beyond = "GL_ARB_geometry_shader4";
}

static void read_section(struct reader *r, const char *name, size_t name_length, const char *body,
                         size_t length)
{
    typedef void read_fn(struct reader *, enum shader_stage, const char *, size_t);
    static const struct {
        const char *name;
        read_fn *read;
    } whole[] = {
        {"require", read_requirements},   {"test", read_test},
        {"shader include", read_include}, {"shader include paths", read_include_paths},
        {"geometry layout", read_layout},
    };
    static const struct {
        const char *name;
        enum shader_stage stage;
    } stages[] = {
        {"vertex ", SHADER_VERTEX},
        {"tessellation control ", SHADER_TESS_CTRL},
        {"tessellation evaluation ", SHADER_TESS_EVAL},
        {"geometry ", SHADER_GEOMETRY},
        {"fragment ", SHADER_FRAGMENT},
        {"compute ", SHADER_COMPUTE},
        {"task ", SHADER_TASK},
        {"mesh ", SHADER_MESH},
    };
    static const struct {
        const char *name;
        read_fn *read;
    } kinds[] = {
        {"shader", read_shader},       {"shader passthrough", read_passthrough},
        {"shader spirv", read_module}, {"shader specializations", read_specializations},
        {"program", read_program},
    };
    char section[64];
    snprintf(section, sizeof section, "%.*s", (int)name_length, name);
    for (unsigned i = 0; i < ARRAY_SIZE(whole); i++) {
        if (!strcmp(section, whole[i].name))
            whole[i].read(r, SHADER_STAGE_NONE, body, length);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(stages) * ARRAY_SIZE(kinds); i++) {
        unsigned s = i / ARRAY_SIZE(kinds), k = i % ARRAY_SIZE(kinds);
        size_t n = strlen(stages[s].name);
        if (!strncmp(section, stages[s].name, n) && !strcmp(section + n, kinds[k].name))
            kinds[k].read(r, stages[s].stage, body, length);
    }
}

/* Returns the length of the name in "[name]" at the start of a line, or 0 if there is none. */
static size_t section_name(const char *line, const char *end)
{
    const char *p = line + 1;
    if (line >= end || *line != '[')
        return 0;
    while (p < end && (islower((unsigned char)*p) || *p == ' '))
        p++;
    return p < end && *p == ']' ? (size_t)(p - line - 1) : 0;
}

/* Determines the programs of the file. */
static void finish(struct reader *r)
{
    struct compile_unit *unit = r->unit, *modules = &r->modules;
    unit->es = r->es;
    unit->any_version = true;
    if (modules->num_sources) {
        modules->name = talloc_asprintf(r->mem_ctx, "%s:spirv", unit->name);
        modules->any_version = true;
        modules->link_error = unit->link_error;
        modules->separable_program = modules->num_sources == 1;
        modules->unsupported = unit->unsupported;
        modules->beyond = unit->beyond;
        if (r->spirv_only)
            *unit = *modules;
        else
            unit->next = talloc_memdup(r->mem_ctx, modules, sizeof *modules);
    }
    if (!unit->num_sources && !unit->unsupported)
        unit->unsupported = "no shader";
}

bool compile_read_shader_test(void *mem_ctx, struct compile_unit *unit, const char *path)
{
    struct reader r = {.mem_ctx = mem_ctx, .unit = unit};
    size_t length;
    const char *text = compile_read_file(mem_ctx, path, &length);
    if (!text)
        return false;
    const char *end = text + length, *name = NULL, *body = NULL;
    size_t name_length = 0;
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *next = newline ? newline + 1 : end;
        size_t n = section_name(line, end);
        if (n) {
            if (name)
                read_section(&r, name, name_length, body, (size_t)(line - body));
            name = line + 1;
            name_length = n;
            body = next;
        }
        line = next;
    }
    if (name)
        read_section(&r, name, name_length, body, (size_t)(end - body));
    finish(&r);
    return true;
}
