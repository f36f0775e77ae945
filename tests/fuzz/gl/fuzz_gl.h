/* SPDX-License-Identifier: MIT */
/*
 * Fuzzer of GL calls: runs sequences of random, nearly valid commands, each sequence in its own
 * process. A call depends only on (seed, thread, index) and on the state that previous calls left.
 * Sequences are therefore reproducible, and calls can be omitted.
 */
#ifndef FUZZ_GL_H
#define FUZZ_GL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz_gl_commands.h"
#include "fuzz_gl_sequence.h"

/* --- table of commands --- */

/* Type of a parameter or of the data that it points to. */
enum fuzz_kind {
    FUZZ_KIND_ENUM,
    FUZZ_KIND_BITS, /* GLbitfield */
    FUZZ_KIND_BOOLEAN,
    FUZZ_KIND_INTEGER, /* integers of up to 32 bits */
    FUZZ_KIND_SIZE,    /* GLsizei */
    FUZZ_KIND_FLOAT,
    FUZZ_KIND_WIDE,   /* 64 bits */
    FUZZ_KIND_OFFSET, /* GLintptr */
    FUZZ_KIND_BYTES,  /* GLsizeiptr */
    FUZZ_KIND_SYNC,
    FUZZ_KIND_CALLBACK,
    FUZZ_KIND_OPAQUE, /* handles of other APIs; always NULL */
};

/* How the length of the array that a parameter points to is specified, in elements. */
enum fuzz_length {
    FUZZ_LENGTH_NONE,      /* not specified in gl.xml */
    FUZZ_LENGTH_CONSTANT,  /* `times` */
    FUZZ_LENGTH_PARAMETER, /* value of parameter `of` × `times` / `over` */
    FUZZ_LENGTH_COMPUTED,  /* COMPSIZE(…) */
};

/* Value of an argument. */
union fuzz_value {
    int64_t i; /* integers and pointers */
    double f;
};

struct fuzz_param {
    const char *name;
    uint8_t kind;         /* enum fuzz_kind of the value or of the pointed-to data */
    uint8_t pointer;      /* levels of indirection, at most 2 */
    bool constant;        /* the command reads the data and doesn't write it */
    bool text;            /* characters */
    uint8_t element;      /* bytes per element of the pointed-to data */
    int16_t group;        /* group of enumerants, an index into fuzz_groups; -1: none */
    int8_t object;        /* enum fuzz_class of an object name; -1: not a name */
    uint8_t length;       /* enum fuzz_length */
    uint8_t of;           /* FUZZ_LENGTH_PARAMETER: index of the parameter that has the length */
    uint16_t times, over; /* factors of the length, see enum fuzz_length */
};

struct fuzz_command {
    const char *name;
    uint64_t (*call)(const union fuzz_value *arguments);
    const struct fuzz_param *params;
    uint8_t num_params;
    uint8_t apis; /* bit mask of enum gl_api */
};

/* A group of enumerants. */
struct fuzz_group {
    const uint32_t *values;
    unsigned num_values;
};

extern const struct fuzz_command fuzz_commands[];
extern const unsigned fuzz_num_commands;
extern const struct fuzz_group fuzz_groups[];

#define FUZZ_MAX_PARAMS 24

/* --- fuzz_gl_code.c --- */
/* Sets the struct fuzz of the calling thread. Must be called before the functions without a
 * parameter f: fuzz_print_and_call() and fuzz_note(). */
void fuzz_print_begin(const struct fuzz *f);
/* Prints a call that is about to be made: as C code if f->code, as a line if f->trace. */
void fuzz_print_call(const struct fuzz *f, const struct fuzz_command *c, const union fuzz_value *a);
/* Prints and makes a call of fuzz_commands[command]. Returns its result, or 0 if it is void. Called
 * by the wrappers in the generated header fuzz_gl_told.h. */
uint64_t fuzz_print_and_call(unsigned command, const union fuzz_value *a);
/* If f->code, prints text between the calls, for actions that aren't GL calls. */
void fuzz_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- fuzz_gl_call.c --- */
/* Returns the number of bytes of client memory that a call with arguments a may access through
 * pointer parameter p. UINT64_MAX: unknown or too large for a slot. */
uint64_t fuzz_pointer_bytes(const struct fuzz_command *c, const struct fuzz_param *p,
                            const union fuzz_value *a);
/* Returns the number of bytes from an address to the end of the slot of parameter i, the part of
 * f->slots that holds its data. Returns 0 if the address is outside the slot. */
uint64_t fuzz_slot_bytes(const struct fuzz *f, unsigned i, int64_t address);

/* Chooses a command of the API and its arguments, and calls it. */
void fuzz_call(struct fuzz *f);
/* Maps f->slots: a slot per parameter and memory for client arrays, with guard pages. Returns false
 * if memory is exhausted. */
bool fuzz_memory_init(struct fuzz *f);

/* --- fuzz_gl_scene.c --- */
/* Makes several calls that set up valid state or use it. */
void fuzz_scene(struct fuzz *f);
/* Creates the thread's first context and makes it current. share is NULL or another thread's
 * context. Returns false on error. */
bool fuzz_contexts_init(struct fuzz *f, struct gl_context *share);
/* Destroys the thread's contexts and drawables. */
void fuzz_contexts_finish(struct fuzz *f);

/* --- fuzz_gl.c --- */
/* Records the name of a created object, for all threads. It may be deleted later. */
void fuzz_name_add(enum fuzz_class object, uint64_t name);
/* Returns a name for an argument of the class, at random: usually a recorded one, otherwise 0 or a
 * name that may not exist. */
uint64_t fuzz_name(struct fuzz *f, enum fuzz_class object);

#endif
