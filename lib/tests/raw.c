// SPDX-License-Identifier: MIT
/* raw.c - Layout of report formats, listed byte by byte, and random reports */
#include "raw.h"

#include <stdbool.h>
#include <string.h>

#include "fixture.h"

static void add(struct raw_format *format, char bank, unsigned int index, unsigned int bits,
		size_t low, size_t high)
{
	format->fields[format->count++] = (struct raw_field){
		bank, index, bits, low, high,
	};
}

/* Add @count consecutive counters of @bits bits each. @first: index of the first counter */
static void add_some(struct raw_format *format, char bank, unsigned int first, unsigned int count,
		     unsigned int bits, size_t at)
{
	for (unsigned int i = 0; i < count; i++)
		add(format, bank, first + i, bits, at + i * bits / 8, 0);
}

static void add_row(struct raw_format *format, char bank, unsigned int count, unsigned int bits,
		    size_t at)
{
	add_some(format, bank, 0, count, bits, at);
}

static void add_b8_c8(struct raw_format *format, size_t at)
{
	add_row(format, 'B', 8, 32, at);
	add_row(format, 'C', 8, 32, at + 32);
}

/* ---- Haswell ---- */

static void make_a13(struct raw_format *format)
{
	add(format, 't', 0, 32, 4, 0);
	add_row(format, 'A', 13, 32, 12);
}

static void make_a29(struct raw_format *format)
{
	add(format, 't', 0, 32, 4, 0);
	add_row(format, 'A', 29, 32, 12);
}

static void make_a13_b8_c8(struct raw_format *format)
{
	make_a13(format);
	add_b8_c8(format, 64);
}

static void make_a45(struct raw_format *format)
{
	add(format, 't', 0, 32, 4, 0);
	add_row(format, 'A', 45, 32, 12);
	add_b8_c8(format, 192);
}

static void make_b4_c8(struct raw_format *format)
{
	add(format, 't', 0, 32, 4, 0);
	add_row(format, 'B', 4, 32, 16);
	add_row(format, 'C', 8, 32, 32);
}

static void make_b4_c8_a16(struct raw_format *format)
{
	make_b4_c8(format);
	add_some(format, 'A', 29, 16, 32, 64);
}

/* Also on gen8 and later */
static void make_c4_b8(struct raw_format *format)
{
	add(format, 't', 0, 32, 4, 0);
	add_row(format, 'C', 4, 32, 16);
	add_row(format, 'B', 8, 32, 32);
}

/* ---- gen8 to gen12 ---- */

static void make_a12(struct raw_format *format)
{
	add(format, 't', 0, 32, 4, 0);
	add(format, 'k', 0, 32, 12, 0);
	add_some(format, 'A', 7, 12, 32, 16);
}

static void make_a12_b8_c8(struct raw_format *format)
{
	make_a12(format);
	add_b8_c8(format, 64);
}

/* Returns whether counter A<index>, below A32, has no upper byte in format A24u40_A14u32. */
static bool is_short(unsigned int index)
{
	return index < 4 || (index >= 24 && index < 28);
}

static void make_a36(struct raw_format *format, bool with_a36_and_a37)
{
	add(format, 't', 0, 32, 4, 0);
	add(format, 'k', 0, 32, 12, 0);
	for (unsigned int i = 0; i < 36; i++) {
		if (i >= 32 || (with_a36_and_a37 && is_short(i)))
			add(format, 'A', i, 32, 16 + 4 * i, 0);
		else
			add(format, 'A', i, 40, 16 + 4 * i, 160 + i);
	}
	if (with_a36_and_a37) {
		add(format, 'A', 36, 32, 160, 0);
		add(format, 'A', 37, 32, 184, 0);
	}
	add_b8_c8(format, 192);
}

static void make_a32u40(struct raw_format *format)
{
	make_a36(format, false);
}

static void make_a24u40(struct raw_format *format)
{
	make_a36(format, true);
}

/* ---- headers of 64-bit words ---- */

static void add_wide_header(struct raw_format *format, unsigned int time_bits)
{
	add(format, 't', 0, time_bits, 8, 0);
	add(format, 'k', 0, 64, 24, 0);
}

static void make_pec(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_row(format, 'P', 64, 64, 32);
}

static void make_pec_b8_c8(struct raw_format *format)
{
	make_pec(format);
	add_b8_c8(format, 544);
}

static void make_pec_of_32(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_row(format, 'P', 64, 32, 32);
}

static void make_group_1_of_64(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_row(format, 'P', 32, 64, 32);
}

static void make_group_1_of_32(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_row(format, 'P', 32, 32, 32);
}

static void make_group_2_of_64(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_some(format, 'P', 32, 32, 64, 32);
}

static void make_group_2_of_32(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_some(format, 'P', 32, 32, 32, 32);
}

static void make_group_1_and_4(struct raw_format *format)
{
	make_group_1_of_64(format);
	add_some(format, 'P', 32, 4, 64, 288);
}

static void make_4_and_group_2(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_row(format, 'P', 4, 64, 32);
	add_some(format, 'P', 32, 32, 64, 64);
}

static void make_mpec_64(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_row(format, 'A', 8, 64, 32);
	add_b8_c8(format, 96);
}

static void make_mpec_32(struct raw_format *format)
{
	add_wide_header(format, 32);
	add_row(format, 'A', 8, 32, 32);
	add_b8_c8(format, 64);
}

static void make_mert(struct raw_format *format)
{
	add_wide_header(format, 56);
	add_row(format, 'A', 8, 32, 32);
}

static struct {
	struct raw_format format;
	void (*make)(struct raw_format *format);
} formats[] = {
#define FORMAT(id_, name_, size_, make_)                                              \
	{                                                                             \
		.format = { .id = GPUOA_REPORT_##id_, .name = name_, .size = size_ }, \
		.make = make_                                                         \
	}
	FORMAT(A13, "A13", 64, make_a13),
	FORMAT(A29, "A29", 128, make_a29),
	FORMAT(A13_B8_C8, "A13_B8_C8", 128, make_a13_b8_c8),
	FORMAT(B4_C8, "B4_C8", 64, make_b4_c8),
	FORMAT(A45_B8_C8, "A45_B8_C8", 256, make_a45),
	FORMAT(B4_C8_A16, "B4_C8_A16", 128, make_b4_c8_a16),
	FORMAT(C4_B8, "C4_B8", 64, make_c4_b8),
	FORMAT(A12, "A12", 64, make_a12),
	FORMAT(A12_B8_C8, "A12_B8_C8", 128, make_a12_b8_c8),
	FORMAT(A32U40_A4U32_B8_C8, "A32u40_A4u32_B8_C8", 256, make_a32u40),
	FORMAT(A24U40_A14U32_B8_C8, "A24u40_A14u32_B8_C8", 256, make_a24u40),
	FORMAT(OAR_A32U40_A4U32_B8_C8, "OAR_A32u40_A4u32_B8_C8", 256, make_a32u40),
	FORMAT(PEC64U64, "PEC64u64", 576, make_pec),
	FORMAT(PEC64U64_B8_C8, "PEC64u64_B8_C8", 640, make_pec_b8_c8),
	FORMAT(PEC64U32, "PEC64u32", 320, make_pec_of_32),
	FORMAT(PEC32U64_G1, "PEC32u64_G1", 320, make_group_1_of_64),
	FORMAT(PEC32U32_G1, "PEC32u32_G1", 192, make_group_1_of_32),
	FORMAT(PEC32U64_G2, "PEC32u64_G2", 320, make_group_2_of_64),
	FORMAT(PEC32U32_G2, "PEC32u32_G2", 192, make_group_2_of_32),
	FORMAT(PEC36U64_G1_32_G2_4, "PEC36u64_G1_32_G2_4", 320, make_group_1_and_4),
	FORMAT(PEC36U64_G1_4_G2_32, "PEC36u64_G1_4_G2_32", 320, make_4_and_group_2),
	FORMAT(MPEC8U64_B8_C8, "MPEC8u64_B8_C8", 192, make_mpec_64),
	FORMAT(MPEC8U32_B8_C8, "MPEC8u32_B8_C8", 128, make_mpec_32),
	FORMAT(MERT_PEC8, "MERT_PEC8", 128, make_mert),
};

const struct raw_format *raw_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i].format.name, name))
			continue;
		if (!formats[i].format.count)
			formats[i].make(&formats[i].format);
		return &formats[i].format;
	}
	return NULL;
}

const struct raw_format *raw_format_of_id(uint32_t id)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i].format.id == id)
			return raw_format(formats[i].format.name);
	return NULL;
}

int raw_find(const struct raw_format *format, char bank, unsigned int index)
{
	for (size_t i = 0; i < format->count; i++)
		if (format->fields[i].bank == bank && format->fields[i].index == index)
			return i;
	return -1;
}

static uint64_t mask(unsigned int bits)
{
	return bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
}

uint64_t raw_get(const struct raw_field *field, const uint8_t *report)
{
	uint64_t value = 0;

	memcpy(&value, report + field->low, field->bits > 40 ? 8 : 4); /* little endian */
	if (field->bits == 40)
		value |= (uint64_t)report[field->high] << 32;
	return value & mask(field->bits);
}

/* Write a field. If the field fills only part of its bytes, the other bits are kept. */
static void put(const struct raw_field *field, uint8_t *report, uint64_t value)
{
	size_t bytes = field->bits == 40 ? 4 : field->bits / 8;

	memcpy(report + field->low, &value, bytes);
	if (field->bits == 40)
		report[field->high] = value >> 32;
}

static uint64_t random_difference(uint64_t *state, unsigned int bits)
{
	uint64_t random = fixture_random(state);

	/* In some cases the field does not advance, or advances by the maximum. */
	if ((random & 15) == 0)
		return random & 16 ? 0 : mask(bits);
	return fixture_random(state) >> (64 - bits) >> (random >> 8) % bits;
}

void raw_next(const struct raw_format *format, uint64_t *state, const uint8_t *last, uint8_t *next,
	      unsigned int bits)
{
	for (size_t i = 0; i < format->size; i += 8) {
		uint64_t noise = fixture_random(state);

		memcpy(next + i, &noise, 8);
	}
	for (size_t i = 0; i < format->count; i++) {
		const struct raw_field *field = &format->fields[i];

		put(field, next,
		    raw_get(field, last) +
			    random_difference(state, bits < field->bits ? bits : field->bits));
	}
}

void raw_differences(const struct raw_format *format, const uint8_t *from, const uint8_t *to,
		     uint64_t *differences)
{
	for (size_t i = 0; i < format->count; i++) {
		const struct raw_field *field = &format->fields[i];

		differences[i] = (raw_get(field, to) - raw_get(field, from)) & mask(field->bits);
	}
}
