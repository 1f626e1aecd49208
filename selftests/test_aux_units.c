// SPDX-License-Identifier: MIT
/*
 * test_aux_units.c - AUX areas of all units in all their formats.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "aux.h"
#include "gpu_unit.h"
#include "kselftest_harness.h"
#include "sim.h"

#define EXPONENT 8
#define AREA (512ULL << 10)
#define AREA_SMALL (128ULL << 10)

static bool gpu_exists(int index)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/platform/gpuoa_sim.%d", index);
	return !access(path, F_OK);
}

static int unit_number(const char *file, int unit)
{
	char path[96];
	int value = -1;
	FILE *stream;

	snprintf(path, sizeof(path), file, unit);
	stream = fopen(path, "r");
	if (!stream)
		return -1;
	if (fscanf(stream, "%d", &value) != 1)
		value = -1;
	fclose(stream);
	return value;
}

static int unit_info(int unit, struct gpuoa_unit_info *info)
{
	char path[32];
	int fd, result;

	snprintf(path, sizeof(path), "/dev/gpuoa%d", unit);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	result = ioctl(fd, GPUOA_IOC_UNIT_INFO, info) ? -errno : 0;
	close(fd);
	return result;
}

static const uint32_t sizes[] = {
	[GPUOA_FORMAT_A13] = 64,
	[GPUOA_FORMAT_A29] = 128,
	[GPUOA_FORMAT_A13_B8_C8] = 128,
	[GPUOA_FORMAT_B4_C8] = 64,
	[GPUOA_FORMAT_A45_B8_C8] = 256,
	[GPUOA_FORMAT_B4_C8_A16] = 128,
	[GPUOA_FORMAT_C4_B8] = 64,
	[GPUOA_FORMAT_A12] = 64,
	[GPUOA_FORMAT_A12_B8_C8] = 128,
	[GPUOA_FORMAT_A32U40_A4U32_B8_C8] = 256,
	[GPUOA_FORMAT_OAR_A32U40_A4U32_B8_C8] = 256,
	[GPUOA_FORMAT_A24U40_A14U32_B8_C8] = 256,
	[GPUOA_FORMAT_MPEC8U64_B8_C8] = 192,
	[GPUOA_FORMAT_MPEC8U32_B8_C8] = 128,
	[GPUOA_FORMAT_PEC64U64] = 576,
	[GPUOA_FORMAT_PEC64U64_B8_C8] = 640,
	[GPUOA_FORMAT_PEC64U32] = 320,
	[GPUOA_FORMAT_PEC32U64_G1] = 320,
	[GPUOA_FORMAT_PEC32U32_G1] = 192,
	[GPUOA_FORMAT_PEC32U64_G2] = 320,
	[GPUOA_FORMAT_PEC32U32_G2] = 192,
	[GPUOA_FORMAT_PEC36U64_G1_32_G2_4] = 320,
	[GPUOA_FORMAT_PEC36U64_G1_4_G2_32] = 320,
};

static bool wide(uint32_t format)
{
	return format >= GPUOA_FORMAT_MPEC8U64_B8_C8;
}

static uint64_t timestamp_mask(uint32_t format)
{
	return wide(format) && format != GPUOA_FORMAT_MPEC8U32_B8_C8 ? (1ULL << 56) - 1 :
								       UINT32_MAX;
}

/* Check that reports are ordered, and that no timer report is missing without announcement. */
static void take_any(struct aux_reader *reader, const uint8_t *report)
{
	const uint64_t period = 2ULL << reader->exponent;
	struct aux_tally *tally = &reader->tally;
	uint64_t mask = timestamp_mask(reader->format), time;
	uint32_t half;

	if (wide(reader->format)) {
		memcpy(&time, report + 8, sizeof(time));
	} else {
		memcpy(&half, report + 4, sizeof(half));
		time = half;
	}
	time &= mask;
	memcpy(&half, report, sizeof(half));
	if (!half)
		tally->errors++;
	tally->reports++;
	if ((time & (period - 1)) != period / 2) {
		if (tally->any && !tally->resync &&
		    ((time - tally->last_timestamp) & mask) >= period * (1 + tally->missing))
			tally->errors++;
		return;
	}
	if (tally->any && !tally->resync &&
	    ((time - tally->last_timestamp) & mask) != period * (1 + tally->missing))
		tally->errors++;
	tally->any = true;
	tally->resync = false;
	tally->missing = 0;
	tally->last_timestamp = time;
}

/* Open an event with an inline configuration, because not all units have a registered one. */
static int open_unit_with(struct aux_reader *reader, int type, uint32_t format,
			  unsigned int exponent)
{
	struct gpuoa_register first[] = {
		{ 0x2710, 0 }, { 0xd900, 0 }, { 0x393200, 0 }, { 0x394200, 0 }, { 0x394a00, 0 }
	};
	struct gpuoa_attr gpuoa = aux_attr(exponent);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	size_t i;
	int error = -EINVAL;

	gpuoa.metric_set = 0;
	gpuoa.format = format;
	gpuoa.n_boolean = 1;
	attr.type = type;
	attr.aux_watermark = 32 << 10;
	for (i = 0; error == -EINVAL && i < sizeof(first) / sizeof(*first); i++) {
		gpuoa.boolean = (uintptr_t)&first[i];
		error = aux_open(reader, &attr, exponent);
	}
	reader->format = format;
	reader->report_size = sizes[format];
	reader->take = take_any;
	return error;
}

static int open_unit(struct aux_reader *reader, int type, uint32_t format)
{
	return open_unit_with(reader, type, format, EXPONENT);
}

static void try_format(struct __test_metadata *_metadata, int unit, uint32_t format, bool splits)
{
	struct aux_reader reader;
	uint64_t bytes;

	ASSERT_EQ(0, open_unit(&reader,
			       unit_number("/sys/bus/event_source/devices/"
					   "gpuoa%d/type",
					   unit),
			       format));
	reader.splits = splits;
	ASSERT_EQ(0, aux_map(&reader, AREA, true));
	ASSERT_EQ(0, aux_enable(&reader));
	/* Let the unit write half of the area, then disable and enable the event. */
	do {
		aux_run(&reader, 20);
		bytes = reader.tally.reports * reader.report_size;
	} while (bytes < AREA / 2);
	ASSERT_EQ(0, aux_disable(&reader));
	ASSERT_EQ(0, aux_enable(&reader));
	do {
		aux_run(&reader, 20);
		bytes = reader.tally.reports * reader.report_size;
	} while (bytes < AREA * 5 / 4);
	aux_disable(&reader);
	aux_drain(&reader);
	EXPECT_EQ(0, reader.tally.errors)
	{
		TH_LOG("unit %d, format %u, %llu reports, %llu gaps", unit, format,
		       (unsigned long long)reader.tally.reports,
		       (unsigned long long)reader.tally.gaps);
	}
	EXPECT_EQ(2, reader.tally.resumes);
	EXPECT_EQ(format, reader.tally.stream.format);
	aux_close(&reader);
}

static bool splits(const struct gpuoa_unit_info *info)
{
	return info->features & GPUOA_FEATURE_SPLIT_REPORTS;
}

/*
 * Media units split reports at the end of the area, with a different offset in each lap; other
 * units do not.
 */
TEST(each_format_of_each_unit)
{
	struct gpuoa_unit_info info;
	uint32_t format;
	int unit;

	for (unit = 0; !unit_info(unit, &info); unit++) {
		EXPECT_EQ(info.unit_type != GPUOA_UNIT_OA, splits(&info));
		for (format = 1; format < sizeof(sizes) / sizeof(*sizes); format++)
			if (info.formats[format / 64] & 1ULL << format % 64)
				try_format(_metadata, unit, format, splits(&info));
	}
	EXPECT_LT(0, unit);
}

/*
 * Number of bytes to write, which exceeds the size that hardware would use if it took the area's
 * size for one on the smaller scale
 */
#define LARGE_BYTES(size) ((size) / 8 * 3 / 2)

/*
 * A slow machine simulates fewer reports a second. If it cannot keep up with the GPU, each poll is
 * later than the one before, and the area overflows.
 */
static unsigned int large_exponent(void)
{
	return timeout_scale() > 1 ? EXPONENT + 3 : EXPONENT;
}

static void try_large(struct __test_metadata *_metadata, int unit,
		      const struct gpuoa_unit_info *info, uint64_t size)
{
	const uint32_t format = info->default_format;
	struct aux_reader reader;

	ASSERT_EQ(0, open_unit_with(&reader,
				    unit_number("/sys/bus/event_source/devices/gpuoa%d/type", unit),
				    format, large_exponent()));
	reader.splits = splits(info);
	ASSERT_EQ(0, aux_map(&reader, size, true));
	ASSERT_EQ(0, aux_enable(&reader));
	EXPECT_TRUE(aux_run_reports(&reader, LARGE_BYTES(size) / reader.report_size + 1));
	aux_disable(&reader);
	aux_drain(&reader);
	EXPECT_EQ(0, reader.tally.errors)
	{
		TH_LOG("unit %d, format %u, %llu reports, %llu gaps, %llu overflows", unit, format,
		       (unsigned long long)reader.tally.reports,
		       (unsigned long long)reader.tally.gaps,
		       (unsigned long long)reader.tally.overflows);
	}
	if (virtual_time()) {
		EXPECT_EQ(0, reader.tally.overflows);
		EXPECT_EQ(0, reader.tally.gaps);
	}
	aux_close(&reader);
}

/* Create another GPU and store its number in @number. Return 0 or -errno. */
static int add_gpu(const char *name, char number[16])
{
	int index = 0;

	while (snprintf(number, 16, "%d", index) > 0 && gpu_exists(index))
		index++;
	return file_set("/sys/bus/gpuoa_sim/new_device", name);
}

/* A flight recorder's window of split reports is in order and begins with a whole report. */
TEST(flight_recorder_splits_reports)
{
	struct aux_reader reader;
	struct gpu_unit unit;
	char number[16];

	ASSERT_EQ(0, add_gpu("lnl", number));
	ASSERT_TRUE(gpu_unit_find(&unit, "lnl", "OAMG"));
	ASSERT_EQ(0, open_unit(&reader, unit.pmu_type, GPUOA_FORMAT_MPEC8U64_B8_C8));
	reader.splits = true;
	ASSERT_EQ(0, aux_map(&reader, AREA_SMALL, false));
	for (int turn = 1; turn <= 3; turn++) {
		ASSERT_EQ(0, aux_enable(&reader));
		EXPECT_TRUE(WAIT_UNTIL(aux_head(&reader) >= turn * 3 * AREA_SMALL));
		ASSERT_EQ(0, aux_disable(&reader));
		reader.tally.reports = 0;
		aux_drain(&reader);
		EXPECT_EQ(0, reader.tally.errors);
		EXPECT_EQ(AREA_SMALL / reader.report_size - 1, reader.tally.reports);
	}
	aux_close(&reader);
	EXPECT_EQ(0, file_set("/sys/bus/gpuoa_sim/del_device", number));
}

/*
 * Map areas of sizes that need the larger scale of the hardware's size field, on a GPU that
 * supports it.
 */
TEST(large_areas_are_mapped)
{
	struct gpuoa_unit_info info;
	int unit, tried = 0;
	uint64_t size;
	char number[16];

	ASSERT_EQ(0, add_gpu("lnl", number));
	for (unit = 0; !unit_info(unit, &info); unit++) {
		for (size = 32ULL << 20; size <= info.buffer_size_max / 2; size *= 2) {
			if (size > 32ULL << 20 && info.unit_type != GPUOA_UNIT_OA)
				break;
			try_large(_metadata, unit, &info, size);
			tried++;
		}
	}
	EXPECT_EQ(0, file_set("/sys/bus/gpuoa_sim/del_device", number));
	EXPECT_LT(0, tried);
}

#define GAPS_EXPONENT 12
#define GAPS 20

/* Context switches may cause the first report after a gap. */
TEST(gap_precedes_context_switch_reports)
{
	struct gpuoa_unit_info info;
	struct aux_reader reader;
	struct gpu_unit unit;
	char number[16], path[128];

	ASSERT_EQ(0, add_gpu("lnl frames", number));
	ASSERT_TRUE(gpu_unit_find(&unit, "lnl", "OA"));
	snprintf(path, sizeof(path), "%s/force_overflow", unit.debugfs);
	ASSERT_EQ(0, unit_info(unit.index, &info));
	ASSERT_EQ(0, open_unit_with(&reader, unit.pmu_type, info.default_format, GAPS_EXPONENT));
	ASSERT_EQ(0, aux_map(&reader, AREA, true));
	ASSERT_EQ(0, aux_enable(&reader));
	ASSERT_TRUE(aux_run_reports(&reader, 100));
	for (uint64_t i = 1; i <= GAPS; i++) {
		ASSERT_EQ(0, file_set(path, "1"));
		while (reader.tally.overflows < i)
			ASSERT_TRUE(aux_run_reports(&reader, 1));
		ASSERT_TRUE(aux_run_reports(&reader, 20));
	}
	aux_disable(&reader);
	aux_drain(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	aux_close(&reader);
	EXPECT_EQ(0, file_set("/sys/bus/gpuoa_sim/del_device", number));
}

#define RING (9 * AUX_PAGE)
#define RING_AREA (128UL << 10)

/* A software event with a ring to which other events write */
struct ring_owner {
	int fd;
	struct perf_event_mmap_page *page;
};

static bool ring_open(struct ring_owner *ring, int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.sample_period = 1,
					.disabled = 1 };

	ring->fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	ring->page = mmap(NULL, RING, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (ring->page == MAP_FAILED)
		return false;
	ring->page->aux_offset = RING;
	ring->page->aux_size = RING_AREA;
	return true;
}

static void ring_close(struct ring_owner *ring)
{
	munmap(ring->page, RING);
	close(ring->fd);
}

static void *ring_map_area(int fd)
{
	return mmap(NULL, RING_AREA, PROT_READ | PROT_WRITE, MAP_SHARED, fd, RING);
}

/* Open an event of a unit, in AUX mode, that writes to the ring. */
static int ring_open_unit(const struct ring_owner *ring, unsigned int unit)
{
	struct gpuoa_attr gpuoa = aux_attr(EXPONENT);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int fd;

	attr.type = unit_number("/sys/bus/event_source/devices/gpuoa%d/type", unit);
	fd = event_open(&attr);
	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd))
		return -errno;
	return fd;
}

/* The perf core warns about two open transactions in one ring. A kernel warning fails the test. */
TEST(redirected_events_of_two_units_cause_no_warning)
{
	struct ring_owner ring, other;
	void *area, *others, *kept;
	struct gpuoa_unit_info info;
	int first, second, cpu, unit = 0;
	struct utsname kernel;
	char number[16];
	uint64_t value;

	/*
	 * Since Linux 7.0, the perf core warns when an event that is redirected to another ring is
	 * mapped.
	 */
	uname(&kernel);
	if (strtoul(kernel.release, NULL, 10) >= 7)
		SKIP(return, "perf_mmap() of this kernel warns");
	while (!unit_info(unit, &info))
		unit++;
	ASSERT_EQ(0, add_gpu("tgl_gt2", number));
	cpu = unit_number("/sys/bus/event_source/devices/gpuoa%d/cpumask", 0);
	ASSERT_EQ(cpu, unit_number("/sys/bus/event_source/devices/gpuoa%d/cpumask", unit));
	ASSERT_TRUE(ring_open(&ring, cpu));
	ASSERT_TRUE(ring_open(&other, cpu));
	first = ring_open_unit(&ring, 0);
	second = ring_open_unit(&other, unit);
	ASSERT_LE(0, first);
	ASSERT_LE(0, second);
	area = ring_map_area(first);
	ASSERT_NE(MAP_FAILED, area);
	others = ring_map_area(second);
	ASSERT_NE(MAP_FAILED, others);

	/* The owner of the other ring keeps its AUX area, so that the second event can leave it. */
	kept = ring_map_area(other.fd);
	ASSERT_NE(MAP_FAILED, kept);
	munmap(others, RING_AREA);
	ASSERT_EQ(0, ioctl(second, PERF_EVENT_IOC_SET_OUTPUT, ring.fd));
	ASSERT_EQ(0, ioctl(first, PERF_EVENT_IOC_ENABLE, 0));
	ioctl(second, PERF_EVENT_IOC_ENABLE, 0);
	EXPECT_TRUE(WAIT_UNTIL(__atomic_load_n(&ring.page->aux_head, __ATOMIC_ACQUIRE)));
	value = 0;
	EXPECT_LE(0, read(second, &value, sizeof(value)));
	EXPECT_EQ(0, value);

	close(second);
	close(first);
	munmap(kept, RING_AREA);
	munmap(area, RING_AREA);
	ring_close(&other);
	ring_close(&ring);
	EXPECT_EQ(0, file_set("/sys/bus/gpuoa_sim/del_device", number));
}

TEST_HARNESS_MAIN
