// SPDX-License-Identifier: MIT
/* format.c - the report formats: one table row each. */
#include "format.h"

#include <errno.h>

#include "gpuoa.h"

/* Haswell's header: report id, timestamp, and a dword that nobody has documented. */
#define HSW_HEADER .report_id = 0, .timestamp = 4

static const struct report_format formats[] = {
	{ GPUOA_REPORT_A13, "A13", 64, HSW_HEADER,
	  .banks[BANK_A] = { 0, 13, 12 } },
	{ GPUOA_REPORT_A29, "A29", 128, HSW_HEADER,
	  .banks[BANK_A] = { 0, 29, 12 } },
	{ GPUOA_REPORT_A13_B8_C8, "A13_B8_C8", 128, HSW_HEADER,
	  .banks[BANK_A] = { 0, 13, 12 }, .banks[BANK_B] = { 0, 8, 64 },
	  .banks[BANK_C] = { 0, 8, 96 } },
	{ GPUOA_REPORT_B4_C8, "B4_C8", 64, HSW_HEADER,
	  .banks[BANK_B] = { 0, 4, 16 }, .banks[BANK_C] = { 0, 8, 32 } },
	{ GPUOA_REPORT_A45_B8_C8, "A45_B8_C8", 256, HSW_HEADER,
	  .banks[BANK_A] = { 0, 45, 12 }, .banks[BANK_B] = { 0, 8, 192 },
	  .banks[BANK_C] = { 0, 8, 224 } },
	{ GPUOA_REPORT_B4_C8_A16, "B4_C8_A16", 128, HSW_HEADER,
	  .banks[BANK_A] = { 29, 16, 64 }, .banks[BANK_B] = { 0, 4, 16 },
	  .banks[BANK_C] = { 0, 8, 32 } },
	{ GPUOA_REPORT_C4_B8, "C4_B8", 64, HSW_HEADER,
	  .banks[BANK_B] = { 0, 8, 32 }, .banks[BANK_C] = { 0, 4, 16 } },
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

const struct report_format *format_get(uint32_t id)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].id == id)
			return &formats[i];
	return NULL;
}

const struct report_format *format_find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

int format_counter_offset(const struct report_format *format, uint32_t counter)
{
	uint32_t bank = counter / BANK_SIZE, index = counter % BANK_SIZE;
	const struct report_bank *place;

	if (bank >= REPORT_BANKS)
		return -1;
	place = &format->banks[bank];
	if (index < place->first ||
	    index >= (uint32_t)place->first + place->count)
		return -1;
	return place->offset + 4 * (index - place->first);
}

const char *gpuoa_format_name(uint32_t id)
{
	const struct report_format *format = format_get(id);

	return format ? format->name : NULL;
}

size_t gpuoa_format_size(uint32_t id)
{
	const struct report_format *format = format_get(id);

	return format ? format->size : 0;
}

uint64_t gpuoa_report_timestamp(uint32_t id, const void *report)
{
	const struct report_format *format = format_get(id);

	return format ? report_dword(report, format->timestamp) : 0;
}

int gpuoa_report_counter(uint32_t id, const void *report, char bank,
			 unsigned int index, uint64_t *value)
{
	const struct report_format *format = format_get(id);
	int offset;

	if (!format || bank < 'A' || bank > 'C' || index >= BANK_SIZE)
		return -ENOENT;
	offset = format_counter_offset(
		format, counter_number(bank - 'A' + BANK_A, index));
	if (offset < 0)
		return -ENOENT;
	*value = report_dword(report, offset);
	return 0;
}
