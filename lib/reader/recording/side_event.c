// SPDX-License-Identifier: MIT
/* side_event.c - read the side event of a recording */
#include "reader/recording/side_event.h"

#include <errno.h>
#include <stdlib.h>

#include "reader/recording/perfdata.h"

struct side_event {
	struct perfdata data;
};

int side_event_open(const char *path, struct side_event **event, const struct complaint *complaint)
{
	struct side_event *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	err = perfdata_open(&new->data, path, complaint);
	/* The caller's buffer may be gone when the file is read. */
	new->data.complaint = (struct complaint){ NULL, 0 };
	if (err)
		free(new);
	else
		*event = new;
	return err;
}

void side_event_close(struct side_event *event)
{
	if (!event)
		return;
	perfdata_close(&event->data);
	free(event);
}

int side_event_next(struct side_event *event, const void **payload, size_t *size)
{
	const struct perf_event_header *record;
	size_t index;
	int ret;

	while ((ret = perfdata_next(&event->data, &record)) > 0) {
		if (record->type != PERF_RECORD_SAMPLE ||
		    perfdata_event(&event->data, record, &index) ||
		    sample_raw(&event->data.layouts[index], record, payload, size))
			continue;
		return 1;
	}
	return ret;
}

uint64_t side_event_position(const struct side_event *event)
{
	return event->data.read;
}
