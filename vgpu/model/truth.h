/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * truth.h - exact reference values of counters between two points in time.
 */
#ifndef _SIM_TRUTH_H
#define _SIM_TRUTH_H

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

struct sim_truth;

int sim_truth_ask(struct sim_query *query, const char *question);
struct sim_truth *sim_truth_find(const struct sim_query *query);
void sim_truth_print(struct seq_file *m, const struct sim_truth *truth);
void sim_truth_free(struct sim_truth *truth);

#endif /* _SIM_TRUTH_H */
