// SPDX-License-Identifier: MIT
/*
 * sample.c - locate fields in perf's records according to perf_event_attr
 *
 * A sample is a header and one field per bit of sample_type, in the order of perf_event_open(2).
 * All fields before the raw payload are 8 bytes long, except READ and CALLCHAIN, which contain
 * their length. With sample_id_all, every other record ends with some of these fields.
 */
#include "reader/sample.h"

#include <errno.h>
#include <string.h>

#define WORD sizeof(uint64_t)

/* Fields that precede the id, the CPU, and the READ field in a sample */
#define BEFORE_ID (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)
#define BEFORE_CPU (PERF_SAMPLE_IDENTIFIER | BEFORE_ID | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID)
#define BEFORE_READ (BEFORE_CPU | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

struct sample_layout sample_layout(const struct perf_event_attr *attr)
{
	return (struct sample_layout){
		.type = attr->type,
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.sample_id_all = attr->sample_id_all,
	};
}

static size_t words(uint64_t fields)
{
	return WORD * __builtin_popcountll(fields);
}

/* Read a word of a record. Returns -ENODATA if it is not within the record: @offset may be any. */
static int word_at(const struct perf_event_header *record, size_t offset, uint64_t *value)
{
	if (offset < sizeof(*record) || offset > record->size || record->size - offset < WORD)
		return -ENODATA;
	memcpy(value, (const char *)record + offset, WORD);
	return 0;
}

/*
 * Return the offset of a field from the start of a sample. @before: mask of the fields that precede
 * it. 0: the sample does not have the field.
 */
static size_t sample_offset(const struct sample_layout *layout, uint64_t field, uint64_t before)
{
	if (!(layout->sample_type & field))
		return 0;
	return sizeof(struct perf_event_header) + words(layout->sample_type & before);
}

/*
 * Return the offset of a field from the end of a record that is not a sample. @after: mask of the
 * fields that follow it. 0: the record does not have the field.
 */
static size_t trailer_offset(const struct sample_layout *layout, uint64_t field, uint64_t after)
{
	if (!layout->sample_id_all || !(layout->sample_type & field))
		return 0;
	return WORD + words(layout->sample_type & after);
}

static size_t sample_id_offset(const struct sample_layout *layout)
{
	size_t offset = sample_offset(layout, PERF_SAMPLE_IDENTIFIER, 0);

	return offset ? offset : sample_offset(layout, PERF_SAMPLE_ID, BEFORE_ID);
}

static size_t trailer_id_offset(const struct sample_layout *layout)
{
	size_t offset = trailer_offset(layout, PERF_SAMPLE_IDENTIFIER, 0);

	return offset ? offset :
			trailer_offset(layout, PERF_SAMPLE_ID,
				       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU);
}

bool sample_same_id_place(const struct sample_layout *a, const struct sample_layout *b)
{
	return sample_id_offset(a) == sample_id_offset(b) &&
	       trailer_id_offset(a) == trailer_id_offset(b);
}

/*
 * Read a word of a record: at @from_start from the start of a sample, or at @from_end from the end
 * of any other record.
 */
static int word_of(const struct perf_event_header *record, size_t from_start, size_t from_end,
		   uint64_t *value)
{
	return word_at(record,
		       record->type == PERF_RECORD_SAMPLE ? from_start : record->size - from_end,
		       value);
}

int sample_id(const struct sample_layout *layout, const struct perf_event_header *record,
	      uint64_t *id)
{
	return word_of(record, sample_id_offset(layout), trailer_id_offset(layout), id);
}

int sample_cpu(const struct sample_layout *layout, const struct perf_event_header *record,
	       uint32_t *cpu)
{
	uint64_t value;
	int err = word_of(record, sample_offset(layout, PERF_SAMPLE_CPU, BEFORE_CPU),
			  trailer_offset(layout, PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER), &value);

	if (!err)
		*cpu = (uint32_t)value; /* the other half is reserved */
	return err;
}

/* Read a field at the end of a record that is not a sample; 0 if the record does not have it. */
static uint64_t trailer_word(const struct sample_layout *layout,
			     const struct perf_event_header *record, uint64_t field, uint64_t after)
{
	uint64_t value = 0;

	word_at(record, record->size - trailer_offset(layout, field, after), &value);
	return value;
}

size_t sample_fields(const struct sample_layout *layout, const struct perf_event_header *record,
		     uint64_t fields[SAMPLE_FIELDS_MAX])
{
	/*
	 * The fields in the order that they have in a sample. @in_trailer: the field is also at the
	 * end of other records, where the fields @after follow it. Fields that other records do not
	 * have are 0.
	 */
	static const struct {
		uint64_t field;
		bool in_trailer;
		uint64_t after;
	} order[SAMPLE_FIELDS_MAX] = {
		{ PERF_SAMPLE_IDENTIFIER, true, 0 },
		{ PERF_SAMPLE_IP, false, 0 },
		{ PERF_SAMPLE_TID, true,
		  PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			  PERF_SAMPLE_IDENTIFIER },
		{ PERF_SAMPLE_TIME, true,
		  PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			  PERF_SAMPLE_IDENTIFIER },
		{ PERF_SAMPLE_ADDR, false, 0 },
		{ PERF_SAMPLE_ID, true,
		  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER },
		{ PERF_SAMPLE_STREAM_ID, true, PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER },
		{ PERF_SAMPLE_CPU, true, PERF_SAMPLE_IDENTIFIER },
		{ PERF_SAMPLE_PERIOD, false, 0 },
	};
	size_t count = 0;

	for (size_t i = 0; i < SAMPLE_FIELDS_MAX; i++) {
		if (!(layout->sample_type & order[i].field))
			continue;
		fields[count++] = order[i].in_trailer ? trailer_word(layout, record, order[i].field,
								     order[i].after) :
							0;
	}
	return count;
}

size_t sample_fields_of(const struct sample_layout *layout, uint64_t id, uint64_t time,
			uint32_t cpu, uint64_t fields[SAMPLE_FIELDS_MAX])
{
	const struct {
		uint64_t field;
		uint64_t value;
	} order[SAMPLE_FIELDS_MAX] = {
		{ PERF_SAMPLE_IDENTIFIER, id }, { PERF_SAMPLE_IP, 0 },	  { PERF_SAMPLE_TID, 0 },
		{ PERF_SAMPLE_TIME, time },	{ PERF_SAMPLE_ADDR, 0 },  { PERF_SAMPLE_ID, id },
		{ PERF_SAMPLE_STREAM_ID, id },	{ PERF_SAMPLE_CPU, cpu }, { PERF_SAMPLE_PERIOD, 1 },
	};
	size_t count = 0;

	for (size_t i = 0; i < SAMPLE_FIELDS_MAX; i++)
		if (layout->sample_type & order[i].field)
			fields[count++] = order[i].value;
	return count;
}

/* Get the number of words of the READ field at @offset of a sample. */
static int read_words(const struct sample_layout *layout, const struct perf_event_header *record,
		      size_t offset, uint64_t *count)
{
	const uint64_t format = layout->read_format;
	const uint64_t times = format &
			       (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	const uint64_t each =
		1 + __builtin_popcountll(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));
	uint64_t members = 1;

	*count = __builtin_popcountll(times);
	if (format & PERF_FORMAT_GROUP) {
		if (word_at(record, offset, &members) || members > record->size)
			return -EBADMSG;
		*count += 1;
	}
	*count += members * each;
	return 0;
}

/* Get the number of words of the CALLCHAIN field at @offset of a sample. */
static int callchain_words(const struct perf_event_header *record, size_t offset, uint64_t *count)
{
	uint64_t depth;

	if (word_at(record, offset, &depth) || depth > record->size)
		return -EBADMSG;
	*count = 1 + depth;
	return 0;
}

int sample_raw(const struct sample_layout *layout, const struct perf_event_header *record,
	       const void **payload, size_t *size)
{
	size_t offset = sizeof(*record) + words(layout->sample_type & BEFORE_READ);
	uint32_t raw_size;
	uint64_t count;

	if (!(layout->sample_type & PERF_SAMPLE_RAW))
		return -ENODATA;
	if (layout->sample_type & PERF_SAMPLE_READ) {
		if (read_words(layout, record, offset, &count))
			return -EBADMSG;
		offset += count * WORD;
	}
	if (layout->sample_type & PERF_SAMPLE_CALLCHAIN) {
		if (callchain_words(record, offset, &count))
			return -EBADMSG;
		offset += count * WORD;
	}
	if (offset > record->size || record->size - offset < sizeof(raw_size))
		return -EBADMSG;
	memcpy(&raw_size, (const char *)record + offset, sizeof(raw_size));
	offset += sizeof(raw_size);
	if (raw_size > record->size - offset)
		return -EBADMSG;
	*payload = (const char *)record + offset;
	*size = raw_size;
	return 0;
}
