// SPDX-License-Identifier: MIT
/*
 * owners.c - whose contexts are, in a recording: asks while it is made, and looks up when it is
 * read
 *
 * When a recording is read the processes are gone. So the recorder asks as soon as it sees an id.
 */
#include "source/recording/owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/rawdata_format.h"
#include "source/stream/unit.h"

#define OWNERS_MIN 16
#define OWNERS_MAX 65536 /* a damaged file may have any number */

/* while it is made */

static int write_owner(const struct legend_target *target, uint32_t id,
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
	return legend_write_sample(target, &record, sizeof(record));
}

static bool was_asked(const struct owners_asked *asked, uint32_t id)
{
	for (size_t i = 0; i < asked->count; i++)
		if (asked->ids[i] == id)
			return true;
	return false;
}

static int ask(struct owners_asked *asked, const struct stream *stream,
	       const struct legend_target *target, uint32_t id)
{
	struct gpuoa_context_owner owner;
	int err;

	if (was_asked(asked, id) || asked->count == OWNERS_ASKED_MAX)
		return 0;
	asked->ids[asked->count++] = id;
	err = stream->unit->origin->context(stream->unit, id, &owner);
	if (!err)
		return write_owner(target, id, &owner);
	asked->off = err != -ENOENT;
	return 0;
}

int owners_look(struct owners_asked *asked, const struct stream *stream,
		const struct legend_target *target, const void *reports, size_t count)
{
	const struct gpuoa_source_desc *desc = &stream->source.desc;
	const struct report_format *format = format_get(desc->format);
	const char *report = reports;
	int err = 0;

	if (asked->off || !stream->set || !stream->unit->origin->context || !format ||
	    !format->context.bits)
		return 0;
	for (size_t i = 0; i < count && !err && !asked->off; i++, report += desc->report_size) {
		const uint64_t place = report_read(report, format->context);
		struct gpuoa_report_desc known;

		/* Contexts run for many reports: most are like the one before. */
		if (asked->has_last && place == asked->last)
			continue;
		if (gpuoa_report_describe(stream->set, desc->format, report, &known, sizeof(known)))
			break;
		if (!known.has_context)
			continue;
		asked->last = place;
		asked->has_last = true;
		err = ask(asked, stream, target, known.context_id);
	}
	return err;
}

void owners_ask_again(struct owners_asked *asked)
{
	asked->count = 0;
	asked->has_last = false;
}

/* when it is read */

void owners_fini(struct owners *owners)
{
	free(owners->list);
}

static struct rawdata_context *find(const struct owners *owners, uint32_t id)
{
	for (size_t i = 0; i < owners->count; i++)
		if (owners->list[i].id == id)
			return &owners->list[i];
	return NULL;
}

static int make_room(struct owners *owners)
{
	const size_t room = owners->room ? 2 * owners->room : OWNERS_MIN;
	struct rawdata_context *list;

	if (owners->count < owners->room)
		return 0;
	list = realloc(owners->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	owners->list = list;
	owners->room = room;
	return 0;
}

int owners_take(struct owners *owners, const struct rawdata_context *context)
{
	struct rawdata_context *known = find(owners, context->id);
	int err;

	if (!known && owners->count == OWNERS_MAX)
		return 0;
	if (!known) {
		err = make_room(owners);
		if (err)
			return err;
		known = &owners->list[owners->count++];
	}
	*known = *context;
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
