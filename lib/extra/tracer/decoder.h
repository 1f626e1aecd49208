/* SPDX-License-Identifier: MIT */
/* decoder.h - the decoder state shared by opening and running */
#ifndef GPUOA_LIB_EXTRA_TRACER_DECODER_H
#define GPUOA_LIB_EXTRA_TRACER_DECODER_H

#include "extra/tracer/scope.h"

/* A decodable metric: an output of the calculator of a scope. */
struct decodable {
	const struct scope *scope;
	uint32_t column;
};

struct gpuoa_decoder {
	uint64_t from_ns;
	uint64_t until_ns;
	struct decodable *metrics;
	uint32_t metric_count;

	struct scope *current; /* the scope with a partly written row, or NULL */
	uint32_t column; /* next output of that row */

	uint32_t scope_count;
	uint32_t chosen_count;
	struct scope *chosen[GPUOA_TRACER_SCOPES]; /* scopes selected for decoding */
	struct scope scopes[]; /* all scopes; only selected ones have a calculator */
};

#endif /* GPUOA_LIB_EXTRA_TRACER_DECODER_H */
