/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V: tests the results of modules, construct by construct, and the error messages for invalid
 * ones. The sources are assembled by spirv-as, whose path is the first argument.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <talloc.h>

#include "nir/nir_eval.h"
#include "spirv/spirv.h"
#include "util/macros.h"

#define MAX_WORDS 131072 /* words of a module */

static const char *assembler;
static const nir_shader_compiler_options nir_options = {.max_unroll_iterations = 32};

struct words {
    uint32_t *w;
    size_t count;
};

static struct words assemble(void *mem_ctx, const char *text)
{
    char name[] = "/tmp/spirv-XXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    char *command = talloc_asprintf(mem_ctx, "%s --target-env spv1.3 -o - %s", assembler, name);
    FILE *fp = popen(command, "r");
    assert_non_null(fp);
    struct words out = {talloc_array(mem_ctx, uint32_t, MAX_WORDS), 0};
    out.count = fread(out.w, 4, MAX_WORDS, fp);
    assert_int_equal(pclose(fp), 0);
    unlink(name);
    return out;
}

static nir_shader *translate(void *mem_ctx, struct words m, enum shader_stage stage,
                             const struct spirv_specialization *list, unsigned count, char **error)
{
    const struct spirv_options options = {
        .stage = stage,
        .entry_point = "main",
        .specializations = list,
        .num_specializations = count,
        .nir_options = &nir_options,
    };
    nir_shader *nir = spirv_to_nir(mem_ctx, m.w, m.count, &options, error);
    assert_true(!nir == !!*error);
    if (nir)
        nir_validate_shader(nir, "after spirv_to_nir");
    return nir;
}

/* --------------------------------------------------------------------------------- programs --- */

/* A fragment shader with one int input and one int output. */
#define BEGIN(extra) BEGIN_WITH("", extra)
#define BEGIN_WITH(capabilities, extra)                                                            \
    "OpCapability Shader\n" capabilities "%glsl = OpExtInstImport \"GLSL.std.450\"\n"              \
    "OpMemoryModel Logical GLSL450\n"                                                              \
    "OpEntryPoint Fragment %main \"main\" %in %out\n"                                              \
    "OpExecutionMode %main OriginLowerLeft\n"                                                      \
    "OpDecorate %in Location 0\nOpDecorate %in Flat\nOpDecorate %out Location 0\n" extra           \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"                         \
    "%int = OpTypeInt 32 1\n%float = OpTypeFloat 32\n%v2 = OpTypeVector %int 2\n"                  \
    "%pin = OpTypePointer Input %int\n%pout = OpTypePointer Output %int\n"                         \
    "%pf = OpTypePointer Function %int\n"                                                          \
    "%in = OpVariable %pin Input\n%out = OpVariable %pout Output\n"                                \
    "%i0 = OpConstant %int 0\n%i1 = OpConstant %int 1\n%i2 = OpConstant %int 2\n"                  \
    "%i3 = OpConstant %int 3\n%i4 = OpConstant %int 4\n%i10 = OpConstant %int 10\n"                \
    "%i100 = OpConstant %int 100\n"
#define MAIN "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
#define X    "%x = OpLoad %int %in\n"
#define END  "OpReturn\nOpFunctionEnd\n"

struct program {
    const char *name, *text;
    struct {
        int in, out;
    } runs[6];
    unsigned num_runs;
};

#define SUBGROUPS                                                                                  \
    "OpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\n"                             \
    "OpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformBallot\n"                 \
    "OpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformShuffleRelative\n"           \
    "OpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformQuad\n"
#define WORDS                                                                                      \
    "%uint = OpTypeInt 32 0\n%v4 = OpTypeVector %uint 4\n%u0 = OpConstant %uint 0\n"               \
    "%u1 = OpConstant %uint 1\n%u3 = OpConstant %uint 3\n%u4 = OpConstant %uint 4\n"

#define INTEGERS                                                                                   \
    "OpCapability IntegerFunctions2INTEL\n"                                                        \
    "OpExtension \"SPV_INTEL_shader_integer_functions2\"\n"
#define INTEGER_OP(op) BEGIN_WITH(INTEGERS, "") MAIN X "%y = " op "\nOpStore %out %y\n" END

static const struct program programs[] = {
    {"leading zeros",
     INTEGER_OP("OpUCountLeadingZerosINTEL %int %x"),
     {{0, 32}, {1, 31}, {-1, 0}},
     3},
    {"trailing zeros",
     INTEGER_OP("OpUCountTrailingZerosINTEL %int %x"),
     {{0, 32}, {1, 0}, {96, 5}},
     3},
    {"difference", INTEGER_OP("OpAbsISubINTEL %int %x %i3"), {{1, 2}, {-1, 4}}, 2},
    {"unsigned difference", INTEGER_OP("OpAbsUSubINTEL %int %x %i3"), {{1, 2}, {-1, -4}}, 2},
    {"saturated sum", INTEGER_OP("OpIAddSatINTEL %int %x %i3"), {{INT32_MAX - 1, INT32_MAX}}, 1},
    {"unsigned saturated sum", INTEGER_OP("OpUAddSatINTEL %int %x %i3"), {{-2, -1}, {-5, -2}}, 2},
    {"saturated difference", INTEGER_OP("OpISubSatINTEL %int %x %i3"), {{INT32_MIN, INT32_MIN}}, 1},
    {"unsigned saturated difference",
     INTEGER_OP("OpUSubSatINTEL %int %x %i3"),
     {{2, 0}, {-1, -4}},
     2},
    {"average", INTEGER_OP("OpIAverageINTEL %int %x %i3"), {{-4, -1}, {INT32_MAX, 1 << 30 | 1}}, 2},
    {"unsigned average", INTEGER_OP("OpUAverageINTEL %int %x %i3"), {{-4, INT32_MAX}}, 1},
    {"rounded average", INTEGER_OP("OpIAverageRoundedINTEL %int %x %i3"), {{-4, 0}, {-6, -1}}, 2},
    {"unsigned rounded average",
     INTEGER_OP("OpUAverageRoundedINTEL %int %x %i3"),
     {{-4, INT32_MIN}},
     1},
    {"product by 16 bits", INTEGER_OP("OpIMul32x16INTEL %int %i3 %x"), {{0x1ffff, -3}}, 1},
    {"unsigned product by 16 bits", INTEGER_OP("OpUMul32x16INTEL %int %i3 %x"), {{-1, 196605}}, 1},
    /* In the evaluator, each invocation is a subgroup. */
    {"votes",
     BEGIN_WITH(SUBGROUPS, "") WORDS MAIN X
     "%c = OpSLessThan %bool %x %i3\n%e = OpGroupNonUniformElect %bool %u3\n"
     "%a = OpGroupNonUniformAll %bool %u3 %c\n%b = OpGroupNonUniformAny %bool %u3 %c\n"
     "%d = OpGroupNonUniformAllEqual %bool %u3 %x\n%m = OpGroupNonUniformBallot %v4 %u3 %c\n"
     "%n = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %m\n%nz = OpINotEqual %bool %n %u0\n"
     "%k = OpGroupNonUniformInverseBallot %bool %u3 %m\n"
     "%l = OpGroupNonUniformBallotBitExtract %bool %u3 %m %u0\n"
     "%r1 = OpLogicalAnd %bool %a %b\n%r2 = OpLogicalAnd %bool %r1 %e\n"
     "%r3 = OpLogicalAnd %bool %r2 %d\n%r4 = OpLogicalAnd %bool %r3 %nz\n"
     "%r5 = OpLogicalAnd %bool %r4 %k\n%r6 = OpLogicalAnd %bool %r5 %l\n"
     "%r = OpSelect %int %r6 %i100 %i10\nOpStore %out %r\n" END,
     {{2, 100}, {3, 10}},
     2},
    {"reductions",
     BEGIN_WITH(SUBGROUPS, "") WORDS MAIN X
     "%a = OpGroupNonUniformIAdd %int %u3 Reduce %x\n"
     "%b = OpGroupNonUniformIMul %int %u3 InclusiveScan %x\n"
     "%c = OpGroupNonUniformSMax %int %u3 ClusteredReduce %x %u4\n"
     "%d = OpGroupNonUniformBroadcastFirst %int %u3 %x\n"
     "%e = OpGroupNonUniformBroadcast %int %u3 %x %u0\n"
     "%f = OpGroupNonUniformShuffleXor %int %u3 %x %u0\n"
     "%g = OpGroupNonUniformQuadSwap %int %u3 %x %u1\n"
     "%s1 = OpIAdd %int %a %b\n%s2 = OpIAdd %int %s1 %c\n%s3 = OpIAdd %int %s2 %d\n"
     "%s4 = OpIAdd %int %s3 %e\n%s5 = OpIAdd %int %s4 %f\n%s6 = OpIAdd %int %s5 %g\n"
     "OpStore %out %s6\n" END,
     {{1, 7}, {-5, -35}},
     2},
    {"arithmetic",
     BEGIN("") MAIN X "%m = OpIMul %int %x %i3\n%a = OpIAdd %int %m %i4\n"
                      "OpStore %out %a\n" END,
     {{0, 4}, {5, 19}, {-2, -2}},
     3},
    {"phi",
     BEGIN("") MAIN X "%c = OpSLessThan %bool %x %i3\nOpSelectionMerge %m None\n"
                      "OpBranchConditional %c %t %f\n%t = OpLabel\n%tv = OpIAdd %int %x %i10\n"
                      "OpBranch %m\n%f = OpLabel\nOpBranch %m\n%m = OpLabel\n"
                      "%r = OpPhi %int %tv %t %i100 %f\nOpStore %out %r\n" END,
     {{0, 10}, {2, 12}, {3, 100}},
     3},
    /* for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == x) break; sum += i; } */
    {"loop",
     BEGIN("") MAIN X
     "OpBranch %h\n%h = OpLabel\n%i = OpPhi %int %i0 %entry %in2 %k\n"
     "%s = OpPhi %int %i0 %entry %s3 %k\nOpLoopMerge %m %k None\nOpBranch %t\n%t = OpLabel\n"
     "%c = OpSLessThan %bool %i %i10\nOpBranchConditional %c %b %m\n%b = OpLabel\n"
     "%e = OpIEqual %bool %i %i3\nOpSelectionMerge %n None\nOpBranchConditional %e %kk %n\n"
     "%kk = OpLabel\nOpBranch %k\n%n = OpLabel\n%e2 = OpIEqual %bool %i %x\n"
     "OpSelectionMerge %n2 None\nOpBranchConditional %e2 %bb %n2\n%bb = OpLabel\nOpBranch %m\n"
     "%n2 = OpLabel\n%s2 = OpIAdd %int %s %i\nOpBranch %k\n%k = OpLabel\n"
     "%s3 = OpPhi %int %s %kk %s2 %n2\n%in2 = OpIAdd %int %i %i1\nOpBranch %h\n%m = OpLabel\n"
     "%r = OpPhi %int %s %t %s %bb\nOpStore %out %r\n" END,
     {{20, 42}, {5, 7}, {3, 42}, {0, 0}},
     4},
    /* do { n++; if (x & 1) { x = 3x + 1; continue; } x /= 2; } while (x > 1); The continue
     * construct is reached from two places and has more than one block. */
    {"do",
     BEGIN("") MAIN X
     "%v = OpVariable %pf Function\n%w = OpVariable %pf Function %i0\n"
     "OpStore %v %x\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %m %k None\nOpBranch %b\n"
     "%b = OpLabel\n%o = OpLoad %int %v\n%a = OpBitwiseAnd %int %o %i1\n"
     "%c = OpIEqual %bool %a %i1\nOpSelectionMerge %n None\nOpBranchConditional %c %t %n\n"
     "%t = OpLabel\n%x3 = OpIMul %int %o %i3\n%x31 = OpIAdd %int %x3 %i1\nOpStore %v %x31\n"
     "OpBranch %k\n%n = OpLabel\n%hf = OpSDiv %int %o %i2\nOpStore %v %hf\nOpBranch %k\n"
     "%k = OpLabel\n%c0 = OpLoad %int %w\n%c1 = OpIAdd %int %c0 %i1\nOpStore %w %c1\n"
     "%vv = OpLoad %int %v\n%g = OpSGreaterThan %bool %vv %i1\nOpBranchConditional %g %h %m\n"
     "%m = OpLabel\n%r = OpLoad %int %w\nOpStore %out %r\n" END,
     {{1, 3}, {6, 8}, {2, 1}, {27, 111}},
     4},
    /* switch (x) { case 0: r += 1; case 1: r += 10; break; default: r = 100;
     *              case 2: if (r == 0) break; r += 2; } */
    {"switch",
     BEGIN("") MAIN X
     "%v = OpVariable %pf Function %i0\nOpSelectionMerge %m None\n"
     "OpSwitch %x %d 0 %a 1 %b 2 %c\n"
     "%a = OpLabel\n%a0 = OpLoad %int %v\n%a1 = OpIAdd %int %a0 %i1\nOpStore %v %a1\nOpBranch %b\n"
     "%b = OpLabel\n%b0 = OpLoad %int %v\n%b1 = OpIAdd %int %b0 %i10\nOpStore %v %b1\nOpBranch %m\n"
     "%d = OpLabel\nOpStore %v %i100\nOpBranch %c\n"
     "%c = OpLabel\n%c0 = OpLoad %int %v\n%z = OpIEqual %bool %c0 %i0\nOpSelectionMerge %n None\n"
     "OpBranchConditional %z %q %n\n%q = OpLabel\nOpBranch %m\n%n = OpLabel\n"
     "%c1 = OpIAdd %int %c0 %i2\nOpStore %v %c1\nOpBranch %m\n"
     "%m = OpLabel\n%r = OpLoad %int %v\nOpStore %out %r\n" END,
     {{0, 11}, {1, 10}, {2, 0}, {7, 102}},
     4},
    /* for (i = 0; i < 10; i++) { switch (i) { case 2: continue; case 4: goto end; } r += i; } */
    {"switch in a loop",
     BEGIN("") MAIN X
     "%v = OpVariable %pf Function %i0\n%iv = OpVariable %pf Function %i0\nOpBranch %h\n"
     "%h = OpLabel\nOpLoopMerge %m %k None\nOpBranch %t\n%t = OpLabel\n%i = OpLoad %int %iv\n"
     "%c = OpSLessThan %bool %i %x\nOpBranchConditional %c %b %m\n%b = OpLabel\n"
     "OpSelectionMerge %sm None\nOpSwitch %i %sm 2 %two 4 %four\n%two = OpLabel\nOpBranch %k\n"
     "%four = OpLabel\nOpBranch %m\n%sm = OpLabel\n%s = OpLoad %int %v\n%s1 = OpIAdd %int %s %i\n"
     "OpStore %v %s1\nOpBranch %k\n%k = OpLabel\n%i1n = OpIAdd %int %i %i1\nOpStore %iv %i1n\n"
     "OpBranch %h\n%m = OpLabel\n%r = OpLoad %int %v\nOpStore %out %r\n" END,
     {{10, 4}, {2, 1}, {4, 4}},
     3},
    /* The same, with blocks of the loop as targets of the cases. */
    {"switch whose targets are of the loop",
     BEGIN("") MAIN X
     "%v = OpVariable %pf Function %i0\n%iv = OpVariable %pf Function %i0\nOpBranch %h\n"
     "%h = OpLabel\nOpLoopMerge %m %k None\nOpBranch %t\n%t = OpLabel\n%i = OpLoad %int %iv\n"
     "%c = OpSLessThan %bool %i %x\nOpBranchConditional %c %b %m\n%b = OpLabel\n"
     "OpSelectionMerge %sm None\nOpSwitch %i %sm 2 %k 4 %m\n%sm = OpLabel\n%s = OpLoad %int "
     "%v\n%s1 = OpIAdd %int %s %i\n"
     "OpStore %v %s1\nOpBranch %k\n%k = OpLabel\n%i1n = OpIAdd %int %i %i1\nOpStore %iv %i1n\n"
     "OpBranch %h\n%m = OpLabel\n%r = OpLoad %int %v\nOpStore %out %r\n" END,
     {{10, 4}, {2, 1}, {4, 4}},
     3},
    /* A selection whose targets are the same block, and a loop header that branches to two blocks of
     * the loop. */
    {"selection with one target",
     BEGIN("") MAIN X
     "%c = OpSLessThan %bool %x %i3\nOpSelectionMerge %m None\nOpBranchConditional %c %t %t\n"
     "%t = OpLabel\n%y = OpIAdd %int %x %i10\nOpBranch %m\n%m = OpLabel\nOpStore %out %y\n" END,
     {{1, 11}, {5, 15}},
     2},
    {"loop header with two targets in the loop",
     BEGIN("") MAIN X
     "%v = OpVariable %pf Function %i0\n%iv = OpVariable %pf Function %i0\nOpBranch %h\n"
     "%h = OpLabel\n%i = OpLoad %int %iv\n%e = OpIEqual %bool %i %i3\nOpLoopMerge %m %k None\n"
     "OpBranchConditional %e %a %b\n%a = OpLabel\nOpBranch %k\n"
     "%b = OpLabel\n%s = OpLoad %int %v\n%s1 = OpIAdd %int %s %i\nOpStore %v %s1\n"
     "%c = OpSLessThan %bool %i %x\nOpBranchConditional %c %k %m\n"
     "%k = OpLabel\n%i1n = OpIAdd %int %i %i1\nOpStore %iv %i1n\n"
     "OpBranch %h\n%m = OpLabel\n%r = OpLoad %int %v\nOpStore %out %r\n" END,
     {{2, 3}, {5, 12}, {0, 0}},
     3},
    {"loop header whose targets meet in the loop",
     BEGIN("") MAIN X
     "%v = OpVariable %pf Function %i0\n%iv = OpVariable %pf Function %i0\nOpBranch %h\n"
     "%h = OpLabel\n%i = OpLoad %int %iv\n%e = OpIEqual %bool %i %i3\nOpLoopMerge %m %k None\n"
     "OpBranchConditional %e %a %b\n%a = OpLabel\nOpBranch %d\n%b = OpLabel\nOpBranch %d\n"
     "%d = OpLabel\n%j = OpPhi %int %i10 %a %i %b\n%s = OpLoad %int %v\n%s1 = OpIAdd %int %s %j\n"
     "OpStore %v %s1\n"
     "%c = OpSLessThan %bool %i %x\nOpBranchConditional %c %k %m\n"
     "%k = OpLabel\n%i1n = OpIAdd %int %i %i1\nOpStore %iv %i1n\n"
     "OpBranch %h\n%m = OpLabel\n%r = OpLoad %int %v\nOpStore %out %r\n" END,
     {{2, 3}, {5, 22}, {0, 0}},
     3},
    {"loop header one of whose targets leads to the other",
     BEGIN("") MAIN X
     "%v = OpVariable %pf Function %i0\n%iv = OpVariable %pf Function %i0\nOpBranch %h\n"
     "%h = OpLabel\n%i = OpLoad %int %iv\n%e = OpSLessThan %bool %i %i3\n"
     "OpLoopMerge %m %k None\nOpBranchConditional %e %d %b\n"
     "%b = OpLabel\n%f = OpIEqual %bool %i %i4\nOpSelectionMerge %g None\n"
     "OpBranchConditional %f %o %g\n%o = OpLabel\nOpBranch %m\n%g = OpLabel\n"
     "OpStore %v %i100\nOpBranch %d\n"
     "%d = OpLabel\n%s = OpLoad %int %v\n%s1 = OpIAdd %int %s %i\nOpStore %v %s1\n"
     "%c = OpSLessThan %bool %i %x\nOpBranchConditional %c %k %m\n"
     "%k = OpLabel\n%i1n = OpIAdd %int %i %i1\nOpStore %iv %i1n\n"
     "OpBranch %h\n%m = OpLabel\n%r = OpLoad %int %v\nOpStore %out %r\n" END,
     {{2, 3}, {3, 103}, {9, 103}, {0, 0}},
     4},
    /* int f(inout int p, int n) { if (n < 3) return n; p += n; return p; } */
    {"call",
     BEGIN("") "%ft = OpTypeFunction %int %pf %int\n" MAIN X
               "%v = OpVariable %pf Function %i10\n%r1 = OpFunctionCall %int %f %v %x\n"
               "%r2 = OpFunctionCall %int %f %v %r1\n%l = OpLoad %int %v\n%l100 = OpIMul %int %l "
               "%i100\n"
               "%r = OpIAdd %int %l100 %r2\nOpStore %out %r\n" END
               "%f = OpFunction %int None %ft\n%p = OpFunctionParameter %pf\n%n = "
               "OpFunctionParameter %int\n"
               "%fe = OpLabel\n%c = OpSLessThan %bool %n %i3\nOpSelectionMerge %fm None\n"
               "OpBranchConditional %c %ft1 %fm\n%ft1 = OpLabel\nOpReturnValue %n\n%fm = OpLabel\n"
               "%o = OpLoad %int %p\n%s = OpIAdd %int %o %n\nOpStore %p %s\nOpReturnValue %s\n"
               "OpFunctionEnd\n",
     {{1, 1001}, {5, 3030}},
     2},
    {"composites",
     BEGIN(
         "") "%u3 = OpConstant %int 3\n%arr = OpTypeArray %v2 %u3\n%st = OpTypeStruct %int %arr\n"
             "%cv = OpConstantComposite %v2 %i1 %i2\n%ca = OpConstantComposite %arr %cv %cv %cv\n"
             "%cs = OpConstantComposite %st %i100 %ca\n" MAIN X
             "%s1 = OpCompositeInsert %st %x %cs 1 2 0\n%a = OpCompositeExtract %int %s1 1 2 0\n"
             "%b = OpCompositeExtract %int %cs 1 2 1\n%v = OpCompositeConstruct %v2 %a %b\n"
             "%w = OpVectorShuffle %v2 %v %cv 1 2\n%d = OpCompositeExtract %int %w 0\n"
             "%e = OpCompositeExtract %int %s1 0\n%f = OpIAdd %int %a %d\n%r = OpIAdd %int %f %e\n"
             "OpStore %out %r\n" END,
     {{7, 109}, {-1, 101}},
     2},
    {"dynamic index",
     BEGIN(
         "") "%u4 = OpConstant %int 4\n%arr = OpTypeArray %int %u4\n%parr = OpTypePointer Function "
             "%arr\n"
             "%ca = OpConstantComposite %arr %i10 %i1 %i2 %i3\n" MAIN X
             "%v = OpVariable %parr Function %ca\n%p = OpAccessChain %pf %v %x\nOpStore %p %i100\n"
             "%q = OpAccessChain %pf %v %i1\n%a = OpLoad %int %q\n%q0 = OpAccessChain %pf %v %i0\n"
             "%b = OpLoad %int %q0\n%r = OpIAdd %int %a %b\nOpStore %out %r\n" END,
     {{0, 101}, {1, 110}, {3, 11}},
     3},
    {"extended",
     BEGIN("") MAIN X
     "%a = OpExtInst %int %glsl SClamp %x %i1 %i10\n%b = OpExtInst %int %glsl SAbs %x\n"
     "%r = OpIAdd %int %a %b\nOpStore %out %r\n" END,
     {{-3, 4}, {20, 30}, {5, 10}},
     3},
    {"initial value of an output block",
     "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" "
     "%out\n"
     "OpExecutionMode %main OriginLowerLeft\nOpDecorate %b Block\nOpDecorate %out Location 0\n"
     "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%int = OpTypeInt 32 1\n"
     "%i7 = OpConstant %int 7\n%b = OpTypeStruct %int\n%pb = OpTypePointer Output %b\n"
     "%c = OpConstantComposite %b %i7\n%out = OpVariable %pb Output %c\n" MAIN END,
     {{0, 7}},
     1},
    {"initial value of an array of output blocks",
     "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" "
     "%out\n"
     "OpExecutionMode %main OriginLowerLeft\nOpDecorate %b Block\nOpDecorate %out Location 0\n"
     "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%int = OpTypeInt 32 1\n"
     "%uint = OpTypeInt 32 0\n%u2 = OpConstant %uint 2\n%i0 = OpConstant %int 0\n"
     "%i1 = OpConstant %int 1\n%i7 = OpConstant %int 7\n%i8 = OpConstant %int 8\n"
     "%b = OpTypeStruct %int %int\n%a = OpTypeArray %b %u2\n%pa = OpTypePointer Output %a\n"
     "%pi = OpTypePointer Output %int\n%c0 = OpConstantComposite %b %i0 %i1\n"
     "%c1 = OpConstantComposite %b %i7 %i8\n%c = OpConstantComposite %a %c0 %c1\n"
     "%out = OpVariable %pa Output %c\n" MAIN
     "%from = OpAccessChain %pi %out %i1 %i1\n%v = OpLoad %int %from\n"
     "%to = OpAccessChain %pi %out %i0 %i0\nOpStore %to %v\n" END,
     {{0, 8}},
     1},
    {"kill",
     BEGIN("") MAIN X
     "OpStore %out %i1\n%c = OpSLessThan %bool %x %i0\nOpSelectionMerge %m None\n"
     "OpBranchConditional %c %t %m\n%t = OpLabel\nOpKill\n%m = OpLabel\nOpStore %out %i2\n" END,
     {{1, 2}},
     1},
};

static int run(nir_shader *nir, int in)
{
    nir_prepare_for_driver(nir);
    struct nir_eval eval = {.inputs = {{(uint32_t)in}}};
    assert_int_equal(nir_eval_shader(&eval, nir), NIR_EVAL_DONE);
    return (int)eval.outputs[0][0];
}

static void run_programs(const struct program *list, unsigned count)
{
    for (const struct program *p = list; p < list + count; p++) {
        void *mem_ctx = talloc_new(NULL);
        struct words m = assemble(mem_ctx, p->text);
        for (unsigned k = 0; k < p->num_runs; k++) {
            char *error = NULL;
            nir_shader *nir = translate(mem_ctx, m, SHADER_FRAGMENT, NULL, 0, &error);
            if (error)
                print_error("%s: %s", p->name, error);
            assert_non_null(nir);
            int out = run(nir, p->runs[k].in);
            if (out != p->runs[k].out)
                print_error("%s: %d gives %d\n", p->name, p->runs[k].in, out);
            assert_int_equal(out, p->runs[k].out);
        }
        talloc_free(mem_ctx);
    }
}

static void test_programs(void **state)
{
    run_programs(programs, ARRAY_SIZE(programs));
}

/* --- operations ------------------------------------------------------------------------------- */

/* What follows the input %x and defines the result %y. */
struct operation {
    const char *text;
    struct {
        int in, out;
    } runs[3];
    unsigned num_runs;
};

#define FLOATS     "%f = OpConvertSToF %float %x\n"
#define NAN_OR_ONE FLOATS "%n = OpFDiv %float %f %f\n" /* NaN of 0 */
#define TO_INT     "%y = OpConvertFToS %int %g\n"
#define CHOICE     "%y = OpSelect %int %c %i1 %i0\n"

static const struct operation operations[] = {
    {"%y = OpSRem %int %x %i3\n", {{8, 2}, {-7, -1}, {-6, 0}}, 3},
    {"%y = OpSRem %int %x %m3\n", {{8, 2}, {-7, -1}}, 2},
    {"%y = OpSMod %int %x %i3\n", {{8, 2}, {-7, 2}, {-6, 0}}, 3},
    {"%y = OpSMod %int %x %m3\n", {{8, -1}, {-7, -1}}, 2},
    {"%y = OpUMod %int %x %i10\n", {{18, 8}, {-1, 5}}, 2},
    {"%y = OpSDiv %int %x %i3\n", {{8, 2}, {-8, -2}}, 2},
    {"%y = OpUDiv %int %x %i3\n", {{8, 2}, {-1, 0x55555555}}, 2},
    {"%y = OpSNegate %int %x\n", {{5, -5}}, 1},
    {"%y = OpISub %int %x %i3\n", {{5, 2}, {0, -3}}, 2},
    {"%y = OpShiftRightLogical %int %x %i1\n", {{-2, INT32_MAX}}, 1},
    {"%y = OpShiftRightArithmetic %int %x %i1\n", {{-2, -1}, {6, 3}}, 2},
    {"%y = OpShiftLeftLogical %int %x %i3\n", {{5, 40}, {-1, -8}}, 2},
    /* Counts of other widths, and one count for all components. */
    {"%s = OpShiftLeftLogical %long %l40 %i3\n%z = OpShiftRightLogical %long %s %l40\n"
     "%n = OpSConvert %int %z\n%y = OpIAdd %int %x %n\n",
     {{0, 0}, {7, 7}},
     2},
    {"%v = OpCompositeConstruct %v2 %x %i3\n%s = OpShiftLeftLogical %v2 %v %i2\n"
     "%a = OpCompositeExtract %int %s 0\n%b = OpCompositeExtract %int %s 1\n"
     "%y = OpIAdd %int %a %b\n",
     {{5, 32}, {-1, 8}},
     2},
    {"%l = OpSConvert %long %x\n%v = OpCompositeConstruct %lvec2 %l %l40\n"
     "%s = OpShiftLeftLogical %lvec2 %v %l40\n%t = OpShiftRightArithmetic %lvec2 %s %i3\n"
     "%a = OpCompositeExtract %long %t 0\n%h = OpShiftRightArithmetic %long %a %l37\n"
     "%y = OpSConvert %int %h\n",
     {{5, 5}, {-9, -9}},
     2},
    {"%l = OpSConvert %long %x\n%m = OpIAdd %long %l %sshl\n%h = OpShiftRightArithmetic %long "
     "%m %l37\n%y = OpSConvert %int %h\n",
     {{0, 320}, {-1, 319}},
     2},
    {"%a = OpCompositeExtract %int %svec 0\n%b = OpCompositeExtract %int %svec 1\n"
     "%s = OpIAdd %int %a %b\n%y = OpIAdd %int %x %s\n",
     {{0, 40}},
     1},
    {"%y = OpNot %int %x\n", {{5, -6}}, 1},
    {"%y = OpBitwiseXor %int %x %i3\n", {{5, 6}}, 1},
    {"%y = OpBitwiseOr %int %x %i3\n", {{5, 7}}, 1},
    {"%y = OpBitwiseAnd %int %x %i3\n", {{5, 1}}, 1},
    {"%y = OpBitReverse %int %x\n", {{1, INT32_MIN}, {-1, -1}}, 2},
    {"%y = OpBitCount %int %x\n", {{5, 2}, {-1, 32}}, 2},
    {"%y = OpBitFieldSExtract %int %x %i2 %i3\n", {{20, -3}, {8, 2}}, 2},
    {"%y = OpBitFieldUExtract %int %x %i2 %i3\n", {{20, 5}, {-1, 7}}, 2},
    {"%y = OpBitFieldInsert %int %x %i3 %i4 %i2\n", {{0, 48}, {-1, -1}, {64, 112}}, 3},
    {"%c = OpIEqual %bool %x %i3\n" CHOICE, {{3, 1}, {2, 0}}, 2},
    {"%c = OpINotEqual %bool %x %i3\n" CHOICE, {{3, 0}, {2, 1}}, 2},
    {"%c = OpSLessThan %bool %x %i3\n" CHOICE, {{2, 1}, {3, 0}, {-1, 1}}, 3},
    {"%c = OpSLessThanEqual %bool %x %i3\n" CHOICE, {{3, 1}, {4, 0}, {-1, 1}}, 3},
    {"%c = OpSGreaterThan %bool %x %i3\n" CHOICE, {{4, 1}, {3, 0}, {-1, 0}}, 3},
    {"%c = OpSGreaterThanEqual %bool %x %i3\n" CHOICE, {{3, 1}, {2, 0}, {-1, 0}}, 3},
    {"%c = OpULessThan %bool %x %i3\n" CHOICE, {{2, 1}, {3, 0}, {-1, 0}}, 3},
    {"%c = OpULessThanEqual %bool %x %i3\n" CHOICE, {{3, 1}, {4, 0}, {-1, 0}}, 3},
    {"%c = OpUGreaterThan %bool %x %i3\n" CHOICE, {{4, 1}, {3, 0}, {-1, 1}}, 3},
    {"%c = OpUGreaterThanEqual %bool %x %i3\n" CHOICE, {{3, 1}, {2, 0}, {-1, 1}}, 3},
    {FLOATS "%g = OpFRem %float %f %fm3\n" TO_INT, {{8, 2}, {-7, -1}}, 2},
    {FLOATS "%g = OpFMod %float %f %fm3\n" TO_INT, {{8, -1}, {-7, -1}}, 2},
    {FLOATS "%g = OpFSub %float %f %fm3\n" TO_INT, {{8, 11}}, 1},
    {FLOATS "%g = OpFMul %float %f %fm3\n" TO_INT, {{8, -24}}, 1},
    {FLOATS "%g = OpFDiv %float %f %fm3\n" TO_INT, {{9, -3}, {8, -2}}, 2},
    {FLOATS "%g = OpFNegate %float %f\n" TO_INT, {{9, -9}}, 1},
    {"%f = OpConvertUToF %float %x\n%g = OpFMul %float %f %fhalf\n" TO_INT, {{-2, INT32_MAX}}, 1},
    {NAN_OR_ONE "%c = OpFOrdEqual %bool %n %n\n" CHOICE, {{0, 0}, {1, 1}}, 2},
    {NAN_OR_ONE "%c = OpFUnordNotEqual %bool %n %n\n" CHOICE, {{0, 1}, {1, 0}}, 2},
    {NAN_OR_ONE "%c = OpFOrdLessThan %bool %fm3 %n\n" CHOICE, {{0, 0}, {1, 1}}, 2},
    {NAN_OR_ONE "%c = OpFUnordLessThan %bool %n %fm3\n" CHOICE, {{0, 1}, {1, 0}}, 2},
    {NAN_OR_ONE "%c = OpFOrdGreaterThan %bool %n %fm3\n" CHOICE, {{0, 0}, {1, 1}}, 2},
    {NAN_OR_ONE "%c = OpFUnordGreaterThan %bool %fm3 %n\n" CHOICE, {{0, 1}, {1, 0}}, 2},
    {NAN_OR_ONE "%c = OpFOrdLessThanEqual %bool %n %n\n" CHOICE, {{0, 0}, {1, 1}}, 2},
    {NAN_OR_ONE "%c = OpFUnordLessThanEqual %bool %n %fm3\n" CHOICE, {{0, 1}, {1, 0}}, 2},
    {NAN_OR_ONE "%c = OpFOrdGreaterThanEqual %bool %n %n\n" CHOICE, {{0, 0}, {1, 1}}, 2},
    {NAN_OR_ONE "%c = OpFUnordGreaterThanEqual %bool %fm3 %n\n" CHOICE, {{0, 1}, {1, 0}}, 2},
    {"%y = OpIAdd %int %x %srem\n", {{0, -1}}, 1},
    {"%y = OpIAdd %int %x %smod\n", {{0, 2}}, 1},
    {"%y = OpIAdd %int %x %sshr\n", {{0, -4}}, 1},
};

/* Results of each operation, with the sign that the SPIR-V specification (§3.52.13) says. */
static void test_operations(void **state)
{
    static const char constants[] =
        "%m3 = OpConstant %int -3\n%m7 = OpConstant %int -7\n%fm3 = OpConstant %float -3\n"
        "%fhalf = OpConstant %float 0.5\n%srem = OpSpecConstantOp %int SRem %m7 %i3\n"
        "%smod = OpSpecConstantOp %int SMod %m7 %i3\n"
        "%sshr = OpSpecConstantOp %int ShiftRightArithmetic %m7 %i1\n"
        "%long = OpTypeInt 64 1\n%l40 = OpConstant %long 40\n%l37 = OpConstant %long 37\n"
        "%lvec2 = OpTypeVector %long 2\n"
        "%sshl = OpSpecConstantOp %long ShiftLeftLogical %l40 %l40\n"
        "%pair = OpConstantComposite %v2 %i2 %i3\n"
        "%svec = OpSpecConstantOp %v2 ShiftLeftLogical %pair %i3\n";
    struct program p[ARRAY_SIZE(operations)];
    void *mem_ctx = talloc_new(NULL);
    for (unsigned i = 0; i < ARRAY_SIZE(operations); i++) {
        const struct operation *o = &operations[i];
        p[i] = (struct program){.name = o->text, .num_runs = o->num_runs};
        p[i].text = talloc_asprintf(mem_ctx, "%s%s%s%s%s", BEGIN_WITH("OpCapability Int64\n", ""),
                                    constants, MAIN X, o->text, "OpStore %out %y\n" END);
        for (unsigned r = 0; r < o->num_runs; r++) {
            p[i].runs[r].in = o->runs[r].in;
            p[i].runs[r].out = o->runs[r].out;
        }
    }
    run_programs(p, ARRAY_SIZE(p));
    talloc_free(mem_ctx);
}

/* --------------------------------------------------------------------------- specialization --- */

static const char specialized[] = BEGIN(
    "OpDecorate %sa SpecId 5\nOpDecorate %sb SpecId 6\n") "%sa = OpSpecConstant %int 2\n%sb = "
                                                          "OpSpecConstantTrue %bool\n"
                                                          "%sc = OpSpecConstantOp %int IMul %sa "
                                                          "%i10\n%sd = OpSpecConstantOp %int "
                                                          "Select %sb %sc %i100\n"
                                                          "%sv = OpSpecConstantComposite %v2 %sd "
                                                          "%sa\n%se = OpSpecConstantOp %int "
                                                          "CompositeExtract %sv 0\n" MAIN X
                                                          "%r = OpIAdd %int %x %se\nOpStore %out "
                                                          "%r\n" END;

static void test_specialization(void **state)
{
    static const struct {
        struct spirv_specialization list[2];
        unsigned count;
        int out;
    } rows[] = {{{{0}}, 0, 21}, {{{5, 7}}, 1, 71}, {{{6, 0}}, 1, 101}, {{{5, -1}, {6, 1}}, 2, -9}};
    void *mem_ctx = talloc_new(NULL);
    struct words m = assemble(mem_ctx, specialized);
    assert_true(spirv_has_specialization(m.w, m.count, 5));
    assert_false(spirv_has_specialization(m.w, m.count, 7));
    assert_int_equal(spirv_find_entry_point(m.w, m.count, "main", SHADER_FRAGMENT),
                     SPIRV_HAS_ENTRY);
    assert_int_equal(spirv_find_entry_point(m.w, m.count, "main", SHADER_VERTEX),
                     SPIRV_OTHER_STAGE);
    assert_int_equal(spirv_find_entry_point(m.w, m.count, "other", SHADER_FRAGMENT),
                     SPIRV_NO_ENTRY);
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        char *error;
        nir_shader *nir =
            translate(mem_ctx, m, SHADER_FRAGMENT, rows[i].list, rows[i].count, &error);
        assert_non_null(nir);
        assert_int_equal(run(nir, 1), rows[i].out);
    }
    talloc_free(mem_ctx);
}

/* ----------------------------------------------------------------------------------- errors --- */

static const struct {
    const char *text, *error; /* `error` is part of the message */
} wrong[] = {
    {BEGIN("") MAIN "OpStore %out %nothing\n" END, "is not a value"},
    {BEGIN("") MAIN "OpStore %in %i1\n" END, "OpStore: the pointer refers to read-only memory"},
    {BEGIN("") MAIN X "%f = OpFAdd %float %x %x\n" END, "OpFAdd: operand 0 has the wrong type"},
    {BEGIN("") MAIN X "%f = OpIAdd %float %x %x\n" END, "OpIAdd: the result type does not match"},
    {BEGIN("") MAIN "%y = OpIAdd %int %x %x\n" X END, "is used before it is defined"},
    {BEGIN("") "%t = OpTypeArray %void %i1\n" MAIN END, "OpTypeArray: an element has a type"},
    {BEGIN("") "%t = OpTypeArray %int %i0\n" MAIN END, "OpTypeArray: an array of 0 elements"},
    {BEGIN("") "%t = OpTypeStruct %t\n" MAIN END, "OpTypeStruct: id"},
    {BEGIN("") "%t = OpTypeVector %int 5\n" MAIN END, "OpTypeVector: vectors of 5 components"},
    {BEGIN("") "%h = OpTypeFloat 16\n" MAIN END, "OpTypeFloat: numbers of 16 bits"},
    {BEGIN("") "%d = OpTypeFloat 64\n" MAIN END, "capability Float64"},
    {BEGIN("") "%c = OpConstantComposite %v2 %i1\n" MAIN END, "got 1 constituents, expected 2"},
    {BEGIN("") MAIN "OpBranch %main\nOpFunctionEnd\n", "OpBranch: id"},
    {BEGIN("") MAIN "OpBranch %entry\nOpFunctionEnd\n", "branches to the first block"},
    {BEGIN("") MAIN "OpFunctionEnd\n", "the preceding block lacks a terminator"},
    {BEGIN("") MAIN "OpBranch %a\n%a = OpLabel\nOpBranch %b\n%b = OpLabel\nOpBranch %a\n"
                    "OpFunctionEnd\n",
     "more than one construct"},
    {BEGIN("") MAIN X "%c = OpSLessThan %bool %x %i1\nOpBranchConditional %c %a %b\n"
                      "%a = OpLabel\nOpReturn\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n",
     "OpBranchConditional: lacks a merge instruction"},
    {BEGIN("") MAIN X "OpSelectionMerge %m None\nOpBranchConditional %x %m %m\n%m = OpLabel\n" END,
     "the condition must be boolean"},
    {BEGIN("") MAIN "%r = OpFunctionCall %void %main\n" END, "calls itself"},
    {BEGIN("") MAIN "OpEmitVertex\n" END, "only allowed in geometry shaders"},
    {BEGIN("") MAIN X "%p = OpAccessChain %pin %in %i0\n" END, "without elements"},
    {BEGIN("") MAIN X "%e = OpExtInst %float %glsl Sin %x\n" END, "has the wrong type"},
    {BEGIN("OpDecorate %in Component 7\n") MAIN X END, "Component or Index is out of range"},
    {BEGIN(
         "OpMemberDecorate %b 0 Offset 0\nOpDecorate %b Block\n") "%arr = OpTypeArray %int %i3\n%b "
                                                                  "= OpTypeStruct %arr\n%pb = "
                                                                  "OpTypePointer Uniform %b\n"
                                                                  "%pi = OpTypePointer Uniform "
                                                                  "%int\n%u = OpVariable %pb "
                                                                  "Uniform\n" MAIN
                                                                  "%p = OpAccessChain %pi %u %i0 "
                                                                  "%i1\n%l = OpLoad %int %p\n" END,
     "has no ArrayStride"},
    {BEGIN("OpDecorate %b Block\n") "%b = OpTypeStruct %int\n%pb = OpTypePointer Uniform %b\n"
                                    "%pi = OpTypePointer Uniform %int\n%u = OpVariable %pb "
                                    "Uniform\n" MAIN
                                    "%p = OpAccessChain %pi %u %i0\n%l = OpLoad %int %p\n" END,
     "has no Offset"},
    {BEGIN_WITH(SUBGROUPS, "") WORDS MAIN X "%a = OpGroupNonUniformIAdd %int %u4 Reduce %x\n" END,
     "the scope must be Subgroup"},
    {BEGIN_WITH(SUBGROUPS, "") WORDS MAIN X "%a = OpGroupNonUniformFAdd %int %u3 Reduce %x\n" END,
     "the operand has the wrong type"},
    {BEGIN_WITH(SUBGROUPS, "") WORDS MAIN X
     "%a = OpGroupNonUniformIAdd %int %u3 ClusteredReduce %x %u3\n" END,
     "must be a power of two"},
    {BEGIN_WITH(SUBGROUPS, "") WORDS MAIN X
     "%a = OpGroupNonUniformIAdd %int %u3 ClusteredReduce %x\n" END,
     "the cluster size is missing"},
    {BEGIN_WITH(SUBGROUPS, "") WORDS MAIN X "%a = OpGroupNonUniformQuadSwap %int %u3 %x %u3\n" END,
     "the direction must be 0, 1 or 2"},
    {BEGIN_WITH("OpCapability ClipDistance\n",
                "OpDecorate %b Block\nOpMemberDecorate %b 0 BuiltIn "
                "ClipDistance\n") "%clip = OpTypeArray %float %i2\n%b = "
                                  "OpTypeStruct %clip\n%bs = OpTypeArray "
                                  "%b %i3\n"
                                  "%pbs = OpTypePointer Input %bs\n%p = "
                                  "OpTypePointer Input %float\n"
                                  "%v = OpVariable %pbs Input\n" MAIN
                                  "%q = OpAccessChain %p %v %i0 %i0 "
                                  "%i1\n%l = OpLoad %float %q\n" END,
     "gl_ClipDistance cannot be in an array of blocks"},
    {BEGIN("OpDecorate %b Block\nOpMemberDecorate %b 0 Location 1\n"
           "OpMemberDecorate %b 0 Component 3\n") "%b = OpTypeStruct %v2\n%pb = OpTypePointer "
                                                  "Output %b\n%p = OpTypePointer Output %v2\n"
                                                  "%v = OpVariable %pb Output\n%null = "
                                                  "OpConstantNull %v2\n" MAIN
                                                  "%q = OpAccessChain %p %v %i0\nOpStore %q "
                                                  "%null\n" END,
     "Component 3 is not allowed"},
    {BEGIN("") "%f3 = OpTypeVector %float 3\n%f4 = OpTypeVector %float 4\n%i3s = OpTypeVector %int "
               "3\n"
               "%img = OpTypeImage %float Cube 0 0 0 1 Unknown\n%si = OpTypeSampledImage %img\n"
               "%psi = OpTypePointer UniformConstant %si\n%tex = OpVariable %psi UniformConstant\n"
               "%c = OpConstantNull %f3\n%o = OpConstantNull %i3s\n" MAIN
               "%t = OpLoad %si %tex\n%s = OpImageSampleImplicitLod %f4 %t %c ConstOffset %o\n" END,
     "offsets are not allowed for cube maps"},
    {BEGIN_WITH("OpCapability InterpolationFunction\n", "") MAIN
     "%s = OpExtInst %int %glsl InterpolateAtCentroid %in\n" END,
     "must be a floating-point input"},
    {"OpCapability Kernel\nOpMemoryModel Logical GLSL450\n", "OpCapability: capability 6"},
    {"OpCapability Shader\nOpMemoryModel Physical32 GLSL450\n", "must be Logical"},
    {"OpMemoryModel Logical GLSL450\nOpCapability Shader\n",
     "is in the wrong section of the module"},
    {"OpCapability Shader\nOpMemoryModel Logical GLSL450\n", "there is no entry point"},
    {"OpCapability Shader\nOpExtension \"SPV_XX_none\"\n", "extension SPV_XX_none"},
};

static void expect_refused(unsigned row, const char *text, const char *expected)
{
    void *mem_ctx = talloc_new(NULL);
    char *error = NULL;
    nir_shader *nir = translate(mem_ctx, assemble(mem_ctx, text), SHADER_FRAGMENT, NULL, 0, &error);
    if (nir || !strstr(error, expected))
        print_error("row %u: %s, not \"%s\"\n", row, error ? error : "accepted", expected);
    assert_null(nir);
    assert_non_null(strstr(error, expected));
    assert_non_null(strstr(error, "error: word "));
    talloc_free(mem_ctx);
}

static void test_errors(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++)
        expect_refused(i, wrong[i].text, wrong[i].error);
}

/* ------------------------------------------------------------------------- invalid accesses --- */

/* Function variables: struct { int a; ivec2 v[4]; } s; int table[4]; mat2 m. */
#define PLACES                                                                                     \
    "%u4 = OpConstant %int 4\n%fv2 = OpTypeVector %float 2\n%mat = OpTypeMatrix %fv2 2\n"          \
    "%arr = OpTypeArray %v2 %u4\n%st = OpTypeStruct %int %arr\n%ints = OpTypeArray %int %u4\n"     \
    "%pst = OpTypePointer Function %st\n%pints = OpTypePointer Function %ints\n"                   \
    "%pmat = OpTypePointer Function %mat\n%pv2 = OpTypePointer Function %v2\n"                     \
    "%pff = OpTypePointer Function %float\n%half = OpConstant %float 0.5\n"                        \
    "%m1 = OpConstant %int -1\n%far = OpConstant %int 2147483647\n%yes = OpConstantTrue %bool\n"   \
    "%cv = OpConstantComposite %v2 %i1 %i2\n%ca = OpConstantComposite %arr %cv %cv %cv %cv\n"      \
    "%cs = OpConstantComposite %st %i100 %ca\n%ci = OpConstantComposite %ints %i1 %i2 %i3 %i4\n"   \
    "%nm = OpConstantNull %mat\n"
#define VARIABLES                                                                                  \
    "%s = OpVariable %pst Function %cs\n%table = OpVariable %pints Function %ci\n"                 \
    "%m = OpVariable %pmat Function %nm\n"
#define PLACE(line)             BEGIN("") PLACES MAIN VARIABLES X line "\n" END
#define PLACE_WITH(types, line) BEGIN("") PLACES types MAIN VARIABLES X line "\n" END
#define STORAGE(member, line)                                                                      \
    BEGIN("OpDecorate %run ArrayStride 4\nOpMemberDecorate %blk 0 Offset 0\n"                      \
          "OpMemberDecorate %blk 1 Offset 4\nOpDecorate %blk BufferBlock\n"                        \
          "OpDecorate %buf DescriptorSet 0\nOpDecorate %buf Binding 0\n")                          \
    PLACES "%run = OpTypeRuntimeArray %int\n%blk = OpTypeStruct %int %run\n"                       \
           "%pblk = OpTypePointer Uniform %blk\n%prun = OpTypePointer Uniform %run\n"              \
           "%pu = OpTypePointer Uniform " member                                                   \
           "\n%buf = OpVariable %pblk Uniform\n" MAIN VARIABLES X line "\n" END
#define BLOCKS(array)                                                                              \
    BEGIN("OpMemberDecorate %blk 0 Offset 0\nOpDecorate %blk BufferBlock\n"                        \
          "OpDecorate %buf Binding 0\n")                                                           \
    "%many = OpConstant %int 100000\n%blk = OpTypeStruct %int\n" array                             \
    "%pblks = OpTypePointer Uniform %blks\n%pi = OpTypePointer Uniform %int\n"                     \
    "%buf = OpVariable %pblks Uniform\n" MAIN X                                                    \
    "%p = OpAccessChain %pi %buf %x %i0\n%r = OpLoad %int %p\n" END

/* An instruction that accesses a part that does not exist, and part of the error message. */
static const struct {
    const char *text, *error;
} bad_access[] = {
    {PLACE("%p = OpAccessChain %pf %s %i2"), "index 2 is out of range (size 2)"},
    {PLACE("%p = OpAccessChain %pf %s %m1"), "index 4294967295 is out of range (size 2)"},
    {PLACE("%p = OpInBoundsAccessChain %pf %s %far"), "index 2147483647 is out of range (size 2)"},
    {PLACE("%p = OpAccessChain %pf %s %x"), "the index of a struct member must be a constant"},
    {PLACE("%p = OpAccessChain %pf %table %half"), "is not an integer"},
    {PLACE("%p = OpAccessChain %pf %table %yes"), "is not an integer"},
    {PLACE("%p = OpAccessChain %pf %table %cv"), "is not an integer"},
    {PLACE("%p = OpAccessChain %pf %table %int"), "cannot be used as an index"},
    {PLACE("%p = OpAccessChain %pf %table %table"), "cannot be used as an index"},
    {PLACE("%p = OpAccessChain %pf %table %entry"), "cannot be used as an index"},
    {PLACE("%y = OpUndef %float\n%p = OpAccessChain %pf %table %y"), "is not an integer"},
    {PLACE("%p = OpAccessChain %pf %table %i0 %i0"),
     "an index is applied to a type without elements"},
    {PLACE("%p = OpAccessChain %pff %m %i0 %i0 %i0"),
     "an index is applied to a type without elements"},
    {PLACE("%p = OpAccessChain %pf %table"), "the result type does not match"},
    {PLACE("%p = OpAccessChain %pv2 %table %i0"), "the result type does not match"},
    {PLACE("%p = OpAccessChain %int %table %i0"), "the result type does not match"},
    {PLACE("%p = OpAccessChain %pout %table %i0"), "the result type does not match"},
    {PLACE("%p = OpAccessChain %pf %cs %i0"), "is not a pointer"},
    {PLACE("%p = OpAccessChain %pf %x %i0"), "is not a pointer"},
    {PLACE("%p = OpAccessChain %pf %p %i0"), "is not a pointer"},
    {PLACE("%p = OpAccessChain %pf %q %i0\n%q = OpAccessChain %pints %table"), "is not a pointer"},
    {PLACE("%p = OpPtrAccessChain %pf %table %i1 %i0"), "OpPtrAccessChain"},
    {PLACE("%p = OpInBoundsPtrAccessChain %pf %table %i1 %i0"), "OpInBoundsPtrAccessChain"},
    {PLACE_WITH("%pp = OpTypePointer Function %pf\n", ""), "pointers to pointers"},
    {PLACE_WITH("%sp = OpTypeStruct %pf\n", ""), "an element has a type without values"},
    {PLACE_WITH("%rr = OpTypeRuntimeArray %int\n%prr = OpTypePointer Function %rr\n",
                "%v = OpVariable %prr Function"),
     "OpVariable"},
    {PLACE("%a = OpCompositeExtract %int %cs 2"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeExtract %int %cs 1 4 0"), "index 4 is out of range (size 4)"},
    {PLACE("%a = OpCompositeExtract %int %cs 1 3 2"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeExtract %int %cs 1 3 4294967295"), "is out of range (size 2)"},
    {PLACE("%a = OpCompositeExtract %int %cs 0 0"), "a type without elements"},
    {PLACE("%a = OpCompositeExtract %float %nm 2 0"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeExtract %float %nm 1 2"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeExtract %int %cv 2"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeExtract %int %x 0"), "a type without elements"},
    {PLACE("%a = OpCompositeExtract %int %cs 1"), "the result type does not match"},
    {PLACE("%a = OpCompositeInsert %st %x %cs 2"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeInsert %st %x %cs 1 4 0"), "index 4 is out of range (size 4)"},
    {PLACE("%a = OpCompositeInsert %st %x %cs 1 0 2147483648"), "is out of range (size 2)"},
    {PLACE("%a = OpCompositeInsert %st %x %cs 0 0"), "a type without elements"},
    {PLACE("%a = OpCompositeInsert %st %x %cs 1 0"), "the object has the wrong type"},
    {PLACE("%a = OpCompositeInsert %mat %half %nm 0 2"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeInsert %mat %half %nm 2 0"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeInsert %mat %half %nm 0"), "the object has the wrong type"},
    {PLACE("%a = OpCompositeInsert %v2 %x %cv 2"), "index 2 is out of range (size 2)"},
    {PLACE("%a = OpCompositeInsert %v2 %x %cv 0 0"), "the object has the wrong type"},
    {PLACE("%a = OpVectorShuffle %v2 %cv %cv 0 4"), "component 4 does not exist"},
    {PLACE("%a = OpVectorExtractDynamic %int %cs %x"), "must be a vector"},
    {PLACE("%a = OpVectorExtractDynamic %int %cv %half"), "is not an integer"},
    {PLACE_WITH("%c = OpSpecConstantOp %int CompositeExtract %cs 1 4 0\n", ""),
     "is out of range (size 4)"},
    {PLACE_WITH("%c = OpSpecConstantOp %st CompositeInsert %i1 %cs 1 0 2\n", ""),
     "is out of range (size 2)"},
    {PLACE_WITH("%c = OpSpecConstantOp %v2 VectorShuffle %cv %cv 0 4\n", ""), "OpSpecConstantOp"},
    /* OpVariable, OpExtInst: literals where other operations have ids */
    {PLACE_WITH("%c = OpSpecConstantOp %int !59 !5349\n", ""), "id 5349 is out of range"},
    {PLACE_WITH("%c = OpSpecConstantOp %int !12 %i1 !4000000000 %i1\n", ""),
     "id 4000000000 is out of range"},
    {PLACE("%a = OpArrayLength %int %s 1"), "is not a runtime array"},
    {STORAGE("%int", "%a = OpArrayLength %int %buf 0"), "is not a runtime array"},
    {STORAGE("%int", "%a = OpArrayLength %int %buf 2"), "is not a runtime array"},
    {STORAGE("%int", "%a = OpLoad %blk %buf"), "OpLoad: the type has no values"},
    {STORAGE("%int", "%a = OpUndef %blk"), "OpUndef: the type has no values"},
    {STORAGE("%int", "OpCopyMemory %buf %buf"), "OpCopyMemory: the type has no values"},
    {PLACE_WITH("%run = OpTypeRuntimeArray %int\n%blk = OpTypeStruct %int %run\n"
                "%pblk = OpTypePointer Function %blk\n",
                "%v = OpVariable %pblk Function"),
     "OpVariable: the type has no values"},
    {PLACE_WITH("%run = OpTypeRuntimeArray %int\n%blk = OpTypeStruct %int %run\n"
                "%pblk = OpTypePointer Private %blk\n%v = OpVariable %pblk Private\n",
                ""),
     "OpVariable: the type has no values"},
    {PLACE_WITH("%run = OpTypeRuntimeArray %int\n%blk = OpTypeStruct %int %run\n"
                "%null = OpConstantNull %blk\n",
                ""),
     "OpConstantNull: the type has no size"},
    {PLACE_WITH("%run = OpTypeRuntimeArray %int\n%blk = OpTypeStruct %int %run\n"
                "%more = OpTypeStruct %int %blk\n",
                ""),
     "only the last member may be an array without a size"},
    {PLACE_WITH("%run = OpTypeRuntimeArray %int\n%blk = OpTypeStruct %run\n"
                "%more = OpTypeRuntimeArray %blk\n",
                ""),
     "array elements must have a size"},
    {STORAGE("%int", "%p = OpAccessChain %prun %buf %i1\n%a = OpLoad %run %p"), "has no values"},
    {STORAGE("%int", "%p = OpAccessChain %prun %buf %i1\nOpCopyMemory %p %p"), "has no values"},
    {STORAGE("%int", "%p = OpAccessChain %pu %buf %i1 %i0 %i0"), "a type without elements"},
    {STORAGE("%v2", "%p = OpAccessChain %pu %buf %i1 %i0"), "the result type does not match"},
    {PLACE_WITH(
         "%img = OpTypeImage %float 2D 0 0 0 1 Unknown\n%si = OpTypeSampledImage %img\n"
         "%psi = OpTypePointer UniformConstant %si\n%tex = OpVariable %psi UniformConstant\n",
         "OpCopyMemory %tex %tex"),
     "OpCopyMemory: the type has no values"},
    {BLOCKS("%blks = OpTypeRuntimeArray %blk\n"),
     "OpVariable: an array of blocks must have a size"},
    {BLOCKS("%blks = OpTypeArray %blk %many\n"), "OpVariable: an array of 100000 blocks is too"},
    {PLACE("%r = OpFunctionCall %int %f %table") "%ft = OpTypeFunction %int %pints\n",
     "is in the wrong section of the module"},
    {BEGIN("") PLACES "%ft = OpTypeFunction %int %pints\n" MAIN VARIABLES X
                      "%p = OpAccessChain %pf %table %x\n%r = OpFunctionCall %int %f %table\n" END
                      "%f = OpFunction %int None %ft\n%a = OpFunctionParameter %pints\n"
                      "%fe = OpLabel\n%l = OpLoad %int %p\nOpReturnValue %l\nOpFunctionEnd\n",
     "is used before it is defined"},
};

#define APPEND(text, ...) ((text) = talloc_asprintf_append(text, __VA_ARGS__))

/* Values and variables that would take a lot of work: arrays of empty structs have no scalars, and
 * OpUndef takes a few words. */
#define EMPTY                                                                                      \
    "%max = OpConstant %int 2147483647\n%none = OpTypeStruct\n%nones = OpTypeArray %none %max\n"   \
    "%huge = OpTypeArray %int %max\n"
#define HUGE(decorations, declarations, line)                                                      \
    BEGIN(decorations) EMPTY declarations MAIN line "\n" END
static const struct {
    const char *text, *error;
} huge[] = {
    {HUGE("", "", "%a = OpUndef %nones"), "OpUndef: the value is too large"},
    {HUGE("", "", "%a = OpUndef %huge"), "OpUndef: the value is too large"},
    {HUGE("", "%p = OpTypePointer Function %nones\n", "%v = OpVariable %p Function"),
     "OpVariable: the variable is too large"},
    {HUGE("", "%p = OpTypePointer Private %nones\n%v = OpVariable %p Private\n",
          "%a = OpLoad %nones %v"),
     "OpVariable: the variable is too large"},
    {HUGE("OpDecorate %v Location 3\n",
          "%p = OpTypePointer UniformConstant %nones\n%v = OpVariable %p UniformConstant\n",
          "%a = OpLoad %nones %v"),
     "OpVariable: the variable is too large"},
    {HUGE("OpDecorate %b BufferBlock\nOpMemberDecorate %b 0 Offset 0\n"
          "OpDecorate %nones ArrayStride 4\nOpDecorate %v Binding 0\n",
          "%b = OpTypeStruct %nones\n%p = OpTypePointer Uniform %b\n%v = OpVariable %p Uniform\n",
          "%a = OpLoad %b %v"),
     "OpLoad: the value is too large"},
    {HUGE("OpDecorate %b Block\nOpDecorate %v Location 1\n",
          "%b = OpTypeStruct %nones\n%p = OpTypePointer Input %b\n%v = OpVariable %p Input\n",
          "%a = OpLoad %b %v"),
     "too"},
};

/* Appends a letter for each access to memory and each barrier. */
static void list_order(nir_shader *nir, char *out)
{
    nir_foreach_function_impl (impl, nir) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block) {
                if (instr->type != nir_instr_type_intrinsic)
                    continue;
                const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
                const nir_intrinsic_op op = intr->intrinsic;
                if (op == nir_intrinsic_barrier)
                    assert_int_equal(nir_intrinsic_memory_scope(intr), NIR_SCOPE_DEVICE);
                *out++ = op == nir_intrinsic_barrier        ? '|'
                         : op == nir_intrinsic_load_deref   ? 'L'
                         : op == nir_intrinsic_store_deref  ? 'S'
                         : op == nir_intrinsic_deref_atomic ? 'A'
                                                            : '?';
            }
        }
    }
    *out = '\0';
}

/* Memory semantics of atomic operations become barriers (SPIR-V 3.25). */
static void test_atomic_order(void **state)
{
    static const char text[] =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
        "OpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\n"
        "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\n"
        "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
        "%block = OpTypeStruct %uint\n%pblock = OpTypePointer Uniform %block\n"
        "%puint = OpTypePointer Uniform %uint\n%buffer = OpVariable %pblock Uniform\n"
        "%device = OpConstant %uint 1\n%relaxed = OpConstant %uint 0\n"
        "%acquire = OpConstant %uint 0x42\n%release = OpConstant %uint 0x44\n"
        "%both = OpConstant %uint 0x48\n" MAIN "%p = OpAccessChain %puint %buffer %relaxed\n"
        "%a = OpAtomicLoad %uint %p %device %acquire\n"
        "OpAtomicStore %p %device %release %a\n"
        "%b = OpAtomicIAdd %uint %p %device %both %a\n"
        "%c = OpAtomicIAdd %uint %p %device %relaxed %b\n"
        "%d = OpAtomicIAdd %uint %p %device %release %c\n" END;
    void *mem_ctx = talloc_new(NULL);
    char *error = NULL, found[100];
    nir_shader *nir = translate(mem_ctx, assemble(mem_ctx, text), SHADER_COMPUTE, NULL, 0, &error);
    assert_null(error);
    list_order(nir, found);
    assert_string_equal(found, "L||S|A|A|A");
    talloc_free(mem_ctx);
}

static void test_huge(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(huge); i++)
        expect_refused(i, huge[i].text, huge[i].error);
}

/* Each variable costs as much as its type, which is defined only once. */
static void test_many_variables(void **state)
{
    enum { MEMBERS = 20000, COPIES = 120 };
    void *mem_ctx = talloc_new(NULL);
    char *text = talloc_strdup(mem_ctx, BEGIN("") "%st = OpTypeStruct");
    for (unsigned i = 0; i < MEMBERS; i++)
        APPEND(text, "%s", " %int");
    APPEND(text, "%s", "\n%p = OpTypePointer Function %st\n" MAIN);
    for (unsigned i = 0; i < COPIES; i++)
        APPEND(text, "%%variable%u = OpVariable %%p Function\n", i);
    APPEND(text, "%s", END);
    expect_refused(0, text, "OpVariable: the shader is too complex");
    talloc_free(mem_ctx);
}

/* Names are compared with those of all other variables. */
static void test_many_globals(void **state)
{
    enum { COPIES = 20000 };
    void *mem_ctx = talloc_new(NULL);
    char *text = talloc_strdup(mem_ctx, BEGIN("") "%p = OpTypePointer Private %int\n");
    for (unsigned i = 0; i < COPIES; i++)
        APPEND(text, "%%variable%u = OpVariable %%p Private\n", i);
    APPEND(text, "%s", MAIN END);
    expect_refused(0, text, "OpVariable: the shader is too complex");
    talloc_free(mem_ctx);
}

static void test_bad_access(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(bad_access); i++)
        expect_refused(i, bad_access[i].text, bad_access[i].error);
}

/* Out-of-range indices, constant or not, access the last element. */
static const struct program bounded[] = {
    {"element",
     PLACE("%p = OpAccessChain %pf %table %x\n%r = OpLoad %int %p\nOpStore %out %r"),
     {{3, 4}, {4, 4}, {-1, 4}, {INT32_MAX, 4}, {INT32_MIN, 4}},
     5},
    {"constant element",
     PLACE("%p = OpAccessChain %pf %table %m1\n%q = OpAccessChain %pf %table %far\n"
           "OpStore %q %x\n%r = OpLoad %int %p\nOpStore %out %r"),
     {{7, 7}},
     1},
    {"element that is written",
     PLACE("%p = OpAccessChain %pf %table %x\nOpStore %p %i10\n%q = OpAccessChain %pf %table "
           "%i3\n"
           "%r = OpLoad %int %q\nOpStore %out %r"),
     {{0, 4}, {-1, 10}, {1 << 30, 10}},
     3},
    {"component",
     PLACE("%p = OpAccessChain %pf %s %i1 %x %x\nOpStore %p %i10\n"
           "%q = OpAccessChain %pf %s %i1 %i3 %i1\n%r = OpLoad %int %q\nOpStore %out %r"),
     {{0, 2}, {1, 2}, {3, 10}, {-1, 10}, {INT32_MAX, 10}},
     5},
    {"component of a value",
     PLACE("%a = OpVectorInsertDynamic %v2 %cv %i10 %x\n"
           "%b = OpVectorExtractDynamic %int %a %x\nOpStore %out %b"),
     {{0, 10}, {2, 10}, {-1, 10}},
     3},
    {"component that is shuffled from nowhere",
     PLACE("%a = OpVectorShuffle %v2 %cv %cv 4294967295 3\n"
           "%b = OpCompositeExtract %int %a 1\nOpStore %out %b"),
     {{0, 2}},
     1},
    {"index of 64 bits",
     BEGIN_WITH("OpCapability Int64\n", "") PLACES
     "%long = OpTypeInt 64 1\n%l40 = OpConstant %long 1099511627776\n"
     "%lm1 = OpConstant %long -1\n" MAIN VARIABLES X
     "%l = OpSConvert %long %x\n%w = OpIMul %long %l %l40\n%p = OpAccessChain %pf %table %w\n"
     "%c = OpAccessChain %pf %table %l40\n%d = OpAccessChain %pf %table %lm1\n"
     "%e = OpLoad %int %c\n%f = OpLoad %int %d\n%g = OpLoad %int %p\n%h = OpIAdd %int %e %f\n"
     "OpStore %p %i100\n%y = OpLoad %int %p\n%z = OpIAdd %int %h %y\nOpStore %out %z\n" END,
     {{0, 108}, {1, 108}, {-1, 108}},
     3},
    {"element of an array that a specialization constant made shorter",
     BEGIN("OpDecorate %n SpecId 5\n") PLACES
     "%n = OpSpecConstant %int 1\n%few = OpTypeArray %int %n\n"
     "%pfew = OpTypePointer Function %few\n%cf = OpConstantNull %few\n" MAIN VARIABLES X
     "%v = OpVariable %pfew Function %cf\n%p = OpAccessChain %pf %v %i3\nOpStore %p %i10\n"
     "%q = OpAccessChain %pf %v %x\n%r = OpLoad %int %q\nOpStore %out %r\n" END,
     {{0, 10}, {3, 10}, {-1, 10}},
     3},
};

static void test_bounds(void **state)
{
    run_programs(bounded, ARRAY_SIZE(bounded));
}

/* Each pointer is derived from the previous one by an access chain without indices. */
static void test_many_chains(void **state)
{
    enum { MANY = 20000 };
    void *mem_ctx = talloc_new(NULL);
    char *error = NULL, *text = talloc_strdup(mem_ctx, BEGIN("") PLACES MAIN VARIABLES X
                                              "%p0 = OpAccessChain %pints %table\n");
    for (unsigned i = 0; i < MANY; i++)
        APPEND(text, "%%p%u = OpAccessChain %%pints %%p%u\n", i + 1, i);
    APPEND(text, "%%p = OpAccessChain %%pf %%p%u %%x\n", MANY);
    APPEND(text, "%s", "%r = OpLoad %int %p\nOpStore %out %r\n" END);
    nir_shader *nir = translate(mem_ctx, assemble(mem_ctx, text), SHADER_FRAGMENT, NULL, 0, &error);
    assert_non_null(nir);
    assert_int_equal(run(nir, -1), 4);
    talloc_free(mem_ctx);
}

/* Nested structs, and a pointer to each of them. */
static char *deep_text(void *mem_ctx, unsigned depth)
{
    char *text = talloc_strdup(mem_ctx, BEGIN("") "%t0 = OpTypeStruct %int\n"
                                                  "%q0 = OpTypePointer Function %t0\n");
    for (unsigned i = 1; i <= depth; i++)
        APPEND(text, "%%t%u = OpTypeStruct %%t%u\n%%q%u = OpTypePointer Function %%t%u\n", i, i - 1,
               i, i);
    APPEND(text, "%s", MAIN X);
    APPEND(text, "%%p%u = OpVariable %%q%u Function\n", depth, depth);
    for (unsigned i = depth; i > 0; i--)
        APPEND(text, "%%p%u = OpAccessChain %%q%u %%p%u %%i0\n", i - 1, i - 1, i);
    APPEND(text, "%s",
           "%p = OpAccessChain %pf %p0 %i0\nOpStore %p %x\n%r = OpLoad %int %p\n"
           "OpStore %out %r\n" END);
    return text;
}

static void test_deep_chains(void **state)
{
    void *mem_ctx = talloc_new(NULL);
    char *error = NULL;
    struct words m = assemble(mem_ctx, deep_text(mem_ctx, 60));
    nir_shader *nir = translate(mem_ctx, m, SHADER_FRAGMENT, NULL, 0, &error);
    assert_non_null(nir);
    assert_int_equal(run(nir, 5), 5);
    expect_refused(0, deep_text(mem_ctx, 2000), "levels of nesting");
    talloc_free(mem_ctx);
}

/* Interpolation of float inputs, by location; location 5 and 6 are members of a block. */
static void test_interpolation(void **state)
{
    static const char text[] =
        "OpCapability Shader\nOpCapability SampleRateShading\n"
        "OpMemoryModel Logical GLSL450\n"
        "OpEntryPoint Fragment %main \"main\" %a %b %c %d %e %block %o\n"
        "OpExecutionMode %main OriginLowerLeft\n"
        "OpDecorate %a Location 0\nOpDecorate %b Location 1\nOpDecorate %c Location 2\n"
        "OpDecorate %d Location 3\nOpDecorate %e Location 4\nOpDecorate %o Location 0\n"
        "OpDecorate %b Flat\nOpDecorate %c NoPerspective\nOpDecorate %d Centroid\n"
        "OpDecorate %e Sample\nOpDecorate %B Block\n"
        "OpMemberDecorate %B 0 Location 5\nOpMemberDecorate %B 0 Flat\n"
        "OpMemberDecorate %B 1 Location 6\nOpMemberDecorate %B 1 NoPerspective\n"
        "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n"
        "%B = OpTypeStruct %float %float\n"
        "%pf = OpTypePointer Input %float\n%pB = OpTypePointer Input %B\n"
        "%a = OpVariable %pf Input\n%b = OpVariable %pf Input\n%c = OpVariable %pf Input\n"
        "%d = OpVariable %pf Input\n%e = OpVariable %pf Input\n%block = OpVariable %pB Input\n"
        "%po = OpTypePointer Output %float\n%o = OpVariable %po Output\n"
        "%int = OpTypeInt 32 0\n%i0 = OpConstant %int 0\n%i1 = OpConstant %int 1\n"
        "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
        "%f = OpAccessChain %pf %block %i0\n%g = OpAccessChain %pf %block %i1\n"
        "%va = OpLoad %float %a\n%vb = OpLoad %float %b\n%vc = OpLoad %float %c\n"
        "%vd = OpLoad %float %d\n%ve = OpLoad %float %e\n%vf = OpLoad %float %f\n"
        "%vg = OpLoad %float %g\n%s1 = OpFAdd %float %va %vb\n%s2 = OpFAdd %float %s1 %vc\n"
        "%s3 = OpFAdd %float %s2 %vd\n%s4 = OpFAdd %float %s3 %ve\n"
        "%s5 = OpFAdd %float %s4 %vf\n%s6 = OpFAdd %float %s5 %vg\nOpStore %o %s6\n"
        "OpReturn\nOpFunctionEnd\n";
    static const struct {
        unsigned interpolation;
        bool centroid, sample;
    } wanted[] = {
        {INTERP_MODE_DEFAULT, false, false},       {INTERP_MODE_FLAT, false, false},
        {INTERP_MODE_NOPERSPECTIVE, false, false}, {INTERP_MODE_DEFAULT, true, false},
        {INTERP_MODE_DEFAULT, false, true},        {INTERP_MODE_FLAT, false, false},
        {INTERP_MODE_NOPERSPECTIVE, false, false},
    };
    void *mem_ctx = talloc_new(NULL);
    char *error = NULL;
    unsigned seen = 0;
    nir_shader *nir = translate(mem_ctx, assemble(mem_ctx, text), SHADER_FRAGMENT, NULL, 0, &error);
    assert_non_null(nir);
    nir_foreach_shader_in_variable(var, nir)
    {
        unsigned i = (unsigned)var->data.location;
        assert_true(i < ARRAY_SIZE(wanted));
        assert_int_equal(var->data.interpolation, wanted[i].interpolation);
        assert_int_equal(var->data.centroid, wanted[i].centroid);
        assert_int_equal(var->data.sample, wanted[i].sample);
        seen |= 1u << i;
    }
    assert_int_equal(seen, 0x7f);
    talloc_free(mem_ctx);
}

/* Corrupt modules are rejected or produce valid NIR: replaces every word in turn and tries every
 * length. */
static void test_damage(void **state)
{
    static const uint32_t values[] = {0, 1, 5, 0x10000, 0x20011, 0xffff, 0xffffffff, 0x7fffffff};
    for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct words m = assemble(mem_ctx, programs[i].text);
        char *error;
        for (size_t k = 0; k < m.count; k++) {
            struct words shorter = {m.w, k};
            assert_null(translate(mem_ctx, shorter, SHADER_FRAGMENT, NULL, 0, &error));
            uint32_t kept = m.w[k];
            for (unsigned v = 0; v < ARRAY_SIZE(values); v++) {
                void *inner = talloc_new(mem_ctx);
                m.w[k] = values[v];
                translate(inner, m, SHADER_FRAGMENT, NULL, 0, &error);
                m.w[k] = kept + v - 3;
                translate(inner, m, SHADER_FRAGMENT, NULL, 0, &error);
                talloc_free(inner);
            }
            m.w[k] = kept;
        }
        talloc_free(mem_ctx);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),       cmocka_unit_test(test_operations),
        cmocka_unit_test(test_specialization), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_bad_access),     cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_many_chains),    cmocka_unit_test(test_deep_chains),
        cmocka_unit_test(test_damage),         cmocka_unit_test(test_atomic_order),
        cmocka_unit_test(test_huge),           cmocka_unit_test(test_many_variables),
        cmocka_unit_test(test_many_globals),   cmocka_unit_test(test_interpolation),
    };
    assembler = argc > 1 ? argv[1] : "spirv-as";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
