/* SPDX-License-Identifier: MIT */
/*
 * recording_metadata.h - recording metadata: metric definitions of the set and constants of the GPU
 *
 * With the metadata, a recording can be read on any machine. Both are texts. They are stored in the
 * first samples of the event. Recordings of the stock perf tool have no metadata; the library's
 * built-in definitions are used for them.
 */
#ifndef GPUOA_LIB_READER_RECORDING_RECORDING_METADATA_H
#define GPUOA_LIB_READER_RECORDING_RECORDING_METADATA_H

#include "reader/rawdata.h"
#include "reader/recording/perfdata_writer.h"
#include "reader/sample.h"

/* Where to write samples of a stream, and their layout */
struct metadata_target {
	struct perfdata_writer *writer;
	const struct sample_layout *layout;
	uint64_t id; /* id of the event */
	uint32_t cpu; /* CPU number to write in the samples */
};

/*
 * Write a sample that contains one record of @size bytes, a multiple of 8. Errors are those of
 * write(2).
 */
int metadata_write_sample(const struct metadata_target *target, const void *record, size_t size);

/* Write a sample with the payload @payload, of @size bytes: a multiple of 8 plus 4. */
int metadata_write_payload(const struct metadata_target *target, const void *payload, size_t size);

/*
 * Write the metadata: the definition of the set, and the values of @constants, which may be NULL.
 * Errors are -ENOMEM and those of write(2).
 */
int metadata_write(const struct metadata_target *target, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants);

/* Metadata being read. */
struct recording_metadata {
	char *texts[RAWDATA_TEXTS]; /* by enum rawdata_text_kind, NUL-terminated */
	size_t sizes[RAWDATA_TEXTS]; /* number of bytes read */
	size_t totals[RAWDATA_TEXTS]; /* size of the complete text */
	/* definitions loaded from the recording; NULL: the built-in ones are used */
	struct gpuoa_definitions *definitions;
};

/*
 * Add a part of a text, from an item of kind RAWDATA_TEXT. Returns 0, -EBADMSG if it does not
 * continue the last part, or -ENOMEM.
 */
int metadata_take(struct recording_metadata *metadata, const struct rawdata_text *text);

/*
 * Returns the platform for a recording of @unit with configuration @uuid, or NULL if there is none.
 * The built-in platform is returned if it has the same definition of the set as the recording.
 */
const struct gpuoa_platform *metadata_platform(struct recording_metadata *metadata,
					       const struct gpuoa_unit_desc *unit,
					       const char *uuid);

/* Set @constants to the recorded values. */
void metadata_constants(const struct recording_metadata *metadata,
			struct gpuoa_constants *constants);

void metadata_fini(struct recording_metadata *metadata);

#endif /* GPUOA_LIB_READER_RECORDING_RECORDING_METADATA_H */
