/* SPDX-License-Identifier: MIT */
/*
 * teller.h - record encoder: convert stock drivers' data to gpuoa's records
 *
 * Consecutive reports are combined in one sample. The encoder adds what stock drivers do not
 * provide: a description of the stream, clock pairs, sequence numbers, and the number of lost
 * reports, computed from adjacent timestamps.
 */
#ifndef GPUOA_LIB_READER_DRM_TELLER_H
#define GPUOA_LIB_READER_DRM_TELLER_H

#include "report/format.h"
#include "reader/stream/feed.h"
#include "reader/stream/stream.h"
#include "uapi/gpuoa.h"

/* Space in the ring needed in addition to that of reports. */
#define TELLER_ROOM 4096

#define TELLER_BATCH_REPORTS 256 /* maximum number in a sample */

/* Reports of one sample, in the buffer they were read to. */
struct teller_batch {
	size_t count;
	struct iovec pieces[2 + TELLER_BATCH_REPORTS]; /* two headers, then reports */
};

struct teller {
	struct feed *feed;
	struct gpuoa_unit *unit;
	const struct report_format *format;
	uint32_t wire_size; /* bytes of a report in the ring */
	/* ticks between the timer's reports; 0: unknown because of a context filter */
	uint64_t period;
	struct gpuoa_record_stream about;
	struct gpuoa_record_dword_mask thin; /* .record.size 0: whole reports */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS]; /* dword mask; all 0: whole reports */

	bool begun; /* the description was written after the stream was enabled */
	uint64_t describe_due; /* time of the next description, CLOCK_MONOTONIC in ns */
	uint64_t first; /* sequence number of the next report */
	uint32_t loss; /* enum gpuoa_record_type of a loss not yet written; 0: none */
	bool has_last;
	uint64_t last; /* timestamp of the last report */
	struct teller_batch batch;
	/* buffer for reports reduced to the dword mask; NULL: whole reports */
	uint8_t *thin_reports;
};

/* Initialize for a stream with .unit, .wire_size and .reader.desc set. Returns 0 or -ENOMEM. */
int teller_init(struct teller *teller, struct feed *feed, const struct stream *stream);
void teller_fini(struct teller *teller);

/*
 * Write the description of the stream, if it was enabled since the last call (_begin) or if it is
 * due again (_repeat). Called by pump() with TELLER_ROOM available in the ring.
 */
void teller_begin(struct teller *teller);
void teller_repeat(struct teller *teller);

/* Add a report, which must remain in place until teller_flush(). */
void teller_report(struct teller *teller, const uint8_t *report);
/* Reports are missing after the last one. @loss: GPUOA_RECORD_BUFFER_OVERFLOW or _REPORTS_LOST */
void teller_loss(struct teller *teller, uint32_t loss);
/* Write a status record; @flags: GPUOA_STATUS_* */
void teller_status(struct teller *teller, uint32_t flags);
/* Write the pending reports to the ring. A loss is written with the next report. */
void teller_flush(struct teller *teller);
/* Write a pending loss of unknown size: no report will follow. */
void teller_end(struct teller *teller);

#endif /* GPUOA_LIB_READER_DRM_TELLER_H */
