// SPDX-License-Identifier: MIT
/*
 * watches.c - all OA units being measured, with hotplug
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/columns.h"
#include "common/lookup.h"
#include "gpuoa-device.h"
#include "top/watches.h"

struct names {
	char (*list)[sizeof(((struct gpuoa_unit_desc *)0)->name)];
	int count;
};

static struct names list_units(void)
{
	struct names names = { .count = gpuoa_unit_list(NULL, 0) };

	if (names.count <= 0)
		return (struct names){ 0 };
	names.list = calloc((size_t)names.count, sizeof(*names.list));
	if (names.list) {
		const int found = gpuoa_unit_list(names.list, (size_t)names.count);

		if (found < names.count)
			names.count = found;
	} else {
		names.count = 0;
	}
	return names;
}

/* Return whether -d names this unit or its GPU. */
static bool is_wanted(const char *device, const char *name)
{
	struct gpuoa_unit_desc desc, wanted;
	struct gpuoa_unit *unit;

	if (!device || !strcmp(device, name))
		return true;
	if (gpuoa_unit_open(device, &unit, NULL, 0))
		return false;
	gpuoa_unit_describe(unit, &wanted, sizeof(wanted));
	gpuoa_unit_close(unit);
	if (!strcmp(wanted.name, name) || strstr(device, wanted.name))
		return !strcmp(wanted.name, name);
	if (gpuoa_unit_open(name, &unit, NULL, 0))
		return false;
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	gpuoa_unit_close(unit);
	return !strcmp(desc.parent, wanted.parent);
}

static struct watch *find(const struct watches *watches, const char *name)
{
	for (size_t i = 0; i < watches->count; i++)
		if (!strcmp(watches->list[i]->name, name))
			return watches->list[i];
	return NULL;
}

/* Open a unit, with the user's set if it has that. */
static void open_one(const struct watches *watches, struct watch *watch, const char *name)
{
	watch_open(watch, watches->tool, name, watches->set, watches->metrics);
	/* Other units of the GPU, such as media units, have other sets. */
	if (watches->set && watch->platform && !watch->set)
		watch_open(watch, watches->tool, name, NULL, watches->metrics);
}

static void add(struct watches *watches, const char *name)
{
	struct watch *watch;

	if (watches->count == WATCHES_MAX || !is_wanted(watches->tool->device, name))
		return;
	watch = calloc(1, sizeof(*watch));
	if (!watch)
		return;
	open_one(watches, watch, name);
	watches->list[watches->count++] = watch;
}

/* Reopen a unit, with its previous set if possible. */
static void try_again(const struct watches *watches, struct watch *watch)
{
	char name[sizeof(watch->name)], set[64] = "";

	memcpy(name, watch->name, sizeof(name));
	if (watch->set)
		snprintf(set, sizeof(set), "%s", watch->set_desc.symbol);
	watch_close(watch);
	if (*set && !watch_open(watch, watches->tool, name, set, watches->metrics))
		return;
	open_one(watches, watch, name);
}

void watches_look(struct watches *watches)
{
	struct names names = list_units();

	for (int i = 0; i < names.count; i++) {
		struct watch *watch = find(watches, names.list[i]);

		if (!watch)
			add(watches, names.list[i]);
		else if (watch->state != WATCH_LIVE)
			try_again(watches, watch);
	}
	free(names.list);
}

/* Print the hints of 'gpuoa doctor'. */
static int explain_none(const struct tool *tool)
{
	struct gpuoa_access access[ACCESS_CHECKS_MAX];
	char error[512];
	struct gpuoa_unit *unit;
	int count;

	if (!gpuoa_unit_open(tool->device, &unit, error, sizeof(error))) {
		gpuoa_unit_close(unit);
		return fail("out of memory");
	}
	count = gpuoa_check_access(tool->device, access, sizeof(access[0]), ACCESS_CHECKS_MAX);
	for (int i = 0; i < count && i < ACCESS_CHECKS_MAX; i++)
		if (access[i].verdict == GPUOA_ACCESS_DENIED)
			return fail("%s -> %s (see 'gpuoa doctor')", access[i].found,
				    access[i].remedy);
	return fail("%s", error);
}

/* Check that each entry of -m matches a metric of a unit being measured. Returns an exit code. */
static int check_metrics(const struct watches *watches)
{
	struct columns_scope scopes[WATCHES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < watches->count; i++)
		if (watches->list[i]->state == WATCH_LIVE)
			scopes[count++] = (struct columns_scope){ watches->list[i]->set,
								  watches->list[i]->constants };
	return count && watches->metrics ?
		       columns_check(watches->tool, scopes, count, watches->metrics) :
		       EXIT_OK;
}

int watches_open(struct watches *watches, const struct tool *tool, const char *set,
		 const char *metrics)
{
	bool wanted = false;

	*watches = (struct watches){ .tool = tool, .set = set, .metrics = metrics };
	watches_look(watches);
	if (!watches->count)
		return explain_none(tool);
	for (size_t i = 0; i < watches->count && set; i++) {
		const struct watch *watch = watches->list[i];

		wanted |= watch->set && !strcmp(watch->set_desc.symbol, set);
		wanted |= !watch->platform; /* the platform is unknown: the set may exist */
	}
	if (set && !wanted)
		return fail("no unit has a metric set '%s'. See 'gpuoa list sets'", set);
	return check_metrics(watches);
}

void watches_close(struct watches *watches)
{
	for (size_t i = 0; i < watches->count; i++) {
		watch_close(watches->list[i]);
		free(watches->list[i]);
	}
	watches->count = 0;
}

bool watches_wait(const struct watches *watches, int fd, int timeout_ms)
{
	struct pollfd polls[WATCHES_MAX + 1];
	nfds_t count = 0;

	polls[count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	for (size_t i = 0; i < watches->count; i++) {
		if (watches->list[i]->state != WATCH_LIVE)
			continue;
		polls[count++] = (struct pollfd){
			.fd = gpuoa_reader_fd(watches->list[i]->reader),
			.events = POLLIN,
		};
	}
	return poll(polls, count, timeout_ms) > 0 && polls[0].revents;
}

void watches_drain(struct watches *watches)
{
	for (size_t i = 0; i < watches->count; i++)
		watch_drain(watches->list[i]);
}
