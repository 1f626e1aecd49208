// SPDX-License-Identifier: MIT
/*
 * fuzz_calls.c - random system calls on everything that gpuoa provides, by threads of root and of a
 * user without privileges, while GPUs are reset, suspended, removed and added.
 *
 * fuzz_calls [CALLS [SEED]]
 *
 * The kernel must not complain, which scripts/vm/run.sh checks, and a GPU must be usable
 * afterwards. The same seed draws the same calls, but their order among threads is left to the
 * scheduler. Threads share file descriptors without a lock, so that calls meet descriptors that
 * another thread closes, and so that a forked child needs no lock that another thread held.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "gpu_unit.h"
#include "sim.h"
#include "uapi/gpuoa_sim.h"

#define CALLS 20000
#define THREADS 3
#define FDS 48
#define MAPS 8 /* per thread */
#define PAGE 4096UL
#define AREA_OFFSET 0x200000 /* file offset of AUX areas, after the largest ring */
#define NOBODY 65534
#define UNITS 8
#define ERRNO_MAX 134
#define NODES 4

enum kind { EVENT = 1, SOFTWARE, STREAM, UNIT, NODE };

enum call {
	OPEN_FLAT,
	OPEN_EXTENSIBLE,
	OPEN_SOFTWARE,
	OPEN_STREAM,
	OPEN_UNIT,
	OPEN_NODE,
	MAP_RING,
	MAP_AREA,
	UNMAP,
	REMAP,
	EVENT_IOCTL,
	UNIT_IOCTL,
	STREAM_IOCTL,
	NODE_IOCTL,
	READ,
	POLL,
	FORK,
	SYSFS,
	CLOSE,
	CHAOS,
	N_CALLS
};

static const char *const names[] = {
	[OPEN_FLAT] = "perf_event_open() with config",
	[OPEN_EXTENSIBLE] = "perf_event_open() with gpuoa_attr",
	[OPEN_SOFTWARE] = "perf_event_open() of a software event",
	[OPEN_STREAM] = "GPUOA_IOC_OPEN_STREAM",
	[OPEN_UNIT] = "open() of a unit",
	[OPEN_NODE] = "open() of a render node",
	[MAP_RING] = "mmap() of a ring",
	[MAP_AREA] = "mmap() of an AUX area",
	[UNMAP] = "munmap()",
	[REMAP] = "mremap()",
	[EVENT_IOCTL] = "ioctl() of an event",
	[UNIT_IOCTL] = "ioctl() of a unit",
	[STREAM_IOCTL] = "ioctl() of a stream",
	[NODE_IOCTL] = "ioctl() of a render node",
	[READ] = "read()",
	[POLL] = "poll()",
	[FORK] = "fork()",
	[SYSFS] = "read() of a file in sysfs",
	[CLOSE] = "close()",
	[CHAOS] = "write() to a file of the simulator",
};

/* Shared by all processes */
static struct shared {
	uint64_t left; /* number of calls to make */
	bool only_streams; /* do not open events, and close the open ones */
	uint64_t calls[N_CALLS];
	uint64_t succeeded[N_CALLS];
	uint64_t errors[N_CALLS][ERRNO_MAX];
} * shared;

struct map {
	void *at;
	size_t size;
	bool control; /* the mapping begins with the writable control page of a ring */
};

struct thread {
	uint64_t state; /* of the random numbers */
	struct map maps[MAPS];
	uint8_t bytes[65536];
};

/* File descriptors of the process, each with its kind, or 0 */
static uint32_t fds[FDS];

/* ---- random numbers -------------------------------------------------------------------------- */

static uint64_t draw(struct thread *thread)
{
	thread->state ^= thread->state << 13;
	thread->state ^= thread->state >> 7;
	thread->state ^= thread->state << 17;
	return thread->state * 0x2545f4914f6cdd1dULL;
}

static uint32_t below(struct thread *thread, uint32_t n)
{
	return (draw(thread) >> 33) % n;
}

static bool percent(struct thread *thread, unsigned int chance)
{
	return below(thread, 100) < chance;
}

/* Draw a number that is at an edge of a range, or any number. */
static uint64_t odd(struct thread *thread)
{
	switch (below(thread, 6)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return 1ULL << below(thread, 64);
	case 3:
		return (1ULL << below(thread, 64)) - 1;
	case 4:
		return below(thread, 300);
	default:
		return draw(thread);
	}
}

/* ---- file descriptors and counts ------------------------------------------------------------- */

static long count(enum call call, long result)
{
	__atomic_fetch_add(&shared->calls[call], 1, __ATOMIC_RELAXED);
	if (result >= 0)
		__atomic_fetch_add(&shared->succeeded[call], 1, __ATOMIC_RELAXED);
	else if (errno < ERRNO_MAX)
		__atomic_fetch_add(&shared->errors[call][errno], 1, __ATOMIC_RELAXED);
	return result;
}

static void keep_fd(struct thread *thread, enum kind kind, long fd)
{
	uint32_t start = below(thread, FDS), at = start, old;

	if (fd < 0)
		return;
	for (uint32_t i = 0; i < FDS && __atomic_load_n(&fds[at], __ATOMIC_RELAXED); i++)
		at = (start + i) % FDS;
	old = __atomic_exchange_n(&fds[at], kind << 24 | (uint32_t)fd, __ATOMIC_RELAXED);
	if (old)
		close((int)(old & 0xffffff));
}

/* Find a file descriptor of one of two kinds. Another thread may close it. Return -1 if none. */
static int find_fd(struct thread *thread, enum kind kind, enum kind other)
{
	uint32_t start = below(thread, FDS);

	for (uint32_t i = 0; i < FDS; i++) {
		uint32_t fd = __atomic_load_n(&fds[(start + i) % FDS], __ATOMIC_RELAXED);

		if (fd && (fd >> 24 == kind || fd >> 24 == other))
			return (int)(fd & 0xffffff);
	}
	return -1;
}

static void close_any(struct thread *thread)
{
	uint32_t fd = __atomic_exchange_n(&fds[below(thread, FDS)], 0, __ATOMIC_RELAXED);

	if (fd)
		count(CLOSE, close((int)(fd & 0xffffff)));
}

/* ---- open ------------------------------------------------------------------------------------ */

static long number_in(const char *format, unsigned int unit)
{
	char path[96];
	uint64_t value;

	snprintf(path, sizeof(path), format, unit);
	value = file_get(path);
	return value == UINT64_MAX ? -1 : (long)value;
}

/* The first GPU is never removed, and has streams for users without privileges. */
static unsigned int any_gpu(struct thread *thread, unsigned int n)
{
	return percent(thread, 60) ? 0 : below(thread, n);
}

static long perf_open(struct thread *thread, struct perf_event_attr *attr)
{
	unsigned int unit = any_gpu(thread, UNITS);
	long cpu = number_in("/sys/bus/event_source/devices/gpuoa%u/cpumask", unit);
	int group = percent(thread, 15) ? find_fd(thread, EVENT, SOFTWARE) : -1;

	if (attr->type != PERF_TYPE_SOFTWARE)
		attr->type =
			(uint32_t)number_in("/sys/bus/event_source/devices/gpuoa%u/type", unit);
	if (percent(thread, 2))
		cpu = below(thread, 4);
	return syscall(SYS_perf_event_open, attr, percent(thread, 98) ? -1 : 0, (int)cpu, group,
		       percent(thread, 90) ? PERF_FLAG_FD_CLOEXEC : below(thread, 16));
}

static struct perf_event_attr any_attr(struct thread *thread)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_RAW,
		.disabled = percent(thread, 50),
		.pinned = percent(thread, 20),
		.write_backward = percent(thread, 10),
		.sample_period = 100000 * (1 + below(thread, 10)),
	};

	if (percent(thread, 30))
		attr.sample_type |= PERF_SAMPLE_TIME | PERF_SAMPLE_READ | PERF_SAMPLE_ID;
	if (percent(thread, 2))
		attr.sample_type |= odd(thread);
	if (percent(thread, 30))
		attr.read_format = below(thread, 32);
	if (percent(thread, 20))
		attr.wakeup_events = below(thread, 100);
	if (percent(thread, 20))
		attr.aux_watermark = (uint32_t)odd(thread);
	if (percent(thread, 2))
		((uint8_t *)&attr)[8 + below(thread, sizeof(attr) - 8)] ^= 1 << below(thread, 8);
	return attr;
}

/*
 * Draw a timer exponent. It is mostly the same one, because a unit has one exponent at a time. That
 * exponent has a period at which an emulated CPU still has time for calls.
 */
static uint32_t any_exponent(struct thread *thread)
{
	if (percent(thread, 90))
		return 12;
	return percent(thread, 90) ? 11 + below(thread, 8) : below(thread, 256);
}

static void map_area_of(struct thread *thread, int fd);

static void open_flat(struct thread *thread)
{
	struct perf_event_attr attr = any_attr(thread);
	bool area = percent(thread, 25), counts = !area && percent(thread, 30);
	long fd;

	attr.config = percent(thread, 95) ? 1 : below(thread, 12);
	attr.config |= (uint64_t)any_exponent(thread) << GPUOA_CONFIG_EXPONENT_SHIFT;
	if (area)
		attr.config |= GPUOA_CONFIG_AUX_MASK;
	if (counts) {
		attr.config |= (uint64_t)(1 + below(thread, 0x300)) << GPUOA_CONFIG_COUNTER_SHIFT;
		attr.sample_type = 0;
		attr.sample_period = 0;
	}
	if (percent(thread, 3))
		attr.config ^= odd(thread);
	if (percent(thread, 3))
		attr.config1 = odd(thread);
	fd = count(OPEN_FLAT, perf_open(thread, &attr));
	if (fd >= 0 && area)
		map_area_of(thread, (int)fd);
	keep_fd(thread, EVENT, fd);
}

static struct gpuoa_register registers[] = {
	{ 0x9888, 1 }, { 0x2710, 0 }, { 0x2740, 0 }, { 0xd900, 0 }, { 0xd920, 2 }, { 0xe458, 3 },
};

static struct gpuoa_attr any_gpuoa_attr(struct thread *thread)
{
	struct gpuoa_attr attr = { .size = sizeof(attr), .metric_set = 1 };

	if (percent(thread, 80)) {
		attr.flags |= GPUOA_ATTR_EXPONENT;
		attr.exponent = any_exponent(thread);
	}
	if (percent(thread, 10)) {
		attr.flags |= GPUOA_ATTR_AUX;
	} else if (percent(thread, 20)) {
		attr.flags |= GPUOA_ATTR_CONTEXT;
		attr.drm_fd = find_fd(thread, NODE, NODE);
		attr.context = 1 + below(thread, 3);
		if (percent(thread, 20))
			attr.flags |= GPUOA_ATTR_BATCH_BOUNDARY_REPORTS;
		if (percent(thread, 20)) {
			attr.flags &= ~(GPUOA_ATTR_EXPONENT | GPUOA_ATTR_BATCH_BOUNDARY_REPORTS);
			attr.flags |= GPUOA_ATTR_QUERY_ONLY;
			attr.exponent = 0;
		}
	}
	if (percent(thread, 20))
		attr.buffer_size = 0x20000u << below(thread, 6);
	if (percent(thread, 20))
		attr.poll_us = GPUOA_POLL_US_MIN + below(thread, 10000);
	if (percent(thread, 10))
		attr.dword_mask[0] = 0xffff;
	if (percent(thread, 8)) {
		attr.metric_set = 0;
		attr.n_boolean = 1 + below(thread, sizeof(registers) / sizeof(*registers));
		attr.boolean = (uintptr_t)registers;
	}
	if (percent(thread, 10))
		((uint8_t *)&attr)[below(thread, sizeof(attr))] ^= 1 << below(thread, 8);
	return attr;
}

static void open_extensible(struct thread *thread)
{
	struct gpuoa_attr gpuoa = any_gpuoa_attr(thread);
	struct perf_event_attr attr = any_attr(thread);
	long fd;

	attr.config1 = percent(thread, 98) ? (uintptr_t)&gpuoa : odd(thread);
	fd = count(OPEN_EXTENSIBLE, perf_open(thread, &attr));
	if (fd >= 0 && gpuoa.flags & GPUOA_ATTR_AUX)
		map_area_of(thread, (int)fd);
	keep_fd(thread, EVENT, fd);
}

static void open_software(struct thread *thread)
{
	struct perf_event_attr attr = any_attr(thread);

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = percent(thread, 50) ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_CPU_CLOCK;
	keep_fd(thread, SOFTWARE, count(OPEN_SOFTWARE, perf_open(thread, &attr)));
}

static void open_path(struct thread *thread, enum call call, enum kind kind, const char *format,
		      unsigned int number)
{
	char path[32];

	snprintf(path, sizeof(path), format, number);
	keep_fd(thread, kind, count(call, open(path, O_RDWR | O_CLOEXEC)));
}

static void open_unit(struct thread *thread)
{
	open_path(thread, OPEN_UNIT, UNIT, "/dev/gpuoa%u", any_gpu(thread, UNITS));
}

static void open_node(struct thread *thread)
{
	struct drm_gpuoa_sim_context context = { 0 };
	int fd;

	open_path(thread, OPEN_NODE, NODE, "/dev/dri/renderD%u", 128 + any_gpu(thread, NODES));
	fd = find_fd(thread, NODE, NODE);
	/* Create few contexts, because a GPU has a limited number of them and streams need some. */
	if (fd >= 0 && percent(thread, 30))
		count(NODE_IOCTL, ioctl(fd, DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE, &context));
}

/*
 * Open a stream of a context that nothing else uses. It can only be opened while no event measures
 * the unit.
 */
static long open_stream_of_new_context(void)
{
	struct drm_gpuoa_sim_context context = { 0 };
	struct gpuoa_attr attr = {
		.size = sizeof(attr),
		.metric_set = 1,
		.flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_EXPONENT,
		.exponent = 12,
	};
	int unit = open("/dev/gpuoa0", O_RDWR | O_CLOEXEC);
	int node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	long stream;

	count(NODE_IOCTL, ioctl(node, DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE, &context));
	attr.drm_fd = node;
	attr.context = context.handle;
	stream = count(OPEN_STREAM, ioctl(unit, GPUOA_IOC_OPEN_STREAM, &attr));
	close(node);
	close(unit);
	return stream;
}

static void open_stream(struct thread *thread)
{
	struct gpuoa_attr attr = any_gpuoa_attr(thread);
	int unit = find_fd(thread, UNIT, UNIT);

	/* Without privileges, only a stream of a context can be opened. */
	if (percent(thread, 80))
		keep_fd(thread, STREAM, open_stream_of_new_context());
	else
		keep_fd(thread, STREAM,
			count(OPEN_STREAM, ioctl(unit, GPUOA_IOC_OPEN_STREAM, &attr)));
}

/* ---- mappings -------------------------------------------------------------------------------- */

static void keep_map(struct thread *thread, enum call call, void *at, size_t size, bool control)
{
	struct map *map = &thread->maps[below(thread, MAPS)];

	if (count(call, at == MAP_FAILED ? -1 : 0) < 0)
		return;
	if (map->at)
		count(UNMAP, munmap(map->at, map->size));
	*map = (struct map){ at, size, control };
}

static void map_ring(struct thread *thread)
{
	const int protection = percent(thread, 80) ? PROT_READ | PROT_WRITE : PROT_READ;
	const size_t size = PAGE * (percent(thread, 95) ? 1 + (1UL << below(thread, 6)) :
							  1UL + below(thread, 64));
	int fd = find_fd(thread, EVENT, SOFTWARE);

	keep_map(thread, MAP_RING, mmap(NULL, size, protection, MAP_SHARED, fd, 0), size,
		 protection & PROT_WRITE);
}

static void map_area_of(struct thread *thread, int fd)
{
	const int protection = percent(thread, 70) ? PROT_READ | PROT_WRITE : PROT_READ;
	const size_t ring = PAGE * (1 + (1UL << (1 + below(thread, 4))));
	const size_t size = percent(thread, 90) ? 0x20000UL << below(thread, 5) :
						  PAGE << below(thread, 16);
	struct perf_event_mmap_page *page =
		mmap(NULL, ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	void *area;

	if (count(MAP_RING, page == MAP_FAILED ? -1 : 0) < 0)
		return;
	page->aux_offset = percent(thread, 97) ? AREA_OFFSET : odd(thread);
	page->aux_size = size;
	area = mmap(NULL, size, protection, MAP_SHARED, fd, AREA_OFFSET);
	keep_map(thread, MAP_RING, page, ring, true);
	keep_map(thread, MAP_AREA, area, size, false);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

static void map_area(struct thread *thread)
{
	map_area_of(thread, find_fd(thread, EVENT, EVENT));
}

static void unmap(struct thread *thread)
{
	struct map *map = &thread->maps[below(thread, MAPS)];

	if (map->at)
		count(UNMAP, munmap(map->at, map->size));
	map->at = NULL;
}

static void remap(struct thread *thread)
{
	struct map *map = &thread->maps[below(thread, MAPS)];
	const size_t size = percent(thread, 50) ? map->size : PAGE;
	void *at;

	if (!map->at)
		return;
	at = mremap(map->at, map->size, size, percent(thread, 50) ? MREMAP_MAYMOVE : 0);
	if (count(REMAP, at == MAP_FAILED ? -1 : 0) >= 0)
		*map = (struct map){ at, size, map->control };
}

/* Consume data of a ring, or write random values to its control page. */
static void write_tails(struct thread *thread)
{
	const struct map *map = &thread->maps[below(thread, MAPS)];
	volatile struct perf_event_mmap_page *page = map->at;

	if (!page || !map->control)
		return;
	page->data_tail = percent(thread, 90) ? page->data_head : odd(thread);
	page->aux_tail = percent(thread, 80) ? page->aux_head : odd(thread);
}

/* ---- other calls ----------------------------------------------------------------------------- */

static void event_ioctl(struct thread *thread)
{
	static const unsigned long requests[] = {
		PERF_EVENT_IOC_ENABLE,	   PERF_EVENT_IOC_ENABLE,  PERF_EVENT_IOC_DISABLE,
		PERF_EVENT_IOC_RESET,	   PERF_EVENT_IOC_REFRESH, PERF_EVENT_IOC_PERIOD,
		PERF_EVENT_IOC_SET_OUTPUT, PERF_EVENT_IOC_ID,	   PERF_EVENT_IOC_PAUSE_OUTPUT,
	};
	const unsigned long request = requests[below(thread, sizeof(requests) / sizeof(*requests))];
	int fd = find_fd(thread, EVENT, percent(thread, 20) ? SOFTWARE : EVENT);
	uint64_t value = odd(thread);

	if (request == PERF_EVENT_IOC_SET_OUTPUT)
		count(EVENT_IOCTL, ioctl(fd, request, find_fd(thread, EVENT, SOFTWARE)));
	else if (request == PERF_EVENT_IOC_PERIOD || request == PERF_EVENT_IOC_ID)
		count(EVENT_IOCTL, ioctl(fd, request, &value));
	else
		count(EVENT_IOCTL, ioctl(fd, request, below(thread, 3)));
}

static void unit_ioctl(struct thread *thread)
{
	static const unsigned long requests[] = {
		GPUOA_IOC_UNIT_INFO,   GPUOA_IOC_ADD_CONFIG,  GPUOA_IOC_REMOVE_CONFIG,
		GPUOA_IOC_GET_CLOCK,   GPUOA_IOC_ADD_ATTR,    GPUOA_IOC_REMOVE_ATTR,
		GPUOA_IOC_GET_USER,    GPUOA_IOC_RECONFIGURE, GPUOA_IOC_INSERT_MARKER,
		GPUOA_IOC_OPEN_STREAM, GPUOA_IOC_PIN_FREQ,    GPUOA_IOC_GET_CONTEXT_OWNER,
	};
	unsigned long request = requests[below(thread, sizeof(requests) / sizeof(*requests))];
	union {
		uint8_t bytes[16384]; /* maximum size of an ioctl argument */
		uint32_t id;
		struct gpuoa_attr attr;
		struct gpuoa_clock clock;
		struct gpuoa_config config;
		struct gpuoa_attr_handle handle;
	} argument = { 0 };
	struct gpuoa_attr attr = any_gpuoa_attr(thread);
	int fd = find_fd(thread, UNIT, UNIT);
	long result;

	switch (request) {
	case GPUOA_IOC_ADD_CONFIG:
		snprintf(argument.config.uuid, sizeof(argument.config.uuid),
			 "00000000-0000-4000-8000-%012x", below(thread, 1000));
		argument.config.n_boolean = 1 + below(thread, 6);
		argument.config.boolean = (uintptr_t)registers;
		break;
	case GPUOA_IOC_ADD_ATTR:
		argument.handle.attr = (uintptr_t)&attr;
		break;
	case GPUOA_IOC_OPEN_STREAM:
		argument.attr = attr;
		break;
	case GPUOA_IOC_GET_CLOCK:
		argument.clock.clock_id = (int)below(thread, 12);
		break;
	default:
		argument.id = percent(thread, 80) ? below(thread, 16) : (uint32_t)odd(thread);
	}
	if (percent(thread, 10))
		argument.bytes[below(thread, 200)] ^= 1 << below(thread, 8);
	if (percent(thread, 10))
		request = _IOC(below(thread, 4), 'O', 0x40 + below(thread, 0x30),
			       below(thread, sizeof(argument)));
	result = count(UNIT_IOCTL, ioctl(fd, request,
					 percent(thread, 97) ? (uintptr_t)&argument : odd(thread)));
	if (result > 0 && _IOC_NR(request) == _IOC_NR(GPUOA_IOC_OPEN_STREAM))
		keep_fd(thread, STREAM, result);
}

static void stream_ioctl(struct thread *thread)
{
	static const unsigned long requests[] = { GPUOA_STREAM_IOC_ENABLE, GPUOA_STREAM_IOC_ENABLE,
						  GPUOA_STREAM_IOC_DISABLE,
						  GPUOA_STREAM_IOC_STATUS };
	struct gpuoa_stream_status status;
	int fd = find_fd(thread, STREAM, STREAM);

	count(STREAM_IOCTL, ioctl(fd, requests[below(thread, 4)], &status));
}

/* Bind a batch of some work, and execute it. */
static void node_ioctl(struct thread *thread)
{
	struct drm_gpuoa_sim_gem_create create = { .size = PAGE };
	struct drm_gpuoa_sim_bind bind = { .address = 0x100000 + PAGE * below(thread, 8) };
	struct drm_gpuoa_sim_exec exec = { .address = bind.address,
					   .context = 1 + below(thread, 3) };
	struct drm_gpuoa_sim_context context = { .handle = 1 + below(thread, 4) };
	const uint32_t work[] = { GPUOA_SIM_WORK, below(thread, 4), below(thread, 2000000), 0,
				  0x05000000 };
	int fd = find_fd(thread, NODE, NODE);
	void *at;

	if (percent(thread, 30)) {
		count(NODE_IOCTL, ioctl(fd, DRM_IOCTL_GPUOA_SIM_CONTEXT_DESTROY, &context));
		return;
	}
	if (percent(thread, 50)) {
		count(NODE_IOCTL, ioctl(fd, DRM_IOCTL_GPUOA_SIM_EXEC, &exec));
		return;
	}
	if (count(NODE_IOCTL, ioctl(fd, DRM_IOCTL_GPUOA_SIM_GEM_CREATE, &create)))
		return;
	at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)create.offset);
	if (at != MAP_FAILED) {
		memcpy(at, work, sizeof(work));
		munmap(at, PAGE);
	}
	bind.handle = create.handle;
	count(NODE_IOCTL, ioctl(fd, DRM_IOCTL_GPUOA_SIM_BIND, &bind));
}

static void read_any(struct thread *thread)
{
	int fd = find_fd(thread, EVENT, STREAM);
	void *to = percent(thread, 97) ? (void *)thread->bytes : (void *)(uintptr_t)odd(thread);

	if (fd < 0)
		return;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	count(READ, read(fd, to, percent(thread, 80) ? sizeof(thread->bytes) : below(thread, 64)));
}

static void poll_any(struct thread *thread)
{
	struct pollfd pollfd = { .fd = find_fd(thread, EVENT, STREAM), .events = POLLIN };

	count(POLL, poll(&pollfd, 1, (int)below(thread, 3)));
}

static void fork_and_exit(struct thread *thread)
{
	pid_t pid = fork();

	if (!pid) {
		for (uint32_t i = below(thread, 10); i; i--) {
			event_ioctl(thread);
			unmap(thread);
		}
		if (percent(thread, 30))
			execl("/bin/true", "true", NULL);
		_exit(0);
	}
	count(FORK, pid);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void read_sysfs(struct thread *thread)
{
	static const char *const files[] = {
		"/sys/class/gpuoa/gpuoa%u/statistics/polls",
		"/sys/class/gpuoa/gpuoa%u/uevent",
		"/sys/bus/event_source/devices/gpuoa%u/cpumask",
		"/sys/bus/event_source/devices/gpuoa%u/type",
	};
	char path[96], text[4096];
	ssize_t size = -1;
	int fd;

	snprintf(path, sizeof(path), files[below(thread, 4)], below(thread, UNITS));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		size = read(fd, text, sizeof(text));
		close(fd);
	}
	count(SYSFS, size);
}

static void set_affinity(struct thread *thread)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(below(thread, 2), &cpus);
	if (percent(thread, 50))
		CPU_SET(below(thread, 2), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* Close an event, and unmap an area, because a mapping holds a reference to its event. */
static void close_events(struct thread *thread)
{
	const uint32_t at = below(thread, FDS);
	uint32_t fd = __atomic_load_n(&fds[at], __ATOMIC_RELAXED);

	if (fd >> 24 == EVENT && __atomic_compare_exchange_n(&fds[at], &fd, 0, false,
							     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		count(CLOSE, close((int)(fd & 0xffffff)));
	unmap(thread);
}

static bool opens_event(void (*call)(struct thread *thread))
{
	return call == open_flat || call == open_extensible;
}

static void make_call(struct thread *thread)
{
	static const struct {
		unsigned int share; /* percent */
		void (*call)(struct thread *thread);
	} calls[] = {
		{ 11, open_flat },   { 11, open_extensible }, { 4, open_software },
		{ 6, open_stream },  { 3, open_unit },	      { 3, open_node },
		{ 5, map_ring },     { 4, map_area },	      { 4, unmap },
		{ 2, remap },	     { 7, event_ioctl },      { 9, unit_ioctl },
		{ 5, stream_ioctl }, { 4, node_ioctl },	      { 5, read_any },
		{ 2, poll_any },     { 4, write_tails },      { 1, fork_and_exit },
		{ 1, read_sysfs },   { 1, set_affinity },     { 8, close_any },
	};
	unsigned int left = below(thread, 100), i = 0;

	while (left >= calls[i].share)
		left -= calls[i++].share;
	if (opens_event(calls[i].call) && __atomic_load_n(&shared->only_streams, __ATOMIC_RELAXED))
		close_events(thread);
	else
		calls[i].call(thread);
}

/* ---- faults of the GPUs ---------------------------------------------------------------------- */

static void set_debugfs(unsigned int gpu, const char *file, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/%u/%s", gpu, file);
	count(CHAOS, file_set(path, value));
}

static void share_nodes(void)
{
	char path[32];

	for (unsigned int i = 0; i < UNITS; i++) {
		snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + i);
		chmod(path, 0666);
		snprintf(path, sizeof(path), "/dev/gpuoa%u", i);
		chmod(path, 0666);
	}
}

static void wake_gpu(unsigned int gpu)
{
	set_debugfs(gpu, "suspend", "0");
	set_debugfs(gpu, "dead", "0");
}

static void disturb(struct thread *thread)
{
	static const char *const faults[] = { "force_overflow", "lose_reports", "missing",
					      "tail_ahead",	"land_late_us", "torn_us",
					      "freeze_tail_us", "zero_ids",	"lose_interrupts" };
	static const char *const counts[] = { "0", "1", "3", "60" };
	static const char *const workloads[] = { "idle", "steady", "frames", "compute" };
	static const char *const gpus[] = { "hsw_gt2", "tgl_gt2", "lnl", "skl_gt2" };
	const unsigned int gpu = below(thread, NODES);
	char number[16];

	switch (below(thread, 12)) {
	case 0:
		set_debugfs(gpu, "reset", percent(thread, 50) ? "1" : "2");
		break;
	case 1:
	case 2:
		set_debugfs(gpu, below(thread, 2) ? "suspend" : "dead", "1");
		usleep(below(thread, 50000));
		wake_gpu(gpu);
		break;
	case 3:
		set_debugfs(gpu, "workload", workloads[below(thread, 4)]);
		break;
	case 4:
		file_set("/sys/devices/system/cpu/cpu1/online", "0");
		usleep(below(thread, 20000));
		file_set("/sys/devices/system/cpu/cpu1/online", "1");
		break;
	case 5:
		snprintf(number, sizeof(number), "%u", 1 + below(thread, NODES - 1));
		file_set("/sys/bus/gpuoa_sim/del_device", number);
		usleep(below(thread, 50000));
		file_set("/sys/bus/gpuoa_sim/new_device", gpus[below(thread, 4)]);
		share_nodes();
		break;
	default:
		set_debugfs(gpu, faults[below(thread, sizeof(faults) / sizeof(*faults))],
			    counts[below(thread, 4)]);
	}
	usleep(below(thread, 20000));
}

/* ---- threads and processes ------------------------------------------------------------------- */

static bool calls_are_left(void)
{
	return (int64_t)__atomic_fetch_sub(&shared->left, 1, __ATOMIC_RELAXED) > 0;
}

static struct thread *new_thread(uint64_t seed)
{
	struct thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		exit(1);
	thread->state = seed * 0x9e3779b97f4a7c15ULL | 1;
	for (int i = 0; i < 8; i++)
		draw(thread);
	return thread;
}

static void *make_calls(void *context)
{
	struct thread *thread = context;

	while (calls_are_left())
		make_call(thread);
	for (int i = 0; i < MAPS; i++)
		if (thread->maps[i].at)
			munmap(thread->maps[i].at, thread->maps[i].size);
	free(thread);
	return NULL;
}

static void *disturb_gpus(void *context)
{
	struct thread *thread = context;
	const int64_t total = (int64_t)__atomic_load_n(&shared->left, __ATOMIC_RELAXED) + 1;
	int64_t left;

	for (int i = 0; (left = __atomic_load_n(&shared->left, __ATOMIC_RELAXED)) > 0; i++) {
		if (i % 100 == 0)
			fprintf(stderr, "# %lld calls are left\n", (long long)left);
		/* Forbid events during half of the calls, in four periods. */
		__atomic_store_n(&shared->only_streams, left * 8 / total % 2, __ATOMIC_RELAXED);
		disturb(thread);
	}
	free(thread);
	return NULL;
}

static void run_process(uint64_t seed, bool privileged)
{
	pthread_t threads[THREADS + 1];
	int n;

	if (!privileged && (setgid(NOBODY) || setuid(NOBODY)))
		exit(1);
	for (n = 0; n < THREADS; n++)
		pthread_create(&threads[n], NULL, make_calls, new_thread(seed + n));
	if (privileged)
		pthread_create(&threads[n++], NULL, disturb_gpus, new_thread(seed + THREADS));
	while (n--)
		pthread_join(threads[n], NULL);
}

static void prepare(void)
{
	file_set("/sys/bus/gpuoa_sim/new_device", "tgl_gt2 frames");
	file_set("/sys/bus/gpuoa_sim/new_device", "lnl frames");
	share_nodes();
	file_set("/proc/sys/dev/gpuoa/paranoid", "0");
	file_set("/proc/sys/kernel/perf_event_paranoid", "-1");
}

static void restore(void)
{
	char number[16];

	file_set("/proc/sys/dev/gpuoa/paranoid", "1");
	file_set("/proc/sys/kernel/perf_event_paranoid", "2");
	file_set("/sys/devices/system/cpu/cpu1/online", "1");
	for (unsigned int gpu = 0; gpu < 2 * NODES; gpu++) {
		wake_gpu(gpu);
		snprintf(number, sizeof(number), "%u", gpu);
		file_set("/sys/bus/gpuoa_sim/del_device", number);
	}
}

/* ---- results --------------------------------------------------------------------------------- */

static bool each_call_succeeded(void)
{
	bool all = true;

	for (int i = 0; i < N_CALLS; i++) {
		printf("# %s: %llu of %llu succeeded\n", names[i],
		       (unsigned long long)shared->succeeded[i],
		       (unsigned long long)shared->calls[i]);
		for (int error = 0; error < ERRNO_MAX; error++)
			if (shared->errors[i][error])
				printf("#   %s: %llu\n", strerrorname_np(error),
				       (unsigned long long)shared->errors[i][error]);
		all &= shared->succeeded[i] && shared->succeeded[i] <= shared->calls[i];
	}
	return all;
}

static bool gpu_is_usable(void)
{
	struct perf_event_attr attr = flat_attr(12, 0);
	struct reader reader;
	struct gpu_unit unit;
	bool usable;
	int error;

	/*
	 * The number of a removed unit is only free after its last event is freed, which may take
	 * some time.
	 */
	error = file_set("/sys/bus/gpuoa_sim/new_device", "hsw_gt2");
	if (!error && !gpu_unit_find(&unit, "hsw", "OA"))
		error = -ENODEV;
	if (!error) {
		attr.type = unit.pmu_type;
		error = reader_open(&reader, &attr, 12, 6);
	}
	if (error) {
		printf("# %s\n", strerror(-error));
		return false;
	}
	reader_enable(&reader);
	usable = reader_run_reports(&reader, 100) && !reader.tally.errors;
	printf("# %llu reports, %llu errors\n", (unsigned long long)reader.tally.reports,
	       (unsigned long long)reader.tally.errors);
	reader_close(&reader);
	return usable;
}

static void print_result(int number, bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", number, name);
}

int main(int argc, char **argv)
{
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	int status = 1;
	pid_t user;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		return 1;
	shared->left = argc > 1 ? strtoull(argv[1], NULL, 0) : CALLS;
	printf("TAP version 13\n1..3\n# seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	signal(SIGIO, SIG_IGN);
	signal(SIGTRAP, SIG_IGN);
	prepare();
	user = fork();
	if (!user) {
		run_process(seed * 1000 + 500, false);
		_exit(0);
	}
	run_process(seed * 1000, true);
	waitpid(user, &status, 0);
	for (int i = 0; i < FDS; i++)
		if (fds[i])
			close((int)(fds[i] & 0xffffff));
	restore();
	print_result(1, !status, "all calls return");
	print_result(2, each_call_succeeded(), "each call succeeds at least once");
	print_result(3, gpu_is_usable(), "a GPU is usable afterwards");
	return 0;
}
