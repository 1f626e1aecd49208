// SPDX-License-Identifier: MIT
/*
 * stream_open.c - from options to a perf event with a ring buffer
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "stream_open.h"
#include "uapi/gpuoa.h"
#include "unit.h"
#include "unit_find.h"

#define NSEC_PER_SEC 1000000000ULL
#define NSEC_PER_MSEC 1000000ULL

#define DEFAULT_PERIOD_NS NSEC_PER_MSEC
#define RING_TIME_NS (2 * NSEC_PER_SEC)
#define RING_SIZE_MIN (512UL * 1024) /* what perf grants to anybody, per CPU */
#define RING_SIZE_MAX (128UL * 1024 * 1024) /* as a default */
#define NOTIFY_TIME_NS (100 * NSEC_PER_MSEC)

/* Bytes of reports in @ns. */
static uint64_t bytes_in(const struct gpuoa_stream *stream, uint64_t period_ns,
			 uint64_t ns)
{
	return ns / period_ns * stream->source.desc.report_size;
}

static int choose_period(struct gpuoa_stream *stream,
			 struct gpuoa_stream_options *options)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;
	const uint64_t asked = options->period_ns ? options->period_ns :
						    DEFAULT_PERIOD_NS;
	const int exponent = gpuoa_period_to_exponent(unit->timestamp_frequency,
						      unit->exponent_max, asked,
						      GPUOA_ROUND_DOWN);

	if (exponent < 0)
		return exponent;
	stream->source.desc.exponent = exponent;
	options->period_ns =
		gpuoa_exponent_to_period(unit->timestamp_frequency, exponent);
	return 0;
}

/* Bytes in the ring that are worth a wake-up: never more than a quarter of it, so that the rest can still fill. */
static uint64_t choose_watermark(const struct gpuoa_stream *stream,
				 const struct gpuoa_stream_options *options,
				 uint64_t ring_size)
{
	uint64_t bytes = bytes_in(stream, options->period_ns, NOTIFY_TIME_NS);

	if (options->notify_reports)
		bytes = (uint64_t)options->notify_reports *
			stream->source.desc.report_size;
	if (bytes > ring_size / 4)
		bytes = ring_size / 4;
	return bytes ? bytes : 1;
}

static uint64_t default_ring_size(const struct gpuoa_stream *stream,
				  const struct gpuoa_stream_options *options)
{
	const uint64_t bytes =
		bytes_in(stream, options->period_ns, RING_TIME_NS);
	uint64_t size = RING_SIZE_MIN;

	while (size < bytes && size < RING_SIZE_MAX)
		size *= 2;
	return size;
}

static void attr_to_uapi(const struct gpuoa_stream *stream,
			 const struct gpuoa_stream_options *options,
			 uint32_t metric_set, struct gpuoa_attr *attr)
{
	*attr = (struct gpuoa_attr){
		.size = sizeof(*attr),
		.format = stream->source.desc.format,
		.flags = GPUOA_ATTR_EXPONENT,
		.metric_set = metric_set,
		.exponent = stream->source.desc.exponent,
		.buffer_size = options->buffer_size,
	};
	if (options->context_filter) {
		attr->flags |= GPUOA_ATTR_CONTEXT;
		attr->drm_fd = options->drm_fd;
		attr->context = options->context;
	}
}

static uint64_t flat_config(const struct gpuoa_attr *attr)
{
	return ((uint64_t)attr->metric_set << GPUOA_CONFIG_METRIC_SET_SHIFT) |
	       ((uint64_t)attr->format << GPUOA_CONFIG_FORMAT_SHIFT) |
	       ((uint64_t)attr->exponent << GPUOA_CONFIG_EXPONENT_SHIFT);
}

static int perf_open(struct gpuoa_stream *stream, const struct gpuoa_attr *attr,
		     uint64_t ring_size,
		     const struct gpuoa_stream_options *options)
{
	const int cpu = gpuoa_unit_find_cpu(stream->unit->desc.name);

	if (cpu < 0)
		return cpu;
	stream->watermark = choose_watermark(stream, options, ring_size);
	stream->attr = (struct perf_event_attr){
		.type = stream->unit->desc.pmu_type,
		.size = sizeof(stream->attr),
		.config1 = (uintptr_t)attr,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
		.disabled = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = stream->watermark,
	};
	stream->fd = syscall(SYS_perf_event_open, &stream->attr, -1, cpu, -1,
			     PERF_FLAG_FD_CLOEXEC);
	if (stream->fd < 0)
		return -errno;
	stream->attr.config1 = 0;
	stream->attr.config = flat_config(attr);
	stream->layout = gpuoa_sample_layout(&stream->attr);
	return ioctl(stream->fd, PERF_EVENT_IOC_ID, &stream->id) ? -errno : 0;
}

/* Open and map; if the user left the choice of the ring's size to us, be content with what the limits allow. */
static int open_and_map(struct gpuoa_stream *stream,
			const struct gpuoa_attr *attr,
			struct gpuoa_stream_options *options)
{
	uint64_t size = options->ring_size ? options->ring_size :
					     default_ring_size(stream, options);
	int err;

	for (;;) {
		err = perf_open(stream, attr, size, options);
		if (!err)
			err = gpuoa_ring_map(&stream->ring, stream->fd, size);
		if (!err)
			break;
		if (stream->fd >= 0)
			close(stream->fd);
		stream->fd = -1;
		if ((err != -EPERM && err != -ENOMEM) || options->ring_size ||
		    size <= RING_SIZE_MIN)
			return err;
		size /= 2;
	}
	options->ring_size = stream->ring.size;
	options->notify_reports =
		stream->watermark / stream->source.desc.report_size;
	return 0;
}

int gpuoa_stream_open_event(struct gpuoa_stream *stream,
			    const struct gpuoa_set *set,
			    struct gpuoa_stream_options *options)
{
	struct gpuoa_set_desc desc;
	struct gpuoa_attr attr;
	uint32_t id;
	int err;

	stream->fd = -1;
	gpuoa_set_describe(set, &desc, sizeof(desc));
	if (!options->format)
		options->format = desc.format;
	stream->source.desc.format = options->format;
	stream->source.desc.report_size = gpuoa_format_size(options->format);
	stream->source.desc.context_filter = options->context_filter;
	if (!stream->source.desc.report_size)
		return -EINVAL;
	err = choose_period(stream, options);
	if (err)
		return err;
	err = gpuoa_unit_upload(stream->unit, set, &id);
	if (err)
		return err;
	strcpy(stream->source.desc.uuid, desc.uuid);
	snprintf(stream->event_name, sizeof(stream->event_name), "%s/%s/",
		 stream->unit->desc.name, desc.symbol);
	attr_to_uapi(stream, options, id, &attr);
	return open_and_map(stream, &attr, options);
}
