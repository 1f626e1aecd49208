/* SPDX-License-Identifier: MIT */
/*
 * unit.h - an open OA unit, and the interface of a backend
 *
 * A backend supports one interface of the kernel that provides OA units: gpuoa.ko's PMU, i915-perf,
 * or xe's observation interface. Each has a separate directory with one struct backend;
 * reader/backends has the list. The rest of the library works on the units and streams of any
 * backend.
 *
 * A backend's stream is a struct stream (stream.h): a ring of perf samples with gpuoa's records
 * (drm/gpuoa_drm.h) as payload. If the kernel has no perf event, a struct emulated_ring
 * (emulated_ring.h) writes such samples to a ring. So recording, reading, snapshots and merging are
 * independent of the backend.
 */
#ifndef GPUOA_LIB_READER_STREAM_UNIT_H
#define GPUOA_LIB_READER_STREAM_UNIT_H

#include "base/complaint.h"
#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "uapi/gpuoa.h"

#define UNIT_NAME_SIZE 16

struct stream;
struct gpuoa_unit;

#define REGISTER_KINDS (GPUOA_REGISTER_FLEX + 1)

/* A configuration to register. */
struct unit_config {
	const char *uuid; /* shorter than GPUOA_UUID_SIZE */
	const struct gpuoa_register *registers[REGISTER_KINDS]; /* by enum gpuoa_register_kind */
	uint32_t counts[REGISTER_KINDS];
};

/* A configuration that the kernel knows. */
struct registered_config {
	uint32_t id; /* metric_set of perf events */
	char uuid[GPUOA_UUID_SIZE];
};

/*
 * Operations of a backend. They return 0 or a negative errno unless stated otherwise. Those with
 * the name of a public function implement it. If an operation is NULL, it is not supported, and
 * callers return -EOPNOTSUPP, with an error message if possible.
 */
struct backend {
	const char *name; /* "gpuoa": value of gpuoa_unit_desc.driver */
	/* error message for operations that are NULL: "i915-perf has no marks, ..." */
	const char *lacks;
	/*
	 * Files of streams report POLLHUP after a GPU was removed, when its last reports have
	 * arrived.
	 */
	bool hangs_up;

	/*
	 * The functions that find units open nothing and require no privilege. Unit names are
	 * unique over all backends.
	 */
	/* Implement gpuoa_unit_list() for this backend. */
	int (*list)(char (*names)[UNIT_NAME_SIZE], size_t max);
	/* Get the name of the device that a unit belongs to; "" if there is none. */
	void (*find_parent)(const char *unit, char *parent, size_t size);
	/* Get the path of the device node of a unit. */
	void (*find_node)(const char *unit, char *path, size_t size);

	/*
	 * Open a unit that list() returned: allocate a struct that begins with struct gpuoa_unit,
	 * and set .fd and .desc except .driver. This may write an error message.
	 */
	int (*open)(const char *unit, struct gpuoa_unit **opened,
		    const struct complaint *complaint);
	/* Close and free a unit returned by open(). */
	void (*close)(struct gpuoa_unit *unit);
	/* Returns 0, or -ENODEV if the GPU was removed. */
	int (*check)(const struct gpuoa_unit *unit);

	int (*clock)(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair);
	int (*mark)(struct gpuoa_unit *unit, uint64_t value, struct gpuoa_stream_marker *marker);
	/* Implement gpuoa_unit_get_user(). Returns 1 if the unit is in use, or 0. */
	int (*used)(struct gpuoa_unit *unit, struct gpuoa_unit_user *use);
	/* Implement gpuoa_reader_context(). */
	int (*context)(struct gpuoa_unit *unit, uint32_t id, struct gpuoa_context_owner *owner);

	/*
	 * Register a configuration, and set *@id to its id. Returns 0, or: -EEXIST if it is already
	 * registered (*@id is its id), -EINVAL if a register is rejected (*@id is its address, or
	 * 0), -EACCES, -EADDRINUSE, -ENODEV.
	 */
	int (*add_config)(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id);
	/* List the registered configurations. The caller frees the list. Returns their number. */
	int (*list_configs)(struct gpuoa_unit *unit, struct registered_config **configs);
	int (*remove_config)(struct gpuoa_unit *unit, uint32_t id);

	/*
	 * Open the stream in the kernel for configuration @id, disabled, and set .fd, .id, .cpu,
	 * .attr, .layout, .ring and .watermark. The properties of the stream are already in
	 * .reader.desc and @options; @options is updated to the actual values. On error, nothing
	 * remains open.
	 */
	int (*open_stream)(struct stream *stream, uint32_t id,
			   struct gpuoa_stream_options *options);
	/* Enable or disable sampling. Data sampled before disabling can still be read. */
	int (*switch_stream)(struct stream *stream, bool on);
	/* Flush reports from the hardware to the stream, if possible; NULL: not needed. */
	int (*look)(struct stream *stream);
	/* Switch all streams of the unit to configuration @id. */
	int (*reconfigure)(struct stream *stream, uint32_t id);

	/*
	 * Describe the error @err of open_stream(), if the backend has a more specific message.
	 * Returns false if the common message is to be used.
	 */
	bool (*complain)(const struct complaint *complaint, const struct stream *stream,
			 const struct gpuoa_stream_options *options, int err);
	/*
	 * what a user without CAP_PERFMON can do if add_config() fails: ", or ..."; "" if nothing
	 */
	const char *upload_remedy;
};

/* An OA unit of this machine. */
struct gpuoa_unit {
	const struct backend *backend;
	int fd; /* file descriptor for requests to the kernel */
	struct gpuoa_unit_desc desc;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
};

/* Length of a UUID: "01234567-0123-0123-0123-0123456789ab" */
#define UUID_LENGTH 36

/*
 * List the configurations in a metrics/ directory of sysfs, which has a file <uuid>/id for each of
 * them. The caller frees the list. Returns the number of configurations; -ENODEV: no such
 * directory.
 */
int unit_configs_below(const char *metrics, struct registered_config **configs);

/* Returns 0, or -ENODEV if the GPU was removed. */
int unit_check(const struct gpuoa_unit *unit);

/* Report that a unit's backend does not support an operation: "gpuoa0: ..." Returns -EOPNOTSUPP. */
int unit_lacks(const struct gpuoa_unit *unit, const struct complaint *complaint);

#endif /* GPUOA_LIB_READER_STREAM_UNIT_H */
