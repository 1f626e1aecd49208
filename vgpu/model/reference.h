/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reference.h - exact reference values of counters between two points in time.
 */
#ifndef _SIM_REFERENCE_H
#define _SIM_REFERENCE_H

#include "env.h"

struct sim_oa;

/**
 * struct sim_query - a query for reference values
 * @oa: the OA unit
 * @set: the query is set
 * @stream: a slot, or SIM_GLOBAL
 * @from: first tick
 * @to: second tick
 */
struct sim_query {
	struct sim_oa *oa;
	bool set;
	unsigned int stream;
	u64 from;
	u64 to;
};

struct sim_reference;

int sim_reference_parse(struct sim_query *query, const char *question);
struct sim_reference *sim_reference_compute(const struct sim_query *query);
void sim_reference_print(struct seq_file *m, const struct sim_reference *reference);
void sim_reference_free(struct sim_reference *reference);

#endif /* _SIM_REFERENCE_H */
