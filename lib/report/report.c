// SPDX-License-Identifier: MIT
/* report.c - the public functions of reports: formats, fields, counters, times */
#include <errno.h>

#include "base/nsec.h"
#include "base/sized.h"
#include "base/ticks.h"
#include "gpuoa.h"
#include "report/format.h"

const char *gpuoa_format_name(uint32_t id)
{
	const struct report_format *format = format_get(id);

	return format ? format->name : NULL;
}

uint32_t gpuoa_format_find(const char *name)
{
	const struct report_format *format = format_find(name);

	return format ? format->id : 0;
}

size_t gpuoa_format_size(uint32_t id)
{
	const struct report_format *format = format_get(id);

	return format ? format->size : 0;
}

uint64_t gpuoa_report_timestamp(uint32_t id, const void *report)
{
	const struct report_format *format = format_get(id);

	return format ? report_read(report, format->timestamp) : 0;
}

/* Convert the letter that the caller of gpuoa_report_counter() passed to a bank of counters. */
static int bank_of_letter(char letter)
{
	switch (letter) {
	case 'A':
		return BANK_A;
	case 'B':
		return BANK_B;
	case 'C':
		return BANK_C;
	case 'P':
		return BANK_PEC;
	default:
		return -1;
	}
}

int gpuoa_report_counter(uint32_t id, const void *report, char bank, unsigned int index,
			 uint64_t *value)
{
	const struct report_format *format = format_get(id);
	int number = bank_of_letter(bank);
	struct report_field field;

	if (!format || number < 0 || index >= BANK_SIZE)
		return -ENOENT;
	field = format_counter(format, counter_number(number, index));
	if (!field.bits)
		return -ENOENT;
	*value = report_read(report, field);
	return 0;
}

static struct report_field find_counter(const struct report_format *format, enum counter_bank bank,
					uint32_t index)
{
	return index < BANK_SIZE ? format_counter(format, counter_number(bank, index)) :
				   (struct report_field){ 0 };
}

static struct report_field find_field(const struct report_format *format, enum gpuoa_field field,
				      uint32_t index)
{
	switch (field) {
	case GPUOA_FIELD_COUNTER_A:
		return find_counter(format, BANK_A, index);
	case GPUOA_FIELD_COUNTER_B:
		return find_counter(format, BANK_B, index);
	case GPUOA_FIELD_COUNTER_C:
		return find_counter(format, BANK_C, index);
	case GPUOA_FIELD_COUNTER_PEC:
		return find_counter(format, BANK_PEC, index);
	default:
		break;
	}
	if (index)
		return (struct report_field){ 0 };
	switch (field) {
	case GPUOA_FIELD_REPORT_ID:
		return format->report_id;
	case GPUOA_FIELD_TIMESTAMP:
		return format->timestamp;
	case GPUOA_FIELD_CONTEXT_ID:
		return format->context;
	case GPUOA_FIELD_CLOCK:
		return format->clock;
	default:
		return (struct report_field){ 0 };
	}
}

int gpuoa_report_field(uint32_t id, enum gpuoa_field field, uint32_t index,
		       struct gpuoa_field_desc *desc, size_t size)
{
	const struct report_format *format = format_get(id);
	struct gpuoa_field_desc known;
	struct report_field place;

	if (!format)
		return -ENOENT;
	place = find_field(format, field, index);
	if (!place.bits)
		return -ENOENT;
	known = (struct gpuoa_field_desc){
		.offset = place.offset,
		.bits = place.bits,
		.high = place.high,
	};
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}

uint64_t gpuoa_ticks_to_ns(uint64_t timestamp_frequency, uint64_t ticks)
{
	unsigned __int128 ns;

	if (!timestamp_frequency)
		return 0;
	ns = (unsigned __int128)ticks * NSEC_PER_SEC / timestamp_frequency;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

uint64_t gpuoa_report_ticks(uint32_t format, const void *report, uint64_t near)
{
	const struct report_format *known = format_get(format);

	if (!known)
		return 0;
	return ticks_near(near, report_read(report, known->timestamp),
			  field_mask(known->timestamp));
}
