/* SPDX-License-Identifier: MIT */
/* Messages and files that cannot be written: SIGPIPE and SIGXFSZ don't end the process. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/log.h"
#include "util/new_file.h"
#include "util/write_signals.h"

/* Runs f(data) in a child process. Returns its wait status. */
static int run(void (*f)(const char *data), const char *data)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        f(data);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void break_stderr(void)
{
    int ends[2];
    if (pipe(ends))
        _exit(2);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
}

static void limit_files(void)
{
    const struct rlimit limit = {0, 0};
    if (setrlimit(RLIMIT_FSIZE, &limit))
        _exit(2);
}

static void warn_to_pipe(const char *data)
{
    sigset_t before = {0}, after = {0}, pending; /* the kernel fills the first 64 bits */
    break_stderr();
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    log_warning("nobody reads %s", data);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    sigpending(&pending);
    if (memcmp(&before, &after, sizeof before) || sigismember(&pending, SIGPIPE))
        _exit(3);
}

static void write_to_pipe(const char *data)
{
    break_stderr();
    log_warning("nobody reads %s", data);
    if (write(STDERR_FILENO, data, strlen(data)) < 0)
        _exit(4);
}

static void warn_to_file(const char *name)
{
    int fd = open(name, O_WRONLY);
    dup2(fd, STDERR_FILENO);
    limit_files();
    log_error("the file is full");
}

/* The caller has blocked SIGPIPE and waits for it: it stays pending. */
static void warn_with_pending(const char *data)
{
    sigset_t set, pending;
    break_stderr();
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGPIPE);
    log_warning("nobody reads %s", data);
    sigpending(&pending);
    if (!sigismember(&pending, SIGPIPE))
        _exit(5);
}

static void create_file(const char *directory)
{
    char path[64];
    struct iovec piece = {path, sizeof path};
    memset(path, 'x', sizeof path);
    limit_files();
    if (util_new_file(directory, "file", &piece, 1, true))
        _exit(6);
    snprintf(path, sizeof path, "%s/file", directory);
    if (!access(path, F_OK))
        _exit(7);
}

static void set_size(const char *name)
{
    int fd = open(name, O_WRONLY);
    if (!util_set_file_size(fd, 100) || !util_set_file_size(fd, 0))
        _exit(8);
    limit_files();
    if (util_set_file_size(fd, 1) || errno != EFBIG)
        _exit(9);
}

static void test_messages(void **state)
{
    char name[] = "/tmp/log-XXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(run(warn_to_pipe, "this"), 0);
    assert_int_equal(run(warn_with_pending, "this"), 0);
    assert_int_equal(run(warn_to_file, name), 0);
    assert_int_equal(run(set_size, name), 0);
    int status = run(write_to_pipe, "this"); /* the program's own writes are as before */
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    close(fd);
    unlink(name);
}

static void test_new_file(void **state)
{
    char name[] = "/tmp/log-XXXXXX";
    assert_non_null(mkdtemp(name));
    assert_int_equal(run(create_file, name), 0);
    assert_int_equal(rmdir(name), 0); /* nothing remains in it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_new_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
