// SPDX-License-Identifier: MIT
/* query_pool.c - open a query pool for the set that a stream has programmed */
#include <errno.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "query/pool.h"
#include "reader/stream/stream.h"

/*
 * Set the format of query reports to the stream's, unless the hardware has a separate one. Returns
 * 0 or a negative errno.
 */
static int take_format(const struct gpuoa_reader_desc *desc, struct gpuoa_query_options *options,
		       const struct query_hardware *hardware, const struct complaint *complaint)
{
	if (options->format && !hardware->format && options->format != desc->format)
		return COMPLAIN(
			complaint, -EINVAL,
			"queries have reports of format %s: the stream of the pool has them",
			gpuoa_format_name(desc->format));
	if (!hardware->format)
		options->format = desc->format;
	if (!hardware->own_counters || desc->context_filter)
		return 0;
	return COMPLAIN(complaint, -ENOTCONN,
			"the stream of the pool has no context filter: set .context_filter to the "
			"context of the batches");
}

int gpuoa_query_pool_open(struct gpuoa_reader *reader, const struct gpuoa_query_options *options,
			  void *memory, size_t memory_size, uint64_t address,
			  struct gpuoa_query_pool **pool, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	const struct stream *stream = stream_from_source(reader);
	const struct query_hardware *hardware;
	struct gpuoa_query_options actual;
	int err;

	if (!options)
		return COMPLAIN(&complaint, -EINVAL, "there are no options");
	if (!stream || !stream->reader.constants)
		return COMPLAIN(&complaint, -EOPNOTSUPP,
				"only a stream of a unit has that count for queries");
	err = sized_take(&actual, sizeof(actual), options, sizeof(actual), "the options",
			 &complaint);
	if (err)
		return err;
	actual.size = sizeof(actual);
	hardware = query_hardware_find(stream->reader.unit.platform);
	if (hardware)
		err = take_format(&stream->reader.desc, &actual, hardware, &complaint);
	if (!err)
		err = query_pool_open(stream->programmed, stream->reader.constants, &actual, memory,
				      memory_size, address, pool, &complaint);
	return complaint_end(&complaint, err);
}
