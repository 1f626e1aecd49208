/* SPDX-License-Identifier: MIT */
/* layout.h - records of EU stall sampling */
#ifndef GPUOA_LIB_EXTRA_STALLS_LAYOUT_H
#define GPUOA_LIB_EXTRA_STALLS_LAYOUT_H

#include <stdbool.h>
#include <string.h>

#include "gpuoa-stalls.h"

#define STALL_RECORD_SIZE 64 /* of all layouts */
#define STALL_FIELDS_MAX 16

/*
 * A record begins with the address, in units of 8 bytes. The counts follow without gaps, 8 bits
 * each, then the exception id and the end flag.
 */
struct gpuoa_stall_layout {
	char name[8];
	uint8_t address_bits; /* number of bits of the address in the record, below 64 */
	uint8_t count; /* number of counts */
	uint8_t exception_bits; /* 0: neither the exception id nor the end flag exist */
	uint8_t reasons[STALL_FIELDS_MAX]; /* reasons of the counts, in the order of the record */
};

/* The order of the counts from the second one on, which all layouts share */
#define STALL_COMMON_REASONS                                                        \
	GPUOA_STALL_OTHER, GPUOA_STALL_CONTROL, GPUOA_STALL_PIPE, GPUOA_STALL_SEND, \
		GPUOA_STALL_DISTANCE, GPUOA_STALL_SCOREBOARD, GPUOA_STALL_SYNC, GPUOA_STALL_FETCH

#define STALL_LAYOUT_PVC                                                    \
	{                                                                   \
		.name = "pvc", .address_bits = 29, .count = 9, .reasons = { \
			GPUOA_STALL_ACTIVE,                                 \
			STALL_COMMON_REASONS                                \
		}                                                           \
	}

#define STALL_LAYOUT_XE2                                                                          \
	{                                                                                         \
		.name = "xe2", .address_bits = 29, .count = 10, .exception_bits = 3, .reasons = { \
			GPUOA_STALL_PS_ORDER,                                                     \
			STALL_COMMON_REASONS,                                                     \
			GPUOA_STALL_ACTIVE                                                        \
		}                                                                                 \
	}

#define STALL_LAYOUT_XE3P                                                                          \
	{                                                                                          \
		.name = "xe3p", .address_bits = 61, .count = 10, .exception_bits = 3, .reasons = { \
			GPUOA_STALL_PS_ORDER,                                                      \
			STALL_COMMON_REASONS,                                                      \
			GPUOA_STALL_ACTIVE                                                         \
		}                                                                                  \
	}

/* A record from bit .address_bits on: the first 8 counts, then the remaining ones and the flags */
struct stall_words {
	uint64_t address; /* bytes */
	uint64_t low;
	uint64_t high;
};

static inline struct stall_words stall_load(const struct gpuoa_stall_layout *layout,
					    const void *record)
{
	const unsigned int shift = layout->address_bits;
	uint64_t word[3];

	memcpy(word, record, sizeof(word));
	return (struct stall_words){
		.address = (word[0] & ((UINT64_C(1) << shift) - 1)) << 3,
		.low = word[0] >> shift | word[1] << (64 - shift),
		.high = word[1] >> shift | word[2] << (64 - shift),
	};
}

static inline uint32_t stall_count(const struct stall_words *words, unsigned int index)
{
	return (index < 8 ? words->low >> 8 * index : words->high >> 8 * (index - 8)) & 0xff;
}

/* Number of the first bit after the counts, in stall_words.high */
static inline unsigned int stall_flags_bit(const struct gpuoa_stall_layout *layout)
{
	return 8 * (layout->count - 8U);
}

static inline bool stall_is_complete(const struct gpuoa_stall_layout *layout,
				     const struct stall_words *words)
{
	const unsigned int bit = stall_flags_bit(layout) + layout->exception_bits;

	return !layout->exception_bits || (words->high >> bit & 1);
}

#endif /* GPUOA_LIB_EXTRA_STALLS_LAYOUT_H */
