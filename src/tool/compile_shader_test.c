/* SPDX-License-Identifier: MIT */
/*
 * Reads piglit's .shader_test files (their format is described in piglit's README and seen in its
 * tests): [require] tells the language version, the sections named after stages hold shaders.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "compile_options.h"
#include "compile_program.h"
#include "util/strbuf.h"

struct reader {
    void *mem_ctx;
    struct compile_unit *unit;
    unsigned version;
    bool es;
};

static const struct {
    const char *name;
    enum shader_stage stage;
} stage_sections[] = {
    {"vertex shader", SHADER_VERTEX},
    {"tessellation control shader", SHADER_TESS_CTRL},
    {"tessellation evaluation shader", SHADER_TESS_EVAL},
    {"geometry shader", SHADER_GEOMETRY},
    {"fragment shader", SHADER_FRAGMENT},
    {"compute shader", SHADER_COMPUTE},
};

static const char *const unsupported_sections[] = {
    "vertex program",
    "fragment program",
    "shader include",
    "vertex shader spirv",
    "tessellation control shader spirv",
    "tessellation evaluation shader spirv",
    "geometry shader spirv",
    "fragment shader spirv",
    "compute shader spirv",
    "geometry layout",
};

bool compile_is_shader_test(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".shader_test");
}

/* "GLSL >= 1.30", "GLSL ES >= 3.00", "SSO ENABLED", "SEPARABLE PROGRAM ENABLED". */
static void read_requirement(struct reader *r, const char *line, size_t length)
{
    char text[128];
    unsigned major, minor;
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (sscanf(text, "GLSL ES >= %u.%u", &major, &minor) == 2) {
        r->es = true;
        r->version = major * 100 + minor;
    } else if (sscanf(text, "GLSL >= %u.%u", &major, &minor) == 2) {
        r->version = major * 100 + minor;
    } else if (!strncmp(text, "SSO ENABLED", 11)) {
        r->unit->separable = true;
    } else if (!strncmp(text, "SEPARABLE PROGRAM ENABLED", 25)) {
        r->unit->separable_program = true;
    }
}

/* A shader that does not tell its version has that of [require]. */
static void add_source(struct reader *r, enum shader_stage stage, const char *text, size_t length)
{
    struct compile_unit *unit = r->unit;
    struct strbuf sb = STRBUF_INIT(r->mem_ctx);
    if (!memmem(text, length, "#version", 8) && r->version)
        strbuf_printf(&sb, "#version %u%s\n", r->version, r->es && r->version > 100 ? " es" : "");
    strbuf_append_n(&sb, text, length);
    unit->sources =
        talloc_realloc(r->mem_ctx, unit->sources, struct compile_source, unit->num_sources + 1);
    unit->sources[unit->num_sources++] =
        (struct compile_source){stage, (char *)strbuf_str(&sb), sb.length};
}

static void read_section(struct reader *r, const char *name, size_t name_length, const char *body,
                         size_t length)
{
    static const char passthrough[] = "#if __VERSION__ >= 130\n"
                                      "in vec4 piglit_vertex;\n"
                                      "#else\n"
                                      "attribute vec4 piglit_vertex;\n"
                                      "#endif\n"
                                      "void main() { gl_Position = piglit_vertex; }\n";
    char section[64];
    snprintf(section, sizeof section, "%.*s", (int)name_length, name);
    if (!strcmp(section, "require")) {
        for (const char *line = body, *end = body + length; line < end;) {
            const char *newline = memchr(line, '\n', (size_t)(end - line));
            size_t n = newline ? (size_t)(newline - line) : (size_t)(end - line);
            read_requirement(r, line, n);
            line += n + 1;
        }
        return;
    }
    if (!strcmp(section, "test")) {
        static const char words[] = "\nlink error";
        r->unit->link_error = memmem(body - 1, length + 1, words, sizeof words - 1);
        return;
    }
    if (!strcmp(section, "vertex shader passthrough"))
        add_source(r, SHADER_VERTEX, passthrough, sizeof passthrough - 1);
    for (unsigned i = 0; i < ARRAY_SIZE(stage_sections); i++) {
        if (!strcmp(section, stage_sections[i].name))
            add_source(r, stage_sections[i].stage, body, length);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(unsupported_sections); i++) {
        if (!strcmp(section, unsupported_sections[i]))
            r->unit->unsupported = unsupported_sections[i];
    }
}

/* Length of the name in "[name]" at the start of the line; 0: no section begins there. */
static size_t section_name(const char *line, const char *end)
{
    const char *p = line + 1;
    if (line >= end || *line != '[')
        return 0;
    while (p < end && (islower((unsigned char)*p) || *p == ' '))
        p++;
    return p < end && *p == ']' ? (size_t)(p - line - 1) : 0;
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
    unit->es = r.es;
    unit->any_version = true;
    if (!unit->num_sources && !unit->unsupported)
        unit->unsupported = "no shader";
    return true;
}
