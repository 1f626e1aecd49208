// SPDX-License-Identifier: MIT
/*
 * query.c - measure parts of a batch by queries, alongside a stream of the same set with marks
 *
 * Prints for each query and each interval of the stream: GPU time (s), "query" or "stream", GpuTime
 * (us), GpuBusy (%); and the marks. The GPU is simulated: sim_gpu.h is its driver.
 */
#include <gpuoa-query.h>
#include <gpuoa-time.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_gpu.h"

#define QUERIES 4
#define ERROR app.error, sizeof(app.error)

static struct {
	struct gpuoa_unit *unit;
	struct gpuoa_unit_desc desc;
	const struct gpuoa_set *set;
	struct gpuoa_calc_options calc; /* selects two metrics */
	struct sim_gpu gpu;
	struct sim_memory batch, memory;
	struct gpuoa_reader *stream;
	struct gpuoa_query_pool *pool;
	struct gpuoa_stream_marker mark; /* the latest mark */
	char error[512];
} app;

static void check(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "query: %s: %s\n", what, *app.error ? app.error : strerror(-err));
	exit(1);
}

/* The library reports the memory size that it needs; the driver allocates the memory. */
static void open_pool(void)
{
	const struct gpuoa_query_options options = { .size = sizeof(options),
						     .count = QUERIES,
						     .calc = &app.calc };
	const struct gpuoa_constants *constants = gpuoa_unit_constants(app.unit);
	struct gpuoa_stream_options stream = { .size = sizeof(stream), .period_ns = 1000000 };
	struct gpuoa_query_desc desc;

	check(gpuoa_query_describe(app.set, constants, &options, &desc, sizeof(desc), ERROR),
	      "queries");
	check(sim_memory_get(&app.gpu, &app.memory, 0x200000, desc.memory_size), "memory");
	/*
	 * Queries need an enabled stream. On some GPUs, the stream must be filtered for the context
	 * that runs the batches.
	 */
	stream.context_filter = desc.needs_context;
	stream.drm_fd = desc.needs_context ? app.gpu.fd : 0;
	stream.context = desc.needs_context ? app.gpu.context : 0;
	check(gpuoa_stream_open(app.unit, app.set, &stream, &app.stream, ERROR), "stream");
	check(gpuoa_query_pool_open(app.stream, &options, app.memory.map, app.memory.size,
				    app.memory.address, &app.pool, ERROR),
	      "pool");
}

/*
 * Build and run a batch. Each measured part is between the commands that begin a query and those
 * that end it.
 */
static void run_batch(void)
{
	const size_t room = app.batch.size / sizeof(uint32_t) - 1;
	uint32_t *dwords = app.batch.map;
	size_t n = 0;

	for (uint32_t i = 0; i < QUERIES; i++) {
		int some = gpuoa_query_begin(app.pool, i, dwords + n, room - n, ERROR);

		check(some, "begin");
		n += (size_t)some;
		n += sim_work(dwords + n, 2000000 * (i + 1));
		some = gpuoa_query_end(app.pool, i, dwords + n, room - n, ERROR);
		check(some, "end");
		n += (size_t)some;
	}
	check(gpuoa_unit_insert_marker(app.unit, 1, NULL, 0), "mark");
	check(sim_run(&app.gpu, &app.batch, n), "batch");
	check(gpuoa_unit_insert_marker(app.unit, 2, &app.mark, sizeof(app.mark)), "mark");
}

static double seconds(uint64_t ticks)
{
	return (double)ticks / (double)app.desc.timestamp_frequency;
}

static void print(uint64_t ticks, const char *what, const union gpuoa_value *values)
{
	printf("%.6f %s %.3f %.1f\n", seconds(ticks), what, (double)values[0].u64 / 1e3,
	       values[1].f32);
}

static void print_queries(void)
{
	const struct gpuoa_query_hints hints = { .size = sizeof(hints),
						 .near_ticks = app.mark.gpu_ticks };
	struct gpuoa_query_result results[QUERIES];
	union gpuoa_value values[QUERIES][2];
	int n = gpuoa_query_get(app.pool, 0, QUERIES, &hints, values[0], results,
				sizeof(results[0]), ERROR);

	check(n, "result");
	for (int i = 0; i < n; i++)
		print(results[i].interval.end, "query", values[i]);
}

static void print_stream(void)
{
	struct gpuoa_interval interval;
	union gpuoa_value values[2];
	struct gpuoa_reader_desc desc;
	struct gpuoa_calc *calc;

	gpuoa_reader_describe(app.stream, &desc, sizeof(desc));
	check(gpuoa_calc_open(app.set, gpuoa_unit_constants(app.unit), desc.format, &app.calc,
			      &calc, NULL, 0),
	      "calculator");
	while (gpuoa_calc_read(calc, app.stream, values, &interval, 1, NULL) > 0)
		print(interval.end, "stream", values);
	while (gpuoa_reader_next_marker(app.stream, &app.mark, sizeof(app.mark)) > 0)
		printf("%.6f mark %d\n", seconds(app.mark.gpu_ticks), (int)app.mark.value);
	gpuoa_calc_close(calc);
}

int main(int argc, char **argv)
{
	const struct gpuoa_metric *metrics[2];

	check(gpuoa_unit_open(argc > 1 ? argv[1] : NULL, &app.unit, ERROR), "unit");
	gpuoa_unit_describe(app.unit, &app.desc, sizeof(app.desc));
	app.set = gpuoa_platform_find_set(gpuoa_unit_platform(app.unit), "RenderBasic", "OA",
					  gpuoa_unit_constants(app.unit));
	metrics[0] = gpuoa_set_find_metric(app.set, "GpuTime");
	metrics[1] = gpuoa_set_find_metric(app.set, "GpuBusy");
	app.calc = (struct gpuoa_calc_options){
		.size = sizeof(app.calc), .metrics = metrics, .metric_count = 2, .no_infos = true
	};
	check(sim_gpu_open(&app.gpu, app.desc.parent), "driver");
	check(sim_memory_get(&app.gpu, &app.batch, 0x100000, 4096), "memory");
	open_pool();
	run_batch();
	print_queries();
	check(gpuoa_reader_disable(app.stream), "stream");
	print_stream();
	gpuoa_reader_close(app.stream);
	gpuoa_query_pool_close(app.pool);
	gpuoa_unit_close(app.unit);
	return 0;
}
