// SPDX-License-Identifier: MIT
/*
 * pmu_stream.c - open, enable and disable a stream of gpuoa.ko: a perf event with a ring buffer and
 * possibly an AUX area
 *
 * RAW mode is the default, because streams in this mode can share a unit. If the caller prefers AUX
 * mode and it fails, RAW mode is used instead. AUX mode can fail because another program uses the
 * unit in RAW mode, or because of a limit of locked memory. If RAW mode also fails, its error is
 * returned.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/nsec.h"
#include "gpu/platforms.h"
#include "reader/pmu/pmu.h"
#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream_choose.h"
#include "reader/stream/stream_error.h"
#include "reader/stream/stream_open.h"
#include "reader/stream/unit.h"
#include "report/dword_mask.h"

/*
 * An unprivileged stream. perf denies all events to users without CAP_PERFMON. For a context of the
 * user's own processes, gpuoa.ko therefore provides the same samples through a file, without perf's
 * sample header.
 */

/* Size of the shortest sample, which has a header and one empty record */
#define SAMPLE_MIN (sizeof(uint32_t) + sizeof(struct gpuoa_raw) + sizeof(struct gpuoa_record))

/* Space that the result of one read can need */
#define PUMP_ROOM (GPUOA_STREAM_READ_MIN + GPUOA_STREAM_READ_MIN / SAMPLE_MIN * EMULATED_HEAD_SIZE)

_Static_assert(GPUOA_STREAM_READ_MIN <= EMULATED_PAYLOAD_MAX, "a read has no larger sample");
_Static_assert(PUMP_ROOM <= EMULATED_RING_MIN / 2, "half of a ring is room enough");

struct stream_fd {
	struct emulated_ring emulated;
	int fd;
	uint8_t samples[GPUOA_STREAM_READ_MIN];
};

/* Move the @size bytes that were read from the file to the ring. */
static void put_samples(struct stream_fd *stream, size_t size)
{
	struct iovec piece;
	uint32_t raw_size;

	for (size_t at = 0; size - at > sizeof(raw_size); at += sizeof(raw_size) + raw_size) {
		memcpy(&raw_size, stream->samples + at, sizeof(raw_size));
		if (raw_size > size - at - sizeof(raw_size))
			break;
		piece = (struct iovec){ stream->samples + at + sizeof(raw_size), raw_size };
		emulated_sample(&stream->emulated, &piece, 1);
	}
}

static void stream_fd_pump(struct emulated_ring *emulated)
{
	struct stream_fd *stream = (struct stream_fd *)emulated;
	ssize_t count;

	while (emulated_room(emulated) >= PUMP_ROOM) {
		count = read(stream->fd, stream->samples, sizeof(stream->samples));
		if (count <= 0)
			break;
		put_samples(stream, count);
	}
}

static void stream_fd_free(struct emulated_ring *emulated)
{
	free(emulated);
}

static const struct emulated_ring_ops stream_fd_ops = {
	.pump = stream_fd_pump,
	.free = stream_fd_free,
};

/*
 * Open an unprivileged stream of @unit. The caller must close its file *fd. Returns 0, -ENOMEM or
 * the kernel's errno.
 */
static int stream_fd_open(struct emulated_ring **emulated, const struct gpuoa_unit *unit,
			  const struct gpuoa_attr *attr, int *fd)
{
	struct stream_fd *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->fd = ioctl(unit->fd, GPUOA_IOC_OPEN_STREAM, attr);
	if (made->fd < 0 || fcntl(made->fd, F_SETFL, O_NONBLOCK)) {
		const int err = -errno;

		if (made->fd >= 0)
			close(made->fd);
		free(made);
		return err;
	}
	emulated_init(&made->emulated, &stream_fd_ops, made->fd);
	*emulated = &made->emulated;
	*fd = made->fd;
	return 0;
}

/*
 * Enable or disable an unprivileged stream, like PERF_EVENT_IOC_ENABLE and _DISABLE do for a perf
 * event. Returns 0 or -errno.
 */
static int stream_fd_switch(int fd, bool on)
{
	return ioctl(fd, on ? GPUOA_STREAM_IOC_ENABLE : GPUOA_STREAM_IOC_DISABLE) ? -errno : 0;
}

/* Flush reports from the hardware to the file of an unprivileged stream. Returns 0 or -errno. */
static int stream_fd_poll(int fd)
{
	struct gpuoa_stream_status status;

	return ioctl(fd, GPUOA_STREAM_IOC_STATUS, &status) ? -errno : 0;
}

static void complain_of_access(const struct complaint *complaint,
			       const struct gpuoa_unit_desc *unit,
			       const struct gpuoa_stream_options *options)
{
	if (options->context_filter && !options->query_only &&
	    unit->features & GPUOA_UNIT_QUERY_ONLY)
		complaint_print(
			complaint,
			"may not sample %s: while it is on, batches could read what it counts for others; run as root or with "
			"CAP_PERFMON, or ask for query_only and have batches report",
			unit->name);
	else if (!access("/sys/module/gpuoa_xe", F_OK) &&
		 stream_sysctl("/proc/sys/dev/xe/observation_paranoid") > 0)
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.xe.observation_paranoid (now %ld), "
			"dev.gpuoa.paranoid (now %ld) and kernel.perf_event_paranoid (now %ld) to 0 and stay below "
			"dev.gpuoa.max_sample_rate (now %ld Hz)",
			unit->name, stream_sysctl("/proc/sys/dev/xe/observation_paranoid"),
			stream_sysctl("/proc/sys/dev/gpuoa/paranoid"),
			stream_sysctl("/proc/sys/kernel/perf_event_paranoid"),
			stream_sysctl("/proc/sys/dev/gpuoa/max_sample_rate"));
	else if (!access("/sys/module/gpuoa_i915", F_OK) &&
		 !stream_sysctl("/proc/sys/dev/gpuoa/paranoid"))
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.i915.perf_stream_paranoid (now %ld) to 0 "
			"and stay below dev.i915.oa_max_sample_rate (now %ld Hz) and dev.gpuoa.max_sample_rate (now %ld Hz)",
			unit->name, stream_sysctl("/proc/sys/dev/i915/perf_stream_paranoid"),
			stream_sysctl("/proc/sys/dev/i915/oa_max_sample_rate"),
			stream_sysctl("/proc/sys/dev/gpuoa/max_sample_rate"));
	else
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.gpuoa.paranoid (now %ld) to 0, "
			"lower kernel.perf_event_paranoid (now %ld) to 0 and stay below dev.gpuoa.max_sample_rate (now %ld Hz)",
			unit->name, stream_sysctl("/proc/sys/dev/gpuoa/paranoid"),
			stream_sysctl("/proc/sys/kernel/perf_event_paranoid"),
			stream_sysctl("/proc/sys/dev/gpuoa/max_sample_rate"));
}

bool pmu_complain(const struct complaint *complaint, const struct stream *stream,
		  const struct gpuoa_stream_options *options, int err)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	switch (err) {
	case -EACCES:
		complain_of_access(complaint, unit, options);
		return true;
	case -EPERM:
		complaint_print(
			complaint,
			"may not lock the memory for %s's reports: raise kernel.perf_event_mlock_kb (now %ld) or the limit "
			"'ulimit -l', or run with CAP_IPC_LOCK",
			unit->name, stream_sysctl("/proc/sys/kernel/perf_event_mlock_kb"));
		return true;
	case -EINVAL:
		complaint_print(
			complaint,
			"the kernel refuses this configuration of %s: library and gpuoa.ko may be of different versions",
			unit->name);
		return true;
	case -EOPNOTSUPP:
		if (options->delivery != GPUOA_DELIVERY_AUX || unit->features & GPUOA_UNIT_AUX)
			return false;
		complaint_print(
			complaint,
			"%s has no AUX area, as its reports go to a buffer of the GPU's driver: ask for GPUOA_DELIVERY_RAW",
			unit->name);
		return true;
	default:
		return false;
	}
}

/*
 * Convert the poll period to us. Periods below 1 us, except 0, become 1 us, which the kernel
 * rejects.
 */
static uint32_t poll_period(const struct gpuoa_stream_options *options)
{
	const uint64_t us = options->poll_period_ns / NSEC_PER_USEC;

	if (us > UINT32_MAX)
		return UINT32_MAX;
	return us || !options->poll_period_ns ? (uint32_t)us : 1;
}

static void attr_to_uapi(const struct stream *stream, const struct gpuoa_stream_options *options,
			 uint32_t metric_set, struct gpuoa_attr *attr)
{
	*attr = (struct gpuoa_attr){
		.size = sizeof(*attr),
		.format = stream->reader.desc.format,
		.flags = GPUOA_ATTR_EXPONENT,
		.metric_set = metric_set,
		.exponent = stream->reader.desc.exponent,
		.buffer_size = options->buffer_size,
		.poll_us = poll_period(options),
	};
	memcpy(attr->dword_mask, stream->reader.desc.dword_mask, sizeof(attr->dword_mask));
	if (options->context_filter) {
		attr->flags |= GPUOA_ATTR_CONTEXT;
		attr->drm_fd = options->drm_fd;
		attr->context = options->context;
	}
	if (options->context_hw_id)
		attr->flags |= GPUOA_ATTR_CONTEXT_HW_ID;
	if (options->batch_boundary_reports)
		attr->flags |= GPUOA_ATTR_BATCH_BOUNDARY_REPORTS;
	if (options->query_only) {
		attr->flags |= GPUOA_ATTR_QUERY_ONLY;
		attr->flags &= ~GPUOA_ATTR_EXPONENT;
		attr->exponent = 0;
	}
}

static uint64_t flat_config(const struct gpuoa_attr *attr)
{
	return ((uint64_t)attr->metric_set << GPUOA_CONFIG_METRIC_SET_SHIFT) |
	       ((uint64_t)attr->format << GPUOA_CONFIG_FORMAT_SHIFT) |
	       ((uint64_t)attr->exponent << GPUOA_CONFIG_EXPONENT_SHIFT) |
	       (attr->flags & GPUOA_ATTR_AUX ? GPUOA_CONFIG_AUX_MASK : 0);
}

/*
 * Open the event with @attr registered for the duration of the call: perf_event_open() would read
 * it from user memory without page faults, and fail at random if the page is swapped out or
 * migrated.
 */
static int open_event(struct stream *stream, const struct gpuoa_attr *attr)
{
	struct gpuoa_attr_handle handle = { .attr = (uintptr_t)attr };
	int fd;

	if (ioctl(stream->unit->fd, GPUOA_IOC_ADD_ATTR, &handle))
		return -errno;
	stream->attr.config = GPUOA_CONFIG_ATTR_ID_MASK;
	stream->attr.config1 = handle.id;
	fd = syscall(SYS_perf_event_open, &stream->attr, -1, stream->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	ioctl(stream->unit->fd, GPUOA_IOC_REMOVE_ATTR, &handle.id);
	return fd;
}

/* Open the event, with the watermarks of @stream. */
static int perf_open(struct stream *stream, const struct gpuoa_attr *attr)
{
	const int cpu = pmu_find_cpu(stream->unit->desc.name);
	int fd;

	if (cpu < 0)
		return cpu;
	stream->cpu = cpu;
	stream->attr = emulated_attr(stream->unit->desc.pmu_type);
	stream->attr.watermark = 1;
	stream->attr.wakeup_watermark = stream->watermark;
	stream->attr.aux_watermark = stream->area.watermark;
	fd = open_event(stream, attr);
	stream->attr.config1 = 0;
	stream->attr.config = flat_config(attr);
	stream->layout = sample_layout(&stream->attr);
	if (fd < 0)
		return fd;
	stream->fd = fd;
	return ioctl(stream->fd, PERF_EVENT_IOC_ID, &stream->id) ? -errno : 0;
}

static void undo_open(struct stream *stream)
{
	if (stream->ring.page)
		ring_unmap(&stream->ring);
	if (stream->fd >= 0)
		close(stream->fd);
	stream->ring = (struct ring){ 0 };
	stream->area = (struct area){ 0 };
	stream->fd = -1;
}

/* True if mapping a smaller buffer may succeed, because the limit of locked memory was exceeded. */
static bool is_too_much(int err)
{
	return err == -EPERM || err == -ENOMEM;
}

/*
 * True if an unprivileged stream can replace a perf event after perf has denied access: this
 * requires a context filter.
 */
static bool allows_stream_fd(const struct gpuoa_attr *attr)
{
	return attr->flags & GPUOA_ATTR_CONTEXT &&
	       !(attr->flags & (GPUOA_ATTR_CONTEXT_HW_ID | GPUOA_ATTR_AUX));
}

/* If the kernel module has no unprivileged streams, return the error of perf. */
static int open_stream_fd(struct stream *stream, const struct gpuoa_attr *attr, uint64_t size)
{
	struct emulated_ring *emulated = NULL;
	const int err = stream_fd_open(&emulated, stream->unit, attr, &stream->fd);

	if (err)
		return err == -ENOTTY ? -EACCES : err;
	return stream_take_ring(stream, emulated, size);
}

static int open_ring(struct stream *stream, const struct gpuoa_attr *attr, uint64_t size)
{
	int err = perf_open(stream, attr);

	if (err == -EACCES && allows_stream_fd(attr)) {
		err = open_stream_fd(stream, attr, size);
		if (err)
			undo_open(stream);
		return err;
	}
	if (!err)
		err = ring_map(&stream->ring, stream->fd, size);
	if (err)
		undo_open(stream);
	return err;
}

/*
 * Open the event and map its buffer. If the caller did not choose the size of the buffer, reduce it
 * until it is within the limits.
 */
static int open_raw(struct stream *stream, const struct gpuoa_attr *attr,
		    struct gpuoa_stream_options *options)
{
	uint64_t size = options->ring_size ? options->ring_size : choose_ring_size(stream, options);
	int err;

	for (;;) {
		stream->watermark = choose_watermark(stream, options, size);
		err = open_ring(stream, attr, size);
		if (!err)
			break;
		if (!is_too_much(err) || options->ring_size || size <= RING_SIZE_MIN)
			return err;
		size /= 2;
	}
	options->notify_reports = stream->watermark / stream->wire_size;
	return 0;
}

/* Set the members of the AUX area that describe reports. */
static void describe_reports(struct stream *stream)
{
	const struct gpuoa_reader_desc *desc = &stream->reader.desc;
	const struct report_format *format = format_get(desc->format);

	stream->area.report_size = desc->report_size;
	stream->area.splits = stream->unit->desc.features & GPUOA_UNIT_SPLIT_REPORTS;
	stream->area.report_id = format->report_id;
	stream->area.timestamp = format->timestamp;
	stream->area.id_is_never_0 = gpu_generation(stream->unit->desc.platform) ==
				     GENERATION_HASWELL;
	/*
	 * The period is unknown if there is a context filter, because reports of other contexts are
	 * missing.
	 */
	stream->area.period = desc->context_filter ? 0 : 2ULL << desc->exponent;
}

static int open_with_area(struct stream *stream, const struct gpuoa_attr *attr, uint64_t area_size,
			  const struct gpuoa_stream_options *options)
{
	const uint64_t ring_size = options->ring_size ? options->ring_size : AUX_RING_SIZE;
	int err;

	describe_reports(stream);
	stream->area.watermark = choose_watermark(stream, options, area_size);
	stream->watermark = ring_size / 2;
	err = open_ring(stream, attr, ring_size);
	if (err)
		return err;
	err = area_map(&stream->area, stream->ring.page, stream->fd, stream->ring.mapped, area_size,
		       options->overwrite);
	if (err)
		undo_open(stream);
	return err;
}

static int open_aux(struct stream *stream, const struct gpuoa_attr *attr,
		    struct gpuoa_stream_options *options)
{
	uint64_t size = options->buffer_size ? options->buffer_size :
					       choose_area_size(stream, options);
	struct gpuoa_attr aux_attr = *attr;
	int err;

	aux_attr.flags |= GPUOA_ATTR_AUX;
	for (;;) {
		err = open_with_area(stream, &aux_attr, size, options);
		if (!err)
			break;
		if (!is_too_much(err) || options->buffer_size ||
		    size <= stream->unit->desc.buffer_size_min)
			return err;
		size /= 2;
	}
	options->buffer_size = size;
	options->notify_reports = stream->area.watermark / stream->reader.desc.report_size;
	return 0;
}

/*
 * Set .buffer_size to the actual size of the OABUFFER, which the kernel or the unit's first stream
 * has chosen. Old kernel modules do not report it.
 */
static void note_buffer_size(const struct stream *stream, struct gpuoa_stream_options *options)
{
	struct gpuoa_unit_user use;

	if (gpuoa_unit_get_user(stream->unit, &use, sizeof(use)) > 0)
		options->buffer_size = use.buffer_size;
}

/* Open in the requested mode. */
static int open_and_map(struct stream *stream, const struct gpuoa_attr *attr,
			struct gpuoa_stream_options *options)
{
	const enum gpuoa_delivery wanted = options->delivery;
	int err = -EOPNOTSUPP;

	if (wanted == GPUOA_DELIVERY_AUX ||
	    (wanted == GPUOA_DELIVERY_PREFER_AUX && dword_mask_is_whole(options->dword_mask)))
		err = open_aux(stream, attr, options);
	if (err && wanted != GPUOA_DELIVERY_AUX)
		err = open_raw(stream, attr, options);
	if (err)
		return err;
	options->ring_size = stream->ring.size;
	options->delivery = stream->area.data ? GPUOA_DELIVERY_AUX : GPUOA_DELIVERY_RAW;
	stream->reader.desc.delivery = options->delivery;
	if (options->delivery == GPUOA_DELIVERY_RAW)
		note_buffer_size(stream, options);
	return 0;
}

int pmu_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options)
{
	struct gpuoa_attr attr;

	attr_to_uapi(stream, options, id, &attr);
	return open_and_map(stream, &attr, options);
}

int pmu_switch_stream(struct stream *stream, bool on)
{
	if (stream->ring.emulated)
		return stream_fd_switch(stream->fd, on);
	if (ioctl(stream->fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0))
		return -errno;
	return 0;
}

/* Reading the perf event flushes reports from the hardware. */
int pmu_look(struct stream *stream)
{
	uint64_t count;

	if (stream->ring.emulated)
		return stream_fd_poll(stream->fd);
	return read(stream->fd, &count, sizeof(count)) < 0 ? -errno : 0;
}

int pmu_reconfigure(struct stream *stream, uint32_t id)
{
	if (ioctl(stream->unit->fd, GPUOA_IOC_RECONFIGURE, &id))
		return errno == ENOTTY ? -EOPNOTSUPP : -errno;
	return 0;
}
