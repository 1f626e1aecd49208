// SPDX-License-Identifier: MIT
/*
 * raw.c - print the reports of a recording without metrics: fields, raw counters, reasons
 *
 *   gpuoa record -s RenderBasic -o app.data -- ./app
 *   raw app.data
 *
 * Lines with '#' describe the recording: its format, the position of each field and counter in a
 * report, and the reasons that its reports can have. Each other line is a report: GPU time (ticks),
 * timestamp of the report, reasons, context ("-" if the report has none), then all counters. A gap
 * is a separate line.
 */
#include <gpuoa.h>
#include <inttypes.h>
#include <stdio.h>

#define BANKS 4

static const struct {
	enum gpuoa_field field;
	char bank; /* as in gpuoa_report_counter() */
} banks[BANKS] = {
	{ GPUOA_FIELD_COUNTER_A, 'A' },
	{ GPUOA_FIELD_COUNTER_B, 'B' },
	{ GPUOA_FIELD_COUNTER_C, 'C' },
	{ GPUOA_FIELD_COUNTER_PEC, 'P' },
};

static void print_field(uint32_t format, enum gpuoa_field field, uint32_t index)
{
	struct gpuoa_field_desc desc;

	if (gpuoa_report_field(format, field, index, &desc, sizeof(desc)))
		return;
	printf("# %s %" PRIu32 ": byte %" PRIu32 ", %" PRIu32 " bits", gpuoa_field_name(field),
	       index, desc.offset, desc.bits);
	if (desc.high)
		printf(", upper byte %" PRIu32, desc.high);
	putchar('\n');
}

/* Print the bits of @reasons, or "-". */
static void print_reasons(uint32_t reasons)
{
	const char *separator = "";

	for (uint32_t bit = 1; bit && bit <= reasons; bit <<= 1) {
		if (!(reasons & bit))
			continue;
		printf("%s%s", separator, gpuoa_reason_name(bit) ? gpuoa_reason_name(bit) : "?");
		separator = ",";
	}
	if (!reasons)
		putchar('-');
}

static uint32_t counters_of(uint32_t format, enum gpuoa_field field)
{
	struct gpuoa_field_desc desc;
	uint32_t count = 0;

	while (!gpuoa_report_field(format, field, count, &desc, sizeof(desc)))
		count++;
	return count;
}

static void print_heading(const struct gpuoa_reader_desc *desc, const struct gpuoa_set *set)
{
	const struct gpuoa_info *reason = gpuoa_set_find_info(set, "ReportReason");
	struct gpuoa_info_desc item;

	printf("# %s, %zu bytes, delivery: %s\n", gpuoa_format_name(desc->format),
	       desc->report_size, gpuoa_delivery_name(desc->delivery));
	for (int field = GPUOA_FIELD_REPORT_ID; field <= GPUOA_FIELD_CLOCK; field++)
		print_field(desc->format, field, 0);
	for (int i = 0; i < BANKS; i++)
		for (uint32_t k = 0; k < counters_of(desc->format, banks[i].field); k++)
			print_field(desc->format, banks[i].field, k);
	if (!reason)
		return;
	gpuoa_info_describe(reason, &item, sizeof(item));
	printf("# %s: ", item.name);
	print_reasons(gpuoa_report_reasons(set));
	putchar('\n');
}

static void print_report(const struct gpuoa_set *set, uint32_t format, const void *report,
			 uint64_t ticks)
{
	struct gpuoa_report_desc desc;

	gpuoa_report_describe(set, format, report, &desc, sizeof(desc));
	printf("%" PRIu64 " %" PRIu64 " ", ticks, gpuoa_report_timestamp(format, report));
	print_reasons(desc.reason);
	if (desc.has_context)
		printf(" %#" PRIx32, desc.context_id);
	else
		printf(" -");
	for (int i = 0; i < BANKS; i++) {
		uint64_t value;

		for (unsigned int k = 0;
		     !gpuoa_report_counter(format, report, banks[i].bank, k, &value); k++)
			printf(" %" PRIu64, value);
	}
	putchar('\n');
}

/* Returns 0, or a negative errno. */
static int print_reports(struct gpuoa_reader *reader, const struct gpuoa_set *set,
			 const struct gpuoa_reader_desc *desc)
{
	struct gpuoa_read_status status;
	const void *report;
	uint64_t ticks = 0;
	int n;

	while ((n = gpuoa_reader_peek(reader, &report, 1, &status)) > 0) {
		if (status.gap)
			printf("# gap: %" PRIu64 " reports were lost\n",
			       status.lost_overflow + status.lost_hardware + status.lost_ring);
		/*
		 * A timestamp may have only 32 bits: extend it to 64 bits, to the time nearest to a
		 * known one.
		 */
		ticks = gpuoa_report_ticks(desc->format, report,
					   status.has_clock ? status.clock.gpu_ticks : ticks);
		print_report(set, desc->format, report, ticks);
	}
	return n;
}

static int print_recording(struct gpuoa_reader *reader)
{
	const struct gpuoa_platform *platform = gpuoa_reader_platform(reader);
	const struct gpuoa_set *set;
	struct gpuoa_reader_desc desc;

	/* Use any set of the platform: all reports of a platform have the same header. */
	set = platform ? gpuoa_platform_get_set(platform, 0) : NULL;
	if (!set) {
		fprintf(stderr, "raw: the recording is of an unknown platform\n");
		return 1;
	}
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	print_heading(&desc, set);
	if (!print_reports(reader, set, &desc))
		return 0;
	fprintf(stderr, "raw: the recording is damaged from here on\n");
	return 1;
}

int main(int argc, char **argv)
{
	struct gpuoa_reader *reader;
	char error[512];
	int status;

	if (argc != 2) {
		fprintf(stderr, "usage: raw FILE\n");
		return 2;
	}
	if (gpuoa_file_open(argv[1], &reader, error, sizeof(error))) {
		fprintf(stderr, "raw: %s\n", error);
		return 1;
	}
	status = print_recording(reader);
	gpuoa_reader_close(reader);
	return status;
}
