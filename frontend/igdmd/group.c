// SPDX-License-Identifier: MIT
/* group.c - concurrent groups: the sets of an OA unit, and its stream */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-query.h"
#include "gpuoa-stream.h"
#include "igdmd.h"

static struct group *group_of(struct mdapi_group *base)
{
	return (struct group *)base;
}

static void destroy(struct mdapi_group *base)
{
	(void)base; /* the device owns it */
}

static struct mdapi_group_params *get_params(struct mdapi_group *base)
{
	return &group_of(base)->params;
}

static struct mdapi_set *get_set(struct mdapi_group *base, uint32_t index)
{
	struct group *group = group_of(base);

	return index < group->params.set_count ? &group->sets[index]->base : NULL;
}

/* ---- stream --------------------------------------------------------------------------------- */

static void set_stream_info(struct group *group, enum stream_info info, uint64_t value)
{
	group->stream_infos[info].read->elements[0].integer = value;
}

/* The API notifies a program when half of the requested buffer size has been written. */
static uint32_t notify_reports_of(uint32_t buffer_size, uint32_t report_size)
{
	const uint32_t reports = buffer_size / report_size / 2;

	return buffer_size && !reports ? 1 : reports;
}

static enum mdapi_result open_stream(struct group *group, struct set *set, uint32_t *period_ns,
				     uint32_t *buffer_size, bool disabled)
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = *period_ns ? *period_ns : 1, /* the shortest */
		.rounding = GPUOA_ROUNDING_DOWN | GPUOA_ROUNDING_CLAMP,
		.notify_reports = notify_reports_of(*buffer_size, set->params.base.report_size),
		.disabled = disabled,
	};
	char error[512];
	int err = gpuoa_stream_open(group->unit, set->set, &options, &group->stream, error,
				    sizeof(error));

	if (err) {
		igdmd_log("%s", error);
		group->stream = NULL;
		return igdmd_result(err);
	}
	group->streamed = set;
	group->period_ns = options.period_ns;
	group->notify_reports = notify_reports_of(*buffer_size, set->params.base.report_size);
	group->report_size = set->params.base.report_size;
	for (int i = 0; i < STREAM_INFOS; i++)
		set_stream_info(group, i, 0);
	if (set->calculation)
		calculation_restart(set->calculation);
	*period_ns = options.period_ns > UINT32_MAX ? UINT32_MAX : (uint32_t)options.period_ns;
	*buffer_size = options.buffer_size;
	return MDAPI_OK;
}

static enum mdapi_result open_stream_1_15(struct mdapi_group *base, struct mdapi_set *set,
					  uint32_t process, uint32_t *period_ns,
					  uint32_t *buffer_size, enum mdapi_stream_state state)
{
	struct group *group = group_of(base);

	if (process)
		return MDAPI_NOT_SUPPORTED; /* as Intel's library */
	if (!set || !period_ns || !buffer_size || ((struct set *)set)->group != group)
		return MDAPI_INVALID_PARAMETER;
	if (!group->unit)
		return MDAPI_NOT_SUPPORTED; /* an offline device has no hardware */
	if (!((struct set *)set)->set || ((struct set *)set)->open)
		return MDAPI_GENERAL_ERROR;
	if (group->stream) {
		igdmd_log("%s: cannot open a stream: this process has one", group->params.symbol);
		return MDAPI_GROUP_LOCKED;
	}
	return open_stream(group, (struct set *)set, period_ns, buffer_size,
			   state == MDAPI_STREAM_DISABLED);
}

static enum mdapi_result open_stream_1_0(struct mdapi_group *base, struct mdapi_set *set,
					 uint32_t process, uint32_t *period_ns,
					 uint32_t *buffer_size)
{
	return open_stream_1_15(base, set, process, period_ns, buffer_size, MDAPI_STREAM_ENABLED);
}

static void note(struct findings *findings, const struct gpuoa_read_detail *detail)
{
	const struct gpuoa_read_status *status = &detail->status;

	findings->lost |= status->lost_hardware || status->lost_ring || status->lost_unknown;
	findings->overflow |= status->lost_overflow != 0;
	if (detail->has_frequency)
		findings->frequency_mhz = detail->frequency_mhz;
}

/*
 * A read of libgpuoa ends before a gap, but the API fills a whole buffer and has flags for all of
 * it. So read until the buffer is full or no data is left.
 */
static int read_all(struct group *group, char *reports, uint32_t max, bool newest,
		    struct findings *findings)
{
	const struct gpuoa_read_options options = {
		.size = sizeof(options),
		.newest = newest ? max : 0,
		.set = group->streamed->set,
	};
	uint32_t count = 0;

	while (count < max) {
		struct gpuoa_read_detail detail;
		const int n = gpuoa_reader_read_filtered(
			group->stream, reports + (size_t)count * group->report_size, max - count,
			&options, &detail, sizeof(detail));

		if (n < 0)
			return count ? (int)count : n;
		note(findings, &detail);
		count += (uint32_t)n;
		if (newest || (!n && !detail.outstanding))
			break;
	}
	return (int)count;
}

/*
 * Read the newest reports, at most @max, and drop all others. Those in the queue are older than
 * those of the stream. Returns their number or a negative errno.
 */
static int read_newest(struct group *group, char *reports, uint32_t max, struct findings *findings)
{
	struct queue *queue = &group->queue;
	const size_t size = group->report_size;
	const int n = read_all(group, reports, max, true, findings);
	const uint32_t newer = n < 0 ? 0 : (uint32_t)n;
	uint32_t older = queue->count;

	if (n < 0 && !older)
		return n;
	if (older > max - newer)
		older = max - newer;
	memmove(reports + older * size, reports, newer * size);
	if (older)
		memcpy(reports, queue->reports + (queue->count - older) * size, older * size);
	queue->count = 0;
	return (int)(older + newer);
}

/*
 * Read the oldest reports, at most @max: first those in the queue, then those of the stream.
 * Returns their number or a negative errno.
 */
static int read_oldest(struct group *group, char *reports, uint32_t max, struct findings *findings)
{
	struct queue *queue = &group->queue;
	const size_t size = group->report_size;
	const uint32_t count = queue->count < max ? queue->count : max;
	int n = 0;

	if (count) {
		memcpy(reports, queue->reports, count * size);
		queue->count -= count;
		memmove(queue->reports, queue->reports + count * size, queue->count * size);
	}
	if (count < max)
		n = read_all(group, reports + count * size, max - count, false, findings);
	return n < 0 && count ? (int)count : (int)count + n;
}

static enum mdapi_result read_stream(struct mdapi_group *base, uint32_t *count, char *reports,
				     uint32_t flags)
{
	struct group *group = group_of(base);
	struct findings findings;
	uint32_t max;
	int n;

	if (!count || !reports)
		return MDAPI_INVALID_PARAMETER;
	max = *count < INT32_MAX ? *count : INT32_MAX;
	if (!group->stream) {
		*count = 0;
		return MDAPI_GENERAL_ERROR;
	}
	if (!max)
		return MDAPI_OK;
	findings = group->queue.findings;
	group->queue.findings = (struct findings){ .lost = false };
	n = flags & MDAPI_READ_NEWEST ? read_newest(group, reports, max, &findings) :
					read_oldest(group, reports, max, &findings);
	*count = n < 0 ? 0 : (uint32_t)n;
	if (n < 0)
		return igdmd_result(n);
	if (findings.frequency_mhz)
		set_stream_info(group, STREAM_INFO_FREQUENCY, findings.frequency_mhz);
	set_stream_info(group, STREAM_INFO_LOST, findings.lost);
	set_stream_info(group, STREAM_INFO_OVERFLOW, findings.overflow);
	return (uint32_t)n == max ? MDAPI_OK : MDAPI_READ_PENDING;
}

static enum mdapi_result close_stream(struct mdapi_group *base)
{
	struct group *group = group_of(base);

	if (!group->stream)
		return MDAPI_GENERAL_ERROR;
	gpuoa_reader_close(group->stream);
	group->stream = NULL;
	group->streamed = NULL;
	free(group->queue.reports);
	group->queue = (struct queue){ .count = 0 };
	return MDAPI_OK;
}

/* Read reports to the queue until it has those that the program waits for, or none is left. */
static int fill_queue(struct group *group)
{
	struct queue *queue = &group->queue;
	const size_t size = group->report_size;
	int n;

	if (!queue->reports)
		queue->reports = malloc(group->notify_reports * size);
	if (!queue->reports)
		return -ENOMEM;
	n = read_all(group, queue->reports + queue->count * size,
		     group->notify_reports - queue->count, false, &queue->findings);
	if (n > 0)
		queue->count += (uint32_t)n;
	return n < 0 ? n : 0;
}

/* Time in ms in which the timer makes the reports that the queue does not have yet, at least 1. */
static int64_t time_to_fill(const struct group *group)
{
	const uint64_t missing = group->notify_reports - group->queue.count;
	const uint64_t ms = missing * group->period_ns / 1000000;

	return ms < 1000 ? (int64_t)ms + 1 : 1000;
}

/*
 * Wait until the queue has all reports that the program waits for. gpuoa_reader_wait() returns
 * earlier if the driver reports single reports.
 */
static int wait_for_queue(struct group *group, uint32_t timeout_ms)
{
	const bool forever = timeout_ms > INT32_MAX;
	const int64_t deadline = forever ? INT64_MAX : wait_now_ms() + timeout_ms;

	for (;;) {
		const int64_t room = time_to_fill(group);
		int64_t left;
		int err = fill_queue(group);

		if (group->queue.count == group->notify_reports)
			return 0;
		left = forever ? room : deadline - wait_now_ms();
		if (!err && left <= 0)
			return -ETIMEDOUT;
		if (!err)
			err = gpuoa_reader_wait(group->stream, (int)(left < room ? left : room));
		/* A program reads the last reports of a GPU before it gets the error. */
		if (err && err != -ETIMEDOUT)
			return err == -ENODEV && group->queue.count ? 0 : err;
	}
}

static enum mdapi_result wait_for_reports(struct mdapi_group *base, uint32_t timeout_ms)
{
	struct group *group = group_of(base);
	int err;

	if (!group->stream)
		return MDAPI_GENERAL_ERROR;
	if (group->notify_reports)
		err = wait_for_queue(group, timeout_ms);
	else
		err = gpuoa_reader_wait(group->stream,
					timeout_ms > INT32_MAX ? -1 : (int)timeout_ms);
	/* A disabled stream receives no reports: return the same result as after a timeout. */
	return err == -ECANCELED ? MDAPI_TIMEOUT : igdmd_result(err);
}

/* The period of a stream cannot change while it is open, as in Intel's library for Linux. */
static enum mdapi_result change_stream_state(struct mdapi_group *base,
					     enum mdapi_stream_state state, uint32_t *period_ns)
{
	struct group *group = group_of(base);

	if (!period_ns)
		return MDAPI_INVALID_PARAMETER;
	if (!group->stream)
		return MDAPI_FILE_NOT_FOUND;
	if (state != MDAPI_STREAM_DISABLED && state != MDAPI_STREAM_ENABLED)
		return MDAPI_INVALID_PARAMETER;
	return igdmd_result(state == MDAPI_STREAM_ENABLED ? gpuoa_reader_enable(group->stream) :
							    gpuoa_reader_disable(group->stream));
}

static struct mdapi_info *get_stream_info(struct mdapi_group *base, uint32_t index)
{
	return index < STREAM_INFOS ? &group_of(base)->stream_infos[index].base : NULL;
}

/* The API's items that describe contexts are not needed, because reports contain context ids. */
static struct mdapi_info *get_context_info(struct mdapi_group *base, uint32_t index)
{
	(void)base, (void)index;
	return NULL;
}

/* Only the timer of the group's unit is accepted, because a group has one unit. */
static enum mdapi_result set_sampling_type(struct mdapi_group *base, enum mdapi_sampling sampling)
{
	const char *symbol = group_of(base)->params.symbol;
	const enum mdapi_sampling own = !strncmp(symbol, "OAM", 3) ? !strcmp(symbol, "OAMERT") ?
								     MDAPI_SAMPLING_OAMERT_TIMER :
								     MDAPI_SAMPLING_OAM_TIMER :
								     MDAPI_SAMPLING_OA_TIMER;

	return sampling == own ? MDAPI_OK : MDAPI_NOT_SUPPORTED;
}

/* ---- sets of the program -------------------------------------------------------------------- */

static struct mdapi_enumerator *get_enumerator(struct mdapi_group *base)
{
	struct group *group = group_of(base);

	if (!group->enumerator)
		group->enumerator = enumerator_new(group);
	return group->enumerator ? enumerator_interface(group->enumerator) : NULL;
}

static struct mdapi_enumerator *get_enumerator_from_file(struct mdapi_group *base, const char *path)
{
	(void)path;
	igdmd_log("%s: cannot read events from a file: they are built in",
		  group_of(base)->params.symbol);
	return NULL;
}

static struct mdapi_set *add_set_1_13(struct mdapi_group *base, const char *symbol,
				      const char *name)
{
	struct group *group = group_of(base);
	struct set **sets;
	struct set *set;

	if (!symbol || !name || !get_enumerator(base))
		return NULL;
	sets = realloc(group->sets, (group->params.set_count + 1) * sizeof(*sets));
	if (!sets)
		return NULL;
	group->sets = sets;
	if (set_new(group, NULL, &set))
		return NULL;
	set->flexible = true;
	set->symbol = strdup(symbol);
	set->name = strdup(name);
	if (!set->symbol || !set->name) {
		set_free(set);
		return NULL;
	}
	set->params.base.symbol = set->symbol;
	set->params.base.name = set->name;
	set->params.base.apis = MDAPI_API_STREAM;
	sets[group->params.set_count++] = set;
	return &set->base;
}

/*
 * "Dense" counters (twice as many of half the width) are not supported, because no known hardware
 * has them.
 */
static struct mdapi_set *add_set_1_16(struct mdapi_group *base, const char *symbol,
				      const char *name, enum mdapi_counters counters)
{
	return counters == MDAPI_COUNTERS_NORMAL ? add_set_1_13(base, symbol, name) : NULL;
}

static enum mdapi_result remove_set(struct mdapi_group *base, struct mdapi_set *removed)
{
	struct group *group = group_of(base);
	struct set *set = (struct set *)removed;
	uint32_t i = 0;

	while (i < group->params.set_count && group->sets[i] != set)
		i++;
	if (i == group->params.set_count || !set->flexible || set->open || set == group->streamed)
		return MDAPI_INVALID_PARAMETER;
	group->params.set_count--;
	memmove(&group->sets[i], &group->sets[i + 1],
		(group->params.set_count - i) * sizeof(*group->sets));
	set_free(set);
	return MDAPI_OK;
}

static const IGDMD_TABLE(mdapi_group_table) table = {
	.functions = {
		.destroy = destroy,
		.free = destroy,
		.get_params = get_params,
		.get_set = get_set,
		.open_stream_1_0 = open_stream_1_0,
		.read_stream = read_stream,
		.close_stream = close_stream,
		.wait_for_reports = wait_for_reports,
		.get_stream_info = get_stream_info,
		.get_context_info = get_context_info,
		.set_sampling_type = set_sampling_type,
		.get_enumerator = get_enumerator,
		.get_enumerator_from_file = get_enumerator_from_file,
		.add_set_1_13 = add_set_1_13,
		.remove_set_1_13 = remove_set,
		.open_stream_1_15 = open_stream_1_15,
		.change_stream_state = change_stream_state,
		.add_set_1_16 = add_set_1_16,
		.remove_set_1_16 = remove_set,
	},
};

/* ---- construction --------------------------------------------------------------------------- */

/* Programs find these items by name. Level Zero expects an equation of one element, a number. */
static int add_stream_infos(struct group *group)
{
	static const struct mdapi_info_params params[STREAM_INFOS] = {
		[STREAM_INFO_FREQUENCY] = {
			.symbol = "CoreFrequencyMHz",
			.name = "GPU frequency",
			.group = "Report Meta Data",
			.description = "Frequency of the GPU's clock in the newest report of the "
				       "last read.",
			.type = MDAPI_INFO_VALUE,
			.units = "MHz",
		},
		[STREAM_INFO_LOST] = {
			.symbol = "ReportLost",
			.name = "Reports lost",
			.group = "Exception",
			.description = "Reports are missing before or between those of the last "
				       "read.",
			.type = MDAPI_INFO_FLAG,
		},
		[STREAM_INFO_OVERFLOW] = {
			.symbol = "BufferOverflow",
			.name = "Buffer overflow",
			.group = "Report Meta Data",
			.description = "The buffer of the unit was full, and reports were "
				       "overwritten.",
			.type = MDAPI_INFO_FLAG,
		},
	};

	for (uint32_t i = 0; i < STREAM_INFOS; i++) {
		struct info *info = &group->stream_infos[i];

		info->base.table = info_table;
		info->params = params[i];
		info->params.index = i;
		info->params.apis = MDAPI_API_STREAM;
		info->read = equation_new_number(0);
		if (!info->read)
			return -ENOMEM;
		info->params.stream_read = &info->read->base;
	}
	group->params.stream_info_count = STREAM_INFOS;
	return 0;
}

/* All sets that batches have reports of have the same format. Only the unit OA has such sets. */
static void find_query_format(struct group *group)
{
	const struct device *device = group->device;
	const size_t count = gpuoa_platform_set_count(device->platform);

	for (size_t i = 0; i < count && !group->query_format; i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(device->platform, i);
		struct gpuoa_query_desc desc;

		if (gpuoa_set_available(set, "OA", device->constants, NULL, 0) == 1 &&
		    igdml_describe(set, device->constants, &desc))
			group->query_format = desc.format;
	}
	if (group->query_format)
		group->params.measurements |= MDAPI_MEASUREMENT_QUERY;
}

static int add_sets(struct group *group, const struct gpuoa_domain_desc *domain)
{
	const struct device *device = group->device;
	const size_t count = gpuoa_platform_set_count(device->platform);

	group->sets = igdmd_alloc(domain->set_count, sizeof(*group->sets));
	if (!group->sets)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(device->platform, i);
		struct gpuoa_set_desc desc;
		int err;

		gpuoa_set_describe(set, &desc, sizeof(desc));
		if (strcmp(desc.domain, domain->symbol) ||
		    !(desc.sampling & GPUOA_SAMPLING_TIMER) ||
		    gpuoa_set_available(set, domain->symbol, device->constants, NULL, 0) != 1)
			continue;
		err = set_new(group, set, &group->sets[group->params.set_count]);
		if (err)
			return err;
		group->params.set_count++;
	}
	return 0;
}

int group_init(struct group *group, struct device *device, const struct gpuoa_domain_desc *domain,
	       struct gpuoa_unit *unit)
{
	int err;

	*group = (struct group){
		.base.table = &table.functions,
		.params = {
			.symbol = domain->symbol,
			.description = domain->description,
			.measurements = MDAPI_MEASUREMENT_STREAM,
		},
		.device = device,
		.unit = unit,
	};
	if (!strcmp(domain->symbol, "OA"))
		find_query_format(group);
	err = add_stream_infos(group);
	return err ? err : add_sets(group, domain);
}

void group_deinit(struct group *group)
{
	if (group->stream)
		close_stream(&group->base);
	for (uint32_t i = 0; i < group->params.set_count; i++)
		set_free(group->sets[i]);
	enumerator_free(group->enumerator);
	for (size_t i = 0; i < STREAM_INFOS; i++)
		equation_free(group->stream_infos[i].read);
	free(group->sets);
}
