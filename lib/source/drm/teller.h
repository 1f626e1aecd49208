/* SPDX-License-Identifier: MIT */
/*
 * teller.h - what feeds of stock kernels tell: gpuoa's records, where the kernel has others or none
 *
 * Reports that follow each other go into one sample. What the kernel does not tell is added: what
 * the stream is, clock pairs, numbers of reports, and how many of them a loss took, by the
 * timestamps around it.
 */
#ifndef GPUOA_LIB_SOURCE_DRM_TELLER_H
#define GPUOA_LIB_SOURCE_DRM_TELLER_H

#include "report/format.h"
#include "source/stream/feed.h"
#include "source/stream/stream.h"
#include "uapi/gpuoa.h"

/* Room in the ring that is needed besides that of reports. */
#define TELLER_ROOM 4096

#define TELLER_BATCH_REPORTS 256 /* in a sample, at most */

/* Reports for one sample, where they were read to. */
struct teller_batch {
	size_t count;
	struct iovec pieces[2 + TELLER_BATCH_REPORTS]; /* behind two heads */
};

struct teller {
	struct feed *feed;
	struct gpuoa_unit *unit;
	const struct report_format *format;
	uint32_t wire_size; /* bytes of a report in the ring */
	uint64_t period; /* ticks between reports of the timer; 0: not of all contexts */
	struct gpuoa_record_stream about;
	struct gpuoa_record_thin thin; /* .record.size 0: all dwords are kept */
	uint64_t keep[GPUOA_KEEP_MASK_WORDS]; /* likewise */

	bool begun; /* the ring has been told of what was switched on */
	uint64_t describe_due; /* CLOCK_MONOTONIC, ns */
	uint64_t first; /* number of the next report */
	uint32_t loss; /* enum gpuoa_record_type of one that is to be told; 0: none */
	bool has_last;
	uint64_t last; /* timestamp of the last report */
	struct teller_batch batch;
	uint8_t *thin_reports; /* where those of a batch are made thin; NULL: they are whole */
};

/* A teller of a stream of which .unit, .wire_size and .source.desc are known. -ENOMEM. */
int teller_init(struct teller *teller, struct feed *feed, const struct stream *stream);
void teller_fini(struct teller *teller);

/*
 * For pump(), with TELLER_ROOM in the ring: what the stream is, if it was switched on since; and
 * again, if it is time.
 */
void teller_begin(struct teller *teller);
void teller_repeat(struct teller *teller);

/* A report, which stays where it is until teller_flush(). */
void teller_report(struct teller *teller, const uint8_t *report);
/* Reports are missing behind the last one. @loss: GPUOA_RECORD_BUFFER_OVERFLOW, _REPORTS_LOST */
void teller_loss(struct teller *teller, uint32_t loss);
/* GPUOA_STATUS_* */
void teller_status(struct teller *teller, uint32_t flags);
/* All of that goes into the ring, but a loss waits for the report behind it. */
void teller_flush(struct teller *teller);
/* No report comes behind a loss: how many it took is not known. */
void teller_end(struct teller *teller);

#endif /* GPUOA_LIB_SOURCE_DRM_TELLER_H */
