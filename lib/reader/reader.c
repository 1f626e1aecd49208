// SPDX-License-Identifier: MIT
/* reader.c - the common interface of streams and recordings */
#include "reader/reader.h"

#include <errno.h>

#include "base/sized.h"

void gpuoa_reader_close(struct gpuoa_reader *reader)
{
	if (reader)
		reader->ops->close(reader);
}

void gpuoa_reader_describe(const struct gpuoa_reader *reader, struct gpuoa_reader_desc *desc,
			   size_t size)
{
	sized_give(desc, size, &reader->desc, sizeof(reader->desc));
}

void gpuoa_reader_describe_unit(const struct gpuoa_reader *reader, struct gpuoa_unit_desc *desc,
				size_t size)
{
	sized_give(desc, size, &reader->unit, sizeof(reader->unit));
}

const struct gpuoa_platform *gpuoa_reader_platform(const struct gpuoa_reader *reader)
{
	return reader->platform;
}

const struct gpuoa_constants *gpuoa_reader_constants(const struct gpuoa_reader *reader)
{
	return reader->constants;
}

int gpuoa_reader_read(struct gpuoa_reader *reader, void *reports, size_t max,
		      struct gpuoa_read_status *status)
{
	return reader->ops->read(reader, reports, max, status);
}

int gpuoa_reader_peek(struct gpuoa_reader *reader, const void **reports, size_t max,
		      struct gpuoa_read_status *status)
{
	return reader->ops->next(reader, reports, max, status);
}

void gpuoa_reader_consume(struct gpuoa_reader *reader)
{
	if (reader->ops->release)
		reader->ops->release(reader);
}

int gpuoa_reader_wait(struct gpuoa_reader *reader, int timeout_ms)
{
	return reader->ops->wait ? reader->ops->wait(reader, timeout_ms) : 0;
}

int gpuoa_reader_fd(const struct gpuoa_reader *reader)
{
	return reader->ops->fd ? reader->ops->fd(reader) : -EOPNOTSUPP;
}

int gpuoa_reader_disable(struct gpuoa_reader *reader)
{
	return reader->ops->disable ? reader->ops->disable(reader) : -EOPNOTSUPP;
}

int gpuoa_reader_enable(struct gpuoa_reader *reader)
{
	return reader->ops->enable ? reader->ops->enable(reader) : -EOPNOTSUPP;
}

int gpuoa_reader_time(struct gpuoa_reader *reader, const struct gpuoa_time **time)
{
	struct side_data *side_data = &reader->side_data;
	int err;

	if (!side_data->time)
		return -EINVAL;
	if (reader->ops->find_pairs && !side_data->all_pairs) {
		err = reader->ops->find_pairs(reader);
		if (err)
			return err;
		side_data->all_pairs = true;
	}
	*time = side_data->time;
	return 0;
}

int gpuoa_reader_context(struct gpuoa_reader *reader, uint32_t context_id,
			 struct gpuoa_context_owner *owner, size_t size)
{
	struct gpuoa_context_owner known = { 0 };
	int err;

	if (!reader->ops->context)
		return -EOPNOTSUPP;
	err = reader->ops->context(reader, context_id, &known);
	if (!err)
		sized_give(owner, size, &known, sizeof(known));
	return err;
}

int gpuoa_reader_next_marker(struct gpuoa_reader *reader, struct gpuoa_stream_marker *marker,
			     size_t size)
{
	struct gpuoa_stream_marker known;
	const int ret = side_data_next_marker(&reader->side_data, &known);

	if (ret > 0)
		sized_give(marker, size, &known, sizeof(known));
	return ret;
}
