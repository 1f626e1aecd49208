// SPDX-License-Identifier: MIT
/*
 * xe_backend_test.c - Test units and streams of xe's observation interface with a simulated kernel
 * (fake_xe.h): losses, rejected requests, and GPUs that are removed.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <time.h>

#include "fake_files.h"
#include "fake_xe.h"

#include "base/complaint.h"
#include "gpuoa-query.h"
#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "gpuoa-unit-group.h"
#include "reader/backends/backends.h"
#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream.h"
#include "reader/xe/xe.h"
#include "tap.h"
#include "tree.h"

#define EXPONENT 5
#define PERIOD 64 /* ticks */
#define REPORT_SIZE 576 /* PEC64U64 */
#define REPORTS_MAX 1024
#define TIMESTAMP_MASK ((UINT64_C(1) << 56) - 1)
#define UNIT_TYPE_OAM_SAG 2 /* DRM_XE_OA_UNIT_TYPE_OAM_SAG of later kernels */

static struct {
	struct gpuoa_unit *unit;
	struct gpuoa_reader *reader;
	struct xe_stream *stream; /* other end of the stream */
	uint64_t timestamp; /* of the last report written */
	struct gpuoa_read_status status;
	char error[512];
	uint8_t reports[REPORTS_MAX * REPORT_SIZE];
} test;

static int open_unit(const char *name)
{
	const struct complaint complaint = complaint_begin(test.error, sizeof(test.error));

	return backend_open(&xe_backend, name, &test.unit, &complaint);
}

static const struct gpuoa_set *find_set(void)
{
	struct gpuoa_unit_desc desc;

	gpuoa_unit_describe(test.unit, &desc, sizeof(desc));
	return gpuoa_platform_find_set(gpuoa_unit_platform(test.unit),
				       strcmp(desc.domain, "OA") ? "MediaSet1" : "RenderBasic",
				       desc.domain, gpuoa_unit_constants(test.unit));
}

static int open_stream(struct gpuoa_stream_options *options)
{
	options->size = sizeof(*options);
	return gpuoa_stream_open(test.unit, find_set(), options, &test.reader, test.error,
				 sizeof(test.error));
}

static struct gpuoa_stream_options usual_options(void)
{
	return (struct gpuoa_stream_options){ .use_exponent = true, .exponent = EXPONENT };
}

static bool begin_unit(void)
{
	memset(&test, 0, sizeof(test));
	xe_begin();
	return CHECK(!open_unit("xe:0"));
}

/* Open and enable a stream of the first unit. */
static bool begin(void)
{
	struct gpuoa_stream_options options = usual_options();

	if (!begin_unit() || !CHECK(!open_stream(&options)))
		return false;
	test.stream = &xe.streams[0];
	return CHECK(test.stream->enabled);
}

static void end(void)
{
	if (test.reader)
		gpuoa_reader_close(test.reader);
	gpuoa_unit_close(test.unit);
}

static void put_reports(uint32_t count)
{
	uint64_t report[REPORT_SIZE / sizeof(uint64_t)] = { 1 << 19 };

	while (count--) {
		test.timestamp += PERIOD;
		report[1] = test.timestamp & TIMESTAMP_MASK;
		report[71] = ~test.timestamp;
		xe_write(test.stream, report, sizeof(report));
	}
}

static int take(void)
{
	return gpuoa_reader_read(test.reader, test.reports, REPORTS_MAX, &test.status);
}

static uint64_t qword(size_t report, size_t at)
{
	uint64_t value;

	memcpy(&value, test.reports + report * REPORT_SIZE + at * sizeof(value), sizeof(value));
	return value;
}

static bool says(const char *words)
{
	const bool does = strstr(test.error, words);

	if (!does)
		printf("# \"%s\" is not in \"%s\"\n", words, test.error);
	return does;
}

/* ---- units ---------------------------------------------------------------------------------- */

static void unit_describe_returns_values_of_xe(void)
{
	struct gpuoa_unit_desc desc;

	REQUIRE(begin_unit());
	gpuoa_unit_describe(test.unit, &desc, sizeof(desc));
	CHECK_STRING(desc.name, "xe:0");
	CHECK_STRING(desc.driver, "xe");
	CHECK_STRING(desc.platform, "lnl");
	CHECK_STRING(desc.domain, "OA");
	CHECK(desc.device_id == 0x64a0 && desc.revision == 4);
	CHECK(desc.timestamp_frequency == XE_HZ && desc.cs_timestamp_frequency == XE_HZ);
	CHECK(desc.subslice_count == 8 && desc.slice_count == 2 && desc.eu_count == 64);
	CHECK(desc.l3_bank_mask == 3 && desc.compute_engine_count == 1);
	CHECK(desc.engine_count == 1 && desc.engines[0].kind == GPUOA_ENGINE_RENDER);
	CHECK(desc.features == (GPUOA_UNIT_FLEX | GPUOA_UNIT_QUERY_ONLY | GPUOA_UNIT_MARKERS));
	CHECK(desc.default_format == GPUOA_FORMAT_PEC64U64 && desc.timestamp_bits == 56);
	CHECK(desc.exponent_max == 31 && desc.subslice_stride == 4 && desc.threads_per_eu == 8);
	end();
}

/*
 * xe reports neither the number of cores per slice nor the number of threads, so they depend on the
 * platform.
 */
static void slices_and_threads_depend_on_platform(void)
{
	static const struct {
		uint16_t device;
		uint16_t version;
		uint32_t stride, slices, threads;
	} known[] = {
		{ 0x64a0, 20, 4, 2, 8 },  { 0xb080, 30, 6, 2, 10 }, { 0xd743, 30, 2, 4, 10 },
		{ 0xd745, 30, 4, 2, 10 }, { 0xd750, 35, 6, 2, 10 }, { 0x674c, 35, 8, 1, 8 },
		{ 0xffff, 35, 4, 2, 8 },
	};
	struct gpuoa_unit_desc desc;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		memset(&test, 0, sizeof(test));
		xe_begin();
		xe.device = known[i].device;
		xe.version = known[i].version;
		REQUIRE(!open_unit("xe:0"));
		gpuoa_unit_describe(test.unit, &desc, sizeof(desc));
		printf("# %x\n", known[i].device);
		CHECK(desc.subslice_stride == known[i].stride);
		CHECK(desc.slice_count == known[i].slices);
		CHECK(desc.threads_per_eu == known[i].threads);
		end();
	}
}

static void second_unit_is_of_media_engines(void)
{
	struct gpuoa_unit_desc desc;

	memset(&test, 0, sizeof(test));
	xe_begin();
	REQUIRE(!open_unit("xe:0.1"));
	gpuoa_unit_describe(test.unit, &desc, sizeof(desc));
	CHECK_STRING(desc.name, "xe:0.1");
	CHECK_STRING(desc.domain, "OAMG");
	CHECK(desc.gt == 1 && !desc.features);
	CHECK(desc.default_format == GPUOA_FORMAT_MPEC8U64_B8_C8 && desc.timestamp_bits == 56);
	CHECK(desc.formats == (UINT64_C(1) << GPUOA_FORMAT_MPEC8U64_B8_C8 |
			       UINT64_C(1) << GPUOA_FORMAT_MPEC8U32_B8_C8));
	end();
}

/*
 * Later kernels list the shared media unit also. It has no engines on Lunar Lake, so OAM0 is the
 * other media unit.
 */
static void media_unit_is_oam0_if_the_shared_unit_has_no_engines(void)
{
	struct gpuoa_unit_desc desc;

	memset(&test, 0, sizeof(test));
	xe_begin();
	xe.idle_type = UNIT_TYPE_OAM_SAG;
	REQUIRE(!open_unit("xe:0.1"));
	gpuoa_unit_describe(test.unit, &desc, sizeof(desc));
	CHECK_STRING(desc.domain, "OAM0");
	end();
}

static void missing_unit_returns_enoent(void)
{
	xe_begin();
	CHECK(open_unit("xe:0.2") == -ENOENT && says("xe:0.2: xe cannot describe it"));
}

/* Up to Meteor Lake, GPUs have the formats of i915, and DG2 and later ones another OA clock. */
static void gpus_before_xe2_have_their_formats(void)
{
	static const struct {
		uint16_t device, version;
		bool no_compute;
		uint32_t clock_ratio;
		const char *platform;
		uint64_t formats;
		uint32_t format, threads;
	} known[] = {
		{ 0x9a49, 0, true, 1, "tglgt2",
		  1 << GPUOA_FORMAT_A12 | 1 << GPUOA_FORMAT_A12_B8_C8 |
			  1 << GPUOA_FORMAT_A32U40_A4U32_B8_C8,
		  GPUOA_FORMAT_A32U40_A4U32_B8_C8, 7 },
		{ 0x56a0, 0, false, 2, "acmgt3", 1 << GPUOA_FORMAT_A24U40_A14U32_B8_C8,
		  GPUOA_FORMAT_A24U40_A14U32_B8_C8, 8 },
		{ 0x7d55, 12, false, 2, "mtlgt3", 1 << GPUOA_FORMAT_A24U40_A14U32_B8_C8,
		  GPUOA_FORMAT_A24U40_A14U32_B8_C8, 8 },
	};
	struct gpuoa_unit_desc desc;
	struct gpuoa_clock_pair pair;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		memset(&test, 0, sizeof(test));
		xe_begin();
		xe.device = known[i].device;
		xe.version = known[i].version;
		xe.no_compute = known[i].no_compute;
		xe.clock_ratio = known[i].clock_ratio;
		REQUIRE(!open_unit("xe:0"));
		gpuoa_unit_describe(test.unit, &desc, sizeof(desc));
		CHECK_STRING(desc.platform, known[i].platform);
		CHECK(desc.formats == known[i].formats);
		CHECK(desc.default_format == known[i].format && desc.timestamp_bits == 32);
		CHECK(desc.cs_timestamp_bits == 36 && desc.threads_per_eu == known[i].threads);
		CHECK(desc.cs_timestamp_frequency * known[i].clock_ratio ==
		      desc.timestamp_frequency);
		CHECK(!gpuoa_unit_clock(test.unit, CLOCK_MONOTONIC, &pair));
		CHECK(pair.gpu_ticks == XE_CYCLES * known[i].clock_ratio);
		end();
	}
}

static void unopenable_node_is_reported(void)
{
	xe_begin();
	xe.node_error = EACCES;
	CHECK(open_unit("xe:0") == -EACCES && says("be in the group") && says("/dev/dri/"));
	xe.node_error = ENOENT;
	CHECK(open_unit("xe:0") == -ENOENT && says("--device /dev/dri/"));
	xe.node_error = EMFILE;
	CHECK(open_unit("xe:0") == -EMFILE && says("cannot open /dev/dri/"));
}

/* Each card with an even number has two units, every other card one. */
static int count_units(const char *root, const char *card)
{
	CHECK_STRING(root, tree_root);
	return (card[strlen(card) - 1] - '0') % 2 ? 1 : 2;
}

static void put_card(const char *card, const char *driver)
{
	char path[256], target[256];

	snprintf(path, sizeof(path), "sys/class/drm/%s/metrics/x", card);
	tree_file(path, "");
	snprintf(target, sizeof(target), "sys/drivers/%s/x", driver);
	tree_file(target, "");
	*strrchr(target, '/') = '\0';
	snprintf(path, sizeof(path), "sys/class/drm/%s/device/driver", card);
	tree_link(path, target);
}

static void unit_names_contain_card_numbers(void)
{
	const struct drm_driver driver = { .name = "xe", .count_units = count_units };
	char names[8][UNIT_NAME_SIZE], cards[4][DRM_CARD_SIZE];

	tree_begin();
	put_card("card0", "xe");
	put_card("card1", "i915");
	put_card("card3", "xe");
	put_card("card12", "xe");
	/* Connectors, and other names that are no card's */
	put_card("card0-DP-1", "xe");
	put_card("card", "xe");
	put_card("card1x", "xe");
	put_card("xcard2", "xe");
	put_card("card123456789012", "xe"); /* 16 characters */
	put_card("renderD128", "xe");
	/* A card without metrics, and one without driver */
	tree_link("sys/class/drm/card4/device/driver", "sys/drivers/xe");
	tree_file("sys/class/drm/card5/metrics/x", "");
	CHECK(drm_unit_list(&driver, tree_root, names, 8) == 5);
	CHECK_STRING(names[0], "xe:0");
	CHECK_STRING(names[1], "xe:0.1");
	CHECK_STRING(names[2], "xe:3");
	CHECK_STRING(names[3], "xe:12");
	CHECK_STRING(names[4], "xe:12.1");
	CHECK(drm_unit_list(&driver, tree_root, names, 1) == 5);
	CHECK(drm_unit_list(&xe_driver, tree_root, names, 8) == 3);
	CHECK_STRING(names[2], "xe:12");
	put_card("card12345678901", "xe");
	CHECK(drm_cards(tree_root, "xe", cards, 4) == 4);
	CHECK_STRING(cards[2], "card12");
	CHECK_STRING(cards[3], "card12345678901");
	CHECK(drm_cards(tree_root, "i915", cards, 4) == 1);
	CHECK_STRING(cards[0], "card1");
	CHECK(drm_cards(tree_root, "none", cards, 4) == 0);
	tree_end();
	CHECK(drm_cards("/none", "xe", cards, 4) == 0);
}

/* The user of a unit is the process that has a file of this name. */
static void user_is_found_by_an_open_file(void)
{
	struct gpuoa_unit_user use = { .process = 7 };
	char name[32], link[64], program[32] = "";
	FILE *comm = fopen("/proc/self/comm", "r");
	int file;

	REQUIRE(comm && fgets(program, sizeof(program), comm));
	fclose(comm);
	program[strcspn(program, "\n")] = '\0';
	snprintf(name, sizeof(name), "user-test-%ld", (long)getpid());
	snprintf(link, sizeof(link), "/memfd:%s (deleted)", name);
	CHECK(!drm_user_find(link, &use) && use.process == 7);
	file = memfd_create(name, MFD_CLOEXEC);
	REQUIRE(file >= 0);
	CHECK(drm_user_find(link, &use) && use.process == (uint32_t)getpid());
	CHECK_STRING(use.program, program);
	/* The whole name must be the same. */
	link[strlen(link) - 1] = '\0';
	CHECK(!drm_user_find(link, &use));
	strcat(link, "))");
	CHECK(!drm_user_find(link, &use));
	close(file);
}

static void units_of_a_card_are_counted_through_its_node(void)
{
	xe_begin();
	CHECK(xe_driver.count_units("", "card0") == XE_UNITS);
	/* A card that cannot be queried is listed, so that opening it can return the error. */
	xe.node_error = EACCES;
	CHECK(xe_driver.count_units("", "card0") == 1);
	xe.node_error = 0;
	xe.gone = true;
	CHECK(xe_driver.count_units("", "card0") == 1);
}

static void clock_pair_has_error_bound(void)
{
	struct gpuoa_clock_pair pair;

	REQUIRE(begin_unit());
	CHECK(!gpuoa_unit_clock(test.unit, CLOCK_MONOTONIC, &pair));
	CHECK(pair.gpu_ticks == XE_CYCLES && pair.cpu_ns == 1000250);
	CHECK(pair.error_ns == 250 + 1000000000 / XE_HZ + 1);
	end();
}

/* ---- configurations ------------------------------------------------------------------------- */

static void add_set_passes_one_register_list(void)
{
	struct gpuoa_reg regs[XE_REGISTERS_MAX];
	uint32_t id = 0, at = 0;
	int n;

	REQUIRE(begin_unit());
	CHECK(!gpuoa_unit_add_set(test.unit, find_set(), &id, test.error, sizeof(test.error)));
	CHECK(id == XE_CONFIG);
	for (int kind = GPUOA_REGISTER_MUX; kind <= GPUOA_REGISTER_FLEX; kind++) {
		n = gpuoa_set_registers(find_set(), (enum gpuoa_register_kind)kind,
					gpuoa_unit_constants(test.unit), regs, XE_REGISTERS_MAX);
		for (int i = 0; i < n; i++, at++)
			CHECK(xe.registers[at][0] == regs[i].address &&
			      xe.registers[at][1] == regs[i].value);
	}
	CHECK(at && xe.n_registers == at);
	end();
}

static int upload_with(int error)
{
	uint32_t id;

	xe.add_error = error;
	return gpuoa_unit_add_set(test.unit, find_set(), &id, test.error, sizeof(test.error));
}

static void add_set_errors_have_messages(void)
{
	REQUIRE(begin_unit());
	CHECK(upload_with(EACCES) == -EACCES && says("dev.xe.observation_paranoid") &&
	      says("gpuoa add-config -s RenderBasic"));
	CHECK(upload_with(EINVAL) == -EINVAL && says("xe:0 rejects a register of RenderBasic"));
	CHECK(upload_with(EADDRINUSE) == -EADDRINUSE && says("other registers under the UUID"));
	CHECK(upload_with(ENODEV) == -ENODEV && says("xe:0 was removed"));
	end();
}

/* ---- opening streams ------------------------------------------------------------------------ */

static void stream_open_passes_properties(void)
{
	struct gpuoa_reader_desc desc;

	REQUIRE(begin());
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_OA_UNIT_ID] == 0);
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_OA_METRIC_SET] == XE_CONFIG);
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_SAMPLE_OA] == 1);
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT] == EXPONENT);
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_OA_DISABLED] == 1);
	CHECK(xe.n_properties == 6 && xe.file == test.unit->fd);
	gpuoa_reader_describe(test.reader, &desc, sizeof(desc));
	CHECK(desc.report_size == REPORT_SIZE && desc.exponent == EXPONENT);
	CHECK(fcntl(test.stream->fd, F_GETFL) & O_NONBLOCK);
	CHECK(fcntl(test.stream->fd, F_GETFD) & FD_CLOEXEC);
	end();
}

/*
 * xe identifies a format by the type of unit (bits 0 to 7), the counter select (8 to 15), the
 * counter size (16 to 23) and B and C counters (24 to 31), as in xe_drm.h.
 */
static void stream_open_passes_format(void)
{
	static const struct {
		const char *unit;
		uint16_t version;
		bool no_compute;
		uint32_t format;
		uint64_t value;
	} known[] = {
		{ "xe:0", 0, true, GPUOA_FORMAT_A12, 0x00000000 },
		{ "xe:0", 0, true, GPUOA_FORMAT_A12_B8_C8, 0x00000200 },
		{ "xe:0", 0, true, GPUOA_FORMAT_A32U40_A4U32_B8_C8, 0x00000500 },
		{ "xe:0", 12, false, GPUOA_FORMAT_A24U40_A14U32_B8_C8, 0x00000500 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC64U64, 0x00010105 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC64U64_B8_C8, 0x01010105 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC64U32, 0x00000105 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC32U64_G1, 0x00010505 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC32U32_G1, 0x00000505 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC32U64_G2, 0x00010605 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC32U32_G2, 0x00000605 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC36U64_G1_32_G2_4, 0x00010305 },
		{ "xe:0", 20, false, GPUOA_FORMAT_PEC36U64_G1_4_G2_32, 0x00010405 },
		{ "xe:0.1", 20, false, GPUOA_FORMAT_MPEC8U64_B8_C8, 0x00000104 },
		{ "xe:0.1", 20, false, GPUOA_FORMAT_MPEC8U32_B8_C8, 0x00000204 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct gpuoa_stream_options options = usual_options();

		memset(&test, 0, sizeof(test));
		xe_begin();
		xe.version = known[i].version;
		xe.no_compute = known[i].no_compute;
		REQUIRE(!open_unit(known[i].unit));
		CHECK(test.unit->desc.formats >> known[i].format & 1);
		options.format = known[i].format;
		REQUIRE(!open_stream(&options));
		CHECK(xe.given >> DRM_XE_OA_PROPERTY_OA_FORMAT & 1);
		CHECK(xe.properties[DRM_XE_OA_PROPERTY_OA_FORMAT] == known[i].value);
		end();
	}
}

/* xe takes its number of C4_B8 for none. */
static void stream_open_rejects_a_format_of_i915(void)
{
	struct gpuoa_stream_options options = usual_options();

	memset(&test, 0, sizeof(test));
	xe_begin();
	xe.version = 0;
	xe.no_compute = true;
	REQUIRE(!open_unit("xe:0"));
	options.format = GPUOA_FORMAT_C4_B8;
	CHECK(open_stream(&options) == -EINVAL && says("has no such report format"));
	CHECK(!xe.n_properties);
	end();
}

static void stream_open_passes_no_property_that_xe_does_not_have(void)
{
	struct gpuoa_stream_options options = usual_options();

	REQUIRE(begin_unit());
	CHECK(test.unit->desc.buffer_size_min == 16 << 20);
	CHECK(test.unit->desc.buffer_size_max == 16 << 20);
	options.notify_reports = 10;
	REQUIRE(!open_stream(&options));
	CHECK(options.buffer_size == 16 << 20);
	CHECK(!(xe.given >> XE_BUFFER_SIZE_PROPERTY & 1) && !(xe.given >> XE_WAIT_NUM_REPORTS & 1));
	end();
}

static bool begin_new_unit(void)
{
	memset(&test, 0, sizeof(test));
	xe_begin();
	xe.capabilities = XE_BUFFER_SIZE_CAPABILITY | XE_WAIT_CAPABILITY;
	return CHECK(!open_unit("xe:0"));
}

/* Open a stream with a size of the OABUFFER. Return the size that the kernel gets, or -errno. */
static int64_t open_with_size(uint32_t size, uint32_t rounding, uint32_t *actual)
{
	struct gpuoa_stream_options options = usual_options();
	int err;

	options.buffer_size = size;
	options.rounding = rounding;
	err = open_stream(&options);
	if (err)
		return err;
	*actual = options.buffer_size;
	gpuoa_reader_close(test.reader);
	test.reader = NULL;
	xe.streams[0].fd = -1;
	return (int64_t)xe.properties[XE_BUFFER_SIZE_PROPERTY];
}

static void buffer_size_is_selected_if_xe_supports_it(void)
{
	uint32_t actual = 0;

	REQUIRE(begin_new_unit());
	CHECK(test.unit->desc.buffer_size_min == 128 << 10);
	CHECK(test.unit->desc.buffer_size_max == 128 << 20);
	CHECK(open_with_size(0, 0, &actual) == 16 << 20 && actual == 16 << 20);
	CHECK(open_with_size(128 << 10, 0, &actual) == 128 << 10 && actual == 128 << 10);
	CHECK(open_with_size(128 << 20, 0, &actual) == 128 << 20 && actual == 128 << 20);
	CHECK(open_with_size(64 << 10, 0, &actual) == -ERANGE && says("buffer size"));
	CHECK(open_with_size(256 << 20, 0, &actual) == -ERANGE);
	CHECK(open_with_size(3 << 20, 0, &actual) == -ERANGE);
	CHECK(open_with_size(3 << 20, GPUOA_ROUNDING_CLAMP, &actual) == 4 << 20);
	CHECK(actual == 4 << 20);
	end();
}

/* With a maximum age of reports, poll(2) waits for those within that age only. */
static void poll_waits_for_the_reports_that_wake(void)
{
	struct gpuoa_stream_options options = usual_options();

	REQUIRE(begin_new_unit());
	options.notify_reports = 10;
	REQUIRE(!open_stream(&options));
	CHECK(xe.properties[XE_WAIT_NUM_REPORTS] == 10);
	test.stream = &xe.streams[0];
	put_reports(9);
	CHECK(gpuoa_reader_wait(test.reader, 0) == -ETIMEDOUT);
	put_reports(1);
	CHECK(!gpuoa_reader_wait(test.reader, -1));
	CHECK(take() == 10);
	/* Fewer reports are not lost at the end. */
	put_reports(4);
	CHECK(take() == 0);
	CHECK(!gpuoa_reader_disable(test.reader));
	CHECK(take() == 4 && !test.status.gap && !test.status.lost_unknown);
	/* A stream that is enabled again waits as before. */
	CHECK(!gpuoa_reader_enable(test.reader));
	put_reports(9);
	CHECK(take() == 0);
	put_reports(1);
	CHECK(take() == 10);
	gpuoa_reader_close(test.reader);
	test.reader = NULL;
	xe.streams[0].fd = -1;

	options.poll_period_ns = 3 * options.period_ns;
	REQUIRE(!open_stream(&options));
	CHECK(xe.properties[XE_WAIT_NUM_REPORTS] == 3);
	gpuoa_reader_close(test.reader);
	xe.streams[0].fd = -1;
	options.poll_period_ns = 0;
	options.buffer_size = 128 << 10;
	options.notify_reports = 1000;
	REQUIRE(!open_stream(&options));
	CHECK(xe.properties[XE_WAIT_NUM_REPORTS] == (128 << 10) / 4 / REPORT_SIZE);
	end();
}

/* Return the number of reports that poll(2) waits for. A report takes 3333 ns. */
static uint64_t waited_for(uint32_t notify_reports, uint64_t poll_period_ns, uint32_t buffer_size)
{
	struct gpuoa_stream_options options = usual_options();

	options.notify_reports = notify_reports;
	options.poll_period_ns = poll_period_ns;
	options.buffer_size = buffer_size;
	options.ring_size = 32 << 20;
	CHECK(!open_stream(&options));
	CHECK(options.notify_reports == notify_reports && options.ring_size == 32 << 20);
	gpuoa_reader_close(test.reader);
	test.reader = NULL;
	xe.streams[0].fd = -1;
	CHECK(xe.n_properties == 8);
	return xe.properties[XE_WAIT_NUM_REPORTS];
}

/* xe polls every 5 ms by default. */
static void poll_waits_for_reports_of_the_maximum_age(void)
{
	const uint64_t period_ns = 3333;

	REQUIRE(begin_new_unit());
	CHECK(waited_for(1, 0, 0) == 1);
	CHECK(waited_for(1500, 0, 0) == 1500);
	CHECK(waited_for(1501, 0, 0) == 1500);
	CHECK(waited_for(1501, 1501 * period_ns, 0) == 1501);
	CHECK(waited_for(1501, 1501 * period_ns - 1, 0) == 1500);
	CHECK(waited_for(10, period_ns, 0) == 1);
	CHECK(waited_for(10, 1, 0) == 1);
	/* 131072 / 4 / 576 */
	CHECK(waited_for(56, 0, 128 << 10) == 56);
	CHECK(waited_for(57, 0, 128 << 10) == 56);
	end();
}

/* The ring has space for 2 s of reports, at most 4 MiB or 4 times the watermark. */
static void ring_has_the_size_that_is_needed(void)
{
	static const struct {
		uint32_t exponent, notify_reports;
		uint64_t ring_size;
		uint32_t notified;
	} known[] = {
		{ 5, 0, 4 << 20, (4 << 20) / 4 / REPORT_SIZE },
		{ 5, 1820, 4 << 20, 1820 },
		{ 5, 1821, 8 << 20, 1821 }, /* 4 * 1821 * 576 is 4 MiB and 1280 bytes */
		{ 5, 100000, 128 << 20, 58254 }, /* 128 MiB / 4 / 576 */
		/* a report every 3.4 ms: 585 reports in 2 s, 29 in 100 ms */
		{ 15, 0, 512 << 10, 29 },
		{ 15, 1000, 512 << 10, 227 },
		/* a report every 213 us: 9374 reports in 2 s are 5.1 MiB */
		{ 11, 0, 4 << 20, 468 },
		{ 12, 0, 4 << 20, 234 }, /* 2.6 MiB */
		{ 13, 0, 2 << 20, 117 }, /* 1.3 MiB */
	};

	REQUIRE(begin_unit());
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct gpuoa_stream_options options = { .use_exponent = true,
							.exponent = known[i].exponent,
							.notify_reports = known[i].notify_reports };

		printf("# %zu\n", i);
		REQUIRE(!open_stream(&options));
		CHECK(options.ring_size == known[i].ring_size);
		CHECK(options.notify_reports == known[i].notified);
		CHECK(options.delivery == GPUOA_DELIVERY_RAW);
		gpuoa_reader_close(test.reader);
		test.reader = NULL;
		xe.streams[0].fd = -1;
	}
	end();
}

/* A recording describes the stream as a perf event that counts nothing. */
static void stream_has_attributes_of_a_perf_event(void)
{
	const struct stream *stream;

	REQUIRE(begin());
	stream = stream_from_source(test.reader);
	CHECK(stream->attr.type == PERF_TYPE_SOFTWARE && stream->attr.sample_id_all);
	CHECK(stream->attr.config == PERF_COUNT_SW_DUMMY);
	CHECK(stream->reader.desc.delivery == GPUOA_DELIVERY_RAW && stream->watermark == 1);
	CHECK(stream->id == (EMULATED_ID | (uint32_t)test.stream->fd));
	CHECK_STRING(stream->event_name, "xe:0/RenderBasic/");
	end();
}

/* 0 is a valid exponent: it selects the shortest period. */
static void stream_open_accepts_exponent_0(void)
{
	struct gpuoa_stream_options options = { .use_exponent = true };
	struct gpuoa_reader_desc desc;

	REQUIRE(begin_unit());
	xe.properties[DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT] = EXPONENT;
	REQUIRE(!open_stream(&options));
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT] == 0);
	gpuoa_reader_describe(test.reader, &desc, sizeof(desc));
	CHECK(desc.exponent == 0);
	end();
}

static void exec_queue_uses_file_of_caller(void)
{
	struct gpuoa_stream_options options = usual_options();

	REQUIRE(begin_unit());
	options.context_filter = true;
	options.query_only = true;
	options.drm_fd = open("/dev/dri/card0", O_RDWR);
	options.context = 3;
	CHECK(!open_stream(&options));
	CHECK(xe.file == options.drm_fd);
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID] == 3);
	CHECK(xe.given ==
	      (1u << DRM_XE_OA_PROPERTY_OA_UNIT_ID | 1u << DRM_XE_OA_PROPERTY_OA_METRIC_SET |
	       1u << DRM_XE_OA_PROPERTY_OA_FORMAT | 1u << DRM_XE_OA_PROPERTY_OA_DISABLED |
	       1u << DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID));
	close(options.drm_fd);
	end();
}

/* xe allocates a buffer for a query as well, which stays empty. */
static void query_has_a_small_buffer_if_xe_supports_it(void)
{
	struct gpuoa_stream_options options = usual_options();

	REQUIRE(begin_new_unit());
	options.context_filter = true;
	options.query_only = true;
	options.drm_fd = open("/dev/dri/card0", O_RDWR);
	options.context = 3;
	CHECK(!open_stream(&options));
	CHECK(xe.properties[XE_BUFFER_SIZE_PROPERTY] == 128 << 10);
	CHECK(!xe.properties[XE_WAIT_NUM_REPORTS]);
	close(options.drm_fd);
	end();
}

/* A pool may outlive its stream, but the unit then no longer counts for it. */
static void queries_cannot_begin_after_close(void)
{
	const struct gpuoa_metric *metric;
	const struct gpuoa_calc_options calc = {
		.size = sizeof(calc),
		.metrics = &metric,
		.metric_count = 1,
		.no_infos = true,
	};
	const struct gpuoa_query_options options = {
		.size = sizeof(options),
		.count = 2,
		.calc = &calc,
	};
	static _Alignas(64) char memory[1 << 14];
	struct gpuoa_stream_options stream = usual_options();
	struct gpuoa_query_pool *pool;
	uint32_t dwords[256];

	REQUIRE(begin_unit());
	stream.context_filter = true;
	stream.query_only = true;
	stream.drm_fd = open("/dev/dri/card0", O_RDWR);
	stream.context = 3;
	REQUIRE(!open_stream(&stream));
	metric = gpuoa_set_find_metric(find_set(), "GpuTime");
	REQUIRE(!gpuoa_query_pool_open(test.reader, &options, memory, sizeof(memory), 1 << 20,
				       &pool, test.error, sizeof(test.error)));
	CHECK(gpuoa_query_begin(pool, 0, dwords, 256, test.error, sizeof(test.error)) > 0);
	gpuoa_reader_close(test.reader);
	test.reader = NULL;
	CHECK(gpuoa_query_begin(pool, 1, dwords, 256, test.error, sizeof(test.error)) ==
	      -ESHUTDOWN);
	CHECK(says("disabled or closed"));
	gpuoa_query_pool_close(pool);
	close(stream.drm_fd);
	end();
}

static void a_unit_group_uses_period_and_buffer_size_only(void)
{
	struct gpuoa_unit_group_entry entry = { 0 };
	struct gpuoa_stream_options options = usual_options();
	struct gpuoa_unit_group *group;

	REQUIRE(begin_unit());
	entry.unit = test.unit;
	entry.set = find_set();
	options.size = sizeof(options);
	options.notify_reports = 7;
	options.context_filter = true;
	options.drm_fd = -1;
	options.context = 3;
	options.batch_boundary_reports = true;
	options.overwrite = true;
	options.dword_mask[0] = 1;
	options.poll_period_ns = 1;
	options.query_only = true;
	REQUIRE(!gpuoa_unit_group_open(&options, &group, test.error, sizeof(test.error)));
	CHECK(!gpuoa_unit_group_set(group, &entry, 1, test.error, sizeof(test.error)));
	CHECK_STRING(test.error, "");
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_SAMPLE_OA] == 1);
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT] == EXPONENT);
	CHECK(!xe.properties[DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID]);
	gpuoa_unit_group_close(group);
	end();
}

static int open_with(int error)
{
	struct gpuoa_stream_options options = usual_options();

	xe.open_error = error;
	return open_stream(&options);
}

static void stream_open_errors_have_messages(void)
{
	REQUIRE(begin_unit());
	tree_begin();
	tree_file("proc/sys/dev/xe/observation_paranoid", "1\n");
	CHECK(open_with(EACCES) == -EACCES && says("CAP_PERFMON") &&
	      says("dev.xe.observation_paranoid (now 1)"));
	tree_file("proc/sys/dev/xe/observation_paranoid", "x\n");
	CHECK(open_with(EACCES) == -EACCES && says("dev.xe.observation_paranoid (now -1)"));
	tree_end();
	CHECK(open_with(EACCES) == -EACCES && says("dev.xe.observation_paranoid (now -1)"));
	CHECK(open_with(EBUSY) == -EBUSY &&
	      says("xe:0 is in use: xe serves one program at a time"));
	CHECK(open_with(ENOENT) == -ENOENT && says("no exec queue 0"));
	CHECK(open_with(EINVAL) == -EINVAL && says("xe refuses this stream of xe:0"));
	CHECK(open_with(ENODEV) == -ENODEV && says("it has no OA unit in use"));
	xe.gone = true;
	CHECK(open_with(0) == -ENODEV && says("xe:0 was removed"));
	end();
}

static int refused(struct gpuoa_stream_options options)
{
	return open_stream(&options);
}

static void unsupported_options_have_messages(void)
{
	struct gpuoa_stream_options options = usual_options();
	const struct gpuoa_unit_desc *desc;

	REQUIRE(begin_unit());
	desc = &test.unit->desc;
	options.delivery = GPUOA_DELIVERY_AUX;
	CHECK(refused(options) == -EOPNOTSUPP && says("xe:0: xe has no AUX mode"));
	options.overwrite = true;
	CHECK(refused(options) == -EOPNOTSUPP && says("no flight recorder"));
	options = usual_options();
	options.batch_boundary_reports = true;
	CHECK(refused(options) == -EOPNOTSUPP && says("batches"));
	options = usual_options();
	options.context_filter = true;
	CHECK(refused(options) == -EOPNOTSUPP && says("filters no reports"));
	options.context_hw_id = true;
	CHECK(refused(options) == -EOPNOTSUPP && says("not by what reports show"));
	options = usual_options();
	options.query_only = true;
	CHECK(refused(options) == -EOPNOTSUPP && says("for one exec queue only"));
	options = usual_options();
	test.unit->desc.features &= ~(uint64_t)GPUOA_UNIT_QUERY_ONLY;
	options.query_only = options.context_filter = true;
	CHECK(refused(options) == -EOPNOTSUPP && says("on the render and compute engines only"));
	options = usual_options();
	options.buffer_size = desc->buffer_size_max / 2;
	CHECK(refused(options) == -ERANGE && says("buffer size"));
	CHECK(test.reader == NULL);
	end();
}

static void insert_marker_returns_enotty(void)
{
	REQUIRE(begin_unit());
	CHECK(gpuoa_unit_insert_marker(test.unit, 1, NULL, 0) == -ENOTTY);
	end();
}

static uint32_t accepted_config;

static int accept_set(struct stream *stream, uint32_t id)
{
	(void)stream;
	accepted_config = id;
	return 0;
}

/* Only gpuoa.ko can change the set of a stream, so that a driver that also can is simulated. */
static void reconfigured_stream_describes_its_set(void)
{
	const struct gpuoa_set *other;
	struct gpuoa_reader_desc desc;
	struct gpuoa_set_desc set;
	struct backend backend = xe_backend;

	REQUIRE(begin());
	other = gpuoa_platform_find_set(gpuoa_unit_platform(test.unit), "ComputeBasic", "OA",
					gpuoa_unit_constants(test.unit));
	CHECK(gpuoa_stream_reconfigure(test.reader, other, test.error, sizeof(test.error)) ==
	      -EOPNOTSUPP);
	backend.reconfigure = accept_set;
	test.unit->backend = &backend;
	CHECK(!gpuoa_stream_reconfigure(test.reader, other, test.error, sizeof(test.error)));
	CHECK(accepted_config == XE_CONFIG);
	gpuoa_set_describe(other, &set, sizeof(set));
	gpuoa_reader_describe(test.reader, &desc, sizeof(desc));
	CHECK_STRING(desc.uuid, set.uuid);
	test.unit->backend = &xe_backend;
	end();
}

/* ---- reading -------------------------------------------------------------------------------- */

static void read_returns_reports_unchanged(void)
{
	REQUIRE(begin());
	put_reports(900);
	CHECK(take() == 900);
	CHECK(test.status.has_clock && test.status.clock.gpu_ticks == XE_CYCLES);
	CHECK(!test.status.lost_unknown && !test.status.lost_overflow);
	for (uint32_t i = 0; i < 900; i++)
		CHECK(qword(i, 1) == (i + 1) * PERIOD && qword(i, 71) == ~qword(i, 1));
	put_reports(3);
	CHECK(take() == 3 && !test.status.gap);
	CHECK(take() == 0);
	end();
}

/* Read two reports, then @status, then two more reports after a gap of @missing reports. */
static void lose(uint32_t status, uint32_t missing)
{
	put_reports(2);
	CHECK(take() == 2);
	xe_say(test.stream, status);
	CHECK(take() == 0);
	test.timestamp += missing * PERIOD;
	put_reports(2);
	CHECK(take() == 2);
}

static void lost_reports_are_counted_from_timestamps(void)
{
	REQUIRE(begin());
	lose(DRM_XE_OASTATUS_REPORT_LOST, 3);
	CHECK(test.status.gap && test.status.lost_hardware == 3 && !test.status.lost_overflow);
	CHECK(test.stream->begun == 1);
	end();
}

/* xe reports a loss before the reports that were in the buffer when the hardware lost others. */
static void lost_reports_are_counted_at_their_gaps(void)
{
	REQUIRE(begin());
	put_reports(2);
	CHECK(take() == 2);
	put_reports(3);
	test.timestamp += 3 * PERIOD;
	put_reports(2);
	test.timestamp += PERIOD;
	put_reports(4);
	xe.cycles = test.timestamp;
	xe_say(test.stream, DRM_XE_OASTATUS_REPORT_LOST);
	CHECK(take() == 3 && !test.status.gap && !test.status.lost_hardware);
	CHECK(take() == 2 && test.status.gap && test.status.lost_hardware == 3);
	CHECK(take() == 4 && test.status.gap && test.status.lost_hardware == 1);
	/* Reports after that time were not lost, but the stream may have been disabled. */
	test.timestamp += 5 * PERIOD;
	put_reports(2);
	CHECK(take() == 2 && !test.status.lost_hardware && !test.status.lost_unknown);
	CHECK(!gpuoa_reader_disable(test.reader));
	CHECK(take() == 0 && !test.status.lost_unknown);
	end();
}

/* Each gap starts a new sample; the ring has space for those of some gaps only. */
static void many_gaps_of_one_read_lose_no_report(void)
{
	int reports = 0, gaps = 0, n;

	REQUIRE(begin());
	put_reports(2);
	CHECK(take() == 2);
	for (int i = 0; i < 30; i++) {
		test.timestamp += PERIOD;
		put_reports(2);
	}
	xe.cycles = test.timestamp;
	xe_say(test.stream, DRM_XE_OASTATUS_REPORT_LOST);
	while ((n = take()) > 0) {
		reports += n;
		gaps += test.status.gap;
		CHECK(test.status.lost_hardware == test.status.gap);
	}
	CHECK(reports == 60 && gaps == 8);
	put_reports(2);
	CHECK(take() == 2 && test.status.gap && !test.status.lost_hardware);
	CHECK(test.status.lost_unknown);
	end();
}

/* A report that the timer did not trigger leaves no gap. */
static void loss_without_a_gap_is_reported_once(void)
{
	int losses = 0, reports = 0;

	REQUIRE(begin());
	put_reports(2);
	CHECK(take() == 2);
	put_reports(2);
	xe.cycles = test.timestamp;
	xe_say(test.stream, DRM_XE_OASTATUS_REPORT_LOST);
	put_reports(2);
	for (int i = 0; i < 6; i++) {
		reports += take();
		losses += test.status.gap;
		CHECK(!test.status.lost_hardware && !test.status.lost_unknown);
	}
	CHECK(reports == 4 && losses == 1);
	xe_say(test.stream, DRM_XE_OASTATUS_REPORT_LOST);
	CHECK(take() == 0);
	CHECK(!gpuoa_reader_disable(test.reader));
	CHECK(take() == 0 && test.status.lost_unknown);
	end();
}

static void lost_reports_are_counted_across_a_wrap_of_the_timestamp(void)
{
	REQUIRE(begin());
	test.timestamp = TIMESTAMP_MASK + 1 - 4 * PERIOD;
	lose(DRM_XE_OASTATUS_REPORT_LOST, 3);
	CHECK(qword(0, 1) == 2 * PERIOD);
	CHECK(test.status.gap && test.status.lost_hardware == 3 && !test.status.lost_unknown);
	end();
}

static void overflow_reopens_stream(void)
{
	REQUIRE(begin());
	lose(DRM_XE_OASTATUS_BUFFER_OVERFLOW, 70);
	CHECK(test.status.gap && test.status.lost_overflow == 70 && !test.status.lost_hardware);
	CHECK(test.stream->begun == 2 && test.stream->enabled);
	end();
}

static void full_buffer_is_read_before_reopening(void)
{
	REQUIRE(begin());
	put_reports(500);
	xe_say(test.stream, DRM_XE_OASTATUS_BUFFER_OVERFLOW | DRM_XE_OASTATUS_REPORT_LOST);
	CHECK(take() == 500);
	CHECK(!test.status.gap && !test.status.lost_overflow);
	CHECK(take() == 0);
	CHECK(test.stream->begun == 2);
	end();
}

/* If the stream cannot be enabled again, the next read tries it, and the loss is reported once. */
static void failed_reopening_is_repeated(void)
{
	REQUIRE(begin());
	put_reports(2);
	xe_say(test.stream, DRM_XE_OASTATUS_BUFFER_OVERFLOW);
	xe.enable_error = EIO;
	CHECK(take() == 2 && !test.status.gap);
	CHECK(take() == 0 && !test.stream->enabled);
	xe.enable_error = 0;
	CHECK(take() == 0 && test.stream->enabled && test.stream->begun == 2);
	test.timestamp += 5 * PERIOD;
	put_reports(2);
	CHECK(take() == 2 && test.status.gap && test.status.lost_overflow == 5);
	put_reports(2);
	CHECK(take() == 2 && !test.status.gap);
	end();
}

static void overflow_ends_although_each_read_finds_a_loss(void)
{
	REQUIRE(begin());
	put_reports(500);
	xe_say(test.stream, DRM_XE_OASTATUS_BUFFER_OVERFLOW | DRM_XE_OASTATUS_REPORT_LOST);
	test.stream->drops = true;
	CHECK(take() == 500 && test.stream->enabled && test.stream->begun == 2);
	test.timestamp += 30 * PERIOD;
	put_reports(2);
	CHECK(take() == 2 && test.status.gap && test.status.lost_overflow == 30);
	end();
}

static void wraps_and_triggers_are_not_losses(void)
{
	REQUIRE(begin());
	put_reports(2);
	CHECK(take() == 2);
	xe_say(test.stream, DRM_XE_OASTATUS_COUNTER_OVERFLOW | DRM_XE_OASTATUS_MMIO_TRG_Q_FULL);
	put_reports(2);
	CHECK(take() == 2);
	CHECK(test.status.wraps == 1 && test.status.lost_triggers == 1);
	CHECK(!test.status.gap && !test.status.lost_unknown);
	end();
}

/* The kernel has more statuses than are read in one poll. */
static void all_hardware_statuses_are_counted(void)
{
	REQUIRE(begin());
	put_reports(2);
	CHECK(take() == 2);
	for (int i = 0; i < 5; i++)
		xe_say(test.stream, DRM_XE_OASTATUS_COUNTER_OVERFLOW);
	xe_say(test.stream, DRM_XE_OASTATUS_REPORT_LOST);
	test.timestamp += 3 * PERIOD;
	put_reports(2);
	CHECK(take() == 2);
	CHECK(test.status.wraps == 5 && test.status.lost_hardware == 3);
	for (int i = 0; i < 8; i++)
		xe_say(test.stream, DRM_XE_OASTATUS_COUNTER_OVERFLOW);
	xe_say(test.stream, DRM_XE_OASTATUS_REPORT_LOST);
	CHECK(!gpuoa_reader_disable(test.reader));
	CHECK(take() == 0 && test.status.lost_unknown);
	end();
}

/* poll(2) reports that there is data, but read(2) returns none. */
static void failed_read_ends_poll(void)
{
	REQUIRE(begin());
	xe_set_readable(test.stream, true);
	CHECK(take() == 0);
	put_reports(1);
	CHECK(take() == 1);
	end();
}

/* gpuoa_reader_wait() does not return after a clock pair, nor after a read that returns nothing. */
static void wait_returns_for_reports_and_losses_only(void)
{
	REQUIRE(begin());
	CHECK(gpuoa_reader_wait(test.reader, 0) == -ETIMEDOUT);
	xe_set_readable(test.stream, true);
	CHECK(gpuoa_reader_wait(test.reader, 0) == -ETIMEDOUT);
	put_reports(3);
	CHECK(!gpuoa_reader_wait(test.reader, -1));
	CHECK(take() == 3 && test.status.has_clock);
	CHECK(gpuoa_reader_wait(test.reader, 0) == -ETIMEDOUT);
	xe_say(test.stream, DRM_XE_OASTATUS_COUNTER_OVERFLOW);
	CHECK(!gpuoa_reader_wait(test.reader, -1));
	CHECK(take() == 0 && test.status.wraps == 1);
	CHECK(!gpuoa_reader_disable(test.reader));
	CHECK(gpuoa_reader_wait(test.reader, -1) == -ECANCELED);
	CHECK(!gpuoa_reader_enable(test.reader));
	CHECK(gpuoa_reader_wait(test.reader, 0) == -ETIMEDOUT);
	end();
}

/* Reports that gpuoa_reader_peek() returned stay valid until its next call. */
static void wait_keeps_peeked_reports(void)
{
	const void *reports;

	REQUIRE(begin());
	put_reports(5);
	CHECK(gpuoa_reader_peek(test.reader, &reports, 2, &test.status) == 2);
	put_reports(900);
	CHECK(!gpuoa_reader_wait(test.reader, 0));
	CHECK(((const uint64_t *)reports)[1] == PERIOD);
	CHECK(take() == 903);
	CHECK(qword(0, 1) == 3 * PERIOD && qword(902, 1) == 905 * PERIOD);
	CHECK(!test.status.gap);
	end();
}

static void two_units_are_read_independently(void)
{
	struct gpuoa_stream_options options = usual_options();
	struct gpuoa_unit *unit;
	struct gpuoa_reader *reader;

	REQUIRE(begin());
	unit = test.unit;
	reader = test.reader;
	REQUIRE(!open_unit("xe:0.1") && !open_stream(&options));
	CHECK(xe.properties[DRM_XE_OA_PROPERTY_OA_UNIT_ID] == 2);
	CHECK(xe.streams[1].enabled);
	/* Samples of both can be distinguished, also from those of perf events. */
	CHECK(stream_from_source(reader)->id >> 63 && stream_from_source(test.reader)->id >> 63);
	CHECK(stream_from_source(reader)->id != stream_from_source(test.reader)->id);
	put_reports(5);
	CHECK(take() == 0);
	CHECK(gpuoa_reader_read(reader, test.reports, REPORTS_MAX, &test.status) == 5);
	end();
	gpuoa_reader_close(reader);
	gpuoa_unit_close(unit);
}

static void recorder_accepts_different_streams_only(void)
{
	struct gpuoa_stream_options options = usual_options();
	struct gpuoa_recorder *recorder;
	struct gpuoa_reader *readers[2];
	struct gpuoa_unit *unit;

	REQUIRE(begin());
	unit = test.unit;
	readers[0] = readers[1] = test.reader;
	CHECK(gpuoa_recorder_open(readers, 2, "/dev/null", &recorder, test.error,
				  sizeof(test.error)) == -EINVAL);
	CHECK(says("sources 0 and 1 are the same stream"));
	REQUIRE(!open_unit("xe:0.1") && !open_stream(&options));
	readers[1] = test.reader;
	REQUIRE(!gpuoa_recorder_open(readers, 2, "/dev/null", &recorder, test.error,
				     sizeof(test.error)));
	CHECK(!gpuoa_recorder_close(recorder));
	end();
	gpuoa_reader_close(readers[0]);
	gpuoa_unit_close(unit);
}

/* A stream has pairs of one CPU clock; its recording relates the GPU's clock to all of them. */
static void recording_has_pairs_of_all_cpu_clocks(void)
{
	static const int clocks[] = { CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME,
				      CLOCK_REALTIME, CLOCK_TAI };
	const int file = memfd_create("recording", MFD_CLOEXEC);
	struct gpuoa_recorder *recorder;
	const struct gpuoa_time *time;
	struct gpuoa_reader *reader;
	uint64_t ns, error_ns;
	char path[64];

	REQUIRE(begin() && file >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	REQUIRE(!gpuoa_recorder_open(&test.reader, 1, path, &recorder, test.error,
				     sizeof(test.error)));
	put_reports(10);
	CHECK(!gpuoa_recorder_write(recorder));
	CHECK(!gpuoa_recorder_close(recorder));
	REQUIRE(!gpuoa_file_open(path, &reader, test.error, sizeof(test.error)));
	REQUIRE(!gpuoa_reader_time(reader, &time));
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		CHECK(!gpuoa_time_to_cpu(time, clocks[i], XE_CYCLES, &ns, &error_ns));
	gpuoa_reader_close(reader);
	close(file);
	end();
}

static void second_stream_returns_ebusy(void)
{
	struct gpuoa_stream_options options = usual_options();

	REQUIRE(begin());
	CHECK(gpuoa_stream_open(test.unit, find_set(), &options, &(struct gpuoa_reader *){ NULL },
				test.error, sizeof(test.error)) == -EINVAL);
	options.size = sizeof(options);
	CHECK(gpuoa_stream_open(test.unit, find_set(), &options, &(struct gpuoa_reader *){ NULL },
				test.error, sizeof(test.error)) == -EBUSY);
	CHECK(says("xe:0 is in use"));
	end();
}

/* Take reports until none are left. Returns their number; @test.status is the sum of all reads. */
static int take_rest(void)
{
	struct gpuoa_read_status all = { .wraps = 0 };
	int n, total = 0;

	while ((n = take()) > 0) {
		for (int i = 0; i < n; i++)
			CHECK(!i || qword((size_t)i, 1) == qword((size_t)i - 1, 1) + PERIOD);
		total += n;
		all.gap |= test.status.gap;
		all.wraps += test.status.wraps;
	}
	CHECK(!n);
	test.status.gap |= all.gap;
	test.status.wraps += all.wraps;
	return total;
}

/* A read has space for a whole number of reports, and the ring is filled as far as possible. */
static void reads_are_of_whole_reports(void)
{
	struct gpuoa_stream_options options = usual_options();
	int total = 0;

	REQUIRE(begin_unit());
	options.ring_size = 256 << 10;
	REQUIRE(!open_stream(&options));
	test.stream = &xe.streams[0];
	put_reports(1500); /* 864000 bytes */
	ring_end(&stream_from_source(test.reader)->ring);
	CHECK(test.stream->asked && test.stream->asked % REPORT_SIZE == 0);
	/* Less than a fifth of the ring remains. */
	CHECK(ring_fill(&stream_from_source(test.reader)->ring) > 4 * (256 << 10) / 5);
	CHECK(test.stream->fill > 864000 - (256 << 10));
	CHECK(test.stream->reads < 20);
	total = take_rest();
	CHECK(total == 1500 && !test.status.gap && !test.stream->fill);
	CHECK(test.stream->asked % REPORT_SIZE == 0);
	end();
}

/* Each status is reported as what it is. */
static void statuses_are_reported_separately(void)
{
	static const struct {
		uint32_t status;
		unsigned int wraps, triggers;
	} known[] = {
		{ DRM_XE_OASTATUS_COUNTER_OVERFLOW, 1, 0 },
		{ DRM_XE_OASTATUS_MMIO_TRG_Q_FULL, 0, 1 },
		{ 0, 0, 0 },
		{ 1u << 31, 0, 0 },
	};

	REQUIRE(begin());
	put_reports(2);
	CHECK(take() == 2);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		xe_say(test.stream, known[i].status);
		put_reports(2);
		CHECK(take() == 2 && !test.status.gap);
		CHECK(test.status.wraps == known[i].wraps);
		CHECK(test.status.lost_triggers == known[i].triggers);
	}
	end();
}

/* If the status cannot be read, the reports can. */
static void unreadable_status_is_ignored(void)
{
	REQUIRE(begin());
	xe.status_error = EIO;
	xe_say(test.stream, DRM_XE_OASTATUS_COUNTER_OVERFLOW);
	put_reports(2);
	CHECK(take() == 2 && !test.status.wraps && !test.status.gap);
	end();
}

static void failed_disable_returns_the_error_of_xe(void)
{
	REQUIRE(begin());
	put_reports(3);
	xe.disable_error = EIO;
	CHECK(gpuoa_reader_disable(test.reader) == -EIO);
	CHECK(test.stream->enabled && take() == 3);
	put_reports(2);
	CHECK(take() == 2 && !test.status.gap);
	xe.disable_error = 0;
	CHECK(!gpuoa_reader_disable(test.reader) && !gpuoa_reader_disable(test.reader));
	xe.enable_error = EBUSY;
	CHECK(gpuoa_reader_enable(test.reader) == -EBUSY);
	CHECK(take() == 0);
	xe.enable_error = 0;
	CHECK(!gpuoa_reader_enable(test.reader) && test.stream->begun == 2);
	put_reports(2);
	CHECK(take() == 2 && test.status.gap && !test.status.lost_unknown);
	end();
}

/* Reports that are fewer than poll(2) waits for are read after an overflow, but not later. */
static void overflow_is_read_below_the_watermark(void)
{
	struct gpuoa_stream_options options = usual_options();

	REQUIRE(begin_new_unit());
	options.notify_reports = 10;
	REQUIRE(!open_stream(&options));
	test.stream = &xe.streams[0];
	put_reports(4);
	xe_say(test.stream, DRM_XE_OASTATUS_BUFFER_OVERFLOW);
	CHECK(take() == 4 && take() == 0 && test.stream->begun == 2);
	test.timestamp += 6 * PERIOD;
	put_reports(9);
	CHECK(take() == 0);
	put_reports(1);
	CHECK(take() == 10 && test.status.gap && test.status.lost_overflow == 6);
	end();
}

/* A process that has closed its standard input may get 0 for the file of a stream. */
static void streams_may_have_file_0(void)
{
	struct gpuoa_stream_options options = usual_options();
	const int input = dup(STDIN_FILENO);

	REQUIRE(begin_unit());
	xe.moves_stream = true;
	REQUIRE(!open_stream(&options));
	CHECK(gpuoa_reader_fd(test.reader) == STDIN_FILENO);
	test.stream = &xe.streams[0];
	put_reports(2);
	CHECK(take() == 2);
	end();
	CHECK(fcntl(STDIN_FILENO, F_GETFD) < 0);
	if (input >= 0) {
		dup2(input, STDIN_FILENO);
		close(input);
	}
}

/* ---- the end -------------------------------------------------------------------------------- */

static void reports_are_readable_after_disable(void)
{
	REQUIRE(begin());
	put_reports(7);
	CHECK(!gpuoa_reader_disable(test.reader) && !test.stream->enabled);
	CHECK(take() == 7);
	CHECK(take() == 0 && !test.status.lost_unknown);
	CHECK(!gpuoa_reader_enable(test.reader));
	put_reports(2);
	CHECK(take() == 2);
	CHECK(test.status.gap && !test.status.lost_unknown && !test.status.lost_hardware);
	end();
}

static void loss_at_end_is_reported(void)
{
	REQUIRE(begin());
	put_reports(7);
	xe_say(test.stream, DRM_XE_OASTATUS_BUFFER_OVERFLOW);
	test.stream->enabled = true;
	CHECK(!gpuoa_reader_disable(test.reader));
	CHECK(take() == 7);
	CHECK(test.status.lost_unknown || (take() == 0 && test.status.lost_unknown));
	end();
}

/* Reports that have no space in the ring are kept when the stream is disabled. */
static void disable_keeps_reports_beyond_the_ring(void)
{
	struct gpuoa_stream_options options = usual_options();

	REQUIRE(begin_unit());
	options.ring_size = 256 << 10;
	REQUIRE(!open_stream(&options));
	test.stream = &xe.streams[0];
	put_reports(1500);
	CHECK(!gpuoa_reader_disable(test.reader) && !test.stream->fill);
	CHECK(!gpuoa_reader_enable(test.reader));
	put_reports(1);
	CHECK(take_rest() == 1501 && !test.status.lost_unknown && !test.status.lost_overflow);
	end();
}

/* Statuses beyond those of one poll are read when the stream is disabled. */
static void disable_reads_the_last_statuses(void)
{
	REQUIRE(begin());
	for (int i = 0; i < 7; i++)
		xe_say(test.stream, DRM_XE_OASTATUS_COUNTER_OVERFLOW);
	put_reports(5);
	CHECK(!gpuoa_reader_disable(test.reader) && !test.stream->n_statuses);
	CHECK(take_rest() == 5 && test.status.wraps == 7 && !test.status.lost_unknown);
	CHECK(!gpuoa_reader_enable(test.reader));
	for (int i = 0; i < 4; i++)
		xe_say(test.stream, DRM_XE_OASTATUS_COUNTER_OVERFLOW);
	xe_say(test.stream, DRM_XE_OASTATUS_BUFFER_OVERFLOW);
	put_reports(3);
	CHECK(!gpuoa_reader_disable(test.reader) && test.stream->begun == 2);
	CHECK(take_rest() == 3 && test.status.lost_unknown);
	/* It is not enabled once more because of that overflow. */
	CHECK(!gpuoa_reader_enable(test.reader) && test.stream->begun == 3);
	put_reports(2);
	CHECK(take_rest() == 2 && test.stream->begun == 3 && !test.status.lost_unknown);
	put_reports(2);
	CHECK(take() == 2 && !test.status.gap);
	end();
}

/*
 * If the GPU is removed, its registers read as all ones, so the status bits in them must be
 * ignored.
 */
static void removed_gpu_returns_enodev_only(void)
{
	REQUIRE(begin());
	put_reports(2);
	CHECK(take() == 2);
	xe.gone = true;
	xe_set_readable(test.stream, true);
	CHECK(take() == -ENODEV);
	CHECK(!test.status.wraps && !test.status.lost_triggers && !test.status.lost_overflow);
	CHECK(gpuoa_reader_wait(test.reader, 0) == -ENODEV);
	CHECK(take() == -ENODEV);
	end();
}

int main(void)
{
	RUN(unit_describe_returns_values_of_xe);
	RUN(slices_and_threads_depend_on_platform);
	RUN(second_unit_is_of_media_engines);
	RUN(media_unit_is_oam0_if_the_shared_unit_has_no_engines);
	RUN(missing_unit_returns_enoent);
	RUN(gpus_before_xe2_have_their_formats);
	RUN(unopenable_node_is_reported);
	RUN(unit_names_contain_card_numbers);
	RUN(user_is_found_by_an_open_file);
	RUN(units_of_a_card_are_counted_through_its_node);
	RUN(clock_pair_has_error_bound);
	RUN(add_set_passes_one_register_list);
	RUN(add_set_errors_have_messages);
	RUN(stream_open_passes_properties);
	RUN(stream_open_passes_format);
	RUN(stream_open_rejects_a_format_of_i915);
	RUN(stream_open_passes_no_property_that_xe_does_not_have);
	RUN(buffer_size_is_selected_if_xe_supports_it);
	RUN(poll_waits_for_the_reports_that_wake);
	RUN(poll_waits_for_reports_of_the_maximum_age);
	RUN(ring_has_the_size_that_is_needed);
	RUN(stream_has_attributes_of_a_perf_event);
	RUN(stream_open_accepts_exponent_0);
	RUN(exec_queue_uses_file_of_caller);
	RUN(query_has_a_small_buffer_if_xe_supports_it);
	RUN(queries_cannot_begin_after_close);
	RUN(a_unit_group_uses_period_and_buffer_size_only);
	RUN(stream_open_errors_have_messages);
	RUN(unsupported_options_have_messages);
	RUN(insert_marker_returns_enotty);
	RUN(reconfigured_stream_describes_its_set);
	RUN(read_returns_reports_unchanged);
	RUN(lost_reports_are_counted_from_timestamps);
	RUN(lost_reports_are_counted_at_their_gaps);
	RUN(many_gaps_of_one_read_lose_no_report);
	RUN(loss_without_a_gap_is_reported_once);
	RUN(lost_reports_are_counted_across_a_wrap_of_the_timestamp);
	RUN(overflow_reopens_stream);
	RUN(full_buffer_is_read_before_reopening);
	RUN(failed_reopening_is_repeated);
	RUN(overflow_ends_although_each_read_finds_a_loss);
	RUN(wraps_and_triggers_are_not_losses);
	RUN(all_hardware_statuses_are_counted);
	RUN(failed_read_ends_poll);
	RUN(wait_returns_for_reports_and_losses_only);
	RUN(wait_keeps_peeked_reports);
	RUN(two_units_are_read_independently);
	RUN(recorder_accepts_different_streams_only);
	RUN(recording_has_pairs_of_all_cpu_clocks);
	RUN(second_stream_returns_ebusy);
	RUN(overflow_is_read_below_the_watermark);
	RUN(streams_may_have_file_0);
	RUN(reads_are_of_whole_reports);
	RUN(statuses_are_reported_separately);
	RUN(unreadable_status_is_ignored);
	RUN(failed_disable_returns_the_error_of_xe);
	RUN(reports_are_readable_after_disable);
	RUN(loss_at_end_is_reported);
	RUN(disable_keeps_reports_beyond_the_ring);
	RUN(disable_reads_the_last_statuses);
	RUN(removed_gpu_returns_enodev_only);
	return tap_end();
}
