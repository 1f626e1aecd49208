// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_attr.c - validation of event attributes, in both the perf and the extensible form.
 */
#include <kunit/test.h>
#include <linux/mman.h>
#include <linux/perf_event.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "../core/oa/gpuoa_oa.h"
#include "../core/stream/gpuoa_attr.h"

#define HSW_FREQUENCY 12500000ULL

static void flat_form_is_parsed(struct kunit *test)
{
	struct gpuoa_attr attr;

	KUNIT_ASSERT_EQ(test, gpuoa_attr_from_config(NULL, 0x00000905deadbeefULL, &attr), 0);
	KUNIT_EXPECT_EQ(test, attr.metric_set, 0xdeadbeef);
	KUNIT_EXPECT_EQ(test, attr.format, GPUOA_FORMAT_A45_B8_C8);
	KUNIT_EXPECT_EQ(test, attr.exponent, 9);
	KUNIT_EXPECT_EQ(test, attr.flags, GPUOA_ATTR_EXPONENT);

	KUNIT_EXPECT_EQ(test, attr.counter, GPUOA_COUNTER_NONE);

	KUNIT_ASSERT_EQ(test, gpuoa_attr_from_config(NULL, 0x0107000000000001ULL, &attr), 0);
	KUNIT_EXPECT_EQ(test, attr.counter, GPUOA_COUNTER_A(7));

	KUNIT_ASSERT_EQ(test, gpuoa_attr_from_config(NULL, 1, &attr), 0);
	KUNIT_EXPECT_EQ(test, attr.format, GPUOA_FORMAT_DEFAULT);
	KUNIT_EXPECT_EQ(test, attr.flags, 0);

	KUNIT_ASSERT_EQ(test, gpuoa_attr_from_config(NULL, 1 | BIT_ULL(63), &attr), 0);
	KUNIT_EXPECT_EQ(test, attr.flags, GPUOA_ATTR_AUX);
}

static void flat_form_rejects_reserved_bits(struct kunit *test)
{
	struct gpuoa_attr attr;
	unsigned int bit;

	for (bit = 60; bit < 63; bit++)
		KUNIT_EXPECT_EQ(test, gpuoa_attr_from_config(NULL, 1 | BIT_ULL(bit), &attr),
				-EINVAL);
	KUNIT_EXPECT_EQ(test, gpuoa_attr_from_config(NULL, 0, &attr), -ENOENT);
}

static struct gpuoa_attr good_attr(void)
{
	return (struct gpuoa_attr){ .size = sizeof(struct gpuoa_attr), .metric_set = 1 };
}

struct check_case {
	const char *what;
	struct gpuoa_attr attr;
	int result;
};

static const struct check_case check_cases[] = {
	{ "registered set", { .metric_set = 1 }, 0 },
	{ "inline set", { .n_mux = 1 }, 0 },
	{ "inline boolean only", { .n_boolean = 1 }, 0 },
	{ "no set at all", {}, -EINVAL },
	{ "both kinds of set", { .metric_set = 1, .n_mux = 1 }, -EINVAL },
	{ "AUX area", { .metric_set = 1, .flags = GPUOA_ATTR_AUX }, 0 },
	{ "unknown flag", { .metric_set = 1, .flags = BIT_ULL(4) }, -EINVAL },
	{ "highest flag", { .metric_set = 1, .flags = BIT_ULL(63) }, -EINVAL },
	{ "exponent without its flag", { .metric_set = 1, .exponent = 3 }, -EINVAL },
	{ "exponent 0", { .metric_set = 1, .flags = GPUOA_ATTR_EXPONENT }, 0 },
	{ "exponent 31", { .metric_set = 1, .flags = GPUOA_ATTR_EXPONENT, .exponent = 31 }, 0 },
	{ "exponent 32",
	  { .metric_set = 1, .flags = GPUOA_ATTR_EXPONENT, .exponent = 32 },
	  -ERANGE },
	{ "context without its flag", { .metric_set = 1, .context = 1 }, -EINVAL },
	{ "no DRM fd", { .metric_set = 1, .drm_fd = -1 }, 0 },
	{ "DRM fd without its flag", { .metric_set = 1, .drm_fd = 1 }, -EINVAL },
	{ "context",
	  { .metric_set = 1, .flags = GPUOA_ATTR_CONTEXT, .drm_fd = 3, .context = 1 },
	  0 },
	{ "batches of no context",
	  { .metric_set = 1, .flags = GPUOA_ATTR_BATCH_BOUNDARY_REPORTS },
	  -EINVAL },
	{ "batches of a context",
	  { .metric_set = 1,
	    .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_BATCH_BOUNDARY_REPORTS,
	    .context = 1 },
	  0 },
	{ "no reports",
	  { .metric_set = 1, .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY },
	  0 },
	{ "no reports of all", { .metric_set = 1, .flags = GPUOA_ATTR_QUERY_ONLY }, -EINVAL },
	{ "no reports, and how often",
	  { .metric_set = 1, .exponent = 9,
	    .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY | GPUOA_ATTR_EXPONENT },
	  -EINVAL },
	{ "no reports, and where",
	  { .metric_set = 1, .buffer_size = SZ_1M,
	    .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY },
	  -EINVAL },
	{ "no reports, and which dwords",
	  { .metric_set = 1, .dword_mask = { 1 },
	    .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY },
	  -EINVAL },
	{ "no reports, and of batches",
	  { .metric_set = 1,
	    .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY |
		     GPUOA_ATTR_BATCH_BOUNDARY_REPORTS },
	  -EINVAL },
	{ "no reports of a hardware id",
	  { .metric_set = 1,
	    .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY | GPUOA_ATTR_CONTEXT_HW_ID },
	  -EINVAL },
	{ "no reports, but a counter",
	  { .metric_set = 1, .counter = GPUOA_COUNTER_A(0),
	    .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_QUERY_ONLY },
	  -EINVAL },
	{ "hardware id",
	  { .metric_set = 1, .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_CONTEXT_HW_ID,
	    .context = 0x1234000 },
	  0 },
	{ "hardware id of a file",
	  { .metric_set = 1, .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_CONTEXT_HW_ID,
	    .drm_fd = 3, .context = 1 },
	  -EINVAL },
	{ "hardware id of no context",
	  { .metric_set = 1, .flags = GPUOA_ATTR_CONTEXT_HW_ID, .context = 1 },
	  -EINVAL },
	{ "batches of a hardware id",
	  { .metric_set = 1, .flags = GPUOA_ATTR_CONTEXT | GPUOA_ATTR_CONTEXT_HW_ID |
				      GPUOA_ATTR_BATCH_BOUNDARY_REPORTS },
	  -EINVAL },
	{ "last format", { .metric_set = 1, .format = GPUOA_FORMAT_C4_B8 }, 0 },
	{ "format beyond the last", { .metric_set = 1, .format = 8 }, -EINVAL },
	{ "smallest buffer", { .metric_set = 1, .buffer_size = SZ_128K }, 0 },
	{ "largest buffer", { .metric_set = 1, .buffer_size = SZ_16M }, 0 },
	{ "buffer too small", { .metric_set = 1, .buffer_size = SZ_64K }, -ERANGE },
	{ "buffer too large", { .metric_set = 1, .buffer_size = SZ_32M }, -ERANGE },
	{ "counter", { .metric_set = 1, .counter = GPUOA_COUNTER_A(44) }, 0 },
	{ "time", { .metric_set = 1, .counter = GPUOA_COUNTER_TIMESTAMP, .format = 4 }, 0 },
	{ "no such counter", { .metric_set = 1, .counter = GPUOA_COUNTER_A(45) }, -ENODATA },
	{ "no such bank", { .metric_set = 1, .counter = GPUOA_COUNTER_PEC(0) }, -ENODATA },
	{ "no clock in the header", { .metric_set = 1, .counter = GPUOA_COUNTER_CLOCK }, -ENODATA },
	{ "counter of another format",
	  { .metric_set = 1, .format = GPUOA_FORMAT_A13, .counter = GPUOA_COUNTER_B(0) },
	  -ENODATA },
	{ "poll_us below 100", { .metric_set = 1, .poll_us = 99 }, -ERANGE },
	{ "poll_us of 100", { .metric_set = 1, .poll_us = 100 }, 0 },
	{ "an empty list with a pointer", { .metric_set = 1, .boolean = 8 }, -EINVAL },
	{ "last dword", { .metric_set = 1, .dword_mask = { BIT_ULL(63) } }, 0 },
	{ "dword after the last", { .metric_set = 1, .dword_mask = { 0, 1 } }, -EINVAL },
	{ "last dword of a short format",
	  { .metric_set = 1, .format = GPUOA_FORMAT_A13, .dword_mask = { BIT_ULL(15) } },
	  0 },
	{ "dword after the last of a short format",
	  { .metric_set = 1, .format = GPUOA_FORMAT_A13, .dword_mask = { BIT_ULL(16) } },
	  -EINVAL },
	{ "dword after the longest report",
	  { .metric_set = 1, .dword_mask = { 0, 0, 1 } },
	  -EINVAL },
	{ "counter and dwords",
	  { .metric_set = 1, .counter = GPUOA_COUNTER_A(0), .dword_mask = { 1 } },
	  -EINVAL },
	{ "odd buffer", { .metric_set = 1, .buffer_size = SZ_128K + SZ_4K }, -EINVAL },
};

static void attributes_are_checked(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(check_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, check_cases[i].result,
				    gpuoa_attr_check(NULL, &gpuoa_oa_gen7, &check_cases[i].attr),
				    "%s", check_cases[i].what);
}

static void exponent_comes_from_attr_rate_or_period(struct kunit *test)
{
	struct gpuoa_attr attr = good_attr();
	struct gpuoa_timing timing = {};

	KUNIT_EXPECT_EQ(test, gpuoa_attr_exponent(&gpuoa_oa_gen7, HSW_FREQUENCY, &attr, &timing),
			-EINVAL);
	timing.period_ns = 100000;
	KUNIT_EXPECT_EQ(test, gpuoa_attr_exponent(&gpuoa_oa_gen7, HSW_FREQUENCY, &attr, &timing),
			9);
	timing.period_ns = 100;
	KUNIT_EXPECT_EQ(test, gpuoa_attr_exponent(&gpuoa_oa_gen7, HSW_FREQUENCY, &attr, &timing),
			-ERANGE);
	timing.rate_hz = 97656;
	KUNIT_EXPECT_EQ(test, gpuoa_attr_exponent(&gpuoa_oa_gen7, HSW_FREQUENCY, &attr, &timing),
			6);
	attr.flags = GPUOA_ATTR_EXPONENT;
	KUNIT_EXPECT_EQ(test, gpuoa_attr_exponent(&gpuoa_oa_gen7, HSW_FREQUENCY, &attr, &timing),
			0);
}

static void formats_have_their_hardware_codes(struct kunit *test)
{
	static const struct gpuoa_format_desc expected[] = {
		{ GPUOA_FORMAT_A13, 0, 64 },	   { GPUOA_FORMAT_A29, 1, 128 },
		{ GPUOA_FORMAT_A13_B8_C8, 2, 128 }, { GPUOA_FORMAT_B4_C8, 4, 64 },
		{ GPUOA_FORMAT_A45_B8_C8, 5, 256 }, { GPUOA_FORMAT_B4_C8_A16, 6, 128 },
		{ GPUOA_FORMAT_C4_B8, 7, 64 },
	};
	const struct gpuoa_format_desc *format;
	size_t i;

	KUNIT_ASSERT_EQ(test, gpuoa_oa_gen7.n_formats, ARRAY_SIZE(expected));
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		format = gpuoa_attr_format(&gpuoa_oa_gen7, expected[i].id);
		KUNIT_ASSERT_NOT_NULL(test, format);
		KUNIT_EXPECT_EQ(test, format->code, expected[i].code);
		KUNIT_EXPECT_EQ(test, format->size, expected[i].size);
		KUNIT_EXPECT_EQ(test, SZ_128K % format->size, 0);
	}
	format = gpuoa_attr_format(&gpuoa_oa_gen7, GPUOA_FORMAT_DEFAULT);
	KUNIT_EXPECT_EQ(test, format->id, GPUOA_FORMAT_A45_B8_C8);
}

/* ---- extensible form, in user memory ------------------------------------------------------ */

static int attr_test_init(struct kunit *test)
{
	unsigned long user = kunit_vm_mmap(test, NULL, 0, 2 * PAGE_SIZE, PROT_READ | PROT_WRITE,
					   MAP_ANONYMOUS | MAP_PRIVATE, 0);

	KUNIT_ASSERT_NE_MSG(test, user, 0, "no user memory");
	KUNIT_ASSERT_LT_MSG(test, user, (unsigned long)TASK_SIZE, "no user memory");
	test->priv = (void *)user;

	return 0;
}

static void to_user(struct kunit *test, unsigned long offset, const void *from, size_t size)
{
	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)test->priv + offset, from, size), 0);
}

static u32 user_size(struct kunit *test)
{
	u32 size = 0;

	KUNIT_ASSERT_EQ(test, copy_from_user(&size, (void __user *)test->priv, sizeof(size)), 0);

	return size;
}

static int from_user(struct kunit *test, struct gpuoa_attr *attr)
{
	return gpuoa_attr_from_user(NULL, (unsigned long)test->priv, attr);
}

static void short_struct_is_extended_by_zeros(struct kunit *test)
{
	struct gpuoa_attr in = good_attr(), out;

	memset_startat(&in, 0xff, n_mux);
	in.size = offsetof(struct gpuoa_attr, n_mux);
	to_user(test, 0, &in, sizeof(in));

	KUNIT_ASSERT_EQ(test, from_user(test, &out), 0);
	KUNIT_EXPECT_EQ(test, out.metric_set, 1);
	KUNIT_EXPECT_EQ(test, out.n_mux, 0);
	KUNIT_EXPECT_EQ(test, out.buffer_size, 0);
}

static void size_zero_means_the_first_version(struct kunit *test)
{
	struct gpuoa_attr in = good_attr(), out;

	in.size = 0;
	in.buffer_size = SZ_1M;
	to_user(test, 0, &in, sizeof(in));
	KUNIT_ASSERT_EQ(test, from_user(test, &out), 0);
	KUNIT_EXPECT_EQ(test, out.buffer_size, SZ_1M);
}

static void long_struct_must_be_zero_after_known_fields(struct kunit *test)
{
	struct gpuoa_attr in = good_attr(), out;
	u8 junk = 1;

	in.size = sizeof(in) + 16;
	to_user(test, 0, &in, sizeof(in));
	KUNIT_EXPECT_EQ(test, from_user(test, &out), 0);

	to_user(test, sizeof(in) + 15, &junk, 1);
	KUNIT_EXPECT_EQ(test, from_user(test, &out), -E2BIG);
	KUNIT_EXPECT_EQ(test, user_size(test), sizeof(in));
}

static void invalid_sizes_are_rejected(struct kunit *test)
{
	struct gpuoa_attr in = good_attr(), out;

	in.size = PAGE_SIZE + 8;
	to_user(test, 0, &in, sizeof(in));
	KUNIT_EXPECT_EQ(test, from_user(test, &out), -E2BIG);
	KUNIT_EXPECT_EQ(test, user_size(test), sizeof(in));

	in.size = GPUOA_ATTR_SIZE_MIN - 1;
	to_user(test, 0, &in, sizeof(in));
	KUNIT_EXPECT_EQ(test, from_user(test, &out), -EINVAL);
}

static void unreadable_struct_returns_efault(struct kunit *test)
{
	struct gpuoa_attr in = good_attr(), out;
	unsigned long end = (unsigned long)test->priv + 2 * PAGE_SIZE;

	KUNIT_EXPECT_EQ(test, gpuoa_attr_from_user(NULL, 8, &out), -EFAULT);

	/* The size field is readable, the rest of the structure is not. */
	to_user(test, 2 * PAGE_SIZE - 8, &in, 8);
	KUNIT_EXPECT_EQ(test, gpuoa_attr_from_user(NULL, end - 8, &out), -EFAULT);
}

static void flat_and_extended_form_cannot_be_combined(struct kunit *test)
{
	struct perf_event_attr perf = { .config = 1, .config1 = (unsigned long)test->priv };
	struct gpuoa_timing timing;
	struct gpuoa_attr in = good_attr(), out;

	to_user(test, 0, &in, sizeof(in));
	KUNIT_EXPECT_EQ(test, gpuoa_attr_from_perf(NULL, &perf, NULL, &out, &timing), -EINVAL);
	perf.config = 0;
	KUNIT_EXPECT_EQ(test, gpuoa_attr_from_perf(NULL, &perf, NULL, &out, &timing), 0);
	perf.config2 = 1;
	KUNIT_EXPECT_EQ(test, gpuoa_attr_from_perf(NULL, &perf, NULL, &out, &timing), -EINVAL);
	perf.config2 = 0;
	perf.config3 = 1;
	KUNIT_EXPECT_EQ(test, gpuoa_attr_from_perf(NULL, &perf, NULL, &out, &timing), -EINVAL);
}

static void both_forms_select_equal_requests(struct kunit *test)
{
	struct perf_event_attr flat = { .config = 0x0000090500000001ULL, .sample_period = 5 };
	struct perf_event_attr extensible = { .config1 = (unsigned long)test->priv, .freq = 1,
					      .sample_freq = 7 };
	struct gpuoa_attr in = good_attr(), a, b;
	struct gpuoa_timing timing;

	in.format = GPUOA_FORMAT_A45_B8_C8;
	in.exponent = 9;
	in.flags = GPUOA_ATTR_EXPONENT;
	to_user(test, 0, &in, sizeof(in));

	KUNIT_ASSERT_EQ(test, gpuoa_attr_from_perf(NULL, &flat, NULL, &a, &timing), 0);
	KUNIT_EXPECT_EQ(test, timing.period_ns, 5);
	KUNIT_EXPECT_EQ(test, timing.rate_hz, 0);
	KUNIT_ASSERT_EQ(test, gpuoa_attr_from_perf(NULL, &extensible, NULL, &b, &timing), 0);
	KUNIT_EXPECT_EQ(test, timing.period_ns, 0);
	KUNIT_EXPECT_EQ(test, timing.rate_hz, 7);
	KUNIT_EXPECT_MEMEQ(test, &a, &b, sizeof(a));
}

static struct kunit_case attr_pure_cases[] = {
	KUNIT_CASE(flat_form_is_parsed),
	KUNIT_CASE(flat_form_rejects_reserved_bits),
	KUNIT_CASE(attributes_are_checked),
	KUNIT_CASE(exponent_comes_from_attr_rate_or_period),
	KUNIT_CASE(formats_have_their_hardware_codes),
	{}
};

static struct kunit_suite attr_pure_suite = {
	.name = "gpuoa_attr",
	.test_cases = attr_pure_cases,
};

static struct kunit_case attr_copy_cases[] = {
	KUNIT_CASE(short_struct_is_extended_by_zeros),
	KUNIT_CASE(size_zero_means_the_first_version),
	KUNIT_CASE(long_struct_must_be_zero_after_known_fields),
	KUNIT_CASE(invalid_sizes_are_rejected),
	KUNIT_CASE(unreadable_struct_returns_efault),
	KUNIT_CASE(flat_and_extended_form_cannot_be_combined),
	KUNIT_CASE(both_forms_select_equal_requests),
	{}
};

static struct kunit_suite attr_copy_suite = {
	.name = "gpuoa_attr_copy",
	.init = attr_test_init,
	.test_cases = attr_copy_cases,
};

kunit_test_suites(&attr_pure_suite, &attr_copy_suite);
