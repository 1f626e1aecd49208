// SPDX-License-Identifier: MIT
/*
 * aux_samples.c - write the reports of an AUX area to a perf.data file as samples
 *
 * The perf tool only decodes AUX data of processors that it knows, and rejects other files with
 * such data in report and script. It can read samples of any event. For this reason, recordings
 * have the same content in RAW and AUX mode: samples as the kernel writes them in RAW mode.
 *
 * Reports are not copied: writev(2) takes the headers of samples from this struct and the reports
 * from the area.
 */
#include "reader/recording/aux_samples.h"

#include <errno.h>
#include <string.h>

#include "reader/uapi.h"
#include "uapi/gpuoa.h"

/*
 * maximum size of a record: larger ones do not fit in perf_event_header.size, which is a multiple
 * of 8
 */
#define RECORD_SIZE_MAX 65528

void aux_samples_init(struct aux_samples *samples, struct perfdata_writer *writer,
		      const struct sample_layout *layout)
{
	samples->writer = writer;
	samples->layout = *layout;
	samples->count = 0;
	samples->head_count = 0;
}

int aux_samples_flush(struct aux_samples *samples)
{
	const int err = perfdata_add(samples->writer, samples->pieces, samples->count);

	samples->count = 0;
	samples->head_count = 0;
	return err;
}

/* Make room for the header of a sample and for two more pieces. */
static int make_room(struct aux_samples *samples)
{
	if (samples->count + 3 <= AUX_SAMPLES_PIECES && samples->head_count < AUX_SAMPLES_HEADS)
		return 0;
	return aux_samples_flush(samples);
}

int aux_samples_add(struct aux_samples *samples, const struct iovec *pieces, int count)
{
	const int err = make_room(samples);

	if (err)
		return err;
	for (int i = 0; i < count; i++)
		samples->pieces[samples->count++] = pieces[i];
	return 0;
}

/* Add a sample that contains one record: @head, followed by @size bytes at @reports. */
static int add_sample(struct aux_samples *samples, const struct perf_event_header *like,
		      const void *head, size_t head_size, const void *reports, size_t size)
{
	const struct gpuoa_raw raw = { .magic = GPUOA_RAW_MAGIC };
	const uint32_t raw_size = sizeof(raw) + head_size + size;
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_KERNEL,
	};
	uint64_t *words;
	char *at;
	int err;

	err = make_room(samples);
	if (err)
		return err;
	words = samples->heads[samples->head_count++];
	at = (char *)(words + 1 + sample_fields(&samples->layout, like, words + 1));
	memcpy(at, &raw_size, sizeof(raw_size));
	memcpy(at + sizeof(raw_size), &raw, sizeof(raw));
	at += sizeof(raw_size) + sizeof(raw);
	memcpy(at, head, head_size);
	at += head_size;
	header.size = at - (char *)words + size;
	memcpy(words, &header, sizeof(header));
	samples->pieces[samples->count++] = (struct iovec){ words, at - (char *)words };
	if (size)
		samples->pieces[samples->count++] = (struct iovec){ (void *)reports, size };
	return 0;
}

/* Return the maximum number of reports in a sample. */
static uint32_t sample_reports(const struct rawdata_reports *reports)
{
	return (RECORD_SIZE_MAX - AUX_SAMPLES_HEAD_WORDS * sizeof(uint64_t)) / reports->size;
}

static int add_reports(struct aux_samples *samples, const struct perf_event_header *like,
		       struct rawdata_reports reports)
{
	while (reports.count) {
		const uint32_t max = sample_reports(&reports);
		const uint32_t n = reports.count < max ? reports.count : max;
		const size_t size = (size_t)n * reports.size;
		const struct gpuoa_record_reports record = {
			.record = { GPUOA_RECORD_REPORTS, sizeof(record) + size },
			.first = reports.first,
			.report_size = reports.size,
			.count = n,
		};
		const int err =
			add_sample(samples, like, &record, sizeof(record), reports.data, size);

		if (err)
			return err;
		reports.data = (const char *)reports.data + size;
		reports.first += n;
		reports.count -= n;
	}
	return 0;
}

static int add_lost(struct aux_samples *samples, const struct perf_event_header *like,
		    const struct rawdata_lost *lost)
{
	const struct gpuoa_record_lost record = {
		.record = { lost->overflow ? GPUOA_RECORD_BUFFER_OVERFLOW :
					     GPUOA_RECORD_REPORTS_LOST,
			    sizeof(record) },
		.count = lost->unknown ? GPUOA_LOST_UNKNOWN : lost->count,
	};

	return add_sample(samples, like, &record, sizeof(record), NULL, 0);
}

static int add_resume(struct aux_samples *samples, const struct perf_event_header *like,
		      const struct rawdata_resume *resume)
{
	const struct gpuoa_record_enabled record = {
		.record = { GPUOA_RECORD_ENABLED, sizeof(record) },
		.stopped = resume->stopped,
	};

	return add_sample(samples, like, &record, sizeof(record), NULL, 0);
}

static int add_clock(struct aux_samples *samples, const struct perf_event_header *like,
		     const struct gpuoa_clock_pair *pair)
{
	struct gpuoa_record_clock record;

	uapi_clock_record(&record, pair);
	return add_sample(samples, like, &record, sizeof(record), NULL, 0);
}

int aux_samples_add_item(struct aux_samples *samples, const struct perf_event_header *record,
			 const struct rawdata_item *item)
{
	switch (item->kind) {
	case RAWDATA_REPORTS:
		return add_reports(samples, record, item->reports);
	case RAWDATA_LOST:
		return add_lost(samples, record, &item->lost);
	case RAWDATA_RESUME:
		return add_resume(samples, record, &item->resume);
	case RAWDATA_CLOCK:
		return add_clock(samples, record, &item->clock);
	case RAWDATA_STREAM:
	case RAWDATA_STATUS:
	case RAWDATA_MARKER:
	case RAWDATA_TEXT:
	case RAWDATA_CONTEXT:
		/*
		 * These items are not from the AUX area: the kernel writes them as samples to the
		 * ring.
		 */
		break;
	}
	return -EINVAL;
}
