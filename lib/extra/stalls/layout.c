// SPDX-License-Identifier: MIT
/*
 * layout.c - reasons of stalls, and the records of each platform
 *
 * Sources: struct xe_eu_stall_data_* in drivers/gpu/drm/xe/xe_eu_stall.c of Linux 7.3;
 * programmers-guide/METRICS.md of Intel's compute runtime.
 */
#include "extra/stalls/layout.h"

#include <errno.h>

#include "base/sized.h"

/* ---- reasons ---- */

static const struct gpuoa_stall_reason_desc reasons[] = {
	[GPUOA_STALL_ACTIVE] = {
		.name = "active",
		.title = "not stalled",
		.description = "An instruction was issued to at least one pipe.",
		.field = "active",
		.level_zero = "Active",
	},
	[GPUOA_STALL_OTHER] = {
		.name = "other",
		.title = "another reason",
		.description = "The hardware has no separate count for the reason.",
		.field = "other",
		.level_zero = "OtherStall",
	},
	[GPUOA_STALL_CONTROL] = {
		.stage = 1,
		.name = "control",
		.title = "waiting for a branch",
		.description = "A branch had to be resolved before the next instruction.",
		.field = "control",
		.level_zero = "ControlStall",
	},
	[GPUOA_STALL_PIPE] = {
		.stage = 2,
		.name = "pipe",
		.title = "pipe busy",
		.description = "The pipe that executes the instruction was busy.",
		.field = "pipestall",
		.level_zero = "PipeStall",
	},
	[GPUOA_STALL_SEND] = {
		.stage = 2,
		.name = "send",
		.title = "send queue full",
		.description = "A send waited, because its queue was full, or for memory or registers.",
		.field = "send",
		.level_zero = "SendStall",
	},
	[GPUOA_STALL_DISTANCE] = {
		.stage = 1,
		.name = "distance",
		.title = "waiting for a result nearby",
		.description = "The instruction needed the accumulator, or the result of an instruction at a fixed distance before it.",
		.field = "dist_acc",
		.level_zero = "DistStall",
	},
	[GPUOA_STALL_SCOREBOARD] = {
		.stage = 1,
		.name = "scoreboard",
		.title = "waiting for a scoreboard token",
		.description = "The instruction needed the result of a send, such as a load.",
		.field = "sbid",
		.level_zero = "SbidStall",
	},
	[GPUOA_STALL_SYNC] = {
		.stage = 1,
		.name = "sync",
		.title = "waiting for a barrier or fence",
		.description = "A sync instruction waited for other threads, or for memory.",
		.field = "sync",
		.level_zero = "SyncStall",
	},
	[GPUOA_STALL_FETCH] = {
		.stage = 1,
		.name = "fetch",
		.title = "waiting for the instruction",
		.description = "The instruction had not been fetched yet.",
		.field = "inst_fetch",
		.level_zero = "InstrFetchStall",
	},
	[GPUOA_STALL_PS_ORDER] = {
		.stage = 1,
		.name = "ps-order",
		.title = "waiting for an earlier pixel shader",
		.description = "A pixel shader thread waited for an earlier thread of the same pixels.",
		.field = "tdr",
		.level_zero = "PSDepStall",
	},
};

_Static_assert(sizeof(reasons) / sizeof(reasons[0]) == GPUOA_STALL_REASON_COUNT &&
		       (int)GPUOA_STALL_REASON_COUNT <= GPUOA_STALL_REASONS,
	       "a description for each reason");

int gpuoa_stall_describe_reason(enum gpuoa_stall_reason reason,
				struct gpuoa_stall_reason_desc *desc, size_t size)
{
	struct gpuoa_stall_reason_desc found;

	if ((unsigned int)reason >= GPUOA_STALL_REASON_COUNT)
		return -ERANGE;
	found = reasons[reason];
	found.reason = reason;
	sized_give(desc, size, &found, sizeof(found));
	return 0;
}

int gpuoa_stall_find_reason(const char *name)
{
	for (int i = 0; i < (int)GPUOA_STALL_REASON_COUNT; i++)
		if (!strcmp(reasons[i].name, name))
			return i;
	return -ENOENT;
}

/* ---- layouts ---- */

static const struct gpuoa_stall_layout layout_pvc = STALL_LAYOUT_PVC;
static const struct gpuoa_stall_layout layout_xe2 = STALL_LAYOUT_XE2;
static const struct gpuoa_stall_layout layout_xe3p = STALL_LAYOUT_XE3P;

static const struct gpuoa_stall_layout *const layouts[] = { &layout_pvc, &layout_xe2,
							    &layout_xe3p };

static const struct {
	char name[8];
	const struct gpuoa_stall_layout *layout;
} platforms[] = {
#include "platforms_stalls.h"
};

const struct gpuoa_stall_layout *gpuoa_stall_layout_find(const char *platform)
{
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		if (!strcmp(platforms[i].name, platform))
			return platforms[i].layout;
	return NULL;
}

const struct gpuoa_stall_layout *gpuoa_stall_layout_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (!strcmp(layouts[i]->name, name))
			return layouts[i];
	return NULL;
}

void gpuoa_stall_layout_describe(const struct gpuoa_stall_layout *layout,
				 struct gpuoa_stall_layout_desc *desc, size_t size)
{
	struct gpuoa_stall_layout_desc found = {
		.name = layout->name,
		.record_size = STALL_RECORD_SIZE,
		.address_bits = layout->address_bits + 3U,
		.address = { 0, layout->address_bits },
	};
	uint16_t bit = layout->address_bits;

	for (unsigned int i = 0; i < layout->count; i++, bit += 8)
		found.reasons[layout->reasons[i]] = (struct gpuoa_stall_field){ bit, 8 };
	if (layout->exception_bits) {
		found.exception_id = (struct gpuoa_stall_field){ bit, layout->exception_bits };
		found.end_flag = (struct gpuoa_stall_field){ bit + layout->exception_bits, 1 };
	}
	sized_give(desc, size, &found, sizeof(found));
}

void gpuoa_stall_decode(const struct gpuoa_stall_layout *layout, const void *record,
			struct gpuoa_stall_record *decoded, size_t size)
{
	const struct stall_words words = stall_load(layout, record);
	struct gpuoa_stall_record found = {
		.address = words.address,
		.exception_id = (uint32_t)(words.high >> stall_flags_bit(layout)) &
				((1U << layout->exception_bits) - 1),
		.complete = stall_is_complete(layout, &words),
	};

	for (unsigned int i = 0; i < layout->count; i++)
		found.counts[layout->reasons[i]] = stall_count(&words, i);
	sized_give(decoded, size, &found, sizeof(found));
}
