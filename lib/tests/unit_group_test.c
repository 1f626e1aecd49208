// SPDX-License-Identifier: MIT
/*
 * unit_group_test.c - Check that the units of a group are programmed all or none, with a simulated
 * kernel (fake_xe.h).
 */
#define _GNU_SOURCE

#include "fake_xe.h"

#include "base/complaint.h"
#include "failing_memory.h"
#include "gpuoa-stream.h"
#include "gpuoa-unit-group.h"
#include "reader/backends/backends.h"
#include "reader/stream/stream.h"
#include "reader/xe/xe.h"
#include "tap.h"

static struct {
	struct gpuoa_unit *render, *media;
	struct backend backend; /* xe's, but it can also change the set of a stream */
	unsigned int changes; /* number of sets changed */
	int change_error;
	struct gpuoa_unit_group *group;
	char error[256];
} test;

static int change_set(struct stream *stream, uint32_t id)
{
	(void)stream;
	CHECK(id == XE_CONFIG);
	test.changes += !test.change_error;
	return test.change_error;
}

static bool open_unit(const char *name, struct gpuoa_unit **unit)
{
	const struct complaint quiet = { 0 };

	if (!CHECK(!backend_open(&xe_backend, name, unit, &quiet)))
		return false;
	test.backend = xe_backend;
	test.backend.reconfigure = change_set;
	(*unit)->backend = &test.backend;
	return true;
}

static bool begin(void)
{
	memset(&test, 0, sizeof(test));
	xe_begin();
	return open_unit("xe:0", &test.render) && open_unit("xe:0.1", &test.media) &&
	       CHECK(!gpuoa_unit_group_open(NULL, &test.group, NULL, 0));
}

static void end(void)
{
	gpuoa_unit_group_close(test.group);
	gpuoa_unit_close(test.media);
	gpuoa_unit_close(test.render);
}

static const struct gpuoa_set *find_set(struct gpuoa_unit *unit, const char *symbol)
{
	return gpuoa_platform_find_set(gpuoa_unit_platform(unit), symbol, unit->desc.domain,
				       gpuoa_unit_constants(unit));
}

static struct gpuoa_unit_group_entry render(const char *symbol)
{
	return (struct gpuoa_unit_group_entry){ .unit = test.render,
						.set = find_set(test.render, symbol) };
}

static struct gpuoa_unit_group_entry media(void)
{
	return (struct gpuoa_unit_group_entry){ .unit = test.media,
						.set = find_set(test.media, "MediaSet1") };
}

static int set(const struct gpuoa_unit_group_entry *entries, size_t count)
{
	return gpuoa_unit_group_set(test.group, entries, count, test.error, sizeof(test.error));
}

/* Update the simulated kernel after files were closed. Returns whether the stream is open. */
static bool is_open(struct xe_stream *stream)
{
	if (stream->fd >= 0 && fcntl(stream->fd, F_GETFD) < 0)
		stream->fd = -1;
	return stream->fd >= 0;
}

static bool are_open(bool render_is, bool media_is)
{
	return is_open(&xe.streams[0]) == render_is && is_open(&xe.streams[1]) == media_is;
}

static bool has_added(const struct gpuoa_unit_group_entry *entry)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(entry->set, &desc, sizeof(desc));
	return !strcmp(desc.uuid, xe.uuid);
}

static void units_are_held_until_they_leave_the_group(void)
{
	struct gpuoa_unit_group_entry entries[2];
	int first;

	REQUIRE(begin());
	entries[0] = render("RenderBasic");
	entries[1] = media();
	CHECK(!set(entries, 1) && are_open(true, false));
	CHECK(!xe.streams[0].enabled);
	first = xe.streams[0].fd;
	CHECK(!set(entries, 2) && are_open(true, true) && xe.streams[0].fd == first);
	CHECK(!set(entries + 1, 1) && are_open(false, true));
	CHECK(!set(entries, 2) && are_open(true, true));
	CHECK(!set(NULL, 0) && are_open(false, false));
	CHECK(!set(entries, 2) && are_open(true, true) && !test.changes);
	gpuoa_unit_group_close(test.group);
	test.group = NULL;
	CHECK(are_open(false, false));
	end();
}

static void set_is_changed_without_releasing_the_unit(void)
{
	struct gpuoa_unit_group_entry entry;
	struct gpuoa_unit *again;
	int first;

	REQUIRE(begin());
	entry = render("RenderBasic");
	CHECK(!set(&entry, 1) && has_added(&entry));
	first = xe.streams[0].fd;
	entry = render("ComputeBasic");
	CHECK(!set(&entry, 1) && test.changes == 1 && has_added(&entry));
	/* The same unit and set, but of another handle */
	REQUIRE(open_unit("xe:0", &again));
	entry.unit = again;
	CHECK(!set(&entry, 1) && test.changes == 1);
	gpuoa_unit_close(again);
	entry = render("RenderBasic");
	CHECK(!set(&entry, 1) && test.changes == 2 && has_added(&entry));
	CHECK(are_open(true, false) && xe.streams[0].fd == first);
	end();
}

static void failed_change_is_undone(void)
{
	struct gpuoa_unit_group_entry entries[2], before;

	REQUIRE(begin());
	entries[0] = before = render("RenderBasic");
	entries[1] = media();
	/* A unit that was not in the group is released. */
	xe.streams[1].fd = eventfd(0, 0);
	CHECK(set(entries, 2) == -EBUSY && strstr(test.error, "xe:0.1 is in use"));
	CHECK(are_open(false, true));
	/* A unit with an unchanged set stays. */
	CHECK(!set(entries, 1) && !test.changes);
	CHECK(set(entries, 2) == -EBUSY && !test.changes && are_open(true, true));
	/* A unit with a changed set gets its old one again. */
	entries[0] = render("ComputeBasic");
	CHECK(set(entries, 2) == -EBUSY && test.changes == 2 && has_added(&before));
	/* The group is still that of before. */
	close(xe.streams[1].fd);
	xe.streams[1].fd = -1;
	CHECK(!set(&before, 1) && test.changes == 2);
	test.change_error = -EIO;
	CHECK(set(entries, 1) == -EIO && test.changes == 2 && are_open(true, false));
	CHECK(!set(NULL, 0) && are_open(false, false));
	end();
}

static void contradictory_entries_are_rejected(void)
{
	struct gpuoa_unit_group_entry entries[3];

	REQUIRE(begin());
	entries[0] = media();
	entries[1] = render("RenderBasic");
	entries[2] = render("ComputeBasic");
	CHECK(set(entries, 3) == -EINVAL);
	CHECK_STRING(test.error,
		     "xe:0 can be programmed for one set, not for RenderBasic and ComputeBasic");
	CHECK(are_open(false, false));
	entries[1].reserved[1] = 1;
	CHECK(set(entries, 2) == -E2BIG && strstr(test.error, "entry 1"));
	CHECK(are_open(false, false));
	end();
}

/* Program two units, and release them. */
static int use_group(void)
{
	struct gpuoa_unit_group_entry entries[] = { render("RenderBasic"), media() };
	int err = gpuoa_unit_group_open(NULL, &test.group, test.error, sizeof(test.error));

	if (err)
		return err;
	err = set(entries, 2);
	gpuoa_unit_group_close(test.group);
	CHECK(are_open(false, false));
	return err;
}

static void group_survives_failures(void)
{
	REQUIRE(begin());
	gpuoa_unit_group_close(test.group);
	fail_each(&calls, EIO, use_group);
	fail_each(&allocations, ENOMEM, use_group);
	test.group = NULL;
	end();
}

int main(void)
{
	RUN(units_are_held_until_they_leave_the_group);
	RUN(set_is_changed_without_releasing_the_unit);
	RUN(failed_change_is_undone);
	RUN(contradictory_entries_are_rejected);
	RUN(group_survives_failures);
	return tap_end();
}
