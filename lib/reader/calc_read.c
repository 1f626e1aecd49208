// SPDX-License-Identifier: MIT
/* calc_read.c - read reports and calculate in one call */
#include <errno.h>
#include <limits.h>

#include "base/read_status.h"
#include "calc/calc.h"
#include "reader/reader.h"

static void take_status(struct gpuoa_calc *calc, const struct gpuoa_read_status *found)
{
	if (found->gap)
		gpuoa_calc_discontinuity(calc);
	if (found->has_clock)
		gpuoa_calc_set_time_base(calc, found->clock.gpu_ticks);
}

int gpuoa_calc_read(struct gpuoa_calc *calc, struct gpuoa_reader *reader, union gpuoa_value *values,
		    struct gpuoa_interval *intervals, size_t max_rows,
		    struct gpuoa_read_status *status)
{
	struct gpuoa_read_status sum = { 0 };
	struct gpuoa_reader_desc desc;
	size_t rows = 0;
	int n;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	if (desc.format != calc->format->id)
		return -EINVAL;
	if (!max_rows)
		return -ENOBUFS;
	if (max_rows > INT_MAX)
		max_rows = INT_MAX;
	/* Continue until there is a row: the first report and filtered ones yield none. */
	do {
		struct gpuoa_read_status found;
		const void *reports;
		size_t used;

		n = gpuoa_reader_peek(reader, &reports, max_rows, &found);
		if (n < 0)
			break;
		status_add(&sum, &found);
		take_status(calc, &found);
		rows = gpuoa_calc_run(calc, reports, n, values, intervals, max_rows, &used);
	} while (n && !rows);
	gpuoa_reader_consume(reader);
	if (status)
		*status = sum;
	return n < 0 ? n : (int)rows;
}
