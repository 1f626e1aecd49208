// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_program.c - calls from core to a provider that programs the unit or provides the buffer,
 * their order and arguments.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "../core/stream/gpuoa_program.c"

#define FAKE_BUFFER 0x1000000
#define FAKE_CONTEXT_ID 0x12345
#define FAKE_CONTEXT_MASK 0xff

/**
 * struct fake_provider - provider that programs its unit and has a buffer
 * @asked: one letter for each call, in order
 * @config: last configuration
 * @flex: flexible EU counters of the configuration
 * @ret: return value of configure()
 * @buffer_ret: return value of buffer_get()
 * @pages: pages of the buffer
 * @leaked: buffer was leaked because the unit did not stop
 */
struct fake_provider {
	char asked[32];
	struct gpuoa_provider_config config;
	struct gpuoa_register flex[GPUOA_FLEX_REGS];
	int ret;
	int buffer_ret;
	struct page *pages[SZ_128K / PAGE_SIZE];
	bool leaked;
};

struct bench {
	struct gpuoa_stream stream;
	struct gpuoa_unit unit;
	struct gpuoa_metric_set set;
	struct fake_provider provider;
};

static bool stops = true;

/* Replaces the recovery code, which is not tested here. */
bool gpuoa_recovery_await_stop(struct gpuoa_stream *stream)
{
	return stops;
}

static void asked(void *provider, char what)
{
	struct fake_provider *fake = provider;
	size_t n = strlen(fake->asked);

	if (n < sizeof(fake->asked) - 1)
		fake->asked[n] = what;
}

static int fake_configure(void *provider, struct gpuoa_provider_config *config)
{
	struct fake_provider *fake = provider;

	asked(provider, 'c');
	fake->config = *config;
	if (config->flex.count)
		memcpy(fake->flex, config->flex.regs, sizeof(fake->flex));
	config->context_id = FAKE_CONTEXT_ID;
	config->context_mask = FAKE_CONTEXT_MASK;

	return fake->ret;
}

static void fake_unconfigure(void *provider)
{
	asked(provider, 'u');
}

static int fake_buffer_get(void *provider, u32 size, struct gpuoa_provider_buffer *buffer)
{
	struct fake_provider *fake = provider;

	asked(provider, 'b');
	*buffer = (struct gpuoa_provider_buffer){ fake->pages, size / PAGE_SIZE, FAKE_BUFFER };

	return fake->buffer_ret;
}

static s64 fake_map(void *provider, struct page **pages, unsigned int n_pages)
{
	asked(provider, 'm');

	return FAKE_BUFFER;
}

static void fake_unmap(void *provider, u64 gpu_address, unsigned int n_pages)
{
	asked(provider, 'M');
}

static void fake_buffer_put(void *provider, bool leak)
{
	struct fake_provider *fake = provider;

	asked(provider, 'p');
	fake->leaked = leak;
}

static int fake_batches(void *provider, void *context, bool report)
{
	asked(provider, report ? 'R' : 'r');

	return 0;
}

static const struct gpuoa_provider_ops fake_ops = {
	.configure = fake_configure,
	.unconfigure = fake_unconfigure,
	.map = fake_map,
	.unmap = fake_unmap,
	.buffer_get = fake_buffer_get,
	.buffer_put = fake_buffer_put,
	.context_batches = fake_batches,
};

static const struct gpuoa_mode fake_mode = {
	.alloc_buffer = gpuoa_buffer_alloc,
	.free_buffer = gpuoa_buffer_free,
};

static const struct gpuoa_register set_flex[] = {
	{ 0xe458, 1 }, /* EU_PERF_CNTL0, written twice: the last value counts */
	{ 0xe458, 2 },
	{ 0xe65c, 3 }, /* EU_PERF_CNTL6 */
};

static void free_pages_of(void *data)
{
	struct fake_provider *fake = data;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fake->pages); i++)
		__free_page(fake->pages[i]);
}

static struct bench *bench_new(struct kunit *test, const struct gpuoa_oa_ops *oa)
{
	struct bench *bench = kunit_kzalloc(test, sizeof(*bench), GFP_KERNEL);
	size_t i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, bench);
	for (i = 0; i < ARRAY_SIZE(bench->provider.pages); i++) {
		bench->provider.pages[i] = alloc_page(GFP_KERNEL);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, bench->provider.pages[i]);
		/* Pages contain old data. */
		memset(page_address(bench->provider.pages[i]), 0x5a, PAGE_SIZE);
	}
	bench->set.flex = (struct gpuoa_reg_list){ set_flex, ARRAY_SIZE(set_flex) };
	bench->unit.oa = oa;
	bench->unit.ops = &fake_ops;
	bench->unit.provider = &bench->provider;
	bench->stream.unit = &bench->unit;
	bench->stream.mode = &fake_mode;
	bench->stream.request.mode = &fake_mode;
	bench->stream.request.set = &bench->set;
	bench->stream.request.format = &oa->formats[oa->n_formats - 1];
	bench->stream.request.exponent = 7;
	bench->stream.request.buffer_size = SZ_128K;
	stops = true;

	return bench;
}

static void expect_asked(struct kunit *test, struct bench *bench, const char *what)
{
	KUNIT_EXPECT_STREQ(test, what, bench->provider.asked);
	memset(bench->provider.asked, 0, sizeof(bench->provider.asked));
}

static void provider_is_told_what_to_program(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct fake_provider *provider = &bench->provider;

	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(&bench->stream));
	expect_asked(test, bench, "c");
	KUNIT_EXPECT_EQ(test, 7, provider->config.exponent);
	KUNIT_EXPECT_EQ(test, bench->stream.request.format->id, provider->config.format);
	KUNIT_EXPECT_EQ(test, bench->stream.request.format->size, provider->config.report_size);
	KUNIT_EXPECT_PTR_EQ(test, NULL, provider->config.context);
	/* Each flexible EU counter is written once; those that the set does not name become 0. */
	KUNIT_EXPECT_EQ(test, GPUOA_FLEX_REGS, provider->config.flex.count);
	KUNIT_EXPECT_EQ(test, 0xe458, provider->flex[0].address);
	KUNIT_EXPECT_EQ(test, 2, provider->flex[0].value);
	KUNIT_EXPECT_EQ(test, 0, provider->flex[1].value);
	gpuoa_program_end(&bench->stream);
	expect_asked(test, bench, "u");
	free_pages_of(provider);
}

static void haswell_has_no_flexible_counters(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen7);

	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(&bench->stream));
	KUNIT_EXPECT_EQ(test, 0, bench->provider.config.flex.count);
	free_pages_of(&bench->provider);
}

/* The provider reports the context id when it programs the unit. */
static void provider_tells_the_context(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);

	bench->stream.request.context = bench;
	bench->stream.request.batches = true;
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(&bench->stream));
	expect_asked(test, bench, "cR");
	KUNIT_EXPECT_PTR_EQ(test, bench, (struct bench *)bench->provider.config.context);
	KUNIT_EXPECT_EQ(test, FAKE_CONTEXT_ID & FAKE_CONTEXT_MASK, bench->stream.hw.context);
	KUNIT_EXPECT_EQ(test, FAKE_CONTEXT_MASK, bench->stream.hw.context_mask);
	KUNIT_EXPECT_EQ(test, bench->stream.hw.context, bench->stream.request.context_id);
	gpuoa_program_end(&bench->stream);
	expect_asked(test, bench, "ru");
	free_pages_of(&bench->provider);
}

/* Another user owns the unit. Nothing was done, so nothing is undone. */
static void claim_that_fails(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);

	bench->provider.ret = -EBUSY;
	KUNIT_EXPECT_EQ(test, -EBUSY, gpuoa_program_begin(&bench->stream));
	expect_asked(test, bench, "c");
	free_pages_of(&bench->provider);
}

static void provider_buffer_is_borrowed(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct gpuoa_stream *stream = &bench->stream;

	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_alloc(stream));
	expect_asked(test, bench, "b");
	KUNIT_EXPECT_EQ(test, FAKE_BUFFER, stream->hw.buffer);
	KUNIT_EXPECT_EQ(test, SZ_128K, stream->hw.buffer_size);
	KUNIT_EXPECT_PTR_EQ(test, NULL, memchr_inv(stream->raw.ring.base, 0, SZ_128K));
	gpuoa_buffer_free(stream);
	expect_asked(test, bench, "p");
	KUNIT_EXPECT_FALSE(test, bench->provider.leaked);
	/* A second call does nothing, and there is nothing left to clear. */
	gpuoa_ring_spoil(&stream->raw.ring);
	KUNIT_EXPECT_TRUE(test, gpuoa_ring_clean(&stream->raw.ring, 1));
	gpuoa_buffer_free(stream);
	expect_asked(test, bench, "");
	free_pages_of(&bench->provider);
}

static void provider_buffer_that_is_not_there(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);

	bench->provider.buffer_ret = -ERANGE;
	KUNIT_EXPECT_EQ(test, -ERANGE, gpuoa_buffer_alloc(&bench->stream));
	expect_asked(test, bench, "b");
	gpuoa_buffer_free(&bench->stream);
	expect_asked(test, bench, "");
	free_pages_of(&bench->provider);
}

static void buffer_of_a_unit_that_does_not_stop(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);

	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_alloc(&bench->stream));
	stops = false;
	gpuoa_buffer_free(&bench->stream);
	KUNIT_EXPECT_TRUE(test, bench->provider.leaked);
	stops = true;
	free_pages_of(&bench->provider);
}

/* Pages that the hardware may still write to stay mapped and allocated after they are freed. */
static void pages_of_a_unit_that_does_not_stop(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct page **pages = bench->provider.pages;
	struct gpuoa_unit *unit = &bench->unit;
	unsigned int n = ARRAY_SIZE(bench->provider.pages), i;

	unit->dev.init_name = "unit-that-does-not-stop";
	mutex_init(&unit->stream_lock);
	mutex_lock(&unit->stream_lock);
	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_map(&bench->stream, pages, n));
	gpuoa_buffer_unmap(&bench->stream);
	expect_asked(test, bench, "mM");
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, 1, page_count(pages[i]));

	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_map(&bench->stream, pages, n));
	stops = false;
	gpuoa_buffer_unmap(&bench->stream);
	stops = true;
	expect_asked(test, bench, "m");
	/* A second call does nothing. */
	gpuoa_buffer_unmap(&bench->stream);
	mutex_unlock(&unit->stream_lock);
	expect_asked(test, bench, "");
	for (i = 0; i < n; i++) {
		KUNIT_EXPECT_EQ(test, 2, page_count(pages[i]));
		put_page(pages[i]);
	}
	free_pages_of(&bench->provider);
}

/* On a reset the buffer is released before the unit is reprogrammed, and mapped afterwards. */
static void buffer_moves_when_the_unit_is_programmed_anew(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct gpuoa_stream *stream = &bench->stream;

	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(stream));
	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_alloc(stream));
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_again(stream));
	expect_asked(test, bench, "cbpcb");
	/* Another user claimed the unit first: there is neither a buffer nor a configuration. */
	bench->provider.ret = -EBUSY;
	KUNIT_EXPECT_EQ(test, -EBUSY, gpuoa_program_again(stream));
	expect_asked(test, bench, "pc");
	bench->provider.ret = 0;
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_again(stream));
	expect_asked(test, bench, "cb");
	gpuoa_buffer_free(stream);
	gpuoa_program_end(stream);
	expect_asked(test, bench, "pu");
	free_pages_of(&bench->provider);
}

static void provider_has_its_own_back_before_it_sleeps(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct gpuoa_stream *stream = &bench->stream;

	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(stream));
	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_alloc(stream));
	gpuoa_program_suspend(stream);
	expect_asked(test, bench, "cbpu");
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_again(stream));
	expect_asked(test, bench, "cb");
	gpuoa_buffer_free(stream);
	free_pages_of(&bench->provider);
}

static struct kunit_case program_cases[] = {
	KUNIT_CASE(provider_is_told_what_to_program),
	KUNIT_CASE(haswell_has_no_flexible_counters),
	KUNIT_CASE(provider_tells_the_context),
	KUNIT_CASE(claim_that_fails),
	KUNIT_CASE(provider_buffer_is_borrowed),
	KUNIT_CASE(provider_buffer_that_is_not_there),
	KUNIT_CASE(buffer_of_a_unit_that_does_not_stop),
	KUNIT_CASE(pages_of_a_unit_that_does_not_stop),
	KUNIT_CASE(buffer_moves_when_the_unit_is_programmed_anew),
	KUNIT_CASE(provider_has_its_own_back_before_it_sleeps),
	{},
};

static struct kunit_suite program_suite = {
	.name = "gpuoa_program",
	.test_cases = program_cases,
};

kunit_test_suite(program_suite);
