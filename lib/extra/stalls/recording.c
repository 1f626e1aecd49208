// SPDX-License-Identifier: MIT
/*
 * recording.c - EU stalls in recordings: samples of a side event in a perf.data file
 *
 * The payload of a sample is MAGIC, then records with the header struct gpuoa_record. The first
 * record is a text that describes the stream, with the names of the reasons in the order of the
 * counts, so that a later version with more or other reasons can read the file. A window is written
 * as one or more records with the same times; only the first one has the losses.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sized.h"
#include "extra/stalls/layout.h"
#include "reader/recording/recorder.h"
#include "reader/recording/side_event.h"
#include "uapi/gpuoa.h"

#define MAGIC 0x6c747347 /* "Gstl", little endian */
#define STREAM_RECORD (GPUOA_RECORD_PROGRAM + 3)
#define WINDOW_RECORD (GPUOA_RECORD_PROGRAM + 4)

static const char event_name[] = "gpuoa_stalls";

struct window_record {
	struct gpuoa_record record;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint32_t losses;
	uint32_t count; /* of entries, each an address and the counts */
};

#define REASONS GPUOA_STALL_REASON_COUNT
#define ENTRY_WORDS (1 + REASONS)
#define ENTRIES_MAX 300 /* number of entries in a sample */
_Static_assert(ENTRIES_MAX *ENTRY_WORDS * 8 + 64 <= 32768, "the limit of recorder_write_side()");
#define TEXT_MAX 1024

/* ---- writing ---- */

struct gpuoa_stall_recorder {
	struct gpuoa_recorder *recorder;
	/* A payload: the magic at an offset of 4, then a record, so that the record is aligned. */
	union {
		uint64_t words[1 + sizeof(struct window_record) / 8 + ENTRIES_MAX * ENTRY_WORDS];
		char text[8 + sizeof(struct gpuoa_record) + TEXT_MAX];
	} payload;
};

/* Write the record at .payload.words + 1. */
static int write_record(struct gpuoa_stall_recorder *recorder, uint32_t type, size_t size)
{
	const uint32_t magic = MAGIC;
	struct gpuoa_record *record = (struct gpuoa_record *)(recorder->payload.words + 1);
	char *payload = recorder->payload.text + 4;

	record->type = type;
	record->size = (uint32_t)size;
	memcpy(payload, &magic, sizeof(magic));
	return recorder_write_side(recorder->recorder, payload, sizeof(magic) + size);
}

static int write_stream(struct gpuoa_stall_recorder *recorder, const struct gpuoa_stall_desc *desc)
{
	const size_t head = sizeof(struct gpuoa_record);
	char *text = recorder->payload.text + 8 + head;
	int length = snprintf(text, TEXT_MAX,
			      "device=%s\nplatform=%s\ntitle=%s\nlayout=%s\nperiod=%" PRIu32
			      "\nfrequency=%" PRIu64 "\nxe_cores=%" PRIu32 "\nreasons=",
			      desc->device, desc->platform, desc->title,
			      desc->layout ? desc->layout->name : "", desc->period_clocks,
			      desc->frequency, desc->xe_core_count);

	for (int r = 0; r < (int)REASONS; r++) {
		struct gpuoa_stall_reason_desc reason;

		gpuoa_stall_describe_reason(r, &reason, sizeof(reason));
		length += snprintf(text + length, TEXT_MAX - (size_t)length, "%s ", reason.name);
	}
	length += snprintf(text + length, TEXT_MAX - (size_t)length, "\n");
	memset(text + length, 0, 8);
	return write_record(recorder, STREAM_RECORD, head + ((size_t)length + 8) / 8 * 8);
}

int gpuoa_stall_recorder_open(const struct gpuoa_stall_desc *desc, size_t size,
			      struct gpuoa_reader *const *streams, uint32_t count, const char *path,
			      struct gpuoa_stall_recorder **recorder, char *error,
			      size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_stall_recorder *new;
	struct gpuoa_stall_desc known;
	int err = sized_take_desc(&known, sizeof(known), desc, size, "desc", &complaint);

	if (err)
		return complaint_end(&complaint, err);
	new = calloc(1, sizeof(*new));
	if (!new)
		return complaint_end(&complaint, -ENOMEM);
	err = recorder_open_side(streams, count, event_name, path, &new->recorder, &complaint);
	if (!err)
		err = write_stream(new, &known);
	if (err) {
		gpuoa_recorder_close(new->recorder);
		free(new);
		return complaint_end(&complaint, err);
	}
	*recorder = new;
	return 0;
}

/* Write the sums from *@at on, as many as fit in a sample. */
static int write_window(struct gpuoa_stall_recorder *recorder,
			const struct gpuoa_stall_window *window,
			const struct gpuoa_stall_sums *sums, uint32_t *at)
{
	struct window_record *head = (struct window_record *)(recorder->payload.words + 1);
	uint64_t *entry = (uint64_t *)(head + 1);
	struct gpuoa_stall_sum sum;

	*head = (struct window_record){
		.begin_ns = window->begin_ns,
		.end_ns = window->end_ns,
		.losses = *at ? 0 : window->losses,
	};
	for (; head->count < ENTRIES_MAX; entry += ENTRY_WORDS, ++*at, head->count++) {
		if (gpuoa_stall_sums_get(sums, *at, &sum, sizeof(sum)))
			break;
		entry[0] = sum.address;
		memcpy(entry + 1, sum.counts, REASONS * sizeof(*entry));
	}
	return write_record(recorder, WINDOW_RECORD,
			    sizeof(*head) + head->count * ENTRY_WORDS * sizeof(*entry));
}

int gpuoa_stall_recorder_write(struct gpuoa_stall_recorder *recorder,
			       const struct gpuoa_stall_window *window, size_t size,
			       const struct gpuoa_stall_sums *sums)
{
	const uint32_t count = gpuoa_stall_sums_count(sums);
	const struct complaint none = { NULL, 0 };
	struct gpuoa_stall_window known;
	int ret, err = sized_take_desc(&known, sizeof(known), window, size, "window", &none);
	uint32_t at = 0;

	if (!err && (count || known.losses))
		do
			err = write_window(recorder, &known, sums, &at);
		while (!err && at < count);
	ret = gpuoa_recorder_write(recorder->recorder);
	return err ? err : ret;
}

int gpuoa_stall_recorder_close(struct gpuoa_stall_recorder *recorder)
{
	int err;

	if (!recorder)
		return 0;
	err = gpuoa_recorder_close(recorder->recorder);
	free(recorder);
	return err;
}

/* ---- reading ---- */

struct gpuoa_stall_file {
	struct side_event *event;
	struct gpuoa_stall_desc desc;
	bool described;
	uint32_t reason_count; /* number of counts of an entry */
	uint8_t reasons[64]; /* enum gpuoa_stall_reason of each */
	const uint8_t *at; /* rest of the current payload */
	size_t left;
};

/* Take the names of the reasons. If there are too many, .reason_count is 0 afterwards. */
static void take_reasons(struct gpuoa_stall_file *file, char *names)
{
	char *save, *name;

	file->reason_count = 0;
	for (name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		const int reason = gpuoa_stall_find_reason(name);

		if (file->reason_count == sizeof(file->reasons)) {
			file->reason_count = 0;
			return;
		}
		file->reasons[file->reason_count++] =
			(uint8_t)(reason < 0 ? GPUOA_STALL_OTHER : reason);
	}
}

static void take_line(struct gpuoa_stall_file *file, char *line)
{
	struct gpuoa_stall_desc *desc = &file->desc;
	char *value = strchr(line, '=');

	if (!value)
		return;
	*value++ = '\0';
	if (!strcmp(line, "device"))
		snprintf(desc->device, sizeof(desc->device), "%s", value);
	else if (!strcmp(line, "platform"))
		snprintf(desc->platform, sizeof(desc->platform), "%s", value);
	else if (!strcmp(line, "title"))
		snprintf(desc->title, sizeof(desc->title), "%s", value);
	else if (!strcmp(line, "layout"))
		desc->layout = gpuoa_stall_layout_by_name(value);
	else if (!strcmp(line, "period"))
		desc->period_clocks = (uint32_t)strtoul(value, NULL, 10);
	else if (!strcmp(line, "frequency"))
		desc->frequency = strtoull(value, NULL, 10);
	else if (!strcmp(line, "xe_cores"))
		desc->xe_core_count = (uint32_t)strtoul(value, NULL, 10);
	else if (!strcmp(line, "reasons"))
		take_reasons(file, value);
}

static int take_stream(struct gpuoa_stall_file *file, const void *data, size_t size)
{
	char *text = strndup(data, size), *save, *line;

	if (!text)
		return -ENOMEM;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		take_line(file, line);
	free(text);
	file->described = true;
	return file->reason_count ? 0 : -EBADMSG;
}

static int take_window(const struct gpuoa_stall_file *file, const uint8_t *record, size_t size,
		       struct gpuoa_stall_window *window, struct gpuoa_stall_sums *sums)
{
	const size_t words = 1 + file->reason_count;
	struct window_record head;
	uint64_t entry[1 + sizeof(file->reasons)];
	int err = 0;

	if (!file->described || size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, record, sizeof(head));
	if (head.count > (size - sizeof(head)) / (words * sizeof(*entry)))
		return -EBADMSG;
	*window = (struct gpuoa_stall_window){
		.begin_ns = head.begin_ns,
		.end_ns = head.end_ns,
		.losses = head.losses,
	};
	for (uint32_t i = 0; sums && i < head.count && !err; i++) {
		struct gpuoa_stall_sum sum = { 0 };

		memcpy(entry, record + sizeof(head) + i * words * sizeof(*entry),
		       words * sizeof(*entry));
		sum.address = entry[0];
		for (uint32_t r = 0; r < file->reason_count; r++)
			sum.counts[file->reasons[r]] += entry[1 + r];
		err = gpuoa_stall_sums_add_sum(sums, &sum, sizeof(sum));
	}
	return err ? err : 1;
}

/* Get the next record of EU stalls. Returns 1, 0 at the end, or a negative errno. */
static int next_record(struct gpuoa_stall_file *file, struct gpuoa_record *head,
		       const uint8_t **record)
{
	const void *payload;
	uint32_t magic;
	size_t size;
	int ret;

	while (!file->left) {
		ret = side_event_next(file->event, &payload, &size);
		if (ret <= 0)
			return ret;
		if (size < sizeof(magic))
			continue;
		memcpy(&magic, payload, sizeof(magic));
		if (magic != MAGIC)
			continue;
		file->at = (const uint8_t *)payload + sizeof(magic);
		file->left = size - sizeof(magic);
	}
	if (file->left < sizeof(*head))
		return -EBADMSG;
	memcpy(head, file->at, sizeof(*head));
	if (head->size < sizeof(*head) || head->size > file->left)
		return -EBADMSG;
	*record = file->at;
	file->at += head->size;
	file->left -= head->size;
	return 1;
}

int gpuoa_stall_file_next(struct gpuoa_stall_file *file, struct gpuoa_stall_window *window,
			  size_t size, struct gpuoa_stall_sums *sums)
{
	struct gpuoa_stall_window found;
	struct gpuoa_record head;
	const uint8_t *record;
	int ret;

	while ((ret = next_record(file, &head, &record)) > 0) {
		if (head.type & GPUOA_RECORD_MUST_KNOW)
			return -EBADMSG;
		if (head.type != WINDOW_RECORD)
			continue;
		ret = take_window(file, record, head.size, &found, sums);
		break;
	}
	if (ret > 0)
		sized_give(window, size, &found, sizeof(found));
	return ret;
}

/* The description is the first record. */
static int read_stream(struct gpuoa_stall_file *file, const struct complaint *complaint)
{
	struct gpuoa_record head;
	const uint8_t *record;
	int ret = next_record(file, &head, &record);

	if (!ret)
		return COMPLAIN(complaint, -ENODATA,
				"it has no EU stalls; record them with 'gpuoa stalls record'");
	if (ret > 0)
		ret = head.type == STREAM_RECORD ?
			      take_stream(file, record + sizeof(head), head.size - sizeof(head)) :
			      -EBADMSG;
	return ret == -EBADMSG ?
		       COMPLAIN(complaint, ret, "the description of its EU stalls is damaged") :
		       ret;
}

int gpuoa_stall_file_open(const char *path, struct gpuoa_stall_file **file, char *error,
			  size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	char reason[256];
	const struct complaint inner = complaint_begin(reason, sizeof(reason));
	struct gpuoa_stall_file *new = calloc(1, sizeof(*new));
	int err = new ? side_event_open(path, &new->event, &inner) : -ENOMEM;

	if (!err)
		err = read_stream(new, &inner);
	if (err) {
		complaint_end(&inner, err);
		complaint_print(&complaint, "%s: cannot read EU stalls: %s", path, reason);
		gpuoa_stall_file_close(new);
		return err;
	}
	*file = new;
	return 0;
}

void gpuoa_stall_file_close(struct gpuoa_stall_file *file)
{
	if (!file)
		return;
	side_event_close(file->event);
	free(file);
}

void gpuoa_stall_file_describe(const struct gpuoa_stall_file *file, struct gpuoa_stall_desc *desc,
			       size_t size)
{
	sized_give(desc, size, &file->desc, sizeof(file->desc));
}
