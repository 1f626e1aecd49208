// SPDX-License-Identifier: MIT
/* tracer_open_test.c - Check the streams that a tracer opens, with a simulated kernel (fake_xe.h).
 */
#define _GNU_SOURCE

#include "fake_xe.h"

#include "base/complaint.h"
#include "failing_memory.h"
#include "gpuoa-stream.h"
#include "gpuoa-tracer.h"
#include "reader/backends/backends.h"
#include "reader/stream/unit.h"
#include "reader/xe/xe.h"
#include "tap.h"

#define MEDIA_SIZE 192 /* MPEC8u64_B8_C8 */

static struct {
	struct gpuoa_unit *units[2];
	struct gpuoa_tracer_group groups[2];
	struct gpuoa_stream_options options[2];
	struct gpuoa_tracer *tracer;
	char error[256];
} test;

static int open_unit(size_t index)
{
	static const char *const sets[] = { "RenderBasic", "MediaSet1" };
	const struct complaint quiet = { 0 };
	struct gpuoa_unit *unit;
	const int err = backend_open(&xe_backend, index ? "xe:0.1" : "xe:0", &unit, &quiet);

	if (err)
		return err;
	test.units[index] = unit;
	test.groups[index] = (struct gpuoa_tracer_group){
		.unit = unit,
		.set = gpuoa_platform_find_set(gpuoa_unit_platform(unit), sets[index],
					       unit->desc.domain, gpuoa_unit_constants(unit)),
	};
	return 0;
}

static void prepare(void)
{
	memset(&test, 0, sizeof(test));
	xe_begin();
	xe.capabilities = XE_BUFFER_SIZE_CAPABILITY | XE_WAIT_CAPABILITY;
	for (size_t i = 0; i < 2; i++)
		test.options[i] = (struct gpuoa_stream_options){
			.size = sizeof(test.options[i]),
			.use_exponent = true,
			.exponent = 5,
		};
}

static bool begin(void)
{
	prepare();
	return CHECK(!open_unit(0)) && CHECK(!open_unit(1));
}

static void end(void)
{
	gpuoa_tracer_close(test.tracer);
	gpuoa_unit_close(test.units[1]);
	gpuoa_unit_close(test.units[0]);
}

static int open_tracer(struct gpuoa_tracer_options *options)
{
	return gpuoa_tracer_open(test.groups, 2, options, &test.tracer, test.error,
				 sizeof(test.error));
}

static void close_tracer(void)
{
	gpuoa_tracer_close(test.tracer);
	test.tracer = NULL;
	for (int i = 0; i < XE_UNITS; i++) {
		CHECK(fcntl(xe.streams[i].fd, F_GETFD) < 0);
		xe.streams[i].fd = -1;
	}
}

static void streams_are_opened_disabled(void)
{
	REQUIRE(begin());
	test.groups[0].options = &test.options[0];
	test.groups[1].options = &test.options[1];
	CHECK(!open_tracer(NULL));
	CHECK_STRING(test.error, "");
	CHECK(xe.streams[0].fd >= 0 && !xe.streams[0].enabled);
	CHECK(xe.streams[1].fd >= 0 && !xe.streams[1].enabled);
	CHECK(test.options[0].disabled && test.options[0].delivery == GPUOA_DELIVERY_RAW);
	CHECK(test.options[0].period_ns == 3333);
	CHECK(!gpuoa_tracer_enable(test.tracer, true));
	CHECK(xe.streams[0].enabled && xe.streams[1].enabled);
	CHECK(!gpuoa_tracer_disable(test.tracer, true));
	CHECK(!xe.streams[0].enabled && !xe.streams[1].enabled);
	close_tracer();
	end();
}

/* Open a tracer that notifies after @bytes. Returns the number that it reports. */
static size_t notified(size_t bytes)
{
	struct gpuoa_tracer_options options = { .size = sizeof(options), .notify_bytes = bytes };

	test.options[0].notify_reports = test.options[1].notify_reports = 0;
	if (CHECK(!open_tracer(&options)))
		close_tracer();
	return options.notify_bytes;
}

static void groups_share_the_bytes_of_a_notification(void)
{
	REQUIRE(begin());
	test.groups[0].options = &test.options[0];
	test.groups[1].options = &test.options[1];
	CHECK(notified(100 * XE_REPORT_SIZE) == 100 * XE_REPORT_SIZE);
	CHECK(test.options[0].notify_reports == 50);
	CHECK(test.options[1].notify_reports == 50 * XE_REPORT_SIZE / MEDIA_SIZE);
	CHECK(notified(100 * XE_REPORT_SIZE - 1) == 98 * XE_REPORT_SIZE);
	CHECK(test.options[0].notify_reports == 49);
	/* A report is the least; that of the media unit is the smaller one. */
	CHECK(notified(1) == 2 * MEDIA_SIZE);
	CHECK(test.options[0].notify_reports == 1 && test.options[1].notify_reports == 1);
	/* The format of the options has reports of another size. */
	test.options[0].format = GPUOA_FORMAT_PEC32U32_G1;
	CHECK(notified(100 * XE_REPORT_SIZE) == 100 * XE_REPORT_SIZE);
	CHECK(test.options[0].notify_reports == 50 * XE_REPORT_SIZE / 192);
	end();
}

static void stream_options_notify_without_tracer_options(void)
{
	struct gpuoa_tracer_options options = { .size = sizeof(options) };

	REQUIRE(begin());
	test.groups[0].options = &test.options[0];
	test.groups[1].options = &test.options[1];
	test.options[0].notify_reports = 7;
	CHECK(!open_tracer(&options) && test.options[0].notify_reports == 7);
	CHECK(options.notify_bytes == 2 * 7 * XE_REPORT_SIZE);
	close_tracer();
	end();
}

/* If the second stream cannot be opened, the first one is closed. */
static void failed_open_leaves_no_stream(void)
{
	REQUIRE(begin());
	xe.streams[1].fd = eventfd(0, 0);
	CHECK(open_tracer(NULL) == -EBUSY && strstr(test.error, "xe:0.1 is in use"));
	CHECK(xe.streams[0].fd >= 0 && fcntl(xe.streams[0].fd, F_GETFD) < 0);
	close(xe.streams[1].fd);
	end();
}

static int use_tracer(void)
{
	int err;

	prepare();
	err = open_unit(0);
	if (!err)
		err = open_unit(1);
	if (!err)
		err = open_tracer(NULL);
	end();
	return err;
}

static void tracer_survives_failures(void)
{
	fail_each(&calls, EIO, use_tracer);
	fail_each(&allocations, ENOMEM, use_tracer);
}

int main(void)
{
	RUN(streams_are_opened_disabled);
	RUN(groups_share_the_bytes_of_a_notification);
	RUN(stream_options_notify_without_tracer_options);
	RUN(failed_open_leaves_no_stream);
	RUN(tracer_survives_failures);
	return tap_end();
}
