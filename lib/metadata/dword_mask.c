// SPDX-License-Identifier: MIT
/* dword_mask.c - dwords of reports that a metric needs */
#include <errno.h>
#include <string.h>

#include "gpuoa.h"
#include "report/format.h"
#include "report/dword_mask.h"
#include "table/code.h"
#include "table/table.h"

static int add_metric(uint64_t *dword_mask, const struct gpuoa_metric *metric,
		      const struct report_format *format);

static int add_word(uint64_t *dword_mask, uint32_t word, const struct gpuoa_set *set,
		    const struct report_format *format)
{
	struct report_field field;

	switch (code_op(word)) {
	case CODE_COUNTER:
		field = format_counter(format, code_argument(word));
		if (!field.bits)
			return -ENOENT;
		dword_mask_add_field(dword_mask, field);
		return 0;
	case CODE_METRIC:
	case CODE_METRIC_REAL:
		return add_metric(dword_mask, set_metrics(set) + code_argument(word), format);
	default:
		/* All other operands are in the report header, which is always included. */
		return 0;
	}
}

static int add_code(uint64_t *dword_mask, const uint32_t *code, const struct gpuoa_set *set,
		    const struct report_format *format)
{
	const uint32_t *word, *end;
	int err = 0;

	if (!code)
		return 0;
	end = code + 1 + code_length(code);
	for (word = code + 1; word < end && !err; word += code_words(code_op(*word)))
		err = add_word(dword_mask, *word, set, format);
	return err;
}

static int add_metric(uint64_t *dword_mask, const struct gpuoa_metric *metric,
		      const struct report_format *format)
{
	const struct gpuoa_set *set = table_follow(&metric->set);
	int err = add_code(dword_mask, table_follow(&metric->equation), set, format);

	return err ? err : add_code(dword_mask, table_follow(&metric->max), set, format);
}

int gpuoa_metric_dword_mask(const struct gpuoa_metric *metric, uint32_t id, uint64_t *dword_mask)
{
	const struct report_format *format = format_get(id);
	uint64_t needed[GPUOA_DWORD_MASK_WORDS];
	int err;

	if (!format)
		return -EINVAL;
	memcpy(needed, dword_mask, sizeof(needed));
	dword_mask_add_header(needed, format);
	err = add_metric(needed, metric, format);
	if (err)
		return err;
	dword_mask_complete(needed, format);
	memcpy(dword_mask, needed, sizeof(needed));
	return 0;
}

bool gpuoa_metric_in_dword_mask(const struct gpuoa_metric *metric, uint32_t id,
				const uint64_t *dword_mask)
{
	uint64_t needed[GPUOA_DWORD_MASK_WORDS] = { 0 };
	const struct report_format *format = format_get(id);

	if (!format || add_metric(needed, metric, format))
		return false;
	if (dword_mask_is_whole(dword_mask))
		return true;
	for (size_t i = 0; i < GPUOA_DWORD_MASK_WORDS; i++)
		if (needed[i] & ~dword_mask[i])
			return false;
	return true;
}
