/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mode.h - how reports reach the reader: copied into samples (RAW), left in an AUX area, or not at
 * all.
 */
#ifndef _GPUOA_MODE_H
#define _GPUOA_MODE_H

#include <linux/types.h>

#include "uapi/gpuoa.h"

struct gpuoa_aux_area;
struct gpuoa_format_desc;
struct gpuoa_stream;
struct gpuoa_unit;

/**
 * struct gpuoa_mode - how reports reach the reader
 *
 * @can_run, @run, @poll, @halt, @report_cut and @quiet are called with &gpuoa_stream.lock held, on
 * the unit's CPU with interrupts off.
 */
struct gpuoa_mode {
	/** @flags: what the stream's description says of it, GPUOA_ATTR_* */
	u32 flags;

	/** @in_area: the OABUFFER is the AUX area of one event; nobody shares or counts */
	bool in_area;

	/** @check: can the unit do what is asked in this mode? 0 or -EOPNOTSUPP; NULL: always */
	int (*check)(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		     const struct gpuoa_format_desc *format);

	/** @alloc_buffer: make the OABUFFER; NULL: it comes later. 0 or -errno. May sleep */
	int (*alloc_buffer)(struct gpuoa_stream *stream);

	/** @free_buffer: the hardware writes no more, or &gpuoa_stream.stop_failed. May sleep */
	void (*free_buffer)(struct gpuoa_stream *stream);

	/** @can_run: is there a buffer? NULL: always */
	bool (*can_run)(const struct gpuoa_stream *stream);

	/** @run: begin to sample */
	void (*run)(struct gpuoa_stream *stream);

	/** @poll: look at the unit and publish what has landed; returns ns until the next time */
	u64 (*poll)(struct gpuoa_stream *stream);

	/** @halt: stop the unit and publish what has landed */
	void (*halt)(struct gpuoa_stream *stream);

	/**
	 * @spoil: the unit has lost its registers; what it wrote and was not published is lost.
	 * Called with &gpuoa_stream.lock held, on any CPU
	 */
	void (*spoil)(struct gpuoa_stream *stream);

	/** @clean: get the buffer ready for the next start; NULL: it always is. May sleep */
	void (*clean)(struct gpuoa_stream *stream);

	/** @report_cut: tell the reader of what was spoilt */
	void (*report_cut)(struct gpuoa_stream *stream);

	/** @quiet: is nobody to be told anything while the unit runs? NULL: never */
	bool (*quiet)(const struct gpuoa_stream *stream);
};

extern const struct gpuoa_mode gpuoa_mode_raw;
extern const struct gpuoa_mode gpuoa_mode_aux;
extern const struct gpuoa_mode gpuoa_mode_none;

/**
 * gpuoa_mode_of - the mode that an event asks for
 * @flags: GPUOA_ATTR_*
 *
 * Return: the mode
 */
static inline const struct gpuoa_mode *gpuoa_mode_of(u32 flags)
{
	if (flags & GPUOA_ATTR_NO_REPORTS)
		return &gpuoa_mode_none;

	return flags & GPUOA_ATTR_AUX ? &gpuoa_mode_aux : &gpuoa_mode_raw;
}

/* mode_aux.c */
void gpuoa_mode_aux_attach(struct gpuoa_stream *stream, struct gpuoa_aux_area *area);
void gpuoa_mode_aux_detach(struct gpuoa_stream *stream);

#endif /* _GPUOA_MODE_H */
