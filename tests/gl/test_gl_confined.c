/* SPDX-License-Identifier: MIT */
/*
 * Checks what docs/security.md promises about the process: drawing needs a short list of system
 * calls, memory is never writable and executable at once, and the code of deleted shaders is freed.
 * A seccomp filter checks the first two on every call, so that no violation is missed.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gl_test.h"
#include "util/macros.h"

#define SIZE 128 /* pixels: more than a tile */

/* --- drawing, which compiles, allocates and wakes workers --- */

static void draw_program(int number)
{
    char fs[400];
    snprintf(fs, sizeof fs,
             "#version 120\n"
             "uniform sampler2D s; void main() { vec4 c = texture2D(s, gl_FragCoord.xy / %d.0);\n"
             "for (int i = 0; i < 4; i++) c = sin(c * %d.25) + sqrt(abs(c.yzwx));\n"
             "gl_FragColor = c * 0.0 + vec4(0, 1, 0, 1); }",
             SIZE, number + 1);
    GLuint p = gl_test_program("void main() { gl_Position = gl_Vertex; }", fs);
    glUseProgram(p);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    expect(SIZE / 2, SIZE - 1, 0, 1, 0);
    gl_test_delete_program(p);
}

static void draw_scene(int number)
{
    static uint8_t texels[SIZE * SIZE * 4];
    GLuint texture, buffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 3 << 20, NULL, GL_STREAM_DRAW);
    draw_program(number);
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_LIGHTING);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, NULL);
    glDrawArrays(GL_TRIANGLES, 0, 30000);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisable(GL_LIGHTING);
    glDisable(GL_TEXTURE_2D);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
    glFinish();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* --- system calls --- */

/* The list of docs/security.md. It covers existing contexts with running workers and without an
 * on-disk cache. */
static const int calls[] = {
    SYS_futex,
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_madvise,
    SYS_mremap,
    SYS_brk,
    SYS_membarrier,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_clock_gettime,
    SYS_rt_sigreturn,
    SYS_exit_group,
    SYS_write /* for messages, as the next */,
    SYS_rt_sigprocmask,
};

#define LOAD(field)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define EQUAL(k, y, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), (y), (n))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define WRITE_AND_EXEC (PROT_WRITE | PROT_EXEC)

static void report_call(int signal, siginfo_t *info, void *context)
{
    char text[64];
    int n = snprintf(text, sizeof text, "system call %d is not in the list\n", info->si_syscall);
    if (write(STDERR_FILENO, text, (size_t)n) < 0)
        _exit(3);
    _exit(2);
}

/* Installs a filter on all threads. Any other system call, and mapping memory writable and
 * executable, ends the process with status 2. Returns false if the kernel has no filters. */
static bool confine(void)
{
    struct sock_filter filter[16 + 2 * ARRAY_SIZE(calls)];
    unsigned n = 0;
    filter[n++] = (struct sock_filter)LOAD(nr);
    for (unsigned i = 0; i < ARRAY_SIZE(calls); i++) {
        if (calls[i] == SYS_mmap || calls[i] == SYS_mprotect)
            continue;
        filter[n++] = (struct sock_filter)EQUAL((unsigned)calls[i], 0, 1);
        filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    }
    filter[n++] = (struct sock_filter)EQUAL(SYS_mmap, 2, 0);
    filter[n++] = (struct sock_filter)EQUAL(SYS_mprotect, 1, 0);
    filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
    filter[n++] = (struct sock_filter)LOAD(args[2]); /* argument of both calls: protection */
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, WRITE_AND_EXEC);
    filter[n++] = (struct sock_filter)EQUAL(WRITE_AND_EXEC, 0, 1);
    filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
    filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)n, filter};
    struct sigaction action = {.sa_sigaction = report_call, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

/* Waits until all other threads of the process sleep. A thread that the C library is still starting
 * makes system calls that are not in the list. */
static void wait_for_idle_threads(void)
{
    for (bool idle = false; !idle; sched_yield()) {
        DIR *dir = opendir("/proc/self/task");
        struct dirent *entry;
        idle = true;
        while (dir && (entry = readdir(dir))) {
            char path[64], state = 'S';
            snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", entry->d_name);
            const int thread = atoi(entry->d_name); /* 0: a link to a directory */
            FILE *file = !thread || thread == getpid() ? NULL : fopen(path, "r");
            if (!file)
                continue;
            idle &= fscanf(file, "%*d %*[^)]) %c", &state) == 1 && state == 'S';
            fclose(file);
        }
        if (dir)
            closedir(dir);
    }
}

/* Runs in a child process, because filters are permanent. Returns 77 if the kernel has no
 * filters. */
static int draw_confined(void)
{
    void *context = NULL;
    if (gl_test_setup(&context, GL_API_COMPAT, &(const struct gl_test_window){SIZE, SIZE}))
        return 1;
    draw_scene(0);
    wait_for_idle_threads();
    if (!confine())
        return 77;
    for (int i = 1; i < 6; i++)
        draw_scene(i);
    return 0;
}

/* Runs the function in a child process and returns its exit status. */
static int in_child(int (*function)(void))
{
    pid_t child = fork();
    if (!child)
        _exit(function());
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_system_calls(void **state)
{
    int status = in_child(draw_confined);
    if (status == 77)
        skip();
    assert_int_equal(status, 0);
}

static int call_other(void)
{
    return confine() ? (int)syscall(SYS_getppid) & 0 : 77;
}

static int map_code(void)
{
    if (!confine())
        return 77;
    mmap(NULL, 4096, PROT_READ | WRITE_AND_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return 0;
}

/* Checks that the filter works as this test assumes. */
static void test_filter(void **state)
{
    int call = in_child(call_other), map = in_child(map_code);
    if (call == 77 || map == 77)
        skip();
    assert_int_equal(call, 2);
    assert_int_equal(map, 2);
}

/* --- where memory may not become executable --- */

#ifndef PR_SET_MDWE /* Linux 6.3 */
#define PR_SET_MDWE              65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

/* What a process is refused, and whether shaders are interpreted then. */
static const struct restriction {
    const char *name;
    bool by_prctl; /* PR_SET_MDWE */
    bool protects; /* mprotect to executable, as systemd's MemoryDenyWriteExecute has it */
    bool maps;     /* mmap to executable */
    bool memfd;    /* memfd_create */
    bool files;    /* new file descriptors, after the first draw */
    bool late;     /* not before shaders were compiled */
    bool is_interpreted;
} restrictions[] = {
    {"PR_SET_MDWE", .by_prctl = true},
    {"MemoryDenyWriteExecute", .protects = true},
    {"MemoryDenyWriteExecute, later", .protects = true, .late = true},
    {"PR_SET_MDWE, no descriptors", .by_prctl = true, .files = true},
    {"no memfd", .by_prctl = true, .memfd = true, .is_interpreted = true},
    {"no executable memory", .protects = true, .maps = true, .is_interpreted = true},
    {"no executable memory, later", .protects = true, .maps = true, .late = true,
     .is_interpreted = true},
};
static const struct restriction *restriction;

/* False: the kernel cannot. */
static bool restrict_process(void)
{
    const struct restriction *r = restriction;
    struct sock_filter filter[20];
    const unsigned refuse = SECCOMP_RET_ERRNO | EPERM;
    unsigned n = 0;
    if (r->by_prctl && prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0))
        return false;
    filter[n++] = (struct sock_filter)LOAD(nr);
    if (r->memfd) {
        filter[n++] = (struct sock_filter)EQUAL(SYS_memfd_create, 0, 1);
        filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | ENOSYS);
    }
    for (unsigned i = 0; i < 3; i++) {
        static const int calls_to_code[] = {SYS_mmap, SYS_mprotect, SYS_pkey_mprotect};
        if (i ? !r->protects : !r->maps)
            continue;
        filter[n++] = (struct sock_filter)LOAD(nr);
        filter[n++] = (struct sock_filter)EQUAL((unsigned)calls_to_code[i], 0, 3);
        filter[n++] = (struct sock_filter)LOAD(args[2]); /* their protection */
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1);
        filter[n++] = (struct sock_filter)RETURN(refuse);
    }
    filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)n, filter};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

/* Lines of a file that have the text. */
static unsigned count_lines(FILE *file, const char *text)
{
    char line[512];
    unsigned count = 0;
    rewind(file);
    while (fgets(line, sizeof line, file))
        count += strstr(line, text) != NULL;
    return count;
}

/* In a child; 77: the kernel cannot. No call fails, and the picture is right. */
static int draw_restricted(void)
{
    void *context = NULL;
    FILE *messages = tmpfile();
    if (!messages || dup2(fileno(messages), STDERR_FILENO) < 0)
        return 1;
    if (!restriction->late && !restrict_process())
        return 77;
    if (gl_test_setup(&context, GL_API_COMPAT, &(const struct gl_test_window){SIZE, SIZE}))
        return 2;
    if (restriction->late) {
        draw_program(0);
        if (!restrict_process())
            return 77;
    }
    draw_scene(1);
    if (restriction->files && setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}))
        return 4;
    draw_scene(2);
    return count_lines(messages, "interpreted") == restriction->is_interpreted ? 0 : 3;
}

static void test_no_code(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(restrictions); i++) {
        restriction = &restrictions[i];
        int status = in_child(draw_restricted);
        print_message("%s: %s\n", restriction->name, status == 77 ? "the kernel cannot" : "drawn");
        assert_true(status == 0 || status == 77);
    }
}

/* --- code --- */

/* Returns the bytes of executable anonymous memory. */
static size_t code_bytes(void)
{
    char line[512], protection[8];
    unsigned long from, to, inode;
    size_t sum = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        assert_int_equal(sscanf(line, "%lx-%lx %7s %*s %*s %lu", &from, &to, protection, &inode),
                         4);
        if (protection[1] == 'w' && protection[2] == 'x')
            fail_msg("memory that may be written and executed: %s", line);
        if (protection[2] == 'x' && !inode && !strchr(line, '['))
            sum += to - from;
    }
    fclose(maps);
    return sum;
}

static void test_code_is_freed(void **state)
{
    void *context = NULL;
    assert_int_equal(
        gl_test_setup(&context, GL_API_COMPAT, &(const struct gl_test_window){SIZE, SIZE}), 0);
    draw_program(0);
    draw_program(1);
    GLuint p = gl_test_program("void main() { gl_Position = gl_Vertex; }",
                               "void main() { gl_FragColor = vec4(1); }");
    glUseProgram(p);
    glRectf(-1, -1, 1, 1);
    glFinish();
    size_t before = code_bytes();
    assert_true(before > 0);
    for (int i = 2; i < 30; i++)
        draw_program(i);
    print_message("%zu bytes of code, then %zu\n", before, code_bytes());
    assert_true(code_bytes() <= before + (64 << 10));
    glDeleteProgram(p);
    gl_test_teardown(&context);
}

/* --- memory --- */

static size_t address_space(void)
{
    size_t pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm) {
        if (fscanf(statm, "%zu", &pages) != 1)
            pages = 0;
        fclose(statm);
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Compiles, links and draws with `bytes` of address space left. Returns whether GL_OUT_OF_MEMORY
 * was raised; clears *good if anything else was wrong. */
static bool run_short(int number, size_t bytes, bool *good)
{
    struct rlimit old, limit;
    char fs[200];
    snprintf(fs, sizeof fs, "void main() { gl_FragColor = sin(gl_FragCoord * %d.5); }", number);
    const char *text = fs;
    getrlimit(RLIMIT_AS, &old);
    limit = (struct rlimit){address_space() + bytes, old.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
    GLuint p = glCreateProgram(), s = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(s, 1, &text, NULL);
    glCompileShader(s);
    glAttachShader(p, s);
    glLinkProgram(p);
    glUseProgram(p);
    glRectf(-1, -1, 1, 1);
    glFinish();
    setrlimit(RLIMIT_AS, &old);
    bool any = false;
    for (GLenum error; (error = glGetError()) != GL_NO_ERROR;) {
        any |= error == GL_OUT_OF_MEMORY;
        /* A shader that failed to compile gives no program. */
        *good &= error == GL_OUT_OF_MEMORY || (any && error == GL_INVALID_OPERATION);
    }
    glUseProgram(0);
    glDeleteShader(s);
    glDeleteProgram(p);
    return any;
}

/* Returns 0 on success. */
static int compile_without_memory(void)
{
    void *context = NULL;
    bool good = true;
    unsigned failures = 0;
    if (gl_test_setup(&context, GL_API_COMPAT, &(const struct gl_test_window){SIZE, SIZE}))
        return 1;
    draw_scene(0);
    for (int i = 0; i < 24; i++)
        failures += run_short(i, (size_t)i << 22, &good);
    if (!failures)
        return 2;
    draw_scene(1);
    return good ? 0 : 3;
}

static void test_address_space(void **state)
{
    assert_int_equal(in_child(compile_without_memory), 0);
}

/* Looks for heaps that the C library creates for threads: long mappings whose end is not accessible
 * yet. Returns 0 if there are none. */
static int look_for_heaps(void)
{
    char line[512], protection[8];
    unsigned long from, to, inode;
    void *context = NULL;
    if (gl_test_setup(&context, GL_API_COMPAT, &(const struct gl_test_window){SIZE, SIZE}))
        return 1;
    draw_scene(0);
    draw_scene(1);
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return 2;
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &from, &to, protection, &inode) == 4 &&
            !strncmp(protection, "---", 3) && !inode && to - from > 16u << 20)
            return 3;
    fclose(maps);
    return 0;
}

static void test_heaps_of_threads(void **state)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* this allocator has such mappings */
#endif
    assert_int_equal(in_child(look_for_heaps), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heaps_of_threads), cmocka_unit_test(test_filter),
        cmocka_unit_test(test_system_calls),     cmocka_unit_test(test_address_space),
        cmocka_unit_test(test_code_is_freed),    cmocka_unit_test(test_no_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
