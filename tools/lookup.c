// SPDX-License-Identifier: MIT
/*
 * lookup.c - from names that the user gave to what they stand for, with a message when there is no
 * such thing
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "definitions.h"
#include "lookup.h"
#include "suggest.h"

void explain_unit_error(const char *device, int err)
{
	switch (err) {
	case -ENODEV:
		print_error(
			"no OA unit on this machine: is gpuoa.ko loaded, and a host driver such as gpuoa_sim.ko?");
		break;
	case -ENOENT:
		print_error("no OA unit '%s': see 'gpuoa list devices'", device);
		break;
	case -EACCES:
		print_error("may not open %s: check the permissions of /dev/gpuoa*",
			    device ? device : "the OA unit");
		break;
	default:
		print_error("cannot open %s: %s", device ? device : "the OA unit", strerror(-err));
	}
}

struct gpuoa_unit *lookup_unit(const struct tool *tool)
{
	struct gpuoa_unit *unit;
	const int err = gpuoa_unit_open(tool->device, &unit, NULL, 0);

	if (!err)
		return unit;
	explain_unit_error(tool->device, err);
	return NULL;
}

const struct gpuoa_platform *lookup_unit_platform(const struct tool *tool,
						  const struct gpuoa_unit *unit)
{
	const struct gpuoa_platform *platform;
	struct gpuoa_unit_desc desc;

	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	platform = definitions_find(tool, desc.platform);
	if (!platform)
		print_error("%s is of platform '%s', which this version has no metrics for",
			    desc.name, desc.platform);
	return platform;
}

const struct gpuoa_platform *lookup_platform(const struct tool *tool, const char *name)
{
	const struct gpuoa_platform *platform = definitions_find(tool, name);
	struct suggestion suggestion = suggest_begin(name);

	if (platform)
		return platform;
	for (size_t i = 0; (platform = definitions_platform(tool, i)); i++)
		suggest_offer(&suggestion, gpuoa_platform_name(platform));
	print_error("no metrics for a platform '%s'" SUGGEST_FORMAT "See 'gpuoa list platforms'",
		    name, SUGGEST_ARGS(suggestion));
	return NULL;
}

struct gpuoa_constants *lookup_constants(const struct gpuoa_platform *platform,
					 const struct gpuoa_unit_desc *unit)
{
	struct gpuoa_constants *constants;

	if (!gpuoa_constants_of_unit(unit, sizeof(*unit), platform, &constants))
		return constants;
	print_error("out of memory");
	return NULL;
}

bool set_is_of_domain(const struct gpuoa_set *set, const char *domain)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	return !*domain || !strcmp(desc.domain, domain);
}

static void suggest_set(const struct gpuoa_platform *platform, const char *domain,
			const char *symbol)
{
	struct suggestion suggestion = suggest_begin(symbol);

	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);
		struct gpuoa_set_desc desc;

		gpuoa_set_describe(set, &desc, sizeof(desc));
		if (set_is_of_domain(set, domain))
			suggest_offer(&suggestion, desc.symbol);
	}
	print_error("%s has no metric set '%s'" SUGGEST_FORMAT "See 'gpuoa list sets'",
		    gpuoa_platform_title(platform), symbol, SUGGEST_ARGS(suggestion));
}

/* One of this name that may not be there: rather of the domain than of another one. */
static const struct gpuoa_set *find_any_set(const struct gpuoa_platform *platform,
					    const char *domain, const char *symbol)
{
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, symbol, domain, NULL);

	return set ? set : gpuoa_platform_find_set(platform, symbol, NULL, NULL);
}

const struct gpuoa_set *lookup_set(const struct gpuoa_platform *platform, const char *domain,
				   const char *symbol, const struct gpuoa_constants *constants)
{
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, symbol, domain, constants);
	char why[256];

	if (set)
		return set;
	set = find_any_set(platform, domain, symbol);
	if (!set) {
		suggest_set(platform, domain, symbol);
		return NULL;
	}
	/* If nobody can know, let it be tried. */
	if (gpuoa_set_available(set, domain, constants, why, sizeof(why)))
		return set;
	if (set_is_of_domain(set, domain))
		print_error("this GPU has no metric set '%s': it %s", symbol, why);
	else
		print_error("metric set '%s' %s: 'gpuoa list' shows which device is which unit",
			    symbol, why);
	return NULL;
}

/* Value of a sysctl, -1 if it can't be read. */
static long read_sysctl(const char *path)
{
	long value = -1;
	FILE *file = fopen(path, "re");

	if (!file)
		return -1;
	if (fscanf(file, "%ld", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

void explain_stream_error(const struct gpuoa_unit *unit, int err)
{
	struct gpuoa_unit_desc desc;

	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	switch (err) {
	case -EACCES:
		print_error(
			"may not sample %s: run as root or with CAP_PERFMON, or lower kernel.perf_event_paranoid "
			"(now %ld) to 0 and stay below dev.gpuoa.max_sample_rate (now %ld Hz)",
			desc.name, read_sysctl("/proc/sys/kernel/perf_event_paranoid"),
			read_sysctl("/proc/sys/dev/gpuoa/max_sample_rate"));
		break;
	case -EPERM:
		print_error(
			"may not lock the memory for %s's reports: raise kernel.perf_event_mlock_kb (now %ld) or the limit "
			"'ulimit -l', or run with CAP_IPC_LOCK",
			desc.name, read_sysctl("/proc/sys/kernel/perf_event_mlock_kb"));
		break;
	case -EBUSY:
		print_error(
			"%s is in use with another configuration, format or period, or by one who needs it alone: stop the "
			"other program, or ask for the same as it (and let it be 'record --raw')",
			desc.name);
		break;
	case -ERANGE:
		print_error("%s has no such period: the shortest is %" PRIu64 " ns", desc.name,
			    gpuoa_exponent_to_period(desc.timestamp_frequency, 0));
		break;
	case -EADDRINUSE:
		print_error(
			"the kernel has other registers under this set's UUID: it was registered by another version "
			"of gpuoa; reload the module");
		break;
	case -ENODEV:
		print_error("%s is gone", desc.name);
		break;
	case -EXDEV:
		print_error("%s is unit %s, and this set is for another one", desc.name,
			    desc.domain);
		break;
	case -EINVAL:
		print_error(
			"the kernel refuses this configuration of %s: tool and gpuoa.ko may be of different versions",
			desc.name);
		break;
	default:
		print_error("cannot sample %s: %s", desc.name, strerror(-err));
	}
}

int upload_set(struct gpuoa_unit *unit, const struct gpuoa_set *set, uint32_t *id)
{
	const int err = gpuoa_unit_upload(unit, set, id, NULL, 0);
	struct gpuoa_unit_desc unit_desc;
	struct gpuoa_set_desc set_desc;

	if (!err)
		return EXIT_OK;
	if (err != -EACCES && err != -EPERM) {
		explain_stream_error(unit, err);
		return EXIT_FAILED;
	}
	gpuoa_unit_describe(unit, &unit_desc, sizeof(unit_desc));
	gpuoa_set_describe(set, &set_desc, sizeof(set_desc));
	return fail(
		"the kernel does not know %s yet, and you may not add it to %s: run 'gpuoa upload -s %s' once as root, or "
		"give this program CAP_PERFMON",
		set_desc.symbol, unit_desc.name, set_desc.symbol);
}
