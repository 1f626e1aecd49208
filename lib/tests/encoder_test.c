// SPDX-License-Identifier: MIT
/*
 * encoder_test.c - Test the records that streams of stock drivers are converted to: descriptions,
 * batches of reports, and losses, which are counted from timestamps.
 */
#include "reader/drm/encoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nsec.h"
#include "reader/stream/ring.h"
#include "reader/stream/unit.h"
#include "tap.h"

#define EXPONENT 5 /* 64 ticks */
#define REPORT_SIZE 256
#define REPORTS_MAX 512
#define UUID "00000000-0000-4000-8000-00000000c057"

static struct {
	uint64_t now; /* CLOCK_MONOTONIC in ns */
	bool removed; /* the GPU was removed, and has no clock */
	uint64_t ticks; /* of its clock */
	struct gpuoa_unit unit;
	struct stream stream;
	struct emulated_ring emulated;
	struct encoder encoder;
	uint32_t reports[REPORTS_MAX][REPORT_SIZE / sizeof(uint32_t)];
	size_t count; /* number of reports that were added, of which @taken were found in records */
	size_t taken;
} test;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	time->tv_sec = (time_t)(test.now / NSEC_PER_SEC);
	time->tv_nsec = (long)(test.now % NSEC_PER_SEC);
	return 0;
}

static int read_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair)
{
	CHECK(unit == &test.unit && clock_id == CLOCK_MONOTONIC);
	*pair = (struct gpuoa_clock_pair){
		.gpu_ticks = test.ticks,
		.cpu_ns = 5000,
		.clock_id = clock_id,
		.error_ns = 7,
	};
	return test.removed ? -ENODEV : 0;
}

static const struct backend test_backend = { .clock = read_clock };

static void keep_samples(struct emulated_ring *emulated)
{
	(void)emulated;
}

static const struct emulated_ring_ops ring_ops = { .pump = keep_samples, .free = keep_samples };

static void begin(bool context_filter, bool masked)
{
	struct gpuoa_reader_desc *desc = &test.stream.reader.desc;

	memset(&test, 0, sizeof(test));
	test.now = 77 * (uint64_t)NSEC_PER_SEC;
	test.ticks = 1000;
	test.unit.backend = &test_backend;
	strcpy(test.unit.desc.platform, "tglgt2");
	strcpy(test.unit.desc.domain, "OA");
	test.unit.desc.timestamp_frequency = 12500000;
	test.stream.unit = &test.unit;
	test.stream.wire_size = masked ? 16 : REPORT_SIZE;
	desc->format = GPUOA_FORMAT_A32U40_A4U32_B8_C8;
	desc->exponent = EXPONENT;
	desc->report_size = REPORT_SIZE;
	desc->context_filter = context_filter;
	desc->dword_mask[0] = masked ? 0x8000000000000007 : 0;
	strcpy(desc->uuid, UUID);
	emulated_init(&test.emulated, &ring_ops, 5);
	CHECK(!ring_make(&test.stream.ring, &test.emulated, 1 << 20));
	/* The ring passes its memory on. */
	ring_end(&test.stream.ring);
	CHECK(!encoder_init(&test.encoder, &test.emulated, &test.stream));
}

static void end(void)
{
	encoder_fini(&test.encoder);
	ring_unmap(&test.stream.ring);
}

static void add_report(uint32_t timestamp)
{
	uint32_t *report = test.reports[test.count++ % REPORTS_MAX];

	report[0] = 1 << 19;
	report[1] = timestamp;
	report[2] = timestamp * 3;
	report[63] = ~timestamp;
	encoder_report(&test.encoder, (const uint8_t *)report);
}

/*
 * Run the words of a text: a report with a timestamp, calls of the encoder, a loss ("lost" by the
 * hardware, "of" by overflow), "off" when the stream is disabled, "@" the ticks of the GPU's clock
 * ("@-": the GPU was removed), "+" ns that pass, and "x" a number of consecutive reports.
 */
static void run(const char *text)
{
	char words[1024], *word, *rest;

	snprintf(words, sizeof(words), "%s", text);
	for (word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (!strcmp(word, "begin"))
			encoder_begin(&test.encoder);
		else if (!strcmp(word, "repeat"))
			encoder_repeat(&test.encoder);
		else if (!strcmp(word, "off"))
			test.encoder.begun = false;
		else if (!strcmp(word, "of"))
			encoder_loss(&test.encoder, GPUOA_RECORD_BUFFER_OVERFLOW);
		else if (!strcmp(word, "lost"))
			encoder_loss(&test.encoder, GPUOA_RECORD_REPORTS_LOST);
		else if (!strcmp(word, "status"))
			encoder_status(&test.encoder, 3);
		else if (!strcmp(word, "flush"))
			encoder_flush(&test.encoder);
		else if (!strcmp(word, "end"))
			encoder_end(&test.encoder);
		else if (*word == '+')
			test.now += strtoull(word + 1, NULL, 0);
		else if (*word == 'x')
			for (unsigned long i = strtoul(word + 1, NULL, 0), n = 1; n <= i; n++)
				add_report((uint32_t)(n << (EXPONENT + 1)));
		else if (*word == '@' && !(test.removed = word[1] == '-'))
			test.ticks = strtoull(word + 1, NULL, 0);
		else if (*word != '@')
			add_report((uint32_t)strtoull(word, NULL, 0));
	}
}

static void check_stream(const struct gpuoa_record *record)
{
	struct gpuoa_record_stream stream;

	REQUIRE(record->size == sizeof(stream));
	memcpy(&stream, record, sizeof(stream));
	CHECK_STRING(stream.uuid, UUID);
	CHECK(stream.format == GPUOA_FORMAT_A32U40_A4U32_B8_C8 && stream.exponent == EXPONENT);
	CHECK(stream.report_size == test.stream.wire_size);
	CHECK(stream.flags == (test.stream.reader.desc.context_filter ? GPUOA_ATTR_CONTEXT : 0));
	CHECK(stream.info.timestamp_frequency == 12500000);
}

/* Check that the reports of a record are the next ones that were added. */
static void check_reports(const struct gpuoa_record_reports *head)
{
	const uint8_t *report = (const uint8_t *)(head + 1);

	CHECK(head->report_size == test.stream.wire_size);
	CHECK(head->record.size == sizeof(*head) + head->count * head->report_size);
	for (uint32_t i = 0; i < head->count; i++, report += head->report_size) {
		const uint32_t *added = test.reports[test.taken++ % REPORTS_MAX];

		if (head->report_size == REPORT_SIZE)
			CHECK(!memcmp(report, added, REPORT_SIZE));
		else
			CHECK(!memcmp(report, added, 12) && !memcmp(report + 12, added + 63, 4));
	}
}

static int describe_loss(char *text, const struct gpuoa_record *record)
{
	const struct gpuoa_record_lost *lost = (const void *)record;
	const char kind = record->type == GPUOA_RECORD_BUFFER_OVERFLOW ? 'O' : 'L';

	CHECK(record->size == sizeof(*lost));
	if (lost->count == GPUOA_LOST_UNKNOWN)
		return sprintf(text, " %c?", kind);
	return sprintf(text, " %c%u", kind, (unsigned int)lost->count);
}

static int describe_record(char *text, const struct gpuoa_record *record)
{
	const struct gpuoa_record_reports *reports = (const void *)record;
	const struct gpuoa_record_clock *clock = (const void *)record;
	const struct gpuoa_record_dword_mask *mask = (const void *)record;

	switch (record->type) {
	case GPUOA_RECORD_STREAM:
		check_stream(record);
		return sprintf(text, " S");
	case GPUOA_RECORD_DWORD_MASK:
		CHECK(record->size == sizeof(*mask));
		CHECK(!memcmp(mask->dword_mask, test.stream.reader.desc.dword_mask,
			      sizeof(mask->dword_mask)));
		return sprintf(text, " M");
	case GPUOA_RECORD_CLOCK:
		CHECK(clock->clock.cpu_ns == 5000 && clock->clock.error_ns == 7);
		return sprintf(text, " C%u", (unsigned int)clock->clock.gpu_ticks);
	case GPUOA_RECORD_ENABLED:
		return sprintf(
			text, " E%u",
			(unsigned int)((const struct gpuoa_record_enabled *)record)->stopped);
	case GPUOA_RECORD_STATUS:
		return sprintf(text, " F%u",
			       (unsigned int)((const struct gpuoa_record_status *)record)->flags);
	case GPUOA_RECORD_REPORTS:
		check_reports(reports);
		return sprintf(text, " %u:%u", (unsigned int)reports->first,
			       (unsigned int)reports->count);
	case GPUOA_RECORD_BUFFER_OVERFLOW:
	case GPUOA_RECORD_REPORTS_LOST:
		return describe_loss(text, record);
	default:
		return sprintf(text, " unknown");
	}
}

/*
 * Take all samples. "|" begins a sample; its records are "S" a description, "M" a mask, "C" a clock
 * pair, "E" enabled, "F" a status, "O" or "L" a loss, and reports by first number and count.
 */
static const char *samples(void)
{
	static char text[1024];
	const struct perf_event_header *sample;
	size_t n = 0;

	*text = '\0';
	while (ring_next(&test.stream.ring, &sample) == 1 && n < sizeof(text) - 128) {
		const uint8_t *at = (const uint8_t *)sample + EMULATED_HEAD_SIZE;
		const uint8_t *to = (const uint8_t *)sample + sample->size;
		struct gpuoa_raw raw;

		CHECK(sample->type == PERF_RECORD_SAMPLE && sample->size <= 33000);
		memcpy(&raw, at, sizeof(raw));
		CHECK(raw.magic == GPUOA_RAW_MAGIC);
		n += (size_t)sprintf(text + n, "|");
		for (at += sizeof(raw); at < to;) {
			static _Alignas(8) uint8_t copy[1 << 16];
			struct gpuoa_record record;

			memcpy(&record, at, sizeof(record));
			if (!CHECK(record.size >= sizeof(record) && at + record.size <= to))
				return text;
			memcpy(copy, at, record.size);
			n += (size_t)describe_record(text + n, (const void *)copy);
			at += record.size;
		}
	}
	ring_release(&test.stream.ring);
	return text;
}

struct known {
	const char *calls, *samples;
};

static void compare(const struct known *known, size_t count, bool context_filter, bool masked)
{
	for (size_t i = 0; i < count; i++) {
		printf("# %s\n", known[i].calls);
		begin(context_filter, masked);
		run(known[i].calls);
		CHECK_STRING(samples(), known[i].samples);
		CHECK(test.taken == test.count);
		end();
	}
}

#define COMPARE(known, context_filter, masked) \
	compare(known, sizeof(known) / sizeof((known)[0]), context_filter, masked)

#define BEGUN "| S C1000| E1"

static void description_is_repeated_each_second(void)
{
	static const struct known known[] = {
		{ "begin begin", BEGUN },
		{ "begin repeat +999999999 repeat", BEGUN },
		{ "begin +1000000000 repeat repeat +1 repeat", BEGUN "| S C1000" },
		{ "begin +1500000000 repeat @7 +999999999 repeat +1 repeat",
		  BEGUN "| S C1000| S C7" },
		{ "@- begin", "| S| E1" },
		{ "begin @- +1000000000 repeat +999999999 repeat +1 repeat", BEGUN "| S| S" },
		{ "begin 64 flush off begin 512 flush", BEGUN "| 0:1| S C1000| E1| 1:1" },
	};

	COMPARE(known, false, false);
}

/* The maximum is 256 reports and 32000 bytes. */
static void reports_are_combined_in_samples(void)
{
	static const struct known whole[] = {
		{ "begin 64 128 flush flush 192 flush", BEGUN "| 0:2| 2:1" },
		{ "begin x125 flush", BEGUN "| 0:125" },
		{ "begin x126 flush", BEGUN "| 0:125| 125:1" },
		{ "begin 64 status 128 flush status", BEGUN "| 0:1| F3| 1:1| F3" },
	};
	static const struct known masked[] = {
		{ "begin 64 128 flush 192 flush", "| S M C1000| E1| 0:2| 2:1" },
		{ "begin x256 flush", "| S M C1000| E1| 0:256" },
		{ "begin x257 flush", "| S M C1000| E1| 0:256| 256:1" },
		{ "@- begin", "| S M| E1" },
	};

	COMPARE(whole, false, false);
	COMPARE(masked, false, true);
}

static void overflow_is_counted_from_timestamps(void)
{
	static const struct known known[] = {
		{ "begin 64 of 64 flush", BEGUN "| 0:1| O0| 1:1" },
		{ "begin 64 of 128 192 flush", BEGUN "| 0:1| O0| 1:2" },
		{ "begin 64 of 192 flush", BEGUN "| 0:1| O1| 1:1" },
		{ "begin 64 of 191 flush", BEGUN "| 0:1| O1| 1:1" },
		{ "begin 64 of 193 flush", BEGUN "| 0:1| O2| 1:1" },
		{ "begin 0xffffffc0 of 0x80 flush", BEGUN "| 0:1| O2| 1:1" },
		/* Only the first report after the overflow is compared. */
		{ "begin 64 of 192 320 flush", BEGUN "| 0:1| O1| 1:2" },
		/* Nothing is known before the first report. */
		{ "begin of 192 flush", BEGUN "| O?| 0:1" },
		{ "begin 64 flush off begin of 512 flush", BEGUN "| 0:1| S C1000| E1| O?| 1:1" },
		/* An overflow is the reason that the user can avoid. */
		{ "begin 64 of lost 192 flush", BEGUN "| 0:1| O1| 1:1" },
		{ "begin 64 lost of 192 320 flush", BEGUN "| 0:1| O1| 1:2" },
		{ "begin 64 of 192 lost 1000 flush", BEGUN "| 0:1| O1| 1:1| L12| 2:1" },
	};

	COMPARE(known, false, false);
}

/* The hardware lost reports before the time at which the loss is read: each gap up to there. */
static void losses_are_located_up_to_the_time_of_the_hardware(void)
{
	static const struct known known[] = {
		{ "begin 64 lost 128 192 1000 1064 flush", BEGUN "| 0:1| 1:2| L12| 3:2" },
		{ "begin 64 lost 192 320 flush", BEGUN "| 0:1| L1| 1:1| L1| 2:1" },
		{ "begin 64 lost 192 256 448 512 flush", BEGUN "| 0:1| L1| 1:2| L2| 3:2" },
		/* Reports after that time were not lost. */
		{ "begin 64 lost 192 1000 1200 flush", BEGUN "| 0:1| L1| 1:1| L12| 2:2" },
		{ "@191 begin 64 lost 191 1000 flush", "| S C191| E1| 0:1| L1| 1:2" },
		{ "@192 begin 64 lost 191 1000 flush", "| S C192| E1| 0:1| L1| 1:1| L12| 2:1" },
		/* Other reports than those of the timer were lost if there is no gap. */
		{ "@192 begin 64 lost 128 192 256 flush", "| S C192| E1| 0:1| 1:1| L0| 2:2" },
		{ "@192 begin 64 lost 128 191 192 flush", "| S C192| E1| 0:1| 1:2| L0| 3:1" },
		{ "@320 begin 64 lost 192 256 320 400 flush", "| S C320| E1| 0:1| L1| 1:4" },
		/* Half of the time after which the timestamp wraps is later, more is earlier. */
		{ "@100 begin 64 lost 0x80000063 0x80001063 flush",
		  "| S C100| E1| 0:1| L33554432| 1:2" },
		{ "@100 begin 64 lost 0x80000064 0x80001064 flush",
		  "| S C100| E1| 0:1| L33554432| 1:1| L63| 2:1" },
		{ "@0x100000080 begin 0xffffffc0 lost 0 128 1000 flush",
		  "| S C128| E1| 0:1| 1:1| L1| 2:2" },
		/* Without a clock, the first report after the loss is compared. */
		{ "@- begin 64 lost 192 320 flush", "| S| E1| 0:1| L1| 1:2" },
		{ "begin lost 128 flush", BEGUN "| L?| 0:1" },
		/* A second loss is located also. */
		{ "begin 64 lost 192 lost 320 flush", BEGUN "| 0:1| L1| 1:1| L1| 2:1" },
		{ "@192 begin 64 lost 192 flush @320 lost 256 320 flush",
		  "| S C192| E1| 0:1| L1| 1:1| 2:1| L0| 3:1" },
	};

	COMPARE(known, false, false);
}

/* The ring has space for 8 gaps of one read. The number of reports in others is unknown. */
static void gaps_of_one_read_are_limited(void)
{
#define GAPS "begin 64 lost 192 320 448 576 704 832 960 1088 "
#define LOST "| 0:1| L1| 1:1| L1| 2:1| L1| 3:1| L1| 4:1| L1| 5:1| L1| 6:1| L1| 7:1| L1| 8:"
	static const struct known known[] = {
		{ "@9999 " GAPS "flush", "| S C9999| E1" LOST "1" },
		{ "@9999 " GAPS "1216 1344 flush begin 1408 1472 flush",
		  "| S C9999| E1" LOST "3| L?| 11:2" },
		{ "@9999 " GAPS "1152 flush begin 1216 flush", "| S C9999| E1" LOST "2| 10:1" },
		{ "@9999 " GAPS "flush begin 1216 flush", "| S C9999| E1" LOST "1| L1| 9:1" },
		{ "@9999 " GAPS "of 1216 flush begin 1280 1500 flush",
		  "| S C9999| E1" LOST "1| 9:1| O?| 10:2" },
	};
#undef GAPS
#undef LOST

	COMPARE(known, false, false);
}

static void loss_at_the_end_is_of_unknown_count(void)
{
	static const struct known known[] = {
		{ "begin 64 flush end", BEGUN "| 0:1" },
		{ "begin 64 of end end", BEGUN "| 0:1| O?" },
		{ "begin 64 of end 192 flush", BEGUN "| 0:1| O?| 1:1" },
		{ "begin 64 lost 128 flush end", BEGUN "| 0:1| 1:1| L?" },
		{ "begin 64 lost 192 flush end 400 flush", BEGUN "| 0:1| L1| 1:1| 2:1" },
		/* A loss that was located ends when the stream is disabled, another one does not.
		 */
		{ "begin 64 lost 192 flush off begin 500 900 flush",
		  BEGUN "| 0:1| L1| 1:1| S C1000| E1| 2:2" },
		{ "begin 64 lost 128 flush off begin 500 900 flush",
		  BEGUN "| 0:1| 1:1| S C1000| E1| L?| 2:2" },
	};

	COMPARE(known, false, false);
}

/* With a context filter, reports of other contexts are missing. */
static void losses_with_a_context_filter_are_unknown(void)
{
	static const struct known known[] = {
		{ "begin 64 of 192 flush", BEGUN "| 0:1| O?| 1:1" },
		{ "begin 64 lost 128 320 flush", BEGUN "| 0:1| L?| 1:2" },
	};

	COMPARE(known, true, false);
}

int main(void)
{
	RUN(description_is_repeated_each_second);
	RUN(reports_are_combined_in_samples);
	RUN(overflow_is_counted_from_timestamps);
	RUN(losses_are_located_up_to_the_time_of_the_hardware);
	RUN(gaps_of_one_read_are_limited);
	RUN(loss_at_the_end_is_of_unknown_count);
	RUN(losses_with_a_context_filter_are_unknown);
	return tap_end();
}
