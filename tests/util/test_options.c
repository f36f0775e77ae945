/* SPDX-License-Identifier: MIT */
/* Values of environment variables: defaults, numbers that are ignored, and setuid programs. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/options.h"

#define NOBODY     65534
#define NOT_SECURE 77 /* exit status */

static int wait_for(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Reads a number from the options of a process in which the variable has the value, or is unset. */
static int read_option(const char *name, const char *value, size_t offset)
{
    int ends[2], number = -1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDERR_FILENO); /* warnings */
        unsetenv(name);
        if (value)
            setenv(name, value, 1);
        const char *field = (const char *)util_get_options() + offset;
        _exit(write(ends[1], field, sizeof number) != sizeof number);
    }
    assert_int_equal(wait_for(child), 0);
    assert_int_equal(read(ends[0], &number, sizeof number), sizeof number);
    close(ends[0]);
    close(ends[1]);
    return number;
}

/* Values that are no number in the range are ignored: the default stays. */
static void test_numbers(void **state)
{
    static const struct {
        const char *name;
        size_t offset;
        int unset, least, most;
    } rows[] = {
        {"INDIUM_TIMEOUT", offsetof(struct util_options, timeout), 10, 0, 1000000},
        {"INDIUM_THREADS", offsetof(struct util_options, threads), 0, 1, 256},
        {"INDIUM_LANES", offsetof(struct util_options, lanes), 0, 4, 16},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        char text[32];
        assert_int_equal(read_option(rows[i].name, NULL, rows[i].offset), rows[i].unset);
        static const char *const wrong[] = {"", "x", "8x", "-1", "0x8", "99999999999999999999"};
        for (unsigned k = 0; k < ARRAY_SIZE(wrong); k++)
            assert_int_equal(read_option(rows[i].name, wrong[k], rows[i].offset), rows[i].unset);
        snprintf(text, sizeof text, "%d", rows[i].least - 1);
        assert_int_equal(read_option(rows[i].name, text, rows[i].offset), rows[i].unset);
        snprintf(text, sizeof text, "%d", rows[i].most + 1);
        assert_int_equal(read_option(rows[i].name, text, rows[i].offset), rows[i].unset);
        snprintf(text, sizeof text, "%d", rows[i].least);
        assert_int_equal(read_option(rows[i].name, text, rows[i].offset), rows[i].least);
        snprintf(text, sizeof text, "%d", rows[i].most);
        assert_int_equal(read_option(rows[i].name, text, rows[i].offset), rows[i].most);
    }
    assert_int_equal(read_option("INDIUM_LANES", "8", rows[2].offset), 8);
    assert_int_equal(read_option("INDIUM_LANES", "5", rows[2].offset), 0);
}

/* Returns how many directories the options name in a process whose variables have the value. */
static int names_directories(const char *value)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("INDIUM_FRAMES", value, 1);
        setenv("INDIUM_SHADERS", value, 1);
        setenv("INDIUM_CACHE_DIR", value, 1);
        const struct util_options *options = util_get_options();
        _exit(!!options->frames_dir + !!options->shaders_dir + !!options->cache_dir);
    }
    return wait_for(child);
}

/* Nothing is written if the name of the directory is empty. */
static void test_empty_directories(void **state)
{
    assert_int_equal(names_directories("/tmp"), 3);
    assert_int_equal(names_directories(""), 0);
}

/* What a setuid copy of this program does: all directories must be ignored. */
static int check_directories(void)
{
    const struct util_options *options = util_get_options();
    if (!getauxval(AT_SECURE))
        return NOT_SECURE;
    return options->frames_dir || options->shaders_dir || options->cache_dir;
}

/* Setuid programs don't write into directories that the environment names. */
static void test_setuid(void **state)
{
    char directory[] = "/tmp/indium-options-XXXXXX", path[80], buffer[65536];
    if (geteuid() != 0 || !mkdtemp(directory))
        skip();
    snprintf(path, sizeof path, "%s/program", directory);
    int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_WRONLY | O_CREAT, 0700);
    assert_true(from >= 0 && to >= 0);
    for (ssize_t n; (n = read(from, buffer, sizeof buffer)) > 0;)
        assert_int_equal(write(to, buffer, n), n);
    close(from);
    assert_int_equal(fchown(to, NOBODY, NOBODY), 0);
    assert_int_equal(fchmod(to, 04755), 0);
    close(to);
    assert_int_equal(chmod(directory, 0755), 0);

    static char *const environment[] = {"INDIUM_FRAMES=/tmp", "INDIUM_SHADERS=/tmp",
                                        "INDIUM_CACHE_DIR=/tmp", "HOME=/tmp", NULL};
    char *const arguments[] = {path, "directories", NULL};
    pid_t child = fork();
    if (child == 0) {
        execve(path, arguments, environment);
        _exit(NOT_SECURE);
    }
    int status = wait_for(child);
    unlink(path);
    rmdir(directory);
    if (status == NOT_SECURE) /* for example, /tmp is mounted with nosuid */
        skip();
    assert_int_equal(status, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "directories"))
        _exit(check_directories()); /* LeakSanitizer fails at the exit of setuid programs */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_empty_directories),
        cmocka_unit_test(test_setuid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
