/* SPDX-License-Identifier: MIT */
/* The grammar (ARB_vertex_program 2.14.2, ARB_fragment_program 3.11.2). Bindings are parsed as
 * generic dotted paths. */
%define api.pure full
%define api.prefix {asm_yy}
%define api.token.prefix {ASM_}
%define api.location.type {unsigned}
%define parse.error detailed
%locations
%param {struct asm_parser *p}

%code requires {
#include "asm/asm_parser.h"
}

%union {
    const char *word;
    int64_t integer;
    double number;
    struct {
        enum asm_op op;
        bool saturate;
    } op;
    struct asm_path path;
    struct asm_step index;
    struct asm_operand operand;
    struct asm_operands operands;
    bool flag;
    enum glsl_sampler_dim dim;
}

%code {
/* bison counts errors in a variable that it does not read. */
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

#define YYSTACK_ALLOC(size) asm_alloc(p, size)
#define YYLLOC_DEFAULT(current, rhs, n) ((current) = (n) ? YYRHSLOC(rhs, 1) : YYRHSLOC(rhs, 0))

int asm_yylex(ASM_YYSTYPE *value, unsigned *location, void *scanner);
#define asm_yylex(value, location, p) asm_yylex(value, location, (p)->scanner)

static void asm_yyerror(const unsigned *location, struct asm_parser *p, const char *message)
{
    asm_fail(p, *location, "%s", message);
}

static void append(struct asm_parser *p, struct asm_operands *list, const struct asm_operand *o)
{
    struct asm_operand *copy = asm_alloc(p, sizeof *copy);
    if (!copy)
        return;
    *copy = *o;
    copy->next = NULL;
    if (list->last)
        list->last->next = copy;
    else
        list->first = copy;
    list->last = copy;
    list->count++;
}

#define CHECK                                                                                      \
    do {                                                                                           \
        if (p->failed)                                                                             \
            YYABORT;                                                                               \
    } while (0)
}

%token ADDRESS_WORD "ADDRESS" ALIAS "ALIAS" ATTRIB "ATTRIB" END "END" OPTION "OPTION"
%token OUTPUT "OUTPUT" PARAM "PARAM" TEMP "TEMP" DOTS ".."
%token <word> NAME "name" BINDING "binding"
%token <dim> TARGET_NAME "texture target"
%token <integer> INTEGER "integer"
%token <number> NUMBER "number"
%token <op> OPCODE "instruction"

%type <word> word
%type <path> path
%type <index> index
%type <operand> operand suffixed constant item
%type <operands> operands items components
%type <integer> size displacement
%type <number> magnitude scalar
%type <flag> sign

%%

program:
    options statements "END"

options:
    %empty
|   options "OPTION" NAME ';'           { asm_option(p, @3, $3); CHECK; }

statements:
    %empty
|   statements statement ';'            { CHECK; }

statement:
    OPCODE operands                     { asm_instruction(p, @1, $1.op, $1.saturate, &$2); }
|   "TEMP" temps
|   "ADDRESS" addresses
|   "ATTRIB" NAME '=' path              { asm_declare_attrib(p, @2, $2, &$4); }
|   "OUTPUT" NAME '=' path              { asm_declare_output(p, @2, $2, &$4); }
|   "ALIAS" NAME '=' NAME               { asm_declare_alias(p, @2, $2, $4); }
|   "PARAM" NAME '=' item               { struct asm_operands one = {0};
                                          append(p, &one, &$4);
                                          CHECK;
                                          asm_declare_param(p, @2, $2, 0, &one); }
|   "PARAM" NAME '[' size ']' '=' '{' items '}' { asm_declare_param(p, @2, $2, $4, &$8); }

temps:
    NAME                                { asm_declare_temps(p, @1, $1, false); CHECK; }
|   temps ',' NAME                      { asm_declare_temps(p, @3, $3, false); CHECK; }

addresses:
    NAME                                { asm_declare_temps(p, @1, $1, true); CHECK; }
|   addresses ',' NAME                  { asm_declare_temps(p, @3, $3, true); CHECK; }

size:
    %empty                              { $$ = -1; }
|   INTEGER                             { if ($1 < 1) asm_fail(p, @1, "the size of an array must be positive");
                                          CHECK;
                                          $$ = $1; }

items:
    item                                { $$ = (struct asm_operands){0}; append(p, &$$, &$1); CHECK; }
|   items ',' item                      { $$ = $1; append(p, &$$, &$3); CHECK; }

item:
    path                                { $$ = (struct asm_operand){.at = @1, .kind = ASM_PATH, .path = $1}; }
|   constant
|   sign magnitude                      { float x = $1 ? -$2 : $2;
                                          $$ = (struct asm_operand){.at = @1, .kind = ASM_SCALAR,
                                                                    .value = {x, x, x, x}}; }

operands:
    operand                             { $$ = (struct asm_operands){0}; append(p, &$$, &$1); CHECK; }
|   operands ',' operand                { $$ = $1; append(p, &$$, &$3); CHECK; }

operand:
    path                                { $$ = (struct asm_operand){.at = @1, .kind = ASM_PATH, .path = $1}; }
|   sign path                           { $$ = (struct asm_operand){.at = @1, .kind = ASM_PATH, .path = $2,
                                                                    .negate = $1, .has_sign = true}; }
|   suffixed
|   sign suffixed                       { $$ = $2; $$.at = @1; $$.has_sign = true; $$.negate = $1; }
|   TARGET_NAME                         { $$ = (struct asm_operand){.at = @1, .kind = ASM_TARGET, .dim = $1}; }

suffixed:
    constant
|   constant '.' NAME                   { $$ = $1; $$.suffix = $3; }

sign:
    '-'                                 { $$ = true; }
|   '+'                                 { $$ = false; }

magnitude:
    INTEGER                             { $$ = $1; }
|   NUMBER

scalar:
    magnitude
|   sign magnitude                      { $$ = $1 ? -$2 : $2; }

constant:
    magnitude                           { $$ = (struct asm_operand){.at = @1, .kind = ASM_SCALAR,
                                                                    .value = {$1, $1, $1, $1}}; }
|   '{' components '}'                  { $$ = (struct asm_operand){.at = @1, .kind = ASM_VECTOR};
                                          $$.value[3] = 1.0f;
                                          unsigned i = 0;
                                          for (struct asm_operand *o = $2.first; o && i < 4; o = o->next)
                                              $$.value[i++] = o->value[0];
                                          if ($2.count > 4)
                                              asm_fail(p, @1, "a vector can have at most four components");
                                          CHECK; }

components:
    scalar                              { struct asm_operand o = {.value = {$1}};
                                          $$ = (struct asm_operands){0};
                                          append(p, &$$, &o);
                                          CHECK; }
|   components ',' scalar               { struct asm_operand o = {.value = {$3}};
                                          $$ = $1;
                                          append(p, &$$, &o);
                                          CHECK; }

word:
    NAME
|   BINDING

path:
    word                                { $$ = asm_path(p, @1, $1); CHECK; }
|   path '.' word                       { $$ = $1; asm_path_step(p, &$$, @3, $3); CHECK; }
|   path '[' index ']'                  { $$ = $1; $3.at = @3; asm_path_index(p, &$$, &$3); CHECK; }

index:
    INTEGER                             { $$ = (struct asm_step){.index = ASM_INDEX_CONST, .low = $1, .high = $1}; }
|   INTEGER ".." INTEGER                { $$ = (struct asm_step){.index = ASM_INDEX_RANGE, .low = $1, .high = $3}; }
|   NAME '.' NAME displacement          { $$ = (struct asm_step){.index = ASM_INDEX_RELATIVE, .address = $1,
                                                                 .component = $3, .low = $4}; }

displacement:
    %empty                              { $$ = 0; }
|   '+' INTEGER                         { $$ = $2; }
|   '-' INTEGER                         { $$ = -$2; }

%%
