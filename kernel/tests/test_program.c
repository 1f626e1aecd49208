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
 * @calls: one letter for each call, in order
 * @config: last configuration
 * @flex: flexible EU counters of the configuration
 * @ret: return value of configure()
 * @buffer_ret: return value of buffer_get()
 * @pages: pages of the buffer
 * @leaked: buffer was leaked because the unit did not stop
 */
struct fake_provider {
	char calls[32];
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

/* This stub replaces the recovery code, which is not tested here. */
bool gpuoa_recovery_await_stop(struct gpuoa_stream *stream)
{
	return stops;
}

static void log_call(void *provider, char what)
{
	struct fake_provider *fake = provider;
	size_t n = strlen(fake->calls);

	if (n < sizeof(fake->calls) - 1)
		fake->calls[n] = what;
}

static int fake_configure(void *provider, struct gpuoa_provider_config *config)
{
	struct fake_provider *fake = provider;

	log_call(provider, 'c');
	fake->config = *config;
	if (config->flex.count)
		memcpy(fake->flex, config->flex.regs, sizeof(fake->flex));
	config->context_id = FAKE_CONTEXT_ID;
	config->context_mask = FAKE_CONTEXT_MASK;

	return fake->ret;
}

static void fake_unconfigure(void *provider)
{
	log_call(provider, 'u');
}

static int fake_buffer_get(void *provider, u32 size, struct gpuoa_provider_buffer *buffer)
{
	struct fake_provider *fake = provider;

	log_call(provider, 'b');
	*buffer = (struct gpuoa_provider_buffer){ fake->pages, size / PAGE_SIZE, FAKE_BUFFER };

	return fake->buffer_ret;
}

static s64 fake_map(void *provider, struct page **pages, unsigned int n_pages)
{
	log_call(provider, 'm');

	return FAKE_BUFFER;
}

static void fake_unmap(void *provider, u64 gpu_address, unsigned int n_pages)
{
	log_call(provider, 'M');
}

static void fake_buffer_put(void *provider, bool leak)
{
	struct fake_provider *fake = provider;

	log_call(provider, 'p');
	fake->leaked = leak;
}

static int fake_batches(void *provider, void *context, bool report)
{
	log_call(provider, report ? 'R' : 'r');

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
	{ 0xe458, 1 }, /* EU_PERF_CNTL0 is written twice, and the last value is used. */
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

static void expect_calls(struct kunit *test, struct bench *bench, const char *what)
{
	KUNIT_EXPECT_STREQ(test, what, bench->provider.calls);
	memset(bench->provider.calls, 0, sizeof(bench->provider.calls));
}

static void configure_gets_whole_configuration(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct fake_provider *provider = &bench->provider;

	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(&bench->stream));
	expect_calls(test, bench, "c");
	KUNIT_EXPECT_EQ(test, 7, provider->config.exponent);
	KUNIT_EXPECT_EQ(test, SZ_128K, provider->config.buffer_size);
	KUNIT_EXPECT_EQ(test, bench->stream.request.format->id, provider->config.format);
	KUNIT_EXPECT_EQ(test, bench->stream.request.format->size, provider->config.report_size);
	KUNIT_EXPECT_PTR_EQ(test, NULL, provider->config.context);
	/* Each flexible EU counter is written once; those that the set does not name become 0. */
	KUNIT_EXPECT_EQ(test, GPUOA_FLEX_REGS, provider->config.flex.count);
	KUNIT_EXPECT_EQ(test, 0xe458, provider->flex[0].address);
	KUNIT_EXPECT_EQ(test, 2, provider->flex[0].value);
	KUNIT_EXPECT_EQ(test, 0, provider->flex[1].value);
	gpuoa_program_end(&bench->stream);
	expect_calls(test, bench, "u");
	free_pages_of(provider);
}

/* A provider that allocates the buffer must know its size; a mode without a buffer has none. */
static void configure_gets_default_buffer_size(struct kunit *test)
{
	static const struct gpuoa_mode no_buffer_mode = {};
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct gpuoa_request *request = &bench->stream.request;

	bench->unit.info.timestamp_frequency = 12000000;
	request->buffer_size = 0;
	request->buffer_default_max = SZ_16M;
	bench->stream.mode = &no_buffer_mode;
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(&bench->stream));
	KUNIT_EXPECT_EQ(test, 0, bench->provider.config.buffer_size);
	bench->stream.mode = &fake_mode;
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(&bench->stream));
	/* 46,875 reports of 64 bytes per second */
	KUNIT_EXPECT_EQ(test, request->buffer_size, bench->provider.config.buffer_size);
	KUNIT_EXPECT_EQ(test, SZ_4M, request->buffer_size);
	free_pages_of(&bench->provider);
}

static void haswell_has_no_flexible_counters(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen7);

	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(&bench->stream));
	KUNIT_EXPECT_EQ(test, 0, bench->provider.config.flex.count);
	free_pages_of(&bench->provider);
}

/* The provider reports the context id when it programs the unit. */
static void configure_returns_context_id(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);

	bench->stream.request.context = bench;
	bench->stream.request.batches = true;
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(&bench->stream));
	expect_calls(test, bench, "cR");
	KUNIT_EXPECT_PTR_EQ(test, bench, (struct bench *)bench->provider.config.context);
	KUNIT_EXPECT_EQ(test, FAKE_CONTEXT_ID & FAKE_CONTEXT_MASK, bench->stream.hw.context);
	KUNIT_EXPECT_EQ(test, FAKE_CONTEXT_MASK, bench->stream.hw.context_mask);
	KUNIT_EXPECT_EQ(test, bench->stream.hw.context, bench->stream.request.context_id);
	gpuoa_program_end(&bench->stream);
	expect_calls(test, bench, "ru");
	free_pages_of(&bench->provider);
}

/* Another user owns the unit. Nothing was done, so nothing is undone. */
static void failed_claim_undoes_nothing(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);

	bench->provider.ret = -EBUSY;
	KUNIT_EXPECT_EQ(test, -EBUSY, gpuoa_program_begin(&bench->stream));
	expect_calls(test, bench, "c");
	free_pages_of(&bench->provider);
}

static void provider_buffer_is_used(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct gpuoa_stream *stream = &bench->stream;

	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_alloc(stream));
	expect_calls(test, bench, "b");
	KUNIT_EXPECT_EQ(test, FAKE_BUFFER, stream->hw.buffer);
	KUNIT_EXPECT_EQ(test, SZ_128K, stream->hw.buffer_size);
	KUNIT_EXPECT_PTR_EQ(test, NULL, memchr_inv(stream->raw.ring.base, 0, SZ_128K));
	gpuoa_buffer_free(stream);
	expect_calls(test, bench, "p");
	KUNIT_EXPECT_FALSE(test, bench->provider.leaked);
	/*
	 * After the buffer is freed, the ring has no slots to clear, and freeing the buffer again
	 * does nothing.
	 */
	gpuoa_ring_discard(&stream->raw.ring);
	KUNIT_EXPECT_TRUE(test, gpuoa_ring_clean(&stream->raw.ring, 1));
	gpuoa_buffer_free(stream);
	expect_calls(test, bench, "");
	free_pages_of(&bench->provider);
}

static void missing_provider_buffer_is_an_error(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);

	bench->provider.buffer_ret = -ERANGE;
	KUNIT_EXPECT_EQ(test, -ERANGE, gpuoa_buffer_alloc(&bench->stream));
	expect_calls(test, bench, "b");
	gpuoa_buffer_free(&bench->stream);
	expect_calls(test, bench, "");
	free_pages_of(&bench->provider);
}

static void buffer_is_leaked_if_unit_does_not_stop(struct kunit *test)
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
static void pages_are_leaked_if_unit_does_not_stop(struct kunit *test)
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
	expect_calls(test, bench, "mM");
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, 1, page_count(pages[i]));

	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_map(&bench->stream, pages, n));
	stops = false;
	gpuoa_buffer_unmap(&bench->stream);
	stops = true;
	expect_calls(test, bench, "m");
	/* A second call does nothing. */
	gpuoa_buffer_unmap(&bench->stream);
	mutex_unlock(&unit->stream_lock);
	expect_calls(test, bench, "");
	for (i = 0; i < n; i++) {
		KUNIT_EXPECT_EQ(test, 2, page_count(pages[i]));
		put_page(pages[i]);
	}
	free_pages_of(&bench->provider);
}

/* On a reset the buffer is released before the unit is reprogrammed, and mapped afterwards. */
static void buffer_is_remapped_after_reset(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct gpuoa_stream *stream = &bench->stream;

	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(stream));
	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_alloc(stream));
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_again(stream));
	expect_calls(test, bench, "cbpcb");
	/* Another user claimed the unit first: there is neither a buffer nor a configuration. */
	bench->provider.ret = -EBUSY;
	KUNIT_EXPECT_EQ(test, -EBUSY, gpuoa_program_again(stream));
	expect_calls(test, bench, "pc");
	bench->provider.ret = 0;
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_again(stream));
	expect_calls(test, bench, "cb");
	gpuoa_buffer_free(stream);
	gpuoa_program_end(stream);
	expect_calls(test, bench, "pu");
	free_pages_of(&bench->provider);
}

static void suspend_releases_provider_buffer(struct kunit *test)
{
	struct bench *bench = bench_new(test, &gpuoa_oa_gen9);
	struct gpuoa_stream *stream = &bench->stream;

	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_begin(stream));
	KUNIT_EXPECT_EQ(test, 0, gpuoa_buffer_alloc(stream));
	gpuoa_program_suspend(stream);
	expect_calls(test, bench, "cbpu");
	KUNIT_EXPECT_EQ(test, 0, gpuoa_program_again(stream));
	expect_calls(test, bench, "cb");
	gpuoa_buffer_free(stream);
	free_pages_of(&bench->provider);
}

static int no_context_get(void *provider, struct file *file, u32 handle, u64 *hw_id, void **context)
{
	return -EOPNOTSUPP;
}

static void no_context_put(void *provider, void *context)
{
}

/* A provider has one kind of buffer, and releases contexts if and only if it finds them. */
static void incomplete_operations_are_rejected(struct kunit *test)
{
	struct gpuoa_provider_ops ops = fake_ops;

	KUNIT_EXPECT_FALSE(test, gpuoa_hw_ops_valid(&gpuoa_oag_gen12, &ops));
	ops.map = NULL;
	KUNIT_EXPECT_TRUE(test, gpuoa_hw_ops_valid(&gpuoa_oag_gen12, &ops));
	ops.context_get = no_context_get;
	KUNIT_EXPECT_FALSE(test, gpuoa_hw_ops_valid(&gpuoa_oag_gen12, &ops));
	ops.context_put = no_context_put;
	KUNIT_EXPECT_TRUE(test, gpuoa_hw_ops_valid(&gpuoa_oag_gen12, &ops));
	ops.context_get = NULL;
	KUNIT_EXPECT_FALSE(test, gpuoa_hw_ops_valid(&gpuoa_oag_gen12, &ops));
	ops.context_put = NULL;
	ops.unconfigure = NULL;
	KUNIT_EXPECT_FALSE(test, gpuoa_hw_ops_valid(&gpuoa_oag_gen12, &ops));
	ops = fake_ops;
	ops.buffer_get = NULL;
	KUNIT_EXPECT_TRUE(test, gpuoa_hw_ops_valid(&gpuoa_oag_gen12, &ops));
	ops.unmap = NULL;
	KUNIT_EXPECT_FALSE(test, gpuoa_hw_ops_valid(&gpuoa_oag_gen12, &ops));
}

static struct kunit_case program_cases[] = {
	KUNIT_CASE(configure_gets_whole_configuration),
	KUNIT_CASE(configure_gets_default_buffer_size),
	KUNIT_CASE(haswell_has_no_flexible_counters),
	KUNIT_CASE(configure_returns_context_id),
	KUNIT_CASE(failed_claim_undoes_nothing),
	KUNIT_CASE(provider_buffer_is_used),
	KUNIT_CASE(missing_provider_buffer_is_an_error),
	KUNIT_CASE(buffer_is_leaked_if_unit_does_not_stop),
	KUNIT_CASE(pages_are_leaked_if_unit_does_not_stop),
	KUNIT_CASE(buffer_is_remapped_after_reset),
	KUNIT_CASE(suspend_releases_provider_buffer),
	KUNIT_CASE(incomplete_operations_are_rejected),
	{},
};

static struct kunit_suite program_suite = {
	.name = "gpuoa_program",
	.test_cases = program_cases,
};

kunit_test_suite(program_suite);
