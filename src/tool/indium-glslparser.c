/* SPDX-License-Identifier: MIT */
/*
 * indium-glslparser: runs many of piglit's glslparser tests without GL and without a process per
 * test. A test is a shader whose first comment states the expectation:
 *
 *     [config]
 *     expect_result: pass
 *     glsl_version: 1.50
 *     require_extensions: GL_ARB_gpu_shader5
 *     check_link: true
 *     [end config]
 *
 * Prints "FILE pass", "FILE fail" or "FILE crash" for each file. All extensions are enabled, so no
 * test is skipped. A child process compiles the files; if it crashes or hangs, another child
 * continues with the next file.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "compile_options.h"

#define SECONDS_PER_FILE 10

struct config {
    bool expect_pass, check_link;
    bool es, core;
    unsigned version;       /* 150 for GLSL 1.50 */
    char include_path[256]; /* search path of includes; may be empty */
    bool dummy_include;     /* provide an empty "/dummy/path_to/shader_include" */
    /* as written: required extensions, and forbidden ones with a '!' prefix */
    char extensions[256];
};

struct run {
    char **files;
    unsigned count;
    bool verbose;
    volatile unsigned *current; /* shared with the child */
};

/* Copies the value of `key: value` up to the end of the line, or "" if the key is missing. */
static void config_value(const char *text, const char *end, const char *key, char *value,
                         size_t size)
{
    const char *at = text;
    value[0] = 0;
    while ((at = strstr(at, key)) && at < end) {
        at += strlen(key);
        if (*at != ':')
            continue;
        at += 1 + strspn(at + 1, " \t");
        size_t n = MIN2(strcspn(at, "\r\n"), size - 1);
        while (n && (at[n - 1] == ' ' || at[n - 1] == '\t'))
            n--;
        memcpy(value, at, n);
        value[n] = 0;
        return;
    }
}

static bool parse_config(const char *text, struct config *config)
{
    char value[256];
    const char *start = strstr(text, "[config]");
    const char *end = start ? strstr(start, "[end config]") : NULL;
    *config = (struct config){0};
    if (!end)
        return false;
    config_value(start, end, "expect_result", value, sizeof value);
    config->expect_pass = !strcmp(value, "pass");
    config_value(start, end, "check_link", value, sizeof value);
    config->check_link = !strcasecmp(value, "true");
    config_value(start, end, "dummy_shader_include", value, sizeof value);
    config->dummy_include = !strcasecmp(value, "true");
    config_value(start, end, "shader_include_path", config->include_path,
                 sizeof config->include_path);
    config_value(start, end, "glsl_version", value, sizeof value);
    unsigned major = 0, minor = 0;
    sscanf(value, "%u.%u", &major, &minor);
    config->version = major * 100 + minor;
    bool compat = strstr(value, "compatibility") != NULL;
    config->es = !compat && (config->version == 100 || config->version == 300 ||
                             config->version == 310 || config->version == 320);
    config_value(start, end, "require_extensions", config->extensions, sizeof config->extensions);
    compat = compat || strstr(config->extensions, "GL_ARB_compatibility");
    config->core = !config->es && !compat && config->version >= 140;
    return config->version != 0;
}

/* Disables the extensions that the test forbids. */
static void remove_extensions(struct glsl_options *options, const char *list)
{
    for (const char *at = list; (at = strchr(at, '!')); at++) {
        size_t length = strcspn(at + 1, " \t");
        for (unsigned i = 0; i < GLSL_EXT_COUNT; i++) {
            const char *name = glsl_extension_table[i].name;
            if (strlen(name) != length || strncmp(name, at + 1, length))
                continue;
            bitset_clear(options->extensions, i);
            bitset_clear(options->es_extensions, i);
        }
    }
}

/* Links the shader with minimal shaders for the other required stages. */
static bool link_with_others(void *mem_ctx, const struct glsl_options *options,
                             const struct config *config, struct glsl_shader *shader, char **log)
{
    static const char *const texts[SHADER_STAGE_COUNT] = {
        [SHADER_VERTEX] = "void main() { gl_Position = vec4(0.0); }",
        [SHADER_TESS_EVAL] = "#extension GL_ARB_tessellation_shader : require\n"
                             "layout(quads, equal_spacing) in;\n"
                             "void main() { gl_Position = vec4(0.0); }",
        [SHADER_FRAGMENT] = "void main() { }",
    };
    enum shader_stage stage = shader->stage;
    struct glsl_shader *shaders[SHADER_STAGE_COUNT] = {shader};
    struct glsl_link_input input = {.shaders = shaders, .num_shaders = 1};
    bool wanted[SHADER_STAGE_COUNT] = {
        [SHADER_VERTEX] = config->es ? stage == SHADER_FRAGMENT
                                     : stage == SHADER_GEOMETRY || stage == SHADER_TESS_CTRL ||
                                           stage == SHADER_TESS_EVAL,
        [SHADER_TESS_EVAL] = stage == SHADER_TESS_CTRL,
        [SHADER_FRAGMENT] = config->es && stage == SHADER_VERTEX,
    };
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!wanted[s])
            continue;
        const char *es = config->es && config->version > 100 ? "es" : "";
        char *text = talloc_asprintf(mem_ctx, "#version %u %s\n%s", config->version, es, texts[s]);
        shaders[input.num_shaders] = glsl_compile(mem_ctx, options, s, text, strlen(text));
        input.num_shaders += shaders[input.num_shaders]->compiled;
    }
    struct glsl_program *program = glsl_link(mem_ctx, options, &input);
    *log = program->info_log;
    return program->linked;
}

static enum glsl_include_result find_include(void *data, const char *path, const char **text,
                                             size_t *length)
{
    static const char dummy[] = "/dummy/path_to/shader_include";
    const struct config *config = data;
    *text = "";
    *length = 0;
    if (!config->dummy_include)
        return GLSL_INCLUDE_NOT_FOUND;
    return !strcmp(dummy, path)              ? GLSL_INCLUDE_FOUND
           : glsl_path_is_below(path, dummy) ? GLSL_INCLUDE_NO_STRING
                                             : GLSL_INCLUDE_NOT_FOUND;
}

static const char *judge(const struct run *run, const char *file)
{
    void *mem_ctx = talloc_new(NULL);
    size_t length = 0;
    enum shader_stage stage = compile_stage_of(file);
    char *text = stage == SHADER_STAGE_NONE ? NULL : compile_read_file(mem_ctx, file, &length);
    struct config config;
    const char *result = "unreadable";
    if (!text)
        goto done;
    text = talloc_realloc(mem_ctx, text, char, length + 1);
    text[length] = 0;
    if (!parse_config(text, &config))
        goto done;
    struct glsl_options options;
    compile_options_fill(&options, config.es, config.es ? 320 : 460);
    options.core = config.core;
    remove_extensions(&options, config.extensions);
    const char *search = config.include_path;
    struct glsl_includes includes = {.search = &search,
                                     .num_search = config.include_path[0] != 0,
                                     .find = find_include,
                                     .data = &config};
    struct glsl_shader *shader =
        glsl_compile_with(mem_ctx, &options, &includes, stage, text, length);
    char *log = shader->info_log;
    bool ok = shader->compiled;
    if (ok && config.check_link)
        ok = link_with_others(mem_ctx, &options, &config, shader, &log);
    result = ok == config.expect_pass ? "pass" : "fail";
    if (run->verbose && ok != config.expect_pass)
        fprintf(stderr, "%s: expected to %s\n%s\n", file, config.expect_pass ? "pass" : "fail",
                log ? log : "");
done:
    talloc_free(mem_ctx);
    return result;
}

/* Child process: compiles files until the end. Does not return. */
static void child(const struct run *run)
{
    for (; *run->current < run->count; ++*run->current) {
        const char *file = run->files[*run->current];
        alarm(SECONDS_PER_FILE);
        printf("%s %s\n", file, judge(run, file));
        fflush(stdout);
    }
    _exit(0);
}

static int run_all(struct run *run)
{
    run->current =
        mmap(NULL, sizeof *run->current, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (run->current == MAP_FAILED)
        return 2;
    while (*run->current < run->count) {
        pid_t pid = fork();
        int status = 0;
        if (pid < 0)
            return 2;
        if (pid == 0)
            child(run);
        if (waitpid(pid, &status, 0) < 0)
            return 2;
        if (*run->current < run->count) {
            printf("%s %s\n", run->files[*run->current],
                   WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "timeout" : "crash");
            fflush(stdout);
            ++*run->current;
        }
    }
    return 0;
}

/* Reads file names from standard input, one per line. */
static void read_names(void *mem_ctx, struct run *run)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    while ((n = getline(&line, &size, stdin)) > 0) {
        if (line[n - 1] == '\n')
            line[n - 1] = 0;
        run->files = talloc_realloc(mem_ctx, run->files, char *, run->count + 1);
        run->files[run->count++] = talloc_strdup(mem_ctx, line);
    }
    free(line);
}

int main(int argc, char **argv)
{
    struct run run = {0};
    void *mem_ctx = talloc_new(NULL);
    int first = 1;
    if (argc > 1 && !strcmp(argv[1], "--verbose")) {
        run.verbose = true;
        first = 2;
    }
    if (argc <= first) {
        fputs("usage: indium-glslparser [--verbose] FILE… | -\n"
              "  --verbose  say on stderr why a test fails\n"
              "  -          the names of files come from the standard input\n",
              stderr);
        return 2;
    }
    run.files = argv + first;
    run.count = argc - first;
    if (!strcmp(argv[first], "-")) {
        run.files = NULL;
        run.count = 0;
        read_names(mem_ctx, &run);
    }
    int code = run_all(&run);
    talloc_free(mem_ctx);
    return code;
}
