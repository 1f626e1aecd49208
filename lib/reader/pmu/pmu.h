/* SPDX-License-Identifier: MIT */
/* pmu.h - backend for gpuoa.ko: a perf PMU and /dev/gpuoa<N> for each unit */
#ifndef GPUOA_LIB_READER_PMU_PMU_H
#define GPUOA_LIB_READER_PMU_PMU_H

#include "reader/stream/unit.h"

extern const struct backend pmu_backend;

/* Implementations of struct backend in other files of this directory. */
int pmu_used(struct gpuoa_unit *unit, struct gpuoa_unit_user *use);
int pmu_context(struct gpuoa_unit *unit, uint32_t id, struct gpuoa_context_owner *owner);
int pmu_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id);
int pmu_list_configs(struct gpuoa_unit *unit, struct registered_config **configs);
int pmu_remove_config(struct gpuoa_unit *unit, uint32_t id);
int pmu_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options);
int pmu_switch_stream(struct stream *stream, bool on);
int pmu_look(struct stream *stream);
int pmu_reconfigure(struct stream *stream, uint32_t id);
bool pmu_complain(const struct complaint *complaint, const struct stream *stream,
		  const struct gpuoa_stream_options *options, int err);

/* Implementations for struct backend. */
int pmu_list(char (*names)[UNIT_NAME_SIZE], size_t max);
void pmu_find_parent(const char *unit, char *parent, size_t size);
void pmu_find_node(const char *unit, char *path, size_t size);

/* Returns the CPU on which events of a unit must be opened, or a negative errno. */
int pmu_find_cpu(const char *unit);

#endif /* GPUOA_LIB_READER_PMU_PMU_H */
