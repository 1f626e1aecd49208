/* SPDX-License-Identifier: MIT */
/*
 * owners.h - whose contexts are, in a recording: asks while it is made, and looks up when it is
 * read
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_OWNERS_H
#define GPUOA_LIB_SOURCE_RECORDING_OWNERS_H

#include "report/format.h"
#include "source/rawdata.h"
#include "source/recording/legend.h"
#include "source/stream/stream.h"

/*
 * So many contexts are asked about until they are asked about again: a question is a system call,
 * and its answer a record.
 */
#define OWNERS_ASKED_MAX 1024
#define OWNERS_ASKED_BITS 11
#define OWNERS_ASKED_SLOTS (1 << OWNERS_ASKED_BITS)

/*
 * Whom the recorder has asked about: a set that costs the same however many they are.
 * Zero-initialize.
 */
struct owners_asked {
	uint64_t slots[OWNERS_ASKED_SLOTS]; /* what stood in the context's place of a report, plus
					       one; 0: free */
	size_t count;
	uint64_t last; /* of the last report */
	bool has_last;
	bool off; /* the kernel does not tell, or not us */
};

/*
 * Contexts that are new in these reports: ask the stream's unit whose they are, and write what it
 * says to @target. Errors are those of write(2).
 */
int owners_look(struct owners_asked *asked, const struct stream *stream,
		const struct legend_target *target, const void *reports, size_t count);

/* Ask again when contexts come again: ids may be used anew. */
void owners_ask_again(struct owners_asked *asked);

/* What a recording says. Zero-initialize. */
struct owners {
	struct rawdata_context *list;
	uint32_t *slots; /* a hash of twice as many as there is room for: numbers in the list plus
			    one; 0: free */
	size_t count;
	size_t room; /* a power of two */
	bool complete; /* all of the recording was taken in */
};

void owners_fini(struct owners *owners);

/* 0 or -ENOMEM. A later one of the same id replaces an earlier one. */
int owners_take(struct owners *owners, const struct rawdata_context *context);

/* 0 or -ENOENT. */
int owners_find(const struct owners *owners, uint32_t id, struct gpuoa_context_owner *owner);

#endif /* GPUOA_LIB_SOURCE_RECORDING_OWNERS_H */
