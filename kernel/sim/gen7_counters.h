/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen7_counters.h - what the counters of Haswell's OA unit count, and where a report has them.
 */
#ifndef _GEN7_COUNTERS_H
#define _GEN7_COUNTERS_H

#include <linux/bits.h>

#include "sim_cec.h"
#include "sim_scene.h"

#define GEN7_N_A 45
#define GEN7_N_B SIM_N_CECS
#define GEN7_N_C 8

/* Index of a counter among all of them. */
#define GEN7_A 0
#define GEN7_B GEN7_N_A
#define GEN7_C (GEN7_B + GEN7_N_B)
#define GEN7_N_COUNTERS (GEN7_C + GEN7_N_C)

/*
 * Integrals have SIM_FRACTION_BITS of fraction, scales have these: the product is integer from
 * bit 32 on.
 */
#define GEN7_SCALE_BITS 8
#define GEN7_SCALE_ONE BIT(GEN7_SCALE_BITS)

/**
 * struct gen7_source - what a counter counts
 * @signal: enum sim_signal
 * @scale: part of it, in 1/GEN7_SCALE_ONE; 0 is nothing
 */
struct gen7_source {
	u8 signal;
	u16 scale;
};

extern const struct gen7_source gen7_a[GEN7_N_A];

/**
 * struct gen7_set - a configuration of the NOA multiplexer whose signals are known
 * @name: name of the metric set
 * @mux: gen7_hash() over its multiplexer writes, in order
 * @cec: gen7_hash() over CEC0_0..CEC7_1 that it needs, 0 if its B counters don't go through the
 *	comparators
 * @b: what the B counters count
 * @c: what the C counters count
 */
struct gen7_set {
	const char *name;
	u64 mux;
	u64 cec;
	struct gen7_source b[GEN7_N_B];
	struct gen7_source c[GEN7_N_C];
};

extern const struct gen7_set gen7_sets[];
extern const unsigned int gen7_n_sets;

/* A hash of register writes: start with GEN7_HASH_START, add each one. */
#define GEN7_HASH_START 0xcbf29ce484222325ULL

u64 gen7_hash(u64 hash, u32 reg, u32 value);

/**
 * struct gen7_boolean - the registers that decide what the B counters see
 * @starttrig2: gates B0..B3
 * @starttrig6: gates B4..B7
 * @cec: CEC0_0, CEC0_1, CEC1_0, ...
 */
struct gen7_boolean {
	u32 starttrig2;
	u32 starttrig6;
	u32 cec[2 * SIM_N_CECS];
};

/**
 * struct gen7_selection - what the programmed configuration makes the B and C counters count
 * @set: the set that the multiplexer carries, or NULL
 * @compared: bit n: B counter n counts what its comparator says; see @patterns
 * @direct: bit n: B counter n counts the set's signal
 * @patterns: see sim_cec_count()
 */
struct gen7_selection {
	const struct gen7_set *set;
	u8 compared;
	u8 direct;
	u8 patterns[SIM_N_CECS];
};

void gen7_select(u64 mux, const struct gen7_boolean *boolean, struct gen7_selection *selection);
struct gen7_source gen7_source(const struct gen7_selection *selection, unsigned int counter);

/**
 * struct gen7_run - consecutive counters in a report
 * @first: index of the first counter
 * @n: how many
 * @dword: where the first one stands
 */
struct gen7_run {
	u8 first;
	u8 n;
	u8 dword;
};

/**
 * struct gen7_format - report format
 * @size: bytes
 * @runs: the counters
 */
struct gen7_format {
	u32 size;
	struct gen7_run runs[3];
};

/* By the code that OACONTROL takes. */
extern const struct gen7_format gen7_formats[8];

#endif /* _GEN7_COUNTERS_H */
