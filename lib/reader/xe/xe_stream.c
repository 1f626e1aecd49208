// SPDX-License-Identifier: MIT
/* xe_stream.c - open, enable and disable a stream of xe */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "reader/drm/drm_ring.h"
#include "reader/drm/drm_stream.h"
#include "reader/drm/drm_unit.h"
#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream.h"
#include "reader/stream/stream_error.h"
#include "reader/xe/xe.h"

/* Describe the option that xe does not support, for an error message. */
static const char *lacks(const struct gpuoa_stream_options *options)
{
	const char *what = drm_stream_lacks(options);

	if (what)
		return what;
	if (options->query_only && !options->context_filter)
		return "does without reports for one exec queue only";
	if (options->query_only)
		return "has counters of contexts on the render and compute engines only";
	return "filters no reports: they are of all contexts. Ask for query_only, and have the queue's batches report";
}

static void complain_of_use(const struct complaint *complaint, const struct gpuoa_unit_desc *unit)
{
	struct gpuoa_unit_user use = { .process = 0 };
	char user[64];

	drm_user_find("anon_inode:[xe_oa]", &use);
	stream_user(&use, user, sizeof(user));
	complaint_print(complaint, "%s is in use%s: xe serves one program at a time; stop that one",
			unit->name, user);
}

bool xe_complain(const struct complaint *complaint, const struct stream *stream,
		 const struct gpuoa_stream_options *options, int err)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	switch (err) {
	case -EACCES:
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.xe.observation_paranoid (now %ld) to 0",
			unit->name, stream_sysctl("/proc/sys/dev/xe/observation_paranoid"));
		return true;
	case -EBUSY:
		complain_of_use(complaint, unit);
		return true;
	case -EOPNOTSUPP:
		complaint_print(complaint, "%s: xe %s", unit->name, lacks(options));
		return true;
	case -ENOENT:
		complaint_print(complaint, "%s: the DRM file has no exec queue %" PRIu32,
				unit->name, options->context);
		return true;
	case -EINVAL:
		complaint_print(
			complaint,
			"xe refuses this stream of %s: the set was removed meanwhile, the unit has no such report format, "
			"or counts nothing for the exec queue",
			unit->name);
		return true;
	case -ENODEV:
		if (!unit_check(stream->unit))
			complaint_print(complaint, "xe cannot measure %s: it has no OA unit in use",
					unit->name);
		return !unit_check(stream->unit);
	default:
		return false;
	}
}

/*
 * Emulated ring for a stream of xe. read(2) returns only reports. If the hardware has set a status,
 * read(2) fails once with EIO, an ioctl returns the status, and the next read continues. After an
 * overflow, the buffer is drained and the stream restarted, because it is not documented what the
 * hardware does after an overflow. If read(2) returns nothing but statuses, since the hardware
 * drops reports all the time, the stream is disabled first; older kernels do not return the reports
 * of a disabled stream. If the GPU was removed, all bits of the status are always set.
 */

/* Maximum number of times that the status is read per poll; more are left to the next poll. */
#define STATUS_MAX 4

/* Interval at which xe polls the hardware, which is the default maximum age of reports */
#define POLL_NS 5000000

struct xe_ring {
	struct drm_ring drm;
	int said; /* number of times that the status has been read in this poll */
	/* the OABUFFER overflowed: it is drained, and then the stream is enabled again */
	bool full;
};

/*
 * Read the status of the hardware, and pass it to the encoder. Returns false if no more reads are
 * possible.
 */
static bool take_status(struct xe_ring *emulated)
{
	struct drm_xe_oa_stream_status status = { .oa_status = 0 };
	struct encoder *encoder = &emulated->drm.encoder;
	uint32_t flags = 0;

	emulated->said++;
	emulated->drm.gone = unit_check(encoder->unit);
	if (emulated->drm.gone ||
	    drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_STATUS, &status))
		return false;
	if (status.oa_status & DRM_XE_OASTATUS_COUNTER_OVERFLOW)
		flags |= GPUOA_STATUS_COUNTERS_WRAPPED;
	if (status.oa_status & DRM_XE_OASTATUS_MMIO_TRG_Q_FULL)
		flags |= GPUOA_STATUS_TRIGGERS_LOST;
	if (flags)
		encoder_status(encoder, flags);
	if (status.oa_status & DRM_XE_OASTATUS_BUFFER_OVERFLOW) {
		emulated->full = true;
		emulated->drm.draining = true;
	} else if (status.oa_status & DRM_XE_OASTATUS_REPORT_LOST) {
		encoder_loss(encoder, GPUOA_RECORD_REPORTS_LOST);
	}
	return true;
}

static ssize_t xe_take(struct drm_ring *emulated, size_t room)
{
	const size_t size = emulated->encoder.format->size;
	struct xe_ring *xe = (struct xe_ring *)emulated;
	ssize_t count;

	if (xe->said == STATUS_MAX && xe->full) {
		drm_ioctl(emulated->fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);
	} else if (xe->said == STATUS_MAX) {
		emulated->cut = true;
		return 0;
	}
	count = read(emulated->fd, emulated->bytes, room / size * size);
	if (count < 0)
		return errno == EIO && xe->said <= STATUS_MAX && take_status(xe);
	for (ssize_t at = 0; at + (ssize_t)size <= count; at += size)
		encoder_report(&emulated->encoder, emulated->bytes + at);
	encoder_flush(&emulated->encoder);
	return count;
}

/*
 * Restart the stream after an overflow, when the OABUFFER has been drained. Reports are missing
 * from here on. If xe cannot enable the stream, the next poll tries again.
 */
static void begin_anew(struct xe_ring *emulated)
{
	encoder_loss(&emulated->drm.encoder, GPUOA_RECORD_BUFFER_OVERFLOW);
	drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);
	if (drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL))
		return;
	emulated->full = false;
	emulated->drm.draining = false;
}

static void xe_pump(struct emulated_ring *generic)
{
	struct xe_ring *emulated = (struct xe_ring *)generic;

	emulated->said = 0;
	drm_ring_pump(generic);
	if (emulated->full && emulated->drm.on && !emulated->drm.cut)
		begin_anew(emulated);
}

static const struct emulated_ring_ops xe_ring_ops = {
	.pump = xe_pump,
	.free = drm_ring_free,
};

/*
 * Create an emulated ring, which is disabled, for a stream with file @fd. .unit, .wire_size and
 * .reader.desc of the stream must be set. Returns 0 or -ENOMEM.
 */
static int xe_ring_new(struct emulated_ring **emulated, const struct stream *stream, int fd)
{
	struct drm_ring *made;
	const int err =
		drm_ring_new(&made, sizeof(struct xe_ring), &xe_ring_ops, stream, fd, xe_take);

	if (!err)
		*emulated = &made->emulated;
	return err;
}

/*
 * Stop the unit, then drain the OABUFFER, which is still readable. After an overflow, the stream is
 * not restarted by begin_anew(), so the loss is reported here.
 */
static int switch_off(struct xe_ring *emulated)
{
	const int err = drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);

	if (err)
		return err;
	if (emulated->drm.on && emulated->drm.emulated.page) {
		emulated->said = 0;
		emulated->drm.draining = true;
		drm_ring_keep(&emulated->drm);
		drm_ring_drain(&emulated->drm);
		emulated_end_keeping(&emulated->drm.emulated);
		emulated->drm.draining = false;
	}
	if (emulated->full)
		encoder_loss(&emulated->drm.encoder, GPUOA_RECORD_BUFFER_OVERFLOW);
	emulated->full = false;
	drm_ring_note_switch(&emulated->drm, false);
	return 0;
}

static int switch_on(struct xe_ring *emulated)
{
	const int err = drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL);

	if (!err)
		drm_ring_note_switch(&emulated->drm, true);
	return err;
}

/*
 * Enable or disable the stream. Data that was written before disabling can still be read if the
 * ring has space for it. Returns 0 or -errno.
 */
static int xe_ring_switch(struct emulated_ring *generic, bool on)
{
	struct xe_ring *emulated = (struct xe_ring *)generic;
	int err;

	pthread_mutex_lock(&generic->lock);
	err = on ? switch_on(emulated) : switch_off(emulated);
	pthread_mutex_unlock(&generic->lock);
	return err;
}

#define PROPERTIES_MAX 9

/*
 * Properties with which a stream is opened, as a linked list in the order in which they were added
 */
struct properties {
	struct drm_xe_ext_set_property chain[PROPERTIES_MAX];
	unsigned int count;
};

static void add(struct properties *properties, uint32_t property, uint64_t value)
{
	struct drm_xe_ext_set_property *next = &properties->chain[properties->count];

	*next = (struct drm_xe_ext_set_property){ .property = property, .value = value };
	if (properties->count++)
		next[-1].base.next_extension = (uintptr_t)next;
}

/* Check the options before the ioctl: reject those that xe does not support. */
static int check_options(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	/* xe can enable a context's counters, but reports always cover all contexts. */
	if (options->context_filter != options->query_only)
		return -EOPNOTSUPP;
	if (options->query_only && !(stream->unit->desc.features & GPUOA_UNIT_QUERY_ONLY))
		return -EOPNOTSUPP;
	return drm_stream_check(stream, options);
}

/*
 * Return the number of reports that poll(2) waits for: that at which a waiting thread is woken, or
 * those within the maximum age of reports if these are fewer, but at most a quarter of the buffer.
 * Also a read that does not wait finds no reports before poll(2) does.
 */
static uint64_t reports_to_wait_for(const struct stream *stream,
				    const struct gpuoa_stream_options *options)
{
	const uint64_t most = options->buffer_size / 4 / stream->reader.desc.report_size;
	const uint64_t age = options->poll_period_ns ? options->poll_period_ns : POLL_NS;
	uint64_t reports = options->notify_reports;

	if (age / options->period_ns < reports)
		reports = age / options->period_ns;
	if (reports > most)
		reports = most;
	return reports ? reports : 1;
}

static int choose_properties(const struct stream *stream, uint32_t id,
			     const struct gpuoa_stream_options *options,
			     struct properties *properties)
{
	const struct xe_unit *unit = (const struct xe_unit *)stream->unit;
	uint64_t format;

	if (!xe_format(stream->reader.desc.format, &format))
		return -EINVAL;
	add(properties, DRM_XE_OA_PROPERTY_OA_UNIT_ID, unit->id);
	add(properties, DRM_XE_OA_PROPERTY_OA_METRIC_SET, id);
	add(properties, DRM_XE_OA_PROPERTY_OA_FORMAT, format);
	add(properties, DRM_XE_OA_PROPERTY_OA_DISABLED, 1);
	/* xe allocates a buffer also if the unit writes no reports. */
	if (unit->capabilities & XE_OA_CAPS_BUFFER_SIZE)
		add(properties, XE_OA_PROPERTY_BUFFER_SIZE, options->buffer_size);
	if (options->context_filter) {
		add(properties, DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID, options->context);
	} else {
		add(properties, DRM_XE_OA_PROPERTY_SAMPLE_OA, 1);
		add(properties, DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT,
		    stream->reader.desc.exponent);
		if (unit->capabilities & XE_OA_CAPS_WAIT_NUM_REPORTS)
			add(properties, XE_OA_PROPERTY_WAIT_NUM_REPORTS,
			    reports_to_wait_for(stream, options));
	}
	return 0;
}

/*
 * Create the emulated ring. The file's flags for close-on-exec and non-blocking reads are set here,
 * because xe cannot set them.
 */
static int make_ring(const struct stream *stream, const struct gpuoa_stream_options *options,
		     struct emulated_ring **emulated)
{
	int err;

	if (fcntl(stream->fd, F_SETFD, FD_CLOEXEC) || fcntl(stream->fd, F_SETFL, O_NONBLOCK))
		return -errno;
	err = xe_ring_new(emulated, stream, stream->fd);
	if (!err)
		((struct drm_ring *)*emulated)->buffer_size = options->buffer_size;
	return err;
}

int xe_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options)
{
	/*
	 * If the caller selects an exec queue, open the stream on the caller's DRM file, to which
	 * the queue belongs.
	 */
	const int fd = options->context_filter ? options->drm_fd : stream->unit->fd;
	struct properties properties = { .count = 0 };
	struct emulated_ring *emulated = NULL;
	uint64_t ring_size;
	int err = check_options(stream, options);

	if (err)
		return err;
	ring_size = drm_stream_plan(stream, options);
	if (!options->buffer_size)
		options->buffer_size = options->query_only ? stream->unit->desc.buffer_size_min :
							     XE_BUFFER_SIZE;
	err = choose_properties(stream, id, options, &properties);
	if (err)
		return err;
	stream->fd = xe_observe(fd, DRM_XE_OBSERVATION_OP_STREAM_OPEN, properties.chain);
	if (stream->fd < 0)
		return stream->fd;
	err = make_ring(stream, options, &emulated);
	if (!emulated) {
		close(stream->fd);
		return err;
	}
	return drm_stream_begin(stream, emulated, ring_size, options);
}

int xe_switch_stream(struct stream *stream, bool on)
{
	/* Update the ring first, so that the emulated ring has its address. */
	if (!on)
		ring_end(&stream->ring);
	return xe_ring_switch(stream->ring.emulated, on);
}
