// SPDX-License-Identifier: MIT
/* base_test.c - Test the helpers of lib/base: texts, names, memory, sized structs and small files.
 */
#define _GNU_SOURCE /* nftw */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/complaint.h"
#include "base/name_map.h"
#include "base/sized.h"
#include "base/sysfs.h"
#include "base/ticks.h"
#include "base/utf8.h"
#include "tap.h"
#include "tree.h"

/* ---- UTF-8 ---- */

/* Check where a text has its first invalid byte; -1: it has none. */
static void check_utf8(const char *text, size_t size, int invalid)
{
	char *exact = malloc(size ? size : 1);
	const char *found;

	REQUIRE(exact);
	memcpy(exact, text, size);
	found = utf8_find_invalid(exact, size);
	if (!CHECK(invalid < 0 ? !found : found == exact + invalid))
		printf("# %02x %02x...\n", (unsigned char)text[0], (unsigned char)text[1]);
	free(exact);
}

static void utf8_is_validated(void)
{
	static const char *const good[] = {
		"",
		"a~\x7f\x01",
		"\xc2\x80",
		"\xdf\xbf",
		"\xe0\xa0\x80",
		"\xed\x9f\xbf",
		"\xee\x80\x80",
		"\xef\xbf\xbf",
		"\xf0\x90\x80\x80",
		"\xf4\x8f\xbf\xbf",
		("a\xc3\xa9"
		 "b\xe2\x82\xac"),
	};
	/* Overlong encodings, surrogates, values above 0x10ffff, and bytes that begin nothing */
	static const char *const bad[] = {
		"\xc0\x80",
		"\xc1\xbf",
		"\xe0\x9f\xbf",
		"\xed\xa0\x80",
		"\xed\xbf\xbf",
		"\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80",
		"\xf7\xbf\xbf\xbf",
		"\x80",
		"\xbf",
		"\xf8\x88\x80\x80\x80",
		"\xff",
		"\xc3(",
		"\xc3\xc3",
		"\xe2\x82(",
		"\xe2(\xac",
		"\xf0\x90\x80(",
		"\xf0\x90(\x80",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		check_utf8(good[i], strlen(good[i]), -1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[16];

		check_utf8(bad[i], strlen(bad[i]), 0);
		snprintf(text, sizeof(text), "ab%sc", bad[i]);
		check_utf8(text, strlen(text), 2);
	}
	/* A character that the text cuts */
	check_utf8("\xc3\xa9", 1, 0);
	check_utf8("a\xe2\x82\xac", 3, 1);
	check_utf8("\xf0\x90\x80\x80", 3, 0);
	check_utf8("a\0b", 3, -1);
}

static void byte_order_mark_is_recognized(void)
{
	CHECK(utf8_mark("\xef\xbb\xbf", 3) == 3 && utf8_mark("\xef\xbb\xbf"
							     "a",
							     4) == 3);
	CHECK(!utf8_mark("\xef\xbb\xbf", 2) && !utf8_mark("", 0) && !utf8_mark("abc", 3));
}

/* ---- names ---- */

#define NAMES 5000

static void map_finds_each_name(void)
{
	static char names[NAMES][8];
	struct name_map map = { 0 };

	CHECK(!name_map_find(&map, "0"));
	for (uintptr_t i = 0; i < NAMES; i++) {
		snprintf(names[i], sizeof(names[i]), "%" PRIuPTR, i);
		CHECK(name_map_add(&map, names[i], (void *)(i + 1)));
		/* The first value of a name stays. */
		CHECK(name_map_add(&map, names[i / 2], (void *)(i + 2 * NAMES)));
		CHECK(map.count == i + 1);
		/* At most about half of the slots are used, and not far less. */
		CHECK(2 * map.count <= map.mask + 1 &&
		      (map.mask == 63 || 4 * map.count >= map.mask));
	}
	for (uintptr_t i = 0; i < NAMES; i++)
		CHECK(name_map_find(&map, names[i]) == (void *)(i + 1));
	CHECK(!name_map_find(&map, "x") && !name_map_find(&map, ""));
	name_map_clear(&map);
	CHECK(!map.count && !name_map_find(&map, "7"));
	CHECK(name_map_add(&map, "7", &map) && name_map_find(&map, "7") == &map);
	/* A small map keeps its memory. */
	name_map_clear(&map);
	CHECK(map.slots && map.mask == 63 && !map.count && !name_map_find(&map, "7"));
	name_map_free(&map);
	CHECK(!map.slots && !name_map_find(&map, "7"));
	name_map_clear(&map);
	name_map_free(&map);
}

static void cleared_map_finds_no_name(void)
{
	static char names[2000][8];
	struct name_map map = { 0 };

	for (size_t count = 15; count <= 2000; count = 2 * count + 1) {
		for (size_t i = 0; i < count; i++) {
			snprintf(names[i], sizeof(names[i]), "%zu", i);
			CHECK(name_map_add(&map, names[i], &map));
		}
		name_map_clear(&map);
		for (size_t i = 0; i < count; i++)
			CHECK(!name_map_find(&map, names[i]));
	}
	name_map_free(&map);
}

/* ---- memory ---- */

static void arena_gives_zeroed_aligned_memory(void)
{
	static const size_t sizes[] = { 1, 7, 8, 16, 17, 1000, 65535, 65536, 65537, 200000, 0, 5 };
	struct arena arena = { 0 };
	uint8_t *all[sizeof(sizes) / sizeof(sizes[0])];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		all[i] = arena_alloc(&arena, sizes[i]);
		REQUIRE(all[i]);
		CHECK((uintptr_t)all[i] % _Alignof(max_align_t) == 0);
		for (size_t k = 0; k < sizes[i]; k++)
			CHECK(!all[i][k]);
		memset(all[i], (int)i + 1, sizes[i]);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t k = 0; k < sizes[i]; k++)
			CHECK(all[i][k] == i + 1);
	CHECK_STRING(arena_string(&arena, "text", 3), "tex");
	CHECK_STRING(arena_string(&arena, "", 0), "");
	arena_free(&arena);
	CHECK(!arena.blocks && !arena.used);
	arena_free(&arena);
}

/* A block of 64 KiB is used completely. */
static void arena_shares_blocks(void)
{
	struct arena arena = { 0 };
	const char *first = arena_alloc(&arena, 16), *next;
	const struct arena_block *block = arena.blocks;

	CHECK(arena.used == 16);
	for (size_t used = 16; used < 65536; used += 16) {
		next = arena_alloc(&arena, 9);
		CHECK(next == first + used && arena.blocks == block);
	}
	CHECK(arena.used == 65536);
	CHECK(arena_alloc(&arena, 1) && arena.blocks != block && arena.used == 16);
	arena_free(&arena);
}

/* ---- structs of other versions ---- */

struct options {
	size_t size;
	uint64_t first, second;
};

static char text[160];

static int take(const void *options, struct options *known)
{
	const struct complaint complaint = complaint_begin(text, sizeof(text));

	memset(known, 0xff, sizeof(*known));
	memset(known, 0xff, sizeof(*known));
	return sized_take(known, sizeof(*known), options, offsetof(struct options, second), "these",
			  &complaint);
}

static void structs_of_other_versions_are_taken(void)
{
	struct {
		struct options options;
		uint8_t newer[4];
	} large = { { 0, 3, 5 }, { 0 } };
	struct options known;

	CHECK(!take(NULL, &known) && !known.size && !known.first && !known.second);
	large.options.size = sizeof(large.options);
	CHECK(!take(&large, &known) && known.first == 3 && known.second == 5);
	/* of an older library */
	large.options.size = offsetof(struct options, second);
	CHECK(!take(&large, &known) && known.first == 3 && !known.second);
	large.options.size--;
	CHECK(take(&large, &known) == -EINVAL);
	CHECK_STRING(text, "the size in these is 15, and must be 16 or more");
	/* of a newer library */
	large.options.size = sizeof(large.options) + 4;
	CHECK(!take(&large, &known) && known.second == 5);
	large.newer[3] = 1;
	CHECK(take(&large, &known) == -E2BIG);
	CHECK_STRING(text, "these are of a newer library: this one does not know byte 27");
	large.options.size--;
	CHECK(!take(&large, &known));
}

/* Members that the caller's struct does not have are 0. */
static void short_struct_is_completed(void)
{
	const struct complaint complaint = complaint_begin(text, sizeof(text));
	const struct options given = { 1, 2, 3 };
	struct options known;

	for (size_t size = 0; size <= sizeof(given); size += 8) {
		memset(&known, 0xff, sizeof(known));
		CHECK(!sized_take_desc(&known, sizeof(known), &given, size, "these", &complaint));
		CHECK(known.size == (size > 0 ? 1 : 0) && known.first == (size > 8 ? 2 : 0));
		CHECK(known.second == (size > 16 ? 3 : 0));
	}
}

static void reserved_words_must_be_0(void)
{
	const struct complaint complaint = complaint_begin(text, sizeof(text));
	uint64_t words[4] = { 0, 0, 0, 7 };

	CHECK(!sized_check_reserved(words, 3, "entry", 5, &complaint));
	CHECK_STRING(text, "");
	CHECK(sized_check_reserved(words, 4, "entry", 5, &complaint) == -E2BIG);
	CHECK(strstr(text, "reserved words of entry 5 are not 0"));
	words[0] = 1;
	CHECK(sized_check_reserved(words, 1, "entry", 5, &complaint) == -E2BIG);
}

/* ---- messages ---- */

static void complaints_fit_their_room(void)
{
	char room[9] = "~~~~~~~~";
	struct complaint complaint = complaint_begin(room, 8);

	CHECK(!*room && room[1] == '~');
	complaint_print(&complaint, "%s", "123456789");
	CHECK_STRING(room, "1234567");
	/* A text that is there is not replaced by that of the errno. */
	CHECK(complaint_end(&complaint, -EINVAL) == -EINVAL);
	CHECK_STRING(room, "1234567");
	*room = '\0';
	CHECK(!complaint_end(&complaint, 0) && !*room);
	CHECK(complaint_end(&complaint, -EPERM) == -EPERM);
	CHECK_STRING(room, "Operati");
	*room = '~';
	complaint = complaint_begin(room, 0);
	complaint_print(&complaint, "x");
	CHECK(complaint_end(&complaint, -EPERM) == -EPERM && *room == '~');
	complaint = complaint_begin(NULL, 8);
	complaint_print(&complaint, "x");
	CHECK(complaint_end(&complaint, -EPERM) == -EPERM);
}

/* ---- small files ---- */

static void check_number(const char *content, int64_t expected)
{
	char path[PATH_MAX];

	tree_file("number", content);
	CHECK(sysfs_path(path, tree_root, "/%s", "number"));
	if (!CHECK(sysfs_number(path) == expected))
		printf("# '%s'\n", content);
}

static void files_have_numbers_and_lines(void)
{
	char path[PATH_MAX], line[8];

	tree_begin();
	check_number("0\n", 0);
	check_number("-5", -5);
	check_number("0x10\n", 16);
	check_number("12 of these", 12);
	check_number("9223372036854775807", INT64_MAX);
	check_number("9223372036854775808", SYSFS_NONE);
	check_number("", SYSFS_NONE);
	check_number("x", SYSFS_NONE);
	tree_file("line", "first\nsecond\n");
	CHECK(sysfs_path(path, tree_root, "/line") && sysfs_line(path, line, sizeof(line)));
	CHECK_STRING(line, "first");
	tree_file("line", "123456789\n");
	CHECK(sysfs_line(path, line, sizeof(line)));
	CHECK_STRING(line, "1234567");
	tree_file("line", "");
	CHECK(!sysfs_line(path, line, sizeof(line)));
	CHECK_STRING(line, "");
	CHECK(sysfs_path(path, tree_root, "/none") && !sysfs_line(path, line, sizeof(line)));
	CHECK(!*line && sysfs_number(path) == SYSFS_NONE);
	tree_link("link", "line");
	CHECK(sysfs_path(path, tree_root, "/link"));
	sysfs_link(path, line, sizeof(line));
	CHECK_STRING(line, "line");
	CHECK(sysfs_path(path, tree_root, "/none"));
	sysfs_link(path, line, sizeof(line));
	CHECK_STRING(line, "");
	tree_end();
}

static void paths_have_limited_length(void)
{
	static char root[PATH_MAX + 1], path[PATH_MAX];

	memset(root, 'a', PATH_MAX);
	CHECK(!sysfs_path(path, root, "%s", ""));
	root[PATH_MAX - 1] = '\0';
	CHECK(sysfs_path(path, root, "%s", "") && strlen(path) == PATH_MAX - 1);
	CHECK(!sysfs_path(path, root, "%s", "b"));
	root[PATH_MAX - 3] = '\0';
	CHECK(sysfs_path(path, root, "%s", "bc") && !strcmp(path + PATH_MAX - 3, "bc"));
	CHECK(!sysfs_path(path, root, "%s", "bcd"));
}

/* ---- timestamps ---- */

static void timestamps_are_extended(void)
{
	CHECK(ticks_after(0x1f0, 0x05, 0xff) == 0x205);
	CHECK(ticks_after(0x1f0, 0xf0, 0xff) == 0x1f0);
	CHECK(ticks_after(0x1f0, 0xef, 0xff) == 0x2ef);
	CHECK(ticks_near(0x1f0, 0x05, 0xff) == 0x205);
	CHECK(ticks_near(0x1f0, 0xef, 0xff) == 0x1ef);
	/* Half of the range ahead is still after; one tick more is before. */
	CHECK(ticks_near(0x200, 0x7f, 0xff) == 0x27f);
	CHECK(ticks_near(0x200, 0x80, 0xff) == 0x180);
	/* There is no time before 0. */
	CHECK(ticks_near(0, 0xf0, 0xff) == 0xf0 && ticks_near(0x10, 0xf0, 0xff) == 0xf0);
}

int main(void)
{
	RUN(utf8_is_validated);
	RUN(byte_order_mark_is_recognized);
	RUN(map_finds_each_name);
	RUN(cleared_map_finds_no_name);
	RUN(arena_gives_zeroed_aligned_memory);
	RUN(arena_shares_blocks);
	RUN(structs_of_other_versions_are_taken);
	RUN(short_struct_is_completed);
	RUN(reserved_words_must_be_0);
	RUN(complaints_fit_their_room);
	RUN(files_have_numbers_and_lines);
	RUN(paths_have_limited_length);
	RUN(timestamps_are_extended);
	return tap_end();
}
