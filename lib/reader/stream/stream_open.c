// SPDX-License-Identifier: MIT
/* stream_open.c - open a stream through its unit's backend */
#include "reader/stream/stream_open.h"

#include <stdio.h>

#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream_choose.h"
#include "reader/stream/stream_error.h"
#include "reader/stream/unit.h"

int stream_open(struct stream *stream, const struct gpuoa_set *set,
		struct gpuoa_stream_options *options, const struct complaint *complaint)
{
	struct gpuoa_unit *unit = stream->unit;
	struct gpuoa_set_desc desc;
	uint32_t id;
	int err;

	stream->fd = -1;
	stream->set = set;
	gpuoa_set_describe(set, &desc, sizeof(desc));
	err = choose_options(stream, set, options, complaint);
	if (err)
		return err;
	err = gpuoa_unit_add_set(unit, set, &id, complaint->text, complaint->size);
	if (err)
		return err;
	snprintf(stream->event_name, sizeof(stream->event_name), "%s/%s/", unit->desc.name,
		 desc.symbol);
	err = unit->backend->open_stream(stream, id, options);
	return err ? stream_complain(complaint, stream, options, err) : 0;
}

int stream_take_ring(struct stream *stream, struct emulated_ring *emulated, uint64_t size)
{
	const int err = ring_make(&stream->ring, emulated, size);

	if (err) {
		emulated_free(emulated);
		return err;
	}
	stream->id = emulated->id;
	stream->watermark = 1;
	return 0;
}
