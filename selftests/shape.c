// SPDX-License-Identifier: MIT
/*
 * shape.c - report layouts of each generation, parsed without libgpuoa, and summary of a stream.
 */
#include "shape.h"

#include <stdio.h>
#include <string.h>

#include "gpu_unit.h"

#define NOBODY 0xffffffff

enum reason {
	TIMER = 1 << 0,
	CONTEXT_SWITCH = 1 << 3,
	GO = 1 << 4,
};

const struct shape shape_hsw = {
	.format = GPUOA_FORMAT_A45_B8_C8,
	.word = 4,
	.fields = { { "A", 0, 45, 32, 12, 0 },
		    { "B", 0, 8, 32, 192, 0 },
		    { "C", 0, 8, 32, 224, 0 } },
};

#define A32U40                                                                                     \
	.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8, .word = 4, .reasons = 0x3f, .each_tells = true, \
	.fields = {                                                                                \
		{ "clock", 0, 1, 32, 12, 0 }, { "A", 0, 32, 40, 16, 160 },                         \
		{ "A", 32, 4, 32, 144, 0 },   { "B", 0, 8, 32, 192, 0 },                           \
		{ "C", 0, 8, 32, 224, 0 },                                                         \
	}

const struct shape shape_gen8 = { A32U40, .valid = 1U << 25 };
const struct shape shape_gen9 = { A32U40, .valid = 1U << 16, .ratio = true };

const struct shape shape_mtl = {
	.format = GPUOA_FORMAT_A24U40_A14U32_B8_C8,
	.word = 4,
	.reasons = 0x7f,
	.valid = 1U << 16,
	.ratio = true,
	.fields = { { "clock", 0, 1, 32, 12, 0 },
		    { "A", 0, 4, 32, 16, 0 },
		    { "A", 4, 20, 40, 32, 164 },
		    { "A", 24, 4, 32, 112, 0 },
		    { "A", 32, 5, 32, 144, 0 },
		    { "A", 37, 1, 32, 184, 0 },
		    { "B", 0, 8, 32, 192, 0 },
		    { "C", 0, 8, 32, 224, 0 } },
};

const struct shape shape_xe2 = {
	.format = GPUOA_FORMAT_PEC64U64_B8_C8,
	.word = 8,
	.reasons = 0x7f,
	.valid = 1U << 16,
	.ratio = true,
	.fields = { { "clock", 0, 1, 64, 24, 0 },
		    { "PEC", 0, 64, 64, 32, 0 },
		    { "B", 0, 8, 32, 544, 0 },
		    { "C", 0, 8, 32, 576, 0 } },
};

static uint64_t header(const struct shape *shape, const uint8_t *report, unsigned int n)
{
	uint64_t value = 0;

	memcpy(&value, report + n * shape->word, shape->word);
	return value;
}

uint64_t report_timestamp(const struct shape *shape, const uint8_t *report)
{
	return header(shape, report, 1);
}

/*
 * Get the ticks from one timestamp to another; timestamps have 32 bits in reports with 4-byte
 * fields.
 */
static int64_t ticks(const struct shape *shape, uint64_t from, uint64_t to)
{
	return shape->word == 4 ? (int32_t)(to - from) : (int64_t)(to - from);
}

/* Haswell's reports have no reason; without a filter, all are timer reports. */
static uint32_t reason_of(const struct seen *seen, const uint8_t *report)
{
	if (!seen->shape->reasons)
		return TIMER;
	return header(seen->shape, report, 0) >> 19 & seen->shape->reasons;
}

static void see_timer(struct seen *seen, const uint8_t *report)
{
	int64_t period = 2LL << seen->exponent;
	uint64_t now = report_timestamp(seen->shape, report);

	if ((int64_t)(now & (period - 1)) != period / 2 ||
	    (seen->timers && !seen->hw_id && ticks(seen->shape, seen->last_timer, now) != period))
		seen->out_of_step++;
	seen->last_timer = now;
	seen->timers++;
}

static void see_context(struct seen *seen, uint64_t context)
{
	if (context == NOBODY)
		seen->nobody++;
	else if (context != seen->hw_id)
		seen->foreign++;
}

void seen_report(void *data, const uint8_t *report, uint32_t size)
{
	struct seen *seen = data;
	const struct shape *shape = seen->shape;
	uint32_t reason = reason_of(seen, report), ratio = report[0];

	if (!seen->reports++)
		memcpy(seen->first, report, size);
	else if (ticks(shape, report_timestamp(shape, seen->last),
		       report_timestamp(shape, report)) <= 0)
		seen->backwards++;
	memcpy(seen->last, report, size);
	ratio |= (report[1] & 1) << 8;
	if (reason & TIMER)
		see_timer(seen, report);
	seen->switches += !!(reason & CONTEXT_SWITCH);
	seen->gos += !!(reason & GO);
	if (seen->hw_id && shape->reasons)
		see_context(seen, header(shape, report, 2));
	if (seen->reports == 1)
		seen->ratios[0] = ratio;
	else if (ratio != seen->ratios[0])
		seen->ratios[1] = ratio;
}

uint64_t report_counter(const struct field *field, unsigned int i, const uint8_t *report)
{
	uint64_t value = 0;

	memcpy(&value, report + field->offset + i * (field->bits == 64 ? 8 : 4),
	       field->bits == 64 ? 8 : 4);
	if (field->bits == 40)
		value |= (uint64_t)report[field->high + i] << 32;
	return value;
}

static void name_of(const struct field *field, unsigned int i, char *name, size_t size)
{
	if (!strcmp(field->bank, "clock"))
		snprintf(name, size, "clock");
	else
		snprintf(name, size, "%s%u", field->bank, field->first + i);
}

unsigned int seen_differs(const struct seen *seen, const char *reference, unsigned int *moved)
{
	const struct field *field;
	unsigned int i, wrong = 0;
	char name[16];

	*moved = 0;
	for (field = seen->shape->fields; field->n; field++) {
		uint64_t mask = ~0ULL >> (64 - field->bits);

		for (i = 0; i < field->n; i++) {
			uint64_t is = (report_counter(field, i, seen->last) -
				       report_counter(field, i, seen->first)) &
				      mask;
			uint64_t should;

			name_of(field, i, name, sizeof(name));
			should = gpu_reference_counter(reference, name) & mask;
			*moved += !!is;
			if (is == should)
				continue;
			wrong++;
			printf("# %s is %llu, should be %llu\n", name, (unsigned long long)is,
			       (unsigned long long)should);
		}
	}
	return wrong;
}
