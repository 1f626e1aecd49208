// SPDX-License-Identifier: MIT
/* stream_error.c - describe why a stream cannot be opened */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reader/stream/stream_error.h"
#include "reader/stream/unit.h"

long stream_sysctl(const char *path)
{
	long value;
	FILE *file = fopen(path, "re");

	if (!file)
		return -1;
	if (fscanf(file, "%ld", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

static bool wants_aux(const struct gpuoa_stream_options *options)
{
	return options->overwrite || options->delivery == GPUOA_DELIVERY_AUX;
}

/* Describe the user of a unit, for example " by gpuoa (process 123)". Unknown parts are omitted. */
void stream_user(const struct gpuoa_unit_user *use, char *text, size_t size)
{
	*text = '\0';
	if (use->process == (uint32_t)getpid())
		snprintf(text, size, " by this process");
	else if (use->process)
		snprintf(text, size, " by %s (process %" PRIu32 ")", use->program, use->process);
	else if (*use->program)
		snprintf(text, size, " by %s", use->program);
}

/*
 * Describe how the options differ from those of the stream that uses the unit; NULL if no
 * difference is known.
 */
static const char *difference(const struct stream *stream, const struct gpuoa_unit_user *use,
			      const struct gpuoa_stream_options *options)
{
	if (use->delivery == GPUOA_DELIVERY_AUX)
		return "in AUX mode, which cannot be shared";
	if (strcmp(use->uuid, stream->reader.desc.uuid))
		return "with another set";
	if (use->format != options->format)
		return "with another report format";
	if (use->exponent != stream->reader.desc.exponent)
		return "with another period";
	if (use->context_filter != options->context_filter ||
	    use->batch_boundary_reports != options->batch_boundary_reports)
		return "with another context filter";
	if (options->buffer_size && use->buffer_size != options->buffer_size)
		return "with another buffer size";
	return NULL;
}

static void complain_of_use(const struct complaint *complaint, const struct stream *stream,
			    const struct gpuoa_stream_options *options)
{
	struct gpuoa_unit_user use = { .process = 0 };
	const char *name = stream->unit->desc.name;
	const char *differs = NULL;
	char user[64];
	int used;

	used = gpuoa_unit_get_user(stream->unit, &use, sizeof(use));
	if (used > 0)
		differs = difference(stream, &use, options);
	stream_user(&use, user, sizeof(user));
	if (!used)
		complaint_print(
			complaint,
			"%s is in use by a program that has it from the GPU's driver (i915-perf or xe); stop that program",
			name);
	else if (wants_aux(options))
		complaint_print(
			complaint,
			"%s is in use%s, and AUX mode needs it alone: stop the other program, or ask for RAW mode",
			name, user);
	else
		complaint_print(
			complaint, "%s is in use%s: %s; stop that program, or ask for the same",
			name, user,
			differs ? differs : "with another context or other dwords of reports");
}

static void complain_of_support(const struct complaint *complaint,
				const struct gpuoa_unit_desc *unit,
				const struct gpuoa_stream_options *options)
{
	if (options->overwrite)
		complaint_print(
			complaint,
			"%s has no flight recorder for this: reports of this format do not fit, or a context filter is on",
			unit->name);
	else
		complaint_print(complaint, "%s cannot do this%s", unit->name,
				wants_aux(options) ? " in AUX mode" : "");
}

int stream_complain(const struct complaint *complaint, const struct stream *stream,
		    const struct gpuoa_stream_options *options, int err)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	if (stream->unit->backend->complain &&
	    stream->unit->backend->complain(complaint, stream, options, err))
		return err;
	switch (err) {
	case -EBUSY:
		complain_of_use(complaint, stream, options);
		break;
	case -ERANGE:
		complaint_print(
			complaint,
			"%s has no such period or buffer size: the shortest period is %" PRIu64
			" ns, buffers have %" PRIu32 " to %" PRIu32 " bytes",
			unit->name, gpuoa_exponent_to_period(unit->timestamp_frequency, 0),
			unit->buffer_size_min, unit->buffer_size_max);
		break;
	case -ENODEV:
		complaint_print(complaint, "%s was removed", unit->name);
		break;
	case -EOPNOTSUPP:
		complain_of_support(complaint, unit, options);
		break;
	default:
		complaint_print(complaint, "cannot sample %s: %s", unit->name, strerror(-err));
	}
	return err;
}
