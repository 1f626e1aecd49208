/* SPDX-License-Identifier: GPL-2.0-only */
/* test_sets.h - built-in test configurations of the platforms. */
#ifndef _GPUOA_TEST_SETS_H
#define _GPUOA_TEST_SETS_H

struct gpuoa_builtin_set;

extern const struct gpuoa_builtin_set gpuoa_test_set_hsw;
extern const struct gpuoa_builtin_set gpuoa_test_set_bdw;
extern const struct gpuoa_builtin_set gpuoa_test_set_chv;
extern const struct gpuoa_builtin_set gpuoa_test_set_sklgt2;
extern const struct gpuoa_builtin_set gpuoa_test_set_sklgt3;
extern const struct gpuoa_builtin_set gpuoa_test_set_sklgt4;
extern const struct gpuoa_builtin_set gpuoa_test_set_kblgt2;
extern const struct gpuoa_builtin_set gpuoa_test_set_kblgt3;
extern const struct gpuoa_builtin_set gpuoa_test_set_cflgt2;
extern const struct gpuoa_builtin_set gpuoa_test_set_cflgt3;
extern const struct gpuoa_builtin_set gpuoa_test_set_bxt;
extern const struct gpuoa_builtin_set gpuoa_test_set_glk;
extern const struct gpuoa_builtin_set gpuoa_test_set_icl;
extern const struct gpuoa_builtin_set gpuoa_test_set_ehl;
extern const struct gpuoa_builtin_set gpuoa_test_set_tglgt1;
extern const struct gpuoa_builtin_set gpuoa_test_set_tglgt2;
extern const struct gpuoa_builtin_set gpuoa_test_set_rkl;
extern const struct gpuoa_builtin_set gpuoa_test_set_dg1;
extern const struct gpuoa_builtin_set gpuoa_test_set_adl;
extern const struct gpuoa_builtin_set gpuoa_test_set_adls;
extern const struct gpuoa_builtin_set gpuoa_test_set_adln;
extern const struct gpuoa_builtin_set gpuoa_test_set_mtlgt2;
extern const struct gpuoa_builtin_set gpuoa_test_set_mtlgt3;
extern const struct gpuoa_builtin_set gpuoa_test_set_lnl;
extern const struct gpuoa_builtin_set gpuoa_test_set_bmg;

#endif /* _GPUOA_TEST_SETS_H */
