// SPDX-License-Identifier: MIT
/* i915_stream.c - open, enable and disable a stream of i915-perf */
#include <errno.h>
#include <i915_drm.h>
#include <inttypes.h>
#include <poll.h>
#include <unistd.h>

#include "base/nsec.h"
#include "reader/drm/drm_stream.h"
#include "reader/drm/drm_unit.h"
#include "reader/i915/i915.h"
#include "reader/i915/i915_ring.h"
#include "reader/stream/stream.h"
#include "reader/stream/stream_error.h"

static void complain_of_access(const struct complaint *complaint,
			       const struct gpuoa_unit_desc *unit,
			       const struct gpuoa_stream_options *options)
{
	const long limit = stream_sysctl("/proc/sys/dev/i915/oa_max_sample_rate");
	const uint64_t rate = options->period_ns ? NSEC_PER_SEC / options->period_ns : 0;

	if (limit >= 0 && rate > (uint64_t)limit)
		complaint_print(
			complaint,
			"may not sample %s %" PRIu64
			" times a second: run as root or with CAP_PERFMON, or raise dev.i915.oa_max_sample_rate (now %ld Hz)",
			unit->name, rate, limit);
	else
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.i915.perf_stream_paranoid (now %ld) to 0",
			unit->name, stream_sysctl("/proc/sys/dev/i915/perf_stream_paranoid"));
}

static void complain_of_use(const struct complaint *complaint, const struct gpuoa_unit_desc *unit)
{
	struct gpuoa_unit_user use = { .process = 0 };
	char user[64];

	drm_user_find("anon_inode:[i915_perf]", &use);
	stream_user(&use, user, sizeof(user));
	complaint_print(
		complaint,
		"%s is in use%s: i915-perf serves one program at a time; stop that one, or use gpuoa.ko, which shares units",
		unit->name, user);
}

/* Describe the option that i915-perf does not support, for an error message. */
static const char *lacks(const struct gpuoa_stream_options *options)
{
	const char *what = drm_stream_lacks(options);

	return what ? what : "does without reports on gen12 only, and for one context";
}

bool i915_complain(const struct complaint *complaint, const struct stream *stream,
		   const struct gpuoa_stream_options *options, int err)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	switch (err) {
	case -EACCES:
		complain_of_access(complaint, unit, options);
		return true;
	case -EBUSY:
		complain_of_use(complaint, unit);
		return true;
	case -EOPNOTSUPP:
		complaint_print(complaint, "%s: i915-perf %s", unit->name, lacks(options));
		return true;
	case -ENOENT:
		complaint_print(complaint, "%s: the DRM file has no context %" PRIu32, unit->name,
				options->context);
		return true;
	case -EINVAL:
		complaint_print(
			complaint,
			"i915 refuses this stream of %s: the set was removed meanwhile, or the GPU has no such report format",
			unit->name);
		return true;
	case -EIO:
		complaint_print(
			complaint,
			"i915 cannot program %s: the GPU hangs, or was declared wedged ('dmesg' tells)",
			unit->name);
		return true;
	case -ERANGE:
		if (!options->poll_period_ns || options->poll_period_ns >= I915_POLL_PERIOD_MIN_NS)
			return false;
		complaint_print(complaint,
				"i915 looks for reports of %s each %" PRIu64
				" ns at the most often: ask for a longer poll_period_ns",
				unit->name, I915_POLL_PERIOD_MIN_NS);
		return true;
	case -ENODEV:
		if (!unit_check(stream->unit))
			complaint_print(complaint, "i915 cannot measure %s", unit->name);
		return !unit_check(stream->unit);
	default:
		return false;
	}
}

#define POLL_PERIOD_REVISION 5
#define POLL_PERIOD_OLD_NS (5 * (uint64_t)NSEC_PER_MSEC)

/* Properties with which a stream is opened, as pairs of number and value */
struct properties {
	uint64_t pairs[2 * DRM_I915_PERF_PROP_MAX];
	uint32_t count;
};

static void add(struct properties *properties, uint64_t property, uint64_t value)
{
	properties->pairs[2 * properties->count] = property;
	properties->pairs[2 * properties->count + 1] = value;
	properties->count++;
}

/*
 * Return the period in ns at which i915 is to poll the hardware: the notification period, or the
 * maximum age of reports that the caller requested, but at most the time in which a quarter of the
 * buffer fills.
 */
static uint64_t poll_period(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	const uint64_t reports =
		stream->unit->desc.buffer_size_max / 4 / stream->reader.desc.report_size;
	uint64_t ns = options->notify_reports * options->period_ns;

	if (options->poll_period_ns && options->poll_period_ns < ns)
		ns = options->poll_period_ns;
	if (ns > reports * options->period_ns)
		ns = reports * options->period_ns;
	return ns < I915_POLL_PERIOD_MIN_NS ? I915_POLL_PERIOD_MIN_NS : ns;
}

static void choose_properties(const struct stream *stream, uint32_t id,
			      const struct gpuoa_stream_options *options, uint64_t poll_ns,
			      struct properties *properties)
{
	const struct i915_unit *unit = (const struct i915_unit *)stream->unit;

	add(properties, DRM_I915_PERF_PROP_OA_METRICS_SET, id);
	add(properties, DRM_I915_PERF_PROP_OA_FORMAT, stream->reader.desc.format);
	if (options->context_filter)
		add(properties, DRM_I915_PERF_PROP_CTX_HANDLE, options->context);
	if (options->query_only)
		return;
	add(properties, DRM_I915_PERF_PROP_SAMPLE_OA, 1);
	add(properties, DRM_I915_PERF_PROP_OA_EXPONENT, stream->reader.desc.exponent);
	if (unit->revision >= POLL_PERIOD_REVISION)
		add(properties, DRM_I915_PERF_PROP_POLL_OA_PERIOD, poll_ns);
}

/* Check the options before the ioctl: reject those that i915-perf does not support. */
static int check_options(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	const uint64_t features = stream->unit->desc.features;

	if (options->query_only && !(options->context_filter && features & GPUOA_UNIT_QUERY_ONLY))
		return -EOPNOTSUPP;
	if (options->poll_period_ns && options->poll_period_ns < I915_POLL_PERIOD_MIN_NS)
		return -ERANGE;
	return drm_stream_check(stream, options);
}

int i915_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options)
{
	const struct i915_unit *unit = (const struct i915_unit *)stream->unit;
	struct properties properties = { .count = 0 };
	struct drm_i915_perf_open_param open = {
		.flags = I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK |
			 I915_PERF_FLAG_DISABLED,
		.properties_ptr = (uintptr_t)properties.pairs,
	};
	/*
	 * If the caller selects a context, open the stream on the caller's DRM file, to which the
	 * context handle belongs.
	 */
	const int fd = options->context_filter ? options->drm_fd : stream->unit->fd;
	uint64_t ring_size, poll_ns;
	struct emulated_ring *emulated;
	int err = check_options(stream, options);

	if (err)
		return err;
	ring_size = drm_stream_plan(stream, options);
	poll_ns = unit->revision < POLL_PERIOD_REVISION ? POLL_PERIOD_OLD_NS :
							  poll_period(stream, options);
	choose_properties(stream, id, options, poll_ns, &properties);
	open.num_properties = properties.count;
	stream->fd = drm_ioctl(fd, DRM_IOCTL_I915_PERF_OPEN, &open);
	if (stream->fd < 0)
		return stream->fd;
	err = i915_ring_new(&emulated, stream, stream->fd, poll_ns);
	if (err) {
		close(stream->fd);
		return err;
	}
	return drm_stream_begin(stream, emulated, ring_size, options);
}

/*
 * Wait for i915's next poll of the hardware: i915 only returns reports that it has polled, and none
 * after the stream is disabled.
 */
static void drain(struct stream *stream)
{
	struct pollfd pollfd = { .fd = stream->fd, .events = POLLIN };

	i915_ring_drain(stream->ring.emulated, true);
	ring_end(&stream->ring);
	poll(&pollfd, 1, i915_ring_poll_ms(stream->ring.emulated));
	ring_end(&stream->ring);
	i915_ring_drain(stream->ring.emulated, false);
}

int i915_switch_stream(struct stream *stream, bool on)
{
	int err;

	if (!on && stream->sampling)
		drain(stream);
	err = drm_ioctl(stream->fd, on ? I915_PERF_IOCTL_ENABLE : I915_PERF_IOCTL_DISABLE, NULL);
	if (!err)
		i915_ring_switch(stream->ring.emulated, on);
	return err;
}
