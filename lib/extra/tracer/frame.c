// SPDX-License-Identifier: MIT
/*
 * frame.c - the raw data format of a tracer: frames that contain unmodified kernel data of one
 * scope each
 */
#include "extra/tracer/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"

#define FRAME_ALIGN 8

static size_t frame_size(size_t payload_size)
{
	return (sizeof(struct frame) + payload_size + FRAME_ALIGN - 1) & -(size_t)FRAME_ALIGN;
}

bool frame_put(struct frame_room *room, enum frame_kind kind, uint32_t scope, const void *payload,
	       size_t size)
{
	const struct frame head = {
		.magic = FRAME_MAGIC,
		.size = frame_size(size),
		.kind = kind,
		.scope = scope,
		.payload_size = size,
	};

	if ((size_t)(room->end - room->at) < head.size)
		return false;
	memset(room->at + head.size - FRAME_ALIGN, 0, FRAME_ALIGN);
	memcpy(room->at, &head, sizeof(head));
	if (size)
		memcpy(room->at + sizeof(head), payload, size);
	room->at += head.size;
	return true;
}

/* True if the members of a frame's header contradict each other. */
static bool is_damaged(const struct frame *head)
{
	if (head->kind == FRAME_END && head->size != FRAME_END_SIZE)
		return true;
	return head->magic != FRAME_MAGIC || head->kind > FRAME_END ||
	       head->scope >= GPUOA_TRACER_SCOPES || head->payload_size > UINT16_MAX ||
	       head->size != frame_size(head->payload_size);
}

int frame_get(const void *raw, size_t size, size_t at, struct frame_view *view)
{
	const uint8_t *bytes = raw;

	if (at >= size || size - at < sizeof(view->head))
		return 0;
	memcpy(&view->head, bytes + at, sizeof(view->head));
	if (is_damaged(&view->head))
		return -EBADMSG;
	view->payload = bytes + at + sizeof(view->head);
	return view->head.size <= size - at;
}

struct payload frame_payload(const struct frame_view *view)
{
	return (struct payload){
		.data = view->head.kind == FRAME_LOST ? NULL : view->payload,
		.size = view->head.payload_size,
	};
}

/* A position in raw data, for reading the frames of one scope */
struct raw_scope {
	const void *raw;
	size_t size;
	size_t at;
	uint32_t scope;
};

/* Get the next payload of the scope. Returns 1, 0 if there is none, or -EBADMSG. */
static int next_payload(void *ctx, struct payload *payload)
{
	struct raw_scope *raw = ctx;
	struct frame_view view;
	int ret;

	while ((ret = frame_get(raw->raw, raw->size, raw->at, &view)) > 0) {
		raw->at += view.head.size;
		if (view.head.kind == FRAME_END || view.head.scope != raw->scope)
			continue;
		*payload = frame_payload(&view);
		break;
	}
	return ret;
}

/* Find the description of the scope's stream, then return to the begin of the data. */
static int describe(struct raw_scope *raw, struct gpuoa_reader_desc *desc,
		    struct gpuoa_unit_desc *unit, const struct complaint *complaint)
{
	struct payload payload;
	int ret, described = 0;

	while (!described && (ret = next_payload(raw, &payload)) > 0)
		described = payload_describe(&payload, desc, unit);
	raw->at = 0;
	if (described > 0)
		return 0;
	if (described || ret)
		return COMPLAIN(complaint, -EBADMSG,
				"this is no raw data of a tracer, or it is damaged");
	return COMPLAIN(complaint, -ENODATA, "nothing says what scope %" PRIu32 " is", raw->scope);
}

int gpuoa_tracer_reader_open(const void *raw, size_t size, uint32_t scope,
			     struct gpuoa_reader **reader, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct raw_scope *position = malloc(sizeof(*position));
	struct gpuoa_reader_desc desc = { .format = 0 };
	struct gpuoa_unit_desc unit = { .reserved = 0 };
	int err;

	if (!position)
		return complaint_end(&complaint, -ENOMEM);
	*position = (struct raw_scope){ .raw = raw, .size = size, .scope = scope };
	err = describe(position, &desc, &unit, &complaint);
	if (!err)
		err = payload_reader_open(&desc, &unit, next_payload, position, true, free, reader);
	if (err)
		free(position);
	return complaint_end(&complaint, err);
}
