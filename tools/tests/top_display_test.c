// SPDX-License-Identifier: MIT
/*
 * top_display_test.c - check what gpuoa top shows first, for all sets of all platforms, and how it
 * formats values, and EU stalls of a GPU, which the functions below replace
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zebin.h"
#include "top/watch.h"
#include "top/cell_text.h"
#include "top/top.h"

static int tests;

/* ---- a GPU with EU stalls ---- */

#define SAMPLED 0x1fe0 /* instruction of the first record */

static struct {
	int open; /* number of open streams */
	int error; /* of opening and of reading */
	unsigned int records; /* of the next read, each of another instruction */
	uint32_t losses;
} gpu;

int gpuoa_stall_open(const char *device, struct gpuoa_stall_options *options,
		     struct gpuoa_stall_stream **stream, char *error, size_t error_size)
{
	(void)options;
	if (gpu.error)
		snprintf(error, error_size, "%s is in use", device);
	gpu.open += !gpu.error;
	*stream = (void *)&gpu;
	return gpu.error;
}

void gpuoa_stall_close(struct gpuoa_stall_stream *stream)
{
	gpu.open -= stream != NULL;
}

void gpuoa_stall_describe(const struct gpuoa_stall_stream *stream, struct gpuoa_stall_desc *desc,
			  size_t size)
{
	(void)stream;
	(void)size;
	*desc = (struct gpuoa_stall_desc){ .layout = gpuoa_stall_layout_by_name("xe2") };
}

/* Record i has the instruction SAMPLED + 16 * i, and 1 + i samples that wait for a token. */
int gpuoa_stall_read(struct gpuoa_stall_stream *stream, struct gpuoa_stall_window *window,
		     size_t size)
{
	static uint64_t records[4][8];

	(void)stream;
	(void)size;
	memset(records, 0, sizeof(records));
	for (uint64_t i = 0; i < gpu.records; i++) {
		records[i][0] = SAMPLED / 8 + 2 * i;
		records[i][1] = (1 + i) << 13 | UINT64_C(1) << 48; /* scoreboard; end flag */
	}
	*window = (struct gpuoa_stall_window){ .records = records,
					       .count = gpu.records,
					       .losses = gpu.losses };
	return gpu.error;
}

static void result(bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, what);
}

/* Return the metric of a set that fits a role best. */
static const struct gpuoa_metric *find_role(const struct gpuoa_set *set, enum role role)
{
	const struct gpuoa_metric *metric, *best = NULL;
	unsigned int most = 0;

	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
		struct gpuoa_metric_desc desc;

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		if (role_fit(&desc, role) <= most)
			continue;
		most = role_fit(&desc, role);
		best = metric;
	}
	return best;
}

static const char *symbol_of(const struct gpuoa_metric *metric)
{
	static struct gpuoa_metric_desc desc;

	if (!metric)
		return "";
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	return desc.symbol;
}

/* Return the constants of a typical GPU. The caller frees them. */
static struct gpuoa_constants *usual(const struct gpuoa_platform *platform)
{
	struct gpuoa_constants *constants;

	if (gpuoa_constants_new(platform, &constants))
		abort();
	gpuoa_constants_assume(constants);
	return constants;
}

/*
 * Return whether a set may have no metric of a role. Gen7 has no thread counters, and the only set
 * of Ponte Vecchio does not count the states of EUs.
 */
static bool may_lack(const char *platform, int role)
{
	return role == ROLE_OCCUPANCY ||
	       (!strcmp(platform, "pvc") && (role == ROLE_ACTIVE || role == ROLE_STALL));
}

/* Return whether the default set of a platform has a metric for each role. */
static bool answers(const struct gpuoa_platform *platform)
{
	struct gpuoa_constants *constants = usual(platform);
	const struct gpuoa_set *set = roles_find_set(platform, "OA", constants);
	struct gpuoa_set_desc desc;
	bool all = set;

	gpuoa_constants_free(constants);
	if (!set)
		return false;
	gpuoa_set_describe(set, &desc, sizeof(desc));
	printf("# %s %s:", gpuoa_platform_name(platform), desc.symbol);
	for (int role = 0; role < ROLE_COUNT; role++) {
		const struct gpuoa_metric *metric = find_role(set, role);

		printf(" %s", metric ? symbol_of(metric) : "-");
		all &= metric || may_lack(gpuoa_platform_name(platform), role);
	}
	printf("\n");
	return all;
}

static void test_platforms(void)
{
	const struct gpuoa_platform *platform;
	char name[128];

	for (size_t i = 0; (platform = gpuoa_platform_get(i)); i++) {
		snprintf(name, sizeof(name), "%s has a metric for each role",
			 gpuoa_platform_name(platform));
		result(answers(platform), name);
	}
}

/* Check that no metric has two roles, and return whether the set has the GPU clock. */
static bool is_consistent(const struct gpuoa_set *set)
{
	const struct gpuoa_metric *metric;
	bool clock = false;

	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
		struct gpuoa_metric_desc desc;
		unsigned int roles = 0;

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		for (int role = 0; role < ROLE_COUNT; role++)
			roles += role_fit(&desc, role) > 0;
		clock |= role_fit(&desc, ROLE_FREQUENCY) > 0;
		if (roles > 1)
			printf("# %s has %u roles\n", desc.symbol, roles);
		if (roles > 1)
			return false;
	}
	return clock;
}

/*
 * Number of sets without the GPU clock: Geometry1 to 5 of acmgt2, ComputeExtended of hsw, and
 * TestOa of pvc
 */
#define WITHOUT_CLOCK 7

static void test_sets(void)
{
	const struct gpuoa_platform *platform;
	size_t all = 0, good = 0;

	for (size_t i = 0; (platform = gpuoa_platform_get(i)); i++) {
		for (size_t k = 0; k < gpuoa_platform_set_count(platform); k++) {
			const struct gpuoa_set *set = gpuoa_platform_get_set(platform, k);
			struct gpuoa_set_desc desc;

			gpuoa_set_describe(set, &desc, sizeof(desc));
			all++;
			if (is_consistent(set))
				good++;
			else
				printf("# %s %s\n", gpuoa_platform_name(platform), desc.symbol);
		}
	}
	printf("# %zu of %zu sets\n", good, all);
	result(good == all - WITHOUT_CLOCK && all > 1000,
	       "each set has a clock, and no metric has two roles");
}

static bool is_written(double value, const char *units, bool rate, const char *expected)
{
	struct gpuoa_measure_desc desc;
	char text[32];

	gpuoa_measure_describe(units, &desc, sizeof(desc));
	text_of_value(text, sizeof(text), value, &desc, rate);
	if (!strcmp(text, expected))
		return true;
	printf("# %g %s: '%s', not '%s'\n", value, units, text, expected);
	return false;
}

/*
 * Test the order of five metrics: four with a maximum of 100, and one that exceeds its high
 * watermark.
 */
static void test_order(void)
{
	static const double values[] = { 0.9, 7.6, 4.0, 0.5, 1.0 };
	struct watched metrics[5] = { 0 };
	struct watch watch = { .metrics = metrics, .metric_count = 5 };
	struct top top = { .order = ORDER_HOT };
	size_t order[5];

	for (size_t i = 0; i < 5; i++)
		metrics[i] = (struct watched){
			.desc = { .group = "", .name = "", .index = i },
			.gauge = true,
			.value = values[i],
			.max = 100,
		};
	metrics[4].mark = GPUOA_WATERMARK_HIGH;
	for (int role = 0; role < ROLE_COUNT; role++)
		watch.roles[role] = WATCH_NO_METRIC;
	result(top_order(&top, &watch, order) == 5 && order[0] == 4 && order[1] == 1 &&
		       order[2] == 2 && order[3] == 0 && order[4] == 3,
	       "top_order sorts by watermark, then by share of the maximum");
}

static void test_values(void)
{
	result(is_written(87.24, "percent", false, "87.2 %"), "text_of_value prints a percentage");
	result(is_written(1150000000, "hz", false, "1.15 GHz"), "text_of_value prints a frequency");
	result(is_written(999500, "bytes", true, "1.00 MB/s"),
	       "text_of_value rounds 999500 B/s up to MB/s");
	result(is_written(999499, "bytes", true, "999 kB/s"),
	       "text_of_value rounds 999499 B/s down to kB/s");
	result(is_written(12.34, "gbps", false, "12.3 GB/s"), "text_of_value prints a bandwidth");
	result(is_written(1000000, "ns", false, "1.00 ms"), "text_of_value prints a time");
	result(is_written(0, "ns", false, "0 s"), "text_of_value prints a time of 0");
	result(is_written(42, "events", true, "42.0 /s"), "text_of_value prints a rate");
	result(is_written((double)NAN, "events", true, "-"), "text_of_value prints - for NAN");
}

static void test_graphs(void)
{
	struct history history = { 0 };
	char text[TEXT_SIZE(16)];

	history_add(&history, 0);
	history_add(&history, NAN);
	history_add(&history, 50);
	history_add(&history, 100);
	text_of_history(text, &history, 100, 5, true);
	result(!strcmp(text, " ▁ ▄▇"), "text_of_history leaves unknown values blank");
	text_of_history(text, &history, 100, 5, false);
	result(!strcmp(text, " _ =#"), "text_of_history supports ASCII");
	text_of_bar(text, 0.5, 8, true);
	result(!strcmp(text, "━━━━"), "text_of_bar draws half of the width");
	text_of_bar(text, 0.001, 8, false);
	result(!strcmp(text, "="), "text_of_bar draws at least one character");
	text_of_bar(text, 17, 8, false);
	result(!strcmp(text, "########"), "text_of_bar is limited to the width");
	for (int i = 0; i < 3 * HISTORY_LENGTH; i++)
		history_add(&history, i);
	result(history_peak(&history, 2) == 3 * HISTORY_LENGTH - 1 &&
		       isnan(history_at(&history, HISTORY_LENGTH)) &&
		       history_at(&history, HISTORY_LENGTH - 1) == 2 * HISTORY_LENGTH,
	       "history_add drops the oldest values");
}

static void test_stalls(void)
{
	static struct stalls stalls;

	gpu.records = 3;
	gpu.losses = 2;
	stalls_select(&stalls, "xe:0");
	stalls_drain(&stalls);
	gpu.records = 1;
	stalls_drain(&stalls);
	stalls_tick(&stalls, true);
	result(stalls.known && stalls.total == 7 && stalls.counts[GPUOA_STALL_SCOREBOARD] == 7 &&
		       stalls.lost == 4,
	       "EU stalls are added up in an interval");
	result(stalls.place_count == 3 && stalls.places[0].address == SAMPLED + 32 &&
		       stalls.places[0].total == 3 && !stalls.places[0].kernel &&
		       stalls.places[1].address == SAMPLED &&
		       stalls.places[2].address == SAMPLED + 16,
	       "instructions are in the order of samples, then of addresses");
	stalls_drain(&stalls);
	stalls_tick(&stalls, false);
	result(stalls.total == 7 &&
		       history_peak(&stalls.histories[GPUOA_STALL_SCOREBOARD], 9) == 100,
	       "EU stalls of a pause are discarded");
	gpu.records = 0;
	gpu.losses = 0;
	stalls_drain(&stalls);
	stalls_tick(&stalls, true);
	result(!stalls.total && !stalls.place_count && !stalls.lost,
	       "interval without samples is empty");
	gpu.error = -ENODEV;
	stalls_drain(&stalls);
	result(!gpu.open && strstr(stalls.problem, "the GPU was reset or removed"),
	       "EU stalls of a removed GPU end with a reason");
	stalls_look(&stalls);
	result(!gpu.open && !strcmp(stalls.problem, "xe:0 is in use"), "EU stalls are tried again");
	gpu.error = 0;
	stalls_look(&stalls);
	result(gpu.open == 1 && !*stalls.problem, "EU stalls return");
	stalls_select(&stalls, "xe:1");
	result(gpu.open == 1 && !stalls.known, "another GPU has other EU stalls");
	stalls_select(&stalls, NULL);
	result(!gpu.open, "EU stalls are sampled only while they are shown");
}

/* Whether an instruction of EU stalls has this text */
static bool is_place(const struct stalls *stalls, size_t index, const char *expected)
{
	char text[256];

	stalls_place_text(&stalls->places[index], text, sizeof(text));
	return index < stalls->place_count && !strcmp(text, expected);
}

static void test_kernels(void)
{
	static struct stalls stalls;
	struct profile_input input = { .kernels_count = 1 };
	struct tool tool = { .quiet = true };
	struct profile kernels;
	char path[] = "/tmp/gpuoa-kernels-XXXXXX";
	const int fd = mkstemp(path);

	if (fd < 0 || dprintf(fd, "pid,address,size,kernel\n1,%#x,32,scale\n2,%#x,16,other\n",
			      SAMPLED, SAMPLED + 16) < 0)
		exit(1);
	close(fd);
	input.kernels[0] = path;
	if (profile_read_kernels(&kernels, &tool, &input))
		exit(1);
	stalls.kernels = &kernels;
	gpu.records = 3;
	stalls_select(&stalls, "xe:0");
	/* Texts of an interval are freed in the next one. */
	for (int i = 0; i < 2; i++) {
		stalls_drain(&stalls);
		stalls_tick(&stalls, true);
	}
	result(is_place(&stalls, 0, "[unknown]") &&
		       is_place(&stalls, 1, "[ambiguous: scale or other]") &&
		       is_place(&stalls, 2, "+0x0 in scale"),
	       "instructions of EU stalls have the names of kernels");
	stalls.places[2].file = "/src/kernels.cl";
	stalls.places[2].line = 6;
	result(is_place(&stalls, 2, "kernels.cl:6 in scale"),
	       "instructions of EU stalls have lines");
	stalls_select(&stalls, NULL);
	result(stalls.kernels == &kernels, "another GPU has the same kernels");
	profile_free(&kernels);
	unlink(path);
}

#define CODE_SIZE 64

static void write_text(const char *directory, const char *name, const void *data, size_t size)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		exit(1);
}

/* Make the directories and files of tracefs, with a bind of the memory at @code in this process. */
static void make_tracefs(char *directory, const uint8_t *code)
{
	static const char *const parts[] = { "", "/events", "/events/xe",
					     "/events/xe/xe_vma_bind" };
	char instance[128], path[192], line[256];

	if (!mkdtemp(directory))
		exit(1);
	snprintf(path, sizeof(path), "%.64s/instances", directory);
	if (mkdir(path, 0700))
		exit(1);
	snprintf(instance, sizeof(instance), "%.64s/instances/gpuoa-%d", directory, (int)getpid());
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", instance, parts[i]);
		if (mkdir(path, 0700))
			exit(1);
	}
	write_text(instance, "events/xe/xe_vma_bind/enable", "", 0);
	snprintf(line, sizeof(line),
		 "app-%d [000] ..... 1.0: xe_vma_bind: dev=0, start=%#x, end=%#x, userptr=%p\n",
		 (int)getpid(), SAMPLED, SAMPLED + CODE_SIZE - 1, (const void *)code);
	write_text(instance, "trace_pipe", line, strlen(line));
}

static void test_found_kernels(void)
{
	static uint8_t code[CODE_SIZE] __attribute__((aligned(64)));
	static struct binds binds;
	static struct stalls stalls;
	const struct zebin_kernel kernel = { .name = "scale", .size = CODE_SIZE, .code = code };
	const struct profile_input input = { .kernels_count = 0 };
	struct tool tool = { .quiet = true };
	struct profile kernels;
	char directory[] = "/tmp/gpuoa-top-XXXXXX", file[256], command[64];
	const char *files[] = { file };
	struct bytes zebin;

	for (size_t i = 0; i < sizeof(code); i++)
		code[i] = (uint8_t)(i + 1);
	make_tracefs(directory, code);
	zebin = zebin_make(&kernel, 1, 205);
	write_text(directory, "scale.zebin", zebin.data, zebin.size);
	clear(&zebin);
	snprintf(file, sizeof(file), "%s/scale.zebin", directory);
	setenv("GPUOA_TRACEFS", directory, 1);
	if (profile_read_kernels(&kernels, &tool, &input))
		exit(1);
	if (binds_read_files(&binds, &tool, &kernels.kernels, files, 1, false)) {
		printf("ok %d - kernels of processes # SKIP built without elfutils\n", ++tests);
	} else {
		if (binds_begin(&binds))
			exit(1);
		stalls.kernels = &kernels;
		stalls.binds = &binds;
		gpu.records = 3;
		stalls_select(&stalls, "xe:0");
		for (int i = 0; i < 40 && !stalls.places[0].known; i++) {
			stalls_drain(&stalls);
			stalls_tick(&stalls, true);
			stalls_find_kernels(&stalls);
			usleep(25000);
		}
		result(is_place(&stalls, 0, "+0x20 in scale"),
		       "kernels are found in the memory of processes");
		stalls_select(&stalls, NULL);
	}
	binds_end(&binds);
	profile_free(&kernels);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	if (system(command))
		exit(1);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_platforms();
	test_sets();
	test_order();
	test_values();
	test_graphs();
	test_stalls();
	test_kernels();
	test_found_kernels();
	printf("1..%d\n", tests);
	return 0;
}
