/* SPDX-License-Identifier: MIT */
/*
 * unit.h - an open OA unit, and what an origin of units has to provide
 *
 * An origin is an interface of the kernel that offers OA units: gpuoa.ko's PMU, i915-perf, xe's
 * observation. Each has a room of its own, with one struct origin; source/origins has the list of
 * them. All else in the library works on any origin's units and streams.
 *
 * An origin's stream is a struct stream (stream.h): a ring of perf samples whose payloads are
 * gpuoa's records (drm/gpuoa_drm.h). A kernel that has no perf event for them needs a struct feed
 * (feed.h), which writes such samples into a ring. So recordings, reads, snapshots and merging need
 * not know where reports come from.
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_UNIT_H
#define GPUOA_LIB_SOURCE_STREAM_UNIT_H

#include "base/complaint.h"
#include "gpuoa-custom.h"
#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "uapi/gpuoa.h"

#define UNIT_NAME_SIZE 16

struct stream;
struct gpuoa_unit;

#define REGISTER_KINDS (GPUOA_REGISTER_FLEX + 1)

/* A configuration to be registered. */
struct unit_config {
	const char *uuid; /* shorter than GPUOA_UUID_SIZE */
	const struct gpuoa_register *registers[REGISTER_KINDS]; /* by enum gpuoa_register_kind */
	uint32_t counts[REGISTER_KINDS];
};

/*
 * What an origin can do. Results are 0 or a negative errno if nothing else is said; those of public
 * functions of the same name are told in their headers. NULL: it cannot do that, and callers get
 * -EOPNOTSUPP, with .lacks where there is room for a text.
 */
struct origin {
	const char *name; /* "gpuoa": as gpuoa_unit_desc.origin */
	const char *lacks; /* why functions are NULL: "i915-perf has no marks, ..." */
	/* When a GPU is gone and the last of its reports are there, its streams' files say POLLHUP.
	 */
	bool hangs_up;

	/*
	 * Finding units: nothing is opened for that, and no right needed. Their names differ from
	 * those of all other origins.
	 */
	/* As gpuoa_unit_list(), of this origin only. */
	int (*list)(char (*names)[UNIT_NAME_SIZE], size_t max);
	/* Name of the device that a unit belongs to; "" if there is none. */
	void (*find_parent)(const char *unit, char *parent, size_t size);
	/* Path of the device node by which a unit is opened. */
	void (*find_node)(const char *unit, char *path, size_t size);

	/*
	 * Open a unit that list() has listed: a struct that begins with struct gpuoa_unit, of which
	 * it fills in .fd and .desc, all but .origin. Complains, or leaves that to the caller.
	 */
	int (*open)(const char *unit, struct gpuoa_unit **opened,
		    const struct complaint *complaint);
	/* Close and free what open() has made. */
	void (*close)(struct gpuoa_unit *unit);
	/* 0, or -ENODEV if the GPU is gone. */
	int (*check)(const struct gpuoa_unit *unit);

	int (*clock)(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair);
	int (*mark)(struct gpuoa_unit *unit, uint64_t value, struct gpuoa_stream_marker *marker);
	/* Returns 1 or 0, as gpuoa_unit_used(). */
	int (*used)(struct gpuoa_unit *unit, struct gpuoa_unit_use *use);
	/* As gpuoa_source_context(). */
	int (*context)(struct gpuoa_unit *unit, uint32_t id, struct gpuoa_context_owner *owner);

	/*
	 * Register a configuration; *@id gets its id. -EEXIST: it was there, *@id is its id.
	 * -EINVAL: *@id is the register that is refused, or 0. -EACCES, -EADDRINUSE, -ENODEV.
	 */
	int (*add_config)(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id);
	/* All that are registered, to be freed by the caller: returns how many. */
	int (*list_configs)(struct gpuoa_unit *unit, struct gpuoa_unit_config **configs);
	int (*remove_config)(struct gpuoa_unit *unit, uint32_t id);

	/*
	 * Open the kernel's part of a stream, disabled, for configuration @id: .fd, .id, .cpu,
	 * .attr, .layout, .ring and .watermark. What the stream shall be is chosen already, in
	 * source.desc and @options, which get what it is. Nothing is left open after an error.
	 */
	int (*open_stream)(struct stream *stream, uint32_t id,
			   struct gpuoa_stream_options *options);
	/* Begin or end to sample. What was sampled before the end can still be read. */
	int (*switch_stream)(struct stream *stream, bool on);
	/* Have the kernel hand on what has landed, if it can; NULL: there is nothing to be done. */
	int (*look)(struct stream *stream);
	/* All streams of the unit measure configuration @id from now on. */
	int (*reconfigure)(struct stream *stream, uint32_t id);

	/*
	 * Say why open_stream() failed with @err, where it is not plain from @err. False: leave it
	 * to the text that all origins share.
	 */
	bool (*complain)(const struct complaint *complaint, const struct stream *stream,
			 const struct gpuoa_stream_options *options, int err);
	/* What else than CAP_PERFMON would let add_config() pass: ", or ..."; "" if nothing. */
	const char *upload_remedy;
};

/* An OA unit of this machine. */
struct gpuoa_unit {
	const struct origin *origin;
	int fd; /* what its origin asks the kernel by */
	struct gpuoa_unit_desc desc;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
};

/* 0, or -ENODEV if the GPU is gone. */
int unit_check(const struct gpuoa_unit *unit);

/* Complain that a unit's origin cannot do something: "gpuoa0: ..." Returns -EOPNOTSUPP. */
int unit_lacks(const struct gpuoa_unit *unit, const struct complaint *complaint);

#endif /* GPUOA_LIB_SOURCE_STREAM_UNIT_H */
