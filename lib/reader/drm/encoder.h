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

/* Space in the ring needed in addition to that of reports. */
#define ENCODER_ROOM 4096

#define ENCODER_BATCH_REPORTS 256 /* maximum number in a sample */

/* Reports of one sample, in the buffer they were read to. */
struct encoder_batch {
	size_t count;
	struct iovec pieces[2 + ENCODER_BATCH_REPORTS]; /* two headers, then reports */
};

struct encoder {
	struct emulated_ring *emulated;
	struct gpuoa_unit *unit;
	const struct report_format *format;
	uint32_t wire_size; /* size of a report in the ring, bytes */
	/* ticks between the timer's reports; 0: unknown because of a context filter */
	uint64_t period;
	struct gpuoa_record_stream about;
	struct gpuoa_record_dword_mask mask_record; /* .record.size 0: whole reports */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS]; /* dword mask; all 0: whole reports */

	bool begun; /* the description was written after the stream was enabled */
	uint64_t describe_due; /* time of the next description, CLOCK_MONOTONIC in ns */
	uint64_t first; /* sequence number of the next report */
	uint32_t loss; /* enum gpuoa_record_type of a loss not yet written; 0: none */
	bool has_last;
	uint64_t last; /* timestamp of the last report */
	struct encoder_batch batch;
	/* buffer for reports reduced to the dword mask; NULL: whole reports */
	uint8_t *masked_reports;
};

/* Initialize for a stream with .unit, .wire_size and .reader.desc set. Returns 0 or -ENOMEM. */
int encoder_init(struct encoder *encoder, struct emulated_ring *emulated,
		 const struct stream *stream);
void encoder_fini(struct encoder *encoder);

/*
 * Write the description of the stream, if it was enabled since the last call (_begin) or if it is
 * due again (_repeat). Called by pump() with ENCODER_ROOM available in the ring.
 */
void encoder_begin(struct encoder *encoder);
void encoder_repeat(struct encoder *encoder);

/* Add a report, which must remain in place until encoder_flush(). */
void encoder_report(struct encoder *encoder, const uint8_t *report);
/* Reports are missing after the last one. @loss: GPUOA_RECORD_BUFFER_OVERFLOW or _REPORTS_LOST */
void encoder_loss(struct encoder *encoder, uint32_t loss);
/* Write a status record; @flags: GPUOA_STATUS_* */
void encoder_status(struct encoder *encoder, uint32_t flags);
/* Write the pending reports to the ring. A loss is written with the next report. */
void encoder_flush(struct encoder *encoder);
/* Write a pending loss of unknown size: no report will follow. */
void encoder_end(struct encoder *encoder);

#endif /* GPUOA_LIB_READER_DRM_ENCODER_H */
