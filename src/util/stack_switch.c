/* SPDX-License-Identifier: MIT */
#include "util/stack_switch.h"

/* A function whose use of registers is unknown to its callers. */
#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif

/* The stack pointer is kept in a register that the called function preserves. */
OPAQUE void util_call_on_stack(void *top, void (*function)(void *data), void *data)
{
#if defined(__x86_64__)
    register void *arg __asm__("rdi") = data;
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %1, %%rsp\n\t"
                     "call *%2\n\t"
                     "movq %%rbx, %%rsp"
                     : "+r"(arg)
                     : "r"(top), "r"(function)
                     : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
#elif defined(__aarch64__)
    register void *arg __asm__("x0") = data;
    __asm__ volatile("mov x19, sp\n\t"
                     "mov sp, %1\n\t"
                     "blr %2\n\t"
                     "mov sp, x19"
                     : "+r"(arg)
                     : "r"(top), "r"(function)
                     : "x19", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
                       "x12", "x13", "x14", "x15", "x16", "x17", "x30", "v0", "v1", "v2", "v3",
                       "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15",
                       "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
                       "v27", "v28", "v29", "v30", "v31", "memory", "cc");
#else
    (void)top;
    function(data);
#endif
}
