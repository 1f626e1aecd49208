/* SPDX-License-Identifier: MIT */
/* sample.h - locate fields in perf's records according to perf_event_attr */
#ifndef GPUOA_LIB_READER_SAMPLE_H
#define GPUOA_LIB_READER_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The members of perf_event_attr that determine which fields a record has */
struct sample_layout {
	uint32_t type;
	uint64_t sample_type;
	uint64_t read_format;
	bool sample_id_all;
};

struct sample_layout sample_layout(const struct perf_event_attr *attr);

/*
 * True if records of two events have the id at the same position, so that it can be read before the
 * event of a record is known.
 */
bool sample_same_id_place(const struct sample_layout *a, const struct sample_layout *b);

/*
 * Read the id of the event that a record belongs to. Returns 0, or -ENODATA if the record has no
 * id.
 */
int sample_id(const struct sample_layout *layout, const struct perf_event_header *record,
	      uint64_t *id);

/* Read the CPU of a record. Returns 0, or -ENODATA if the record has no CPU. */
int sample_cpu(const struct sample_layout *layout, const struct perf_event_header *record,
	       uint32_t *cpu);

#define SAMPLE_FIELDS_MAX 9

/*
 * Write the fields that precede the payload of a sample. Event and time are those of another
 * record. Returns the number of words.
 */
size_t sample_fields(const struct sample_layout *layout, const struct perf_event_header *record,
		     uint64_t fields[SAMPLE_FIELDS_MAX]);

/* The same with explicit values. */
size_t sample_fields_of(const struct sample_layout *layout, uint64_t id, uint64_t time,
			uint32_t cpu, uint64_t fields[SAMPLE_FIELDS_MAX]);

/*
 * Locate the raw payload in a sample. Returns 0, -ENODATA if it has none, or -EBADMSG if the sample
 * is damaged.
 */
int sample_raw(const struct sample_layout *layout, const struct perf_event_header *record,
	       const void **payload, size_t *size);

#endif /* GPUOA_LIB_READER_SAMPLE_H */
