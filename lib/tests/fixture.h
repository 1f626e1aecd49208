/* SPDX-License-Identifier: MIT */
/* fixture.h - definitions, constants and reports that several tests use */
#ifndef GPUOA_LIB_TESTS_FIXTURE_H
#define GPUOA_LIB_TESTS_FIXTURE_H

#include <stdint.h>

#include "definitions/compiler/compile.h"
#include "gpuoa.h"

#define REPORT_WORDS 64 /* of A45_B8_C8 */

/* Definitions compiled at run time */
struct fixture {
	struct blob blob;
	struct diagnostic diagnostic;
};

/* Compile one definition. Returns 0, or a negative errno with a message in .diagnostic. */
int fixture_compile(struct fixture *fixture, const char *text);

/* As fixture_compile(), for a file. */
int fixture_compile_file(struct fixture *fixture, const char *path);

/* Returns the compiled platform. */
const struct gpuoa_platform *fixture_platform(const struct fixture *fixture);

void fixture_free(struct fixture *fixture);

/* Constants of a Haswell GT2; all have values. */
struct gpuoa_constants *haswell_gt2(void);

/* Reproducible pseudo-random numbers */
uint64_t fixture_random(uint64_t *state);

/*
 * Make a report in format A45_B8_C8 that could follow the report @last: each counter advances by a
 * random order of magnitude of up to 2^32, and may wrap.
 */
void fixture_next_report(uint64_t *state, const uint32_t *last, uint32_t *next);

#endif /* GPUOA_LIB_TESTS_FIXTURE_H */
