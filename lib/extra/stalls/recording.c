// SPDX-License-Identifier: MIT
/*
 * recording.c - EU stalls in recordings: samples of a side event in a perf.data file
 *
 * The payload of a sample is MAGIC, then records with the header struct gpuoa_record. The first
 * record is a text that describes the stream, with the names of the reasons in the order of the
 * counts, so that a later version with more or other reasons can read the file. A window is written
 * as one or more records with the same times; only the first one has the losses. Kernels, their
 * launches and ELF files are records between those of windows.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/sized.h"
#include "extra/stalls/kernels.h"
#include "extra/stalls/layout.h"
#include "reader/recording/recorder.h"
#include "reader/recording/side_event.h"
#include "uapi/gpuoa.h"

#define MAGIC 0x6c747347 /* "Gstl", little endian */
#define STREAM_RECORD (GPUOA_RECORD_PROGRAM + 3)
#define WINDOW_RECORD (GPUOA_RECORD_PROGRAM + 4)
#define FILE_RECORD (GPUOA_RECORD_PROGRAM + 5)
#define KERNEL_RECORD (GPUOA_RECORD_PROGRAM + 6)
#define LAUNCH_RECORD (GPUOA_RECORD_PROGRAM + 7)

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
#define TEXT_MAX 1024

/* Maximum bytes of a payload for recorder_write_side(); the magic and a record of each kind fit. */
#define SIDE_MAX 32768
#define PAYLOAD_WORDS (1 + SIDE_MAX / 8)
_Static_assert(4 + sizeof(struct window_record) + ENTRIES_MAX * ENTRY_WORDS * 8 <= SIDE_MAX, "");
_Static_assert(4 + sizeof(struct gpuoa_record) + TEXT_MAX <= SIDE_MAX, "");
_Static_assert(4 + sizeof(struct file_record) + STALL_FILE_PART <= SIDE_MAX, "");
_Static_assert(4 + sizeof(struct kernel_record) + GPUOA_STALL_NAME_MAX + 8 <= SIDE_MAX, "");
_Static_assert(4 + sizeof(struct launch_record) + GPUOA_STALL_STACK_MAX + 8 <= SIDE_MAX, "");

/* ---- writing ---- */

/* An ELF file that was written */
struct written_file {
	size_t size;
	uint64_t hash;
};

struct gpuoa_stall_recorder {
	struct gpuoa_recorder *recorder;
	struct written_file *files; /* files[0] has number 1 */
	uint32_t file_count;
	/* A payload: the magic at an offset of 4, then a record, so that the record is aligned. */
	union {
		uint64_t words[PAYLOAD_WORDS];
		char text[8 * PAYLOAD_WORDS];
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

/* Write the first record, while all other bytes of the payload are still 0. */
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
	const struct complaint none = { NULL, 0 };
	struct gpuoa_stall_window known = { 0 };
	uint32_t count = 0, at = 0;
	int ret, err = 0;

	if (window) {
		count = gpuoa_stall_sums_count(sums);
		err = sized_take_desc(&known, sizeof(known), window, size, "window", &none);
	}
	if (!err && (count || known.losses))
		do
			err = write_window(recorder, &known, sums, &at);
		while (!err && at < count);
	ret = gpuoa_recorder_write(recorder->recorder);
	return err ? err : ret;
}

static int write_file(struct gpuoa_stall_recorder *recorder, uint32_t number, const uint8_t *data,
		      size_t size)
{
	struct file_record *head = (struct file_record *)(recorder->payload.words + 1);
	uint8_t *part = (uint8_t *)(head + 1);
	int err = 0;

	for (size_t at = 0; at < size && !err; at += head->size) {
		const size_t length = size - at < STALL_FILE_PART ? size - at : STALL_FILE_PART;
		const size_t padded = (length + 7) / 8 * 8;

		*head = (struct file_record){
			.number = number,
			.size = (uint32_t)length,
			.offset = at,
			.whole = size,
		};
		memcpy(part, data + at, length);
		memset(part + length, 0, padded - length);
		err = write_record(recorder, FILE_RECORD, sizeof(*head) + padded);
	}
	return err;
}

int gpuoa_stall_recorder_add_file(struct gpuoa_stall_recorder *recorder, const void *data,
				  size_t size)
{
	const uint32_t number = recorder->file_count + 1;
	struct written_file *files, new = { .size = size };
	int err;

	if (!size)
		return -EINVAL;
	if (size > STALL_FILE_MAX)
		return -EFBIG;
	/* Files have the same bytes if they have the same size and hash. */
	new.hash = hash64_bytes(data, size);
	for (uint32_t i = 0; i < recorder->file_count; i++)
		if (recorder->files[i].size == size && recorder->files[i].hash == new.hash)
			return (int)i + 1;
	files = number < INT32_MAX ? realloc(recorder->files, number * sizeof(*files)) : NULL;
	if (!files)
		return -ENOMEM;
	recorder->files = files;
	err = write_file(recorder, number, data, size);
	if (err)
		return err;
	files[recorder->file_count++] = new;
	return (int)number;
}

int gpuoa_stall_recorder_add_kernel(struct gpuoa_stall_recorder *recorder,
				    const struct gpuoa_stall_kernel *desc, size_t size)
{
	struct kernel_record *head = (struct kernel_record *)(recorder->payload.words + 1);
	const struct complaint none = { NULL, 0 };
	struct gpuoa_stall_kernel kernel;
	size_t length, padded;
	int err = sized_take_desc(&kernel, sizeof(kernel), desc, size, "kernel", &none);

	if (!err)
		err = sized_check_reserved(kernel.reserved, RESERVED_WORDS(&kernel), "kernel", 0,
					   &none);
	if (err)
		return err;
	if (kernel.file > recorder->file_count)
		return -ENOENT;
	if ((!kernel.name || !*kernel.name) && !kernel.file)
		return -EINVAL;
	length = kernel.name ? strlen(kernel.name) : 0;
	if (length > GPUOA_STALL_NAME_MAX)
		return -ENAMETOOLONG;
	padded = (length + 8) / 8 * 8;
	*head = (struct kernel_record){
		.pid = kernel.pid,
		.file = kernel.file,
		.address = kernel.address,
		.size = kernel.size,
		.length = length,
	};
	memset(head + 1, 0, padded);
	if (length)
		memcpy(head + 1, kernel.name, length);
	return write_record(recorder, KERNEL_RECORD, sizeof(*head) + padded);
}

int gpuoa_stall_recorder_add_launch(struct gpuoa_stall_recorder *recorder,
				    const struct gpuoa_stall_launch *desc, size_t size)
{
	struct launch_record *head = (struct launch_record *)(recorder->payload.words + 1);
	const struct complaint none = { NULL, 0 };
	struct gpuoa_stall_launch launch;
	size_t length, padded;
	int err = sized_take_desc(&launch, sizeof(launch), desc, size, "launch", &none);

	if (!err)
		err = sized_check_reserved(launch.reserved, RESERVED_WORDS(&launch), "launch", 0,
					   &none);
	if (!err && launch.reserved_1)
		err = -E2BIG;
	if (err)
		return err;
	if (!launch.stack || !*launch.stack || !launch.count)
		return -EINVAL;
	length = strlen(launch.stack);
	if (length > GPUOA_STALL_STACK_MAX)
		return -ENAMETOOLONG;
	padded = (length + 8) / 8 * 8;
	*head = (struct launch_record){
		.address = launch.address,
		.count = launch.count,
		.groups = launch.groups,
		.pid = launch.pid,
		.length = (uint32_t)length,
	};
	memset((char *)(head + 1) + padded - 8, 0, 8);
	memcpy(head + 1, launch.stack, length);
	return write_record(recorder, LAUNCH_RECORD, sizeof(*head) + padded);
}

int gpuoa_stall_recorder_close(struct gpuoa_stall_recorder *recorder)
{
	int err;

	if (!recorder)
		return 0;
	err = gpuoa_recorder_close(recorder->recorder);
	free(recorder->files);
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
	struct stall_kernels kernels;
	const uint8_t *at; /* rest of the current payload */
	size_t left;
};

/* Add the names of the reasons. If there are too many, .reason_count is 0 afterwards. */
static void take_reasons(struct gpuoa_stall_file *file, char *names)
{
	char *save, *name;

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

	if (size < sizeof(head))
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

/*
 * The description precedes all reports of OA units. A longer file without it has no EU stalls, and
 * need not be read to the end.
 */
#define DESCRIPTION_MAX (UINT64_C(16) << 20)

/* Get the next record of EU stalls. Returns 1, 0 at the end, or a negative errno. */
static int next_record(struct gpuoa_stall_file *file, struct gpuoa_record *head,
		       const uint8_t **record)
{
	const void *payload;
	uint32_t magic;
	size_t size;
	int ret;

	while (!file->left) {
		if (!file->described && side_event_position(file->event) > DESCRIPTION_MAX)
			return 0;
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
		if (head.type == WINDOW_RECORD) {
			ret = take_window(file, record, head.size, &found, sums);
			break;
		}
		if (head.type == FILE_RECORD)
			ret = stall_kernels_take_file(&file->kernels, record);
		else if (head.type == KERNEL_RECORD)
			ret = stall_kernels_take_kernel(&file->kernels, record);
		else if (head.type == LAUNCH_RECORD)
			ret = stall_kernels_take_launch(&file->kernels, record);
		if (ret < 0)
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
	stall_kernels_free(&file->kernels);
	free(file);
}

void gpuoa_stall_file_describe(const struct gpuoa_stall_file *file, struct gpuoa_stall_desc *desc,
			       size_t size)
{
	sized_give(desc, size, &file->desc, sizeof(file->desc));
}

int gpuoa_stall_file_get_kernel(const struct gpuoa_stall_file *file, uint32_t index,
				struct gpuoa_stall_kernel *kernel, size_t size)
{
	if (index >= file->kernels.kernel_count)
		return -ERANGE;
	sized_give(kernel, size, &file->kernels.kernels[index], sizeof(*kernel));
	return 0;
}

int gpuoa_stall_file_get_elf(const struct gpuoa_stall_file *file, uint32_t number,
			     const void **data, size_t *size)
{
	const struct stall_elf *elf;

	if (!number || number > file->kernels.file_count)
		return -ERANGE;
	elf = &file->kernels.files[number - 1];
	if (elf->size != elf->whole)
		return -ERANGE;
	*data = elf->data;
	*size = elf->size;
	return 0;
}

int gpuoa_stall_file_get_launch(const struct gpuoa_stall_file *file, uint32_t index,
				struct gpuoa_stall_launch *launch, size_t size)
{
	if (index >= file->kernels.launch_count)
		return -ERANGE;
	sized_give(launch, size, &file->kernels.launches[index], sizeof(*launch));
	return 0;
}
