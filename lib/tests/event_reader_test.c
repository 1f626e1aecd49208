// SPDX-License-Identifier: MIT
/*
 * event_reader_test.c - Test the event reader: a read never spans a discontinuity, and losses are
 * counted.
 */
#include <errno.h>

#include "payload.h"
#include "reader/event_reader.h"
#include "reader/rawdata_format.h"
#include "tap.h"

#define MAX_EVENTS 16

/* A backend with scripted events */
struct script {
	struct stream_event events[MAX_EVENTS];
	struct bytes payloads[MAX_EVENTS];
	size_t count;
	size_t at;
	int end; /* result after the last event */
	struct event_reader event_reader;
};

static int next_event(void *ctx, struct stream_event *event)
{
	struct script *script = ctx;

	if (script->at == script->count)
		return script->end;
	*event = script->events[script->at];
	event->payload = script->payloads[script->at].data;
	event->size = script->payloads[script->at++].size;
	return 1;
}

static void begin(struct script *script)
{
	*script = (struct script){ 0 };
	event_reader_init(&script->event_reader, next_event, script, TEST_REPORT_SIZE);
}

static void add_event(struct script *script, enum stream_event_kind kind)
{
	script->events[script->count++].kind = kind;
}

/* Add a payload, to which the caller adds records. */
static struct bytes *add_payload(struct script *script)
{
	struct bytes *payload = &script->payloads[script->count];

	add_event(script, STREAM_EVENT_RAW);
	put_head(payload);
	return payload;
}

static void end(struct script *script)
{
	for (size_t i = 0; i < script->count; i++)
		clear(&script->payloads[i]);
}

/* Read up to @max reports; they must be numbered consecutively from @first. */
static int read_from(struct script *script, size_t max, uint32_t first,
		     struct gpuoa_read_status *status)
{
	static uint8_t reports[64 * TEST_REPORT_SIZE];
	const int n = event_reader_read(&script->event_reader, reports, max, status);

	for (int i = 0; i < n; i++)
		CHECK(report_number(reports, i) == first + i);
	return n;
}

static bool nothing_lost(const struct gpuoa_read_status *status)
{
	return !status->lost_unknown && !status->lost_overflow && !status->lost_hardware &&
	       !status->lost_ring;
}

static void read_joins_payloads(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 3);
	put_reports(add_payload(&script), 3, 4);
	CHECK(read_from(&script, 64, 0, &status) == 7);
	CHECK(!status.gap && nothing_lost(&status));
	CHECK(read_from(&script, 64, 0, &status) == 0);
	end(&script);
}

/* A status of the hardware is neither a discontinuity nor a loss of timer reports. */
static void hardware_status_is_counted(void)
{
	struct gpuoa_read_status status;
	struct bytes *payload;
	struct script script;

	begin(&script);
	payload = add_payload(&script);
	put_reports(payload, 0, 3);
	put_status(payload, GPUOA_STATUS_COUNTERS_WRAPPED);
	put_reports(payload, 3, 2);
	put_status(payload, GPUOA_STATUS_COUNTERS_WRAPPED | GPUOA_STATUS_TRIGGERS_LOST);
	put_reports(payload, 5, 1);
	CHECK(read_from(&script, 64, 0, &status) == 6);
	CHECK(!status.gap && nothing_lost(&status));
	CHECK(status.wraps == 2 && status.lost_triggers == 1);
	CHECK(read_from(&script, 64, 0, &status) == 0);
	CHECK(!status.wraps && !status.lost_triggers);
	end(&script);
}

static void small_reads_continue_previous_read(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 5);
	CHECK(read_from(&script, 2, 0, &status) == 2 && !status.gap);
	CHECK(event_reader_holds(&script.event_reader));
	CHECK(read_from(&script, 2, 2, &status) == 2 && !status.gap);
	CHECK(read_from(&script, 2, 4, &status) == 1 && !status.gap);
	CHECK(!event_reader_holds(&script.event_reader));
	CHECK(read_from(&script, 2, 0, &status) == 0);
	end(&script);
}

static void padding_after_reports_holds_nothing(void)
{
	struct gpuoa_read_status status;
	struct bytes *payload;
	struct script script;

	begin(&script);
	payload = add_payload(&script);
	put_reports(payload, 0, 3);
	put32(payload, 0);
	CHECK(read_from(&script, 64, 0, &status) == 3);
	CHECK(!event_reader_holds(&script.event_reader));
	end(&script);
}

static void first_report_number_may_be_nonzero(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 1000, 2);
	CHECK(read_from(&script, 64, 1000, &status) == 2);
	CHECK(!status.gap && nothing_lost(&status));
	end(&script);
}

static void missing_numbers_count_as_lost_ring(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 3);
	put_reports(add_payload(&script), 10, 2);
	CHECK(read_from(&script, 64, 0, &status) == 3);
	CHECK(!status.gap && nothing_lost(&status));
	CHECK(read_from(&script, 64, 10, &status) == 2);
	CHECK(status.gap && status.lost_ring == 7 && !status.lost_unknown);
	end(&script);
}

static void gap_within_payload_ends_read(void)
{
	struct gpuoa_read_status status;
	struct script script;
	struct bytes *payload;

	begin(&script);
	payload = add_payload(&script);
	put_reports(payload, 0, 3);
	put_lost(payload, GPUOA_RECORD_REPORTS_LOST, 4);
	put_reports(payload, 3, 2);
	CHECK(read_from(&script, 64, 0, &status) == 3);
	CHECK(!status.gap && nothing_lost(&status));
	CHECK(read_from(&script, 64, 3, &status) == 2);
	CHECK(status.gap && status.lost_hardware == 4 && !status.lost_ring);
	end(&script);
}

static void losses_before_gap_add_up_by_cause(void)
{
	struct gpuoa_read_status status;
	struct script script;
	struct bytes *payload;

	begin(&script);
	payload = add_payload(&script);
	put_reports(payload, 0, 1);
	put_lost(payload, GPUOA_RECORD_REPORTS_LOST, 4);
	put_lost(payload, GPUOA_RECORD_BUFFER_OVERFLOW, 100);
	put_lost(payload, GPUOA_RECORD_BUFFER_OVERFLOW, GPUOA_LOST_UNKNOWN);
	put_reports(add_payload(&script), 6, 1);
	CHECK(read_from(&script, 64, 0, &status) == 1);
	CHECK(read_from(&script, 64, 6, &status) == 1);
	CHECK(status.gap && status.lost_hardware == 4 && status.lost_overflow == 100);
	CHECK(status.lost_ring == 5 && status.lost_unknown);
	end(&script);
}

static void loss_is_reported_before_next_reports(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	CHECK(read_from(&script, 64, 0, &status) == 1);
	put_lost(add_payload(&script), GPUOA_RECORD_BUFFER_OVERFLOW, 9);
	CHECK(read_from(&script, 64, 0, &status) == 0);
	CHECK(!status.gap && status.lost_overflow == 9);
	put_reports(add_payload(&script), 1, 1);
	CHECK(read_from(&script, 64, 1, &status) == 1);
	CHECK(status.gap && nothing_lost(&status));
	end(&script);
}

static void gap_without_loss_is_reported(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	put_lost(add_payload(&script), GPUOA_RECORD_REPORTS_LOST, 0);
	put_reports(add_payload(&script), 1, 1);
	CHECK(read_from(&script, 64, 0, &status) == 1);
	CHECK(read_from(&script, 64, 1, &status) == 1);
	CHECK(status.gap && nothing_lost(&status));
	end(&script);
}

static void perf_losses_are_counted_by_number(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	add_event(&script, STREAM_EVENT_LOST);
	put_reports(add_payload(&script), 4, 1);
	CHECK(read_from(&script, 64, 0, &status) == 1 && nothing_lost(&status));
	CHECK(read_from(&script, 64, 4, &status) == 1);
	CHECK(status.gap && status.lost_ring == 3 && !status.lost_unknown);
	end(&script);
}

static void lost_perf_record_may_hide_gap(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	add_event(&script, STREAM_EVENT_LOST);
	put_reports(add_payload(&script), 1, 1);
	CHECK(read_from(&script, 64, 0, &status) == 1);
	CHECK(read_from(&script, 64, 1, &status) == 1);
	CHECK(status.gap && status.lost_unknown && !status.lost_ring);
	end(&script);
}

static void loss_at_end_is_reported_at_end(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	add_event(&script, STREAM_EVENT_LOST);
	CHECK(read_from(&script, 64, 0, &status) == 1 && nothing_lost(&status));
	CHECK(read_from(&script, 64, 0, &status) == 0 && nothing_lost(&status));
	event_reader_finish(&script.event_reader, &status);
	CHECK(status.lost_unknown);
	end(&script);
}

static void decreasing_numbers_are_a_gap(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 100, 1);
	put_reports(add_payload(&script), 0, 1);
	CHECK(read_from(&script, 64, 100, &status) == 1);
	CHECK(read_from(&script, 64, 0, &status) == 1);
	CHECK(status.gap && status.lost_unknown && !status.lost_ring);
	end(&script);
}

static void pause_is_gap_without_loss(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_resume(add_payload(&script), true);
	put_reports(add_payload(&script), 0, 1);
	put_resume(add_payload(&script), true);
	put_reports(add_payload(&script), 1, 1);
	CHECK(read_from(&script, 64, 0, &status) == 1 && !status.gap);
	CHECK(read_from(&script, 64, 1, &status) == 1);
	CHECK(status.gap && nothing_lost(&status));
	end(&script);
}

static void pause_while_others_sample_is_gap_without_loss(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	put_resume(add_payload(&script), false);
	put_reports(add_payload(&script), 5, 1);
	put_reports(add_payload(&script), 9, 1);
	CHECK(read_from(&script, 64, 0, &status) == 1 && !status.gap);
	CHECK(read_from(&script, 64, 5, &status) == 1);
	CHECK(status.gap && nothing_lost(&status));
	CHECK(read_from(&script, 64, 9, &status) == 1);
	CHECK(status.gap && status.lost_ring == 3);
	end(&script);
}

static void enabling_another_event_is_no_gap(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	put_resume(add_payload(&script), false);
	put_reports(add_payload(&script), 1, 1);
	CHECK(read_from(&script, 64, 0, &status) == 1);
	CHECK(read_from(&script, 64, 1, &status) == 1);
	CHECK(!status.gap && nothing_lost(&status));
	end(&script);
}

static void clock_pair_precedes_following_reports(void)
{
	struct gpuoa_read_status status;
	struct script script;
	struct bytes *payload;

	begin(&script);
	payload = add_payload(&script);
	put_clock(payload, 111);
	put_reports(payload, 0, 2);
	put_clock(payload, 222);
	put_reports(payload, 2, 2);
	CHECK(read_from(&script, 64, 0, &status) == 2);
	CHECK(status.has_clock && status.clock.gpu_ticks == 111);
	CHECK(read_from(&script, 64, 2, &status) == 2);
	CHECK(status.has_clock && status.clock.gpu_ticks == 222);
	CHECK(!status.gap && nothing_lost(&status));
	end(&script);
}

static void records_without_reports_are_skipped(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	put_reports(add_payload(&script), 50, 0);
	put_stream(add_payload(&script));
	put_unknown(add_payload(&script), 64);
	add_payload(&script);
	put_reports(add_payload(&script), 1, 1);
	CHECK(read_from(&script, 64, 0, &status) == 2);
	CHECK(!status.gap && nothing_lost(&status));
	end(&script);
}

static void damage_is_reported_after_preceding_reports(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 2);
	put(add_payload(&script), "12345678", 8);
	put_reports(add_payload(&script), 2, 2);
	CHECK(read_from(&script, 64, 0, &status) == 2);
	CHECK(read_from(&script, 64, 0, &status) == -EBADMSG);
	CHECK(read_from(&script, 64, 0, &status) == -EBADMSG);
	end(&script);
}

static void reports_of_another_size_are_damage(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	script.event_reader.wire_size = 128;
	put_reports(add_payload(&script), 0, 2);
	CHECK(read_from(&script, 64, 0, &status) == -EBADMSG);
	end(&script);
}

static void read_without_buffer_counts_reports(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 9);
	put_reports(add_payload(&script), 10, 5);
	CHECK(event_reader_read(&script.event_reader, NULL, SIZE_MAX, &status) == 9);
	CHECK(event_reader_read(&script.event_reader, NULL, SIZE_MAX, &status) == 5);
	CHECK(status.gap && status.lost_ring == 1);
	end(&script);
}

/* Reads of every size return all reports in order. */
static void reads_return_at_most_max_reports(void)
{
	static const uint32_t sizes[] = { 3, 10, 1, 7 };
	struct gpuoa_read_status status;

	for (size_t max = 1; max <= 22; max++) {
		uint32_t first = 0, number = 0, n;
		struct script script;
		const void *reports;
		int ret;

		begin(&script);
		for (size_t i = 0; i < 4; first += sizes[i++])
			put_reports(add_payload(&script), first, sizes[i]);
		for (; number < 21; number += n) {
			n = 21 - number < max ? 21 - number : (uint32_t)max;
			REQUIRE(read_from(&script, max, number, &status) == (int)n);
			CHECK(!status.gap && nothing_lost(&status));
			CHECK(event_reader_unread(&script.event_reader) <= 10);
		}
		CHECK(read_from(&script, max, number, &status) == 0);
		/* The same in place: only reports of one record are returned at once. */
		script.at = 0;
		event_reader_init(&script.event_reader, next_event, &script, TEST_REPORT_SIZE);
		number = 0;
		for (size_t i = 0; i < 4; i++)
			for (uint32_t left = sizes[i]; left; left -= n, number += n) {
				n = left < max ? left : (uint32_t)max;
				ret = event_reader_next(&script.event_reader, &reports, max,
							&status);
				REQUIRE(ret == (int)n && report_number(reports, 0) == number);
				CHECK(report_number(reports, n - 1) == number + n - 1);
				CHECK(event_reader_unread(&script.event_reader) == left - n);
			}
		CHECK(event_reader_next(&script.event_reader, &reports, max, &status) == 0);
		CHECK(!reports);
		end(&script);
	}
}

static void read_of_no_reports_requests_no_event(void)
{
	struct gpuoa_read_status status;
	struct script script;
	const void *reports;

	begin(&script);
	put_reports(add_payload(&script), 0, 3);
	CHECK(read_from(&script, 0, 0, &status) == 0 && !script.at);
	CHECK(event_reader_next(&script.event_reader, &reports, 0, &status) == 0 && !script.at);
	CHECK(read_from(&script, 2, 0, &status) == 2);
	CHECK(read_from(&script, 0, 0, &status) == 0);
	CHECK(event_reader_next(&script.event_reader, &reports, 0, &status) == 0);
	CHECK(read_from(&script, 2, 2, &status) == 1);
	end(&script);
}

/* An item that ended a read is unread, also if it was the last one of its payload. */
static void unread_reports_are_counted(void)
{
	struct gpuoa_read_status status;
	struct script script;
	struct bytes *payload;

	begin(&script);
	CHECK(!event_reader_unread(&script.event_reader));
	CHECK(!event_reader_holds(&script.event_reader));
	payload = add_payload(&script);
	put_reports(payload, 0, 5);
	put_reports(payload, 10, 4);
	CHECK(read_from(&script, 3, 0, &status) == 3);
	CHECK(event_reader_unread(&script.event_reader) == 2);
	CHECK(read_from(&script, 64, 3, &status) == 2);
	CHECK(event_reader_unread(&script.event_reader) == 4);
	CHECK(event_reader_holds(&script.event_reader));
	CHECK(read_from(&script, 1, 10, &status) == 1);
	CHECK(event_reader_unread(&script.event_reader) == 3);
	CHECK(read_from(&script, 64, 11, &status) == 3);
	CHECK(!event_reader_unread(&script.event_reader));
	CHECK(!event_reader_holds(&script.event_reader));
	/* Another item is no report. */
	payload = add_payload(&script);
	put_reports(payload, 14, 2);
	put_clock(payload, 5);
	CHECK(read_from(&script, 64, 14, &status) == 2);
	CHECK(!event_reader_unread(&script.event_reader));
	CHECK(event_reader_holds(&script.event_reader));
	CHECK(read_from(&script, 64, 0, &status) == 0 && status.has_clock);
	CHECK(!event_reader_holds(&script.event_reader));
	end(&script);
}

static void errors_of_the_source_are_permanent(void)
{
	struct gpuoa_read_status status;
	struct script script;
	const void *reports;

	begin(&script);
	put_reports(add_payload(&script), 0, 2);
	script.end = -EIO;
	CHECK(read_from(&script, 64, 0, &status) == 2);
	CHECK(read_from(&script, 64, 0, &status) == -EIO);
	script.end = 0;
	CHECK(read_from(&script, 64, 0, &status) == -EIO);
	CHECK(event_reader_next(&script.event_reader, &reports, 64, &status) == -EIO);
	CHECK(event_reader_has_news(&script.event_reader));
	end(&script);
	begin(&script);
	script.end = -EIO;
	CHECK(event_reader_next(&script.event_reader, &reports, 64, &status) == -EIO && !reports);
	script.end = 0;
	CHECK(event_reader_next(&script.event_reader, &reports, 64, &status) == -EIO);
	end(&script);
}

/* Add one record of a kind. */
static void put_kind(struct script *script, char kind)
{
	const struct text_record text = { .record = { TEXT_RECORD, sizeof(text) } };
	const struct context_record context = { .record = { CONTEXT_RECORD, sizeof(context) } };
	struct bytes *payload;

	if (kind == 'p') {
		add_event(script, STREAM_EVENT_LOST);
		return;
	}
	payload = add_payload(script);
	switch (kind) {
	case 'r':
		put_reports(payload, 0, 1);
		break;
	case 'e':
		put_reports(payload, 0, 0);
		break;
	case 'l':
		put_lost(payload, GPUOA_RECORD_REPORTS_LOST, 1);
		break;
	case 's':
		put_status(payload, GPUOA_STATUS_TRIGGERS_LOST);
		break;
	case 'm':
		put_marker(payload, 1, 2);
		break;
	case 'c':
		put_clock(payload, 5);
		break;
	case 'd':
		put_stream(payload);
		break;
	case 'u':
		put_resume(payload, true);
		break;
	case 't':
		put(payload, &text, sizeof(text));
		break;
	case 'o':
		put(payload, &context, sizeof(context));
		break;
	case 'x':
		put(payload, "12345678", 8);
		break;
	}
}

static void reports_losses_markers_and_errors_are_news(void)
{
	static const struct {
		const char *kinds;
		bool news;
	} cases[] = {
		{ "", false },	{ "r", true },	 { "e", false },       { "l", true },
		{ "s", true },	{ "m", true },	 { "c", false },       { "d", false },
		{ "u", false }, { "t", false },	 { "o", false },       { "p", false },
		{ "x", true },	{ "dcr", true }, { "edcutop", false }, { "edcutopm", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct script script;

		begin(&script);
		for (const char *kind = cases[i].kinds; *kind; kind++)
			put_kind(&script, *kind);
		if (!CHECK(event_reader_has_news(&script.event_reader) == cases[i].news))
			printf("# %s\n", cases[i].kinds);
		end(&script);
	}
}

static void unread_reports_are_news(void)
{
	struct gpuoa_read_status status;
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 2);
	CHECK(read_from(&script, 1, 0, &status) == 1);
	CHECK(event_reader_has_news(&script.event_reader));
	CHECK(read_from(&script, 1, 1, &status) == 1);
	CHECK(!event_reader_has_news(&script.event_reader));
	end(&script);
}

static void markers_and_clocks_are_stored(void)
{
	struct gpuoa_stream_marker marker;
	struct gpuoa_read_status status;
	struct side_data side_data;
	struct script script;
	struct bytes *payload;
	uint64_t ns = 0;

	for (int i = 0; i < 2; i++) {
		begin(&script);
		REQUIRE(!side_data_init(&side_data, 12500000));
		if (i)
			script.event_reader.side_data = &side_data;
		payload = add_payload(&script);
		put_reports(payload, 0, 2);
		put_marker(payload, 77, 100);
		put_clock_of(payload, 7, 1000); /* CLOCK_BOOTTIME */
		put_marker(payload, 78, 200);
		put_reports(payload, 2, 3);
		CHECK(read_from(&script, 64, 0, &status) == 5 && !status.has_clock);
		for (uint64_t value = 77; value <= 78 && i; value++) {
			CHECK(side_data_next_marker(&side_data, &marker) == 1);
			CHECK(marker.value == value);
		}
		CHECK(side_data_next_marker(&side_data, &marker) == 0);
		CHECK(gpuoa_time_to_cpu(side_data.time, 7, 1000, &ns, NULL) == (i ? 0 : -ENODATA));
		CHECK(!i || ns == 1000080000);
		side_data_fini(&side_data);
		end(&script);
	}
}

/* Pairs of more clocks than supported, and pairs without a known frequency, are ignored. */
static void superfluous_clock_pairs_are_ignored(void)
{
	struct gpuoa_clock_pair pair = { .gpu_ticks = 1000, .cpu_ns = 80000 };
	struct side_data side_data;
	uint64_t ns;
	int known = 0;

	REQUIRE(!side_data_init(&side_data, 0));
	CHECK(!side_data.time && !side_data_take_clock(&side_data, &pair));
	side_data_fini(&side_data);
	REQUIRE(!side_data_init(&side_data, 12500000));
	for (pair.clock_id = 0; pair.clock_id < 100; pair.clock_id++) {
		CHECK(!side_data_take_clock(&side_data, &pair));
		known += !gpuoa_time_to_cpu(side_data.time, pair.clock_id, 1000, &ns, NULL);
	}
	CHECK(known >= 5 && known < 100);
	side_data_fini(&side_data);
	/* All pairs of the file are known already. */
	REQUIRE(!side_data_init(&side_data, 12500000));
	side_data.all_pairs = true;
	pair.clock_id = 1;
	CHECK(!side_data_take_clock(&side_data, &pair));
	CHECK(gpuoa_time_to_cpu(side_data.time, 1, 1000, &ns, NULL) == -ENODATA);
	side_data_fini(&side_data);
}

/* ---- damaged reports ------------------------------------------------------------------------ */

/*
 * Write payloads of ten reports each, in which the reports @first to @last are damaged, and read
 * them all. @status: sum of all reads
 */
static uint32_t read_damaged(uint32_t first, uint32_t last, bool finish,
			     struct gpuoa_read_status *sum, uint32_t *gaps)
{
	const struct gpuoa_reader_desc desc = { .format = GPUOA_FORMAT_A45_B8_C8,
						.exponent = TEST_EXPONENT };
	const struct gpuoa_unit_desc unit = { .timestamp_frequency = 12500000 };
	static uint8_t reports[64 * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	struct script script;
	struct sanity sanity;
	uint32_t count = 0, next = 0;
	int n;

	begin(&script);
	sanity_init(&sanity, &desc, &unit);
	script.event_reader.sanity = &sanity;
	for (uint32_t i = 0; i < 3; i++) {
		struct bytes *payload = add_payload(&script);

		put_reports(payload, 10 * i, 10);
		for (uint32_t k = 0; k < 10; k++) {
			const uint32_t number = 10 * i + k, wrong = 0x7fff0000 + 0x01000000 * k * k;
			const size_t at = payload->size - (10 - k) * TEST_REPORT_SIZE + 4;

			if (number >= first && number <= last)
				memcpy(payload->data + at, &wrong, sizeof(wrong));
		}
	}
	*sum = (struct gpuoa_read_status){ 0 };
	*gaps = 0;
	while ((n = event_reader_read(&script.event_reader, reports, 64, &status)) > 0) {
		for (int i = 0; i < n; i++, next++) {
			if (next == first)
				next = last + 1;
			CHECK(report_number(reports, i) == next);
		}
		count += n;
		*gaps += status.gap;
		sum->damaged += status.damaged;
		CHECK(nothing_lost(&status));
	}
	CHECK(!n);
	sum->damaged += status.damaged;
	for (int i = 0; i < 2 && finish; i++) {
		status = (struct gpuoa_read_status){ .damaged = 1000 };
		event_reader_finish(&script.event_reader, &status);
		sum->damaged += status.damaged - 1000;
	}
	end(&script);
	return count;
}

/* Damaged reports at any place are dropped and counted, and a gap is in their place. */
static void damaged_reports_are_dropped(void)
{
	struct gpuoa_read_status sum;
	uint32_t gaps;

	for (uint32_t first = 1; first < 30; first++)
		for (uint32_t last = first; last < 30 && last < first + 9; last++) {
			const uint32_t bad = last - first + 1;

			if (!CHECK(read_damaged(first, last, true, &sum, &gaps) == 30 - bad) ||
			    !CHECK(sum.damaged == bad && gaps == (last < 29)))
				printf("# %u to %u: %u\n", first, last, (unsigned int)sum.damaged);
		}
	/* Damage at the end is only certain at the end. */
	CHECK(read_damaged(28, 29, false, &sum, &gaps) == 28 && !sum.damaged);
}

/* A gap ends the search: reports that appeared damaged before it were damaged. */
static void damage_before_a_gap_is_counted(void)
{
	const struct gpuoa_reader_desc desc = { .format = GPUOA_FORMAT_A45_B8_C8,
						.exponent = TEST_EXPONENT };
	const struct gpuoa_unit_desc unit = { .timestamp_frequency = 12500000 };
	struct gpuoa_read_status status;
	struct script script;
	struct sanity sanity;

	begin(&script);
	sanity_init(&sanity, &desc, &unit);
	script.event_reader.sanity = &sanity;
	put_reports(add_payload(&script), 0, 4);
	put_reports_at(add_payload(&script), 4, 30000000, 1);
	put_lost(add_payload(&script), GPUOA_RECORD_REPORTS_LOST, 4);
	put_reports(add_payload(&script), 5, 2);
	CHECK(read_from(&script, 64, 0, &status) == 4 && !status.damaged);
	CHECK(read_from(&script, 64, 5, &status) == 2);
	CHECK(status.damaged == 1 && status.gap && status.lost_hardware == 4);
	end(&script);
}

/* Numbers that are missing after a loss of the hardware are a loss of the ring. */
static void losses_of_both_kinds_are_counted(void)
{
	static const uint32_t types[] = { GPUOA_RECORD_REPORTS_LOST, GPUOA_RECORD_BUFFER_OVERFLOW };

	for (int i = 0; i < 2; i++) {
		struct gpuoa_read_status status;
		struct script script;

		begin(&script);
		put_reports(add_payload(&script), 0, 1);
		put_lost(add_payload(&script), types[i], 4);
		put_reports(add_payload(&script), 6, 1);
		put_resume(add_payload(&script), true);
		put_reports(add_payload(&script), 7, 1);
		CHECK(read_from(&script, 64, 0, &status) == 1);
		CHECK(read_from(&script, 64, 6, &status) == 1);
		CHECK(status.lost_ring == 5 && status.lost_hardware + status.lost_overflow == 4);
		CHECK(read_from(&script, 64, 7, &status) == 1 && status.gap);
		CHECK(nothing_lost(&status) && !status.wraps && !status.lost_triggers);
		end(&script);
	}
}

static void loss_at_end_is_reported_once(void)
{
	struct gpuoa_read_status status = { 0 };
	struct script script;

	begin(&script);
	put_reports(add_payload(&script), 0, 1);
	add_event(&script, STREAM_EVENT_LOST);
	CHECK(read_from(&script, 64, 0, &status) == 1);
	CHECK(read_from(&script, 64, 0, &status) == 0);
	event_reader_finish(&script.event_reader, &status);
	CHECK(status.lost_unknown);
	status.lost_unknown = false;
	event_reader_finish(&script.event_reader, &status);
	CHECK(!status.lost_unknown);
	/* Reports that follow are contiguous. */
	put_reports(add_payload(&script), 1, 1);
	CHECK(read_from(&script, 64, 1, &status) == 1 && !status.gap);
	end(&script);
}

int main(void)
{
	RUN(read_joins_payloads);
	RUN(hardware_status_is_counted);
	RUN(small_reads_continue_previous_read);
	RUN(padding_after_reports_holds_nothing);
	RUN(first_report_number_may_be_nonzero);
	RUN(missing_numbers_count_as_lost_ring);
	RUN(gap_within_payload_ends_read);
	RUN(losses_before_gap_add_up_by_cause);
	RUN(loss_is_reported_before_next_reports);
	RUN(gap_without_loss_is_reported);
	RUN(perf_losses_are_counted_by_number);
	RUN(lost_perf_record_may_hide_gap);
	RUN(loss_at_end_is_reported_at_end);
	RUN(decreasing_numbers_are_a_gap);
	RUN(pause_is_gap_without_loss);
	RUN(pause_while_others_sample_is_gap_without_loss);
	RUN(enabling_another_event_is_no_gap);
	RUN(clock_pair_precedes_following_reports);
	RUN(records_without_reports_are_skipped);
	RUN(damage_is_reported_after_preceding_reports);
	RUN(reports_of_another_size_are_damage);
	RUN(read_without_buffer_counts_reports);
	RUN(reads_return_at_most_max_reports);
	RUN(read_of_no_reports_requests_no_event);
	RUN(unread_reports_are_counted);
	RUN(errors_of_the_source_are_permanent);
	RUN(reports_losses_markers_and_errors_are_news);
	RUN(unread_reports_are_news);
	RUN(markers_and_clocks_are_stored);
	RUN(superfluous_clock_pairs_are_ignored);
	RUN(damaged_reports_are_dropped);
	RUN(damage_before_a_gap_is_counted);
	RUN(losses_of_both_kinds_are_counted);
	RUN(loss_at_end_is_reported_once);
	return tap_end();
}
