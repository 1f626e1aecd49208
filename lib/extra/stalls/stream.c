// SPDX-License-Identifier: MIT
/*
 * stream.c - streams of EU stall sampling of the stock xe driver
 *
 * The driver has a buffer for each Xe core, and polls their write pointers every 5 ms. A read
 * returns what the last poll has seen of all Xe cores, one after the other. A read that is too
 * small for all of it clears the state that poll(2) reports, so the buffer here is as large as the
 * driver's buffers together. If records were dropped, a read fails once with EIO, and the next one
 * succeeds.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/nsec.h"
#include "base/sized.h"
#include "base/sysfs.h"
#include "extra/device/gpu_name.h"
#include "extra/stalls/layout.h"
#include "extra/stalls/stream.h"
#include "extra/stalls/xe_eu_stall.h"
#include "reader/drm/drm_unit.h"

struct gpuoa_stall_stream {
	struct gpuoa_stall_desc desc;
	char frequency_file[128];
	int fd;
	uint32_t gt;
	bool enabled;
	uint64_t read_ns; /* time of the last read, or of the start */
	void *buffer;
	size_t buffer_size;
};

static int call(int fd, unsigned long request, void *argument)
{
	int result;

	do
		result = ioctl(fd, request, argument);
	while (result < 0 && errno == EINTR);
	return result < 0 ? -errno : result;
}

/* ---- the GPU ---- */

/* Without a name, prefer a GPU that has EU stall sampling. */
static bool is_wanted(const struct gpuoa_device_desc *gpu, const char *name)
{
	return name ? gpu_is_called(gpu, name) :
		      !strcmp(gpu->driver, "xe") && gpuoa_stall_layout_find(gpu->platform);
}

static const struct gpuoa_device_desc *find_gpu(const struct stall_machine *machine,
						const char *name)
{
	for (size_t i = 0; i < machine->count; i++)
		if (is_wanted(&machine->devices[i], name))
			return &machine->devices[i];
	return !name && machine->count ? &machine->devices[0] : NULL;
}

/* Message for GPUs and kernels without EU stall sampling; names both. */
static int complain_of_lack(const struct complaint *complaint, const struct gpuoa_device_desc *gpu)
{
	const char *title = *gpu->title ? gpu->title : "unknown GPU";
	struct utsname kernel;

	if (uname(&kernel))
		strcpy(kernel.release, "?");
	if (!gpuoa_stall_layout_find(gpu->platform))
		return COMPLAIN(
			complaint, -EOPNOTSUPP,
			"%s: cannot sample EU stalls: %s has no EU stall sampling (Linux %s, driver %s); only Ponte Vecchio, and Lunar Lake, Battlemage and later GPUs have it",
			gpu->name, title, kernel.release, *gpu->driver ? gpu->driver : "none");
	if (strcmp(gpu->driver, "xe"))
		return COMPLAIN(
			complaint, -EOPNOTSUPP,
			"%s: cannot sample EU stalls: %s is driven by %s on Linux %s; only xe of Linux 6.15 or later has streams of them",
			gpu->name, title, *gpu->driver ? gpu->driver : "no driver", kernel.release);
	return COMPLAIN(
		complaint, -EOPNOTSUPP,
		"%s: cannot sample EU stalls: xe of Linux %s has none for %s; Linux 6.15 or later is needed (Xe3p: 6.19), and the GPU must not be a virtual function",
		gpu->name, kernel.release, title);
}

static int open_node(const struct gpuoa_device_desc *gpu, const struct complaint *complaint)
{
	const char *node = *gpu->render ? gpu->render : gpu->card;
	const int fd = open(node, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	return COMPLAIN(complaint, -errno, "%s: cannot open %s: %s%s", gpu->name, node,
			strerror(errno),
			errno == EACCES ? "; join the group 'render', or run as root" : "");
}

/* Query xe. Returns the answer, which the caller frees; on error, returns NULL and sets *err. */
static void *query(int fd, uint32_t what, uint32_t *size, int *err)
{
	struct drm_xe_device_query args = { .query = what };
	void *answer;

	*err = call(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args);
	if (*err)
		return NULL;
	answer = calloc(1, (size_t)args.size + 1);
	args.data = (uintptr_t)answer;
	*err = answer ? call(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args) : -ENOMEM;
	*size = args.size;
	if (!*err)
		return answer;
	free(answer);
	return NULL;
}

static int describe_periods(int fd, struct gpuoa_stall_desc *desc)
{
	uint32_t size;
	int err;
	struct xe_eu_stall_info *info = query(fd, XE_QUERY_EU_STALL, &size, &err);

	if (!info)
		return err;
	if (size < sizeof(*info) || info->record_size != STALL_RECORD_SIZE ||
	    info->period_count > (size - sizeof(*info)) / sizeof(info->periods[0]) ||
	    !info->period_count || info->buffer_size % STALL_RECORD_SIZE || !info->buffer_size)
		err = -EPROTO;
	for (uint64_t i = 0; !err && i < info->period_count && i < GPUOA_STALL_PERIODS; i++)
		desc->periods[desc->period_count++] = (uint32_t)info->periods[i];
	desc->buffer_size = info->buffer_size;
	free(info);
	return err;
}

static bool has_cores(uint16_t type)
{
	return type == DRM_XE_TOPO_DSS_GEOMETRY || type == DRM_XE_TOPO_DSS_COMPUTE;
}

/* Count the Xe cores of a GT: those that geometry or compute pipes use. */
static uint32_t count_cores(int fd, uint32_t gt)
{
	uint8_t cores[64] = { 0 };
	uint32_t size, count = 0;
	int err;
	uint8_t *answer = query(fd, DRM_XE_DEVICE_QUERY_GT_TOPOLOGY, &size, &err);
	const struct drm_xe_query_topology_mask *mask;

	if (!answer)
		return 0;
	for (uint32_t at = 0; size - at >= sizeof(*mask); at += sizeof(*mask) + mask->num_bytes) {
		mask = (const void *)(answer + at);
		if (mask->num_bytes > size - at - sizeof(*mask))
			break;
		for (uint32_t i = 0; i < mask->num_bytes && i < sizeof(cores); i++)
			if (mask->gt_id == gt && has_cores(mask->type))
				cores[i] |= mask->mask[i];
	}
	for (size_t i = 0; i < sizeof(cores); i++)
		count += (uint32_t)__builtin_popcount(cores[i]);
	free(answer);
	return count;
}

#define HZ_PER_MHZ UINT64_C(1000000)

/* A GPU that sleeps has no clock: the file then contains 0. */
static uint64_t read_frequency(const char *file)
{
	const int64_t mhz = sysfs_number(file);

	return mhz == SYSFS_NONE ? 0 : (uint64_t)mhz * HZ_PER_MHZ;
}

/* Find a GPU, open its node and describe it. Returns the file descriptor or a negative errno. */
static int open_gpu(const struct stall_machine *machine, const char *name,
		    struct gpuoa_stall_stream *stream, const struct complaint *complaint)
{
	const struct gpuoa_device_desc *gpu = find_gpu(machine, name);
	struct gpuoa_stall_desc *desc = &stream->desc;
	int fd, err;

	if (!gpu)
		return COMPLAIN(complaint, machine->count ? -ENOENT : -ENODEV,
				"no GPU %s: see 'gpuoa list gpus'",
				name ? name : "on this machine");
	if (!gpuoa_stall_layout_find(gpu->platform) || strcmp(gpu->driver, "xe"))
		return complain_of_lack(complaint, gpu);
	fd = open_node(gpu, complaint);
	if (fd < 0)
		return fd;
	memcpy(desc->device, gpu->name, sizeof(desc->device));
	memcpy(desc->platform, gpu->platform, sizeof(desc->platform));
	memcpy(desc->title, gpu->title, sizeof(desc->title));
	desc->layout = gpuoa_stall_layout_find(gpu->platform);
	snprintf(stream->frequency_file, sizeof(stream->frequency_file),
		 "/sys/class/drm%s/device/tile0/gt%" PRIu32 "/freq0/act_freq",
		 *gpu->card ? strrchr(gpu->card, '/') : "/none", stream->gt);
	err = describe_periods(fd, desc);
	if (err == -EINVAL || err == -ENODEV)
		err = complain_of_lack(complaint, gpu);
	else if (err == -EPROTO)
		err = COMPLAIN(
			complaint, -EOPNOTSUPP,
			"%s: cannot sample EU stalls: xe describes records that this library does not know",
			gpu->name);
	if (err) {
		close(fd);
		return err;
	}
	desc->xe_core_count = count_cores(fd, stream->gt);
	return fd;
}

int stall_check_on(const struct stall_machine *machine, const char *device,
		   struct gpuoa_stall_desc *desc, size_t size, const struct complaint *complaint)
{
	struct gpuoa_stall_stream stream = { .fd = -1 };
	const int fd = open_gpu(machine, device, &stream, complaint);

	if (fd < 0)
		return fd;
	close(fd);
	gpuoa_stall_describe(&stream, desc, size);
	return 0;
}

/* ---- opening ---- */

/* Round a period down to a possible one. */
static int choose_period(const struct gpuoa_stall_desc *desc, uint32_t *clocks,
			 const struct complaint *complaint)
{
	const uint32_t longest = desc->periods[desc->period_count - 1];
	const uint32_t shortest = desc->periods[0];
	uint32_t found = *clocks ? shortest : longest;

	if (*clocks && (*clocks < shortest || *clocks > longest))
		return COMPLAIN(complaint, -ERANGE,
				"%s: cannot sample EU stalls every %" PRIu32
				" clocks: possible are %" PRIu32 " to %" PRIu32 " clocks",
				desc->device, *clocks, shortest, longest);
	for (uint32_t i = 0; i < desc->period_count && *clocks; i++)
		if (desc->periods[i] <= *clocks)
			found = desc->periods[i];
	*clocks = found;
	return 0;
}

static int open_xe(int fd, const struct gpuoa_stall_stream *stream, uint32_t notify)
{
	const uint64_t values[][2] = {
		{ XE_EU_STALL_GT_ID, stream->gt },
		{ XE_EU_STALL_SAMPLE_RATE, stream->desc.period_clocks },
		{ XE_EU_STALL_WAIT_NUM_REPORTS, notify },
	};
	struct drm_xe_ext_set_property properties[3] = { 0 };
	struct drm_xe_observation_param args = {
		.observation_type = XE_OBSERVATION_EU_STALL,
		.observation_op = DRM_XE_OBSERVATION_OP_STREAM_OPEN,
		.param = (uintptr_t)properties,
	};

	for (unsigned int i = 0; i < 3; i++) {
		properties[i].base.name = XE_EU_STALL_SET_PROPERTY;
		properties[i].base.next_extension = i < 2 ? (uintptr_t)&properties[i + 1] : 0;
		properties[i].property = (uint32_t)values[i][0];
		properties[i].value = values[i][1];
	}
	return call(fd, DRM_IOCTL_XE_OBSERVATION, &args);
}

static int complain_of_open(const struct complaint *complaint, const struct gpuoa_stall_desc *desc,
			    uint32_t notify, int err)
{
	const uint64_t records = desc->buffer_size / STALL_RECORD_SIZE * desc->xe_core_count;
	struct gpuoa_unit_user use = { .process = 0 };

	switch (err) {
	case -EACCES:
		return COMPLAIN(
			complaint, err,
			"%s: cannot sample EU stalls: no permission; run as root or with CAP_PERFMON, or set dev.xe.observation_paranoid to 0",
			desc->device);
	case -EBUSY:
		if (drm_user_find("anon_inode:[xe_eu_stall]", &use))
			return COMPLAIN(complaint, err,
					"%s: cannot sample EU stalls: %s (process %" PRIu32
					") does; stop that program, since xe serves one at a time",
					desc->device, use.program, use.process);
		return COMPLAIN(
			complaint, err,
			"%s: cannot sample EU stalls: another program does; stop it, since xe serves one at a time",
			desc->device);
	case -EINVAL:
		if (records && notify > records)
			return COMPLAIN(complaint, err,
					"%s: cannot sample EU stalls: notify_records is %" PRIu32
					", but the buffers have room for %" PRIu64,
					desc->device, notify, records);
		break;
	default:
		break;
	}
	return COMPLAIN(complaint, err, "%s: cannot sample EU stalls: %s", desc->device,
			strerror(-err));
}

/* A small buffer is enough where the topology is unknown; the rest is left to the next read. */
static int allocate(struct gpuoa_stall_stream *stream)
{
	const uint32_t cores = stream->desc.xe_core_count ? stream->desc.xe_core_count : 1;
	void *buffer;

	stream->buffer_size = (size_t)stream->desc.buffer_size * cores;
	buffer = mmap(NULL, stream->buffer_size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (buffer == MAP_FAILED)
		return -ENOMEM;
	stream->buffer = buffer;
	return 0;
}

static int open_stream(struct gpuoa_stall_stream *stream, const struct stall_machine *machine,
		       const char *device, struct gpuoa_stall_options *options,
		       const struct complaint *complaint)
{
	struct gpuoa_stall_desc *desc = &stream->desc;
	const int node = open_gpu(machine, device, stream, complaint);
	int err;

	if (node < 0)
		return node;
	err = choose_period(desc, &options->period_clocks, complaint);
	desc->period_clocks = options->period_clocks;
	if (!options->notify_records)
		options->notify_records = (uint32_t)(desc->buffer_size / STALL_RECORD_SIZE / 4);
	if (!err)
		err = allocate(stream);
	if (!err) {
		stream->fd = open_xe(node, stream, options->notify_records);
		if (stream->fd < 0)
			err = complain_of_open(complaint, desc, options->notify_records,
					       stream->fd);
	}
	close(node);
	if (err)
		return err;
	/* xe opens the file without these flags. */
	if (fcntl(stream->fd, F_SETFD, FD_CLOEXEC) || fcntl(stream->fd, F_SETFL, O_NONBLOCK))
		return -errno;
	return options->disabled ? 0 : gpuoa_stall_enable(stream);
}

int stall_open_on(const struct stall_machine *machine, const char *device,
		  struct gpuoa_stall_options *options, struct gpuoa_stall_stream **stream,
		  const struct complaint *complaint)
{
	struct gpuoa_stall_stream *new;
	struct gpuoa_stall_options known;
	int err = sized_take(&known, sizeof(known), options,
			     offsetof(struct gpuoa_stall_options, disabled), "options", complaint);

	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->fd = -1;
	err = open_stream(new, machine, device, &known, complaint);
	if (err) {
		gpuoa_stall_close(new);
		return err;
	}
	if (options) {
		options->period_clocks = known.period_clocks;
		options->notify_records = known.notify_records;
	}
	*stream = new;
	return 0;
}

/* ---- this machine ---- */

#define DEVICES_MAX 64 /* no machine has more GPUs */

/* List the GPUs of this machine. The caller frees .devices. Returns 0 or a negative errno. */
static int list_machine(struct stall_machine *machine)
{
	struct gpuoa_device_desc *devices = calloc(DEVICES_MAX, sizeof(*devices));
	const int count = devices ? gpuoa_device_list(devices, sizeof(*devices), DEVICES_MAX) :
				    -ENOMEM;

	*machine = (struct stall_machine){ devices,
					   count < DEVICES_MAX ? (size_t)count : DEVICES_MAX };
	if (count >= 0)
		return 0;
	free(devices);
	return count;
}

int gpuoa_stall_check(const char *device, struct gpuoa_stall_desc *desc, size_t size, char *error,
		      size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct stall_machine machine;
	int err = list_machine(&machine);

	if (!err) {
		err = stall_check_on(&machine, device, desc, size, &complaint);
		free((void *)machine.devices);
	}
	return complaint_end(&complaint, err);
}

int gpuoa_stall_open(const char *device, struct gpuoa_stall_options *options,
		     struct gpuoa_stall_stream **stream, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct stall_machine machine;
	int err = list_machine(&machine);

	if (!err) {
		err = stall_open_on(&machine, device, options, stream, &complaint);
		free((void *)machine.devices);
	}
	return complaint_end(&complaint, err);
}

/* ---- closing ---- */

void gpuoa_stall_close(struct gpuoa_stall_stream *stream)
{
	if (!stream)
		return;
	if (stream->fd >= 0)
		close(stream->fd);
	if (stream->buffer)
		munmap(stream->buffer, stream->buffer_size);
	free(stream);
}

void gpuoa_stall_describe(const struct gpuoa_stall_stream *stream, struct gpuoa_stall_desc *desc,
			  size_t size)
{
	struct gpuoa_stall_desc now = stream->desc;

	now.frequency = read_frequency(stream->frequency_file);
	sized_give(desc, size, &now, sizeof(now));
}

/* ---- reading ---- */

int gpuoa_stall_enable(struct gpuoa_stall_stream *stream)
{
	const int err = stream->enabled ? 0 :
					  call(stream->fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL);

	if (err || stream->enabled)
		return err;
	stream->enabled = true;
	stream->read_ns = now_ns();
	return 0;
}

int gpuoa_stall_disable(struct gpuoa_stall_stream *stream)
{
	const int err = stream->enabled ? call(stream->fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL) :
					  0;

	if (!err)
		stream->enabled = false;
	return err;
}

int gpuoa_stall_fd(const struct gpuoa_stall_stream *stream)
{
	return stream->fd;
}

int gpuoa_stall_wait(struct gpuoa_stall_stream *stream, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = stream->fd, .events = POLLIN };
	const int count = poll(&poll_fd, 1, timeout_ms);

	return count < 0 ? -errno : count;
}

/* xe reports at most one loss per poll of its buffers, so there are few in a row. */
#define LOSSES_MAX 4

int gpuoa_stall_read(struct gpuoa_stall_stream *stream, struct gpuoa_stall_window *window,
		     size_t size)
{
	struct gpuoa_stall_window found = { .begin_ns = stream->read_ns };
	ssize_t count;

	if (!stream->enabled)
		return -EINVAL;
	do
		count = read(stream->fd, stream->buffer, stream->buffer_size);
	while (count < 0 && (errno == EINTR || (errno == EIO && ++found.losses < LOSSES_MAX)));
	if (count < 0 && errno != EAGAIN && errno != EIO)
		return -errno;
	found.end_ns = now_ns();
	stream->read_ns = found.end_ns;
	if (count > 0) {
		found.records = stream->buffer;
		found.count = (size_t)count / STALL_RECORD_SIZE;
	}
	sized_give(window, size, &found, sizeof(found));
	return 0;
}
