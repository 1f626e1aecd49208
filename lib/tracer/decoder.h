/* SPDX-License-Identifier: MIT */
/*
 * decoder.h - a decoder: shared by opening and running it
 */
#ifndef GPUOA_LIB_TRACER_DECODER_H
#define GPUOA_LIB_TRACER_DECODER_H

#include "tracer/scope.h"

/* A decodable metric: a column of the calculator of a scope. */
struct decodable {
	const struct scope *scope;
	uint32_t column;
};

struct gpuoa_decoder {
	uint64_t from_ns;
	uint64_t until_ns;
	struct decodable *metrics;
	uint32_t metric_count;

	struct scope *current; /* whose first row is being given, or NULL */
	uint32_t column; /* next one of it */

	uint32_t scope_count;
	uint32_t chosen_count;
	struct scope *chosen[GPUOA_TRACER_SCOPES]; /* those that have entries */
	struct scope scopes[]; /* all; without a calculator if there are no entries of it */
};

#endif /* GPUOA_LIB_TRACER_DECODER_H */
