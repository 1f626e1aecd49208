// SPDX-License-Identifier: MIT
/*
 * definition_memory_test.c - Each allocation for a definition fails once, and the parser returns
 * -ENOMEM. The arena of this program allocates each object separately, so that each can fail, and
 * detects writes beyond an object.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "failing_memory.h"

#include "base/arena.h"
#include "gpuoa.h"
#include "tap.h"

#define UUID(n) "00000000-0000-4000-8000-00000000000" #n

/* ---- an arena with guards around each object ---- */

#define GUARD_SIZE 32
#define GUARD_BYTE '7' /* a digit, which a parser must not take for part of a text */

struct arena_block {
	struct arena_block *next;
	size_t size;
	char before[GUARD_SIZE];
	_Alignas(max_align_t) char bytes[]; /* followed by another guard */
};

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block = malloc(sizeof(*block) + size + GUARD_SIZE);

	if (!block)
		return NULL;
	block->next = arena->blocks;
	block->size = size;
	memset(block->before, GUARD_BYTE, GUARD_SIZE);
	memset(block->bytes, 0, size);
	memset(block->bytes + size, GUARD_BYTE, GUARD_SIZE);
	arena->blocks = block;
	return block->bytes;
}

char *arena_string(struct arena *arena, const char *text, size_t length)
{
	char *string = arena_alloc(arena, length + 1);

	if (string)
		memcpy(string, text, length);
	return string;
}

void arena_free(struct arena *arena)
{
	char guard[GUARD_SIZE];

	memset(guard, GUARD_BYTE, GUARD_SIZE);
	while (arena->blocks) {
		struct arena_block *block = arena->blocks;

		CHECK(!memcmp(block->before, guard, GUARD_SIZE));
		CHECK(!memcmp(block->bytes + block->size, guard, GUARD_SIZE));
		arena->blocks = block->next;
		free(block);
	}
}

/* ---- operations ---- */

static const char *source; /* text of a definition, or path of a file if it begins with "lib/" */
static char expected[1 << 16]; /* text of the platforms that @source defines */

static int parse_source(struct gpuoa_definitions **definitions)
{
	char message[256] = "";
	int err;

	if (!strncmp(source, "lib/", 4))
		err = gpuoa_definitions_load(source, definitions, message, sizeof(message));
	else
		err = gpuoa_definitions_parse("user", source, strlen(source), definitions, message,
					      sizeof(message));
	if (err == -ENOMEM)
		CHECK(strstr(message, ": Cannot allocate memory"));
	else if (err)
		printf("# %s\n", message);
	return err;
}

/* Parse @source. If an allocation fails, this must return -ENOMEM. */
static int parse(void)
{
	struct gpuoa_definitions *definitions = NULL;
	const struct gpuoa_platform *platform;
	static char text[sizeof(expected)];
	size_t length = 0;
	int err = parse_source(&definitions);

	if (err)
		return definitions ? -EIO : err;
	for (size_t i = 0; (platform = gpuoa_definitions_get_platform(definitions, i)); i++)
		length += gpuoa_platform_text(platform, text + length, sizeof(text) - length);
	gpuoa_definitions_free(definitions);
	if (!*expected)
		strcpy(expected, text);
	return allocations.failed || strcmp(text, expected) ? -EIO : 0;
}

static void check_each_allocation(const char *definition)
{
	source = definition;
	*expected = '\0';
	fail_each(&allocations, ENOMEM, parse);
}

static void parse_without_memory_returns_enomem(void)
{
	check_each_allocation(
		"language 1\n"
		"platform t \"Test\"\n"
		"constant K \"K.\" constant L \"L.\"\n"
		"info Id \"Id\" = REPORT_ID uint64 number raw\n"
		"info Mask1 \"Mask\" \"A mask.\" = K & 1 uint64 number raw\n"
		"group \"A/B\" on IO\n"
		"metric One1 \"One\" \"First.\" = A0 + K uint64 \"two words\" event of slice\n"
		"metric Two2 \"Two\" = (One1 & 255) - min(A1, 7) if K & 2 max One1 * 1.5\n"
		"	uint64 events event in \"C\" use tier2 draw watermarks 1 "
		"2.5 alias \"Zwei\"\n"
		"metric A1b2c3d4e5f6 \"All\" = float(B0) / 2 float x ratio\n"
		"metric A1b2c3d4e5f6g7 \"Seven\" = B7 uint64 x event\n"
		"change Two2 One1 on OCL \"Changed \" \"by a statement.\"\n"
		"describe \"Id\" \"The identifier.\" describe \"{}x\" \"No metric {1}.\"\n"
		"describe \"A{}b{}c{}d{}e{}f{}\" \"{6} \" \"{5}{4}{3}{2}{1}.\"\n"
		"describe \"A{}b{}c{}d{}e{}f{}g7\" \"{1} to {6}.\"\n"
		"bundle B { Two2 on VK } bundle C { bundle B One1 }\n"
		"registers R { 10=1,2,3 14=2 }\n"
		"template T \"Name\" { format A45_B8_C8 on VK unit OAM0 remark \"Remark.\"\n"
		"	metrics on MEDIA { bundle C name \"N\" } flex R if K == 1\n"
		"	mux if K & 1 { 18=3 } else if L & 2 or L & 4 R else { 1c=4 } }\n"
		"template U like T { metrics { A1b2c3d4e5f6 } change of slice { Two2 = A2 } }\n"
		"set S like U { uuid \"" UUID(
			1) "\" }\n"
			   "set S2 \"Other\" like T { uuid \"" UUID(
				   2) "\" if K & 2 boolean { 2710=1 }\n"
				      "	metrics { metric Own \"Own\" = TIMESTAMP uint64 ns "
				      "duration } }\n"
				      "set S3 { uuid \"" UUID(
					      2) "\" shared format A13 metrics {\n"
						 "	One1 = max(A3, 2) A1b2c3d4e5f6g7 = A3 } "
						 "}\n");
}

/*
 * The built-in platform has too many objects to let each allocation fail: after those for the
 * definition itself, constants and information items, one of 499 fails.
 */
static void extension_without_memory_returns_enomem(void)
{
	long n = 0;
	int err;

	source = "platform hsw \"H\" constant Own \"O.\" bundle B { GpuTime }\n"
		 "template T { format A45_B8_C8 metrics { bundle B PsThreads } }\n"
		 "set S like RenderBasic { metrics { metric M \"M\" = A0 uint64 x event } }\n"
		 "set S2 like T { uuid \"" UUID(1) "\" metrics { VsThreads } }\n";
	*expected = '\0';
	REQUIRE(!parse());
	do {
		allocations.failed = 0;
		allocations.left = n;
		err = parse();
		allocations.left = -1;
		if (allocations.failed && !CHECK(err == -ENOMEM))
			printf("# allocation %ld: %d\n", n, err);
		n += n < 1500 ? 1 : 499;
	} while (allocations.failed);
	CHECK(n > 1500);
}

static void included_files_without_memory_return_enomem(void)
{
	check_each_allocation("lib/tests/definitions/including.oa");
}

static void many_objects_without_memory_return_enomem(void)
{
	static char text[65536];
	char *end = text + sprintf(text, "platform t \"T\"\n");

	/* enough names for several sizes of the maps, and enough registers for several arrays */
	for (int i = 0; i < 70; i++)
		end += sprintf(end, "metric M%d \"M\" = A%d uint64 x event\n", i, i % 45);
	end += sprintf(end, "set S { uuid \"" UUID(1) "\" format A45_B8_C8 metrics {");
	for (int i = 0; i < 70; i++)
		end += sprintf(end, " M%d", i);
	end += sprintf(end, " } mux {");
	for (int i = 0; i < 70; i++)
		end += sprintf(end, " %x=%x", i, i);
	sprintf(end, " } }");
	check_each_allocation(text);
}

static void xml_without_memory_returns_enomem(void)
{
	if (gpuoa_definitions_parse("user", "<", 1, NULL, NULL, 0) == -EOPNOTSUPP)
		return;
	check_each_allocation(
		"<metrics><set chipset=\"T\" symbol_name=\"S\" name=\"S\" oa_format=\"A45_B8_C8\""
		" hw_config_guid=\"00000000-0000-4000-8000-00000000000A\">"
		"<counter symbol_name=\"M\" name=\"&quot;M&quot;\" data_type=\"float\" units=\"x\""
		" description=\"D\" mdapi_group=\"G\" mdapi_hw_unit_type=\"gpu\""
		" semantic_type=\"event\" low_watermark=\"1\" high_watermark=\"2.5\""
		" equation=\"$N 2 UMUL A 1 READ 0.5 FMUL FADD\" max_equation=\"$N 3 UMAX\""
		" availability=\"$SubsliceMask 1 AND $QueryMode 2 == ||\"/>"
		"<counter symbol_name=\"N\" data_type=\"uint64\" units=\"x\""
		" semantic_type=\"event\" equation=\"A 1 READ 100 UMUL\"/>"
		"<register_config type=\"NOA\" availability=\"$SubsliceMask true &amp;&amp;\">"
		"<register address=\"0x9888\" value=\"0x1\"/></register_config>"
		"</set><set chipset=\"U\" symbol_name=\"S\" name=\"S\" oa_format=\"A13\""
		" hw_config_guid=\"00000000-0000-4000-8000-00000000000b\">"
		"<counter symbol_name=\"M\" data_type=\"uint64\" units=\"x\""
		" semantic_type=\"event\" equation=\"A 1 READ\"/>"
		"</set></metrics>");
}

int main(void)
{
	RUN(parse_without_memory_returns_enomem);
	RUN(extension_without_memory_returns_enomem);
	RUN(included_files_without_memory_return_enomem);
	RUN(many_objects_without_memory_return_enomem);
	RUN(xml_without_memory_returns_enomem);
	return tap_end();
}
