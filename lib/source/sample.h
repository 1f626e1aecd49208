/* SPDX-License-Identifier: MIT */
/*
 * sample.h - finds fields in perf's records; perf_event_attr decides which there are
 */
#ifndef GPUOA_LIB_SOURCE_SAMPLE_H
#define GPUOA_LIB_SOURCE_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The members of a perf_event_attr that decide it, and whose event it is. */
struct sample_layout {
	uint32_t type;
	uint64_t sample_type;
	uint64_t read_format;
	bool sample_id_all;
};

struct sample_layout sample_layout(const struct perf_event_attr *attr);

/*
 * Are ids at the same place in the records of both, so that an id can be found before its event is
 * known?
 */
bool sample_same_id_place(const struct sample_layout *a, const struct sample_layout *b);

/* Id of the event that a record belongs to. -ENODATA: the record does not tell. */
int sample_id(const struct sample_layout *layout, const struct perf_event_header *record,
	      uint64_t *id);

/* CPU that a record was made on. -ENODATA: the record does not tell. */
int sample_cpu(const struct sample_layout *layout, const struct perf_event_header *record,
	       uint32_t *cpu);

#define SAMPLE_FIELDS_MAX 9

/*
 * Fill in the fields that a sample has before its payload, with event and time of another record.
 * Returns the number of words.
 */
size_t sample_fields(const struct sample_layout *layout, const struct perf_event_header *record,
		     uint64_t fields[SAMPLE_FIELDS_MAX]);

/* The same for a sample that no record was made with. */
size_t sample_fields_of(const struct sample_layout *layout, uint64_t id, uint64_t time,
			uint32_t cpu, uint64_t fields[SAMPLE_FIELDS_MAX]);

/*
 * The raw payload of a sample, within it. -ENODATA: it has none; -EBADMSG: the sample is damaged.
 */
int sample_raw(const struct sample_layout *layout, const struct perf_event_header *record,
	       const void **payload, size_t *size);

#endif /* GPUOA_LIB_SOURCE_SAMPLE_H */
