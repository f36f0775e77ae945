/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer of GL calls: sequences of random and nearly valid commands, each in a process of its
 * own. A call is a function of (seed, thread, index) and of what the calls before it left behind, so
 * that a sequence repeats, and so that calls can be left out of it.
 */
#ifndef FUZZ_GL_H
#define FUZZ_GL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz_gl_commands.h"
#include "fuzz_gl_sequence.h"

/* ------------------------------------------------------------------- the table of commands --- */

enum fuzz_kind {
    FUZZ_KIND_ENUM,
    FUZZ_KIND_BITS,
    FUZZ_KIND_BOOLEAN,
    FUZZ_KIND_INTEGER, /* all of at most 32 bits */
    FUZZ_KIND_SIZE,    /* GLsizei */
    FUZZ_KIND_FLOAT,
    FUZZ_KIND_WIDE,   /* 64 bits */
    FUZZ_KIND_OFFSET, /* GLintptr */
    FUZZ_KIND_BYTES,  /* GLsizeiptr */
    FUZZ_KIND_SYNC,
    FUZZ_KIND_CALLBACK,
    FUZZ_KIND_OPAQUE, /* handles of other APIs: always NULL */
};

enum fuzz_length {
    FUZZ_LENGTH_NONE,      /* gl.xml does not say */
    FUZZ_LENGTH_CONSTANT,  /* times elements */
    FUZZ_LENGTH_PARAMETER, /* the value of parameter `of`, times or over a number */
    FUZZ_LENGTH_COMPUTED,  /* COMPSIZE(…) */
};

union fuzz_value {
    int64_t i; /* pointers too */
    double f;
};

struct fuzz_param {
    const char *name;
    uint8_t kind;    /* enum fuzz_kind: of the value, or of what is pointed to */
    uint8_t pointer; /* levels of indirection, at most 2 */
    bool constant;   /* it is read, not written */
    bool text;       /* characters */
    uint8_t element; /* bytes of what is pointed to */
    int16_t group;   /* of enumerants, index of fuzz_groups; -1: none */
    int8_t object;   /* enum fuzz_class; -1: no name */
    uint8_t length;  /* enum fuzz_length */
    uint8_t of;
    uint16_t times, over;
};

struct fuzz_command {
    const char *name;
    uint64_t (*call)(const union fuzz_value *arguments);
    const struct fuzz_param *params;
    uint8_t num_params;
    uint8_t apis; /* bit of each enum gl_api */
};

struct fuzz_group {
    const uint32_t *values;
    unsigned num_values;
};

extern const struct fuzz_command fuzz_commands[];
extern const unsigned fuzz_num_commands;
extern const struct fuzz_group fuzz_groups[];

#define FUZZ_MAX_PARAMS 24

/* fuzz_gl_code.c: whose calls are made from now on by this thread. */
void fuzz_tell_begin(const struct fuzz *f);
/* Says a call before it is made, as f has it: trace or code. */
void fuzz_tell(const struct fuzz *f, const struct fuzz_command *c, const union fuzz_value *a);
/* Says and makes one (fuzz_gl_told.h). */
uint64_t fuzz_told_call(unsigned command, const union fuzz_value *a);
/* Of code: what is no call of the GL. */
void fuzz_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* fuzz_gl_call.c: how much of client memory a call reads or writes through a pointer, by its other
 * arguments; and from there on to the end of parameter i's slot, 0: it is not in there. */
uint64_t fuzz_pointer_bytes(const struct fuzz_command *c, const struct fuzz_param *p,
                            const union fuzz_value *a);
uint64_t fuzz_slot_bytes(const struct fuzz *f, unsigned i, int64_t address);

/* fuzz_gl_call.c: chooses a command of the API and its arguments, and calls it. */
void fuzz_call(struct fuzz *f);
bool fuzz_memory_init(struct fuzz *f);

/* fuzz_gl_scene.c: several calls that set up something valid, or use it. */
void fuzz_scene(struct fuzz *f);
/* First context of the thread, current; share: NULL or a context of another thread. */
bool fuzz_contexts_init(struct fuzz *f, struct gl_context *share);
void fuzz_contexts_finish(struct fuzz *f);

/* Names of objects that were made, of all threads: any may be deleted by now. */
void fuzz_name_add(enum fuzz_class object, uint64_t name);
/* A name of the class, or 0, or one that does not exist. */
uint64_t fuzz_name(struct fuzz *f, enum fuzz_class object);

#endif
