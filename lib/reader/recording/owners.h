/* SPDX-License-Identifier: MIT */
/* owners.h - owners of contexts in a recording: query and write them, read and look them up */
#ifndef GPUOA_LIB_READER_RECORDING_OWNERS_H
#define GPUOA_LIB_READER_RECORDING_OWNERS_H

#include "report/format.h"
#include "reader/rawdata.h"
#include "reader/recording/recording_metadata.h"
#include "reader/stream/stream.h"

/*
 * Maximum number of contexts that are queried until owners_ask_again(), because each takes a system
 * call and a record.
 */
#define OWNERS_ASKED_MAX 1024
#define OWNERS_ASKED_BITS 11
#define OWNERS_ASKED_SLOTS (1 << OWNERS_ASKED_BITS)

/* A hash set of the contexts whose owners have been queried. Zero-initialize. */
struct owners_asked {
	uint64_t slots[OWNERS_ASKED_SLOTS]; /* context field of a report plus one; 0: free */
	size_t count;
	uint64_t last; /* context field of the last report */
	bool has_last;
	bool off; /* the kernel does not provide owners, or denies access */
};

/*
 * Find new contexts in these reports, query their owners from the stream's unit, and write them to
 * @target. Errors are those of write(2).
 */
int owners_look(struct owners_asked *asked, const struct stream *stream,
		const struct metadata_target *target, const void *reports, size_t count);

/*
 * Forget which contexts were queried, because ids may be reused. They are queried again when they
 * occur.
 */
void owners_ask_again(struct owners_asked *asked);

/* Owners read from a recording. Zero-initialize. */
struct owners {
	struct rawdata_context *list;
	uint32_t *slots; /* hash table of twice .room slots: index in the list plus one; 0: free */
	size_t count;
	size_t room; /* a power of two */
	bool complete; /* the whole recording has been read */
};

void owners_fini(struct owners *owners);

/* Add an owner. It replaces an earlier owner of the same context id. Returns 0 or -ENOMEM. */
int owners_take(struct owners *owners, const struct rawdata_context *context);

/* Find the owner of a context id. Returns 0 or -ENOENT. */
int owners_find(const struct owners *owners, uint32_t id, struct gpuoa_context_owner *owner);

#endif /* GPUOA_LIB_READER_RECORDING_OWNERS_H */
