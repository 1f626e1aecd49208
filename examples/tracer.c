// SPDX-License-Identifier: MIT
/*
 * tracer.c - trace all units of the first GPU for 100 ms and print the values in order of time
 *
 * Prints a line for each value: GPU time (s), unit, metric, value. The program does not wait until
 * the tracer is enabled or disabled: reads return its state.
 */
#include <errno.h>
#include <gpuoa-tracer.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define UNITS_MAX 16
#define MAX_ENTRIES 4096
#define TIME_MS 100

struct tracing {
	struct gpuoa_tracer_group groups[UNITS_MAX];
	uint32_t count;
	struct gpuoa_tracer *tracer;
	struct gpuoa_decoder *decoder;
	char raw[16 * GPUOA_TRACER_READ_MIN]; /* read, but not yet decoded */
	size_t size;
	struct gpuoa_entry entries[MAX_ENTRIES];
	bool ended;
};

/* Return the first set that is available on a unit. */
static const struct gpuoa_set *choose_set(const struct gpuoa_unit *unit, const char *domain)
{
	const struct gpuoa_platform *platform = gpuoa_unit_platform(unit);
	const struct gpuoa_set *set;

	for (size_t i = 0; platform && (set = gpuoa_platform_get_set(platform, i)); i++)
		if (gpuoa_set_available(set, domain, gpuoa_unit_constants(unit), NULL, 0) == 1)
			return set;
	return NULL;
}

/* Make a group of each unit that is on the same GPU as the first one. */
static void open_units(struct tracing *tracing)
{
	struct gpuoa_unit_desc first = { 0 }, desc;
	char names[UNITS_MAX][16];
	const int count = gpuoa_unit_list(names, UNITS_MAX);

	for (int i = 0; i < count && i < UNITS_MAX; i++) {
		struct gpuoa_tracer_group *group = &tracing->groups[tracing->count];

		if (gpuoa_unit_open(names[i], &group->unit, NULL, 0))
			continue;
		gpuoa_unit_describe(group->unit, &desc, sizeof(desc));
		group->set = choose_set(group->unit, desc.domain);
		if (!tracing->count)
			first = desc;
		if (group->set && !strcmp(desc.parent, first.parent))
			tracing->count++;
		else
			gpuoa_unit_close(group->unit);
	}
}

static void print_entry(const struct gpuoa_decoder *decoder, const struct gpuoa_entry *entry)
{
	struct gpuoa_output_desc metric;
	struct gpuoa_scope_desc scope;

	gpuoa_decoder_describe_metric(decoder, entry->metric, &metric, sizeof(metric));
	gpuoa_decoder_describe_scope(decoder, entry->scope, &scope, sizeof(scope));
	printf("%.9f %s %s %g\n", (double)entry->timestamp_ns / 1e9, scope.unit.name, metric.symbol,
	       gpuoa_value_to_double(metric.type, entry->value));
}

/* Decode and print the buffered data. Returns 0, or a negative errno. */
static int decode(struct tracing *tracing)
{
	struct gpuoa_decoded decoded;
	int n;

	do {
		n = gpuoa_decoder_run(tracing->decoder, tracing->raw, tracing->size, false,
				      tracing->entries, MAX_ENTRIES, &decoded, sizeof(decoded));
		for (int i = 0; i < n; i++)
			print_entry(tracing->decoder, &tracing->entries[i]);
		tracing->size -= decoded.used;
		memmove(tracing->raw, tracing->raw + decoded.used, tracing->size);
	} while (n == MAX_ENTRIES);
	return n < 0 ? n : 0;
}

/* Read until no data are left. Returns 0, or a negative errno. */
static int drain(struct tracing *tracing)
{
	struct gpuoa_read_status status;
	size_t size;
	int err;

	do {
		size = sizeof(tracing->raw) - tracing->size;
		err = gpuoa_tracer_read(tracing->tracer, tracing->raw + tracing->size, &size,
					&status);
		if (status.lost_overflow || status.lost_hardware || status.lost_ring)
			fprintf(stderr, "tracer: reports were lost\n");
		tracing->size += size;
		tracing->ended |= status.end;
		if (!err)
			err = decode(tracing);
	} while (!err && size);
	return err == -EAGAIN ? 0 : err; /* not yet enabled, or disabled */
}

/* Returns 0, or a negative errno. */
static int run(struct tracing *tracing)
{
	struct pollfd pollfd = { .fd = gpuoa_tracer_fd(tracing->tracer), .events = POLLIN };
	int err = gpuoa_tracer_enable(tracing->tracer, false);

	poll(NULL, 0, TIME_MS); /* The work to be traced would run here. */
	if (!err)
		err = gpuoa_tracer_disable(tracing->tracer, false);
	while (!err && !tracing->ended && poll(&pollfd, 1, -1) > 0)
		err = drain(tracing);
	return err;
}

int main(void)
{
	static struct tracing tracing;
	const struct gpuoa_decoder_options some = { .size = sizeof(some), .no_infos = true };
	struct gpuoa_tracer_options options = { .size = sizeof(options), .notify_bytes = 65536 };
	char error[512];
	int err;

	open_units(&tracing);
	err = gpuoa_tracer_open(tracing.groups, tracing.count, &options, &tracing.tracer, error,
				sizeof(error));
	if (!err)
		err = gpuoa_decoder_open(tracing.tracer, &some, &tracing.decoder, error,
					 sizeof(error));
	if (err)
		fprintf(stderr, "tracer: %s\n", error);
	else if ((err = run(&tracing)))
		fprintf(stderr, "tracer: %s\n", strerror(-err));
	gpuoa_decoder_close(tracing.decoder);
	gpuoa_tracer_close(tracing.tracer);
	for (uint32_t i = 0; i < tracing.count; i++)
		gpuoa_unit_close(tracing.groups[i].unit);
	return err != 0;
}
