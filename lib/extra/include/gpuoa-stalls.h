/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-stalls.h - EU stall sampling: where threads of GPU programs wait, and for what
 *
 *   reasons       names and descriptions of the reasons
 *   layouts       format of the records, by platform
 *   sums          counts by address
 *   streams       sampling by the stock xe driver
 *   recordings    files of sums by window of time and kernels, alongside OA reports
 *
 * On Xe-HPC (Ponte Vecchio) and from Xe2 (Lunar Lake, Battlemage) on, each Xe core samples its EUs
 * periodically. A record has the address of an instruction, and how many samples found a thread
 * there, by reason. Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 *
 * Sources: drivers/gpu/drm/xe/xe_eu_stall.c and include/uapi/drm/xe_drm.h of Linux 7.3 (layouts,
 * periods); programmers-guide/METRICS.md of Intel's compute runtime (meaning of the reasons), and
 * l0_gfx_core_helper_xe2_hpg_xe3.inl there, by which Xe3 has the layout of Xe2. The layouts were
 * tested with records of virtual GPUs only, never yet with those of real hardware.
 */
#ifndef GPUOA_STALLS_H
#define GPUOA_STALLS_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reasons -------------------------------------------------------------------------------- */

/**
 * enum gpuoa_stall_reason - State of a thread when it was sampled.
 *
 * The values are stable. New reasons are added at the end.
 */
enum gpuoa_stall_reason {
	GPUOA_STALL_ACTIVE, /* no stall: an instruction was issued to at least one pipe */
	GPUOA_STALL_OTHER, /* any reason without a separate count */
	GPUOA_STALL_CONTROL, /* a branch */
	GPUOA_STALL_PIPE, /* the pipe of the instruction was busy */
	/* a send: its queue was full, or it depended on memory or on registers */
	GPUOA_STALL_SEND,
	/* result of an instruction at a fixed distance before it, or the accumulator */
	GPUOA_STALL_DISTANCE,
	/* a scoreboard token: result of a send, such as a load */
	GPUOA_STALL_SCOREBOARD,
	GPUOA_STALL_SYNC, /* a sync instruction: barrier, fence */
	GPUOA_STALL_FETCH, /* the instruction had not been fetched yet */
	/* order of pixel shader threads; 0 in compute kernels, and on Ponte Vecchio */
	GPUOA_STALL_PS_ORDER,
	GPUOA_STALL_REASON_COUNT,
};

/** GPUOA_STALL_REASONS - Size of arrays indexed by enum gpuoa_stall_reason, with spare room. */
#define GPUOA_STALL_REASONS 16

/** struct gpuoa_stall_reason_desc - Description of a reason. Strings are static. */
struct gpuoa_stall_reason_desc {
	enum gpuoa_stall_reason reason;
	/*
	 * 0: not a stall, or unknown. 1: the thread had no instruction ready; more threads, or more
	 * instructions between producer and consumer, help. 2: an instruction was ready, but its
	 * pipe or queue was not; less pressure on it helps.
	 */
	uint32_t stage;
	const char *name; /* short name without spaces: "scoreboard" */
	const char *title; /* "waiting for a scoreboard token" */
	const char *description; /* a sentence */
	const char *field; /* name of the field in xe's documentation: "sbid" */
	const char *level_zero; /* name of the metric in Level Zero: "SbidStall" */
};

/**
 * gpuoa_stall_describe_reason() - Describe a reason.
 * @size: sizeof(*desc)
 *
 * Return: 0. -ERANGE: unknown reason.
 */
GPUOA_API int gpuoa_stall_describe_reason(enum gpuoa_stall_reason reason,
					  struct gpuoa_stall_reason_desc *desc, size_t size);

/**
 * gpuoa_stall_find_reason() - Find a reason by its name ("scoreboard").
 *
 * Return: enum gpuoa_stall_reason. -ENOENT: unknown name.
 */
GPUOA_API int gpuoa_stall_find_reason(const char *name);

/* ---- layouts -------------------------------------------------------------------------------- */

/** struct gpuoa_stall_layout - Format of the records of a GPU. Static. */
struct gpuoa_stall_layout;

/** struct gpuoa_stall_field - Position of a field in a record. Fixed: the struct never changes. */
struct gpuoa_stall_field {
	uint16_t bit; /* number of its first bit; bit 0 is the lowest bit of the first byte */
	uint16_t bits; /* number of bits; 0: the layout does not have the field */
};

/** struct gpuoa_stall_layout_desc - Description of a layout. */
struct gpuoa_stall_layout_desc {
	const char *name; /* "pvc", "xe2" or "xe3p". Static. */
	uint32_t record_size; /* bytes */
	/*
	 * Number of significant bits of addresses of this layout. 32: they are offsets from the
	 * instruction base address of the context (STATE_BASE_ADDRESS). Intel's compute runtime
	 * aligns that to 4 GiB, so that they are GPU addresses modulo 2^32. 64: they are whole GPU
	 * addresses.
	 */
	uint32_t address_bits;
	struct gpuoa_stall_field address; /* in units of 8 bytes */
	struct gpuoa_stall_field reasons[GPUOA_STALL_REASONS]; /* enum gpuoa_stall_reason */
	struct gpuoa_stall_field exception_id; /* meaning not documented */
	struct gpuoa_stall_field end_flag; /* 1 in each complete record */
};

/**
 * gpuoa_stall_layout_find() - Find the layout of a platform.
 * @platform: name in metric definitions ("lnl"), as in gpuoa_unit_desc.platform
 *
 * Return: NULL if GPUs of this platform have no EU stall sampling, or if the platform is unknown.
 */
GPUOA_API const struct gpuoa_stall_layout *gpuoa_stall_layout_find(const char *platform);

/**
 * gpuoa_stall_layout_by_name() - Find a layout by its own name ("xe2"). NULL if unknown.
 */
GPUOA_API const struct gpuoa_stall_layout *gpuoa_stall_layout_by_name(const char *name);

/** gpuoa_stall_layout_describe() - Describe a layout. @size is sizeof(*desc). */
GPUOA_API void gpuoa_stall_layout_describe(const struct gpuoa_stall_layout *layout,
					   struct gpuoa_stall_layout_desc *desc, size_t size);

/** struct gpuoa_stall_record - A decoded record. */
struct gpuoa_stall_record {
	/* address of the instruction, bytes, with gpuoa_stall_layout_desc.address_bits valid bits
	 */
	uint64_t address;
	uint32_t counts[GPUOA_STALL_REASONS]; /* samples; enum gpuoa_stall_reason */
	uint32_t exception_id;
	bool complete; /* the end flag is set, or the layout has none */
};

/**
 * gpuoa_stall_decode() - Decode a record.
 * @record: gpuoa_stall_layout_desc.record_size bytes, at any alignment
 * @size: sizeof(*decoded)
 */
GPUOA_API void gpuoa_stall_decode(const struct gpuoa_stall_layout *layout, const void *record,
				  struct gpuoa_stall_record *decoded, size_t size);

/* ---- sums ----------------------------------------------------------------------------------- */

/** struct gpuoa_stall_sums - Counts by address and reason. */
struct gpuoa_stall_sums;

/** struct gpuoa_stall_sum - Counts of an address. */
struct gpuoa_stall_sum {
	uint64_t address; /* bytes, as in gpuoa_stall_record */
	uint64_t counts[GPUOA_STALL_REASONS]; /* samples; enum gpuoa_stall_reason */
};

/** gpuoa_stall_sums_new() - Create empty sums. Release with gpuoa_stall_sums_free(). -ENOMEM. */
GPUOA_API int gpuoa_stall_sums_new(struct gpuoa_stall_sums **sums);

GPUOA_API void gpuoa_stall_sums_free(struct gpuoa_stall_sums *sums);

/** gpuoa_stall_sums_clear() - Remove all addresses, but keep the memory. */
GPUOA_API void gpuoa_stall_sums_clear(struct gpuoa_stall_sums *sums);

/**
 * gpuoa_stall_sums_add() - Add records.
 * @records: @count records, at any alignment
 *
 * Return: the number of incomplete records, which are not added. -ENOMEM: out of memory; some
 * records were added. -EOVERFLOW: @count exceeds INT_MAX.
 */
GPUOA_API int gpuoa_stall_sums_add(struct gpuoa_stall_sums *sums,
				   const struct gpuoa_stall_layout *layout, const void *records,
				   size_t count);

/**
 * gpuoa_stall_sums_add_sum() - Add counts of an address, for example of other sums.
 * @size: sizeof(*sum)
 *
 * Return: 0. -E2BIG: @sum has nonzero fields that this library does not know, or counts of unknown
 * reasons. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_stall_sums_add_sum(struct gpuoa_stall_sums *sums,
				       const struct gpuoa_stall_sum *sum, size_t size);

/** gpuoa_stall_sums_count() - Return the number of addresses. */
GPUOA_API uint32_t gpuoa_stall_sums_count(const struct gpuoa_stall_sums *sums);

/**
 * gpuoa_stall_sums_get() - Get the sum at an index.
 * @size: sizeof(*sum)
 *
 * Addresses keep their index, which is the order in which they were first added, until
 * gpuoa_stall_sums_sort() or gpuoa_stall_sums_clear().
 *
 * Return: 0. -ERANGE: @index is not below gpuoa_stall_sums_count().
 */
GPUOA_API int gpuoa_stall_sums_get(const struct gpuoa_stall_sums *sums, uint32_t index,
				   struct gpuoa_stall_sum *sum, size_t size);

/** gpuoa_stall_sums_sort() - Sort by address. */
GPUOA_API void gpuoa_stall_sums_sort(struct gpuoa_stall_sums *sums);

/**
 * gpuoa_stall_sums_find() - Find the sum of an address.
 * @size: sizeof(*sum)
 *
 * Return: 0. -ENOENT: no record has this address.
 */
GPUOA_API int gpuoa_stall_sums_find(const struct gpuoa_stall_sums *sums, uint64_t address,
				    struct gpuoa_stall_sum *sum, size_t size);

/**
 * gpuoa_stall_sums_total() - Add up the counts of all addresses.
 * @counts: result, by enum gpuoa_stall_reason
 */
GPUOA_API void gpuoa_stall_sums_total(const struct gpuoa_stall_sums *sums,
				      uint64_t counts[GPUOA_STALL_REASONS]);

/* ---- streams -------------------------------------------------------------------------------- */

/**
 * struct gpuoa_stall_stream - EU stall sampling of a GPU by the stock xe driver.
 *
 * Linux 6.15 or later is required. The driver keeps the GPU awake while a stream is enabled: no
 * RC6, so idle power and counters of idle time change.
 */
struct gpuoa_stall_stream;

/** GPUOA_STALL_PERIODS - Maximum number of periods in a description. */
#define GPUOA_STALL_PERIODS 16

/** struct gpuoa_stall_desc - EU stall sampling of a GPU, and the state of a stream. */
struct gpuoa_stall_desc {
	char device[64]; /* as in gpuoa_device_desc.name: "0000:00:02.0" */
	char platform[16]; /* "lnl" */
	char title[64]; /* "Lunar Lake" */
	const struct gpuoa_stall_layout *layout;
	uint32_t period_clocks; /* sampling period of the stream, GPU clocks; 0 without a stream */
	uint32_t period_count;
	uint32_t periods[GPUOA_STALL_PERIODS]; /* possible periods, ascending, GPU clocks */
	uint32_t xe_core_count; /* 0: the driver does not report the topology */
	uint64_t buffer_size; /* size of the driver's buffer for each Xe core, bytes */
	/*
	 * Frequency of the GPU's clock at the time of the call, Hz; 0: unknown, or the GPU sleeps.
	 * Divide a period by it to get an estimate in seconds: the clock changes.
	 */
	uint64_t frequency;
};

/**
 * gpuoa_stall_check() - Check whether EU stalls of a GPU can be sampled, and describe how.
 * @device: PCI address, DRM node, or name of an OA unit ("xe:0"); NULL: the first GPU that has EU
 *   stall sampling, else the first GPU
 * @size: sizeof(*desc)
 *
 * Neither opens a stream nor checks the permission to do so.
 *
 * Return: 0, or:
 * -ENODEV: there is no GPU
 * -ENOENT: no such GPU
 * -EACCES: no permission to open its DRM node
 * -EOPNOTSUPP: the GPU, its driver or the kernel has no EU stall sampling; @error names which
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_stall_check(const char *device, struct gpuoa_stall_desc *desc, size_t size,
				char *error, size_t error_size);

/** struct gpuoa_stall_options - Options of a stream. Zero-initialize, then set @size. */
struct gpuoa_stall_options {
	size_t size; /* sizeof(struct gpuoa_stall_options), mandatory */
	/*
	 * Sampling period, GPU clocks: rounded down to a possible one. 0: the longest. Out: the
	 * actual period.
	 */
	uint32_t period_clocks;
	/*
	 * Number of new records after which gpuoa_stall_wait() and poll(2) return. 0: a quarter of
	 * the buffer of an Xe core. Out: the actual number.
	 */
	uint32_t notify_records;
	bool disabled; /* start disabled */
};

/**
 * gpuoa_stall_open() - Open a stream.
 * @device: as for gpuoa_stall_check()
 * @options: may be NULL; out: actual values
 * @stream: result; close with gpuoa_stall_close()
 *
 * Records of all processes are delivered. They contain neither the process nor the Xe core.
 *
 * Return: 0, an error of gpuoa_stall_check(), or:
 * -EACCES: CAP_PERFMON is needed, unless sysctl dev.xe.observation_paranoid is 0
 * -EBUSY: another program has a stream of this GPU open: there can be one
 * -ERANGE: the period is shorter than the shortest, or longer than the longest
 * -EINVAL: @options->size is not set, or @options->notify_records exceeds the buffers
 * -E2BIG: @options has nonzero fields that this library does not know
 */
GPUOA_API int gpuoa_stall_open(const char *device, struct gpuoa_stall_options *options,
			       struct gpuoa_stall_stream **stream, char *error, size_t error_size);

GPUOA_API void gpuoa_stall_close(struct gpuoa_stall_stream *stream);

/** gpuoa_stall_describe() - Describe a stream. @size is sizeof(*desc). */
GPUOA_API void gpuoa_stall_describe(const struct gpuoa_stall_stream *stream,
				    struct gpuoa_stall_desc *desc, size_t size);

/**
 * gpuoa_stall_enable() - Start sampling. Does nothing if already started. Errors are those of xe:
 * -ETIMEDOUT: the GPU cannot be woken.
 */
GPUOA_API int gpuoa_stall_enable(struct gpuoa_stall_stream *stream);

/**
 * gpuoa_stall_disable() - Stop sampling. Does nothing if already stopped. Records that have not
 * been read are discarded.
 */
GPUOA_API int gpuoa_stall_disable(struct gpuoa_stall_stream *stream);

/** gpuoa_stall_fd() - Return the file descriptor of a stream, for poll(2). */
GPUOA_API int gpuoa_stall_fd(const struct gpuoa_stall_stream *stream);

/**
 * gpuoa_stall_wait() - Wait until gpuoa_stall_options.notify_records records can be read.
 * @timeout_ms: maximum time; -1: no limit
 *
 * The driver checks every 5 ms.
 *
 * Return: 1: they can be read. 0: timeout. -EINTR: a signal arrived.
 */
GPUOA_API int gpuoa_stall_wait(struct gpuoa_stall_stream *stream, int timeout_ms);

/** struct gpuoa_stall_window - Records of a read, and the time that they are from. */
struct gpuoa_stall_window {
	/*
	 * CLOCK_MONOTONIC, ns, at the previous read (at first: when sampling started) and at this
	 * one. Records contain no time. Since the driver looks for new records every 5 ms
	 * only, they can be that much older than @begin_ns.
	 */
	uint64_t begin_ns;
	uint64_t end_ns;
	/* records, valid until the next call for the stream; NULL if there are none */
	const void *records;
	size_t count;
	/*
	 * Number of times that the driver reported that records were lost because a buffer was
	 * full. Their number is not known.
	 */
	uint32_t losses;
};

/**
 * gpuoa_stall_read() - Read all records that the driver has, without waiting.
 * @size: sizeof(*window)
 *
 * Return: 0; @window->count may be 0. -ENODEV: the GPU was reset or removed, so the stream has
 * ended; kernels before 7.3 do not report a reset, and may then deliver wrong records. -EINVAL: the
 * stream is disabled.
 */
GPUOA_API int gpuoa_stall_read(struct gpuoa_stall_stream *stream, struct gpuoa_stall_window *window,
			       size_t size);

/* ---- recordings ----------------------------------------------------------------------------- */

/**
 * struct gpuoa_stall_recorder - Writes EU stalls, and streams of OA units, to a perf.data file.
 *
 * Readers of OA streams (gpuoa_file_open()) and the perf tool ignore the EU stalls.
 */
struct gpuoa_stall_recorder;

/**
 * gpuoa_stall_recorder_open() - Create a recording.
 * @desc: description of the stream, as of gpuoa_stall_describe()
 * @size: sizeof(*desc)
 * @streams: @count streams of OA units, as for gpuoa_recorder_open(); NULL with @count 0
 * @recorder: result; close with gpuoa_stall_recorder_close()
 *
 * Return: 0, or an error of gpuoa_recorder_open().
 */
GPUOA_API int gpuoa_stall_recorder_open(const struct gpuoa_stall_desc *desc, size_t size,
					struct gpuoa_reader *const *streams, uint32_t count,
					const char *path, struct gpuoa_stall_recorder **recorder,
					char *error, size_t error_size);

/**
 * gpuoa_stall_recorder_write() - Write a window, and all data of the streams of OA units.
 * @window: NULL: only write the data of the streams: a buffer may be full before a window ends
 * @sums: sums of the window's records; ignored if @window is NULL
 * @size: sizeof(*window); its records are not used
 *
 * A window without sums and losses is omitted.
 *
 * Return: 0, or an error of gpuoa_recorder_write().
 */
GPUOA_API int gpuoa_stall_recorder_write(struct gpuoa_stall_recorder *recorder,
					 const struct gpuoa_stall_window *window, size_t size,
					 const struct gpuoa_stall_sums *sums);

/** struct gpuoa_stall_kernel - A kernel of a process, or all kernels of a placed file. */
struct gpuoa_stall_kernel {
	uint32_t pid; /* process; 0: unknown */
	uint32_t file; /* number of its ELF file in the recording, from 1; 0: none */
	uint64_t address; /* GPU address; 0 if .name is NULL */
	uint64_t size; /* bytes; 0: that of the kernel in its file */
	/* NULL: all kernels of the file, which contains their addresses (gpuoa-symbols.h) */
	const char *name;
	uint64_t reserved[4];
};

/** GPUOA_STALL_NAME_MAX - Maximum length of the name of a kernel in a recording. */
#define GPUOA_STALL_NAME_MAX 16384

/**
 * gpuoa_stall_recorder_add_file() - Write an ELF file that contains kernels.
 * @data: @size bytes, at most 1 GiB
 *
 * A file with the same bytes is written once. The bytes are not checked.
 *
 * Return: the number of the file, an error of write(2), or:
 * -EINVAL: no bytes
 * -EFBIG: too large
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_stall_recorder_add_file(struct gpuoa_stall_recorder *recorder, const void *data,
					    size_t size);

/**
 * gpuoa_stall_recorder_add_kernel() - Write where a kernel was loaded.
 * @size: sizeof(*kernel)
 *
 * Files and kernels can be written at any time, before or after the samples in the kernels.
 *
 * Return: 0, an error of write(2), or:
 * -ENOENT: no file has this number
 * -EINVAL: no file, and no name or an empty one
 * -ENAMETOOLONG: the name exceeds GPUOA_STALL_NAME_MAX
 * -E2BIG: nonzero fields that this library does not know
 */
GPUOA_API int gpuoa_stall_recorder_add_kernel(struct gpuoa_stall_recorder *recorder,
					      const struct gpuoa_stall_kernel *kernel, size_t size);

/** struct gpuoa_stall_launch - Launches of a kernel from one place of a program. */
struct gpuoa_stall_launch {
	uint64_t address; /* of the kernel: gpuoa_stall_kernel.address */
	uint64_t count; /* number of launches */
	uint64_t groups; /* number of thread groups of all these launches; 0: unknown */
	/* names of the functions, the outermost first, each followed by a newline */
	const char *stack;
	uint32_t pid; /* process; 0: unknown */
	uint32_t reserved_1; /* 0 */
	uint64_t reserved[4];
};

/** GPUOA_STALL_STACK_MAX - Maximum length of the stack of a launch in a recording. */
#define GPUOA_STALL_STACK_MAX 24576

/**
 * gpuoa_stall_recorder_add_launch() - Write from where a kernel was launched.
 * @size: sizeof(*launch)
 *
 * Launches can be written at any time. Records of EU stalls do not contain the launch, so a reader
 * can only divide the samples of a kernel among its launches.
 *
 * Return: 0, an error of write(2), or:
 * -EINVAL: no stack or an empty one, or no launches
 * -ENAMETOOLONG: the stack exceeds GPUOA_STALL_STACK_MAX
 * -E2BIG: nonzero fields that this library does not know
 */
GPUOA_API int gpuoa_stall_recorder_add_launch(struct gpuoa_stall_recorder *recorder,
					      const struct gpuoa_stall_launch *launch, size_t size);

/**
 * gpuoa_stall_recorder_close() - Complete and close the file, and free the recorder.
 *
 * Return: 0, or the first error of a write.
 */
GPUOA_API int gpuoa_stall_recorder_close(struct gpuoa_stall_recorder *recorder);

/** struct gpuoa_stall_file - EU stalls of a recording. */
struct gpuoa_stall_file;

/**
 * gpuoa_stall_file_open() - Open the EU stalls of a recording.
 * @file: result; close with gpuoa_stall_file_close()
 *
 * Return: 0, an error of gpuoa_file_open(), or:
 * -ENODATA: the file has no EU stalls
 * -EBADMSG: their description is damaged
 */
GPUOA_API int gpuoa_stall_file_open(const char *path, struct gpuoa_stall_file **file, char *error,
				    size_t error_size);

GPUOA_API void gpuoa_stall_file_close(struct gpuoa_stall_file *file);

/**
 * gpuoa_stall_file_describe() - Describe the recorded stream. @size is sizeof(*desc).
 *
 * The layout is NULL if this library does not know it. The frequency is that at the beginning, or
 * 0.
 */
GPUOA_API void gpuoa_stall_file_describe(const struct gpuoa_stall_file *file,
					 struct gpuoa_stall_desc *desc, size_t size);

/**
 * gpuoa_stall_file_next() - Read the next window, or the next part of a window.
 * @window: result; its records are NULL, because a recording has sums
 * @size: sizeof(*window)
 * @sums: the sums of the window are added to it; may be NULL. Reasons that this library does not
 *   know are added as "other"
 *
 * A window with several hundred addresses is returned in parts, by consecutive calls, with the same
 * times and different addresses. Only the first part has the losses.
 *
 * Return: 1. 0: end of the file. -EBADMSG: the file is damaged. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_stall_file_next(struct gpuoa_stall_file *file,
				    struct gpuoa_stall_window *window, size_t size,
				    struct gpuoa_stall_sums *sums);

/**
 * gpuoa_stall_file_get_kernel() - Get a recorded kernel.
 * @index: from 0
 * @size: sizeof(*kernel)
 *
 * Only kernels that precede the last window read are known, so call it after
 * gpuoa_stall_file_next() returned 0. The name is valid until the file is closed.
 *
 * Return: 0. -ERANGE: there are fewer kernels.
 */
GPUOA_API int gpuoa_stall_file_get_kernel(const struct gpuoa_stall_file *file, uint32_t index,
					  struct gpuoa_stall_kernel *kernel, size_t size);

/**
 * gpuoa_stall_file_get_elf() - Get a recorded ELF file.
 * @number: as in gpuoa_stall_kernel.file
 * @data: result, *@size bytes; valid until the next call of gpuoa_stall_file_next() or
 *   gpuoa_stall_file_close()
 *
 * Return: 0. -ERANGE: the recording has no such file, or only a part of it.
 */
GPUOA_API int gpuoa_stall_file_get_elf(const struct gpuoa_stall_file *file, uint32_t number,
				       const void **data, size_t *size);

/**
 * gpuoa_stall_file_get_launch() - Get a recorded launch.
 * @index: from 0
 * @size: sizeof(*launch)
 *
 * As for gpuoa_stall_file_get_kernel(), call it after the last window. The stack is valid until the
 * file is closed.
 *
 * Return: 0. -ERANGE: there are fewer launches.
 */
GPUOA_API int gpuoa_stall_file_get_launch(const struct gpuoa_stall_file *file, uint32_t index,
					  struct gpuoa_stall_launch *launch, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_STALLS_H */
