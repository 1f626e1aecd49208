// SPDX-License-Identifier: MIT
/*
 * clocks.c - names of the CPU clocks
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/clocks.h"

int clocks_parse(const struct tool *tool, const char *text, struct clock_choice *clock)
{
	static const struct clock_choice clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "boottime", CLOCK_BOOTTIME },
		{ "realtime", CLOCK_REALTIME },
		{ "tai", CLOCK_TAI },
		{ "perf", GPUOA_CLOCK_PERF },
	};

	*clock = (struct clock_choice){ .name = NULL };
	if (!strcmp(text, "gpu"))
		return EXIT_OK;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (strcmp(text, clocks[i].name))
			continue;
		*clock = clocks[i];
		return EXIT_OK;
	}
	return usage(
		tool,
		"--clock: unknown clock '%s'; give gpu, monotonic, raw, boottime, realtime, tai or perf",
		text);
}

int clocks_find(const struct clock_choice *clock, const char *file, struct gpuoa_reader *reader,
		const struct gpuoa_time **time)
{
	uint64_t ns;

	*time = NULL;
	if (!clock->name)
		return EXIT_OK;
	if (gpuoa_reader_time(reader, time))
		return fail("out of memory");
	if (gpuoa_time_to_cpu(*time, clock->id, 0, &ns, NULL) == -ENODATA)
		return fail(
			"%s: cannot convert GPU time to the clock '%s': the recording does not relate the two; use --clock gpu",
			file, clock->name);
	return EXIT_OK;
}
