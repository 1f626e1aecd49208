// SPDX-License-Identifier: MIT
/* flags.c - names and severities of result flags */
#include "extra/query/flags.h"

#include <errno.h>

#include "base/sized.h"
#include "gpuoa-query.h"
#include "table/words.h"

/* The severity of a flag depends on its bit number. */
#define INFO_FLAGS 0x000000ffu
#define RECOVERABLE_FLAGS 0x0000ff00u

static const struct {
	uint32_t flag;
	char name[24];
	char description[72];
} flags[] = {
	{ GPUOA_QUERY_FREQUENCY_CHANGE, "frequency_change", "the GPU's clock changed" },
	{ GPUOA_QUERY_CONTEXT_SWITCH, "context_switch", "contexts were switched in between" },
	{ GPUOA_QUERY_SPLIT, "split", "the context gave way to another one, and came back" },
	{ GPUOA_QUERY_EMPTY, "empty", "no time passed between begin and end" },
	{ GPUOA_QUERY_OVERRUN, "overrun", "the OABUFFER overflowed or a report was lost" },
	{ GPUOA_QUERY_WRAP, "wrap", "it took so long that a counter may have wrapped twice" },
	{ GPUOA_QUERY_OTHERS, "others", "what other contexts did is counted, too" },
	{ GPUOA_QUERY_NO_REGISTERS, "no_registers",
	  "registers beside the reports were not stored" },
	{ GPUOA_QUERY_UNPROGRAMMED, "unprogrammed",
	  "the unit may have counted another set, or not at all" },
	{ GPUOA_QUERY_NOT_EXECUTED, "not_executed", "begin or end did not run" },
	{ GPUOA_QUERY_LOST, "lost", "the unit did not write a report" },
	{ GPUOA_QUERY_ID_MISMATCH, "id_mismatch", "a report is not this query's" },
	{ GPUOA_QUERY_CONTEXT_MISMATCH, "context_mismatch", "a report is of another context" },
	{ GPUOA_QUERY_INCONSISTENT, "inconsistent", "times of report and command don't agree" },
};

enum gpuoa_severity query_severity(uint32_t mask)
{
	if (mask & ~(INFO_FLAGS | RECOVERABLE_FLAGS))
		return GPUOA_SEVERITY_UNRECOVERABLE;
	return mask & RECOVERABLE_FLAGS ? GPUOA_SEVERITY_RECOVERABLE : GPUOA_SEVERITY_INFO;
}

int gpuoa_query_describe_flag(uint32_t bit, struct gpuoa_query_flag_desc *desc, size_t size)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		const struct gpuoa_query_flag_desc known = {
			.name = flags[i].name,
			.description = flags[i].description,
			.severity = query_severity(flags[i].flag),
		};

		if (bit > 31 || flags[i].flag != UINT32_C(1) << bit)
			continue;
		sized_give(desc, size, &known, sizeof(known));
		return 0;
	}
	return -ENOENT;
}

const char *gpuoa_query_mode_name(enum gpuoa_query_mode mode)
{
	return word_of(WORD_QUERY_MODE, mode);
}
