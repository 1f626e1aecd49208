// SPDX-License-Identifier: MIT
/*
 * definition_reuse_test.c - Test the means of sharing text between definitions: include files,
 * registers, templates of sets, and descriptions of families; and the text that results.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "fixture.h"
#include "tap.h"

#define UUID(n) "00000000-0000-4000-8000-00000000000" #n

/* Definition of a platform that has metrics One and Two. Further statements start at line 4. */
#define PLATFORM                                                   \
	"platform t \"Test\"\n"                                    \
	"metric One \"1\" \"First.\" = A0 uint64 x event on OGL\n" \
	"metric Two \"2\" \"Second.\" = One + A1 uint64 x event\n"

/* Temporary directory that contains the files of a test */
static char directory[] = "/tmp/gpuoa-sharing-XXXXXX";

static void path_of(char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s/%s", directory, name);
}

static void write_file(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	path_of(path, sizeof(path), name);
	file = fopen(path, "w");
	REQUIRE(file);
	CHECK(fputs(text, file) >= 0);
	CHECK(fclose(file) == 0);
}

static void remove_file(const char *name)
{
	char path[256];

	path_of(path, sizeof(path), name);
	CHECK(remove(path) == 0);
}

static int compile_file(struct fixture *fixture, const char *name)
{
	char path[256];

	path_of(path, sizeof(path), name);
	return fixture_compile_file(fixture, path);
}

/* Compare an error message with @expected, ignoring the directory in file names. */
static void check_message(const char *message, const char *expected)
{
	char text[sizeof(((struct diagnostic *)0)->text)] = "";
	size_t length = strlen(directory) + 1;

	for (; *message; message++) {
		if (!strncmp(message, directory, length - 1))
			message += length;
		strncat(text, message, 1);
	}
	CHECK_STRING(text, expected);
}

static void check_file_error(const char *name, const char *expected)
{
	struct fixture fixture;

	CHECK(compile_file(&fixture, name) == -EINVAL);
	check_message(fixture.diagnostic.text, expected);
	fixture_free(&fixture);
}

static void check_error(const char *text, const char *expected)
{
	struct fixture fixture;

	CHECK(fixture_compile(&fixture, text) == -EINVAL);
	CHECK_STRING(fixture.diagnostic.text, expected);
	fixture_free(&fixture);
}

static const struct gpuoa_set *find_set(const struct fixture *fixture, const char *symbol)
{
	return gpuoa_platform_find_set(fixture_platform(fixture), symbol, NULL, NULL);
}

static struct gpuoa_set_desc describe_set(const struct gpuoa_set *set)
{
	struct gpuoa_set_desc desc = { .symbol = "" };

	if (CHECK(set))
		gpuoa_set_describe(set, &desc, sizeof(desc));
	return desc;
}

static struct gpuoa_metric_desc describe_metric(const struct gpuoa_set *set, const char *symbol)
{
	struct gpuoa_metric_desc desc = { .symbol = "", .equation = "" };
	const struct gpuoa_metric *metric = set ? gpuoa_set_find_metric(set, symbol) : NULL;

	if (CHECK(metric))
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
	return desc;
}

/* ---- all clauses ---- */

static const char all_clauses[] =
	"platform t \"Test\"\n"
	"constant K \"K.\"\n"
	"constant L \"Never used.\"\n"
	"info Id \"Id\" \"An item.\" = REPORT_ID uint64 number raw\n"
	"info Mask1 \"Mask\" = K & 1 uint64 \"two words\" flag\n"
	"group \"A/B\" on IO\n"
	"metric Plain \"P\" = A0 uint64 x event\n"
	"metric Full1 \"F\" \"First.\" = A1 + K uint64 events event of slice use draw tier4\n"
	"\ton VK MEDIA watermarks 1 2.5 alias \"Alias\" in \"C\" max 100 if K & 1\n"
	"metric Zero \"Z\" = A2 float percent ratio\n"
	"describe \"Zero\" \"Described.\"\n"
	"group \"D\" use tier1 frame overview watermarks 3 4 alias \"G\" max 7 if K "
	"& 2 of unit \"Group text.\"\n"
	"metric Grouped \"G\" = A3 uint64 x throughput\n"
	"change Zero Plain on OCL use system\n"
	"bundle B { Full1 name \"Full2\" \"In a bundle.\" Plain of eu }\n"
	"template T \"Name\" { format A45_B8_C8 on VK unit OAM0 if K & 4 remark \"Remark.\"\n"
	"\tmetrics on OGL of dualsubslice { bundle B in \"E\" Zero metric Own "
	"\"O\" = A4 uint64 ns duration }\n"
	"\tmetrics { metric Whole \"W\" = A6 uint64 x event } }\n"
	"set S like T { uuid \"00000000-0000-4000-8000-000000000001\"\n"
	"\tchange name \"Changed\" { Zero = A5 } mux { 9888=1,2 9888=ffffffff } }\n"
	"set Unnamed { uuid \"00000000-0000-4000-8000-000000000001\" shared "
	"format A13 metrics { Grouped } }\n";

/* The same platform, without groups, changes, bundles and templates */
static const char expanded[] = "language 1\n"
			       "platform t \"Test\"\n"
			       "\n"
			       "constant K \"K.\"\n"
			       "constant L \"Never used.\"\n"
			       "info Id \"Id\"\n"
			       "\t\"An item.\"\n"
			       "\t= REPORT_ID\n"
			       "\tuint64 \"number\" raw\n"
			       "info Mask1 \"Mask\"\n"
			       "\t= K & 1\n"
			       "\tuint64 \"two words\" flag\n"
			       "\n"
			       "set S \"Name\" {\n"
			       "\tuuid \"00000000-0000-4000-8000-000000000001\"\n"
			       "\tformat A45_B8_C8\n"
			       "\tunit OAM0\n"
			       "\ton VK\n"
			       "\tif K & 4\n"
			       "\tremark \"Remark.\"\n"
			       "\tmetrics {\n"
			       "\t\tmetric Full1 \"Full2\"\n"
			       "\t\t\t\"In a bundle.\"\n"
			       "\t\t\tin \"E\"\n"
			       "\t\t\t= A1 + K\n"
			       "\t\t\tuint64 \"events\" event\n"
			       "\t\t\tmax 100\n"
			       "\t\t\tif K & 1\n"
			       "\t\t\tof \"dualsubslice\"\n"
			       "\t\t\talias \"Alias\"\n"
			       "\t\t\tuse draw tier4\n"
			       "\t\t\ton OGL\n"
			       "\t\t\twatermarks 1 2.5\n"
			       "\t\tmetric Plain \"P\"\n"
			       "\t\t\tin \"E\"\n"
			       "\t\t\t= A0\n"
			       "\t\t\tuint64 \"x\" event\n"
			       "\t\t\tof \"dualsubslice\"\n"
			       "\t\t\tuse system\n"
			       "\t\t\ton OGL\n"
			       "\t\tmetric Zero \"Changed\"\n"
			       "\t\t\t\"Described.\"\n"
			       "\t\t\tin \"A/B\"\n"
			       "\t\t\t= A5\n"
			       "\t\t\tfloat \"percent\" ratio\n"
			       "\t\t\tof \"dualsubslice\"\n"
			       "\t\t\tuse system\n"
			       "\t\t\ton OGL\n"
			       "\t\tmetric Own \"O\"\n"
			       "\t\t\t= A4\n"
			       "\t\t\tuint64 \"ns\" duration\n"
			       "\t\t\tof \"dualsubslice\"\n"
			       "\t\t\ton OGL\n"
			       "\t\tmetric Whole \"W\"\n"
			       "\t\t\t= A6\n"
			       "\t\t\tuint64 \"x\" event\n"
			       "\t\t\tof \"gpu\"\n"
			       "\t}\n"
			       "\tmux {\n"
			       "\t\t09888=00000001  09888=00000002  09888=ffffffff\n"
			       "\t}\n"
			       "}\n"
			       "\n"
			       "set Unnamed \"Unnamed\" {\n"
			       "\tuuid \"00000000-0000-4000-8000-000000000001\" shared\n"
			       "\tformat A13\n"
			       "\tunit OA\n"
			       "\ton all\n"
			       "\tmetrics {\n"
			       "\t\tmetric Grouped \"G\"\n"
			       "\t\t\t\"Group text.\"\n"
			       "\t\t\tin \"D\"\n"
			       "\t\t\t= A3\n"
			       "\t\t\tuint64 \"x\" throughput\n"
			       "\t\t\tmax 7\n"
			       "\t\t\tif K & 2\n"
			       "\t\t\tof \"unit\"\n"
			       "\t\t\talias \"G\"\n"
			       "\t\t\tuse overview frame tier1\n"
			       "\t\t\twatermarks 3 4\n"
			       "\t}\n"
			       "}\n";

static void platform_text_has_all_clauses(void)
{
	struct gpuoa_definitions *definitions;
	static char text[8192];

	REQUIRE(!gpuoa_definitions_parse("user", all_clauses, strlen(all_clauses), &definitions,
					 NULL, 0));
	CHECK(gpuoa_platform_text(gpuoa_definitions_get_platform(definitions, 0), text,
				  sizeof(text)) == strlen(expanded));
	CHECK_STRING(text, expanded);
	gpuoa_definitions_free(definitions);
	REQUIRE(!gpuoa_definitions_parse("user", expanded, strlen(expanded), &definitions, NULL,
					 0));
	gpuoa_platform_text(gpuoa_definitions_get_platform(definitions, 0), text, sizeof(text));
	CHECK_STRING(text, expanded);
	gpuoa_definitions_free(definitions);
}

static void tier_is_one_of_four(void)
{
	for (uint32_t tier = 1; tier <= 4; tier++) {
		struct gpuoa_metric_desc desc;
		struct fixture fixture;
		char text[512];

		snprintf(text, sizeof(text),
			 PLATFORM "set S { uuid \"" UUID(1) "\" format A13 metrics {\n"
							    "One use draw tier%u } }",
			 tier);
		REQUIRE(!fixture_compile(&fixture, text));
		desc = describe_metric(find_set(&fixture, "S"), "One");
		CHECK(desc.tier == tier);
		CHECK(desc.usage ==
		      (GPUOA_USAGE_DRAW | (uint32_t)GPUOA_USAGE_TIER_1 << (tier - 1)));
		fixture_free(&fixture);
		for (uint32_t other = 1; other <= 4; other++) {
			snprintf(text, sizeof(text), PLATFORM "change One use tier%u tier%u = A1",
				 tier, other);
			check_error(text, other == tier ?
						  "test.oa:4:22: this word is here twice" :
						  "test.oa:4:28: a metric has one tier at most");
		}
	}
}

/* ---- files ---- */

static void include_adds_definitions(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants;
	uint64_t value;

	write_file("base.oa", "constant Used \"Used.\"\n"
			      "constant Unused \"Unused.\"\n"
			      "metric M \"M\" \"D.\" = A0 // Used uint64 x event\n");
	write_file("main.oa", "platform t \"T\"\n"
			      "constant Own \"Own.\"\n"
			      "include \"base.oa\" include \"./base.oa\"\n"
			      "set S { uuid \"" UUID(1) "\" format A13 metrics { M } }\n");
	REQUIRE(compile_file(&fixture, "main.oa") == 0);
	CHECK_STRING(describe_metric(find_set(&fixture, "S"), "M").equation, "A0 // Used");
	REQUIRE(!gpuoa_constants_new(fixture_platform(&fixture), &constants));
	CHECK(gpuoa_constants_count(constants) == 2);
	CHECK_STRING(gpuoa_constants_name(constants, 0), "Own");
	CHECK_STRING(gpuoa_constants_name(constants, 1), "Used");
	CHECK(gpuoa_constants_get(constants, "Unused", &value) == -ENOENT);
	gpuoa_constants_free(constants);
	fixture_free(&fixture);
	remove_file("base.oa");
	remove_file("main.oa");
}

static void errors_name_include_chain(void)
{
	write_file("inner.oa", "\n  metric x\n");
	write_file("outer.oa", "# comment\ninclude \"inner.oa\"\n");
	write_file("main.oa", "platform t \"T\"\ninclude \"outer.oa\"\n");
	check_file_error("main.oa", "inner.oa:2:10: expected the metric's symbol, found "
				    "'x' (included from outer.oa:2:9 from main.oa:2:9)");
	write_file("inner.oa", "metric M \"M\" = A0 uint64 x event\n");
	write_file("main.oa", "platform t \"T\"\n"
			      "metric M \"M\" = A0 uint64 x event\n"
			      "include \"outer.oa\"\n");
	check_file_error("main.oa", "inner.oa:1:8: M is there already, in main.oa:2 "
				    "(included from outer.oa:2:9 from main.oa:3:9)");
	remove_file("inner.oa");
	remove_file("outer.oa");
	remove_file("main.oa");
}

static void include_errors_have_position(void)
{
	write_file("main.oa", "platform t \"T\"\ninclude \"no.oa\"\n");
	check_file_error("main.oa", "main.oa:2:9: no.oa: No such file or directory");
	write_file("main.oa", "platform t \"T\"\ninclude \".\"\n");
	check_file_error("main.oa", "main.oa:2:9: .: not a regular file");
	write_file("main.oa", "platform t \"T\"\ninclude main.oa\n");
	check_file_error("main.oa", "main.oa:2:9: expected a file's name in quotes, found 'main'");
	write_file("main.oa", "platform t \"T\"\ninclude \"main.oa\"\n");
	check_file_error("main.oa", "main.oa:2:9: main.oa includes itself");
	write_file("other.oa", "platform o \"O\"\n");
	write_file("main.oa", "platform t \"T\"\ninclude \"other.oa\"\n");
	check_file_error("main.oa", "other.oa:1:1: a platform's own file can't be "
				    "included (included from main.oa:2:9)");
	write_file("other.oa", "include \"third.oa\"\n");
	write_file("third.oa", "include \"other.oa\"\n");
	check_file_error("main.oa", "third.oa:1:9: other.oa includes itself (included "
				    "from other.oa:1:9 from main.oa:2:9)");
	remove_file("main.oa");
	remove_file("other.oa");
	remove_file("third.oa");
}

static void include_depth_is_limited(void)
{
	char name[16], text[32];
	struct fixture fixture;

	write_file("main.oa", "platform t \"T\"\ninclude \"1.oa\"\n");
	for (int i = 1; i <= 9; i++) {
		snprintf(name, sizeof(name), "%d.oa", i);
		snprintf(text, sizeof(text), "include \"%d.oa\"\n", i + 1);
		write_file(name, i == 8 ? "" : text);
	}
	CHECK(compile_file(&fixture, "main.oa") == 0);
	fixture_free(&fixture);
	write_file("8.oa", "include \"9.oa\"\n");
	check_file_error("main.oa", "8.oa:1:9: files include each other more than 8 deep (included "
				    "from 7.oa:1:9 from 6.oa:1:9 from 5.oa:1:9 from 4.oa:1:9 from "
				    "3.oa:1:9 from 2.oa:1:9 from 1.oa:1:9 from main.oa:2:9)");
	for (int i = 1; i <= 9; i++) {
		snprintf(name, sizeof(name), "%d.oa", i);
		remove_file(name);
	}
	remove_file("main.oa");
}

/* Write files named a0.oa, a1.oa and so on, and a main file that includes them one by one. */
static void write_includes(int count)
{
	static char main_text[4096];
	char *end = main_text + sprintf(main_text, "platform t \"T\"\n");
	char name[16], text[64];

	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "a%d.oa", i);
		snprintf(text, sizeof(text), "metric M%d \"M\" = A0 uint64 x event\n", i);
		write_file(name, text);
		end += sprintf(end, "include \"%s\"\n", name);
	}
	sprintf(end, "set S { uuid \"" UUID(1) "\" format A13 metrics { M0 M%d } }", count - 1);
	write_file("main.oa", main_text);
}

static void number_of_included_files_is_limited(void)
{
	struct fixture fixture;
	char name[16];

	write_includes(64);
	REQUIRE(compile_file(&fixture, "main.oa") == 0);
	CHECK_STRING(describe_metric(find_set(&fixture, "S"), "M63").equation, "A0");
	fixture_free(&fixture);
	write_includes(65);
	check_file_error("main.oa", "main.oa:66:9: more than 64 files are included");
	for (int i = 0; i < 65; i++) {
		snprintf(name, sizeof(name), "a%d.oa", i);
		remove_file(name);
	}
	remove_file("main.oa");
}

static void missing_file_returns_enoent(void)
{
	struct fixture fixture;

	CHECK(compile_file(&fixture, "no.oa") == -ENOENT);
	check_message(fixture.diagnostic.text, "no.oa: No such file or directory");
	fixture_free(&fixture);
}

/* ---- changes ---- */

static void change_applies_to_whole_platform(void)
{
	struct fixture fixture;
	struct gpuoa_metric_desc one, two;

	REQUIRE(!fixture_compile(&fixture,
				 PLATFORM "change One Two = A7 max 9\n"
					  "change Two max none on OCL\n"
					  "set S { uuid \"" UUID(1) "\" format A13\n"
								    "metrics { One Two } }"));
	one = describe_metric(find_set(&fixture, "S"), "One");
	two = describe_metric(find_set(&fixture, "S"), "Two");
	CHECK_STRING(one.equation, "A7");
	CHECK_STRING(one.max, "9");
	CHECK(one.apis == GPUOA_API_OGL);
	CHECK_STRING(two.equation, "A7");
	CHECK_STRING(two.max, "");
	CHECK(two.apis == GPUOA_API_OCL);
	fixture_free(&fixture);
	check_error(PLATFORM "change Three = A0",
		    "test.oa:4:8: there is no metric 'Three' before this line");
	check_error(PLATFORM "change One Two One = A0", "test.oa:4:16: One is here twice");
	check_error(PLATFORM "change One = A0 {",
		    "test.oa:4:17: expected an operator, a clause or the next "
		    "statement, found '{'");
}

/* ---- registers and templates ---- */

static void register_lists_may_be_named(void)
{
	struct gpuoa_reg regs[4] = { 0 };
	struct fixture fixture;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;

	REQUIRE(!fixture_compile(
		&fixture,
		PLATFORM "constant K \"K.\"\n"
			 "registers R { 10=1 14=2 }\n"
			 "set S { uuid \"" UUID(1) "\" format A13 metrics { One }\n"
						   "mux R mux if K & 1 { 18=3 } mux if K & 2 R }"));
	set = find_set(&fixture, "S");
	REQUIRE(set && !gpuoa_constants_new(fixture_platform(&fixture), &constants));
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, constants, regs, 4) == -ENODATA);
	CHECK(!regs[0].address);
	CHECK(!gpuoa_constants_set(constants, "K", 0));
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, constants, regs, 4) == 2);
	CHECK(regs[0].address == 0x10 && regs[1].value == 2);
	CHECK(!gpuoa_constants_set(constants, "K", 2));
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, constants, regs, 4) == 4);
	CHECK(regs[2].address == 0x10 && regs[3].address == 0x14);
	CHECK(!gpuoa_constants_set(constants, "K", 3));
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, constants, NULL, 0) == 5);
	gpuoa_constants_free(constants);
	fixture_free(&fixture);
	check_error("platform t \"T\"\nset S { mux R }",
		    "test.oa:2:13: there is no list of registers 'R' before "
		    "this line");
	check_error("platform t \"T\"\nregisters R { } registers R { }",
		    "test.oa:2:27: there is a list of registers R already");
}

static void long_register_list_keeps_its_order(void)
{
	struct gpuoa_reg regs[101];
	struct fixture fixture;
	char text[4096] = PLATFORM "set S { uuid \"" UUID(1) "\" format A13 metrics { One } mux {";
	char *end = text + strlen(text);

	for (uint32_t i = 0; i < 100; i++)
		end += sprintf(end, " %x=%x", i, UINT32_MAX - i);
	sprintf(end, " ffffffff=0 } }");
	REQUIRE(!fixture_compile(&fixture, text));
	CHECK(gpuoa_set_registers(find_set(&fixture, "S"), GPUOA_REGISTER_MUX, NULL, regs, 101) ==
	      101);
	for (uint32_t i = 0; i < 100; i++)
		CHECK(regs[i].address == i && regs[i].value == UINT32_MAX - i);
	CHECK(regs[100].address == UINT32_MAX && !regs[100].value);
	fixture_free(&fixture);
	check_error("platform t \"T\"\nset S { mux { 100000000=1 } }",
		    "test.oa:2:15: a register address or value has 32 bits");
}

static void empty_register_list_has_no_registers(void)
{
	struct fixture fixture;

	REQUIRE(!fixture_compile(&fixture, PLATFORM
				 "registers R { }\n"
				 "set S { uuid \"" UUID(1) "\" format A13 metrics { One }\n"
							   "mux { } flex R boolean { 1=2 } }"));
	CHECK(!gpuoa_set_registers(find_set(&fixture, "S"), GPUOA_REGISTER_MUX, NULL, NULL, 0));
	CHECK(!gpuoa_set_registers(find_set(&fixture, "S"), GPUOA_REGISTER_FLEX, NULL, NULL, 0));
	CHECK(gpuoa_set_registers(find_set(&fixture, "S"), GPUOA_REGISTER_BOOLEAN, NULL, NULL, 0) ==
	      1);
	fixture_free(&fixture);
}

static void set_inherits_from_template(void)
{
	struct fixture fixture;
	struct gpuoa_set_desc desc;
	const struct gpuoa_set *set;

	REQUIRE(!fixture_compile(&fixture, PLATFORM
				 "template T \"Name\" { format A13 on VK unit OAM0\n"
				 "metrics { One } flex { e458=1 } }\n"
				 "template U like T { metrics { Two }\n"
				 "change on OCL { One = A2 } }\n"
				 "set S like U { uuid \"" UUID(
					 1) "\" }\n"
					    "set V \"Other\" like T { uuid \"" UUID(
						    2) "\" on IO\n"
						       "change { One = A3 } flex { e558=2 } }"));
	set = find_set(&fixture, "S");
	desc = describe_set(set);
	CHECK_STRING(desc.name, "Name");
	CHECK_STRING(desc.domain, "OAM0");
	CHECK(desc.apis == GPUOA_API_VK && desc.metric_count == 2);
	CHECK(desc.format == GPUOA_REPORT_A13);
	CHECK_STRING(describe_metric(set, "One").equation, "A2");
	CHECK(describe_metric(set, "One").apis == GPUOA_API_OCL);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, NULL, 0) == 1);
	set = find_set(&fixture, "V");
	desc = describe_set(set);
	CHECK_STRING(desc.name, "Other");
	CHECK(desc.apis == GPUOA_API_IO && desc.metric_count == 1);
	CHECK_STRING(describe_metric(set, "One").equation, "A3");
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, NULL, 0) == 2);
	fixture_free(&fixture);
}

static void template_errors_have_position(void)
{
	check_error("platform t \"T\"\nset S like T { }",
		    "test.oa:2:12: there is no template 'T' before this line");
	check_error("platform t \"T\"\ntemplate T { }\nset S \"S\" like T x",
		    "test.oa:3:18: expected '{', found 'x'");
	check_error("platform t \"T\"\nset S like T x", "test.oa:2:14: expected '{', found 'x'");
	check_error("platform t \"T\"\ntemplate T { }\ntemplate T { }",
		    "test.oa:3:10: there is a template T already");
	check_error("platform t \"T\"\ntemplate T { }\nset S like T { }",
		    "test.oa:3:5: set S lacks a uuid");
	check_error("platform t \"T\"\ntemplate T { uuid \"" UUID(1) "\" }\nset S like T { }",
		    "test.oa:3:5: set S lacks a format");
	check_error("platform t \"T\"\ntemplate T { on IO on BB }",
		    "test.oa:2:20: this clause is here twice");
	check_error(PLATFORM "set S { uuid \"" UUID(1) "\" format A13 metrics { One }\n"
						       "change { Two = A0 } }",
		    "test.oa:5:10: the set's lists have no metric 'Two'");
	check_error(PLATFORM "template T0 { }\n"
			     "template T1 like T0 { } template T2 like T1 { }\n"
			     "template T3 like T2 { } template T4 like T3 { }\n"
			     "template T5 like T4 { } template T6 like T5 { }\n"
			     "template T7 like T6 { } template T8 like T7 { }\n"
			     "template T9 like T8 { }",
		    "test.oa:9:18: templates are like each other more than 8 "
		    "deep");
}

/* ---- units ---- */

#define SET(symbol, n, clauses) \
	"set " symbol " { uuid \"" UUID(n) "\" format A13 " clauses " metrics { One } }\n"

static void symbol_is_unique_per_domain(void)
{
	struct fixture fixture;
	struct gpuoa_constants *constants;
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *oa, *other, *oam0;

	REQUIRE(!fixture_compile(&fixture, PLATFORM "constant K \"K.\"\n" SET("S", 1, "unit OAM0")
						   SET("S", 2, "if K == 1") SET("S", 3, "if K == 2")
							   SET("T", 4, "")));
	platform = fixture_platform(&fixture);
	oam0 = gpuoa_platform_get_set(platform, 0);
	oa = gpuoa_platform_get_set(platform, 1);
	other = gpuoa_platform_get_set(platform, 2);
	CHECK_STRING(describe_set(oam0).domain, "OAM0");
	CHECK_STRING(describe_set(oam0).availability, "");
	CHECK_STRING(describe_set(oa).domain, "OA");
	CHECK_STRING(describe_set(oa).availability, "K == 1");
	CHECK(gpuoa_platform_find_set(platform, "S", NULL, NULL) == oa);
	CHECK(gpuoa_platform_find_set(platform, "OA/S", NULL, NULL) == oa);
	CHECK(gpuoa_platform_find_set(platform, "OAM0/S", NULL, NULL) == oam0);
	CHECK(!gpuoa_platform_find_set(platform, "OAM/S", NULL, NULL));
	CHECK(!gpuoa_platform_find_set(platform, "OAM0/T", NULL, NULL));
	CHECK(!gpuoa_platform_find_set(platform, "/T", NULL, NULL));
	CHECK(!gpuoa_platform_find_set(platform, "OA/", NULL, NULL));

	REQUIRE(!gpuoa_constants_new(platform, &constants));
	CHECK(gpuoa_set_available(oam0, NULL, constants, NULL, 0) == 1);
	CHECK(gpuoa_set_available(oa, NULL, constants, NULL, 0) == -ENOENT);
	CHECK(gpuoa_platform_find_set(platform, "S", NULL, constants) == oam0);
	CHECK(!gpuoa_constants_set(constants, "K", 2));
	CHECK(gpuoa_set_available(oa, NULL, constants, NULL, 0) == 0);
	CHECK(gpuoa_platform_find_set(platform, "S", NULL, constants) == other);
	CHECK(gpuoa_platform_find_set(platform, "OAM0/S", NULL, constants) == oam0);
	CHECK(!gpuoa_constants_set(constants, "K", 3));
	CHECK(!gpuoa_platform_find_set(platform, "OA/S", NULL, constants));
	gpuoa_constants_free(constants);
	fixture_free(&fixture);

	check_error(PLATFORM SET("S", 1, "") SET("S", 2, ""),
		    "test.oa:5:5: set S is there already, in line 4");
	check_error(PLATFORM SET("S", 1, "unit OAM0") SET("S", 2, "unit OAM0"),
		    "test.oa:5:5: set S is there already, in line 4");
	check_error(PLATFORM SET("S", 1, "") SET("S", 2, "if 1"),
		    "test.oa:5:5: set S is there already, in line 4");
	check_error(PLATFORM SET("S", 1, "") SET("T", 1, "unit OAM0"),
		    "test.oa:5:5: set T has the same uuid as set S");
	check_error(PLATFORM SET("S", 1, "if QueryMode"),
		    "test.oa:4:67: a set is there for queries and streams "
		    "alike");
}

/* ---- descriptions ---- */

static const char *description_of(const struct fixture *fixture, const char *symbol)
{
	return describe_metric(find_set(fixture, "S"), symbol).description;
}

#define PLAIN(symbol) "metric " symbol " \"N\" = A0 uint64 x event\n"

static void pattern_describes_family_of_metrics(void)
{
	struct fixture fixture;

	REQUIRE(!fixture_compile(
		&fixture,
		"platform t \"T\"\n" PLAIN("L3Bank12Reads") PLAIN("L3Bank7Reads")
			PLAIN("L3Bank7Slice42Reads") PLAIN("Nobody") PLAIN(
				"X1") "metric Own3 \"N\" \"Its own.\" = A0 uint64 x event\n"
				      "describe \"L{}Bank{}Reads\" \"Worse {1}.\"\n"
				      "describe \"L3Bank{}Reads\" \"Bank \" \"{1}.\"\n"
				      "describe \"L3Bank7Reads\" \"The seventh.\"\n"
				      "describe \"L3Bank{}Slice{}Reads\" \"{2}, {1}, {2}.\"\n"
				      "describe \"Own{}\" \"Not {1}.\"\n"
				      "describe \"X{}\" \"Any X.\"\n"
				      "set S { uuid \"" UUID(
					      1) "\" format A13 metrics {\n"
						 "L3Bank12Reads L3Bank7Reads L3Bank7Slice42Reads\n"
						 "Nobody Own3 X1 } }"));
	CHECK_STRING(description_of(&fixture, "L3Bank12Reads"), "Bank 12.");
	CHECK_STRING(description_of(&fixture, "L3Bank7Reads"), "The seventh.");
	CHECK_STRING(description_of(&fixture, "L3Bank7Slice42Reads"), "42, 7, 42.");
	CHECK_STRING(description_of(&fixture, "Nobody"), "");
	CHECK_STRING(description_of(&fixture, "Own3"), "Its own.");
	CHECK_STRING(description_of(&fixture, "X1"), "Any X.");
	fixture_free(&fixture);
}

/* Check that the patterns, in the order of their numbers, give the metric this description. */
static void check_description(const char *symbol, const char *patterns, const char *expected)
{
	struct fixture fixture;
	char text[1024];

	snprintf(text, sizeof(text),
		 "platform t \"T\"\nmetric %s \"N\" = A0 uint64 x event\n%s\n"
		 "set S { uuid \"" UUID(1) "\" format A13 metrics { %s } }",
		 symbol, patterns, symbol);
	if (!CHECK(!fixture_compile(&fixture, text)))
		printf("# %s\n", fixture.diagnostic.text);
	else
		CHECK_STRING(description_of(&fixture, symbol), expected);
	fixture_free(&fixture);
}

static void pattern_with_most_literal_characters_wins(void)
{
	check_description("A12B3C", "describe \"A{}B3C\" \"x\" describe \"A12B{}C\" \"{1}\"", "3");
	check_description("A12B3C", "describe \"A12B{}C\" \"{1}\" describe \"A{}B3C\" \"x\"", "3");
	check_description("A1B23C", "describe \"A1B{}C\" \"x\" describe \"A{}B23C\" \"{1}\"", "1");
	check_description("A1B23C", "describe \"A{}B{}C\" \"x\" describe \"A1B{}C\" \"{1}\"", "23");
	check_description("A1B2C", "describe \"A1B{}C\" \"x\" describe \"A{}B2C\" \"first\"",
			  "first");
	check_description("Z9", "describe \"Z{}\" \"Bank {1}{1} of {1}.\"", "Bank 99 of 9.");
	check_description("Bank3", "describe \"Bank{}\" \"{1}\" describe \"{}\" \"x\"", "3");
}

static void pattern_stands_for_six_numbers_at_most(void)
{
	check_description("A1b2c3d4e5f6", "describe \"A{}b{}c{}d{}e{}f{}\" \"{6}{5}{4}{3}{2}{1}\"",
			  "654321");
	check_description("A1b2c3d4e5f6g7",
			  "describe \"A{}b{}c{}d{}e{}f{}g7\" \"{1}{2}{3}{4}{5}{6}\"", "123456");
	check_description("A1b2c3d4e5f6g7", "describe \"A1b2c3d4e5f6g{}\" \"{1}\"", "");
}

static void pattern_errors_have_position(void)
{
	check_error("platform t \"T\"\ndescribe \"A{}B{}\" \"{1}{0}\"",
		    "test.oa:2:19: '{' must begin one of {1} .. {2} here");
	check_error("platform t \"T\"\ndescribe \"A{}B{}\" \"{1}{3}\"",
		    "test.oa:2:19: '{' must begin one of {1} .. {2} here");
	check_error("platform t \"T\"\ndescribe \"A{}B{}\" \"{2}{1\"",
		    "test.oa:2:19: '{' must begin one of {1} .. {2} here");
	check_error("platform t \"T\"\ndescribe \"A{}B{}\" \"{{1}\"",
		    "test.oa:2:19: '{' must begin one of {1} .. {2} here");
	check_error("platform t \"T\"\ndescribe \"A{B\" \"x\"",
		    "test.oa:2:10: a pattern has letters, digits, '_' and {} only");
	check_error("platform t \"T\"\ndescribe \"AB}\" \"x\"",
		    "test.oa:2:10: a pattern has letters, digits, '_' and {} only");
	check_error("platform t \"T\"\ndescribe \"A{}3\" \"x\"",
		    "test.oa:2:10: {} stands for all digits: none can be beside it");
	check_error("platform t \"T\"\ndescribe \"A{}B\" \"Is {2}.\"",
		    "test.oa:2:17: '{' must begin one of {1} .. {1} here");
	check_error("platform t \"T\"\ndescribe \"AB\" \"Is {1}.\"",
		    "test.oa:2:15: '{' has no meaning here, for the pattern "
		    "has no {}");
	check_error("platform t \"T\"\ndescribe \"A3{}\" \"x\"",
		    "test.oa:2:10: {} stands for all digits: none can be "
		    "beside it");
	check_error("platform t \"T\"\ndescribe \"A*\" \"x\"",
		    "test.oa:2:10: a pattern has letters, digits, '_' and {} "
		    "only");
	check_error("platform t \"T\"\ndescribe \"\" \"x\"", "test.oa:2:10: this pattern is empty");
	check_error("platform t \"T\"\ndescribe \"A{}{}{}{}{}{}{}\" \"x\"",
		    "test.oa:2:10: a pattern has 6 times {} at most");
	check_error("platform t \"T\"\n"
		    "describe \"A\" \"x\" describe \"A\" \"y\"",
		    "test.oa:2:27: there is a description of A already");
	check_error("platform t \"T\"\ndescribe A \"x\"",
		    "test.oa:2:10: expected a pattern of symbols in quotes, "
		    "found 'A'");
}

/* ---- limits ---- */

static void bundle_size_is_limited(void)
{
	check_error(PLATFORM "bundle B { }", "test.oa:4:8: bundle B is empty");
	check_error(PLATFORM "bundle B { One }\nbundle C { bundle B bundle B }\n"
			     "set S { uuid \"" UUID(1) "\" format A13 metrics { bundle C } }",
		    "test.oa:4:12: the set has One already, from line 4");
}

static void set_has_at_most_64_register_lists(void)
{
	char text[4096] = "platform t \"T\"\nset S {\n";

	for (int i = 0; i < 65; i++)
		strcat(text, "mux { }\n");
	check_error(text, "test.oa:67:1: a set has 64 lists of registers at most");
}

static void platform_has_at_most_32767_sets_and_templates(void)
{
	const size_t count = 32767;
	char *text = malloc(32 * (count + 2)), *end = text;
	struct fixture fixture;

	REQUIRE(text);
	end += sprintf(end, "platform t \"T\"\n");
	for (size_t i = 0; i < count; i++)
		end += sprintf(end, "template T%zu { }\n", i);
	CHECK(!fixture_compile(&fixture, text));
	fixture_free(&fixture);
	strcpy(end, "template T { }");
	check_error(text, "test.oa:32769:1: a platform has 32767 sets and templates at most");
	free(text);
}

static void temporary_files_are_removed(void)
{
	CHECK(rmdir(directory) == 0);
}

int main(void)
{
	if (!mkdtemp(directory))
		return tap_skip("no directory for files");
	RUN(platform_text_has_all_clauses);
	RUN(tier_is_one_of_four);
	RUN(include_adds_definitions);
	RUN(errors_name_include_chain);
	RUN(include_errors_have_position);
	RUN(include_depth_is_limited);
	RUN(number_of_included_files_is_limited);
	RUN(missing_file_returns_enoent);
	RUN(change_applies_to_whole_platform);
	RUN(register_lists_may_be_named);
	RUN(long_register_list_keeps_its_order);
	RUN(empty_register_list_has_no_registers);
	RUN(set_inherits_from_template);
	RUN(template_errors_have_position);
	RUN(symbol_is_unique_per_domain);
	RUN(pattern_describes_family_of_metrics);
	RUN(pattern_with_most_literal_characters_wins);
	RUN(pattern_stands_for_six_numbers_at_most);
	RUN(pattern_errors_have_position);
	RUN(bundle_size_is_limited);
	RUN(set_has_at_most_64_register_lists);
	RUN(platform_has_at_most_32767_sets_and_templates);
	RUN(temporary_files_are_removed);
	return tap_end();
}
