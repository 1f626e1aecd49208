// SPDX-License-Identifier: MIT
/*
 * tracer_test.c - Test the data that a tracer collects from simulated streams, and the entries that
 * are decoded from it.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "extra/tracer/tracer.h"
#include "fixture.h"
#include "played_hsw.h"

#define STREAMS 2
#define RAW_MAX (1 << 20)
#define ENTRIES_MAX 40000
#define NSEC_PER_TICK 80 /* on Haswell */

/* State of the test: a tracer of two streams; the test takes the place of the kernel */
static struct {
	struct played played[STREAMS];
	struct gpuoa_constants *constants;
	struct gpuoa_tracer *tracer;
	uint8_t raw[RAW_MAX];
	size_t size;
	struct gpuoa_entry entries[ENTRIES_MAX];
	int count;
	bool on[STREAMS];
	_Atomic unsigned int switches; /* number of times that a stream was enabled or disabled */
	sem_t *held; /* if set, enabling and disabling wait until it is posted */
	int errors[STREAMS]; /* results of enabling and disabling */
	uint32_t next[STREAMS]; /* number of the next report */
	bool close_input; /* begin() closes descriptor 0 before it creates the tracer */
} now;

/* Number of mutexes that were unlocked although they were not locked */
static _Atomic unsigned int not_locked;

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	static int (*_Atomic real)(pthread_mutex_t *);

	if (!real)
		real = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
	if (!pthread_mutex_trylock(mutex))
		not_locked++;
	return real(mutex);
}

/* simulated kernel */

static uint32_t number_of(const struct gpuoa_reader *reader)
{
	return (const struct stream *)reader == &now.played[1].stream;
}

static int switched(const struct gpuoa_reader *reader, bool on)
{
	const uint32_t number = number_of(reader);

	now.switches++;
	if (now.held)
		sem_wait(now.held);
	if (!now.errors[number] || !on)
		now.on[number] = on;
	return now.errors[number];
}

static int play_enable(struct gpuoa_reader *reader)
{
	return switched(reader, true);
}

static int play_disable(struct gpuoa_reader *reader)
{
	return switched(reader, false);
}

static const struct reader_ops played_ops = {
	.fd = played_hsw_fd,
	.enable = play_enable,
	.disable = play_disable,
	.close = played_hsw_close,
};

static void begin_sets(uint32_t streams, const struct gpuoa_set *const *sets)
{
	struct gpuoa_reader *list[] = { &now.played[0].stream.reader,
					&now.played[1].stream.reader };
	const struct gpuoa_record_stream stream = test_stream();
	struct gpuoa_unit_desc unit;

	memset(&now.on, 0, sizeof(now.on));
	memset(&now.next, 0, sizeof(now.next));
	memset(&now.errors, 0, sizeof(now.errors));
	now.size = now.count = 0;
	not_locked = 0;
	uapi_unit_desc(&unit, &stream.info);
	CHECK(!gpuoa_constants_of_unit(&unit, sizeof(unit), gpuoa_platform_find("hsw"),
				       &now.constants));
	for (uint32_t i = 0; i < STREAMS; i++)
		played_hsw_begin(&now.played[i], &played_ops, now.constants);
	if (now.close_input)
		close(0);
	CHECK(!tracer_new(list, sets, streams, &now.tracer));
}

static void begin(uint32_t streams)
{
	const struct gpuoa_set *const sets[] = { played_hsw_set(), played_hsw_set() };

	begin_sets(streams, sets);
}

static void end(void)
{
	gpuoa_tracer_close(now.tracer);
	CHECK(!not_locked);
	gpuoa_constants_free(now.constants);
	for (uint32_t i = 0; i < STREAMS; i++)
		played_hsw_end(&now.played[i]);
}

static void produce_first(uint32_t stream)
{
	struct bytes records = { 0 };

	put_first_sample(&records, PLAYED_ID);
	played_produce(&now.played[stream], &records);
}

/*
 * Write one sample of @count reports. Timestamps of the second stream are half a period later than
 * those of the first.
 */
static void produce(uint32_t stream, uint32_t count)
{
	const struct gpuoa_record_reports head = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(head) + count * TEST_REPORT_SIZE },
		.first = now.next[stream],
		.report_size = TEST_REPORT_SIZE,
		.count = count,
	};
	struct bytes payload = { 0 }, records = { 0 };

	put_head(&payload);
	put(&payload, &head, sizeof(head));
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t number = now.next[stream]++;
		/* Nothing is counted in every fifth interval, so some metrics have no value. */
		const uint32_t counted = number - (number % 5 == 3);
		uint32_t report[TEST_REPORT_SIZE / 4] = {
			TEST_REPORT_ID, number * TEST_TICKS + stream * TEST_TICKS / 2
		};

		for (size_t k = 3; k < TEST_REPORT_SIZE / 4; k++)
			report[k] = counted * (uint32_t)k * 7;
		put(&payload, report, sizeof(report));
	}
	put_sample(&records, PLAYED_ID, 0, &payload);
	played_produce(&now.played[stream], &records);
	clear(&payload);
}

static void produce_ring_loss(uint32_t stream, uint32_t count)
{
	struct bytes records = { 0 };

	put_perf_lost(&records, PLAYED_ID, 0, 1);
	played_produce(&now.played[stream], &records);
	now.next[stream] += count;
}

/* reading and decoding */

/* Read from the tracer once, and append the data to that of earlier reads. */
static int read_more(struct gpuoa_read_status *status)
{
	size_t size = RAW_MAX - now.size;
	const int err = gpuoa_tracer_read(now.tracer, now.raw + now.size, &size, status);

	now.size += size;
	return err;
}

static struct gpuoa_decoder *open_decoder(const struct gpuoa_decoder_options *options)
{
	struct gpuoa_decoder *decoder = NULL;
	char error[128];

	if (!CHECK(!gpuoa_decoder_open(now.tracer, options, &decoder, error, sizeof(error))))
		printf("# %s\n", error);
	return decoder;
}

/* Decode all data at once, and close the decoder. */
static void decode(struct gpuoa_decoder *decoder, struct gpuoa_decoded *decoded)
{
	now.count = gpuoa_decoder_run(decoder, now.raw, now.size, true, now.entries, ENTRIES_MAX,
				      decoded, sizeof(*decoded));
	gpuoa_decoder_close(decoder);
}

static bool are_in_order(const struct gpuoa_entry *entries, int count)
{
	for (int i = 1; i < count; i++)
		if (entries[i].timestamp_ns < entries[i - 1].timestamp_ns)
			return false;
	return true;
}

/* Write samples to both streams alternately. The streams have samples of different sizes. */
static void produce_both(void)
{
	produce_first(0);
	produce_first(1);
	for (uint32_t i = 0; i < 5; i++) {
		produce(0, 7);
		produce(1, 3 + i % 3);
	}
}

/* tests */

static void new_tracer_is_disabled(void)
{
	struct gpuoa_read_status status;
	size_t size = 1;

	begin(STREAMS);
	CHECK(!now.on[0] && !now.on[1]);
	CHECK(read_more(&status) == -EAGAIN && !now.size && !status.end);
	CHECK(gpuoa_tracer_read(now.tracer, NULL, &size, NULL) == -EAGAIN && !size);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	CHECK(now.on[0] && now.on[1]);
	CHECK(!read_more(&status) && !now.size);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	end();
}

static void end_is_reported_once(void)
{
	struct gpuoa_read_status status;
	size_t asked = 0;

	begin(STREAMS);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	produce_both();
	CHECK(!read_more(&status) && !status.end && now.size);
	CHECK(!gpuoa_tracer_disable(now.tracer, true) && !now.on[0] && !now.on[1]);
	produce(0, 1);
	CHECK(!gpuoa_tracer_read(now.tracer, NULL, &asked, NULL) && asked);
	CHECK(!read_more(&status) && status.end);
	CHECK(read_more(&status) == -EAGAIN && !status.end);
	CHECK(gpuoa_tracer_read(now.tracer, NULL, &asked, NULL) == -EAGAIN);
	/* Repeat. */
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	CHECK(!read_more(&status) && !status.end);
	CHECK(!gpuoa_tracer_disable(now.tracer, true));
	CHECK(!read_more(&status) && status.end);
	CHECK(read_more(&status) == -EAGAIN);
	end();
}

/*
 * Return the rows of one scope, from a calculator that reads the raw data. @stride: result, number
 * of values of a row: those of the metrics and information items, then the validity of the metrics
 */
static size_t rows_of_scope(uint32_t scope, union gpuoa_value *values,
			    struct gpuoa_interval *intervals, size_t max, size_t *stride)
{
	const struct gpuoa_calc_options options = { .size = sizeof(options), .validity = true };
	struct gpuoa_reader *reader;
	struct gpuoa_calc *calc;
	size_t rows = 0;
	int n;

	if (!CHECK(!gpuoa_tracer_reader_open(now.raw, now.size, scope, &reader, NULL, 0)))
		return 0;
	CHECK(!gpuoa_calc_open(played_hsw_set(), gpuoa_reader_constants(reader),
			       GPUOA_REPORT_A45_B8_C8, &options, &calc, NULL, 0));
	*stride = gpuoa_calc_output_count(calc);
	while ((n = gpuoa_calc_read(calc, reader, values + rows * *stride, intervals + rows,
				    max - rows, NULL)) > 0)
		rows += n;
	CHECK(!n);
	gpuoa_calc_close(calc);
	gpuoa_reader_close(reader);
	return rows;
}

static bool is_entry_of(const struct gpuoa_entry *entry, uint32_t metric, union gpuoa_value value,
			const struct gpuoa_interval *interval)
{
	return entry->metric == metric && entry->value.u64 == value.u64 &&
	       entry->timestamp_ns == interval->end * NSEC_PER_TICK &&
	       entry->duration_ns == (interval->end - interval->begin) * NSEC_PER_TICK;
}

/* The entries of a scope must equal the values in these rows, in the same order. */
static void check_scope(uint32_t scope, uint32_t columns)
{
	static union gpuoa_value values[ENTRIES_MAX];
	static struct gpuoa_interval intervals[256];
	size_t at = 0, invalid = 0, stride = 0;
	const size_t rows = rows_of_scope(scope, values, intervals, 256, &stride);
	bool same = rows > 10;

	for (int i = 0; i < now.count; i++) {
		const union gpuoa_value *row = values + at / columns * stride;
		const size_t column = at % columns;
		bool valid;

		if (now.entries[i].scope != scope)
			continue;
		REQUIRE(at++ < rows * columns);
		valid = column >= stride - columns || row[columns + column].u64;
		same &= is_entry_of(&now.entries[i], column, row[column],
				    &intervals[(at - 1) / columns]);
		same &= now.entries[i].valid == valid;
		invalid += !valid;
	}
	CHECK(same && invalid && at == rows * columns);
}

static void collect_both(void)
{
	begin(STREAMS);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	produce_both();
	CHECK(!gpuoa_tracer_disable(now.tracer, true));
	CHECK(!read_more(NULL));
}

static void decoder_returns_entries_in_time_order(void)
{
	struct gpuoa_decoder *decoder;
	struct gpuoa_decoded decoded;
	uint32_t columns;

	collect_both();
	decoder = open_decoder(NULL);
	columns = gpuoa_decoder_metric_count(decoder);
	CHECK(gpuoa_decoder_scope_count(decoder) == 2 && columns > 40);
	decode(decoder, &decoded);
	CHECK(decoded.used == now.size && decoded.status.end && decoded.status.has_clock);
	CHECK(now.count == (int)((34 + 18) * columns));
	CHECK(decoded.counts[0] == 34 * columns && decoded.counts[1] == 18 * columns);
	CHECK(are_in_order(now.entries, now.count));
	CHECK(now.entries[columns].scope == 1 && now.entries[2 * columns].scope == 0);
	check_scope(0, columns);
	check_scope(1, columns);
	end();
}

/* The raw data of a scope can be opened as a reader, for totals and for resampling. */
static void totals_equal_entries(void)
{
	const struct gpuoa_resampler_options all = { .size = sizeof(all),
						     .period_ticks = UINT64_MAX };
	static union gpuoa_value values[128];
	uint64_t time = 0, clocks = 0;
	struct gpuoa_read_status status;
	struct gpuoa_resampler *windows;
	struct gpuoa_decoded decoded;
	struct gpuoa_reader *reader;
	struct gpuoa_window window;
	const void *reports;
	size_t used;
	int n;

	collect_both();
	decode(open_decoder(NULL), &decoded);
	for (int i = 0; i < now.count; i++) {
		time += now.entries[i].scope || now.entries[i].metric ? 0 :
									now.entries[i].value.u64;
		clocks += now.entries[i].scope || now.entries[i].metric != 1 ?
				  0 :
				  now.entries[i].value.u64;
	}
	REQUIRE(!gpuoa_tracer_reader_open(now.raw, now.size, 0, &reader, NULL, 0));
	REQUIRE(!gpuoa_resampler_open(played_hsw_set(), gpuoa_reader_constants(reader),
				      GPUOA_REPORT_A45_B8_C8, &all, &windows, NULL, 0));
	while ((n = gpuoa_reader_peek(reader, &reports, 100, &status)) > 0) {
		if (status.has_clock)
			gpuoa_resampler_set_time_base(windows, 0, status.clock.gpu_ticks);
		gpuoa_resampler_run(windows, 0, reports, n, values, &window, 1, &used);
	}
	CHECK(!n && status.end && gpuoa_resampler_flush(windows, values, &window, 1) == 1);
	CHECK(time && values[0].u64 == time && values[1].u64 == clocks);
	gpuoa_resampler_close(windows);
	gpuoa_reader_close(reader);
	end();
}

static void raw_data_is_decoded_without_tracer(void)
{
	struct gpuoa_decoder *decoder = NULL;
	struct gpuoa_decoded decoded;
	struct gpuoa_scope_desc scope;
	struct gpuoa_output_desc metric;

	collect_both();
	REQUIRE(!gpuoa_decoder_open_raw(now.raw, now.size, NULL, &decoder, NULL, 0));
	CHECK(!gpuoa_decoder_describe_scope(decoder, 1, &scope, sizeof(scope)));
	CHECK(scope.set == played_hsw_set());
	CHECK_STRING(scope.unit.name, "gpuoa0");
	CHECK(gpuoa_decoder_describe_scope(decoder, 2, &scope, sizeof(scope)) == -ERANGE);
	CHECK(!gpuoa_decoder_describe_metric(decoder, 0, &metric, sizeof(metric)));
	CHECK_STRING(metric.symbol, "GpuTime");
	CHECK(gpuoa_decoder_describe_metric(decoder, gpuoa_decoder_metric_count(decoder), &metric,
					    sizeof(metric)) == -ERANGE);
	decode(decoder, &decoded);
	CHECK(decoded.used == now.size && now.count > 1000);
	check_scope(0, decoded.counts[0] / 34);
	check_scope(1, decoded.counts[1] / 18);
	end();
}

/* Open a decoder of raw data that is described as from a stream of this platform and set. */
static int open_described(const char *platform, const char *uuid,
			  const struct gpuoa_decoder_options *options,
			  struct gpuoa_decoder **decoder, char *error, size_t error_size)
{
	struct gpuoa_record_stream stream = test_stream();
	struct bytes payload = { 0 }, records = { 0 };
	int err;

	strcpy(stream.info.platform, platform);
	strcpy(stream.uuid, uuid);
	begin(1);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	put_clock(&payload, 0);
	put_sample(&records, PLAYED_ID, 0, &payload);
	played_produce(&now.played[0], &records);
	clear(&payload);
	CHECK(!read_more(NULL));
	err = gpuoa_decoder_open_raw(now.raw, now.size, options, decoder, error, error_size);
	end();
	return err;
}

static void set_is_built_in_or_in_options(void)
{
	static const char unknown[] = "00000000-0000-4000-8000-000000000001";
	const struct gpuoa_set *set = played_hsw_set();
	const struct gpuoa_decoder_options options = { .size = sizeof(options),
						       .sets = &set,
						       .set_count = 1 };
	struct gpuoa_decoder *decoder = NULL;
	struct gpuoa_scope_desc scope;
	char error[128] = "";

	CHECK(open_described("new", TEST_UUID, NULL, &decoder, error, sizeof(error)) ==
	      -EOPNOTSUPP);
	CHECK_STRING(error, "this library has no metrics for platform 'new'");
	CHECK(open_described("hsw", unknown, NULL, &decoder, error, sizeof(error)) == -ENOENT);
	CHECK_STRING(error, "no set has the UUID '00000000-0000-4000-8000-000000000001'");
	CHECK(!decoder);
	REQUIRE(!open_described("new", TEST_UUID, &options, &decoder, error, sizeof(error)));
	CHECK(!gpuoa_decoder_describe_scope(decoder, 0, &scope, sizeof(scope)));
	CHECK(scope.set == set);
	CHECK_STRING(scope.unit.platform, "new");
	gpuoa_decoder_close(decoder);
}

/*
 * The entries are the same if the data is passed in pieces, or if there is space for only a few
 * entries.
 */
static void split_data_returns_equal_entries(void)
{
	static struct gpuoa_entry pieces[ENTRIES_MAX];
	struct gpuoa_decoder *decoder, *whole;
	struct gpuoa_decoded decoded;
	size_t at = 0, known = 0;
	uint64_t state = 1;
	int count = 0, n = 0;
	bool end_told = false;

	collect_both();
	whole = open_decoder(NULL);
	decoder = open_decoder(NULL);
	decode(whole, &decoded);
	while (known < now.size || n) {
		const int max = fixture_random(&state) % 97 + 1;

		known += fixture_random(&state) % 3000;
		if (known > now.size)
			known = now.size;
		n = gpuoa_decoder_run(decoder, now.raw + at, known - at, known == now.size,
				      pieces + count, max, &decoded, sizeof(decoded));
		if (!CHECK(n >= 0 && n <= max && count + n <= now.count))
			break;
		count += n;
		at += decoded.used;
		CHECK(!end_told || !decoded.status.end);
		end_told |= decoded.status.end;
	}
	CHECK(at == now.size && end_told && count == now.count);
	CHECK(!memcmp(pieces, now.entries, count * sizeof(*pieces)));
	gpuoa_decoder_close(decoder);
	end();
}

/*
 * Entries of the first scope are held back, because the second scope may still deliver older ones.
 */
static void entries_are_held_until_other_scopes_follow(void)
{
	struct gpuoa_decoder *decoder;
	struct gpuoa_decoded decoded;
	uint32_t columns;

	begin(STREAMS);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	produce_first(0);
	produce_first(1);
	produce(0, 10);
	CHECK(!read_more(NULL));
	decoder = open_decoder(NULL);
	columns = gpuoa_decoder_metric_count(decoder);
	CHECK(!gpuoa_decoder_run(decoder, now.raw, now.size, false, now.entries, ENTRIES_MAX,
				 &decoded, sizeof(decoded)));
	CHECK(decoded.used > 0);
	now.size -= decoded.used;
	memmove(now.raw, now.raw + decoded.used, now.size);
	produce(1, 4);
	CHECK(!read_more(NULL));
	now.count = gpuoa_decoder_run(decoder, now.raw, now.size, false, now.entries, ENTRIES_MAX,
				      &decoded, sizeof(decoded));
	/*
	 * Three rows of the second scope are returned, and those three rows of the first scope that
	 * are older than the last of them.
	 */
	CHECK(now.count == (int)(6 * columns) && decoded.counts[1] == 3 * columns);
	CHECK(gpuoa_decoder_run(decoder, now.raw + decoded.used, now.size - decoded.used, true,
				now.entries, ENTRIES_MAX, NULL, 0) == (int)(6 * columns));
	gpuoa_decoder_close(decoder);
	end();
}

static void losses_are_reported_as_gaps(void)
{
	struct gpuoa_read_status status;
	struct gpuoa_decoder *decoder;
	struct gpuoa_decoded decoded;
	struct bytes records = { 0 };
	uint32_t columns;

	begin(1);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	produce_first(0);
	produce(0, 4);
	produce_ring_loss(0, 5);
	produce(0, 4);
	put_lost_sample(&records, GPUOA_RECORD_BUFFER_OVERFLOW, 3);
	put_lost_sample(&records, GPUOA_RECORD_REPORTS_LOST, 2);
	played_produce(&now.played[0], &records);
	produce(0, 4);
	CHECK(!read_more(&status));
	CHECK(status.lost_ring == 5 && status.lost_overflow == 3 && status.lost_hardware == 2);
	CHECK(status.gap && status.has_clock && !status.lost_unknown);
	decoder = open_decoder(NULL);
	columns = gpuoa_decoder_metric_count(decoder);
	decode(decoder, &decoded);
	CHECK(now.count == (int)(3 * 3 * columns));
	CHECK(decoded.status.lost_ring == 5 && decoded.status.lost_overflow == 3 &&
	      decoded.status.lost_hardware == 2 && decoded.status.gap);
	for (int i = 0; i < now.count; i++)
		CHECK(now.entries[i].duration_ns == TEST_TICKS * NSEC_PER_TICK);
	end();
}

static void decoder_filters_metrics_scopes_and_times(void)
{
	const struct gpuoa_metric *metrics[] = {
		gpuoa_set_find_metric(played_hsw_set(), "GpuCoreClocks"),
		gpuoa_set_find_metric(played_hsw_set(), "GpuTime"),
	};
	const uint64_t period = TEST_TICKS * NSEC_PER_TICK;
	const struct gpuoa_decoder_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.metric_count = 2,
		.no_infos = true,
		.scopes = 1 << 1,
		.from_ns = 3 * period,
		.until_ns = 9 * period,
	};
	struct gpuoa_decoded decoded;

	collect_both();
	decode(open_decoder(&options), &decoded);
	/*
	 * The timestamps of the second stream are in the middle of its periods, so its entries are
	 * at 3.5 to 8.5 periods.
	 */
	CHECK(now.count == 12 && decoded.used == now.size);
	for (int i = 0; i < now.count; i++) {
		const struct gpuoa_entry *entry = &now.entries[i];

		CHECK(entry->scope == 1 && entry->metric == (uint32_t)i % 2);
		CHECK(entry->timestamp_ns == 3 * period + period / 2 + i / 2 * period);
		CHECK(entry->metric != 1 || entry->value.u64 == period);
	}
	end();
}

/* The first entry is at .from_ns or later, and the last one before .until_ns. */
static void decoder_includes_the_begin_of_times_only(void)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(played_hsw_set(), "GpuTime");
	const uint64_t period = TEST_TICKS * NSEC_PER_TICK;
	struct gpuoa_decoder_options options = {
		.size = sizeof(options),
		.metrics = &metric,
		.metric_count = 1,
		.no_infos = true,
		.scopes = 1 << 1,
		.from_ns = 3 * period + period / 2,
		.until_ns = 8 * period + period / 2,
	};
	struct gpuoa_decoded decoded;

	collect_both();
	decode(open_decoder(&options), &decoded);
	CHECK(now.count == 5 && now.entries[0].timestamp_ns == options.from_ns);
	CHECK(now.entries[4].timestamp_ns == options.until_ns - period);
	options.from_ns++;
	options.until_ns++;
	decode(open_decoder(&options), &decoded);
	CHECK(now.count == 5 && now.entries[0].timestamp_ns == options.from_ns + period - 1);
	CHECK(now.entries[4].timestamp_ns == options.until_ns - 1);
	end();
}

static void run_writes_no_more_than_max_entries(void)
{
	const struct gpuoa_entry untouched = { .timestamp_ns = 0x5555 };
	struct gpuoa_decoder *decoder;
	struct gpuoa_decoded decoded;
	size_t at = 0;

	collect_both();
	decoder = open_decoder(NULL);
	for (int max = 1; max < 200; max += 17) {
		now.entries[max] = untouched;
		CHECK(gpuoa_decoder_run(decoder, now.raw + at, now.size - at, true, now.entries,
					max, &decoded, sizeof(decoded)) == max);
		CHECK(!memcmp(&now.entries[max], &untouched, sizeof(untouched)));
		at += decoded.used;
	}
	gpuoa_decoder_close(decoder);
	end();
}

static void run_without_buffer_counts_entries(void)
{
	struct gpuoa_decoder *decoder;
	struct gpuoa_decoded decoded;
	int most, some;

	collect_both();
	decoder = open_decoder(NULL);
	most = gpuoa_decoder_run(decoder, now.raw, now.size, true, NULL, 0, NULL, 0);
	some = gpuoa_decoder_run(decoder, now.raw, now.size, true, now.entries, 1000, &decoded,
				 sizeof(decoded));
	CHECK(some == 1000);
	CHECK(gpuoa_decoder_run(decoder, now.raw + decoded.used, now.size - decoded.used, true,
				NULL, 0, NULL, 0) < most - 500);
	gpuoa_decoder_close(decoder);
	decode(open_decoder(NULL), &decoded);
	CHECK(now.count <= most && now.count > most * 9 / 10);
	end();
}

static void small_buffers_make_progress(void)
{
	static uint8_t whole[RAW_MAX];
	struct gpuoa_read_status status;
	struct gpuoa_decoded decoded;
	size_t size, reads = 0;
	int count;

	begin(STREAMS);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	produce_both();
	CHECK(!gpuoa_tracer_disable(now.tracer, true));
	size = 100;
	CHECK(gpuoa_tracer_read(now.tracer, whole, &size, &status) == -EMSGSIZE && !size);
	do {
		size = 2048;
		if (!CHECK(!gpuoa_tracer_read(now.tracer, whole, &size, &status)))
			break;
		CHECK(size <= 2048 && size);
		memcpy(now.raw + now.size, whole, size);
		now.size += size;
		reads++;
	} while (!status.end);
	CHECK(reads > 5);
	CHECK(!ring_fill(&now.played[0].stream.ring) && !ring_fill(&now.played[1].stream.ring));
	decode(open_decoder(NULL), &decoded);
	count = now.count;
	end();
	collect_both();
	decode(open_decoder(NULL), &decoded);
	CHECK(count == now.count);
	end();
}

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	return poll(&pollfd, 1, timeout_ms) == 1;
}

/*
 * If the kernel is slow, a caller that does not wait returns at once. Later reads report the
 * result.
 */
/* A stream with data that did not fit comes first in the next read. */
static void small_buffers_serve_all_streams(void)
{
	_Alignas(struct frame) static uint8_t raw[4096];
	struct gpuoa_read_status status;
	size_t size;

	begin(STREAMS);
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	produce_first(0);
	produce_first(1);
	CHECK(!read_more(&status));
	produce(0, 7);
	produce(1, 7);
	for (uint32_t i = 0; i < 6; i++) {
		/* One sample of 7 reports, but not two */
		size = 2500;
		CHECK(!gpuoa_tracer_read(now.tracer, raw, &size, &status));
		CHECK(size > 7 * TEST_REPORT_SIZE && ((struct frame *)(void *)raw)->scope == i % 2);
		produce(i % 2, 7);
	}
	end();
}

static void enable_without_wait_returns_at_once(void)
{
	struct gpuoa_read_status status;
	sem_t held;

	sem_init(&held, 0, 0);
	begin(STREAMS);
	now.held = &held;
	CHECK(!gpuoa_tracer_enable(now.tracer, false));
	CHECK(read_more(&status) == -EAGAIN);
	CHECK(!is_readable(gpuoa_tracer_fd(now.tracer), 0));
	sem_post(&held);
	CHECK(read_more(&status) == -EAGAIN);
	sem_post(&held);
	CHECK(is_readable(gpuoa_tracer_fd(now.tracer), -1));
	CHECK(!read_more(&status) && !now.size && now.on[0] && now.on[1]);
	CHECK(!is_readable(gpuoa_tracer_fd(now.tracer), 0));
	produce_both();
	CHECK(!gpuoa_tracer_disable(now.tracer, false));
	CHECK(!read_more(&status) && now.size && !status.end);
	CHECK(!read_more(&status) && !status.end);
	sem_post(&held);
	sem_post(&held);
	CHECK(is_readable(gpuoa_tracer_fd(now.tracer), -1));
	CHECK(!read_more(&status) && status.end);
	CHECK(read_more(&status) == -EAGAIN && !status.end);
	now.held = NULL;
	end();
	sem_destroy(&held);
}

static void *post_for_both(void *held)
{
	usleep(10000);
	for (int i = 0; i < 2 * STREAMS; i++)
		sem_post(held);
	return NULL;
}

static void disable_waits_for_an_enable_in_progress(void)
{
	struct gpuoa_read_status status;
	pthread_t thread;
	sem_t held;

	sem_init(&held, 0, 0);
	begin(STREAMS);
	now.held = &held;
	now.switches = 0;
	CHECK(!gpuoa_tracer_enable(now.tracer, false));
	while (!now.switches)
		usleep(100);
	REQUIRE(!pthread_create(&thread, NULL, post_for_both, &held));
	CHECK(!gpuoa_tracer_disable(now.tracer, true));
	CHECK(now.switches == 2 * STREAMS && !now.on[0] && !now.on[1]);
	CHECK(!read_more(&status) && status.end);
	pthread_join(thread, NULL);
	now.held = NULL;
	end();
	sem_destroy(&held);
}

static void enable_errors_are_returned(void)
{
	struct gpuoa_read_status status;

	begin(STREAMS);
	now.errors[0] = now.errors[1] = -ENODEV;
	CHECK(gpuoa_tracer_enable(now.tracer, true) == -ENODEV);
	CHECK(read_more(&status) == -EAGAIN && !now.on[0] && !now.on[1]);
	CHECK(!gpuoa_tracer_enable(now.tracer, false));
	CHECK(is_readable(gpuoa_tracer_fd(now.tracer), -1));
	CHECK(read_more(&status) == -ENODEV);
	CHECK(read_more(&status) == -EAGAIN);
	end();
}

static void failed_enable_disables_the_other_streams(void)
{
	begin(STREAMS);
	now.errors[1] = -EBUSY;
	CHECK(gpuoa_tracer_enable(now.tracer, true) == -EBUSY && !now.on[0] && !now.on[1]);
	now.errors[1] = 0;
	CHECK(!gpuoa_tracer_enable(now.tracer, true) && now.on[0] && now.on[1]);
	/* A stream is disabled even if another one fails. */
	now.errors[0] = -ENODEV;
	CHECK(gpuoa_tracer_disable(now.tracer, true) == -ENODEV && !now.on[1]);
	end();
}

static void tracer_fd_polls_all_streams(void)
{
	begin(STREAMS);
	CHECK(!is_readable(gpuoa_tracer_fd(now.tracer), 0));
	CHECK(!eventfd_write(now.played[1].stream.fd, 1));
	CHECK(is_readable(gpuoa_tracer_fd(now.tracer), 0));
	end();
}

static void invalid_raw_data_is_rejected(void)
{
	struct gpuoa_decoder *decoder = NULL;
	struct gpuoa_decoded decoded;
	struct gpuoa_reader *reader;
	char error[128];
	size_t first, damaged;
	int before;

	collect_both();
	first = ((struct frame *)(void *)now.raw)->size;
	CHECK(gpuoa_decoder_open_raw(now.raw + 4, 100, NULL, &decoder, NULL, 0) == -EBADMSG);
	CHECK(gpuoa_decoder_open_raw(now.raw, first - 1, NULL, &decoder, NULL, 0) == -ENODATA);
	CHECK(gpuoa_decoder_open_raw(now.raw + first, 2000, NULL, &decoder, error, sizeof(error)) ==
	      -ENODATA);
	CHECK(strstr(error, "what"));
	CHECK(gpuoa_tracer_reader_open(now.raw, now.size, 2, &reader, error, sizeof(error)) ==
	      -ENODATA);
	/* Decoding ends at damaged data, but the entries that precede it are returned. */
	damaged = first + ((struct frame *)(void *)(now.raw + first))->size;
	now.raw[damaged + 1] ^= 1;
	decoder = open_decoder(NULL);
	before = gpuoa_decoder_run(decoder, now.raw, now.size, true, now.entries, ENTRIES_MAX,
				   &decoded, sizeof(decoded));
	CHECK(before > 100 && decoded.used <= damaged);
	CHECK(gpuoa_decoder_run(decoder, now.raw + decoded.used, now.size - decoded.used, true,
				now.entries, ENTRIES_MAX, NULL, 0) == -EBADMSG);
	gpuoa_decoder_close(decoder);
	end();
}

/* Write a frame, change its header, and return what frame_get() says. */
static int get_changed(struct frame change, size_t size)
{
	static const uint8_t payload[] = "payload";
	_Alignas(struct frame) uint8_t bytes[64] = { 0 };
	struct frame_room room = { .at = bytes, .end = bytes + sizeof(bytes) };
	struct frame_view view;
	struct frame head;

	CHECK(frame_put(&room, FRAME_PAYLOAD, 1, payload, 4));
	CHECK(room.at == bytes + 24);
	memcpy(&head, bytes, sizeof(head));
	CHECK(head.size == 24 && head.payload_size == 4);
	head.magic ^= change.magic;
	head.size += change.size;
	head.kind += change.kind;
	head.scope += change.scope;
	head.payload_size += change.payload_size;
	memcpy(bytes, &head, sizeof(head));
	return frame_get(bytes, size, 0, &view);
}

static void contradictory_frames_are_damaged(void)
{
	_Alignas(struct frame) uint8_t bytes[24];
	struct frame_room room = { .at = bytes, .end = bytes + 23 };
	struct frame_view view;

	CHECK(get_changed((struct frame){ .magic = 0 }, 24) == 1);
	CHECK(get_changed((struct frame){ .magic = 0 }, 23) == 0); /* incomplete */
	CHECK(get_changed((struct frame){ .magic = 0 }, 20) == 0);
	CHECK(get_changed((struct frame){ .magic = 0 }, 19) == 0);
	CHECK(get_changed((struct frame){ .magic = 1 }, 24) == -EBADMSG);
	CHECK(get_changed((struct frame){ .kind = FRAME_LOST }, 24) == 1);
	CHECK(get_changed((struct frame){ .kind = FRAME_END }, 24) == 1);
	CHECK(get_changed((struct frame){ .kind = FRAME_END + 1 }, 24) == -EBADMSG);
	CHECK(get_changed((struct frame){ .scope = GPUOA_TRACER_SCOPES - 2 }, 24) == 1);
	CHECK(get_changed((struct frame){ .scope = GPUOA_TRACER_SCOPES - 1 }, 24) == -EBADMSG);
	CHECK(get_changed((struct frame){ .payload_size = 1 }, 64) == -EBADMSG);
	CHECK(get_changed((struct frame){ .size = 8 }, 64) == -EBADMSG);
	CHECK(get_changed((struct frame){ .size = 8, .payload_size = 8 }, 64) == 1);
	/* An end has nothing in it. */
	CHECK(get_changed((struct frame){ .kind = FRAME_END, .size = 8, .payload_size = 8 }, 64) ==
	      -EBADMSG);
	CHECK(get_changed((struct frame){ .size = 65536, .payload_size = 65531 }, 64) == 0);
	CHECK(get_changed((struct frame){ .size = 65536, .payload_size = 65532 }, 64) == -EBADMSG);
	/* Room for all but one byte */
	CHECK(!frame_put(&room, FRAME_END, 0, NULL, 0) && room.at == bytes);
	room.end++;
	CHECK(frame_put(&room, FRAME_END, 0, NULL, 0) && room.at == room.end);
	CHECK(frame_get(bytes, 24, 0, &view) == 1 && !view.head.payload_size);
	CHECK(frame_get(bytes, 24, 24, &view) == 0);
}

/* Haswell sets of the two scopes */
static const struct gpuoa_set *const *two_sets(void)
{
	static const struct gpuoa_set *sets[2];

	sets[0] = played_hsw_set();
	sets[1] = gpuoa_platform_find_set(gpuoa_platform_find("hsw"), "ComputeBasic", NULL, NULL);
	return sets;
}

static void collect_two_sets(void)
{
	begin_sets(STREAMS, two_sets());
	CHECK(!gpuoa_tracer_enable(now.tracer, true));
	produce_both();
	CHECK(!gpuoa_tracer_disable(now.tracer, true));
	CHECK(!read_more(NULL));
}

static bool is_same_metric(const struct gpuoa_decoder *decoder, uint32_t index,
			   const struct gpuoa_decoder *other, uint32_t other_index)
{
	struct gpuoa_output_desc one, two;

	return !gpuoa_decoder_describe_metric(decoder, index, &one, sizeof(one)) &&
	       !gpuoa_decoder_describe_metric(other, other_index, &two, sizeof(two)) &&
	       one.metric == two.metric && !strcmp(one.symbol, two.symbol);
}

/* The list has the metrics and information items of one set, then those of the other. */
static void decoder_lists_metrics_of_each_set(void)
{
	struct gpuoa_decoder_options options = { .size = sizeof(options), .scopes = 1 };
	struct gpuoa_decoder *both, *single[2];
	struct gpuoa_scope_desc scope;
	struct gpuoa_decoded decoded;
	uint32_t counts[2], next[2] = { 0, 0 };

	collect_two_sets();
	both = open_decoder(NULL);
	for (uint32_t i = 0; i < 2; i++) {
		options.scopes = 1u << i;
		single[i] = open_decoder(&options);
		counts[i] = gpuoa_decoder_metric_count(single[i]);
		CHECK(counts[i] > 40 && gpuoa_decoder_scope_count(single[i]) == 2);
		CHECK(!gpuoa_decoder_describe_scope(single[i], i, &scope, sizeof(scope)));
		CHECK(scope.set == two_sets()[i]);
		CHECK(!gpuoa_decoder_describe_scope(single[i], 1 - i, &scope, sizeof(scope)));
		CHECK(!scope.set);
		CHECK_STRING(scope.unit.name, "gpuoa0");
	}
	CHECK(counts[0] != counts[1]);
	CHECK(gpuoa_decoder_metric_count(both) == counts[0] + counts[1]);
	for (uint32_t i = 0; i < counts[0] + counts[1]; i++)
		CHECK(i < counts[0] ? is_same_metric(both, i, single[0], i) :
				      is_same_metric(both, i, single[1], i - counts[0]));
	for (uint32_t i = 0; i < 2; i++) {
		decode(single[i], &decoded);
		CHECK(now.count == (int)((i ? 18 : 34) * counts[i]));
		CHECK(decoded.counts[i] == (uint32_t)now.count && !decoded.counts[1 - i]);
		CHECK(decoded.used == now.size);
		for (int k = 0; k < now.count; k++)
			CHECK(now.entries[k].scope == i &&
			      now.entries[k].metric == (uint32_t)k % counts[i]);
	}
	decode(both, &decoded);
	CHECK(now.count == (int)(34 * counts[0] + 18 * counts[1]));
	for (int k = 0; k < now.count; k++) {
		const uint32_t of = now.entries[k].scope;

		CHECK(now.entries[k].metric == (of ? counts[0] : 0) + next[of]);
		next[of] = (next[of] + 1) % counts[of];
	}
	end();
}

static void decoder_orders_metrics_of_several_sets(void)
{
	static const char *const symbols[] = { "GpuTime", "GpuCoreClocks", "EuActive", "GpuTime" };
	static const uint32_t scopes[] = { 1, 0, 1, 0 };
	const uint64_t period = TEST_TICKS * NSEC_PER_TICK;
	const struct gpuoa_metric *metrics[4];
	struct gpuoa_decoder_options options = { .size = sizeof(options),
						 .metrics = metrics,
						 .metric_count = 4 };
	struct gpuoa_decoder *decoder, *infos[2];
	struct gpuoa_output_desc output;
	struct gpuoa_set_desc set;
	struct gpuoa_decoded decoded;
	uint32_t count = 4, seen[4] = { 0 };

	for (uint32_t i = 0; i < 4; i++)
		metrics[i] = gpuoa_set_find_metric(two_sets()[scopes[i]], symbols[i]);
	collect_two_sets();
	decoder = open_decoder(&options);
	for (uint32_t i = 0; i < 4; i++) {
		CHECK(!gpuoa_decoder_describe_metric(decoder, i, &output, sizeof(output)));
		CHECK(output.metric == metrics[i]);
	}
	/* The information items of both sets follow. */
	for (uint32_t i = 0; i < 2; i++) {
		const struct gpuoa_decoder_options all = { .size = sizeof(all), .scopes = 1u << i };

		infos[i] = open_decoder(&all);
		gpuoa_set_describe(two_sets()[i], &set, sizeof(set));
		CHECK(gpuoa_decoder_metric_count(infos[i]) > set.metric_count);
		for (uint32_t k = set.metric_count; k < gpuoa_decoder_metric_count(infos[i]); k++)
			CHECK(is_same_metric(decoder, count++, infos[i], k));
		gpuoa_decoder_close(infos[i]);
	}
	CHECK(gpuoa_decoder_metric_count(decoder) == count);
	CHECK(gpuoa_decoder_describe_metric(decoder, count, &output, sizeof(output)) == -ERANGE);
	gpuoa_decoder_close(decoder);
	options.no_infos = true;
	decoder = open_decoder(&options);
	CHECK(gpuoa_decoder_metric_count(decoder) == 4);
	decode(decoder, &decoded);
	CHECK(now.count == 2 * (34 + 18) && decoded.used == now.size);
	for (int i = 0; i < now.count; i++) {
		const struct gpuoa_entry *entry = &now.entries[i];

		CHECK(entry->scope == scopes[entry->metric & 3]);
		CHECK((entry->metric != 0 && entry->metric != 3) || entry->value.u64 == period);
		seen[entry->metric & 3]++;
	}
	CHECK(seen[0] == 18 && seen[1] == 34 && seen[2] == 18 && seen[3] == 34);
	end();
}

static void decoder_options_are_checked(void)
{
	static const struct {
		uint64_t scopes, from_ns, until_ns;
		int err;
		const char *error;
	} cases[] = {
		{ 0, 0, 0, 0, "" },
		{ 3, 0, 0, 0, "" },
		{ 4, 0, 0, -EINVAL, "scopes are 0 to 1 here: mask 0x4 has others" },
		{ 6, 0, 0, -EINVAL, "scopes are 0 to 1 here: mask 0x6 has others" },
		{ UINT64_C(1) << 63, 0, 0, -EINVAL,
		  "scopes are 0 to 1 here: mask 0x8000000000000000 has others" },
		{ 0, 5, 0, 0, "" },
		{ 0, 5, 6, 0, "" },
		{ 0, 5, 5, -EINVAL, "the range of time is empty" },
		{ 0, 5, 4, -EINVAL, "the range of time is empty" },
	};
	struct gpuoa_decoder_options options = { .size = sizeof(options) };
	struct gpuoa_decoder *decoder;
	struct gpuoa_decoded decoded;
	struct gpuoa_scope_desc scope;
	char error[128];

	collect_both();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		options.scopes = cases[i].scopes;
		options.from_ns = cases[i].from_ns;
		options.until_ns = cases[i].until_ns;
		decoder = NULL;
		CHECK(gpuoa_decoder_open(now.tracer, &options, &decoder, error, sizeof(error)) ==
		      cases[i].err);
		CHECK_STRING(error, cases[i].error);
		CHECK(!decoder == !!cases[i].err);
		gpuoa_decoder_close(decoder);
	}
	options.size = 8;
	CHECK(gpuoa_decoder_open_raw(now.raw, now.size, &options, &decoder, error, sizeof(error)) ==
	      -EINVAL);
	decoder = open_decoder(NULL);
	CHECK(gpuoa_decoder_describe_scope(decoder, 2, &scope, sizeof(scope)) == -ERANGE);
	CHECK(!gpuoa_decoder_run(decoder, now.raw, 0, true, now.entries, 5, NULL, 0));
	CHECK(!gpuoa_decoder_run(decoder, now.raw, 0, true, NULL, 0, NULL, 0));
	CHECK(!gpuoa_decoder_run(decoder, now.raw, now.size, true, now.entries, -1, &decoded,
				 sizeof(decoded)));
	CHECK(decoded.used < now.size && !decoded.counts[0]);
	now.size -= decoded.used;
	memmove(now.raw, now.raw + decoded.used, now.size);
	/* The same in the middle of a row */
	CHECK(gpuoa_decoder_run(decoder, now.raw, now.size, true, now.entries, 5, &decoded,
				sizeof(decoded)) == 5);
	CHECK(!gpuoa_decoder_run(decoder, now.raw + decoded.used, now.size - decoded.used, true,
				 now.entries, 0, NULL, 0));
	gpuoa_decoder_close(decoder);
	end();
}

/* Remove frames from the raw data. @first: the first frame of the scope only; else all of them */
static void remove_frames(uint32_t scope, bool first)
{
	size_t at = 0;

	while (at < now.size) {
		struct frame *head = (struct frame *)(void *)(now.raw + at);

		if (head->scope != scope || head->kind != FRAME_PAYLOAD) {
			at += head->size;
			continue;
		}
		now.size -= head->size;
		memmove(now.raw + at, now.raw + at + head->size, now.size - at);
		if (first)
			return;
	}
}

static void scopes_without_description_have_no_entries(void)
{
	struct gpuoa_decoder_options options = { .size = sizeof(options) };
	struct gpuoa_decoder *decoder = NULL;
	struct gpuoa_decoded decoded;
	struct gpuoa_scope_desc scope;
	char error[128];

	for (uint32_t missing = 0; missing < 2; missing++)
		for (int first = 0; first < 2; first++) {
			collect_both();
			remove_frames(missing, first);
			REQUIRE(!gpuoa_decoder_open_raw(now.raw, now.size, NULL, &decoder, error,
							sizeof(error)));
			CHECK(gpuoa_decoder_scope_count(decoder) == (missing && !first ? 1 : 2));
			CHECK(!gpuoa_decoder_describe_scope(decoder, 1 - missing, &scope,
							    sizeof(scope)));
			CHECK(scope.set == played_hsw_set());
			decode(decoder, &decoded);
			CHECK(now.count > 500 && decoded.used == now.size);
			CHECK(decoded.status.end && !decoded.counts[missing]);
			options.scopes = 1u << missing;
			CHECK(gpuoa_decoder_open_raw(now.raw, now.size, &options, &decoder, error,
						     sizeof(error)) == -EINVAL);
			CHECK(strstr(error, "scopes are 0 to "));
			end();
		}
	collect_both();
	remove_frames(0, true);
	remove_frames(1, true);
	CHECK(gpuoa_decoder_open_raw(now.raw, now.size, NULL, &decoder, error, sizeof(error)) ==
	      -ENODATA);
	CHECK_STRING(error, "nothing says what the scopes are");
	CHECK(gpuoa_decoder_open_raw(now.raw, 0, NULL, &decoder, error, sizeof(error)) == -ENODATA);
	now.raw[0] ^= 1;
	CHECK(gpuoa_decoder_open_raw(now.raw, now.size, NULL, &decoder, error, sizeof(error)) ==
	      -EBADMSG);
	CHECK_STRING(error, "this is no raw data of a tracer, or damaged");
	end();
}

/* The end of the data is a frame of 24 bytes. */
static void end_of_data_needs_its_room(void)
{
	_Alignas(struct frame) uint8_t raw[64];
	struct gpuoa_read_status status;
	size_t size = 0;

	begin(STREAMS);
	CHECK(!gpuoa_tracer_enable(now.tracer, true) && !gpuoa_tracer_disable(now.tracer, true));
	CHECK(!gpuoa_tracer_read(now.tracer, NULL, &size, NULL) && size == FRAME_END_SIZE);
	size = FRAME_END_SIZE - 1;
	CHECK(gpuoa_tracer_read(now.tracer, raw, &size, &status) == -EMSGSIZE);
	CHECK(!size && !status.end);
	size = FRAME_END_SIZE;
	CHECK(!gpuoa_tracer_read(now.tracer, raw, &size, &status));
	CHECK(size == FRAME_END_SIZE && status.end);
	CHECK(((struct frame *)(void *)raw)->kind == FRAME_END);
	size = FRAME_END_SIZE;
	CHECK(gpuoa_tracer_read(now.tracer, raw, &size, &status) == -EAGAIN && !size);
	end();
}

/* A program may have closed its standard input. */
static void descriptor_0_is_valid(void)
{
	now.close_input = true;
	begin(STREAMS);
	now.close_input = false;
	CHECK(now.tracer->sw.event == 0);
	CHECK(fcntl(0, F_GETFD) == FD_CLOEXEC && fcntl(0, F_GETFL) & O_NONBLOCK);
	CHECK(fcntl(gpuoa_tracer_fd(now.tracer), F_GETFD) == FD_CLOEXEC);
	CHECK(!gpuoa_tracer_enable(now.tracer, true) && now.on[1]);
	end();
	CHECK(fcntl(0, F_GETFD) < 0 && !open("/dev/null", O_RDONLY));
}

static void bad_options_return_einval(void)
{
	const struct gpuoa_metric *metric =
		gpuoa_set_get_metric(gpuoa_platform_get_set(gpuoa_platform_find("bdw"), 0), 0);
	struct gpuoa_decoder_options options = { .size = sizeof(options), .scopes = 1 << 2 };
	struct gpuoa_tracer_options tracer_options = { .size = 4 };
	struct gpuoa_tracer_group groups[2] = { { .unit = &now.played[0].unit },
						{ .unit = &now.played[1].unit } };
	struct gpuoa_stream_options stream = { .size = sizeof(stream), .overwrite = true };
	struct gpuoa_decoder *decoder;
	struct gpuoa_tracer *tracer;
	char error[128];

	begin(STREAMS);
	CHECK(gpuoa_decoder_open(now.tracer, &options, &decoder, NULL, 0) == -EINVAL);
	options = (struct gpuoa_decoder_options){ .size = sizeof(options),
						  .from_ns = 5,
						  .until_ns = 5 };
	CHECK(gpuoa_decoder_open(now.tracer, &options, &decoder, NULL, 0) == -EINVAL);
	options = (struct gpuoa_decoder_options){ .size = sizeof(options),
						  .metrics = &metric,
						  .metric_count = 1 };
	CHECK(gpuoa_decoder_open(now.tracer, &options, &decoder, error, sizeof(error)) == -EINVAL);
	CHECK(strstr(error, "metric 0"));
	CHECK(gpuoa_tracer_open(NULL, 1, NULL, &tracer, error, sizeof(error)) == -EINVAL);
	CHECK(gpuoa_tracer_open(groups, 0, NULL, &tracer, NULL, 0) == -EINVAL);
	CHECK(gpuoa_tracer_open(groups, 65, NULL, &tracer, NULL, 0) == -EINVAL);
	CHECK(gpuoa_tracer_open(groups, 1, NULL, &tracer, error, sizeof(error)) == -EINVAL);
	CHECK(strstr(error, "no set"));
	groups[0].set = groups[1].set = played_hsw_set();
	CHECK(gpuoa_tracer_open(groups, 1, &tracer_options, &tracer, NULL, 0) == -EINVAL);
	groups[0].options = &stream;
	CHECK(gpuoa_tracer_open(groups, 1, NULL, &tracer, error, sizeof(error)) == -EOPNOTSUPP);
	groups[0].options = NULL;
	strcpy(now.played[1].unit.desc.parent, "0000:03:00.0");
	CHECK(gpuoa_tracer_open(groups, 2, NULL, &tracer, error, sizeof(error)) == -EXDEV);
	CHECK(strstr(error, "GPUs"));
	end();
}

int main(void)
{
	RUN(new_tracer_is_disabled);
	RUN(end_is_reported_once);
	RUN(decoder_returns_entries_in_time_order);
	RUN(totals_equal_entries);
	RUN(raw_data_is_decoded_without_tracer);
	RUN(set_is_built_in_or_in_options);
	RUN(split_data_returns_equal_entries);
	RUN(entries_are_held_until_other_scopes_follow);
	RUN(losses_are_reported_as_gaps);
	RUN(decoder_filters_metrics_scopes_and_times);
	RUN(decoder_includes_the_begin_of_times_only);
	RUN(run_writes_no_more_than_max_entries);
	RUN(run_without_buffer_counts_entries);
	RUN(small_buffers_make_progress);
	RUN(small_buffers_serve_all_streams);
	RUN(enable_without_wait_returns_at_once);
	RUN(disable_waits_for_an_enable_in_progress);
	RUN(enable_errors_are_returned);
	RUN(failed_enable_disables_the_other_streams);
	RUN(tracer_fd_polls_all_streams);
	RUN(invalid_raw_data_is_rejected);
	RUN(contradictory_frames_are_damaged);
	RUN(decoder_lists_metrics_of_each_set);
	RUN(decoder_orders_metrics_of_several_sets);
	RUN(decoder_options_are_checked);
	RUN(scopes_without_description_have_no_entries);
	RUN(end_of_data_needs_its_room);
	RUN(descriptor_0_is_valid);
	RUN(bad_options_return_einval);
	return tap_end();
}
