// SPDX-License-Identifier: MIT
/*
 * owners.c - owners of contexts in a recording: query and write them, read and look them up
 *
 * Contexts belong to processes, which no longer exist when a recording is read. So the recorder
 * queries an owner as soon as it finds a context id.
 */
#include "reader/recording/owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/rawdata_format.h"
#include "reader/stream/unit.h"

#define OWNERS_MIN 16
#define OWNERS_MAX 65536 /* limit for damaged files */

_Static_assert(OWNERS_ASKED_SLOTS >= 2 * OWNERS_ASKED_MAX, "a free slot is found soon");

static int write_owner(const struct metadata_target *target, uint32_t id,
		       const struct gpuoa_context_owner *owner)
{
	struct context_record record = {
		.record = { CONTEXT_RECORD, sizeof(record) },
		.id = id,
		.flags = owner->gone ? CONTEXT_RECORD_GONE : 0,
		.process = owner->process,
		.handle = owner->handle,
		.client = owner->client,
	};

	memcpy(record.program, owner->program, sizeof(record.program));
	return metadata_write_sample(target, &record, sizeof(record));
}

/*
 * Find the slot of a context field in the hash set, or a free slot. At least half of the slots are
 * free.
 */
static uint64_t *slot_of(struct owners_asked *asked, uint64_t place)
{
	size_t at = (uint32_t)place * UINT32_C(2654435769) >> (32 - OWNERS_ASKED_BITS);

	while (asked->slots[at] && asked->slots[at] != place + 1)
		at = (at + 1) % OWNERS_ASKED_SLOTS;
	return &asked->slots[at];
}

static int ask(struct owners_asked *asked, const struct stream *stream,
	       const struct metadata_target *target, uint32_t id)
{
	struct gpuoa_context_owner owner;
	int err;

	err = stream->unit->backend->context(stream->unit, id, &owner);
	if (!err)
		return write_owner(target, id, &owner);
	asked->off = err != -ENOENT;
	return 0;
}

int owners_look(struct owners_asked *asked, const struct stream *stream,
		const struct metadata_target *target, const void *reports, size_t count)
{
	const struct gpuoa_reader_desc *desc = &stream->reader.desc;
	const struct report_format *format = format_get(desc->format);
	const char *report = reports;
	int err = 0;

	if (asked->off || !stream->set || !stream->unit->backend->context || !format ||
	    !format->context.bits)
		return 0;
	for (size_t i = 0; i < count && !err && !asked->off; i++, report += desc->report_size) {
		const uint64_t place = report_read(report, format->context);
		struct gpuoa_report_desc known;
		uint64_t *slot;

		/*
		 * Skip the report if its context field equals that of the preceding one, as is
		 * usual, because contexts run for many reports.
		 */
		if (asked->has_last && place == asked->last)
			continue;
		slot = slot_of(asked, place);
		if (*slot || asked->count == OWNERS_ASKED_MAX)
			continue;
		/* This fails for unknown formats only. */
		gpuoa_report_describe(stream->set, desc->format, report, &known, sizeof(known));
		if (!known.has_context)
			continue;
		asked->last = place;
		asked->has_last = true;
		*slot = place + 1;
		asked->count++;
		err = ask(asked, stream, target, known.context_id);
	}
	return err;
}

void owners_ask_again(struct owners_asked *asked)
{
	memset(asked->slots, 0, sizeof(asked->slots));
	asked->count = 0;
	asked->has_last = false;
}

void owners_fini(struct owners *owners)
{
	free(owners->list);
	free(owners->slots);
}

/*
 * Find the slot of a context id in the hash table, or a free slot. At least half of the slots are
 * free.
 */
static uint32_t *slot_in(const struct owners *owners, uint32_t id)
{
	const size_t mask = 2 * owners->room - 1;
	size_t at = (id * UINT32_C(2654435769) >> 8) & mask;

	while (owners->slots[at] && owners->list[owners->slots[at] - 1].id != id)
		at = (at + 1) & mask;
	return &owners->slots[at];
}

static struct rawdata_context *find(const struct owners *owners, uint32_t id)
{
	const uint32_t number = owners->room ? *slot_in(owners, id) : 0;

	return number ? &owners->list[number - 1] : NULL;
}

static int make_room(struct owners *owners)
{
	const size_t room = owners->room ? 2 * owners->room : OWNERS_MIN;
	struct rawdata_context *list;
	uint32_t *slots;

	if (owners->list && owners->count < owners->room)
		return 0;
	list = calloc(room, sizeof(*list));
	slots = calloc(2 * room, sizeof(*slots));
	if (!list || !slots) {
		free(list);
		free(slots);
		return -ENOMEM;
	}
	if (owners->list)
		memcpy(list, owners->list, owners->count * sizeof(*list));
	owners_fini(owners);
	owners->list = list;
	owners->slots = slots;
	owners->room = room;
	for (size_t i = 0; i < owners->count; i++)
		*slot_in(owners, list[i].id) = (uint32_t)i + 1;
	return 0;
}

int owners_take(struct owners *owners, const struct rawdata_context *context)
{
	struct rawdata_context *known = find(owners, context->id);
	int err;

	if (known) {
		*known = *context;
		return 0;
	}
	if (owners->count == OWNERS_MAX)
		return 0;
	err = make_room(owners);
	if (err)
		return err;
	*slot_in(owners, context->id) = (uint32_t)owners->count + 1;
	owners->list[owners->count++] = *context;
	return 0;
}

int owners_find(const struct owners *owners, uint32_t id, struct gpuoa_context_owner *owner)
{
	const struct rawdata_context *known = find(owners, id);

	if (!known)
		return -ENOENT;
	*owner = known->owner;
	return 0;
}
