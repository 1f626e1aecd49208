// SPDX-License-Identifier: MIT
/* thin.c - reports of which some dwords are there: what metrics need, how they become whole. */
#include "report/thin.h"

#include <errno.h>

#include "table/code.h"
#include "table/table.h"

#define DWORD_SIZE 4
#define KEEP_DWORDS (GPUOA_KEEP_WORDS * 64)

static bool keeps(const uint64_t *keep, size_t dword)
{
	return keep[dword / 64] >> dword % 64 & 1;
}

static void add_dword(uint64_t *keep, size_t dword)
{
	keep[dword / 64] |= 1ull << dword % 64;
}

static void add_field(uint64_t *keep, struct report_field field)
{
	if (!field.bits)
		return;
	add_dword(keep, field.offset / DWORD_SIZE);
	if (field.bits == 40)
		add_dword(keep, field.high / DWORD_SIZE);
	else if (field.bits > 32)
		add_dword(keep, field.offset / DWORD_SIZE + 1);
}

/* Whole words, whatever of them is in use. */
static void add_header(uint64_t *keep, const struct report_format *format)
{
	const size_t words = format->context.bits ? 4 : 2;
	const size_t end = words * format->timestamp.offset / DWORD_SIZE;

	for (size_t i = 0; i < end; i++)
		add_dword(keep, i);
}

bool thin_is_whole(const uint64_t *keep)
{
	for (size_t i = 0; i < GPUOA_KEEP_WORDS; i++)
		if (keep[i])
			return false;
	return true;
}

bool thin_fits(const uint64_t *keep, const struct report_format *format)
{
	for (size_t i = format->size / DWORD_SIZE; i < KEEP_DWORDS; i++)
		if (keeps(keep, i))
			return false;
	return true;
}

size_t thin_size(const uint64_t *keep)
{
	size_t dwords = 0;

	for (size_t i = 0; i < KEEP_DWORDS; i++)
		dwords += keeps(keep, i);
	return dwords * DWORD_SIZE;
}

void thin_complete(uint64_t *keep, const struct report_format *format)
{
	size_t dword = 0;

	if (thin_is_whole(keep))
		return;
	add_header(keep, format);
	if (thin_size(keep) % 8) {
		while (keeps(keep, dword))
			dword++;
		add_dword(keep, dword);
	}
	if (thin_size(keep) == format->size)
		memset(keep, 0, GPUOA_KEEP_WORDS * sizeof(*keep));
}

void thin_expand(const uint64_t *keep, void *to, size_t size, const void *from, size_t count)
{
	const char *dword = from;
	char *report = to;

	for (; count--; report += size) {
		memset(report, 0, size);
		for (size_t i = 0; i < size / DWORD_SIZE; i++) {
			if (!keeps(keep, i))
				continue;
			memcpy(report + i * DWORD_SIZE, dword, DWORD_SIZE);
			dword += DWORD_SIZE;
		}
	}
}

/* what metrics need */

static int add_metric(uint64_t *keep, const struct gpuoa_metric *metric,
		      const struct report_format *format);

static int add_word(uint64_t *keep, uint32_t word, const struct gpuoa_set *set,
		    const struct report_format *format)
{
	struct report_field field;

	switch (code_op(word)) {
	case CODE_COUNTER:
		field = format_counter(format, code_argument(word));
		if (!field.bits)
			return -EINVAL;
		add_field(keep, field);
		return 0;
	case CODE_METRIC:
	case CODE_METRIC_REAL:
		return add_metric(keep, set_metrics(set) + code_argument(word), format);
	default:
		/* What else there is of a report is in its header. */
		return 0;
	}
}

static int add_code(uint64_t *keep, const uint32_t *code, const struct gpuoa_set *set,
		    const struct report_format *format)
{
	const uint32_t *word, *end;
	int err = 0;

	if (!code)
		return 0;
	end = code + 1 + code_length(code);
	for (word = code + 1; word < end && !err; word += code_words(code_op(*word)))
		err = add_word(keep, *word, set, format);
	return err;
}

static int add_metric(uint64_t *keep, const struct gpuoa_metric *metric,
		      const struct report_format *format)
{
	const struct gpuoa_set *set = table_follow(&metric->set);
	int err = add_code(keep, table_follow(&metric->equation), set, format);

	return err ? err : add_code(keep, table_follow(&metric->max), set, format);
}

int gpuoa_metric_keep(const struct gpuoa_metric *metric, uint32_t id, uint64_t *keep)
{
	const struct report_format *format = format_get(id);
	uint64_t needed[GPUOA_KEEP_WORDS];
	int err;

	if (!format)
		return -EINVAL;
	memcpy(needed, keep, sizeof(needed));
	add_header(needed, format);
	err = add_metric(needed, metric, format);
	if (err)
		return err;
	thin_complete(needed, format);
	memcpy(keep, needed, sizeof(needed));
	return 0;
}

bool gpuoa_metric_kept(const struct gpuoa_metric *metric, uint32_t id, const uint64_t *keep)
{
	uint64_t needed[GPUOA_KEEP_WORDS] = { 0 };
	const struct report_format *format = format_get(id);

	if (!format || add_metric(needed, metric, format))
		return false;
	if (thin_is_whole(keep))
		return true;
	for (size_t i = 0; i < GPUOA_KEEP_WORDS; i++)
		if (needed[i] & ~keep[i])
			return false;
	return true;
}
