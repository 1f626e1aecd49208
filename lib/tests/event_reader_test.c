// SPDX-License-Identifier: MIT
/*
 * event_reader_test.c - Test the event reader: a read never spans a discontinuity, and losses are
 * counted.
 */
#include <errno.h>

#include "payload.h"
#include "reader/event_reader.h"
#include "tap.h"

#define MAX_EVENTS 16

/* A backend with scripted events */
struct script {
	struct stream_event events[MAX_EVENTS];
	struct bytes payloads[MAX_EVENTS];
	size_t count;
	size_t at;
	struct event_reader event_reader;
};

static int next_event(void *ctx, struct stream_event *event)
{
	struct script *script = ctx;

	if (script->at == script->count)
		return 0;
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
	return tap_end();
}
