/* SPDX-License-Identifier: MIT */
/*
 * encoder.h - record encoder: convert stock drivers' data to gpuoa's records
 *
 * Consecutive reports are combined in one sample. The encoder adds what stock drivers do not
 * provide: a description of the stream, clock pairs, sequence numbers, and the number of lost
 * reports, computed from adjacent timestamps.
 */
#ifndef GPUOA_LIB_READER_DRM_ENCODER_H
#define GPUOA_LIB_READER_DRM_ENCODER_H

#include "report/format.h"
#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream.h"
#include "uapi/gpuoa.h"

/* Space in bytes that the encoder needs in the ring, in addition to that for reports */
#define ENCODER_ROOM 4096

#define ENCODER_BATCH_REPORTS 256 /* maximum number in a sample */

/* The reports of one sample, which are still in the buffer to which they were read */
struct encoder_batch {
	size_t count;
	struct iovec pieces[2 + ENCODER_BATCH_REPORTS]; /* two headers, then reports */
};

struct encoder {
	struct emulated_ring *emulated;
	struct gpuoa_unit *unit;
	const struct report_format *format;
	uint32_t wire_size; /* size in bytes of a report in the ring */
	/* ticks between two timer reports; 0: unknown because of a context filter */
	uint64_t period;
	struct gpuoa_record_stream about;
	struct gpuoa_record_dword_mask mask_record; /* .record.size 0: whole reports */
	/* mask of the dwords that are stored; all 0: whole reports */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS];

	bool begun; /* the stream's description has been written since the stream was enabled */
	/* time at which the description is written again, CLOCK_MONOTONIC in ns */
	uint64_t describe_due;
	uint64_t first; /* sequence number of the next report */
	uint32_t loss; /* enum gpuoa_record_type of a loss that has not been written yet; 0: none */
	/*
	 * Reports were lost before .until, in ticks: look for gaps up to there, also in reports
	 * that have not been read yet. .found: at least one gap was found.
	 */
	bool seeks;
	bool found;
	uint64_t until;
	/* number of gaps written for the data of one read, and whether further ones were found */
	unsigned int gap_count;
	bool uncounted;
	bool has_last;
	uint64_t last; /* timestamp of the last report */
	struct encoder_batch batch;
	/* buffer for reports with the dwords of the dword mask only; NULL: whole reports */
	uint8_t *masked_reports;
};

/*
 * Initialize an encoder for a stream with .unit, .wire_size and .reader.desc set. Returns 0 or
 * -ENOMEM.
 */
int encoder_init(struct encoder *encoder, struct emulated_ring *emulated,
		 const struct stream *stream);
void encoder_fini(struct encoder *encoder);

/*
 * Write the description of the stream. encoder_begin() writes it if the stream has been enabled
 * since the last call, encoder_repeat() if it is due again. The ring must have ENCODER_ROOM bytes
 * of space.
 */
void encoder_begin(struct encoder *encoder);
void encoder_repeat(struct encoder *encoder);

/* Add a report, which must remain in place until encoder_flush(). */
void encoder_report(struct encoder *encoder, const uint8_t *report);
/*
 * Record that reports are missing. @loss: GPUOA_RECORD_BUFFER_OVERFLOW if they are missing after
 * the last one; GPUOA_RECORD_REPORTS_LOST if the hardware has dropped some by now, because drivers
 * return this before the reports that were in the buffer at that time.
 */
void encoder_loss(struct encoder *encoder, uint32_t loss);
/* Write a status record. @flags: mask of GPUOA_STATUS_* */
void encoder_status(struct encoder *encoder, uint32_t flags);
/*
 * Write the reports that have been added to the ring. A loss is written together with the report
 * after it.
 */
void encoder_flush(struct encoder *encoder);
/*
 * Write a loss that has not been written yet, with an unknown number of reports, because no report
 * will follow.
 */
void encoder_end(struct encoder *encoder);

#endif /* GPUOA_LIB_READER_DRM_ENCODER_H */
