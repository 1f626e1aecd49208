// SPDX-License-Identifier: MIT
/*
 * aux_samples.c - reports of an AUX area into a perf.data file as samples: heads are made, reports
 * are written from where they are
 *
 * The perf tool decodes AUX data of processors that it knows, and reports or scripts of other files
 * it refuses. Samples it can always read. So recordings look the same in both modes: the file has
 * samples, as the kernel would have made them in RAW mode. No report byte is read here: writev(2)
 * takes heads from this memory and reports from the area.
 */
#include "source/recording/aux_samples.h"

#include <errno.h>
#include <string.h>

#include "uapi/gpuoa.h"

#define RECORD_SIZE_MAX 65528 /* more does not fit into perf_event_header.size, aligned */

void aux_samples_init(struct aux_samples *wrapper, struct perfdata_writer *writer,
		      const struct sample_layout *layout)
{
	wrapper->writer = writer;
	wrapper->layout = *layout;
	wrapper->count = 0;
	wrapper->head_count = 0;
}

int aux_samples_flush(struct aux_samples *wrapper)
{
	const int err = perfdata_add(wrapper->writer, wrapper->pieces, wrapper->count);

	wrapper->count = 0;
	wrapper->head_count = 0;
	return err;
}

/* Room for a head and two pieces. */
static int make_room(struct aux_samples *wrapper)
{
	if (wrapper->count + 3 <= AUX_SAMPLES_PIECES && wrapper->head_count < AUX_SAMPLES_HEADS)
		return 0;
	return aux_samples_flush(wrapper);
}

int aux_samples_add(struct aux_samples *wrapper, const struct iovec *pieces, int count)
{
	const int err = make_room(wrapper);

	if (err)
		return err;
	for (int i = 0; i < count; i++)
		wrapper->pieces[wrapper->count++] = pieces[i];
	return 0;
}

/* A sample with one record: @head, then @size bytes at @reports. */
static int add_sample(struct aux_samples *wrapper, const struct perf_event_header *like,
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

	err = make_room(wrapper);
	if (err)
		return err;
	words = wrapper->heads[wrapper->head_count++];
	at = (char *)(words + 1 + sample_fields(&wrapper->layout, like, words + 1));
	memcpy(at, &raw_size, sizeof(raw_size));
	memcpy(at + sizeof(raw_size), &raw, sizeof(raw));
	at += sizeof(raw_size) + sizeof(raw);
	memcpy(at, head, head_size);
	at += head_size;
	header.size = at - (char *)words + size;
	memcpy(words, &header, sizeof(header));
	wrapper->pieces[wrapper->count++] = (struct iovec){ words, at - (char *)words };
	if (size)
		wrapper->pieces[wrapper->count++] = (struct iovec){ (void *)reports, size };
	return 0;
}

/* How many reports a sample has room for. */
static uint32_t sample_reports(const struct rawdata_reports *reports)
{
	return (RECORD_SIZE_MAX - AUX_SAMPLES_HEAD_WORDS * sizeof(uint64_t)) / reports->size;
}

static int add_reports(struct aux_samples *wrapper, const struct perf_event_header *like,
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
			add_sample(wrapper, like, &record, sizeof(record), reports.data, size);

		if (err)
			return err;
		reports.data = (const char *)reports.data + size;
		reports.first += n;
		reports.count -= n;
	}
	return 0;
}

static int add_lost(struct aux_samples *wrapper, const struct perf_event_header *like,
		    const struct rawdata_lost *lost)
{
	const struct gpuoa_record_lost record = {
		.record = { lost->overflow ? GPUOA_RECORD_BUFFER_OVERFLOW :
					     GPUOA_RECORD_REPORTS_LOST,
			    sizeof(record) },
		.count = lost->unknown ? GPUOA_LOST_UNKNOWN : lost->count,
	};

	return add_sample(wrapper, like, &record, sizeof(record), NULL, 0);
}

static int add_resume(struct aux_samples *wrapper, const struct perf_event_header *like,
		      const struct rawdata_resume *resume)
{
	const struct gpuoa_record_resume record = {
		.record = { GPUOA_RECORD_RESUME, sizeof(record) },
		.stopped = resume->stopped,
	};

	return add_sample(wrapper, like, &record, sizeof(record), NULL, 0);
}

static int add_clock(struct aux_samples *wrapper, const struct perf_event_header *like,
		     const struct gpuoa_clock_pair *pair)
{
	const struct gpuoa_record_clock record = {
		.record = { GPUOA_RECORD_CLOCK, sizeof(record) },
		.clock = {
			.gpu_ticks = pair->gpu_ticks,
			.cpu_ns = pair->cpu_ns,
			.clock_id = pair->clock_id,
			.error_ns = pair->error_ns,
		},
	};

	return add_sample(wrapper, like, &record, sizeof(record), NULL, 0);
}

int aux_samples_add_item(struct aux_samples *wrapper, const struct perf_event_header *record,
			 const struct rawdata_item *item)
{
	switch (item->kind) {
	case RAWDATA_REPORTS:
		return add_reports(wrapper, record, item->reports);
	case RAWDATA_LOST:
		return add_lost(wrapper, record, &item->lost);
	case RAWDATA_RESUME:
		return add_resume(wrapper, record, &item->resume);
	case RAWDATA_CLOCK:
		return add_clock(wrapper, record, &item->clock);
	case RAWDATA_STREAM:
		break; /* comes as a sample of its own */
	}
	return -EINVAL;
}
