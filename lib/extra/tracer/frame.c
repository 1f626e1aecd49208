// SPDX-License-Identifier: MIT
/* frame.c - the raw data format of a tracer: frames of unmodified kernel data, each of one scope */
#include "extra/tracer/frame.h"

#include <errno.h>
#include <string.h>

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

/* True if the header is inconsistent. */
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
