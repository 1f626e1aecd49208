/* SPDX-License-Identifier: MIT */
/*
 * fake_pmu.h - Simulated kernel with gpuoa.ko: one OA unit, gpuoa0, of a Haswell GPU
 *
 * Replaces the system calls that open and control units, events and streams in the program that
 * includes it. Calls that do not concern gpuoa.ko are passed to the real kernel.
 */
#ifndef GPUOA_LIB_TESTS_FAKE_PMU_H
#define GPUOA_LIB_TESTS_FAKE_PMU_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "fake_calls.h"
#include "fake_files.h"
#include "payload.h"

#define KO_ATTR_ID 41
#define KO_CONFIG_ID 6
#define KO_EVENT_ID 99
#define KO_CPU 3
#define KO_PMU_TYPE 17
#define KO_REGISTERS 4
#define KO_EVENT_BYTES (1L << 30) /* size of the file that is mapped; it is sparse */

static struct {
	struct gpuoa_unit_info info;
	int open_error; /* result of open(2) */
	int info_error; /* result of GPUOA_IOC_UNIT_INFO */
	void (*on_info)(void); /* called by the next GPUOA_IOC_UNIT_INFO, as another thread runs */
	int perf_error; /* result of perf_event_open(2) */
	int stream_error; /* result of GPUOA_IOC_OPEN_STREAM */
	int user_error; /* result of GPUOA_IOC_GET_USER */
	int owner_error; /* result of GPUOA_IOC_GET_CONTEXT_OWNER */
	int switch_error; /* result of GPUOA_IOC_RECONFIGURE */
	int error; /* result of all other ioctls */
	size_t lockable; /* larger mappings of an event fail with @mmap_error */
	int mmap_error;

	uint64_t capabilities; /* mask of the effective ones */
	int node; /* open file of /dev/gpuoa0 */
	int node_flags; /* those of open(2) */
	bool moves_node, moves_stream; /* the next node, event or stream has file 0 */
	long mappings; /* number of mappings that exist */
	struct gpuoa_attr attr; /* registered last */
	unsigned int registered; /* number of ids that exist */
	struct perf_event_attr event_attr; /* of the event opened last */
	long pid, cpu, group, flags; /* arguments of perf_event_open(2) */
	int event; /* file that contains ring buffer and AUX area of the event opened last */
	unsigned int opened; /* number of events opened */
	unsigned int openable; /* number of events that are opened in spite of @perf_error */
	int area_protection; /* access of the last mapping of an AUX area */
	int stream[2]; /* pipe of the unprivileged stream */
	bool enabled;
	unsigned int polls;

	uint32_t config_id; /* of the next registered configuration; 0: KO_CONFIG_ID */
	struct gpuoa_config config; /* registered last */
	struct gpuoa_register registers[3][KO_REGISTERS]; /* the first ones of each list */
	uint32_t id; /* argument of GPUOA_IOC_REMOVE_CONFIG and _RECONFIGURE */
	struct gpuoa_user user;
	struct gpuoa_context_owner_info owner;
	unsigned int owners; /* number of owners queried */
} ko;

static void ko_begin(void)
{
	memset(&ko, 0, sizeof(ko));
	ko.info = test_stream().info;
	ko.info.formats[0] = 1 << GPUOA_FORMAT_A45_B8_C8;
	ko.info.default_format = GPUOA_FORMAT_A45_B8_C8;
	ko.info.device_id = 0x0412;
	ko.info.exponent_max = 31;
	ko.info.buffer_size_min = 128 << 10;
	ko.info.buffer_size_max = 16 << 20;
	ko.info.pmu_type = KO_PMU_TYPE;
	ko.info.features = GPUOA_FEATURE_CONTEXT | GPUOA_FEATURE_AUX | GPUOA_FEATURE_ZERO_COPY;
	strcpy(ko.info.parent, "0000:00:02.0");
	ko.lockable = SIZE_MAX;
	ko.event = ko.stream[0] = ko.stream[1] = -1;
	tree_begin();
	tree_file("sys/class/gpuoa/gpuoa0/metrics/x", "");
	tree_file("sys/bus/event_source/devices/gpuoa0/cpumask", "3\n");
}

/* ---- the ring buffer and the AUX area of the event ------------------------------------------- */

static inline void ko_put(const void *data, size_t size, uint64_t at)
{
	if (pwrite(ko.event, data, size, (off_t)at) != (ssize_t)size)
		abort();
}

/* Return the bytes that the reader has released. */
static inline uint64_t ko_tail(size_t member)
{
	uint64_t tail;

	if (pread(ko.event, &tail, sizeof(tail), (off_t)member) != sizeof(tail))
		abort();
	return tail;
}

/* Write records to the ring buffer as the kernel does, and clear @records. */
static inline void ko_produce(struct bytes *records)
{
	const size_t member = offsetof(struct perf_event_mmap_page, data_head);
	uint64_t head = ko_tail(member);

	ko_put(records->data, records->size, (uint64_t)sysconf(_SC_PAGESIZE) + head);
	head += records->size;
	ko_put(&head, sizeof(head), member);
	clear(records);
}

/* ---- requests ------------------------------------------------------------------------------- */

static int ko_add_config(struct gpuoa_config *config)
{
	const uint64_t lists[] = { config->mux, config->boolean, config->flex };
	const uint32_t counts[] = { config->n_mux, config->n_boolean, config->n_flex };

	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < counts[i] && k < KO_REGISTERS; k++)
			ko.registers[i][k] =
				((const struct gpuoa_register *)(uintptr_t)lists[i])[k];
	config->id = ko.config_id ? ko.config_id : KO_CONFIG_ID;
	config->rejected = 0x9888;
	ko.config = *config;
	return ko.error;
}

static void ko_run_other_thread(void)
{
	void (*const run)(void) = ko.on_info;

	ko.on_info = NULL;
	if (run)
		run();
}

static int ko_do(unsigned long request, void *argument)
{
	switch (request) {
	case GPUOA_IOC_UNIT_INFO:
		ko_run_other_thread();
		*(struct gpuoa_unit_info *)argument = ko.info;
		return ko.info_error;
	case GPUOA_IOC_ADD_CONFIG:
		return ko_add_config(argument);
	case GPUOA_IOC_REMOVE_CONFIG:
	case GPUOA_IOC_RECONFIGURE:
		ko.id = *(const uint32_t *)argument;
		return request == GPUOA_IOC_RECONFIGURE ? ko.switch_error : ko.error;
	case GPUOA_IOC_GET_CLOCK:
		((struct gpuoa_clock *)argument)->gpu_ticks = 1000;
		((struct gpuoa_clock *)argument)->cpu_ns = 80000;
		((struct gpuoa_clock *)argument)->error_ns = 50;
		return ko.error;
	case GPUOA_IOC_GET_USER:
		*(struct gpuoa_user *)argument = ko.user;
		return ko.user_error ? ko.user_error : ko.error;
	case GPUOA_IOC_GET_CONTEXT_OWNER:
		ko.owner.id = ((const struct gpuoa_context_owner_info *)argument)->id;
		*(struct gpuoa_context_owner_info *)argument = ko.owner;
		ko.owners++;
		return ko.owner_error;
	case GPUOA_IOC_INSERT_MARKER:
		((struct gpuoa_marker *)argument)->gpu_ticks = 2000;
		return ko.error;
	case GPUOA_IOC_ADD_ATTR:
		ko.attr =
			*(const struct gpuoa_attr *)(uintptr_t)((struct gpuoa_attr_handle *)argument)
				 ->attr;
		((struct gpuoa_attr_handle *)argument)->id = KO_ATTR_ID;
		ko.registered += !ko.error;
		return ko.error;
	case GPUOA_IOC_REMOVE_ATTR:
		ko.registered -= *(const uint32_t *)argument == KO_ATTR_ID;
		return 0;
	default:
		return ENOTTY;
	}
}

static int ko_open_stream(const struct gpuoa_attr *attr)
{
	ko.attr = *attr;
	if (ko.stream_error)
		return (int)fake_result(-ko.stream_error);
	if (pipe(ko.stream))
		abort();
	return ko.stream[0] = fake_file(ko.stream[0], ko.moves_stream);
}

static int ko_control(int fd, unsigned long request, void *argument)
{
	switch (request) {
	case PERF_EVENT_IOC_ID:
		*(uint64_t *)argument = KO_EVENT_ID;
		return 0;
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
		if (fd != ko.event || argument)
			return EINVAL;
		ko.enabled = request == PERF_EVENT_IOC_ENABLE;
		return ko.error;
	case GPUOA_STREAM_IOC_ENABLE:
	case GPUOA_STREAM_IOC_DISABLE:
		if (fd != ko.stream[0])
			return EINVAL;
		ko.enabled = request == GPUOA_STREAM_IOC_ENABLE;
		return ko.error;
	case GPUOA_STREAM_IOC_STATUS:
		ko.polls++;
		return ko.error;
	default:
		return ENOTTY;
	}
}

/* ---- system calls --------------------------------------------------------------------------- */

static int fake_open(const char *path, int flags, int mode)
{
	if (strcmp(path, "/dev/gpuoa0"))
		return openat(AT_FDCWD, path, flags, mode);
	if (ko.open_error)
		return (int)fake_result(-ko.open_error);
	ko.node_flags = flags;
	return ko.node = fake_file(eventfd(0, EFD_CLOEXEC), ko.moves_node);
}

static int fake_ioctl(int fd, unsigned long request, void *argument)
{
	if (request == GPUOA_IOC_OPEN_STREAM)
		return ko_open_stream(argument);
	if (fd == ko.event || fd == ko.stream[0])
		return (int)fake_result(-ko_control(fd, request, argument));
	return (int)fake_result(-ko_do(request, argument));
}

ssize_t read(int fd, void *to, size_t size)
{
	static ssize_t (*real)(int, void *, size_t);

	if (fd == ko.event) {
		ko.polls++;
		return fake_result(-ko.error);
	}
	if (!real)
		real = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	return real(fd, to, size);
}

static long ko_capabilities(struct __user_cap_data_struct *data)
{
	data[0].effective = (uint32_t)ko.capabilities;
	data[1].effective = (uint32_t)(ko.capabilities >> 32);
	return 0;
}

/* The library calls only perf_event_open(2) and capget(2) through syscall(3). */
long syscall(long number, ...)
{
	struct __user_cap_data_struct *capabilities = NULL;
	va_list arguments;

	va_start(arguments, number);
	if (number == SYS_capget) {
		va_arg(arguments, void *);
		capabilities = va_arg(arguments, struct __user_cap_data_struct *);
	}
	if (number == SYS_perf_event_open) {
		ko.event_attr = *va_arg(arguments, const struct perf_event_attr *);
		ko.pid = va_arg(arguments, int);
		ko.cpu = va_arg(arguments, uint32_t);
		ko.group = va_arg(arguments, int);
		ko.flags = va_arg(arguments, int);
	}
	va_end(arguments);
	if (capabilities)
		return ko_capabilities(capabilities);
	if (number != SYS_perf_event_open)
		return fake_result(-ENOSYS);
	if (ko.perf_error && ko.opened >= ko.openable)
		return fake_result(-ko.perf_error);
	ko.event = memfd_create("event", MFD_CLOEXEC);
	if (ko.event < 0 || ftruncate(ko.event, KO_EVENT_BYTES))
		abort();
	ko.opened++;
	return ko.event = fake_file(ko.event, ko.moves_stream);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	static void *(*real)(void *, size_t, int, int, int, off_t);

	if (!real)
		real = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
	if (fd >= 0 && fd == ko.event && offset)
		ko.area_protection = protection;
	if (fd >= 0 && fd == ko.event && size > ko.lockable) {
		errno = ko.mmap_error;
		return MAP_FAILED;
	}
	at = real(at, size, protection, flags, fd, offset);
	ko.mappings += at != MAP_FAILED;
	return at;
}

int munmap(void *at, size_t size)
{
	static int (*real)(void *, size_t);

	if (!real)
		real = (int (*)(void *, size_t))dlsym(RTLD_NEXT, "munmap");
	ko.mappings--;
	return real(at, size);
}

static void ko_end(void)
{
	tree_end();
	if (ko.stream[1] >= 0)
		close(ko.stream[1]);
}

#endif /* GPUOA_LIB_TESTS_FAKE_PMU_H */
