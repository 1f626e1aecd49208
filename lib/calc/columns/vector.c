// SPDX-License-Identifier: MIT
/* vector.c - select the vector code for this processor */
#include <stdbool.h>
#include <string.h>

#include "calc/columns/column.h"

/* The tables of vector_ops.c, which is compiled once for each of these instruction sets. */
extern const struct vector_ops vector_ops_plain;
#if defined(__x86_64__)
extern const struct vector_ops vector_ops_sse2;
extern const struct vector_ops vector_ops_avx2;
extern const struct vector_ops vector_ops_avx512;
#endif

static bool always(void)
{
	return true; /* SSE2 is part of x86-64 */
}

#if defined(__x86_64__)
static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
	return has_avx2() && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512bw");
}
#endif

/* In order of preference. */
static const struct {
	const struct vector_ops *ops;
	bool (*supported)(void);
} kinds[] = {
#if defined(__x86_64__)
	{ &vector_ops_avx512, has_avx512 },
	{ &vector_ops_avx2, has_avx2 },
	{ &vector_ops_sse2, always },
#endif
	{ &vector_ops_plain, always },
};

const struct vector_ops *vector_ops_get(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if ((!name || !strcmp(kinds[i].ops->name, name)) && kinds[i].supported())
			return kinds[i].ops;
	return NULL;
}
