/* SPDX-License-Identifier: MIT */
/*
 * The grammar of all language versions (GLSL 4.60 §9, ESSL 3.20 §9), and the list of token kinds,
 * which the preprocessor shares. glsl_keywords.py determines the keywords of a version before
 * parsing. ast_*.c checks afterwards which constructs a version allows.
 *
 * All binary operators are in one ambiguous rule with precedences. It needs one reduction per
 * operator instead of one per precedence level. It also accepts `a + b = c`; ast_lvalue.c then
 * reports that the left side is not an lvalue.
 *
 * The parser gets all qualifiers as one token, identifiers in layout() as names, and a name that
 * starts a declaration as "type name"; glsl_parse.c describes how that works without scopes.
 *
 * After a syntax error, the enclosing statement, member or declaration is skipped: the parser drops
 * the part that it has read and gets the token SKIPPED for the rest, as determined in glsl_parse.c.
 */
%code requires {
struct glsl_parser;
union glsl_parse_value;
}
%code {
/* bison counts errors in a variable that it does not read. */
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

#include "glsl/glsl_parser.h"

#define YYINITDEPTH 200
#define YYMAXDEPTH  200000
#define YYSTACK_ALLOC(size) glsl_alloc(p->c, size)
#define YYLLOC_DEFAULT(current, rhs, n) ((current) = YYRHSLOC(rhs, (n) ? 1 : 0))
}
%define api.pure full
%define api.prefix {glsl_grammar_}
%define api.token.prefix {TOK_}
%define api.token.raw
%define api.value.type {union glsl_parse_value}
%define api.location.type {struct glsl_loc}
%define parse.error custom
%locations
%param {struct glsl_parser *p}

%token EOF 0 "end of the shader"
%token NEWLINE /* only inside the preprocessor */
%token OTHER /* a character that starts no token */
%token HASH "#" PASTE "##"

%token <token> IDENT "name" NUMBER "number"

/* Punctuators, also used by the preprocessor. */
%token <token> LPAREN "(" RPAREN ")" LBRACKET "[" RBRACKET "]" LBRACE "{" RBRACE "}" DOT "."
%token <token> COMMA "," COLON ":" SEMICOLON ";" QUESTION "?" PLUS "+" MINUS "-" STAR "*" SLASH "/"
%token <token> PERCENT "%" INC "++" DEC "--" BANG "!" TILDE "~" LSHIFT "<<" RSHIFT ">>" LESS "<"
%token <token> GREATER ">" LEQUAL "<=" GEQUAL ">=" EQUAL "==" NEQUAL "!=" AMPERSAND "&" BAR "|"
%token <token> CARET "^" ANDAND "&&" OROR "||" XORXOR "^^" ASSIGN "=" ADD_ASSIGN "+="
%token <token> SUB_ASSIGN "-=" MUL_ASSIGN "*=" DIV_ASSIGN "/=" MOD_ASSIGN "%=" SHL_ASSIGN "<<="
%token <token> SHR_ASSIGN ">>=" AND_ASSIGN "&=" XOR_ASSIGN "^=" OR_ASSIGN "|="

/* Keywords from here on. */
%token <token> TYPE "type" VOID "void" TRUE "true" FALSE "false" IF "if" ELSE "else" FOR "for"
%token <token> WHILE "while" DO "do" SWITCH "switch" CASE "case" DEFAULT "default" BREAK "break"
%token <token> CONTINUE "continue" RETURN "return" DISCARD "discard" DEMOTE "demote" STRUCT "struct"
%token <token> PRECISION "precision" LAYOUT "layout" SUBROUTINE "subroutine" UNSIGNED "unsigned"
%token <token> RESERVED /* a word reserved by the language */
/* Qualifiers. The parser sees each of them as QUALIFIER. */
%token <token> LOWP MEDIUMP HIGHP CONST ATTRIBUTE VARYING UNIFORM BUFFER SHARED IN OUT INOUT
%token <token> CENTROID SAMPLE PATCH SMOOTH FLAT NOPERSPECTIVE PERVERTEXNV INVARIANT PRECISE COHERENT VOLATILE RESTRICT
%token <token> PERPRIMITIVE TASK_PAYLOAD READONLY WRITEONLY

/* Created by the parser's lexer. */
%token <token> QUALIFIER "qualifier" TYPE_NAME "type name"
%token SKIPPED /* the input skipped after a syntax error */

%type <expr> expression expr initializer
%type <args> sequence args arg_list initializers dims some_dims
%type <type> builtin_type type
%type <structure> struct
%type <members> members member
%type <qualifier> qualifiers
%type <layouts> layout_ids
%type <layout> layout_id
%type <names> names
%type <params> params some_params
%type <param> param
%type <declarators> declarators member_declarators
%type <declarator> declarator initialized instance
%type <nodes> declarations statements
%type <node> external typed prototype declaration statement compound condition for_init
%type <node> condition_opt
%type <expr> expression_opt

%precedence THEN
%precedence "else"

%right "?" ":" "=" "+=" "-=" "*=" "/=" "%=" "<<=" ">>=" "&=" "^=" "|="
%left "||"
%left "^^"
%left "&&"
%left "|"
%left "^"
%left "&"
%left "==" "!="
%left "<" ">" "<=" ">="
%left "<<" ">>"
%left "+" "-"
%left "*" "/" "%"
%precedence UNARY
%precedence FIELD
%precedence "(" "[" "." "++" "--"

%%

shader:
    declarations                        { p->shader = $1.first; }
;

declarations:
    %empty                              { $$ = (struct parse_nodes){0}; }
|   declarations external               { $$ = parse_add_node($1, $2); }
|   declarations ";"                    { $$ = $1; }
|   declarations error SKIPPED          { yyerrok; $$ = $1; }
;

external:
    declaration
|   prototype compound                  { $$ = parse_body(p, $1, $2); }
;

/* --- Expressions, §5 --- */

expression:
    expr
|   sequence                            { $$ = parse_sequence(p, @1, $1); }
;

expression_opt:
    %empty                              { $$ = NULL; }
|   expression
;

sequence:
    expr "," expr
    {
        @$ = @2;
        $$ = parse_add_arg(p, parse_one_arg(p, $1), $3);
    }
|   sequence "," expr                   { $$ = parse_add_arg(p, $1, $3); }
;

expr:
    "name"                              { $$ = parse_name(p, $1); }
|   "number"                            { $$ = parse_number(p, $1); }
|   "true"                              { $$ = parse_bool(p, @1, true); }
|   "false"                             { $$ = parse_bool(p, @1, false); }
|   "(" expression ")"                  { $$ = $2; }
|   builtin_type "(" args ")"           { $$ = parse_constructor(p, $1, $3); }
|   expr "(" args ")"                   { $$ = parse_call(p, @1, $1, $2, $3); }
|   expr "[" "]"                        { $$ = parse_expr(p, AST_INDEX, @2, $1, NULL, NULL); }
|   expr "[" expression "]"             { $$ = parse_expr(p, AST_INDEX, @2, $1, $3, NULL); }
|   expr "." "name" %prec FIELD         { $$ = parse_field(p, $1, $3); }
|   expr "." "name" "(" args ")"        { $$ = parse_method(p, $1, $3, $5); }
|   expr "++"                           { $$ = parse_expr(p, AST_POST_INC, @2, $1, NULL, NULL); }
|   expr "--"                           { $$ = parse_expr(p, AST_POST_DEC, @2, $1, NULL, NULL); }
|   "++" expr %prec UNARY               { $$ = parse_expr(p, AST_PRE_INC, @1, $2, NULL, NULL); }
|   "--" expr %prec UNARY               { $$ = parse_expr(p, AST_PRE_DEC, @1, $2, NULL, NULL); }
|   "+" expr %prec UNARY                { $$ = parse_expr(p, AST_PLUS, @1, $2, NULL, NULL); }
|   "-" expr %prec UNARY                { $$ = parse_expr(p, AST_NEG, @1, $2, NULL, NULL); }
|   "!" expr %prec UNARY                { $$ = parse_expr(p, AST_NOT, @1, $2, NULL, NULL); }
|   "~" expr %prec UNARY                { $$ = parse_expr(p, AST_BIT_NOT, @1, $2, NULL, NULL); }
|   expr "*" expr                       { $$ = parse_expr(p, AST_MUL, @2, $1, $3, NULL); }
|   expr "/" expr                       { $$ = parse_expr(p, AST_DIV, @2, $1, $3, NULL); }
|   expr "%" expr                       { $$ = parse_expr(p, AST_MOD, @2, $1, $3, NULL); }
|   expr "+" expr                       { $$ = parse_expr(p, AST_ADD, @2, $1, $3, NULL); }
|   expr "-" expr                       { $$ = parse_expr(p, AST_SUB, @2, $1, $3, NULL); }
|   expr "<<" expr                      { $$ = parse_expr(p, AST_SHL, @2, $1, $3, NULL); }
|   expr ">>" expr                      { $$ = parse_expr(p, AST_SHR, @2, $1, $3, NULL); }
|   expr "<" expr                       { $$ = parse_expr(p, AST_LESS, @2, $1, $3, NULL); }
|   expr ">" expr                       { $$ = parse_expr(p, AST_GREATER, @2, $1, $3, NULL); }
|   expr "<=" expr                      { $$ = parse_expr(p, AST_LEQUAL, @2, $1, $3, NULL); }
|   expr ">=" expr                      { $$ = parse_expr(p, AST_GEQUAL, @2, $1, $3, NULL); }
|   expr "==" expr                      { $$ = parse_expr(p, AST_EQUAL, @2, $1, $3, NULL); }
|   expr "!=" expr                      { $$ = parse_expr(p, AST_NEQUAL, @2, $1, $3, NULL); }
|   expr "&" expr                       { $$ = parse_expr(p, AST_BIT_AND, @2, $1, $3, NULL); }
|   expr "^" expr                       { $$ = parse_expr(p, AST_BIT_XOR, @2, $1, $3, NULL); }
|   expr "|" expr                       { $$ = parse_expr(p, AST_BIT_OR, @2, $1, $3, NULL); }
|   expr "&&" expr                      { $$ = parse_expr(p, AST_AND, @2, $1, $3, NULL); }
|   expr "^^" expr                      { $$ = parse_expr(p, AST_XOR, @2, $1, $3, NULL); }
|   expr "||" expr                      { $$ = parse_expr(p, AST_OR, @2, $1, $3, NULL); }
|   expr "?" expression ":" expr        { $$ = parse_expr(p, AST_CONDITIONAL, @2, $1, $3, $5); }
|   expr "=" expr                       { $$ = parse_assign(p, AST_ASSIGN, @2, $1, $3); }
|   expr "+=" expr                      { $$ = parse_assign(p, AST_ADD, @2, $1, $3); }
|   expr "-=" expr                      { $$ = parse_assign(p, AST_SUB, @2, $1, $3); }
|   expr "*=" expr                      { $$ = parse_assign(p, AST_MUL, @2, $1, $3); }
|   expr "/=" expr                      { $$ = parse_assign(p, AST_DIV, @2, $1, $3); }
|   expr "%=" expr                      { $$ = parse_assign(p, AST_MOD, @2, $1, $3); }
|   expr "<<=" expr                     { $$ = parse_assign(p, AST_SHL, @2, $1, $3); }
|   expr ">>=" expr                     { $$ = parse_assign(p, AST_SHR, @2, $1, $3); }
|   expr "&=" expr                      { $$ = parse_assign(p, AST_BIT_AND, @2, $1, $3); }
|   expr "^=" expr                      { $$ = parse_assign(p, AST_BIT_XOR, @2, $1, $3); }
|   expr "|=" expr                      { $$ = parse_assign(p, AST_BIT_OR, @2, $1, $3); }
;

args:
    %empty                              { $$ = (struct parse_args){0}; }
|   "void"                              { $$ = (struct parse_args){0}; }
|   arg_list
;

arg_list:
    expr                                { $$ = parse_one_arg(p, $1); }
|   arg_list "," expr                   { $$ = parse_add_arg(p, $1, $3); }
;

initializer:
    expr
|   "{" initializers "}"                { $$ = parse_aggregate(p, @1, $2); }
|   "{" initializers "," "}"            { $$ = parse_aggregate(p, @1, $2); }
;

initializers:
    initializer                         { $$ = parse_one_arg(p, $1); }
|   initializers "," initializer        { $$ = parse_add_arg(p, $1, $3); }
;

/* --- Types, §4.1 --- */

type:
    builtin_type
|   "type name" dims                    { $$ = parse_named_type(p, $1, $2); }
|   struct dims                         { $$ = parse_struct_type(p, $1, $2); }
;

builtin_type:
    "type" dims                         { $$ = parse_builtin_type(p, $1, $2); }
|   "void" dims                         { $$ = parse_builtin_type(p, $1, $2); }
|   "unsigned" "type" dims              { $$ = parse_unsigned_type(p, @1, $2, $3); }
;

dims:
    %empty                              { $$ = (struct parse_args){0}; }
|   some_dims
;

some_dims:
    "[" "]"                             { $$ = parse_one_arg(p, NULL); }
|   "[" expr "]"                        { $$ = parse_one_arg(p, $2); }
|   some_dims "[" "]"                   { $$ = parse_add_dim(p, $1, NULL, @2); }
|   some_dims "[" expr "]"              { $$ = parse_add_dim(p, $1, $3, @2); }
;

struct:
    "struct" "name" struct_begin members "}" { $$ = parse_struct(p, @1, $2, $4); }
|   "struct" struct_begin members "}"        { $$ = parse_struct(p, @1, NULL, $3); }
;

struct_begin:
    "{"                                 { parse_enter_struct(p, @1); }
;

members:
    %empty                              { $$ = (struct parse_members){0}; }
|   members member                      { $$ = parse_add_member($1, $2.first); }
|   members error SKIPPED               { yyerrok; $$ = $1; }
;

member:
    type member_declarators ";"         { $$.first = parse_member(p, NULL, $1, $2); }
|   qualifiers type member_declarators ";" { $$.first = parse_member(p, $1, $2, $3); }
;

member_declarators:
    declarator                          { $$ = (struct parse_declarators){$1, $1}; }
|   member_declarators "," declarator   { $$ = parse_add_declarator($1, $3); }
;

declarator:
    "name" dims                         { $$ = parse_declarator(p, $1, $2, NULL); }
;

/* --- Qualifiers, §4.3 to §4.10 --- */

qualifiers:
    "qualifier"                         { $$ = parse_qualifier(p, parse_qualifiers(p, @1), $1); }
|   "layout" "(" layout_ids ")"         { $$ = parse_layout(p, parse_qualifiers(p, @1), @1, $3); }
|   "subroutine"                        { $$ = parse_qualifier(p, parse_qualifiers(p, @1), $1); }
|   "subroutine" "(" names ")"
    {
        $$ = parse_subroutine(p, parse_qualifiers(p, @1), $1, $3);
    }
|   qualifiers "qualifier"              { $$ = parse_qualifier(p, $1, $2); }
|   qualifiers "layout" "(" layout_ids ")" { $$ = parse_layout(p, $1, @2, $4); }
|   qualifiers "subroutine"             { $$ = parse_qualifier(p, $1, $2); }
|   qualifiers "subroutine" "(" names ")" { $$ = parse_subroutine(p, $1, $2, $4); }
;

layout_ids:
    layout_id                           { $$ = (struct parse_layouts){$1, $1}; }
|   layout_ids "," layout_id            { $$ = parse_add_layout($1, $3); }
;

layout_id:
    "name"                              { $$ = parse_layout_id(p, $1, NULL); }
|   "name" "=" expr                     { $$ = parse_layout_id(p, $1, $3); }
;

names:
    "name"                              { $$ = parse_one_name(p, $1); }
|   names "," "name"
    {
        $$ = parse_add_declarator($1, parse_one_name(p, $3).first);
    }
;

/* --- Declarations --- */

typed:
    type                                { $$ = parse_typed(p, @1, NULL, $1); }
|   qualifiers type                     { $$ = parse_typed(p, @1, $1, $2); }
;

prototype:
    typed "name" "(" params ")"         { $$ = parse_prototype($1, $2, $4.first); }
;

params:
    %empty                              { $$ = (struct parse_params){0}; }
|   some_params                         { $$ = parse_params_end($1); }
;

some_params:
    param                               { $$ = (struct parse_params){$1, $1}; }
|   some_params "," param               { $$ = parse_add_param($1, $3); }
;

/* A single name is the type of an unnamed parameter. */
param:
    type                                { $$ = parse_param(p, NULL, $1, NULL, parse_no_args); }
|   type "name" dims                    { $$ = parse_param(p, NULL, $1, $2, $3); }
|   "name" dims
    {
        $$ = parse_param(p, NULL, parse_named_type(p, $1, $2), NULL, parse_no_args);
    }
|   qualifiers type                     { $$ = parse_param(p, $1, $2, NULL, parse_no_args); }
|   qualifiers type "name" dims         { $$ = parse_param(p, $1, $2, $3, $4); }
|   qualifiers "name" dims
    {
        $$ = parse_param(p, $1, parse_named_type(p, $2, $3), NULL, parse_no_args);
    }
;

declaration:
    prototype ";"
|   typed ";"
|   typed declarators ";"               { $$ = parse_variables($1, $2.first); }
|   typed "," declarators ";"           { $$ = parse_variables($1, $3.first); }
|   "precision" "qualifier" type ";"    { $$ = parse_precision(p, @1, $2, $3); }
|   qualifiers ";"                      { $$ = parse_default_qualifier(p, @1, $1); }
|   qualifiers names ";"                { $$ = parse_requalification(p, @1, $1, $2); }
|   qualifiers "name" "{" members "}" ";" { $$ = parse_interface(p, $1, $2, $4, NULL); }
|   qualifiers "name" "{" members "}" instance ";" { $$ = parse_interface(p, $1, $2, $4, $6); }
;

instance:
    declarator
;

declarators:
    initialized                         { $$ = (struct parse_declarators){$1, $1}; }
|   declarators "," initialized         { $$ = parse_add_declarator($1, $3); }
;

initialized:
    declarator
|   "name" dims "=" initializer         { $$ = parse_declarator(p, $1, $2, $4); }
;

/* --- Statements, §6 --- */

compound:
    "{" statements "}"                  { $$ = parse_block(p, @1, $2); }
;

statements:
    %empty                              { $$ = (struct parse_nodes){0}; }
|   statements statement                { $$ = parse_add_node($1, $2); }
|   statements error SKIPPED            { yyerrok; $$ = $1; }
;

statement:
    compound
|   declaration
|   prototype compound                  { $$ = parse_nested_function(p, $1, $2); }
|   ";"                                 { $$ = parse_expression_statement(p, @1, NULL); }
|   expression ";"                      { $$ = parse_expression_statement(p, @1, $1); }
|   "if" "(" expression ")" statement %prec THEN
                                        { $$ = parse_if(p, @1, $3, $5, NULL); }
|   "if" "(" expression ")" statement "else" statement
                                        { $$ = parse_if(p, @1, $3, $5, $7); }
|   "switch" "(" expression ")" compound { $$ = parse_switch(p, @1, $3, $5); }
|   "case" expression ":"               { $$ = parse_jump(p, AST_CASE, @1, $2); }
|   "default" ":"                       { $$ = parse_jump(p, AST_CASE, @1, NULL); }
|   "while" "(" condition ")" statement { $$ = parse_loop(p, AST_WHILE, @1, $3, NULL, $5); }
|   "do" statement "while" "(" expression ")" ";"
                                        { $$ = parse_loop(p, AST_DO, @1, NULL, $5, $2); }
|   "for" "(" for_init condition_opt ";" expression_opt ")" statement
    {
        $$ = parse_for(p, $3, parse_loop(p, AST_FOR, @1, $4, $6, $8));
    }
|   "break" ";"                         { $$ = parse_jump(p, AST_BREAK, @1, NULL); }
|   "continue" ";"                      { $$ = parse_jump(p, AST_CONTINUE, @1, NULL); }
|   "discard" ";"                       { $$ = parse_jump(p, AST_DISCARD, @1, NULL); }
|   "demote" ";"                        { $$ = parse_jump(p, AST_DEMOTE, @1, NULL); }
|   "return" expression_opt ";"         { $$ = parse_jump(p, AST_RETURN, @1, $2); }
;

condition:
    expression                          { $$ = parse_expression_statement(p, @1, $1); }
|   typed "name" "=" initializer
    {
        $$ = parse_variables($1, parse_declarator(p, $2, parse_no_args, $4));
    }
;

condition_opt:
    %empty                              { $$ = NULL; }
|   condition
;

for_init:
    ";"                                 { $$ = NULL; }
|   expression ";"                      { $$ = parse_expression_statement(p, @1, $1); }
|   declaration
;

%%

#define MAX_EXPECTED 64

/* Returns a common description of several expected tokens, or NULL. */
static const char *expected_category(const bool *expected, int count)
{
    if (expected[TOK_PRECISION] || (expected[TOK_EOF] && count == 1))
        return expected[TOK_IF] ? "a statement" : "a declaration";
    if (expected[TOK_NUMBER])
        return expected[TOK_RPAREN] ? "an expression or ')'" : "an expression";
    if (expected[TOK_TYPE])
        return expected[TOK_RBRACE] ? "a type or '}'" : "a type";
    if (expected[TOK_PLUS])
        return expected[TOK_RBRACKET] ? "an operator or ']'" : "an operator";
    return NULL;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct glsl_parser *p)
{
    yysymbol_kind_t list[MAX_EXPECTED];
    int count = yypcontext_expected_tokens(context, list, MAX_EXPECTED);
    bool expected[YYNTOKENS] = {false};
    for (int i = 0; i < count; i++)
        expected[list[i]] = true;
    const char *thing = expected_category(expected, count);
    struct strbuf sb = STRBUF_INIT(p->c->mem_ctx);
    for (int i = 0; i < count && !thing; i++) {
        bool punctuator = list[i] >= YYSYMBOL_LPAREN && list[i] <= YYSYMBOL_OR_ASSIGN;
        bool word = list[i] >= YYSYMBOL_TYPE && list[i] <= YYSYMBOL_RESERVED;
        strbuf_append(&sb, i == 0 ? "" : i + 1 == count ? " or " : ", ");
        strbuf_printf(&sb, punctuator ? "'%s'" : word ? "%s" : "a %s", yysymbol_name(list[i]));
    }
    parse_fail(p, thing ? thing : strbuf_str(&sb));
    return 0;
}
