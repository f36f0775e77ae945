/* SPDX-License-Identifier: MIT */
/*
 * Plugin of qemu-user that counts the instructions that the emulated program executes. For each
 * system call MARKER of the program, it writes the number of instructions since the previous one to
 * stdout. ./indium test arm64 compiles it for the build machine.
 *
 * Debian has no header for plugins; the declarations follow QEMU's manual ("QEMU TCG Plugins", API
 * version 1, QEMU 4.2 to 8.1).
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))
#define MARKER 100000 /* also in count_kernels.c; no system call has this number */

struct qemu_plugin_tb;    /* a translated block of instructions */
struct qemu_info;         /* not used here */
typedef uint64_t qemu_id; /* identifies the plugin */

enum { QEMU_PLUGIN_INLINE_ADD_U64 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_id id,
                                           void (*f)(qemu_id id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, int op, void *sum,
                                              uint64_t n);
void qemu_plugin_register_vcpu_syscall_cb(qemu_id id,
                                          void (*f)(qemu_id id, unsigned cpu, int64_t number,
                                                    uint64_t a1, uint64_t a2, uint64_t a3,
                                                    uint64_t a4, uint64_t a5, uint64_t a6,
                                                    uint64_t a7, uint64_t a8));

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_id id, const struct qemu_info *info, int argc, char **argv);

/* Not exact while several threads run. */
static uint64_t count, at_marker;

static void translate(qemu_id id, struct qemu_plugin_tb *tb)
{
    qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &count,
                                             qemu_plugin_tb_n_insns(tb));
}

static void take_syscall(qemu_id id, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2,
                         uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
                         uint64_t a8)
{
    if (number != MARKER)
        return;
    printf("%" PRIu64 "\n", count - at_marker);
    fflush(stdout);
    at_marker = count;
}

int qemu_plugin_install(qemu_id id, const struct qemu_info *info, int argc, char **argv)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, take_syscall);
    return 0;
}
