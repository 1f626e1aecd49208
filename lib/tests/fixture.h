/* SPDX-License-Identifier: MIT */
/* fixture.h - what tests of metrics begin with: definitions, constants, reports. */
#ifndef GPUOA_LIB_TESTS_FIXTURE_H
#define GPUOA_LIB_TESTS_FIXTURE_H

#include <stdint.h>

#include "definitions/compiler/compile.h"
#include "gpuoa.h"

#define REPORT_WORDS 64 /* of A45_B8_C8 */

/* Definitions that were compiled at run time. */
struct fixture {
	struct blob blob;
	struct diagnostic diagnostic;
};

/* Compile one definition. 0 or a negative errno, then .diagnostic says why. */
int fixture_compile(struct fixture *fixture, const char *text);

/* The same with the definition in a file. */
int fixture_compile_file(struct fixture *fixture, const char *path);

/* Its platform. */
const struct gpuoa_platform *fixture_platform(const struct fixture *fixture);

void fixture_free(struct fixture *fixture);

/* Haswell GT2: all constants have values. */
struct gpuoa_constants *haswell_gt2(void);

/* Numbers that look random and are the same in every run. */
uint64_t fixture_random(uint64_t *state);

/*
 * A report of A45_B8_C8 that could follow @last: counters have moved on by up to
 * a full turn, each by an order of magnitude of its own, and may wrap.
 */
void fixture_next_report(uint64_t *state, const uint32_t *last, uint32_t *next);

#endif /* GPUOA_LIB_TESTS_FIXTURE_H */
